#include "sim/system/flock/steering/hunting.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/parallel/parallel.h"
#include "sim/system/flock/steering/avoidance.h"
#include "sim/system/flock/steering/steering.h"

namespace vw {
namespace {

constexpr std::size_t hunting_grain = 256;
/// Value of Hunting::target_ if a hunter chases no member of the flock.
constexpr auto nobody = std::numeric_limits<std::uint32_t>::max();

bool any_of(const std::vector<std::uint8_t>& flags) {
  return std::find(flags.begin(), flags.end(), std::uint8_t{1}) != flags.end();
}

/// Acceleration [m/s^2] of a hunter towards the predicted position of the prey, which is at `aim` now. The prediction
/// time is the time that the hunter needs for the present distance at the hunter's largest speed, but at most
/// look_ahead_s.
Vec3 pursuit(const SpeciesParams& hunter, const Vec3& position, const Vec3& velocity, const Vec3& aim,
             const Vec3& aim_velocity) {
  const double distance = (aim - position).norm();
  const double lead = hunter.max_speed_mps > 0 ? std::min(distance / hunter.max_speed_mps, hunter.look_ahead_s) : 0;
  const Vec3 way = aim + lead * aim_velocity - position;
  const double length = way.norm();
  if (length <= 1e-9) return Vec3::Zero();
  return change_to(hunter, hunter.max_speed_mps / length * way, velocity);
}

}  // namespace

void Haunts::mark(std::span<const Vec3> places, double reach_m) {
  Box3 box;
  for (const Vec3& place : places)
    if (place.allFinite()) box.extend(place);
  marked_.clear();
  if (box.isEmpty() || !box.sizes().allFinite()) return;
  constexpr double most = 64, rounding = 1 + 1e-9;
  const double edge = rounding * std::max({0.25 * reach_m, box.sizes().maxCoeff() / most, 1e-9});
  // Distance reach_m in cells, rounded up, at most 4.
  const int around = static_cast<int>(std::ceil(reach_m / edge));
  per_m_ = 1 / edge;
  corner_ = box.min() - Vec3::Constant(around * edge);
  std::size_t cells = 1;
  for (Eigen::Index a = 0; a < 3; ++a) {
    count_[a] = std::floor(box.sizes()[a] * per_m_) + 2 * around + 1;
    cells *= static_cast<std::size_t>(count_[a]);
  }
  marked_.assign(cells, 0);
  for (const Vec3& place : places) {
    if (!place.allFinite()) continue;
    const Vec3 at = cells_to(place);
    for (int z = -around; z <= around; ++z)
      for (int y = -around; y <= around; ++y)
        for (int x = -around; x <= around; ++x) {
          const auto between = [](int k) { return std::max(std::abs(k) - 1, 0); };
          if (between(x) * between(x) + between(y) * between(y) + between(z) * between(z) > around * around) continue;
          const Vec3 cell = at + Vec3(x, y, z);
          if (has(cell)) marked_[number_of(cell)] = 1;
        }
  }
}

void Hunting::find_hunters(const FlockPlan& plan, const FlockRows& rows) {
  std::vector<std::uint8_t> hunts(plan.species.size(), 0);
  hunted_.assign(plan.species.size(), 0);
  for (std::size_t h = 0; h < plan.hunts.size(); ++h) {
    hunts[h] = any_of(plan.hunts[h]) ? 1 : 0;
    for (std::size_t p = 0; p < plan.hunts[h].size(); ++p) hunted_[p] |= plan.hunts[h][p];
  }
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (hunts[rows.species[i]] != 0) hunter_.push_back(static_cast<std::uint32_t>(i));
}

void Hunting::look(const FlockPlan& plan, const FlockRows& rows, const Surroundings& around,
                   const Neighbours& neighbours) {
  hunter_.clear();
  hunted_.assign(plan.species.size(), 0);
  const bool within = std::any_of(plan.hunts.begin(), plan.hunts.end(), any_of);
  const std::size_t count = within || !around.lures.empty() ? rows.size() : 0;
  chase_.resize(count);
  flight_.resize(count);
  if (count == 0) return;
  if (within) find_hunters(plan, rows);
  flee(plan, rows);
  hunt(plan, rows, around, neighbours);
}

void Hunting::flee(const FlockPlan& plan, const FlockRows& rows) {
  const Elements& e = rows.elements;
  double reach = 0, widest = 0;
  for (const SpeciesParams& species : plan.species) reach = std::max(reach, species.flight_reach_m);
  hunter_place_.clear();
  for (const std::uint32_t h : hunter_) {
    hunter_place_.push_back(e.position[h]);
    widest = std::max(widest, e.radius[h]);
  }
  hunters_.build(hunter_place_, reach + widest);
  haunts_.mark(hunter_place_, reach + widest);
  parallel_for(rows.size(), hunting_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      chase_[i].setZero();
      flight_[i].setZero();
      if (hunted_[rows.species[i]] == 0 || !haunts_.is_marked(e.position[i])) continue;
      const SpeciesParams& own = plan.species[rows.species[i]];
      Vec3 sum = Vec3::Zero();
      hunters_.near(e.position[i], [&](std::uint32_t which) {
        const std::uint32_t h = hunter_[which];
        if (h == i || plan.hunts[rows.species[h]][rows.species[i]] == 0) return;
        sum += flight_from(own, e.position[i], e.velocity[i], {e.position[h], e.velocity[h], e.radius[h]});
      });
      flight_[i] = sum;
    }
  });
}

void Hunting::hunt(const FlockPlan& plan, const FlockRows& rows, const Surroundings& around,
                   const Neighbours& neighbours) {
  const Elements& e = rows.elements;
  target_.assign(hunter_.size(), nobody);
  const auto chase = [&](std::size_t i, std::uint32_t* target) {
    const SpeciesParams& own = plan.species[rows.species[i]];
    const Vec3& x = e.position[i];
    double nearest = own.hunt_reach_m * own.hunt_reach_m;
    Vec3 aim = Vec3::Zero(), velocity = Vec3::Zero();
    bool found = false;
    if (target != nullptr)
      neighbours.near(x, own.hunt_reach_m, [&](const MemberRecord& other) {
        if (plan.hunts[rows.species[i]][other.species()] == 0) return;
        const std::uint32_t p = other.row();
        const double squared = (e.position[p] - x).squaredNorm();
        if (p == i || !(squared <= nearest) || (squared == nearest && found && p > *target)) return;
        nearest = squared, *target = p, found = true;
        aim = e.position[p], velocity = e.velocity[p];
      });
    for (const FlockStranger& lure : around.lures) {
      const double squared = (lure.position - x).squaredNorm();
      if (squared >= nearest) continue;
      nearest = squared, found = true;
      aim = lure.position, velocity = lure.velocity;
      if (target != nullptr) *target = nobody;
    }
    if (found) chase_[i] = pursuit(own, x, e.velocity[i], aim, velocity);
  };
  if (!around.lures.empty())
    parallel_for(rows.size(), hunting_grain, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i) chase(i, nullptr);
    });
  parallel_for(hunter_.size(), 1, [&](Range range, std::size_t) {
    for (std::size_t k = range.begin; k < range.end; ++k) chase(hunter_[k], &target_[k]);
  });
}

void Hunting::find_caught(const FlockPlan& plan, const FlockRows& rows, std::vector<std::uint32_t>& caught) const {
  caught.clear();
  const Elements& e = rows.elements;
  for (std::size_t k = 0; k < hunter_.size(); ++k) {
    const SpeciesParams& own = plan.species[rows.species[hunter_[k]]];
    if (!own.eats || target_[k] == nobody) continue;
    const double touch = 0.5 * own.length_m + e.radius[target_[k]];
    if ((e.position[target_[k]] - e.position[hunter_[k]]).squaredNorm() <= touch * touch) caught.push_back(target_[k]);
  }
  std::sort(caught.begin(), caught.end());
  caught.erase(std::unique(caught.begin(), caught.end()), caught.end());
}

}  // namespace vw
