#include "sim/interaction/flock/flock_flock.h"

#include <algorithm>

namespace vw {

const ParamTable<FlockFlockParams>& flock_flock_params() {
  using P = FlockFlockParams;
  static const ParamTable<P> table{
      rule_params("Whether the two flocks react to each other."),
      Param<P>{.member = &P::hunter,
               .key = "hunter",
               .live = Live::yes,
               .choices = {"none", "a", "b"},
               .doc = "Flock that hunts the other. Species of the hunting flock use their `hunt` and `hunt_reach`, and "
                      "species of the hunted flock use their `flight` and `flight_reach`. none: the members of the two "
                      "flocks avoid each other. a: the flock that `a` names hunts. b: the flock that `b` names hunts. "
                      "If `a` and `b` are empty, a is the flock whose name is first in alphabetical order."},
      Param<P>{.member = &P::eats,
               .key = "eats",
               .label = "Prey removal",
               .live = Live::yes,
               .doc = "Whether members of the hunted flock are removed when a hunter reaches them."},
  };
  return table;
}

const Schema& flock_flock_schema() {
  static const Schema schema{"flock_flock",
                             "Two flocks avoid each other, or one flock hunts the other.",
                             flock_flock_params().specs(),
                             {},
                             "Two flocks"};
  return schema;
}

/// Returns the role of `flock` towards `other`. `first` is set if the name of `flock` precedes that of `other` in
/// alphabetical order. If the parameters `a` and `b` are empty, the first flock in that order is flock a.
FlockFlock::Role FlockFlock::role_of(const System& flock, const System& other, bool first) const {
  if (params_.hunter == Hunter::none) return Role::equal;
  const bool is_a =
      params_.a.empty() && params_.b.empty() ? first : params_.a == flock.name() || params_.b == other.name();
  return is_a == (params_.hunter == Hunter::a) ? Role::hunts : Role::hunted;
}

void FlockFlock::tell(FlockSystem& flock, const FlockSystem& other, double age, Role role) const {
  offer_marks(flock, other, age);
  const Elements& rows = other.elements();
  const Box3 minded = minded_by(flock, 0);
  FlockBalls balls;
  balls.solid = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Vec3 place = rows.position[i] + age * rows.velocity[i];
    if (minded.isEmpty() || !minded.contains(place)) continue;
    if (role == Role::equal) {
      balls.position.push_back(place), balls.velocity.push_back(rows.velocity[i]),
          balls.radius.push_back(rows.radius[i]);
    } else {
      auto& strangers = role == Role::hunts ? flock.around().lures : flock.around().threats;
      strangers.push_back({place, rows.velocity[i], rows.radius[i]});
    }
  }
  if (!balls.position.empty()) flock.around().balls.push_back(std::move(balls));
}

void FlockFlock::prepare(System& a, System& b, const PairContext& context) {
  auto &one = static_cast<FlockSystem&>(a), &two = static_cast<FlockSystem&>(b);
  if (context.age_a == 0) tell(one, two, context.age_b, role_of(one, two, true));
  if (context.age_b == 0) tell(two, one, context.age_a, role_of(two, one, false));
}

/// Removes each prey whose surface is nearer to the centre of a hunter than half the length of the hunter. This
/// function is called once per substep of the hunters.
void FlockFlock::eat(const FlockSystem& hunters, FlockSystem& hunted) {
  const Elements &hunt = hunters.elements(), &prey = hunted.elements();
  if (hunt.size() == 0 || prey.size() == 0) return;
  const auto half_length = [&](std::size_t h) {
    return 0.5 * hunters.plan().species[hunters.rows().species[h]].length_m;
  };
  double longest = 0;
  for (const SpeciesParams& species : hunters.plan().species) longest = std::max(longest, 0.5 * species.length_m);
  grid_.build(hunt.position, longest + *std::max_element(prey.radius.begin(), prey.radius.end()));
  eaten_.clear();
  for (std::size_t i = 0; i < prey.size(); ++i) {
    bool caught = false;
    grid_.near(prey.position[i], [&](std::uint32_t h) {
      const double touch = half_length(h) + prey.radius[i];
      caught = caught || (hunt.position[h] - prey.position[i]).squaredNorm() <= touch * touch;
    });
    if (caught) eaten_.push_back(static_cast<std::uint32_t>(i));
  }
  if (!eaten_.empty()) hunted.remove(eaten_);
}

void FlockFlock::apply(System& a, System& b, const PairContext& context) {
  if (!params_.eats || params_.hunter == Hunter::none) return;
  auto &one = static_cast<FlockSystem&>(a), &two = static_cast<FlockSystem&>(b);
  const bool a_hunts = role_of(one, two, true) == Role::hunts;
  if ((a_hunts ? context.age_a : context.age_b) > 0) return;
  eat(a_hunts ? one : two, a_hunts ? two : one);
}

}  // namespace vw
