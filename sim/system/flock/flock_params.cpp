// Parameter tables of a flock, its schema, and checks of combinations of parameters.
#include "sim/system/flock/flock_params.h"

#include <algorithm>

#include "sim/base/data/node_kind.h"

namespace vw {
namespace {

using S = SpeciesParams;
using Rows = std::vector<Param<S>>;

Param<S> length(double S::*member, const char* name, const char* doc) {
  return Param<S>{.member = member, .key = name, .unit = Unit::meter, .range = {0, 1e4}, .live = Live::yes, .doc = doc};
}
Param<S> weight(double S::*member, const char* name, const char* doc) {
  return Param<S>{.member = member, .key = name, .unit = Unit::ratio, .range = {0, 100}, .live = Live::yes, .doc = doc};
}
Param<S> speed(double S::*member, const char* name, const char* doc) {
  return Param<S>{
      .member = member, .key = name, .unit = Unit::meter_per_second, .range = {0, 1e3}, .live = Live::yes, .doc = doc};
}

Rows body_rows() {
  return {
      Param<S>{.member = &S::body,
               .key = "body",
               .live = Live::yes,
               .choices = {"fish", "bird", "dart", "ball"},
               .doc = "Shape in which members are drawn. The tails of fish and the wings of birds move."},
      Param<S>{.member = &S::length_m,
               .key = "length",
               .unit = Unit::meter,
               .range = {1e-4, 1e3},
               .scale = Scale::log,
               .doc = "Length of a member from nose to tail."},
      Param<S>{.member = &S::density_kgpm3,
               .key = "density",
               .unit = Unit::kilogram_per_m3,
               .range = {1e-3, 1e5},
               .scale = Scale::log,
               .doc = "Density of a member. Together with `length`, it determines the mass."},
      Param<S>{.member = &S::color,
               .key = "color",
               .label = "Colour",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .color = true,
               .doc = "Colour in pictures, as linear red, green and blue from 0 to 1."},
      Param<S>{
          .member = &S::medium,
          .key = "medium",
          .choices = {"none", "air", "water"},
          .doc =
              "Medium in which members move. none: no medium, so that only steering moves members. air: wind and gusts "
              "carry members along. water: members swim in a fluid and stir it. Outside of the fluid, members fall."},
  };
}

Rows neighbour_rows() {
  return {
      Param<S>{.member = &S::reach_m,
               .key = "reach",
               .unit = Unit::meter,
               .range = {1e-3, 1e4},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Distance up to which a member sees other members of the flock."},
      Param<S>{.member = &S::sight_deg,
               .key = "sight",
               .unit = Unit::degree,
               .range = {1, 360},
               .live = Live::yes,
               .doc = "Full angle of the cone around the heading of a member in which it sees other members. At 360, "
                      "it sees in all directions."},
      Param<S>{
          .member = &S::neighbours,
          .key = "neighbours",
          .unit = Unit::count,
          .range = {0, 64},
          .live = Live::yes,
          .doc = "Number of nearest visible members that a member takes into account. 0 means all visible members."},
      length(&S::spacing_m, "spacing", "Distance between two members below which separation drives them apart."),
      weight(&S::separation, "separation",
             "Weight of separation, which steers a member away from members that are nearer than `spacing`."),
      weight(&S::alignment, "alignment",
             "Weight of alignment, which adapts the velocity of a member to the velocity of visible members of its "
             "species."),
      weight(&S::cohesion, "cohesion",
             "Weight of cohesion, which steers a member towards the centre of the visible members of its species."),
  };
}

Rows danger_rows() {
  return {
      weight(&S::avoidance, "avoidance", "Weight of avoidance, which steers a member around obstacles and bodies."),
      Param<S>{.member = &S::look_ahead_s,
               .key = "look_ahead",
               .unit = Unit::second,
               .range = {0, 60},
               .live = Live::yes,
               .doc = "Time by which a member looks ahead. The member avoids obstacles that it would hit within this "
                      "time, and steers towards the predicted positions of prey."},
      length(&S::clearance_m, "clearance", "Distance that members keep between their surface and obstacles."),
      weight(&S::flight, "flight",
             "Weight of flight, which steers a member away from hunters and from objects that approach faster than "
             "`fright_speed` of the interaction with these objects."),
      length(&S::flight_reach_m, "flight_reach", "Distance within which members flee from hunters."),
      Param<S>{.member = &S::hunts,
               .key = "hunts",
               .label = "Prey species",
               .live = Live::yes,
               .refers_to = "species",
               .doc = "Names of the species of the same flock that members of this species hunt. Empty means no prey."},
      weight(&S::hunt, "hunt", "Weight of the hunt, which steers a member towards prey."),
      length(&S::hunt_reach_m, "hunt_reach", "Distance up to which members of this species see prey."),
      Param<S>{.member = &S::eats,
               .key = "eats",
               .label = "Prey removal",
               .live = Live::yes,
               .doc = "Whether a member of this species removes prey that it touches."},
  };
}

Rows motive_rows() {
  return {
      weight(&S::goal, "goal",
             "Weight of steering towards the goals of the flock. Each goal multiplies it by its own `weight`."),
      weight(&S::home, "home",
             "Weight of the home box of the flock (`home_size`), which steers a member back towards the inside of the "
             "box."),
      weight(&S::wander, "wander",
             "Weight of wandering, which steers a member in a random direction. The direction changes gradually."),
      Param<S>{.member = &S::wander_hz,
               .key = "wander_rate",
               .unit = Unit::hertz,
               .range = {0, 100},
               .live = Live::yes,
               .doc = "Number of times per second that the random direction of wandering changes."},
      Param<S>{.member = &S::budget,
               .key = "budget",
               .live = Live::yes,
               .choices = {"prioritised", "weighted"},
               .doc = "Division of `max_acceleration` among the steering motives. prioritised: the motives act in the "
                      "order avoidance, flight, separation, hunt, alignment, cohesion, goal, home, wander, cruise, "
                      "until the acceleration is used up. weighted: all motives act in proportion to their weights."},
  };
}

Rows motion_rows() {
  return {
      Param<S>{.member = &S::max_acceleration_mps2,
               .key = "max_acceleration",
               .unit = Unit::meter_per_second2,
               .range = {0, 1e4},
               .live = Live::yes,
               .doc = "Largest acceleration of a member by its own steering. A steering motive with the weight 1 can "
                      "demand all of this acceleration."},
      speed(&S::min_speed_mps, "min_speed", "Smallest speed of a member relative to the surrounding air or water."),
      speed(&S::cruise_speed_mps, "cruise_speed",
            "Speed relative to the surrounding air or water that a member keeps if no steering motive demands another "
            "speed."),
      speed(&S::max_speed_mps, "max_speed", "Largest speed of a member relative to the surrounding air or water."),
      Param<S>{.member = &S::turn_rate_radps,
               .key = "turn_rate",
               .unit = Unit::radian_per_second,
               .range = {0, 1e3},
               .live = Live::yes,
               .doc = "Largest angular velocity at which a member changes its heading."},
      Param<S>{.member = &S::climb_deg,
               .key = "climb",
               .label = "Steepest climb",
               .unit = Unit::degree,
               .range = {0, 90},
               .live = Live::yes,
               .doc = "Largest angle to the horizontal at which a member climbs or descends."},
      Param<S>{.member = &S::banking,
               .key = "banking",
               .unit = Unit::ratio,
               .range = {0, 10},
               .live = Live::yes,
               .doc = "Bank angle of members in turns, as a multiple of the angle of a coordinated turn, in which lift "
                      "balances weight and centrifugal force. It affects only the picture. 0 means no banking."},
      Param<S>{.member = &S::carry_s,
               .key = "carry",
               .label = "Carry time",
               .unit = Unit::second,
               .range = {1e-3, 1e3},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Time constant with which the velocity of a member adapts to wind or currents. Velocity that a "
                      "member gains from pushes decays with the same time constant."},
  };
}

struct SpeciesKind : NodeKind<S> {
  SpeciesKind()
      : NodeKind<S>("species", "A species of the flock: shape, perception, steering and motion of its members.",
                    {body_rows(), neighbour_rows(), danger_rows(), motive_rows(), motion_rows()}) {}
};
const SpeciesKind& species_kind() {
  static const SpeciesKind kind;
  return kind;
}

// ---- Goals ----

using G = GoalParams;

std::vector<Param<G>> goal_rows() {
  return {
      Param<G>{.member = &G::enabled,
               .key = "enabled",
               .live = Live::yes,
               .doc = "Whether members steer towards this goal."},
      Param<G>{.member = &G::species,
               .key = "species",
               .live = Live::yes,
               .refers_to = "species",
               .doc = "Name of the species that steers towards this goal. Empty means all species."},
      Param<G>{.member = &G::weight,
               .key = "weight",
               .unit = Unit::ratio,
               .range = {-100, 100},
               .live = Live::yes,
               .doc = "Factor by which the weight `goal` of the species is multiplied for this goal. Negative values "
                      "steer members away from the goal."},
  };
}
Param<G> radius_row(const char* doc) {
  return Param<G>{
      .member = &G::radius_m, .key = "radius", .unit = Unit::meter, .range = {0, 1e4}, .live = Live::yes, .doc = doc};
}

struct KindOfGoal : NodeKind<G> {
  KindOfGoal(GoalKind which, const char* name, const char* doc, const ParamTable<G>& own)
      : NodeKind<G>(name, doc, ParamTable<G>{goal_rows(), own}), kind(which) {}
  GoalKind kind;
};
const std::vector<KindOfGoal>& goal_kinds() {
  static const std::vector<KindOfGoal> all{
      {GoalKind::body,
       "body",
       "Members follow a collider, a system or one element of a system.",
       {Param<G>{.member = &G::body,
                 .key = "body",
                 .live = Live::yes,
                 .refers_to = "system",
                 .doc = "Body to follow: the name of a collider, of a system (its centre of mass) or of an element of "
                        "a system, such as \"raft.deck\" or \"raft.17\"."},
        radius_row("Distance that members keep from the body, measured from a sphere around the body.")}},
      {GoalKind::path,
       "path",
       "Members follow a path through several points. Each member advances along the path independently of others.",
       {Param<G>{.member = &G::points,
                 .key = "points",
                 .unit = Unit::meter,
                 .range = {-1e6, 1e6},
                 .live = Live::yes,
                 .doc = "Coordinates x, y and z of each point of the path, in one list."},
        Param<G>{.member = &G::loop,
                 .key = "loop",
                 .live = Live::yes,
                 .doc = "Whether the path is closed, so that members follow it repeatedly. If off, the path ends at "
                        "the last point."},
        radius_row("Distance from a point of the path at which a member begins to steer towards the next point.")}},
      {GoalKind::point,
       "point",
       "Members steer towards a point.",
       {Param<G>{.member = &G::position,
                 .key = "position",
                 .unit = Unit::meter,
                 .range = {-1e6, 1e6},
                 .live = Live::yes,
                 .doc = "Position of the point towards which members steer."},
        radius_row("Distance from the point within which a member has arrived and stops steering towards it.")}},
  };
  return all;
}

// ---- Swarms and exits ----

using W = SwarmParams;

ParamTable<W> place_rows() {
  return {
      Param<W>{.member = &W::enabled,
               .key = "enabled",
               .live = Live::yes,
               .doc = "Whether this swarm adds members to the flock."},
      Param<W>{.member = &W::species,
               .key = "species",
               .refers_to = "species",
               .doc = "Name of the species of new members. Empty means the first species of the flock."},
      Param<W>{.member = &W::position,
               .key = "position",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .live = Live::yes,
               .doc = "Centre of the region where members start."},
  };
}

ParamTable<W> region_rows(SwarmKind kind) {
  switch (kind) {
    case SwarmKind::ball: return {shape_params(ShapeKind::sphere, Live::yes, Smallest::zero)};
    case SwarmKind::box: return {shape_params(ShapeKind::box, Live::yes, Smallest::zero)};
    case SwarmKind::point: break;
  }
  return {};
}

std::vector<Param<W>> birth_rows() {
  return {
      Param<W>{.member = &W::count,
               .key = "count",
               .unit = Unit::count,
               .range = {0, 1e6},
               .doc = "Number of members that the swarm adds at the start of the simulation."},
      Param<W>{.member = &W::rate,
               .key = "rate",
               .unit = Unit::per_second,
               .range = {0, 1e5},
               .live = Live::yes,
               .doc = "Number of members that the swarm adds per second, in addition to `count`."},
      Param<W>{.member = &W::start_s,
               .key = "start",
               .unit = Unit::second,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Time at which the swarm begins to add members at `rate`."},
      Param<W>{.member = &W::duration_s,
               .key = "duration",
               .unit = Unit::second,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Time for which the swarm adds members at `rate`. 0 means no limit."},
      Param<W>{.member = &W::lifetime_s,
               .key = "lifetime",
               .unit = Unit::second,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Age at which a member is removed. 0 means never. A change applies only to members that are "
                      "added later."},
      Param<W>{.member = &W::heading,
               .key = "heading",
               .range = {-1e3, 1e3},
               .live = Live::yes,
               .doc = "Mean heading of new members. The length of the vector has no effect. At (0, 0, 0), each member "
                      "has a random heading."},
      Param<W>{.member = &W::spread,
               .key = "spread",
               .unit = Unit::radian,
               .range = {0, pi},
               .live = Live::yes,
               .doc = "Largest angle between the heading of a new member and `heading`. The headings are distributed "
                      "uniformly over the cone with this half angle. At pi, members head in all directions."},
      Param<W>{.member = &W::speed_mps,
               .key = "speed",
               .unit = Unit::meter_per_second,
               .range = {-1, 1e3},
               .live = Live::yes,
               .doc = "Initial speed of new members. A negative value means the cruise speed of the species."},
      Param<W>{.member = &W::seed,
               .key = "seed",
               .range = {0, 9007199254740991.0},
               .doc = "Seed of the random positions and headings of members. 0 means that the seed is derived from the "
                      "seed of the world and the name of the swarm."},
  };
}

struct KindOfSwarm : NodeKind<W> {
  KindOfSwarm(SwarmKind which, const char* name, const char* doc)
      : NodeKind<W>(name, doc, {place_rows(), region_rows(which), birth_rows()}), kind(which) {}
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
            {Param<ExitParams>{.member = &ExitParams::enabled,
                               .key = "enabled",
                               .live = Live::yes,
                               .doc = "Whether the exit removes members that enter its box."},
             Param<ExitParams>{.member = &ExitParams::species,
                               .key = "species",
                               .live = Live::yes,
                               .refers_to = "species",
                               .doc = "Name of the species whose members the exit removes. Empty means all species."},
             Param<ExitParams>{.member = &ExitParams::position,
                               .key = "position",
                               .unit = Unit::meter,
                               .range = {-1e6, 1e6},
                               .live = Live::yes,
                               .doc = "Centre of the box in which members are removed."},
             Param<ExitParams>{.member = &ExitParams::size_m,
                               .key = "size",
                               .unit = Unit::meter,
                               .range = {0, 1e6},
                               .live = Live::yes,
                               .doc = "Edge lengths of the box in which members are removed."}}) {}
};
const ExitKind& exit_kind() {
  static const ExitKind kind;
  return kind;
}

// ---- Flock ----

const ParamTable<FlockParams>& flock_params() {
  using P = FlockParams;
  static const ParamTable<P> table{
      Param<P>{.member = &P::capacity,
               .key = "capacity",
               .unit = Unit::count,
               .range = {1, 4e6},
               .scale = Scale::log,
               .doc = "Largest number of members that live at the same time. While the flock has this number, no "
                      "members are added."},
      Param<P>{.member = &P::home_center,
               .key = "home_center",
               .label = "Home centre",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .live = Live::yes,
               .doc = "Centre of the home box. Members near its sides and outside of it steer back inwards."},
      Param<P>{.member = &P::home_size_m,
               .key = "home_size",
               .unit = Unit::meter,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Edge lengths of the home box, into which members steer back. Along an axis with the length 0, "
                      "the box has no limits."},
      Param<P>{.member = &P::home_margin_m,
               .key = "home_margin",
               .unit = Unit::meter,
               .range = {0, 1e4},
               .live = Live::yes,
               .doc = "Distance from the sides of the home box, measured inwards, at which members begin to turn back. "
                      "Values above half of an edge of the box act as half of the edge."},
      Param<P>{.member = &P::time_scale,
               .key = "time_scale",
               .unit = Unit::ratio,
               .range = {0, 10},
               .live = Live::yes,
               .doc = "Factor by which two rates are multiplied: `wander_rate` of the species, and the rate at which "
                      "tails and wings beat. At 0, the wander direction does not change, and tails and wings do not "
                      "beat. The factor does not affect the speed of members."},
  };
  return table;
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }
std::string in_mps(double speed) { return to_text(Value(speed)) + " m/s"; }

/// Returns the index of the species `name`. The error suggests the most similar name.
Result<std::size_t> species_named(const FlockPlan& plan, int line, const std::string& key, const std::string& name) {
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
  if (nodes.empty()) return wrong_value(self.line, system + ".species", "none", "must have at least one species");
  if (nodes.size() > most_species)
    return wrong_value(self.line, system + ".species", std::to_string(nodes.size()),
                       "must have at most " + std::to_string(most_species) + " species");
  for (const Node* node : nodes) {
    plan.species.push_back(species_kind().read(*node));
    plan.species_names.push_back(node->name);
  }
  plan.hunts.assign(nodes.size(), std::vector<std::uint8_t>(nodes.size(), 0));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string where = system + ".species." + nodes[i]->name + ".";
    if (auto ok = check_speeds(plan.species[i], nodes[i]->line, where); !ok) return ok;
    for (const std::string& prey : plan.species[i].hunts) {
      const auto which = species_named(plan, nodes[i]->line, where + "hunts", prey);
      if (!which) return Unexpected(which.error());
      plan.hunts[i][*which] = 1;
    }
  }
  return {};
}

/// Checks that `name` is empty or a species of the plan.
Result<void> check_species(const FlockPlan& plan, const Node& node, const std::string& where, const std::string& name) {
  if (name.empty()) return {};
  if (auto which = species_named(plan, node.line, where + ".species", name); !which) return Unexpected(which.error());
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
  static const Schema schema{
      "flock",
      "A flock of animals. Its members react to neighbours, obstacles, hunters, prey and goals.",
      flock_params().specs(),
      {{.name = "species",
        .kinds = {&species_kind().schema},
        .doc =
            "Species of the members. A flock needs at least one. If a species is removed during a run, its members are "
            "removed.",
        .is_live = true},
       {.name = "swarm", .kinds = schemas_of(swarm_kinds()), .doc = "Places where members start.", .is_live = true},
       {.name = "goal", .kinds = schemas_of(goal_kinds()), .doc = "Goals that members steer towards.", .is_live = true},
       {.name = "exit",
        .kinds = {&exit_kind().schema},
        .doc = "Boxes in which members are removed.",
        .is_live = true}}};
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
