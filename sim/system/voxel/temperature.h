// Actuation by temperature: rest lengths follow a wave, with an amplitude and a phase for each voxel. This is how voxel
// creatures walk.
#pragma once

#include <span>
#include <vector>

#include "sim/system/voxel/constants.h"

namespace vw {

/// Temperature of the body above its base, the same wave for all voxels.
struct TemperatureProgram {
  TemperatureWave wave = TemperatureWave::none;
  double amplitude = 0;  ///< [K]
  double period_s = 1;
};

/// Amplitude factor and phase of each voxel. The phase is stored as cosine and sine, so that a wave needs no
/// trigonometric function per voxel.
struct TemperaturePhases {
  std::vector<double> scale, cosine, sine;  ///< a single row if all voxels agree
  [[nodiscard]] std::size_t row_of(std::size_t voxel) const { return scale.size() == 1 ? 0 : voxel; }
};
[[nodiscard]] TemperaturePhases make_phases(const VoxelLattice& lattice);

/// The wave at one time, for the evaluation at any voxel.
class TemperatureMoment {
 public:
  TemperatureMoment(const TemperatureProgram& program, double time);
  /// Temperature of a voxel above the base [K]: A for a constant, A sin 2 pi (t / period + phase) for a sine, A times
  /// the sign of that sine for a square wave. A is the amplitude times the voxel's factor.
  [[nodiscard]] double at(const TemperaturePhases& phases, std::size_t voxel) const;

 private:
  TemperatureWave wave_;
  double amplitude_, sine_, cosine_;
};

/// Smallest size of a voxel relative to its size at the base temperature.
inline constexpr double least_size = 0.1;
/// Sets the half edges s (1 + CTE dT) / 2 [m] of the voxels in `range`, but no smaller than least_size.
void heat_voxels(const TemperatureMoment& moment, const TemperaturePhases& phases, const LatticeConstants& constants,
                 std::span<double> half_edge, Range range);

/// Estimate, at least 1, of the largest distance of neighbours relative to that at the base temperature: thermal growth
/// and overshoot. A sine drives the body slowly. Steps, and a temperature that is there from the start, make a free
/// body overshoot by its whole growth.
[[nodiscard]] double max_stretch_estimate(const TemperatureProgram& program, const TemperaturePhases& phases,
                                          const LatticeConstants& constants, std::size_t voxels);

/// Smallest thermal strain that the wave prescribes for any voxel, at most 0. heat_voxels() limits it to
/// least_size - 1.
[[nodiscard]] double least_strain(const TemperatureProgram& program, const TemperaturePhases& phases,
                                  const LatticeConstants& constants, std::size_t voxels);

}  // namespace vw
