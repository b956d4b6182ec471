// Sleeping of bodies. If almost all bodies of an island have rested for a while, the island falls asleep: its bodies
// are not computed and do not drift. An island wakes if an external impulse acts on it, an awake body or a moving
// obstacle touches it, gravity changes, the scene is edited, or the wind load leaves the range of loads under which the
// island has stayed at rest.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sim/base/data/state.h"
#include "sim/system/rigid/islands.h"

namespace vw {

/// Criterion of rest.
struct RestRule {
  bool sleep = true;
  double drift_m = 3e-4;  ///< Largest displacement of any point of a resting body in the time `after_s` [m].
  double after_s = 0.5;   ///< Time within which the displacement is measured [s].
};

class RestWatch {
 public:
  void prepare(const Elements& rows);
  [[nodiscard]] std::span<const std::uint32_t> asleep() const { return asleep_; }
  [[nodiscard]] bool any_asleep() const { return sleepers_ > 0; }
  [[nodiscard]] std::size_t sleepers() const { return sleepers_; }

  void wake_all(const Elements& rows);
  /// Wakes bodies on which an external load acts or which a moving obstacle may reach. If gravity or a resting obstacle
  /// has changed, wakes all bodies. Records which bodies were pushed, because pushed bodies do not rest. Call at the
  /// start of a substep, before impulses are applied. `blown` holds 1 for each body that the wind wakes, or is empty.
  /// Returns true if a body woke.
  bool wake_by_external_load(const RigidScene& scene, const Vec3& gravity, std::span<const std::uint8_t> blown);
  /// Wakes sleeping bodies that touch an awake body. Returns true if a body woke.
  bool look_at(const RigidScene& scene, std::span<const RigidContact> contacts);
  /// Lets islands that have rested long enough fall asleep. Call at the end of a substep. `links` are the pairs of
  /// bodies that joints connect (RigidJoints::links()). Returns true if an island fell asleep.
  bool rest(const RigidScene& scene, const Islands& islands, std::span<const RigidContact> contacts,
            std::span<const std::pair<std::size_t, std::size_t>> links, const RestRule& rule);
  /// For each body: 1 if the body was awake in the last call of rest(), and had either been pushed or left its resting
  /// position.
  [[nodiscard]] std::span<const std::uint8_t> left_place() const { return left_; }

  void visit_state(StateVisitor& visit);
  [[nodiscard]] std::string problem(std::size_t bodies) const;
  void state_restored();

 private:
  bool wake(const RigidScene& scene, std::size_t body);
  void list_members();
  void start_over(const Elements& rows, std::size_t body);
  [[nodiscard]] double moved(const RigidScene& scene, std::size_t body) const;

  /// For each body: 1 + index of the first body of the sleeping island to which the body belongs, or 0 if the body is
  /// awake.
  std::vector<std::uint32_t> asleep_;
  std::vector<Vec3> place_;  ///< Position at which each body has rested.
  /// Orientation in which each body has rested.
  std::vector<Quat> turn_;
  /// Time for which each body has rested [s].
  std::vector<double> rested_s_;
  std::vector<double> held_s_;      ///< Time that each body rested at its previous position [s]. 0 if it was pushed.
  Vec3 gravity_ = Vec3::Zero();     ///< Gravity of the last substep.
  std::uint64_t surroundings_ = 0;  ///< Hash of the resting obstacles in the last substep.
  std::size_t sleepers_ = 0;
  /// Members of the sleeping islands, valid if `has_members_` is set. For each value of `asleep_`: 1 + index of the
  /// first member of the island, or 0 if the island is awake. For each body: 1 + index of the next member, or 0.
  std::vector<std::uint32_t> first_member_, next_member_;
  bool has_members_ = false;
  /// Scratch: 1 for each body on which an external impulse acted in this substep.
  std::vector<std::uint8_t> pushed_;
  std::vector<std::uint8_t> left_;     ///< Scratch, see left_place().
  std::vector<std::uint8_t> touched_;  // Scratch: 1 for each body on which an obstacle or a joint to the world acts.
};

}  // namespace vw
