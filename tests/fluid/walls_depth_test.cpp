// Lift of what is held in water: pressures on it are those at its surface, not those of the particles half a spacing off it.
#include <gtest/gtest.h>

#include "tests/fluid/walled_fluid.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using test::wall_of;
using test::WalledFluid;

constexpr double d = 0.02;

/// Mean over the second half of a second of the upward force on a box of 8 x 6 x 8 spacings held `bottom` spacings above the floor of a tank 16 wide
/// and 12 deep, as a share of the weight of what it displaces.
double lift_of_box(double bottom, const Vec3& aside, FluidMethod method) {
  WalledFluid fluid(d);
  fluid.params.method = method;
  if (method == FluidMethod::wcsph) fluid.params.max_dt_s = 4e-4;
  fluid.colliders = test::tank_of_planes(Box3(Vec3(-8 * d, 0, -8 * d), Vec3(8 * d, 1, 8 * d)));
  const Collider box = wall_of(BoxShape{{4 * d, 3 * d, 4 * d}}, Vec3(0, (bottom + 3) * d, 0) + d * aside);
  fluid.colliders.push_back(box);
  const Box3 water(Vec3(-8 * d, 0, -8 * d), Vec3(8 * d, 12 * d, 8 * d));
  fluid.fill(water, Vec3::Zero(), [&](const Vec3& x) { return query(box, x).distance > 0.45 * d; });
  double sum = 0;
  int count = 0;
  while (fluid.time_s < 1) {
    if (!fluid.step()) return 0;
    if (fluid.time_s < 0.5) continue;
    std::vector<WallLoad> loads;
    wall_loads(fluid.solver.space(), fluid.solver.wall_owners(), fluid.colliders, loads);
    sum += loads.back().force.y();
    ++count;
  }
  return sum / count / (9810 * 8 * 6 * 8 * d * d * d);
}

TEST(WallsDepthValidation, AnImmersedBoxIsLiftedByTheWeightOfWhatItDisplaces) {
  // Walls that only mirror pressures lift it by a sixth more, as if it were half a spacing longer at each end.
  test::expect_case("fluid", "lift of a held box, on the lattice", lift_of_box(3, Vec3::Zero(), FluidMethod::dfsph), 1, 0.03);
  test::expect_case("fluid", "lift of a held box, between the lattice", lift_of_box(3.5, Vec3(0.5, 0, 0.25), FluidMethod::dfsph), 1, 0.05);
  test::expect_case("fluid", "lift of a held box, wcsph", lift_of_box(3, Vec3::Zero(), FluidMethod::wcsph), 1, 0.05);
}

}  // namespace
}  // namespace vw
