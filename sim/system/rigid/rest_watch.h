// Who rests and who sleeps. An island of which every body has stayed at its place for a while sleeps: it takes no time and does not drift, until
// something wakes it: an impulse from outside, the touch of a body that is awake, an obstacle that moves, other gravity, a wind that it has not borne
// there, an edit.
#pragma once

#include <span>
#include <vector>

#include "sim/base/state.h"
#include "sim/system/rigid/islands.h"

namespace vw {

/// What counts as rest.
struct RestRule {
  bool sleep = true;
  double drift_m = 3e-4;  ///< farthest that a point of a body goes,
  double after_s = 0.5;   ///< in this time
};

class RestWatch {
 public:
  void prepare(const Elements& rows);
  [[nodiscard]] std::span<const std::uint32_t> asleep() const { return asleep_; }
  [[nodiscard]] bool any_asleep() const { return sleepers_ > 0; }
  [[nodiscard]] std::size_t sleepers() const { return sleepers_; }

  void wake_all(const Elements& rows);
  /// At the start of a substep, before impulses are taken: wakes whom something outside moves, and remembers whom it pushes: they do not rest. True
  /// if somebody woke. `blown`: of each body, 1 where wind wakes it; may be empty.
  bool look_outside(const RigidScene& scene, const Vec3& gravity, std::span<const std::uint8_t> blown);
  /// Wakes those that somebody awake touches. True if there were any.
  bool look_at(const RigidScene& scene, std::span<const RigidContact> contacts);
  /// At the end of a substep: islands that have rested long enough fall asleep. True if one did.
  bool rest(const RigidScene& scene, const Islands& islands, std::span<const RigidContact> contacts, const RestRule& rule);
  /// Of each body, 1: the last substep that it was awake in took it from its place.
  [[nodiscard]] std::span<const std::uint8_t> left_place() const { return left_; }

  void visit_state(StateVisitor& visit);
  [[nodiscard]] std::string problem(std::size_t bodies) const;
  void state_restored();

 private:
  bool wake(const RigidScene& scene, std::size_t body);
  void start_over(const Elements& rows, std::size_t body);
  [[nodiscard]] double moved(const RigidScene& scene, std::size_t body) const;

  std::vector<std::uint32_t> asleep_;  ///< of each body, one more than the first body of the island that it sleeps with; 0: awake
  std::vector<Vec3> place_;            ///< where it has rested since
  std::vector<Quat> turn_;
  std::vector<double> rested_s_;
  std::vector<double> held_s_;      ///< how long it stayed at its last place
  Vec3 gravity_ = Vec3::Zero();     ///< that was
  std::uint64_t surroundings_ = 0;  ///< of obstacles that stood still
  std::size_t sleepers_ = 0;
  std::vector<std::uint8_t> pushed_;   ///< scratch: something outside acted on it in this substep
  std::vector<std::uint8_t> left_;     ///< scratch, see left_place()
  std::vector<std::uint8_t> touched_;  // scratch
};

}  // namespace vw
