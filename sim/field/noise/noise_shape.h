// Shape function f. It is applied to the noise n_i of each octave before the octaves are added: sum_i alpha_i f(n_i).
#pragma once

#include <array>
#include <span>
#include <vector>

namespace vw {

/// Forms of the shape function f(n). `identity`: n. `absolute`: |n|, which has creases at the zeros of n (billows).
/// `ridge`: (1 - |n|)^2, which has crests at the zeros of n. `curve`: interpolation of a table that the user provides.
enum class NoiseForm { identity, absolute, ridge, curve };

class NoiseShape {
 public:
  NoiseShape() = default;
  explicit NoiseShape(NoiseForm form) : form_(form) {}
  /// Returns a smooth curve through `values` (at least two), which are equally spaced over n = -1 .. 1. The curve
  /// consists of Catmull-Rom pieces, so its slope is continuous. Beyond its ends, it continues as a straight line.
  [[nodiscard]] static NoiseShape through(std::span<const double> values);

  [[nodiscard]] NoiseForm form() const { return form_; }
  [[nodiscard]] double value(double n) const;
  [[nodiscard]] double slope(double n) const;

  /// Piece of a curve: value = c0 + c1 t + c2 t^2 + c3 t^3, with t from 0 to 1. The first and the last piece are the
  /// straight lines beyond the ends, on which t extends to minus or plus infinity.
  using Piece = std::array<float, 4>;
  [[nodiscard]] std::span<const Piece> pieces() const { return pieces_; }
  /// Returns the number of pieces between n = -1 and n = 1.
  [[nodiscard]] int steps() const { return static_cast<int>(pieces_.size()) - 2; }

 private:
  NoiseForm form_ = NoiseForm::identity;
  std::vector<Piece> pieces_;
};

}  // namespace vw
