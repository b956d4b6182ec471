// The scene document of the window: checks, undo, redo, merging of drags, and the mark "modified since the last save".
#include <gtest/gtest.h>

#include <filesystem>

#include "app/window/document/document.h"
#include "app/window/document/save_target.h"
#include "sim/api/open_scene.h"
#include "sim/base/random.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

Node document_scene() {
  Node scene = api::new_scene();
  add_child(scene, "system", "voxel_body", "creature");
  add_child(scene, "system", "particles", "leaves");
  add_child(scene, "collider", "sphere", "ball");
  add_child(scene, "material", scene.schema->slots[2].kinds.front()->kind, "flesh");
  return scene;
}

double uniform(std::uint64_t i, std::uint64_t lane) { return random_uniform({1, stream_id("edits")}, i, lane); }

/// Returns a random value that is valid for the parameter.
Value random_value(const ParamSpec& spec, std::uint64_t i) {
  const double low = std::max(spec.bounds.min, -1e3), high = std::min(spec.bounds.max, 1e3);
  const auto number = [&](std::uint64_t lane) { return low + (high - low) * uniform(i, lane); };
  switch (spec.type) {
    case ParamType::boolean: return uniform(i, 9) < 0.5;
    case ParamType::integer: return static_cast<std::int64_t>(number(1));
    case ParamType::real: return number(1);
    case ParamType::vec3:
    case ParamType::color: return Vec3(number(1), number(2), number(3));
    case ParamType::choice:
      return spec.choices[static_cast<std::size_t>(uniform(i, 4) * static_cast<double>(spec.choices.size()))];
    case ParamType::text: return "text " + std::to_string(i);
    case ParamType::number_list: return NumberList{number(1), number(2)};
    case ParamType::text_list: return TextList{"a", std::to_string(i)};
  }
  return {};
}

TEST(WindowDocument, AdoptsTheSceneOfTheWorldAsOneUndoStep) {
  const Node start = document_scene();
  Document document(start);
  (void)document.edit("view.legend", Value(false));
  const Node mine = document.root();
  Node other = start;
  (void)set_parameter(other, "world.gravity", Value(Vec3(0, 1, 0)));
  add_child(other, "collider", "box", "crate");
  std::erase_if(other.children, [](const Node& child) { return child.name == "leaves"; });
  EXPECT_TRUE(document.adopt(other));
  EXPECT_NE(document.root().find("collider", "crate"), nullptr);
  EXPECT_EQ(document.root().find("system", "leaves"), nullptr);
  EXPECT_EQ(std::get<Vec3>(*document.value("world.gravity")).y(), 1);
  EXPECT_FALSE(std::get<bool>(*document.value("view.legend"))) << "the view of the user must not change";
  EXPECT_FALSE(document.adopt(other)) << "nothing is left to change";
  EXPECT_TRUE(document.adopt(start));
  EXPECT_TRUE(same_node(document.root(), mine));
  EXPECT_TRUE(document.adopt(other));
  Node third = other;
  (void)set_parameter(third, "world.gravity", Value(Vec3(0, 2, 0)));
  EXPECT_TRUE(document.adopt(third));
  document.undo();
  EXPECT_TRUE(same_node(document.root(), mine)) << "consecutive adoptions must be one undo step";
  document.redo();
  EXPECT_EQ(std::get<Vec3>(*document.value("world.gravity")).y(), 2);
  (void)document.edit("world.gravity", Value(Vec3(0, 3, 0)));
  EXPECT_TRUE(document.adopt(other));
  document.undo();
  EXPECT_EQ(std::get<Vec3>(*document.value("world.gravity")).y(), 3)
      << "an edit between two adoptions must be a step of its own";
}

TEST(WindowDocument, AThousandRandomEditsAndUndoAllGiveTheStartingValues) {
  const Node start = document_scene();
  Document document(start);
  Node scratch = start;
  const auto parameters = all_parameters(scratch);
  ASSERT_GT(parameters.size(), 40U);
  int accepted = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const ParamRef& chosen =
        parameters[static_cast<std::size_t>(uniform(i, 7) * static_cast<double>(parameters.size()))];
    const auto applied = document.edit(chosen.path, random_value(*chosen.spec, i));
    accepted += applied && !applied->empty() ? 1 : 0;
    if (uniform(i, 8) < 0.7) document.end_gesture();
    if (uniform(i, 5) < 0.1) document.undo();  // mixes in some undo and redo
    if (uniform(i, 6) < 0.05) document.redo();
  }
  EXPECT_GT(accepted, 600);
  EXPECT_FALSE(same_node(document.root(), start));
  const Node edited = document.root();
  while (document.can_undo()) ASSERT_FALSE(document.undo().empty());
  EXPECT_TRUE(same_node(document.root(), start));
  EXPECT_FALSE(document.modified());
  while (document.can_redo()) ASSERT_FALSE(document.redo().empty());
  (void)edited;
}

TEST(WindowDocument, RedoAllGivesBackWhatUndoAllTook) {
  Document document(document_scene());
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(document.edit("world.speed", Value(0.1 + 0.1 * i)));
    ASSERT_TRUE(document.edit("world.gravity", Value(Vec3(0, -i, 0))));
    document.end_gesture();
  }
  const Node edited = document.root();
  while (document.can_undo()) document.undo();
  EXPECT_FALSE(same_node(document.root(), edited));
  while (document.can_redo()) document.redo();
  EXPECT_TRUE(same_node(document.root(), edited));
}

TEST(WindowDocument, TheFramesOfOneDragAreOneStep) {
  Document document(document_scene());
  for (int i = 1; i <= 50; ++i) ASSERT_TRUE(document.edit("world.speed", Value(1 + 0.01 * i)));
  document.end_gesture();
  const auto undone = document.undo();
  ASSERT_EQ(undone.size(), 1U);
  EXPECT_EQ(undone[0].path, "world.speed");
  EXPECT_EQ(std::get<double>(undone[0].value), 1.0);
  EXPECT_FALSE(document.can_undo());
  const auto redone = document.redo();
  ASSERT_EQ(redone.size(), 1U);
  EXPECT_EQ(std::get<double>(redone[0].value), 1.5);
}

TEST(WindowDocument, TwoDragsOfTheSameSliderAreTwoSteps) {
  Document document(document_scene());
  ASSERT_TRUE(document.edit("world.speed", Value(2.0)));
  document.end_gesture();
  ASSERT_TRUE(document.edit("world.speed", Value(3.0)));
  document.end_gesture();
  document.undo();
  EXPECT_EQ(std::get<double>(*document.value("world.speed")), 2.0);
}

TEST(WindowDocument, ADragThatComesBackIsNoStep) {
  Document document(document_scene());
  ASSERT_TRUE(document.edit("world.speed", Value(2.0)));
  ASSERT_TRUE(document.edit("world.speed", Value(1.0)));
  document.end_gesture();
  EXPECT_FALSE(document.can_undo());
  EXPECT_FALSE(document.modified());
}

TEST(WindowDocument, AnInvalidEditChangesNothingAndSaysWhy) {
  Document document(document_scene());
  const auto wrong = document.edit("world.speed", Value(-1.0));
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message().find("world.speed"), std::string::npos) << wrong.error().message();
  EXPECT_FALSE(document.edit("world.sped", Value(1.0)));
  EXPECT_EQ(std::get<double>(*document.value("world.speed")), 1.0);
  EXPECT_FALSE(document.can_undo());
}

TEST(WindowDocument, OneOfSeveralAssignmentsBeingInvalidLeavesAllAsTheyWere) {
  Document document(document_scene());
  EXPECT_FALSE(document.edit_all({{"world.speed", Value(2.0)}, {"world.dt", Value(-1.0)}}));
  EXPECT_EQ(std::get<double>(*document.value("world.speed")), 1.0);
}

TEST(WindowDocument, ModifiedIsMeasuredAgainstTheSavedState) {
  Document document(document_scene());
  EXPECT_FALSE(document.modified());
  ASSERT_TRUE(document.edit("world.energy_limit", Value(2e6)));
  document.end_gesture();
  EXPECT_TRUE(document.modified());
  document.mark_saved("x.toml");
  EXPECT_FALSE(document.modified());
  document.undo();
  EXPECT_TRUE(document.modified());
  document.redo();
  EXPECT_FALSE(document.modified());
  document.undo();
  // After this edit, neither undo nor redo can restore the saved state.
  ASSERT_TRUE(document.edit("world.energy_limit", Value(3e6)));
  document.end_gesture();
  EXPECT_TRUE(document.modified());
  document.undo();
  EXPECT_TRUE(document.modified());
}

TEST(WindowDocument, HowTheSceneIsLookedAtIsNoModification) {
  Document document(document_scene());
  ASSERT_TRUE(document.edit("view.vectors", Value(true)));
  document.end_gesture();
  EXPECT_FALSE(document.modified());
  ASSERT_TRUE(document.edit("world.dt", Value(0.01)));
  document.end_gesture();
  EXPECT_TRUE(document.modified());
  document.undo();
  EXPECT_FALSE(document.modified());
}

TEST(WindowDocument, ADragAfterSavingCountsAsModified) {
  Document document(document_scene());
  ASSERT_TRUE(document.edit("world.energy_limit", Value(2e6)));
  document.mark_saved("x.toml");
  ASSERT_TRUE(document.edit("world.energy_limit", Value(2.5e6)));
  EXPECT_TRUE(document.modified());
  document.undo();
  EXPECT_FALSE(document.modified());
}

TEST(WindowDocument, HowFastTheSceneIsPlayedIsNoModification) {
  Document document(document_scene());
  ASSERT_TRUE(document.edit("world.speed", Value(2.0)));
  document.end_gesture();
  EXPECT_FALSE(document.modified());
}

TEST(WindowDocument, ASceneIsNotSavedOntoAFileThatItReads) {
  const test::Scratch scratch;
  scratch.write("block.obj", "v 0 0 0\n");
  const std::string own = scratch.write(
      "own.toml", "format = 1\n[[collider]]\nkind = \"mesh\"\nname = \"block\"\nsource = \"block.obj\"\n");
  std::filesystem::create_symlink("block.obj", scratch.path("link.toml"));
  std::filesystem::create_hard_link(scratch.path("block.obj"), scratch.path("hard.toml"));
  const Document document(document_scene(), own);
  EXPECT_TRUE(check_save_target(document, own));
  EXPECT_TRUE(check_save_target(document, scratch.path("new.toml")));
  for (const char* name : {"block.obj", "link.toml", "hard.toml", "./block.obj"})
    EXPECT_FALSE(check_save_target(document, scratch.path(name))) << name;
  const Document design(document_scene(), scratch.write("robot.vxa", "<VXA/>"));
  EXPECT_FALSE(check_save_target(design, scratch.path("robot.vxa")));
}

}  // namespace
}  // namespace vw
