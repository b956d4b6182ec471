// Checks of the running world: many substeps and their cause, long wall times, and elements that may cross a complete
// voxel within one substep.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sim/base/elementary/elementary.h"
#include "sim/scene/checks/checked_scene.h"

namespace vw {
namespace {

const CheckedBody* checked_voxel_body(const CheckRun& run, const Node& system) {
  const auto found = std::ranges::find(run.parts.bodies, &system, &CheckedBody::node);
  return found == run.parts.bodies.end() ? nullptr : &*found;
}

bool is_about(double a, double b) { return std::abs(a - b) <= 0.01 * std::abs(b); }

/// Returns a remedy that reduces the Young's moduli of a body's materials, so that the largest ratio of modulus to
/// density is `factor` times the present ratio. The number of substeps is proportional to the square root of this
/// ratio. The remedy is empty if a material is not linear: a table determines its own modulus, and the modulus of a
/// material that yields must exceed its plastic modulus. It is also empty if a modulus would be below its range.
SceneRemedy softer_materials(const CheckedBody& body, double factor) {
  double greatest = 0;
  for (const Node* material : body.materials) {
    if (checked_text(*material, "model") != "linear") return {};
    greatest = std::max(greatest, checked_number(*material, "youngs_modulus") / checked_number(*material, "density"));
  }
  SceneRemedy remedy;
  for (const Node* material : body.materials) {
    const double modulus = checked_number(*material, "youngs_modulus"),
                 allowed = factor * greatest * checked_number(*material, "density");
    if (modulus <= allowed) continue;
    const double reduced = rounded_down(allowed);
    if (!allows(*material, "youngs_modulus", reduced)) return {};
    remedy.assignments.push_back({"material." + material->name + ".youngs_modulus", Value(reduced)});
    remedy.label = fmt::format("Reduce Young's modulus of {} to {:.2g} Pa", material->name, reduced);
  }
  if (remedy.assignments.size() > 1)
    remedy.label = fmt::format("Reduce Young's modulus of {} materials", remedy.assignments.size());
  return remedy;
}

/// Returns the sentence for a system whose substeps a parameter limits to the length `longest_s` [s].
std::string limited_substeps(const Node& system, const SystemRunFacts& facts, double longest_s) {
  return fmt::format("{} needs {} substeps per step, because its substeps are limited to {:.2g} s.", system.name,
                     facts.substeps, longest_s);
}
/// Returns the sentence for a system whose substeps are limited by its rules or contacts.
std::string stiff_substeps(const Node& system, const SystemRunFacts& facts) {
  return fmt::format(
      "{} needs {} substeps per step, because of the stiffness of its rules or of its contact forces relative to the "
      "mass of an element.",
      system.name, facts.substeps);
}

void check_voxel_substeps(const CheckRun& run, const Node& system, const SystemRunFacts& facts) {
  const std::string path = system_path(system);
  SceneFinding finding{.kind = CheckKind::substeps, .sentence = {}, .path = path};
  if (checked_text(system, "integrator") == "implicit") {
    const double longest = run.facts->dt_s / (run.limits.substeps / 2.0);
    const bool is_limited = is_about(facts.stable_dt_s, checked_number(system, "implicit_step"));
    finding.sentence = is_limited ? limited_substeps(system, facts, checked_number(system, "implicit_step"))
                                  : stiff_substeps(system, facts);
    if (is_limited)
      finding.remedies.push_back({.label = fmt::format("Set the longest substep to {:.2g} s", longest),
                                  .assignments = {{path + ".implicit_step", Value(longest)}}});
    return run.out.push_back(std::move(finding));
  }
  const CheckedBody* body = checked_voxel_body(run, system);
  const std::string modulus = body == nullptr || !(body->stiffest_pa > 0)
                                  ? std::string("its Young's modulus")
                                  : fmt::format("Young's modulus {:.2g} Pa", body->stiffest_pa);
  finding.sentence = fmt::format(
      "{} needs {} substeps per step, because of {} at voxels of {:.2g} m. Reduce Young's modulus or use the implicit "
      "integrator.",
      system.name, facts.substeps, modulus, checked_number(system, "voxel_size"));
  finding.remedies.push_back({.label = "Use the implicit integrator",
                              .assignments = {{path + ".integrator", Value(std::string("implicit"))}}});
  if (body != nullptr && !body->has_own_moduli) {
    const double half = run.limits.substeps / 2.0 / facts.substeps;
    SceneRemedy softer = softer_materials(*body, half * half);
    if (!softer.assignments.empty()) finding.remedies.push_back(std::move(softer));
  }
  run.out.push_back(std::move(finding));
}

/// Adds a remedy that multiplies the spacing of a fluid by at most `factor`. Bodies in the fluid that are resolved by
/// its particles remain resolved.
void add_wider_spacing(const CheckRun& run, const Node& fluid, double factor, SceneFinding& finding) {
  const double spacing = checked_number(fluid, "spacing");
  double wider = factor * spacing;
  for (const CheckedBody& body : run.parts.bodies) {
    const double widest = body.thinnest_m / run.limits.resolution;
    if (widest >= spacing && run.parts.pair(fluid, *body.system).joined) wider = std::min(wider, widest);
  }
  wider = rounded_down(wider);
  constexpr double worthwhile = 1.1;
  if (wider < worthwhile * spacing || !allows(fluid, "spacing", wider)) return;
  finding.remedies.push_back({.label = fmt::format("Set the spacing to {:.2g} m", wider),
                              .assignments = {{system_path(fluid) + ".spacing", Value(wider)}}});
}

void check_fluid_substeps(const CheckRun& run, const Node& system, const SystemRunFacts& facts) {
  const std::string path = system_path(system);
  const double spacing = checked_number(system, "spacing"), cfl = checked_number(system, "cfl"),
               longest = checked_number(system, "max_dt");
  const double by_speed =
      facts.fastest_mps > 0 ? cfl * spacing / facts.fastest_mps : std::numeric_limits<double>::infinity();
  SceneFinding finding{.kind = CheckKind::substeps, .sentence = {}, .path = path};
  const std::string needs = fmt::format("{} needs {} substeps per step", system.name, facts.substeps);
  if (is_about(facts.stable_dt_s, longest)) {
    const double wanted = std::min(0.02, run.facts->dt_s);
    finding.sentence = limited_substeps(system, facts, longest);
    if (wanted > longest)
      finding.remedies.push_back({.label = fmt::format("Set the longest substep to {:.2g} s", wanted),
                                  .assignments = {{path + ".max_dt", Value(wanted)}}});
  } else if (facts.stable_dt_s > 0.7 * by_speed) {
    finding.sentence = fmt::format("{}, because a particle moves at {:.3g} m/s at a spacing of {:.2g} m.", needs,
                                   facts.fastest_mps, spacing);
  } else if (checked_text(system, "method") == "wcsph") {
    const double density = std::ranges::find(run.parts.liquids, &system, &CheckedLiquid::system)->lightest_kgpm3;
    const double sound =
        std::sqrt(checked_number(system, "stiffness") * checked_number(system, "stiffness_exponent") / density);
    finding.sentence =
        fmt::format("{}, because its speed of sound is {:.3g} m/s at a spacing of {:.2g} m.", needs, sound, spacing);
    finding.remedies.push_back(
        {.label = "Use the method dfsph", .assignments = {{path + ".method", Value(std::string("dfsph"))}}});
  } else {
    finding.sentence = fmt::format("{}, because its spacing is {:.2g} m.", needs, spacing);
  }
  add_wider_spacing(run, system, 2, finding);
  run.out.push_back(std::move(finding));
}

/// Checks a system of another kind. The limit of its substep is a parameter, or is due to its rules or contacts.
void check_other_substeps(const CheckRun& run, const Node& system, const SystemRunFacts& facts) {
  const std::string path = system_path(system);
  SceneFinding finding{.kind = CheckKind::substeps, .sentence = stiff_substeps(system, facts), .path = path};
  for (const char* param : {"longest_dt", "collision_dt"}) {
    if (!has_parameter(system, param) || !is_about(facts.stable_dt_s, checked_number(system, param))) continue;
    const double wanted = run.facts->dt_s / (run.limits.substeps / 2.0);
    finding.sentence = limited_substeps(system, facts, checked_number(system, param));
    finding.remedies.push_back({.label = fmt::format("Set the longest substep to {:.2g} s", wanted),
                                .assignments = {{path + "." + param, Value(wanted)}}});
  }
  run.out.push_back(std::move(finding));
}

const SystemRunFacts* facts_of(const CheckRun& run, const Node& system) {
  if (run.facts == nullptr) return nullptr;
  const auto found = std::ranges::find(run.facts->systems, system.name, &SystemRunFacts::name);
  return found == run.facts->systems.end() ? nullptr : &*found;
}

}  // namespace

void check_substeps(const CheckRun& run) {
  for (const Node* system : run.parts.scene.all("system")) {
    const SystemRunFacts* facts = facts_of(run, *system);
    if (facts == nullptr) continue;
    const std::string& kind = system->schema->kind;
    if (facts->substeps <= (kind == "fluid" ? run.limits.fluid_substeps : run.limits.substeps)) continue;
    if (kind == "voxel_body")
      check_voxel_substeps(run, *system, *facts);
    else if (kind == "fluid")
      check_fluid_substeps(run, *system, *facts);
    else
      check_other_substeps(run, *system, *facts);
  }
}

void check_cost(const CheckRun& run) {
  const RunningFacts* facts = run.facts;
  if (facts == nullptr || facts->systems.empty() || facts->step < run.limits.settled || !(facts->step_wall_s > 0))
    return;
  const double factor = facts->dt_s / facts->step_wall_s;
  if (factor >= run.limits.slow_factor || factor >= facts->asked_speed) return;
  const auto& costliest = *std::ranges::max_element(facts->systems, {}, &SystemRunFacts::wall_s);
  const Node* system = run.parts.scene.find("system", costliest.name);
  if (system == nullptr || !(costliest.wall_s > 0)) return;
  // The wall time of the step is a mean over several steps. The wall times of the systems are those of the last step.
  double all_s = 0;
  for (const SystemRunFacts& one : facts->systems) all_s += one.wall_s;
  const double share = costliest.wall_s / std::max(all_s, facts->step_wall_s);
  SceneFinding finding{.kind = CheckKind::cost,
                       .sentence = fmt::format(
                           "One simulated second takes about {:.2g} s. {} takes {:.0f} % of it: {} element{}, {} "
                           "substep{} per step.",
                           1 / factor, costliest.name, 100 * share, costliest.elements,
                           costliest.elements == 1 ? "" : "s", costliest.substeps, costliest.substeps == 1 ? "" : "s"),
                       .path = system_path(*system)};
  // The cost of a fluid grows with the number of particles and of substeps, hence with spacing^-4.
  if (system->schema->kind == "fluid")
    add_wider_spacing(run, *system, std::min(2.0, elementary::pow(1.5 * run.limits.slow_factor / factor, 0.25)),
                      finding);
  if (system->schema->kind == "voxel_body" && costliest.substeps > 50 &&
      checked_text(*system, "integrator") == "explicit")
    finding.remedies.push_back({.label = "Use the implicit integrator",
                                .assignments = {{finding.path + ".integrator", Value(std::string("implicit"))}}});
  run.out.push_back(std::move(finding));
}

namespace {

/// Returns the largest of these speeds [m/s]: the present speeds of the elements if the world runs, the initial speeds
/// of the bodies, and the speeds of the enabled emitters.
double speed_of(const CheckRun& run, const Node& system) {
  const SystemRunFacts* facts = facts_of(run, system);
  double speed = facts == nullptr ? 0 : facts->fastest_mps;
  for (const Node* body : system.all("body")) speed = std::max(speed, checked_vector(*body, "velocity").norm());
  for (const Node* emitter : system.all("emitter"))
    if (std::get<bool>(emitter->value("enabled")))
      speed = std::max(speed, checked_number(*emitter, "speed") * (1 + checked_number(*emitter, "speed_jitter")));
  return speed;
}

/// Returns the present substep of a running system [s], else the longest substep that its parameters permit. Returns 0
/// for an explicit voxel body that does not run, because its substep is not known.
double substep_of(const CheckRun& run, const Node& system) {
  const double dt = checked_number(*run.parts.scene.only("world"), "dt");
  if (const SystemRunFacts* facts = facts_of(run, system); facts != nullptr && facts->substep_dt_s > 0)
    return std::min(dt, facts->substep_dt_s);
  if (system.schema->kind == "voxel_body")
    return checked_text(system, "integrator") == "explicit" ? 0 : std::min(dt, checked_number(system, "implicit_step"));
  for (const char* param : {"longest_dt", "collision_dt"})
    if (has_parameter(system, param)) return std::min(dt, checked_number(system, param));
  return dt;
}

}  // namespace

// A rule searches for contacts once per substep of the finer system, so an element that crosses a voxel in one substep
// may miss the body. For each moving system, only the body with the largest number of crossed voxels is reported.
void check_speeds(const CheckRun& run) {
  for (const Node* moving : run.parts.scene.all("system")) {
    const std::string& kind = moving->schema->kind;
    if (kind != "rigid" && kind != "particles") continue;
    const double speed = speed_of(run, *moving);
    const Node* crossed = nullptr;
    double most = 1;  // number of voxels crossed in one substep
    for (const Node* hit : run.parts.scene.all("system")) {
      if (hit->schema->kind != "voxel_body" || !run.parts.pair(*moving, *hit).joined) continue;
      const double tick = std::min(substep_of(run, *moving), substep_of(run, *hit));
      const double voxels = speed * tick / checked_number(*hit, "voxel_size");
      if (voxels > most) most = voxels, crossed = hit;
    }
    if (crossed == nullptr) continue;
    const double dt = rounded_down(checked_number(*crossed, "voxel_size") / (2 * speed));
    SceneFinding finding{.kind = CheckKind::speed,
                         .sentence = fmt::format("{} moves at up to {:.3g} m/s, which is {:.2g} voxels of {} in one "
                                                 "substep. It may pass through the body.",
                                                 moving->name, speed, most, crossed->name),
                         .path = system_path(*moving)};
    if (allows(*run.parts.scene.only("world"), "dt", dt))
      finding.remedies.push_back(
          {.label = fmt::format("Set the time step to {:.2g} s", dt), .assignments = {{"world.dt", Value(dt)}}});
    run.out.push_back(std::move(finding));
  }
}

}  // namespace vw
