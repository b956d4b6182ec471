// Insertion, removal and saved state of particles.
#include "sim/system/fluid/rows/fluid_rows.h"

#include <algorithm>
#include <cmath>

#include "sim/system/point_elements.h"

namespace vw {

/// Calls f for every array with one row per particle. Skips optional arrays that are empty.
template <class F>
void FluidRows::each(F f) {
  f(elements.position);
  f(elements.velocity);
  f(elements.mass);
  f(elements.radius);
  f(elements.id);
  f(phase);
  f(nozzle);
  f(born);
  f(kappa);
  f(pressure);
  f(density);
  if (!elements.impulse.empty()) f(elements.impulse);
  if (!spin.empty()) f(spin);
  if (!viscous.empty()) f(viscous);
}

void FluidRows::remove(std::span<const std::uint8_t> marked) {
  const std::size_t n = size();
  each([&](auto& rows) {
    std::size_t to = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (marked[i] == 0) rows[to++] = rows[i];
    rows.resize(to);
  });
}

void FluidRows::add(const Birth& birth) {
  if (!elements.impulse.empty()) elements.impulse.push_back(Vec3::Zero());
  if (!spin.empty()) spin.push_back({});
  if (!viscous.empty()) viscous.push_back({});
  elements.position.push_back(birth.position);
  elements.velocity.push_back(birth.velocity);
  elements.mass.push_back(birth.mass_kg);
  elements.radius.push_back(birth.radius_m);
  elements.id.push_back(next_id++);
  phase.push_back(birth.phase);
  nozzle.push_back(birth.nozzle);
  born.push_back(birth.born);
  kappa.push_back(0);
  pressure.push_back(0);
  density.push_back(1);
}

void FluidRows::reserve(std::size_t count) {
  each([&](auto& rows) { rows.reserve(count); });
}

void FluidRows::visit_state(StateVisitor& visit) {
  Elements& e = elements;
  visit_points(e, visit);
  visit("impulse", e.impulse);
  visit("phase", phase);
  visit("nozzle", nozzle);
  visit("born", born);
  visit("kappa", kappa, state_positive);
  visit("pressure", pressure, state_positive);
  visit("spin", spin);
  visit("viscous", viscous);
  visit("peak", peak, state_positive);
  visit("next_id", next_id);
}

std::string FluidRows::problem(std::size_t phases, std::size_t inflows) const {
  const std::size_t n = size();
  const Elements& e = elements;
  if (e.velocity.size() != n || e.mass.size() != n || e.radius.size() != n || e.id.size() != n || phase.size() != n ||
      nozzle.size() != n || born.size() != n || kappa.size() != n || pressure.size() != n ||
      (!e.impulse.empty() && e.impulse.size() != n) || (!spin.empty() && spin.size() != n) ||
      (!viscous.empty() && viscous.size() != n))
    return "the arrays in the state differ in length";
  if (std::any_of(phase.begin(), phase.end(), [&](std::uint8_t p) { return p >= phases; }))
    return "a particle's phase does not exist";
  if (std::any_of(nozzle.begin(), nozzle.end(), [&](std::uint8_t p) { return p > inflows; }))
    return "a particle's inflow does not exist";
  const auto positive = [](double x) { return std::isfinite(x) && x > 0; };
  if (!std::all_of(e.mass.begin(), e.mass.end(), positive) || !std::all_of(e.radius.begin(), e.radius.end(), positive))
    return "a particle's mass or radius is not positive";
  const auto bad = [](float x) { return !(x >= 0) || !std::isfinite(x); };
  if (std::any_of(kappa.begin(), kappa.end(), bad) || std::any_of(pressure.begin(), pressure.end(), bad))
    return "a pressure is negative or not finite";
  if (!(peak >= 0) || !std::isfinite(peak)) return "the highest pressure is negative or not finite";
  const auto endless = [](const Float4& r) {
    return !std::isfinite(r.x) || !std::isfinite(r.y) || !std::isfinite(r.z);
  };
  if (std::any_of(spin.begin(), spin.end(), endless) || std::any_of(viscous.begin(), viscous.end(), endless))
    return "a spin or a force is not finite";
  if (!std::all_of(e.position.begin(), e.position.end(), [](const Vec3& x) { return x.allFinite(); }) ||
      !std::all_of(e.velocity.begin(), e.velocity.end(), [](const Vec3& v) { return v.allFinite(); }))
    return "a position or velocity is not finite";
  if (std::adjacent_find(e.id.begin(), e.id.end(), [](std::uint32_t a, std::uint32_t b) { return a >= b; }) !=
          e.id.end() ||
      (n > 0 && e.id.back() >= next_id))
    return "the element ids are not in ascending order";
  return {};
}

}  // namespace vw
