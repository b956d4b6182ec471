// Flocks and what consists of balls: the voxels of a body, of a recording, particles. Members steer clear of them, flee from those that come at them,
// and bounce off what they could not avoid.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/interaction/flock_side.h"

namespace vw {

[[nodiscard]] const ParamTable<FrightParams>& flock_balls_params();

/// As the flock's substep begins it is told the balls about it, those of voxels' surfaces so large that no member slips in between four of them.
/// Whoever would touch one all the same gets a blow along the line of their middles as the two meet, which the ball gets too, unless it is held.
class FlockBallsRule final : public RuleOf<FrightParams> {
 public:
  explicit FlockBallsRule(const Node& self) : RuleOf(flock_balls_params(), self) {}

  void prepare(System& a, System& b, const PairContext& context) override;
  void apply(System& a, System& b, const PairContext& context) override;

 private:
  struct Pair {
    std::uint32_t member, ball;
    double reach_m;  ///< sum of the two radii
  };
  void offer(FlockSystem& flock, const Elements& rows, double age);
  void find_pairs(const Elements& members, const Elements& rows, const PairContext& context);

  // Of the flock's substep under way: lists hold whoever can touch in it.
  std::vector<std::uint32_t> ball_;  ///< rows about the flock
  std::vector<Vec3> place_;          ///< of those
  std::vector<double> radius_;
  CellGrid grid_;
  std::vector<std::vector<Pair>> found_;  ///< by each chunk of members
  std::vector<Pair> pairs_;
};

[[nodiscard]] const Schema& flock_voxels_schema();
/// The same rule with recorded voxels, which do not feel it.
[[nodiscard]] const Schema& flock_playback_schema();
/// And with particles.
[[nodiscard]] const Schema& flock_particles_schema();

}  // namespace vw
