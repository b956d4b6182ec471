// Edits of materials in the window: they reach the world only when the values of the material are consistent.
#include <gtest/gtest.h>

#include "app/window/document/document.h"
#include "app/window/document/material_edit_buffer.h"
#include "sim/api/run.h"

namespace vw {
namespace {

TEST(WindowMaterials, EditsWaitUntilTheirValuesAgreeThenTheWorldHasThemAll) {
  Node scene = api::new_scene();
  add_child(scene, "material", "voxel_material", "clay");
  add_child(scene, "system", "voxel_body", "body").set("size", Vec3(2, 1, 1));
  auto run = api::Run::create({"clay.toml", scene, {}, {}});
  ASSERT_TRUE(run) << run.error().message();
  Document document(scene, "clay.toml");
  MaterialEditBuffer gate;
  gate.begin(scene);
  const auto change = [&](const std::string& path, const Value& value) {
    const auto checked = document.edit(path, value);
    std::string waits;
    for (const Assignment& edit : *checked) {
      const auto passed = gate.pass(document.root(), edit);
      waits += passed.waits_for;
      for (const Assignment& one : passed.assignments) {
        const auto applied = run->set(one.path, one.value);
        EXPECT_TRUE(applied) << applied.error().message();
      }
    }
    return waits;
  };
  const auto model_in_world = [&] {
    const Node& clay = *run->scene().find("material", "clay");
    for (std::size_t i = 0; i < clay.values.size(); ++i)
      if (clay.schema->params[i].name == "model") return std::get<std::string>(clay.values[i]);
    return std::string();
  };
  EXPECT_NE(change("material.clay.model", std::string("bilinear")).find("must be above 0 if model = \"bilinear\""),
            std::string::npos);
  EXPECT_EQ(model_in_world(), "linear");
  EXPECT_FALSE(check_materials_of(document.root())) << "an inconsistent material must not be saved";
  EXPECT_EQ(change("material.clay.plastic_modulus", 5e6), "") << "the error must be reported only once";
  EXPECT_EQ(change("material.clay.yield_stress", 1e4), "") << "the plastic modulus is still too large";
  EXPECT_EQ(model_in_world(), "linear");
  EXPECT_EQ(change("material.clay.plastic_modulus", 1e5), "");
  EXPECT_TRUE(same_node(*run->scene().find("material", "clay"), *document.root().find("material", "clay")));
  EXPECT_TRUE(check_materials_of(document.root()));
  change("material.clay.model", std::string("data"));
  change("material.clay.strain_data", NumberList{0.01, 0.1});
  change("material.clay.stress_data", NumberList{1e4, 2e4});
  EXPECT_EQ(model_in_world(), "data");
  change("material.clay.strain_data", NumberList{0.01, 0.02, 0.1});
  change("material.clay.stress_data", NumberList{1e4, 2e4, 3e4});
  EXPECT_TRUE(same_node(*run->scene().find("material", "clay"), *document.root().find("material", "clay")))
      << "replaces both tables";
  EXPECT_EQ(change("world.gravity", Vec3(0, -1, 0)), "") << "edits of other nodes must reach the world";
}

}  // namespace
}  // namespace vw
