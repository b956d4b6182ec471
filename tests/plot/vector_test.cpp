// Curves of element vectors: acceleration, net force, forces of a rule, and rejected definitions.
#include "plot_scene.h"

namespace vw {
namespace {

using plot_test::Measured;
using plot_test::scene_error;
using plot_test::scene_of;
using plot_test::two_balls;

std::string vector_curve(const std::string& name, const std::string& rest) {
  return "[[plot.curve]]\nkind = \"measured\"\nname = \"" + name + "\"\n" + rest;
}

const std::string rule = "[[interaction]]\nkind = \"grains\"\nname = \"touch\"\na = \"right\"\nb = \"right\"\n";

TEST(PlotVectors, ABallThatFallsHasTheAccelerationOfGravityAndItsWeightAsNetForce) {
  const std::string plots =
      "[[plot]]\nname = \"p\"\n" +
      vector_curve("down", "system = \"left\"\nquantity = \"vector_y\"\nvector = \"acceleration\"\nelement = 0\n") +
      vector_curve("size", "system = \"right\"\nquantity = \"vector_length\"\nvector = \"acceleration\"\n") +
      vector_curve("force", "system = \"left\"\nquantity = \"vector_y\"\nvector = \"net_force\"\nover = \"sum\"\n") +
      vector_curve("mass", "system = \"left\"\nquantity = \"mass\"\n") +
      vector_curve("across", "system = \"left\"\nquantity = \"vector_x\"\nvector = \"velocity\"\nelement = 0\n");
  auto scene = scene_of(two_balls(plots));
  ASSERT_TRUE(scene) << scene.error().message();
  Measured measured(std::move(*scene));
  EXPECT_TRUE(std::isnan(measured.last("p", "down"))) << "there is no acceleration before the first step";
  measured.run(0.05);
  EXPECT_NEAR(measured.last("p", "down"), -9.81, 1e-5) << "vectors are floats";
  EXPECT_NEAR(measured.last("p", "size"), 9.81, 1e-5) << "without an element, the mean of all elements";
  EXPECT_NEAR(measured.last("p", "force"), -9.81 * measured.last("p", "mass"),
              1e-6 * 9.81 * measured.last("p", "mass"));
  EXPECT_NEAR(measured.last("p", "across"), 3, 1e-12);
  EXPECT_EQ(measured.plots().wanted().vectors, (std::vector<std::string>{"acceleration", "net_force", "velocity"}));
  EXPECT_TRUE(measured.plots().wanted().rules.empty());
}

TEST(PlotVectors, ARuleIsNamedByItsNodeAndItsPairsAddUp) {
  const std::string plots =
      "[[plot]]\nname = \"p\"\n" +
      vector_curve("x", "system = \"right\"\nquantity = \"vector_x\"\nvector = \"touch\"\nelement = 3\n") +
      vector_curve("length", "system = \"right\"\nquantity = \"vector_length\"\nvector = \"touch\"\nelement = 3\n") +
      vector_curve("most", "system = \"right\"\nquantity = \"vector_length\"\nvector = \"touch\"\nover = \"max\"\n");
  auto scene = scene_of(two_balls(rule + plots));
  ASSERT_TRUE(scene) << scene.error().message();
  auto set = PlotSet::compile(*scene);
  ASSERT_TRUE(set) << set.error().message();
  EXPECT_EQ(set->wanted().rules, std::vector<std::string>{"touch"});
  auto world = World::create(std::move(*scene));
  ASSERT_TRUE(world) << world.error().message();
  Snapshot picture;
  (*world)->write_snapshot(picture);
  EXPECT_TRUE(set->check_names(picture)) << set->check_names(picture).error().message();
  RuleSnapshot& touch = *std::find_if(picture.rules.begin(), picture.rules.end(),
                                      [](const RuleSnapshot& r) { return r.node == "touch"; });
  ASSERT_EQ(picture.systems[touch.a].name, "right");
  std::vector<double> row;
  set->measure(picture, row);
  EXPECT_TRUE(std::isnan(row[0])) << "not recorded";
  const std::size_t n = picture.systems[touch.a].position.size();
  touch.force_a.assign(n, Vec3f::Zero());
  touch.force_a[3] = Vec3f(3, 0, 0);
  touch.force_b = touch.force_a;
  touch.force_b[3] = Vec3f(0, 4, 0);  // A rule between a system and itself has forces on both sides.
  set->measure(picture, row);
  EXPECT_EQ(row[0], 3);
  EXPECT_EQ(row[1], 5);
  EXPECT_EQ(row[2], 5);
}

TEST(PlotVectors, UnknownNamesAreRefusedWithAHint) {
  const std::string head = "[[plot]]\nname = \"p\"\n";
  EXPECT_NE(scene_error(two_balls(head + vector_curve("c", "system = \"left\"\nquantity = \"vector_x\"\n")))
                .find("must name the vector or the rule"),
            std::string::npos);
  auto scene = scene_of(
      two_balls(head + vector_curve("c", "system = \"left\"\nquantity = \"vector_x\"\nvector = \"accelaration\"\n")));
  ASSERT_TRUE(scene) << scene.error().message() << " (what vectors there are only the running world knows)";
  Measured measured(std::move(*scene));
  Snapshot picture;
  measured.world().write_snapshot(picture);
  const auto known = measured.plots().check_names(picture);
  ASSERT_FALSE(known);
  EXPECT_NE(
      known.error().message().find(
          "plot.p.curve.c.vector = \"accelaration\": must name a vector of left (did you mean \"acceleration\"?)"),
      std::string::npos)
      << known.error().message();
}

}  // namespace
}  // namespace vw
