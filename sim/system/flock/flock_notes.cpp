#include "sim/system/flock/flock_notes.h"

#include <algorithm>

#include <fmt/format.h>

namespace vw {
namespace {

/// Returns whether the flock knows the position of the system or collider `name`. The position of a system is known if
/// a rule couples the system with the flock. A name that no system has is taken for a collider, whose position is
/// always known.
bool is_known(const Setup& setup, std::string_view name) {
  const auto has_name = [name](const System* system) { return system->name() == name; };
  return std::ranges::none_of(setup.systems, has_name) || std::ranges::any_of(setup.coupled, has_name);
}

}  // namespace

std::vector<std::string> flock_notes(const std::string& name, const FlockPlan& plan, const Setup& setup) {
  std::vector<std::string> notes;
  for (const Goal& goal : plan.goals) {
    const std::string followed = goal.params.body.substr(0, goal.params.body.find('.'));
    if (goal.kind == GoalKind::body && !is_known(setup, followed))
      notes.push_back(
          fmt::format("{}: no member follows the goal {}, because no enabled rule couples {} with {}. Add or "
                      "enable a rule between the two",
                      name, goal.name, name, followed));
  }
  if (std::ranges::any_of(setup.coupled, &System::is_liquid)) return notes;
  for (std::size_t s = 0; s < plan.species.size(); ++s)
    if (plan.species[s].medium == SpeciesMedium::water)
      notes.push_back(
          fmt::format("{}: species {} has medium = \"water\", but no enabled rule couples {} with a fluid, so its "
                      "members fall. Add a fluid, or set medium = \"none\" or \"air\"",
                      name, plan.species_names[s], name));
  return notes;
}

}  // namespace vw
