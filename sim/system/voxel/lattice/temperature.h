// Actuation by temperature. The rest lengths of bonds follow a temperature wave, whose amplitude and phase differ from
// voxel to voxel. Voxel creatures use this actuation to walk.
#pragma once

#include <span>
#include <vector>

#include "sim/system/voxel/lattice/constants.h"
#include "sim/system/voxel/lattice/muscles.h"

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

/// Temperatures of all voxels at a fixed time.
class TemperatureMoment {
 public:
  TemperatureMoment(const TemperatureProgram& program, double time);
  /// Returns the temperature of a voxel above the base temperature [K]. The value is 0 for TemperatureWave::none, A for
  /// a constant, A sin 2 pi (t / period + phase) for a sine wave, and A sign(sin 2 pi (t / period + phase)) for a
  /// square wave. A is the amplitude times the factor of the voxel.
  [[nodiscard]] double at(const TemperaturePhases& phases, std::size_t voxel) const;
  [[nodiscard]] double time() const { return time_; }

 private:
  TemperatureWave wave_;
  double time_, amplitude_, sine_, cosine_;
};

/// Lower limit of a voxel's edge, relative to its edge at the base temperature.
inline constexpr double least_size = 0.1;
/// Sets the half edges s (1 + CTE dT + strain) / 2 [m] of the voxels in `range`, with the voxel edge s, the temperature
/// dT above the base temperature and the strain of the muscles. The factor 1 + CTE dT + strain is at least least_size.
void set_half_edges(const TemperatureMoment& moment, const TemperaturePhases& phases, const BodyMuscles& muscles,
                    const LatticeConstants& constants, std::span<double> half_edge, Range range);

/// Returns an upper bound [m] of the half edge that set_half_edges() sets for a voxel at any time of the world step in
/// progress.
[[nodiscard]] double largest_half_edge(const TemperatureProgram& program, const TemperaturePhases& phases,
                                       const BodyMuscles& muscles, const LatticeConstants& constants,
                                       std::size_t voxel);

/// Estimates the ratio of the largest distance between neighbours to the distance at the base temperature. The result
/// is at least 1 and includes thermal growth and dynamic overshoot. A sine wave drives the body slowly and gives little
/// overshoot. A square wave, or a constant temperature that acts from the start, makes a free body overshoot by the
/// whole thermal growth.
[[nodiscard]] double max_stretch_estimate(const TemperatureProgram& program, const TemperaturePhases& phases,
                                          const LatticeConstants& constants, std::size_t voxels);

/// Returns the smallest thermal strain that the wave prescribes for any voxel, or 0 if the wave never shortens a voxel.
/// The actual strain is never below least_size - 1, a limit that set_half_edges() applies.
[[nodiscard]] double least_strain(const TemperatureProgram& program, const TemperaturePhases& phases,
                                  const LatticeConstants& constants, std::size_t voxels);

}  // namespace vw
