// Motives of a member, and how they share its limited acceleration (Reynolds 1987, 1999). Pure functions of one member.
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/math.h"
#include "sim/system/flock/flock_params.h"
#include "sim/system/flock/steering/neighbours.h"

namespace vw {

/// In the order of priority. `cruise` is the return to the cruising speed.
enum class Motive : std::uint8_t {
  avoidance,
  flight,
  separation,
  hunt,
  alignment,
  cohesion,
  goal,
  home,
  wander,
  cruise
};
inline constexpr std::size_t motive_count = 10;
/// Acceleration of each motive [m/s^2].
using Motives = std::array<Vec3, motive_count>;

/// Limits the weighted motives to what a member can do: in their order until the largest acceleration is used up, or
/// all by one factor. Returns the sum, whose length never exceeds `most` [m/s^2].
Vec3 share_out(Motives& motives, Budget budget, double most);

/// Computes the motives that depend on neighbours, including weights. `motion`: own velocity [m/s]. Changes that would
/// overshoot in a step of length dt are reduced.
void neighbour_motives(const SpeciesParams& species, const Seen& seen, const Vec3& motion, std::uint32_t id, double dt,
                       Motives& out);
/// Acceleration [m/s^2] from the velocity `motion` to `wanted` [m/s], before the weight. It reaches its maximum where
/// they differ by the cruising speed.
[[nodiscard]] Vec3 change_to(const SpeciesParams& species, const Vec3& wanted, const Vec3& motion);
/// The vector, shortened to length `most` if it is longer.
[[nodiscard]] inline Vec3 cut_to(const Vec3& vector, double most) {
  const double squared = vector.squaredNorm();
  return squared > most * most ? Vec3(vector * (most / std::sqrt(squared))) : vector;
}

/// Fixed random direction of a member.
[[nodiscard]] Vec3 own_direction(std::uint32_t id);

}  // namespace vw
