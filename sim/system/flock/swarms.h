// Population of a flock: births of swarms at the start and at a rate; deaths by age, exits and removal. Rows keep the
// order of birth, identities are permanent, and the result does not depend on the number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/base/random.h"
#include "sim/system/flock/flock_params.h"
#include "sim/system/flock/flock_rows.h"

namespace vw {

/// State of a swarm.
struct SwarmState {
  double carry = 0;        ///< Fraction of a member that is due.
  std::uint64_t born = 0;  ///< Index of its next member in its random stream.
  /// Number of members that were due but not born, because the flock was full or obstacles left no place.
  std::uint64_t refused = 0;
  std::uint64_t begun = 0;  ///< 1: the members of the start are born.
  template <class F>
  void each_number(F check) const {
    check(carry);
  }
};

/// Request for members that are born at the start of the next step.
struct SpawnOrder {
  double x = 0, y = 0, z = 0;
  std::uint64_t species = 0, count = 0;
  template <class F>
  void each_number(F check) const {
    check(x), check(y), check(z);
  }
};

class Swarms {
 public:
  FlockRows rows;

  /// Sets new parameters. `seed`: that of the world; `name`: that of the system. Living members take the new radius and
  /// mass of their species.
  void configure(const FlockPlan& plan, std::uint64_t seed, const std::string& name);
  /// Creates the members of the start, outside the colliders. It is called before the first step, so that the first
  /// picture shows them.
  void begin(std::span<const Collider> colliders);
  /// Call once per world step: removes members, then creates those due in (time, time + dt], outside the colliders.
  void begin_step(double time, double dt, std::span<const Collider> colliders);
  /// Removes these rows at the start of the next step.
  void remove(std::span<const std::uint32_t> gone);
  /// Adds `count` members of a species at the start of the next step, in a ball around a position that is large enough
  /// for them.
  void spawn(std::uint8_t species, const Vec3& place, std::uint64_t count);

  [[nodiscard]] std::uint64_t born_ever() const { return next_id_; }
  [[nodiscard]] std::uint64_t gone_ever() const { return next_id_ - rows.size(); }
  [[nodiscard]] std::uint64_t refused_ever() const;

  void visit_state(StateVisitor& visit);  ///< Includes the rows.
  [[nodiscard]] std::string state_problem() const;

 private:
  class Nursery;

  void end_lives(double time);
  [[nodiscard]] bool leaves(std::size_t row) const;
  /// How many of `count` members fit into the flock.
  [[nodiscard]] std::uint64_t room_for(std::uint64_t count) const;
  void begin_swarms(double time, std::span<const Collider> colliders);
  /// Births of a swarm at intervals of `apart` seconds, the first at time `first`.
  void give_birth(const SwarmParams& swarm, SwarmKind kind, std::size_t species, SwarmState& state,
                  const RandomKey& key, Nursery& nursery, std::uint64_t count, double first, double apart);
  void add(const SwarmParams& swarm, std::size_t species, std::uint64_t index, const RandomKey& key, const Vec3& place,
           double born);

  FlockPlan plan_;
  std::vector<RandomKey> keys_;  ///< For each swarm; the last one is that of orders.
  std::vector<SwarmState> states_;
  std::vector<SpawnOrder> orders_;
  std::uint32_t next_id_ = 0;
  std::vector<std::uint8_t> over_;  ///< Scratch.
};

/// Colliders of a scene in their initial poses, without carriers: for births before the first step. Colliders that
/// cannot be read are left out.
[[nodiscard]] std::vector<Collider> colliders_at_start(const Node& scene);

}  // namespace vw
