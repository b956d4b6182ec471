// The gizmo in the window, driven by synthetic mouse and keys.
#include <gtest/gtest.h>

#ifdef VOXWAKE_HAVE_WINDOW
#include <GLFW/glfw3.h>

#include "app/window/ui/node_selection.h"
#include "sim/scene/scene.h"
#include "tests/app/window/frames.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

class WindowGizmo : public ui::WindowFrames {
 protected:
  void SetUp() override {
    ui::WindowFrames::SetUp();
    app.session.playing = false;
    Node scene = api::new_scene();
    add_child(scene, "collider", "box", "wall").set("position", Vec3(0, 0.5, 0));
    Node& box = add_child(add_child(scene, "system", "rigid", "things"), "body", "box", "crate");
    box.set("position", Vec3(0.5, 1, 0));
    Node& view = *scene.only("view");
    view.set("auto_frame", false), view.set("eye", Vec3(0, 1, 4)), view.set("target", Vec3(0, 0.5, 0));
    open(app, scratch.write("scene.toml", write_scene_toml(scene)));
    frames_until(app, [&] { return app.session.run != nullptr && app.session.have_snapshot; });
    app.ui.layout.selected_path = "collider.wall";
    frame_of(app);
    frame_of(app);
  }

  [[nodiscard]] Vec3 vector(const std::string& path) const {
    return std::get<Vec3>(*app.session.document->value(path));
  }
  [[nodiscard]] GizmoPicture picture() const {
    const ui::Viewport& viewport = app.view.viewport;
    return {viewport.camera, {viewport.size().x, viewport.size().y}};
  }
  void point_at(glm::vec2 pixel) {
    const ImVec2 corner = app.view.viewport.corner();
    ImGui::GetIO().MousePos = {corner.x + pixel.x, corner.y + pixel.y};
    frame_of(app);
  }
  /// Adds a block that equals the wall and selects both. Their common centre is (0, 0.5, 0).
  void select_wall_and_block() {
    Node block = *app.session.document->root().find("collider", "wall");
    block.name = "block";
    block.set("position", Vec3(2, 0.5, 0));
    const std::uint64_t before = app.session.document->structure();
    change_scene(app, {.node_changes = {{.node = block}}});
    frames_until(app, [&] { return app.session.document->structure() != before; });
    edit(app, {{"collider.wall.position", Value(Vec3(-2, 0.5, 0))}});
    app.session.document->end_gesture();
    ui::select_nodes(app.ui.layout, {"collider.wall", "collider.block"});
    frame_of(app);
  }
  void press(bool down) {
    ImGui::GetIO().MouseDown[0] = down;
    frame_of(app);
  }
  /// Presses and releases a key, with Ctrl if `control` is true.
  void key(int code, bool control = false) {
    ImGuiIO& io = ImGui::GetIO();
    io.KeyCtrl = control;
    io.KeysDown[code] = true;
    frame_of(app);
    io.KeysDown[code] = false;
    io.KeyCtrl = false;
    frame_of(app);
  }
  void type(const char* text) {
    ImGui::GetIO().AddInputCharactersUTF8(text);
    frame_of(app);
  }
  /// Returns a pixel on the gizmo's arrow along a world axis, at three quarters of the arrow's length.
  [[nodiscard]] glm::vec2 arrow_of(int axis, const Vec3& at) const {
    const double arm_m = static_cast<double>(arm_px(ui::em(1))) * picture().metres_per_px(at);
    return picture().project(at + 0.75 * arm_m * Vec3::Unit(axis));
  }

  test::Scratch scratch;
  ui::App app{WindowOptions{}};
};

TEST_F(WindowGizmo, DraggingAnArrowMovesTheObstacleAlongItsAxisInTheRunningWorld) {
  const glm::vec2 from = arrow_of(0, Vec3(0, 0.5, 0));
  point_at(from);
  press(true);
  EXPECT_TRUE(app.view.viewport.gizmo.is_dragging());
  point_at(from + glm::vec2(60, 25));
  press(false);
  const Vec3 moved = vector("collider.wall.position");
  EXPECT_NEAR(moved.x(), 60 * picture().metres_per_px(Vec3(0, 0.5, 0)), 0.02);
  EXPECT_EQ(moved.y(), 0.5);
  EXPECT_EQ(moved.z(), 0);
  frames_until(app, [&] {
    for (const ColliderSnapshot& one : app.session.run->newest().colliders)
      if (one.name == "wall") return std::abs(static_cast<double>(one.position.x()) - moved.x()) < 1e-6;
    return false;
  });
  undo(app);
  EXPECT_EQ(vector("collider.wall.position"), Vec3(0, 0.5, 0)) << "a drag is one undo step";
  EXPECT_FALSE(app.session.document->can_undo());
}

TEST_F(WindowGizmo, KeysAndATypedNumberMoveByExactlyThatNumber) {
  key(GLFW_KEY_G);
  EXPECT_TRUE(app.view.viewport.gizmo.is_dragging());
  key(GLFW_KEY_Y);
  type("1.5");
  EXPECT_EQ(vector("collider.wall.position"), Vec3(0, 2, 0));
  key(GLFW_KEY_ENTER);
  EXPECT_FALSE(app.view.viewport.gizmo.is_dragging());
  key(GLFW_KEY_R);
  key(GLFW_KEY_Z);
  type("90");
  key(GLFW_KEY_ENTER);
  EXPECT_NEAR((vector("collider.wall.rotation") - Vec3(0, 0, pi / 2)).norm(), 0, 1e-12);
  key(GLFW_KEY_S);
  type("2");
  key(GLFW_KEY_ENTER);
  EXPECT_EQ(vector("collider.wall.size"), Vec3(0.4, 0.4, 0.4));
  for (int i = 0; i < 3; ++i) undo(app);
  EXPECT_FALSE(app.session.document->can_undo());
}

TEST_F(WindowGizmo, EscRestoresEverythingAndLeavesNothingToUndo) {
  key(GLFW_KEY_S);
  key(GLFW_KEY_X);
  type("3");
  EXPECT_NEAR((vector("collider.wall.size") - Vec3(0.6, 0.2, 0.2)).norm(), 0, 1e-12);
  key(GLFW_KEY_G);  // another tool starts from the values before the drag
  EXPECT_EQ(vector("collider.wall.size"), Vec3(0.2, 0.2, 0.2));
  key(GLFW_KEY_ESCAPE);
  EXPECT_EQ(vector("collider.wall.position"), Vec3(0, 0.5, 0));
  EXPECT_EQ(app.ui.layout.selected_path, "collider.wall") << "Esc must end only the drag";
  EXPECT_FALSE(app.session.document->can_undo());
  EXPECT_FALSE(app.session.document->modified());
}

TEST_F(WindowGizmo, ABodyShowsItsEditedStartAtOnceBeforeTheFirstStep) {
  app.ui.layout.selected_path = "system.things.body.crate";
  frame_of(app);
  key(GLFW_KEY_G);
  key(GLFW_KEY_X);
  type("0.25");
  key(GLFW_KEY_ENTER);
  EXPECT_EQ(vector("system.things.body.crate.position"), Vec3(0.75, 1, 0));
  frames_until(app, [&] {
    const Snapshot& newest = app.session.run->newest();
    return newest.systems.size() == 1 && std::abs(newest.systems[0].position.at(0).x() - 0.75F) < 1e-6F;
  });
  EXPECT_FALSE(app.session.reset_needed());
}

TEST_F(WindowGizmo, ARunningBodyIsSetWhereTheDragEnds) {
  edit(app, {{"world.gravity", Value(Vec3(0, 0, 0))}});
  app.session.document->end_gesture();
  app.ui.layout.selected_path = "system.things.body.crate";
  set_playing(app, true);
  frame_of(app);
  const auto crate = [&]() -> Vec3 { return app.session.run->newest().systems.at(0).position.at(0).cast<double>(); };
  const Vec3 before = crate();
  key(GLFW_KEY_G);
  ASSERT_TRUE(app.view.viewport.gizmo.is_dragging());
  key(GLFW_KEY_X);
  type("0.75");
  EXPECT_LT((crate() - before).norm(), 1e-6) << "the body moves when the drag ends";
  key(GLFW_KEY_ENTER);
  frames_until(app, [&] { return (crate() - before - Vec3(0.75, 0, 0)).norm() < 1e-5; });
  key(GLFW_KEY_R);
  key(GLFW_KEY_Z);
  type("90");
  key(GLFW_KEY_ENTER);
  frames_until(app, [&] {
    const Quatf turned = app.session.run->newest().systems.at(0).orientation.at(0);
    return std::abs(static_cast<double>(std::abs(turned.z())) - std::sqrt(0.5)) < 1e-5;
  });
  EXPECT_EQ(vector("system.things.body.crate.position"), Vec3(0.5, 1, 0)) << "the start stays";
  key(GLFW_KEY_G);
  type("2");
  key(GLFW_KEY_ESCAPE);
  for (int i = 0; i < 5; ++i) frame_of(app);
  EXPECT_LT((crate() - before - Vec3(0.75, 0, 0)).norm(), 1e-5) << "Esc leaves the body where it is";
  // Undo takes back the rotation, then the move, then the edit before them. Redo makes the move again.
  EXPECT_EQ(undo_label(app), "move Crate (things.body)");
  undo(app);
  frames_until(app, [&] { return std::abs(app.session.run->newest().systems.at(0).orientation.at(0).z()) < 1e-5F; });
  EXPECT_LT((crate() - before - Vec3(0.75, 0, 0)).norm(), 1e-5);
  undo(app);
  frames_until(app, [&] { return (crate() - before).norm() < 1e-5; });
  EXPECT_EQ(undo_label(app), "Gravity");
  redo(app);
  frames_until(app, [&] { return (crate() - before - Vec3(0.75, 0, 0)).norm() < 1e-5; });
  undo(app);
  undo(app);
  EXPECT_NE(vector("world.gravity"), Vec3(0, 0, 0));
}

TEST_F(WindowGizmo, ARunningBodyIsCarriedByASpringIfChosen) {
  app.ui.layout.selected_path = "system.things.body.crate";
  app.view.viewport.gizmo.carries = true;
  set_playing(app, true);
  frame_of(app);
  key(GLFW_KEY_G);
  key(GLFW_KEY_Y);
  type("0.5");
  frames_until(app, [&] { return app.session.run->newest().grab.active; });
  const double target = app.session.run->newest().grab.target.y();
  EXPECT_GT(target, 0.6);
  frames_until(app, [&] {
    return std::abs(static_cast<double>(app.session.run->newest().systems.at(0).position.at(0).y()) - target) < 0.2;
  });
  key(GLFW_KEY_ENTER);
  frames_until(app, [&] { return !app.session.run->newest().grab.active; });
  EXPECT_EQ(vector("system.things.body.crate.position"), Vec3(0.5, 1, 0));
}

TEST_F(WindowGizmo, ButtonsOfTheViewShowHandlesForTheCameraTargetAndTheCut) {
  edit(app, {{"view.cut", Value(std::string("x"))}, {"view.cut_at", Value(0.25)}});
  app.view.viewport.gizmo.select_part(app, "view.target");
  frame_of(app);
  key(GLFW_KEY_G);
  key(GLFW_KEY_X);
  type("0.5");
  key(GLFW_KEY_ENTER);
  EXPECT_EQ(vector("view.target"), Vec3(0.5, 0.5, 0));
  EXPECT_NEAR(app.view.viewport.camera.target.x, 0.5F, 1e-6F) << "the picture follows";
  EXPECT_NEAR(app.view.viewport.camera.eye.x, 0, 1e-6F) << "the eye stays";
  undo(app);
  EXPECT_NEAR(app.view.viewport.camera.target.x, 0, 1e-6F);
  redo(app);
  EXPECT_NEAR(app.view.viewport.camera.target.x, 0.5F, 1e-6F);
  app.view.viewport.camera.target.y = 0.25F;
  frame_of(app);
  EXPECT_EQ(vector("view.target").y(), 0.25) << "the handles follow the camera";
  app.view.viewport.gizmo.select_part(app, "view.cut_at");
  frame_of(app);
  key(GLFW_KEY_G);
  type("0.5");
  key(GLFW_KEY_ENTER);
  EXPECT_NEAR(std::get<double>(*app.session.document->value("view.cut_at")), 0.75, 1e-12);
}

TEST_F(WindowGizmo, InAnOrthographicProjectionAnArrowFollowsThePointer) {
  app.view.viewport.camera.is_orthographic = true;
  frame_of(app);
  const glm::vec2 from = arrow_of(0, Vec3(0, 0.5, 0));
  const double metres_per_px = picture().metres_per_px(Vec3(0, 0.5, 0));
  point_at(from);
  press(true);
  ASSERT_TRUE(app.view.viewport.gizmo.is_dragging());
  point_at(from + glm::vec2(60, 0));
  press(false);
  EXPECT_NEAR(vector("collider.wall.position").x(), 60 * metres_per_px, 0.01);
  // At another depth, a pixel has the same length in the scene, up to 1 % (Camera::drawn()).
  EXPECT_NEAR(picture().metres_per_px(Vec3(0, 0.5, -3)) / metres_per_px, 1, 0.01);
}

TEST_F(WindowGizmo, SeveralNodesMoveTogetherAsOneStep) {
  select_wall_and_block();
  const Vec3 center(0, 0.5, 0);
  EXPECT_NEAR((app.view.viewport.gizmo.group(app).center() - center).norm(), 0, 1e-12);
  const glm::vec2 from = arrow_of(1, center);
  point_at(from);
  press(true);
  ASSERT_TRUE(app.view.viewport.gizmo.is_dragging()) << "the gizmo must be at the common centre";
  point_at(from - glm::vec2(0, 50));
  press(false);
  const Vec3 wall = vector("collider.wall.position"), block = vector("collider.block.position");
  EXPECT_GT(wall.y(), 0.6);
  EXPECT_EQ(block - wall, Vec3(4, 0, 0));
  undo(app);
  EXPECT_EQ(vector("collider.wall.position"), Vec3(-2, 0.5, 0));
  EXPECT_EQ(vector("collider.block.position"), Vec3(2, 0.5, 0));
}

TEST_F(WindowGizmo, SeveralNodesTurnAndScaleAboutTheirCommonCentre) {
  select_wall_and_block();
  key(GLFW_KEY_R);
  key(GLFW_KEY_Y);
  type("90");
  key(GLFW_KEY_ENTER);
  // A right-handed quarter turn about y takes +x to -z.
  EXPECT_NEAR((vector("collider.block.position") - Vec3(0, 0.5, -2)).norm(), 0, 1e-12);
  EXPECT_NEAR((vector("collider.wall.position") - Vec3(0, 0.5, 2)).norm(), 0, 1e-12);
  EXPECT_NEAR((vector("collider.wall.rotation") - Vec3(0, pi / 2, 0)).norm(), 0, 1e-12);
  undo(app);
  key(GLFW_KEY_S);
  type("2");
  key(GLFW_KEY_ENTER);
  EXPECT_NEAR((vector("collider.block.position") - Vec3(4, 0.5, 0)).norm(), 0, 1e-12);
  EXPECT_EQ(vector("collider.wall.size"), Vec3(0.4, 0.4, 0.4));
  EXPECT_EQ(vector("collider.block.size"), Vec3(0.4, 0.4, 0.4));
  key(GLFW_KEY_G);
  type("3");
  key(GLFW_KEY_ESCAPE);
  EXPECT_NEAR((vector("collider.block.position") - Vec3(4, 0.5, 0)).norm(), 0, 1e-12) << "Esc must restore all nodes";
}

TEST_F(WindowGizmo, AltDragMovesACopyAsOneStep) {
  const glm::vec2 from = arrow_of(0, Vec3(0, 0.5, 0));
  const std::uint64_t before = app.session.document->structure();
  ImGui::GetIO().KeyAlt = true;
  point_at(from);
  press(true);
  ASSERT_TRUE(app.view.viewport.gizmo.is_dragging());
  point_at(from + glm::vec2(60, 0));
  press(false);
  ImGui::GetIO().KeyAlt = false;
  EXPECT_EQ(vector("collider.wall.position"), Vec3(0, 0.5, 0)) << "the original must not move";
  frames_until(app, [&] { return app.session.document->structure() != before; });
  EXPECT_EQ(app.ui.layout.selected_path, "collider.wall-2");
  EXPECT_NEAR(vector("collider.wall-2.position").x(), 60 * picture().metres_per_px(Vec3(0, 0.5, 0)), 0.02);
  undo(app);
  EXPECT_EQ(app.session.document->root().find("collider", "wall-2"), nullptr);
  EXPECT_FALSE(app.session.document->can_undo());
}

TEST_F(WindowGizmo, EscDuringAnAltDragAddsNoCopy) {
  const glm::vec2 from = arrow_of(0, Vec3(0, 0.5, 0));
  ImGui::GetIO().KeyAlt = true;
  point_at(from);
  press(true);
  point_at(from + glm::vec2(60, 0));
  key(GLFW_KEY_ESCAPE);
  press(false);
  ImGui::GetIO().KeyAlt = false;
  EXPECT_FALSE(app.session.loader.busy());
  EXPECT_FALSE(app.session.document->can_undo());
}

TEST_F(WindowGizmo, TheWheelZoomsOverAHandleToo) {
  point_at(arrow_of(0, Vec3(0, 0.5, 0)));
  const float before = app.view.viewport.camera.target_distance();
  ImGui::GetIO().MouseWheel = 1;
  frame_of(app);
  EXPECT_LT(app.view.viewport.camera.target_distance(), before);
  EXPECT_FALSE(app.view.viewport.gizmo.is_dragging());
}

TEST_F(WindowGizmo, RWithoutAnObjectThatCanBeRotatedResets) {
  app.ui.layout.selected_path = "world";
  const std::uint64_t before = app.session.run->newest().epoch;
  key(GLFW_KEY_R);
  frames_until(app, [&] { return app.session.run->newest().epoch > before; });
  EXPECT_GT(app.session.run->newest().epoch, before);
  EXPECT_FALSE(app.view.viewport.gizmo.is_dragging());
}

}  // namespace
}  // namespace vw
#endif
