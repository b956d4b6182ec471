// Contact solver: sequential impulses (Catto 2005), iterated until the impulses no longer change. Islands are solved in
// parallel. The pairs of a large island are processed colour by colour. No two contacts processed at the same time
// share a body, so the result does not depend on the number of threads.
#pragma once

#include <span>
#include <vector>

#include "sim/system/rigid/contacts/contact_colors.h"
#include "sim/system/rigid/islands.h"
#include "sim/system/rigid/joints/joints.h"

namespace vw {

class ContactRounds {
 public:
  /// Changes velocities so that no body penetrates another body or an obstacle in this substep and the joint
  /// constraints hold. Writes the impulses into the contacts.
  void give_impulses(const RigidScene& scene, const Islands& islands, RigidJoints& joints,
                     std::span<RigidContact> contacts);
  /// Corrects the position errors of joints, removes a fraction of the remaining penetration, and ends the substep of
  /// the joints (RigidJoints::end_substep()). Call after the bodies have moved.
  void push_apart(const RigidScene& scene, const Islands& islands, RigidJoints& joints);

 private:
  /// Solver data of one contact.
  struct Row {
    std::size_t a = 0, b = no_body;
    Vec3 normal, arm_a, arm_b, surface_velocity;
    Mat3 answer = Mat3::Zero();    ///< Matrix that maps an impulse to the change of relative velocity [1/kg].
    Vec3 friction = Vec3::Zero();  ///< Friction impulse [N s].
    double press = 0;              ///< Normal impulse [N s].
    double mass = 0;               ///< Effective mass along the normal [kg].
    double mass_across = 0;        ///< Smallest effective mass in the tangential plane [kg].
    double wanted = 0;             ///< Lower bound of the normal velocity after the substep [m/s].
    /// Distance of the surfaces [m] at the start of the substep. Once the impulses are known, give_impulses() replaces
    /// the value by the predicted distance at the end of the substep.
    double gap = 0;
    double settled_m = 0;         ///< Penetration depth that is not corrected [m].
    Vec3 changed = Vec3::Zero();  ///< Change of the impulse in the last iteration [N s].
    Vec3 way = Vec3::Zero();      ///< Search direction of the conjugate gradient method [N s].
    SurfaceMaterial pair;
  };
  /// Inverse mass and inverse inertia of one body.
  struct Answer {
    double inverse_mass = 0;
    Mat3 inverse_inertia = Mat3::Zero();
  };
  /// The vectors that impulses change: velocities, or the displacements of the position correction.
  struct Motion {
    std::span<Vec3> velocity, spin;
  };

  /// Rows of one island. If several threads share the rows, `colors` is their colouring, otherwise it is null.
  struct Part {
    Range rows;
    const ContactColors* colors = nullptr;
  };

  class Impacts;

  void begin(const RigidScene& scene, const Islands& islands, RigidJoints& joints, std::span<RigidContact> contacts);
  /// Resolves chains of impacts within an island stage by stage. Changes the current velocities and the velocities at
  /// the start of the substep.
  void resolve_impacts(const RigidScene& scene, const Islands& islands, std::size_t island, RigidJoints& joints,
                       std::span<RigidContact> contacts);
  /// Calls visit(row, chunk) for all rows in order. If threads share the rows, no two chunks that run at the same time
  /// have a body in common.
  template <class Visit>
  void each_row(const Part& part, const Visit& visit);
  [[nodiscard]] Row row_of(const RigidScene& scene, const RigidJoints& joints, const RigidContact& contact) const;
  void settle(const RigidScene& scene, const Part& part, std::span<const std::uint32_t> groups, RigidJoints& joints);
  void begin_with_last(const RigidScene& scene, const Part& part);
  /// Changes in one iteration: the largest velocity change [m/s], and the sum of (impulse change)^2 / (effective mass)
  /// over all contacts [J].
  struct Change {
    double most = 0, sum = 0;
  };
  [[nodiscard]] Change round(const RigidScene& scene, const Part& part);
  void go_on(const RigidScene& scene, const Part& part, double share);
  void push_apart(const RigidScene& scene, Range rows, std::span<const std::uint32_t> bodies);
  [[nodiscard]] static Vec3 relative(const Row& row, const Motion& motion);
  void push(const Row& row, const Vec3& impulse, const Motion& motion) const;
  [[nodiscard]] Mat3 answer_of(const Row& row) const;
  /// Updates the friction and then the normal impulse of one contact. Returns the larger of the two impulse changes,
  /// divided by the effective mass along the normal [m/s].
  double work(Row& row, const Motion& motion) const;
  /// `press` updates the normal impulse and `rub` the friction impulse for the relative velocity `v` at the contact.
  /// Both functions return the change of the impulse.
  [[nodiscard]] Vec3 press(Row& row, const Vec3& v) const;
  [[nodiscard]] Vec3 rub(Row& row, const Vec3& v) const;

  std::vector<Answer> answers_;
  std::vector<Row> rows_;             ///< Solver rows of all contacts, sorted by island.
  std::vector<std::uint32_t> order_;  ///< Index of the contact of each row.
  std::vector<ContactColors> colors_;
  std::vector<std::size_t> large_;  ///< Islands whose contacts are coloured.
  std::vector<Change> changes_;     // Scratch: change found by each chunk.
  std::vector<Vec3> shift_, turn_;
};

}  // namespace vw
