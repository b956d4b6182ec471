#include "sim/field/noise/noise_shape.h"

#include <algorithm>
#include <cmath>

namespace vw {
namespace {

/// The piece of a curve that contains n, and the position within this piece.
struct PiecePlace {
  std::size_t piece = 0;
  double t = 0;
};
PiecePlace piece_place(double n, int steps) {
  const double u = (n + 1) * 0.5 * steps + 1, piece = std::clamp(std::floor(u), 0.0, steps + 1.0);
  return {static_cast<std::size_t>(std::isnan(piece) ? 0 : piece), u - piece};
}

}  // namespace

NoiseShape NoiseShape::through(std::span<const double> values) {
  NoiseShape shape(NoiseForm::curve);
  const std::size_t last = values.size() - 1;
  // Slope per step. At an end, it is the slope of the parabola through the last three values (if there are three).
  const auto slope = [&](std::size_t i) {
    if (i > 0 && i < last) return 0.5 * (values[i + 1] - values[i - 1]);
    if (last == 1) return values[1] - values[0];
    return i == 0 ? 2 * values[1] - 1.5 * values[0] - 0.5 * values[2]
                  : 1.5 * values[last] - 2 * values[last - 1] + 0.5 * values[last - 2];
  };
  const auto add = [&](double c0, double c1, double c2, double c3) {
    shape.pieces_.push_back(
        {static_cast<float>(c0), static_cast<float>(c1), static_cast<float>(c2), static_cast<float>(c3)});
  };
  add(values[0] - slope(0), slope(0), 0, 0);
  for (std::size_t i = 0; i < last; ++i) {
    const double rise = values[i + 1] - values[i], begin = slope(i), end = slope(i + 1);
    add(values[i], begin, 3 * rise - 2 * begin - end, begin + end - 2 * rise);
  }
  add(values[last], slope(last), 0, 0);
  return shape;
}

double NoiseShape::value(double n) const {
  switch (form_) {
    case NoiseForm::identity: return n;
    case NoiseForm::absolute: return std::abs(n);
    case NoiseForm::ridge: return (1 - std::abs(n)) * (1 - std::abs(n));
    case NoiseForm::curve: break;
  }
  const auto [piece, t] = piece_place(n, steps());
  const Piece& c = pieces_[piece];
  return c[0] + t * (c[1] + t * (c[2] + t * c[3]));
}

double NoiseShape::slope(double n) const {
  switch (form_) {
    case NoiseForm::identity: return 1;
    case NoiseForm::absolute: return std::copysign(1, n);
    case NoiseForm::ridge: return -2 * (1 - std::abs(n)) * std::copysign(1, n);
    case NoiseForm::curve: break;
  }
  const auto [piece, t] = piece_place(n, steps());
  const Piece& c = pieces_[piece];
  return 0.5 * steps() * (c[1] + t * (2 * c[2] + t * 3 * c[3]));
}

}  // namespace vw
