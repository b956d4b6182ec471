// Stored cameras: their keys, the smooth motion to a stored camera, and saving.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include "sim/scene/scene.h"
#include "tests/app/window/input.h"
#include "tests/support/packaged.h"
#include "tests/support/scratch.h"

namespace vw::ui {
namespace {

class WindowCameras : public WindowInput {
 protected:
  void SetUp() override {
    WindowInput::SetUp();
    app.session.playing = false;
    open(app, test::packaged_path("heavy-block"));
    frames_until(app, [&] { return app.session.document != nullptr && app.session.have_snapshot; });
    frames(app);
    look({4, 2, 0}, {0, 1, 0});
  }
  void look(glm::vec3 eye, glm::vec3 target) {
    app.view.viewport.camera.eye = eye;
    app.view.viewport.camera.target = target;
  }
  glm::vec3 eye() const { return app.view.viewport.camera.eye; }
  glm::vec3 target() const { return app.view.viewport.camera.target; }
  void at_s(double wall_s) {
    app.times.wall_s = wall_s;
    frame_of(app);
  }

  App app{WindowOptions{}};
};

TEST_F(WindowCameras, AStoredCameraIsReachedSmoothlyInThreeTenthsOfASecond) {
  press(app, GLFW_KEY_2, {GLFW_KEY_LEFT_CONTROL, GLFW_KEY_LEFT_SHIFT});
  ASSERT_TRUE(has_camera(app, 2));
  EXPECT_FALSE(has_camera(app, 1));
  look({0, 1, 8}, {0, 1, 0});
  app.times.wall_s = 10;
  press(app, GLFW_KEY_2, {GLFW_KEY_LEFT_CONTROL});
  EXPECT_EQ(eye(), glm::vec3(0, 1, 8)) << "the motion starts at the present camera";
  at_s(10.15);
  // Half way, the eye is on an arc about the target, at half the angle. Its distance is the geometric mean of both
  // distances.
  EXPECT_NEAR(glm::distance(eye(), target()), std::sqrt(8 * std::sqrt(17.0F)), 1e-4F);
  EXPECT_NEAR(eye().x, eye().z, 1e-4F);
  at_s(10.31);
  EXPECT_EQ(eye(), glm::vec3(4, 2, 0));
  EXPECT_EQ(target(), glm::vec3(0, 1, 0));
  EXPECT_FALSE(app.view.camera_move);
}

TEST_F(WindowCameras, KeysLookAlongTheAxesAndWithShiftFromTheOppositeSide) {
  struct Row {
    int key;
    glm::vec3 side;
  };
  for (const Row& row : {Row{GLFW_KEY_1, {0, 0, 1}}, Row{GLFW_KEY_3, {1, 0, 0}}, Row{GLFW_KEY_7, {0, 1, 0}}})
    for (const bool is_opposite : {false, true}) {
      look({4, 2, 0}, {0, 1, 0});
      app.times.wall_s = 10;
      press(app, row.key, is_opposite ? std::vector<int>{GLFW_KEY_LEFT_SHIFT} : std::vector<int>{});
      at_s(10.31);
      const glm::vec3 expected = target() + std::sqrt(17.0F) * (is_opposite ? -row.side : row.side);
      EXPECT_NEAR(glm::distance(eye(), expected), 0, 1e-4F) << "key " << row.key;
      EXPECT_EQ(target(), glm::vec3(0, 1, 0));
    }
}

TEST_F(WindowCameras, AClickOnTheViewCubeLooksAlongTheFace) {
  const Viewport& viewport = app.view.viewport;
  // The camera looks almost along -x, so the middle of the view cube shows its right face.
  app.times.wall_s = 10;
  click(app, {viewport.corner().x + viewport.size().x - em(4), viewport.corner().y + em(4)});
  at_s(10.31);
  EXPECT_NEAR(glm::distance(eye(), target() + glm::vec3(std::sqrt(17.0F), 0, 0)), 0, 1e-4F);
  EXPECT_EQ(viewport.camera_drags(), 0U);
}

TEST_F(WindowCameras, FiveSwitchesTheProjectionAndTheMotionKeepsIt) {
  press(app, GLFW_KEY_5);
  EXPECT_TRUE(app.view.viewport.camera.is_orthographic);
  app.times.wall_s = 10;
  press(app, GLFW_KEY_7);
  press(app, GLFW_KEY_5);
  at_s(10.31);
  EXPECT_FALSE(app.view.viewport.camera.is_orthographic);
  EXPECT_FALSE(app.session.document->modified()) << "the projection is no edit of the scene";
}

TEST_F(WindowCameras, TheUserEndsTheMotionByMovingTheCamera) {
  store_camera(app, 1);
  look({0, 1, 8}, {0, 1, 0});
  frames(app);
  go_to_camera(app, 1);
  at_s(0.1);
  app.view.viewport.camera.zoom(0.9F);
  const glm::vec3 zoomed = eye();
  at_s(0.2);
  EXPECT_EQ(eye(), zoomed);
  EXPECT_FALSE(app.view.camera_move);
}

TEST_F(WindowCameras, ACameraThatIsNotStoredIsReported) {
  const glm::vec3 before = eye();
  press(app, GLFW_KEY_3, {GLFW_KEY_LEFT_CONTROL});
  EXPECT_EQ(last_message(app), "No camera 3 is stored. Ctrl + Shift + 3 stores the present camera.");
  EXPECT_EQ(eye(), before);
}

TEST_F(WindowCameras, StoredCamerasAreEditsThatAreSavedAndUndone) {
  EXPECT_FALSE(app.session.document->modified());
  open_menu(app, "View");
  click(app, "Store camera");
  click(app, "Camera 4");
  ASSERT_TRUE(has_camera(app, 4));
  EXPECT_FALSE(is_shown("Camera 4")) << "the tab View has no rows for the numbers";
  EXPECT_TRUE(app.session.document->modified());
  const test::Scratch scratch;
  save_as(app, scratch.path("own.toml"));
  const auto saved = load_scene(scratch.path("own.toml"));
  ASSERT_TRUE(saved) << saved.error().message();
  EXPECT_EQ(std::get<NumberList>(saved->root.only("view")->value("camera_4")), (NumberList{4, 2, 0, 0, 1, 0}));
  undo(app);
  EXPECT_FALSE(has_camera(app, 4));
}

}  // namespace
}  // namespace vw::ui
#endif
