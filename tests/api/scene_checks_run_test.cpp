// Checks of a scene that use measurements of the running world: findings must appear, and remedies must remove them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/api/run.h"
#include "sim/scene/checks/scene_checks.h"
#include "tests/support/checked.h"

namespace vw {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct CheckedStep {
  std::vector<SceneFinding> findings;
  RunningFacts facts;
};

/// Applies assignments to a scene, takes `steps` steps, and runs the checks.
CheckedStep checked_after(const std::string& text, const std::vector<Assignment>& assignments = {},
                          std::uint64_t steps = 1) {
  auto scene = test::checked(api::open_scene_text(text, "scene", ""));
  for (const Assignment& one : assignments) {
    const auto done = set_parameter(scene.root, one.path, one.value);
    EXPECT_TRUE(done) << done.error().message();
  }
  Node tree = scene.root;
  auto run = test::checked(api::Run::create(std::move(scene)));
  const auto stepped = run.step(steps);
  EXPECT_TRUE(stepped) << stepped.error().message();
  Snapshot snapshot;
  run.snapshot(snapshot);
  CheckedStep out;
  out.facts = run_facts(snapshot);
  out.facts.step_wall_s = 0;  // wall times depend on the machine
  out.findings = SceneChecks().look(tree, &out.facts);
  return out;
}

/// Expects that the scene has one finding, of the given kind, and that each of its remedies removes it.
void expect_remedies_work(const std::string& text, CheckKind kind, std::size_t remedies, std::uint64_t steps = 1) {
  const CheckedStep before = checked_after(text, {}, steps);
  ASSERT_EQ(before.findings.size(), 1U);
  EXPECT_EQ(before.findings[0].kind, kind);
  EXPECT_EQ(before.findings[0].remedies.size(), remedies);
  for (const SceneRemedy& remedy : before.findings[0].remedies) {
    const CheckedStep after = checked_after(text, remedy.assignments, steps);
    EXPECT_THAT(after.findings, IsEmpty())
        << remedy.label << " leaves " << after.facts.systems[0].substeps << " substeps";
  }
}

TEST(SceneChecksOfARun, AStiffVoxelBodyIsMendedByTheImplicitIntegratorOrASofterMaterial) {
  expect_remedies_work(R"(format = 1
[[material]]
name = "steel"
youngs_modulus = 2e11
density = 7800
[[material]]
name = "brass"
youngs_modulus = 1e11
density = 8500
[[system]]
kind = "voxel_body"
name = "beam"
shape = "layers"
palette = ["steel", "brass"]
size = [4, 1, 1]
layers = ["1122"]
voxel_size = 0.02
position = [0, 1, 0]
)",
                       CheckKind::substeps, 2);
}

TEST(SceneChecksOfARun, AStiffWcsphFluidIsMendedByTheOtherMethod) {
  const std::string text = R"(format = 1
[[system]]
kind = "fluid"
name = "water"
method = "wcsph"
stiffness = 5e7
[[system.fill]]
kind = "box"
name = "drop"
size = [0.1, 0.1, 0.1]
)";
  const CheckedStep before = checked_after(text);
  ASSERT_EQ(before.findings.size(), 1U) << before.facts.systems[0].substeps << " substeps";
  EXPECT_THAT(before.findings[0].sentence, HasSubstr("because its speed of sound is 592 m/s"));
  EXPECT_THAT(checked_after(text, before.findings[0].remedies[0].assignments).findings, IsEmpty());
}

TEST(SceneChecksOfARun, ALongestSubstepThatIsTooShortIsRaised) {
  expect_remedies_work(R"(format = 1
[[system]]
kind = "rigid"
name = "blocks"
longest_dt = 1e-5
[[system.body]]
kind = "box"
name = "block"
)",
                       CheckKind::substeps, 1);
}

TEST(SceneChecksOfARun, AFastBallNeedsAShorterStepOnlyIfSubstepsDoNotResolveItsWay) {
  const auto scene = [](const char* integrator) {
    return std::string(R"(format = 1
[[system]]
kind = "voxel_body"
name = "wall"
position = [0, 1, 0]
integrator = ")") +
           integrator + R"("
[[system]]
kind = "rigid"
name = "shots"
[[system.body]]
kind = "sphere"
name = "ball"
radius = 0.02
position = [5, 1, 0]
velocity = [-20, 0, 0]
)";
  };
  EXPECT_THAT(checked_after(scene("explicit")).findings, IsEmpty());
  expect_remedies_work(scene("implicit"), CheckKind::speed, 1);
}

}  // namespace
}  // namespace vw
