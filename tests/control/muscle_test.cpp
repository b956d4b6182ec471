// Muscles of voxel bodies: the rest size of their voxels follows the strain.
#include <cmath>

#include <gtest/gtest.h>

#include "sim/system/voxel/voxel_body.h"
#include "tests/control/control_scene.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

using test::distance_between;
using test::error_of;
using test::free_row;
using test::take_steps;
using test::world_of_text;

constexpr double pitch = 0.01;  // rest distance of neighbours [m]

TEST(Muscles, AFreeBodyTakesTheStrain) {
  // Without load, the length at rest is (1 + strain) times the rest length. Damping ends the vibration.
  for (const double strain : {0.1, -0.2}) {
    const auto world = world_of_text(
        free_row("[[system.muscle]]\nname = \"all\"\nresponse = 0.1\nstrain = " + std::to_string(strain) + "\n"));
    take_steps(*world, 400);
    for (std::size_t v = 0; v + 1 < 8; ++v)
      EXPECT_NEAR(distance_between(*world, v, v + 1), pitch * (1 + strain), 1e-3 * pitch) << strain;
  }
}

TEST(Muscles, OnlyTheVoxelsOfTheShapeAndTheMaterialChange) {
  const auto half =
      world_of_text(free_row("[[system.muscle]]\nname = \"left\"\nmax = [0.5, 1, 1]\nstrain = 0.2\nresponse = 0.1\n"));
  take_steps(*half, 400);
  EXPECT_NEAR(distance_between(*half, 0, 1), 1.2 * pitch, 1e-3 * pitch);
  EXPECT_NEAR(distance_between(*half, 6, 7), pitch, 1e-3 * pitch);
  // A bond between a voxel of the muscle and a voxel outside it has half the strain.
  EXPECT_NEAR(distance_between(*half, 3, 4), 1.1 * pitch, 1e-3 * pitch);
}

TEST(Muscles, AMaterialMayHaveSeveralCodes) {
  const auto world = world_of_text(R"(format = 1
[[material]]
name = "soft"
[[material]]
name = "hard"
[[system]]
kind = "voxel_body"
name = "row"
shape = "layers"
size = [4, 1, 1]
palette = ["soft", "hard", "soft"]
layers = ["1233"]
[[system.muscle]]
name = "all"
material = "soft"
)");
  const auto& body = dynamic_cast<const VoxelBody&>(*world->find_system("row"));
  ASSERT_EQ(body.muscles().all().size(), 1U);
  EXPECT_EQ(body.muscles().all()[0].voxel, (std::vector<std::uint32_t>{0, 2, 3}));
}

TEST(Muscles, WeightsOfCellsScaleTheStrainAndOverlappingMusclesAdd) {
  const auto world = world_of_text(
      free_row("[[system.muscle]]\nname = \"a\"\nstrain = 0.2\nresponse = 0.1\ncells = [1, 1, 0.5, 0.5, 0, 0, -1, -1]\n"
               "[[system.muscle]]\nname = \"b\"\nstrain = 0.1\nresponse = 0.1\nmin = [0.75, 0, 0]\n"));
  take_steps(*world, 400);
  EXPECT_NEAR(distance_between(*world, 0, 1), 1.2 * pitch, 1e-3 * pitch);
  EXPECT_NEAR(distance_between(*world, 2, 3), 1.1 * pitch, 1e-3 * pitch);
  EXPECT_NEAR(distance_between(*world, 4, 5), 1.0 * pitch, 1e-3 * pitch);
  EXPECT_NEAR(distance_between(*world, 6, 7), 0.9 * pitch, 1e-3 * pitch);
}

TEST(Muscles, TheResponseIsOfFirstOrder) {
  const auto world = world_of_text(free_row("[[system.muscle]]\nname = \"all\"\nresponse = 0.5\nstrain = 0.2\n"));
  take_steps(*world, 50);
  const auto& body = dynamic_cast<const VoxelBody&>(*world->find_system("row"));
  EXPECT_NEAR(body.muscles().strain_of(0, 1), 0.2 * (1 - std::exp(-1.0)), 1e-12);
}

TEST(Muscles, TheImplicitIntegratorGivesTheSameShape) {
  const auto world = world_of_text(
      free_row("integrator = \"implicit\"\n[[system.muscle]]\nname = \"all\"\nresponse = 0.1\nstrain = 0.1\n"));
  take_steps(*world, 200);
  EXPECT_NEAR(distance_between(*world, 0, 7), 7 * 1.1 * pitch, 7e-3 * pitch);
}

TEST(Muscles, ABodyBendsTowardsItsContractedSide) {
  // Two layers whose strains differ by d bend to the curvature 1.5 d / h of a bimetal strip of equal layers, with the
  // total thickness h (Timoshenko 1925). The lattice of two layers is stiffer in shear than such a strip, so the
  // tolerance is 15 %.
  std::string text = free_row(
      "[[system.muscle]]\nname = \"top\"\nmin = [0, 0.5, 0]\nstrain = -0.02\nresponse = 0.2\n"
      "[[system.muscle]]\nname = \"bottom\"\nmax = [1, 0.5, 1]\nstrain = 0.02\nresponse = 0.2\n");
  text.replace(text.find("size = [8, 1, 1]"), 16, "size = [24, 2, 1]");
  const auto world = world_of_text(text);
  take_steps(*world, 1500);
  const Elements& e = world->find_system("row")->elements();
  // Rotation between the first and the last voxel of the lower layer over the length between them.
  const Quat turn = e.orientation[0].conjugate() * e.orientation[23];
  const double angle = 2 * std::atan2(turn.vec().norm(), std::abs(turn.w()));
  const double curvature = angle / (23 * pitch);
  EXPECT_NEAR(curvature, 1.5 * 0.04 / (2 * pitch), 0.15 * 3.0) << curvature;
}

TEST(Muscles, MistakesNameTheParameter) {
  EXPECT_NE(error_of(free_row("[[system.muscle]]\nname = \"all\"\ncells = [1, 2]\n"))
                .find("system.row.muscle.all.cells = 2 numbers"),
            std::string::npos)
      << error_of(free_row("[[system.muscle]]\nname = \"all\"\ncells = [1, 2]\n"));
  EXPECT_NE(error_of(free_row("[[system.muscle]]\nname = \"all\"\nmaterial = \"sotf\"\n")).find("soft"),
            std::string::npos);
  EXPECT_NE(error_of(free_row("[[system.muscle]]\nname = \"all\"\nmin = [0.6, 0, 0]\nmax = [0.5, 1, 1]\n")).find("min"),
            std::string::npos);
}

TEST(Muscles, AreAddedAndRemovedWhileTheBodyGoesOn) {
  const auto world = world_of_text(free_row("velocity = [1, 0, 0]\n"));
  take_steps(*world, 10);
  const double x = world->find_system("row")->elements().position[0].x();
  Node copy = world->scene();
  Node& muscle = add_child(*find_node(copy, "system.row"), "muscle", "muscle", "all");
  muscle.set("strain", 0.1);
  muscle.set("response", 0.1);
  NodeChange change{.parent = "system.row", .node = muscle};
  ASSERT_TRUE(test::change(*world, change));
  EXPECT_EQ(world->find_system("row")->elements().position[0].x(), x) << "the body goes on";
  take_steps(*world, 300);
  EXPECT_NEAR(distance_between(*world, 0, 7), 7 * 1.1 * pitch, 7e-3 * pitch);
  change.kind = NodeChange::Kind::remove;
  change.node = *find_node(world->scene(), "system.row.muscle.all");
  ASSERT_TRUE(test::change(*world, change));
  take_steps(*world, 300);
  EXPECT_NEAR(distance_between(*world, 0, 7), 7 * pitch, 7e-3 * pitch);
}

}  // namespace
}  // namespace vw
