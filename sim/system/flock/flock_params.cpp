// Parameter tables of a flock, its schema, and checks of combinations of parameters.
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
      {&S::body,
       "body",
       MemberBody::dart,
       {"fish", "bird", "dart", "ball"},
       Live::yes,
       "Displayed body of a member; the tails of fish and the "
       "wings of birds move."},
      {&S::length_m,
       "length",
       Unit::meter,
       0.2,
       {1e-4, 1e3},
       Scale::log,
       Live::no,
       "Length of the body from nose to tail."},
      {&S::density_kgpm3,
       "density",
       Unit::kilogram_per_m3,
       1000.0,
       {1e-3, 1e5},
       Scale::log,
       Live::no,
       "Density of the body, which determines its mass together with the length."},
      {&S::color,
       "color",
       Unit::ratio,
       Vec3(0.25, 0.5, 0.9),
       {0, 1},
       Live::yes,
       "Colour, linear red, green, blue.",
       ParamType::color},
      {&S::medium,
       "medium",
       SpeciesMedium::none,
       {"none", "air", "water"},
       Live::no,
       "Medium that carries the members. none: only the steering rules apply; air: wind and gusts carry them; water: "
       "they swim in it, stir it "
       "and fall outside it."},
  };
}

Rows neighbour_rows() {
  return {
      {&S::reach_m,
       "reach",
       Unit::meter,
       1.0,
       {1e-3, 1e4},
       Scale::log,
       Live::yes,
       "Distance up to which members see others of the flock."},
      {&S::sight_deg,
       "sight",
       Unit::none,
       300.0,
       {1, 360},
       Scale::linear,
       Live::yes,
       "Full angle [deg] of the cone around the heading in which members see others; 360: all directions."},
      {&S::neighbours,
       "neighbours",
       Unit::count,
       std::int64_t{0},
       {0, 64},
       Scale::linear,
       Live::yes,
       "Number of nearest visible neighbours that a member takes into account; 0: all."},
      length(&S::spacing_m, "spacing", 0.3, "Distance to others of the flock below which separation acts."),
      weight(&S::separation, "separation", 1.5, "Weight of separation from neighbours nearer than the spacing."),
      weight(&S::alignment, "alignment", 1.0,
             "Weight of alignment with the velocity of neighbours of the same species."),
      weight(&S::cohesion, "cohesion", 0.6, "Weight of cohesion towards the centre of neighbours of the same species."),
  };
}

Rows danger_rows() {
  return {
      weight(&S::avoidance, "avoidance", 3.0, "Weight of avoiding obstacles and bodies."),
      {&S::look_ahead_s,
       "look_ahead",
       Unit::second,
       1.0,
       {0, 60},
       Scale::linear,
       Live::yes,
       "Time ahead within which obstacles are avoided and positions of others are predicted."},
      length(&S::clearance_m, "clearance", 0.1, "Distance kept from obstacles, beyond the body's radius."),
      weight(&S::flight, "flight", 2.0, "Weight of flight from hunters and from falling objects."),
      length(&S::flight_reach_m, "flight_reach", 2.0, "Distance at which members flee from hunters."),
      {&S::hunts, "hunts", Live::yes, "Species of this flock that it hunts."},
      weight(&S::hunt, "hunt", 1.0, "Weight of chasing prey."),
      length(&S::hunt_reach_m, "hunt_reach", 4.0, "Distance at which members see prey."),
      {&S::eats, "eats", false, Live::yes, "Prey that a member touches is removed."},
  };
}

Rows motive_rows() {
  return {
      weight(&S::goal, "goal", 0.5, "Weight of the flock's goals."),
      weight(&S::home, "home", 1.0, "Weight of staying in the flock's home."),
      weight(&S::wander, "wander", 0.3, "Weight of wandering in a random direction that changes with noise."),
      {&S::wander_hz,
       "wander_rate",
       Unit::hertz,
       0.5,
       {0, 100},
       Scale::linear,
       Live::yes,
       "Frequency at which the wander direction changes."},
      {&S::budget,
       "budget",
       Budget::prioritised,
       {"prioritised", "weighted"},
       Live::yes,
       "How motives share the largest acceleration. prioritised: in the order avoidance, flight, separation, hunt, "
       "alignment, cohesion, goal, "
       "home, wander until it is used up; weighted: all in proportion to their weights."},
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
       "Largest acceleration of a member. A motive of weight 1 at full strength uses all of it."},
      speed(&S::min_speed_mps, "min_speed", 0.5, "Smallest speed relative to the medium."),
      speed(&S::cruise_speed_mps, "cruise_speed", 1.5, "Preferred speed relative to the medium."),
      speed(&S::max_speed_mps, "max_speed", 3.0, "Largest speed relative to the medium."),
      {&S::turn_rate_radps,
       "turn_rate",
       Unit::radian_per_second,
       6.0,
       {0, 1e3},
       Scale::linear,
       Live::yes,
       "Largest turn rate."},
      {&S::climb_deg,
       "climb",
       Unit::none,
       60.0,
       {0, 90},
       Scale::linear,
       Live::yes,
       "Steepest angle of climb or descent [deg]."},
      {&S::banking,
       "banking",
       Unit::ratio,
       1.0,
       {0, 10},
       Scale::linear,
       Live::yes,
       "Bank angle in turns, for display only. 1: that of a balanced turn; 0: upright."},
      {&S::carry_s,
       "carry",
       Unit::second,
       0.3,
       {1e-3, 1e3},
       Scale::log,
       Live::yes,
       "Time constant with which the medium carries a member along, and with which impulses from outside decay."},
  };
}

struct SpeciesKind : NodeKind<S> {
  SpeciesKind()
      : NodeKind<S>("species", "A kind of member with its body, perception, motives and motion.",
                    joined(joined(joined(joined(body_rows(), neighbour_rows()), danger_rows()), motive_rows()),
                           motion_rows())) {}
};
const SpeciesKind& species_kind() {
  static const SpeciesKind kind;
  return kind;
}

// ---- Goals ----

using G = GoalParams;

std::vector<Param<G>> goal_rows() {
  return {
      {&G::enabled, "enabled", true, Live::yes, "Members steer towards this goal."},
      {&G::species, "species", "", Live::yes, "Species with this goal; empty: all."},
      {&G::weight,
       "weight",
       Unit::ratio,
       1.0,
       {-100, 100},
       Scale::linear,
       Live::yes,
       "Factor on the species' goal weight; negative values steer away from the goal."},
  };
}
Param<G> radius_row(const char* doc) {
  return {&G::radius_m, "radius", Unit::meter, 0.5, {0, 1e4}, Scale::linear, Live::yes, doc};
}

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
         "Body to follow: a collider, a system (its centre of mass) or an element of a system, such as \"raft.deck\" "
         "or \"raft.17\"."},
        radius_row("Distance kept from the body.")}},
      {GoalKind::path,
       "path",
       "Members follow a path of points, each member at its own pace.",
       {{&G::points, "points", Unit::meter, {-1e6, 1e6}, Live::yes, "Points of the path: x, y, z of each."},
        {&G::loop, "loop", true, Live::yes, "The path is closed; else members stay at the last point."},
        radius_row("Distance at which a point is reached and the next one follows.")}},
      {GoalKind::point,
       "point",
       "Members steer towards a point.",
       {{&G::position, "position", Unit::meter, Vec3(0, 1, 0), {-1e6, 1e6}, Live::yes, "Position of the point."},
        radius_row("Distance at which the point is reached.")}},
  };
  return all;
}

// ---- Swarms and exits ----

using W = SwarmParams;

std::vector<Param<W>> place_rows(SwarmKind kind) {
  std::vector<Param<W>> rows{
      {&W::enabled, "enabled", true, Live::yes, "New members are born in this swarm."},
      {&W::species, "species", "", Live::no, "Species of the members; empty: the first of the flock."},
      {&W::position, "position", Unit::meter, Vec3(0, 1, 0), {-1e6, 1e6}, Live::yes, "Centre."},
  };
  if (kind == SwarmKind::ball)
    rows.push_back(
        {&W::radius_m, "radius", Unit::meter, 0.5, {0, 1e4}, Scale::linear, Live::yes, "Radius of the ball."});
  if (kind == SwarmKind::box)
    rows.push_back({&W::size_m, "size", Unit::meter, Vec3(1, 1, 1), {0, 1e4}, Live::yes, "Edge lengths of the box."});
  return rows;
}

std::vector<Param<W>> birth_rows() {
  return {
      {&W::count,
       "count",
       Unit::count,
       std::int64_t{100},
       {0, 1e6},
       Scale::linear,
       Live::no,
       "Number of members at the start."},
      {&W::rate,
       "rate",
       Unit::per_second,
       0.0,
       {0, 1e5},
       Scale::linear,
       Live::yes,
       "Members born per second after the start."},
      {&W::start_s,
       "start",
       Unit::second,
       0.0,
       {0, 1e6},
       Scale::linear,
       Live::yes,
       "Time at which births at the rate begin."},
      {&W::duration_s,
       "duration",
       Unit::second,
       0.0,
       {0, 1e6},
       Scale::linear,
       Live::yes,
       "Duration of births at the rate; 0: unlimited."},
      {&W::lifetime_s,
       "lifetime",
       Unit::second,
       0.0,
       {0, 1e6},
       Scale::linear,
       Live::yes,
       "Age at which members are removed; applies to members "
       "born later. 0: never."},
      {&W::heading,
       "heading",
       Unit::none,
       Vec3(1, 0, 0),
       {-1e3, 1e3},
       Live::yes,
       "Initial heading (any length); 0: a random direction for each member."},
      {&W::spread,
       "spread",
       Unit::radian,
       0.3,
       {0, pi},
       Scale::linear,
       Live::yes,
       "Half angle of the cone of initial headings, filled uniformly; pi: all directions."},
      {&W::speed_mps,
       "speed",
       Unit::meter_per_second,
       -1.0,
       {-1, 1e3},
       Scale::linear,
       Live::yes,
       "Speed at birth; negative: the cruising speed."},
      {&W::seed,
       "seed",
       Unit::none,
       std::int64_t{0},
       {0, 9007199254740991.0},
       Scale::linear,
       Live::no,
       "Seed of the random numbers; 0: from the world's seed and the swarm's name."},
  };
}

struct KindOfSwarm : NodeKind<W> {
  KindOfSwarm(SwarmKind which, const char* name, const char* doc)
      : NodeKind<W>(name, doc, joined(place_rows(which), birth_rows())), kind(which) {}
  SwarmKind kind;
};
const std::vector<KindOfSwarm>& swarm_kinds() {
  static const std::vector<KindOfSwarm> all{{SwarmKind::ball, "ball", "Members start anywhere in a ball."},
                                            {SwarmKind::box, "box", "Members start anywhere in a box."},
                                            {SwarmKind::point, "point", "Members start at a point."}};
  return all;
}

struct ExitKind : NodeKind<ExitParams> {
  ExitKind()
      : NodeKind<ExitParams>(
            "exit", "A box in which members are removed.",
            {{&ExitParams::enabled, "enabled", true, Live::yes, "The exit removes members."},
             {&ExitParams::species, "species", "", Live::yes, "Species that is removed there; empty: all."},
             {&ExitParams::position, "position", Unit::meter, Vec3(0, 0, 0), {-1e6, 1e6}, Live::yes, "Centre."},
             {&ExitParams::size_m,
              "size",
              Unit::meter,
              Vec3(1, 1, 1),
              {0, 1e6},
              Live::yes,
              "Edge lengths of the box."}}) {}
};
const ExitKind& exit_kind() {
  static const ExitKind kind;
  return kind;
}

// ---- Flock ----

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
       "Largest number of living members. No members are born beyond it."},
      {&P::home_center,
       "home_center",
       Unit::meter,
       Vec3(0, 1, 0),
       {-1e6, 1e6},
       Live::yes,
       "Centre of the box in which members stay."},
      {&P::home_size_m,
       "home_size",
       Unit::meter,
       Vec3(0, 0, 0),
       {0, 1e6},
       Live::yes,
       "Edge lengths of the home box; 0: unbounded along that "
       "axis."},
      {&P::home_margin_m,
       "home_margin",
       Unit::meter,
       0.5,
       {0, 1e4},
       Scale::linear,
       Live::yes,
       "Distance before the sides of the home box at "
       "which members turn back."},
      {&P::time_scale,
       "time_scale",
       Unit::ratio,
       1.0,
       {0, 10},
       Scale::linear,
       Live::yes,
       "Factor on the speed of wandering and of the beat of tails and wings; 0: these stand still."},
  };
  return table;
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }
std::string in_mps(double speed) { return to_text(Value(speed)) + " m/s"; }

/// Index of a species by name. The error suggests the most similar name.
Result<std::size_t> species_of(const FlockPlan& plan, int line, const std::string& key, const std::string& name) {
  const auto found = std::find(plan.species_names.begin(), plan.species_names.end(), name);
  if (found == plan.species_names.end())
    return wrong_value(line, key, quoted(name), "must name a species of this flock",
                       nearest_word(name, plan.species_names));
  return static_cast<std::size_t>(found - plan.species_names.begin());
}

Result<void> check_speeds(const SpeciesParams& s, int line, const std::string& where) {
  if (s.min_speed_mps > s.max_speed_mps)
    return wrong_value(line, where + "min_speed", in_mps(s.min_speed_mps),
                       "must not be above max_speed = " + in_mps(s.max_speed_mps));
  if (s.cruise_speed_mps < s.min_speed_mps || s.cruise_speed_mps > s.max_speed_mps)
    return wrong_value(
        line, where + "cruise_speed", in_mps(s.cruise_speed_mps),
        "must lie between min_speed = " + in_mps(s.min_speed_mps) + " and max_speed = " + in_mps(s.max_speed_mps));
  return {};
}

Result<void> read_species(const Node& self, FlockPlan& plan) {
  const auto nodes = self.all("species");
  const std::string system = "system." + self.name;
  if (nodes.empty()) return wrong_value(self.line, system + ".species", "none", "expected at least one species");
  if (nodes.size() > most_species)
    return wrong_value(self.line, system + ".species", std::to_string(nodes.size()),
                       "expected at most " + std::to_string(most_species) + " species");
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

/// Checks that `name` is empty or a species of the plan.
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
      return wrong_value(node->line, where + ".points", std::to_string(numbers) + " numbers",
                         "must have three numbers per point and at least one point");
    if (goal.kind == GoalKind::body && goal.params.body.empty())
      return wrong_value(node->line, where + ".body", "\"\"",
                         "must name a collider, a system or an element of a system");
    plan.goals.push_back(goal);
  }
  return {};
}

Result<void> read_swarms(const Node& self, FlockPlan& plan) {
  for (const Node* node : self.all("swarm")) {
    const KindOfSwarm& kind = kind_of(swarm_kinds(), *node);
    plan.swarms.push_back({kind.kind, kind.read(*node), node->name});
    if (auto ok = check_species(plan, *node, "system." + self.name + ".swarm." + node->name,
                                plan.swarms.back().params.species);
        !ok)
      return ok;
  }
  for (const Node* node : self.all("exit")) {
    plan.exits.push_back(exit_kind().read(*node));
    if (auto ok = check_species(plan, *node, "system." + self.name + ".exit." + node->name, plan.exits.back().species);
        !ok)
      return ok;
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
                             "A flock whose members steer by neighbours, obstacles, hunters, prey and goals.",
                             flock_params().specs(),
                             {{"species", true, {&species_kind().schema}, "Kinds of member; at least one."},
                              {"swarm", true, schemas_of(swarm_kinds()), "Places where members start."},
                              {"goal", true, schemas_of(goal_kinds()), "Goals that members steer towards."},
                              {"exit", true, {&exit_kind().schema}, "Boxes in which members are removed."}}};
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
