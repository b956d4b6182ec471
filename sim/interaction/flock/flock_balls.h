// Contact of flocks with systems of spheres: particles, and the voxels of a body or of a recording. Members steer
// around the spheres, flee from approaching spheres, and bounce off spheres that they could not avoid.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/interaction/flock/flock_side.h"

namespace vw {

[[nodiscard]] const ParamTable<FrightParams>& flock_balls_params();

/// At the start of the flock's substep, the rule passes the nearby spheres to the flock's steering. The spheres of
/// surface voxels are enlarged so that no member can pass between four of them. If a member nevertheless hits a sphere,
/// both receive a collision impulse along the line of centres. A sphere with prescribed motion receives no impulse.
class FlockBallsRule final : public RuleOf<FrightParams> {
 public:
  explicit FlockBallsRule(const Node& self) : RuleOf(flock_balls_params(), self) {}

  void prepare(System& a, System& b, const PairContext& context) override;
  void apply(System& a, System& b, const PairContext& context) override;

 private:
  struct Pair {
    std::uint32_t member, ball;
    double reach_m;  ///< Sum of the two radii [m].
  };
  void offer(FlockSystem& flock, const Elements& rows, double age);
  void find_pairs(const Elements& members, const Elements& rows, const PairContext& context);

  // The lists below are valid for one substep of the flock. They contain every pair that can touch in that substep.
  std::vector<std::uint32_t> ball_;  ///< Rows of the spheres near the flock.
  std::vector<Vec3> place_;          ///< Positions of the listed spheres [m].
  std::vector<double> radius_;
  CellGrid grid_;
  std::vector<std::vector<Pair>> found_;  ///< Pairs found by each chunk of members.
  std::vector<Pair> pairs_;
};

[[nodiscard]] const Schema& flock_voxels_schema();
/// Returns the schema of the rule for recorded voxels, which receive no impulse.
[[nodiscard]] const Schema& flock_playback_schema();
/// Returns the schema of the rule for particles.
[[nodiscard]] const Schema& flock_particles_schema();

}  // namespace vw
