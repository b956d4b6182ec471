#include "sim/world/caution.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/system/flock/flock.h"
#include "sim/system/fluid/fluid.h"
#include "sim/world/parts.h"

namespace vw {
namespace {

struct Case {
  std::string_view total;
  std::string_view sentence;  ///< after "NAME: COUNT "
};
constexpr std::array<Case, 7> cases{
    {{"fast",
      "went by an obstacle by more than half its width in one step, which interference may miss: detection = \"swept\" or a shorter collision_dt "
      "sees all"},
     {"stiff",
      "met a repulsion that is too stiff for the step where they were, and may be shot off: more subdivisions, a weaker repulsion_gain or a shorter "
      "collision_dt help"},
     {"capped", "stopped for a step, with no way out between obstacles"},
     {"left_domain", "left the domain and were removed: a larger domain_size keeps them, a tank without gaps too"},
     {"not_placed", "of its fills would have overlapped an obstacle or each other and were left out"},
     {"refused", "found no room to be born: obstacles or others were too near, or the capacity was reached"},
     {"slowed", "were held back where pressures would have thrown them: they were pressed together, at the start or by an obstacle"}}};

}  // namespace

std::vector<std::string> Cautions::note(const std::string& system, std::span<const Total> totals) {
  std::vector<std::string> out;
  for (const Total& total : totals)
    for (const Case& one : cases) {
      if (total.name != one.total || !(total.value > 0) || !told_.emplace(system, std::string(total.name)).second) continue;
      const std::string_view who = total.name == "refused" ? "member" : "particle";
      out.push_back(fmt::format("{}: {} {}{} {}", system, total.value, who, total.value == 1 ? "" : "s", one.sentence));
    }
  return out;
}

namespace {

/// Whether an enabled rule tells the flock of the system of that name: what is no system, a collider, needs none.
bool is_told_of(const WorldParts& parts, std::size_t flock, std::string_view name) {
  bool is_system = false;
  for (const auto& system : parts.systems) is_system = is_system || system->name() == name;
  const auto tells = [&](const Rule& rule) {
    const bool joins = rule.pair.a == flock || rule.pair.b == flock;
    return joins && rule.interaction->enabled() && parts.systems[rule.pair.a == flock ? rule.pair.b : rule.pair.a]->name() == name;
  };
  return !is_system || std::any_of(parts.rules.begin(), parts.rules.end(), tells);
}

}  // namespace

std::vector<std::string> notes_on_systems(const WorldParts& parts) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < parts.systems.size(); ++i) {
    if (const auto* fluid = dynamic_cast<const FluidSystem*>(parts.systems[i].get()))
      for (const std::string& note : fluid->notes()) out.push_back(note);
    const auto* flock = dynamic_cast<const FlockSystem*>(parts.systems[i].get());
    if (flock == nullptr) continue;
    for (const Goal& goal : flock->plan().goals) {
      const std::string followed = goal.params.body.substr(0, goal.params.body.find('.'));
      if (goal.kind == GoalKind::body && !is_told_of(parts, i, followed))
        out.push_back(fmt::format("{}: nobody follows the goal {}: no rule tells {} of {} (add an interaction of the two)", flock->name(), goal.name,
                                  flock->name(), followed));
    }
    const auto wets = [&](const Rule& rule) { return rule.kind == "flock_fluid" && rule.pair.a == i && rule.interaction->enabled(); };
    if (std::any_of(parts.rules.begin(), parts.rules.end(), wets)) continue;
    for (std::size_t s = 0; s < flock->plan().species.size(); ++s)
      if (flock->plan().species[s].medium == SpeciesMedium::water)
        out.push_back(
            fmt::format("{}: species {} has the medium \"water\", but no rule joins {} with a fluid: it falls (add a fluid, or choose medium "
                        "= \"none\" or \"air\")",
                        flock->name(), flock->plan().species_names[s], flock->name()));
  }
  return out;
}

}  // namespace vw
