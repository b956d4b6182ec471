// Totals of all bodies at once from the forces on their particles, sorted by body: one reduction over the array, cut into parts of equal size
// wherever bodies begin and end, so that one body of a million particles and ten thousand small ones take the same time a particle (Harada et al.
// 2007).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/math.h"

namespace vw {

/// A force [N] and a torque [N m], or an impulse [N s] and an angular impulse [N m s].
struct Wrench {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  Wrench& operator+=(const Wrench& other) {
    force += other.force;
    torque += other.torque;
    return *this;
  }
};

/// Particles of several bodies: those of body b are rows [first[b], first[b + 1]).
struct SortedParticles {
  std::span<const std::uint32_t> first;  ///< one more than bodies
  std::span<const Vec3> center;          ///< of mass, of each body [m]
  std::span<const Vec3> place;           ///< [m]
  std::span<const Vec3> force;           ///< on each particle [N]
};

class SegmentedSum {
 public:
  /// totals[b] = {sum f, sum (x - center) x f} over the particles of b, in double; nothing for a body without any. The same bits at any number of
  /// threads. Scratch is reused.
  void run(const SortedParticles& particles, std::span<Wrench> totals);

 private:
  /// What a part of the array has of a body that begins before it.
  struct Piece {
    std::size_t body = 0;
    Wrench sum;
  };
  std::vector<Piece> begun_;  ///< of each part
};

}  // namespace vw
