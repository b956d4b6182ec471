// A system: particles' arrays and the functions that advance them, behind one narrow interface. Systems never include each other.
// Called by the world on the simulation thread; kernels inside may run on several threads.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/node.h"
#include "sim/base/state.h"
#include "sim/collision/collider.h"
#include "sim/field/field.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

/// The arrays that all systems share, one row an element. World frame, SI.
struct Elements {
  std::vector<Vec3> position;
  std::vector<Vec3> velocity;
  std::vector<double> mass;
  std::vector<double> radius;          ///< half the edge of a voxel
  std::vector<Quat> orientation;       ///< empty for point particles
  std::vector<Vec3> angular_velocity;  ///< world frame; empty for point particles
  /// Impulses [N s] and angular impulses [N m s] that interactions and the mouse gave since the system's last substep. The system adds
  /// impulse / m to the velocity in its next substep, once, exactly, and clears them. Sized with `position`, or empty while nobody gave any to a
  /// system that allows that: who gives calls room_for_impulses() first.
  std::vector<Vec3> impulse;
  std::vector<Vec3> angular_impulse;  ///< empty for point particles
  /// Faces of a cube that are part of the surface, bit 0..5: -x +x -y +y -z +z. Empty: all of them. No state: follows from the structure.
  std::vector<std::uint8_t> open_faces;
  std::vector<std::uint32_t> id;   ///< lasting identities, ascending, of elements whose rows move when others are removed. Empty: the row itself.
  std::vector<std::uint8_t> held;  ///< 1: does not move, whatever acts on it. Empty: all are free. No state: follows from parameters.
  /// 1: an element of another system pressed on it in this world step; for pictures. Empty: none did. No state.
  std::vector<std::uint8_t> met;
  [[nodiscard]] std::size_t size() const { return position.size(); }
  void note_meeting(std::size_t element) {
    if (met.size() != size()) met.assign(size(), 0);
    met[element] = 1;
  }
  Elements& room_for_impulses() {
    if (impulse.size() != size()) impulse.resize(size(), Vec3::Zero());
    if (angular_impulse.size() != orientation.size()) angular_impulse.resize(orientation.size(), Vec3::Zero());
    return *this;
  }
};

/// What a world tells its systems about one fixed step.
struct StepContext {
  double time = 0;  ///< at the start of the world step [s]
  double dt = 1.0 / 120;
  std::uint64_t step = 0;
  std::uint64_t seed = 0;
  Vec3 gravity{0, -9.81, 0};
  std::span<const Collider> colliders;  ///< where they are at the step's start in begin_step, at the substep's start in substep
  const FieldSet* fields = nullptr;     ///< never null inside a step
};

struct Diagnostics {
  std::size_t count = 0;
  double mass = 0;
  double kinetic = 0, potential = 0, elastic = 0;  ///< [J]; potential of gravity about y = 0
  Vec3 momentum = Vec3::Zero();
  Vec3 angular_momentum = Vec3::Zero();  ///< about the origin, spin included
  Vec3 center_of_mass = Vec3::Zero();
};

/// Why a system cannot go on.
struct HealthIssue {
  std::string what;  ///< "position is not finite", "kinetic energy grew 1e6-fold in one step"
  std::int64_t element = -1;
  std::string why;  ///< "time step too large for this stiffness: substep 2e-4 s, stable 1e-4 s"
};

/// Why a step costs what it does, for messages.
struct CostCause {
  std::string what;    ///< "104 parts of a step for 20000 particles, because its inflow tap has speed 100 m/s"
  std::string remedy;  ///< "lower that speed, or raise spacing"
};

/// What bounds a system's substep, for messages.
struct StepBound {
  std::string cause;   ///< "a particle moves at 91 m/s"
  std::string remedy;  ///< "lower that speed"
};

class System {
 public:
  virtual ~System() = default;
  System() = default;
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  [[nodiscard]] virtual const Schema& schema() const = 0;
  [[nodiscard]] const std::string& name() const { return name_; }

  /// Takes over live parameters after the tree changed (self is this system's node, scene the root with materials). Not live ones are ignored.
  [[nodiscard]] virtual Result<void> configure(const Node& self, const Node& scene) = 0;

  /// Largest stable substep [s] with the system's own safety factor, when coupled springs of `coupled_stiffness_npm` [N/m] in sum hang on an
  /// element. Infinity when any step is stable.
  [[nodiscard]] virtual double stable_dt(double coupled_stiffness_npm) const = 0;
  /// What makes stable_dt as short as it is, and what would make it longer. By default the stiffness over the mass.
  [[nodiscard]] virtual StepBound step_bound(double coupled_stiffness_npm) const;
  /// Expected cost of a step of `substeps` substeps: evaluations of a neighbour, a bond or a contact, each some 10 ns on one core. From counts and
  /// parameters alone, so that the same step costs the same on every machine; allocates nothing.
  [[nodiscard]] virtual double step_cost(const StepContext& context, std::int64_t substeps) const {
    (void)context;
    return static_cast<double>(substeps) * 10 * static_cast<double>(elements().size());
  }
  /// What makes such a step costly, and what would make it cheaper.
  [[nodiscard]] virtual CostCause cost_cause(const StepContext& context, std::int64_t substeps) const;
  /// Once per world step, before the substeps (sample the wind, emit, ...).
  virtual void begin_step(const StepContext& context) { (void)context; }
  /// Advances from time t by dt. Consumes and clears the impulses in elements().
  virtual void substep(const StepContext& context, double t, double dt) = 0;
  /// Advances from time t by `count` substeps of dt: what the world asks for where nothing acts from outside in between (no rule, no mouse, no
  /// moving obstacle), so that a system may keep its arrays in its own form. The same bits as `count` calls of substep.
  virtual void substeps(const StepContext& context, double t, double dt, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) substep(context, t + static_cast<double>(i) * dt, dt);
  }
  virtual void end_step(const StepContext& context) { (void)context; }

  [[nodiscard]] virtual Elements& elements() = 0;
  [[nodiscard]] virtual const Elements& elements() const = 0;

  /// Every array and number that the future depends on.
  virtual void visit_state(StateVisitor& visit) = 0;
  /// Called before every world step: keeps what it takes to return to this moment, should the step go wrong. False: the world copies the arrays of
  /// visit_state instead. For systems that have the state before a step at hand anyway.
  [[nodiscard]] virtual bool keep_state() { return false; }
  /// Returns to the moment of the last keep_state() that was true; state_restored() follows.
  virtual void return_to_kept_state() {}
  /// What is wrong with arrays that visit_state just filled from a file that may be hostile, or empty. The world has compared those of elements().
  [[nodiscard]] virtual std::string state_problem() const { return {}; }
  /// Called after visit_state filled the arrays (rebuild caches).
  virtual void state_restored() {}

  [[nodiscard]] virtual Diagnostics diagnostics(const StepContext& context) const = 0;
  /// Cheap check after a step; nullopt when all is well.
  [[nodiscard]] virtual std::optional<HealthIssue> check_health() const = 0;

  [[nodiscard]] virtual std::span<const ChannelInfo> channels() const = 0;
  /// Values of channel `index`, one an element, into `out` (resized).
  virtual void channel(std::size_t index, std::vector<float>& out) const = 0;
  /// Values of several channels, `index` of each given: what they are computed from may be shared.
  virtual void fill_channels(std::span<Channel> wanted) const {
    for (Channel& one : wanted) channel(one.index, one.values);
  }
  /// Vectors that elements have beside velocity, acceleration and net force, which the world knows of all.
  [[nodiscard]] virtual std::span<const ChannelInfo> vector_channels() const { return {}; }
  /// Values of vector channel `index`, one an element, into `out` (resized).
  virtual void vector_channel(std::size_t index, std::vector<Vec3f>& out) const { (void)index, (void)out; }
  /// Numbers about the whole beyond Diagnostics, in a fixed order.
  virtual void totals(std::vector<Total>& out) const { out.clear(); }
  /// Fills look, positions, velocities, orientations, sizes, ids, materials, palette, skin. Name, kind, channels and statistics are the world's.
  virtual void snapshot(SystemSnapshot& out) const = 0;

 protected:
  explicit System(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

/// A row of the explicit table of system kinds.
struct SystemKind {
  const Schema* schema;
  Result<std::unique_ptr<System>> (*create)(const Node& self, const Node& scene);
};

}  // namespace vw
