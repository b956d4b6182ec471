// Properties of every rule. If a rule is off, both systems must be bitwise unchanged. If it is on, it must conserve the
// momentum of the pair.
#include <gtest/gtest.h>

#include <fstream>

#include "sim/base/parallel/parallel.h"
#include "tests/interaction/flock_scene.h"
#include "tests/support/scratch.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

/// A recording of a block of 3 x 3 x 3 voxels of 2 cm at rest. The file exists as long as the object.
class Recorded {
 public:
  Recorded() {
    std::ofstream out(path());
    out << "{{{setting}}}<rescale>0.001</rescale>\n{{{setting}}}<voxel_size>0.02</voxel_size>\n";
    for (const int step : {0, 1}) {
      out << "<<<Step" << step << " Time:" << 100 * step << ">>>";
      for (int v = 0; v < 27; ++v)
        out << 20 * (v % 3) + 60 << ',' << 20 * (v / 9) - 20 << ',' << 20 * (v / 3 % 3) - 20
            << ",0,0,0,0,-10,-10,-10,10,10,10,0,0,;";
      out << "<<<>>>\n";
    }
  }
  [[nodiscard]] std::string path() const { return folder_.path("block.history"); }

 private:
  Scratch folder_;
};

/// Adds one of two systems that approach each other along x. The first system starts on the left at 1 m/s. The second
/// starts at rest on the right of the origin. `gap` is the distance between the systems.
void add_system(Node& scene, const std::string& kind, const std::string& name, bool first, double gap,
                const Recorded& recorded) {
  const Vec3 middle(first ? -0.05 - gap : 0.05, 0, 0), velocity(first ? 1 : 0, 0, 0);
  const std::string prefix = "system." + name + ".";
  if (kind == "flock") {
    add_flock(scene, {name, "water", 30, middle, Vec3(0.08, 0.06, 0.06), Vec3(1, 0, 0), velocity.x()});
    for (const char* speed : {"min_speed", "cruise_speed"}) set_species(scene, name, speed, 0.0);
    return set_species(scene, name, "length", 0.02);
  }
  Node& system = add_child(scene, "system", kind, name);
  if (kind == "fluid") {
    set(scene, prefix + "spacing", 0.02);
    add_child(system, "fill", "box", "blob");
    set(scene, prefix + "fill.blob.position", middle);
    set(scene, prefix + "fill.blob.size", Vec3(0.1, 0.1, 0.1));
    set(scene, prefix + "fill.blob.velocity", velocity);
  } else if (kind == "particles") {
    const std::string source = prefix + "emitter.source.";
    add_child(system, "emitter", "box", "source");
    set(scene, prefix + "radius", 0.004);
    set(scene, prefix + "mass", 1e-3);
    set(scene, source + "rate", 0.0);
    set(scene, source + "burst", std::int64_t{60});
    set(scene, source + "lifetime", 0.0);
    set(scene, source + "position", middle);
    set(scene, source + "size", Vec3(0.09, 0.06, 0.06));
    set(scene, source + "direction", Vec3(1, 0, 0));
    set(scene, source + "speed", velocity.x());
  } else if (kind == "rigid") {
    add_child(system, "body", "box", "thing");
    set(scene, prefix + "body.thing.size", Vec3(0.1, 0.1, 0.1));
    set(scene, prefix + "body.thing.position", Vec3(middle + Vec3(0, 0.013, 0)));
    set(scene, prefix + "body.thing.velocity", velocity);
  } else if (kind == "voxel_body") {
    set(scene, prefix + "size", Vec3(5, 5, 5));
    set(scene, prefix + "voxel_size", 0.02);
    set(scene, prefix + "position", Vec3(middle - Vec3(0.05, 0.05, 0.05)));
    set(scene, prefix + "velocity", velocity);
    set(scene, prefix + "material", std::string("stuff"));
  } else {
    ASSERT_EQ(kind, "playback");
    set(scene, prefix + "source", recorded.path());
  }
}

struct Pair {
  bool first = true, second = true;  ///< whether each system is present
  bool rule = true;                  ///< whether the rule is present
  bool enabled = true;
};

Node rule_scene(const InteractionKind& kind, const Pair& pair, const Recorded& recorded) {
  const bool weld = kind.schema->kind == "weld";
  Node scene = make_node(scene_schema());
  set(scene, "world.gravity", Vec3(0, 0, 0));
  add_child(scene, "material", "voxel_material", "stuff");
  set(scene, "material.stuff.youngs_modulus", 1e5);
  // A recording is always the system on the right.
  const bool swapped = kind.kind_a == "playback";
  const auto add = [&](std::string_view which, const char* name, bool first) {
    add_system(scene, std::string(which), name, first, weld ? 0 : 0.02, recorded);
  };
  if (pair.first) add(swapped ? kind.kind_b : kind.kind_a, "one", true);
  if (pair.second) add(swapped ? kind.kind_a : kind.kind_b, "two", false);
  // Fish outside water have no propulsion, so only the rule changes their motion. Two flocks affect each other only
  // through steering, so the medium of that pair is "none".
  if (kind.kind_b == "flock")
    for (const Node& system : std::vector<Node>(scene.children.begin(), scene.children.end()))
      if (system.schema->kind == "flock") set_species(scene, system.name, "medium", std::string("none"));
  if (!pair.rule) return scene;
  add_child(scene, "interaction", kind.schema->kind, "rule");
  set(scene, "interaction.rule.enabled", pair.enabled);
  return scene;
}

void expect_same_rows(World& a, World& b, const std::string& name) {
  const Elements &one = rows_of(a, name), &two = rows_of(b, name);
  EXPECT_EQ(one.position, two.position) << name;
  EXPECT_EQ(one.velocity, two.velocity) << name;
  EXPECT_EQ(one.angular_velocity, two.angular_velocity) << name;
  ASSERT_EQ(one.orientation.size(), two.orientation.size());
  for (std::size_t i = 0; i < one.orientation.size(); ++i)
    EXPECT_EQ(one.orientation[i].coeffs(), two.orientation[i].coeffs()) << name;
}

TEST(EveryRule, SwitchedOffChangesNothingBitForBitInEitherSystem) {
  const Recorded recorded;
  for (const InteractionKind& kind : interaction_kinds()) {
    SCOPED_TRACE(kind.schema->kind);
    const auto off = world_of(rule_scene(kind, {true, true, true, false}, recorded));
    const auto without = world_of(rule_scene(kind, {true, true, false}, recorded));
    const auto first = world_of(rule_scene(kind, {true, false, false}, recorded)),
               second = world_of(rule_scene(kind, {false, true, false}, recorded));
    for (World* world : {off.get(), without.get(), first.get(), second.get()}) run(*world, 0.15);
    expect_same_rows(*off, *without, "one");
    expect_same_rows(*off, *without, "two");
    expect_same_rows(*off, *first, "one");
    expect_same_rows(*off, *second, "two");
    // If the rule is on, it must change the result.
    const auto on = world_of(rule_scene(kind, {}, recorded));
    run(*on, 0.15);
    EXPECT_NE(rows_of(*on, "one").velocity, rows_of(*off, "one").velocity);
    // If the rule is switched off during the run, it must have no further effect.
    ASSERT_TRUE(on->apply(SetParameter{"interaction.rule.enabled", false}));
    EXPECT_TRUE(on->step()) << on->health().sentence();
  }
}

TEST(EveryRule, KeepsTheMomentumOfItsPair) {
  const Recorded recorded;
  for (const InteractionKind& kind : interaction_kinds()) {
    if (kind.kind_a == "playback" || kind.kind_b == "playback") continue;  // recordings do not take up impulses
    if (kind.kind_b == "flock") continue;                                  // propulsion changes the total momentum
    SCOPED_TRACE(kind.schema->kind);
    const auto world = world_of(rule_scene(kind, {}, recorded));
    ASSERT_TRUE(world->step()) << world->health().sentence();
    const Motion before = motion_of(*world);
    const auto momentum_of = [&](const char* name) {
      Vec3 sum = Vec3::Zero();
      const Elements& e = rows_of(*world, name);
      for (std::size_t i = 0; i < e.size(); ++i) sum += e.mass[i] * e.velocity[i];
      return sum;
    };
    const Vec3 second = momentum_of("two");
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(world->step()) << world->health().sentence();
    EXPECT_GT((momentum_of("two") - second).norm(), 0.01 * before.size);  // the systems collided
    const double error = (motion_of(*world).momentum - before.momentum).norm() / before.size;
    record_case("interaction", "rule " + kind.schema->kind + ": momentum of the pair after 1,000 steps, of sum m|v|",
                error, 0, 1e-6);
    EXPECT_LT(error, 1e-6);
  }
}

}  // namespace
}  // namespace vw::test
