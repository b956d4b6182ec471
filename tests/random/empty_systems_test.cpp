// Worlds with an empty system of each kind, combined with every kind of field, collider, rule and other system. No code
// may access elements of an empty array.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "sim/scene/scene.h"
#include "sim/world/registry.h"
#include "sim/world/world.h"
#include "tests/random/random_scene.h"
#include "tests/support/scratch.h"

namespace vw::test {
namespace {

class EmptySystems : public testing::Test {
 protected:
  /// Adds a node of the given kind. If `full` is set, each slot that creates elements gets one child of its first kind.
  Node& add(Node& scene, const std::string& slot, const Schema& kind, const std::string& name,
            bool full = false) const {
    Node& node = add_child(scene, slot, kind.kind, name);
    for (std::size_t i = 0; i < node.values.size(); ++i) {
      if (kind.params[i].name != "source" || kind.kind == "voxel_body") continue;
      node.values[i] = Value(kind.kind == "playback"      ? (full ? files_.recording : files_.empty_recording)
                             : kind.kind == "heightfield" ? files_.heights
                                                          : files_.mesh);
    }
    if (kind.kind == "flock") add_child(node, "species", "species", "bird");
    if (!full) return node;
    if (kind.kind == "fluid") add_child(node, "fill", "box", "fill").set("size", Vec3(0.1, 0.1, 0.1));
    for (const char* child : {"emitter", "swarm", "body"})
      for (const Slot& inner : kind.slots)
        if (inner.name == child && kind.kind != "fluid") add_child(node, child, inner.kinds.front()->kind, child);
    return node;
  }

  /// Runs three steps, takes a snapshot, writes a checkpoint, and steps the resumed world.
  void run(const Node& scene, const std::string& what) const {
    SCOPED_TRACE(what);
    auto world = World::create(scene);
    ASSERT_TRUE(world) << world.error().message();
    for (int i = 0; i < 3; ++i) ASSERT_TRUE((*world)->step()) << (*world)->health().sentence();
    std::vector<std::string> channels, vectors{"acceleration", "net_force"};
    for (std::size_t i = 0; i < (*world)->system_count(); ++i) {
      for (const ChannelInfo& one : (*world)->system(i).channels()) channels.push_back(one.name);
      for (const ChannelInfo& one : (*world)->system(i).vector_channels()) vectors.push_back(one.name);
    }
    (*world)->subscribe({.channels = channels, .vectors = vectors});
    Snapshot picture;
    (*world)->write_snapshot(picture);
    const std::string path = scratch_.path("state");
    ASSERT_TRUE(save_checkpoint(**world, write_scene_toml(scene), path));
    const auto checkpoint = load_checkpoint(path);
    ASSERT_TRUE(checkpoint) << checkpoint.error().message();
    auto resumed = resume_world(scene, *checkpoint);
    ASSERT_TRUE(resumed) << resumed.error().message();
    ASSERT_TRUE((*world)->step() && (*resumed)->step());
    EXPECT_EQ((*world)->hash(), (*resumed)->hash());
  }

  static const Slot& slot(const std::string& name) {
    for (const Slot& one : scene_schema().slots)
      if (one.name == name) return one;
    ADD_FAILURE() << name;
    return scene_schema().slots.front();
  }

  Scratch scratch_;
  SceneFiles files_ = write_scene_files(scratch_.folder());
};

TEST_F(EmptySystems, RunWithEveryField) {
  for (const Schema* kind : slot("system").kinds)
    for (const Schema* field : slot("field").kinds) {
      Node scene = make_node(scene_schema());
      add(scene, "system", *kind, "it");
      add(scene, "field", *field, "wind");
      run(scene, kind->kind + " in " + field->kind);
    }
}

TEST_F(EmptySystems, RunWithEveryCollider) {
  for (const Schema* kind : slot("system").kinds)
    for (const Schema* collider : slot("collider").kinds)
      for (const bool carried : {false, true}) {
        Node scene = make_node(scene_schema());
        add(scene, "system", *kind, "it", carried);
        Node& obstacle = add(scene, "collider", *collider, "wall");
        obstacle.set("position", Vec3(0, -2, 0));
        if (carried) obstacle.set("carried_by", std::string("it"));
        if (carried && !World::create(scene)) continue;  // The system has no element that could carry the collider.
        run(scene, kind->kind + (carried ? " carries " : " beside ") + collider->kind);
      }
}

TEST_F(EmptySystems, RunBesideEveryOtherSystemWithEveryRule) {
  for (const Schema* kind : slot("system").kinds)
    for (const Schema* other : slot("system").kinds)
      for (const bool full : {false, true}) {
        Node scene = make_node(scene_schema());
        add(scene, "system", *kind, "empty");
        add(scene, "system", *other, "other", full);
        add(scene, "field", *slot("field").kinds.front(), "wind");
        add_default_interactions(scene);
        for (const InteractionKind& rule : default_registry().interactions) {
          const bool fits = (rule.kind_a == kind->kind && rule.kind_b == other->kind) ||
                            (rule.kind_b == kind->kind && rule.kind_a == other->kind);
          if (fits && scene.find("interaction", rule.schema->kind) == nullptr)
            add_child(scene, "interaction", rule.schema->kind, rule.schema->kind);
        }
        run(scene, kind->kind + " beside " + (full ? "a full " : "an empty ") + other->kind);
      }
}

}  // namespace
}  // namespace vw::test
