#include "sim/field/spectral/spectrum.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sim/base/elementary/elementary.h"

namespace vw {
namespace {

/// Relative difference up to which wave numbers count as equal.
constexpr double same = 1e-9;

Result<void> check_table(const NumberList& table) {
  if (table.size() < 4 || table.size() % 2 != 0)
    return wrong_value(0, "spectrum_table", fmt::format("{} numbers", table.size()),
                       "must contain at least two pairs of wave number [rad/m] and energy");
  double before = 0, sum = 0;
  for (std::size_t i = 0; i < table.size(); i += 2) {
    if (!(table[i] > before))
      return wrong_value(0, "spectrum_table", fmt::format("wave number {:g}", table[i]),
                         fmt::format("must be above {:g}, because the wave numbers must increase", before));
    if (!(table[i + 1] >= 0))
      return wrong_value(0, "spectrum_table", fmt::format("energy {:g}", table[i + 1]), "must not be negative");
    before = table[i];
    sum += table[i + 1];
  }
  if (!(sum > 0 && std::isfinite(sum + before)))
    return wrong_value(0, "spectrum_table", fmt::format("sum of the energies {:g}", sum), "must be above 0 and finite");
  return {};
}

/// Scales the energies so that floats can represent the amplitudes. Only ratios of energies matter. If the largest
/// energy is below 2^-50, all energies are multiplied by the same power of two. Energies below 1e-60 of the largest
/// energy become 0.
void level(std::vector<double>& energy) {
  const int exponent = std::min(0, std::ilogb(*std::max_element(energy.begin(), energy.end())) + 50);
  for (double& e : energy) e = std::scalbn(e, -exponent);
  const double least = 1e-60 * *std::max_element(energy.begin(), energy.end());
  for (double& e : energy)
    if (e < least) e = 0;
}

/// Returns the error for a spectrum whose shortest wavelength exceeds its longest wavelength [m]. The error names the
/// parameter that set one of the two.
Unexpected scales_conflict(const SpectrumParams& params, double shortest_m, double longest_m, double period_m,
                           int nodes) {
  const std::string held =
      fmt::format("; the cube of {:g} m with {} nodes per side holds wavelengths from {:g} to {:g} m", period_m, nodes,
                  2 * period_m / nodes, period_m);
  if (params.inner_scale_m > 0)
    return wrong_value(0, "inner_scale", fmt::format("{:g} m", params.inner_scale_m),
                       fmt::format("must be less than the outer scale, {:g} m{}", longest_m, held));
  if (params.outer_scale_m > 0)
    return wrong_value(0, "outer_scale", fmt::format("{:g} m", params.outer_scale_m),
                       fmt::format("must be above the inner scale, {:g} m{}", shortest_m, held));
  return wrong_value(0, "spectrum_table", fmt::format("wavelengths from {:g} to {:g} m", shortest_m, longest_m),
                     "must overlap the wavelengths of the cube" + held);
}

}  // namespace

Result<Spectrum> Spectrum::make(const SpectrumParams& params, double period_m, int nodes) {
  // Range of wave numbers that the cube can represent.
  const double first = 2 * pi / period_m, last = first * nodes / 2;
  Spectrum made;
  made.kind_ = params.spectrum;
  made.slope_ = params.spectrum == SpectrumShape::power_law ? params.spectrum_slope
                : params.spectrum == SpectrumShape::band    ? 2
                                                            : -5.0 / 3;
  double lowest = 2 * first, highest = last / 2;
  if (params.spectrum == SpectrumShape::table) {
    if (auto checked = check_table(params.spectrum_table); !checked) return Unexpected(checked.error());
    for (std::size_t i = 0; i < params.spectrum_table.size(); i += 2) {
      made.k_.push_back(params.spectrum_table[i]);
      made.energy_.push_back(params.spectrum_table[i + 1]);
    }
    level(made.energy_);
    lowest = made.k_.front(), highest = made.k_.back();
  }
  if (params.outer_scale_m > 0)
    lowest = std::max(2 * pi / params.outer_scale_m, params.spectrum == SpectrumShape::table ? lowest : 0);
  if (params.inner_scale_m > 0)
    highest = std::min(2 * pi / params.inner_scale_m, params.spectrum == SpectrumShape::table ? highest : last);
  if (params.spectrum == SpectrumShape::von_karman) {
    made.peak_ = lowest / std::sqrt(12.0 / 5);  // With this k_e, E has its peak at the outer scale.
    lowest = first;
  }
  made.lowest_ = std::max(lowest, first);
  made.highest_ = std::min(highest, last);
  if (!(made.lowest_ <= made.highest_ * (1 + same)))
    return scales_conflict(params, 2 * pi / highest, 2 * pi / lowest, period_m, nodes);
  return made;
}

double Spectrum::slope() const {
  return kind_ == SpectrumShape::von_karman || kind_ == SpectrumShape::table ? std::numeric_limits<double>::quiet_NaN()
                                                                             : slope_;
}

double Spectrum::energy(double k) const {
  if (!(k >= lowest_ * (1 - same) && k <= highest_ * (1 + same))) return 0;
  switch (kind_) {
    case SpectrumShape::von_karman: {
      // Hinze, "Turbulence", 1975, eq. 3-153: E ~ (k / k_e)^4 / (1 + (k / k_e)^2)^(17/6).
      const double square = k * k / (peak_ * peak_);
      return square * square / elementary::pow(1 + square, 17.0 / 6);
    }
    case SpectrumShape::table: return in_table(k);
    case SpectrumShape::power_law:
    case SpectrumShape::kolmogorov:
    case SpectrumShape::band: break;
  }
  return elementary::pow(k / lowest_, slope_);
}

/// Interpolates log E linearly over log k. If E is 0 at one end of the interval, interpolates E itself over log k.
double Spectrum::in_table(double k) const {
  const auto above = std::upper_bound(k_.begin() + 1, k_.end() - 1, k) - k_.begin();
  const auto i = static_cast<std::size_t>(above);
  const double a = energy_[i - 1], b = energy_[i],
               share = std::clamp(elementary::log(k / k_[i - 1]) / elementary::log(k_[i] / k_[i - 1]), 0.0, 1.0);
  return a > 0 && b > 0 ? a * elementary::pow(b / a, share) : a + (b - a) * share;
}

const ParamTable<SpectrumParams>& spectrum_params() {
  using P = SpectrumParams;
  static const ParamTable<P> table{
      Param<P>{.member = &P::spectrum,
               .key = "spectrum",
               .live = Live::yes,
               .choices = {"power_law", "kolmogorov", "von_karman", "band", "table"},
               .doc = "Distribution of the energy over the wave number k, between the outer and the inner scale. "
                      "power_law: k^spectrum_slope. kolmogorov: k^(-5/3). von_karman: a maximum at the outer scale. "
                      "Eddies larger than the outer scale are included. band: k^2, so that all waves have equal "
                      "energy, as in white noise. table: the values in spectrum_table."},
      Param<P>{.member = &P::spectrum_slope,
               .key = "spectrum_slope",
               .unit = Unit::ratio,
               .range = {-10, 10},
               .live = Live::yes,
               .doc = "Exponent of the spectrum, if spectrum = \"power_law\". The energy is proportional to "
                      "k^spectrum_slope, where k is the wave number."},
      Param<P>{.member = &P::outer_scale_m,
               .key = "outer_scale",
               .unit = Unit::meter,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Wavelength of the largest eddies. If spectrum = \"von_karman\", it is the wavelength of the "
                      "eddies with the most energy. 0 means half the period, with two exceptions. If spectrum = "
                      "\"table\", 0 means that the table determines the scale. For noise with of = \"dilated\", 0 "
                      "means a quarter of the period."},
      Param<P>{.member = &P::inner_scale_m,
               .key = "inner_scale",
               .unit = Unit::meter,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Wavelength of the smallest eddies. 0 means four node spacings of the grid, the shortest "
                      "wavelength that is interpolated well."},
      Param<P>{.member = &P::spectrum_table,
               .key = "spectrum_table",
               .range = {0, 1e12},
               .live = Live::yes,
               .doc = "Spectrum as a list of pairs of wave number [rad/m] and energy, if spectrum = \"table\". The "
                      "wave numbers must increase. Between two pairs, the energy follows a power law. Only the ratios "
                      "of the energies matter."},
  };
  return table;
}

}  // namespace vw
