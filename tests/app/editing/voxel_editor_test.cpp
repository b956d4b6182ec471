// The voxel editor in the window, driven by synthetic mouse and keyboard input.
#include <gtest/gtest.h>

#ifdef VOXWAKE_HAVE_WINDOW
#include <GLFW/glfw3.h>

#include "sim/scene/scene.h"
#include "tests/app/window/frames.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

class WindowVoxelEditor : public ui::WindowFrames {
 protected:
  void SetUp() override {
    ui::WindowFrames::SetUp();
    app.session.playing = false;
    Node scene = api::new_scene();
    add_child(scene, "material", "voxel_material", "soft");
    add_child(scene, "material", "voxel_material", "stiff");
    Node& body = add_child(scene, "system", "voxel_body", "creature");
    body.set("size", Vec3(4, 4, 4)), body.set("voxel_size", 0.01), body.set("material", std::string("soft"));
    body.set("position", Vec3(0, 0.1, 0));
    Node& other = add_child(scene, "system", "voxel_body", "other");
    other.set("position", Vec3(1, 0.1, 0)), other.set("material", std::string("soft"));
    open(app, scratch.write("scene.toml", write_scene_toml(scene)));
    frames_until(app, [&] { return app.session.run != nullptr && app.session.have_snapshot; });
    edit_voxels(app, "system.creature");
    ASSERT_NE(app.view.voxel_editor, nullptr);
    editor().camera().eye = {2, 2, 20};  // from the front, so that rays are nearly parallel to z
    editor().camera().target = {2, 2, 2};
    frame_of(app);
    frame_of(app);
  }

  ui::VoxelEditor& editor() { return *app.view.voxel_editor; }
  const VoxelGrid& grid() { return editor().edits().grid(); }
  [[nodiscard]] std::size_t voxels() {
    return static_cast<std::size_t>(
        std::ranges::count_if(grid().codes(), [](std::uint16_t code) { return code != 0; }));
  }
  /// Moves the pointer to the pixel at which a point in lattice coordinates is seen.
  void point_at(const Vec3& place) {
    const float left = ui::em(app.ui.layout.left_em), top = ImGui::GetFrameHeight();
    const ImVec2 size{ImGui::GetIO().DisplaySize.x - left - ui::em(app.ui.layout.right_em),
                      ImGui::GetIO().DisplaySize.y - top - ui::em(3.3F)};
    const GizmoPicture picture{editor().camera(), {size.x, size.y}};
    const glm::vec2 pixel = picture.project(place);
    ImGui::GetIO().MousePos = {left + pixel.x, top + pixel.y};
    frame_of(app);
  }
  void press(bool down) {
    ImGui::GetIO().MouseDown[0] = down;
    frame_of(app);
  }
  void click(const Vec3& place) {
    point_at(place);
    press(true);
    press(false);
  }
  void drag(const Vec3& from, const Vec3& to) {
    point_at(from);
    press(true);
    point_at(to);
    press(false);
  }
  void key(int code, bool control = false, bool shift = false) {
    ImGuiIO& io = ImGui::GetIO();
    io.KeyCtrl = control, io.KeyShift = shift;
    io.KeysDown[code] = true;
    frame_of(app);
    io.KeysDown[code] = false;
    io.KeyCtrl = io.KeyShift = false;
    frame_of(app);
  }
  const Node& body() const { return *app.session.document->root().find("system", "creature"); }

  test::Scratch scratch;
  ui::App app{WindowOptions{}};
};

TEST_F(WindowVoxelEditor, AClickOnTheViewCubeLooksFromThatSide) {
  const float right = ImGui::GetIO().DisplaySize.x - ui::em(app.ui.layout.right_em);
  ImGui::GetIO().MousePos = {right - ui::em(4), ImGui::GetFrameHeight() + ui::em(4)};
  editor().camera().eye = {2, 20, 2.5F};
  frame_of(app);
  press(true);
  press(false);
  const glm::vec3 away = editor().camera().eye - editor().camera().target;
  EXPECT_NEAR(away.x, 0, 1e-4);
  EXPECT_NEAR(away.z, 0, 1e-4);
  EXPECT_GT(away.y, 10);
  EXPECT_EQ(voxels(), 64U) << "a click on the cube must not draw";
}

TEST_F(WindowVoxelEditor, KeysOfFilesAndHelpAct) {
  key(GLFW_KEY_F1);
  EXPECT_TRUE(app.ui.layout.help);
  key(GLFW_KEY_F1);
  key(GLFW_KEY_D, true);  // outside the editor, this key duplicates the body
  EXPECT_FALSE(app.session.loader.busy());
  key(GLFW_KEY_O, true);
  EXPECT_TRUE(app.ui.browser.is_open());
  EXPECT_TRUE(app.view.shows_voxel_editor());
}

TEST_F(WindowVoxelEditor, ABrushAddsOneVoxelPerCellOnTheFaceUnderThePointer) {
  ASSERT_EQ(voxels(), 64U);
  click({1.5, 1.5, 4});
  EXPECT_EQ(voxels(), 65U);
  EXPECT_EQ(grid().code({1, 1, 4}), 1);
  drag({0.5, 2.5, 4}, {3.5, 2.5, 4});
  EXPECT_EQ(voxels(), 69U) << "a stroke must add to the body, not to its own voxels";
  key(GLFW_KEY_Z, true);
  EXPECT_EQ(voxels(), 65U) << "a stroke must be one undo step";
  key(GLFW_KEY_Z, true);
  EXPECT_EQ(voxels(), 64U);
  key(GLFW_KEY_Z, true, true);
  EXPECT_EQ(voxels(), 65U);
}

TEST_F(WindowVoxelEditor, CellsThatAreNotAppliedAreKept) {
  const Node opened = app.session.document->root();
  EXPECT_FALSE(ui::has_cells_to_keep(app));
  EXPECT_FALSE(ui::scene_with_cells(app, opened));
  ASSERT_TRUE(editor().edits().set_box({{0, 0, 0}, {4, 4, 2}}));
  EXPECT_TRUE(ui::has_cells_to_keep(app));
  const auto kept = ui::scene_with_cells(app, opened);
  ASSERT_TRUE(kept);
  EXPECT_EQ(std::get<Vec3>(kept->find("system", "creature")->value("size")), Vec3(4, 4, 2));
  EXPECT_TRUE(same_node(app.session.document->root(), opened)) << "the scene must not change";
}

TEST_F(WindowVoxelEditor, StrokesRemoveAndPaint) {
  key(GLFW_KEY_D);
  click({1.5, 1.5, 4});
  EXPECT_EQ(grid().code({1, 1, 3}), 0);
  key(GLFW_KEY_P);
  ASSERT_TRUE(editor().edits().set_palette({"soft", "stiff"}));
  key(GLFW_KEY_2);
  key(GLFW_KEY_X);  // chooses the box tool
  drag({0.5, 3.5, 4}, {3.5, 3.5, 4});
  for (int x = 0; x < 4; ++x) EXPECT_EQ(grid().code({x, 3, 3}), 2);
  EXPECT_EQ(voxels(), 63U);
}

TEST_F(WindowVoxelEditor, MirroredStrokesAreSymmetric) {
  editor().settings().mirror = {true, false, false};
  click({0.5, 1.5, 4});
  EXPECT_EQ(grid().code({0, 1, 4}), 1);
  EXPECT_EQ(grid().code({3, 1, 4}), 1);
  EXPECT_EQ(voxels(), 66U);
}

TEST_F(WindowVoxelEditor, AMirrorPlaneReturnsWhenItsKindIsChangedTwice) {
  const auto plane = [&] { return editor().edits().symmetry().twice_plane[0].value_or(-1); };
  editor().settings().mirror = {true, false, false};
  frame_of(app);
  EXPECT_EQ(plane(), 4) << "between the second and the third cell";
  editor().settings().mirror_on_cells[0] = true;
  frame_of(app);
  EXPECT_EQ(plane(), 5);
  editor().settings().mirror_on_cells[0] = false;
  frame_of(app);
  EXPECT_EQ(plane(), 4);
}

TEST_F(WindowVoxelEditor, AnExtrusionFollowsThePointerAndIsOneStep) {
  editor().camera().eye = {14, 12, 14};
  frame_of(app);
  key(GLFW_KEY_E);
  drag({4, 1.5, 1.5}, {6, 1.5, 1.5});
  EXPECT_EQ(voxels(), 96U) << "two layers of 16";
  key(GLFW_KEY_Z, true);
  EXPECT_EQ(voxels(), 64U);
}

TEST_F(WindowVoxelEditor, EscCancelsAStroke) {
  point_at({1.5, 1.5, 4});
  press(true);
  EXPECT_EQ(voxels(), 65U);
  key(GLFW_KEY_ESCAPE);
  EXPECT_EQ(voxels(), 64U);
  press(false);
}

TEST_F(WindowVoxelEditor, EscAfterAStrokeWithoutEffectKeepsTheStrokesBefore) {
  click({1.5, 1.5, 4});
  ASSERT_EQ(voxels(), 65U);
  key(GLFW_KEY_P);  // the only material has the number 1 already
  point_at({2.5, 2.5, 4});
  press(true);
  key(GLFW_KEY_ESCAPE);
  EXPECT_EQ(voxels(), 65U);
  press(false);
}

TEST_F(WindowVoxelEditor, TheAppliedBodyRestartsAndNothingElse) {
  click({1.5, 1.5, 4});
  const std::size_t changes = app.session.run->newest().changes;
  EXPECT_TRUE(apply_voxels(app));
  close_voxel_editor(app);
  frames_until(app, [&] { return app.session.run->newest().changes > changes; });
  EXPECT_EQ(std::get<std::string>(body().value("shape")), "layers");
  EXPECT_EQ(std::get<Vec3>(body().value("size")), Vec3(4, 4, 5));
  EXPECT_EQ(std::get<Vec3>(body().value("position")), Vec3(0, 0.1, 0));
  frames_until(app, [&] {
    for (const SystemSnapshot& system : app.session.run->newest().systems)
      if (system.name == "creature") return system.position.size() == 65;
    return false;
  });
  undo(app);
  EXPECT_EQ(std::get<std::string>(body().value("shape")), "box");
  EXPECT_FALSE(app.session.document->can_undo()) << "the edit must be one undo step";
  frames_until(app, [&] {
    for (const SystemSnapshot& system : app.session.run->newest().systems)
      if (system.name == "creature") return system.position.size() == 64;
    return false;
  });
}

TEST_F(WindowVoxelEditor, ANewMaterialOfThePaletteIsAddedToTheScene) {
  ASSERT_TRUE(editor().edits().set_palette({"soft", "muscle"}));
  editor().settings().code = 2;
  click({1.5, 1.5, 4});
  EXPECT_TRUE(apply_voxels(app));
  frames_until(app, [&] { return app.session.document->root().find("material", "muscle") != nullptr; });
  EXPECT_EQ(std::get<TextList>(body().value("palette")), (TextList{"soft", "muscle"}));
}

TEST_F(WindowVoxelEditor, ATrialRunsTheEditAndReturns) {
  click({1.5, 1.5, 4});
  try_voxels(app);
  EXPECT_TRUE(app.session.playing);
  EXPECT_FALSE(app.view.shows_voxel_editor());
  frames_until(app, [&] { return app.session.run->newest().step > 3; });
  ASSERT_NE(app.view.voxel_editor, nullptr) << "the editor must stay, with its history";
  EXPECT_TRUE(editor().edits().can_undo());
}

TEST_F(WindowVoxelEditor, TheLowestFrequencyFollowsTheEdit) {
  const auto hertz = [&] {
    frames_until(app, [&] { return app.session.lowest_frequency.hertz().has_value(); });
    frames_until(app, [&] { return !app.session.lowest_frequency.is_computing(); });
    return app.session.lowest_frequency.hertz().value_or(0);
  };
  const double cube = hertz();
  EXPECT_GT(cube, 0);
  ASSERT_TRUE(editor().edits().apply(CellSet::of_box({{4, 0, 0}, {4, 4, 4}}), BrushMode::add, 1));
  frame_of(app);
  EXPECT_LT(hertz(), 0.9 * cube) << "a longer body bends more easily";
  close_voxel_editor(app);
  EXPECT_FALSE(app.session.lowest_frequency.hertz());
}

TEST_F(WindowVoxelEditor, CellsAreSavedToAFileAndOpenedFromIt) {
  const std::string file = scratch.path("creature.vxa");
  click({1.5, 1.5, 4});
  save_cells(app, file);
  EXPECT_EQ(std::get<std::string>(body().value("shape")), "box") << "saving cells must not change the scene";
  ASSERT_TRUE(editor().edits().apply(CellSet::of_box({{0, 0, 0}, {4, 3, 4}}), BrushMode::remove, 0));
  editor().start_reading(app, file);
  frames_until(app, [&] { return !editor().is_reading(); });
  EXPECT_EQ(voxels(), 65U);
  EXPECT_EQ(grid().box(), (VoxelBox{{0, 0, 0}, {4, 4, 5}}));
  key(GLFW_KEY_Z, true);
  EXPECT_EQ(voxels(), 17U) << "opening must be one undo step";
  editor().start_reading(app, scratch.path("missing.vxa"));
  frames_until(app, [&] { return !editor().is_reading(); });
  EXPECT_EQ(voxels(), 17U);
  EXPECT_TRUE(apply_voxels(app));
}

TEST_F(WindowVoxelEditor, AMeshIsFilledWithTheChosenMaterialInOneStep) {
  const std::string cube = scratch.write("cube.obj",
                                         "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
                                         "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n");
  ASSERT_TRUE(editor().edits().set_palette({"soft", "stiff"}));
  ASSERT_TRUE(editor().edits().apply(CellSet::of_box({{0, 0, 0}, {4, 3, 4}}), BrushMode::remove, 0));
  editor().settings().code = 2;
  editor().edits().select(CellSet::of_box({{0, 0, 0}, {2, 2, 2}}));
  editor().start_reading(app, cube);
  frames_until(app, [&] { return !editor().is_reading(); });
  EXPECT_EQ(voxels(), 24U) << "16 voxels of the body, and a cube in the box of the selection";
  EXPECT_EQ(grid().code({1, 1, 1}), 2);
  editor().settings().fits_mesh = false;
  editor().settings().mesh_scale = 0.06;  // six cells of 10 mm
  editor().edits().select_none();
  editor().start_reading(app, cube);
  frames_until(app, [&] { return !editor().is_reading(); });
  EXPECT_EQ(voxels(), 216U);
  EXPECT_EQ(grid().box(), (VoxelBox{{-1, 0, -1}, {6, 6, 6}}));
  key(GLFW_KEY_Z, true);
  EXPECT_EQ(voxels(), 24U);
}

TEST_F(WindowVoxelEditor, AtTheStartEditsOfTheStartApplyAtOnce) {
  close_voxel_editor(app);
  set_playing(app, false);
  frames_until(app, [&] { return app.session.run->newest().paused && app.session.run->newest().step == 0; });
  edit(app, {{"system.creature.size", Vec3(5, 4, 4)}});
  frames_until(app, [&] {
    const auto& systems = app.session.run->newest().systems;
    return std::ranges::find(systems, "creature", &SystemSnapshot::name)->position.size() == 80;
  });
  EXPECT_FALSE(app.session.reset_needed());
  EXPECT_EQ(app.session.run->newest().step, 0U);
}

TEST_F(WindowVoxelEditor, AWaitingEditRestartsItsSystemAlone) {
  close_voxel_editor(app);
  set_playing(app, true);
  frames_until(app, [&] { return app.session.run->newest().step > 20; });
  set_playing(app, false);
  frames_until(app, [&] { return app.session.run->newest().paused; });
  const std::uint64_t epoch = app.session.run->newest().epoch, step = app.session.run->newest().step;
  const auto system = [&](const char* name) -> const SystemSnapshot& {
    return *std::ranges::find(app.session.run->newest().systems, name, &SystemSnapshot::name);
  };
  const Vec3f fallen = system("other").position[0];
  edit(app, {{"system.creature.size", Vec3(5, 4, 4)}});
  EXPECT_TRUE(app.session.reset_needed());
  EXPECT_EQ(systems_to_restart(app), std::vector<std::string>{"creature"});
  restart_systems(app, systems_to_restart(app));
  EXPECT_FALSE(app.session.reset_needed());
  frames_until(app, [&] { return system("creature").position.size() == 80; });
  EXPECT_EQ(app.session.run->newest().epoch, epoch);
  EXPECT_EQ(app.session.run->newest().step, step);
  EXPECT_EQ(system("other").position[0], fallen);
  EXPECT_NEAR(system("creature").position[0].y(), 0.105F, 1e-6F) << "the restarted system must be at its start";
  edit(app, {{"world.seed", std::int64_t{7}}});
  EXPECT_TRUE(systems_to_restart(app).empty()) << "the seed belongs to the whole world";
}

TEST_F(WindowVoxelEditor, ABodyThatIsRenamedDuringATrialIsEditedFurther) {
  click({1.5, 1.5, 4});
  try_voxels(app);
  frames_until(app, [&] { return std::get<Vec3>(body().value("size")) == Vec3(4, 4, 5); });
  Renaming renaming = renaming_of(app.session.document->root(), "system.creature", "walker");
  change_scene(app, {.node_changes = {renaming.change}, .assignments = renaming.references});
  frames_until(app, [&] { return app.session.document->root().find("system", "walker") != nullptr; });
  EXPECT_EQ(editor().path(), "system.walker");
  app.view.tries_voxels = false;
  ASSERT_TRUE(editor().edits().apply(CellSet::of_box({{4, 0, 0}, {1, 4, 4}}), BrushMode::add, 1));
  EXPECT_TRUE(apply_voxels(app));
  frames_until(app, [&] {
    return std::get<Vec3>(app.session.document->root().find("system", "walker")->value("size")) == Vec3(5, 4, 5);
  });
}

TEST_F(WindowVoxelEditor, AnEditThatIsUndoneDuringATrialIsAppliedAgain) {
  click({1.5, 1.5, 4});
  try_voxels(app);
  frames_until(app, [&] { return std::get<Vec3>(body().value("size")) == Vec3(4, 4, 5); });
  undo(app);
  EXPECT_EQ(std::get<Vec3>(body().value("size")), Vec3(4, 4, 4));
  app.view.tries_voxels = false;
  EXPECT_TRUE(apply_voxels(app));
  frames_until(app, [&] { return std::get<Vec3>(body().value("size")) == Vec3(4, 4, 5); });
}

TEST_F(WindowVoxelEditor, PaintedValuesThatAreUndoneDuringATrialAreAppliedAgain) {
  click({1.5, 1.5, 4});
  EXPECT_TRUE(apply_voxels(app));
  frames_until(app, [&] { return std::get<Vec3>(body().value("size")) == Vec3(4, 4, 5); });
  ASSERT_TRUE(editor().edits().paint_value(CellSet::of_box(grid().box()), PaintLayer::phase, 0.25));
  EXPECT_TRUE(apply_voxels(app));
  const auto has_phases = [&] { return !std::get<NumberList>(body().value("phase")).empty(); };
  frames_until(app, has_phases);
  undo(app);
  ASSERT_FALSE(has_phases());
  EXPECT_TRUE(apply_voxels(app));
  frames_until(app, has_phases);
}

TEST_F(WindowVoxelEditor, DoneClosesTheEditorOnceTheSceneContainsTheCells) {
  click({1.5, 1.5, 4});
  EXPECT_TRUE(apply_voxels(app));
  app.view.closes_voxel_editor = true;
  frames_until(app, [&] { return app.view.voxel_editor == nullptr; });
  EXPECT_EQ(std::get<Vec3>(body().value("size")), Vec3(4, 4, 5));
}

TEST_F(WindowVoxelEditor, CellsThatTheSceneRefusesStayInTheEditor) {
  click({1.5, 1.5, 4});
  editor().mark_applied();  // as if the change had failed
  app.view.closes_voxel_editor = true;
  frame_of(app);
  ASSERT_NE(app.view.voxel_editor, nullptr);
  EXPECT_TRUE(editor().is_changed());
  EXPECT_EQ(voxels(), 65U);
}

TEST_F(WindowVoxelEditor, AWaitingEditFollowsARenamedSystem) {
  close_voxel_editor(app);
  set_playing(app, true);
  frames_until(app, [&] { return app.session.run->newest().step > 20; });
  set_playing(app, false);
  frames_until(app, [&] { return app.session.run->newest().paused; });
  edit(app, {{"system.creature.size", Vec3(5, 4, 4)}});
  Renaming renaming = renaming_of(app.session.document->root(), "system.creature", "walker");
  change_scene(app, {.node_changes = {renaming.change}, .assignments = renaming.references});
  frames_until(app, [&] { return app.session.document->root().find("system", "walker") != nullptr; });
  EXPECT_EQ(systems_to_restart(app), std::vector<std::string>{"walker"});
  undo(app);
  EXPECT_EQ(systems_to_restart(app), std::vector<std::string>{"creature"});
}

TEST_F(WindowVoxelEditor, AnotherSceneClosesTheEditor) {
  open(app, "floating-boxes");
  frames_until(app, [&] { return app.view.voxel_editor == nullptr; });
  EXPECT_FALSE(app.view.shows_voxel_editor());
  EXPECT_EQ(app.session.document->root().find("system", "creature"), nullptr);
}

TEST_F(WindowVoxelEditor, AnotherSceneOpensOnlyAfterAQuestionAboutCells) {
  click({1.5, 1.5, 4});
  ASSERT_FALSE(app.session.document->modified());
  request_open(app, "floating-boxes");
  frame_of(app);
  EXPECT_TRUE(app.ui.pending.kind == ui::Pending::Kind::open);
  ASSERT_NE(app.view.voxel_editor, nullptr);
  key(GLFW_KEY_ESCAPE);
  EXPECT_TRUE(app.ui.pending.kind == ui::Pending::Kind::none) << "Esc must cancel the opening";
  EXPECT_FALSE(app.session.loader.busy());
  ASSERT_NE(app.view.voxel_editor, nullptr);
  EXPECT_EQ(voxels(), 65U);
}

}  // namespace
}  // namespace vw
#endif
