// Loads checkpoints of packaged scenes with one changed byte and a corrected checksum. Each is either rejected with an
// error message, or the resumed world has finite totals.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sim/base/random.h"
#include "sim/scene/scene.h"
#include "sim/world/world.h"
#include "tests/support/packaged.h"

namespace vw::test {
namespace {

void expect_finite(const World& world, const std::string& what) {
  for (std::size_t i = 0; i < world.system_count(); ++i) {
    const Diagnostics d = world.diagnostics(i);
    EXPECT_TRUE(std::isfinite(d.kinetic) && std::isfinite(d.elastic) && std::isfinite(d.potential) &&
                d.momentum.allFinite())
        << what << ", " << world.system(i).name() << ": kinetic " << d.kinetic << " J, elastic " << d.elastic
        << " J, potential " << d.potential << " J";
  }
}

class DamagedState : public testing::TestWithParam<const char*> {};

TEST_P(DamagedState, IsRefusedOrGoesOnWithFiniteSums) {
  const auto made = checked(World::create(packaged_scene(GetParam())));
  World& world = *made;
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(world.step());
  StateBlock good;
  world.save_state(good);
  const std::uint64_t hash = world.hash();
  const RandomKey key{20, stream_id(GetParam())};
  int refused = 0;
  for (std::uint64_t draw = 0; draw < 120; ++draw) {
    // Each array is chosen with equal probability, independent of its length. The upper two of the eight bytes of a
    // number are chosen more often, because they change the value most.
    const auto& entry = good.entries[random_words(key, draw, 0)[0] % good.entries.size()];
    if (entry.size == 0) continue;
    StateBlock bad = good;
    const std::size_t element = static_cast<std::size_t>(entry.element_bytes);
    std::size_t at = random_words(key, draw, 1)[0] % static_cast<std::size_t>(entry.size);
    if (draw % 2 == 0 && element % 8 == 0) at = at / 8 * 8 + 6 + at % 2;
    bad.bytes[static_cast<std::size_t>(entry.offset) + at] ^=
        static_cast<std::byte>(1 + random_words(key, draw, 2)[0] % 255);
    const std::string what = std::string(GetParam()) + ": byte " + std::to_string(at) + " of " + entry.name +
                             ", draw " + std::to_string(draw);
    const auto loaded = world.load_state(bad);
    if (!loaded) {
      ++refused;
      EXPECT_GT(loaded.error().message().size(), 20U) << what;
      EXPECT_EQ(world.hash(), hash) << what << ": a state that is refused changes nothing";
      continue;
    }
    expect_finite(world, what + ", as loaded");
    if (draw % 4 == 0) {
      (void)world.step();
      expect_finite(world, what + ", after a step: " + world.health().sentence());
    }
    ASSERT_TRUE(world.load_state(good)) << what;
    ASSERT_EQ(world.hash(), hash) << what;
  }
  EXPECT_GT(refused, 5) << "hardly a state was refused, so nothing was tested";
}

INSTANTIATE_TEST_SUITE_P(PackagedScenes, DamagedState,
                         testing::Values("windmill", "cart", "jelly-drop", "snap", "droplet", "school", "hail",
                                         "sand-heap", "lab-chain", "fish-and-raft", "walk-in-the-wind"));

TEST(DamagedState, NamesTheArrayThatIsNotFinite) {
  const auto world = checked(World::create(packaged_scene("cart")));
  StateBlock state;
  world->save_state(state);
  for (const auto& entry : state.entries) {
    if (!entry.name.ends_with(".velocity")) continue;
    const double nan = std::nan("");
    std::memcpy(state.bytes.data() + entry.offset, &nan, sizeof nan);
    const auto loaded = world->load_state(state);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().message(), "the state does not match this scene: \"" + entry.name +
                                            "\" holds a value at row 0 that is out of bounds or not finite");
    return;
  }
  FAIL() << "no velocities";
}

}  // namespace
}  // namespace vw::test
