// Hints of the window for scenes that lack something, and offers to act on them, with mouse and keys.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include <algorithm>

#include <imgui_internal.h>

#include "app/window/document/node_hints.h"
#include "app/window/document/preferences.h"
#include "sim/api/open_scene.h"
#include "sim/base/system/folders.h"
#include "sim/scene/scene.h"
#include "tests/app/window/input.h"
#include "tests/support/checked.h"
#include "tests/support/scratch.h"

namespace vw::ui {
namespace {

class WindowHints : public WindowInput {
 protected:
  void SetUp() override {
    WindowInput::SetUp();
    app.session.playing = false;
    Node scene = api::new_scene();
    add_child(scene, "material", "voxel_material", "soft");
    Node& worm = add_child(scene, "system", "voxel_body", "worm");
    worm.set("material", std::string("soft")), worm.set("position", Vec3(0, 0.5, 0));
    add_child(worm, "muscle", "muscle", "left");
    add_child(worm, "muscle", "muscle", "right");
    Node& gait = add_child(scene, "actuator", "wave", "gait");
    gait.set("targets", TextList{"system.worm.muscle.left.strain"}), gait.set("frequency", 1.5);
    Node& arm = add_child(scene, "system", "rigid", "arm");
    add_child(arm, "body", "box", "upper").set("position", Vec3(1, 1, 0));
    add_child(arm, "body", "box", "lower").set("position", Vec3(1, 0.4, 0));
    add_child(arm, "body", "box", "free").set("position", Vec3(2, 0.4, 0));
    Node& shoulder = add_child(arm, "joint", "ball", "shoulder");
    shoulder.set("a", std::string("upper")), shoulder.set("anchor", Vec3(1, 1.3, 0));
    Node& elbow = add_child(arm, "joint", "ball", "elbow");
    elbow.set("a", std::string("upper")), elbow.set("b", std::string("lower")), elbow.set("anchor", Vec3(1, 0.7, 0));
    add_child(scene, "system", "particles", "dust");
    add_child(scene, "plot", "plot", "chart");
    open(app, scratch.write("scene.toml", write_scene_toml(scene)));
    frames_until(app, [&] { return app.session.run != nullptr && app.session.have_snapshot; });
    frames(app);
  }
  const Node& root() const { return app.session.document->root(); }
  void select(const std::string& path) {
    app.ui.layout.selected_path = path;
    frames(app);
  }

  /// Folder of settings of the test. The window reads the folder when it is created.
  struct Config {
    Config() { setenv("XDG_CONFIG_HOME", folder.folder().c_str(), 1); }
    ~Config() { unsetenv("XDG_CONFIG_HOME"); }
    Config(const Config&) = delete;
    Config& operator=(const Config&) = delete;
    test::Scratch folder;
  } config;
  test::Scratch scratch;
  App app{WindowOptions{}};
};

TEST_F(WindowHints, NodesWithoutContentAreFound) {
  EXPECT_EQ(empty_node_hint(*root().find("system", "dust")).value().slots, std::vector<std::string>{"emitter"});
  EXPECT_EQ(empty_node_hint(*root().find("plot", "chart")).value().slots, std::vector<std::string>{"curve"});
  EXPECT_FALSE(empty_node_hint(*root().find("system", "arm")));
  EXPECT_FALSE(empty_node_hint(*root().find("system", "worm")));
  EXPECT_FALSE(empty_node_hint(*root().only("world")));
  for (const Schema* kind : std::ranges::find(root().schema->slots, "system", &Slot::name)->kinds) {
    const Node fresh = fresh_node(root(), "system", *kind);
    const auto hint = empty_node_hint(fresh);
    for (const std::string& slot : hint ? hint->slots : std::vector<std::string>{})
      EXPECT_NE(std::ranges::find(kind->slots, slot, &Slot::name), kind->slots.end()) << kind->kind << " " << slot;
  }
}

TEST_F(WindowHints, ASystemWithoutElementsOffersToAddThem) {
  select("system.dust");
  EXPECT_TRUE(is_shown("empty")) << "in the tree";
  click(app, "Add emitter");
  click(app, "Box");
  frames_until(app, [&] { return !root().find("system", "dust")->all("emitter").empty(); });
  select("system.dust");
  EXPECT_FALSE(is_shown("Add emitter"));
  select("plot.chart");
  EXPECT_TRUE(is_shown("This plot has no curves."));
  EXPECT_TRUE(is_shown("Add curve"));
}

TEST_F(WindowHints, AMuscleNamesItsWaveAndLeadsToIt) {
  EXPECT_TRUE(is_shown("Muscle: gait")) << "in the tree";
  EXPECT_TRUE(is_shown("Muscle: no actuator")) << "in the tree";
  select("system.worm.muscle.left");
  EXPECT_TRUE(is_shown("gait sets strain: sine wave, 1.5 Hz"));
  click(app, "Show");
  EXPECT_EQ(app.ui.layout.selected_path, "actuator.gait");
  select("system.worm.muscle.right");
  click(app, "Add wave");
  frames_until(app, [&] { return root().all("actuator").size() == 2; });
  const auto drivers = drivers_of(root(), "system.worm.muscle.right");
  ASSERT_EQ(drivers.size(), 1U);
  EXPECT_EQ(drivers[0].target, "system.worm.muscle.right.strain");
  EXPECT_EQ(drivers_of(root(), "system.worm").size(), 2U);
  EXPECT_TRUE(drivers_of(root(), "system.arm").empty());
}

TEST_F(WindowHints, NamesOfTabsAreNeverTruncated) {
  app.ui.layout.open_tab = Layout::Tab::capture;
  ImGui::GetIO().DisplaySize = {1000, 700};
  frames(app, 6);
  bool is_found = false;
  for (int i = 0; i < GImGui->TabBars.GetMapSize(); ++i)
    if (const ImGuiTabBar* bar = GImGui->TabBars.TryGetMapData(i); bar != nullptr)
      for (const ImGuiTabItem& tab : bar->Tabs) {
        is_found = true;
        EXPECT_GE(tab.Width, tab.ContentWidth - 1);
        EXPECT_GE(tab.Width, ImGui::CalcTextSize(bar->GetTabName(&tab), nullptr, true).x + 4) << bar->GetTabName(&tab);
      }
  EXPECT_TRUE(is_found);
  EXPECT_TRUE(is_shown("Capture")) << "the bar scrolls to the open tab";
}

TEST_F(WindowHints, JointsToTheWorldAreFoundThroughOtherBodies) {
  EXPECT_EQ(joint_to_world(root(), "system.arm.body.upper"), "shoulder");
  EXPECT_EQ(joint_to_world(root(), "system.arm.body.lower"), "shoulder");
  EXPECT_EQ(joint_to_world(root(), "system.arm.body.free"), "");
  EXPECT_EQ(joint_to_world(root(), "system.worm"), "");
}

TEST_F(WindowHints, ABodyThatIsJointedToTheWorldIsPulledByASpring) {
  select("system.arm.body.lower");
  set_playing(app, true);
  frames(app);
  GizmoTool& gizmo = app.view.viewport.gizmo;
  gizmo.begin_by_key(app, GizmoMode::rotate);
  EXPECT_FALSE(gizmo.is_dragging());
  EXPECT_TRUE(last_message(app).starts_with("The joint shoulder connects the body to the world. Pause"));
  gizmo.begin_by_key(app, GizmoMode::move);
  EXPECT_TRUE(gizmo.is_dragging());
  EXPECT_EQ(last_message(app),
            "The joint shoulder connects the body to the world, so a spring pulls it. Pause to edit its start pose");
  frames_until(app, [&] { return app.session.run->newest().grab.active; });
  press(app, GLFW_KEY_ENTER);
  frames_until(app, [&] { return !app.session.run->newest().grab.active; });
  EXPECT_FALSE(undo_label(app).starts_with("move"));
  for (const auto& message : app.log.messages()) EXPECT_NE(message.level, Level::error) << message.text;
}

TEST_F(WindowHints, APartThatMovesOnlyAtAResetOffersToPause) {
  GizmoTool& gizmo = app.view.viewport.gizmo;
  select("system.arm.joint.elbow");
  EXPECT_FALSE(gizmo.part_to_pause_for(app)) << "the simulation is paused";
  set_playing(app, true);
  frames(app);
  ASSERT_TRUE(gizmo.part_to_pause_for(app));
  select("system.arm.body.free");
  EXPECT_FALSE(gizmo.part_to_pause_for(app)) << "running bodies have handles";
  select("world");
  EXPECT_FALSE(gizmo.part_to_pause_for(app));
}

TEST_F(WindowHints, TheStartPageCanBeLeftOutAtTheStart) {
  ASSERT_TRUE(app.ui.preferences.shows_start_page());
  open_menu(app, "Help");
  click(app, "Start page\xE2\x80\xA6");
  frames_until(app, [&] { return app.ui.gallery.is_open(); });
  frames(app);
  click(app, "Show at the start of the program");
  EXPECT_FALSE(app.ui.preferences.shows_start_page());
  EXPECT_FALSE(Preferences(config_folder()).shows_start_page());
  ASSERT_TRUE(app.ui.preferences.set_embeds_moments(false)) << "other settings keep the choice";
  EXPECT_FALSE(Preferences(config_folder()).shows_start_page());
  click(app, "Show at the start of the program");
  EXPECT_TRUE(Preferences(config_folder()).shows_start_page());
}

}  // namespace
}  // namespace vw::ui
#endif
