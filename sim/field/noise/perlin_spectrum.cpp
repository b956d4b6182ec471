#include "sim/field/noise/perlin_spectrum.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/base/math.h"
#include "sim/field/noise/noise.h"

namespace vw {
namespace {

/// Squared Fourier transforms along one axis: of the weight K of a lattice point (`weight`), of K times the distance
/// (`ramp`), and of the box function of a cell (`box`).
struct AxisPower {
  double weight = 0, ramp = 0, box = 0;
};

AxisPower transform(double k) {
  constexpr int steps = 64;  // Simpson's rule over [0, 1]. [-1, 0] follows by symmetry.
  double weight = 0, ramp = 0;
  for (int i = 0; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps, share = (i == 0 || i == steps ? 1
                                                              : i % 2 == 1         ? 4
                                                                                   : 2) /
                                                             (3.0 * steps);
    const double kernel = 1 - t * t * t * (t * (t * 6 - 15) + 10);
    weight += 2 * share * kernel * elementary::cos(k * t);
    ramp += 2 * share * kernel * t * elementary::sin(k * t);
  }
  const double box = k > 1e-6 ? elementary::sin(k / 2) / (k / 2) : 1;
  return {weight * weight, ramp * ramp, box * box};
}

/// Table of AxisPower over k, with linear interpolation.
class AxisTable {
 public:
  AxisTable() {
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = transform(static_cast<double>(i) * step);
  }
  [[nodiscard]] AxisPower at(double k) const {
    const double u = std::min(k / step, static_cast<double>(rows.size()) - 1.001);
    const auto i = static_cast<std::size_t>(u);
    const double t = u - static_cast<double>(i);
    const auto mixed = [&](double AxisPower::*of) { return (1 - t) * rows[i].*of + t * rows[i + 1].*of; };
    return {mixed(&AxisPower::weight), mixed(&AxisPower::ramp), mixed(&AxisPower::box)};
  }
  static constexpr double step = 0.02, top = 60;

 private:
  std::array<AxisPower, static_cast<std::size_t>(top / step) + 2> rows;
};

constexpr int kinds = 3;  // White noise, frozen noise and slice.

/// Power averaged over all directions, at wave numbers that form a geometric progression.
struct PowerTable {
  static constexpr std::size_t count = 400;
  static constexpr double lowest = 0.01, highest = AxisTable::top;
  std::array<std::array<double, count>, kinds> power{};
  PowerTable() {
    static const AxisTable axis;
    // The time axis contributes the mean squares of K and of L, where L is K times the distance. Both follow from
    // gradient_noise_rms().
    const double mean_square_k =
        gradient_noise_rms(2) * gradient_noise_rms(2) / (gradient_noise_rms(1) * gradient_noise_rms(1));
    const double mean_square_l = gradient_noise_rms(1) * gradient_noise_rms(1);
    constexpr int rings = 24;
    for (std::size_t i = 0; i < count; ++i) {
      const double k = wave_number(static_cast<double>(i));
      for (int a = 0; a < rings; ++a)
        for (int b = 0; b < rings; ++b) {  // Directions in an eighth of the sphere, each for an equal area.
          const double up = (a + 0.5) / rings, turn = 0.5 * pi * (b + 0.5) / rings, level = std::sqrt(1 - up * up);
          const AxisPower x = axis.at(k * level * elementary::cos(turn)),
                          y = axis.at(k * level * elementary::sin(turn)), z = axis.at(k * up);
          const double ramps =
              x.ramp * y.weight * z.weight + x.weight * y.ramp * z.weight + x.weight * y.weight * z.ramp;
          power[0][i] += x.box * y.box * z.box;
          power[1][i] += ramps / 3;
          power[2][i] += (mean_square_k * ramps + mean_square_l * x.weight * y.weight * z.weight) / 4;
        }
      for (auto& row : power) row[i] /= rings * rings;
    }
  }
  static double wave_number(double i) { return lowest * elementary::pow(highest / lowest, i / (count - 1)); }
};

}  // namespace

double noise_energy(NoiseSpectrum of, double k) {
  static const PowerTable table;
  if (!(k > 0) || k > PowerTable::highest) return 0;
  const double u = elementary::log(std::max(k, PowerTable::lowest) / PowerTable::lowest) /
                   elementary::log(PowerTable::highest / PowerTable::lowest) * (PowerTable::count - 1);
  const auto i = std::min(static_cast<std::size_t>(u), PowerTable::count - 2);
  const auto& row = table.power[of == NoiseSpectrum::curl_of_slice ? 2 : static_cast<std::size_t>(of)];
  const double t = u - static_cast<double>(i), power = (1 - t) * row[i] + t * row[i + 1];
  const double scalar = k * k / (4 * pi * pi) * power;  // The factor k^2 / (4 pi^2) is half of 4 pi k^2 / (2 pi)^3.
  return of == NoiseSpectrum::curl_of_slice ? 2 * k * k * scalar : scalar;
}

}  // namespace vw
