// Parameters of a flock: species, swarms (where members start), exits (where members are removed), goals and home.
#pragma once

#include <string>
#include <vector>

#include "sim/base/data/node.h"
#include "sim/collision/shape/shape_params.h"

namespace vw {

enum class MemberBody { fish, bird, dart, ball };
/// Medium in which the members of a species move. `none` means that no medium carries them. With `air`, the wind of the
/// world carries them. With `water`, a fluid system carries them, and members out of the water fall.
enum class SpeciesMedium { none, air, water };
/// How a member's limited acceleration is divided among its motives. `prioritised` grants the motives in the order of
/// priority until the largest acceleration is used up (Reynolds 1987). `weighted` adds all weighted motives and limits
/// the length of the sum.
enum class Budget { prioritised, weighted };

/// Parameters of a species (scene slot `species`).
struct SpeciesParams {
  MemberBody body = MemberBody::dart;
  double length_m = 0.2;  ///< Length from nose to tail.
  double density_kgpm3 = 1000;
  Vec3 color{0.25, 0.5, 0.9};
  SpeciesMedium medium = SpeciesMedium::none;

  double reach_m = 1;      ///< Distance up to which a member sees other members.
  double sight_deg = 300;  ///< Full angle of the cone of vision around the heading.
  /// Number of nearest visible neighbours that a member takes into account. 0 means all visible neighbours.
  std::int64_t neighbours = 0;
  double spacing_m = 0.3;                                  ///< Distance to a neighbour below which separation acts.
  double separation = 1.5, alignment = 1, cohesion = 0.6;  ///< Weights of the three motives that depend on neighbours.
  double avoidance = 3;                                    ///< Weight of obstacle avoidance.
  double look_ahead_s = 1;   ///< Time ahead within which obstacles are avoided and positions of prey are predicted.
  double clearance_m = 0.1;  ///< Gap that is kept between the member's body and obstacles.
  /// Weight of the motive to flee, and distance within which members flee from hunters.
  double flight = 2, flight_reach_m = 2;
  TextList hunts;  ///< Names of the species of this flock that are prey of this species.
  double hunt = 1, hunt_reach_m = 4;
  bool eats = false;            ///< Whether prey that this species catches is removed.
  double goal = 0.5, home = 1;  ///< Weights of the flock's goals and of staying in the home.
  double wander = 0.3, wander_hz = 0.5;

  Budget budget = Budget::prioritised;
  double max_acceleration_mps2 = 10;
  double min_speed_mps = 0.5, cruise_speed_mps = 1.5, max_speed_mps = 3;  ///< Speeds relative to the medium.
  double turn_rate_radps = 6;
  double climb_deg = 60;  ///< Largest angle of the heading to the horizontal plane, upwards or downwards.
  double banking = 1;     ///< Ratio of a member's bank angle in a turn to the bank angle of a coordinated turn.
  double carry_s = 0.3;   ///< Time constant with which a member's velocity follows the medium.
};

enum class GoalKind { body, path, point };
/// Parameters of a goal (scene slot `goal`, kinds `body`, `path` and `point`).
struct GoalParams {
  bool enabled = true;
  std::string species;  ///< Name of the species that follows the goal. Empty means all species.
  double weight = 1;
  Vec3 position{0, 1, 0};  ///< Position of a point goal.
  NumberList points;       ///< Points of a path: x, y, z, x, y, z, ...
  bool loop = true;
  double radius_m = 0.5;  ///< Distance at which a point counts as reached, or distance that members keep from a body.
  std::string body;       ///< Name of a system, of an element of a system ("raft.deck"), or of a collider.
};

enum class SwarmKind { ball, box, point };
/// Parameters of a swarm (scene slot `swarm`): where members are born, at the start and later.
struct SwarmParams : ShapeParams {
  SwarmParams() {
    size_m = Vec3(1, 1, 1);
    radius_m = 0.5;
  }

  bool enabled = true;
  std::string species;  ///< Name of the species. Empty means the first species.
  Vec3 position{0, 1, 0};
  std::int64_t count = 100;            ///< Number of members at the start.
  double rate = 0;                     ///< Births per second after the start.
  double start_s = 0, duration_s = 0;  ///< Interval in which the rate applies. A duration of 0 means unlimited.
  double lifetime_s = 0;               ///< Lifetime of a member. 0 means unlimited.
  Vec3 heading{1, 0, 0};               ///< Mean heading. The zero vector means a random heading for each member.
  double spread = 0.3;                 ///< Largest angle between a member's heading and the mean heading [rad].
  double speed_mps = -1;               ///< Initial speed. A negative value means the cruising speed.
  std::int64_t seed = 0;
};

/// Parameters of an exit (scene slot `exit`): a box in which members are removed.
struct ExitParams {
  bool enabled = true;
  std::string species;  ///< Name of the species that is removed. Empty means all species.
  Vec3 position{0, 0, 0};
  Vec3 size_m{1, 1, 1};
};

/// Parameters of the flock that do not depend on the species.
struct FlockParams {
  std::int64_t capacity = 100000;
  Vec3 home_center{0, 1, 0};
  Vec3 home_size_m{0, 0, 0};   ///< Edge lengths of the home box. 0 means unbounded along that axis.
  double home_margin_m = 0.5;  ///< Distance from the sides of the home box at which members begin to turn inwards.
  double time_scale = 1;
};

/// Radius [m] of a member: the ball of this radius around the member's centre stays outside obstacles.
[[nodiscard]] double body_radius_m(const SpeciesParams& species);
/// Mass [kg] of a member. The member's body is an ellipsoid with the density of the species, the length length_m and
/// the diameter 2 body_radius_m().
[[nodiscard]] double body_mass_kg(const SpeciesParams& species);

struct Goal {
  GoalKind kind = GoalKind::point;
  GoalParams params;
  std::string name;
};
struct Swarm {
  SwarmKind kind = SwarmKind::ball;
  SwarmParams params;
  std::string name;
};

/// Largest number of species of one flock. Sets of species are stored as 32-bit words.
inline constexpr std::size_t most_species = 32;

/// Validated parameters of a flock.
struct FlockPlan {
  FlockParams params;
  std::vector<SpeciesParams> species;
  std::vector<std::string> species_names;
  std::vector<std::vector<std::uint8_t>> hunts;  ///< hunts[h][p] is 1 if species h hunts species p, otherwise 0.
  std::vector<Goal> goals;
  std::vector<Swarm> swarms;
  std::vector<ExitParams> exits;
};
/// Schema of `[[system]] kind = "flock"`, with slots `species`, `swarm`, `goal`, `exit`.
[[nodiscard]] const Schema& flock_schema();
/// Reads and checks the parameters of a flock. The error names the key, for instance if there is no species, a name is
/// unknown, a path has an incomplete point, or speeds contradict each other.
[[nodiscard]] Result<FlockPlan> read_flock(const Node& self);

}  // namespace vw
