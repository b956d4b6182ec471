// The scene tree: renaming in place, hiding, isolating and locking nodes, with mouse and keys.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include <algorithm>

#include "app/window/ui/node_selection.h"
#include "sim/api/open_scene.h"
#include "sim/scene/scene.h"
#include "tests/app/window/input.h"
#include "tests/support/packaged.h"
#include "tests/support/scratch.h"

namespace vw::ui {
namespace {

using Names = std::vector<std::string>;

class WindowTree : public WindowInput {
 protected:
  void SetUp() override {
    WindowInput::SetUp();
    Node scene = api::new_scene();
    add_child(add_child(scene, "system", "rigid", "crates"), "body", "box", "box");
    add_child(add_child(scene, "system", "rigid", "stones"), "body", "sphere", "stone");
    add_child(scene, "collider", "sphere", "ball");
    ASSERT_TRUE(set_parameter(scene, "view.follow", Value(std::string("crates"))));
    app.session.playing = false;
    open(app, scratch.write("scene.toml", write_scene_toml(scene)));
    frames_until(app, [&] { return app.session.run != nullptr && app.session.have_snapshot; });
    frames(app);
  }
  const Node& root() const { return app.session.document->root(); }
  Names hidden() const { return app.session.view().hidden; }
  Names locked() const { return app.session.view().locked; }
  /// Waits until the renaming has changed the document, whose structure number was `structure` before.
  void await_renaming(std::uint64_t structure) {
    frames_until(app, [&] { return app.session.document->structure() != structure; });
    frames(app);
  }
  ImVec2 row(std::string_view text) const { return row_of(app, text); }
  /// Returns the positions of the eye icon and the lock icon in the row of a node. The icons are at the right end of
  /// the row.
  ImVec2 eye_of(std::string_view node) const { return {icons_end() - em(0.75F), row(node).y}; }
  ImVec2 lock_of(std::string_view node) const { return {icons_end() - em(2.15F), row(node).y}; }
  float icons_end() const { return em(app.ui.layout.left_em) - ImGui::GetStyle().WindowPadding.x; }
  /// Chooses an item of the context menu of a row.
  void choose(std::string_view node, std::string_view item) {
    click(app, row_of(app, node), 1);
    click(app, item);
  }

  test::Scratch scratch;
  App app{WindowOptions{}};
};

TEST_F(WindowTree, F2RenamesTheSelectedNodeInPlaceWithItsReferences) {
  click(app, row("crates"));
  ASSERT_EQ(app.ui.layout.selected_path, "system.crates");
  press(app, GLFW_KEY_F2);
  ASSERT_TRUE(app.ui.layout.renaming);
  const std::uint64_t before = app.session.document->structure();
  type(app, "boxes");  // replaces the old name, which is selected
  press(app, GLFW_KEY_ENTER);
  EXPECT_FALSE(app.ui.layout.renaming);
  await_renaming(before);
  EXPECT_NE(root().find("system", "boxes"), nullptr);
  EXPECT_EQ(app.ui.layout.selected_path, "system.boxes");
  EXPECT_EQ(app.session.view().follow, "boxes");
  EXPECT_TRUE(is_shown("boxes"));
}

TEST_F(WindowTree, F2OpensTheClosedGroupOfTheNode) {
  click(app, row("crates"));
  click(app, row("Systems (2)"));  // closes the group
  press(app, GLFW_KEY_F2);
  EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "the field for the name must be visible";
  press(app, GLFW_KEY_ESCAPE);
  EXPECT_FALSE(app.ui.layout.renaming);
}

TEST_F(WindowTree, ADoubleClickRenamesAndEscCancels) {
  click(app, row("stones"), 0, 2);
  ASSERT_TRUE(app.ui.layout.renaming);
  EXPECT_EQ(app.ui.layout.renaming->path, "system.stones");
  type(app, "rocks");
  press(app, GLFW_KEY_ESCAPE);
  EXPECT_FALSE(app.ui.layout.renaming);
  EXPECT_TRUE(is_shown("stones"));
  EXPECT_FALSE(app.session.document->can_undo());
  EXPECT_EQ(app.session.view().follow, "crates") << "Esc must act only on the text field";
}

TEST_F(WindowTree, AClickElsewhereCancels) {
  click(app, row("stones"));
  press(app, GLFW_KEY_F2);
  type(app, "rocks");
  click(app, row("ball"));
  EXPECT_FALSE(app.ui.layout.renaming);
  EXPECT_FALSE(app.session.document->can_undo());
}

TEST_F(WindowTree, ARemovedNodeReturnsWithoutTheFieldForItsName) {
  click(app, row("stones"));
  press(app, GLFW_KEY_F2);
  ASSERT_TRUE(app.ui.layout.renaming);
  const std::uint64_t before = app.session.document->structure();
  remove_nodes(app);
  await_renaming(before);
  EXPECT_FALSE(app.ui.layout.renaming);
  undo(app);
  frames(app);
  EXPECT_TRUE(is_shown("stones"));
}

TEST_F(WindowTree, AnInvalidNameKeepsTheFieldWithOneSentence) {
  click(app, row("crates"));
  press(app, GLFW_KEY_F2);
  type(app, "big box");
  press(app, GLFW_KEY_ENTER);
  ASSERT_TRUE(app.ui.layout.renaming);
  EXPECT_EQ(app.ui.layout.renaming->error, "A name consists of letters, digits, _ and -.");
  press(app, GLFW_KEY_A, {GLFW_KEY_LEFT_CONTROL});
  type(app, "stones");
  press(app, GLFW_KEY_ENTER);
  ASSERT_TRUE(app.ui.layout.renaming);
  EXPECT_EQ(app.ui.layout.renaming->error, "Another system is named stones.");
  EXPECT_TRUE(is_shown("Another system is named stones."));
  press(app, GLFW_KEY_A, {GLFW_KEY_LEFT_CONTROL});
  type(app, "ball");  // a system may have the name of an obstacle
  const std::uint64_t before = app.session.document->structure();
  press(app, GLFW_KEY_ENTER);
  EXPECT_FALSE(app.ui.layout.renaming);
  await_renaming(before);
  EXPECT_NE(root().find("system", "ball"), nullptr);
}

TEST_F(WindowTree, NodesWithoutANameAreNotRenamed) {
  click(app, row("World"));
  ASSERT_EQ(app.ui.layout.selected_path, "world");
  press(app, GLFW_KEY_F2);
  EXPECT_FALSE(app.ui.layout.renaming);
  click(app, row("World"), 0, 2);
  EXPECT_FALSE(app.ui.layout.renaming);
}

TEST_F(WindowTree, TheEyeHidesAndShowsAndTheLockLocks) {
  click(app, eye_of("stones"));
  EXPECT_EQ(hidden(), Names{"stones"});
  EXPECT_EQ(app.ui.layout.selected_path, "world") << "a click on an icon must not select the row";
  click(app, eye_of("stones"));
  EXPECT_TRUE(hidden().empty());
  click(app, lock_of("ball"));
  EXPECT_EQ(locked(), Names{"ball"});
  click(app, lock_of("ball"));
  EXPECT_TRUE(locked().empty());
  undo(app);
  EXPECT_EQ(locked(), Names{"ball"}) << "each click must be one undo step";
}

TEST_F(WindowTree, IsolateHidesAllOthersAndASecondTimeShowsAll) {
  choose("crates", "Isolate");
  EXPECT_EQ(hidden(), (Names{"stones", "ball"}));
  EXPECT_TRUE(is_isolated(app, "crates"));
  choose("stones", "Isolate");
  EXPECT_EQ(hidden(), (Names{"crates", "ball"})) << "isolating another object must hide the others";
  choose("stones", "Isolate");
  EXPECT_TRUE(hidden().empty());
}

TEST_F(WindowTree, ALockedObjectIsPassedThroughAndTheLockIsSaved) {
  choose("stones", "Lock");
  choose("ball", "Hide");
  EXPECT_EQ(app.session.unpickable_names(), (Names{"ball", "stones"}));
  app.view.viewport.select(app, Pick{"crates", 0, {}, 1});
  toggle_locked(app, "crates");
  EXPECT_TRUE(app.view.viewport.selection.system.empty()) << "a locked object is not selected";
  save(app);
  const auto saved = load_scene(scratch.path("scene.toml"));
  ASSERT_TRUE(saved) << saved.error().message();
  EXPECT_EQ(std::get<TextList>(saved->root.only("view")->value("locked")), (TextList{"stones", "crates"}));
  unlock_all(app);
  EXPECT_TRUE(locked().empty());
}

TEST_F(WindowTree, AClickInThePictureDoesNotSelectALockedSystem) {
  open(app, test::packaged_path("school"));
  frames_until(app, [&] { return app.session.document->path().ends_with("school.toml") && app.session.have_snapshot; });
  frames(app);
  const auto& systems = app.session.snapshot()->systems;
  const SystemSnapshot& school = *std::ranges::find(systems, LookKind::members, &SystemSnapshot::look_kind);
  const Vec3f& place = school.position.at(0);
  const Viewport& viewport = app.view.viewport;
  const ImVec2 corner = viewport.corner(), size = viewport.size();
  const glm::vec4 at = viewport.camera.projection(size.x / size.y) * viewport.camera.view() *
                       glm::vec4(place.x(), place.y(), place.z(), 1);
  const ImVec2 pixel{corner.x + size.x * (0.5F + 0.5F * at.x / at.w), corner.y + size.y * (0.5F - 0.5F * at.y / at.w)};
  click(app, pixel);
  EXPECT_EQ(viewport.selection.system, school.name);
  toggle_locked(app, school.name);
  click(app, pixel);
  EXPECT_EQ(viewport.selection.system, "");
  toggle_locked(app, school.name);
  click(app, pixel);
  EXPECT_EQ(viewport.selection.system, school.name);
}

TEST_F(WindowTree, ADraggedRowComesToAnotherPlaceInItsSlotAndTheWorldGoesOn) {
  const auto order = [&] {
    Names names;
    for (const Node* node : root().all("system")) names.push_back(node->name);
    return names;
  };
  ASSERT_EQ(order(), (Names{"crates", "stones"}));
  const std::uint64_t epoch = app.session.run->newest().epoch;
  const ImVec2 from = row("stones"), to = row("crates");
  drag_and_drop(app, from, {to.x, to.y - 0.3F * em(1)});
  frames_until(app, [&] { return order() == Names{"stones", "crates"}; });
  frames(app, 5);
  EXPECT_EQ(app.session.run->newest().epoch, epoch);
  EXPECT_TRUE(app.session.document->modified());
  EXPECT_TRUE(app.session.document->replacements().empty()) << "no system restarts";
  undo(app);
  EXPECT_EQ(order(), (Names{"crates", "stones"}));
  redo(app);
  EXPECT_EQ(order(), (Names{"stones", "crates"}));
  // Bodies keep their order, which determines their rows in the world. Nodes of different slots do not mix.
  const auto before = root();
  drag_and_drop(app, row("ball"), row("stones"));
  drag_and_drop(app, row("stone"), row("crates"));
  frames(app, 5);
  EXPECT_TRUE(same_node(root(), before));
}

TEST_F(WindowTree, ANewJointHoldsTheFirstBodyWhereItIs) {
  frames_until(app, [&] { return app.session.snapshot() != nullptr; });
  choose("crates", "Add joint");
  click(app, "Ball");
  frames_until(app, [&] { return root().find("system", "crates")->find("joint", "ball") != nullptr; });
  const Node& joint = *root().find("system", "crates")->find("joint", "ball");
  EXPECT_EQ(std::get<std::string>(joint.value("a")), "box");
  const Vec3 place = app.session.run->newest().systems.at(0).position.at(0).cast<double>();
  EXPECT_LT((std::get<Vec3>(joint.value("anchor")) - place).norm(), 2e-3);
  EXPECT_EQ(app.ui.layout.selected_path, "system.crates.joint.ball");
}

TEST_F(WindowTree, TheSizeOfABoxIsBesideItsPose) {
  click(app, row("Box"));
  ASSERT_EQ(app.ui.layout.selected_path, "system.crates.body.box");
  EXPECT_GT(place_of("Size").y, place_of("Rotation").y);
  EXPECT_LT(place_of("Size").y, place_of("Density").y);
}

TEST_F(WindowTree, ANumberTypedAfterADoubleClickIsOneUndoStep) {
  click(app, row("ball"));
  const Value before = *app.session.document->value("collider.ball.radius");
  const auto fields = texts_beside(app, "Radius");
  ASSERT_FALSE(fields.empty());
  click(app, fields.back(), 0, 2);
  type(app, "0.3");
  press(app, GLFW_KEY_ENTER);
  EXPECT_EQ(std::get<double>(*app.session.document->value("collider.ball.radius")), 0.3);
  undo(app);
  EXPECT_TRUE(same_value(*app.session.document->value("collider.ball.radius"), before));
  EXPECT_FALSE(app.session.document->can_undo());
}

TEST_F(WindowTree, TheEdgeBelowTheTreeIsDragged) {
  app.ui.layout.tree_share = 0.1F;
  frames(app);
  const float before = place_of("Randomise\xE2\x80\xA6").y;
  // The edge is above the heading of the parameters.
  const float heading = place_of("Presets").y;
  float edge = heading;
  while (edge > 0 && ImGui::GetMouseCursor() != ImGuiMouseCursor_ResizeNS) {
    edge -= 1;
    move_to({0.3F * em(app.ui.layout.left_em), edge});
    frames(app, 1);
  }
  ASSERT_EQ(ImGui::GetMouseCursor(), ImGuiMouseCursor_ResizeNS);
  const ImVec2 from{0.3F * em(app.ui.layout.left_em), edge};
  drag_and_drop(app, from, {from.x, from.y + 40});
  EXPECT_NEAR(place_of("Randomise\xE2\x80\xA6").y, before + 40, 3);
}

TEST_F(WindowTree, TheEdgesOfTheSidebarsAreDragged) {
  frames(app);
  const float left = em(app.ui.layout.left_em), right = em(app.ui.layout.right_em);
  const float width = ImGui::GetIO().DisplaySize.x, y = 300;
  drag_and_drop(app, {left, y}, {left + 45, y});
  EXPECT_NEAR(em(app.ui.layout.left_em), left + 45, 2);
  drag_and_drop(app, {width - right, y}, {width - right - 30, y});
  EXPECT_NEAR(em(app.ui.layout.right_em), right + 30, 2);
}

TEST_F(WindowTree, ToastsDoNotCoverAnOpenMenu) {
  app.log.info("Toasted", Toast::yes);
  frames(app);
  EXPECT_TRUE(is_shown("Toasted"));
  open_menu(app, "Edit");
  EXPECT_FALSE(is_shown("Toasted"));
}

TEST_F(WindowTree, ARenamedObjectStaysLocked) {
  toggle_locked(app, "stones");
  const Renaming renaming = renaming_of(root(), "system.stones", "rocks");
  EXPECT_TRUE(std::ranges::any_of(renaming.references, [](const Assignment& one) {
    return one.path == "view.locked" && std::get<TextList>(one.value) == TextList{"rocks"};
  }));
}

}  // namespace
}  // namespace vw::ui
#endif
