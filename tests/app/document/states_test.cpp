// Saved states: the window writes a checkpoint and continues from it.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "sim/api/open_scene.h"
#include "tests/app/window/input.h"
#include "tests/support/packaged.h"
#include "tests/support/scratch.h"

namespace vw::ui {
namespace {

class WindowStates : public WindowInput {
 protected:
  void SetUp() override {
    WindowInput::SetUp();
    app.session.playing = false;
    open(app, test::packaged_path("heavy-block"));
    frames_until(app, [&] { return app.session.document != nullptr && app.session.have_snapshot; });
    frames(app);
  }
  std::uint64_t step() const { return app.session.run->newest().step; }
  void steps(int count) {
    const std::uint64_t until = step() + static_cast<std::uint64_t>(count);
    app.session.run->single_step(count);
    frames_until(app, [&] { return step() >= until; });
  }
  std::vector<Vec3f> positions() const { return app.session.run->newest().systems.at(0).position; }
  void save_by_menu(const std::string& path) {
    open_menu(app, "File");
    click(app, "Save state\xE2\x80\xA6");
    ASSERT_TRUE(app.ui.browser.is_open());
    frames(app);
    press(app, GLFW_KEY_A, {GLFW_KEY_LEFT_CONTROL});
    type(app, path);
    press(app, GLFW_KEY_ENTER);
    frames_until(app, [&] { return last_message(app).starts_with("Saved the state to "); });
  }
  void load(const std::string& path) {
    const api::LiveRun* before = app.session.run.get();
    request_load_state(app, path);
    frames_until(app, [&] { return app.session.run.get() != before && app.session.have_snapshot; });
  }

  test::Scratch scratch;
  App app{WindowOptions{}};
};

TEST_F(WindowStates, ALoadedStateGoesOnBitForBit) {
  steps(5);
  save_by_menu(scratch.path("five"));
  ASSERT_TRUE(std::filesystem::exists(scratch.path("five.state"))) << "the dialog must add the extension";
  const std::vector<Vec3f> saved = positions();
  steps(3);
  const std::vector<Vec3f> later = positions();
  load(scratch.path("five.state"));
  EXPECT_EQ(step(), 5U);
  EXPECT_EQ(positions(), saved);
  steps(3);
  EXPECT_EQ(positions(), later);
  EXPECT_TRUE(app.session.document->path().empty()) << "a state has no scene file";
  EXPECT_FALSE(app.session.document->modified());
}

TEST_F(WindowStates, TheDocumentBecomesTheSceneOfTheStateWithItsView) {
  edit(app, {{"world.gravity", Value(Vec3(0, -3, 0))}});
  app.session.document->end_gesture();
  edit(app, {{"view.vectors", Value(true)}});
  const auto& slots = app.session.document->root().schema->slots;
  const Schema& plot = *std::ranges::find(slots, "plot", &Slot::name)->kinds.front();
  ASSERT_TRUE(app.session.document->change({fresh_child(app.session.document->root(), {}, "plot", plot)}));
  app.view.viewport.camera.eye = {3, 2, 1};
  save_state(app, scratch.path("x.state"));
  frames_until(app, [&] { return last_message(app).starts_with("Saved the state to "); });
  const Node scene = app.session.document->root();
  open(app, test::packaged_path("incline"));
  frames_until(app,
               [&] { return app.session.document->path().ends_with("incline.toml") && app.session.have_snapshot; });
  load(scratch.path("x.state"));
  const Node& loaded = app.session.document->root();
  EXPECT_EQ(std::get<Vec3>(loaded.only("world")->value("gravity")), Vec3(0, -3, 0));
  EXPECT_TRUE(app.session.view().vectors);
  EXPECT_EQ(app.view.viewport.camera.eye, glm::vec3(3, 2, 1));
  EXPECT_EQ(loaded.all("system").size(), scene.all("system").size());
  EXPECT_EQ(loaded.all("plot").size(), scene.all("plot").size());
}

TEST_F(WindowStates, UnsavedEditsAreAskedAboutFirst) {
  save_state(app, scratch.path("x.state"));
  frames_until(app, [&] { return std::filesystem::exists(scratch.path("x.state")); });
  edit(app, {{"world.gravity", Value(Vec3(0, -3, 0))}});
  request_load_state(app, scratch.path("x.state"));
  frames(app);
  click(app, "Don't save");
  frames_until(app, [&] { return app.session.document->path().empty() && app.session.have_snapshot; });
  EXPECT_EQ(std::get<Vec3>(app.session.document->root().only("world")->value("gravity")), Vec3(0, -9.81, 0));
}

TEST_F(WindowStates, AFileThatIsNoStateIsAnErrorAndTheSceneStays) {
  request_load_state(app, scratch.write("bad.state", "nothing"));
  frames_until(app, [&] { return last_message(app) == "The previous scene stays open"; });
  EXPECT_TRUE(app.session.document->path().ends_with("heavy-block.toml"));
}

}  // namespace
}  // namespace vw::ui
#endif
