// Random fields with a given energy spectrum, stored as Fourier modes (Stam & Fiume, "Turbulent wind fields for gaseous
// phenomena", SIGGRAPH 1993). The modes are generated from a recipe. The values on a grid can be computed from them for
// any time, with one array per component. Modes never change, and any thread may use them. Modes that are expensive to
// generate are also stored on disk (field_cache.h). Fields with equal recipes share their modes.
#pragma once

#include <cstdint>
#include <memory>

#include "sim/base/error.h"
#include "sim/field/field.h"
#include "sim/field/spectral/grid_values.h"
#include "sim/field/spectral/spectrum.h"

namespace vw {

/// Change of modes in time (s: spread, k: wave number).
/// - frozen: the modes do not change.
/// - rotating: each mode rotates at its own rate w_k ~ N(0, s^2 k^2), so the field never repeats.
/// - periodic: the field has a 4-D spectrum E(k) exp(-w^2 / 2 s^2 k^2) at multiples w of the angular frequency 2 pi /
///   repeat_s, so it repeats.
/// For rotating and periodic fields, the correlation over a time t is exp(-s^2 k^2 t^2 / 2). A frozen or rotating field
/// has the given rms at each time; a periodic field has it only on average over a period.
enum class SpectralTime { frozen, rotating, periodic };

/// Modification of grid values that compensates a later interpolation.
/// - none: the values equal the field at the nodes.
/// - linear: linear interpolation reduces the variance of a mode, averaged over a cell, by the factor prod (2 + cos k_i
///   h) / 3, where h is the node distance. The modes are amplified to restore the variance.
/// - cubic: the values are the coefficients of a cubic B-spline that equals the field at the nodes.
enum class Compensation { none, linear, cubic };

struct SpectralRecipe {
  int nodes = 64;       ///< Number of nodes per side, 4 .. 512.
  double period_m = 1;  ///< Side of the cube [m].
  bool vector = true;   ///< Whether the field is a divergence-free velocity. Otherwise it is a scalar.
  SpectrumParams spectrum;
  /// Root mean square of the scalar, or of each component of the velocity [m/s].
  double rms = 1;
  /// Variation of the energies of modes. At 0, each mode has exactly its nominal energy, and only its phase is random.
  /// At 1, modes are Gaussian, like those of filtered white noise.
  double jitter = 0.2;
  std::uint64_t seed = 1;  ///< Equal seeds give equal large eddies on all grids of equal period.
  SpectralTime time = SpectralTime::frozen;
  double spread_mps = 0;  ///< Spread s [m/s]. The lifetime of eddies of wave number k is about 1 / (s k).
  double repeat_s = 10;   ///< Period in time [s] for SpectralTime::periodic.
  Compensation compensation = Compensation::none;
};

class SpectralModes {
 public:
  /// Generates the modes, or returns existing modes. Returns an error if the recipe has no mode between its scales, if
  /// it needs more than 512 MiB, or if the user cancels the generation.
  [[nodiscard]] static Result<std::shared_ptr<const SpectralModes>> make(const SpectralRecipe& recipe);
  virtual ~SpectralModes() = default;

  /// Writes the values at `time` [s] to `out`, whose memory is reused. Several threads may call this function at the
  /// same time.
  virtual void values_at(double time, GridValues& out) const = 0;
  /// Returns the spectrum of the recipe, scaled so that the modes that exist on the grid have the rms of the recipe.
  [[nodiscard]] virtual NominalSpectrum asked_spectrum() const = 0;
  /// Returns the number of stored modes: half of the modes between the scales. The other half are their conjugates.
  [[nodiscard]] virtual std::size_t count() const = 0;
  [[nodiscard]] virtual const SpectralRecipe& recipe() const = 0;
};

}  // namespace vw
