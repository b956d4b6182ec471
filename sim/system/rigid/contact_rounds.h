// The impulses of contacts: gone through one after the other until they change no more (sequential impulses, Catto 2005), island by island, the
// islands side by side. Bodies belong to one island alone, so no bit depends on the threads.
#pragma once

#include <span>
#include <vector>

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

  void begin(const RigidScene& scene, const Islands& islands, std::span<const RigidContact> contacts);
  [[nodiscard]] Row row_of(const RigidScene& scene, const RigidContact& contact) const;
  void settle(const RigidScene& scene, Range rows, std::span<const std::uint32_t> groups, RigidJoints& joints);
  void begin_with_last(const RigidScene& scene, Range rows);
  /// What a round changed: the largest velocity [m/s], and a measure of all of it [J].
  struct Change {
    double most = 0, sum = 0;
  };
  [[nodiscard]] Change round(const RigidScene& scene, Range rows);
  void go_on(const RigidScene& scene, Range rows, double share);
  void push_apart(const RigidScene& scene, Range rows, std::span<const std::uint32_t> bodies);
  [[nodiscard]] static Vec3 relative(const Row& row, const Motion& motion);
  void push(const Row& row, const Vec3& impulse, const Motion& motion) const;
  [[nodiscard]] Mat3 answer_of(const Row& row) const;
  /// By how much each changed the velocities there [m/s].
  [[nodiscard]] double press(Row& row, const Motion& motion) const;
  [[nodiscard]] double rub(Row& row, const Motion& motion) const;

  std::vector<Answer> answers_;
  std::vector<Row> rows_;  ///< in the order of islands
  std::vector<Vec3> shift_, turn_;
};

}  // namespace vw
