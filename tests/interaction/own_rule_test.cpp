// A rule that is added by one file and one table row. It must run, and the user must be able to switch and change it
// like the built-in rules. The guide must show the file verbatim.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/interaction/attraction.h"
#include "tests/interaction/water_scene.h"
#include "tests/support/checked.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

/// Returns the default registry with one additional rule.
const Registry& with_attraction() {
  static const Registry registry = [] {
    static Schema scene;
    Registry made = default_registry();
    made.interactions.push_back({&attraction_schema(), "particles", "rigid", create_rule<Attraction>,
                                 Presence::by_default,
                                 "Rigid bodies attract particles, and the same force acts back on them."});
    scene = make_scene_schema(made.systems, made.interactions);
    made.scene = &scene;
    return made;
  }();
  return registry;
}

/// Returns a particle at rest in free space, 1 m away from a much heavier ball at rest.
std::unique_ptr<World> two_apart() {
  Node scene = make_node(*with_attraction().scene);
  set(scene, "world.gravity", Vec3(0, 0, 0));
  add_rigid(scene, "sphere");
  set(scene, thing + "mass", 1000.0);
  Node& grains = add_child(scene, "system", "particles", "grains");
  add_child(grains, "emitter", "box", "source");
  const std::string source = "system.grains.emitter.source.";
  set(scene, source + "rate", 0.0);
  set(scene, source + "burst", std::int64_t{1});
  set(scene, source + "lifetime", 0.0);
  set(scene, source + "size", Vec3(0, 0, 0));
  set(scene, source + "position", Vec3(1, 0, 0));
  set(scene, source + "speed", 0.0);
  add_default_interactions(scene, with_attraction());
  return checked(World::create(std::move(scene), with_attraction()));
}

TEST(OwnRule, JoinsItsPairSwitchesAndTunesLikeAnyOther) {
  const auto world = two_apart();
  // The expected motion is that of a spring of rest length zero with the squared angular frequency
  // w^2 = strength M = 10 / s^2 (M: mass of the ball). It is integrated with the symplectic steps of the particle.
  run(*world, 0.2);
  double x = 1, v = 0;
  for (int i = 0; i < 24; ++i) v -= 10 * x / 120, x += v / 120;
  expect_case("interaction", "a rule of one's own: particle drawn to a ball after 0.2 s",
              rows_of(*world, "grains").position[0].x(), x, 1e-3, "m");
  EXPECT_LT(motion_of(*world).momentum.norm(), 1e-15);
  const Vec3 moving = rows_of(*world, "grains").velocity[0];
  ASSERT_TRUE(world->apply(SetParameter{"interaction.attraction.enabled", false}));
  run(*world, 0.1);
  EXPECT_EQ(rows_of(*world, "grains").velocity[0], moving);
  ASSERT_TRUE(world->apply(SetParameter{"interaction.attraction.enabled", true}));
  ASSERT_TRUE(world->apply(SetParameter{"interaction.attraction.strength", 0.1}));
  run(*world, 0.05);
  EXPECT_LT(rows_of(*world, "grains").velocity[0].x(), moving.x() - 0.5);
}

TEST(OwnRule, TheGuideShowsItLineByLine) {
  std::ifstream guide(std::string(VOXWAKE_SOURCE_DIR) + "/docs/guide/rules.md"),
      file(std::string(VOXWAKE_SOURCE_DIR) + "/tests/interaction/attraction.h");
  ASSERT_TRUE(guide && file);
  std::string shown, line;
  bool inside = false;
  while (std::getline(guide, line)) {
    if (line.rfind("```", 0) == 0)
      inside = line == "```cpp";
    else if (inside)
      shown += line + "\n";
  }
  std::stringstream all;
  all << file.rdbuf();
  // Only the code after the include lines is compared. The guide shows this code in parts, with explanations between
  // the parts.
  std::string code = all.str(), wanted;
  code = code.substr(code.find("struct AttractionParams"));
  code = code.substr(0, code.find("}  // namespace vw"));
  const auto squeezed = [](const std::string& text) {
    std::string out;
    std::stringstream lines(text);
    for (std::string one; std::getline(lines, one);)
      if (!one.empty()) out += one + "\n";
    return out;
  };
  EXPECT_EQ(squeezed(shown), squeezed(code));
}

}  // namespace
}  // namespace vw::test
