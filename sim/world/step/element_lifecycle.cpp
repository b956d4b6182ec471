// Checks Remove and Spawn commands, finds the selected elements and passes the request to the system.
#include "sim/world/step/element_lifecycle.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace vw {
namespace {

constexpr std::int64_t most_at_once = 1'000'000;

System* find(std::span<const std::unique_ptr<System>> systems, const std::string& name) {
  const auto found = std::find_if(systems.begin(), systems.end(), [&](const auto& one) { return one->name() == name; });
  return found == systems.end() ? nullptr : found->get();
}

Unexpected unknown_system(const std::string& name) {
  return wrong_value(0, "system", "\"" + name + "\"", "must name a system of this world");
}

std::vector<std::uint32_t> rows_of(const Elements& elements, const Remove& command) {
  if (command.element >= 0 && command.radius_m == 0) return {static_cast<std::uint32_t>(command.element)};
  const Vec3 middle =
      command.element >= 0 ? elements.position[static_cast<std::size_t>(command.element)] : command.place;
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < elements.size(); ++i)
    if ((elements.position[i] - middle).norm() <= command.radius_m) rows.push_back(static_cast<std::uint32_t>(i));
  return rows;
}

}  // namespace

Result<void> check_place(const char* key, const Vec3& place) {
  if (!place.allFinite()) return wrong_value(0, key, "a non-finite position", "must have three finite coordinates");
  if (place.cwiseAbs().maxCoeff() <= state_motion.most) return {};
  return wrong_value(0, key, to_text(Value(place)),
                     fmt::format("must have coordinates in [{:g}, {:g}] m", state_motion.least, state_motion.most));
}

Result<void> remove_elements(std::span<const std::unique_ptr<System>> systems, const Remove& command) {
  System* system = find(systems, command.system);
  if (system == nullptr) return unknown_system(command.system);
  const auto count = static_cast<std::int64_t>(system->elements().size());
  if (command.element < -1 || command.element >= count)
    return wrong_value(0, "element", std::to_string(command.element),
                       fmt::format("must be -1 or the index of an element of {}, in [0, {})", command.system, count));
  if (auto good = check_place("place", command.place); !good) return good;
  if (!(command.radius_m >= 0) || !std::isfinite(command.radius_m))
    return wrong_value(0, "radius", std::to_string(command.radius_m), "must be finite and not negative");
  const std::vector<std::uint32_t> rows = rows_of(system->elements(), command);
  if (system->remove(rows)) return {};
  return wrong_value(0, "system", "\"" + command.system + "\"",
                     "must name a flock or a particle system; elements of other systems cannot be removed");
}

Result<void> spawn_members(std::span<const std::unique_ptr<System>> systems, const Spawn& command) {
  System* system = find(systems, command.system);
  if (system == nullptr) return unknown_system(command.system);
  const std::span<const std::string> groups = system->spawn_groups();
  if (groups.empty()) return wrong_value(0, "system", "\"" + command.system + "\"", "must name a flock");
  if (auto good = check_place("place", command.place); !good) return good;
  if (command.count < 1 || command.count > most_at_once)
    return wrong_value(0, "count", std::to_string(command.count), fmt::format("must lie in [1, {}]", most_at_once));
  const auto named = std::find(groups.begin(), groups.end(), command.species);
  if (named == groups.end() && !command.species.empty())
    return wrong_value(0, "species", "\"" + command.species + "\"",
                       fmt::format("must be one of {}", fmt::join(groups, ", ")));
  system->spawn(named == groups.end() ? 0 : static_cast<std::size_t>(named - groups.begin()), command.place,
                static_cast<std::uint64_t>(command.count));
  return {};
}

}  // namespace vw
