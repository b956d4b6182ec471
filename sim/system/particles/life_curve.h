// What a particle looks like over its life: three values, linear between them.
#pragma once

#include "sim/base/math.h"

namespace vw {

/// Values at birth, at a given share of the life, and at death.
template <class T>
struct Stops {
  T birth, middle, death;
  /// `share` of the life in [0, 1]; the middle value holds at `middle_at` in (0, 1).
  [[nodiscard]] T at(double share, double middle_at) const {
    if (share < middle_at) return lerp(birth, middle, share / middle_at);
    return lerp(middle, death, (share - middle_at) / (1 - middle_at));
  }
  /// Whether it is `value` all life long.
  [[nodiscard]] bool always(const T& value) const { return birth == value && middle == value && death == value; }

 private:
  [[nodiscard]] static T lerp(const T& a, const T& b, double t) { return a + t * (b - a); }
};

/// Share of its life that a particle of this age has behind it; one that lives for ever stays as it was born.
[[nodiscard]] inline double life_share(double age_s, double lifetime_s) {
  if (!(lifetime_s > 0) || !(age_s > 0)) return 0;
  return age_s < lifetime_s ? age_s / lifetime_s : 1;
}

}  // namespace vw
