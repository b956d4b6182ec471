// Energy spectra to be asked for: which share of a fluctuation's energy is where in wave number. Pure functions of k.
#pragma once

#include <string>
#include <vector>

#include "sim/base/node.h"

namespace vw {

enum class SpectrumShape { power_law, kolmogorov, von_karman, band, table };

/// What a scene says of a spectrum; parameters of a field kind derive from it beside FieldParams.
struct SpectrumParams {
  SpectrumShape spectrum = SpectrumShape::kolmogorov;
  double spectrum_slope = -5.0 / 3;  ///< of a power law: E ~ k^slope
  double outer_scale_m = 0;          ///< largest wavelength [m], von Karman's: the one with most energy; 0: half the period, a table's own
  double inner_scale_m = 0;          ///< smallest wavelength [m]; 0: four nodes, a table's own
  NumberList spectrum_table = {};    ///< of a table: k [rad/m] and E in turn
};

/// E(k) up to a factor, for k in [rad/m]; 0 outside [lowest, highest], which lie within what the cube can hold.
class Spectrum {
 public:
  /// For a cube of that period [m] and number of nodes a side, which say what scales of 0 mean. The error says which parameter is wrong.
  [[nodiscard]] static Result<Spectrum> make(const SpectrumParams& params, double period_m, int nodes);

  [[nodiscard]] double energy(double k) const;
  [[nodiscard]] double lowest() const { return lowest_; }    ///< [rad/m]
  [[nodiscard]] double highest() const { return highest_; }  ///< [rad/m]
  /// The exponent of its power law; NaN where it is none.
  [[nodiscard]] double slope() const;

 private:
  [[nodiscard]] double in_table(double k) const;

  SpectrumShape kind_ = SpectrumShape::kolmogorov;
  double slope_ = 0, peak_ = 0;  ///< peak_: k_e of von Karman's spectrum [rad/m]
  double lowest_ = 0, highest_ = 0;
  std::vector<double> k_, energy_;  ///< of a table
};

/// The rows of SpectrumParams for a field kind's table.
template <class P>
[[nodiscard]] Param<P> spectrum_shape() {
  return {static_cast<SpectrumShape P::*>(&P::spectrum),
          "spectrum",
          SpectrumShape::kolmogorov,
          {"power_law", "kolmogorov", "von_karman", "band", "table"},
          Live::yes,
          "How energy is spread over wave numbers k between the scales: k^slope; k^(-5/3); von Karman's, which peaks at the outer scale and has all "
          "that is "
          "larger; alike in all modes, as white noise (k^2); or as spectrum_table says."};
}
template <class P>
[[nodiscard]] Param<P> spectrum_slope() {
  return {static_cast<double P::*>(&P::spectrum_slope),
          "spectrum_slope",
          Unit::ratio,
          -5.0 / 3,
          {-10, 10},
          Scale::linear,
          Live::yes,
          "Exponent of a power law: energy a wave number goes as k^slope."};
}
template <class P>
[[nodiscard]] Param<P> spectrum_outer_scale() {
  return {static_cast<double P::*>(&P::outer_scale_m),
          "outer_scale",
          Unit::meter,
          0.0,
          {0, 1e6},
          Scale::linear,
          Live::yes,
          "Wavelength of the largest eddies (von Karman's: of those with most energy); 0: half the period."};
}
template <class P>
[[nodiscard]] Param<P> spectrum_inner_scale() {
  return {static_cast<double P::*>(&P::inner_scale_m),
          "inner_scale",
          Unit::meter,
          0.0,
          {0, 1e6},
          Scale::linear,
          Live::yes,
          "Wavelength of the smallest eddies; 0: four nodes of the grid, the least that interpolation carries well."};
}
template <class P>
[[nodiscard]] Param<P> spectrum_points() {
  return {static_cast<NumberList P::*>(&P::spectrum_table),
          "spectrum_table",
          Unit::none,
          {0, 1e12},
          Live::yes,
          "Of spectrum = \"table\": wave number [rad/m] and energy in turn, wave numbers ascending; in between by powers. Only ratios of energies "
          "count."};
}

}  // namespace vw
