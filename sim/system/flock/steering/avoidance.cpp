// A member predicts its path relative to each obstacle over the time `look_ahead_s`. If the path leads to a contact,
// the member turns into a direction along the surface. Its acceleration w^2 / (2 g) completes the turn before the
// contact, where w is the relative speed and g the gap. If this direction leads to a contact with another surface, the
// member compares it with a few other directions and chooses the one with the longest time without contact.
#include "sim/system/flock/steering/avoidance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/base/ordered_max.h"
#include "sim/base/parallel/parallel.h"
#include "sim/system/flock/obstacles/passing_lanes.h"
#include "sim/system/flock/steering/steering.h"

namespace vw {
namespace {

constexpr std::size_t avoidance_grain = 256;
// Smallest speed along the surface after the turn, as a fraction of the relative speed. It has an effect if a member
// heads straight at the surface.
constexpr double least_turn = 0.3;
// If a member is already within the clearance, the predicted contact is at the time when the gap falls to this fraction
// of its present size.
constexpr double nearly = 0.95;
// If the cosine of the angle between the acceleration and the backward direction exceeds this value, the member only
// brakes.
constexpr double straight = 0.99;
// If the gap to a surface is less than this many member radii, the obstacle guard may have stopped the member.
constexpr double at_touch = 1.2;
constexpr std::size_t many_threats = 8;  // If there are more threats, a grid is used to find the near ones.

Vec3 unit_or(const Vec3& v, const Vec3& otherwise) {
  const double length = v.norm();
  return length > 1e-12 ? Vec3(v / length) : otherwise;
}

/// Horizontal unit vector perpendicular to n, or the x axis if n is vertical.
Vec3 across(const Vec3& n) { return unit_or(n.cross(Vec3::UnitY()), Vec3::UnitX()); }

/// First contact along a predicted path. `time` is the time until the contact [s], or infinity if there is none.
struct Meeting {
  double time = infinite;
  Vec3 normal{0, 1, 0};
  Vec3 motion = Vec3::Zero();  ///< Velocity of the member relative to the obstacle [m/s].
  [[nodiscard]] bool is() const { return time < infinite; }
};

/// First time in [0, ahead] at which the distance of a point from the origin falls to `reach`, or infinity if there is
/// no such time. The point starts at `off` and moves with the velocity `motion`.
double time_to_ball(const Vec3& off, const Vec3& motion, double reach, double ahead) {
  const double closing = -off.dot(motion), far = off.norm();
  if (!(closing > 0)) return infinite;
  if (far <= reach) return 0;
  if (far - reach > motion.norm() * ahead) return infinite;
  const double square = motion.squaredNorm(), discriminant = square * reach * reach - off.cross(motion).squaredNorm();
  if (discriminant < 0) return infinite;
  const double time = (far - reach) * (far + reach) / (closing + std::sqrt(discriminant));
  return time <= ahead ? time : infinite;
}

/// Upper bound of the displacement [m] of a member in a substep.
double way_of(const FlockObstacles& obstacles, const SpeciesParams& species, double speed) {
  return obstacles.dt() * (speed + obstacles.dt() * species.max_acceleration_mps2);
}

/// Distance [m] from a member beyond which an obstacle can be ignored. If the obstacle stays farther away than this
/// during the look-ahead time, neither the member nor the obstacle guard needs to take it into account.
double far_off(const FlockObstacles& obstacles, const SpeciesParams& species, const Vec3& velocity, double radius) {
  return 2 * std::max(radius + species.clearance_m, radius + way_of(obstacles, species, velocity.norm()));
}

/// Obstacle avoidance of one member.
class Looker {
 public:
  Looker(const FlockObstacles& obstacles, const SpeciesParams& species, const FlockRows& rows, std::size_t row)
      : obstacles_(obstacles),
        species_(species),
        near_(obstacles.near(row)),
        x_(rows.elements.position[row]),
        v_(rows.elements.velocity[row]),
        own_(rows.speed[row] * rows.heading[row]),
        radius_(rows.elements.radius[row]),
        wide_(radius_ + species.clearance_m),
        off_(infinite),
        free_(infinite) {
    side_ = (rows.elements.id.empty() ? row : rows.elements.id[row]) % 2 == 0 ? 1 : -1;
  }

  /// Tests the near obstacles whose bit is set in `met` (find_met() in passing_lanes.h). All other obstacles stay
  /// farther away than `off_m`.
  void look(std::uint64_t met, double off_m) {
    off_ = free_ = off_m;
    for (std::size_t n = 0; n < near_.size(); ++n) {
      const bool is_met = (met >> std::min(n, met_bits) & 1U) != 0;
      const double gap = is_met ? see(near_[n]) : off_m;
      if (n < gaps_.size()) gaps_[n] = gap;
    }
    if (first_.is()) turn_aside();
    turn_rather_than_brake();
  }
  [[nodiscard]] const Vec3& avoid() const { return avoid_; }
  [[nodiscard]] const Vec3& flight() const { return flight_; }
  [[nodiscard]] double free_m() const { return free_; }

 private:
  double see(std::size_t k) {
    if (k < obstacles_.all().size()) return see_obstacle(obstacles_.all()[k]);
    see_clump(obstacles_.clumps()[k - obstacles_.all().size()]);
    return off_;
  }
  /// Takes one obstacle into account. Returns a lower bound of the distance to the obstacle [m], or the exact distance
  /// if the obstacle is within the clearance.
  double see_obstacle(const FlockObstacle& o) {
    if (stays_outside(o)) return off_;
    const double slip = o.speed_mps * obstacles_.dt();
    const double ahead = species_.look_ahead_s * (v_.norm() + o.speed_mps) + wide_;
    // Distance queries of meshes and grids are slow at large distances. For these shapes, the distance is queried in
    // the near range only, and contacts farther ahead are found by a sweep along the path.
    const bool data = std::holds_alternative<std::shared_ptr<const Geometry>>(o.start.shape);
    const double reach = std::max(data ? std::min(2 * wide_, ahead) : ahead, o.fright_m);
    const double far = o.bound_m + std::max(ahead, reach);
    if ((x_ - o.start.position).squaredNorm() > far * far) {
      const double gap = (x_ - o.start.position).norm() - o.bound_m;
      free_ = std::min(free_, gap - slip);
      return gap;
    }
    const SurfaceQuery found = query_near(o.start, x_, reach);
    const double gap = found.distance;
    free_ = std::min(free_, gap - slip);
    if (gap >= reach) {
      if (data) take(meet(o, v_ - o.start.velocity_at(x_), gap, species_.look_ahead_s));
      return gap;
    }
    const Vec3 surface = o.start.velocity_at(x_ - gap * found.normal);
    if (o.fright_m > 0 && gap < o.fright_m && surface.dot(found.normal) > o.fright_mps)
      flight_ += flight_from(species_, x_, v_, {x_ - gap * found.normal, surface, 0}, o.fright_m);
    const Vec3 motion = pressing(gap, found.normal) - surface;
    keep_clear(gap, found.normal, motion);
    take(meet(o, motion, gap, species_.look_ahead_s));
    return gap;
  }

  /// Returns whether the obstacle is a half space that stays farther away than off_ during the look-ahead time.
  [[nodiscard]] bool stays_outside(const FlockObstacle& o) const {
    const double gap = o.outward.dot(x_ - o.start.position) - off_ - o.speed_mps * obstacles_.dt();
    return gap > 0 && gap > species_.look_ahead_s * o.outward.dot(o.start.velocity - v_);
  }

  void see_clump(const FlockClump& clump) {
    const Vec3 off = x_ - clump.position, motion = v_ - clump.velocity;
    const double apart = off.norm() - clump.radius;
    if (clump.solid) free_ = std::min(free_, apart - (clump.velocity.norm() + clump.spread_mps) * obstacles_.dt());
    if (clump.fright_m > 0 && apart < clump.fright_m && clump.velocity.dot(off) > clump.fright_mps * off.norm())
      flight_ += flight_from(species_, x_, v_, {clump.position, clump.velocity, clump.radius}, clump.fright_m);
    if (apart > (motion.norm() + clump.spread_mps) * species_.look_ahead_s + wide_) return;
    double nearest = wide_;
    Vec3 normal, surface;
    Meeting soonest;
    for (std::uint32_t b = clump.first; b < clump.last; ++b) {
      const FlockBall& ball = obstacles_.balls()[b];
      const Vec3 from = x_ - ball.position;
      const double gap = from.norm() - ball.radius;
      if (gap < nearest) nearest = gap, normal = from, surface = ball.velocity;
      const Meeting met = meet(ball, v_ - ball.velocity, gap, species_.look_ahead_s);
      if (met.time < soonest.time) soonest = met;
    }
    if (nearest < wide_) keep_clear(nearest, unit_or(normal, Vec3::UnitY()), v_ - surface);
    take(soonest);
  }

  /// Adds a weak outward acceleration if the gap is smaller than the clearance. Between two walls, this acceleration
  /// leads the member to the middle.
  void keep_clear(double gap, const Vec3& normal, const Vec3& motion) {
    if (!(gap < wide_)) return;
    const double share = std::clamp((wide_ - gap) / std::max(species_.clearance_m, 1e-9), 0.0, 2.0);
    const double outward = 0.5 * share * species_.cruise_speed_mps - motion.dot(normal);
    if (outward > 0) avoid_ += share * gain() * outward * normal;
  }

  /// Returns the velocity of the member with which contacts are predicted. A surface in contact may have stopped the
  /// member. In this case, the inward component of the member's own motion is used if it is larger, so that the member
  /// still turns away.
  [[nodiscard]] Vec3 pressing(double gap, const Vec3& normal) const {
    return gap < at_touch * radius_ ? Vec3(v_ + std::min(0.0, (own_ - v_).dot(normal)) * normal) : v_;
  }

  /// Returns the first contact of a member that moves with the velocity `motion` relative to the obstacle. Contact
  /// means that the clearance is reached. For a member that is already within the clearance, contact means that the gap
  /// shrinks to the fraction `nearly` of its present size.
  [[nodiscard]] Meeting meet(const FlockObstacle& o, const Vec3& motion, double gap, double ahead) const {
    const double reach = std::min(wide_, nearly * gap);
    if (gap - reach > ahead * motion.norm() || gap <= 0) return {};
    const auto hit = sweep(o.start, o.start, x_, x_ + ahead * motion, reach);
    return hit ? Meeting{hit->share * ahead, hit->normal, motion} : Meeting{};
  }
  [[nodiscard]] Meeting meet(const FlockBall& ball, const Vec3& motion, double gap, double ahead) const {
    const double reach = ball.radius + std::min(wide_, nearly * std::max(gap, 0.0));
    const Vec3 off = x_ - ball.position;
    const double time = time_to_ball(off, motion, reach, ahead);
    return time < infinite ? Meeting{time, unit_or(off + time * motion, Vec3::UnitY()), motion} : Meeting{};
  }

  void take(const Meeting& met) {
    if (!met.is()) return;
    if (met.time < first_.time)
      std::swap(first_, second_), first_ = met;
    else if (met.time < second_.time)
      second_ = met;
  }

  /// Returns the time until the first contact if the member keeps the velocity `velocity`, at most `ahead` [s]. The
  /// search stops as soon as the time is not above `enough`. In this case, the returned time is only an upper bound.
  [[nodiscard]] double free_time(const Vec3& velocity, double ahead, double enough) const {
    double time = ahead;
    for (std::size_t n = 0; n < near_.size() && time > enough; ++n) {
      const std::size_t k = near_[n];
      if (k < obstacles_.all().size()) {
        const FlockObstacle& o = obstacles_.all()[k];
        const double gap = n < gaps_.size() ? gaps_[n] : query(o.start, x_, 2 * wide_).distance;
        time = std::min(time, meet(o, velocity - o.start.velocity_at(x_), gap, ahead).time);
      } else {
        const FlockClump& clump = obstacles_.clumps()[k - obstacles_.all().size()];
        const Vec3 motion = velocity - clump.velocity;
        const double reach = clump.radius + wide_ + clump.spread_mps * ahead;
        if (time_to_ball(x_ - clump.position, motion, reach, ahead) > ahead) continue;
        for (std::uint32_t b = clump.first; b < clump.last; ++b) {
          const FlockBall& ball = obstacles_.balls()[b];
          time = std::min(time,
                          meet(ball, velocity - ball.velocity, (x_ - ball.position).norm() - ball.radius, ahead).time);
        }
      }
    }
    return time;
  }

  /// Adds the acceleration that turns the member along the surface of the first predicted contact. If the new direction
  /// soon leads to another contact, the member instead turns into the direction, among several others, with the longest
  /// time without contact.
  void turn_aside() {
    const Vec3& n = first_.normal;
    const Vec3& w = first_.motion;
    const double speed = std::max(w.norm(), species_.min_speed_mps), least = obstacles_.dt();
    const Vec3 level = side_ * across(n);
    Vec3 along = w - w.dot(n) * n;
    along += std::max(0.0, least_turn * speed - along.norm()) * (along.dot(level) < 0 ? Vec3(-level) : level);
    Vec3 to = unit_or(along, level);
    const Vec3 surface = v_ - w;
    const double ahead = species_.look_ahead_s, needed = 0.5 * ahead;
    if (second_.is() || first_.time < needed) {
      double best = free_time(surface + speed * to, ahead, 0);
      if (best < needed) {
        const Vec3 edge = unit_or(n.cross(second_.is() ? second_.normal : to), level);
        const double sense = edge.dot(w) < 0 ? -1 : 1;
        // Besides the two directions along `edge`, four directions obliquely away from the surface are tried. The
        // direction straight back is not among them, because members cannot reverse on the spot.
        const auto others = std::to_array<Vec3>({sense * edge, -sense * edge, unit_or(to + n, n), unit_or(n - to, n),
                                                 unit_or(n + edge, n), unit_or(n - edge, n)});
        for (const Vec3& other : others) {
          const double time = free_time(surface + speed * other, ahead, best);
          if (time > best * (1 + 1e-6)) best = time, to = other;
        }
      }
    }
    avoid_ += (speed * to - w) / (2 * std::max(first_.time, least));
    if (!second_.is() || second_.time > 2 * first_.time) return;
    const double inward = -second_.motion.dot(second_.normal),
                 lacks = inward / (2 * std::max(second_.time, least)) - avoid_.dot(second_.normal);
    if (lacks > 0) avoid_ += lacks * second_.normal;
  }

  /// Reduces the backward component of the acceleration as far as turning can replace it. Braking would make turns less
  /// effective, because the lateral acceleration of a turn is at most the speed times the turn rate. If the
  /// acceleration points almost straight back, it is left unchanged.
  void turn_rather_than_brake() {
    const double pace = own_.norm(), back = pace > 0 ? -avoid_.dot(own_) / pace : 0, need = avoid_.norm();
    if (!(back > 0) || back > straight * need) return;
    const double can = std::min(species_.max_acceleration_mps2, pace * species_.turn_rate_radps);
    avoid_ += std::min(1.0, can / need) * back / pace * own_;
  }

  [[nodiscard]] double gain() const { return species_.max_acceleration_mps2 / std::max(species_.max_speed_mps, 1e-3); }

  const FlockObstacles& obstacles_;
  const SpeciesParams& species_;
  std::span<const std::uint32_t> near_;
  const Vec3& x_;
  const Vec3& v_;
  Vec3 own_;
  double radius_, wide_, off_, free_, side_ = 1;
  Vec3 avoid_ = Vec3::Zero(), flight_ = Vec3::Zero();
  Meeting first_, second_;
  std::array<double, 16> gaps_;  ///< Distances to the first 16 obstacles in near_ [m].
};

}  // namespace

Vec3 flight_from(const SpeciesParams& species, const Vec3& position, const Vec3& velocity, const FlockStranger& threat,
                 double reach_m) {
  const Vec3 off = position - threat.position;
  const double gap = off.norm() - threat.radius;
  if (!(gap < reach_m)) return Vec3::Zero();
  const Vec3 away = unit_or(off, unit_or(velocity, Vec3::UnitY()));
  const double speed = threat.velocity.norm();
  Vec3 to = away;
  if (speed > 1e-9 && threat.velocity.dot(away) > 0) {
    const Vec3 course = threat.velocity / speed;
    Vec3 aside = off - off.dot(course) * course;
    // If the member is straight ahead of the threat, it flees to the side to which it is moving.
    if (aside.norm() < 0.05 * off.norm()) aside = velocity - velocity.dot(course) * course;
    to = unit_or(away + course.dot(away) * unit_or(aside, across(course)), away);
  }
  // This factor is 1 up to two thirds of the reach and decreases to 0 at the reach.
  const double share = std::min(1.0, 3 * (1 - std::max(gap, 0.0) / reach_m));
  return share * change_to(species, species.max_speed_mps * to, velocity);
}

void Avoidance::look(FlockObstacles& obstacles, const Surroundings& around, const FlockPlan& plan,
                     const FlockRows& rows) {
  const Elements& e = rows.elements;
  avoid_.resize(rows.size());
  flight_.resize(rows.size(), Vec3::Zero());
  free_m_.resize(rows.size());
  const bool hunted = !around.threats.empty();
  const auto frightens = [](const auto& one) { return one.fright_m > 0; };
  // flight_ is set to zero only if an earlier substep may have written nonzero rows.
  const bool fled =
      std::exchange(flees_, hunted || std::any_of(obstacles.all().begin(), obstacles.all().end(), frightens) ||
                                std::any_of(obstacles.clumps().begin(), obstacles.clumps().end(), frightens));
  if (fled && !flees_) std::fill(flight_.begin(), flight_.end(), Vec3::Zero());
  if (hunted) flee(around, plan, rows);
  double ahead = obstacles.dt();
  for (const SpeciesParams& species : plan.species) ahead = std::max(ahead, species.look_ahead_s);
  const double reach = ordered_max(rows.size(), 4096, [&](std::size_t i) {
    const SpeciesParams& species = plan.species[rows.species[i]];
    const double speed = e.velocity[i].norm();
    return speed * species.look_ahead_s + species.clearance_m + 1.5 * e.radius[i] +
           2 * way_of(obstacles, species, speed);
  });
  const double alone = obstacles.empty() ? infinite : std::max(reach, 0.0);
  obstacles.sort(e.position, std::max(reach, 0.0), ahead);
  look_ahead_.clear();
  for (const SpeciesParams& species : plan.species) look_ahead_.push_back(species.look_ahead_s);
  const PassingJob passing{&obstacles, e.position, e.velocity, free_m_, look_ahead_, rows.species};
  parallel_for(rows.size(), avoidance_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const SpeciesParams& species = plan.species[rows.species[i]];
      free_m_[i] = std::min(far_off(obstacles, species, e.velocity[i], e.radius[i]), alone);
    }
    std::array<std::uint64_t, avoidance_grain> met;
    find_met(passing, range, met);
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (!hunted && flees_) flight_[i].setZero();
      if (met[i - range.begin] == 0) {
        avoid_[i].setZero();
        continue;
      }
      Looker one(obstacles, plan.species[rows.species[i]], rows, i);
      one.look(met[i - range.begin], free_m_[i]);
      avoid_[i] = one.avoid();
      flight_[i] += one.flight();
      free_m_[i] = one.free_m();
    }
  });
}

void Avoidance::flee(const Surroundings& around, const FlockPlan& plan, const FlockRows& rows) {
  double reach = 0, widest = 0;
  for (const SpeciesParams& species : plan.species) reach = std::max(reach, species.flight_reach_m);
  threat_at_.clear();
  for (const FlockStranger& threat : around.threats) {
    threat_at_.push_back(threat.position);
    widest = std::max(widest, threat.radius);
  }
  const bool sorted = around.threats.size() > many_threats;
  if (sorted) threats_.build(threat_at_, std::max(reach + widest, 1e-6));
  const Elements& e = rows.elements;
  parallel_for(rows.size(), avoidance_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const SpeciesParams& species = plan.species[rows.species[i]];
      flight_[i].setZero();
      const auto from = [&](std::size_t k) {
        flight_[i] += flight_from(species, e.position[i], e.velocity[i], around.threats[k]);
      };
      if (sorted)
        threats_.near(e.position[i], from);
      else
        for (std::size_t k = 0; k < around.threats.size(); ++k) from(k);
    }
  });
}

}  // namespace vw
