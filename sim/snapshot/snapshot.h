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
enum class Look : std::uint8_t { spheres, voxels, rigid, fluid, members };

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

/// A vector of each element.
struct VectorChannel {
  std::string name;  ///< "acceleration"
  std::vector<Vec3f> values;
};

/// How the bodies of a flock's members move as they go.
enum class MemberMotion : std::uint8_t { none, swim, flap };
/// What the members of a species look like.
struct MemberLook {
  std::shared_ptr<const SurfaceMesh> mesh;  ///< two long: from -1 to 1 along x, the way that it heads; +y is its back
  MemberMotion motion = MemberMotion::none;
};

/// A number about a whole system beyond those that all systems have: "broken_bonds".
struct Total {
  std::string_view name, unit;  ///< of literals
  double value = 0;
};

/// A place where a rigid body is pressed.
struct ContactMark {
  Vec3f place = Vec3f::Zero();
  Vec3f force_n = Vec3f::Zero();  ///< on the element, mean over the world step
  std::uint32_t element = 0;
};

/// A joint between two rigid bodies, or of one with the world.
struct JointMark {
  std::string name;
  std::string_view kind;                       ///< of literals: "hinge"
  Vec3f a = Vec3f::Zero(), b = Vec3f::Zero();  ///< where it holds the first and the second side
  Vec3f axis = Vec3f::Zero();                  ///< of a hinge or slider, else none
  bool broken = false;
  double force_n = 0, torque_nm = 0;  ///< that it holds with, and of its motor about or along its axis
  double reading = 0, speed = 0;      ///< angle [rad] or length [m], and its rate
};

struct SystemSnapshot {
  std::string name;
  std::string kind;
  Look look = Look::spheres;
  std::uint64_t revision = 0;          ///< changes when the meaning of indices does (reset, spawn, removal): no interpolation across it
  std::vector<Vec3f> position;         ///< [m]
  std::vector<Vec3f> velocity;         ///< [m/s]
  std::vector<Quatf> orientation;      ///< voxels, rigid bodies and members of flocks only
  std::vector<float> size;             ///< radius of a sphere or current edge of a voxel [m]
  std::vector<std::uint32_t> id;       ///< stable identity of an element for interpolation and selection
  std::vector<std::uint8_t> material;  ///< index into palette
  std::vector<Vec3f> palette;          ///< linear RGB
  bool soft = false;                   ///< spheres are puffs of smoke: no surface, denser in the middle, mixed by their opacity
  std::vector<Vec4f> tint;             ///< linear RGB and opacity of each element, in the palette's place; empty: the palette's, opaque
  std::vector<std::string> palette_names;
  std::vector<ChannelInfo> available;          ///< channels that may be subscribed to
  std::vector<Channel> channels;               ///< those that were
  std::vector<ChannelInfo> available_vectors;  ///< vectors of its elements that may be asked for, beside velocity
  std::vector<VectorChannel> vectors;          ///< those that were
  std::shared_ptr<const VoxelSkin> skin;
  /// Of look rigid: the surface of each element in its own frame, whose origin is its centre of mass.
  std::vector<std::shared_ptr<const SurfaceMesh>> body_mesh;
  /// Of look rigid: the places [m] in the same frame of the particles that fill each element, `particle_m` across; no bodies where nothing needs
  /// them.
  std::vector<std::shared_ptr<const std::vector<Vec3f>>> body_particles;
  float particle_m = 0;
  /// Of look members: what each material (species) looks like. `size` is half the length of a body.
  std::vector<MemberLook> member_look;
  std::vector<float> beat;  ///< of look members: where each is in the beat of its tail or wings [rad]
  std::vector<ContactMark> contacts;
  std::vector<JointMark> joints;
  std::vector<std::uint8_t> asleep;  ///< 1: an element that rests and is not moved until something wakes it; empty: none
  float spacing_m = 0;               ///< of look fluid: how far apart its particles are at rest; their material is their phase
  Vec3f period = Vec3f::Zero();      ///< [m]; along axes whose two sides are one: what leaves by one comes in by the other
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

/// A rule at work between two systems.
struct RuleSnapshot {
  std::string node;  ///< name of its node
  std::string kind;
  std::size_t a = 0, b = 0;  ///< indices of its systems
  bool enabled = true;
  std::size_t touching = 0;    ///< elements of either side that it gave a force in the last step
  double force_n = 0;          ///< sum of its forces on side a, mean over the step
  std::vector<Vec3f> force_a;  ///< [N] of each element, mean over the step; only of rules that were asked for
  std::vector<Vec3f> force_b;
};

/// A rectangle of samples of the air: nu x nv places origin + i u_step + j v_step, i fastest.
struct FieldSlice {
  Vec3f origin = Vec3f::Zero(), u_step = Vec3f::Zero(), v_step = Vec3f::Zero();
  int nu = 0, nv = 0;
  std::vector<float> value;  ///< of the quantity that was asked for
};

/// Lines through the air, one after the other: line i holds points [start[i], start[i + 1]).
struct FieldLines {
  std::vector<std::uint32_t> start;
  std::vector<Vec3f> point;
  std::vector<float> speed;  ///< [m/s] at each point
};

/// What is shown of a world's fields (FieldLook of view.h).
struct FieldPicture {
  std::string quantity, unit;  ///< of the slices: "speed", "m/s"
  bool is_signed = false;      ///< drawn with a diverging map about zero
  std::vector<FieldSlice> slices;
  std::string glyph_of{"velocity"}, glyph_unit{"m/s"};
  std::vector<Vec3f> glyph_place, glyph_value;
  FieldLines streamlines, pathlines;
  Vec3f box_min = Vec3f::Zero(), box_max = Vec3f::Zero();  ///< that was looked at
  std::string note;                                        ///< why nothing is shown, if so
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
  std::vector<RuleSnapshot> rules;
  FieldPicture field;
  std::vector<std::pair<std::string, double>> stages;  ///< wall seconds of the last step by stage name
  GrabSnapshot grab;
  HealthSnapshot health;
  std::string slow;  ///< why steps take long, where they are expected to; else empty
};

}  // namespace vw
