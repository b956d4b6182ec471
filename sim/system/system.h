// Interface of a system: arrays of elements and the functions that advance them. The source files of a system do not
// include those of another system. The world calls a system on the simulation thread. Kernels inside a system may run
// on several threads.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/data/node.h"
#include "sim/base/data/state.h"
#include "sim/collision/collider.h"
#include "sim/field/field.h"
#include "sim/snapshot/snapshot.h"
#include "sim/system/diagnostics.h"

namespace vw {

/// Arrays that every system has, one row per element, in world coordinates and SI units.
struct Elements {
  std::vector<Vec3> position;
  std::vector<Vec3> velocity;
  std::vector<double> mass;
  std::vector<double> radius;          ///< Radius, or half the edge of a voxel [m].
  std::vector<Quat> orientation;       ///< Empty for particles.
  std::vector<Vec3> angular_velocity;  ///< Angular velocity in world axes [rad/s]. Empty for elements without spin.
  /// Impulses [N s] and angular impulses [N m s] that interactions and the mouse have applied since the system's last
  /// substep. In its next substep the system adds impulse / m to the velocity exactly once and clears the arrays. The
  /// arrays are as long as `position`, but a system may leave them empty while they are unused. Callers must therefore
  /// call room_for_impulses() before they add an impulse.
  std::vector<Vec3> impulse;
  std::vector<Vec3> angular_impulse;  ///< Angular impulses [N m s]. Empty for elements without spin.
  /// Faces of each element's cube that belong to the surface of the body, as bits 0..5: -x +x -y +y -z +z. If the array
  /// is empty, all faces belong to the surface. Not saved as state, because the faces follow from the structure of the
  /// body.
  std::vector<std::uint8_t> open_faces;
  /// Permanent identity of each element, in ascending order. If the array is empty, elements never change rows, and an
  /// element's row is its identity.
  std::vector<std::uint32_t> id;
  /// 1 if forces do not change the motion of the element, because the element is fixed or follows a recording. If the
  /// array is empty, forces act on all elements. Not saved as state, because the flags follow from parameters.
  std::vector<std::uint8_t> held;
  /// 1 if an element of another system pressed on the element in this world step. If the array is empty, no element was
  /// pressed. For display only, not saved as state.
  std::vector<std::uint8_t> met;
  [[nodiscard]] std::size_t size() const { return position.size(); }
  void note_meeting(std::size_t element) {
    if (met.size() != size()) met.assign(size(), 0);
    met[element] = 1;
  }
  Elements& room_for_impulses() {
    if (impulse.size() != size()) impulse.resize(size(), Vec3::Zero());
    const std::size_t turning = std::max(orientation.size(), angular_velocity.size());
    if (angular_impulse.size() != turning) angular_impulse.resize(turning, Vec3::Zero());
    return *this;
  }
};

/// Data of one world step. All steps of a world have the same length.
struct StepContext {
  double time = 0;  ///< Time at the start of the world step [s].
  double dt = 1.0 / 120;
  std::uint64_t step = 0;
  std::uint64_t seed = 0;
  Vec3 gravity{0, -9.81, 0};
  /// Obstacles. In begin_step() they have their poses at the start of the world step, in substep() their poses at the
  /// start of the substep.
  std::span<const Collider> colliders;
  const FieldSet* fields = nullptr;  ///< Never null inside a step.
};

/// Reason why a system cannot continue.
struct HealthIssue {
  std::string what;  ///< For example "position is not finite".
  std::int64_t element = -1;
  std::string why;  ///< For example "the time step is too large for the stiffness: substep 2e-4 s, stable 1e-4 s".
};

/// Reason why a step is expensive, and a remedy, for messages to the user.
struct CostCause {
  /// For example "104 substeps per step for 20000 particles; inflow tap moves at 100 m/s".
  std::string what;
  std::string remedy;  ///< For example "lower that speed, or raise the fluid's spacing".
};

/// Quantity that limits the length of a system's substeps, and a remedy, for messages to the user.
struct StepBound {
  /// Subject of the sentence "... limits substeps to 1e-4 s", for example "the speed of a particle (91 m/s) at cfl =
  /// 0.4".
  std::string cause;
  std::string remedy;  ///< For example "lower that speed".
};

class System;

/// Surroundings of a system in a world that has been built, for System::notes().
struct Setup {
  const Node& self;                        ///< node of the system
  std::span<const System* const> systems;  ///< all systems of the world
  std::span<const System* const> coupled;  ///< systems that enabled rules couple with the system
};

/// A rotation about a point, followed by a translation.
struct Displacement {
  Quat rotation = Quat::Identity();
  Vec3 about = Vec3::Zero(), translation = Vec3::Zero();
  [[nodiscard]] Vec3 moved(const Vec3& point) const { return about + rotation * (point - about) + translation; }
  [[nodiscard]] Quat turned(const Quat& orientation) const { return (rotation * orientation).normalized(); }
};

class EquilibriumSolver;  // sim/system/equilibrium.h

class System {
 public:
  virtual ~System() = default;
  System() = default;
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  [[nodiscard]] virtual const Schema& schema() const = 0;
  [[nodiscard]] const std::string& name() const { return name_; }

  /// Reads the live parameters (parameters that may change during a run) after the scene has changed. Other parameters
  /// are ignored. `self` is the node of the system. `scene` is the root of the scene, which contains the materials.
  [[nodiscard]] virtual Result<void> configure(const Node& self, const Node& scene) = 0;

  /// Sets a live parameter of the system's node or of one of its children, at the path `parameter` below the node
  /// ("muscle.left.strain"), without reading the other parameters. Actuators call this function in every step. Returns
  /// false if the system has no such shortcut; the world then calls configure().
  virtual bool set_live(std::string_view parameter, double value) {
    (void)parameter, (void)value;
    return false;
  }

  /// Largest stable substep [s], including the system's safety factor, if springs with a total stiffness of
  /// `coupled_stiffness_npm` [N/m] act on an element from outside. The result is infinity if the system is stable with
  /// substeps of any length.
  [[nodiscard]] virtual double stable_dt(double coupled_stiffness_npm) const = 0;
  /// Quantity that limits stable_dt, and a change that would raise the limit. The default implementation names the
  /// ratio of stiffness to mass.
  [[nodiscard]] virtual StepBound step_bound(double coupled_stiffness_npm) const;
  /// Expected cost of a step of `substeps` substeps. The unit is one evaluation of a neighbour, bond or contact, which
  /// takes about 10 ns on one core. The cost depends only on counts and parameters, so that it is the same on every
  /// machine. Allocates no memory.
  [[nodiscard]] virtual double step_cost(const StepContext& context, std::int64_t substeps) const {
    (void)context;
    return static_cast<double>(substeps) * 10 * static_cast<double>(elements().size());
  }
  /// Cause of the cost of a step of `substeps` substeps, and a change that would reduce the cost.
  [[nodiscard]] virtual CostCause cost_cause(const StepContext& context, std::int64_t substeps) const;
  /// Called once per world step, before the substeps, for instance to sample the wind or emit particles.
  virtual void begin_step(const StepContext& context) { (void)context; }
  /// Advances the system from time t by dt. Adds the impulses in elements() to the velocities and clears the impulses.
  virtual void substep(const StepContext& context, double t, double dt) = 0;
  /// Advances the system from time t by `count` substeps of dt. The world calls this function if no rule, mouse or
  /// moving obstacle acts on the system during these substeps. Between these substeps, a system may therefore keep its
  /// data in a format of its own. The result must be identical, bit for bit, to `count` calls of substep().
  virtual void substeps(const StepContext& context, double t, double dt, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) substep(context, t + static_cast<double>(i) * dt, dt);
  }
  virtual void end_step(const StepContext& context) { (void)context; }

  [[nodiscard]] virtual Elements& elements() = 0;
  [[nodiscard]] virtual const Elements& elements() const = 0;

  /// Visits every array and number on which the future of the system depends.
  virtual void visit_state(StateVisitor& visit) = 0;
  /// Called before every world step. A system that keeps its own copy of the state before the step overrides this
  /// function and returns true. If the function returns false, the world copies the arrays of visit_state(), so that it
  /// can undo a failed step.
  [[nodiscard]] virtual bool keep_state() { return false; }
  /// Restores the state that the system had when keep_state() last returned true. The world calls state_restored()
  /// afterwards.
  virtual void return_to_kept_state() {}
  /// Checks the arrays that visit_state() has read from an untrusted file. Returns a description of the first fault, or
  /// an empty string. The world has already checked that the arrays of elements() have the same length.
  [[nodiscard]] virtual std::string state_problem() const { return {}; }
  /// Rebuilds caches. Called after visit_state() or return_to_kept_state() has changed the state.
  virtual void state_restored() {}
  static constexpr std::size_t no_collider = static_cast<std::size_t>(-1);
  /// Called after other parts of the world were added, removed or renamed during a run. now[i] is the new index of the
  /// collider that had index i, or no_collider if it was removed. The indices count the colliders of
  /// StepContext::colliders. A system must replace the collider indices in its state and discard data that it derived
  /// from the changed parts.
  virtual void surroundings_changed(std::span<const std::size_t> now) { (void)now; }

  /// Takes over the state of `former`, a system of this kind, after child nodes of the system were added, removed or
  /// renamed as Slot::is_live allows. Called before this system's first step. `former_names` maps "SLOT.NAME" of a
  /// renamed child to its former name. Returns the new identity of each element of `former`, or -1 if the element no
  /// longer exists. The list is empty if all identities stay the same.
  virtual std::vector<std::int64_t> continue_from(System& former,
                                                  const std::map<std::string, std::string>& former_names) {
    (void)former, (void)former_names;
    return {};
  }

  /// Called after continue_from(), when all parts of the changed world exist. `colliders` are the colliders that the
  /// system may touch, in their present poses. The system may create the elements of children that were added.
  virtual void enter(std::span<const Collider> colliders, double time) { (void)colliders, (void)time; }

  [[nodiscard]] virtual Diagnostics diagnostics(const StepContext& context) const = 0;
  /// Cheap check after a step. Returns nullopt if the state is sound.
  [[nodiscard]] virtual std::optional<HealthIssue> check_health() const = 0;

  [[nodiscard]] virtual std::span<const ChannelInfo> channels() const = 0;
  /// Writes the values of channel `index`, one per element, into `out`, which is resized.
  virtual void channel(std::size_t index, std::vector<float>& out) const = 0;
  /// Writes the values of several channels. The caller has set `index` in each entry of `wanted`. A system may override
  /// this function to compute an intermediate result only once for several channels.
  virtual void fill_channels(std::span<Channel> wanted) const {
    for (Channel& one : wanted) channel(one.index, one.values);
  }
  /// Vector channels of the elements. The world adds velocity, acceleration and net force for every system.
  [[nodiscard]] virtual std::span<const ChannelInfo> vector_channels() const { return {}; }
  /// Writes the values of vector channel `index`, one per element, into `out`, which is resized.
  virtual void vector_channel(std::size_t index, std::vector<Vec3f>& out) const { (void)index, (void)out; }
  /// Quantities of the whole system that Diagnostics does not contain, in a fixed order.
  virtual void totals(std::vector<Total>& out) const { out.clear(); }
  /// Fills `look`, positions, velocities, orientations, sizes, ids, materials, palette and skin. The world fills name,
  /// kind, channels and statistics.
  virtual void snapshot(SystemSnapshot& out) const = 0;

  // ---- Optional capabilities: a kind of system overrides the functions of the capabilities that it has ----

  /// Messages about defects in the files that the system has read, one sentence each.
  [[nodiscard]] virtual std::vector<std::string> file_notes() const { return {}; }
  /// Warnings about the parameters of the system and about missing rules, one sentence each.
  [[nodiscard]] virtual std::vector<std::string> notes(const Setup& setup) const {
    (void)setup;
    return {};
  }
  /// Called once when a world is created, after Interaction::start() of all rules. Lets elements settle before the run
  /// begins, for example a very viscous fluid.
  virtual void relax_at_start() {}
  /// Called once if the system is created during a run. `time` is the present time [s]. The initial elements of the
  /// system count as created at this time.
  virtual void begin_at(double time) { (void)time; }
  /// Removes the elements in `rows` at the start of the next step. Returns false if elements of this kind of system
  /// cannot be removed.
  virtual bool remove(std::span<const std::uint32_t> rows) {
    (void)rows;
    return false;
  }
  /// Moves the body to which the element `row` belongs, with everything that is rigidly connected to it, between two
  /// steps. The moved elements are then at rest, and their contacts are forgotten. Returns 1 for each element that was
  /// moved. Returns an error if bodies of this kind, or this body, cannot be moved.
  [[nodiscard]] virtual Result<std::vector<std::uint8_t>> displace(std::size_t row, const Displacement& motion) {
    (void)row, (void)motion;
    return fail(name_ + " cannot be moved: expected a rigid system or a voxel body");
  }
  /// Names of the groups to which spawn() can add elements, for example the species of a flock. If empty, no elements
  /// can be added.
  [[nodiscard]] virtual std::span<const std::string> spawn_groups() const { return {}; }
  /// Adds `count` elements of the group with index `group` around a position [m] at the start of the next step. Called
  /// only if spawn_groups() contains the group.
  virtual void spawn(std::size_t group, const Vec3& place, std::uint64_t count) {
    (void)group, (void)place, (void)count;
  }
  /// Whether the elements exert forces on other systems. If not, rules do not act on the system.
  [[nodiscard]] virtual bool exerts_forces() const { return true; }
  /// Whether the elements are a liquid that carries elements of other systems.
  [[nodiscard]] virtual bool is_liquid() const { return false; }
  /// Whether motors or a recording move the elements, so that their kinetic energy may grow without an outside cause.
  [[nodiscard]] virtual bool is_driven() const { return false; }
  /// Energy [J] that a step may convert into translation of the elements, beyond their present kinetic energy of
  /// translation: for example the energy of rotation and of springs between elements.
  [[nodiscard]] virtual double convertible_energy(const StepContext& context) const {
    (void)context;
    return 0;
  }
  /// Upper bound of the elastic energy [J] that the system can plausibly store. The energy check adds it to the energy
  /// that a system may gain.
  [[nodiscard]] virtual double elastic_energy_bound() const { return 0; }
  /// Solver for the static equilibrium of the elements, or null if this kind of system has none. The pointer is valid
  /// as long as the system exists.
  [[nodiscard]] virtual EquilibriumSolver* equilibrium_solver() { return nullptr; }

 protected:
  explicit System(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

/// Entry of the table of system kinds: the schema, and the function that creates a system of this kind.
struct SystemKind {
  const Schema* schema;
  Result<std::unique_ptr<System>> (*create)(const Node& self, const Node& scene);
};

}  // namespace vw
