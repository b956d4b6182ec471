// Wind must not act on submerged surfaces. The tests use voxel bodies in tanks in strong wind.
#include <gtest/gtest.h>

#include "sim/system/voxel/voxel_body.h"
#include "tests/interaction/water_scene.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

constexpr double wind_spacing = 0.02, gale = 30, pressure = 0.5 * 1.2 * gale * gale;
const Vec3 wind_pool(0.32, 0.2, 0.32);

struct Stand {
  double edge;
  Vec3 voxels;
  double under;  ///< depth of the underside below the water level [m]
  const char* integrator = "explicit";
};

/// Returns a fixed block in a tank. The underside is `under` below the resulting water level.
Node held_block(const Stand& s, const Vec3& wind) {
  const Vec3 size = s.edge * s.voxels;
  Node scene = tank(wind_spacing, wind_pool);
  set(scene, "system.water.wind", false);
  const double displaced = size.x() * size.z() * std::clamp(s.under, 0.0, size.y());
  add_voxels(scene, "block", s.voxels,
             Vec3(-size.x() / 2, wind_pool.y() + displaced / (wind_pool.x() * wind_pool.z()) - s.under, -size.z() / 2),
             1e6);
  set(scene, "material.stuff.density", 1e5);
  set(scene, "system.block.voxel_size", s.edge);
  set(scene, "system.block.integrator", std::string(s.integrator));
  set(scene, "system.block.wind_friction", 0.0);
  add_child(child_of(scene, "block"), "region", "region", "all");
  add_child(scene, "field", "uniform", "wind");
  set(scene, "field.wind.velocity", wind);
  return scene;
}

Vec3 water_momentum(World& world) {
  Vec3 sum = Vec3::Zero();
  const Elements& e = rows_of(world, "block");
  for (std::size_t v = 0; v < e.size(); ++v) sum += e.mass[v] * e.velocity[v];
  return sum;
}

/// Returns the force of the wind [N], computed from the additional motion in one step after the release of the block.
Vec3 wind_force(const Stand& s, const Vec3& wind) {
  const auto world = with_rules(held_block(s, wind));
  run(*world, 0.3);
  StateBlock still;
  world->save_state(still);
  EXPECT_TRUE(world->apply(SetParameter{"system.block.region.all.fixed", false}));
  std::array<Vec3, 2> momentum;
  for (const bool blows : {false, true}) {
    EXPECT_TRUE(world->apply(SetParameter{"system.block.wind", blows}));
    EXPECT_TRUE(world->load_state(still));
    EXPECT_TRUE(world->step()) << world->health().sentence();
    momentum[blows ? 1 : 0] = water_momentum(*world);
  }
  return (momentum[1] - momentum[0]) / world->dt();
}

TEST(FluidWindValidation, AVoxelBlockFeelsTheWindWhereItIsOutOfTheWater) {
  for (const char* integrator : {"explicit", "implicit"})
    for (const double edge : {0.01, 0.02, 0.04}) {
      const Vec3 voxels = Vec3::Constant(std::round(0.08 / edge));
      const std::string which = std::string("wind on a held voxel block, edge ") + std::to_string(edge).substr(0, 4) +
                                " m, " + integrator + ": ";
      const auto share = [&](double under) {
        return wind_force({edge, voxels, under, integrator}, Vec3(gale, 0, 0)).x() / (pressure * 0.08 * 0.08);
      };
      const double air = share(-0.04), half = share(0.04), deep = share(0.14);
      record_case("interaction", which + "in air, of what it feels without water", air, 1, 1e-3);
      record_case("interaction", which + "half in", half, 0.5, 0.1);
      record_case("interaction", which + "deep in", deep, 0, 0.01);
      EXPECT_NEAR(air, 1, 1e-3) << which;
      EXPECT_NEAR(half, 0.5, 0.05) << which;
      EXPECT_NEAR(deep, 0, 0.01) << which;
    }
}

TEST(FluidWind, ASheetInTheWaterFeelsItOnItsUpperSideAlone) {
  // Wind from below exerts no force on a sheet whose lower side is in the water. But with one layer of voxels, each
  // sample represents both sides of the sheet, and at such a small depth the samples count as wet only in part. The
  // test therefore allows 40 % of the full force.
  const Stand sheet{0.02, Vec3(8, 1, 8), 0.015};
  const double all = pressure * 0.16 * 0.16;
  EXPECT_NEAR(wind_force(sheet, Vec3(0, -gale, 0)).y(), -all, 0.02 * all);
  EXPECT_LT(wind_force(sheet, Vec3(0, gale, 0)).y(), 0.4 * all);
}

Node bobbing() {
  Node scene = held_block({0.02, Vec3(4, 4, 4), 0.03}, Vec3(gale, 0, 0));
  std::erase_if(child_of(scene, "block").children, [](const Node& child) { return child.name == "all"; });
  set(scene, "material.stuff.density", 500.0);
  set(scene, "system.block.wind", true);
  set(scene, "system.water.wind", true);
  return scene;
}

TEST(FluidWind, HasTheSameBitsOnAnyThreadsAndFromASavedState) {
  for (const char* integrator : {"explicit", "implicit"}) {
    Node scene = bobbing();
    set(scene, "system.block.integrator", std::string(integrator));
    EXPECT_EQ(ends_of(scene, 0.1, 0.1, {1, 2, 3}).size(), 1U) << integrator;
  }
}

TEST(FluidWind, WhereTheyDoNotMeetTheBlockFeelsAllOfIt) {
  Node off = bobbing();
  add_default_interactions(off);
  set(off, "interaction.fluid_voxel_body.enabled", false);
  const auto both = world_of(off), alone = world_of(without(bobbing(), "water"));
  run(*both, 0.1);
  run(*alone, 0.1);
  EXPECT_EQ(rows_of(*both, "block").position, rows_of(*alone, "block").position);
}

}  // namespace
}  // namespace vw::test
