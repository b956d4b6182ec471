// Computes the total force and torque of many bodies from the forces on their particles, which are sorted by body. The
// array of all particles is divided into sections of equal size, regardless of where bodies begin and end. A single
// body of a million particles and ten thousand small bodies therefore take the same time per particle (Harada, Tanaka,
// Koshizuka & Kawaguchi 2007).
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

/// Particles of several bodies. Body b owns rows [first[b], first[b + 1]).
struct SortedParticles {
  std::span<const std::uint32_t> first;  ///< first row of each body, then the number of particles
  std::span<const Vec3> center;          ///< centre of mass of each body [m]
  std::span<const Vec3> place;           ///< position of each particle [m]
  std::span<const Vec3> force;           ///< force on each particle [N]
};

class SegmentedSum {
 public:
  /// Computes the total force on each body and the total torque about its centre of mass, in double precision. A body
  /// without particles gets zero. The result is bitwise identical at any thread count. Scratch memory is reused.
  void run(const SortedParticles& particles, std::span<Wrench> totals);

 private:
  /// Contribution of one section of the array to the body that began in an earlier section.
  struct Piece {
    std::size_t body = 0;
    Wrench sum;
  };
  std::vector<Piece> begun_;  ///< one piece for each section of the array
};

}  // namespace vw
