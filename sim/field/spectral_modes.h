// Random fields with a given energy spectrum, stored as Fourier modes: Stam & Fiume, "Turbulent wind fields for gaseous
// phenomena", SIGGRAPH 1993. Input: a recipe. Output: grids of values at any time, one array per component. Immutable,
// any thread. Modes that are cheap are computed on request; expensive ones are kept on disk (field_cache.h). Existing
// modes with equal recipes are shared.
#pragma once

#include <cstdint>
#include <memory>

#include "sim/base/error.h"
#include "sim/field/field.h"
#include "sim/field/grid_values.h"
#include "sim/field/spectrum.h"

namespace vw {

/// Change of the modes in time. frozen: none. rotating: each mode rotates at its own rate w_k ~ N(0, s^2 k^2), so the
/// field never repeats. periodic: a 4-D spectrum E(k) exp(-w^2 / 2 s^2 k^2) at multiples of the frequency 1 / repeat
/// time, so the field repeats. Both have the correlation exp(-s^2 k^2 t^2 / 2). The rms is that at any time; for a
/// periodic field, that over a whole period.
enum class SpectralTime { frozen, rotating, periodic };

/// Compensation of the interpolation in the grid values. none: the values are the field at the nodes. linear: for the
/// variance that linear interpolation loses on average over a cell, prod (2 + cos k_i h) / 3. cubic: for the
/// attenuation of cubic B-splines; the values are then coefficients, and the spline equals the field at the nodes.
enum class Compensation { none, linear, cubic };

struct SpectralRecipe {
  int nodes = 64;       ///< Nodes per side, 4 .. 512.
  double period_m = 1;  ///< Side of the cube [m].
  bool vector = true;   ///< True: a divergence-free velocity; false: a scalar.
  SpectrumParams spectrum;
  /// Root mean square of each component [m/s] (root of a third of the mean square speed), or of the scalar.
  double rms = 1;
  /// 0: each mode has exactly its nominal energy and a random phase; 1: Gaussian, as filtered white noise.
  double jitter = 0.2;
  std::uint64_t seed = 1;  ///< The same seed gives the same large eddies on any grid of the same period.
  SpectralTime time = SpectralTime::frozen;
  double spread_mps = 0;  ///< s [m/s]: eddies of wave number k live for about 1 / (s k).
  double repeat_s = 10;   ///< Period in time [s], for `periodic`.
  Compensation compensation = Compensation::none;
};

class SpectralModes {
 public:
  /// Returns an error if the recipe has no mode between its scales, if it needs more than 512 MiB, or if the generation
  /// was cancelled.
  [[nodiscard]] static Result<std::shared_ptr<const SpectralModes>> make(const SpectralRecipe& recipe);
  virtual ~SpectralModes() = default;

  /// Writes the values at `time` [s] to `out`, whose memory is reused. Called from several threads at once.
  virtual void values_at(double time, GridValues& out) const = 0;
  /// The recipe's spectrum, scaled to its rms over the modes of the grid.
  [[nodiscard]] virtual NominalSpectrum asked_spectrum() const = 0;
  /// Number of stored modes: half of those between the scales; the others are their conjugates.
  [[nodiscard]] virtual std::size_t count() const = 0;
  [[nodiscard]] virtual const SpectralRecipe& recipe() const = 0;
};

}  // namespace vw
