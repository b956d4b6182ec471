// Builds a fluid from its scene node: parameters, phases, inflows, drains and gauges, and the particles of the fills.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sim/collision/collider_kinds.h"
#include "sim/system/fluid/flows/fill_relax.h"
#include "sim/system/fluid/fluid_notes.h"
#include "sim/system/fluid/fluid_system.h"
#include "sim/system/fluid/pressure/pressure_step_limit.h"

namespace vw {
namespace {

Unexpected inside(const Node& self, const char* slot, const Node& child, Error error) {
  error.key = "system." + self.name + "." + slot + "." + child.name + (error.key.empty() ? "" : ".") + error.key;
  return fail(std::move(error));
}

Result<void> check_counts(const Node& self) {
  constexpr std::size_t most = 250;
  for (const char* slot : {"phase", "inflow"})
    if (const std::size_t count = self.all(slot).size(); count > most)
      return wrong_value(self.line, "system." + self.name + "." + slot, fmt::format("{} tables", count),
                         fmt::format("must have at most {} tables", most));
  return {};
}

Result<void> check_period(const Node& self, const FluidParams& params, const FluidDomain& domain) {
  const double least = 8 * params.spacing_m;
  for (int a = 0; a < 3; ++a)
    if (domain.periodic[static_cast<std::size_t>(a)] && domain.length(a) < least)
      return wrong_value(self.line, "system." + self.name + ".domain_size", to_text(Value(params.domain_size)),
                         fmt::format("must be at least 8 spacings ({:g} m) along periodic axes", least));
  return {};
}

Result<std::vector<Collider>> colliders_at_start(const Node& scene) {
  ShapeStore shapes;
  std::vector<Collider> colliders;
  for (const Node* node : scene.all("collider")) {
    auto made = make_collider(*node, shapes);
    if (!made) return Unexpected(made.error());
    colliders.push_back(std::move(*made));
  }
  return colliders;
}

}  // namespace

Result<void> Fluid::configure(const Node& self, const Node& scene) {
  if (auto good = check_counts(self); !good) return good;
  FluidParams params = fluid_params().read(self.values);
  asked_spacing_m_ = params.spacing_m;
  if (fitted_spacing_m_ > 0) params.spacing_m = fitted_spacing_m_;
  const FluidDomain domain = fluid_domain(params);
  if (auto good = check_period(self, params, domain); !good) return good;
  std::vector<FluidPhase> phases = fluid_phases(self);
  std::vector<Inflow> inflows;
  for (const Node* node : self.all("inflow")) {
    auto made = make_inflow(*node, phases, params.spacing_m);
    if (!made) return inside(self, "inflow", *node, made.error());
    inflows.push_back(std::move(*made));
  }
  drains_.clear();
  for (const Node* node : self.all("drain")) drains_.push_back(make_drain(*node));
  params_ = params;
  domain_ = domain;
  const auto colliders = scene.all("collider");
  obstacles_ = static_cast<std::size_t>(std::count_if(colliders.begin(), colliders.end(),
                                                      [](const Node* node) { return node->schema->kind != "plane"; }));
  inflows_ = std::move(inflows);
  inflow_names_.clear();
  for (const Node* node : self.all("inflow")) inflow_names_.push_back(node->name);
  weigh(phases);
  phases_ = std::move(phases);
  params_.kernel = kernel_in_use(params_, phases_, gravity_);
  gauges_.configure(self);
  self_ = self;
  flow_.travelled.resize(inflows_.size(), std::numeric_limits<double>::max());
  flow_.owed.resize(drains_.size(), 0);
  return {};
}

/// If rest densities have changed, scales the masses and pressures of existing particles.
void Fluid::weigh(const std::vector<FluidPhase>& phases) {
  if (phases.size() != phases_.size()) return;
  std::vector<double> ratio(phases.size());
  for (std::size_t p = 0; p < phases.size(); ++p) ratio[p] = phases[p].density_kgpm3 / phases_[p].density_kgpm3;
  if (std::all_of(ratio.begin(), ratio.end(), [](double r) { return r == 1; })) return;
  const double volume = params_.spacing_m * params_.spacing_m * params_.spacing_m;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const std::uint8_t p = rows_.phase[i];
    rows_.elements.mass[i] = volume * phases[p].density_kgpm3;
    rows_.kappa[i] *= static_cast<float>(ratio[p]);
    rows_.pressure[i] *= static_cast<float>(ratio[p]);
  }
}

/// Fits the spacing to the volume of the fills. FillBalance limits the change of the spacing.
void Fluid::fit_spacing(const FillBalance& balance) {
  fitted_spacing_m_ = params_.spacing_m = balance.fitted(params_.spacing_m);
  fill_error_ = balance.error(params_.spacing_m);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    rows_.elements.radius[i] = 0.5 * params_.spacing_m;
    rows_.elements.mass[i] =
        phases_[rows_.phase[i]].density_kgpm3 * params_.spacing_m * params_.spacing_m * params_.spacing_m;
  }
}

std::vector<std::string> Fluid::notes(const Setup& setup) const {
  (void)setup;
  constexpr double notable = 0.01;
  std::vector<std::string> all;
  if (std::abs(params_.spacing_m / asked_spacing_m_ - 1) > notable)
    all.push_back(
        fmt::format("{}: the particle spacing is {:.4g} m instead of {:g} m, so that the fills keep their volume. Use "
                    "fill sizes that are multiples "
                    "of the spacing",
                    name(), params_.spacing_m, asked_spacing_m_));
  if (std::abs(fill_error_) > notable)
    all.push_back(
        fmt::format("{}: the fills contain {:.1f} % {} fluid than their volume, because they are only a few spacings "
                    "thick. Use a smaller spacing",
                    name(), 100 * std::abs(fill_error_), fill_error_ > 0 ? "more" : "less"));
  note_stiffness(name(), params_, phases_, params_.gravity_scale * gravity_, rows_, all);
  note_large_walls(name(), posed_, params_.spacing_m, domain_.box, all);
  return all;
}

Result<void> Fluid::populate(const Node& self, const Node& scene) {
  const auto colliders = colliders_at_start(scene);
  if (!colliders) return Unexpected(colliders.error());
  const auto capacity = static_cast<std::size_t>(params_.capacity);
  if (const Node* world = scene.only("world"); world != nullptr) gravity_ = std::get<Vec3>(world->value("gravity"));
  params_.kernel = kernel_in_use(params_, phases_, gravity_);
  const std::vector<const Node*> nodes = self.all("fill");
  std::vector<Fill> fills;
  for (const Node* node : nodes) {
    auto fill = make_fill(*node, phases_);
    if (!fill) return inside(self, "fill", *node, fill.error());
    fills.push_back(std::move(*fill));
  }
  fitted_spacing_m_ = params_.spacing_m = fitted_spacing(fills, params_.spacing_m);
  FillBalance balance;
  for (std::size_t f = 0; f < fills.size(); ++f) {
    const Node* node = nodes[f];
    const Fill* fill = &fills[f];
    const auto sites = fill_sites(*fill, params_.spacing_m, capacity - rows_.size());
    if (sites.empty())
      return wrong_value(node->line, "system." + self.name + ".fill." + node->name, "no particle",
                         "must be at least one particle spacing thick, and a mesh must be closed");
    if (rows_.size() + sites.size() > capacity)
      return wrong_value(node->line, "system." + self.name + ".fill." + node->name,
                         fmt::format("more than {} particles", capacity - rows_.size()),
                         "must fit into the fluid's capacity: raise spacing or capacity");
    if (std::none_of(sites.begin(), sites.end(), [&](const Vec3& site) { return domain_.holds(site); }))
      return wrong_value(node->line, "system." + self.name + ".fill." + node->name, "no particle in the fluid's domain",
                         "must overlap the domain, which is the box of size domain_size around domain_center");
    initial_fill_ids_.push_back(rows_.next_id);
    const std::size_t left_out = place_fill(*fill, sites, domain_, params_.spacing_m, phases_, *colliders, rows_);
    initial_fill_ids_.push_back(rows_.next_id);
    not_placed_ += left_out;
    balance.add(fill_volume(*fill), sites.size(), left_out);
  }
  fit_spacing(balance);
  initial_spacing_m_ = params_.spacing_m;
  std::string failed;
  if (auto good = gauges_.attach(self, *colliders, params_.spacing_m, failed); !good) {
    Error error = good.error();
    error.key = "system." + self.name + ".gauge." + failed + "." + error.key;
    return fail(std::move(error));
  }
  if (has_too_large_a_wall(*colliders))
    return wrong_value(self.line, "system." + self.name + ".spacing", to_text(Value(params_.spacing_m)),
                       fmt::format("must be larger: {}", too_large_wall));
  if (mark_outside() > 0) rows_.remove(marked_);
  posed_ = *colliders;
  stir_liquids(rows_, params_.spacing_m, *colliders);
  (void)relax_fills(solver_, rows_, step_among(*colliders, params_.max_dt_s));
  set_hydrostatic_pressures(rows_, params_.gravity_scale * gravity_, params_.spacing_m);
  return {};
}

const Schema& fluid_schema() {
  static const Schema schema{
      "fluid",
      "Water and other liquids, simulated by smoothed particle hydrodynamics (SPH).",
      fluid_params().specs(),
      {{.name = "phase",
        .kinds = {&fluid_phase_schema()},
        .doc = "Liquids of the fluid. A fluid without phases is water.",
        .is_live = true},
       {.name = "fill",
        .kinds = fill_schemas(),
        .doc = "Shapes that are full of fluid at the start. A fill that is added during a run is poured at once, where "
               "there is room. If it is removed, its particles are removed.",
        .is_live = true},
       {.name = "inflow",
        .kinds = inflow_schemas(),
        .doc = "Inflows, which are openings through which fluid flows in.",
        .is_live = true},
       {.name = "drain",
        .kinds = drain_schemas(),
        .doc = "Drains, which are regions in which fluid is removed.",
        .is_live = true},
       {.name = "gauge", .kinds = {&gauge_schema()}, .doc = "Pressure gauges on obstacles.", .is_live = true}}};
  return schema;
}

Result<std::unique_ptr<System>> create_fluid(const Node& self, const Node& scene) {
  auto system = std::make_unique<Fluid>(self);
  if (auto good = system->configure(self, scene); !good) return Unexpected(good.error());
  if (auto good = system->populate(self, scene); !good) return Unexpected(good.error());
  // Configures again, because inflows depend on the spacing that the fills require.
  if (auto good = system->configure(self, scene); !good) return Unexpected(good.error());
  return std::unique_ptr<System>(std::move(system));
}

}  // namespace vw
