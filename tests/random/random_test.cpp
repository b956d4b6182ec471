// Random scenes with a few fixed seeds. The program random_worlds runs any number of seeds (docs/random-worlds.md).
#include <gtest/gtest.h>

#include "tests/random/trial.h"
#include "tests/support/scratch.h"

namespace vw::test {
namespace {

TEST(RandomWorlds, RunOrSayWhyNot) {
  const Scratch scratch;
  const SceneFiles files = write_scene_files(scratch.folder());
  int ran = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Trial trial = try_seed(seed, files, scratch.folder());
    EXPECT_NE(trial.outcome, Outcome::wrong) << "seed " << seed << ": " << trial.sentence;
    ran += trial.outcome == Outcome::ran ? 1 : 0;
  }
  EXPECT_GT(ran, 4) << "most scenes should run, or nothing is tested";
}

TEST(RandomWorlds, AreTheSameForTheSameSeed) {
  const Scratch scratch;
  const SceneFiles files = write_scene_files(scratch.folder());
  EXPECT_TRUE(same_node(random_scene(7, files), random_scene(7, files)));
  EXPECT_FALSE(same_node(random_scene(7, files), random_scene(8, files)));
}

}  // namespace
}  // namespace vw::test
