// Random fields with an asked energy spectrum, kept as Fourier modes: Stam & Fiume, "Turbulent wind fields for gaseous phenomena", SIGGRAPH 1993.
// In: a recipe. Out: planar grids of values at any time. Immutable: any thread. Cheap ones are made when asked for, dear ones are kept on disk
// (field_cache.h); equal recipes that are alive share their modes.
#pragma once

#include <cstdint>
#include <memory>

#include "sim/base/error.h"
#include "sim/field/field.h"
#include "sim/field/grid_values.h"
#include "sim/field/spectrum.h"

namespace vw {

/// How modes change: not; each turned at a rate of its own, w_k ~ N(0, s^2 k^2), so that it never repeats; as a 4-D spectrum
/// E(k) exp(-w^2 / 2 s^2 k^2) at frequencies of 1 / repeat time, which repeats. Both have the correlation exp(-s^2 k^2 t^2 / 2). The rms is that of
/// any moment, of a field that is periodic in time that over a whole period.
enum class SpectralTime { frozen, rotating, periodic };

/// What grid values make up for: nothing, they are the field at the nodes; the variance that linear interpolation loses on average over a cell,
/// prod (2 + cos k_i h) / 3; the attenuation of cubic B-splines, values being coefficients then and the spline the field itself at the nodes.
enum class Compensation { none, linear, cubic };

struct SpectralRecipe {
  int nodes = 64;       ///< a side, 4 .. 512
  double period_m = 1;  ///< side of the cube [m]
  bool vector = true;   ///< a velocity without divergence; else a scalar
  SpectrumParams spectrum;
  double rms = 1;          ///< of each component [m/s] (root of a third of the mean square speed) or of the scalar
  double jitter = 0.2;     ///< 0: each mode has exactly the asked energy and a random phase; 1: Gaussian, as filtered white noise
  std::uint64_t seed = 1;  ///< the same large eddies on any grid of the same period
  SpectralTime time = SpectralTime::frozen;
  double spread_mps = 0;  ///< s [m/s]: eddies of wave number k live for about 1 / (s k)
  double repeat_s = 10;   ///< of periodic
  Compensation compensation = Compensation::none;
};

class SpectralModes {
 public:
  /// The error says what is wrong with the recipe: no mode between the scales, more memory than 512 MiB, or that it was cancelled.
  [[nodiscard]] static Result<std::shared_ptr<const SpectralModes>> make(const SpectralRecipe& recipe);
  virtual ~SpectralModes() = default;

  /// Values at a time [s], overwritten; `out` keeps its memory. From several threads at once.
  virtual void values_at(double time, GridValues& out) const = 0;
  /// The recipe's spectrum, scaled to its rms over the modes that the grid has.
  [[nodiscard]] virtual AskedSpectrum asked_spectrum() const = 0;
  /// Modes kept: half of those between the scales, the others are their conjugates.
  [[nodiscard]] virtual std::size_t count() const = 0;
  [[nodiscard]] virtual const SpectralRecipe& recipe() const = 0;
};

}  // namespace vw
