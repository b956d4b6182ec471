// Guidance in the window: the start page, the tour, checks of the scene, costs of systems, and the texts of empty
// panels.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "app/window/labels/step_cost_text.h"
#include "tests/app/window/input.h"
#include "tests/support/packaged.h"
#include "tests/support/scratch.h"

namespace vw::ui {
namespace {

class WindowGuide : public WindowInput {
 protected:
  void SetUp() override {
    WindowInput::SetUp();
    ImGui::GetIO().DisplaySize = {1600, 1200};
    setenv("XDG_CONFIG_HOME", scratch.folder().c_str(), 1);
    setenv("XDG_CACHE_HOME", (scratch.folder() + "/cache").c_str(), 1);
    pool = scratch.write("pool.toml", R"(format = 1
title = "Light crate"
[[system]]
kind = "fluid"
name = "water"
spacing = 0.05
[[system.fill]]
kind = "box"
name = "pool"
[[system]]
kind = "rigid"
name = "things"
[[system.body]]
kind = "box"
name = "crate"
position = [0, 1, 0]
density = 50
)");
  }
  void TearDown() override {
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("XDG_CACHE_HOME");
    WindowInput::TearDown();
  }
  void open_paused(App& app, const std::string& path) {
    app.session.playing = false;
    open(app, path);
    frames_until(app, [&] { return app.session.document != nullptr && app.session.have_snapshot; });
    frames(app);
  }
  /// Lets wall time pass and draws frames until the checks include the last edit.
  void await_checks(App& app) {
    app.times.wall_s += 10;
    frames_until(app, [&] { return !app.ui.checks.is_busy(app.session.document->revision()); });
    frames(app);
  }
  /// Clicks on a text that makes a card of the tour appear. A new card is visible after two frames.
  void click_for_card(App& app, std::string_view text) {
    click(app, text);
    frames(app);
  }
  static ImVec2 card_of(const App& app, const std::string& group, const std::string& name) {
    for (const SceneGallery::Placed& card : app.ui.gallery.placed())
      if (card.group == group && card.name == name)
        return {(card.low.x + card.high.x) / 2, (card.low.y + card.high.y) / 2};
    ADD_FAILURE() << group << " has no card " << name;
    return {-1, -1};
  }

  test::Scratch scratch;
  std::string pool;
};

TEST_F(WindowGuide, TheStartPageOpensRecentScenesAndMakesNewOnes) {
  App app({});
  app.ui.recent.add(pool);
  frames(app);
  open_menu(app, "File");
  click(app, "Start page\xE2\x80\xA6");
  ASSERT_TRUE(app.ui.gallery.is_open());
  for (const char* group : {"Recent", "New from a template", "Overview"}) EXPECT_TRUE(is_shown(group)) << group;
  EXPECT_TRUE(is_shown("Light crate")) << "the title of the recent scene";
  app.session.playing = false;
  click(app, card_of(app, "Recent", "pool"));
  EXPECT_FALSE(app.ui.gallery.is_open());
  frames_until(app, [&] { return app.session.have_snapshot; });
  EXPECT_EQ(app.session.scene_name(), "pool");

  show_start_page(app);
  frames(app);
  click(app, card_of(app, "New from a template", "ground"));
  frames_until(app, [&] { return app.session.document->path().empty(); });
  EXPECT_EQ(app.session.scene_name(), "untitled");
}

TEST_F(WindowGuide, TheSearchOfTheStartPageCoversAllSections) {
  App app({});
  app.ui.recent.add(pool);
  show_start_page(app);
  frames(app);
  type(app, "crate rigid");
  const auto& cards = app.ui.gallery.placed();
  ASSERT_FALSE(cards.empty());
  EXPECT_EQ(cards.front().name, "pool");
  EXPECT_LT(cards.size(), app.ui.browser.packaged().size());
  type(app, " no such words");
  EXPECT_TRUE(app.ui.gallery.placed().empty());
  press(app, GLFW_KEY_ESCAPE);
  EXPECT_FALSE(app.ui.gallery.is_open());
}

TEST_F(WindowGuide, EnterInTheSearchDoesNotAnswerTheQuestionAboutUnsavedEdits) {
  App app({});
  open_paused(app, pool);
  edit(app, {{"world.gravity", Value(Vec3(0, -3, 0))}});
  ASSERT_TRUE(app.session.document->modified());
  show_start_page(app);
  frames(app);
  type(app, "floating-boxes");
  press(app, GLFW_KEY_ENTER);
  EXPECT_TRUE(app.ui.pending.kind == Pending::Kind::open);
  EXPECT_TRUE(app.session.document->modified()) << "the scene must not be saved without an answer";
  press(app, GLFW_KEY_ENTER);
  EXPECT_FALSE(app.session.document->modified()) << "the next Enter chooses Save";
}

TEST_F(WindowGuide, TheFileDialogAddsTheExtensionBeforeItLooksForTheFile) {
  App app({});
  app.ui.browser.open_for_saving(scratch.path("pool"));  // the file is pool.toml
  frames(app);
  EXPECT_TRUE(is_shown("Overwrite"));
}

TEST_F(WindowGuide, TheFileDialogAddsTheExtensionAlsoToANameWithADot) {
  scratch.write("pool 1.2.toml", "");
  App app({});
  app.ui.browser.open_for_saving(scratch.path("pool 1.2"));
  frames(app);
  EXPECT_TRUE(is_shown("Overwrite"));
}

TEST_F(WindowGuide, WithoutASceneThePanelsSayWhatToDo) {
  App app({});
  app.ui.layout.left_em = app.ui.layout.right_em = 44;
  ImGui::GetIO().DisplaySize = {3200, 1200};
  frames(app);
  EXPECT_TRUE(is_shown("No scene is open. Choose one on the start page, or drop a file onto the window."));
  struct Empty {
    Layout::Tab tab;
    const char* sentence;
  };
  for (const Empty& empty :
       {Empty{Layout::Tab::view, "No scene is open. Open one with Ctrl+O to set its view."},
        Empty{Layout::Tab::air, "No scene is open. Open one with Ctrl+O to see its air."},
        Empty{Layout::Tab::rules, "No scene is open. Open one with Ctrl+O to see its rules."},
        Empty{Layout::Tab::modes, "No scene is open. Open one with Ctrl+O to find its natural modes."},
        Empty{Layout::Tab::capture, "No scene is open. Open one with Ctrl+O to record pictures of it."},
        Empty{Layout::Tab::log, "No messages. Run a scene: warnings, errors and saved files are listed here."}}) {
    app.ui.layout.open_tab = empty.tab;
    frames(app);
    EXPECT_TRUE(is_shown(empty.sentence)) << empty.sentence;
  }
  click(app, "Start page");
  EXPECT_TRUE(app.ui.gallery.is_open());
}

TEST_F(WindowGuide, AFindingIsCountedThenListedAndItsButtonsSelectAndMend) {
  App app({});
  open_paused(app, pool);
  EXPECT_FALSE(app.session.document->can_undo());
  await_checks(app);
  ASSERT_EQ(app.ui.checks.findings().size(), 1U);
  EXPECT_TRUE(is_shown("1 check"));
  EXPECT_FALSE(is_shown("Select"));
  click(app, "1 check");
  click(app, "Select");
  EXPECT_EQ(app.ui.layout.selected_path, "system.things.body.crate");
  click(app, "Set the density to 500 kg/m\xC2\xB3");
  EXPECT_EQ(std::get<double>(*app.session.document->value("system.things.body.crate.density")), 500);
  await_checks(app);
  EXPECT_FALSE(is_shown("1 check")) << "the strip must be hidden if there are no findings";
  undo(app);
  EXPECT_EQ(std::get<double>(*app.session.document->value("system.things.body.crate.density")), 50);
  EXPECT_FALSE(app.session.document->can_undo()) << "the remedy must be one undo step";
  await_checks(app);
  EXPECT_TRUE(is_shown("1 check"));
}

TEST_F(WindowGuide, AMissingRuleIsAdded) {
  const std::string dry = scratch.write("dry.toml", R"(format = 1
[[system]]
kind = "fluid"
name = "water"
spacing = 0.05
[[system.fill]]
kind = "box"
name = "pool"
[[system]]
kind = "rigid"
name = "wet"
[[system.body]]
kind = "box"
name = "crate"
position = [0, 1, 0]
[[system]]
kind = "rigid"
name = "dry"
[[system.body]]
kind = "box"
name = "crate"
position = [1, 1, 0]
[[interaction]]
kind = "fluid_rigid"
name = "rule"
a = "water"
b = "wet"
)");
  App app({});
  open_paused(app, dry);
  await_checks(app);
  ASSERT_EQ(app.ui.checks.findings().size(), 1U);
  click(app, "1 check");
  const std::size_t rules = app.session.document->root().all("interaction").size();
  click(app, "Add the rule");
  frames_until(app, [&] { return app.session.document->root().all("interaction").size() == rules + 1; });
  await_checks(app);
  EXPECT_TRUE(app.ui.checks.findings().empty());
}

TEST_F(WindowGuide, TheInspectorShowsTheCostOfASystem) {
  App app({});
  open_paused(app, pool);
  single_step(app);
  frames_until(app, [&] { return app.session.snapshot()->step > 0; });
  app.ui.layout.selected_path = "system.things";
  frames(app);
  const Snapshot& now = *app.session.snapshot();
  const auto things = std::ranges::find(now.systems, "things", &SystemSnapshot::name);
  ASSERT_NE(things, now.systems.end());
  EXPECT_TRUE(is_shown("Cost: " + system_cost_text(now, *things)));
  app.ui.layout.selected_path = "system.things.body.crate";
  frames(app);
  EXPECT_FALSE(is_shown("Cost: " + system_cost_text(now, *things)));
}

TEST_F(WindowGuide, TheTourIsOfferedOnceAndGoesThroughFiveSteps) {
  App app({});
  offer_tour(app);
  frames(app);
  EXPECT_FALSE(is_shown("Start the tour")) << "the tour needs a scene";
  open_paused(app, pool);
  frames(app);
  click_for_card(app, "Start the tour");
  EXPECT_TRUE(is_shown("1 of 5: Look around"));
  click_for_card(app, "Next");
  EXPECT_EQ(app.ui.tour.position(), 1);
  (void)place_of("2 of 5: Run and pause");
  press(app, GLFW_KEY_SPACE);
  EXPECT_TRUE(app.session.playing);
  EXPECT_TRUE(is_shown("Done"));
  app.times.wall_s += 2;
  frames(app, 4);
  EXPECT_TRUE(is_shown("3 of 5: Drag with the mouse"));
  click_for_card(app, "Next");
  EXPECT_TRUE(is_shown("4 of 5: Change a parameter"));
  edit(app, {{"world.gravity", Value(Vec3(0, -1, 0))}});
  frames(app);
  EXPECT_TRUE(app.ui.tour.is_done());
  app.times.wall_s += 2;
  frames(app, 4);
  EXPECT_TRUE(is_shown("5 of 5: Record a picture"));
  EXPECT_FALSE(app.ui.preferences.tour_seen());
  click(app, "Finish");
  EXPECT_FALSE(app.ui.tour.is_active());
  EXPECT_TRUE(Preferences(config_folder()).tour_seen());
  offer_tour(app);
  EXPECT_FALSE(app.ui.offers_tour);
}

TEST_F(WindowGuide, TheTourIsSkippedAndStaysInTheHelpMenu) {
  App app({});
  offer_tour(app);
  open_paused(app, pool);
  frames(app);
  click(app, "Not now");
  EXPECT_FALSE(is_shown("Start the tour"));
  EXPECT_TRUE(app.ui.preferences.tour_seen());
  open_menu(app, "Help");
  click_for_card(app, "Tour");
  EXPECT_TRUE(is_shown("1 of 5: Look around"));
  click(app, "Skip");
  EXPECT_FALSE(app.ui.tour.is_active());
}

TEST_F(WindowGuide, TurningTheWheelOverThePictureIsLookingAround) {
  App app({});
  open_paused(app, pool);
  start_tour(app);
  frames(app);
  const ImVec2 corner = app.view.viewport.corner(), size = app.view.viewport.size();
  turn_wheel(app, {corner.x + size.x / 2, corner.y + size.y / 4});
  EXPECT_TRUE(app.ui.tour.is_done());
}

}  // namespace
}  // namespace vw::ui
#endif
