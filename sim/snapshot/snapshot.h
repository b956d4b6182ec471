// What a picture needs of one moment, as flat arrays. Written by the simulation thread into reused buffers, read by the drawing thread.
// Nothing here points back into the simulation; immutable geometry (the skin of a voxel body) is shared by reference.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/math.h"
#include "sim/base/surface_mesh.h"

namespace vw {

/// How a system is drawn.
enum class Look : std::uint8_t { spheres, voxels, rigid, fluid };

struct ChannelInfo {
  std::string name;        ///< "speed", "strain", ...
  std::string unit;        ///< "m/s"
  bool is_signed = false;  ///< drawn with a diverging map about zero
};

/// Skin of a voxel lattice: a closed triangle mesh whose vertices are lattice corners shared by the (up to 8) voxels around them.
/// The deformed corner is the mean over its voxels v of x_v + q_v * offset (offset = signed half edges in the voxel's rest frame).
/// Immutable; a new revision is published when bonds break or voxels are removed.
struct VoxelSkin {
  struct Vertex {
    std::array<std::int32_t, 8> voxel;   ///< element indices; -1 fills the unused end
    std::array<std::uint8_t, 8> corner;  ///< which corner of that voxel: bit 0 +x, bit 1 +y, bit 2 +z
  };
  struct Quad {
    std::array<std::int32_t, 4> vertex;  ///< counter-clockwise seen from outside
    std::int32_t voxel;                  ///< the voxel whose face it is (colour, picking)
    std::uint8_t face;                   ///< 0..5: -x +x -y +y -z +z
  };
  std::vector<Vertex> vertices;
  std::vector<Quad> quads;
  float edge_m = 0;
};

struct Channel {
  std::string name;
  std::vector<float> values;
  std::size_t index = 0;  ///< of the system's channels
};

/// A number about a whole system beyond those that all systems have: "broken_bonds".
struct Total {
  std::string_view name, unit;  ///< of literals
  double value = 0;
};

struct SystemSnapshot {
  std::string name;
  std::string kind;
  Look look = Look::spheres;
  std::uint64_t revision = 0;          ///< changes when the meaning of indices does (reset, spawn, removal): no interpolation across it
  std::vector<Vec3f> position;         ///< [m]
  std::vector<Vec3f> velocity;         ///< [m/s]
  std::vector<Quatf> orientation;      ///< voxels and rigid bodies only
  std::vector<float> size;             ///< radius of a sphere or current edge of a voxel [m]
  std::vector<std::uint32_t> id;       ///< stable identity of an element for interpolation and selection
  std::vector<std::uint8_t> material;  ///< index into palette
  std::vector<Vec3f> palette;          ///< linear RGB
  std::vector<Vec4f> tint;             ///< linear RGB and opacity of each element, in the palette's place; empty: the palette's, opaque
  std::vector<std::string> palette_names;
  std::vector<ChannelInfo> available;  ///< channels that may be subscribed to
  std::vector<Channel> channels;       ///< those that were
  std::shared_ptr<const VoxelSkin> skin;
  /// Of look rigid: the surface of each element in its own frame, whose origin is its centre of mass.
  std::vector<std::shared_ptr<const SurfaceMesh>> body_mesh;
  float spacing_m = 0;           ///< of look fluid: how far apart its particles are at rest; their material is their phase
  Vec3f period = Vec3f::Zero();  ///< [m]; along axes whose two sides are one: what leaves by one comes in by the other
  // Statistics
  double mass_kg = 0;
  double kinetic_j = 0, potential_j = 0, elastic_j = 0;
  int substeps = 0;
  double substep_dt_s = 0;
  double stable_dt_s = 0;
  double wall_s = 0;  ///< of the last step
  Vec3 center_of_mass = Vec3::Zero();
  Vec3 momentum = Vec3::Zero();
  Vec3 angular_momentum = Vec3::Zero();  ///< about the origin
  std::vector<Total> totals;
};

struct ColliderSnapshot {
  std::string name;
  enum class Kind : std::uint8_t { plane, sphere, box, mesh } kind = Kind::plane;
  Vec3f position = Vec3f::Zero();
  Quatf orientation = Quatf::Identity();
  Vec3f half_extent = Vec3f::Ones();  ///< sphere: radius in x
  Vec3f color{0.5F, 0.5F, 0.5F};
  std::shared_ptr<const SurfaceMesh> mesh;  ///< of kind mesh, in the collider's frame
  bool two_sided = false;                   ///< drawn from both sides
  float opacity = 1;                        ///< below 1 it is glass: seen through, its edges marked; 0: not drawn
};

/// A spring between the mouse and an element.
struct GrabSnapshot {
  bool active = false;
  Vec3f anchor = Vec3f::Zero();  ///< on the body
  Vec3f target = Vec3f::Zero();  ///< under the mouse
  float force_n = 0;
};

struct HealthSnapshot {
  bool failed = false;
  std::string sentence;  ///< what, where, when and why
};

struct Snapshot {
  std::uint64_t sequence = 0;  ///< counts publications
  std::uint64_t epoch = 0;     ///< counts resets and loads: no interpolation across
  std::uint64_t step = 0;
  double time_s = 0;
  double dt_s = 0;
  double step_wall_s = 0;
  double realtime_factor = 0;  ///< achieved, over about a second
  double asked_speed = 1;
  bool paused = true;
  std::vector<SystemSnapshot> systems;
  std::vector<ColliderSnapshot> colliders;
  std::vector<std::pair<std::string, double>> stages;  ///< wall seconds of the last step by stage name
  GrabSnapshot grab;
  HealthSnapshot health;
};

}  // namespace vw
