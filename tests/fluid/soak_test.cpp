// Every packaged scene with a fluid runs for a long time. All values must stay finite, and all particles that enter or
// leave must be counted.
#include <algorithm>
#include <cmath>

#include "tests/fluid/fluid_world.h"
#include "tests/support/packaged.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using namespace test;

std::vector<std::string> fluid_scenes() {
  std::vector<std::string> names;
  for (const PackagedScene& packaged : packaged_scenes()) {
    const auto scene = load_scene(packaged.path);
    if (!scene) continue;  // a scene that cannot be read is reported by tests/scene
    const auto systems = scene->root.all("system");
    if (std::any_of(systems.begin(), systems.end(), [](const Node* node) { return node->schema == &fluid_schema(); }))
      names.push_back(packaged.name);
  }
  return names;
}

double total_in(const System& system, std::string_view name) {
  std::vector<Total> totals;
  system.totals(totals);
  for (const Total& total : totals)
    if (total.name == name) return total.value;
  return 0;
}

/// Runs a scene and expects finite, bounded states during the run. Returns the number of particles that are neither
/// present nor counted.
double run_scene(const std::string& name, double until_s) {
  const auto world = world_of(packaged_scene(name));
  std::vector<double> at_start(world->system_count()), not_placed(world->system_count());
  for (std::size_t s = 0; s < world->system_count(); ++s) {
    at_start[s] = static_cast<double>(world->system(s).elements().size());
    not_placed[s] = total_in(world->system(s), "not_placed");
  }
  while (world->time() + 0.5 * world->dt() < until_s)
    if (!world->step()) {
      ADD_FAILURE() << name << ": " << world->health().sentence();
      return -1;
    }
  double lost = 0;
  for (std::size_t s = 0; s < world->system_count(); ++s) {
    const System& system = world->system(s);
    if (&system.schema() != &fluid_schema()) continue;
    const Elements& e = system.elements();
    // A body that starts inside the fluid displaces particles. These particles are counted as not placed.
    lost += std::abs(at_start[s] + total_in(system, "came_in") - static_cast<double>(e.size()) -
                     total_in(system, "drained") - total_in(system, "left_domain") -
                     (total_in(system, "not_placed") - not_placed[s]));
    EXPECT_EQ(total_in(system, "left_domain"), 0) << name;
    for (std::size_t i = 0; i < e.size(); ++i)
      EXPECT_TRUE(e.position[i].allFinite() && e.velocity[i].norm() < 50) << name << " " << i;
  }
  return lost;
}

TEST(FluidScenes, AllBegin) {
  const auto names = fluid_scenes();
  EXPECT_GE(names.size(), 6U);
  for (const std::string& name : names) EXPECT_EQ(run_scene(name, 0.02), 0) << name;
}

/// The list of scenes is fixed, because reading all scenes would delay each start of the test program.
class FluidSceneValidation : public ::testing::TestWithParam<std::string> {};

TEST_P(FluidSceneValidation, LosesNoParticleInAMinute) {
  expect_case("fluid", "particles lost in 60 s of " + GetParam(), run_scene(GetParam(), 60), 0, 0);
}

INSTANTIATE_TEST_SUITE_P(Scenes, FluidSceneValidation,
                         ::testing::Values("dam-break", "dam-break-obstacle", "double-dam-break", "droplet",
                                           "filling-tank", "floating-boxes", "honey", "sinking-bodies", "swimmer",
                                           "water-column", "wave-maker"),
                         [](const auto& scene) {
                           std::string name = scene.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace vw
