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

/// What a swarm must remember.
struct SwarmState {
  double carry = 0;           ///< part of a member due
  std::uint64_t born = 0;     ///< index of its next member in its random stream
  std::uint64_t refused = 0;  ///< were due but not born: the flock was full, or obstacles left them no place
  std::uint64_t begun = 0;    ///< 1: those of the start are born
  template <class F>
  void each_number(F check) const {
    check(carry);
  }
};

/// Members that were asked for and are born as the next step begins.
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

  /// `seed` is the world's, `name` the system's. Members that live take the radius and the mass that their species has now.
  void configure(const FlockPlan& plan, std::uint64_t seed, const std::string& name);
  /// Those that are there from the start, outside the colliders: before the first step, so that the first picture shows them.
  void begin(std::span<const Collider> colliders);
  /// Once a world step: ends lives, then gives birth to who is due in (time, time + dt], outside the colliders.
  void begin_step(double time, double dt, std::span<const Collider> colliders);
  /// Ends the lives of these rows as the next step begins.
  void remove(std::span<const std::uint32_t> gone);
  /// `count` members more of a species about a place, in a ball that has room for them, as the next step begins.
  void spawn(std::uint8_t species, const Vec3& place, std::uint64_t count);

  [[nodiscard]] std::uint64_t born_ever() const { return next_id_; }
  [[nodiscard]] std::uint64_t gone_ever() const { return next_id_ - rows.size(); }
  [[nodiscard]] std::uint64_t refused_ever() const;

  void visit_state(StateVisitor& visit);  ///< rows too
  [[nodiscard]] std::string state_problem() const;

 private:
  class Nursery;

  void end_lives(double time);
  [[nodiscard]] bool leaves(std::size_t row) const;
  /// How many of so many find room in the flock.
  [[nodiscard]] std::uint64_t room_for(std::uint64_t count) const;
  void begin_swarms(double time, std::span<const Collider> colliders);
  /// Births of a swarm, of `apart` seconds from one to the next.
  void give_birth(const SwarmParams& swarm, SwarmKind kind, std::size_t species, SwarmState& state, const RandomKey& key, Nursery& nursery,
                  std::uint64_t count, double first, double apart);
  void add(const SwarmParams& swarm, std::size_t species, std::uint64_t index, const RandomKey& key, const Vec3& place, double born);

  FlockPlan plan_;
  std::vector<RandomKey> keys_;  ///< of swarms; the last is that of orders
  std::vector<SwarmState> states_;
  std::vector<SpawnOrder> orders_;
  std::uint32_t next_id_ = 0;
  std::vector<std::uint8_t> over_;  ///< scratch
};

/// Colliders of a scene as they are at the start, without what carries them: for births before the first step. Those that cannot be read are left
/// out.
[[nodiscard]] std::vector<Collider> colliders_at_start(const Node& scene);

}  // namespace vw
