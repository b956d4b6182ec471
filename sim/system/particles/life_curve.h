// Appearance of a particle over its life: three values with linear interpolation.
#pragma once

#include "sim/base/math.h"

namespace vw {

/// Values at birth, at a given fraction of the lifetime, and at death.
template <class T>
struct Stops {
  T birth, middle, death;
  /// Returns the value at the fraction `share` of the lifetime, in [0, 1]. The middle value applies at `middle_at`, in
  /// (0, 1).
  [[nodiscard]] T at(double share, double middle_at) const {
    if (share < middle_at) return lerp(birth, middle, share / middle_at);
    return lerp(middle, death, (share - middle_at) / (1 - middle_at));
  }
  /// Returns whether the value is equal to `value` over the whole life.
  [[nodiscard]] bool always(const T& value) const { return birth == value && middle == value && death == value; }

 private:
  [[nodiscard]] static T lerp(const T& a, const T& b, double t) { return a + t * (b - a); }
};

/// Returns the fraction of its lifetime that a particle has reached, in [0, 1]. For unlimited lifetimes the fraction is
/// 0, so that the particle keeps its initial appearance.
[[nodiscard]] inline double life_share(double age_s, double lifetime_s) {
  if (!(lifetime_s > 0) || !(age_s > 0)) return 0;
  return age_s < lifetime_s ? age_s / lifetime_s : 1;
}

}  // namespace vw
