// Actuation by temperature: rest lengths follow a wave with an amplitude and a phase of each voxel's own; that is how voxel creatures walk.
#pragma once

#include <span>
#include <vector>

#include "sim/system/voxel/constants.h"

namespace vw {

/// The body's temperature above its base, as every voxel sees it.
struct TemperatureProgram {
  TemperatureWave wave = TemperatureWave::none;
  double amplitude = 0;  ///< [K]
  double period_s = 1;
};

/// Amplitude and phase of each voxel, the phase as an angle's cosine and sine so that a wave costs no trigonometric call a voxel.
struct TemperaturePhases {
  std::vector<double> scale, cosine, sine;  ///< one row for all voxels where they do not differ
  [[nodiscard]] std::size_t row_of(std::size_t voxel) const { return scale.size() == 1 ? 0 : voxel; }
};
[[nodiscard]] TemperaturePhases make_phases(const VoxelLattice& lattice);

/// One moment of the program: T_v = scale_v (level + in-phase and quadrature parts of the wave).
class TemperatureMoment {
 public:
  TemperatureMoment(const TemperatureProgram& program, double time);
  /// Temperature above the base [K]: A, A sin 2 pi (t / period + phase), or its sign times A.
  [[nodiscard]] double at(const TemperaturePhases& phases, std::size_t voxel) const;

 private:
  TemperatureWave wave_;
  double amplitude_, sine_, cosine_;
};

/// Of a voxel, over its cold one: it never shrinks below.
inline constexpr double least_size = 0.1;
/// Half edges s (1 + CTE dT) / 2 of voxels [begin, end).
void heat_voxels(const TemperatureMoment& moment, const TemperaturePhases& phases, const LatticeConstants& constants, std::span<double> half_edge,
                 Range range);

/// Distance of neighbours over their cold one that the program may stretch a body to, at least 1: its growth, and what it swings beyond that. A sine
/// pushes slowly; steps, and a temperature that is there from the start, make a free body swing as far again.
[[nodiscard]] double foreseen_growth(const TemperatureProgram& program, const TemperaturePhases& phases, const LatticeConstants& constants,
                                     std::size_t voxels);

/// Least thermal strain that the program asks of any voxel, at most 0. heat_voxels() does not follow it below least_size - 1.
[[nodiscard]] double least_strain(const TemperatureProgram& program, const TemperaturePhases& phases, const LatticeConstants& constants,
                                  std::size_t voxels);

}  // namespace vw
