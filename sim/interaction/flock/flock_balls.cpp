// Only spheres within a box around the flock are considered. A cell grid with a margin that covers the motion in a
// substep yields the candidate pairs. Collision impulses are applied in the order of members and spheres.
#include "sim/interaction/flock/flock_balls.h"

#include <algorithm>
#include <cmath>

#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

constexpr std::size_t member_grain = 512;

double fastest(const std::vector<Vec3>& velocity) {
  double squared = 0;
  for (const Vec3& v : velocity) squared = std::max(squared, v.squaredNorm());
  return std::sqrt(squared);
}

/// Returns the velocity of an element, including the velocity change by its pending impulse. Without this change, a
/// pair that has collided would collide again in each evaluation until the next substep.
Vec3 velocity_of(const Elements& rows, std::size_t i) {
  if (!rows.held.empty() && rows.held[i] != 0) return rows.velocity[i];
  return rows.velocity[i] + rows.impulse[i] / rows.mass[i];
}

}  // namespace

const ParamTable<FrightParams>& flock_balls_params() {
  static const auto table = fright_table("elements of the other system");
  return table;
}

const Schema& flock_voxels_schema() {
  static const Schema schema{
      "flock_voxel_body",
      "Flocks avoid voxel bodies, flee from approaching ones and bounce off those that they hit.",
      flock_balls_params().specs(),
      {},
      "Flocks and voxel bodies"};
  return schema;
}

const Schema& flock_playback_schema() {
  static const Schema schema{
      "flock_playback",
      "Flocks avoid recorded voxels and flee from approaching ones. The recording does not react.",
      flock_balls_params().specs(),
      {},
      "Flocks and recordings"};
  return schema;
}

const Schema& flock_particles_schema() {
  static const Schema schema{"flock_particles",
                             "Flocks avoid particles, flee from fast ones and bounce off those that they hit.",
                             flock_balls_params().specs(),
                             {},
                             "Flocks and particles"};
  return schema;
}

/// Passes the spheres near the flock to the flock's steering. A voxel is a cube of half edge r, represented by a sphere
/// of radius R about its centre. R is chosen so that a member of radius m cannot pass the corner between four voxels:
/// (R + m)^2 >= 3 r^2.
void FlockBallsRule::offer(FlockSystem& flock, const Elements& rows, double age) {
  ball_.clear(), place_.clear(), radius_.clear();
  Box3 minded = minded_by(flock, params_.fright_reach_m);
  if (minded.isEmpty() || rows.size() == 0) return;
  const std::vector<double>& sizes = flock.elements().radius;
  const double smallest = *std::min_element(sizes.begin(), sizes.end());
  FlockBalls balls;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!rows.open_faces.empty() && rows.open_faces[k] == 0) continue;
    const Vec3 place = rows.position[k] + age * rows.velocity[k];
    if (!minded.contains(place)) continue;
    const double radius = rows.orientation.empty()
                              ? rows.radius[k]
                              : std::max(rows.radius[k], std::sqrt(3.0) * rows.radius[k] - smallest);
    ball_.push_back(static_cast<std::uint32_t>(k));
    place_.push_back(place);
    radius_.push_back(radius);
    balls.velocity.push_back(rows.velocity[k]);
  }
  if (ball_.empty()) return;
  balls.position = place_, balls.radius = radius_;
  balls.fright_m = params_.fright_reach_m, balls.fright_mps = params_.fright_speed_mps;
  flock.around().balls.push_back(std::move(balls));
}

void FlockBallsRule::find_pairs(const Elements& members, const Elements& rows, const PairContext& context) {
  pairs_.clear();
  if (ball_.empty()) return;
  double widest = 0, widest_ball = 0;
  for (const double radius : members.radius) widest = std::max(widest, radius);
  for (const double radius : radius_) widest_ball = std::max(widest_ball, radius);
  const double room = context.step_a *
                      (fastest(members.velocity) + fastest(rows.velocity) + foreseen_mps2 * context.step_a),
               reach = widest + widest_ball + room;
  grid_.build(place_, reach);
  const std::size_t chunks = chunk_count(members.size(), member_grain);
  if (found_.size() < chunks) found_.resize(chunks);
  parallel_for(members.size(), member_grain, [&](Range range, std::size_t chunk) {
    std::vector<Pair>& found = found_[chunk];
    found.clear();
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const auto first = static_cast<std::ptrdiff_t>(found.size());
      grid_.near(members.position[i], [&](std::uint32_t k) {
        const double touch = members.radius[i] + radius_[k];
        if ((place_[k] - members.position[i]).squaredNorm() <= (touch + room) * (touch + room))
          found.push_back({static_cast<std::uint32_t>(i), ball_[k], touch});
      });
      std::sort(found.begin() + first, found.end(),
                [](const Pair& one, const Pair& two) { return one.ball < two.ball; });
    }
  });
  for (std::size_t chunk = 0; chunk < chunks; ++chunk)
    pairs_.insert(pairs_.end(), found_[chunk].begin(), found_[chunk].end());
}

void FlockBallsRule::prepare(System& a, System& b, const PairContext& context) {
  if (context.age_a > 0) return;
  auto& flock = static_cast<FlockSystem&>(a);
  offer(flock, b.elements(), context.age_b);
  find_pairs(flock.elements(), b.elements(), context);
  offer_marks(flock, b, context.age_b);
}

void FlockBallsRule::apply(System& a, System& b, const PairContext& context) {
  if (pairs_.empty()) return;
  Elements &members = a.elements().room_for_impulses(), &rows = b.elements().room_for_impulses();
  for (const Pair& pair : pairs_) {
    const std::size_t i = pair.member, k = pair.ball;
    if (k >= rows.size()) continue;
    const bool held = !rows.held.empty() && rows.held[k] != 0;
    const Vec3 velocity = velocity_of(members, i), other = velocity_of(rows, k);
    const Vec3 apart = members.position[i] + context.age_a * velocity - rows.position[k] - context.age_b * other;
    const double distance = apart.norm();
    if (!(distance > 0)) continue;
    const Vec3 normal = apart / distance;
    const Blow blow{distance - pair.reach_m, (velocity - other).dot(normal),
                    1 / members.mass[i] + (held ? 0 : 1 / rows.mass[k])};
    const double size = impulse_of(blow, context.dt, params_.restitution);
    if (!(size > 0)) continue;
    members.impulse[i] += size * normal;
    members.note_meeting(i), rows.note_meeting(k);
    if (held) continue;
    rows.impulse[k] -= size * normal;
    // Pending impulses act at the positions after the last substeps, so the lever arm is taken from these positions.
    // This conserves the angular momentum of the pair.
    if (!rows.angular_impulse.empty())
      rows.angular_impulse[k] -= (members.position[i] - rows.position[k]).cross(size * normal);
  }
}

}  // namespace vw
