// The impulses of contacts: gone through one after the other until they change no more (sequential impulses, Catto 2005), island by island, the
// islands side by side, the pairs of a large one colour by colour. Nobody belongs to two that go at once, so no bit depends on the threads.
#pragma once

#include <span>
#include <vector>

#include "sim/system/rigid/contact_colors.h"
#include "sim/system/rigid/islands.h"
#include "sim/system/rigid/joints.h"

namespace vw {

class ContactRounds {
 public:
  /// Changes velocities so that nobody goes into anything in this substep and joints hold; writes impulses back into the contacts.
  void give_impulses(const RigidScene& scene, const Islands& islands, RigidJoints& joints, std::span<RigidContact> contacts);
  /// After the bodies have moved: straightens joints, and takes them out of what they are in by a share of the depth.
  void push_apart(const RigidScene& scene, const Islands& islands, RigidJoints& joints);

 private:
  /// A contact as the rounds need it.
  struct Row {
    std::size_t a = 0, b = no_body;
    Vec3 normal, arm_a, arm_b, surface_velocity;
    Mat3 answer = Mat3::Zero();    ///< change of the relative velocity by an impulse [1/kg]
    Vec3 friction = Vec3::Zero();  ///< [N s]
    double press = 0;              ///< [N s]
    double mass = 0;               ///< that answers along the normal [kg]
    double mass_across = 0;        ///< the least that answers across it
    double wanted = 0;             ///< normal velocity that it is to end with, at least [m/s]
    double gap = 0;                ///< at first before, at last after the move
    double settled_m = 0;          ///< depth that is left alone
    Vec3 changed = Vec3::Zero();   ///< impulse that the last round added
    Vec3 way = Vec3::Zero();       ///< and where rounds have been going
    SurfaceMaterial pair;
  };
  /// What answers to impulses.
  struct Answer {
    double inverse_mass = 0;
    Mat3 inverse_inertia = Mat3::Zero();
  };
  /// What moves: velocities, or what pushes bodies apart.
  struct Motion {
    std::span<Vec3> velocity, spin;
  };

  /// What the rounds work on: an island's rows, and how threads share them where there are many.
  struct Part {
    Range rows;
    const ContactColors* colors = nullptr;
  };

  class Impacts;

  void begin(const RigidScene& scene, const Islands& islands, RigidJoints& joints, std::span<RigidContact> contacts);
  /// Impacts of an island that go through several bodies, one after the other: changes velocities, also those at the substep's start.
  void resolve_impacts(const RigidScene& scene, const Islands& islands, std::size_t island, RigidJoints& joints, std::span<RigidContact> contacts);
  /// Calls visit(row, chunk) for all rows in their order; those that threads share in chunks of which no two share a body.
  template <class Visit>
  void each_row(const Part& part, const Visit& visit);
  [[nodiscard]] Row row_of(const RigidScene& scene, const RigidJoints& joints, const RigidContact& contact) const;
  void settle(const RigidScene& scene, const Part& part, std::span<const std::uint32_t> groups, RigidJoints& joints);
  void begin_with_last(const RigidScene& scene, const Part& part);
  /// What a round changed: the largest velocity [m/s], and a measure of all of it [J].
  struct Change {
    double most = 0, sum = 0;
  };
  [[nodiscard]] Change round(const RigidScene& scene, const Part& part);
  void go_on(const RigidScene& scene, const Part& part, double share);
  void push_apart(const RigidScene& scene, Range rows, std::span<const std::uint32_t> bodies);
  [[nodiscard]] static Vec3 relative(const Row& row, const Motion& motion);
  void push(const Row& row, const Vec3& impulse, const Motion& motion) const;
  [[nodiscard]] Mat3 answer_of(const Row& row) const;
  /// Friction, then what keeps the two apart, of one contact. By how much that changed the velocity there [m/s].
  double work(Row& row, const Motion& motion) const;
  /// Each changes its impulse for the relative velocity there; by how much.
  [[nodiscard]] Vec3 press(Row& row, const Vec3& v) const;
  [[nodiscard]] Vec3 rub(Row& row, const Vec3& v) const;

  std::vector<Answer> answers_;
  std::vector<Row> rows_;             ///< in the order of islands
  std::vector<std::uint32_t> order_;  ///< the contact of each row
  std::vector<ContactColors> colors_;
  std::vector<std::size_t> large_;  ///< islands with colours
  std::vector<Change> changes_;     // scratch: of chunks
  std::vector<Vec3> shift_, turn_;
};

}  // namespace vw
