// Rigid bodies as a scene describes them: the parameters of the kinds of slot `body`, and the resulting shape, mass and
// inertia.
#pragma once

#include <string>
#include <vector>

#include "sim/base/data/node.h"
#include "sim/collision/contact/response.h"
#include "sim/collision/pose.h"
#include "sim/collision/shape/mass_properties.h"
#include "sim/collision/shape/shape.h"
#include "sim/collision/shape/shape_params.h"
#include "sim/system/rigid/wind/rotor.h"

namespace vw {

struct RigidBodyParams : SurfaceMaterial, ShapeParams {
  RigidBodyParams() : SurfaceMaterial{.restitution = 0.2, .mu_static = 0.6, .mu_dynamic = 0.5} {}

  Vec3 position{0, 0, 0};
  Vec3 rotation{0, 0, 0};
  Vec3 velocity{0, 0, 0};
  Vec3 angular_velocity{0, 0, 0};
  double density = 500;
  double mass_kg = 0;
  Vec3 color{0.75, 0.45, 0.2};
  Vec3 repeat{1, 1, 1};
  Vec3 repeat_step{0, 0, 0};
  double repeat_jitter_m = 0;
  double repeat_turn = 0;
  double wind_drag = 1;
};

/// Properties of a body apart from its current pose and velocity.
struct RigidBody {
  std::string name;
  std::size_t node = 0;  ///< Index of the body's node in slot `body`. Copies share a node.
  /// Shape in its own frame. The origin of a mesh is the centre of its bounding box.
  Shape shape;
  MassProperties solid;        ///< Mass properties of `shape`.
  std::string note;            ///< Message about a defect of the mesh. Empty if there is none.
  Vec3 center = Vec3::Zero();  ///< Centre of mass in the shape's frame [m].
  double mass_kg = 1;
  double volume_m3 = 0;
  /// Upper bound of the distance of the body's points from the centre of mass [m]: the radius of a ball, otherwise the
  /// distance of the farthest corner of the shape's bounding box.
  double reach_m = 0;
  Inertia inertia;
  SurfaceMaterial surface;
  double wind_drag = 1;          ///< Factor on the pressure coefficients of the body.
  Vec3 color{0.5, 0.5, 0.5};     ///< Colour in linear RGB.
  Pose start;                    ///< Initial pose of the shape's frame.
  Vec3 velocity = Vec3::Zero();  ///< Initial velocity of the centre of mass [m/s].
  Vec3 angular_velocity = Vec3::Zero();

  /// Returns the pose of the shape's frame for a body whose centre of mass is at `position`.
  [[nodiscard]] Pose shape_at(const Vec3& position, const Quat& orientation) const {
    return {position - orientation * center, orientation};
  }
};

/// The schemas of slot `body`, sorted by name.
[[nodiscard]] const std::vector<const Schema*>& rigid_body_schemas();
/// Creates a body and reads its mesh file if the node names one. Errors name the key within the body.
[[nodiscard]] Result<RigidBody> make_rigid_body(const Node& self);
/// Creates all bodies of a system's node, including copies. The copies of `brick` are named brick-1, brick-2, ..., and
/// are placed along x, then z, then y. Errors name line and key.
[[nodiscard]] Result<std::vector<RigidBody>> make_rigid_bodies(const Node& system, std::uint64_t seed);
/// Reads the parameters that may change while the simulation runs: mass, surface, wind drag, colour.
void update_rigid_body(const Node& self, RigidBody& body);

}  // namespace vw
