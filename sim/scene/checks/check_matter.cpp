// Checks of bodies in relation to fluids: densities, resolution, and missing rules.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/base/elementary/elementary.h"
#include "sim/scene/checks/checked_scene.h"
#include "sim/scene/node_names.h"

namespace vw {
namespace {

const std::string& short_name(const CheckedBody& body) { return body.node->name; }

/// Returns a remedy that changes the mean density of a body to `wanted` [kg/m^3]. The remedy is empty if a density
/// would be out of range.
SceneRemedy density_remedy(const CheckedBody& body, double wanted) {
  SceneRemedy remedy{.label = fmt::format("Set the density to {:.3g} kg/m\xC2\xB3", wanted)};
  if (body.node != body.system) {
    if (!allows(*body.node, "density", wanted)) return {};
    remedy.assignments.push_back({body.path + ".density", Value(wanted)});
    if (checked_number(*body.node, "mass") != 0) remedy.assignments.push_back({body.path + ".mass", Value(0.0)});
    return remedy;
  }
  const double factor = wanted / body.density_kgpm3;
  for (const Node* material : body.materials) {
    const double density = factor * checked_number(*material, "density");
    if (!allows(*material, "density", density)) return {};
    remedy.assignments.push_back({"material." + material->name + ".density", Value(density)});
  }
  if (body.materials.size() > 1)
    remedy.label = fmt::format("Multiply the densities of its {} materials by {:.2g}", body.materials.size(), factor);
  return remedy;
}

/// Returns whether a fixed joint connects a body to another body of at least this thickness, for example a sail to a
/// hull. The forces of the fluid on the thin body then act on the thick body.
bool is_fixed_to_thicker(const CheckRun& run, const CheckedBody& body, double thickness_m) {
  const auto is_thick = [&](const std::string& name) {
    return name != body.node->name && std::ranges::any_of(run.parts.bodies, [&](const CheckedBody& other) {
             return other.system == body.system && other.node->name == name && other.thinnest_m >= thickness_m;
           });
  };
  return std::ranges::any_of(body.system->all("joint"), [&](const Node* joint) {
    if (joint->schema->kind != "fixed") return false;
    const std::string &a = checked_text(*joint, "a"), &b = checked_text(*joint, "b");
    return (a == body.node->name && is_thick(b)) || (b == body.node->name && is_thick(a));
  });
}

/// Checks the density of a body. A body that is fixed to a much thicker body, such as ballast in a hull, is not
/// checked.
void check_density(const CheckRun& run, const CheckedLiquid& liquid, const CheckedBody& body) {
  constexpr double much_thicker = 1.5;
  if (body.thinnest_m > 0 && is_fixed_to_thicker(run, body, much_thicker * body.thinnest_m)) return;
  const double limit = run.limits.density_ratio;
  const bool light =
      body.density_kgpm3 * limit<liquid.lightest_kgpm3, heavy = body.density_kgpm3> limit * liquid.heaviest_kgpm3;
  if (!light && !heavy) return;
  const double ratio = body.density_kgpm3 / (light ? liquid.lightest_kgpm3 : liquid.heaviest_kgpm3);
  const double wanted = light ? liquid.lightest_kgpm3 / 2 : 2 * liquid.heaviest_kgpm3;
  SceneFinding finding{
      .kind = CheckKind::density,
      .sentence = fmt::format("The density of {} is {} times that of the {}.", short_name(body),
                              ratio < 99.5 ? fmt::format("{:.2g}", ratio) : fmt::format("{:.0f}", ratio), liquid.word),
      .path = body.path};
  // The default material of a voxel body is no node, so that its density cannot be set.
  if (SceneRemedy remedy = density_remedy(body, wanted); !remedy.assignments.empty())
    finding.remedies.push_back(std::move(remedy));
  run.out.push_back(std::move(finding));
}

/// Adds one finding for all bodies of a system that are too thin to be resolved by the particles of the fluid.
void check_thickness(const CheckRun& run, const CheckedLiquid& liquid, const Node& system) {
  const CheckedBody* thinnest = nullptr;
  std::size_t count = 0;
  for (const CheckedBody& body : run.parts.bodies) {
    if (body.system != &system || body.thinnest_m <= 0) continue;
    const double least = run.limits.resolution * liquid.spacing_m * (1 - 1e-9);
    if (body.thinnest_m >= least || is_fixed_to_thicker(run, body, least)) continue;
    if (thinnest == nullptr || body.thinnest_m < thinnest->thinnest_m) thinnest = &body;
    ++count;
  }
  if (thinnest == nullptr) return;
  const double spacing = rounded_down(thinnest->thinnest_m);
  const std::string others = count > 1 ? fmt::format(" {} other bod{} of {} {} too thin as well.", count - 1,
                                                     count == 2 ? "y" : "ies", system.name, count == 2 ? "is" : "are")
                                       : std::string();
  SceneFinding finding{
      .kind = CheckKind::resolution,
      .sentence =
          fmt::format("{} is {:.2g} m thick, thinner than the spacing {:.2g} m of {}. The fluid does not resolve the "
                      "body.{}",
                      short_name(*thinnest), thinnest->thinnest_m, liquid.spacing_m, liquid.system->name, others),
      .path = thinnest->path};
  if (allows(*liquid.system, "spacing", spacing))
    finding.remedies.push_back({.label = fmt::format("Set the spacing to {:.2g} m ({:.2g} times as many particles)",
                                                     spacing, elementary::pow(liquid.spacing_m / spacing, 3)),
                                .assignments = {{liquid.path + ".spacing", Value(spacing)}}});
  run.out.push_back(std::move(finding));
}

/// Returns a new rule of the kind that couples the pair by default.
Node rule_for_pair(const Node& scene, const Schema& kind, const Node& a, const Node& b) {
  std::size_t slot = 0;
  while (scene.schema->slots[slot].name != "interaction") ++slot;
  Node rule = make_node(kind, free_name(a.name + "-" + b.name, names_of(scene, "interaction")), slot);
  rule.set("a", Value(a.name));
  rule.set("b", Value(b.name));
  return rule;
}

void check_rule(const CheckRun& run, const Node& liquid, const Node& system) {
  const CheckedPair pair = run.parts.pair(liquid, system);
  if (pair.joined || pair.kind == nullptr) return;
  SceneFinding finding{.kind = CheckKind::coupling,
                       .severity = CheckSeverity::note,
                       .sentence = fmt::format("No enabled rule couples {0} with {1}, so {0} passes through {1}.",
                                               liquid.name, system.name),
                       .path = system_path(system)};
  if (pair.disabled.empty())
    finding.remedies.push_back(
        {.label = "Add the rule", .rules = {rule_for_pair(run.parts.scene, *pair.kind, liquid, system)}});
  else
    finding.remedies.push_back(
        {.label = "Enable the rule", .assignments = {{"interaction." + pair.disabled + ".enabled", Value(true)}}});
  run.out.push_back(std::move(finding));
}

}  // namespace

void check_densities(const CheckRun& run) {
  for (const CheckedBody& body : run.parts.bodies)
    for (const CheckedLiquid& liquid : run.parts.liquids)
      if (body.density_kgpm3 > 0 && run.parts.pair(*liquid.system, *body.system).joined)
        check_density(run, liquid, body);
}

void check_resolution(const CheckRun& run) {
  for (const CheckedLiquid& liquid : run.parts.liquids)
    for (const Node* system : run.parts.scene.all("system"))
      if (run.parts.pair(*liquid.system, *system).joined) check_thickness(run, liquid, *system);
}

void check_coupling(const CheckRun& run) {
  for (const CheckedLiquid& liquid : run.parts.liquids)
    for (const Node* system : run.parts.scene.all("system"))
      if (system->schema->kind == "rigid" || system->schema->kind == "voxel_body")
        check_rule(run, *liquid.system, *system);
}

}  // namespace vw
