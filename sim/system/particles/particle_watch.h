// Summary of all particles after a step, which the health check and the next step's removal of particles share, so that
// the rows are read only once.
#pragma once

#include <limits>
#include <vector>

#include "sim/system/system.h"

namespace vw {

class ParticleWatch {
 public:
  /// Reserves memory for a number of particles, for up to a million at once.
  void reserve(std::size_t capacity);
  /// Computes the summary. It is valid until a particle moves or is born.
  void look(const Elements& elements);
  void forget() { looked_ = false; }
  [[nodiscard]] bool looked() const { return looked_; }

  /// Whether all positions and speeds are plausible. If false, some may not be.
  [[nodiscard]] bool sane() const { return all_.sane; }
  /// Upper bound of the particles' distance from the origin [m]; infinite if unknown.
  [[nodiscard]] double farthest() const;

  /// Faster than any particle here, but slow enough to be detected before numbers overflow [m/s].
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
