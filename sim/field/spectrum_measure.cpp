#include "sim/field/spectrum_measure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>

#include "sim/base/parallel.h"
#include "sim/field/fourier.h"

namespace vw {
namespace {

using Mode = std::complex<float>;

/// Sums over the modes of a shell.
struct Shell {
  double modes = 0, wave_numbers = 0;  ///< [1], [rad/m]
  double energy = 0, asked = 0;        ///< half the mean squares
  double along = 0, whole = 0;         ///< |k.u|, |k| |u|
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

/// Hann's window along one axis, of mean square 1: what is within the cube counts as much as without it.
std::vector<double> hann(int n) {
  std::vector<double> window(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) window[static_cast<std::size_t>(i)] = (1 - std::cos(2 * pi * i / n)) / std::sqrt(1.5);
  return window;
}

/// Without its (weighted) mean, times the window if there is one.
std::vector<float> prepared(std::span<const float> values, int n, SpectrumWindow window) {
  const auto side = static_cast<std::size_t>(n);
  const std::vector<double> axis = window == SpectrumWindow::hann ? hann(n) : std::vector<double>(side, 1);
  const auto weight = [&](std::size_t row) { return axis[row % side] * axis[row / side]; };
  struct Total {
    double weight = 0, value = 0;
    void operator+=(const Total& other) { weight += other.weight, value += other.value; }
  };
  const Total total = ordered_sum(side * side, side, Total{}, [&](Range range) {
    Total part;
    for (std::size_t row = range.begin; row < range.end; ++row)
      for (std::size_t i = 0; i < side; ++i) part += {weight(row) * axis[i], weight(row) * axis[i] * static_cast<double>(values[row * side + i])};
    return part;
  });
  const double mean = total.value / total.weight;
  std::vector<float> out(values.size());
  parallel_for(side * side, side, [&](Range range, std::size_t) {
    for (std::size_t row = range.begin; row < range.end; ++row)
      for (std::size_t i = 0; i < side; ++i)
        out[row * side + i] = static_cast<float>(weight(row) * axis[i] * (static_cast<double>(values[row * side + i]) - mean));
  });
  return out;
}

double mean_square(std::span<const float> values) {
  struct Total {
    double sum = 0, squares = 0;
    void operator+=(const Total& other) { sum += other.sum, squares += other.squares; }
  };
  const Total total = ordered_sum(values.size(), 1 << 14, Total{}, [&](Range range) {
    Total part;
    for (std::size_t i = range.begin; i < range.end; ++i)
      part += {static_cast<double>(values[i]), static_cast<double>(values[i]) * static_cast<double>(values[i])};
    return part;
  });
  const double count = static_cast<double>(values.size()), mean = total.sum / count;
  return total.squares / count - mean * mean;
}

/// Shells of one plane of modes (i, j, *k*), half of a spectrum of which the rest is conjugate.
void add_plane(const std::vector<std::vector<Mode>>& modes, int n, int k, double unit, const AskedSpectrum* asked, std::vector<Shell>& shells) {
  const auto signed_index = [n](int v) { return v > n / 2 ? v - n : v; };
  const double density = 4 * pi / (unit * unit * unit);  // modes a wave number over k^2
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= n / 2; ++i) {
      const double x = i, y = signed_index(j), z = signed_index(k), length = std::sqrt(x * x + y * y + z * z);
      const auto shell = static_cast<std::size_t>(std::lround(length));
      const double wave_number = unit * length;
      if (shell == 0 || shell >= shells.size() || 2 * length > n) continue;
      const double due = asked == nullptr ? 0 : asked->energy(wave_number) / (density * wave_number * wave_number);
      if (asked != nullptr && !(due > 0)) continue;
      const auto at = static_cast<std::size_t>(i) +
                      static_cast<std::size_t>(n / 2 + 1) * (static_cast<std::size_t>(j) + static_cast<std::size_t>(n) * static_cast<std::size_t>(k));
      std::array<std::complex<double>, 3> u{};
      for (std::size_t c = 0; c < modes.size(); ++c) u[c] = modes[c][at];
      const double square = std::norm(u[0]) + std::norm(u[1]) + std::norm(u[2]);
      const double times = i == 0 || 2 * i == n ? 1 : 2;  // it and its conjugate
      shells[shell] += {times,
                        times * wave_number,
                        times * square / 2,
                        times * due,
                        times * unit * std::abs(x * u[0] + y * u[1] + z * u[2]),
                        times * wave_number * std::sqrt(square)};
    }
}

/// Slope of the straight line through log `value` over log k, shells weighing by their modes: so much less do they scatter.
double slope_of(const std::vector<SpectrumRow>& rows, const std::vector<double>& weights, double SpectrumRow::*value) {
  double w = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!(rows[i].*value > 0)) continue;
    const double a = std::log(rows[i].k), b = std::log(rows[i].*value), weight = weights[i];
    w += weight, x += weight * a, y += weight * b, xx += weight * a * a, xy += weight * a * b;
  }
  const double spread = w * xx - x * x;
  return spread > 1e-12 * w * xx ? (w * xy - x * y) / spread : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

MeasuredSpectrum measure_spectrum(const GridValues& values, const AskedSpectrum* asked, SpectrumWindow window) {
  MeasuredSpectrum result;
  const auto rows_of = components(values);
  const double unit = 2 * pi / values.period_m;
  const Fourier fourier(values.n);
  std::vector<std::vector<Mode>> modes(rows_of.size());
  for (std::size_t c = 0; c < rows_of.size(); ++c) {
    result.mean_square += mean_square(rows_of[c]);
    modes[c].resize(fourier.mode_count());
    fourier.to_modes(prepared(rows_of[c], values.n, window), modes[c]);
  }
  const auto planes = static_cast<std::size_t>(values.n), shell_count = planes / 2 + 1;
  std::vector<std::vector<Shell>> by_plane(planes, std::vector<Shell>(shell_count));
  parallel_for(planes, 4, [&](Range range, std::size_t) {
    for (std::size_t k = range.begin; k < range.end; ++k) add_plane(modes, values.n, static_cast<int>(k), unit, asked, by_plane[k]);
  });
  std::vector<double> weights;
  double along = 0, whole = 0;
  for (std::size_t s = 1; s < shell_count; ++s) {
    Shell shell;
    for (const auto& plane : by_plane) shell += plane[s];
    if (shell.modes == 0) continue;
    const double k = shell.wave_numbers / shell.modes;
    SpectrumRow row{k, shell.energy / shell.modes * 4 * pi * k * k / (unit * unit * unit), std::numeric_limits<double>::quiet_NaN()};
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
