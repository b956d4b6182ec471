// Checks all particles after a step: plausibility of positions and speeds, and largest distance from the origin. The
// health check and the removal of particles in the next step share the result, so that the rows are read only once.
#pragma once

#include <limits>
#include <vector>

#include "sim/system/system.h"

namespace vw {

class ParticleWatch {
 public:
  /// Reserves memory for `capacity` particles, but for at most a million.
  void reserve(std::size_t capacity);
  /// Reads all particles. The results are valid until a particle moves or is born.
  void look(const Elements& elements);
  void forget() { looked_ = false; }
  [[nodiscard]] bool looked() const { return looked_; }

  /// Returns true if all positions and speeds are plausible. If the result is false, some of them may be implausible.
  [[nodiscard]] bool sane() const { return all_.sane; }
  /// Returns an upper bound of the particles' distance from the origin [m]. The result is infinite if look() has not
  /// been called or found implausible values.
  [[nodiscard]] double farthest() const;

  /// Upper bound of a plausible speed [m/s]. No particle of a sensible scene is so fast, but the bound is low enough to
  /// detect an instability before numbers overflow.
  static constexpr double absurd_mps = 1e6;

 private:
  struct Part {
    double farthest_squared = 0;
    bool sane = true;
  };
  [[nodiscard]] static Part look_at(const Elements& elements, Range range);

  Part all_;
  std::vector<Part> parts_;
  bool looked_ = false;
};

}  // namespace vw
