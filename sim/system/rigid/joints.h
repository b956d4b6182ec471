// Joints between rigid bodies, or of one with the world: the impulses that hold them. In each substep all joints of a group of bodies that hang
// together are solved for at once, for where the bodies will be at its end (SHAKE: Ryckaert, Ciccotti & Berendsen 1977). Groups on which nothing but
// gravity and rigid joints acts then get the second half of the gravity impulse and are projected onto the velocity constraints (RATTLE: Andersen
// 1983), so that velocities and positions are of one time. Flows in: bodies, velocities with everything but joints; flows out: velocities. Groups may
// go in parallel.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/base/node.h"
#include "sim/base/state.h"
#include "sim/system/rigid/joint_drive.h"
#include "sim/system/rigid/joint_factor.h"
#include "sim/system/rigid/joint_kinds.h"
#include "sim/system/rigid/joint_rows.h"
#include "sim/system/rigid/rigid_contact.h"
#include "sim/system/rigid/rigid_scene.h"

namespace vw {

/// The world's frame stands still.
[[nodiscard]] inline Pose pose_of(const Elements& rows, std::size_t body) {
  return body == no_body ? Pose{} : Pose{rows.position[body], rows.orientation[body]};
}

class RigidJoints {
 public:
  /// Joints of a system's node between its bodies as they start. Errors name line and key: a body that is not there.
  [[nodiscard]] static Result<RigidJoints> make(const Node& self, std::span<const RigidBody> bodies);
  /// Takes over what may change while they live.
  void configure(const Node& self);

  [[nodiscard]] bool empty() const { return joints_.empty(); }
  /// Bodies that are joined: who sleeps and wakes together. no_body: the world.
  [[nodiscard]] std::span<const std::pair<std::size_t, std::size_t>> links() const { return links_; }
  /// Whether two bodies meet each other: those that a joint joins do only where it says so.
  [[nodiscard]] bool may_touch(std::size_t a, std::size_t b) const;

  /// Bodies that hang together by joints, and by nothing but joints with others.
  [[nodiscard]] std::size_t groups() const { return groups_.size(); }
  [[nodiscard]] std::span<const std::size_t> bodies_of(std::size_t group) const { return groups_[group].bodies; }

  /// Once a world step: loads are told as their mean over it.
  void begin_step();
  /// Time of the gravity impulse that a body gets at a substep's start [s]: what its velocity is behind its position, and half the substep.
  [[nodiscard]] double kick_s(std::size_t body, double dt) const;
  /// Whether a jointed body of a contact has its velocity at the time of its position, as conservative groups have at a substep's start.
  [[nodiscard]] bool is_synchronous(const RigidContact& contact) const;
  /// Before impacts in a line: what a group's joints let move. Motors, friction and limits give way to an impact, ropes and springs too.
  void begin_impact(const RigidScene& scene, std::size_t group);
  /// Brings velocities to those that the group's joints hold, as far as impacts have changed them. Returns the largest change [m/s].
  [[nodiscard]] double project_impact(const RigidScene& scene, std::size_t group, std::span<Vec3> velocity, std::span<Vec3> spin);
  /// At the start of a substep, with velocities that have everything but contact and joints: what each joint of a group asks for.
  void begin(const RigidScene& scene, std::size_t group);
  /// One round: changes velocities so that the group's joints hold. Returns the largest change of a velocity [m/s].
  [[nodiscard]] double solve(const RigidScene& scene, std::size_t group);
  /// After the bodies have moved: takes out what the joints have drifted by, without making velocity of it; notes loads.
  void straighten(const RigidScene& scene, std::size_t group);
  /// Once the positions of a substep are final: brings velocities to the same time if the motion is conservative (`is_pressed`: a contact bears on
  /// the group, so it is not), and notes what breaks.
  void end_substep(const RigidScene& scene, std::size_t group, bool has_contacts, bool is_pressed);
  /// After all groups: lets go what has broken. True: links and groups are others now.
  [[nodiscard]] bool finish();

  /// Substep in which no arm turns by more than a small angle, whether it turns or swings taut [s].
  [[nodiscard]] double longest_dt(const Elements& rows) const;
  /// Energy of springs [J].
  [[nodiscard]] double elastic_j(const Elements& rows) const;
  /// Number of rigid joints whose position error exceeds a twentieth of their size: the rod's length, or the sum of both lever arms.
  [[nodiscard]] std::size_t separated(const Elements& rows) const;

  void visit_state(StateVisitor& visit);
  [[nodiscard]] std::string state_problem() const;
  void state_restored() { regroup(); }
  /// `rows`: the bodies as they stand.
  void snapshot(const Elements& rows, std::vector<JointMark>& out) const;

 private:
  struct Joint {
    std::string name;
    std::size_t node = 0;  ///< of the nodes in slot `joint`
    JointParams params;
    JointFrame frame;
    std::size_t a = no_body, b = no_body;
    double swing_a = 0, swing_b = 0;  ///< (rate of a swing)^2 of a body that hangs by its anchor alone, its mass [1/(m kg)] times the pull
  };
  /// A joint in a substep.
  struct Hold {
    Mat6 rows_a = Mat6::Zero(), rows_b = Mat6::Zero();  ///< times the bodies' velocities: how fast the errors change
    Vec6 impulse = Vec6::Zero();
    Vec6 give = Vec6::Ones();            ///< [1/kg], [1/(kg m^2)]: what a row yields to its impulse
    Vec6 goal = Vec6::Zero();            ///< errors that are left at the substep's end
    Vec6 lag = Vec6::Zero();             ///< rates at which the errors would be as they should, were the bodies at rest
    Vec6 bend = Vec6::Zero();            ///< what is to be added to the rows' rates: lag and the motion's curvature
    double size_m = 0;                   ///< an angle times this is a way
    double reading_then = 0;             ///< at the substep's start
    bool reels = false;                  ///< its length changes
    JointDrive drive;                    ///< of the row drive_row(kind); empty: the row holds, or there is none
    Vec3 arm = Vec3::Zero();             ///< from a's centre of mass to the anchor
    Vec3 substep_force = Vec3::Zero();   ///< in this substep, on side a [N s]
    Vec3 substep_couple = Vec3::Zero();  ///< about the anchor [N m s]
    Vec3 force = Vec3::Zero();           ///< sums over the world step, on side a [N s]
    Vec3 couple = Vec3::Zero();          ///< about the anchor [N m s]
    double substep_driven = 0;
    double driven = 0;  ///< by its drive row
    double time_s = 0;
    bool is_told = false;  ///< the sums are of a world step that is over

    /// On its spring, if it has one.
    [[nodiscard]] bool springs() const { return drive.is_on() && drive.kink().give > 0; }
  };
  /// A body in a substep.
  struct Mover {
    double inverse_mass = 0;
    Mat3 inverse_inertia = Mat3::Zero();
    Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();              ///< for which the bend was found
    Vec6 load = Vec6::Zero();                                       ///< impulses of all its joints
    Vec3 free_velocity = Vec3::Zero(), free_spin = Vec3::Zero();    ///< as the first round of a substep begins
    Pose ahead;                                                     ///< where it will be
    Pose start;                                                     ///< at the start of the substep, with
    Vec3 start_velocity = Vec3::Zero(), start_spin = Vec3::Zero();  ///< all but contact and joints
    Mat3 turned = Mat3::Identity();                                 ///< change of the way it turns by a change of its spin, times the substep
  };
  struct Group {
    std::vector<std::size_t> bodies, joints;
    std::vector<std::pair<std::size_t, std::size_t>> sides;  ///< of each joint: places in `bodies`, no_body: the world
    std::vector<Mover> movers;
    BlockFactor factor;
    std::vector<Vec6> unknown;  ///< scratch: of bodies, then of joints
    int changes = 0;            ///< of drives, in this substep
    int factors = 0;            ///< that were found in this substep
    double soft = 1;            ///< joints yield so many times as much, and are asked again for what is missing
    bool is_tight = false;      ///< the joints would give energy: they get no more than what takes it
    double bow = 1;             ///< 1: the motion's curvature is solved for; 0: it was too much for a substep
    bool is_fresh = true;       ///< no round yet in this substep
    bool is_bent = false;       ///< the factor is of rows that change as the bodies move
    double kick_s = 0;          ///< time over which forces act on the velocities of this substep [s], see kick_s()
    struct Start {
      double gift = 0, deficit_j = 0, last_dt_s = 0;
    } start;                  ///< state at the start of the substep
    int depth = 0;            ///< how often the substep has been halved
    bool is_impact = false;   ///< the factor is that of impacts
    bool is_plain = false;    ///< the solution of this substep is that of SHAKE: no fallback was needed
    bool is_tracked = false;  ///< kinetic_then is what the end of the substep must have, but for the work of gravity
    double kinetic_then = 0;  ///< [J]
    bool has_rows = false;    ///< rows and factor are those at `rows_at`, with the rows in `free_rows` left out
    std::vector<Pose> rows_at;
    std::vector<std::uint8_t> free_rows;
  };

  void regroup();
  void find_driven();
  /// The rows of the joints as the bodies stand, and what they yield.
  void take_rows(const RigidScene& scene, Group& group);
  [[nodiscard]] bool has_rows_of(const RigidScene& scene, const Group& group) const;
  void prepare(const RigidScene& scene, const Group& group, std::size_t k);
  void set_drive(const RigidScene& scene, const Group& group, std::size_t k);
  void add_spring(const RigidScene& scene, std::size_t index, double inverse_mass, double kick_s);
  /// Angle by which a joint's arms turn across themselves in a time of 1 s at most [rad].
  [[nodiscard]] double turn_of_arms(const Joint& joint, const Elements& rows) const;
  /// Whether a drive row takes no part in the solution: nothing holds its speed.
  [[nodiscard]] bool is_free(std::size_t index) const;
  [[nodiscard]] bool is_free_in_impact(std::size_t index) const;
  void factorize(const RigidScene& scene, Group& group);
  /// Errors of the group's joints as the bodies stand, into group.unknown. Sum of their squares, 0 if they are noise [m^2].
  [[nodiscard]] double look_back(const RigidScene& scene, Group& group);
  /// False: it whirls so that nothing ahead tells anything.
  [[nodiscard]] bool look_ahead(const RigidScene& scene, Group& group);
  /// How fast the rows' errors change at these velocities.
  [[nodiscard]] Vec6 rates(std::size_t index, std::span<const Vec3> velocity, std::span<const Vec3> spin) const;
  void push(const RigidScene& scene, const Group& group, std::size_t k, const Vec6& impulse);
  [[nodiscard]] double solve_once(const RigidScene& scene, Group& group);
  [[nodiscard]] bool follow_drives(const RigidScene& scene, Group& group);
  void give_fixed(const RigidScene& scene, const Group& group, std::size_t k);
  void let_go(const RigidScene& scene, Group& group, double soft);
  /// What all joints have given in this substep, in energy, and what of it they may [J].
  struct Gift {
    double linear = 0, square = 0;  ///< s times the impulses give s * linear + s^2 * square / 2
    double allowed = 0;             ///< by motors and reels
    double before = 0;              ///< kinetic energy without joints
    [[nodiscard]] double excess() const { return linear + 0.5 * square - allowed; }
  };
  [[nodiscard]] Gift gift_of(const RigidScene& scene, Group& group);
  [[nodiscard]] bool gives_too_much(const Group& group, const Gift& gift) const;
  /// Adds the joints' work in this substep to gift_.
  void note_gift(const RigidScene& scene, Group& group);
  /// Joints that give what nobody has: as much of their impulses as takes the most.
  void hold_back(const RigidScene& scene, Group& group);
  void note_load(std::size_t index);
  void add_load(std::size_t index, const Vec6& impulse);
  void finish_load(std::size_t index, double dt);
  /// Whether the velocities at a substep's start hold the joints and nothing but gravity acts: energy is kept then.
  [[nodiscard]] bool starts_conservative(const RigidScene& scene, const Group& group) const;
  /// Whether no motor, friction, limit, spring or reel has acted in this substep.
  [[nodiscard]] bool may_conserve(const Group& group) const;
  void halve(const RigidScene& scene, std::size_t index);
  /// Adds the second half of the gravity impulse and projects onto the velocity constraints. False: the velocities are as they were.
  [[nodiscard]] bool synchronize(const RigidScene& scene, Group& group);
  /// By how much the kinetic energy was off, as a share of it.
  [[nodiscard]] double restore_energy(const RigidScene& scene, Group& group);
  [[nodiscard]] double kinetic_j(const RigidScene& scene, const Group& group, std::span<const Vec3> velocity, std::span<const Vec3> spin) const;

  std::vector<Joint> joints_;
  std::vector<Hold> holds_;
  std::vector<Group> groups_;
  std::vector<std::pair<std::size_t, std::size_t>> links_;
  std::vector<std::pair<std::size_t, std::size_t>> apart_;  ///< those that do not touch, sorted
  std::vector<std::uint8_t> is_driven_;   ///< of each body: motors, friction or springs of its group keep velocities half a substep from positions
  std::vector<std::uint8_t> is_jointed_;  ///< of each body: a joint of the scene names it, broken or not
  std::vector<Vec3> half_velocity_, half_spin_;  ///< of each body at the start of a substep that is done in halves
  // State.
  std::vector<double> reading_;         ///< angle with its whole turns [rad] or length [m]
  std::vector<double> length_;          ///< of a distance or rope, as reeled so far [m]
  std::vector<double> pull_;            ///< force in the last substep [N]
  std::vector<double> deficit_j_;       ///< of a group's first joint: energy that the integrator has lost and that has not been given back [J]
  std::vector<double> last_dt_s_;       ///< of a group's first joint: the last substep whose energy was accounted for [s]
  std::vector<double> pending_kick_s_;  ///< of each body: by how much its velocity is behind its position [s]
  std::vector<double> gift_;            ///< of a group's first joint: energy that the joints have given since they last had given none [J]
  std::vector<std::uint8_t> broken_;
};

}  // namespace vw
