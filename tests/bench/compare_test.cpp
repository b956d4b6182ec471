// Recorded results are read, checked and compared with new results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/compare.h"

namespace vw::bench {
namespace {

using testing::HasSubstr;

constexpr const char* cube_json = R"({
  "name": "voxel-cube", "processor": "a processor", "date": "2026-01-01", "threads": 2,
  "arguments": {"n": 10, "shape": "sparse", "milliseconds": 5},
  "voxel_steps_per_s": 4e7, "real_time_factor": 2.5, "voxels": 1000,
  "rows": [{"shape": "dense", "rate_per_s": 10, "count": 3}, {"shape": "hollow", "rate_per_s": 20}]
})";

TEST(Compare, ReadsWhatTheProgramWrites) {
  const Benchmark& cube = **find_benchmark("voxel-cube");
  Outcome outcome;
  outcome.rates = {{"voxel_steps_per_s", 5e7}};
  outcome.figures = {{"voxels", 8}};
  const auto recorded = parse_recorded(outcome_json(cube, {{"n", 4}, {"beside", 1}}, outcome), "base.json");
  ASSERT_TRUE(recorded) << recorded.error().message();
  ASSERT_EQ(recorded->size(), 1U);
  const RecordedOutcome& one = recorded->front();
  EXPECT_EQ(one.benchmark, "voxel-cube");
  EXPECT_FALSE(one.processor.empty());
  EXPECT_EQ(one.date.size(), std::string("2026-01-01").size());
  EXPECT_EQ(one.arguments.whole("n"), 4);
  EXPECT_EQ(one.arguments.whole("beside"), 1);
  EXPECT_EQ(one.outcome.value("voxel_steps_per_s"), 5e7);
}

TEST(Compare, PairsRatesAndRowsWithTheSameLabels) {
  const auto recorded = parse_recorded(cube_json, "base.json");
  ASSERT_TRUE(recorded) << recorded.error().message();
  EXPECT_EQ(recorded->front().arguments.whole("shape"), 2);
  Outcome now;
  now.rates = {{"voxel_steps_per_s", 5e7}};
  now.figures = {{"real_time_factor", 2}, {"voxels", 1000}};
  now.rows = {{{{"shape", "hollow"}}, {{"rate_per_s", 10}}}, {{{"shape", "cone"}}, {{"rate_per_s", 1}}}};
  const auto values = compared(recorded->front(), now);
  ASSERT_EQ(values.size(), 3U);
  EXPECT_EQ(values[0].value, "voxel_steps_per_s");
  EXPECT_DOUBLE_EQ(values[0].ratio(), 1.25);
  EXPECT_EQ(values[1].value, "real_time_factor");
  EXPECT_DOUBLE_EQ(values[1].ratio(), 0.8);
  EXPECT_EQ(values[2].value, "hollow, rate_per_s");
  EXPECT_DOUBLE_EQ(values[2].ratio(), 0.5);
  EXPECT_THAT(comparison_table(values),
              HasSubstr("| voxel-cube, 2 threads | voxel_steps_per_s | 4e+07 | 5e+07 | 1.250 |"));
}

TEST(Compare, ReadsSeveralObjectsAndArrays) {
  const std::string one = cube_json;
  EXPECT_EQ(parse_recorded(one + "\n" + one, "base.json")->size(), 2U);
  EXPECT_EQ(parse_recorded("[" + one + "," + one + "]\n", "base.json")->size(), 2U);
}

TEST(Compare, AMachineWithManyCoresCanRepeatItsResults) {
  const auto recorded = parse_recorded("{\"name\": \"peak\", \"threads\": 384}", "base.json");
  ASSERT_TRUE(recorded) << recorded.error().message();
  EXPECT_EQ(recorded->front().threads, 384);
}

TEST(Compare, WrongFilesAreErrors) {
  const auto error = [](const std::string& text) {
    const auto recorded = parse_recorded(text, "base.json");
    return recorded ? std::string("accepted") : recorded.error().message();
  };
  EXPECT_THAT(error(""), HasSubstr("base.json: the file contains no results"));
  EXPECT_THAT(error("{\"name\": "), HasSubstr("base.json: not valid JSON"));
  EXPECT_THAT(error("[1, 2]"), HasSubstr("the key \"name\" is missing"));
  EXPECT_THAT(error("{\"name\": \"voxel-cub\"}"), HasSubstr("did you mean \"voxel-cube\""));
  EXPECT_THAT(error("{\"name\": \"peak\", \"threads\": 100000}"), HasSubstr("must lie in [1, 1024]"));
  EXPECT_THAT(error("{\"name\": \"peak\", \"arguments\": {\"m\": 3}}"), HasSubstr("unknown argument \"m\""));
  EXPECT_THAT(error("{\"name\": \"peak\", \"arguments\": {\"milliseconds\": [1]}}"), HasSubstr("must be a number"));
}

}  // namespace
}  // namespace vw::bench
