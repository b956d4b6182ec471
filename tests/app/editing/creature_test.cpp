// Makes a whole scene in the window with mouse and keys, as a user does: from a new tank of water to a swimming
// creature, with a floating box, wind, particles, a plot and a video. Each click, drag, key or typed text counts as one
// action.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

#include "app/window/gizmo/gizmo.h"
#include "render/gl/context.h"
#include "sim/api/open_scene.h"
#include "sim/api/run.h"
#include "sim/base/parallel/parallel.h"
#include "sim/scene/scene.h"
#include "tests/app/window/input.h"
#include "tests/support/checked.h"
#include "tests/support/scratch.h"

namespace vw::ui {
namespace {

class WindowCreature : public WindowInput {
 protected:
  void TearDown() override {
    app.view.viewport.release_gl();
    app.view.renderer = nullptr;
    context = nullptr;
    WindowInput::TearDown();
  }

  [[nodiscard]] const Node& root() const { return app.session.document->root(); }
  [[nodiscard]] float left_edge() const { return em(app.ui.layout.left_em); }

  void press_button(std::string_view text) {
    ++actions;
    click(app, text);
  }
  void press_key(int key, std::vector<int> modifiers = {}) {
    ++actions;
    press(app, key, std::move(modifiers));
  }
  void select_row(std::string_view node) {
    ++actions;
    const auto is_in_tree = [&] { return !texts_beside(app, node).empty(); };
    for (int i = 0; i < 40 && !is_in_tree(); ++i) turn_wheel(app, {0.5F * left_edge(), 150}, -1);
    click(app, row_of(app, node));
  }
  /// Turns the wheel over the parameters until the label is visible. This counts as one action.
  void scroll_to(std::string_view label) {
    if (!texts_beside(app, label).empty()) return;
    ++actions;
    for (int i = 0; i < 40 && texts_beside(app, label).empty(); ++i) turn_wheel(app, {0.5F * left_edge(), 800}, -1);
    // scrolls the label away from the edge of the panel
    for (int i = 0; i < 3; ++i) turn_wheel(app, {0.5F * left_edge(), 800}, -1);
    ASSERT_FALSE(texts_beside(app, label).empty()) << label;
  }
  /// Types a number into a field of the inspector. If the row has several fields, `component` counts them from the
  /// right.
  void enter(std::string_view label, std::string_view number, std::size_t component = 0) {
    scroll_to(label);
    const auto fields = texts_beside(app, label);
    ASSERT_GT(fields.size(), component) << label;
    actions += 2;
    hold_key(app, GLFW_KEY_LEFT_CONTROL, true);  // a click on a bar sets its value, unless Ctrl is held
    click(app, fields[fields.size() - 1 - component]);
    hold_key(app, GLFW_KEY_LEFT_CONTROL, false);
    type(app, number);
    press(app, GLFW_KEY_ENTER);
  }
  void enter(std::string_view label, const std::array<std::string_view, 3>& numbers) {
    for (std::size_t i = 0; i < 3; ++i) enter(label, numbers[i], 2 - i);
  }
  /// Chooses `value` in the list of a parameter.
  void choose(std::string_view label, std::string_view value) {
    scroll_to(label);
    const auto fields = texts_beside(app, label);
    const float x = fields.empty() ? 0.6F * left_edge() : fields.back().x;
    actions += 2;
    click(app, ImVec2{x, fields.empty() ? 0 : fields.back().y});
    click(app, value);
  }
  /// Adds a node with the plus button beside the search field and the menus that follow. Waits until the node exists.
  void add(const std::vector<std::string_view>& menu) {
    add_at({left_edge() - ImGui::GetStyle().WindowPadding.x - em(0.75F), place_of("Search parameters").y}, menu);
  }
  /// Adds a child node with the plus button above the parameters of the selected node. Waits until the node exists.
  void add_child_node(const std::vector<std::string_view>& menu) {
    add_at({ImGui::GetStyle().WindowPadding.x + em(0.75F), place_of("Presets").y}, menu);
  }
  void add_at(ImVec2 plus, const std::vector<std::string_view>& menu) {
    const std::uint64_t before = app.session.document->revision();
    ++actions;
    click(app, plus);
    for (const std::string_view item : menu) {
      ++actions;
      click(app, item);
      frames(app, 20);  // a submenu opens after a delay
    }
    const auto is_added = [&] {
      if (app.session.document->revision() == before) frame_of(app);
      return app.session.document->revision() != before;
    };
    if (!test::in_time(is_added)) throw std::runtime_error("not added: " + std::string(menu.back()));
    frames(app, 4);
  }

  VoxelEditor& editor() { return *app.view.voxel_editor; }
  ImVec2 in_editor(const Vec3& place) {
    const float left = left_edge(), top = ImGui::GetFrameHeight();
    const ImVec2 size{ImGui::GetIO().DisplaySize.x - left - em(app.ui.layout.right_em),
                      ImGui::GetIO().DisplaySize.y - top - em(3.3F)};
    const glm::vec2 pixel = GizmoPicture{editor().camera(), {size.x, size.y}}.project(place);
    return {left + pixel.x, top + pixel.y};
  }
  void draw_box(const Vec3& from, const Vec3& to) {
    ++actions;
    drag_and_drop(app, in_editor(from), in_editor(to));
  }

  int actions = 0;
  test::Scratch scratch;
  std::unique_ptr<OffscreenContext> context;
  App app{WindowOptions{}};
};

TEST_F(WindowCreature, IsMadeInATankAndSwimsUnderAtMost150Actions) {
  frames(app);
  open_menu(app, "File");
  press_button("New");
  frames(app, 20);
  press_button("Tank of water");
  frames_until(app,
               [&] { return app.session.run != nullptr && app.session.have_snapshot && !app.session.loader.busy(); });
  actions += 1;  // counts the action that opens the menu
  press_key(GLFW_KEY_SPACE);
  ASSERT_FALSE(app.session.playing);

  add({"Add system", "Voxel body"});
  ASSERT_NE(root().find("system", "voxel_body"), nullptr);
  enter("Size", {"18", "5", "2"});
  enter("Voxel size", "0.02");
  enter("Position", {"0.02", "0.05", "-0.02"});

  // The fish is cut out of the block. Only its tail fin keeps the full height.
  press_button("Edit voxels");
  ASSERT_NE(app.view.voxel_editor, nullptr);
  frames(app, 4);
  press_button("y"), press_button("z");  // mirror strokes in y and z
  press_button("Remove");
  press_button("Box");
  const auto side = editor().camera().eye.z > editor().camera().target.z ? 2.0 : 0.0;
  draw_box({0.5, 4.5, side}, {14.5, 4.5, side});
  draw_box({12.5, 3.5, side}, {14.5, 3.5, side});
  press_button("y"), press_button("z");
  press_button("Add");
  press_button("Muscles and painted values");
  press_button("phase [cycles]");
  press_button("muscle");
  press_button("Strokes paint this value");
  press_button("New muscle");
  draw_box({2.5, 1.5, side}, {11.5, 3.5, side});
  ++actions;
  const ImVec2 aside{left_edge() + 40, 800};
  drag(app, aside, {aside.x + 393, aside.y}, 1);  // turns the camera by half a turn
  press_button("New muscle");
  draw_box({2.5, 1.5, 2 - side}, {11.5, 3.5, 2 - side});
  press_button("Done");
  frames_until(app, [&] { return root().all("actuator").size() == 2; });
  const Node& fish = *root().find("system", "voxel_body");
  ASSERT_EQ(fish.all("muscle").size(), 2U);
  std::size_t voxels = 0;
  for (const std::string& layer : std::get<TextList>(fish.value("layers")))
    voxels += static_cast<std::size_t>(std::ranges::count(layer, '1'));
  EXPECT_EQ(voxels, 180U - 60U - 12U);
  for (const Node* muscle : fish.all("muscle")) {
    const NumberList& cells = std::get<NumberList>(muscle->value("cells"));
    EXPECT_EQ(std::ranges::count(cells, 1.0), 30);
  }
  frames(app, 4);
  for (const char* wave : {"voxel_body-muscle-1", "voxel_body-muscle-2"}) {
    select_row(wave);
    enter("Amplitude", "0.15");
    enter("Frequency", "2");
  }

  ++actions;
  for (int i = 0; i < 40; ++i) turn_wheel(app, {0.5F * left_edge(), 150}, 1);  // scrolls to the top of the tree
  select_row("material");
  enter("Young's modulus", "200000");

  add({"Add system", "Rigid"});
  add_child_node({"Add body", "Box"});
  enter("Position", {"-0.2", "0.3", "0"});
  enter("Density", "400");
  enter("Size", {"0.08", "0.05", "0.08"});

  add({"Add field", "Gust"});
  add({"Add system", "Particles"});
  add_child_node({"Add emitter", "Box"});
  enter("Position", {"0", "0.8", "0"});

  add({"Add plot"});
  add_child_node({"Add curve", "Measured"});
  choose("System", "Voxel body");
  choose("Quantity", "Distance");
  frames(app);
  EXPECT_TRUE(is_shown("Plots")) << "the tab must appear with the first plot";
  for (const auto& message : app.log.messages())
    EXPECT_FALSE(message.text.starts_with("The world restarts")) << "additions must not restart it: " << message.text;
  // While the world is at its start, edited sizes and positions take effect without a manual reset.
  frames_until(app, [&] { return !app.session.reset_needed(); });
  EXPECT_EQ(app.session.run->newest().health.sentence, "");
  press_key(GLFW_KEY_SPACE);
  frames_until(app, [&] { return app.session.run->newest().step > 60; });

  // The user records a video in full HD, which needs OpenGL.
  if (auto made = OffscreenContext::create()) {
    context = std::move(*made);
    app.view.renderer = test::checked(Renderer::create());
    press_button("Capture");
    press_button("HD (1280 x 720)");
    press_button("Full HD (1920 x 1080)");
    press_button("By simulated time");
    app.view.capture.folder = scratch.folder();
    press_button("Record video (F9)");
    EXPECT_TRUE(is_shown("starting\xE2\x80\xA6")) << "the window shows at once that the recording begins";
    pump_recording(app, 1600, 1000);
    EXPECT_EQ(app.view.recorder.frames(), 0U) << "the window is drawn once more before the first picture";
    frames_until(app, [&] {
      pump_recording(app, 1600, 1000);
      return app.view.recorder.frames() >= 3;  // llvmpipe draws one in 2 s
    });
    press_button("Stop recording (F9)");
  }
  press_key(GLFW_KEY_SPACE);

  // The saved scene must open. Its run must have the same bits on one thread and on two.
  const std::string file = scratch.path("creature.toml");
  actions += 3;  // Ctrl + S, a name, Enter
  save_as(app, file);
  frames(app);
  EXPECT_FALSE(app.session.document->modified());
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2}) {
    set_thread_count(threads);
    api::Run run = test::checked(api::Run::create(test::checked(api::open_scene(file))));
    const Vec3 start = test::checked(run.diagnostics("voxel_body")).center_of_mass;
    ASSERT_TRUE(run.step(240));
    hashes.push_back(run.hash());
    const Vec3 way = test::checked(run.diagnostics("voxel_body")).center_of_mass - start;
    EXPECT_LT(way.x(), -0.03) << "the creature must have swum ahead in 2 s: " << way.transpose();
  }
  set_thread_count(0);
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_LE(actions, 150);
  RecordProperty("actions", actions);
}

}  // namespace
}  // namespace vw::ui
#endif
