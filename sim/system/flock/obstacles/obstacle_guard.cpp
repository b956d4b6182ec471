// A member is swept along its path in the frame of each moving obstacle. Each contact found yields a plane: the tangent
// plane at the contact, with the obstacle in its pose at the end of the substep. The member moves to the position that
// is nearest to the end of its free motion among the positions in front of all planes. The path to this position is
// then tested. If no free position is found, the member stops at the first contact or at its start. If these positions
// are not free either (walls that close in), the member moves to the position with the largest distance from all
// obstacles.
#include "sim/system/flock/obstacles/obstacle_guard.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

constexpr std::size_t guard_grain = 256;
// Gap between a member and an obstacle, as a fraction of the member's radius. The gap allows for rounding errors and
// for bodies that move differently from the prediction.
constexpr double skin = 0.02;
// If a member overlaps an obstacle at the start, the member is swept with a smaller radius: the distance of the
// member's centre from the obstacle, times this factor.
constexpr double shrunk = 1 - 1e-9;
// Smallest value of the speed limit [radii per second] for pushing members out of obstacles. Without this minimum,
// members of slow species would remain inside.
constexpr double least_push = 10;
constexpr int most_looks = 12, rounds_of_planes = 40, rounds_of_room = 40;
constexpr std::size_t most_planes = 12;

/// Half space in which the centre of the member must stay, on the side to which `normal` points.
struct Plane {
  Vec3 at, normal, surface;  ///< `surface` is the velocity of the obstacle's surface [m/s].
  double push = 0;           ///< Displacement along the normal that within_planes() applies [m].
  bool keeps_velocity = false;
};

/// An obstacle or ball near one member.
struct Near {
  const FlockObstacle* obstacle = nullptr;
  const FlockBall* ball = nullptr;
  /// Radius with which the member is swept. The radius is reduced if the member overlapped the obstacle at the start. A
  /// radius of 0 means that the member's centre was inside the obstacle. The obstacle then does not block the path.
  double radius = 0;
  double room = 0;  ///< Upper limit of the distance from the obstacle [m] that find_room() aims at.
};

/// First contact on a straight path. `share` is the fraction of the path before the contact. A value above 1 means that
/// there is no contact.
struct Touch {
  double share = 2;
  Plane plane;
};

/// Corrects the path of one member that may have hit an obstacle.
class Slider {
 public:
  Slider(const FlockObstacles& obstacles, double push_mps, double radius, const Vec3& from, const Vec3& to)
      : obstacles_(obstacles),
        dt_(obstacles.dt()),
        radius_(radius),
        skin_(skin * radius),
        out_(std::max(push_mps, least_push * radius) * obstacles.dt()),
        from_(from),
        to_(to) {}

  /// Finds the obstacles near the path of the member. Returns false if there are none.
  bool find(std::span<const std::uint32_t> near) {
    const double way = (to_ - from_).norm();
    look_about(near, way);
    // A moving obstacle may carry the member along, so other obstacles may come near the member.
    const double carry = carried_m();
    if (carry > 0) look_about(near, way + carry);
    return !near_.empty();
  }

  /// Computes the final position of the member. Returns false if no free position was found.
  bool slide() {
    if (slide_among_all()) return true;
    // If bodies that interactions provide press the member against walls, only the walls are kept as obstacles.
    if (room_ > 0 || !forget_brought()) return false;
    (void)slide_among_all();
    return false;
  }
  [[nodiscard]] const Vec3& place() const { return target_; }
  [[nodiscard]] bool met() const { return count_ > 0; }

  /// Removes the velocity components that point into the surfaces at the member's position.
  [[nodiscard]] Vec3 along_surfaces(Vec3 velocity) const {
    for (int round = 0; round < 4; ++round)
      for (std::size_t p = 0; p < count_; ++p) {
        const Plane& plane = planes_[p];
        if (plane.keeps_velocity || (target_ - plane.at).dot(plane.normal) > 2 * skin_) continue;
        const double inward = (velocity - plane.surface).dot(plane.normal);
        if (inward < 0) velocity -= inward * plane.normal;
      }
    return velocity;
  }

 private:
  bool slide_among_all() {
    target_ = within_planes();
    Touch first;
    for (int look = 0; look < most_looks; ++look) {
      const Touch touch = first_touch(target_);
      if (touch.share > 1) return settle();
      if (look == 0) first = touch;
      if (count_ == most_planes) break;
      planes_[count_++] = touch.plane;
      target_ = within_planes();
    }
    target_ = first.plane.at;
    if (settle()) return true;
    target_ = from_;
    return settle() || find_room();
  }
  [[nodiscard]] static bool is_brought(const Near& near) { return near.ball != nullptr || near.obstacle->brought; }
  /// Removes the obstacles that interactions provided. Returns false if there are no such obstacles.
  bool forget_brought() {
    if (std::erase_if(near_, is_brought) == 0) return false;
    const auto* last = std::remove_if(planes_.begin(), planes_.begin() + begun_,
                                      [](const Plane& plane) { return plane.keeps_velocity; });
    count_ = begun_ = static_cast<std::size_t>(last - planes_.begin());
    return true;
  }

  void look_about(std::span<const std::uint32_t> near, double way) {
    near_.clear();
    count_ = begun_ = 0;
    for (const std::uint32_t k : near) {
      if (k < obstacles_.all().size())
        see(obstacles_.all()[k], way);
      else
        see(obstacles_.clumps()[k - obstacles_.all().size()], way);
    }
  }
  /// Returns an upper bound of the distance [m] by which the near obstacles may carry the member in the substep.
  [[nodiscard]] double carried_m() const {
    double fastest = 0;
    for (const Near& near : near_)
      fastest = std::max(fastest, near.ball != nullptr ? near.ball->velocity.norm() : near.obstacle->speed_mps);
    return dt_ * fastest + (begun_ > 0 ? out_ : 0);
  }

  void see(const FlockObstacle& o, double way) {
    const double reach = radius_ + 2 * skin_ + way + o.speed_mps * dt_;
    if ((from_ - o.start.position).norm() - o.bound_m > reach) return;
    const SurfaceQuery found = query_near(o.start, from_, reach);
    if (!(found.distance < reach)) return;
    near_.push_back({&o, nullptr, outside(found.distance), room(found.distance)});
    if (found.distance >= radius_) return;
    const Vec3 local = o.start.orientation.conjugate() * (from_ - o.start.position);
    const Vec3 normal = o.end.orientation * (o.start.orientation.conjugate() * found.normal);
    add_overlap(found.distance, {carried(o, local), normal, o.start.velocity_at(from_), 0, o.brought});
  }
  void see(const FlockClump& clump, double way) {
    if (!clump.solid) return;
    const double reach = radius_ + 2 * skin_ + way;
    if ((from_ - clump.position).norm() - clump.radius > reach + (clump.velocity.norm() + clump.spread_mps) * dt_)
      return;
    for (std::uint32_t b = clump.first; b < clump.last; ++b) {
      const FlockBall& ball = obstacles_.balls()[b];
      const Vec3 off = from_ - ball.position;
      const double far = off.norm(), gap = far - ball.radius;
      if (gap > reach + ball.velocity.norm() * dt_) continue;
      near_.push_back({nullptr, &ball, outside(gap), room(gap)});
      if (gap < radius_)
        add_overlap(gap,
                    {from_ + dt_ * ball.velocity, far > 0 ? Vec3(off / far) : Vec3(0, 1, 0), ball.velocity, 0, true});
    }
  }

  [[nodiscard]] double outside(double distance) const {
    if (distance >= radius_) return radius_;
    return distance > 1e-6 * radius_ ? shrunk * distance : 0;
  }
  [[nodiscard]] double room(double distance) const {
    return std::min(radius_ + 0.5 * skin_, std::max(distance, 0.0) + out_);
  }

  /// Adds a plane that pushes the member out of an obstacle that it overlaps. The displacement of the member by the
  /// plane is at most `out_`.
  void add_overlap(double distance, Plane plane) {
    if (count_ == most_planes) return;
    plane.at += std::min(radius_ + skin_ - distance, out_) * plane.normal;
    planes_[count_++] = plane;
    begun_ = count_;
  }

  [[nodiscard]] static Vec3 carried(const FlockObstacle& o, const Vec3& local) {
    return o.end.position + o.end.orientation * local;
  }

  /// Returns the first contact of the member on the straight path from its start to `to`.
  [[nodiscard]] Touch first_touch(const Vec3& to) const {
    Touch first;
    for (const Near& near : near_) {
      if (!(near.radius > 0)) continue;
      if (near.obstacle != nullptr)
        touch_obstacle(*near.obstacle, near.radius, to, first);
      else
        touch_ball(*near.ball, near.radius, to, first);
    }
    return first;
  }
  void touch_obstacle(const FlockObstacle& o, double radius, const Vec3& to, Touch& first) const {
    const auto hit = sweep(o.start, o.end, from_, to, radius);
    if (!hit || hit->share >= first.share) return;
    const Vec3 a = o.start.orientation.conjugate() * (from_ - o.start.position),
               b = o.end.orientation.conjugate() * (to - o.end.position);
    const Vec3 at = carried(o, a + hit->share * (b - a));
    first = {hit->share, {at + skin_ * hit->normal, hit->normal, o.end.velocity_at(at), 0, o.brought}};
  }
  void touch_ball(const FlockBall& ball, double radius, const Vec3& to, Touch& first) const {
    const Vec3 carry = dt_ * ball.velocity, a = from_ - ball.position, b = to - carry - ball.position;
    const auto hit = sweep(Shape(SphereShape{ball.radius}), a, b, radius);
    if (!hit || hit->share >= first.share) return;
    const Vec3 at = ball.position + carry + a + hit->share * (b - a);
    first = {hit->share, {at + skin_ * hit->normal, hit->normal, ball.velocity, 0, true}};
  }

  /// Returns the position nearest to `to_` among the positions in front of all planes. Hildreth's method (1957)
  /// projects onto one plane at a time. A later round may reduce the displacement that an earlier projection onto the
  /// same plane caused.
  [[nodiscard]] Vec3 within_planes() {
    Vec3 place = to_;
    for (std::size_t p = 0; p < count_; ++p) planes_[p].push = 0;
    for (int round = 0; round < rounds_of_planes; ++round) {
      double moved = 0;
      for (std::size_t p = 0; p < count_; ++p) {
        Plane& plane = planes_[p];
        const double push = std::max(0.0, plane.push - (place - plane.at).dot(plane.normal));
        place += (push - plane.push) * plane.normal;
        moved = std::max(moved, std::abs(push - plane.push));
        plane.push = push;
      }
      if (moved <= 1e-3 * skin_) break;
    }
    return place;
  }

  /// Returns the distance of `place` from the obstacle at the end of the substep, and the outward normal. The distance
  /// is exact if it is at most `reach`.
  [[nodiscard]] SurfaceQuery at_end(const Near& near, const Vec3& place, double reach) const {
    if (near.obstacle != nullptr) return query_near(near.obstacle->end, place, reach);
    const Vec3 off = place - (near.ball->position + dt_ * near.ball->velocity);
    const double far = off.norm();
    return {far - near.ball->radius, far > 0 ? Vec3(off / far) : Vec3(0, 1, 0)};
  }

  /// Corrects small penetrations at the target. Returns whether the target and the straight path to it are free of
  /// contact, with the radius Near::radius for each obstacle.
  bool settle() {
    for (int round = 0; round < 6; ++round) {
      bool clear = true;
      for (const Near& near : near_) {
        if (!(near.radius > 0)) continue;
        const SurfaceQuery found = at_end(near, target_, near.radius + skin_);
        if (found.distance >= near.radius) continue;
        if (near.radius - found.distance > 4 * skin_) return false;
        target_ += (near.radius + 0.5 * skin_ - found.distance) * found.normal;
        clear = false;
      }
      if (clear) return first_touch(target_).share > 1 - 1e-9;
    }
    return false;
  }

  /// Returns the smallest distance from `place` to the near obstacles [m]. If `pressed` is set, the distance to a
  /// collider that overlaps the member is replaced by the negative penetration depth, and colliders that do not overlap
  /// the member are ignored.
  [[nodiscard]] double room_at(const Vec3& place, bool pressed) const {
    double room = std::numeric_limits<double>::infinity();
    for (const Near& near : near_) {
      const double distance = at_end(near, place, radius_ + skin_).distance;
      const bool whole = pressed && !is_brought(near) && near.radius > 0;
      if (!whole || distance < near.radius) room = std::min(room, whole ? distance - near.radius : distance);
    }
    return room;
  }

  /// Moves a squeezed member to the nearby position with the largest distance from all obstacles. The search aims at a
  /// distance of the full radius first and then at smaller fractions of the radius. An obstacle whose interior
  /// contained the member's centre at the start does not push the member, but its distance still counts. If obstacles
  /// that interactions provide are near, colliders push with the full radius in every round.
  bool find_room() {
    const bool pressed = std::any_of(near_.begin(), near_.end(), is_brought);
    Vec3 best = target_;
    double most = -std::numeric_limits<double>::infinity();
    for (const double share : {1.0, 0.8, 0.6, 0.45, 0.3, 0.2, 0.1}) {
      Vec3 place = within_planes();
      for (int round = 0; round < rounds_of_room; ++round) {
        const double room = room_at(place, pressed);
        if (room > most) most = room, best = place;
        if (room >= share * radius_) break;
        for (const Near& near : near_) {
          if (!(near.radius > 0)) continue;
          const SurfaceQuery found = at_end(near, place, radius_ + skin_);
          const double wanted =
              std::min(near.room, (pressed && !is_brought(near) ? 1 : share) * (radius_ + 0.5 * skin_));
          if (found.distance < wanted) place += (wanted - found.distance) * found.normal;
        }
      }
      if (most >= share * radius_) break;
    }
    target_ = best;
    room_ = most;
    return false;
  }

  const FlockObstacles& obstacles_;
  double dt_, radius_, skin_, out_;
  Vec3 from_, to_, target_ = Vec3::Zero();
  std::vector<Near> near_;
  std::array<Plane, most_planes> planes_;
  /// `count_` is the number of planes. The first `begun_` of them belong to obstacles that overlapped the member at the
  /// start.
  std::size_t count_ = 0, begun_ = 0;
  double room_ = 0;  ///< Result of room_at() at the position that find_room() chose.
};

}  // namespace

GuardCounts keep_out(const FlockObstacles& obstacles, double push_mps, const GuardRows& rows) {
  if (obstacles.empty()) return {};
  return ordered_sum(rows.from.size(), guard_grain, GuardCounts{}, [&](Range range) {
    GuardCounts counts;
    std::vector<std::uint32_t> everything;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const Vec3& from = rows.from[i];
      Vec3& to = rows.position[i];
      // The health check reports members whose position is not finite.
      if (!to.allFinite()) continue;
      const double radius = rows.radius[i], way = (to - from).norm();
      if (!rows.free_m.empty() && way + (1 + 2 * skin) * radius < rows.free_m[i]) continue;
      Slider one(obstacles, push_mps, radius, from, to);
      // If the member has moved farther than predicted, for example by an impulse, all obstacles are tested.
      const bool farther = way + (1 + 2 * skin) * radius > obstacles.reach_m();
      if (farther && everything.empty())
        for (std::size_t k = 0; k < obstacles.all().size() + obstacles.clumps().size(); ++k)
          everything.push_back(static_cast<std::uint32_t>(k));
      if (!one.find(farther ? std::span<const std::uint32_t>(everything) : obstacles.near(i))) continue;
      if (!one.slide()) ++counts.squeezed;
      to = one.place();
      if (!one.met()) continue;
      ++counts.met;
      rows.velocity[i] = one.along_surfaces(rows.velocity[i]);
      if (!rows.touched.empty()) rows.touched[i] = 1;
    }
    return counts;
  });
}

}  // namespace vw
