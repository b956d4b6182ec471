// A signal that ends the program (SIGTERM, SIGINT, SIGHUP) leaves no time for a dialog, so unsaved edits go to a file.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "sim/scene/scene.h"
#include "tests/app/window/frames.h"
#include "tests/support/packaged.h"
#include "tests/support/scratch.h"

namespace vw::ui {
namespace {

class WindowUnsaved : public WindowFrames {};

TEST_F(WindowUnsaved, EditsAreKeptBesideOtherDocuments) {
  const test::Scratch home;
  const char* before = std::getenv("HOME");
  const std::string old_home = before != nullptr ? before : "";
  setenv("HOME", home.folder().c_str(), 1);
  std::filesystem::create_directories(home.path("Documents"));

  App app({});
  app.session.playing = false;
  open(app, test::packaged_path("heavy-block"));
  frames_until(app, [&] { return app.session.document != nullptr && app.session.have_snapshot; });
  EXPECT_EQ(keep_unsaved(app).value(), "");  // there are no edits

  edit(app, {{"world.gravity", Value(Vec3(0, -3, 0))}});
  const auto path = keep_unsaved(app);
  ASSERT_TRUE(path) << path.error().message();
  EXPECT_TRUE(path->starts_with(home.path("Documents/heavy-block-unsaved"))) << *path;
  auto scene = load_scene(*path);
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(std::get<Vec3>(find_parameter(scene->root, "world.gravity")->value()), Vec3(0, -3, 0));
  EXPECT_NE(keep_unsaved(app).value(), *path);  // the first file must not be overwritten
  setenv("HOME", old_home.c_str(), 1);
}

}  // namespace
}  // namespace vw::ui
#endif
