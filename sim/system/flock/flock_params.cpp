// The tables of a flock's parameters, its schema, and what they may not say together.
#include "sim/system/flock/flock_params.h"

#include <algorithm>

#include "sim/base/node_kind.h"

namespace vw {
namespace {

using S = SpeciesParams;
using Rows = std::vector<Param<S>>;

Param<S> length(double S::*member, const char* name, double value, const char* doc) {
  return {member, name, Unit::meter, value, {0, 1e4}, Scale::linear, Live::yes, doc};
}
Param<S> weight(double S::*member, const char* name, double value, const char* doc) {
  return {member, name, Unit::ratio, value, {0, 100}, Scale::linear, Live::yes, doc};
}
Param<S> speed(double S::*member, const char* name, double value, const char* doc) {
  return {member, name, Unit::meter_per_second, value, {0, 1e3}, Scale::linear, Live::yes, doc};
}

Rows body_rows() {
  return {
      {&S::body, "body", MemberBody::dart, {"fish", "bird", "dart", "ball"}, Live::yes, "What a member looks like; fish swim, birds flap."},
      {&S::length_m, "length", Unit::meter, 0.2, {1e-4, 1e3}, Scale::log, Live::no, "Length of its body from nose to tail."},
      {&S::density_kgpm3,
       "density",
       Unit::kilogram_per_m3,
       1000.0,
       {1e-3, 1e5},
       Scale::log,
       Live::no,
       "Density of its body; with the length, its mass."},
      {&S::color, "color", Unit::ratio, Vec3(0.25, 0.5, 0.9), {0, 1}, Live::yes, "Colour, linear red, green, blue.", ParamType::color},
      {&S::medium,
       "medium",
       SpeciesMedium::none,
       {"none", "air", "water"},
       Live::no,
       "What carries it: nothing; the air, so that winds carry it and gusts push it; or water, which it swims in and stirs, and without which it "
       "falls."},
  };
}

Rows neighbour_rows() {
  return {
      {&S::reach_m, "reach", Unit::meter, 1.0, {1e-3, 1e4}, Scale::log, Live::yes, "How far it sees others of the flock."},
      {&S::sight_deg,
       "sight",
       Unit::none,
       300.0,
       {1, 360},
       Scale::linear,
       Live::yes,
       "Whole angle [deg] of the cone about its heading in which it sees them; 360 = all round."},
      {&S::neighbours,
       "neighbours",
       Unit::count,
       std::int64_t{0},
       {0, 64},
       Scale::linear,
       Live::yes,
       "It minds only the nearest so many of those that it sees; 0 = all of them."},
      length(&S::spacing_m, "spacing", 0.3, "Separation keeps others of the flock so far off."),
      weight(&S::separation, "separation", 1.5, "Weight of keeping off neighbours that are nearer than the spacing."),
      weight(&S::alignment, "alignment", 1.0, "Weight of going as its neighbours go, of its own species."),
      weight(&S::cohesion, "cohesion", 0.6, "Weight of making for the middle of its neighbours, of its own species."),
  };
}

Rows danger_rows() {
  return {
      weight(&S::avoidance, "avoidance", 3.0, "Weight of steering clear of obstacles and bodies."),
      {&S::look_ahead_s,
       "look_ahead",
       Unit::second,
       1.0,
       {0, 60},
       Scale::linear,
       Live::yes,
       "An obstacle that it would meet sooner than that counts, and so far ahead it reckons where others will be."},
      length(&S::clearance_m, "clearance", 0.1, "It keeps so far from obstacles, beyond its own body."),
      weight(&S::flight, "flight", 2.0, "Weight of fleeing from those that hunt it and from what falls on it."),
      length(&S::flight_reach_m, "flight_reach", 2.0, "How far off it sees those that hunt it."),
      {&S::hunts, "hunts", Live::yes, "Species of this flock that it hunts."},
      weight(&S::hunt, "hunt", 1.0, "Weight of chasing those."),
      length(&S::hunt_reach_m, "hunt_reach", 4.0, "How far off it sees them."),
      {&S::eats, "eats", false, Live::yes, "Whether those that it touches are gone."},
  };
}

Rows motive_rows() {
  return {
      weight(&S::goal, "goal", 0.5, "Weight of the flock's goals."),
      weight(&S::home, "home", 1.0, "Weight of staying in the flock's home."),
      weight(&S::wander, "wander", 0.3, "Weight of a motive of its own, that noise turns about."),
      {&S::wander_hz, "wander_rate", Unit::hertz, 0.5, {0, 100}, Scale::linear, Live::yes, "How often that motive changes."},
      {&S::budget,
       "budget",
       Budget::prioritised,
       {"prioritised", "weighted"},
       Live::yes,
       "How the motives share its greatest acceleration: in the order avoidance, flight, separation, hunt, alignment, cohesion, goal, home, wander "
       "until "
       "it is used up; or all in proportion to their weights."},
  };
}

Rows motion_rows() {
  return {
      {&S::max_acceleration_mps2,
       "max_acceleration",
       Unit::meter_per_second2,
       10.0,
       {0, 1e4},
       Scale::linear,
       Live::yes,
       "The greatest acceleration that it can give itself; a motive of weight 1 that is as strong as it gets asks for all of it."},
      speed(&S::min_speed_mps, "min_speed", 0.5, "Least speed through its medium."),
      speed(&S::cruise_speed_mps, "cruise_speed", 1.5, "Speed through its medium that it returns to."),
      speed(&S::max_speed_mps, "max_speed", 3.0, "Greatest speed through its medium."),
      {&S::turn_rate_radps, "turn_rate", Unit::radian_per_second, 6.0, {0, 1e3}, Scale::linear, Live::yes, "How fast it can turn."},
      {&S::climb_deg, "climb", Unit::none, 60.0, {0, 90}, Scale::linear, Live::yes, "Steepest way up or down that it heads [deg]."},
      {&S::banking,
       "banking",
       Unit::ratio,
       1.0,
       {0, 10},
       Scale::linear,
       Live::yes,
       "It leans into turns: 1 = as far as a balanced turn takes; 0 = it stays upright. For the picture alone."},
      {&S::carry_s,
       "carry",
       Unit::second,
       0.3,
       {1e-3, 1e3},
       Scale::log,
       Live::yes,
       "Time in which its medium carries it along, and in which a push from outside fades."},
  };
}

struct SpeciesKind : NodeKind<S> {
  SpeciesKind()
      : NodeKind<S>("species", "A kind of member: its body, what it minds and how it moves.",
                    joined(joined(joined(joined(body_rows(), neighbour_rows()), danger_rows()), motive_rows()), motion_rows())) {}
};
const SpeciesKind& species_kind() {
  static const SpeciesKind kind;
  return kind;
}

// ---- Goals ----------------------------------------------------------------------------------------------------------------------------

using G = GoalParams;

std::vector<Param<G>> goal_rows() {
  return {
      {&G::enabled, "enabled", true, Live::yes, "Whether anybody makes for it."},
      {&G::species, "species", "", Live::yes, "Species that makes for it; empty = all."},
      {&G::weight,
       "weight",
       Unit::ratio,
       1.0,
       {-100, 100},
       Scale::linear,
       Live::yes,
       "Times the species' weight of goals; below 0 they go away from it."},
  };
}
Param<G> radius_row(const char* doc) { return {&G::radius_m, "radius", Unit::meter, 0.5, {0, 1e4}, Scale::linear, Live::yes, doc}; }

struct KindOfGoal : NodeKind<G> {
  KindOfGoal(GoalKind which, const char* name, const char* doc, std::vector<Param<G>> own)
      : NodeKind<G>(name, doc, joined(goal_rows(), std::move(own))), kind(which) {}
  GoalKind kind;
};
const std::vector<KindOfGoal>& goal_kinds() {
  static const std::vector<KindOfGoal> all{
      {GoalKind::body,
       "body",
       "Members follow a body, a collider or one element of a system.",
       {{&G::body, "body", "", Live::yes,
         "What they follow: a collider, a system (its centre of mass) or an element of one, as in \"raft.deck\" or \"raft.17\"."},
        radius_row("Distance that they keep from it.")}},
      {GoalKind::path,
       "path",
       "Members go along a path, each from the point that it has come near to the next.",
       {{&G::points, "points", Unit::meter, {-1e6, 1e6}, Live::yes, "The points of the path: x, y, z of each."},
        {&G::loop, "loop", true, Live::yes, "Whether the first point follows the last; else they stay at the last."},
        radius_row("So near to a point they make for the next.")}},
      {GoalKind::point,
       "point",
       "Members make for a point.",
       {{&G::position, "position", Unit::meter, Vec3(0, 1, 0), {-1e6, 1e6}, Live::yes, "The point."},
        radius_row("Near enough: there they are content.")}},
  };
  return all;
}

// ---- Swarms and exits -----------------------------------------------------------------------------------------------------------------

using W = SwarmParams;

std::vector<Param<W>> place_rows(SwarmKind kind) {
  std::vector<Param<W>> rows{
      {&W::enabled, "enabled", true, Live::yes, "Whether members are born there from now on."},
      {&W::species, "species", "", Live::no, "Their species; empty = the flock's first."},
      {&W::position, "position", Unit::meter, Vec3(0, 1, 0), {-1e6, 1e6}, Live::yes, "Its centre."},
  };
  if (kind == SwarmKind::ball) rows.push_back({&W::radius_m, "radius", Unit::meter, 0.5, {0, 1e4}, Scale::linear, Live::yes, "Radius of the ball."});
  if (kind == SwarmKind::box) rows.push_back({&W::size_m, "size", Unit::meter, Vec3(1, 1, 1), {0, 1e4}, Live::yes, "Edge lengths of the box."});
  return rows;
}

std::vector<Param<W>> birth_rows() {
  return {
      {&W::count, "count", Unit::count, std::int64_t{100}, {0, 1e6}, Scale::linear, Live::no, "Members there are at the start."},
      {&W::rate, "rate", Unit::per_second, 0.0, {0, 1e5}, Scale::linear, Live::yes, "Members born in a second from then on."},
      {&W::start_s, "start", Unit::second, 0.0, {0, 1e6}, Scale::linear, Live::yes, "When those begin to be born."},
      {&W::duration_s, "duration", Unit::second, 0.0, {0, 1e6}, Scale::linear, Live::yes, "How long they are born; 0 = for ever."},
      {&W::lifetime_s, "lifetime", Unit::second, 0.0, {0, 1e6}, Scale::linear, Live::yes, "Age at which members born from now on vanish; 0 = never."},
      {&W::heading,
       "heading",
       Unit::none,
       Vec3(1, 0, 0),
       {-1e3, 1e3},
       Live::yes,
       "Where they head (any length); 0 = each in a direction of its own."},
      {&W::spread,
       "spread",
       Unit::radian,
       0.3,
       {0, pi},
       Scale::linear,
       Live::yes,
       "Half angle of the cone of headings about that, filled uniformly; pi = all directions."},
      {&W::speed_mps, "speed", Unit::meter_per_second, -1.0, {-1, 1e3}, Scale::linear, Live::yes, "Speed at birth; below 0 = the cruising speed."},
      {&W::seed,
       "seed",
       Unit::none,
       std::int64_t{0},
       {0, 9007199254740991.0},
       Scale::linear,
       Live::no,
       "Seed of its random numbers; 0 = from the world's seed and its name."},
  };
}

struct KindOfSwarm : NodeKind<W> {
  KindOfSwarm(SwarmKind which, const char* name, const char* doc) : NodeKind<W>(name, doc, joined(place_rows(which), birth_rows())), kind(which) {}
  SwarmKind kind;
};
const std::vector<KindOfSwarm>& swarm_kinds() {
  static const std::vector<KindOfSwarm> all{{SwarmKind::ball, "ball", "Members begin anywhere in a ball."},
                                            {SwarmKind::box, "box", "Members begin anywhere in a box."},
                                            {SwarmKind::point, "point", "Members begin at a point."}};
  return all;
}

struct ExitKind : NodeKind<ExitParams> {
  ExitKind()
      : NodeKind<ExitParams>("exit", "A box in which members vanish.",
                             {{&ExitParams::enabled, "enabled", true, Live::yes, "Whether they do."},
                              {&ExitParams::species, "species", "", Live::yes, "Species that vanishes there; empty = all."},
                              {&ExitParams::position, "position", Unit::meter, Vec3(0, 0, 0), {-1e6, 1e6}, Live::yes, "Its centre."},
                              {&ExitParams::size_m, "size", Unit::meter, Vec3(1, 1, 1), {0, 1e6}, Live::yes, "Edge lengths of the box."}}) {}
};
const ExitKind& exit_kind() {
  static const ExitKind kind;
  return kind;
}

// ---- The flock ------------------------------------------------------------------------------------------------------------------------

const ParamTable<FlockParams>& flock_params() {
  using P = FlockParams;
  static const ParamTable<P> table{
      {&P::capacity,
       "capacity",
       Unit::count,
       std::int64_t{100000},
       {1, 4e6},
       Scale::log,
       Live::no,
       "Members alive at most; births beyond it are left out."},
      {&P::home_center, "home_center", Unit::meter, Vec3(0, 1, 0), {-1e6, 1e6}, Live::yes, "Middle of the box that members stay in."},
      {&P::home_size_m, "home_size", Unit::meter, Vec3(0, 0, 0), {0, 1e6}, Live::yes, "Edge lengths of that box; 0 along an axis = no bounds there."},
      {&P::home_margin_m, "home_margin", Unit::meter, 0.5, {0, 1e4}, Scale::linear, Live::yes, "So far before the box's sides they turn back."},
      {&P::time_scale,
       "time_scale",
       Unit::ratio,
       1.0,
       {0, 10},
       Scale::linear,
       Live::yes,
       "How fast their motives change with time: wander and the beat of tails and wings; 0 = these stand still."},
  };
  return table;
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }
std::string in_mps(double speed) { return to_text(Value(speed)) + " m/s"; }

/// Index of a species by name; an error says which there are nearest.
Result<std::size_t> species_of(const FlockPlan& plan, int line, const std::string& key, const std::string& name) {
  const auto found = std::find(plan.species_names.begin(), plan.species_names.end(), name);
  if (found == plan.species_names.end())
    return wrong_value(line, key, quoted(name), "must name a species of this flock", nearest_word(name, plan.species_names));
  return static_cast<std::size_t>(found - plan.species_names.begin());
}

Result<void> check_speeds(const SpeciesParams& s, int line, const std::string& where) {
  if (s.min_speed_mps > s.max_speed_mps)
    return wrong_value(line, where + "min_speed", in_mps(s.min_speed_mps), "must not be above max_speed = " + in_mps(s.max_speed_mps));
  if (s.cruise_speed_mps < s.min_speed_mps || s.cruise_speed_mps > s.max_speed_mps)
    return wrong_value(line, where + "cruise_speed", in_mps(s.cruise_speed_mps),
                       "must lie between min_speed = " + in_mps(s.min_speed_mps) + " and max_speed = " + in_mps(s.max_speed_mps));
  return {};
}

Result<void> read_species(const Node& self, FlockPlan& plan) {
  const auto nodes = self.all("species");
  const std::string system = "system." + self.name;
  if (nodes.empty()) return wrong_value(self.line, system + ".species", "none", "a flock needs one at least");
  if (nodes.size() > most_species)
    return wrong_value(self.line, system + ".species", std::to_string(nodes.size()), "a flock has at most " + std::to_string(most_species));
  for (const Node* node : nodes) {
    plan.species.push_back(species_kind().read(*node));
    plan.species_names.push_back(node->name);
  }
  plan.hunts.assign(nodes.size(), std::vector<std::uint8_t>(nodes.size(), 0));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string where = system + ".species." + nodes[i]->name + ".";
    if (auto ok = check_speeds(plan.species[i], nodes[i]->line, where); !ok) return ok;
    for (const std::string& prey : plan.species[i].hunts) {
      const auto which = species_of(plan, nodes[i]->line, where + "hunts", prey);
      if (!which) return Unexpected(which.error());
      plan.hunts[i][*which] = 1;
    }
  }
  return {};
}

/// `name` is empty or a species of the plan.
Result<void> check_species(const FlockPlan& plan, const Node& node, const std::string& where, const std::string& name) {
  if (name.empty()) return {};
  if (auto which = species_of(plan, node.line, where + ".species", name); !which) return Unexpected(which.error());
  return {};
}

Result<void> read_goals(const Node& self, FlockPlan& plan) {
  for (const Node* node : self.all("goal")) {
    const KindOfGoal& kind = kind_of(goal_kinds(), *node);
    const Goal goal{kind.kind, kind.read(*node), node->name};
    const std::string where = "system." + self.name + ".goal." + node->name;
    if (auto ok = check_species(plan, *node, where, goal.params.species); !ok) return ok;
    const std::size_t numbers = goal.params.points.size();
    if (goal.kind == GoalKind::path && (numbers == 0 || numbers % 3 != 0))
      return wrong_value(node->line, where + ".points", std::to_string(numbers) + " numbers", "must be three a point, one point at least");
    if (goal.kind == GoalKind::body && goal.params.body.empty())
      return wrong_value(node->line, where + ".body", "\"\"", "must name a system, an element of one or a collider");
    plan.goals.push_back(goal);
  }
  return {};
}

Result<void> read_swarms(const Node& self, FlockPlan& plan) {
  for (const Node* node : self.all("swarm")) {
    const KindOfSwarm& kind = kind_of(swarm_kinds(), *node);
    plan.swarms.push_back({kind.kind, kind.read(*node), node->name});
    if (auto ok = check_species(plan, *node, "system." + self.name + ".swarm." + node->name, plan.swarms.back().params.species); !ok) return ok;
  }
  for (const Node* node : self.all("exit")) {
    plan.exits.push_back(exit_kind().read(*node));
    if (auto ok = check_species(plan, *node, "system." + self.name + ".exit." + node->name, plan.exits.back().species); !ok) return ok;
  }
  return {};
}

}  // namespace

double body_radius_m(const SpeciesParams& species) {
  switch (species.body) {
    case MemberBody::fish: return 0.15 * species.length_m;
    case MemberBody::bird:
    case MemberBody::dart: return 0.2 * species.length_m;
    case MemberBody::ball: break;
  }
  return 0.5 * species.length_m;
}

double body_mass_kg(const SpeciesParams& species) {
  const double r = body_radius_m(species);
  return species.density_kgpm3 * (4.0 / 3.0) * pi * (0.5 * species.length_m) * r * r;
}

const Schema& flock_schema() {
  static const Schema schema{"flock",
                             "A flock: members that steer by what they see of each other, of obstacles, enemies and goals, and fly or swim.",
                             flock_params().specs(),
                             {{"species", true, {&species_kind().schema}, "Kinds of member, one at least."},
                              {"swarm", true, schemas_of(swarm_kinds()), "Where members begin."},
                              {"goal", true, schemas_of(goal_kinds()), "What members make for."},
                              {"exit", true, {&exit_kind().schema}, "Where members vanish."}}};
  return schema;
}

Result<FlockPlan> read_flock(const Node& self) {
  FlockPlan plan;
  plan.params = flock_params().read(self.values);
  if (auto ok = read_species(self, plan); !ok) return Unexpected(ok.error());
  if (auto ok = read_goals(self, plan); !ok) return Unexpected(ok.error());
  if (auto ok = read_swarms(self, plan); !ok) return Unexpected(ok.error());
  return plan;
}

}  // namespace vw
