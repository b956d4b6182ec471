// The panels of the interface, driven by synthetic mouse and keyboard input without a display.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include <algorithm>

#include <imgui_internal.h>

#include "app/window/labels/param_style.h"
#include "app/window/labels/quantity_labels.h"
#include "app/window/ui/panels/param_rows.h"
#include "app/window/ui/widgets/plot.h"
#include "sim/api/open_scene.h"
#include "tests/app/window/frames.h"

namespace vw::ui {
namespace {

Node scene_of_everything() {
  Node scene = api::new_scene();
  for (const Slot& slot : scene.schema->slots)
    if (slot.many)
      for (const Schema* kind : slot.kinds) add_child(scene, slot.name, kind->kind, kind->kind);
  return scene;
}

/// Returns the centre of the log's tab in the most recent frame. The log is the last tab of its bar.
ImVec2 log_tab() {
  ImVec2 at{0, 0};
  for (int i = 0; i < GImGui->TabBars.GetMapSize(); ++i)
    if (ImGuiTabBar* bar = GImGui->TabBars.TryGetMapData(i); bar != nullptr && !bar->Tabs.empty())
      at = {bar->BarRect.Min.x + bar->Tabs.back().Offset + 0.5F * bar->Tabs.back().Width,
            0.5F * (bar->BarRect.Min.y + bar->BarRect.Max.y)};
  return at;
}

class WindowPanels : public WindowFrames {
 protected:
  void SetUp() override {
    WindowFrames::SetUp();
    ImGui::GetIO().DisplaySize = {1600, 4000};  // tall enough that nothing is scrolled out of view
  }

  template <class F>
  void frame(F body) {
    ImGuiIO& io = ImGui::GetIO();
    io.DeltaTime = 1.0F / 60;
    feed_input(io, queue.take_frame());
    ImGui::NewFrame();
    body();
    ImGui::Render();
  }

  /// Draws the parameter rows of one node in a window of their own. Edits change the document, as they do in the
  /// panels.
  void rows_frame(Document& document, const Node& node, const std::string& path) {
    frame([&] {
      ImGui::SetNextWindowPos({0, 0});
      ImGui::SetNextWindowSize({500, 4000});
      ImGui::Begin("rows");
      rows = ParamRows{};
      rows.document = &document;
      rows.text_buffers = &buffers;
      rows.typed_values = &typed;
      draw_rows(rows, node, path);
      ImGui::End();
    });
    for (const Assignment& edit : rows.edits) {
      const auto checked = document.edit(edit.path, edit.value);
      ASSERT_TRUE(checked) << checked.error().message();
      commands.insert(commands.end(), checked->begin(), checked->end());
    }
    if (!ImGui::IsAnyItemActive()) document.end_gesture();
  }

  ImVec2 place(const std::string& path, float across) const {
    const auto at = std::find_if(rows.placed.begin(), rows.placed.end(), [&](const auto& p) { return p.path == path; });
    EXPECT_NE(at, rows.placed.end()) << path;
    if (at == rows.placed.end()) return {0, 0};
    return {at->min.x + across * (at->max.x - at->min.x), (at->min.y + at->max.y) / 2};
  }
  void mouse_to(ImVec2 p) {
    queue.push({InputEvent::Kind::move, static_cast<double>(p.x), static_cast<double>(p.y), 0, false});
  }
  void button(bool down) { queue.push({InputEvent::Kind::button, 0, 0, 0, down}); }
  void key(int code, bool down) { queue.push({InputEvent::Kind::key, 0, 0, code, down}); }

  InputQueue queue;
  ParamRows rows;
  std::unordered_map<std::string, std::string> buffers;
  std::unordered_map<std::string, Value> typed;
  std::vector<Assignment> commands;
};

TEST_F(WindowPanels, EveryDeclaredParameterHasARow) {
  Document document(scene_of_everything());
  Node copy = document.root();
  std::size_t shown = 0;
  const std::function<void(const Node&, const std::string&)> visit = [&](const Node& node, const std::string& path) {
    rows_frame(document, node, path);
    EXPECT_EQ(rows.placed.size(), node.schema->params.size()) << path;
    EXPECT_TRUE(rows.edits.empty()) << path << ": drawing alone must not edit";
    shown += rows.placed.size();
    for (const Node& child : node.children) visit(child, child_path(node, path, child));
  };
  visit(document.root(), {});
  EXPECT_EQ(shown, all_parameters(copy).size());
  EXPECT_GT(shown, 60U);
}

TEST_F(WindowPanels, DraggingASliderEditsWithinItsBoundsAndIsOneUndoStep) {
  Document document(scene_of_everything());
  const auto world = [&] { rows_frame(document, *document.root().only("world"), "world"); };
  world();
  mouse_to(place("world.dt", 0.5F));
  world();
  button(true);
  world();
  for (const float across : {0.6F, 0.8F, 1.5F}) {  // the last position is beyond the end of the track
    mouse_to(place("world.dt", across));
    world();
  }
  button(false);
  world();
  world();
  ASSERT_FALSE(commands.empty());
  for (const Assignment& command : commands) EXPECT_EQ(command.path, "world.dt");
  const double dt = std::get<double>(*document.value("world.dt"));
  EXPECT_EQ(std::get<double>(commands.back().value), dt);
  EXPECT_NEAR(dt, 1, 1e-6) << "the declared maximum";
  document.undo();
  EXPECT_EQ(std::get<double>(*document.value("world.dt")), 1.0 / 120);
  EXPECT_FALSE(document.can_undo());
}

TEST_F(WindowPanels, ATypedNumberCountsWhenItIsFinishedNotBefore) {
  Document document(scene_of_everything());
  const auto world = [&] { rows_frame(document, *document.root().only("world"), "world"); };
  world();
  constexpr int control = 341, enter = 257;  // GLFW key codes
  mouse_to(place("world.max_substeps", 0.5F));
  world();
  key(control, true);
  button(true);
  button(false);
  for (int i = 0; i < 3; ++i) world();
  key(control, false);
  world();
  for (const char c : std::string("250")) {
    queue.push({InputEvent::Kind::text, 0, 0, c, false});
    world();
  }
  EXPECT_TRUE(commands.empty()) << "2 and 25 must not reach the world";
  key(enter, true);
  key(enter, false);
  for (int i = 0; i < 3; ++i) world();
  ASSERT_EQ(commands.size(), 1U);
  EXPECT_EQ(std::get<std::int64_t>(*document.value("world.max_substeps")), 250);
}

TEST_F(WindowPanels, EscDiscardsATypedNumber) {
  Document document(scene_of_everything());
  const auto world = [&] { rows_frame(document, *document.root().only("world"), "world"); };
  const Value before = *document.value("world.max_substeps");
  world();
  constexpr int control = 341, escape = 256;  // GLFW key codes
  mouse_to(place("world.max_substeps", 0.5F));
  world();
  key(control, true);
  button(true);
  button(false);
  for (int i = 0; i < 3; ++i) world();
  key(control, false);
  world();
  for (const char c : std::string("250")) {
    queue.push({InputEvent::Kind::text, 0, 0, c, false});
    world();
  }
  key(escape, true);
  key(escape, false);
  for (int i = 0; i < 3; ++i) world();
  EXPECT_TRUE(commands.empty());
  EXPECT_TRUE(typed.empty());
  EXPECT_TRUE(same_value(*document.value("world.max_substeps"), before));
}

TEST_F(WindowPanels, EscAfterADoubleClickKeepsAllDigits) {
  Document document(scene_of_everything());
  const auto world = [&] { rows_frame(document, *document.root().only("world"), "world"); };
  world();
  constexpr int escape = 256;  // GLFW key code
  mouse_to(place("world.dt", 0.5F));
  world();
  for (const bool down : {true, false, true, false}) button(down);
  for (int i = 0; i < 6; ++i) world();
  EXPECT_FALSE(commands.empty()) << "the first click sets the value at the pointer";
  key(escape, true);
  key(escape, false);
  for (int i = 0; i < 3; ++i) world();
  EXPECT_EQ(std::get<double>(*document.value("world.dt")), 1.0 / 120);
}

TEST_F(WindowPanels, ANumberWhoseFieldDisappearsWhileItIsTypedIsApplied) {
  App app(WindowOptions{});
  app.session.document = std::make_unique<Document>(scene_of_everything(), "everything.toml");
  app.ui.layout.selected_path = "system.particles";
  app.ui.typed_values["world.dt"] = Value(0.02);
  app.ui.text_buffers["title"] = "Renamed";
  frame([&] { draw_interface(app); });
  EXPECT_EQ(std::get<double>(*app.session.document->value("world.dt")), 0.02);
  EXPECT_EQ(std::get<std::string>(*app.session.document->value("title")), "Renamed");
  EXPECT_TRUE(app.ui.typed_values.empty());
  EXPECT_TRUE(app.ui.text_buffers.empty());
}

TEST_F(WindowPanels, ATypedNumberOutOfItsRangeIsRefusedAndTheRangeIsNamed) {
  App app(WindowOptions{});
  app.session.document = std::make_unique<Document>(scene_of_everything(), "everything.toml");
  const double before = std::get<double>(*app.session.document->value("world.dt"));
  const auto frame_of_rows = [&] {
    frame([&] {
      ImGui::SetNextWindowPos({0, 0});
      ImGui::SetNextWindowSize({500, 4000});
      ImGui::Begin("rows");
      rows = ParamRows{};
      rows.document = app.session.document.get();
      rows.text_buffers = &app.ui.text_buffers;
      rows.typed_values = &app.ui.typed_values;
      draw_rows(rows, *app.session.document->root().only("world"), "world");
      ImGui::End();
    });
    edit(app, rows.edits);
  };
  frame_of_rows();
  constexpr int control = 341, enter = 257;  // GLFW key codes
  mouse_to(place("world.dt", 0.5F));
  frame_of_rows();
  key(control, true);
  button(true);
  button(false);
  for (int i = 0; i < 3; ++i) frame_of_rows();
  key(control, false);
  frame_of_rows();
  for (const char c : std::string("777")) {
    queue.push({InputEvent::Kind::text, 0, 0, c, false});
    frame_of_rows();
  }
  key(enter, true);
  key(enter, false);
  for (int i = 0; i < 3; ++i) frame_of_rows();
  EXPECT_EQ(std::get<double>(*app.session.document->value("world.dt")), before)
      << "the number must be neither applied nor limited to the range";
  ASSERT_FALSE(app.log.messages().empty());
  const Message said = app.log.messages().back();
  EXPECT_EQ(said.level, Level::error);
  EXPECT_NE(said.text.find("world.dt"), std::string::npos) << said.text;
  EXPECT_NE(said.text.find("777"), std::string::npos) << said.text;
}

TEST_F(WindowPanels, TheArrowBehindAValueLeadsToTheValueAsOpenedThenToTheDefault) {
  Node scene = scene_of_everything();
  ASSERT_TRUE(set_parameter(scene, "world.dt", Value(0.02)));
  Document document(scene);
  ASSERT_TRUE(document.edit("world.dt", Value(0.03)));
  document.end_gesture();
  const auto world = [&] { rows_frame(document, *document.root().only("world"), "world"); };
  const auto click_arrow = [&] {
    world();
    const auto at = std::ranges::find(rows.placed, "world.dt", &ParamRows::Placed::path);
    mouse_to({at->max.x + ImGui::GetStyle().CellPadding.x * 2 + 0.6F * 15, (at->min.y + at->max.y) / 2});
    world();
    button(true);
    button(false);
    for (int i = 0; i < 3; ++i) world();
  };
  click_arrow();
  EXPECT_EQ(std::get<double>(*document.value("world.dt")), 0.02) << "the first click must restore the value as opened";
  click_arrow();
  EXPECT_EQ(std::get<double>(*document.value("world.dt")), 1.0 / 120)
      << "the second click must set the program's default";
}

/// Fixture that has typed "gravity" into the search box.
class WindowSearch : public WindowPanels {
 protected:
  void SetUp() override {
    WindowPanels::SetUp();
    app.session.document = std::make_unique<Document>(scene_of_everything(), "everything.toml");
    draw();
    click({100, ImGui::GetFrameHeight() + 20});
    for (const char c : std::string("gravity")) {
      queue.push({InputEvent::Kind::text, 0, 0, c, false});
      draw();
    }
    ASSERT_EQ(app.ui.layout.filter, "gravity");
  }
  void draw() {
    frame([&] { draw_interface(app); });
  }
  void click(ImVec2 at) {
    mouse_to(at);
    draw();
    button(true);
    draw();
    button(false);
    for (int i = 0; i < 3; ++i) draw();
  }
  App app{WindowOptions{}};
};

TEST_F(WindowSearch, EscapeClearsTheSearch) {
  constexpr int escape = 256;
  key(escape, true);
  key(escape, false);
  for (int i = 0; i < 3; ++i) draw();
  EXPECT_EQ(app.ui.layout.filter, "");
}

TEST_F(WindowSearch, TheButtonBesideItClearsTheSearch) {
  const float em = ImGui::GetFontSize(), right = app.ui.layout.left_em * em;
  click({right - 4 * em, ImGui::GetFrameHeight() + 20});
  EXPECT_EQ(app.ui.layout.filter, "");
}

TEST_F(WindowPanels, FollowingNothingSaysWhatIsMissing) {
  App app(WindowOptions{});
  app.session.document = std::make_unique<Document>(scene_of_everything(), "everything.toml");
  toggle_follow(app);
  ASSERT_FALSE(app.log.messages().empty());
  EXPECT_NE(app.log.messages().back().text.find("elect"), std::string::npos) << app.log.messages().back().text;
  EXPECT_TRUE(app.log.messages().back().toast);
}

TEST_F(WindowPanels, AZeroWithASpecialMeaningIsExplained) {
  ParamSpec mass;
  mass.doc = "Mass, spread evenly. 0 means automatic, from the density.";
  EXPECT_EQ(zero_doc(mass), "automatic");
  mass.doc = "10 means never less.";
  EXPECT_EQ(zero_doc(mass), "");
}

TEST_F(WindowPanels, ChoicesHaveLabels) {
  EXPECT_EQ(choice_label("kinetic_energy"), "Kinetic energy");
  EXPECT_EQ(choice_label("automatic"), "Automatic");
  EXPECT_EQ(choice_label("dfsph"), "DFSPH");
  EXPECT_EQ(choice_label("strain_von_mises"), "Strain (von Mises)");
  EXPECT_EQ(choice_label("xy"), "xy");
}

TEST_F(WindowPanels, ASpeedBeyondItsRangeIsReported) {
  App app(WindowOptions{});
  app.session.document = std::make_unique<Document>(scene_of_everything(), "everything.toml");
  set_speed(app, 1e-9);
  EXPECT_EQ(std::get<double>(*app.session.document->value("world.speed")), 1e-3);
  EXPECT_NE(app.log.messages().back().text.find("slowest speed"), std::string::npos);
  EXPECT_TRUE(app.log.messages().back().toast);
  set_speed(app, 1e9);
  EXPECT_EQ(std::get<double>(*app.session.document->value("world.speed")), 1e3);
  EXPECT_NE(app.log.messages().back().text.find("highest speed"), std::string::npos);
  EXPECT_FALSE(app.session.document->modified()) << "the playback speed must not count as an edit";
}

TEST_F(WindowPanels, ToastsStandAboveTheLegendsWhereThePictureIsNarrow) {
  frame([&] {
    Layout layout;
    layout.legends_height = 100;
    layout.legends_width = 250;
    const float beside = toast_bottom(layout, {0, 0}, {900, 700}, 450),
                above = toast_bottom(layout, {0, 0}, {590, 700}, 450);
    EXPECT_GT(beside, 680);
    EXPECT_NEAR(above, beside - 100, 1e-3F);
    layout.legends_height = 5000;
    EXPECT_GT(toast_bottom(layout, {0, 0}, {590, 700}, 450), 200) << "toasts must stay inside the picture";
  });
}

TEST(WindowCapture, ASlowSimulationIsRecordedBySimulatedTimeUntilTheUserChooses) {
  CaptureSettings capture;
  Snapshot now;
  now.paused = false;
  now.asked_speed = 1;
  now.realtime_factor = 0.2;
  choose_timing(capture, now);
  EXPECT_TRUE(capture.record.by_simulated_time);
  now.realtime_factor = 1;
  choose_timing(capture, now);
  EXPECT_FALSE(capture.record.by_simulated_time);
  now.asked_speed = 0.25;
  now.realtime_factor = 0.25;
  choose_timing(capture, now);
  EXPECT_FALSE(capture.record.by_simulated_time) << "the user has requested this low speed";
  now.realtime_factor = 0.1;
  capture.timing_chosen = true;
  choose_timing(capture, now);
  EXPECT_FALSE(capture.record.by_simulated_time) << "the choice of the user must be kept";
}

TEST_F(WindowPanels, AFastClickTogglesACheckboxOnce) {
  Document document(scene_of_everything());
  const auto view = [&] { rows_frame(document, *document.root().only("view"), "view"); };
  view();
  ASSERT_FALSE(std::get<bool>(*document.value("view.vectors")));
  const ImVec2 box = place("view.vectors", 0.05F);
  mouse_to({box.x, box.y});
  button(true);
  button(false);  // the release follows within the same frame
  for (int i = 0; i < 4; ++i) view();
  ASSERT_EQ(commands.size(), 1U);
  EXPECT_TRUE(std::get<bool>(*document.value("view.vectors")));
}

TEST_F(WindowPanels, TextIsCommittedWhenTheFieldIsLeftNotBefore) {
  Document document(scene_of_everything());
  const auto about = [&] { rows_frame(document, document.root(), {}); };
  about();
  mouse_to(place("title", 0.5F));
  button(true);
  button(false);
  for (int i = 0; i < 4; ++i) about();
  for (const char c : std::string("Wake")) {
    queue.push({InputEvent::Kind::text, 0, 0, c, false});
    about();
  }
  EXPECT_TRUE(commands.empty());
  mouse_to({490, 3900});
  button(true);
  button(false);
  for (int i = 0; i < 4; ++i) about();
  ASSERT_EQ(commands.size(), 1U);
  EXPECT_EQ(std::get<std::string>(*document.value("title")), "Wake");
}

TEST_F(WindowPanels, TheWholeInterfaceDrawsWithoutASceneAndWithOne) {
  App app(WindowOptions{});
  for (int i = 0; i < 3; ++i) frame([&] { draw_interface(app); });
  app.session.document = std::make_unique<Document>(scene_of_everything(), "everything.toml");
  app.ui.layout.help = true;
  for (const auto tab : {Layout::Tab::view, Layout::Tab::air, Layout::Tab::rules, Layout::Tab::statistics,
                         Layout::Tab::capture, Layout::Tab::log}) {
    app.ui.layout.open_tab = tab;
    for (int i = 0; i < 3; ++i) frame([&] { draw_interface(app); });
  }
  app.ui.layout.filter = "gravity";
  for (int i = 0; i < 3; ++i) frame([&] { draw_interface(app); });
  EXPECT_FALSE(app.session.document->can_undo()) << "drawing alone must not edit";
  EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 1000);
}

TEST_F(WindowPanels, ADragInTheWholeInterfaceIsOneUndoStep) {
  App app(WindowOptions{});
  app.session.document = std::make_unique<Document>(scene_of_everything(), "everything.toml");
  const auto draw = [&] { frame([&] { draw_interface(app); }); };
  mouse_to({200, 4000 - 25});  // the pointer is over the speed slider of the transport bar
  draw();
  draw();
  button(true);
  draw();
  for (int i = 1; i <= 5; ++i) {
    mouse_to({200.0F + 5 * static_cast<float>(i), 4000 - 25});
    draw();
  }
  button(false);
  for (int i = 0; i < 3; ++i) draw();
  ASSERT_NE(std::get<double>(*app.session.document->value("world.speed")), 1.0);
  undo(app);
  EXPECT_EQ(std::get<double>(*app.session.document->value("world.speed")), 1.0);
  EXPECT_FALSE(app.session.document->can_undo());
}

TEST_F(WindowPanels, AClickOnATabRightAfterTheMouseCameFromElsewhereOpensIt) {
  App app(WindowOptions{});
  app.session.document = std::make_unique<Document>(scene_of_everything(), "everything.toml");
  app.ui.layout.right_em = 22;
  mouse_to({700, 1000});  // The pointer is over the picture.
  for (int i = 0; i < 3; ++i) frame([&] { draw_interface(app); });
  app.log.info("news");
  mouse_to(log_tab());
  button(true);
  button(false);
  for (int i = 0; i < 4; ++i) frame([&] { draw_interface(app); });
  EXPECT_EQ(app.ui.layout.log_seen, app.log.revision()) << "the log panel was drawn";
}

TEST_F(WindowPanels, AFastDoubleClickIsOneWhereFramesAreSlow) {
  mouse_to({100, 100});
  for (const bool down : {true, false, true, false}) button(down);
  bool seen = false;
  for (int i = 0; i < 6; ++i) {
    ImGuiIO& io = ImGui::GetIO();
    io.DeltaTime = 0.2F;
    feed_input(io, queue.take_frame());
    ImGui::NewFrame();
    seen = seen || ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    ImGui::Render();
  }
  EXPECT_TRUE(seen) << "the presses follow at once, although their frames are 0.4 s apart";
}

TEST_F(WindowPanels, TabClosesThePanelsAndLeavesTheKeysToShortcuts) {
  App app(WindowOptions{});
  app.session.document = std::make_unique<Document>(scene_of_everything(), "everything.toml");
  const auto draw = [&] { frame([&] { draw_interface(app); }); };
  constexpr int tab = 258;
  for (const bool open : {false, true}) {
    key(tab, true);
    key(tab, false);
    for (int i = 0; i < 4; ++i) draw();
    EXPECT_EQ(app.ui.layout.left, open);
    EXPECT_EQ(app.ui.layout.right, open);
    EXPECT_FALSE(ImGui::GetIO().WantTextInput) << "no text field must receive the key";
  }
}

TEST_F(WindowPanels, NamesOfTabsAreWholeInANarrowWindow) {
  ImGui::GetIO().DisplaySize = {900, 600};
  App app(WindowOptions{});
  app.session.document = std::make_unique<Document>(scene_of_everything(), "everything.toml");
  app.ui.layout.right_em = 28;  // the width of the right column if there are plots
  for (int i = 0; i < 3; ++i) frame([&] { draw_interface(app); });
  int seen = 0;
  for (int i = 0; i < GImGui->TabBars.GetMapSize(); ++i)
    if (ImGuiTabBar* bar = GImGui->TabBars.TryGetMapData(i))
      for (const ImGuiTabItem& item : bar->Tabs) {
        EXPECT_GE(item.Width, item.ContentWidth - 1) << bar->GetTabName(&item);
        ++seen;
      }
  EXPECT_EQ(seen, 7);
}

TEST_F(WindowPanels, ControlZTakesBackAnEdit) {
  App app(WindowOptions{});
  app.session.document = std::make_unique<Document>(scene_of_everything(), "everything.toml");
  edit(app, {{"world.speed", Value(0.5)}});
  frame([&] { draw_interface(app); });
  constexpr int control = 341, z = 90;  // GLFW key codes
  key(control, true);
  key(z, true);
  key(z, false);
  key(control, false);
  for (int i = 0; i < 3; ++i) frame([&] { draw_interface(app); });
  EXPECT_EQ(std::get<double>(*app.session.document->value("world.speed")), 1.0);
  EXPECT_TRUE(app.session.document->can_redo());
}

TEST_F(WindowPanels, ClosingWithUnsavedEditsAsksFirst) {
  App app(WindowOptions{});
  app.session.document = std::make_unique<Document>(scene_of_everything(), "everything.toml");
  const auto draw = [&] { frame([&] { draw_interface(app); }); };
  request_quit(app);
  EXPECT_TRUE(app.ui.quit) << "without unsaved edits, the window must close at once";
  app.ui.quit = false;
  edit(app, {{"world.dt", Value(0.01)}});
  request_quit(app);
  for (int i = 0; i < 3; ++i) draw();
  EXPECT_FALSE(app.ui.quit);
  constexpr int escape = 256;
  key(escape, true);
  key(escape, false);
  for (int i = 0; i < 3; ++i) draw();
  EXPECT_EQ(app.ui.pending.kind, Pending::Kind::none) << "closing must be cancelled";
  request_quit(app);
  resume_pending(app);  // the user has chosen "Don't save"
  EXPECT_TRUE(app.ui.quit);
}

TEST_F(WindowPanels, KeysDoNotActBehindTheDialogForMeshes) {
  App app(WindowOptions{});
  app.session.document = std::make_unique<Document>(scene_of_everything(), "everything.toml");
  const auto draw = [&] { frame([&] { draw_interface(app); }); };
  ask_about_mesh(app, "missing.obj");
  for (int i = 0; i < 3; ++i) draw();
  ASSERT_FALSE(app.ui.library.materials.open);
  constexpr int m = 77;  // GLFW key code of the key that opens the material library
  key(m, true);
  key(m, false);
  for (int i = 0; i < 3; ++i) draw();
  EXPECT_FALSE(app.ui.library.materials.open);
}

TEST_F(WindowPanels, OneQuestionIsAskedAtATime) {
  App app(WindowOptions{});
  app.session.document = std::make_unique<Document>(scene_of_everything(), "everything.toml");
  const auto draw = [&] { frame([&] { draw_interface(app); }); };
  edit(app, {{"world.dt", Value(0.01)}});
  ask_about_mesh(app, "missing.obj");
  request_quit(app);
  for (int i = 0; i < 3; ++i) draw();
  constexpr int escape = 256;
  key(escape, true);
  key(escape, false);
  for (int i = 0; i < 3; ++i) draw();
  EXPECT_EQ(app.ui.pending.kind, Pending::Kind::none) << "the question about unsaved edits must be open";
  EXPECT_FALSE(app.ui.import.mesh.empty()) << "the other dialog must wait";
  key(escape, true);
  key(escape, false);
  for (int i = 0; i < 3; ++i) draw();
  EXPECT_TRUE(app.ui.import.mesh.empty());
}

TEST(WindowPlot, TicksAreRoundAndInside) {
  EXPECT_EQ(round_ticks(0, 1, 5), (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
  for (const double tick : round_ticks(-3.3e-7, 9.1e-7, 4)) {
    EXPECT_GE(tick, -3.4e-7);
    EXPECT_LE(tick, 9.2e-7);
  }
  EXPECT_TRUE(round_ticks(1, 1, 5).empty());
}

TEST(WindowPlot, AFixedAxisGrowsToWhatIsMeasuredOrNamesWhatLeavesIt) {
  Plot plot;
  plot.y_range = std::pair(0.0, 1.0);
  plot.x = {0, 1, 2};
  plot.curves = {{"near", {}, {0.2, 1.5, 0.4}}};
  EXPECT_GT(y_axis(plot).high, 1.5);
  EXPECT_EQ(y_axis(plot).low, 0) << "the axis must grow only where it is needed";
  EXPECT_TRUE(y_axis(plot).beyond.empty());
  plot.curves.push_back({"far", {}, {0.1, 80, 0.1}});
  EXPECT_EQ(y_axis(plot).high, 1.0) << "a curve that diverges must not flatten the others";
  EXPECT_EQ(y_axis(plot).beyond, (std::vector<std::string>{"near", "far"}));
  plot.curves = {{"theory", {}, {0, 80, 0}}};
  plot.curves[0].stroke = Stroke::dashed;
  EXPECT_TRUE(y_axis(plot).beyond.empty()) << "theory alone must not widen the axis";
}

TEST(WindowPlot, NumbersCarrySiPrefixes) {
  EXPECT_EQ(si_number(0), "0 ") << "ends with a space, because a unit follows";
  EXPECT_EQ(si_number(12500), "12.5 k");
  EXPECT_EQ(si_number(-0.0032), "-3.2 m");
  EXPECT_EQ(si_number(1), "1 ");
}

}  // namespace
}  // namespace vw::ui
#endif
