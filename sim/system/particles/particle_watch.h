// One look at all particles after a step: what the health check and the next step's deaths want to know of them, so that rows are read once
// for both.
#pragma once

#include <limits>
#include <vector>

#include "sim/system/system.h"

namespace vw {

class ParticleWatch {
 public:
  /// Room for a look at so many (at the first million at once).
  void reserve(std::size_t capacity);
  /// Looks; what it found holds until somebody moves or is born.
  void look(const Elements& elements);
  void forget() { looked_ = false; }
  [[nodiscard]] bool looked() const { return looked_; }

  /// Whether all places and speeds are sane numbers. False: somebody may not be.
  [[nodiscard]] bool sane() const { return all_.sane; }
  /// Nobody is farther from the origin [m]; infinite if unknown.
  [[nodiscard]] double farthest() const;

  /// Faster than anything here, slow enough to be caught before it overflows [m/s].
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
