// Natural modes in the window. A worker thread computes them and can be stopped by the user. They are displayed in a
// copy of the snapshot.
#include <gtest/gtest.h>

#include <cmath>

#include "app/window/results/mode_show.h"
#include "sim/api/open_scene.h"
#include "sim/scene/scene.h"
#include "tests/support/waiting.h"

namespace vw {
namespace {

Node beam_of_size(const Vec3& size) {
  Node scene = api::new_scene();
  Node& beam = add_child(scene, "system", "voxel_body", "beam");
  beam.set("size", size);
  beam.set("voxel_size", 0.01);
  add_child(beam, "region", "region", "clamp").set("max", Vec3(0.01, 1, 1));
  return scene;
}

TEST(WindowModes, AShapeMovesTheDrawnBodyByTheAmplitudeAndNoMore) {
  const Node scene = beam_of_size(Vec3(8, 1, 1));
  const auto found = find_modes_of({scene, "beam", 3, false}, {});
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_NEAR(found->extent_m, 0.08, 1e-9);
  SystemSnapshot body;
  body.position.resize(8);
  body.orientation.resize(8);
  body.channels.push_back({"strain", std::vector<float>(8, 1.0F), 0});
  ASSERT_TRUE(pose_mode(*found, 0, 0.01, pi / 2, body));
  EXPECT_TRUE(body.channels.empty()) << "channels would colour the shape by values of the world";
  float largest = 0;
  for (std::size_t v = 0; v < 8; ++v)
    largest = std::max(largest, (body.position[v] - found->position[v].cast<float>()).norm());
  EXPECT_NEAR(largest, 0.01F, 1e-6F);
  EXPECT_EQ(body.position[0], found->position[0].cast<float>()) << "a held voxel must not move";
  ASSERT_TRUE(pose_mode(*found, 0, 0.01, 0, body));
  EXPECT_EQ(body.position[7], found->position[7].cast<float>())
      << "in the middle of a swing, the body has its rest shape";
  body.position.resize(9);
  EXPECT_FALSE(pose_mode(*found, 0, 0.01, 0, body)) << "the body has changed since the modes were computed";
}

TEST(WindowModes, TheyHoldUntilTheBodyChangesNotWhenTheViewDoes) {
  Node scene = beam_of_size(Vec3(4, 1, 1));
  const auto found = find_modes_of({scene, "beam", 3, false}, {});
  ASSERT_TRUE(found);
  ASSERT_TRUE(set_parameter(scene, "view.vectors", true));
  ASSERT_TRUE(set_parameter(scene, "world.gravity", Vec3(0, -1, 0)));
  EXPECT_TRUE(still_holds(*found, scene));
  ASSERT_TRUE(set_parameter(scene, "system.beam.voxel_size", 0.02));
  EXPECT_FALSE(still_holds(*found, scene));
}

TEST(WindowModes, SwitchingTheIntegratorKeepsThemAndTellsWhatItDamps) {
  Node scene = beam_of_size(Vec3(8, 1, 1));
  const auto found = find_modes_of({scene, "beam", 2, false}, {});
  ASSERT_TRUE(found);
  EXPECT_EQ(api::implicit_substep(scene, "beam"), 0) << "explicit steps do not damp";
  ASSERT_TRUE(set_parameter(scene, "world.dt", 0.01));
  ASSERT_TRUE(set_parameter(scene, "system.beam.integrator", std::string("implicit")));
  ASSERT_TRUE(set_parameter(scene, "system.beam.implicit_step", 0.004));
  EXPECT_TRUE(still_holds(*found, scene));
  EXPECT_DOUBLE_EQ(api::implicit_substep(scene, "beam"), 0.01 / 3);
  // An implicit step of h = 1/300 s damps a mode of 10 Hz: with z = 2 pi 10 h, the damping ratio is about ln sqrt(1 +
  // z^2) / atan(z) = 0.1034.
  const auto lines = damping_lines(0.01 / 3, &*found);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "10 Hz: 10 %");
  EXPECT_EQ(lines[1].rfind("lowest mode, ", 0), 0U) << lines[1];
  EXPECT_EQ(damping_lines(0.01 / 3, nullptr).size(), 1U);
}

TEST(WindowModes, TheWorkerDeliversOnceAndAStoppedSearchIsForgotten) {
  ModalSolver finder;
  finder.start({beam_of_size(Vec3(9, 9, 9)), "beam", 12, false});
  finder.stop();
  EXPECT_FALSE(finder.busy());
  EXPECT_FALSE(finder.poll());
  finder.start({beam_of_size(Vec3(4, 1, 1)), "beam", 2, true});
  std::optional<Result<FoundModes>> outcome;
  ASSERT_TRUE(test::in_time([&] {
    outcome = finder.poll();
    return outcome.has_value();
  }));
  ASSERT_TRUE(*outcome) << outcome->error().message();
  EXPECT_EQ((*outcome)->analysis.modes.size(), 2U);
  EXPECT_FALSE(finder.busy());
  EXPECT_FALSE(finder.poll());
}

TEST(WindowModes, AFreeBodyUnderGravityHasNoEquilibriumToSwingAbout) {
  Node scene = api::new_scene();
  add_child(scene, "system", "voxel_body", "block").set("size", Vec3(2, 2, 2));
  const auto found = find_modes_of({scene, "block", 8, true}, {});
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message().find("the body is not held"), std::string::npos) << found.error().message();
}

}  // namespace
}  // namespace vw
