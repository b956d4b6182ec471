// Joints between two rigid bodies, or between a body and the world, and the impulses that enforce them. In each substep
// one linear solve per group of connected bodies finds impulses such that the joint constraints hold for the positions
// at the end of the substep (SHAKE: Ryckaert, Ciccotti & Berendsen 1977). If only gravity and rigid joints act on a
// group, the group then gets the second half of the gravity impulse. Its velocities are projected onto the velocity
// constraints (RATTLE: Andersen 1983). Velocities and positions then belong to the same time. Input: bodies, and
// velocities that already contain every impulse except joint impulses. Output: velocities. Different groups may be
// processed in parallel.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/data/node.h"
#include "sim/base/data/state.h"
#include "sim/system/rigid/contacts/rigid_contact.h"
#include "sim/system/rigid/joints/joint_drive.h"
#include "sim/system/rigid/joints/joint_factor.h"
#include "sim/system/rigid/joints/joint_kinds.h"
#include "sim/system/rigid/joints/joint_rows.h"
#include "sim/system/rigid/rigid_scene.h"

namespace vw {

/// Returns the pose of a body. The pose of the world (`no_body`) is the identity.
[[nodiscard]] inline Pose pose_of(const Elements& rows, std::size_t body) {
  return body == no_body ? Pose{} : Pose{rows.position[body], rows.orientation[body]};
}

/// Convergence threshold of velocity changes in an iteration over joints [m/s].
inline constexpr double converged_mps = 1e-9;

class RigidJoints {
 public:
  /// Creates the joints of a rigid system from its node and from its bodies in their initial poses. The error names
  /// line and key, for instance if a joint names a body that does not exist.
  [[nodiscard]] static Result<RigidJoints> make(const Node& self, std::span<const RigidBody> bodies);
  /// Reads the parameters that may change while the simulation runs. The masses of the bodies may have changed too.
  void configure(const Node& self, std::span<const RigidBody> bodies);
  /// Takes over the state of the joints that also exist in a former system. Body i of that system is body now[i], or is
  /// gone if now[i] is -1. For former_names, see System::continue_from(). Joints that are new connect the bodies in
  /// their present poses `rows`. Their anchors and axes are positions and directions in world coordinates.
  void take_over(const RigidJoints& former, std::span<const std::int64_t> now,
                 const std::map<std::string, std::string>& former_names, std::span<const RigidBody> bodies,
                 const Elements& rows);

  [[nodiscard]] bool empty() const { return joints_.empty(); }
  /// Returns warnings about the parameters of the joints of system `system`, one sentence each.
  [[nodiscard]] std::vector<std::string> notes(const std::string& system) const;
  /// Whether a joint, broken or not, may move the bodies: its motor is switched on, or an edit can change its length.
  [[nodiscard]] bool may_drive() const;
  /// Pairs of bodies that unbroken joints connect. `no_body` stands for the world. Connected bodies sleep and wake
  /// together.
  [[nodiscard]] std::span<const std::pair<std::size_t, std::size_t>> links() const { return links_; }
  /// Whether contacts between the two bodies are allowed. Bodies that share a joint collide only if the joint's
  /// parameter `collide` is set.
  [[nodiscard]] bool may_touch(std::size_t a, std::size_t b) const;

  /// Number of groups. A group is a set of bodies that joints connect. No joint connects bodies of different groups.
  [[nodiscard]] std::size_t groups() const { return groups_.size(); }
  [[nodiscard]] std::span<const std::size_t> bodies_of(std::size_t group) const { return groups_[group].bodies; }

  /// Starts new averages of the joint loads. The loads are reported as averages over a world step. Call at the start of
  /// each world step.
  void begin_step();
  /// Returns the time over which gravity accelerates a body at the start of a substep of length `dt` [s]: the time by
  /// which the body's velocity lags behind its position, plus half the substep. For bodies without joints, the result
  /// is `dt`.
  [[nodiscard]] double kick_s(std::size_t body, double dt) const;
  /// Whether a contact involves a jointed body whose velocity and position belong to the same time. At the start of a
  /// substep this holds for bodies of conservative groups.
  [[nodiscard]] bool is_synchronous(const RigidContact& contact) const;
  /// Prepares a group for `project_impact`: computes and factorizes the constraints that act during an impact. Ropes,
  /// springs, motors, joint friction and joint limits do not act during an impact.
  void begin_impact(const RigidScene& scene, std::size_t group);
  /// Projects the velocity changes caused by impacts onto the velocity constraints of a group. `velocity` and `spin`
  /// hold one entry for each body of the system. Returns the largest change that the projection makes [m/s]. Angular
  /// changes are multiplied by the body's reach.
  [[nodiscard]] double project_impact(const RigidScene& scene, std::size_t group, std::span<Vec3> velocity,
                                      std::span<Vec3> spin);
  /// Prepares the constraints of a group at the start of a substep. The velocities must contain every impulse except
  /// contact and joint impulses.
  void begin(const RigidScene& scene, std::size_t group);
  /// Performs one iteration: changes the velocities of a group so that its joint constraints hold. Returns the largest
  /// change of a velocity [m/s], or 0 if the joint impulses would have added energy and were scaled down.
  [[nodiscard]] double solve(const RigidScene& scene, std::size_t group);
  /// Corrects the position errors (drift) of a group's joints without changing velocities, and records the joint loads.
  /// Call after the bodies have moved.
  void correct_positions(const RigidScene& scene, std::size_t group);
  /// Contacts of the island to which a group belongs, in a substep.
  struct GroupContacts {
    bool exist = false;
    bool press = false;  ///< Whether a contact has a normal impulse. If so, the motion is not conservative.
  };
  /// Ends the substep of a group. If the motion was conservative, advances the velocities to the time of the positions.
  /// If a conservative motion without contacts was computed too inaccurately, repeats the substep as two halves. Marks
  /// joints whose load exceeds their strength as broken. Call when the positions are final.
  void end_substep(const RigidScene& scene, std::size_t group, const GroupContacts& contacts);
  /// Removes the joints that broke. Returns true if links and groups have changed. Call at the end of a substep of
  /// length `dt` [s], after `end_substep` of all groups.
  [[nodiscard]] bool finish(double dt);

  /// Returns the longest allowed substep [s]. In a substep of this length, no lever arm turns by more than a small
  /// angle, and the transverse oscillations of taut links are resolved.
  [[nodiscard]] double longest_dt(const Elements& rows) const;
  /// Returns the elastic energy of all springs [J].
  [[nodiscard]] double elastic_j(const Elements& rows) const;
  /// Returns the number of rigid joints whose position error exceeds a twentieth of the joint's size. The size is the
  /// rod's length, or the sum of both lever arms.
  [[nodiscard]] std::size_t separated(const Elements& rows) const;

  void visit_state(StateVisitor& visit);
  [[nodiscard]] std::string state_problem() const;
  void state_restored(std::span<const RigidBody> bodies);
  /// Returns RigidSystem::permitted_motions() of body `body`. Rotations are compared with displacements at the distance
  /// `reach_m` [m] from the centre of mass.
  [[nodiscard]] std::optional<Eigen::Matrix<double, 6, Eigen::Dynamic>> permitted_motions(const Elements& rows,
                                                                                          std::size_t body,
                                                                                          double reach_m) const;
  /// Writes the joints for display. `rows` is the current state of the bodies.
  void snapshot(const Elements& rows, std::vector<JointMark>& out) const;

 private:
  /// Compliance of a rigid row, as a fraction of its diagonal entry of J M^-1 J^T, where J is the Jacobian and M the
  /// mass matrix. The compliances determine how redundant constraints share their load.
  static constexpr double hard_give = 1e-9;
  /// Position errors below this fraction of a joint's size are corrected through the velocities of the next substep.
  static constexpr double noise_fraction = 1e-8;
  struct Joint {
    std::string name;
    std::size_t node = 0;  ///< Index among the nodes in slot `joint`.
    JointParams params;
    JointFrame frame;
    std::size_t a = no_body, b = no_body;
    /// Transverse oscillation of each body under the tension of the joint: squared angular frequency divided by the
    /// tension [1/(m kg)].
    double swing_a = 0, swing_b = 0;
  };
  /// Solver data of one joint within a substep.
  struct Hold {
    /// Jacobians of the position errors. Their products with the velocities of the bodies are the rates of the errors.
    Mat6 rows_a = Mat6::Zero(), rows_b = Mat6::Zero();
    /// Accumulated impulse of each row [N s], [N m s].
    Vec6 impulse = Vec6::Zero();
    /// Compliance of each row, to regularize redundant constraints [1/kg], [1/(kg m^2)].
    Vec6 give = Vec6::Ones();
    /// Position errors that the impulses of this substep do not correct [m], [rad]. correct_positions() corrects them.
    Vec6 goal = Vec6::Zero();
    /// Velocity bias of each row without curvature. For a rigid rod or an inextensible rope, it is (error at the start
    /// of the substep - goal) / dt, with the new length. For all other rows it is 0.
    Vec6 lag = Vec6::Zero();
    /// Velocity bias of each row: `lag` plus the curvature correction, which accounts for the change of the Jacobians
    /// within the substep.
    Vec6 bend = Vec6::Zero();
    double size_m = 0;            ///< Length by which angular errors are multiplied to compare them with distances.
    double reading_then = 0;      ///< Joint coordinate at the start of the substep.
    bool length_changes = false;  ///< Whether the length of the rod or rope changes in this substep.
    /// Force law of the row drive_row(kind). If the law is empty, the row of a hinge or slider is free and the row of a
    /// rod is a plain equality constraint.
    JointDrive drive;
    /// Lever arm from the centre of mass of body a to the anchor, in world axes [m].
    Vec3 arm = Vec3::Zero();
    Vec3 substep_force = Vec3::Zero();   ///< Impulse on body a in this substep [N s].
    Vec3 substep_couple = Vec3::Zero();  ///< Angular impulse on body a about the anchor in this substep [N m s].
    Vec3 force = Vec3::Zero();           ///< Impulse on body a, summed over the world step [N s].
    Vec3 couple = Vec3::Zero();  ///< Angular impulse on body a about the anchor, summed over the world step [N m s].
    /// Impulse of the drive row in this substep [N s], [N m s].
    double substep_driven = 0;
    double driven = 0;  ///< Impulse of the drive row, summed over the world step [N s], [N m s].
    /// Time covered by the sums `force`, `couple` and `driven` [s].
    double time_s = 0;
    /// Whether the sums `force`, `couple` and `driven` belong to a finished world step. If so, the next substep
    /// restarts them.
    bool is_told = false;

    /// Whether a spring acts on the drive row.
    [[nodiscard]] bool springs() const { return drive.is_on() && drive.kink().give > 0; }
  };
  /// State of one body of a group within a substep.
  struct Mover {
    double inverse_mass = 0;
    Mat3 inverse_inertia = Mat3::Zero();
    /// Velocities for which `ahead` and `Hold::bend` were computed.
    Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();
    /// Sum of all joint impulses on the body [N s] and of their moments about the centre of mass [N m s].
    Vec6 load = Vec6::Zero();
    /// Velocities at the start of the first iteration. During an impact, they are the velocities at the start of the
    /// substep. In synchronize(), they are the velocities before the second half of the gravity impulse.
    Vec3 free_velocity = Vec3::Zero(), free_spin = Vec3::Zero();
    /// Predicted pose at the end of the substep. While positions are corrected, it is the pose before the correction.
    Pose ahead;
    Pose start;  ///< Pose at the start of the substep.
    /// Velocities at the start of the substep, with every impulse except contact and joint impulses.
    Vec3 start_velocity = Vec3::Zero(), start_spin = Vec3::Zero();
    /// Derivative of the body's orientation at the end of the substep with respect to dt times the angular velocity at
    /// the start. A change of the orientation is expressed as a small rotation vector in world axes.
    Mat3 turned = Mat3::Identity();
  };
  /// A set of bodies that joints connect, and the data of its joint solver.
  struct Group {
    std::vector<std::size_t> bodies, joints;
    /// For each joint: indices of its two bodies in `bodies`. The index of the world is `no_body`.
    std::vector<std::pair<std::size_t, std::size_t>> sides;
    std::vector<Mover> movers;
    BlockFactor factor;
    /// Scratch: right-hand side and solution. The entries of the bodies come before the entries of the joints.
    std::vector<Vec6> unknown;
    int changes = 0;  ///< Number of changes of the active sets of drive rows (joint_drive.h) in this substep.
    int factors = 0;  ///< Number of factorizations in this substep.
    /// Factor on the compliance of the rows in the matrix. If the factor is above 1, the right-hand side ignores the
    /// compliance, so that repeated passes converge to the rigid constraint.
    double soft = 1;
    bool is_energy_limited = false;  ///< Whether the joint impulses would have added energy and were scaled down.
    /// Weight of the curvature correction, from 0 (none) to 1 (full). It is 0 if the solve with full weight failed.
    double curvature_weight = 1;
    bool is_fresh = true;            ///< Whether no iteration has been done yet in this substep.
    bool uses_end_jacobian = false;  ///< Whether `factor` uses the Jacobians of the predicted poses.
    /// Time over which gravity has accelerated the velocities of this substep [s], see kick_s().
    double kick_s = 0;
    struct Start {
      double gift = 0, deficit_j = 0, last_dt_s = 0;
    } start;                    ///< Values of the state arrays at the start of the substep.
    int depth = 0;              ///< Number of times that the substep has been halved.
    bool is_impact = false;     ///< Whether `factor` belongs to the constraints of an impact.
    bool is_converged = false;  ///< Whether SHAKE converged in this substep, without a fallback.
    /// Whether the motion has been conservative so far. If so, the kinetic energy at the end of the substep must be
    /// `kinetic_then` plus the work of gravity.
    bool is_tracked = false;
    double kinetic_then = 0;  ///< Kinetic energy at the start of the substep [J].
    /// Whether the Jacobians and `factor` are valid for the poses `rows_at`. `factor` omits the rows flagged in
    /// `free_rows`.
    bool has_rows = false;
    std::vector<Pose> rows_at;
    std::vector<std::uint8_t> free_rows;
  };

  /// Name of a joint's node, and the number of the joint among the copies of that node, from 0. Names of joints need
  /// not be unique.
  using JointKey = std::pair<std::string, std::size_t>;
  [[nodiscard]] std::vector<JointKey> joint_keys() const;
  void regroup();
  void find_driven();
  /// Computes swing_a and swing_b of all joints from their frames and from the masses of the bodies.
  void find_swings(std::span<const RigidBody> bodies);
  /// Frames and swings of all joints as plain numbers, frame_numbers for each joint.
  [[nodiscard]] std::vector<double> frames() const;
  void take_frames(std::span<const double> frames);
  /// Computes the Jacobians and compliances of a group's joints for the current poses.
  void compute_jacobians(const RigidScene& scene, Group& group);
  [[nodiscard]] bool has_rows_of(const RigidScene& scene, const Group& group) const;
  void prepare(const RigidScene& scene, const Group& group, std::size_t k);
  void set_drive(const RigidScene& scene, const Group& group, std::size_t k);
  void add_spring(const RigidScene& scene, std::size_t index, double inverse_mass, double kick_s);
  /// Returns the largest rate at which the direction of one of the joint's lever arms turns [rad/s].
  [[nodiscard]] double turn_of_arms(const Joint& joint, const Elements& rows) const;
  /// Whether the drive row is left out of the solve because its velocity is not prescribed.
  [[nodiscard]] bool is_free(std::size_t index) const;
  [[nodiscard]] bool is_free_in_impact(std::size_t index) const;
  void factorize(const RigidScene& scene, Group& group);
  /// Writes the negative position errors of a group's joints into group.unknown. Large errors are reduced, so that they
  /// are corrected gradually. Returns the sum of the squared errors [m^2], or 0 if all are below the noise threshold.
  [[nodiscard]] double position_errors(const RigidScene& scene, Group& group);
  /// Predicts the poses at the end of the substep and computes `Hold::bend`. If the bodies turn too fast for a useful
  /// prediction, or if Group::curvature_weight is 0, sets `Hold::bend` to `Hold::lag` and returns false.
  [[nodiscard]] bool predict_poses(const RigidScene& scene, Group& group);
  /// Returns the rates of the position errors of a joint for the given velocities.
  [[nodiscard]] Vec6 rates(std::size_t index, std::span<const Vec3> velocity, std::span<const Vec3> spin) const;
  void push(const RigidScene& scene, const Group& group, std::size_t k, const Vec6& impulse);
  [[nodiscard]] double solve_once(const RigidScene& scene, Group& group);
  [[nodiscard]] bool follow_drives(const RigidScene& scene, Group& group);
  void apply_fixed_impulse(const RigidScene& scene, const Group& group, std::size_t k);
  void solve_without_curvature(const RigidScene& scene, Group& group, double soft);
  /// Work of a group's joint impulses in this substep [J], and how much of it motors, reels and springs may do.
  struct JointWork {
    double linear = 0, square = 0;  ///< If all impulses are scaled by s, their work is s * linear + s^2 * square / 2.
    double allowed = 0;             ///< Work that motors, reels and springs may do.
    double before = 0;              ///< Kinetic energy without the joint impulses.
    [[nodiscard]] double excess() const { return linear + 0.5 * square - allowed; }
  };
  [[nodiscard]] JointWork work_of(const RigidScene& scene, Group& group);
  [[nodiscard]] bool adds_energy(const Group& group, const JointWork& gift) const;
  /// Adds JointWork::excess() of this substep to added_energy_j_, and limits the sum to the range from 0 to the largest
  /// permitted value.
  void update_added_energy(const RigidScene& scene, Group& group);
  /// If the joint impulses add too much energy, multiplies them by a factor from 0 to 1. Without motors, reels and
  /// springs, this factor makes the impulses remove as much energy as possible.
  void scale_impulses(const RigidScene& scene, Group& group);
  void begin_load(std::size_t index);
  void add_load(std::size_t index, const Vec6& impulse);
  void finish_load(std::size_t index, double dt);
  /// Whether the velocities at the start of the substep satisfy the joint constraints and only gravity has acted since
  /// then. If so, the energy must be conserved.
  [[nodiscard]] bool starts_conservative(const RigidScene& scene, const Group& group) const;
  /// Whether no motor, joint friction, limit, spring or reel has acted in this substep.
  [[nodiscard]] bool may_conserve(const Group& group) const;
  void halve(const RigidScene& scene, std::size_t index);
  /// Adds the second half of the gravity impulse and projects the velocities onto the velocity constraints. If the
  /// projection adds energy or makes a rope push, restores the velocities and returns false.
  [[nodiscard]] bool synchronize(const RigidScene& scene, Group& group);
  /// Removes the energy error of the integrator. Returns the error of this substep as a fraction of the kinetic energy
  /// of the internal motion.
  [[nodiscard]] double restore_energy(const RigidScene& scene, Group& group);
  [[nodiscard]] double kinetic_j(const RigidScene& scene, const Group& group, std::span<const Vec3> velocity,
                                 std::span<const Vec3> spin) const;

  std::vector<Joint> joints_;
  std::vector<Hold> holds_;
  std::vector<Group> groups_;
  std::vector<std::pair<std::size_t, std::size_t>> links_;
  std::vector<std::size_t> world_joints_;  ///< Indices of the unbroken joints between a body and the world.
  /// Pairs of bodies that do not collide with each other, sorted.
  std::vector<std::pair<std::size_t, std::size_t>> apart_;
  /// For each body: 1 if its group has motors, joint friction or springs, otherwise 0. If 1, the velocities of the body
  /// lag behind its positions by half a substep.
  std::vector<std::uint8_t> is_driven_;
  std::vector<std::uint8_t> is_jointed_;  ///< For each body: 1 if a joint names it, even a broken one, otherwise 0.
  std::vector<std::size_t> loose_;        ///< Bodies that joints name, if all these joints are broken.
  std::vector<Vec3> half_velocity_, half_spin_;  ///< For each body: velocities at the start of a halved substep.
  // State, saved in checkpoints.
  std::vector<double> reading_;  ///< For each joint: angle including whole turns [rad], displacement or length [m].
  std::vector<double> length_;   ///< For each rod or rope: current rest length [m].
  std::vector<double> pull_;     ///< For each joint: magnitude of the force in the last substep [N].
  /// For the first joint of each group: energy that the integrator has lost and that has not been restored yet [J].
  std::vector<double> deficit_j_;
  /// For the first joint of each group: length of the last substep for which restore_energy() was called [s].
  std::vector<double> last_dt_s_;
  std::vector<double> pending_kick_s_;  ///< For each body: time by which its velocity lags behind its position [s].
  /// For the first joint of each group: energy that the joints have added and not yet removed again [J].
  std::vector<double> added_energy_j_;
  std::vector<std::uint8_t> broken_;
  /// frames() if a joint was added while the bodies moved, so that its frame does not follow from the initial poses.
  /// Otherwise empty, and not part of the state.
  std::vector<double> live_frames_;

  static constexpr std::size_t frame_numbers = 26;
  std::vector<double> initial_frames_;  ///< frames() that follow from the initial poses.
};

}  // namespace vw
