// The material library, presets, stored values and random values in the window, with mouse and keys.
#ifdef VOXWAKE_HAVE_WINDOW
#include <filesystem>

#include <gtest/gtest.h>

#include "app/window/labels/param_style.h"
#include "app/window/ui/library/library_panel.h"
#include "sim/base/files/file.h"
#include "sim/scene/scene.h"
#include "tests/app/window/input.h"
#include "tests/support/scratch.h"

namespace vw::ui {
namespace {

class WindowLibraryUi : public WindowInput {
 protected:
  void SetUp() override {
    WindowInput::SetUp();
    Node scene = api::new_scene();
    Node& rubber = add_child(scene, "material", "voxel_material", "rubber");
    rubber.set("density", 1000.0);
    Node& cube = add_child(scene, "system", "voxel_body", "cube");
    cube.set("size", Vec3(2, 2, 2));
    add_child(add_child(scene, "system", "rigid", "crates"), "body", "box", "crate");
    app.session.playing = false;
    open(app, scratch.write("scene.toml", write_scene_toml(scene)));
    frames_until(app, [&] { return app.session.run != nullptr && app.session.have_snapshot; });
    frames(app);
  }
  /// Opens the library and searches for materials with these words.
  void search(std::string_view words) {
    press(app, GLFW_KEY_M);
    click(app, "Search materials");
    type(app, words);
  }
  const LibraryMaterial& material(const std::string& name) { return *library_of(app.ui.library.materials).find(name); }
  double number(const std::string& path) const { return std::get<double>(*app.session.document->value(path)); }
  ImVec2 row(std::string_view text) const { return row_of(app, text); }
  /// Returns a point of the picture that the library window does not cover.
  ImVec2 picture_point() const {
    const ImVec2 corner = app.view.viewport.corner();
    return {corner.x + em(1), corner.y + em(2)};
  }
  void select_rubber() {
    click(app, row("rubber"));
    ASSERT_EQ(app.ui.layout.selected_path, "material.rubber");
  }

  test::Scratch scratch;
  App app{WindowOptions{}};
};

TEST_F(WindowLibraryUi, MShowsTheLibraryWithSearchFiguresAndSources) {
  EXPECT_FALSE(is_shown("Material library"));
  search("dragon-skin-10");
  ASSERT_TRUE(app.ui.library.materials.open);
  EXPECT_TRUE(is_shown("Dragon Skin 10"));
  EXPECT_FALSE(is_shown("Dragon Skin 30"));
  EXPECT_FALSE(is_shown("Failure stress"));
  click(app, "Dragon Skin 10");
  EXPECT_EQ(app.ui.library.materials.selected, "dragon-skin-10");
  EXPECT_TRUE(is_shown("Failure stress"));
  app.ui.library.materials.filter = "no such material";
  frames(app);
  EXPECT_TRUE(is_shown("No material contains these words."));
  click(app, row("World"));  // moves the focus out of the search field
  press(app, GLFW_KEY_M);
  EXPECT_FALSE(app.ui.library.materials.open);
  open_menu(app, "View");
  click(app, "Material library");
  EXPECT_TRUE(app.ui.library.materials.open);
}

TEST_F(WindowLibraryUi, TheButtonAssignsToTheSelectedNodeInOneUndoStep) {
  search("dragon-skin-10");
  click(app, "Dragon Skin 10");
  click(app, "Assign to World");  // disabled: the world accepts only gases
  EXPECT_FALSE(app.session.document->can_undo());
  select_rubber();
  click(app, "Assign to rubber");
  EXPECT_EQ(number("material.rubber.density"), material("dragon-skin-10").find("density")->value);
  EXPECT_NE(last_message(app).find("Assigned Dragon Skin 10 to material.rubber. The library has no value for: "),
            std::string::npos)
      << last_message(app);
  frames(app);
  EXPECT_TRUE(is_shown("Values of Dragon Skin 10 (material library)"));
  undo(app);
  EXPECT_EQ(number("material.rubber.density"), 1000);
  EXPECT_FALSE(app.session.document->can_undo());
}

TEST_F(WindowLibraryUi, ARowIsDraggedToANodeOfTheTree) {
  search("dragon-skin-10");
  drag_and_drop(app, place_of("Dragon Skin 10"), row("World"));
  EXPECT_FALSE(app.session.document->can_undo()) << "the world accepts only gases";
  drag_and_drop(app, place_of("Dragon Skin 10"), row("rubber"));
  EXPECT_EQ(number("material.rubber.density"), material("dragon-skin-10").find("density")->value);
  const std::uint64_t before = app.session.document->structure();
  drag_and_drop(app, place_of("Dragon Skin 10"), row("cube"));
  frames_until(app, [&] { return app.session.document->structure() != before; });
  EXPECT_EQ(std::get<std::string>(*app.session.document->value("system.cube.material")), "dragon-skin-10");
}

TEST_F(WindowLibraryUi, AGasDroppedOnThePictureFillsTheWorld) {
  search("air at 0");
  drag_and_drop(app, place_of("Air at 0 m"), picture_point());
  EXPECT_EQ(number("world.medium_density"), material("air-0-m").find("density")->value);
  EXPECT_EQ(number("world.medium_viscosity"), material("air-0-m").find("dynamic_viscosity")->value);
}

TEST_F(WindowLibraryUi, ASolidDroppedBesideAllObjectsIsRefused) {
  search("dragon-skin-10");
  hold_and_move(app, place_of("Dragon Skin 10"), picture_point());
  EXPECT_TRUE(is_shown("There is no object here"));
  drag_and_drop(app, picture_point(), picture_point());
  EXPECT_FALSE(app.session.document->can_undo());
  EXPECT_EQ(last_message(app), "There is no object at this point of the picture");
}

TEST_F(WindowLibraryUi, AddToSceneAddsAMaterialNode) {
  search("balsa");
  click(app, "Balsa");
  EXPECT_TRUE(is_shown("Conditions: air dry, trade average"));
  const std::uint64_t before = app.session.document->structure();
  click(app, "Add to scene");
  frames_until(app, [&] { return app.session.document->structure() != before; });
  EXPECT_EQ(number("material.balsa.density"), material("balsa").find("density")->value);
}

TEST_F(WindowLibraryUi, AFileWithAnErrorIsListed) {
  const std::filesystem::path file = std::filesystem::path(user_materials_folder()) / "broken.toml";
  std::filesystem::create_directories(file.parent_path());
  ASSERT_TRUE(write_file_atomic(file.string(), "title = 3\n"));
  app.ui.library.materials.library.reset();
  search("no such material");
  EXPECT_TRUE(is_shown("Files with errors"));
  std::filesystem::remove(file);
  click(app, "Read again");
  EXPECT_FALSE(is_shown("Files with errors"));
}

TEST_F(WindowLibraryUi, APresetIsSavedAndAppliedInOneUndoStep) {
  select_rubber();
  click(app, "Presets");
  EXPECT_TRUE(is_shown("There is no preset of this kind."));
  click(app, "Name of a new preset");
  type(app, "soft/rubber");
  press(app, GLFW_KEY_ENTER);
  EXPECT_EQ(app.ui.library.presets.error, "A name consists of letters, digits, spaces, _ and -.");
  press(app, GLFW_KEY_A, {GLFW_KEY_LEFT_CONTROL});
  type(app, "soft rubber");
  click(app, "Save");
  const std::string file = config_folder() + "/presets/material-voxel_material/soft rubber.toml";
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_EQ(last_message(app), "Saved the preset " + file);
  edit(app, {{"material.rubber.density", Value(700.0)}, {"material.rubber.youngs_modulus", Value(9e5)}});
  click(app, "soft rubber");
  EXPECT_EQ(number("material.rubber.density"), 1000);
  EXPECT_EQ(last_message(app), "Applied soft rubber to material.rubber.");
  undo(app);
  EXPECT_EQ(number("material.rubber.density"), 700);
  EXPECT_EQ(number("material.rubber.youngs_modulus"), 9e5);
  std::filesystem::remove(file);
}

TEST_F(WindowLibraryUi, APresetIsAddedAsANodeAndItsFileDeleted) {
  const Node& rubber = *app.session.document->root().find("material", "rubber");
  const auto file = save_preset(config_folder() + "/presets", "material-voxel_material", "silky", rubber);
  ASSERT_TRUE(file) << file.error().message();
  // Centre of an icon to the right of the name: 0 is the first icon, 1 the second.
  const auto icon = [](float number) {
    const ImVec2 name = place_of("silky");
    const float left = name.x - ImGui::CalcTextSize("silky").x / 2;
    return ImVec2{left + em(14.75F + 1.5F * number) + (number + 1) * ImGui::GetStyle().ItemSpacing.x, name.y};
  };
  select_rubber();
  click(app, "Presets");
  const std::uint64_t before = app.session.document->structure();
  click(app, icon(0));
  frames_until(app, [&] { return app.session.document->structure() != before; });
  EXPECT_EQ(number("material.silky.density"), 1000);
  frames(app);
  EXPECT_EQ(app.ui.layout.selected_path, "material.silky");
  click(app, "Presets");
  click(app, icon(1));
  EXPECT_TRUE(is_shown("Delete silky?"));
  click(app, "Keep");
  EXPECT_TRUE(std::filesystem::exists(*file));
  click(app, icon(1));
  click(app, "Delete");
  EXPECT_FALSE(std::filesystem::exists(*file));
  EXPECT_TRUE(is_shown("There is no preset of this kind."));
}

TEST_F(WindowLibraryUi, AValueIsKeptAndChosenAgain) {
  select_rubber();
  click(app, "Density", 1);
  click(app, "Keep this value as\xE2\x80\xA6");
  click(app, "Name");
  type(app, "heavy");
  press(app, GLFW_KEY_ENTER);
  EXPECT_FALSE(is_shown("Name"));
  edit(app, {{"material.rubber.density", Value(700.0)}});
  frames(app);
  const Node& rubber = *app.session.document->root().find("material", "rubber");
  const auto spec = std::ranges::find(rubber.schema->params, std::string("density"), &ParamSpec::name);
  click(app, "Density", 1);
  click(app, "heavy: " + pretty_value(*spec, Value(1000.0)));
  EXPECT_EQ(number("material.rubber.density"), 1000);
  click(app, "Density", 1);
  click(app, "Remove a kept value");
  click(app, "heavy");
  EXPECT_TRUE(app.ui.library.variants.variants.of("material-voxel_material", *spec).empty());
}

TEST_F(WindowLibraryUi, EachTryIsAnUndoStepAndASeedRepeatsItsValues) {
  select_rubber();
  click(app, "Randomise\xE2\x80\xA6");
  RandomiseSettings& settings = app.ui.library.randomise.settings;
  ASSERT_FALSE(settings.params.empty());
  settings.params = {"density"};
  frames(app);
  click(app, "Try");
  const double first = number("material.rubber.density");
  EXPECT_NE(first, 1000);
  EXPECT_EQ(settings.seed, 2U);
  EXPECT_EQ(last_message(app), "Randomised material.rubber with seed 1: one parameter, half width 20 % of each value.");
  click(app, "Try");
  EXPECT_NE(number("material.rubber.density"), first);
  settings.seed = 1;
  click(app, "Try");
  EXPECT_EQ(number("material.rubber.density"), first) << "the ranges must not change with the values";
  for (int i = 0; i < 3; ++i) undo(app);
  EXPECT_EQ(number("material.rubber.density"), 1000);
  EXPECT_FALSE(app.session.document->can_undo());
}

}  // namespace
}  // namespace vw::ui
#endif
