// A selected element in the window: the channels that the window requests, the card of the element, plotted curves, and
// the camera that follows the element.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/window/document/file_listing.h"
#include "app/window/mouse_tools.h"
#include "app/window/ui/panels/element_values.h"
#include "sim/api/open_scene.h"
#include "sim/base/files/file.h"
#include "sim/scene/scene.h"
#include "tests/app/window/frames.h"
#include "tests/support/packaged.h"
#include "tests/support/scratch.h"

namespace vw::ui {
namespace {

class WindowPicked : public WindowFrames {
 protected:
  void SetUp() override {
    WindowFrames::SetUp();
    app.session.playing = false;
    open(app, test::packaged_path("incline"));
    frames_until(
        app, [&] { return app.session.run != nullptr && app.session.have_snapshot && !elements().position.empty(); });
  }
  const SystemSnapshot& elements() const { return app.session.snapshot()->systems[0]; }
  void select_first() { app.view.viewport.select(app, {elements().name, 0, {}, 0}); }
  std::vector<ElementValue> values() const {
    return element_values(*app.session.snapshot(), elements(),
                          static_cast<std::size_t>(app.view.viewport.selection.element), app.session.document->root());
  }
  /// Returns the row with this label in the card of the element.
  ElementValue value(const std::string& label) const {
    const auto all = values();
    const auto found = std::ranges::find(all, label, &ElementValue::label);
    EXPECT_NE(found, all.end()) << label;
    return found == all.end() ? ElementValue{} : *found;
  }
  /// Clicks on the plot button of the card row with this label. Waits until the curve has a value.
  void pick(const std::string& label) {
    pick_value(app, *value(label).curve);
    frames_until(
        app, [&] { return !app.session.plots.data().series.empty() && app.session.plots.data().series[0].size() > 0; });
    frame_of(app);  // draws the first row, which may have arrived after the last frame
  }
  void steps(int count) {
    const std::uint64_t until = app.session.run->newest().step + static_cast<std::uint64_t>(count);
    app.session.run->single_step(count);
    frames_until(app, [&] { return app.session.run->newest().step >= until; });
  }

  App app{WindowOptions{}};
};

TEST_F(WindowPicked, AllDataOfTheSelectedSystemAreRequestedWhileItIsSelected) {
  EXPECT_TRUE(wanted_by(app).vectors.empty());
  select_first();
  const SnapshotRequest wanted = wanted_by(app);
  EXPECT_GE(elements().available_vectors.size(), 2U) << "acceleration and net force must be available";
  for (const ChannelInfo& vector : elements().available_vectors)
    EXPECT_TRUE(std::ranges::count(wanted.vectors, vector.name) == 1) << vector.name;
  for (const ChannelInfo& channel : elements().available)
    EXPECT_TRUE(std::ranges::count(wanted.channels, channel.name) == 1) << channel.name;
  app.view.viewport.clear_selection(app);
  EXPECT_TRUE(wanted_by(app).vectors.empty());
  edit(app, {{"view.vectors", Value(true)}, {"view.vector_of", Value(std::string("acceleration"))}});
  EXPECT_EQ(wanted_by(app).vectors, std::vector<std::string>{"acceleration"});
}

TEST_F(WindowPicked, TheCardShowsEveryVectorAndChannelWithItsUnit) {
  select_first();
  EXPECT_EQ(value("Acceleration").text, "-") << "the acceleration is unknown before the first step";
  steps(2);
  EXPECT_TRUE(value("Acceleration").text.ends_with("m/s\xC2\xB2"))
      << value("Acceleration").text << " (the unit may have a prefix)";
  EXPECT_TRUE(value("Net force").text.ends_with("N")) << value("Net force").text;
  EXPECT_TRUE(value("Position").text.ends_with(" m"));
  for (const ChannelInfo& channel : elements().available) {
    const bool told = std::ranges::any_of(
        values(), [&](const ElementValue& v) { return v.curve && v.curve->name == channel.name && v.text != "-"; });
    EXPECT_TRUE(told) << channel.name;
  }
}

TEST_F(WindowPicked, AValueThatIsPickedIsPlottedFromThenOnAndThoseOfItsUnitJoinIt) {
  ASSERT_TRUE(app.session.plots.empty());
  select_first();
  steps(3);
  pick("Velocity");
  ASSERT_EQ(app.session.plots.plans().size(), 1U);
  EXPECT_EQ(app.session.plots.plans()[0].curves.size(), 4U) << "the curves are x, y, z and the length";
  EXPECT_EQ(app.session.plots.plans()[0].params.unit, "m/s");
  EXPECT_EQ(app.ui.layout.shown_tab, Layout::Tab::plots);
  EXPECT_FALSE(app.session.document->can_undo()) << "picked plots must not be edits of the scene";
  steps(5);
  frames_until(app, [&] { return app.session.plots.data().series[0].size() == 6; });
  const PlotSeries& series = app.session.plots.data().series[0];
  for (std::size_t row = 0; row < series.size(); ++row)
    EXPECT_NEAR(series.value(row, 3), Vec3(series.value(row, 0), series.value(row, 1), series.value(row, 2)).norm(),
                1e-12);
  pick_value(app, *value("Speed").curve);
  ASSERT_EQ(app.session.plots.plans().size(), 1U) << "curves of the same unit must share a plot";
  EXPECT_EQ(app.session.plots.plans()[0].curves.size(), 5U);
  EXPECT_EQ(app.session.plots.data().series[0].size(), 6U) << "measured values must be kept";
  pick_value(app, *value("Acceleration").curve);
  ASSERT_EQ(app.session.plots.plans().size(), 2U) << "a curve of another unit must have its own plot";
  EXPECT_EQ(wanted_by(app).vectors.front(), "acceleration");
  steps(1);
  frames_until(app, [&] { return app.session.plots.data().series[1].size() == 1; });
  EXPECT_TRUE(std::isfinite(app.session.plots.data().series[1].value(0, 3)));
  EXPECT_EQ(app.session.plots.problem(), "");
  for (const char* label : {"Velocity", "Speed", "Acceleration"}) pick_value(app, *value(label).curve);
  EXPECT_TRUE(app.session.plots.empty()) << "picking a value again must remove its curve";
}

TEST_F(WindowPicked, APickedPlotCanBeKeptInTheSceneWithWhatItHasMeasuredAndUndoTakesItOut) {
  select_first();
  pick("Velocity");
  steps(4);
  frames_until(app, [&] { return app.session.plots.data().series[0].size() == 5; });
  const std::string name = app.session.plots.plans()[0].name;
  keep_plot(app, name);
  EXPECT_FALSE(app.session.plots.picked().is_picked(name));
  ASSERT_NE(app.session.document->root().find("plot", name), nullptr);
  EXPECT_TRUE(app.session.document->modified());
  EXPECT_EQ(app.session.plots.data().series[0].size(), 5U);
  const auto written = read_scene_toml(write_scene_toml(app.session.document->root()), "kept.toml");
  ASSERT_TRUE(written) << written.error().message();
  EXPECT_EQ(written->root.find("plot", name)->all("curve").size(), 4U);
  undo(app);
  EXPECT_EQ(app.session.document->root().find("plot", name), nullptr);
  EXPECT_TRUE(app.session.plots.empty());
  EXPECT_FALSE(app.session.loader.busy()) << "keeping a plot must not restart the world";
  redo(app);
  EXPECT_FALSE(app.session.plots.empty());
  EXPECT_FALSE(app.session.loader.busy());
}

TEST_F(WindowPicked, PickedPlotsGoWithTheSceneButNotWithAWorldMadeAnew) {
  select_first();
  pick_value(app, *value("Speed").curve);
  (void)app.session.plots.begin(app.session.document->root(), true);
  EXPECT_FALSE(app.session.plots.empty());
  Node other = app.session.document->root();
  std::erase_if(other.children, [&](const Node& child) { return child.name == elements().name; });
  std::erase_if(other.children,
                [&](const Node& child) { return other.schema->slots[child.slot].name == "interaction"; });
  (void)app.session.plots.begin(other, true);
  EXPECT_TRUE(app.session.plots.empty()) << "the plot must be removed with its system";
  EXPECT_EQ(app.session.plots.problem(), "");
  pick_value(app, *value("Speed").curve);
  (void)app.session.plots.begin(app.session.document->root());
  EXPECT_TRUE(app.session.plots.empty()) << "another scene must have no picked plots";
}

TEST_F(WindowPicked, TheCameraFollowsUntilItIsMovedByHandOrToldToStop) {
  select_first();
  toggle_follow(app);
  EXPECT_EQ(app.session.view().follow, selected_name(app));
  EXPECT_FALSE(app.session.document->modified()) << "following must not count as an edit";
  frame_of(app);
  app.view.viewport.frame_all(app);
  EXPECT_EQ(app.session.view().follow, "") << "framing everything must stop following";
  toggle_follow(app);
  ASSERT_NE(app.session.view().follow, "");
  app.view.viewport.focus_selection(app);
  EXPECT_EQ(app.session.view().follow, "");
  toggle_follow(app);
  ASSERT_NE(app.session.view().follow, "");
  toggle_follow(app);
  EXPECT_EQ(app.session.view().follow, "") << "the same command again must stop following";
}

TEST_F(WindowPicked, ResetRestoresTheCameraThatTheSceneOpensWith) {
  frame_of(app);
  const Camera opened = app.view.viewport.camera;
  app.view.viewport.camera.orbit(0.7F, 0.2F);
  app.view.viewport.camera.zoom(3);
  reset(app);
  for (int i = 0; i < 3; ++i) frame_of(app);
  EXPECT_NEAR(glm::length(app.view.viewport.camera.eye - opened.eye), 0, 1e-4F);
  EXPECT_NEAR(glm::length(app.view.viewport.camera.target - opened.target), 0, 1e-4F);
}

TEST_F(WindowPicked, HomeFramesTheSubjectAndWithShiftEverything) {
  constexpr int home = 268, shift = 340;  // GLFW key codes
  InputQueue queue;
  const auto press = [&](int code, bool down) {
    queue.push({InputEvent::Kind::key, 0, 0, code, down});
    feed_input(ImGui::GetIO(), queue.take_frame());
    frame_of(app);
  };
  frame_of(app);
  const auto target_after = [&](bool with_shift) {
    app.view.viewport.camera.target = glm::vec3(9, 9, 9);
    if (with_shift) press(shift, true);
    press(home, true), press(home, false);
    if (with_shift) press(shift, false);
    return app.view.viewport.camera.target;
  };
  target_after(false);
  SubjectPoints points;
  subject_points(*app.session.snapshot(), points);
  const Viewport& viewport = app.view.viewport;
  const auto area = area_in_picture(points, viewport.camera, viewport.size().x / viewport.size().y);
  ASSERT_TRUE(area);
  EXPECT_NEAR(area->longest_share(), subject_share, 0.01F);
  EXPECT_NEAR(glm::length(area->center()), 0, 0.02F);
  EXPECT_TRUE(viewport.has_auto_camera());
  const glm::vec3 all = scene_bounds(*app.session.snapshot()).center();
  EXPECT_NEAR(glm::length(target_after(true) - all), 0, 1e-3F);
  EXPECT_FALSE(viewport.has_auto_camera());
}

TEST_F(WindowPicked, EscapeStopsFollowingBeforeItClearsTheSelection) {
  select_first();
  toggle_follow(app);
  InputQueue queue;
  const auto escape = [&] {
    for (const bool down : {true, false}) {
      queue.push({InputEvent::Kind::key, 0, 0, 256, down});  // 256 is the GLFW key code of Escape
      feed_input(ImGui::GetIO(), queue.take_frame());
      frame_of(app);
    }
  };
  escape();
  EXPECT_EQ(app.session.view().follow, "");
  EXPECT_FALSE(app.view.viewport.selection.system.empty());
  escape();
  EXPECT_TRUE(app.view.viewport.selection.system.empty());
}

TEST_F(WindowPicked, AnObstacleIsSelectedAndShownInTheSceneTreeButPlanesAreNot) {
  app.view.viewport.select(app, {{}, -1, {}, 0, "slope"});
  EXPECT_EQ(app.view.viewport.selection.obstacle, "slope");
  EXPECT_EQ(app.ui.layout.selected_path, "collider.slope");
  select_first();
  EXPECT_EQ(app.view.viewport.selection.obstacle, "") << "only one object is selected at a time";
  app.view.viewport.select(app, {{}, -1, {}, 0, "ground"});
  EXPECT_EQ(app.view.viewport.selection.obstacle, "");
  EXPECT_EQ(app.view.viewport.selection.system, "") << "a click on the ground clears the selection";
}

TEST_F(WindowPicked, FocusingAnObstacleFramesIt) {
  frame_of(app);
  app.view.viewport.select(app, {{}, -1, {}, 0, "slope"});
  app.view.viewport.focus_selection(app);
  EXPECT_NEAR(glm::length(app.view.viewport.camera.target - glm::vec3(0, 0.2F, 0)), 0, 1e-3F);
}

TEST_F(WindowPicked, WhatIsHiddenLosesTheSelectionAndComesBack) {
  select_first();
  hide(app, elements().name);
  EXPECT_EQ(app.view.viewport.selection.system, "");
  hide(app, "slope");
  EXPECT_EQ(app.session.view().hidden, (TextList{elements().name, "slope"}));
  undo(app);
  EXPECT_EQ(app.session.view().hidden, TextList{elements().name});
  show_all_hidden(app);
  EXPECT_TRUE(app.session.view().hidden.empty());
}

TEST_F(WindowPicked, ASceneOpensWithoutANodeThatWasHiddenAndIsGone) {
  hide(app, elements().name);
  const std::string gone = elements().name;
  app.ui.layout.selected_path = "system." + gone;
  SceneAddition removal;
  removal.node_changes = {removal_of(app.session.document->root(), "system." + gone)};
  change_scene(app, removal);
  frames_until(
      app, [&] { return !app.session.loader.busy() && app.session.document->root().find("system", gone) == nullptr; });
  EXPECT_TRUE(app.session.view().hidden.empty());
}

TEST_F(WindowPicked, AnElementIsComparedWithTheOneSelectedNextUntilThatIsStopped) {
  select_first();
  compare(app, elements(), 0);
  EXPECT_TRUE(is_compared(app, elements(), 0));
  const SystemSnapshot& other = app.session.snapshot()->systems[1];
  app.view.viewport.select(app, {other.name, 3, {}, 0});
  EXPECT_EQ(compared_element(app).system, &elements());
  EXPECT_EQ(compared_element(app).row, 0U);
  frame_of(app);
  const SnapshotRequest wanted = wanted_by(app);
  for (const ChannelInfo& channel : elements().available)
    EXPECT_TRUE(std::ranges::count(wanted.channels, channel.name) == 1) << channel.name;
  stop_comparing(app);
  EXPECT_EQ(compared_element(app).system, nullptr);
}

TEST_F(WindowPicked, ATrailOfOneElementJoinsThoseThatAreShown) {
  select_first();
  const std::string name = selected_name(app);
  toggle_trail(app, name);
  EXPECT_TRUE(app.session.view().trails);
  EXPECT_EQ(app.session.view().trail_systems, TextList{name});
  EXPECT_TRUE(app.session.has_trail(name));
  toggle_trail(app, name);
  EXPECT_FALSE(app.session.view().trails);
  edit(app, {{"view.trails", Value(true)}});
  toggle_trail(app, name);
  EXPECT_EQ(app.session.view().trail_systems.size(), app.session.document->root().all("system").size() + 1)
      << "the trails of all elements must stay";
}

TEST_F(WindowPicked, ATableOfAPlotIsWrittenIntoTheFolderOfCapturesAndReplacesNone) {
  const test::Scratch folder;
  app.view.capture.folder = folder.path("tables");
  select_first();
  pick("Velocity");
  steps(2);
  frames_until(app, [&] { return app.session.plots.data().series[0].size() == 3; });
  const std::string table = app.session.plots.table_of(0);
  EXPECT_TRUE(table.starts_with("time [s],")) << table.substr(0, 40);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 4) << "a line of units, the start, and two steps";
  const auto written = [&] { return list_folder(folder.path("tables"), {".csv"}); };
  save_plot(app, 0);
  frames_until(app, [&] { return written().size() == 1; });
  EXPECT_TRUE(written()[0].name.starts_with("incline-picked-")) << written()[0].name;
  EXPECT_EQ(*read_file(folder.path("tables/" + written()[0].name), 1 << 20), table);
  save_plot(app, 0);
  frames_until(app, [&] { return written().size() == 2; });
}

TEST_F(WindowPicked, AParticleIsTakenOutOfTheWorldAndItsSelectionGoesWithItButAVoxelStays) {
  select_first();
  EXPECT_FALSE(can_remove_selected(app)) << "a voxel of a body cannot be removed";
  EXPECT_FALSE(can_spawn_beside_selected(app));
  App other{WindowOptions{}};
  other.session.playing = false;
  open(other, test::packaged_path("particle-fountain"));
  frames_until(other, [&] { return other.session.run != nullptr && other.session.have_snapshot; });
  const auto step = [&](int count) {
    const std::uint64_t until = other.session.run->newest().step + static_cast<std::uint64_t>(count);
    other.session.run->single_step(count);
    frames_until(other, [&] { return other.session.run->newest().step >= until; });
  };
  step(30);
  const SystemSnapshot& jet = other.session.snapshot()->systems[0];
  ASSERT_GT(jet.position.size(), 3U);
  const std::uint32_t id = jet.id.at(2);
  other.view.viewport.select(other, {jet.name, 2, {}, 0});
  EXPECT_TRUE(can_remove_selected(other));
  EXPECT_FALSE(can_spawn_beside_selected(other)) << "particles come from emitters";
  remove_selected(other);
  step(2);
  const auto& left = other.session.snapshot()->systems[0].id;
  EXPECT_EQ(std::count(left.begin(), left.end(), id), 0);
  EXPECT_TRUE(other.view.viewport.selection.system.empty());
  const SystemSnapshot& shown = other.session.run->newest().systems[0];
  ASSERT_GT(shown.id.size(), 2U);
  const std::uint32_t first = shown.id[0], third = shown.id[2];
  other.session.run->submit(Remove{shown.name, 0, Vec3::Zero(), 0});
  other.session.run->submit(Remove{shown.name, 2, Vec3::Zero(), 0});  // the first removal changes its row
  step(2);
  const auto& rest = other.session.snapshot()->systems[0].id;
  EXPECT_EQ(std::count(rest.begin(), rest.end(), first), 0);
  EXPECT_EQ(std::count(rest.begin(), rest.end(), third), 0);
}

/// Returns two fish and a shark side by side, at distances of half a body length.
SystemSnapshot school() {
  SystemSnapshot system;
  system.name = "school";
  system.use_look<MemberLook>();
  system.palette_names = {"fish", "shark"};
  for (const int kind : {0, 0, 1}) {
    system.position.emplace_back(0.1F * static_cast<float>(system.position.size()), 1, 0);
    system.velocity.emplace_back(1, 0, 0);
    system.size.push_back(0.1F);
    system.id.push_back(15 + static_cast<std::uint32_t>(system.id.size()));
    system.material.push_back(static_cast<std::uint8_t>(kind));
  }
  system.mass_kg = 3;
  return system;
}

TEST(ElementValues, AMemberIsCalledByItsSpeciesAndItsIdentity) {
  Snapshot snapshot;
  snapshot.systems.push_back(school());
  const SystemSnapshot& system = snapshot.systems[0];
  EXPECT_EQ(element_title(system, 2), "school, shark 17");
  const auto values = element_values(snapshot, system, 2, api::new_scene());
  const auto text = [&](const char* label) {
    const auto found = std::ranges::find(values, label, &ElementValue::label);
    return found == values.end() ? std::string("missing") : found->text;
  };
  EXPECT_EQ(text("Species"), "shark");
  EXPECT_EQ(text("Length"), "200 mm");
  EXPECT_EQ(text("Position"), "0.200, 1.000, 0.000 m");
  EXPECT_EQ(text("Velocity"), "1.00, 0.00, 0.00 m/s");
}

TEST(MouseTools, AMemberIsHeldAloneAndAPushScaresThoseNearIt) {
  const SystemSnapshot system = school();
  const Handle handle = handle_of(system, 0);
  EXPECT_NEAR(handle.mass_kg, 1, 1e-12);
  EXPECT_NEAR(handle.size_m, 0.2, 1e-6) << "the size must be the length from nose to tail";
  const Push push = push_along(system, 0, Vec3(0, 0, 1), 100);
  EXPECT_NEAR(push.radius_m, 0.4, 1e-6);
  EXPECT_NEAR(push.impulse.z(), 3 * 4 * 0.2, 1e-5) << "four body lengths per second for all three";
}

/// Fixture that sends mouse input to a window with a school of fish at rest.
class WindowClicks : public WindowFrames {
 protected:
  void SetUp() override {
    WindowFrames::SetUp();
    app.session.playing = false;
    open(app, test::packaged_path("school"));
    frames_until(app,
                 [&] { return app.session.run != nullptr && app.session.have_snapshot && !school().position.empty(); });
    for (int i = 0; i < 5; ++i) frame_of(app);
  }
  const SystemSnapshot& school() const {
    const auto& systems = app.session.snapshot()->systems;
    return *std::ranges::find(systems, LookKind::members, &SystemSnapshot::look_kind);
  }
  /// Returns the position of an element's image in the window [px].
  ImVec2 place_of(std::size_t row) const {
    const Vec3f& x = school().position[row];
    const ImVec2 corner = app.view.viewport.corner(), size = app.view.viewport.size();
    const Camera& camera = app.view.viewport.camera;
    const glm::vec4 at = camera.projection(size.x / size.y) * camera.view() * glm::vec4(x.x(), x.y(), x.z(), 1);
    return {corner.x + size.x * (0.5F + 0.5F * at.x / at.w), corner.y + size.y * (0.5F - 0.5F * at.y / at.w)};
  }
  /// Presses a button, moves by `drag_px` and releases it.
  void click(ImVec2 at, int button, float drag_px = 0) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = at;
    frame_of(app);
    io.MouseDown[button] = true;
    frame_of(app);
    io.MousePos.x += drag_px;
    frame_of(app);
    io.MouseDown[button] = false;
    frame_of(app);
    frame_of(app);
  }
  static bool menu_is_open() {
    return ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  }
  App app{WindowOptions{}};
};

TEST_F(WindowClicks, AClickSelectsAndAClickOnNothingClears) {
  click(place_of(0), ImGuiMouseButton_Left);
  EXPECT_EQ(app.view.viewport.selection.system, school().name);
  const ImVec2 corner = app.view.viewport.corner();
  click({corner.x + 3, corner.y + 3}, ImGuiMouseButton_Left);
  EXPECT_EQ(app.view.viewport.selection.system, "");
}

TEST_F(WindowClicks, ADragSelectsNothing) {
  click(place_of(0), ImGuiMouseButton_Left, 40);
  EXPECT_EQ(app.view.viewport.selection.system, "");
  click(place_of(0), ImGuiMouseButton_Right, 40);
  EXPECT_EQ(app.view.viewport.selection.system, "");
  EXPECT_FALSE(menu_is_open());
}

TEST_F(WindowClicks, ARightClickSelectsAndOpensTheMenu) {
  click(place_of(0), ImGuiMouseButton_Right);
  EXPECT_EQ(app.view.viewport.selection.system, school().name);
  EXPECT_TRUE(menu_is_open());
}

TEST(PickedPlots, ElementsAndValuesAreToldApartInTheLegendOnlyWhereTheyDiffer) {
  Node scene = api::new_scene();
  add_child(scene, "system", "particles", "dust");
  const PickedValue speed{"dust", 3, "dust, particle 3", "Speed", "m/s", "speed", {{"", Quantity::channel}}};
  PickedPlots plots;
  plots.toggle(scene, speed);
  const auto text = [&](std::size_t curve, const char* param) {
    return std::get<std::string>(plots.nodes()[0].all("curve").at(curve)->value(param));
  };
  EXPECT_EQ(std::get<std::string>(plots.nodes()[0].value("title")), "Speed, dust, particle 3");
  EXPECT_EQ(text(0, "label"), "Speed");
  EXPECT_EQ(text(0, "channel"), "speed");
  plots.toggle(scene, {"dust", 4, "dust, particle 4", "Speed", "m/s", "speed", {{"", Quantity::channel}}});
  EXPECT_EQ(std::get<std::string>(plots.nodes()[0].value("title")), "Speed");
  EXPECT_EQ(text(1, "label"), "dust, particle 4");
  plots.toggle(scene, {"dust",
                       4,
                       "dust, particle 4",
                       "Velocity",
                       "m/s",
                       {},
                       {{"x", Quantity::velocity_x}, {"y", Quantity::velocity_y}}});
  EXPECT_EQ(text(2, "label"), "Velocity x, dust, particle 4");
  plots.toggle(scene, {"dust",
                       5,
                       "dust, particle 5",
                       "Drift",
                       "m/s",
                       {},
                       std::vector<PickedValue::Part>(5, {"x", Quantity::velocity_x})});
  EXPECT_EQ(plots.nodes().size(), 2U) << "a plot has at most eight curves";
  EXPECT_TRUE(plots.holds(speed));
  plots.toggle(scene, speed);
  EXPECT_FALSE(plots.holds(speed));
  plots.toggle(scene, {"dust", 3, "dust, particle 3", "From mud", "N", "grains", {{"x", Quantity::vector_x}}});
  plots.toggle(scene, {"dust", 3, "dust, particle 3", "From mud", "N", "springs", {{"x", Quantity::vector_x}}});
  const Node& forces = plots.nodes().back();
  ASSERT_EQ(forces.all("curve").size(), 2U);
  EXPECT_NE(forces.all("curve")[0]->name, forces.all("curve")[1]->name) << "the plot must be able to join the scene";
  plots.fit(api::new_scene());
  EXPECT_TRUE(plots.nodes().empty()) << "the plots must be removed with their system";
}

}  // namespace
}  // namespace vw::ui
#endif
