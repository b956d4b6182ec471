// Adding, copying and removing nodes in the window, with undo. The tests derive all kinds of nodes and of their
// children from the schemas.
#include <optional>

#include <gtest/gtest.h>

#include "app/window/document/document.h"
#include "app/window/document/file_listing.h"
#include "app/window/document/scene_edit.h"
#include "app/window/document/scene_loader.h"
#include "app/window/document/world_display.h"
#include "app/window/labels/param_style.h"
#include "sim/api/open_scene.h"
#include "sim/api/run.h"
#include "sim/scene/scene.h"
#include "tests/support/checked.h"
#ifdef VOXWAKE_HAVE_WINDOW
#include "tests/app/window/frames.h"
#include "tests/support/scratch.h"
#endif

namespace vw {
namespace {

/// Applies the change to a copy of the scene and creates a world of the copy, as the window does.
Result<LoadedRun> made(const Node& scene, NodeChange node_change) {
  return load_run({.path = "scene.toml",
                   .sets = {},
                   .tree = std::make_shared<const Node>(scene),
                   .add = {.node_changes = {std::move(node_change)}}});
}

std::vector<NodeChange> all_of(const LoadedRun& made) {
  std::vector<NodeChange> all = made.node_changes;
  all.insert(all.end(), made.amends.node_changes.begin(), made.amends.node_changes.end());
  return all;
}

/// Returns a flock with a species, and a rigid system with a body.
Node flock_scene() {
  Node scene = api::new_scene();
  Node& flock = add_child(scene, "system", "flock", "school");
  add_child(flock, "species", "species", "herring");
  add_child(add_child(scene, "system", "rigid", "boxes"), "body", "box", "box");
  return scene;
}

Result<api::Run> run_of(const Node& scene) { return api::Run::create({"scene.toml", scene, {}, {}}); }

struct KindOfNode {
  std::string parent, slot;
  const Schema* schema;
};

/// Collects the kinds of all children that a node, or a node below it, may have more than once.
void collect(const Node& node, const std::string& path, std::vector<KindOfNode>& kinds) {
  for (const Slot& slot : node.schema->slots)
    if (slot.many)
      for (const Schema* kind : slot.kinds) kinds.push_back({path, slot.name, kind});
  for (const Node& child : node.children) collect(child, child_path(node, path, child), kinds);
}

TEST(SceneEdit, TheOrderOfNodesHasNoEffectOnTheWorld) {
  for (const char* name : {"floating-boxes", "windmill", "fish-and-raft"}) {
    const Node opened = test::checked(api::open_scene(name)).root;
    for (const Node& node : opened.children) {
      const std::string path = child_path(opened, {}, node);
      for (const Node& other : opened.children) {
        if (other.slot != node.slot || other.name == node.name) continue;
        Node scene = opened;
        auto changes = reordering_of(scene, path, child_path(opened, {}, other), true);
        for (NodeChange& change : changes) ASSERT_TRUE(apply(scene, change));
        ASSERT_EQ(scene.children.size(), opened.children.size());
        auto run = run_of(scene), plain = run_of(opened);
        ASSERT_TRUE(run && plain) << path;
        for (int i = 0; i < 2; ++i) ASSERT_TRUE(run->step() && plain->step());
        EXPECT_EQ(run->hash(), plain->hash()) << path << " behind " << other.name;
        break;
      }
    }
  }
}

TEST(SceneEdit, EveryKindOfChildOfEveryKindOfNodeIsAddedAndItsWorldMadeAtOnce) {
  Node scene = flock_scene();
  for (const Slot& slot : scene.schema->slots)
    if (slot.name == "system" || slot.name == "plot" || slot.name == "collider")
      for (const Schema* kind : slot.kinds) {
        const auto with = made(scene, fresh_child(scene, {}, slot.name, *kind));
        if (with) scene = with->scene;
      }
  ASSERT_TRUE(run_of(scene)) << run_of(scene).error().message();
  std::vector<KindOfNode> kinds;
  collect(scene, {}, kinds);
  EXPECT_GT(kinds.size(), 80U);
  for (const KindOfNode& kind : kinds) {
    const NodeChange node_change = fresh_child(scene, kind.parent, kind.slot, *kind.schema);
    const std::string path = path_of(scene, node_change);
    const auto with = made(scene, node_change);
    if (!with) {  // only a kind that reads a file cannot be created from its default parameters
      EXPECT_EQ(with.error().key, path + ".source") << with.error().message();
      continue;
    }
    ASSERT_NE(find_node(with->scene, path), nullptr) << path;
    Document document(scene);
    ASSERT_TRUE(document.change(all_of(*with), with->amends.assignments)) << path;
    EXPECT_TRUE(same_node(document.root(), with->scene)) << path << ": the document must equal the scene of the world";
    EXPECT_EQ(document.undo_name(), path);
    (void)document.undo();
    EXPECT_TRUE(same_node(document.root(), scene)) << path;
    (void)document.redo();
    EXPECT_TRUE(same_node(document.root(), with->scene)) << path;
  }
}

TEST(SceneEdit, AFlockThatIsAddedHasASpeciesAndAJointABody) {
  const Node scene = flock_scene();
  const auto& systems = scene.schema->slots;
  const auto slot = std::ranges::find(systems, "system", &Slot::name);
  const auto kind = std::ranges::find(slot->kinds, "flock", &Schema::kind);
  const auto flock = made(scene, fresh_child(scene, {}, "system", **kind));
  ASSERT_TRUE(flock) << flock.error().message();
  ASSERT_NE(flock->scene.find("system", "flock"), nullptr);
  EXPECT_EQ(flock->scene.find("system", "flock")->all("species").size(), 1U);
  const Node& boxes = *scene.find("system", "boxes");
  const auto joints = std::ranges::find(boxes.schema->slots, "joint", &Slot::name);
  const auto joint = made(scene, fresh_child(scene, "system.boxes", "joint", *joints->kinds.front()));
  ASSERT_TRUE(joint) << joint.error().message();
  EXPECT_EQ(std::get<std::string>(joint->scene.find("system", "boxes")->all("joint").front()->value("a")), "box");
}

TEST(SceneEdit, ACopyOfAVoxelBodyStandsBesideItsLattice) {
  Node scene = api::new_scene();
  Node& body = add_child(scene, "system", "voxel_body", "creature");
  body.set("size", Vec3(4, 2, 2));
  body.set("voxel_size", 0.25);
  body.set("position", Vec3(1, 2, 3));
  EXPECT_EQ(std::get<Vec3>(copy_of(scene, "system.creature").node.value("position")), Vec3(2, 2, 3));
}

TEST(SceneEdit, ACopyStandsBesideUnderAFreeNameWithAllItsParts) {
  Node scene = flock_scene();
  Node& box = add_child(scene, "collider", "box", "wall-2");
  box.set("size", Vec3(0.5, 1, 1));
  add_child(box, "key", "key", "first");
  const NodeChange copy = copy_of(scene, "collider.wall-2");
  EXPECT_EQ(copy.node.name, "wall");
  EXPECT_EQ(copy.node.children.size(), box.children.size());
  EXPECT_EQ(std::get<Vec3>(copy.node.value("position")).x(), std::get<Vec3>(box.value("position")).x() + 0.5);
  EXPECT_EQ(copy_of(scene, "system.school.species.herring").node.name, "herring-2");
  const auto with = made(scene, copy);
  ASSERT_TRUE(with) << with.error().message();
  EXPECT_EQ(with->scene.all("collider").size(), 2U);
}

TEST(SceneEdit, NodesThatReferOnlyToASystemAreRemovedAndRestoredWithIt) {
  Node scene = flock_scene();
  scene.children[1].set("trail_systems", Value(TextList{"boxes"}));
  scene.children[1].set("color_by", std::string("asleep"));  // only rigid bodies have this channel
  add_child(scene, "interaction", "flock_rigid", "meet").set("b", std::string("boxes"));
  Node& curve = add_child(add_child(scene, "plot", "plot", "fall"), "curve", "measured", "height");
  curve.set("system", std::string("boxes"));
  ASSERT_TRUE(run_of(scene)) << run_of(scene).error().message();
  Document document(scene);
  auto without = made(scene, removal_of(scene, "system.boxes"));
  ASSERT_TRUE(without) << without.error().message();
  EXPECT_EQ(without->scene.find("interaction", "meet"), nullptr);
  EXPECT_TRUE(without->scene.find("plot", "fall")->all("curve").empty());
  EXPECT_EQ(std::get<std::string>(without->scene.only("view")->value("color_by")), "material");
  ASSERT_TRUE(document.change(all_of(*without), without->amends.assignments));
  EXPECT_TRUE(same_node(document.root(), without->scene));
  (void)document.undo();
  EXPECT_TRUE(same_node(document.root(), scene));
}

TEST(SceneEdit, TheUndoStepOfANodeThatIsReplacedIsNotARemoval) {
  Document document(flock_scene());
  const Node boxes = *document.root().find("system", "boxes");
  const NodeChange removal = removal_of(document.root(), "system.boxes");
  ASSERT_TRUE(document.change({removal, {.node = boxes}}));
  EXPECT_EQ(document.undo_verb(), "");
  EXPECT_EQ(document.undo_name(), "system.boxes");
  ASSERT_TRUE(document.change({removal}));
  EXPECT_EQ(document.undo_verb(), "remove ");
}

TEST(SceneEdit, TheViewAndThePlotsLoseReferencesToNodesThatTheSceneLacks) {
  Node scene = flock_scene();
  Node& view = *scene.only("view");
  view.set("trail_systems", Value(TextList{"school.1", "later"}));
  view.set("hidden", Value(TextList{"later", "boxes"}));
  view.set("follow", std::string("later.3"));
  Node& plot = add_child(scene, "plot", "plot", "fall");
  add_child(plot, "curve", "measured", "height").set("system", std::string("boxes"));
  add_child(plot, "curve", "measured", "lost").set("system", std::string("later"));
  EXPECT_FALSE(run_of(scene));
  const Node kept = without_lost_references(scene);
  ASSERT_TRUE(run_of(kept)) << run_of(kept).error().message();
  EXPECT_EQ(std::get<TextList>(kept.only("view")->value("trail_systems")), TextList{"school.1"});
  EXPECT_EQ(std::get<TextList>(kept.only("view")->value("hidden")), TextList{"boxes"});
  EXPECT_EQ(std::get<std::string>(kept.only("view")->value("follow")), "");
  ASSERT_EQ(kept.find("plot", "fall")->all("curve").size(), 1U);
  EXPECT_EQ(kept.find("plot", "fall")->all("curve")[0]->name, "height");
  EXPECT_TRUE(same_node(without_lost_references(kept), kept));
  EXPECT_TRUE(same_node(with_display_of(kept, scene), scene));
}

TEST(SceneEdit, WhatIsNeededStaysAndTheWorldSaysWhy) {
  const Node scene = flock_scene();
  const auto without = made(scene, removal_of(scene, "system.school.species.herring"));
  ASSERT_FALSE(without);
  EXPECT_NE(without.error().message().find("must have at least one species"), std::string::npos)
      << without.error().message();
}

TEST(SceneEdit, EndingsOfFilesAreReadFromWhatTheWorldAsksFor) {
  using Endings = std::vector<std::string>;
  EXPECT_EQ(extensions_in("collider.a.source = \"\": must name a file of heights (.png, .txt)"),
            (Endings{".png", ".txt"}));
  EXPECT_EQ(extensions_in("a recording (.history)"), Endings{".history"});
  EXPECT_TRUE(extensions_in("must name a mesh file. Or not.").empty());
}

TEST(SceneEdit, NamesOfOtherNodesAreOfferedWhereAParameterHoldsOne) {
  Node scene = flock_scene();
  Node& school = scene.children[static_cast<std::size_t>(scene.find("system", "school") - scene.children.data())];
  add_child(school, "swarm", "ball", "start");
  Node& boxes = scene.children[static_cast<std::size_t>(scene.find("system", "boxes") - scene.children.data())];
  add_child(boxes, "joint", "ball", "hook");
  add_child(scene, "collider", "sphere", "ball");
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_for(scene, "system.school.swarm.start.species"), (Names{"", "herring"}));
  EXPECT_EQ(names_for(scene, "system.school.species.herring.hunts"), Names{"herring"})
      << "the parameter is a list of names";
  EXPECT_EQ(names_for(scene, "system.boxes.joint.hook.a"), (Names{"", "box"})) << "only bodies of the joint's system";
  find_node(scene, "system.boxes.body.box")->set("repeat", Vec3(2, 1, 1));
  EXPECT_EQ(names_for(scene, "system.boxes.joint.hook.a"), (Names{"", "box-1", "box-2"}));
  EXPECT_EQ(names_for(scene, "collider.ball.carried_by"), (Names{"", "school", "boxes"}));
  add_child(*find_node(scene, "system.school"), "goal", "body", "chase");
  EXPECT_EQ(names_for(scene, "system.school.goal.chase.body"), (Names{"", "school", "boxes", "ball"}));
  EXPECT_TRUE(names_for(scene, "title").empty());
  EXPECT_TRUE(names_for(scene, "system.nobody.a").empty());
  const Node& start = *find_node(scene, "system.school.swarm.start");
  const auto spec = std::ranges::find(start.schema->params, "species", &ParamSpec::name);
  EXPECT_EQ(empty_doc(*spec), "First species of the flock");
}

#ifdef VOXWAKE_HAVE_WINDOW
class WindowSceneEdit : public ui::WindowFrames {
 protected:
  void SetUp() override {
    ui::WindowFrames::SetUp();
    app.session.playing = false;
    open(app, scratch.write("scene.toml", write_scene_toml(flock_scene())));
    frames_until(app, [&] { return app.session.run != nullptr && app.session.have_snapshot; });
  }
  const Node& root() const { return app.session.document->root(); }
  void do_it(NodeChange node_change) {
    const std::uint64_t before = app.session.document->structure();
    change_scene(app, {.node_changes = {std::move(node_change)}});
    frames_until(app, [&] { return app.session.document->structure() != before && app.session.have_snapshot; });
  }
  static const Schema& kind_in(const Node& parent, std::string_view slot) {
    return *std::ranges::find(parent.schema->slots, slot, &Slot::name)->kinds.front();
  }

  test::Scratch scratch;
  ui::App app{WindowOptions{}};
};

TEST_F(WindowSceneEdit, WhatIsAddedIsSelectedAndUndoTakesItOutOfTheWorldAgain) {
  const Node& school = *root().find("system", "school");
  do_it(fresh_child(root(), "system.school", "species", kind_in(school, "species")));
  EXPECT_EQ(app.ui.layout.selected_path, "system.school.species.species");
  EXPECT_TRUE(app.session.document->modified());
  do_it(copy_of(root(), app.ui.layout.selected_path));
  EXPECT_EQ(app.ui.layout.selected_path, "system.school.species.species-2");
  EXPECT_EQ(root().find("system", "school")->all("species").size(), 3U);
  do_it(removal_of(root(), "system.school"));
  EXPECT_EQ(app.ui.layout.selected_path, "world") << "the selected node no longer exists";
  frames_until(app, [&] { return app.session.have_snapshot && app.session.run->newest().systems.size() == 1; });
  for (int i = 0; i < 3; ++i) undo(app);
  frames_until(app, [&] { return app.session.have_snapshot && app.session.run->newest().systems.size() == 2; });
  EXPECT_EQ(root().find("system", "school")->all("species").size(), 1U);
  EXPECT_FALSE(app.session.document->modified());
}

TEST_F(WindowSceneEdit, TheWorldGoesOnWhenNodesComeAndGo) {
  app.session.run->single_step(5);
  frames_until(app, [&] { return app.session.run->newest().step == 5; });
  const auto boxes = [&] {
    for (const SystemSnapshot& system : app.session.run->newest().systems)
      if (system.kind == "rigid") return system.position;
    return std::vector<Vec3f>();
  };
  const auto before = boxes();
  do_it(
      fresh_child(root(), {}, "field", *std::ranges::find(root().schema->slots, "field", &Slot::name)->kinds.front()));
  frames_until(app, [&] { return app.session.run->newest().changes == 1; });
  EXPECT_EQ(app.session.run->newest().step, 5U);
  EXPECT_EQ(boxes(), before);
  EXPECT_LT(before.at(0).y(), 0) << "the box has fallen";
  // A renamed system must keep its motion and its selection. References to it must change with it.
  app.view.viewport.select(app, Pick{"boxes", 0, {}, 1});
  Renaming renaming = renaming_of(root(), "system.boxes", "crates");
  change_scene(app, {.node_changes = {renaming.change}, .assignments = renaming.references});
  frames_until(app, [&] { return app.session.run->newest().changes == 2; });
  EXPECT_EQ(app.session.run->newest().step, 5U);
  EXPECT_EQ(boxes(), before);
  EXPECT_EQ(app.ui.layout.selected_path, "system.crates");
  EXPECT_EQ(app.view.viewport.selection.system, "crates");
  undo(app);
  frames_until(app, [&] { return app.session.run->newest().changes == 3; });
  EXPECT_NE(root().find("system", "boxes"), nullptr);
  EXPECT_EQ(boxes(), before);
  undo(app);
  frames_until(app, [&] { return app.session.run->newest().changes == 4; });
  EXPECT_FALSE(app.session.document->modified());
  EXPECT_EQ(app.session.run->newest().step, 5U);
}

TEST_F(WindowSceneEdit, ChangesInQuickSuccessionAreAllMade) {
  const Schema& box = *root().find("system", "boxes")->all("body")[0]->schema;
  for (int i = 0; i < 3; ++i) change_scene(app, {.node_changes = {fresh_child(root(), "system.boxes", "body", box)}});
  const auto bodies = [&] { return root().find("system", "boxes")->all("body").size(); };
  frames_until(app, [&] { return bodies() == 4; });
  for (int i = 0; i < 3; ++i) undo(app);
  EXPECT_EQ(bodies(), 1U);
  EXPECT_FALSE(app.session.document->modified());
}

TEST_F(WindowSceneEdit, UndoOfARemovalPutsTheBodyBackWhereItWas) {
  const auto box = [&]() -> std::optional<Vec3f> {
    for (const SystemSnapshot& system : app.session.run->newest().systems)
      if (system.kind == "rigid" && !system.position.empty()) return system.position[0];
    return std::nullopt;
  };
  const Vec3f start = box().value();
  app.session.run->single_step(30);
  frames_until(app, [&] { return app.session.run->newest().step == 30; });
  const Vec3f fallen = box().value();
  ASSERT_LT(fallen.y(), start.y() - 0.1F);
  for (const char* path : {"system.boxes.body.box", "system.boxes"}) {
    do_it(removal_of(root(), path));
    frames_until(app, [&] { return !box(); });
    undo(app);
    frames_until(app, [&] { return box() && (*box() - fallen).norm() < 1e-5F; });
    EXPECT_EQ(app.session.run->newest().step, 30U);
  }
  // After a reset, the body returns to its start.
  do_it(removal_of(root(), "system.boxes"));
  frames_until(app, [&] { return !box(); });
  app.session.run->submit(Reset{});
  frames_until(app, [&] { return app.session.run->newest().step == 0; });
  undo(app);
  frames_until(app, [&] { return box() && *box() == start; });
}

TEST_F(WindowSceneEdit, ANewSceneHasNoFile) {
  const std::vector<PackagedScene> templates = scene_templates();
  request_new(app, std::ranges::find(templates, "ground", &PackagedScene::name)->path);
  frames_until(app, [&] { return app.session.document->path().empty() && app.session.have_snapshot; });
  EXPECT_EQ(app.session.scene_name(), "untitled");
  EXPECT_NE(root().find("collider", "ground"), nullptr);
  save(app);
  EXPECT_TRUE(app.ui.browser.is_open()) << "saving a new scene must ask for a name";
}

TEST_F(WindowSceneEdit, AWarningSaysThatASavedSceneCannotBeOpened) {
  do_it(fresh_child(root(), {}, "actuator", kind_in(root(), "actuator")));
  const std::string name = root().all("actuator").front()->name;
  edit(app, {{"actuator." + name + ".targets", Value(TextList{"system.nobody.strain"})}});
  const std::string file = scratch.path("wrong.toml");
  save_as(app, file);
  const std::string said = app.log.messages().back().text;
  EXPECT_TRUE(said.starts_with("Saved " + file + ", but the file cannot be opened: ")) << said;
}

TEST(SceneEdit, ARenamingTakesTheReferencesAlong) {
  Node scene = flock_scene();
  Node& flock = *find_node(scene, "system.school");
  add_child(flock, "swarm", "ball", "fry").set("species", std::string("herring"));
  ASSERT_TRUE(set_parameter(scene, "view.follow", Value(std::string("school.2"))));
  const Renaming renaming = renaming_of(scene, "system.school", "shoal");
  bool view_follows = false;
  for (const Assignment& one : renaming.references)
    view_follows = view_follows || (one.path == "view.follow" && std::get<std::string>(one.value) == "shoal.2");
  EXPECT_TRUE(view_follows);
  const Renaming species = renaming_of(scene, "system.school.species.herring", "cod");
  ASSERT_FALSE(species.references.empty());
  EXPECT_TRUE(species.references.front().path.starts_with("system.school.swarm."));
}

TEST(SceneEdit, TheFirstMaterialStaysFirstWhileABodyNamesNone) {
  Node scene = api::new_scene();
  for (const char* name : {"soft", "stiff", "light"}) add_child(scene, "material", "voxel_material", name);
  add_child(scene, "system", "voxel_body", "creature");
  EXPECT_TRUE(reordering_of(scene, "material.soft", "material.light", true).empty());
  EXPECT_TRUE(reordering_of(scene, "material.light", "material.soft", false).empty());
  EXPECT_FALSE(reordering_of(scene, "material.light", "material.stiff", false).empty());
  find_node(scene, "system.creature")->set("material", std::string("soft"));
  EXPECT_FALSE(reordering_of(scene, "material.soft", "material.light", true).empty());
}

TEST(SceneEdit, ARemovedNodeLeavesOtherHiddenNodesHidden) {
  Node scene = flock_scene();
  ASSERT_TRUE(set_parameter(scene, "view.hidden", Value(TextList{"school", "boxes"})));
  const auto with = made(scene, removal_of(scene, "system.school"));
  ASSERT_TRUE(with) << with.error().message();
  ASSERT_EQ(with->amends.assignments.size(), 1U);
  EXPECT_EQ(with->amends.assignments[0].path, "view.hidden");
  EXPECT_EQ(std::get<TextList>(with->amends.assignments[0].value), TextList{"boxes"});
}

TEST(SceneEdit, ARenamedJointOrBodyKeepsTheTextsThatNameIt) {
  Node scene = flock_scene();
  Node& boxes = *find_node(scene, "system.boxes");
  find_node(boxes, "body.box")->set("repeat", Vec3(2, 1, 1));
  add_child(boxes, "joint", "hinge", "pivot").set("a", std::string("box-2"));
  Node& sensor = add_child(scene, "sensor", "sensor", "angle");
  sensor.set("system", std::string("boxes"));
  sensor.set("joint", std::string("pivot"));
  const Renaming joint = renaming_of(scene, "system.boxes.joint.pivot", "elbow");
  ASSERT_EQ(joint.references.size(), 1U);
  EXPECT_EQ(joint.references[0].path, "sensor.angle.joint");
  EXPECT_EQ(std::get<std::string>(joint.references[0].value), "elbow");
  const Renaming body = renaming_of(scene, "system.boxes.body.box", "crate");
  ASSERT_EQ(body.references.size(), 1U);
  EXPECT_EQ(body.references[0].path, "system.boxes.joint.pivot.a");
  EXPECT_EQ(std::get<std::string>(body.references[0].value), "crate-2");
}

TEST_F(WindowSceneEdit, WhatIsNeededStaysAndTheLogSaysSo) {
  change_scene(app, {.node_changes = {removal_of(root(), "system.school.species.herring")}});
  frames_until(app, [&] { return !app.session.loader.busy(); });
  EXPECT_NE(root().find("system", "school")->find("species", "herring"), nullptr);
  EXPECT_FALSE(app.session.document->modified());
  const std::string said = app.log.messages().back().text;
  EXPECT_TRUE(
      said.starts_with("system.school.species.herring cannot be removed, because other parts of the scene need it. "))
      << said;
}

TEST_F(WindowSceneEdit, WhatIsMadeFromAFileAsksForOne) {
  const auto& colliders = std::ranges::find(root().schema->slots, "collider", &Slot::name)->kinds;
  change_scene(app, {.node_changes = {fresh_child(root(), {}, "collider",
                                                  **std::ranges::find(colliders, "heightfield", &Schema::kind))}});
  frames_until(app, [&] { return app.ui.browser.is_open(); });
  EXPECT_EQ(app.session.wants_source.node.name, "heightfield");
  EXPECT_TRUE(root().all("collider").empty());
  const std::uint64_t before = app.session.document->structure();
  take_source(app, scratch.write("heights.txt", "0 0 0\n0 1 0\n0 0 0\n"));
  EXPECT_EQ(app.session.wants_source.node.schema, nullptr);
  frames_until(app, [&] { return app.session.document->structure() != before && app.session.have_snapshot; });
  EXPECT_EQ(app.ui.layout.selected_path, "collider.heightfield");
}

TEST_F(WindowSceneEdit, SwitchingArrowsOnShowsTheLegend) {
  edit(app, {{"view.legend", Value(false)}});
  app.session.document->end_gesture();
  edit(app, {{"view.vectors", Value(true)}});
  EXPECT_TRUE(app.session.view().legend);
  app.session.document->end_gesture();
  edit(app, {{"view.legend", Value(false)}});
  EXPECT_FALSE(app.session.view().legend) << "the user can hide the legend again";
  undo(app);
  undo(app);
  EXPECT_FALSE(app.session.view().vectors);
  EXPECT_FALSE(app.session.view().legend) << "the switch and the legend must be one undo step";
}
#endif

}  // namespace
}  // namespace vw
