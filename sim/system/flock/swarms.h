// Who lives in a flock: births of swarms at the start and at a rate, ends of lives by age, exits and removal. Rows keep the order of birth,
// identities last, and no bit depends on threads.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/base/random.h"
#include "sim/system/flock/flock_params.h"
#include "sim/system/flock/flock_rows.h"

namespace vw {

/// Of the ball about a member that touches things [m], and of its body [kg].
[[nodiscard]] double member_radius_m(const SpeciesParams& species);
[[nodiscard]] double member_mass_kg(const SpeciesParams& species);

/// What a swarm must remember.
struct SwarmState {
  double carry = 0;           ///< part of a member due
  std::uint64_t born = 0;     ///< index of its next member in its random stream
  std::uint64_t refused = 0;  ///< for want of room: of the capacity, or outside obstacles
  std::uint64_t begun = 0;    ///< 1: those of the start are born
};

class Swarms {
 public:
  FlockRows rows;

  /// `seed` is the world's, `name` the system's.
  void configure(const FlockPlan& plan, std::uint64_t seed, const std::string& name);
  /// Those that are there from the start, outside the colliders: before the first step, so that the first picture shows them.
  void begin(std::span<const Collider> colliders);
  /// Once a world step: ends lives, then gives birth to who is due in (time, time + dt]. Births never overlap a collider.
  void begin_step(double time, double dt, std::span<const Collider> colliders);
  /// Ends the lives of these rows at the next step's begin.
  void remove(std::span<const std::uint32_t> gone);
  /// `count` members more of a species about a place, at once (between steps), as if of a swarm in a ball that has room for them.
  void spawn(std::uint8_t species, const Vec3& place, std::uint64_t count, double time);
  [[nodiscard]] std::uint64_t born_ever() const { return next_id_; }
  [[nodiscard]] std::uint64_t gone_ever() const { return next_id_ - rows.size(); }
  /// Members that were due and were not born: the flock was full, or they had no room.
  [[nodiscard]] std::uint64_t refused_ever() const;

  void visit_state(StateVisitor& visit);  ///< rows too
  [[nodiscard]] std::string state_problem() const;

 private:
  FlockPlan plan_;
  std::vector<RandomKey> keys_;
  std::vector<SwarmState> states_;
  std::uint32_t next_id_ = 0;
};

}  // namespace vw
