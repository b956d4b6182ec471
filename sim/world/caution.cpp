#include "sim/world/caution.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace vw {
namespace {

struct Case {
  std::string_view total;
  std::string_view sentence;  ///< after "NAME: COUNT "
};
constexpr std::array<Case, 3> cases{
    {{"fast",
      "went by an obstacle by more than half its width in one step, which interference may miss: detection = \"swept\" or a shorter collision_dt "
      "sees all"},
     {"stiff",
      "met a repulsion that is too stiff for the step where they were, and may be shot off: more subdivisions, a weaker repulsion_gain or a shorter "
      "collision_dt help"},
     {"capped", "stopped for a step, with no way out between obstacles"}}};

}  // namespace

std::vector<std::string> Cautions::note(const std::string& system, std::span<const Total> totals) {
  std::vector<std::string> out;
  for (const Total& total : totals)
    for (const Case& one : cases) {
      if (total.name != one.total || !(total.value > 0) || !told_.emplace(system, std::string(total.name)).second) continue;
      out.push_back(fmt::format("{}: {} particle{} {}", system, total.value, total.value == 1 ? "" : "s", one.sentence));
    }
  return out;
}

}  // namespace vw
