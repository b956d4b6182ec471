// Nominal energy spectra: the energy of a fluctuation as a pure function of the wave number k.
#pragma once

#include <string>
#include <vector>

#include "sim/base/data/node.h"

namespace vw {

enum class SpectrumShape { power_law, kolmogorov, von_karman, band, table };

/// Scene parameters of a spectrum. Field kinds with a spectrum derive their parameters from this struct and
/// FieldParams.
struct SpectrumParams {
  SpectrumShape spectrum = SpectrumShape::kolmogorov;
  double spectrum_slope = -5.0 / 3;  ///< Exponent of a power law: E ~ k^slope.
  /// Largest wavelength [m] or, for von Karman's spectrum, the wavelength with the most energy. 0 means half the period
  /// or, for a table, the range of the table.
  double outer_scale_m = 0;
  /// Smallest wavelength [m]. 0 means four node distances or, for a table, the range of the table.
  double inner_scale_m = 0;
  NumberList spectrum_table = {};  ///< Table of alternating wave numbers k [rad/m] and energies E.
};

/// Energy spectrum E(k) up to a constant factor, for k in [rad/m]. It is 0 outside [lowest(), highest()], which is
/// limited to the wave numbers that the cube can represent.
class Spectrum {
 public:
  /// Creates the spectrum for a cube with the period `period_m` [m] and `nodes` nodes per side. Scales that are 0 in
  /// `params` are computed from the period and the nodes. An error names the parameter that is invalid.
  [[nodiscard]] static Result<Spectrum> make(const SpectrumParams& params, double period_m, int nodes);

  [[nodiscard]] double energy(double k) const;
  [[nodiscard]] double lowest() const { return lowest_; }    ///< Lowest wave number [rad/m].
  [[nodiscard]] double highest() const { return highest_; }  ///< Highest wave number [rad/m].
  /// Returns the exponent of the power law, or NaN if the spectrum is no power law.
  [[nodiscard]] double slope() const;

 private:
  [[nodiscard]] double in_table(double k) const;

  SpectrumShape kind_ = SpectrumShape::kolmogorov;
  double slope_ = 0, peak_ = 0;  ///< `peak_` is k_e of von Karman's spectrum [rad/m].
  double lowest_ = 0, highest_ = 0;
  std::vector<double> k_, energy_;  ///< Wave numbers and energies of a table.
};

/// Returns the parameter table of SpectrumParams, to be included in the tables of field kinds.
[[nodiscard]] const ParamTable<SpectrumParams>& spectrum_params();

}  // namespace vw
