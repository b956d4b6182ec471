// What drives members of a flock, and how that shares the acceleration which they have (Reynolds 1987, 1999). Pure functions of one member.
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/math.h"
#include "sim/system/flock/flock_params.h"
#include "sim/system/flock/neighbours.h"

namespace vw {

/// In the order of their urgency. `cruise` is the return to the cruising speed.
enum class Motive : std::uint8_t { avoidance, flight, separation, hunt, alignment, cohesion, goal, home, wander, cruise };
inline constexpr std::size_t motive_count = 10;
/// Accelerations [m/s^2], one a motive.
using Motives = std::array<Vec3, motive_count>;

/// Cuts what motives ask for, weights included, to what a member can do: in their order until its greatest acceleration is used up, or all by one
/// factor. Returns the sum, which never exceeds `most` [m/s^2].
Vec3 share_out(Motives& motives, Budget budget, double most);

/// What neighbours ask for, weights included. `motion` is its own [m/s]; a change that would be overdone in a step of dt is asked for in part.
void neighbour_motives(const SpeciesParams& species, const Seen& seen, const Vec3& motion, std::uint32_t id, double dt, Motives& out);
/// To go with `wanted` [m/s] instead of `motion`: as strong as it can be where they differ by the cruising speed, before the weight.
[[nodiscard]] Vec3 change_to(const SpeciesParams& species, const Vec3& wanted, const Vec3& motion);
/// No longer than `most`.
[[nodiscard]] inline Vec3 cut_to(const Vec3& vector, double most) {
  const double squared = vector.squaredNorm();
  return squared > most * most ? Vec3(vector * (most / std::sqrt(squared))) : vector;
}

/// A direction of a member's own, the same for ever.
[[nodiscard]] Vec3 own_direction(std::uint32_t id);

}  // namespace vw
