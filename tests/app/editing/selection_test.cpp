// Selecting several nodes in the tree and in the picture, and actions on all of them.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include <algorithm>

#include "app/window/ui/node_selection.h"
#include "sim/scene/scene.h"
#include "tests/app/window/input.h"
#include "tests/support/scratch.h"

namespace vw::ui {
namespace {

using Paths = std::vector<std::string>;

class WindowSelection : public WindowInput {
 protected:
  void SetUp() override {
    WindowInput::SetUp();
    Node scene = api::new_scene();
    Node& things = add_child(scene, "system", "rigid", "things");
    add_child(things, "body", "box", "left").set("position", Vec3(-1, 0.5, 0));
    add_child(things, "body", "box", "right").set("position", Vec3(1, 0.5, 0.5));
    add_child(scene, "collider", "sphere", "ball").set("position", Vec3(0, 1.5, 0));
    Node& view = *scene.only("view");
    view.set("auto_frame", false), view.set("eye", Vec3(0, 1, 6)), view.set("target", Vec3(0, 1, 0));
    app.session.playing = false;
    open(app, scratch.write("scene.toml", write_scene_toml(scene)));
    frames_until(app, [&] { return app.session.run != nullptr && app.session.have_snapshot; });
    frames(app);
  }
  [[nodiscard]] const Node& root() const { return app.session.document->root(); }
  [[nodiscard]] Paths selected() const { return selected_nodes(app.ui.layout, root()); }
  [[nodiscard]] Paths sorted_selection() const {
    Paths paths = selected();
    std::ranges::sort(paths);
    return paths;
  }
  void select(const Paths& paths) {
    select_nodes(app.ui.layout, paths);
    frames(app);
  }
  [[nodiscard]] Vec3 vector(const std::string& path) const {
    return std::get<Vec3>(*app.session.document->value(path));
  }
  /// Returns the point of the window at which a position of the scene is seen.
  [[nodiscard]] ImVec2 shown(const Vec3& place) const {
    const Viewport& viewport = app.view.viewport;
    const glm::vec2 pixel = GizmoPicture{viewport.camera, {viewport.size().x, viewport.size().y}}.project(place);
    return {viewport.corner().x + pixel.x, viewport.corner().y + pixel.y};
  }
  void await_change(std::uint64_t structure) {
    frames_until(app, [&] { return app.session.document->structure() != structure; });
    frames(app);
  }

  const std::string left = "system.things.body.left", right = "system.things.body.right", ball = "collider.ball";
  test::Scratch scratch;
  App app{WindowOptions{}};
};

TEST_F(WindowSelection, CtrlClickInTheTreeAddsAndRemoves) {
  click(app, row_of(app, "left"));
  EXPECT_EQ(selected(), Paths{left});
  hold_key(app, GLFW_KEY_LEFT_CONTROL, true);
  click(app, row_of(app, "ball"));
  EXPECT_EQ(selected(), (Paths{ball, left})) << "the last clicked node must be active";
  EXPECT_EQ(app.ui.layout.selected_path, ball);
  click(app, row_of(app, "ball"));
  EXPECT_EQ(selected(), Paths{left});
  hold_key(app, GLFW_KEY_LEFT_CONTROL, false);
  click(app, row_of(app, "right"));
  EXPECT_EQ(selected(), Paths{right}) << "a click without a key selects one node alone";
}

TEST_F(WindowSelection, ShiftClickInTheTreeSelectsTheRowsBetween) {
  click(app, row_of(app, "left"));
  hold_key(app, GLFW_KEY_LEFT_SHIFT, true);
  click(app, row_of(app, "right"));
  hold_key(app, GLFW_KEY_LEFT_SHIFT, false);
  EXPECT_EQ(selected(), (Paths{left, right}));
}

TEST_F(WindowSelection, NodesThatAreUniqueAreSelectedAlone) {
  click(app, row_of(app, "World"));
  hold_key(app, GLFW_KEY_LEFT_CONTROL, true);
  click(app, row_of(app, "left"));
  EXPECT_EQ(selected(), Paths{left});
  click(app, row_of(app, "World"));
  EXPECT_EQ(selected(), Paths{"world"});
  hold_key(app, GLFW_KEY_LEFT_CONTROL, false);
}

TEST_F(WindowSelection, CodeThatAssignsTheSelectedPathSelectsOneNodeAlone) {
  select({left, right, ball});
  EXPECT_EQ(selected().size(), 3U);
  app.ui.layout.selected_path = right;
  EXPECT_EQ(selected(), Paths{right});
}

TEST_F(WindowSelection, AClickInThePictureTogglesTheNodeOfTheObject) {
  Viewport& viewport = app.view.viewport;
  viewport.select(app, Pick{"things", 0});
  viewport.toggle(app, Pick{.system = {}, .obstacle = "ball"});
  EXPECT_EQ(selected(), (Paths{ball, left}));
  EXPECT_EQ(viewport.selection.obstacle, "ball");
  viewport.toggle(app, Pick{"things", 1});
  EXPECT_EQ(selected(), (Paths{right, ball, left}));
  viewport.toggle(app, Pick{"things", 1});
  EXPECT_EQ(selected(), (Paths{ball, left}));
  press(app, GLFW_KEY_ESCAPE);
  EXPECT_EQ(selected(), Paths{"world"}) << "Esc deselects all";
  EXPECT_TRUE(viewport.selection.obstacle.empty());
}

TEST_F(WindowSelection, ADragWithCtrlSelectsTheObjectsInABox) {
  hold_key(app, GLFW_KEY_LEFT_CONTROL, true);
  drag_and_drop(app, shown(Vec3(-2, 2.2, 0)), shown(Vec3(0.4, 0, 0)));
  hold_key(app, GLFW_KEY_LEFT_CONTROL, false);
  EXPECT_EQ(sorted_selection(), (Paths{ball, left}));
  EXPECT_EQ(app.view.viewport.camera_drags(), 0U);
}

TEST_F(WindowSelection, ALassoSelectsTheObjectsInItAndAddsThem) {
  select({left});
  hold_key(app, GLFW_KEY_LEFT_CONTROL, true);
  hold_key(app, GLFW_KEY_LEFT_SHIFT, true);
  // The lasso is a triangle around the body at the right. The ball lies outside it, but inside its bounding box.
  hold_and_move(app, shown(Vec3(-0.5, -0.2, 0.5)), shown(Vec3(2, -0.2, 0.5)));
  drag_and_drop(app, shown(Vec3(2, -0.2, 0.5)), shown(Vec3(2, 2.5, 0.5)));
  hold_key(app, GLFW_KEY_LEFT_SHIFT, false);
  hold_key(app, GLFW_KEY_LEFT_CONTROL, false);
  EXPECT_EQ(sorted_selection(), (Paths{left, right}));
}

TEST_F(WindowSelection, LockedObjectsAreNotSelectedByABox) {
  toggle_locked(app, "things");
  hold_key(app, GLFW_KEY_LEFT_CONTROL, true);
  drag_and_drop(app, shown(Vec3(-2, 2.2, 0)), shown(Vec3(2, -0.3, 0)));
  hold_key(app, GLFW_KEY_LEFT_CONTROL, false);
  EXPECT_EQ(selected(), Paths{ball});
  EXPECT_EQ(app.view.viewport.selection.obstacle, "ball") << "a single object in the box is selected like by a click";
}

TEST_F(WindowSelection, AnEditChangesAllSelectedNodesOfTheKindAsOneStep) {
  select({left, right, ball});
  const std::vector<Assignment> edits =
      edits_of_selected(app.ui.layout, root(), {{left + ".position", Value(Vec3(-1, 2, 0))}});
  edit(app, edits);
  EXPECT_EQ(vector(left + ".position"), Vec3(-1, 2, 0));
  EXPECT_EQ(vector(right + ".position"), Vec3(1, 2, 0.5)) << "only the changed component is copied";
  EXPECT_EQ(vector(ball + ".position"), Vec3(0, 1.5, 0)) << "a node of another kind must not change";
  undo(app);
  EXPECT_EQ(vector(right + ".position"), Vec3(1, 0.5, 0.5));
  EXPECT_FALSE(app.session.document->can_undo());
}

TEST_F(WindowSelection, DeleteRemovesAllSelectedNodesAsOneStep) {
  select({left, ball});
  std::uint64_t before = app.session.document->structure();
  press(app, GLFW_KEY_DELETE);
  await_change(before);
  EXPECT_EQ(find_node(root(), left), nullptr);
  EXPECT_EQ(find_node(root(), ball), nullptr);
  EXPECT_NE(find_node(root(), right), nullptr);
  before = app.session.document->structure();
  undo(app);
  EXPECT_NE(find_node(root(), left), nullptr);
  EXPECT_NE(find_node(root(), ball), nullptr);
  EXPECT_FALSE(app.session.document->can_undo());
}

TEST_F(WindowSelection, DeletePressedTwiceIsNoError) {
  select({left});
  const std::uint64_t before = app.session.document->structure();
  remove_nodes(app);
  remove_nodes(app);
  await_change(before);
  frames_until(app, [&] { return !app.session.loader.busy(); });
  EXPECT_EQ(find_node(root(), left), nullptr);
  for (const Message& message : app.log.messages()) EXPECT_NE(message.level, Level::error) << message.text;
}

TEST_F(WindowSelection, AnotherSceneDoesNotDiscardAChangeThatIsBeingChecked) {
  select({left});
  remove_nodes(app);
  ASSERT_TRUE(app.session.loader.is_for_open_scene());
  ASSERT_FALSE(app.session.document->modified());
  request_open(app, "floating-boxes");
  EXPECT_TRUE(app.ui.pending.kind == Pending::Kind::open);
  frames_until(app, [&] { return app.session.document->modified(); });
  EXPECT_EQ(find_node(root(), left), nullptr);
  EXPECT_TRUE(app.ui.pending.kind == Pending::Kind::open) << "the user must be asked whether to save the change";
}

TEST_F(WindowSelection, DuplicatesAreMovedTogetherAndSelected) {
  select({left, right});
  const std::uint64_t before = app.session.document->structure();
  press(app, GLFW_KEY_D, {GLFW_KEY_LEFT_CONTROL});
  await_change(before);
  EXPECT_EQ(selected(), (Paths{"system.things.body.left-2", "system.things.body.right-2"}));
  const double width = 2 + std::get<Vec3>(*app.session.document->value(left + ".size")).x();
  EXPECT_NEAR((vector("system.things.body.left-2.position") - Vec3(-1 + width, 0.5, 0)).norm(), 0, 1e-12);
  EXPECT_NEAR((vector("system.things.body.right-2.position") - Vec3(1 + width, 0.5, 0.5)).norm(), 0, 1e-12);
  undo(app);
  EXPECT_EQ(root().find("system", "things")->all("body").size(), 2U) << "duplication must be one undo step";
}

TEST_F(WindowSelection, DuplicatePressedTwiceAddsTwoCopiesOfEachNode) {
  select({left, right});
  const std::uint64_t before = app.session.document->structure();
  duplicate_nodes(app);
  duplicate_nodes(app);
  await_change(before);
  frames_until(app, [&] { return !app.session.loader.busy(); });
  for (const Message& message : app.log.messages()) EXPECT_NE(message.level, Level::error) << message.text;
  EXPECT_EQ(root().find("system", "things")->all("body").size(), 6U);
}

TEST_F(WindowSelection, AChangeThatWaitsFollowsTheNewNameOfItsNode) {
  const Slot& slot = *std::ranges::find(root().schema->slots, "system", &Slot::name);
  const Schema& rigid = **std::ranges::find(slot.kinds, "rigid", &Schema::kind);
  const Node& body = *root().find("system", "things")->find("body", "left");
  NodeChange added = fresh_child(root(), {}, "system", rigid);
  added.node.name = "added";
  const SceneAddition addition{.node_changes = {added, {.parent = "system.added", .node = body}},
                               .assignments = {{"system.added.body.left.position", Value(Vec3(0, 5, 0))}}};
  const std::uint64_t before = app.session.document->structure();
  change_scene(app, addition);
  change_scene(app, addition);
  await_change(before);
  frames_until(app, [&] { return !app.session.loader.busy(); });
  for (const Message& message : app.log.messages()) EXPECT_NE(message.level, Level::error) << message.text;
  ASSERT_NE(find_node(root(), "system.added_2.body.left"), nullptr);
  EXPECT_EQ(vector("system.added_2.body.left.position"), Vec3(0, 5, 0));
}

TEST_F(WindowSelection, AParentAndItsChildAreDuplicatedOnce) {
  select({left, "system.things"});
  EXPECT_EQ(topmost_selected_nodes(app.ui.layout, root()), Paths{"system.things"});
}

TEST_F(WindowSelection, HHidesAndShowsAllSelectedObjectsAsOneStep) {
  select({ball, left});
  press(app, GLFW_KEY_H);
  EXPECT_EQ(app.session.view().hidden, (TextList{"ball", "things"}));
  press(app, GLFW_KEY_H);
  EXPECT_TRUE(app.session.view().hidden.empty());
  undo(app);
  undo(app);
  EXPECT_FALSE(app.session.document->can_undo());
}

}  // namespace
}  // namespace vw::ui
#endif
