// Motives of a member, and the division of the member's limited acceleration among the motives (Reynolds 1987, 1999).
// All functions are pure functions of one member.
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/math.h"
#include "sim/system/flock/flock_params.h"
#include "sim/system/flock/steering/neighbours.h"

namespace vw {

/// Motives in the order of priority. `cruise` returns the member to the cruising speed.
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
/// Accelerations of a member, one per motive [m/s^2].
using Motives = std::array<Vec3, motive_count>;

/// Limits the weighted motives to the member's largest acceleration `most` [m/s^2], in the order of priority or by a
/// common factor (see Budget). Returns the sum of the limited motives, whose length never exceeds `most`.
Vec3 share_out(Motives& motives, Budget budget, double most);

/// Computes the motives that depend on neighbours (separation, alignment, cohesion), multiplied by their weights.
/// `motion` is the member's velocity [m/s]. Alignment is limited so that it does not overshoot the mean velocity of the
/// neighbours in a step of length dt.
void neighbour_motives(const SpeciesParams& species, const Seen& seen, const Vec3& motion, std::uint32_t id, double dt,
                       Motives& out);
/// Acceleration [m/s^2] that changes the velocity `motion` to `wanted` [m/s]. It is not multiplied by a weight. The
/// acceleration is proportional to the difference of the velocities, up to the largest acceleration, which is reached
/// if the velocities differ by the cruising speed.
[[nodiscard]] Vec3 change_to(const SpeciesParams& species, const Vec3& wanted, const Vec3& motion);
/// Returns the vector, shortened to the length `most` if it is longer.
[[nodiscard]] inline Vec3 cut_to(const Vec3& vector, double most) {
  const double squared = vector.squaredNorm();
  return squared > most * most ? Vec3(vector * (most / std::sqrt(squared))) : vector;
}

/// Fixed random direction of a member. It separates members at the same position.
[[nodiscard]] Vec3 own_direction(std::uint32_t id);

}  // namespace vw
