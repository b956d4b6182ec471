// Copy of all data that is needed to draw the world at a given time, as flat arrays. The simulation thread writes a
// snapshot into reused buffers, and the drawing thread reads it. A snapshot does not refer to the simulation. Immutable
// geometry, such as the skin of a voxel body, is shared by reference.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/math.h"
#include "sim/base/surface_mesh.h"

namespace vw {

struct ChannelInfo {
  std::string name;        ///< "speed", "strain", ...
  std::string unit;        ///< "m/s"
  bool is_signed = false;  ///< drawn with a diverging colour map about zero
};

/// Skin of a voxel lattice. It is a closed quadrilateral mesh whose vertices are lattice corners, each shared by the
/// (up to 8) voxels around it. The deformed position of a corner is the mean of x_v + q_v * offset over its voxels v,
/// with the position x_v and the orientation q_v of the voxel. The offset is the vector from the voxel's centre to the
/// corner in the rest frame; its components are plus or minus half an edge. A skin is immutable. When bonds break or
/// voxels are removed, a new revision is published.
struct VoxelSkin {
  struct Vertex {
    std::array<std::int32_t, 8> voxel;  ///< element indices of the voxels; unused entries at the end are -1
    /// The corner of voxel[k] at which the vertex lies. Bits 0, 1 and 2 are set if the corner is on the +x, +y and +z
    /// side.
    std::array<std::uint8_t, 8> corner;
  };
  struct Quad {
    std::array<std::int32_t, 4> vertex;  ///< counter-clockwise seen from outside
    std::int32_t voxel;                  ///< voxel that the face belongs to (for colour and picking)
    std::uint8_t face;                   ///< direction of the face, 0 to 5: -x +x -y +y -z +z
  };
  std::vector<Vertex> vertices;
  std::vector<Quad> quads;
  float edge_m = 0;
};

struct Channel {
  std::string name;
  std::vector<float> values;
  std::size_t index = 0;  ///< index among the system's channels
};

/// A vector for each element.
struct VectorChannel {
  std::string name;  ///< "acceleration"
  std::vector<Vec3f> values;
};

/// Kind of animation of flock members' bodies.
enum class MemberMotion : std::uint8_t { none, swim, flap };
/// Appearance of the members of a species.
struct SpeciesLook {
  /// Mesh of the body. The mesh is two units long: the tail is at x = -1, the head is at x = 1, and the back points to
  /// +y.
  std::shared_ptr<const SurfaceMesh> mesh;
  MemberMotion motion = MemberMotion::none;
};

/// Warning that is shown if a total is positive: "NAME: 3 particles SENTENCE", where NAME is the name of the system.
struct TotalWarning {
  std::string_view noun;      ///< object that the total counts, in the singular: "particle"
  std::string_view sentence;  ///< rest of the sentence, without the full stop at its end
  bool is_passive = false;    ///< whether "was" or "were" precedes `sentence`
};

/// A quantity of an entire system that only some kinds of systems have, such as "broken_bonds".
struct Total {
  std::string_view name, unit;  ///< both must refer to string literals
  double value = 0;
  const TotalWarning* warning = nullptr;  ///< must refer to a constant; null means that the total causes no warning
};

/// A contact of a rigid body.
struct ContactMark {
  Vec3f place = Vec3f::Zero();
  Vec3f force_n = Vec3f::Zero();  ///< force on the element [N], mean over the world step
  std::uint32_t element = 0;
};

/// A joint between two rigid bodies, or between one body and the world.
struct JointMark {
  std::string name;
  std::string_view kind;                       ///< must refer to a string literal: "hinge"
  Vec3f a = Vec3f::Zero(), b = Vec3f::Zero();  ///< anchors on the first and the second side [m], world frame
  Vec3f axis = Vec3f::Zero();                  ///< axis of a hinge or slider; zero for other joints
  bool broken = false;
  /// Reaction force [N] and torque [N m], including the force or torque of the joint's motor. Both are magnitudes, with
  /// two exceptions: the force of a joint that acts along the line between its anchors is its tension, negative under
  /// compression, and the torque of a hinge is the torque about its axis, with its sign.
  double force_n = 0, torque_nm = 0;
  double reading = 0, speed = 0;  ///< angle [rad] or length [m] of the joint, and its rate of change
};

/// Data that depend on the kind of the system. The type determines how the system is drawn.
struct SphereLook {
  /// Whether the spheres are drawn as puffs of smoke: they have no surface, are denser in the middle and are blended by
  /// opacity.
  bool soft = false;
};
struct VoxelLook {
  std::shared_ptr<const VoxelSkin> skin;
};
struct RigidLook {
  /// Surface of each body in the body's own frame, whose origin is the centre of mass.
  std::vector<std::shared_ptr<const SurfaceMesh>> meshes;
  /// Positions [m] of the particles that fill each body, in the frame of the body's mesh. The diameter of the particles
  /// is `particle_m`. The array is empty if no particles are needed.
  std::vector<std::shared_ptr<const std::vector<Vec3f>>> particles;
  float particle_m = 0;
  std::vector<ContactMark> contacts;
  std::vector<JointMark> joints;
};
struct FluidLook {
  float spacing_m = 0;  ///< rest spacing of the particles [m]
};
/// Appearance of the members of a flock. The `size` of a member is half the length of its body.
struct MemberLook {
  std::vector<SpeciesLook> species;  ///< appearance of each material (species)
  std::vector<float> beat;           ///< phase of each member's tail or wing beat [rad]
};
using SystemLook = std::variant<SphereLook, VoxelLook, RigidLook, FluidLook, MemberLook>;
/// The alternatives of SystemLook, in the same order.
enum class LookKind : std::uint8_t { spheres, voxels, rigid, fluid, members };

struct SystemSnapshot {
  std::string name;
  std::string kind;
  SystemLook look;
  /// Number that changes when element indices change their meaning (for example by a reset, a creation or a removal).
  /// Snapshots of different revisions must not be interpolated.
  std::uint64_t revision = 0;
  std::vector<Vec3f> position;         ///< [m]
  std::vector<Vec3f> velocity;         ///< [m/s]
  std::vector<Quatf> orientation;      ///< only for voxels, rigid bodies and flock members; otherwise empty
  std::vector<float> size;             ///< radius of a sphere, or current edge of a voxel [m]
  std::vector<std::uint32_t> id;       ///< permanent id of each element, for interpolation and selection
  std::vector<std::uint8_t> material;  ///< index into palette
  std::vector<Vec3f> palette;          ///< linear RGB
  /// Linear RGB and opacity of each element. They replace the palette's colours. If the array is empty, elements have
  /// the palette's colours and are opaque.
  std::vector<Vec4f> tint;
  std::vector<std::string> palette_names;
  std::vector<ChannelInfo> available;          ///< channels that may be subscribed to
  std::vector<Channel> channels;               ///< channels that were subscribed to
  std::vector<ChannelInfo> available_vectors;  ///< per-element vectors that may be requested; velocity is not listed
  std::vector<VectorChannel> vectors;          ///< vectors that were requested
  /// 1 for each element that is asleep, otherwise 0. An element that is asleep rests and is not advanced until another
  /// object wakes it. The array is empty if no element sleeps.
  std::vector<std::uint8_t> asleep;
  /// Period of the domain along each axis [m], or 0 if the axis is not periodic. An element that leaves a periodic
  /// domain through one side enters it through the opposite side.
  Vec3f period = Vec3f::Zero();
  // Statistics
  double mass_kg = 0;
  double kinetic_j = 0, potential_j = 0, elastic_j = 0;
  int substeps = 0;
  double substep_dt_s = 0;
  double stable_dt_s = 0;
  double wall_s = 0;  ///< wall time of the last step [s]
  Vec3 center_of_mass = Vec3::Zero();
  Vec3 momentum = Vec3::Zero();
  Vec3 angular_momentum = Vec3::Zero();  ///< about the world origin
  std::vector<Total> totals;

  [[nodiscard]] LookKind look_kind() const { return static_cast<LookKind>(look.index()); }
  /// Returns the look if it has this type, otherwise null.
  template <class L>
  [[nodiscard]] const L* look_as() const {
    return std::get_if<L>(&look);
  }
  /// Gives the system a look of this type and returns the look, to be written. If the system had a look of this type
  /// before, its memory is reused.
  template <class L>
  L& use_look() {
    L* const present = std::get_if<L>(&look);
    return present != nullptr ? *present : look.emplace<L>();
  }
};

/// Each of these functions returns data that only one kind of system has. For other kinds, the result is empty, null or
/// 0.
[[nodiscard]] inline std::shared_ptr<const VoxelSkin> skin_of(const SystemSnapshot& system) {
  const auto* voxels = system.look_as<VoxelLook>();
  return voxels != nullptr ? voxels->skin : nullptr;
}
[[nodiscard]] inline std::span<const std::shared_ptr<const SurfaceMesh>> meshes_of(const SystemSnapshot& system) {
  const auto* rigid = system.look_as<RigidLook>();
  return rigid != nullptr ? std::span(rigid->meshes) : std::span<const std::shared_ptr<const SurfaceMesh>>();
}
[[nodiscard]] inline std::span<const ContactMark> contacts_of(const SystemSnapshot& system) {
  const auto* rigid = system.look_as<RigidLook>();
  return rigid != nullptr ? std::span(rigid->contacts) : std::span<const ContactMark>();
}
[[nodiscard]] inline std::span<const JointMark> joints_of(const SystemSnapshot& system) {
  const auto* rigid = system.look_as<RigidLook>();
  return rigid != nullptr ? std::span(rigid->joints) : std::span<const JointMark>();
}
[[nodiscard]] inline float spacing_of_fluid(const SystemSnapshot& system) {
  const auto* fluid = system.look_as<FluidLook>();
  return fluid != nullptr ? fluid->spacing_m : 0;
}

struct ColliderSnapshot {
  std::string name;
  enum class Kind : std::uint8_t { plane, sphere, box, mesh } kind = Kind::plane;
  Vec3f position = Vec3f::Zero();
  Quatf orientation = Quatf::Identity();
  Vec3f half_extent = Vec3f::Ones();  ///< half the edges of a box [m]; for a sphere, each component is the radius
  Vec3f color{0.5F, 0.5F, 0.5F};
  std::shared_ptr<const SurfaceMesh> mesh;  ///< for kind mesh, in the collider's frame
  bool two_sided = false;                   ///< whether the mesh is drawn from both sides
  float opacity = 1;                        ///< opacity; below 1, the collider is drawn as glass with marked edges;
                                            ///< at 0, it is not drawn
};

/// A spring between the mouse and an element.
struct GrabSnapshot {
  bool active = false;
  Vec3f anchor = Vec3f::Zero();  ///< end of the spring on the body [m]
  Vec3f target = Vec3f::Zero();  ///< end of the spring under the mouse pointer [m]
  float force_n = 0;
};

/// A rule that acts between two systems. `touching` and the forces are measured for requested rules only.
struct RuleSnapshot {
  std::string node;  ///< name of the rule's node
  std::string kind;
  std::size_t a = 0, b = 0;  ///< indices of the rule's systems in Snapshot::systems
  bool enabled = true;
  std::size_t touching = 0;  ///< number of elements of both sides on which the rule exerted a force in the last step
  /// Magnitude of the total force of the rule on one side [N], as a mean over the step. For a rule within one system,
  /// this is half the sum of the magnitudes of the forces on its elements.
  double force_n = 0;
  std::vector<Vec3f> force_a;  ///< force on each element of side a [N], mean over the step; only for requested rules
  std::vector<Vec3f> force_b;
};

/// A rectangular grid of nu x nv samples of a field quantity. Sample j nu + i lies at origin + i u_step + j v_step.
struct FieldSlice {
  Vec3f origin = Vec3f::Zero(), u_step = Vec3f::Zero(), v_step = Vec3f::Zero();
  int nu = 0, nv = 0;
  std::vector<float> value;  ///< samples of the requested quantity
};

/// Lines of a flow as polylines, stored consecutively. Line i consists of the points [start[i], start[i + 1]).
struct FieldLines {
  std::vector<std::uint32_t> start;
  std::vector<Vec3f> point;
  std::vector<float> speed;  ///< [m/s] at each point
  /// For ribbons, a unit vector across the ribbon at each point, perpendicular to the line; otherwise empty. Along the
  /// line, the vector turns about the line with the medium.
  std::vector<Vec3f> across;
};

/// Surface on which a quantity has a given value.
struct FlowSurface {
  double level = 0;  ///< value on the surface, in the unit of the quantity
  std::shared_ptr<const SurfaceMesh> mesh;
  std::vector<float> value;  ///< value of the colouring quantity at each vertex; empty if no quantity colours it
};

/// Iso-surfaces of a quantity of a flow, from low to high values. Surfaces without triangles are left out.
struct FlowSurfaces {
  std::string quantity, unit;        ///< "q_criterion", "1/s^2"
  std::string color, color_unit;     ///< quantity that colours the surfaces; empty means none
  bool color_is_signed = false;      ///< whether the colours come from a diverging colour map about zero
  std::vector<FlowSurface> surface;  ///< one for each level
};

/// Visualisation of a world's fields (FieldViewParams of view.h).
struct FieldPicture {
  std::string quantity, unit;  ///< quantity and unit of the slices: "speed", "m/s"
  bool is_signed = false;      ///< whether the quantity is drawn with a diverging colour map about zero
  std::vector<FieldSlice> slices;
  std::string glyph_of{"velocity"}, glyph_unit{"m/s"};
  std::vector<Vec3f> glyph_place, glyph_value;
  FieldLines streamlines, pathlines, streaklines;
  FlowSurfaces surfaces;
  Vec3f box_min = Vec3f::Zero(), box_max = Vec3f::Zero();  ///< corners of the box that is shown [m]
  std::string note;                                        ///< reason why nothing is shown, or empty
};

/// Visualisation of the flow in a fluid (FluidViewParams of view.h).
struct FluidPicture {
  std::size_t system = 0;  ///< index of the fluid in Snapshot::systems
  FieldLines streamlines, streaklines;
  FlowSurfaces surfaces;
};

/// Value of an actuator or a sensor.
struct SignalSnapshot {
  std::string name;  ///< "actuator.left" or "sensor.tilt"
  double value = 0;  ///< NaN while an actuator does not drive its targets
  // Of actuators only:
  double largest = 0;  ///< largest magnitude of the value since the world was built or the actuators were changed
  std::vector<Vec3f> places;  ///< positions [m] of the driven joints, emitters, taps, sources of wind and obstacles
};

struct HealthSnapshot {
  bool failed = false;
  std::string sentence;  ///< description of the failure, with its element, time and cause
};

/// Position of a snapshot in the timeline of its session (timeline.h).
struct TimelinePlace {
  std::uint32_t branch = 0;
  double elapsed_s = 0;       ///< simulated time since the start of the session [s]; a reset does not set it back
  double branch_time_s = 0;   ///< Snapshot::time_s at which the branch begins [s]
  bool is_past = false;       ///< whether the branch continues after this moment
  bool is_seeking = false;    ///< whether the run is moving to another moment
  double seek_remaining = 0;  ///< fraction of the steps to that moment that still have to be computed
};

struct Snapshot {
  std::uint64_t sequence = 0;  ///< running number of the published snapshot
  /// Number of resets and loads so far. Snapshots of different epochs must not be interpolated.
  std::uint64_t epoch = 0;
  /// Number of changes of nodes so far (ChangeNodes). Snapshots with different numbers show different systems or
  /// colliders and must not be interpolated.
  std::uint64_t changes = 0;
  /// Number of the run that began with the last reset. If the user goes back to a moment before the reset, the number
  /// of the run before the reset applies again.
  std::uint64_t run = 0;
  std::uint64_t step = 0;
  double time_s = 0;
  double dt_s = 0;
  std::uint64_t tick = 0;      ///< steps since the start of the session; a reset does not set it back
  std::uint64_t commands = 0;  ///< commands applied since the start of the session, along the path of the branch
  TimelinePlace place;
  double step_wall_s = 0;
  double realtime_factor = 0;  ///< achieved ratio of simulated to wall time, averaged over about a second
  double asked_speed = 1;
  bool paused = true;
  std::vector<SystemSnapshot> systems;
  std::vector<ColliderSnapshot> colliders;
  std::vector<RuleSnapshot> rules;
  std::vector<SignalSnapshot> signals;
  FieldPicture field;
  std::vector<FluidPicture> fluids;                    ///< flow in the fluids, if it is requested
  std::vector<std::pair<std::string, double>> stages;  ///< wall time of the last step [s] by stage
  GrabSnapshot grab;
  HealthSnapshot health;
  std::string slow;  ///< warning if steps are expected to be very slow, with the cause; empty if not

  /// Returns a number that is the same for all snapshots that show the same systems and colliders in the same run.
  [[nodiscard]] std::uint64_t parts_number() const { return epoch << 32U | changes; }
};

}  // namespace vw
