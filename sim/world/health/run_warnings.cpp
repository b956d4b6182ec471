#include "sim/world/health/run_warnings.h"

#include <fmt/format.h>

#include <iterator>

#include "sim/world/parts.h"

namespace vw {

std::vector<std::string> RunWarnings::note(const std::string& system, std::span<const Total> totals) {
  std::vector<std::string> out;
  for (const Total& total : totals) {
    if (total.warning == nullptr || !(total.value > 0) || !reported_.emplace(system, std::string(total.name)).second)
      continue;
    const bool is_one = total.value == 1;
    const std::string_view were = !total.warning->is_passive ? "" : is_one ? "was " : "were ";
    out.push_back(fmt::format("{}: {} {}{} {}{}", system, total.value, total.warning->noun, is_one ? "" : "s", were,
                              total.warning->sentence));
  }
  return out;
}

bool RunWarnings::is_new_slow(const std::string& warning) {
  if (warning == slow_) return false;
  slow_ = warning;
  return !warning.empty();
}

std::vector<std::string> notes_on_systems(const WorldParts& parts, const Node& scene) {
  std::vector<std::string> out;
  const auto add = [&out](std::vector<std::string> notes) { std::ranges::move(notes, std::back_inserter(out)); };
  std::vector<const System*> systems, coupled;
  for (const auto& system : parts.systems) systems.push_back(system.get());
  for (const System* system : systems) add(system->file_notes());
  for (std::size_t i = 0; i < systems.size(); ++i) {
    coupled.clear();
    for (const Rule& rule : parts.rules)
      if (rule.interaction->enabled() && (rule.pair.a == i || rule.pair.b == i))
        coupled.push_back(systems[rule.pair.a == i ? rule.pair.b : rule.pair.a]);
    add(systems[i]->notes({*scene.find("system", systems[i]->name()), systems, coupled}));
  }
  return out;
}

}  // namespace vw
