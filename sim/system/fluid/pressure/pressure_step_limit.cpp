#include "sim/system/fluid/pressure/pressure_step_limit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "sim/base/elementary/elementary.h"
#include "sim/base/ordered_max.h"

namespace vw {
namespace {

/// Limit of dt sqrt(p / rho) / d. Columns of 8, 15, 30 and 60 layers become unstable at values between 0.62 and 0.70.
constexpr double most_swing = 0.57;
/// Decay time of the peak pressure [s].
constexpr double peak_hold_s = 0.03;
constexpr std::size_t step_limit_grain = 4096;
/// Maximum number of layers in the hydrostatic estimate.
constexpr double most_layers = 1e5;

/// Returns the largest ratio of pressure to density [m^2/s^2].
double highest(const FluidRows& rows, double spacing_m) {
  const double volume = spacing_m * spacing_m * spacing_m;
  return ordered_max(rows.size(), step_limit_grain, [&](std::size_t i) {
    return static_cast<double>(rows.pressure[i]) * volume / rows.elements.mass[i];
  });
}

}  // namespace

double pressure_step_limit(const FluidRows& rows, double spacing_m) {
  return rows.peak > 0 ? most_swing * spacing_m / std::sqrt(rows.peak) : std::numeric_limits<double>::infinity();
}

void hold_peak(FluidRows& rows, double highest, double dt) {
  rows.peak = std::max(std::max(0.0, highest), rows.peak * elementary::exp(-dt / peak_hold_s));
}

double pressed_layers(const FluidRows& rows, const Vec3& gravity, double spacing_m) {
  const double weight = gravity.norm() * spacing_m;
  return weight > 0 ? std::max(0.0, highest(rows, spacing_m)) / weight : 0;
}

void set_hydrostatic_pressures(FluidRows& rows, const Vec3& gravity, double spacing_m) {
  std::fill(rows.pressure.begin(), rows.pressure.end(), 0.0F);
  rows.peak = 0;
  const double g = gravity.norm();
  if (rows.size() == 0 || !(g > 0)) return;
  const Vec3 down = gravity / g;
  const Elements& e = rows.elements;
  const double top =
      ordered_max(rows.size(), step_limit_grain, [&](std::size_t i) { return -down.dot(e.position[i]); });
  const double deepest =
      top + ordered_max(rows.size(), step_limit_grain, [&](std::size_t i) { return down.dot(e.position[i]); });
  const double thickness = std::max(spacing_m, deepest / most_layers), volume = spacing_m * spacing_m * spacing_m;
  struct Layer {
    double mass = 0, rows = 0, pressure_above = 0;
  };
  std::vector<Layer> layers(static_cast<std::size_t>(deepest / thickness + 0.5) + 1);
  // Layers are placed so that the highest particle is at the centre of the first layer, as in a lattice.
  const auto depth_of = [&](std::size_t i) { return (top + down.dot(e.position[i])) / thickness + 0.5; };
  const auto layer_of = [&](std::size_t i) -> Layer& {
    return layers[std::min(layers.size() - 1, static_cast<std::size_t>(depth_of(i)))];
  };
  const auto weight_of = [&](const Layer& layer) {
    return layer.rows > 0 ? g * thickness * layer.mass / (layer.rows * volume) : 0;
  };
  for (std::size_t i = 0; i < rows.size(); ++i) layer_of(i).mass += e.mass[i], layer_of(i).rows += 1;
  layers[0].pressure_above = -0.5 * weight_of(layers[0]);
  for (std::size_t k = 1; k < layers.size(); ++k)
    layers[k].pressure_above = layers[k - 1].pressure_above + weight_of(layers[k - 1]);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Layer& layer = layer_of(i);
    const double within = depth_of(i) - static_cast<double>(&layer - layers.data());
    rows.pressure[i] = static_cast<float>(std::max(0.0, layer.pressure_above + within * weight_of(layer)));
  }
  rows.peak = highest(rows, spacing_m);
}

}  // namespace vw
