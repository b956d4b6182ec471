// The course of the lab: every experiment agrees with theory, and mistakes in a course are reported.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "sim/api/analysis/checked_curves.h"
#include "sim/api/analysis/lab.h"
#include "sim/scene/scene.h"
#include "tests/support/packaged.h"

namespace vw {
namespace {

const LabCourse& course() {
  static const LabCourse read = test::checked(packaged_lab_course());
  return read;
}

void expect_agreement(const std::string& name) {
  SCOPED_TRACE(name);
  const LabExperiment* experiment = course().find(name);
  ASSERT_NE(experiment, nullptr);
  const auto outcomes = api::run_lab_experiment(*experiment);
  ASSERT_TRUE(outcomes) << outcomes.error().message();
  EXPECT_EQ(outcomes->size(), experiment->checks.size());
  for (const api::LabOutcome& outcome : *outcomes)
    EXPECT_TRUE(outcome.agrees) << outcome.title << ": measured " << outcome.measured << ", expected "
                                << outcome.expected << ", allowed " << outcome.allowed;
}

/// Returns the experiments that take more than 5 s. ./test.sh validation runs them.
const std::set<std::string>& slow_experiments() {
  static const std::set<std::string> slow = {"lab-drop", "lab-standing-wave", "lab-metacentre", "lab-added-mass",
                                             "lab-silo"};
  return slow;
}

void expect_agreement_of_chapter(const std::string& chapter, std::size_t least) {
  std::size_t count = 0;
  for (const LabExperiment& experiment : course().experiments)
    if (experiment.chapter == chapter) {
      if (!slow_experiments().contains(experiment.name)) expect_agreement(experiment.name);
      ++count;
    }
  EXPECT_GE(count, least);
}

TEST(LabCourseValidation, SlowExperimentsAgreeWithTheory) {
  for (const std::string& name : slow_experiments()) expect_agreement(name);
}

TEST(LabCourse, BeamsAgreeWithTheory) { expect_agreement_of_chapter("Beams", 6); }
TEST(LabCourse, WaterAgreesWithTheory) { expect_agreement_of_chapter("Water", 5); }
TEST(LabCourse, CouplingAgreesWithTheory) { expect_agreement_of_chapter("Coupling", 2); }
TEST(LabCourse, RigidBodiesAgreeWithTheory) { expect_agreement_of_chapter("Rigid bodies", 5); }
TEST(LabCourse, BallsAndWallsAgreeWithTheory) { expect_agreement_of_chapter("Balls and walls", 9); }
TEST(LabCourse, GrainsAndFlocksAgreeWithTheory) { expect_agreement_of_chapter("Grains and flocks", 2); }
TEST(LabCourse, AirAgreesWithTheory) { expect_agreement_of_chapter("Air", 2); }
TEST(LabCourse, RandomFieldsAgreeWithTheory) { expect_agreement_of_chapter("Random fields", 4); }

TEST(LabCourse, ContainsEveryLabSceneOnce) {
  std::set<std::string> seen;
  for (const LabExperiment& experiment : course().experiments) {
    EXPECT_TRUE(seen.insert(experiment.name).second) << experiment.name;
    EXPECT_TRUE(find_scene(experiment.name)) << experiment.name;
    EXPECT_TRUE(experiment.question.ends_with('?')) << experiment.name;
  }
  for (const PackagedScene& scene : packaged_scenes())
    if (scene.group == "lab") {
      EXPECT_TRUE(seen.contains(scene.name)) << scene.name;
    }
}

constexpr const char* small_course = R"([[experiment]]
name = "lab-wind"
chapter = "Air"
law = "A law."
source = "A book."
question = "Why?"
try = ["a", "b", "c"]
until = 0.1
[[experiment.check]]
name = "one"
title = "speed"
plot = "along"
curve = "light"
theory = "light-theory"
)";

std::string changed_course(const std::string& from, const std::string& to) {
  std::string text = small_course;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string course_error(const std::string& text) {
  const auto read = read_lab_course(text, "course.toml");
  return read ? "accepted" : read.error().message();
}

TEST(LabCourse, MistakesAreReportedWithLineAndKey) {
  EXPECT_EQ(course_error(small_course), "accepted");
  EXPECT_EQ(course_error(changed_course("law = \"A law.\"\n", "")),
            "course.toml:1: experiment.lab-wind.law: is missing");
  EXPECT_EQ(course_error(changed_course("\"b\", ", "")),
            "course.toml:1: experiment.lab-wind.try: must be a list of three texts");
  EXPECT_EQ(course_error(changed_course("plot = \"along\"\n", "")), "course.toml:9: check.one.plot: is missing");
  EXPECT_EQ(course_error(changed_course("title = \"speed\"\n", "")), "course.toml:9: check.one.title: is missing");
  EXPECT_NE(
      course_error(changed_course("theory = \"light-theory\"", "value = \"difference\"")).find("theory: is missing"),
      std::string::npos);
  EXPECT_NE(course_error(changed_course("theory = \"light-theory\"", "from = 2\nto = 1")).find("must not be after"),
            std::string::npos);
  EXPECT_NE(course_error(changed_course("theory = \"light-theory\"", "value = \"slope\"")).find("field: is missing"),
            std::string::npos);
  EXPECT_NE(course_error(changed_course("until = 0.1", "until = -1")).find("until"), std::string::npos);
  EXPECT_NE(course_error(changed_course("until = 0.1", "until = nan")), "accepted");
  EXPECT_NE(course_error(changed_course("[[experiment.check]]", "[[experiment.checks]]")), "accepted");
  EXPECT_NE(course_error(std::string(100'000, '[')), "accepted");
  EXPECT_NE(course_error(std::string("\0\xff", 2)), "accepted");
}

TEST(LabCourse, ARunReportsWhatTheSceneDoesNotHave) {
  const auto outcome = [](const std::string& text) {
    const LabCourse read = test::checked(read_lab_course(text, "course.toml"));
    const auto outcomes = api::run_lab_experiment(read.experiments.front());
    return outcomes ? "ran" : outcomes.error().message();
  };
  EXPECT_EQ(outcome(small_course), "ran");
  EXPECT_NE(outcome(changed_course("curve = \"light\"", "curve = \"heat\"")).find("\"heat\""), std::string::npos);
  EXPECT_NE(outcome(changed_course("name = \"lab-wind\"", "name = \"lab-wnd\"")).find("lab-wnd"), std::string::npos);
}

TEST(LabCourse, PeriodAndRateAreTakenFromTheCurve) {
  api::CheckedCurve curve(0), noise(0);
  curve.keep_values();
  noise.keep_values();
  EXPECT_TRUE(std::isnan(curve.number(LabValue::period)));
  for (int i = 0; i <= 1000; ++i) {
    const double t = 0.01 * i;
    curve.add(t, 3 + std::sin(2 * pi * t / 0.8));
    noise.add(t, 5 - 2 * t + (i % 2 == 0 ? 0.1 : -0.1));
  }
  EXPECT_NEAR(curve.number(LabValue::period), 0.8, 2e-3);
  EXPECT_NEAR(noise.number(LabValue::rate), -2, 1e-3);
  // Over 1.3 periods, the mean value differs from the middle of the oscillation by about a tenth of the amplitude.
  api::CheckedCurve part(0);
  part.keep_values();
  for (int i = 0; i <= 1040; ++i) part.add(1e-3 * i, 3 + std::cos(2 * pi * 1e-3 * i / 0.8));
  EXPECT_NEAR(part.number(LabValue::period), 0.8, 2e-2);
  api::CheckedCurve damped(0);
  damped.keep_values();
  for (int i = 0; i <= 1040; ++i) damped.add(1e-3 * i, std::exp(-2e-3 * i) * std::cos(2 * pi * 1e-3 * i / 0.8));
  EXPECT_NEAR(damped.number(LabValue::zero_period), 0.8, 1e-5) << "damping does not move the zero crossings";
  EXPECT_EQ(unit_of(LabValue::period, "m"), "s");
  EXPECT_EQ(unit_of(LabValue::rate, "m"), "m/s");
  EXPECT_EQ(unit_of(LabValue::rate, ""), "1/s");
}

TEST(LabCourse, ANumberOutsideItsToleranceDiffers) {
  LabCourse read = test::checked(read_lab_course(small_course, "course.toml"));
  LabExperiment& experiment = read.experiments.front();
  LabCheck& check = experiment.checks.front();
  check.theory.clear();
  check.expected = 100;
  auto outcomes = test::checked(api::run_lab_experiment(experiment));
  EXPECT_FALSE(outcomes.front().agrees);
  check.from_s = 50;  // after the end of the run, so the check has no value
  outcomes = test::checked(api::run_lab_experiment(experiment));
  EXPECT_FALSE(outcomes.front().agrees);
  const auto stopped = api::run_lab_experiment(experiment, [](double) { return false; });
  EXPECT_FALSE(stopped);
}

}  // namespace
}  // namespace vw
