// Describes and samples the fields of a scene without creating a world, lists the rules that a scene does not have yet,
// and checks its materials.
#include "sim/api/analysis/fields.h"

#include <array>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/api/analysis/rule_matrix.h"
#include "sim/api/open_scene.h"
#include "tests/support/checked.h"

namespace vw::api {
namespace {

using test::checked;
using testing::ElementsAre;

Node windy() {
  Node scene = new_scene();
  add_child(scene, "field", "uniform", "breeze").set("velocity", Vec3(3, 0, 4));
  return scene;
}

TEST(ApiFields, AFieldIsDescribedAndSampledWithoutAWorld) {
  Fields fields = checked(Fields::open(windy()));
  EXPECT_THAT(fields.names(), ElementsAre("breeze"));
  const FieldInfo info = fields.info("breeze");
  EXPECT_EQ(info.region, "everywhere");
  EXPECT_FALSE(info.is_scalar);
  EXPECT_EQ(info.period_m, 0);
  const AirQuantity& velocity = *find_air_quantity("velocity");
  EXPECT_TRUE(fields.provides(velocity, "breeze"));
  EXPECT_FALSE(fields.provides(*find_air_quantity("value"), ""));
  std::array<float, 6> out{};
  fields.sample(
      "", velocity, 0, 2, [](std::size_t i) { return Vec3(static_cast<double>(i), 0, 0); }, out);
  EXPECT_THAT(out, ElementsAre(3, 0, 4, 3, 0, 4));
  const FieldStatistics all = fields.statistics("breeze", {Vec3::Zero(), Vec3::Ones()}, 0);
  EXPECT_NEAR(all.rms, 5, 1e-12) << "the speed is sqrt(3^2 + 4^2) everywhere";
  EXPECT_NEAR(all.peak, 5, 1e-12);
  EXPECT_EQ(all.divergence, 0);
  Fields moved = std::move(fields);
  EXPECT_THAT(moved.names(), ElementsAre("breeze")) << "a moved object stays valid";
}

TEST(ApiFields, AnErrorNamesTheColliderThatCannotBeRead) {
  Node scene = windy();
  add_child(scene, "collider", "mesh", "rock").set("source", std::string("/nowhere/rock.stl"));
  EXPECT_FALSE(Fields::open(scene));
}

TEST(ApiRules, RulesThatActByDefaultAreMissingUntilTheyAreAdded) {
  Node scene = new_scene();
  add_child(scene, "material", "voxel_material", "soft");
  add_child(scene, "system", "voxel_body", "block");
  add_child(scene, "system", "particles", "dust");
  const std::vector<Node> missing = missing_default_rules(scene);
  ASSERT_FALSE(missing.empty());
  scene.children.insert(scene.children.end(), missing.begin(), missing.end());
  EXPECT_TRUE(missing_default_rules(scene).empty());
}

TEST(ApiScenes, AMaterialIsCheckedAsAWhole) {
  Node scene = new_scene();
  Node& clay = add_child(scene, "material", "voxel_material", "clay");
  EXPECT_TRUE(api::check_material(clay));
  clay.set("model", std::string("bilinear"));
  EXPECT_FALSE(api::check_material(clay)) << "a bilinear material needs a yield stress";
  EXPECT_TRUE(api::check_material(*scene.only("world"))) << "other nodes pass";
}

}  // namespace
}  // namespace vw::api
