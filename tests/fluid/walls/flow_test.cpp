// Inflows add a volume of speed times area times time. Drains and the sides of the domain remove particles, and all
// removed particles are counted.
#include <algorithm>
#include <cmath>

#include "tests/fluid/fluid_world.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using namespace test;

std::string inflow_text(const std::string& kind, const std::string& values) {
  return "[[system.inflow]]\nkind = \"" + kind + "\"\nname = \"tap\"\n" + values + "\n";
}
std::string drain_text(const std::string& kind, const std::string& values) {
  return "[[system.drain]]\nkind = \"" + kind + "\"\nname = \"hole\"\n" + values + "\n";
}

std::size_t count_of(World& world) { return water_of(world).elements().size(); }

/// Expects that the number of particles equals the initial number, plus the particles that came in, minus those that
/// were drained or left the domain.
void expect_balance(World& world, std::size_t at_start) {
  EXPECT_EQ(static_cast<double>(at_start) + total_of(world, "came_in"),
            static_cast<double>(count_of(world)) + total_of(world, "drained") + total_of(world, "left_domain"));
}

struct Opening {
  const char *kind, *size;
  double area, speed;
  friend void PrintTo(const Opening& o, std::ostream* out) {
    *out << o.kind << " of " << o.area << " m^2 at " << o.speed << " m/s";
  }
};

class InflowOf : public ::testing::TestWithParam<Opening> {};

/// The inflow runs in free space for one second. The added volume is speed times area times one second, with an error
/// of at most one layer.
TEST_P(InflowOf, BringsSpeedTimesAreaAtRestDensity) {
  const Opening opening = GetParam();
  const auto world = world_from(water_text(
      "gravity_scale = 0", inflow_text(opening.kind, std::string(opening.size) + "\ndirection = [1, 0.3, 0]\nspeed = " +
                                                         std::to_string(opening.speed))));
  run_until(*world, 1);
  const double brought = static_cast<double>(count_of(*world)) * 8e-6, wanted = opening.area * opening.speed;
  expect_case("fluid", "inflow through a " + std::string(opening.kind) + ", opening " + std::to_string(wanted) + " m^3",
              brought, wanted, 0.02, "m^3");
  double densest = 0;
  for (const float density : channel_of(*world, "density")) densest = std::max(densest, static_cast<double>(density));
  EXPECT_LT(densest, 1060);
  // Only small pressures act on the jet, so its velocity stays nearly constant.
  for (const Vec3& v : water_of(*world).elements().velocity)
    EXPECT_NEAR(v.dot(Vec3(1, 0.3, 0).normalized()), opening.speed, 0.1 * opening.speed);
  expect_balance(*world, 0);
}

INSTANTIATE_TEST_SUITE_P(Openings, InflowOf,
                         ::testing::Values(Opening{"disc", "radius = 0.05", pi * 0.0025, 1.0},
                                           Opening{"disc", "radius = 0.036", pi * 0.036 * 0.036, 2.0},
                                           Opening{"box", "width = 0.13\nheight = 0.07", 0.13 * 0.07, 0.7},
                                           Opening{"box", "width = 0.04\nheight = 0.04", 0.0016, 3.0}));

TEST(FluidInflow, OpensAndClosesWhenToldAndWaitsWhileItsPlaceIsTaken) {
  const auto world = world_from(water_text(
      "gravity_scale = 0", inflow_text("box", "width = 0.1\nheight = 0.1\nspeed = 1\nstart = 0.1\nduration = 0.2")));
  run_until(*world, 0.095);
  EXPECT_EQ(count_of(*world), 0U);
  run_until(*world, 0.5);
  EXPECT_NEAR(static_cast<double>(count_of(*world)), 25 * 0.2 / 0.02, 25);
  // If the opening is already full of fluid, the inflow adds no particles.
  const auto full = world_from(
      water_text("gravity_scale = 0", fill_text("box", "block", "position = [0, 0.5, 0]\nsize = [0.3, 0.3, 0.3]") +
                                          inflow_text("box", "width = 0.1\nheight = 0.1\nspeed = 0.01")));
  const std::size_t before = count_of(*full);
  run_until(*full, 0.05);
  EXPECT_EQ(count_of(*full), before);
}

/// Returns the height of the highest particle at x < 0.5, or -1 if there is none.
double highest_on_the_left(World& world) {
  double highest = -1;
  for (const Vec3& x : water_of(world).elements().position)
    if (x.x() < 0.5) highest = std::max(highest, x.y());
  return highest;
}

TEST(FluidInflow, ParticlesFallBehindAPeriodicSideAndAfterTheInflowWasMoved) {
  const auto tap = [](const char* position) {
    return inflow_text("disc", std::string("direction = [1, 0, 0]\nradius = 0.01\nspeed = 1\nposition = ") + position);
  };
  // The first particles cross the side x = 1 after 0.01 s. They have the prescribed velocity up to 0.03 m from the
  // opening, and fall from there.
  const auto endless = world_from(water_text("periodic = \"x\"\ndomain_size = [2, 4, 4]", tap("[0.99, 0.5, 0]")));
  run_until(*endless, 0.3);
  double lowest = 1, leftmost = 1;
  for (const Vec3& x : water_of(*endless).elements().position)
    lowest = std::min(lowest, x.y()), leftmost = std::min(leftmost, x.x());
  EXPECT_LT(leftmost, -0.9);
  EXPECT_LT(lowest, 0.4);
  // The inflow moves forwards by 1 m, so that its particles are far behind it.
  const auto moved = world_from(water_text("", tap("[0, 0.5, 0]")));
  run_until(*moved, 0.02);
  EXPECT_NEAR(highest_on_the_left(*moved), 0.5, 1e-3);
  ASSERT_TRUE(moved->apply(SetParameter{"system.water.inflow.tap.position", Value(Vec3(1, 0.5, 0))}));
  run_until(*moved, 0.22);
  EXPECT_GT(highest_on_the_left(*moved), -1);
  EXPECT_LT(highest_on_the_left(*moved), 0.45);
}

TEST(FluidInflow, IntoAWallNeverHeapsParticles) {
  const std::string wall = "[[collider]]\nkind = \"box\"\nname = \"lid\"\nposition = [0, 0.4, 0]\nsize = [1, 0.1, 1]\n";
  const auto world = world_from(water_text("", inflow_text("disc", "position = [0, 0.47, 0]\nspeed = 2")) + wall);
  run_until(*world, 0.5);
  // An inflow stops prescribing the velocity of its particles when their density exceeds 1.1 times the rest density.
  // The next layer still moves at the prescribed velocity and may compress these particles for one substep.
  for (const float density : channel_of(*world, "density")) EXPECT_LT(density, 1350);
  for (const Vec3& x : water_of(*world).elements().position)
    EXPECT_FALSE(x.y() < 0.45 && x.y() > 0.35 && std::abs(x.x()) < 0.5 && std::abs(x.z()) < 0.5);
}

TEST(FluidDrain, TakesWhatIsInItAndCounts) {
  for (const char* shape : {"box\"\nsize = [0.2, 0.2, 0.2", "sphere\"\nradius = 0.1"}) {
    const bool round = std::string(shape).starts_with("sphere");
    const std::string kind = round ? "sphere" : "box", values = round ? "radius = 0.1" : "size = [0.2, 0.2, 0.2]";
    const auto world = world_from(water_text(
        "gravity_scale = 0", fill_text("box", "block", "size = [0.4, 0.4, 0.4]") + drain_text(kind, values)));
    const auto before = water_of(*world).elements().position;
    std::size_t inside = 0;
    for (const Vec3& x : before) inside += (round ? x.norm() <= 0.1 : x.cwiseAbs().maxCoeff() <= 0.1) ? 1 : 0;
    ASSERT_TRUE(world->step());
    EXPECT_EQ(total_of(*world, "drained"), static_cast<double>(inside));
    EXPECT_EQ(count_of(*world), before.size() - inside);
    expect_balance(*world, before.size());
    // Every remaining particle has the id of an original particle and has not moved.
    const Elements& e = water_of(*world).elements();
    for (std::size_t i = 0; i < e.size(); ++i) EXPECT_LT((e.position[i] - before[e.id[i]]).norm(), 1e-4);
  }
}

TEST(FluidDrain, WithARateTakesThatVolumeASecond) {
  const auto world =
      world_from(water_text("gravity_scale = 0", fill_text("box", "block", "size = [0.4, 0.4, 0.4]") +
                                                     drain_text("box", "size = [1, 1, 1]\nrate = 0.02")));
  run_until(*world, 1);
  // The drained volume is exact to one particle, because the fractional remainder is carried from step to step.
  EXPECT_NEAR(total_of(*world, "drained") * 8e-6, 0.02, 8e-6 + 1e-12);
  expect_balance(*world, 8000);
}

TEST(FluidDomain, WhoLeavesIsRemovedAndCounted) {
  const auto world = world_from(water_text("gravity_scale = 0\ndomain_size = [1, 1, 1]",
                                           fill_text("box", "block", "size = [0.2, 0.2, 0.2]\nvelocity = [2, 0, 0]")));
  run_until(*world, 0.1);
  EXPECT_EQ(total_of(*world, "left_domain"), 0);
  run_until(*world, 0.25);
  expect_balance(*world, 1000);
  EXPECT_GT(total_of(*world, "left_domain"), 0);
  run_until(*world, 0.5);
  EXPECT_EQ(total_of(*world, "left_domain"), 1000);
  EXPECT_EQ(count_of(*world), 0U);
  ASSERT_TRUE(world->step());  // a fluid without particles can make a step
}

TEST(Inflow, ASlitWithTooManyParticlesInALayerIsRefused) {
  // At a spacing of 5 mm, 1 km takes 200,000 particles and 400 m takes 80,000.
  const auto said = [](const char* size) { return refusal(water_text("spacing = 0.005", inflow_text("box", size))); };
  EXPECT_NE(said("width = 1000.0\nheight = 0.000001").find("system.water.inflow.tap.width = "), std::string::npos);
  EXPECT_NE(said("width = 0.000001\nheight = 1000.0").find("system.water.inflow.tap.height = "), std::string::npos);
  EXPECT_EQ(said("width = 0.000001\nheight = 400.0"), "accepted");
}

}  // namespace
}  // namespace vw
