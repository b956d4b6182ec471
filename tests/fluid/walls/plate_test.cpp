// Plates between water of different depths. The force on a plate is the difference of the hydrostatic forces on the two
// sides of the plate.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "sim/system/rigid/rigid.h"
#include "tests/fluid/fluid_world.h"
#include "tests/fluid/spacing.h"
#include "tests/fluid/tanks.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

constexpr double plate_width = 6 * dx,
                 water_length = 10 * dx;  // length of the water on each side of the plate
constexpr double deep_level = 12 * dx, shallow_level = 4 * dx;

/// Returns the expected force [N]: the difference of rho g h^2 / 2 between the two sides, times the width (h: water
/// depth).
double expected_force() { return 0.5 * 9810 * (deep_level * deep_level - shallow_level * shallow_level) * plate_width; }

struct FeltByPlate {
  /// Pressure force on the plate divided by the expected force, averaged over the second half of the run.
  double force = 0;
  /// Final water level [m] on the deep side: twice the mean height of the particles. The height of the highest particle
  /// is not used. It depends on the disorder of the surface and varies by 0.04 spacings with the thickness of the
  /// plate.
  double level = 0;
  double speed = 0;  ///< root mean square speed [m/s] over the second half of the run
  std::size_t crossed = 0;
};

/// Returns the force on a collider that stands on the floor in the middle of the tank. `thick` is the thickness of the
/// collider along x.
FeltByPlate felt_by(const Collider& plate, double thick) {
  test::WalledFluid fluid(dx);
  const double half = 0.5 * thick, z = 0.5 * plate_width;
  fluid.colliders = test::tank_of_planes(Box3(Vec3(-water_length - half, 0, -z), Vec3(water_length + half, 1, z)));
  fluid.colliders.push_back(plate);
  fluid.fill(Box3(Vec3(-water_length - half, 0, -z), Vec3(-half, deep_level, z)));
  const std::size_t on_left = fluid.rows.size();
  fluid.fill(Box3(Vec3(half, 0, -z), Vec3(water_length + half, shallow_level, z)));
  test::start(fluid);
  FeltByPlate felt;
  int count = 0;
  while (fluid.time_s < 1.5) {
    if (!fluid.step()) return {};
    if (fluid.time_s < 0.75) continue;
    std::vector<WallLoad> loads;
    wall_loads(fluid.solver.space(), fluid.solver.wall_owners(), fluid.colliders, loads);
    felt.force += loads.back().force.x() / expected_force();
    for (const Vec3& v : fluid.v()) felt.speed += v.squaredNorm() / static_cast<double>(fluid.rows.size());
    ++count;
  }
  felt.force /= count;
  felt.speed = std::sqrt(felt.speed / count);
  std::size_t left = 0;
  for (const Vec3& x : fluid.x())
    if (x.x() < 0) ++left, felt.level += 2 * x.y();
  felt.level /= static_cast<double>(left);
  felt.crossed = on_left - left;
  return felt;
}

FeltByPlate felt_by_still(double thick) {
  return felt_by(test::wall_of(BoxShape{{0.5 * thick, 20 * dx, plate_width}}, {0, 10 * dx, 0}), thick);
}

/// Returns the force on an infinitely thin sheet at the position of the plate.
FeltByPlate felt_by_sheet() {
  Collider sheet = test::wall_of(test::mesh_of(sheet_mesh(20 * dx, 4)), Vec3::Zero(), {0, 0, 0.5 * pi});
  return felt_by(sheet, 0);
}
FeltByPlate felt_by_plane() {
  Collider plane = test::wall_of(PlaneShape{}, Vec3::Zero(), {0, 0, 0.5 * pi});
  plane.two_sided = true;
  return felt_by(plane, 0);
}
FeltByPlate felt_by_mesh(double thick) {
  return felt_by(test::wall_of(test::mesh_of(box_mesh({0.5 * thick, 20 * dx, plate_width})), {0, 10 * dx, 0}), thick);
}

/// Returns the force on a plate that is a rigid body. Gravity does not act on the plate, and its mass is so large that
/// it hardly moves. It has clearance to the tank, so friction does not hold it.
double felt_by_rigid(double thick) {
  using namespace test;
  const double x = water_length + 0.5 * thick, z = 0.5 * plate_width;
  const auto fill = [&](const char* name, double from, double depth) {
    return fill_text("box", name,
                     fmt::format("position = [{}, {}, {}]\nsize = [{}, {}, {}]", from + 0.5 * water_length, 0.5 * depth,
                                 z, water_length, depth, plate_width));
  };
  const auto world =
      world_from(water_text("", fill("left", 0, deep_level) + fill("right", water_length + thick, shallow_level)) +
                 tank_text({2 * x, 0, plate_width}) +
                 "[[system]]\nkind = \"rigid\"\nname = \"bodies\"\ngravity_scale = "
                 "0.0\n[[system.body]]\nname = \"plate\"\nkind = \"box\"\n" +
                 fmt::format("size = [{}, 0.6, {}]\nposition = [{}, {}, {}]\nmass = 1e6\n", thick,
                             plate_width - 0.1 * dx, x, 0.3 + 0.05 * dx, z));
  const Vec3& velocity = world->find_system("bodies")->elements().velocity[0];
  run_until(*world, 0.75);
  const double from = world->time(), before = velocity.x();
  run_until(*world, 1.5);
  return 1e6 * (velocity.x() - before) / (world->time() - from) / expected_force();
}

TEST(FluidPlates, APlateOfASpacingFeelsTheDeeperWater) {
  const FeltByPlate felt = felt_by_still(dx);
  EXPECT_NEAR(felt.force, 1, 0.05);
  EXPECT_NEAR(felt.level, deep_level, 0.06 * dx);
  EXPECT_EQ(felt.crossed, 0U);
}

TEST(FluidPlates, ThinnerPlatesFeelTheDeeperWaterToo) {
  // If particles on the two sides were neighbours through the plate, the force on a plate of half a spacing would be
  // 0.7 of the expected force. The force on a plate of a fifth of a spacing would be 0.26 of the expected force.
  for (const double thick : {0.2 * dx, 0.5 * dx}) {
    const FeltByPlate felt = felt_by_still(thick);
    EXPECT_NEAR(felt.force, 1, 0.05) << thick;
    EXPECT_NEAR(felt.level, deep_level, 0.06 * dx) << thick;
    EXPECT_EQ(felt.crossed, 0U) << thick;
  }
}

/// Tolerance of the force on a sheet, wider than that of plates. Samples below the floor belong to the floor alone, so
/// the lateral force on the samples below the lower edge of the sheet is not counted for the sheet.
constexpr double sheet_tolerance = 0.06;

TEST(FluidPlates, SheetsAndThinMeshesFeelTheDeeperWaterToo) {
  // If particles on the two sides were neighbours through the wall, the force would be only 0.25 to 0.66 of the
  // expected force.
  const auto expect_apart = [](const FeltByPlate& felt, const char* what) {
    EXPECT_NEAR(felt.force, 1, sheet_tolerance) << what;
    EXPECT_NEAR(felt.level, deep_level, 0.06 * dx) << what;
    EXPECT_EQ(felt.crossed, 0U) << what;
  };
  expect_apart(felt_by_sheet(), "an open mesh");
  expect_apart(felt_by_plane(), "a two-sided plane");
  expect_apart(felt_by_mesh(0.3 * dx), "a closed mesh, 0.3 of a spacing thick");
  expect_apart(felt_by_mesh(0.7 * dx), "a closed mesh, 0.7 of a spacing thick");
}

TEST(FluidPlatesValidation, PlatesFeelTheDeeperWater) {
  const std::string name = "plate between waters 12 and 4 spacings deep, force over rho g h: ";
  test::expect_case("fluid", name + "held, 4 spacings thick", felt_by_still(4 * dx).force, 1, 0.05);
  test::expect_case("fluid", name + "held, a spacing thick", felt_by_still(dx).force, 1, 0.05);
  for (const double thick : {0.2, 0.5, 0.8})
    test::expect_case("fluid", name + fmt::format("held, {} of a spacing thick", thick),
                      felt_by_still(thick * dx).force, 1, 0.05);
  test::expect_case("fluid", name + "held, an open mesh without thickness", felt_by_sheet().force, 1, sheet_tolerance);
  test::expect_case("fluid", name + "held, a two-sided plane", felt_by_plane().force, 1, sheet_tolerance);
  for (const double thick : {0.2, 0.5, 0.8})
    test::expect_case("fluid", name + fmt::format("held, a closed mesh {} of a spacing thick", thick),
                      felt_by_mesh(thick * dx).force, 1, sheet_tolerance);
  test::expect_case("fluid", name + "rigid body, a spacing thick", felt_by_rigid(dx), 1, 0.1);
  test::expect_case("fluid", name + "rigid body, a fifth of a spacing thick", felt_by_rigid(0.2 * dx), 1, 0.1);
}

}  // namespace
}  // namespace vw
