// Actuation by temperature: rest lengths follow a wave, with an amplitude and a phase for each voxel. Voxel creatures
// walk by this actuation.
#pragma once

#include <span>
#include <vector>

#include "sim/system/voxel/lattice/constants.h"

namespace vw {

/// Wave of the temperature above the base temperature, common to all voxels.
struct TemperatureProgram {
  TemperatureWave wave = TemperatureWave::none;
  double amplitude = 0;  ///< amplitude of the wave [K]
  double period_s = 1;
};

/// Amplitude factor and phase of each voxel. The phase is stored as cosine and sine, so that a wave needs no
/// trigonometric function per voxel.
struct TemperaturePhases {
  std::vector<double> scale, cosine, sine;  ///< one row per voxel, or a single row if all voxels have equal values
  [[nodiscard]] std::size_t row_of(std::size_t voxel) const { return scale.size() == 1 ? 0 : voxel; }
};
[[nodiscard]] TemperaturePhases make_phases(const VoxelLattice& lattice);

/// Temperature wave at one time, which can be evaluated for any voxel.
class TemperatureMoment {
 public:
  TemperatureMoment(const TemperatureProgram& program, double time);
  /// Temperature of a voxel above the base [K]. It is A for a constant, A sin 2 pi (t / period + phase) for a sine
  /// wave, and A sign(sin 2 pi (t / period + phase)) for a square wave. A is the amplitude times the factor of the
  /// voxel.
  [[nodiscard]] double at(const TemperaturePhases& phases, std::size_t voxel) const;

 private:
  TemperatureWave wave_;
  double amplitude_, sine_, cosine_;
};

/// Smallest size of a voxel relative to its size at the base temperature.
inline constexpr double least_size = 0.1;
/// Sets the half edges s (1 + CTE dT) / 2 [m] of the voxels in `range`. The factor 1 + CTE dT is at least least_size.
void heat_voxels(const TemperatureMoment& moment, const TemperaturePhases& phases, const LatticeConstants& constants,
                 std::span<double> half_edge, Range range);

/// Estimates the ratio of the largest distance between neighbours to the distance at the base temperature. The result
/// is at least 1 and includes thermal growth and dynamic overshoot. A sine wave drives the body slowly and gives little
/// overshoot. A square wave, or a constant temperature that acts from the start, makes a free body overshoot by the
/// whole thermal growth.
[[nodiscard]] double max_stretch_estimate(const TemperatureProgram& program, const TemperaturePhases& phases,
                                          const LatticeConstants& constants, std::size_t voxels);

/// Smallest thermal strain (at most 0) that the wave prescribes for any voxel. heat_voxels() limits the actual strain
/// to least_size - 1.
[[nodiscard]] double least_strain(const TemperatureProgram& program, const TemperaturePhases& phases,
                                  const LatticeConstants& constants, std::size_t voxels);

}  // namespace vw
