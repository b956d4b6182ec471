// Sessions in the window: saving and opening the timeline with all its branches, and restoring it after a crash.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/app/window/input.h"
#include "tests/support/scratch.h"

namespace vw::ui {
namespace {

namespace fs = std::filesystem;

class WindowSession : public WindowInput {
 protected:
  void SetUp() override {
    WindowInput::SetUp();
    setenv("XDG_STATE_HOME", state.folder().c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XDG_STATE_HOME");
    WindowInput::TearDown();
  }
  std::unique_ptr<App> started(const std::string& scene) {
    auto app = std::make_unique<App>(WindowOptions{});
    app->session.playing = false;
    open(*app, scene);
    frames_until(*app, [&] { return app->session.document != nullptr && app->session.have_snapshot; });
    return app;
  }
  void arrive(App& app, std::uint32_t branch, std::uint64_t tick) {
    frames_until(app, [&] {
      const Snapshot& now = app.session.run->newest();
      return now.tick == tick && now.place.branch == branch && !now.place.is_seeking;
    });
  }
  /// Plays 40 steps, goes back to step 20, changes gravity, and plays 10 steps of the new branch.
  void make_branch(App& app) {
    app.session.run->single_step(40);
    arrive(app, 0, 40);
    app.session.run->seek(0, 20);
    arrive(app, 0, 20);
    edit(app, {{"world.gravity", Value(Vec3(0, -2, 0))}});
    app.session.document->end_gesture();
    app.session.run->single_step(10);
    arrive(app, 1, 30);
  }
  static double gravity(const App& app) {
    return std::get<Vec3>(find_node(app.session.document->root(), "world")->value("gravity")).y();
  }
  [[nodiscard]] std::size_t files() const {
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(state.folder()))
      if (entry.path().extension() == ".vwj") ++count;
    return count;
  }

  test::Scratch state, scratch;
};

TEST_F(WindowSession, IsSavedAndOpenedWithAllBranches) {
  const std::string path = scratch.path("s.vwj");
  {
    const auto app = started("jelly-drop");
    make_branch(*app);
    app->view.viewport.camera.eye = {3, 2, 1};
    save_session(*app, path);
    frames_until(*app, [&] { return last_message(*app).starts_with("Saved the session to " + path); });
  }
  EXPECT_EQ(files(), 0U) << "the recording must be deleted when the window closes";
  const auto app = started(path);
  arrive(*app, 1, 30);
  EXPECT_FALSE(app->session.playing);
  EXPECT_EQ(gravity(*app), -2);
  EXPECT_EQ(app->session.document->path(), "");
  EXPECT_FALSE(app->session.document->modified());
  EXPECT_NEAR(app->view.viewport.camera.eye.x, 3, 1e-5) << "the camera must be that of the session";
  EXPECT_EQ(app->session.run->timeline()->branches.size(), 2U);
  app->session.run->seek(0, 40);
  arrive(*app, 0, 40);
  frames_until(*app, [&] { return gravity(*app) != -2; });
}

TEST_F(WindowSession, IsRestoredAfterACrash) {
  std::string left;
  {
    const auto app = started("jelly-drop");
    make_branch(*app);
    for (int i = 0; i < 60; ++i) frame_of(*app);
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    ASSERT_NE(app->session.recording, nullptr);
    // Simulates a crash: a copy of the recording without a lock.
    left = (fs::path(app->session.recording->path()).parent_path() / "999999-1.vwj").string();
    fs::copy_file(app->session.recording->path(), left);
  }
  App app({});
  app.session.playing = false;
  offer_recovery(app);
  ASSERT_EQ(app.ui.recovery.copies.size(), 1U);
  ASSERT_TRUE(app.ui.recovery.copies[0].session);
  EXPECT_EQ(app.ui.recovery.copies[0].session->branches.size(), 2U);
  frames(app);
  EXPECT_TRUE(is_shown("Session: Jelly drop"));
  click(app, "Restore");
  frames_until(app, [&] { return app.session.document != nullptr && app.session.have_snapshot; });
  arrive(app, 1, 30);
  EXPECT_EQ(gravity(app), -2);
  EXPECT_FALSE(fs::exists(left)) << "the restored session must have its own recording";
  EXPECT_TRUE(app.session.document->modified()) << "the window must ask before it closes";
  EXPECT_EQ(files(), 1U);
}

TEST_F(WindowSession, ARecordingStaysIfAnotherSessionIsOpenedInstead) {
  const std::string other = scratch.path("s.vwj");
  std::string left;
  {
    const auto app = started("jelly-drop");
    make_branch(*app);
    save_session(*app, other);
    frames_until(*app, [&] { return last_message(*app).starts_with("Saved the session to " + other); });
    left = (fs::path(app->session.recording->path()).parent_path() / "999999-1.vwj").string();
  }
  fs::create_directories(fs::path(left).parent_path());
  fs::copy_file(other, left);
  App app({});
  app.session.playing = false;
  offer_recovery(app);
  ASSERT_EQ(app.ui.recovery.copies.size(), 1U);
  request_restore(app, 0);
  open(app, other);  // before the recording is open
  frames_until(app, [&] { return app.session.document != nullptr && app.session.have_snapshot; });
  EXPECT_TRUE(fs::exists(left));
}

TEST_F(WindowSession, ARecordingWithoutContentIsNotOffered) {
  std::string left;
  {
    const auto app = started("jelly-drop");
    left = (fs::path(app->session.recording->path()).parent_path() / "999999-1.vwj").string();
    fs::copy_file(app->session.recording->path(), left);
  }
  App app({});
  offer_recovery(app);
  EXPECT_TRUE(app.ui.recovery.copies.empty());
  EXPECT_FALSE(fs::exists(left));
}

TEST_F(WindowSession, ARecordingThatCannotBeReadStays) {
  fs::path folder;
  {
    const auto app = started("jelly-drop");
    folder = fs::path(app->session.recording->path()).parent_path();
  }
  fs::create_directories(folder);
  std::ofstream(folder / "999999-1.vwj") << "written by a newer version";
  std::ofstream(folder / "999999-2.vwj").close();
  App app({});
  offer_recovery(app);
  EXPECT_TRUE(app.ui.recovery.copies.empty());
  EXPECT_TRUE(fs::exists(folder / "999999-1.vwj"));
  EXPECT_FALSE(fs::exists(folder / "999999-2.vwj"));
}

TEST_F(WindowSession, AnotherSceneBeginsAnotherRecording) {
  const auto app = started("jelly-drop");
  const std::string first = app->session.recording->path();
  request_open(*app, "cart");
  frames_until(*app, [&] { return app->session.recording != nullptr && app->session.recording->path() != first; });
  frames_until(*app, [&] { return !fs::exists(first); });
  EXPECT_EQ(files(), 1U);
}

}  // namespace
}  // namespace vw::ui
#endif
