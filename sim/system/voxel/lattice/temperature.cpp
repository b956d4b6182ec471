// Temperatures of the voxels, and the half edges that follow from temperatures and muscles. The rest length of a bond
// is the sum of the half edges of its two voxels.
#include "sim/system/voxel/lattice/temperature.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/base/elementary/elementary.h"

namespace vw {

namespace {

bool differs(const std::vector<double>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) != values.end();
}

}  // namespace

TemperaturePhases make_phases(const VoxelLattice& lattice) {
  TemperaturePhases phases;
  const std::size_t rows = differs(lattice.amplitude_scale) || differs(lattice.phase) ? lattice.cell.size() : 1;
  for (auto* column : {&phases.scale, &phases.cosine, &phases.sine}) column->reserve(rows);
  for (std::size_t v = 0; v < rows; ++v) {
    const double phase = lattice.phase_of(v), angle = 2 * pi * (phase - std::floor(phase));
    phases.scale.push_back(lattice.amplitude_scale_of(v));
    phases.cosine.push_back(elementary::cos(angle));
    phases.sine.push_back(elementary::sin(angle));
  }
  return phases;
}

TemperatureMoment::TemperatureMoment(const TemperatureProgram& program, double time)
    : wave_(program.wave), time_(time), amplitude_(program.amplitude) {
  const double cycles = time / program.period_s;
  const double angle = 2 * pi * (cycles - std::floor(cycles));
  sine_ = elementary::sin(angle);
  cosine_ = elementary::cos(angle);
}

double TemperatureMoment::at(const TemperaturePhases& phases, std::size_t voxel) const {
  const std::size_t row = phases.row_of(voxel);
  const double amplitude = amplitude_ * phases.scale[row];
  if (wave_ == TemperatureWave::none) return 0;
  if (wave_ == TemperatureWave::constant) return amplitude;
  const double sine = sine_ * phases.cosine[row] + cosine_ * phases.sine[row];
  return wave_ == TemperatureWave::sine ? amplitude * sine : sine >= 0 ? amplitude : -amplitude;
}

void set_half_edges(const TemperatureMoment& moment, const TemperaturePhases& phases, const BodyMuscles& muscles,
                    const LatticeConstants& constants, std::span<double> half_edge, Range range) {
  const double share = muscles.share_at(moment.time());
  for (std::size_t v = range.begin; v < range.end; ++v) {
    const double growth = constants.of(v).cte * moment.at(phases, v) + muscles.strain_of(v, share);
    half_edge[v] = 0.5 * constants.edge_m * std::max(least_size, 1 + growth);
  }
}

double largest_half_edge(const TemperatureProgram& program, const TemperaturePhases& phases, const BodyMuscles& muscles,
                         const LatticeConstants& constants, std::size_t voxel) {
  constexpr double rounding = 1e-12;  // relative bound of the rounding error in set_half_edges()
  const bool heated = program.wave != TemperatureWave::none;
  const double heat =
      heated ? std::abs(constants.of(voxel).cte * program.amplitude * phases.scale[phases.row_of(voxel)]) : 0;
  const double growth = heat + std::max(muscles.strain_of(voxel, 0), muscles.strain_of(voxel, 1));
  return 0.5 * constants.edge_m * std::max(least_size, 1 + growth + rounding * std::abs(growth));
}

double max_stretch_estimate(const TemperatureProgram& program, const TemperaturePhases& phases,
                            const LatticeConstants& constants, std::size_t voxels) {
  if (program.wave == TemperatureWave::none || !constants.sizes_vary) return 1;
  const double overshoot = program.wave == TemperatureWave::sine ? 1.3 : 2;
  double growth = 0;
  for (std::size_t v = 0; v < voxels; ++v) {
    const double strain = constants.of(v).cte * program.amplitude * phases.scale[phases.row_of(v)];
    growth = std::max(growth, program.wave == TemperatureWave::constant ? strain : std::abs(strain));
  }
  return 1 + overshoot * growth;
}

double least_strain(const TemperatureProgram& program, const TemperaturePhases& phases,
                    const LatticeConstants& constants, std::size_t voxels) {
  if (program.wave == TemperatureWave::none || !constants.sizes_vary) return 0;
  double least = 0;
  for (std::size_t v = 0; v < voxels; ++v) {
    const double strain = constants.of(v).cte * program.amplitude * phases.scale[phases.row_of(v)];
    least = std::min(least, program.wave == TemperatureWave::constant ? strain : -std::abs(strain));
  }
  return least;
}

}  // namespace vw
