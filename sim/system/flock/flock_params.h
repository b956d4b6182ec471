// What a user says of a flock: the species in it, where they begin and leave, what they make for, and what keeps them at home.
#pragma once

#include <string>
#include <vector>

#include "sim/base/node.h"

namespace vw {

enum class MemberBody { fish, bird, dart, ball };
/// What carries members: the air (the world's fields), water (a fluid system; out of it they fall), or nothing: the laws of steering alone.
enum class SpeciesMedium { none, air, water };
/// How terms share the acceleration that a member has: in the order of their urgency until it is used up (Reynolds 1987), or all by their weights.
enum class Budget { prioritised, weighted };

/// Slot `species`.
struct SpeciesParams {
  MemberBody body = MemberBody::dart;
  double length_m = 0.2;  ///< of a body, nose to tail
  double density_kgpm3 = 1000;
  Vec3 color{0.25, 0.5, 0.9};
  SpeciesMedium medium = SpeciesMedium::none;

  double reach_m = 1;                                      ///< how far it sees others
  double sight_deg = 300;                                  ///< whole angle of the cone in which it sees them
  std::int64_t neighbours = 0;                             ///< it minds the nearest so many; 0: all that it sees
  double spacing_m = 0.3;                                  ///< separation keeps others of the flock so far off
  double separation = 1.5, alignment = 1, cohesion = 0.6;  ///< weights
  double avoidance = 3;                                    ///< of obstacles
  double look_ahead_s = 1;                                 ///< how soon an obstacle or a threat counts
  double clearance_m = 0.1;                                ///< from obstacles, beyond its own body
  double flight = 2, flight_reach_m = 2;                   ///< from those that hunt it and from what falls on it
  TextList hunts;                                          ///< species of this flock
  double hunt = 1, hunt_reach_m = 4;
  bool eats = false;            ///< what it catches is gone
  double goal = 0.5, home = 1;  ///< weights of the flock's goals and of its home
  double wander = 0.3, wander_hz = 0.5;

  Budget budget = Budget::prioritised;
  double max_acceleration_mps2 = 10;
  double min_speed_mps = 0.5, cruise_speed_mps = 1.5, max_speed_mps = 3;  ///< relative to the medium
  double turn_rate_radps = 6;
  double climb_deg = 60;  ///< steepest way up or down
  double banking = 1;     ///< 1: into turns as far as a balanced turn takes; 0: upright
  double carry_s = 0.3;   ///< time in which the medium carries it along
};

enum class GoalKind { body, path, point };
/// Slot `goal`, of kinds body, path and point.
struct GoalParams {
  bool enabled = true;
  std::string species;  ///< empty: all
  double weight = 1;
  Vec3 position{0, 1, 0};  ///< of a point
  NumberList points;       ///< of a path: x, y, z, x, y, z, ...
  bool loop = true;
  double radius_m = 0.5;  ///< near enough: a path's next point, the distance kept from a body
  std::string body;       ///< a system, an element of it ("raft.deck"), or a collider
};

enum class SwarmKind { ball, box, point };
/// Slot `swarm`: where members begin, at the start and later.
struct SwarmParams {
  bool enabled = true;
  std::string species;  ///< empty: the first
  Vec3 position{0, 1, 0};
  Vec3 size_m{1, 1, 1};                ///< of a box
  double radius_m = 0.5;               ///< of a ball
  std::int64_t count = 100;            ///< at the start
  double rate = 0;                     ///< per second from then on
  double start_s = 0, duration_s = 0;  ///< of the rate; 0: for ever
  double lifetime_s = 0;               ///< 0: for ever
  Vec3 heading{1, 0, 0};               ///< 0: each in a direction of its own
  double spread = 0.3;                 ///< about the heading [rad]
  double speed_mps = -1;               ///< below 0: the cruising speed
  std::int64_t seed = 0;
};

/// Slot `exit`: a box in which members vanish.
struct ExitParams {
  bool enabled = true;
  std::string species;  ///< empty: all
  Vec3 position{0, 0, 0};
  Vec3 size_m{1, 1, 1};
};

/// The flock's own.
struct FlockParams {
  std::int64_t capacity = 100000;
  Vec3 home_center{0, 1, 0};
  Vec3 home_size_m{0, 0, 0};   ///< a box; 0 along an axis: no bounds there
  double home_margin_m = 0.5;  ///< so far before its sides they turn back
  double time_scale = 1;
};

/// Radius [m] of the ball about a member's middle that keeps out of obstacles.
[[nodiscard]] double body_radius_m(const SpeciesParams& species);
/// [kg]: of an ellipsoid as long as the body and as thick as that ball.
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

/// Kinds of species that one flock may have: a member's neighbours are told apart by the bits of a word.
inline constexpr std::size_t most_species = 32;

/// A flock as its node says it, checked.
struct FlockPlan {
  FlockParams params;
  std::vector<SpeciesParams> species;
  std::vector<std::string> species_names;
  std::vector<std::vector<std::uint8_t>> hunts;  ///< [hunter][prey]
  std::vector<Goal> goals;
  std::vector<Swarm> swarms;
  std::vector<ExitParams> exits;
};
/// Schema of `[[system]] kind = "flock"`, with slots `species`, `swarm`, `goal`, `exit`.
[[nodiscard]] const Schema& flock_schema();
/// Errors name the key: no species, one that nobody knows, a path of half a point, speeds that contradict each other.
[[nodiscard]] Result<FlockPlan> read_flock(const Node& self);

}  // namespace vw
