// Assigns obstacles to the cells that contain members, by one distance query per cell and obstacle.
#include "sim/system/flock/obstacles/flock_obstacles.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include "sim/base/elementary/elementary.h"
#include "sim/base/parallel/parallel.h"
#include "sim/collision/shape/hollow.h"

namespace vw {
namespace {

constexpr std::size_t place_grain = 4096, cell_grain = 32;
constexpr double most_cells = 24;      // Maximum number of cells along the longest side of the members' bounding box.
constexpr double members_a_cell = 48;  // Minimum mean number of members per cell, so that many members share a list.
constexpr double clump_diameters = 4;  // Width of the cells that define clumps (groups of balls), in ball diameters.

/// Returns the radius of a sphere around the origin of the shape's frame that contains the shape. It is infinite for an
/// unbounded shape.
double bound_of(const Shape& shape) {
  if (!is_solid(shape)) {
    const Box3 sheet = bounds(shape);  // Sheets are bounded. Planes and inverted shapes are unbounded.
    if (hole_of(shape) != nullptr || !sheet.sizes().allFinite()) return std::numeric_limits<double>::infinity();
  }
  const Box3 box = bounds(shape);
  return box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs()).norm();
}

FlockObstacle obstacle_of(Collider start, double dt) {
  FlockObstacle made;
  made.end = at_time(start, dt);
  made.bound_m = bound_of(start.shape);
  if (std::holds_alternative<PlaneShape>(start.shape) && !start.two_sided && start.angular_velocity.isZero(0))
    made.outward = start.orientation * Vec3::UnitY();
  made.start = std::move(start);
  return made;
}

/// Returns the bounding box of the finite positions in `places`.
Box3 box_of(std::span<const Vec3> places) {
  struct Part {
    Box3 box;
    Part& operator+=(const Part& other) {
      box.extend(other.box);
      return *this;
    }
  };
  return ordered_sum(places.size(), place_grain, Part{},
                     [&](Range range) {
                       Part part;
                       for (std::size_t i = range.begin; i < range.end; ++i)
                         if (places[i].allFinite()) part.box.extend(places[i]);
                       return part;
                     })
      .box;
}

}  // namespace

void FlockObstacles::assign(std::span<const Collider> colliders, const Surroundings& around, double dt) {
  dt_ = dt;
  obstacles_.clear();
  balls_.clear();
  clumps_.clear();
  groups_.clear();
  cell_of_row_.clear();
  for (const Collider& collider : colliders) obstacles_.push_back(obstacle_of(collider, dt));
  for (const FlockSolid& solid : around.solids) {
    Collider start;
    start.shape = solid.shape;
    start.position = solid.position, start.orientation = solid.orientation;
    start.velocity = solid.velocity, start.angular_velocity = solid.angular_velocity;
    start.two_sided = solid.two_sided;
    obstacles_.push_back(obstacle_of(std::move(start), dt));
    if (solid.fright_m > 0) obstacles_.back().outward.setZero();
    obstacles_.back().fright_m = solid.fright_m;
    obstacles_.back().fright_mps = solid.fright_mps;
    obstacles_.back().brought = true;
  }
  for (const FlockBalls& balls : around.balls)
    if (!balls.position.empty()) add_balls(balls);
}

/// Groups balls into clumps. A clump consists of the balls in one cell of a grid. The cells are a few ball diameters
/// wide, or wider if the balls are sparse.
void FlockObstacles::add_balls(const FlockBalls& balls) {
  Box3 box;
  double widest = 0;
  const std::size_t count = balls.position.size();
  for (std::size_t i = 0; i < count; ++i) {
    // If a position is not finite, all balls of this system are ignored. Its health check reports the position.
    if (!balls.position[i].allFinite()) return;
    box.extend(balls.position[i]);
    widest = std::max(widest, balls.radius[i]);
  }
  const double sparse = 2 * elementary::cbrt(box.sizes().prod() / static_cast<double>(count));
  constexpr double most = 1 << 20;
  const double edge = std::max({2 * clump_diameters * widest, sparse, box.sizes().maxCoeff() / most, 1e-9});
  sorted_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 at = (balls.position[i] - box.min()) / edge;
    const auto cell = [&](Eigen::Index a) { return static_cast<std::uint64_t>(at[a]); };
    sorted_.emplace_back(cell(0) | cell(1) << 21 | cell(2) << 42, static_cast<std::uint32_t>(i));
  }
  std::sort(sorted_.begin(), sorted_.end());
  const auto first_clump = static_cast<std::uint32_t>(clumps_.size());
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < count;) {
    rows.clear();
    const std::uint64_t cell = sorted_[i].first;
    while (i < count && sorted_[i].first == cell) rows.push_back(sorted_[i++].second);
    add_clump(balls, rows);
  }
  groups_.push_back(
      {box.center(), 0.5 * box.sizes().norm() + widest, first_clump, static_cast<std::uint32_t>(clumps_.size())});
}

void FlockObstacles::add_clump(const FlockBalls& from, std::span<const std::uint32_t> rows) {
  FlockClump clump;
  clump.first = static_cast<std::uint32_t>(balls_.size());
  Box3 box;
  for (const std::uint32_t i : rows) {
    balls_.push_back({from.position[i], from.velocity[i], from.radius[i]});
    box.extend(from.position[i]);
    clump.velocity += from.velocity[i] / static_cast<double>(rows.size());
  }
  clump.last = static_cast<std::uint32_t>(balls_.size());
  clump.position = box.center();
  for (const std::uint32_t i : rows) {
    clump.radius = std::max(clump.radius, (from.position[i] - clump.position).norm() + from.radius[i]);
    clump.spread_mps = std::max(clump.spread_mps, (from.velocity[i] - clump.velocity).norm());
  }
  clump.fright_m = from.fright_m, clump.fright_mps = from.fright_mps;
  clump.solid = from.solid;
  clumps_.push_back(clump);
}

/// Computes upper bounds of the surface speeds of all obstacles. For a rotating unbounded obstacle, the bound holds
/// only for the part of the surface near the members.
void FlockObstacles::find_speeds(const Box3& box) {
  for (FlockObstacle& obstacle : obstacles_) {
    const Collider& c = obstacle.start;
    const double to_members = (c.position - box.center()).norm() + 0.5 * box.sizes().norm() + reach_m_;
    const double spin = c.angular_velocity.norm();
    obstacle.speed_mps = c.velocity.norm() + (spin > 0 ? spin * std::min(obstacle.bound_m, to_members) : 0);
  }
}

/// Returns the distance [m] from the obstacle up to which grid cells must list the obstacle.
double FlockObstacles::within_m(const FlockObstacle& o, double ahead_s) const {
  return std::max(reach_m_ + o.speed_mps * ahead_s, o.fright_m);
}

/// Appends to `out` the obstacles that may come near a ball with the radius `half` and a centre anywhere in `box`. The
/// test uses the bounding spheres of the obstacles.
void FlockObstacles::list_about(const Box3& box, double half, double ahead_s, std::vector<std::uint32_t>& out) const {
  for (std::size_t k = 0; k < obstacles_.size(); ++k) {
    const FlockObstacle& o = obstacles_[k];
    const double within = o.bound_m + half + within_m(o, ahead_s);
    if (!(box.squaredExteriorDistance(o.start.position) > within * within))
      out.push_back(static_cast<std::uint32_t>(k));
  }
}

/// Appends to `out` the obstacles of `among` and the clumps that come near the ball of radius `half` around `middle`.
void FlockObstacles::list(const Vec3& middle, double half, double ahead_s, std::span<const std::uint32_t> among,
                          std::vector<std::uint32_t>& out) const {
  for (const std::uint32_t k : among) {
    const FlockObstacle& o = obstacles_[k];
    const double within = half + within_m(o, ahead_s);
    if ((middle - o.start.position).squaredNorm() > (o.bound_m + within) * (o.bound_m + within)) continue;
    if (comes_within(o.start, middle, within)) out.push_back(k);
  }
  for (const Group& group : groups_) {
    const auto reach_of = [&](const FlockClump& c) {
      return half + std::max(reach_m_ + (c.velocity.norm() + c.spread_mps) * ahead_s, c.fright_m);
    };
    double widest = 0;
    for (std::uint32_t k = group.first; k < group.last; ++k) widest = std::max(widest, reach_of(clumps_[k]));
    if ((middle - group.position).norm() > group.radius + widest) continue;
    for (std::uint32_t k = group.first; k < group.last; ++k) {
      const FlockClump& c = clumps_[k];
      const double within = c.radius + reach_of(c);
      if ((middle - c.position).squaredNorm() <= within * within)
        out.push_back(static_cast<std::uint32_t>(obstacles_.size()) + k);
    }
  }
}

/// Appends the bounding spheres of the obstacles in `near` to `out`. Returns the index in `out` of the first appended
/// value.
std::uint32_t FlockObstacles::add_bounds(std::span<const std::uint32_t> near, std::vector<double>& out) const {
  const std::size_t begin = out.size(),
                    wide = (near.size() + FlockBounds::padding - 1) / FlockBounds::padding * FlockBounds::padding;
  out.resize(begin + FlockBounds::columns * wide, 0.0);
  for (std::size_t n = 0; n < near.size(); ++n) {
    double* const to = out.data() + begin + n;
    to[6 * wide] = std::numeric_limits<double>::infinity();
    if (near[n] >= obstacles_.size()) continue;
    const FlockObstacle& o = obstacles_[near[n]];
    if (o.fright_m > 0 || !o.start.angular_velocity.isZero(0)) continue;
    for (Eigen::Index a = 0; a < 3; ++a) {
      to[static_cast<std::size_t>(a) * wide] = o.start.position[a];
      to[static_cast<std::size_t>(3 + a) * wide] = o.start.velocity[a];
    }
    to[6 * wide] = o.bound_m + dt_ * o.speed_mps;
  }
  return static_cast<std::uint32_t>(begin);
}

void FlockObstacles::sort(std::span<const Vec3> places, double reach_m, double ahead_s) {
  reach_m_ = reach_m;
  cell_of_row_.clear();
  if (empty() || places.empty()) return;
  Box3 box = box_of(places);
  if (box.isEmpty()) box = Box3(Vec3::Zero());
  find_speeds(box);
  const double shared = elementary::cbrt(members_a_cell * box.sizes().prod() / static_cast<double>(places.size()));
  const double edge = std::max({box.sizes().maxCoeff() / most_cells, 0.25 * reach_m, shared, 1e-6});
  std::array<std::size_t, 3> count{};
  for (std::size_t a = 0; a < 3; ++a)
    count[a] = static_cast<std::size_t>(box.sizes()[static_cast<Eigen::Index>(a)] / edge) + 1;
  lived_in_.assign(count[0] * count[1] * count[2], 0);
  cell_of_row_.resize(places.size());
  const double per_m = 1 / edge;
  const Vec3 last(static_cast<double>(count[0] - 1), static_cast<double>(count[1] - 1),
                  static_cast<double>(count[2] - 1));
  parallel_for(places.size(), place_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      Vec3 at = per_m * (places[i] - box.min());
      // The clamping also maps coordinates that are not finite to a valid cell.
      for (Eigen::Index a = 0; a < 3; ++a) at[a] = at[a] > 0 ? std::min(at[a], last[a]) : 0;
      const auto whole = [&at](Eigen::Index a) { return static_cast<std::size_t>(static_cast<std::int64_t>(at[a])); };
      const std::size_t cell = (whole(2) * count[1] + whole(1)) * count[0] + whole(0);
      cell_of_row_[i] = static_cast<std::uint32_t>(cell);
      std::atomic_ref<std::uint8_t> lived_in(lived_in_[cell]);
      if (lived_in.load(std::memory_order_relaxed) == 0) lived_in.store(1, std::memory_order_relaxed);
    }
  });
  occupied_.clear();
  for (std::size_t c = 0; c < lived_in_.size(); ++c)
    if (lived_in_[c] != 0) occupied_.push_back(static_cast<std::uint32_t>(c));
  cells_.resize(lived_in_.size());
  lists_.resize(std::max(lists_.size(), chunk_count(occupied_.size(), cell_grain)));
  bounds_.resize(lists_.size());
  const double half = 0.5 * std::sqrt(3.0) * edge * (1 + 1e-9);
  parallel_for(occupied_.size(), cell_grain, [&](Range range, std::size_t chunk) {
    std::vector<std::uint32_t>& out = lists_[chunk];
    out.clear();
    bounds_[chunk].clear();
    const auto middle_of = [&](std::size_t c) -> Vec3 {
      const auto x = static_cast<double>(c % count[0]), y = static_cast<double>(c / count[0] % count[1]),
                 z = static_cast<double>(c / (count[0] * count[1]));
      return box.min() + edge * Vec3(x + 0.5, y + 0.5, z + 0.5);
    };
    Box3 middles;
    for (std::size_t k = range.begin; k < range.end; ++k) middles.extend(middle_of(occupied_[k]));
    std::vector<std::uint32_t> among;
    list_about(middles, half, ahead_s, among);
    for (std::size_t k = range.begin; k < range.end; ++k) {
      const std::size_t c = occupied_[k];
      const auto first = static_cast<std::uint32_t>(out.size());
      list(middle_of(c), half, ahead_s, among, out);
      cells_[c] = {static_cast<std::uint32_t>(chunk), first, static_cast<std::uint32_t>(out.size()) - first,
                   add_bounds(std::span(out).subspan(first), bounds_[chunk])};
    }
  });
}

}  // namespace vw
