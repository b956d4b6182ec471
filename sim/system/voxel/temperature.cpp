// L0 = s (1 + CTE dT), SPEC 1, actuation.
#include "sim/system/voxel/temperature.h"

#include <algorithm>
#include <cmath>

namespace vw {

TemperaturePhases make_phases(const VoxelLattice& lattice) {
  TemperaturePhases phases;
  phases.scale = lattice.amplitude_scale;
  for (const double phase : lattice.phase) {
    const double angle = 2 * pi * (phase - std::floor(phase));
    phases.cosine.push_back(std::cos(angle));
    phases.sine.push_back(std::sin(angle));
  }
  return phases;
}

TemperatureMoment::TemperatureMoment(const TemperatureProgram& program, double time) : wave_(program.wave), amplitude_(program.amplitude) {
  const double cycles = time / program.period_s;
  const double angle = 2 * pi * (cycles - std::floor(cycles));
  sine_ = std::sin(angle);
  cosine_ = std::cos(angle);
}

double TemperatureMoment::at(const TemperaturePhases& phases, std::size_t voxel) const {
  const double amplitude = amplitude_ * phases.scale[voxel];
  if (wave_ == TemperatureWave::none) return 0;
  if (wave_ == TemperatureWave::constant) return amplitude;
  const double sine = sine_ * phases.cosine[voxel] + cosine_ * phases.sine[voxel];
  return wave_ == TemperatureWave::sine ? amplitude * sine : sine >= 0 ? amplitude : -amplitude;
}

void heat_voxels(const TemperatureMoment& moment, const TemperaturePhases& phases, const LatticeConstants& constants, std::span<double> half_edge,
                 Range range) {
  for (std::size_t v = range.begin; v < range.end; ++v)
    half_edge[v] = 0.5 * constants.edge_m * std::max(0.1, 1 + constants.of(v).cte * moment.at(phases, v));
}

}  // namespace vw
