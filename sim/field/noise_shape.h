// What a turbulence sum does to each octave's noise before it adds it: sum_i alpha_i f(n_i). SPEC 3.
#pragma once

#include <array>
#include <span>
#include <vector>

namespace vw {

/// identity: n. absolute: |n|, creases at the zeros (billows). ridge: (1 - |n|)^2, crests there. curve: a user's table.
enum class NoiseForm { identity, absolute, ridge, curve };

class NoiseShape {
 public:
  NoiseShape() = default;
  explicit NoiseShape(NoiseForm form) : form_(form) {}
  /// The smooth curve through `values` (two at least) at equal distances over n = -1 .. 1: Catmull-Rom pieces, so that its slope is continuous;
  /// beyond its ends it goes on straight.
  [[nodiscard]] static NoiseShape through(std::span<const double> values);

  [[nodiscard]] NoiseForm form() const { return form_; }
  [[nodiscard]] double value(double n) const;
  [[nodiscard]] double slope(double n) const;

  /// A curve's pieces: value = c0 + c1 t + c2 t^2 + c3 t^3, t in [0, 1] within a piece; the first and the last are the straight ends.
  using Piece = std::array<float, 4>;
  [[nodiscard]] std::span<const Piece> pieces() const { return pieces_; }
  [[nodiscard]] int steps() const { return static_cast<int>(pieces_.size()) - 2; }  ///< pieces between -1 and 1

 private:
  NoiseForm form_ = NoiseForm::identity;
  std::vector<Piece> pieces_;
};

}  // namespace vw
