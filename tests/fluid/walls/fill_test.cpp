// Fills: the mass of the particles is rest density times volume, and no particle is placed inside another object.
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

#include <unistd.h>

#include "tests/fluid/fluid_world.h"
#include "tests/support/scratch.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using namespace test;

const std::string box_20 = fill_text("box", "block", "position = [0.2, 0.2, 0.2]\nsize = [0.4, 0.4, 0.4]");

TEST(FluidFill, ABoxHasItsVolumeInParticlesAndItsWeight) {
  const auto world = world_from(water_text(
      "", fill_text("box", "block", "position = [1, 2, 3]\nsize = [0.4, 0.6, 0.2]\nvelocity = [0, 0, 1.5]")));
  const Elements& e = water_of(*world).elements();
  ASSERT_EQ(e.size(), 20U * 30 * 10);
  Box3 box;
  double mass = 0;
  for (std::size_t i = 0; i < e.size(); ++i) {
    box.extend(e.position[i]);
    mass += e.mass[i];
    EXPECT_EQ(e.velocity[i], Vec3(0, 0, 1.5));
  }
  EXPECT_NEAR(mass, 1000 * 0.4 * 0.6 * 0.2, 1e-9);
  // The outermost particles lie half a spacing inside the faces of the box.
  EXPECT_LT((box.min() - Vec3(0.81, 1.71, 2.91)).norm(), 1e-12);
  EXPECT_LT((box.max() - Vec3(1.19, 2.29, 3.09)).norm(), 1e-12);
}

TEST(FluidFill, AShapeThatTheSpacingDoesNotDivideStandsOnItsBottomAndIsFilledEvenly) {
  const auto world = world_from(
      water_text("gravity_scale = 0", fill_text("box", "block", "position = [0, 0, 0]\nsize = [0.51, 0.51, 0.51]")));
  const Elements& e = water_of(*world).elements();
  // Each axis can have 25 or 26 layers. The fill uses the combination whose product is closest to 25.5^3 = 16581.
  ASSERT_EQ(e.size(), 25U * 26 * 26);
  Box3 box;
  for (const Vec3& x : e.position) box.extend(x);
  for (int a = 0; a < 3; ++a) {
    EXPECT_NEAR(box.min()[a], -0.255 + 0.01, 3e-4);
    EXPECT_NEAR(box.center()[a], 0, 1e-12);
  }
}

double mass_of(World& world) {
  double mass = 0;
  for (const double m : water_of(world).elements().mass) mass += m;
  return mass;
}

TEST(FluidFill, HoldsTheMassOfItsVolumeWhateverTheSpacing) {
  struct Case {
    const char *kind, *values;
    double volume, most_change;  // `most_change` is the largest allowed relative change of the spacing
  };
  for (const Case& one :
       {Case{"box", "size = [0.55, 0.55, 0.55]", 0.55 * 0.55 * 0.55, 0.01},
        Case{"box", "size = [0.051, 0.051, 0.051]", 0.051 * 0.051 * 0.051, 0.01},
        Case{"box", "size = [0.11, 0.11, 0.11]", 0.11 * 0.11 * 0.11, 0.01},
        Case{"box", "size = [0.4, 0.03, 0.33]", 0.4 * 0.03 * 0.33, 0.01},
        Case{"box", "size = [0.37, 0.13, 0.29]\nrotation = [0.3, 0.2, 0.1]", 0.37 * 0.13 * 0.29, 0.02},
        Case{"sphere", "radius = 0.07", 4.0 / 3 * pi * 0.07 * 0.07 * 0.07, 0.025},
        Case{"cylinder", "radius = 0.11\nlength = 0.27", pi * 0.11 * 0.11 * 0.27, 0.02},
        Case{"capsule", "radius = 0.1\nlength = 0.1", pi * 0.01 * 0.1 + 4.0 / 3 * pi * 0.001, 0.025}}) {
    const auto world = world_from(water_text("gravity_scale = 0", fill_text(one.kind, "block", one.values)));
    EXPECT_NEAR(mass_of(*world), 1000 * one.volume, 1e-9 * 1000 * one.volume) << one.kind << ' ' << one.values;
    EXPECT_NEAR(total_of(*world, "spacing"), 0.02, 0.02 * one.most_change) << one.kind << ' ' << one.values;
    EXPECT_EQ(total_of(*world, "spacing"), water_of(*world).spacing());
    EXPECT_NEAR(total_of(*world, "fill_error"), 0, 1e-9);
    // An edit of a running fluid must not change the fitted spacing.
    ASSERT_TRUE(world->apply(SetParameter{"system.water.smoothing", Value(0.1)}));
    EXPECT_NEAR(mass_of(*world), 1000 * one.volume, 1e-9 * 1000 * one.volume) << one.kind << ' ' << one.values;
  }
}

TEST(FluidFill, WhatTheSpacingDividesKeepsIt) {
  const auto world = world_from(water_text("", box_20));
  EXPECT_EQ(total_of(*world, "spacing"), 0.02);
  EXPECT_EQ(total_of(*world, "fill_error"), 0);
  EXPECT_TRUE(world->notes().empty());
}

TEST(FluidFill, TellsWhatASmallFillBesideALargeOneHoldsTooMuch) {
  // The volume of the small fill corresponds to 16.58 particles, so its 17 particles are 2.5 % too many. The large fill
  // determines the spacing.
  const std::string small = fill_text("box", "small", "position = [2, 0.2, 0.2]\nsize = [0.051, 0.051, 0.051]");
  const auto world = world_from(water_text("", box_20 + small));
  EXPECT_EQ(water_of(*world).elements().size(), 8017U);
  EXPECT_NEAR(mass_of(*world), 64 + 0.132651, 1e-9);
  EXPECT_NEAR(total_of(*world, "fill_error"), 17 * 8e-6 / 1.32651e-4 - 1, 1e-4);
  ASSERT_EQ(world->notes().size(), 1U);
  EXPECT_EQ(world->notes()[0],
            "water: the fills contain 2.5 % more fluid than their volume, because they are only a few spacings thick. "
            "Use a smaller spacing");
}

TEST(FluidFill, ATopLayerThatIsNotFullIsSpreadEvenly) {
  // The fill is two and a half layers high. Half of the sites of the third layer are filled. Each quarter of the layer
  // receives an equal number.
  const auto world = world_from(
      water_text("gravity_scale = 0", fill_text("box", "block", "position = [0, 0.025, 0]\nsize = [0.8, 0.05, 0.8]")));
  const Elements& e = water_of(*world).elements();
  EXPECT_EQ(e.size(), 2U * 1600 + 800);
  std::array<int, 4> quarters{};
  for (const Vec3& x : e.position)
    if (x.y() > 0.04) ++quarters[(x.x() > 0 ? 1U : 0U) + (x.z() > 0 ? 2U : 0U)];
  for (const int count : quarters) EXPECT_NEAR(count, 200, 8);
}

/// The fill touches the walls of its tank. Particles in the interior and beside walls start at rest density. At the
/// free surface, half of the kernel support is empty.
TEST(FluidFill, StartsAtRestDensityBesideWallsToo) {
  for (const char* kernel : {"wendland", "cubic"}) {
    const auto world =
        world_from(water_text(std::string("kernel = \"") + kernel + '"', box_20) + tank_text({0.4, 0, 0.4}));
    const Elements& e = water_of(*world).elements();
    const auto density = channel_of(*world, "density");
    double error = 0, excess = 0;
    std::size_t inner = 0;
    for (std::size_t i = 0; i < e.size(); ++i) {
      excess = std::max(excess, static_cast<double>(density[i]) / 1000 - 1);
      if (e.position[i].y() > 0.4 - 0.04) continue;  // nearer to the free surface than the support radius
      error += std::abs(static_cast<double>(density[i]) / 1000 - 1);
      ++inner;
    }
    error /= static_cast<double>(inner);
    EXPECT_EQ(inner, 20U * 18 * 20);
    // The boundary samples of the walls continue the lattice of the fluid, so the only error is single-precision
    // rounding.
    expect_case("fluid", std::string("fill in a tank, mean density error at the start, ") + kernel, error, 0, 1e-4);
    EXPECT_LT(excess, 1e-3);
  }
}

TEST(FluidFill, RoundShapesHaveTheirVolume) {
  struct Case {
    const char *kind, *values;
    double volume;
  };
  // The radius R is ten spacings d. The number of lattice sites inside a sphere then differs from volume / d^3 by up to
  // (d / R)^1.5 = 3 %. A relative change of the spacing by a third of this difference corrects it.
  for (const Case& one : {Case{"sphere", "radius = 0.2", 4.0 / 3 * pi * 0.008},
                          Case{"cylinder", "radius = 0.2\nlength = 0.4", pi * 0.04 * 0.4},
                          Case{"capsule", "radius = 0.2\nlength = 0.4", 4.0 / 3 * pi * 0.008 + pi * 0.04 * 0.4}}) {
    const auto world = world_from(water_text("", fill_text(one.kind, "round", one.values)));
    const double volume =
        static_cast<double>(water_of(*world).elements().size()) * std::pow(water_of(*world).spacing(), 3);
    EXPECT_NEAR(volume, one.volume, 1e-9 * one.volume) << one.kind;
    EXPECT_NEAR(water_of(*world).spacing(), 0.02, 0.02 * 0.01) << one.kind;
  }
}

TEST(FluidFill, AMeshIsFilledInsideAndTurned) {
  const test::Scratch scratch;
  const std::string path = scratch.write("cube.obj",
                                         "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                                         "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n");
  const std::string values =
      "source = \"" + path + "\"\nscale = 0.2\nposition = [1, 0, 0]\nrotation = [0, 0, 1.5707963267948966]";
  const auto world = world_from(water_text("", fill_text("mesh", "cube", values)));
  const Elements& e = water_of(*world).elements();
  EXPECT_EQ(e.size(), 1000U);
  for (const Vec3& x : e.position)
    EXPECT_TRUE(x.x() > 0.8 && x.x() < 1 && x.y() > 0 && x.y() < 0.2 && x.z() > 0 && x.z() < 0.2) << x.transpose();
}

TEST(FluidFill, NothingIsPlacedWhereSomethingIs) {
  const std::string half = fill_text("box", "other", "position = [0.3, 0.2, 0.2]\nsize = [0.4, 0.4, 0.4]");
  const std::string ball =
      "[[collider]]\nkind = \"sphere\"\nname = \"ball\"\nposition = [0.1, 0.2, 0.2]\nradius = 0.05\n";
  const auto world = world_from(water_text("", box_20 + half) + ball);
  const Elements& e = water_of(*world).elements();
  std::size_t in_ball = 0;
  for (const Vec3& x : e.position) in_ball += (x - Vec3(0.1, 0.2, 0.2)).norm() < 0.05 + 0.2 * 0.02 ? 1 : 0;
  EXPECT_EQ(in_ball, 0U);
  // The part of the second fill that lies outside the first fill is placed. The total `not_placed` counts the sites
  // that overlap the first fill or the ball.
  EXPECT_EQ(e.size() + static_cast<std::size_t>(total_of(*world, "not_placed")), 16000U);
  EXPECT_GT(e.size(), 8000U + 2000 - 200);
  EXPECT_LT(e.size(), 8000U + 2000);
  // A density far above the rest density would show that two particles are too close.
  for (const float density : channel_of(*world, "density")) EXPECT_LT(density, 1100);
}

/// Properties of a fill that no lattice fits: mean density of the interior particles and largest density at the start,
/// in units of the rest density, highest speed [m/s] in 0.2 s without gravity, and volume of the particles [m^3].
struct Start {
  double density = 0, most = 0, speed = 0, volume = 0;
};
Start start_of(const std::string& fills, const std::string& walls, const std::function<bool(const Vec3&)>& is_inside) {
  const auto world = world_from(water_text("gravity_scale = 0", fills) + walls);
  Start start;
  const Elements& e = water_of(*world).elements();
  const auto density = channel_of(*world, "density");
  double inner = 0;
  for (std::size_t i = 0; i < e.size(); ++i) {
    start.most = std::max(start.most, static_cast<double>(density[i]) / 1000);
    if (!is_inside(e.position[i])) continue;
    start.density += static_cast<double>(density[i]) / 1000;
    inner += 1;
  }
  start.density /= inner;
  start.volume = static_cast<double>(e.size()) * 8e-6;
  while (world->time() < 0.2) {
    EXPECT_TRUE(world->step());
    for (const Vec3& v : e.velocity) start.speed = std::max(start.speed, v.norm());
  }
  return start;
}

void expect_quiet(const std::string& name, const Start& start) {
  expect_case("fluid", "start of " + name + ": mean density inside", start.density, 1, 0.01);
  expect_case("fluid", "start of " + name + ": loudest speed in 0.2 s without gravity", start.speed, 0, 0.05, "m/s");
  EXPECT_LT(start.most, 1.06) << name;
}

TEST(FluidFill, StartsQuietlyWhereNoLatticeFits) {
  const std::string tank = tank_text({0.31, 0, 0.25}),
                    block = fill_text("box", "block", "position = [0.155, 0.15, 0.125]\nsize = [0.31, 0.3, 0.25]");
  const auto deep = [](const Vec3& x) { return x.y() < 0.24; };
  const Start odd = start_of(block, tank, deep);
  expect_quiet("a box between walls that the spacing does not divide", odd);
  EXPECT_NEAR(odd.volume, 0.31 * 0.3 * 0.25, 0.01 * odd.volume);
  const std::string stone =
      "[[collider]]\nkind = \"sphere\"\nname = \"stone\"\nposition = [0.149, 0.133, 0.127]\nradius = 0.071\n";
  const Start around = start_of(block, tank + stone, deep);
  expect_quiet("a box around a ball", around);
  EXPECT_NEAR(odd.volume - around.volume, 4.0 / 3 * pi * std::pow(0.071, 3), 0.05 * 4.0 / 3 * pi * std::pow(0.071, 3));
  const std::string slope =
      "[[collider]]\nkind = \"plane\"\nname = \"slope\"\nposition = [0.1, 0.1, 0]\nrotation = [0.2, 0, -0.5]\n";
  expect_quiet("a ball cut by a slope",
               start_of(fill_text("sphere", "ball", "position = [0.13, 0.17, 0.05]\nradius = 0.15"), slope,
                        [](const Vec3& x) { return (x - Vec3(0.13, 0.17, 0.05)).norm() < 0.1; }));
  const std::string cross =
      fill_text("box", "other", "position = [0.155, 0.13, 0.125]\nrotation = [0, 0.4, 0.3]\nsize = [0.2, 0.2, 0.2]");
  expect_quiet("two boxes across each other", start_of(cross + block, tank, deep));
}

TEST(FluidFill, WhatIsFarTooLargeIsRefusedBeforeItIsCountedOut) {
  // A fill of ten kilometres with particles of 2 cm has 10^17 sites. The check must not enumerate these sites.
  for (const auto& [kind, size] :
       {std::pair("sphere", "radius = 1e4"), std::pair("capsule", "radius = 1e4\nlength = 1e4"),
        std::pair("cylinder", "radius = 1e4\nlength = 1e4"), std::pair("box", "size = [1e4, 1e4, 1e4]")})
    EXPECT_EQ(refusal(water_text("", fill_text(kind, "block", size))),
              "system.water.fill.block = more than 1000000 particles: must fit into the fluid's capacity: raise "
              "spacing or capacity")
        << kind;
}

TEST(FluidFill, MistakesGetOneSentence) {
  EXPECT_EQ(refusal(water_text("", fill_text("box", "block", "phase = \"oil\""))),
            "system.water.fill.block.phase = \"oil\": must name a phase of this fluid");
  EXPECT_EQ(refusal(water_text("", fill_text("mesh", "block", ""))),
            "system.water.fill.block.source = \"\": must name a mesh file");
  EXPECT_EQ(refusal(water_text("capacity = 1000", box_20)),
            "system.water.fill.block = more than 1000 particles: must fit into the fluid's capacity: raise spacing or "
            "capacity");
  EXPECT_EQ(
      refusal(water_text("", fill_text("box", "block", "size = [0.3, 0.01, 0.3]"))),
      "system.water.fill.block = no particle: must be at least one particle spacing thick, and a mesh must be closed");
  EXPECT_EQ(refusal(water_text("", fill_text("mesh", "block", "source = \"none.obj\""))),
            "system.water.fill.block.source = \"none.obj\": must be a readable mesh (.obj, .stl, .ply, .gltf, .glb): "
            "none.obj: cannot be "
            "opened: No such file or directory");
  EXPECT_EQ(refusal(water_text("periodic = \"xz\"\ndomain_size = [1, 1, 0.1]", "")),
            "system.water.domain_size = [1.0, 1.0, 0.1]: must be at least 8 spacings (0.16 m) along periodic axes");
}

}  // namespace
}  // namespace vw
