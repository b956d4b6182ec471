// Packaged scenes resume from a checkpoint at any step, bit for bit.
#include <span>
#include <string>
#include <vector>

#include "scene_test_support.h"
#include "sim/api/run.h"
#include "tests/support/checked.h"

namespace vw {
namespace {

using namespace scene_test;

/// Saves the run after each number of steps in `steps` and resumes it. The resumed state must be equal at once and one
/// step later.
void expect_resumes(const std::string& name, const api::OpenedScene& scene, std::span<const int> steps) {
  const Scratch scratch;
  const std::string path = scratch.path(name + ".state");
  auto run = api::Run::create(scene);
  ASSERT_TRUE(run) << run.error().message();
  int done = 0;
  for (const int step : steps) {
    for (; done < step; ++done) ASSERT_TRUE(run->step()) << name << " at step " << done;
    const auto kept = run->save(path);
    ASSERT_TRUE(kept) << kept.error().message();
    auto saved = api::open_checkpoint(path);
    ASSERT_TRUE(saved) << saved.error().message();
    auto resumed = api::Run::resume(std::move(*saved));
    ASSERT_TRUE(resumed) << name << " after " << step << " steps: " << resumed.error().message();
    ASSERT_EQ(resumed->hash(), run->hash()) << name << " after " << step << " steps";
    ASSERT_TRUE(resumed->step());
    ASSERT_TRUE(run->step());
    ++done;
    ASSERT_EQ(resumed->hash(), run->hash()) << name << " a step after " << step << " steps";
  }
}

void expect_resumes(const std::string& name, std::span<const int> steps) {
  expect_resumes(name, test::checked(api::open_scene(name, {.strict = true})), steps);
}

TEST(ResumeScenes, ScenesWithJointsResumeFromAnyStep) {
  for (const std::string name : {"windmill", "cart", "lab-chain"})
    expect_resumes(name, std::vector{1, 2, 4, 6, 11, 40, 75});
}

TEST(ResumeScenes, ScenesOfOtherSystemsResumeFromEarlySteps) {
  for (const std::string name : {"dominoes", "snap", "flag", "leaf", "gusty-tower", "sand-heap", "lab-bounce"})
    expect_resumes(name, std::vector{1, 3});
}

/// The steps are long and have many substeps. The pairs that may touch within a step must not depend on a watch list
/// (candidate pairs) that was made for a substep. Otherwise, a resumed run could find other pairs.
TEST(ResumeScenes, ACapsuleThatFallsBesideAVoxelBodyInLongStepsResumes) {
  const std::string text = R"(format = 1
[world]
dt = 0.05
max_substeps = 2000
[[system]]
name = "block"
kind = "voxel_body"
size = [3, 5, 2]
position = [-0.10919570917068895, 0.10342468049987405, -0.03235345461391875]
[[system.region]]
name = "push"
force = [0.24884683749470474, -0.23005778646470076, 0.028952190847045693]
[[system]]
name = "bodies"
kind = "rigid"
[[system.body]]
name = "bean"
kind = "capsule"
position = [-0.13262063395554236, 0.019794319624076656, -0.11203501406713555]
)";
  expect_resumes("bean", test::checked(api::open_scene_text(text, "bean.toml")), std::vector{1, 3, 5});
}

TEST(ResumeScenesValidation, EveryPackagedSceneResumes) {
  for (const PackagedScene& scene : packaged_scenes()) expect_resumes(scene.name, std::vector{1, 2, 4, 7, 20, 41});
}

}  // namespace
}  // namespace vw
