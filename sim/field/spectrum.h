// Nominal energy spectra: distribution of a fluctuation's energy over wave numbers. Pure functions of k.
#pragma once

#include <string>
#include <vector>

#include "sim/base/node.h"

namespace vw {

enum class SpectrumShape { power_law, kolmogorov, von_karman, band, table };

/// Scene parameters of a spectrum. The parameters of a field kind derive from this and from FieldParams.
struct SpectrumParams {
  SpectrumShape spectrum = SpectrumShape::kolmogorov;
  double spectrum_slope = -5.0 / 3;  ///< For a power law: E ~ k^slope.
  /// Largest wavelength [m]; for von Karman, the wavelength with the most energy. 0: half the period, or the range of a
  /// table.
  double outer_scale_m = 0;
  double inner_scale_m = 0;        ///< Smallest wavelength [m]. 0: four nodes, or the range of a table.
  NumberList spectrum_table = {};  ///< For a table: k [rad/m] and E alternately.
};

/// E(k) up to a constant factor, for k in [rad/m]. 0 outside [lowest(), highest()], a range that the cube can
/// represent.
class Spectrum {
 public:
  /// For a cube of that period [m] and number of nodes per side, which determine the scales that are 0. The error names
  /// the wrong parameter.
  [[nodiscard]] static Result<Spectrum> make(const SpectrumParams& params, double period_m, int nodes);

  [[nodiscard]] double energy(double k) const;
  [[nodiscard]] double lowest() const { return lowest_; }    ///< Lowest wave number [rad/m].
  [[nodiscard]] double highest() const { return highest_; }  ///< Highest wave number [rad/m].
  /// Exponent of the power law; NaN if the spectrum is no power law.
  [[nodiscard]] double slope() const;

 private:
  [[nodiscard]] double in_table(double k) const;

  SpectrumShape kind_ = SpectrumShape::kolmogorov;
  double slope_ = 0, peak_ = 0;  ///< peak_: k_e of von Karman's spectrum [rad/m].
  double lowest_ = 0, highest_ = 0;
  std::vector<double> k_, energy_;  ///< Of a table.
};

/// Table of SpectrumParams, for the tables of field kinds.
[[nodiscard]] const ParamTable<SpectrumParams>& spectrum_params();

}  // namespace vw
