// Comparison of two runs. The first difference must be found where a command, a value or a push caused it, and nothing
// else may be reported. The growth of the difference is tabulated in a limited number of rows. Runs with different
// structures, times or steps are compared too.
#include "sim/api/analysis/compare.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sim/base/parallel/parallel.h"
#include "sim/scene/scene.h"
#include "sim/world/world.h"
#include "tests/support/checked.h"
#include "tests/support/scratch.h"

namespace vw::api {
namespace {

using test::checked;
using test::Scratch;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Kind = StateDifference::Kind;

/// A block of 27 voxels that falls onto the ground, and particles from an emitter far away.
constexpr const char* compared_toml = R"(
[[material]]
name = "soft"
[[collider]]
kind = "plane"
name = "ground"
[[system]]
kind = "voxel_body"
name = "block"
size = [3, 3, 3]
position = [0.0, 0.5, 0.0]
[[system]]
kind = "particles"
name = "rain"
capacity = 200
[[system.emitter]]
kind = "box"
name = "cloud"
position = [5.0, 1.0, 0.0]
rate = 400.0
)";

ComparedRun from_text(const std::string& toml, std::vector<std::string> sets = {}) {
  return {"small", checked(Run::create(checked(open_scene_text(toml, "small", {}, {.assignments = std::move(sets)}))))};
}
ComparedRun small(std::vector<std::string> sets = {}) { return from_text(compared_toml, std::move(sets)); }

/// Returns the small scene with the journal of a run that takes `steps` steps and applies `command` before step `at`.
ComparedRun small_journal(std::uint64_t steps, std::uint64_t at = 0, const std::optional<Command>& command = {}) {
  const Scratch folder;
  const std::string path = folder.path("run.vwj");
  Run run = checked(Run::create(checked(open_scene_text(compared_toml, "small"))));
  EXPECT_TRUE(run.step(at));
  if (command) {
    EXPECT_TRUE(run.apply(*command));
  }
  EXPECT_TRUE(run.step(steps - at));
  EXPECT_TRUE(run.save_journal(path));
  ComparedRun side = small();
  side.journal = checked(read_journal(path)).entries;
  return side;
}

RunComparison compared(ComparedRun a, ComparedRun b, const CompareOptions& options = {}) {
  return compare_runs(a, b, options);
}

// ---- Equal runs -----------------------------------------------------------------------------------------------------

TEST(Compare, EqualRunsAreEqualToTheEndForAnyNumberOfThreads) {
  for (const int threads : {1, 2}) {
    set_thread_count(threads);
    const RunComparison found = compared(small(), small(), {.until_s = 0.25});
    EXPECT_TRUE(found.is_equal());
    EXPECT_EQ(found.end, CompareEnd::reached);
    EXPECT_EQ(found.compared, 31U) << "the start and 30 steps";
    EXPECT_EQ(found.a.ticks, 30U);
    EXPECT_EQ(found.a.end_hash, found.b.end_hash);
    EXPECT_NE(found.a.start_hash, found.a.end_hash);
    EXPECT_THAT(found.notes, IsEmpty());
    EXPECT_EQ(found.scene_differences, 0U);
    EXPECT_THAT(found.growth, IsEmpty());
    EXPECT_THAT(comparison_text(found), HasSubstr("A and B are bit-identical at 31 common times, through 0.25 s."));
  }
  set_thread_count(0);
}

TEST(Compare, TheResultDoesNotDependOnTheNumberOfThreads) {
  std::vector<std::string> texts;
  for (const int threads : {1, 2}) {
    set_thread_count(threads);
    texts.push_back(comparison_json(compared(small(), small({"system.block.position=0,0.51,0"}), {.until_s = 0.2})));
  }
  set_thread_count(0);
  EXPECT_EQ(texts[0], texts[1]);
}

TEST(Compare, AJournalEqualsItsSceneUntilItsEnd) {
  const RunComparison found = compared(small_journal(12), small());
  EXPECT_TRUE(found.is_equal()) << comparison_text(found);
  EXPECT_EQ(found.a.ticks, 12U);
  EXPECT_TRUE(found.a.has_journal);
  EXPECT_FALSE(found.b.has_journal);
}

TEST(Compare, TwoJournalsEndWithTheShorterOneUnlessATimeIsGiven) {
  RunComparison found = compared(small_journal(20), small_journal(8));
  EXPECT_TRUE(found.is_equal());
  EXPECT_EQ(found.a.ticks, 8U);
  found = compared(small_journal(20), small_journal(8), {.until_s = 0.1});
  EXPECT_TRUE(found.is_equal());
  EXPECT_EQ(found.a.ticks, 12U);
  EXPECT_THAT(found.notes, ElementsAre("B ran on without commands after the end of its journal."));
}

// ---- The first difference -------------------------------------------------------------------------------------------

TEST(Compare, FindsTheStepAtWhichACommandChangesAValue) {
  const SetParameter weak{"world.gravity", Vec3(0, -5, 0)};
  const RunComparison found = compared(small_journal(12, 7, weak), small_journal(12));
  EXPECT_FALSE(found.is_equal());
  ASSERT_TRUE(found.first);
  EXPECT_EQ(found.first->step_a, 8U) << "the first step after the command";
  EXPECT_EQ(found.first->tick_b, 8U);
  EXPECT_NEAR(found.first->time_s, 8.0 / 120, 1e-12);
  ASSERT_TRUE(found.first->last_equal_s);
  EXPECT_NEAR(*found.first->last_equal_s, 7.0 / 120, 1e-12);
  ASSERT_EQ(found.first->commands_a.size(), 1U);
  EXPECT_THAT(found.first->commands_a[0], HasSubstr("world.gravity"));
  EXPECT_THAT(found.first->commands_b, IsEmpty());
  const StateDifference& one = found.first->arrays.front();
  EXPECT_EQ(one.name, "block");
  EXPECT_EQ(one.array, "position");
  EXPECT_EQ(one.component, "y");
  EXPECT_LT(one.difference, 0) << "B falls faster";
  EXPECT_EQ(one.rows_differing, 27U);
  EXPECT_EQ(found.first->units.front(), "m");
  EXPECT_EQ(found.a.ticks, 12U) << "the comparison goes on after the first difference";
  EXPECT_EQ(found.end, CompareEnd::reached);
}

TEST(Compare, FindsTheFirstStepOfAValueOfTheScene) {
  const RunComparison found = compared(small(), small({"world.gravity=0,-9,0"}), {.until_s = 0.05});
  ASSERT_TRUE(found.first);
  EXPECT_EQ(found.first->step_a, 1U);
  EXPECT_EQ(found.first->last_equal_s, 0) << "the initial states are equal";
  ASSERT_EQ(found.scene_differences, 1U);
  EXPECT_EQ(found.scene[0].path, "world.gravity");
  EXPECT_EQ(found.scene[0].a, "[0.0, -9.81, 0.0]");
  EXPECT_EQ(found.scene[0].b, "[0.0, -9.0, 0.0]");
}

TEST(Compare, ViewAndPlotsOfASceneAreNoDifference) {
  const RunComparison found = compared(small(), small({"view.eye=1,2,3"}), {.until_s = 0.05});
  EXPECT_TRUE(found.is_equal());
  EXPECT_EQ(found.scene_differences, 0U);
}

/// Expects that a push on one element of `system` is found: this element differs most, and no other system differs.
void expect_push_found(const std::string& toml, const std::string& system, std::int64_t element) {
  ComparedRun a = from_text(toml), b = from_text(toml);
  for (ComparedRun* side : {&a, &b}) ASSERT_TRUE(side->run.step(3));
  ASSERT_TRUE(b.run.apply(Push{system, element, Vec3(0, 0, 1e-6), 0}));
  ASSERT_TRUE(a.run.step());
  ASSERT_TRUE(b.run.step());
  const RunComparison found = compare_runs(a, b);
  ASSERT_TRUE(found.first) << system;
  EXPECT_FALSE(found.first->last_equal_s) << "the states differ from the start of the comparison";
  EXPECT_EQ(found.first->step_a, 4U);
  const StateDifference& one = found.first->arrays.front();
  EXPECT_EQ(one.kind, Kind::value);
  EXPECT_EQ(one.part, "system");
  EXPECT_EQ(one.name, system);
  EXPECT_EQ(one.array, "position");
  EXPECT_EQ(one.component, "z");
  EXPECT_EQ(one.element, static_cast<std::uint32_t>(element));
  EXPECT_GT(one.difference, 0);
  EXPECT_EQ(std::get<double>(one.b) - std::get<double>(one.a), one.difference);
  for (const StateDifference& each : found.first->arrays) EXPECT_EQ(each.name, system) << each.sentence();
  EXPECT_NE(found.first->arrays.end(), std::ranges::find(found.first->arrays, "velocity", &StateDifference::array));
}

TEST(Compare, APushOnOneElementIsFoundInThisElement) {
  const std::string bodies = R"(
[[system]]
kind = "rigid"
name = "balls"
[[system.body]]
kind = "sphere"
name = "left"
position = [-1.0, 5.0, 0.0]
[[system.body]]
kind = "sphere"
name = "right"
position = [1.0, 5.0, 0.0]
)";
  // A push could spread to other particles or spheres only through contacts, and none of them touch. (In a voxel body,
  // bonds would spread the push in one step.)
  expect_push_found(compared_toml, "rain", 4);
  expect_push_found(compared_toml, "rain", 0);
  expect_push_found(compared_toml + bodies, "balls", 1);
}

TEST(Compare, BodiesEmittersSensorsAndCarriedCollidersAreNamed) {
  const std::string named = std::string(compared_toml) + R"(
[[system]]
kind = "rigid"
name = "balls"
[[system.body]]
kind = "sphere"
name = "right"
position = [1.0, 5.0, 0.0]
[[system.body]]
kind = "sphere"
name = "left"
position = [-1.0, 5.0, 0.0]
[[collider]]
kind = "sphere"
name = "rider"
radius = 0.1
position = [-1.0, 6.0, 0.0]
carried_by = "balls"
carried_element = 1
)";
  const RunComparison found =
      compared(from_text(named), from_text(named, {"system.balls.body.left.velocity=0,0,1"}), {.until_s = 0.05});
  ASSERT_TRUE(found.first);
  EXPECT_EQ(found.first->last_equal_s, std::nullopt);
  EXPECT_EQ(found.first->arrays[0].place(), "system \"balls\", element 1 (\"left\"), velocity.z");
  const RunComparison later =
      compared(from_text(named), from_text(named, {"system.rain.emitter.cloud.rate=401"}), {.until_s = 0.05});
  ASSERT_TRUE(later.first);
  const auto emitters = std::ranges::find(later.first->arrays, "emitters", &StateDifference::array);
  ASSERT_NE(emitters, later.first->arrays.end());
  EXPECT_EQ(emitters->place(), "system \"rain\", emitter 0 (\"cloud\"), emitters.carry");
  ComparedRun a = from_text(named), b = from_text(named);
  ASSERT_TRUE(b.run.apply(Push{"balls", 1, Vec3(0, 0, 1e-6), 0}));
  for (ComparedRun* side : {&a, &b}) ASSERT_TRUE(side->run.step(5));
  const RunComparison carried = compare_runs(a, b);
  ASSERT_TRUE(carried.first);
  EXPECT_EQ(carried.first->arrays[0].place(), "world, carried collider 0 (\"rider\"), carrier_position.z");
}

TEST(Compare, APushInAJournalIsFoundAtItsStep) {
  const Push push{"rain", 7, Vec3(0, 0, 1e-6), 0};
  const RunComparison found = compared(small_journal(10), small_journal(10, 4, push), {.first_only = true});
  EXPECT_EQ(found.end, CompareEnd::first_difference);
  EXPECT_FALSE(found.is_equal());
  ASSERT_TRUE(found.first);
  EXPECT_EQ(found.first->step_b, 5U);
  EXPECT_EQ(found.first->arrays.front().place(), "system \"rain\", element 7, position.z");
  EXPECT_EQ(found.first->arrays.front().rows_differing, 1U);
  ASSERT_EQ(found.first->commands_b.size(), 1U);
  EXPECT_THAT(found.first->commands_b[0], HasSubstr("push"));
  EXPECT_EQ(found.a.ticks, 5U) << "the comparison ends at the first difference";
  EXPECT_EQ(found.growth.size(), 1U);
}

TEST(Compare, APushOnAVoxelIsFoundInItsBody) {
  const Push push{"block", 13, Vec3(0, 0, 1e-6), 0};
  const RunComparison found = compared(small_journal(10), small_journal(10, 4, push), {.first_only = true});
  ASSERT_TRUE(found.first);
  EXPECT_EQ(found.first->step_b, 5U);
  for (const StateDifference& each : found.first->arrays) EXPECT_EQ(each.name, "block") << each.sentence();
  EXPECT_EQ(found.first->arrays.front().component, "z");
}

TEST(Compare, ACommandAfterTheLastStepIsFound) {
  const Push push{"block", 13, Vec3(0, 0, 1e-6), 0};
  const RunComparison found = compared(small_journal(10), small_journal(10, 10, push));
  ASSERT_TRUE(found.first);
  EXPECT_EQ(found.first->step_b, 10U);
  EXPECT_EQ(found.first->arrays.front().sentence(), "world, push_system: 0 pushes in A, 1 push in B");
  EXPECT_EQ(found.compared, 11U) << "the last time is compared twice but counted once";
  EXPECT_EQ(found.growth.size(), 1U);
}

TEST(Compare, AResetInOneJournalIsADifferenceOfSteps) {
  const RunComparison found = compared(small_journal(10), small_journal(10, 6, Reset{}));
  ASSERT_TRUE(found.first);
  EXPECT_EQ(found.first->tick_a, 7U);
  EXPECT_EQ(found.first->step_b, 1U);
  EXPECT_EQ(found.first->arrays.front().place(), "world, step");
  EXPECT_EQ(found.b.ticks, 10U) << "the runs stay side by side after the reset";
}

// ---- Growth ---------------------------------------------------------------------------------------------------------

TEST(Compare, MeasuresDistancesEnergyAndCentreOfMass) {
  // B is the same scene with everything 0.25 m higher. Until the block reaches the ground, each element is 0.25 m
  // higher.
  const RunComparison found =
      compared(small(), small({"system.block.position=0,0.75,0", "system.rain.emitter.cloud.position=5,1.25,0"}),
               {.until_s = 0.1});
  ASSERT_TRUE(found.first);
  ASSERT_FALSE(found.growth.empty());
  EXPECT_EQ(found.growth.front().time_s, 0);
  EXPECT_NEAR(found.growth.back().time_s, 0.1, 1e-9);
  const SystemGrowth& block = found.growth.back().systems.at(0);
  EXPECT_EQ(block.system, "block");
  EXPECT_EQ(block.matched, 27U);
  EXPECT_EQ(block.only_in_a + block.only_in_b, 0U);
  EXPECT_NEAR(block.rms_distance_m, 0.25, 1e-9);
  EXPECT_NEAR(block.largest_distance_m, 0.25, 1e-9);
  EXPECT_NEAR(block.center_of_mass_m.y(), 0.25, 1e-9);
  api::Run reference = std::move(small().run);
  const double weight = checked(reference.diagnostics("block")).mass * 9.81;
  EXPECT_NEAR(block.potential_j, weight * 0.25, 1e-6 * weight);
  EXPECT_NEAR(block.energy_j(), weight * 0.25, 1e-6 * weight);
  const SystemGrowth& rain = found.growth.back().systems.at(1);
  EXPECT_GT(rain.matched, 0U);
  EXPECT_NEAR(rain.rms_distance_m, 0.25, 1e-9);
  ASSERT_EQ(found.largest.size(), 2U);
  EXPECT_NEAR(found.largest[0].distance_m, 0.25, 1e-9);
  EXPECT_TRUE(found.largest[0].element);
}

TEST(Compare, TheRowsOfTheGrowthAreBoundedAndReachTheEnd) {
  for (const std::size_t most : {2U, 3U, 7U, 200U}) {
    const RunComparison found =
        compared(small(), small({"world.gravity=0,-9,0"}), {.until_s = 2, .most_samples = most});
    ASSERT_TRUE(found.first);
    EXPECT_LE(found.growth.size(), most);
    EXPECT_GE(found.growth.size(), std::min<std::size_t>(most, 3) - 1);
    EXPECT_EQ(found.growth.front().step_a, 1U);
    EXPECT_EQ(found.growth.back().step_a, 240U);
    EXPECT_TRUE(std::ranges::is_sorted(found.growth, {}, &GrowthRow::time_s));
    EXPECT_EQ(found.compared, 241U) << "every step is compared, whatever the number of rows";
  }
}

// ---- Structure ------------------------------------------------------------------------------------------------------

TEST(Compare, SystemsOfOneSideAreNamed) {
  const std::string more = std::string(compared_toml) + R"(
[[system]]
kind = "voxel_body"
name = "other"
position = [-5.0, 0.5, 0.0]
)";
  const RunComparison found = compared(small(), from_text(more), {.until_s = 0.05});
  EXPECT_THAT(found.notes, ElementsAre("System \"other\" exists only in B."));
  ASSERT_TRUE(found.first);
  std::vector<std::string> sentences;
  for (const StateDifference& one : found.first->arrays) sentences.push_back(one.sentence());
  EXPECT_THAT(sentences,
              ElementsAre("system \"other\": only in B", "interaction \"particles_voxel_body:rain:other\": only in B"))
      << "the systems of both sides are equal at the start";
  ASSERT_FALSE(found.growth.empty());
  ASSERT_EQ(found.growth.back().systems.size(), 2U) << "the growth contains only systems of both sides";
  EXPECT_EQ(found.growth.front().systems[0].largest_distance_m, 0);
  EXPECT_FALSE(found.growth.front().systems[0].element);
  ASSERT_FALSE(found.scene.empty());
  EXPECT_EQ(found.scene[0].path, "system.other");
  EXPECT_FALSE(found.scene[0].a);
  EXPECT_EQ(found.scene[0].b, "voxel_body");
}

TEST(Compare, NumbersOfElementsAreNamed) {
  const RunComparison found = compared(small(), small({"system.block.size=3,3,4"}), {.until_s = 0.05});
  EXPECT_THAT(found.notes, ElementsAre("System \"block\" has 27 elements in A and 36 in B."));
  ASSERT_TRUE(found.first);
  EXPECT_EQ(found.first->arrays[0].kind, Kind::length);
  EXPECT_EQ(found.first->arrays[0].sentence(), "system \"block\", position: 27 elements in A, 36 elements in B");
  EXPECT_EQ(found.growth.back().systems[0].only_in_b, 9U);
}

TEST(Compare, SystemsOfAnotherKindAreNotMatched) {
  std::string other = compared_toml;
  const std::string rain = "kind = \"particles\"\nname = \"rain\"";
  other.replace(other.find(rain), other.size(), "kind = \"voxel_body\"\nname = \"rain\"\nposition = [5.0, 0.5, 0.0]\n");
  const RunComparison found = compared(small(), from_text(other), {.until_s = 0.02});
  EXPECT_THAT(found.notes, ElementsAre("System \"rain\" is a particles in A and a voxel_body in B."));
  ASSERT_TRUE(found.first);
  ASSERT_EQ(found.largest.size(), 1U);
  EXPECT_EQ(found.largest[0].system, "block");
}

TEST(Compare, ParticlesAreMatchedByIdentity) {
  ComparedRun a = small(), b = small();
  for (ComparedRun* side : {&a, &b}) ASSERT_TRUE(side->run.step(20));
  ASSERT_TRUE(b.run.apply(Remove{"rain", 5, Vec3::Zero(), 0}));  // takes effect in the next step
  for (ComparedRun* side : {&a, &b}) ASSERT_TRUE(side->run.step());
  const RunComparison found = compare_runs(a, b, {.until_s = 0.2});
  ASSERT_TRUE(found.first);
  const StateDifference& one = found.first->arrays[0];
  EXPECT_EQ(one.kind, Kind::elements) << one.sentence();
  EXPECT_EQ(one.element, 5U);
  EXPECT_EQ(one.only_in_a, 1U);
  EXPECT_EQ(one.only_in_b, 0U);
  const SystemGrowth& rain = found.growth.back().systems.at(1);
  EXPECT_EQ(rain.only_in_a, 1U);
  EXPECT_EQ(rain.largest_distance_m, 0) << "all other particles are in the same places";
}

// ---- Times ----------------------------------------------------------------------------------------------------------

TEST(Compare, RunsOfDifferentStepsAreComparedAtCommonTimes) {
  const RunComparison found = compared(small(), small({"world.dt=0.0125"}), {.until_s = 0.3});
  ASSERT_FALSE(found.notes.empty());
  EXPECT_THAT(found.notes[0], HasSubstr("0.00833333 s long in A and 0.0125 s in B"));
  EXPECT_EQ(found.a.ticks, 36U);
  EXPECT_EQ(found.b.ticks, 24U);
  EXPECT_EQ(found.compared, 13U) << "at multiples of 0.025 s";
  ASSERT_TRUE(found.first);
  EXPECT_NEAR(found.first->time_s, 0.025, 1e-12);
  EXPECT_EQ(found.first->step_a, 3U);
  EXPECT_EQ(found.first->step_b, 2U);
  EXPECT_NE(found.first->arrays[0].part, "world") << "the numbers of steps are not compared";
}

TEST(Compare, ACheckpointIsComparedWithTheSceneAtItsTime) {
  const Scratch folder;
  ComparedRun earlier = small();
  ASSERT_TRUE(earlier.run.step(24));
  ASSERT_TRUE(earlier.run.save(folder.path("state")));
  const auto resumed = [&] {
    return ComparedRun{"state", checked(Run::resume(checked(open_checkpoint(folder.path("state")))))};
  };
  RunComparison found = compared(resumed(), resumed());
  EXPECT_TRUE(found.is_equal());
  EXPECT_EQ(found.compared, 1U) << "checkpoints of the same step are compared at once";
  EXPECT_EQ(found.a.ticks, 0U);
  found = compared(resumed(), resumed(), {.until_s = 0.25});
  EXPECT_TRUE(found.is_equal());
  EXPECT_EQ(found.a.ticks, 6U);
  found = compared(small(), resumed());
  EXPECT_TRUE(found.is_equal()) << comparison_text(found);
  EXPECT_EQ(found.a.ticks, 24U);
  EXPECT_EQ(found.b.ticks, 0U);
  EXPECT_THAT(found.notes,
              ElementsAre("A starts at step 0 (0 s) and B at step 24 (0.2 s). A is stepped alone until the "
                          "times agree."));
}

TEST(Compare, WithoutACommonTimeNothingIsEqual) {
  ComparedRun later = small();
  ASSERT_TRUE(later.run.step(24));
  const RunComparison found = compared(small_journal(10), std::move(later));
  EXPECT_EQ(found.end, CompareEnd::failed);
  EXPECT_FALSE(found.is_equal());
  EXPECT_EQ(found.compared, 0U);
  EXPECT_THAT(found.failure, HasSubstr("no common time"));
}

// ---- Ends -----------------------------------------------------------------------------------------------------------

TEST(Compare, AFailedHealthCheckEndsTheComparisonWithASentence) {
  RunComparison found =
      compared(small(), small({"world.step_budget=1e3", "system.block.size=12,12,12"}), {.until_s = 1});
  EXPECT_EQ(found.end, CompareEnd::failed);
  EXPECT_FALSE(found.is_equal());
  EXPECT_THAT(found.failure, testing::StartsWith("B failed a health check: step "));
  EXPECT_THAT(comparison_text(found), HasSubstr(found.failure));
  // If both runs fail alike, no difference is found. Even so, the runs do not count as equal, because they did not
  // reach the end.
  const std::vector<std::string> heavy{"world.step_budget=1e3", "system.block.size=12,12,12"};
  found = compared(small(heavy), small(heavy), {.until_s = 1});
  EXPECT_FALSE(found.first);
  EXPECT_FALSE(found.is_equal());
  EXPECT_THAT(found.failure, HasSubstr("; B failed"));
}

TEST(Compare, AJournalThatDoesNotFitItsSceneEndsWithASentence) {
  ComparedRun a = small_journal(5, 2, Push{"block", 26, Vec3(0, 0, 1e-6), 0});
  ComparedRun b = small({"system.block.size=2,2,2"});
  b.journal = a.journal;
  const RunComparison found = compare_runs(a, b);
  EXPECT_EQ(found.end, CompareEnd::failed);
  EXPECT_THAT(found.failure, HasSubstr("B: step 2: the command in the journal cannot be applied to its scene: "));
}

TEST(Compare, AJournalThatIsNotRepeatedIsNoted) {
  ComparedRun a = small_journal(5);
  ComparedRun b = small({"world.gravity=0,-9,0"});
  b.journal = a.journal;
  const RunComparison found = compare_runs(a, b);
  ASSERT_EQ(found.notes.size(), 1U);
  EXPECT_THAT(found.notes[0], testing::StartsWith("B differs from its journal: at step 5, "));
  EXPECT_EQ(found.a.ticks, 5U);
}

TEST(Compare, CanBeInterrupted) {
  int calls = 0;
  const RunComparison found =
      compared(small(), small(), {.until_s = 1, .after_step = [&](double) { return ++calls < 4; }});
  EXPECT_EQ(found.end, CompareEnd::interrupted);
  EXPECT_FALSE(found.is_equal()) << "the end was not reached";
  EXPECT_FALSE(found.first);
  EXPECT_EQ(found.a.ticks, 4U);
}

// ---- Report ---------------------------------------------------------------------------------------------------------

TEST(Compare, TheReportHasWhatTheDocumentSays) {
  const SetParameter weak{"world.gravity", Vec3(0, -5, 0)};
  const auto json = nlohmann::json::parse(comparison_json(compared(small_journal(12, 7, weak), small())));
  EXPECT_EQ(json["equal"], false);
  EXPECT_EQ(json["end"], "reached");
  EXPECT_EQ(json["failure"], "");
  EXPECT_EQ(json["compared"], 13);
  for (const char* key : {"build", "a", "b", "notes", "scene_differences", "scene", "growth", "largest_distances"})
    EXPECT_TRUE(json.contains(key)) << key;
  for (const char* key : {"name", "journal", "dt_s", "start_step", "start_time_s", "end_step", "end_time_s", "steps",
                          "start_state_hash", "final_state_hash"})
    EXPECT_TRUE(json["a"].contains(key)) << key;
  const auto& first = json["first_difference"];
  for (const char* key : {"time_s", "step_a", "step_b", "tick_a", "tick_b", "last_equal_time_s", "differing_arrays",
                          "arrays", "commands_a", "commands_b"})
    EXPECT_TRUE(first.contains(key)) << key;
  EXPECT_EQ(first["step_a"], 8);
  EXPECT_EQ(first["commands_a"][0]["set"]["path"], "world.gravity");
  const auto& one = first["arrays"][0];
  for (const char* key : {"kind", "part", "name", "array", "rows", "rows_a", "rows_b", "rows_differing", "row",
                          "row_name", "element", "component", "a", "b", "difference", "unit", "sentence"})
    EXPECT_TRUE(one.contains(key)) << key;
  EXPECT_EQ(one["kind"], "value");
  EXPECT_EQ(one["b"].get<double>() - one["a"].get<double>(), one["difference"].get<double>());
  const auto& system = json["growth"][0]["systems"][0];
  for (const char* key : {"system", "matched", "only_in_a", "only_in_b", "rms_distance", "largest_distance", "element",
                          "energy", "kinetic_energy", "potential_energy", "elastic_energy", "centre_of_mass"})
    EXPECT_TRUE(system.contains(key)) << key;
  for (const char* key : {"system", "distance", "time_s", "step_a", "step_b", "element"})
    EXPECT_TRUE(json["largest_distances"][0].contains(key)) << key;
  const auto equal = nlohmann::json::parse(comparison_json(compared(small(), small(), {.until_s = 0.02})));
  EXPECT_EQ(equal["equal"], true);
  EXPECT_TRUE(equal["first_difference"].is_null());
}

// ---- State ----------------------------------------------------------------------------------------------------------

TEST(Compare, EveryArrayOfThePackagedScenesIsDescribed) {
  std::size_t arrays = 0;
  for (const PackagedScene& scene : packaged_scenes()) {
    SCOPED_TRACE(scene.name);
    api::Run run = checked(api::Run::create(checked(open_scene(scene.path))));
    ASSERT_TRUE(run.step());
    StateBlock block;
    run.world().save_state(block);
    for (const StateBlock::Entry& entry : block.entries) {
      ++arrays;
      ASSERT_NE(entry.members, nullptr) << entry.name;
      std::size_t bytes = 0;
      for (const StateMember& member : entry.members()) {
        EXPECT_NE(member.kind, StateMember::Kind::bytes) << entry.name << " needs each_member()";
        EXPECT_EQ(member.offset, bytes) << entry.name << ": a member is missing in each_member()";
        bytes += member.count * member.number_bytes;
      }
      EXPECT_EQ(bytes, entry.element_bytes) << entry.name << ": a member is missing in each_member()";
      if (entry.is_single || entry.rows != state_element || entry.size == 0) continue;
      const std::string system = entry.name.substr(0, entry.scope_size - 1).substr(sizeof "system");
      EXPECT_EQ(entry.size / entry.element_bytes, checked(run.size(system)))
          << entry.name << " has rows that are not elements: name them by StateVisitor::rows()";
    }
  }
  EXPECT_GT(arrays, 500U);
}

}  // namespace
}  // namespace vw::api
