// Autosave: the window writes unsaved edits to a copy once a minute. If the program did not end cleanly, the next
// window offers this copy.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "app/window/document/autosave.h"
#include "sim/base/files/file.h"
#include "sim/scene/scene.h"
#include "tests/app/window/input.h"
#include "tests/support/checked.h"
#include "tests/support/scratch.h"

namespace vw::ui {
namespace {

namespace fs = std::filesystem;

class WindowAutosave : public WindowInput {
 protected:
  void SetUp() override {
    WindowInput::SetUp();
    setenv("XDG_STATE_HOME", state.folder().c_str(), 1);
    scratch.write("block.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    path = scratch.write("own.toml",
                         "format = 1\n[[collider]]\nkind = \"mesh\"\nname = \"block\"\nsource = \"block.obj\"\n");
  }
  void TearDown() override {
    unsetenv("XDG_STATE_HOME");
    WindowInput::TearDown();
  }

  /// Opens a window with the scene. Destroying the returned object simulates a crash of the process: its locks are
  /// released, and its files remain.
  std::unique_ptr<App> started(const std::string& scene) {
    auto app = std::make_unique<App>(WindowOptions{});
    app->session.playing = false;
    open(*app, scene);
    frames_until(*app, [&] { return app->session.document != nullptr && app->session.have_snapshot; });
    return app;
  }
  static void set_gravity(App& app, double y) {
    edit(app, {{"world.gravity", Value(Vec3(0, y, 0))}});
    app.session.document->end_gesture();
  }
  static double gravity(const Node& scene) {
    Node copy = scene;
    return std::get<Vec3>(find_parameter(copy, "world.gravity")->value()).y();
  }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> found;
    if (fs::exists(autosave_folder()))
      for (const auto& entry : fs::directory_iterator(autosave_folder()))
        if (entry.path().extension() == ".toml") found.push_back(entry.path().string());
    return found;
  }
  /// Draws frames until the folder has `count` copies.
  void await_files(App& app, std::size_t count) {
    frames_until(app, [&] { return files().size() == count; });
  }
  /// Opens a window, waits until its edits are written, and then simulates a crash.
  void crash_with_edits(double gravity_y) {
    const auto app = started(path);
    app->times.wall_s = 61;
    set_gravity(*app, gravity_y);
    await_files(*app, 1);
  }

  test::Scratch state, scratch;
  std::string path;
};

TEST_F(WindowAutosave, EditsAreWrittenAtMostOnceAMinuteAndDeletedWhenSaved) {
  const auto app = started(path);
  app->times.wall_s = 30;
  set_gravity(*app, -3);
  for (int i = 0; i < 5; ++i) frame_of(*app);
  EXPECT_TRUE(files().empty()) << "only half a minute has passed since the scene was opened";
  app->times.wall_s = 61;
  await_files(*app, 1);
  const auto written = [&] { return test::checked(read_file(app->autosave.file(), 1 << 20)); };
  const auto facts = autosave_facts(written());
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->path, path);
  EXPECT_EQ(facts->process, ::getpid());
  EXPECT_GT(facts->saved_s, 1.6e9);
  EXPECT_EQ(gravity(test::checked(load_scene(app->autosave.file())).root), -3) << "a copy must be a valid scene file";
  set_gravity(*app, -4);
  app->times.wall_s = 100;
  for (int i = 0; i < 5; ++i) frame_of(*app);
  EXPECT_EQ(gravity(test::checked(read_scene_toml(written(), "copy")).root), -3)
      << "the copy is only 39 s old, so it must not be replaced";
  app->times.wall_s = 122;
  frames_until(*app, [&] { return gravity(test::checked(read_scene_toml(written(), "copy")).root) == -4; });
  save(*app);
  await_files(*app, 0);
}

TEST_F(WindowAutosave, AFolderThatCannotBeMadeIsReportedAndTheEditsStay) {
  setenv("XDG_STATE_HOME", scratch.write("file", "").c_str(), 1);
  const auto app = started(path);
  app->times.wall_s = 61;
  set_gravity(*app, -3);
  frames_until(*app,
               [&] { return last_message(*app).ends_with("unsaved edits would be lost if the program crashed"); });
  EXPECT_TRUE(app->session.document->modified());
  fs::remove(scratch.path("file"));
  app->times.wall_s = 122;
  await_files(*app, 1);  // without another edit
}

TEST_F(WindowAutosave, QuittingOrOpeningAnotherSceneDeletesTheCopy) {
  for (const bool quits : {true, false}) {
    const auto app = started(path);
    app->times.wall_s = 61;
    set_gravity(*app, -3);
    await_files(*app, 1);
    quits ? request_quit(*app) : request_open(*app, path);
    frames(*app);
    click(*app, "Don't save");
    await_files(*app, 0);
    EXPECT_EQ(app->ui.quit, quits);
  }
  crash_with_edits(-2);
  EXPECT_EQ(files().size(), 1U);
  (void)started(path);
  EXPECT_EQ(files().size(), 1U) << "other windows must not delete the copy";
}

TEST_F(WindowAutosave, ARestoredSceneHasItsPathItsFilesAndIsUnsaved) {
  crash_with_edits(-2);
  App app({});
  app.session.playing = false;
  offer_recovery(app);
  ASSERT_EQ(app.ui.recovery.copies.size(), 1U);
  {
    App other({});
    offer_recovery(other);
    EXPECT_TRUE(other.ui.recovery.copies.empty()) << "the first window already offers the copy";
  }
  frames(app);
  EXPECT_TRUE(is_shown("own"));
  click(app, "Restore");
  frames_until(app, [&] { return app.session.document != nullptr && app.session.have_snapshot; });
  EXPECT_EQ(app.session.document->path(), path);
  EXPECT_TRUE(app.session.document->modified());
  EXPECT_EQ(gravity(app.session.document->root()), -2);
  EXPECT_EQ(app.session.snapshot()->colliders.size(), 1U);
  EXPECT_EQ(gravity(test::checked(load_scene(path)).root), -9.81) << "the file is unchanged";
  EXPECT_EQ(files(), std::vector<std::string>{app.autosave.file()}) << "the copy must now belong to this window";
  save(app);
  await_files(app, 0);
  EXPECT_EQ(gravity(test::checked(load_scene(path)).root), -2);
}

TEST_F(WindowAutosave, RelativeFileNamesInACopyAreRelativeToTheSceneNotToTheCopy) {
  const Node as_written = test::checked(read_scene_toml(test::checked(read_file(path, 1 << 20)), path)).root;
  fs::create_directories(autosave_folder());
  ASSERT_TRUE(write_file_atomic(autosave_folder() + "/1-1.toml", autosave_text(as_written, {path, 1700000000, 1})));
  App app({});
  offer_recovery(app);
  frames(app);
  click(app, "Restore");
  frames_until(app, [&] { return app.session.document != nullptr && app.session.have_snapshot; });
  EXPECT_EQ(std::get<std::string>(find_node(app.session.document->root(), "collider.block")->value("source")),
            scratch.path("block.obj"));
}

TEST_F(WindowAutosave, LaterKeepsTheCopyAndDiscardDeletesIt) {
  crash_with_edits(-2);
  {
    App app({});
    offer_recovery(app);
    frames(app);
    click(app, "Later");
    EXPECT_FALSE(is_shown("Later"));
    EXPECT_EQ(files().size(), 1U);
  }
  App app({});
  offer_recovery(app);
  frames(app);
  click(app, "Discard");
  EXPECT_TRUE(files().empty());
  EXPECT_TRUE(app.ui.recovery.copies.empty());
  EXPECT_FALSE(is_shown("Later")) << "the dialog must close after the last copy";
}

TEST_F(WindowAutosave, ACopyThatCannotBeOpenedStays) {
  crash_with_edits(-2);
  fs::remove(scratch.path("block.obj"));
  App app({});
  offer_recovery(app);
  frames(app);
  click(app, "Restore");
  frames_until(app, [&] { return last_message(app).starts_with("The scene cannot be restored"); });
  EXPECT_EQ(files().size(), 1U);
  offer_recovery(app);
  EXPECT_EQ(app.ui.recovery.copies.size(), 1U) << "the copy must be offered again";
}

TEST(Autosave, FactsSurviveAnyPath) {
  const std::string path = "/home/\xC3\xA9 % \n\"x\"/a.toml";
  const Node scene = make_node(*load_scene_text("format = 1\n", "x", "")->root.schema);
  const auto facts = autosave_facts(autosave_text(scene, {path, 12345678901, 42}));
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->path, path);
  EXPECT_EQ(facts->saved_s, 12345678901);
  EXPECT_EQ(facts->process, 42);
  EXPECT_FALSE(autosave_facts("format = 1\n"));
}

}  // namespace
}  // namespace vw::ui
#endif
