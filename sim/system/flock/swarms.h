// Population of a flock. Swarms create members at the start and at a rate. Members are removed by age, in exits and on
// request. Rows stay in the order of birth, ids are permanent, and the result does not depend on the number of threads.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sim/base/random.h"
#include "sim/system/flock/flock_params.h"
#include "sim/system/flock/flock_rows.h"

namespace vw {

struct SwarmState {
  double carry = 0;        ///< Accumulated fraction of the next member, in [0, 1]. At 1, the member is born.
  std::uint64_t born = 0;  ///< Index of the swarm's next member in the random stream of the swarm.
  /// Number of members that should have been born but were not, because the flock was full or no position was free.
  std::uint64_t refused = 0;
  std::uint64_t begun = 0;  ///< 1 if the initial members have been created, otherwise 0.
  template <class F>
  void each_number(F check) const {
    check(carry);
  }
  template <class F>
  void each_member(F take) const {
    take("carry", carry), take("born", born), take("refused", refused), take("begun", begun);
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
  template <class F>
  void each_member(F take) const {
    take("x", x), take("y", y), take("z", z), take("species", species), take("count", count);
  }
};

class Swarms {
 public:
  FlockRows rows;

  /// Sets new parameters. `seed` is the seed of the world and `name` the name of the system. Existing members get the
  /// new radius and mass of their species.
  void configure(const FlockPlan& plan, std::uint64_t seed, const std::string& name);
  /// Takes over the members of a former population after child nodes of the flock were added, removed or renamed (for
  /// former_names, see System::continue_from). Members of a species that is gone are removed, members of a removed
  /// swarm stay. A new swarm adds its initial members in the next step.
  void continue_from(const Swarms& former, const std::map<std::string, std::string>& former_names);
  /// Creates the initial members outside the colliders. Call this function before the first step, so that the first
  /// picture shows the members.
  void begin(std::span<const Collider> colliders);
  /// Removes members and then creates the members that are due in (time, time + dt], outside the colliders. Call this
  /// function once per world step.
  void begin_step(double time, double dt, std::span<const Collider> colliders);
  /// Marks the rows `gone` for removal at the start of the next step.
  void remove(std::span<const std::uint32_t> gone);
  /// Adds `count` members of a species at the start of the next step. Their positions are in a ball around `place`
  /// whose volume is sufficient for `count` members.
  void spawn(std::uint8_t species, const Vec3& place, std::uint64_t count);

  [[nodiscard]] std::uint64_t born_ever() const { return next_id_; }
  [[nodiscard]] std::uint64_t gone_ever() const { return next_id_ - rows.size(); }
  [[nodiscard]] std::uint64_t refused_ever() const;

  void visit_state(StateVisitor& visit);  ///< Visits the complete state, including `rows`.
  [[nodiscard]] std::string state_problem() const;

 private:
  class Nursery;

  void end_lives(double time);
  void remove_over();
  void take_sizes();  ///< Sets the masses and radii of all members to those of their species.
  [[nodiscard]] bool leaves(std::size_t row) const;
  /// Number of members, at most `count`, that still fit into the flock.
  [[nodiscard]] std::uint64_t room_for(std::uint64_t count) const;
  void begin_swarms(double time, std::span<const Collider> colliders);
  /// Creates `count` members of a swarm. The first member has the time of birth `first` [s], and each further member is
  /// born `apart` seconds after the previous one.
  void give_birth(const SwarmParams& swarm, SwarmKind kind, std::size_t species, SwarmState& state,
                  const RandomKey& key, Nursery& nursery, std::uint64_t count, double first, double apart);
  void add(const SwarmParams& swarm, std::size_t species, std::uint64_t index, const RandomKey& key, const Vec3& place,
           double born);

  FlockPlan plan_;
  std::vector<RandomKey> keys_;  ///< Random keys of the swarms, followed by the key of spawn orders.
  std::vector<SwarmState> states_;
  std::vector<SpawnOrder> orders_;
  std::uint32_t next_id_ = 0;
  std::vector<std::uint8_t> over_;  ///< Scratch array: 1 for each row to be removed.
};

/// Returns the colliders of a scene in their initial poses, for births before the first step. A collider that an
/// element carries has the pose that the collider's node declares. Colliders that cannot be read are omitted.
[[nodiscard]] std::vector<Collider> colliders_at_start(const Node& scene);

}  // namespace vw
