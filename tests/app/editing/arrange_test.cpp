// Alignment and distribution of several nodes, as functions and in the menu.
#include <gtest/gtest.h>

#include "app/window/gizmo/arrange.h"
#include "sim/api/run.h"

namespace vw {
namespace {

/// Returns a scene with three boxes of different widths.
Node scene_of_three_boxes() {
  Node scene = api::new_scene();
  const auto add_box = [&](const char* name, const Vec3& place, const Vec3& size) {
    Node& box = add_child(scene, "collider", "box", name);
    box.set("position", place), box.set("size", size);
  };
  add_box("a", Vec3(0, 1, 0), Vec3(1, 1, 1));
  add_box("b", Vec3(1, 3, 0), Vec3(2, 1, 1));
  add_box("c", Vec3(8, 2, 0), Vec3(1, 2, 1));
  return scene;
}

const std::vector<std::string> arranged_boxes{"collider.a", "collider.b", "collider.c"};

/// Returns the coordinates of the three boxes along `axis` after the assignments.
Vec3 coordinates_of_boxes(Node scene, const std::vector<Assignment>& assignments, int axis) {
  for (const Assignment& one : assignments) EXPECT_TRUE(set_parameter(scene, one.path, one.value));
  Vec3 found;
  for (int i = 0; i < 3; ++i)
    found[i] = std::get<Vec3>(find_node(scene, arranged_boxes[static_cast<std::size_t>(i)])->value("position"))[axis];
  return found;
}

TEST(Arrange, AlignmentUsesTheBoundsOfTheGroup) {
  const Node scene = scene_of_three_boxes();
  const PosedGroup group = group_of(scene, arranged_boxes);
  // The bounds along x are -0.5 and 8.5 m, along y 0.5 and 3.5 m.
  EXPECT_EQ(coordinates_of_boxes(scene, aligned(group, 0, Alignment::low), 0), Vec3(0, 0.5, 0));
  EXPECT_EQ(coordinates_of_boxes(scene, aligned(group, 0, Alignment::high), 0), Vec3(8, 7.5, 8));
  EXPECT_EQ(coordinates_of_boxes(scene, aligned(group, 1, Alignment::center), 1), Vec3(2, 2, 2));
  EXPECT_EQ(coordinates_of_boxes(scene, aligned(group, 1, Alignment::center), 0), Vec3(0, 1, 8))
      << "coordinates along other axes must not change";
}

TEST(Arrange, DistributionGivesTheCentresEqualDistances) {
  const Node scene = scene_of_three_boxes();
  EXPECT_EQ(coordinates_of_boxes(scene, distributed(group_of(scene, arranged_boxes), 0), 0), Vec3(0, 4, 8));
  EXPECT_EQ(coordinates_of_boxes(scene, distributed(group_of(scene, arranged_boxes), 1), 1), Vec3(1, 3, 2))
      << "distances that are equal already must not change";
  EXPECT_TRUE(distributed(group_of(scene, {"collider.a", "collider.b"}), 0).empty());
}

}  // namespace
}  // namespace vw

#ifdef VOXWAKE_HAVE_WINDOW
#include "app/window/ui/node_selection.h"
#include "sim/scene/scene.h"
#include "tests/app/window/input.h"
#include "tests/support/scratch.h"

namespace vw::ui {
namespace {

class WindowArrange : public WindowInput {
 protected:
  void SetUp() override {
    WindowInput::SetUp();
    Node scene = scene_of_three_boxes();
    add_child(scene, "collider", "plane", "floor");
    app.session.playing = false;
    open(app, scratch.write("scene.toml", write_scene_toml(scene)));
    frames_until(app, [&] { return app.session.run != nullptr && app.session.have_snapshot; });
    select_nodes(app.ui.layout, arranged_boxes);
    frames(app);
  }
  [[nodiscard]] Vec3 place(const char* name) const {
    return std::get<Vec3>(*app.session.document->value(std::string("collider.") + name + ".position"));
  }

  test::Scratch scratch;
  App app{WindowOptions{}};
};

TEST_F(WindowArrange, TheMenuAlignsAllSelectedNodesAsOneStep) {
  open_menu(app, "Arrange");
  click(app, "Align along y");
  click(app, "Maximum");
  EXPECT_EQ(place("a").y(), 3);
  EXPECT_EQ(place("b").y(), 3);
  EXPECT_EQ(place("c").y(), 2.5);
  undo(app);
  EXPECT_EQ(place("a").y(), 1);
  EXPECT_FALSE(app.session.document->can_undo());
}

TEST_F(WindowArrange, TheMenuDistributesOnlyThreeOrMoreNodes) {
  open_menu(app, "Arrange");
  click(app, "Distribute along x");
  EXPECT_EQ(place("b").x(), 4);
  undo(app);
  select_nodes(app.ui.layout, {"collider.a", "collider.b"});
  frames(app);
  open_menu(app, "Arrange");
  click(app, "Distribute along x");
  EXPECT_EQ(place("b").x(), 1);
  EXPECT_FALSE(app.session.document->can_undo());
}

TEST_F(WindowArrange, EverySelectedNodeIsLoweredOntoTheGround) {
  press(app, GLFW_KEY_END);
  EXPECT_NEAR(place("a").y(), 0.5, 1e-4);  // the snapshot has single precision
  EXPECT_NEAR(place("b").y(), 1.5, 1e-4) << "box b must stand on the lowered box a";
  EXPECT_NEAR(place("c").y(), 1, 1e-4);
  undo(app);
  EXPECT_EQ(place("a").y(), 1) << "lowering must be one undo step";
  EXPECT_FALSE(app.session.document->can_undo());
}

}  // namespace
}  // namespace vw::ui
#endif
