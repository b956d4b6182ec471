// Continues a fluid after fills, inflows, drains, gauges or phases were added, removed or renamed during a run.
#include <algorithm>
#include <limits>
#include <utility>

#include "sim/system/fluid/fluid_system.h"
#include "sim/system/former_name.h"

namespace vw {
namespace {

/// Returns the index of each child of a slot among the former children, or -1 if the child is new.
std::vector<std::ptrdiff_t> former_children(const Node& self, const Node& former, const std::string& slot,
                                            const std::map<std::string, std::string>& former_names) {
  std::vector<std::ptrdiff_t> all;
  const auto before = former.all(slot);
  for (const Node* node : self.all(slot)) {
    const std::string& was = former_name(former_names, slot, node->name);
    const auto found = std::ranges::find(before, was, [](const Node* one) { return one->name; });
    all.push_back(found == before.end() ? -1 : found - before.begin());
  }
  return all;
}

/// Returns the index of the present child that was the former child `before`, or -1 if that child was removed.
std::ptrdiff_t present_child(const std::vector<std::ptrdiff_t>& former, std::size_t before) {
  const auto found = std::ranges::find(former, static_cast<std::ptrdiff_t>(before));
  return found == former.end() ? -1 : found - former.begin();
}

}  // namespace

std::vector<std::int64_t> Fluid::continue_from(System& former, const std::map<std::string, std::string>& former_names) {
  auto& old = static_cast<Fluid&>(former);
  const auto was = [&](const char* slot) { return former_children(self_, old.self_, slot, former_names); };
  take_spacing(old.params_.spacing_m);
  live_spacing_m_.clear();
  if (params_.spacing_m != initial_spacing_m_) live_spacing_m_.push_back(params_.spacing_m);
  rows_ = old.rows_;
  marked_.assign(rows_.size(), 0);
  take_phases(old, was("phase"));
  take_flows(old, was("inflow"), was("drain"));
  take_fills(old, was("fill"));
  rows_.remove(marked_);
  gauges_.take_over(old.gauges_, was("gauge"));
  time_ = old.time_;
  gravity_ = old.gravity_;
  parts_ever_ = old.parts_ever_, slowed_ever_ = old.slowed_ever_, guarded_ever_ = old.guarded_ever_;
  not_placed_ = old.not_placed_;
  params_.kernel = kernel_in_use(params_, phases_, gravity_);
  state_restored();
  return {};
}

void Fluid::take_spacing(double spacing_m) {
  if (spacing_m == params_.spacing_m) return;
  fitted_spacing_m_ = params_.spacing_m = spacing_m;
  domain_ = fluid_domain(params_);
  const auto nodes = self_.all("inflow");
  for (std::size_t i = 0; i < std::min(nodes.size(), inflows_.size()); ++i)
    if (auto made = make_inflow(*nodes[i], phases_, spacing_m)) inflows_[i] = std::move(*made);
}

/// Renumbers the phases of particles and marks the particles of removed phases. If the former or the new node has no
/// phases, all particles continue in the first phase, and no particle is marked.
void Fluid::take_phases(const Fluid& former, const FormerChildren& phases) {
  const bool was_plain = former.self_.all("phase").empty(), is_plain = phases.empty();
  std::vector<std::ptrdiff_t> now;
  for (std::size_t p = 0; p < former.phases_.size(); ++p)
    now.push_back(was_plain || is_plain ? 0 : present_child(phases, p));
  const double volume = params_.spacing_m * params_.spacing_m * params_.spacing_m;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const std::size_t before = rows_.phase[i];
    if (now[before] < 0) {
      marked_[i] = 1;
      rows_.phase[i] = 0;
      continue;
    }
    const auto after = static_cast<std::size_t>(now[before]);
    rows_.phase[i] = static_cast<std::uint8_t>(after);
    const double density = phases_[after].density_kgpm3, ratio = density / former.phases_[before].density_kgpm3;
    if (ratio == 1) continue;
    rows_.elements.mass[i] = volume * density;
    rows_.kappa[i] *= static_cast<float>(ratio);
    rows_.pressure[i] *= static_cast<float>(ratio);
  }
}

void Fluid::take_flows(const Fluid& former, const FormerChildren& inflows, const FormerChildren& drains) {
  flow_ = former.flow_;
  flow_.travelled.clear(), flow_.owed.clear();
  for (const std::ptrdiff_t was : inflows)
    flow_.travelled.push_back(was < 0 ? std::numeric_limits<double>::max()
                                      : former.flow_.travelled[static_cast<std::size_t>(was)]);
  for (const std::ptrdiff_t was : drains)
    flow_.owed.push_back(was < 0 ? 0 : former.flow_.owed[static_cast<std::size_t>(was)]);
  for (std::uint8_t& nozzle : rows_.nozzle)
    if (nozzle > 0) nozzle = static_cast<std::uint8_t>(present_child(inflows, nozzle - 1U) + 1);
}

void Fluid::take_fills(const Fluid& former, const FormerChildren& fills) {
  const std::vector<std::uint32_t>& before = former.fill_ids();
  live_fill_ids_.clear(), new_fills_.clear();
  for (std::size_t f = 0; f < fills.size(); ++f) {
    const auto was = static_cast<std::size_t>(2 * fills[f]);
    if (fills[f] < 0) new_fills_.push_back(f);
    live_fill_ids_.push_back(fills[f] < 0 ? rows_.next_id : before[was]);
    live_fill_ids_.push_back(fills[f] < 0 ? rows_.next_id : before[was + 1]);
  }
  for (std::size_t f = 0; 2 * f < before.size(); ++f) {
    if (present_child(fills, f) >= 0) continue;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (rows_.elements.id[i] >= before[2 * f] && rows_.elements.id[i] < before[2 * f + 1]) marked_[i] = 1;
  }
  if (new_fills_.empty() && live_fill_ids_ == initial_fill_ids_) live_fill_ids_.clear();
}

void Fluid::enter(std::span<const Collider> colliders, double time) {
  posed_.assign(colliders.begin(), colliders.end());
  const auto nodes = self_.all("fill");
  for (const std::size_t f : new_fills_) {
    const auto fill = make_fill(*nodes[f], phases_);
    if (!fill) continue;  // Does not happen: populate() has already read this node without error.
    const auto capacity = static_cast<std::size_t>(params_.capacity);
    const std::size_t before = rows_.size(), room = capacity - std::min(capacity, before);
    std::vector<Vec3> sites = fill_sites(*fill, params_.spacing_m, room);
    if (sites.size() > room) {
      // fill_sites() has stopped one site beyond the limit, so the number of all sites follows from the volume.
      const double all = fill_volume(*fill) / (params_.spacing_m * params_.spacing_m * params_.spacing_m);
      not_placed_ += static_cast<std::size_t>(std::clamp(all, static_cast<double>(sites.size()), 1e15)) - room;
      sites.resize(room);
    }
    live_fill_ids_[2 * f] = rows_.next_id;
    not_placed_ += place_fill(*fill, std::move(sites), domain_, params_.spacing_m, phases_, posed_, rows_);
    live_fill_ids_[2 * f + 1] = rows_.next_id;
    for (std::size_t i = before; i < rows_.size(); ++i) rows_.born[i] = static_cast<float>(time);
  }
  new_fills_.clear();
  if (live_fill_ids_ == initial_fill_ids_) live_fill_ids_.clear();
}

}  // namespace vw
