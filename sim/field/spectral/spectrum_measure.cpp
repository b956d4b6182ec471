#include "sim/field/spectral/spectrum_measure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <optional>

#include "sim/base/elementary/elementary.h"
#include "sim/base/parallel/parallel.h"
#include "sim/field/spectral/fourier.h"

namespace vw {
namespace {

using Mode = std::complex<float>;

/// Sums over the modes in a spherical shell of wave-number space.
struct Shell {
  double modes = 0, wave_numbers = 0;  ///< Number of modes, and sum of their wave numbers [rad/m].
  double energy = 0, asked = 0;        ///< Half the measured and half the expected mean square.
  double along = 0, whole = 0;         ///< Sums of |k.u| and of |k| |u| over the modes.
  void operator+=(const Shell& other) {
    modes += other.modes;
    wave_numbers += other.wave_numbers;
    energy += other.energy;
    asked += other.asked;
    along += other.along;
    whole += other.whole;
  }
};

std::vector<std::span<const float>> components(const GridValues& values) {
  if (values.is_vector()) return {values.x, values.y, values.z};
  return {values.x};
}

/// Window function along one axis, and its derivative [1/m]. The mean square of the window is 1, so that the window
/// does not change the mean square of values.
struct AxisWindow {
  std::vector<double> value, slope;
};

AxisWindow window_of(SpectrumWindow window, int n, double unit) {
  const auto side = static_cast<std::size_t>(n);
  AxisWindow axis{std::vector<double>(side, 1), std::vector<double>(side, 0)};
  for (int i = 0; window == SpectrumWindow::hann && i < n; ++i) {
    axis.value[static_cast<std::size_t>(i)] = (1 - elementary::cos(2 * pi * i / n)) / std::sqrt(1.5);
    axis.slope[static_cast<std::size_t>(i)] = unit * elementary::sin(2 * pi * i / n) / std::sqrt(1.5);
  }
  return axis;
}

double weighted_mean(std::span<const float> values, const AxisWindow& axis) {
  const std::size_t side = axis.value.size();
  struct Total {
    double weight = 0, value = 0;
    void operator+=(const Total& other) { weight += other.weight, value += other.value; }
  };
  const Total total = ordered_sum(side * side, side, Total{}, [&](Range range) {
    Total part;
    for (std::size_t row = range.begin; row < range.end; ++row) {
      const double along = axis.value[row % side] * axis.value[row / side];
      for (std::size_t i = 0; i < side; ++i)
        part += {along * axis.value[i], along * axis.value[i] * static_cast<double>(values[row * side + i])};
    }
    return part;
  });
  return total.value / total.weight;
}

/// Adds (value - mean) * x(i) y(j) z(k) for each value to `out`.
void add_weighted(std::span<const float> values, double mean, const std::vector<double>& x,
                  const std::vector<double>& y, const std::vector<double>& z, std::vector<float>& out) {
  const std::size_t side = x.size();
  parallel_for(side * side, side, [&](Range range, std::size_t) {
    for (std::size_t row = range.begin; row < range.end; ++row)
      for (std::size_t i = 0; i < side; ++i)
        out[row * side + i] += static_cast<float>(x[i] * y[row % side] * z[row / side] *
                                                  (static_cast<double>(values[row * side + i]) - mean));
  });
}

/// Half the expected mean square of a mode, as a function of its wave number in units of the lowest wave number. It
/// follows from the nominal spectrum. If there is a window, this spectrum is first spread by the window.
class Due {
 public:
  Due(const NominalSpectrum& asked, double unit, int n, SpectrumWindow window) : asked_(asked), unit_(unit) {
    if (window == SpectrumWindow::none) return;
    std::vector<double> plain(static_cast<std::size_t>(n / 2 + 4) * steps + 1);
    for (std::size_t i = 0; i < plain.size(); ++i) plain[i] = plainly(std::max(1e-3, static_cast<double>(i) / steps));
    spread_.resize(static_cast<std::size_t>(n / 2 + 1) * steps + 1);
    parallel_for(spread_.size(), 64, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i)
        for (const Direction& to : directions)
          spread_[i] += to.share * spread(plain, static_cast<double>(i) / steps * to.unit);
    });
  }
  [[nodiscard]] double at(double length) const { return spread_.empty() ? plainly(length) : between(spread_, length); }

 private:
  static constexpr int steps = 8;  ///< Number of table entries per unit.
  struct Direction {
    Vec3 unit;
    double share;
  };
  static const std::array<Direction, 3> directions;

  /// Returns half the expected mean square of a mode without a window. There are 4 pi k^2 / unit^3 modes per unit of k.
  [[nodiscard]] double plainly(double length) const {
    return asked_.energy(unit_ * length) * unit_ / (4 * pi * length * length);
  }
  [[nodiscard]] static double between(const std::vector<double>& table, double length) {
    const double place = std::min(length * steps, static_cast<double>(table.size()) - 1.001);
    const auto i = static_cast<std::size_t>(place);
    const double t = place - static_cast<double>(i);
    return (1 - t) * table[i] + t * table[i + 1];
  }
  /// Returns the convolution with the squared transform of a Hann window, which is 2/3 (sin(pi q) / (pi q (1 - q^2)))^2
  /// along each axis. The transform is sampled at half units, up to its first zero.
  [[nodiscard]] static double spread(const std::vector<double>& plain, const Vec3& at) {
    static constexpr auto tap =
        std::to_array<double>({0.009611, 0.083371, 0.240277, 0.333483, 0.240277, 0.083371, 0.009611});
    double sum = 0;
    for (std::size_t i = 0; i < tap.size(); ++i)
      for (std::size_t j = 0; j < tap.size(); ++j)
        for (std::size_t k = 0; k < tap.size(); ++k) {
          const Vec3 off(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
          sum += tap[i] * tap[j] * tap[k] * between(plain, (at + 0.5 * (off - Vec3::Constant(3))).norm());
        }
    return sum;
  }

  const NominalSpectrum& asked_;
  double unit_;
  std::vector<double> spread_;
};

/// Quadrature over a sphere, exact up to the seventh degree (McLaren 1963). Its points lie on the axes, the face
/// diagonals and the space diagonals of a cube. By symmetry, one point of each kind suffices.
const std::array<Due::Direction, 3> Due::directions{
    {{Vec3::UnitX(), 2.0 / 7}, {Vec3(1, 1, 0).normalized(), 16.0 / 35}, {Vec3(1, 1, 1).normalized(), 9.0 / 35}}};

double mean_square(std::span<const float> values) {
  struct Total {
    double sum = 0, squares = 0;
    void operator+=(const Total& other) { sum += other.sum, squares += other.squares; }
  };
  // The first value is subtracted to avoid cancellation if values vary little compared with their mean.
  const auto first = static_cast<double>(values[0]);
  const Total total = ordered_sum(values.size(), 1 << 14, Total{}, [&](Range range) {
    Total part;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const double value = static_cast<double>(values[i]) - first;
      part += {value, value * value};
    }
    return part;
  });
  const double count = static_cast<double>(values.size()), mean = total.sum / count;
  return std::max(0.0, total.squares / count - mean * mean);
}

/// The Fourier modes from which the sums over shells are computed.
struct Transformed {
  std::vector<std::vector<Mode>> modes;  ///< Modes of each component.
  /// Modes of u . grad(window), the contribution of the window to the divergence of windowed values. It is empty if
  /// there is no window.
  std::vector<Mode> window;
};

/// Adds the modes (i, j, k) of one plane k to the shells. The modes are half of the spectrum of real values. The other
/// half are their conjugates.
void add_plane(const Transformed& of, int n, int k, double unit, const NominalSpectrum* asked, const Due* due,
               std::vector<Shell>& shells) {
  const auto signed_index = [n](int v) { return v > n / 2 ? v - n : v; };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= n / 2; ++i) {
      const double x = i, y = signed_index(j), z = signed_index(k), length = std::sqrt(x * x + y * y + z * z);
      const auto shell = static_cast<std::size_t>(std::lround(length));
      const double wave_number = unit * length;
      if (shell == 0 || shell >= shells.size() || 2 * length > n) continue;
      if (asked != nullptr && !(asked->energy(wave_number) > 0)) continue;
      const auto at = static_cast<std::size_t>(i) +
                      static_cast<std::size_t>(n / 2 + 1) *
                          (static_cast<std::size_t>(j) + static_cast<std::size_t>(n) * static_cast<std::size_t>(k));
      std::array<std::complex<double>, 3> u{};
      for (std::size_t c = 0; c < of.modes.size(); ++c) u[c] = of.modes[c][at];
      const std::complex<double> walls =
          of.window.empty() ? 0 : std::complex<double>(of.window[at]) * std::complex<double>(0, 1);
      const double square = std::norm(u[0]) + std::norm(u[1]) + std::norm(u[2]);
      const double times = i == 0 || 2 * i == n ? 1 : 2;  // Counts the mode and its conjugate.
      shells[shell] += {times,
                        times * wave_number,
                        times * square / 2,
                        due == nullptr ? 0 : times * due->at(length),
                        times * std::abs(unit * (x * u[0] + y * u[1] + z * u[2]) + walls),
                        times * wave_number * std::sqrt(square)};
    }
}

/// Returns the slope of the least-squares line through log `value` over log k. The weight of a shell is its number of
/// modes, because shells with more modes scatter less.
double slope_of(const std::vector<SpectrumRow>& rows, const std::vector<double>& weights, double SpectrumRow::*value) {
  double w = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!(rows[i].*value > 0)) continue;
    const double a = elementary::log(rows[i].k), b = elementary::log(rows[i].*value), weight = weights[i];
    w += weight, x += weight * a, y += weight * b, xx += weight * a * a, xy += weight * a * b;
  }
  const double spread = w * xx - x * x;
  return spread > 1e-12 * w * xx ? (w * xy - x * y) / spread : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

MeasuredSpectrum measure_spectrum(const GridValues& values, const NominalSpectrum* asked, SpectrumWindow window) {
  MeasuredSpectrum result;
  const auto rows_of = components(values);
  const double unit = 2 * pi / values.period_m;
  const Fourier fourier(values.n);
  const AxisWindow axis = window_of(window, values.n, unit);
  const auto& w = axis.value;
  Transformed of;
  std::vector<float> scratch, across(window == SpectrumWindow::none || !values.is_vector() ? 0 : values.x.size());
  for (std::size_t c = 0; c < rows_of.size(); ++c) {
    result.mean_square += mean_square(rows_of[c]);
    const double mean = weighted_mean(rows_of[c], axis);
    scratch.assign(rows_of[c].size(), 0);
    add_weighted(rows_of[c], mean, w, w, w, scratch);
    fourier.to_modes(scratch, of.modes.emplace_back(fourier.mode_count()));
    if (!across.empty())
      add_weighted(rows_of[c], mean, c == 0 ? axis.slope : w, c == 1 ? axis.slope : w, c == 2 ? axis.slope : w, across);
  }
  if (!across.empty()) {
    of.window.resize(fourier.mode_count());
    fourier.to_modes(across, of.window);
  }
  const std::optional<Due> due =
      asked == nullptr ? std::nullopt : std::optional<Due>(std::in_place, *asked, unit, values.n, window);
  const auto planes = static_cast<std::size_t>(values.n), shell_count = planes / 2 + 1;
  std::vector<std::vector<Shell>> by_plane(planes, std::vector<Shell>(shell_count));
  parallel_for(planes, 4, [&](Range range, std::size_t) {
    for (std::size_t k = range.begin; k < range.end; ++k)
      add_plane(of, values.n, static_cast<int>(k), unit, asked, due ? &*due : nullptr, by_plane[k]);
  });
  std::vector<double> weights;
  double along = 0, whole = 0;
  for (std::size_t s = 1; s < shell_count; ++s) {
    Shell shell;
    for (const auto& plane : by_plane) shell += plane[s];
    if (shell.modes == 0) continue;
    const double k = shell.wave_numbers / shell.modes;
    SpectrumRow row{k, shell.energy / shell.modes * 4 * pi * k * k / (unit * unit * unit),
                    std::numeric_limits<double>::quiet_NaN()};
    if (asked != nullptr) {
      row.asked = asked->energy(k);
      row.measured = shell.energy / shell.asked * row.asked;
    }
    result.rows.push_back(row);
    weights.push_back(shell.modes);
    along += shell.along, whole += shell.whole;
  }
  result.slope = slope_of(result.rows, weights, &SpectrumRow::measured);
  result.asked_slope = slope_of(result.rows, weights, &SpectrumRow::asked);
  result.divergence = values.is_vector() && whole > 0 ? along / whole : 0;
  return result;
}

}  // namespace vw
