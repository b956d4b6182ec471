// The registry of benchmarks: complete, checked, and every row runs.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bench/registry.h"

namespace vw::bench {
namespace {

using testing::HasSubstr;

TEST(Benchmarks, AreOrderedByNameAndDocumented) {
  const auto all = benchmarks();
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; }));
  for (const auto& row : all) EXPECT_FALSE(row.doc.empty()) << row.name;
}

TEST(Benchmarks, WrongNamesAndSizesAreErrorsWithAHint) {
  EXPECT_THAT(find_benchmark("voxel-cub").error().message(), HasSubstr("did you mean \"voxel-cube\""));
  const Benchmark& cube = **find_benchmark("voxel-cube");
  EXPECT_THAT(run_benchmark(cube, {{"m", 3}}).error().message(), HasSubstr("takes no \"m\""));
  EXPECT_THAT(run_benchmark(cube, {{"n", 0}}).error().message(), HasSubstr("n = 0 must lie in [2, 300]"));
}

TEST(Benchmarks, EveryOneRunsSmallAndNamesItsRates) {
  for (const Benchmark& row : benchmarks()) {
    Arguments small{{"milliseconds", 1}};
    for (const auto& argument : row.arguments) small[argument.name] = std::max<std::int64_t>(argument.min, 3);
    const auto outcome = run_benchmark(row, small);
    ASSERT_TRUE(outcome) << row.name << ": " << outcome.error().message();
    ASSERT_FALSE(outcome->rates.empty()) << row.name;
    for (const auto& [key, value] : outcome->rates) {
      EXPECT_TRUE(key.ends_with("_per_s")) << key;
      EXPECT_GT(value, 0) << key;
    }
    const auto json = nlohmann::json::parse(outcome_json(row, small, *outcome));
    EXPECT_EQ(json["name"], row.name);
    EXPECT_EQ(json["arguments"]["milliseconds"], 1);
    EXPECT_TRUE(json.contains(outcome->rates[0].first));
  }
}

TEST(Benchmarks, TheVoxelYardstickComputesTheSamePhysics) {
  const auto outcome = run_benchmark(**find_benchmark("voxel-cube"), {{"n", 4}, {"milliseconds", 1}});
  ASSERT_TRUE(outcome);
  const auto found =
      std::find_if(outcome->figures.begin(), outcome->figures.end(), [](const auto& f) { return f.first == "difference_from_reference_m"; });
  ASSERT_NE(found, outcome->figures.end());
  // Two independent codes of the same formulas differ by rounding over some 70 substeps of a 4 cm cube.
  EXPECT_LT(found->second, 1e-13);
}

}  // namespace
}  // namespace vw::bench
