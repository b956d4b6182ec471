// Composes the report of a run.
#include "sim/world/report.h"

#include <cmath>

#include "sim/world/state/journal.h"
#include "sim/world/state/json.h"

namespace vw {
namespace {

// JSON type that keeps its keys in the order of insertion, which is that of the documentation.
using Ordered = nlohmann::ordered_json;

Ordered triple(const Vec3& v) { return Ordered::array({v.x(), v.y(), v.z()}); }

double rate(double amount, double seconds) { return seconds > 0 ? amount / seconds : 0.0; }

Ordered totals_of(const System& system) {
  std::vector<Total> totals;
  system.totals(totals);
  Ordered out = Ordered::object();
  for (const Total& total : totals) {
    const bool count = total.unit.empty() && total.value == std::floor(total.value) && std::abs(total.value) < 1e15;
    out[std::string(total.name)] = count ? Ordered(static_cast<std::int64_t>(total.value)) : Ordered(total.value);
  }
  return out;
}

Ordered system_report(const World& world, std::size_t i) {
  const System& system = world.system(i);
  const SystemTiming& timing = world.timing(i);
  const Diagnostics d = world.diagnostics(i);
  const double updates = static_cast<double>(d.count) * static_cast<double>(timing.total_substeps);
  return {{"name", system.name()},
          {"kind", system.schema().kind},
          {"count", d.count},
          {"substeps", timing.substeps},
          {"substep_dt_s", timing.substep_dt},
          {"wall_s", timing.total_wall_s},
          {"updates_per_s", rate(updates, timing.total_wall_s)},
          {"kinetic_energy", d.kinetic},
          {"potential_energy", d.potential},
          {"elastic_energy", d.elastic},
          {"mass", d.mass},
          {"momentum", triple(d.momentum)},
          {"angular_momentum", triple(d.angular_momentum)},
          {"centre_of_mass", triple(d.center_of_mass)},
          {"totals", totals_of(system)}};
}

}  // namespace

std::string report_json(World& world, const RunFacts& facts) {
  Ordered systems = Ordered::array();
  for (std::size_t i = 0; i < world.system_count(); ++i) systems.push_back(system_report(world, i));
  const Ordered report{{"build", build_description()},
                       {"scene", facts.scene},
                       {"threads", facts.threads},
                       {"steps", facts.steps},
                       {"simulated_s", facts.simulated_s},
                       {"wall_s", facts.wall_s},
                       {"realtime_factor", rate(facts.simulated_s, facts.wall_s)},
                       {"final_state_hash", hash_text(world.hash())},
                       {"health", {{"ok", !world.health().failed}, {"sentence", world.health().sentence()}}},
                       {"systems", systems}};
  return report.dump(2, ' ', false, Ordered::error_handler_t::replace) + "\n";
}

}  // namespace vw
