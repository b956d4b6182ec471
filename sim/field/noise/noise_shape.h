// Shape function f that a turbulence sum applies to the noise n_i of each octave before the sum: sum_i alpha_i f(n_i).
#pragma once

#include <array>
#include <span>
#include <vector>

namespace vw {

/// Shape function f(n). `identity` is n. `absolute` is |n|, with creases at the zeros of n (billows). `ridge` is
/// (1 - |n|)^2, with crests at the zeros of n. `curve` is a table from the user.
enum class NoiseForm { identity, absolute, ridge, curve };

class NoiseShape {
 public:
  NoiseShape() = default;
  explicit NoiseShape(NoiseForm form) : form_(form) {}
  /// Smooth curve through `values` (at least two) at equal distances over n = -1 .. 1. It consists of Catmull-Rom
  /// pieces, so its slope is continuous. Beyond its ends, the curve continues as a straight line.
  [[nodiscard]] static NoiseShape through(std::span<const double> values);

  [[nodiscard]] NoiseForm form() const { return form_; }
  [[nodiscard]] double value(double n) const;
  [[nodiscard]] double slope(double n) const;

  /// Piece of a curve: value = c0 + c1 t + c2 t^2 + c3 t^3, where t runs from 0 to 1 along the piece. The first and the
  /// last piece are the straight ends, in which t continues to minus or plus infinity.
  using Piece = std::array<float, 4>;
  [[nodiscard]] std::span<const Piece> pieces() const { return pieces_; }
  /// Number of pieces between n = -1 and n = 1.
  [[nodiscard]] int steps() const { return static_cast<int>(pieces_.size()) - 2; }

 private:
  NoiseForm form_ = NoiseForm::identity;
  std::vector<Piece> pieces_;
};

}  // namespace vw
