// Parameters of a flock: its species, where members start and leave, their goals, and their home.
#pragma once

#include <string>
#include <vector>

#include "sim/base/data/node.h"

namespace vw {

enum class MemberBody { fish, bird, dart, ball };
/// Medium that carries members: air (the world's fields), water (a fluid system; out of water they fall), or none (only
/// the steering rules apply).
enum class SpeciesMedium { none, air, water };
/// How motives share a member's acceleration: in the order of priority until it is used up (Reynolds 1987), or as a
/// weighted sum.
enum class Budget { prioritised, weighted };

/// Slot `species`.
struct SpeciesParams {
  MemberBody body = MemberBody::dart;
  double length_m = 0.2;  ///< Length from nose to tail.
  double density_kgpm3 = 1000;
  Vec3 color{0.25, 0.5, 0.9};
  SpeciesMedium medium = SpeciesMedium::none;

  double reach_m = 1;           ///< Distance up to which it sees others.
  double sight_deg = 300;       ///< Full angle of the cone in which it sees them.
  std::int64_t neighbours = 0;  ///< Number of nearest neighbours that it takes into account; 0: all that it sees.
  double spacing_m = 0.3;       ///< Distance below which separation acts.
  double separation = 1.5, alignment = 1, cohesion = 0.6;  ///< Weights.
  double avoidance = 3;                                    ///< Weight of obstacle avoidance.
  double look_ahead_s = 1;                                 ///< Time ahead within which obstacles and threats count.
  double clearance_m = 0.1;                                ///< Distance to obstacles, beyond its own body.
  double flight = 2, flight_reach_m = 2;  ///< Weight and distance of the flight from hunters and falling objects.
  TextList hunts;                         ///< Species of this flock.
  double hunt = 1, hunt_reach_m = 4;
  bool eats = false;            ///< Caught members are removed.
  double goal = 0.5, home = 1;  ///< Weights of the flock's goals and of its home.
  double wander = 0.3, wander_hz = 0.5;

  Budget budget = Budget::prioritised;
  double max_acceleration_mps2 = 10;
  double min_speed_mps = 0.5, cruise_speed_mps = 1.5, max_speed_mps = 3;  ///< Relative to the medium.
  double turn_rate_radps = 6;
  double climb_deg = 60;  ///< Steepest angle up or down.
  double banking = 1;     ///< Bank angle in turns: 1: that of a balanced turn; 0: none.
  double carry_s = 0.3;   ///< Time constant with which the medium carries it along.
};

enum class GoalKind { body, path, point };
/// Slot `goal`, of kinds body, path and point.
struct GoalParams {
  bool enabled = true;
  std::string species;  ///< Empty: all.
  double weight = 1;
  Vec3 position{0, 1, 0};  ///< Position of a point goal.
  NumberList points;       ///< Points of a path: x, y, z, x, y, z, ...
  bool loop = true;
  double radius_m = 0.5;  ///< Distance at which a point is reached, or that is kept from a body.
  std::string body;       ///< A system, an element of it ("raft.deck"), or a collider.
};

enum class SwarmKind { ball, box, point };
/// Slot `swarm`: where members start, initially and later.
struct SwarmParams {
  bool enabled = true;
  std::string species;  ///< Empty: the first.
  Vec3 position{0, 1, 0};
  Vec3 size_m{1, 1, 1};                ///< Edge lengths of a box.
  double radius_m = 0.5;               ///< Radius of a ball.
  std::int64_t count = 100;            ///< Number of members at the start.
  double rate = 0;                     ///< Members per second after the start.
  double start_s = 0, duration_s = 0;  ///< Interval in which the rate applies; duration 0: unlimited.
  double lifetime_s = 0;               ///< 0: unlimited.
  Vec3 heading{1, 0, 0};               ///< Zero: a random direction for each member.
  double spread = 0.3;                 ///< Largest angle from the heading [rad].
  double speed_mps = -1;               ///< Negative: the cruising speed.
  std::int64_t seed = 0;
};

/// Slot `exit`: a box in which members are removed.
struct ExitParams {
  bool enabled = true;
  std::string species;  ///< Empty: all.
  Vec3 position{0, 0, 0};
  Vec3 size_m{1, 1, 1};
};

/// Parameters of the flock itself.
struct FlockParams {
  std::int64_t capacity = 100000;
  Vec3 home_center{0, 1, 0};
  Vec3 home_size_m{0, 0, 0};   ///< Edge lengths of the home box; 0: unbounded along that axis.
  double home_margin_m = 0.5;  ///< Distance before the sides at which members turn back.
  double time_scale = 1;
};

/// Radius [m] of the ball around a member's centre that stays outside obstacles.
[[nodiscard]] double body_radius_m(const SpeciesParams& species);
/// Mass [kg] of an ellipsoid with the length of the body and the diameter of that ball.
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

/// Largest number of species of one flock, because species are bits of a 32-bit word.
inline constexpr std::size_t most_species = 32;

/// A flock as its node describes it, validated.
struct FlockPlan {
  FlockParams params;
  std::vector<SpeciesParams> species;
  std::vector<std::string> species_names;
  std::vector<std::vector<std::uint8_t>> hunts;  ///< [hunter][prey]: 1 if the hunter species hunts the prey species.
  std::vector<Goal> goals;
  std::vector<Swarm> swarms;
  std::vector<ExitParams> exits;
};
/// Schema of `[[system]] kind = "flock"`, with slots `species`, `swarm`, `goal`, `exit`.
[[nodiscard]] const Schema& flock_schema();
/// Errors name the key, for instance if there is no species, a name is unknown, a path has an incomplete point, or
/// speeds contradict each other.
[[nodiscard]] Result<FlockPlan> read_flock(const Node& self);

}  // namespace vw
