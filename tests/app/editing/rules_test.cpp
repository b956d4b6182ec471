// The rules matrix: interacting pairs, reasons for missing rules, switches, force arrows, and adding a rule with undo.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include <map>

#include <imgui_internal.h>

#include "app/window/document/scene_edit.h"
#include "sim/api/analysis/rule_matrix.h"
#include "sim/api/run.h"
#include "sim/base/files/file.h"
#include "sim/scene/scene.h"
#include "tests/app/window/frames.h"
#include "tests/support/scratch.h"

namespace vw::ui {
namespace {

/// Returns a voxel body and two particle clouds. A rule couples only one of the clouds to the body.
Node coupled_scene() {
  Node scene = api::new_scene();
  add_child(scene, "material", "voxel_material", "soft");
  add_child(scene, "system", "voxel_body", "block").set("size", Vec3(2, 2, 2));
  add_child(scene, "system", "particles", "dust");
  add_child(scene, "system", "particles", "sand");
  Node& rule = add_child(scene, "interaction", "particles_voxel_body", "meet");
  rule.set("a", std::string("sand"));
  return scene;
}

TEST(RuleMatrix, SaysOfEachPairWhatJoinsItOrCouldOrWhyNothingDoes) {
  const api::RuleMatrix matrix = api::rule_matrix(coupled_scene());
  ASSERT_EQ(matrix.systems.size(), 3U);
  ASSERT_EQ(matrix.cells.size(), 6U);
  EXPECT_EQ(matrix.at(2, 0).nodes, std::vector<std::string>{"meet"}) << "the rule couples sand and block";
  EXPECT_TRUE(matrix.at(2, 0).possible.empty());
  EXPECT_TRUE(matrix.at(1, 0).nodes.empty()) << "dust has no rule, because the rule names sand";
  ASSERT_EQ(matrix.at(1, 0).possible.size(), 1U);
  EXPECT_EQ(matrix.at(1, 0).possible[0]->kind, "particles_voxel_body");
  ASSERT_EQ(matrix.at(1, 1).possible.size(), 1U) << "particles of dust could collide with each other";
  EXPECT_EQ(matrix.at(1, 1).possible[0]->kind, "grains");
  EXPECT_TRUE(matrix.at(0, 0).possible.empty());
  EXPECT_TRUE(matrix.at(0, 0).by_itself) << "contact of a body with itself is a parameter of the body";
}

TEST(RuleMatrix, EveryPairOfKindsSaysWhatHappensAndSoDoWindAndObstacles) {
  Node scene = api::new_scene();
  for (const Slot& slot : scene.schema->slots)
    if (slot.name == "system")
      for (const Schema* kind : slot.kinds) add_child(scene, "system", kind->kind, kind->kind);
  add_child(scene, "field", "turbulence", "breeze");
  for (const char* name : {"floor", "wall"}) add_child(scene, "collider", "plane", name);
  const api::RuleMatrix matrix = api::rule_matrix(scene);
  ASSERT_EQ(matrix.surroundings.size(), 2U) << "all obstacles must share one row";
  EXPECT_EQ(matrix.row(matrix.rows() - 2).name, "breeze");
  ASSERT_EQ(matrix.columns(matrix.rows() - 1), matrix.systems.size());
  std::size_t seen = 0;
  for (std::size_t row = 0; row < matrix.rows(); ++row)
    for (std::size_t column = 0; column < matrix.columns(row); ++column, ++seen)
      EXPECT_GT(matrix.at(row, column).says.size(), 10U)
          << matrix.row(row).kind << " and " << matrix.systems[column].kind;
  EXPECT_EQ(seen, matrix.cells.size());
  EXPECT_EQ(&matrix.at(matrix.rows() - 1, matrix.systems.size() - 1), &matrix.cells.back());
}

TEST(RuleMatrix, ARuleThatIsAddedJoinsThatPairAloneUnderAFreeName) {
  Node scene = coupled_scene();
  add_child(scene, "interaction", "grains", "grains").set("a", std::string("sand"));
  const api::RuleMatrix before = api::rule_matrix(scene);
  ASSERT_FALSE(before.at(1, 1).possible.empty());
  const Node rule = rule_between(scene, *before.at(1, 1).possible[0], "dust", "dust");
  EXPECT_EQ(rule.name, "grains-2");
  scene.children.push_back(rule);
  const api::RuleMatrix after = api::rule_matrix(scene);
  EXPECT_EQ(after.at(1, 1).nodes, std::vector<std::string>{"grains-2"});
  EXPECT_TRUE(after.at(2, 1).nodes.empty() || after.at(2, 1).nodes == before.at(2, 1).nodes);
  const auto run = api::Run::create({"scene.toml", scene, {}, {}});
  EXPECT_TRUE(run) << run.error().message();
}

TEST(WindowDocumentStructure, ANodeThatIsAddedCanBeTakenBackAndAddedAgain) {
  const Node start = coupled_scene();
  Document document(start);
  const api::RuleMatrix matrix = api::rule_matrix(start);
  const Node rule = rule_between(start, *matrix.at(1, 1).possible.at(0), "dust", "dust");
  ASSERT_TRUE(document.change({{.node = rule}}));
  EXPECT_FALSE(document.change({{.node = rule}})) << "the name is in use";
  EXPECT_EQ(document.structure(), 1U);
  EXPECT_TRUE(document.modified());
  EXPECT_EQ(document.undo_name(), "interaction.grains");
  ASSERT_TRUE(document.edit("interaction.grains.enabled", Value(false)));
  const Node edited = document.root();
  document.undo();
  EXPECT_TRUE(document.undo().empty());
  EXPECT_EQ(document.structure(), 2U);
  EXPECT_TRUE(same_node(document.root(), start));
  EXPECT_FALSE(document.modified());
  document.redo();
  document.redo();
  EXPECT_TRUE(same_node(document.root(), edited));
  EXPECT_EQ(document.structure(), 3U);
}

class WindowRules : public WindowFrames {
 protected:
  void SetUp() override {
    WindowFrames::SetUp();
    app.session.playing = false;
    ASSERT_TRUE(write_file_atomic(path, write_scene_toml(coupled_scene())));
    open(app, path);
    frames_until([&] { return app.session.run != nullptr && app.session.have_snapshot; });
  }
  void TearDown() override {
    WindowFrames::TearDown();
    std::remove(path.c_str());
  }

  template <class F>
  void frames_until(F ready) {
    WindowFrames::frames_until(app, ready);
  }
  /// Returns all letters that the next frame draws, without spaces. The corner of a glyph in the font texture
  /// identifies the letter.
  std::string words() {
    frame_of(app);
    std::map<std::pair<float, float>, char> letters;
    for (const ImFont* font : ImGui::GetIO().Fonts->Fonts)
      for (const ImFontGlyph& glyph : font->Glyphs)
        if (glyph.Visible && glyph.Codepoint < 128) letters[{glyph.U0, glyph.V0}] = static_cast<char>(glyph.Codepoint);
    std::string text;
    const ImDrawData* drawn = ImGui::GetDrawData();
    for (int n = 0; n < drawn->CmdListsCount; ++n)
      for (const ImDrawVert& corner : drawn->CmdLists[n]->VtxBuffer)
        if (const auto letter = letters.find({corner.uv.x, corner.uv.y}); letter != letters.end())
          text += letter->second;
    return text;
  }
  void expect_words(std::initializer_list<const char*> wanted) {
    const std::string text = words();
    for (std::string sentence : wanted) {
      std::erase(sentence, ' ');
      EXPECT_NE(text.find(sentence), std::string::npos) << sentence << " in " << text;
    }
  }
  void open_scene(const Node& scene) {
    app.session.have_snapshot = false;
    ASSERT_TRUE(write_file_atomic(path, write_scene_toml(scene)));
    const std::size_t systems = scene.all("system").size();
    open(app, path);
    frames_until([&] {
      return !app.session.loader.busy() && app.session.have_snapshot &&
             app.session.run->newest().systems.size() == systems;
    });
  }
  void show_rules() {
    app.ui.layout.open_tab = Layout::Tab::rules;
    frames_until([&] { return app.ui.layout.shown_tab == Layout::Tab::rules; });
  }

  test::Scratch scratch;
  const std::string path = scratch.path("window_rules_test.toml");
  App app{WindowOptions{}};
};

TEST_F(WindowRules, ForcesAreMeasuredWhileTheMatrixIsShown) {
  app.session.run->single_step(1);
  frames_until([&] { return app.session.run->newest().step == 1; });
  EXPECT_TRUE(app.session.run->newest().rules.at(0).force_b.empty())
      << "forces are not measured unless they are requested";
  show_rules();
  app.session.run->single_step(1);
  frames_until([&] { return app.session.run->newest().step == 2; });
  EXPECT_EQ(app.session.run->newest().rules.at(0).force_b.size(), 8U);
}

TEST_F(WindowRules, AnEyeTogglesArrowsAsAnEditThatCanBeUndone) {
  EXPECT_FALSE(app.session.shows_forces("meet"));
  toggle_forces(app, "meet");
  EXPECT_TRUE(app.session.shows_forces("meet"));
  app.session.run->single_step(1);
  frames_until([&] { return app.session.run->newest().step == 1; });
  EXPECT_EQ(app.session.run->newest().rules.at(0).force_b.size(), 8U)
      << "arrows need the forces even if the matrix is hidden";
  undo(app);
  EXPECT_FALSE(app.session.shows_forces("meet"));
}

TEST_F(WindowRules, ARuleAddedFromItsCellActsInTheRunningWorldAndUndoTakesItBack) {
  show_rules();
  app.session.run->single_step(3);
  frames_until([&] { return app.session.run->newest().step == 3; });
  const api::RuleMatrix matrix = api::rule_matrix(app.session.document->root());
  change_scene(app, {.node_changes = {{.node = rule_between(app.session.document->root(),
                                                            *matrix.at(1, 1).possible.at(0), "dust", "dust")}}});
  frames_until([&] { return app.session.run->newest().rules.size() == 2; });
  EXPECT_EQ(app.session.run->newest().step, 3U) << "the world must not restart";
  EXPECT_EQ(api::rule_matrix(app.session.document->root()).at(1, 1).nodes, std::vector<std::string>{"grains"});
  EXPECT_TRUE(app.session.document->modified());
  undo(app);
  frames_until([&] { return app.session.have_snapshot && app.session.run->newest().rules.size() == 1; });
  EXPECT_FALSE(app.session.document->modified());
  redo(app);
  frames_until([&] { return app.session.have_snapshot && app.session.run->newest().rules.size() == 2; });
  app.session.run->single_step(2);
  frames_until([&] { return app.session.run->newest().step == 5; });
  EXPECT_FALSE(app.session.run->newest().health.failed);
}

TEST_F(WindowRules, TheMatrixSaysWhatHappensAndTheForce) {
  show_rules();
  app.ui.layout.rule_row = 1;
  app.ui.layout.rule_column = 1;
  app.session.run->single_step(1);
  frames_until([&] { return app.session.run->newest().step == 1; });
  expect_words(
      {"Interactions", "block", "possible", "built in", "no force", "dust with itself", "Grains", "Add to scene"});
}

TEST_F(WindowRules, TheSelectedPairStaysWhenAnotherSystemIsRemoved) {
  show_rules();
  app.ui.layout.rule_row = 2;
  app.ui.layout.rule_column = 2;
  expect_words({"sand with itself"});
  change_scene(app, {.node_changes = {removal_of(app.session.document->root(), "system.dust")}});
  frames_until([&] { return app.session.document->root().find("system", "dust") == nullptr; });
  expect_words({"sand with itself"});
  EXPECT_EQ(app.ui.layout.rule_row, 1U);
  EXPECT_EQ(app.ui.layout.rule_column, 1U);
}

TEST_F(WindowRules, TheCardOfABodyShowsMassForcesOfRulesAndLoadsOfJoints) {
  Node scene = api::new_scene();
  Node& bodies = add_child(scene, "system", "rigid", "mobile");
  add_child(bodies, "body", "box", "beam").set("mass", 3.0);
  Node& hook = add_child(bodies, "joint", "fixed", "hook");
  hook.set("a", std::string("beam"));
  open_scene(scene);
  app.session.run->single_step(2);
  frames_until([&] { return app.session.run->newest().step == 2; });
  app.view.viewport.select(app, Pick{"mobile", 0, {}, 1});
  app.session.run->single_step(1);
  frames_until([&] { return app.session.run->newest().step == 3; });
  expect_words({"mobile, beam", "Mass", "3 kg", "Spin", "hook (fixed)", "29.4 N"});  // 29.4 N is the weight of the beam
}

TEST_F(WindowRules, ARuleThatCannotBeMadeIsNotAdded) {
  Node impossible = add_child(*std::make_unique<Node>(coupled_scene()), "interaction", "particles_voxel_body", "lost");
  impossible.set("a", std::string("nobody"));
  change_scene(app, {.node_changes = {{.node = impossible}}});
  frames_until([&] { return !app.session.loader.busy(); });
  EXPECT_EQ(app.session.document->root().find("interaction", "lost"), nullptr);
  EXPECT_FALSE(app.session.document->modified());
  EXPECT_EQ(app.session.run->newest().rules.size(), 1U) << "the world must keep its rules";
}

TEST_F(WindowRules, AMeshBecomesABodyOfTheSceneAndUndoTakesItOut) {
  const std::string mesh = scratch.path("window_rules_wedge.obj");
  ASSERT_TRUE(
      write_file_atomic(mesh, "v 0 0 0\nv 100 0 0\nv 0 100 0\nv 0 0 100\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"));
  ask_about_mesh(app, mesh);
  frames_until([&] { return app.ui.import.size.has_value(); });
  expect_words(
      {"window_rules_wedge.obj", "100 x 100 x 100 m", "Rigid body", "Voxel body", "Density", "Import", "Cancel"});
  app.ui.import.mesh.clear();
  SceneAddition wanted{.mesh = mesh};
  wanted.how.scale = 1e-3;
  wanted.how.foot = Vec3(0, 1, 0);
  change_scene(app, wanted);
  frames_until([&] { return app.session.have_snapshot && app.session.run->newest().systems.size() == 4; });
  const Node* body = app.session.document->root().find("system", "window_rules_wedge");
  ASSERT_NE(body, nullptr);
  EXPECT_EQ(body->schema->kind, "rigid");
  undo(app);
  frames_until([&] { return app.session.have_snapshot && app.session.run->newest().systems.size() == 3; });
  wanted.mesh = scratch.path("nowhere.obj");
  change_scene(app, wanted);
  frames_until([&] { return !app.session.loader.busy(); });
  EXPECT_EQ(app.session.document->root().all("system").size(), 3U) << "after the error, the scene must not change";
}

}  // namespace
}  // namespace vw::ui
#endif
