// The registry of benchmarks is complete, its parameters are checked, and every benchmark runs.
#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bench/cases/voxel/cube_case.h"
#include "bench/cases/voxel/reference_cube.h"
#include "bench/registry.h"
#include "sim/base/parallel/parallel.h"

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
  EXPECT_THAT(run_benchmark(cube, {{"m", 3}}).error().message(), HasSubstr("unknown argument \"m\""));
  EXPECT_THAT(run_benchmark(cube, {{"n", 0}}).error().message(), HasSubstr("n = 0: must lie in [2, 300]"));
  EXPECT_THAT(run_benchmark(cube, {{"n", 2.5}}).error().message(), HasSubstr("n = 2.5: must be a whole number"));
  EXPECT_THAT(run_benchmark(cube, {{"nu", 0.5}}).error().message(), HasSubstr("nu = 0.5: must lie in [0, 0.49]"));
}

TEST(Benchmarks, ArgumentsAreReadAsTheyAreTyped) {
  const Benchmark& cube = **find_benchmark("voxel-cube");
  const auto read = parse_arguments(cube, {{"n", "10"}, {"nu", "0.25"}, {"shape", "sparse"}});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->whole("n"), 10);
  EXPECT_EQ(read->real("nu"), 0.25);
  EXPECT_EQ(read->whole("shape"), 2);
  EXPECT_EQ(parse_arguments(cube, {{"shape", "1"}})->whole("shape"), 1);
  EXPECT_THAT(parse_arguments(cube, {{"shape", "holow"}}).error().message(), HasSubstr("did you mean \"hollow\""));
  EXPECT_THAT(parse_arguments(cube, {{"nu", "0.3x"}}).error().message(), HasSubstr("must be a number"));
  EXPECT_THAT(parse_arguments(cube, {{"octaves", "3"}}).error().message(), HasSubstr("unknown argument \"octaves\""));
}

TEST(Benchmarks, EveryOneRunsSmallAndNamesItsRates) {
  for (const Benchmark& row : benchmarks()) {
    Arguments small{{"milliseconds", 1}};
    for (const Argument& argument : row.arguments)
      if (argument.kind == Argument::Kind::whole) small[argument.name] = std::clamp(3.0, argument.min, argument.max);
    if (small.contains("probe")) small["probe"] = 0;  // The probe of the peak rates is slow, and the next test runs it.
    const auto outcome = run_benchmark(row, small);
    ASSERT_TRUE(outcome) << row.name << ": " << outcome.error().message();
    ASSERT_FALSE(outcome->rates.empty()) << row.name;
    for (const auto& [key, value] : outcome->rates) {
      EXPECT_TRUE(key.ends_with("_per_s")) << key;
      EXPECT_TRUE(std::isfinite(value) && value >= 0) << row.name << ": " << key << " = " << value;
    }
    // One positive rate is enough. A slow build takes only a single step in a millisecond, and an emitter need not emit
    // in that step.
    EXPECT_TRUE(std::ranges::any_of(outcome->rates, [](const auto& rate) { return rate.second > 0; })) << row.name;
    for (const auto& [key, value] : outcome->figures)
      EXPECT_TRUE(std::isfinite(value)) << row.name << ": " << key << " = " << value;
    const auto json = nlohmann::json::parse(outcome_json(row, small, *outcome));
    EXPECT_EQ(json["name"], row.name);
    EXPECT_EQ(json["arguments"]["milliseconds"], 1);
    EXPECT_TRUE(json.contains(outcome->rates[0].first));
  }
}

TEST(Benchmarks, TheCubeTellsEverythingThatItsTableAsksFor) {
  const auto outcome = run_benchmark(**find_benchmark("voxel-cube"), {{"n", 6}, {"milliseconds", 1}});
  ASSERT_TRUE(outcome) << outcome.error().message();
  for (const char* key : {"voxel_steps_per_s", "best_voxel_steps_per_s", "reference_voxel_steps_per_s",
                          "real_time_factor", "substeps_per_simulated_s", "speedup_over_reference", "peak_flop_per_s",
                          "peak_memory_byte_per_s", "byte_per_voxel_step", "flop_per_voxel_step"})
    EXPECT_GT(outcome->value(key), 0) << key;
  // These fractions compare the voxel sweep with peak rates that a probe measured. Other programs on the machine may
  // disturb either measurement, so the bounds are wide.
  for (const char* key : {"share_of_peak_flops", "share_of_peak_l2_bandwidth", "share_of_peak_memory_bandwidth"}) {
    EXPECT_GT(outcome->value(key), 0) << key;
    EXPECT_LT(outcome->value(key), 1.5) << key;
  }
  EXPECT_GE(outcome->value("windows"), 5);
  EXPECT_EQ(outcome->value("voxels"), 216);
  EXPECT_EQ(outcome->value("bonds"), 3 * 6 * 6 * 5);
}

TEST(Benchmarks, TheSuiteHasARowForEveryCase) {
  const auto outcome =
      run_benchmark(**find_benchmark("voxel-suite"), {{"max-n", 4}, {"probe", 0}, {"milliseconds", 1}});
  ASSERT_TRUE(outcome) << outcome.error().message();
  const std::size_t teams = thread_count() > 1 ? 2 : 1;
  // The rows cover three shapes and two Poisson's ratios, with and without self-contact.
  ASSERT_EQ(outcome->rows.size(), 3 * 2 * 2 * teams);
  const auto json = nlohmann::json::parse(outcome_json(**find_benchmark("voxel-suite"), {}, *outcome));
  for (const char* key : {"shape", "n", "nu", "self_contact", "threads", "voxel_steps_per_s", "real_time_factor"})
    EXPECT_TRUE(json["rows"][0].contains(key)) << key;
}

TEST(Benchmarks, RowsMakeATable) {
  Outcome outcome;
  outcome.rows = {{{{"shape", "dense"}}, {{"n", 10}, {"rate_per_s", 1.25e6}}},
                  {{{"shape", "hollow"}}, {{"n", 20}, {"rate_per_s", 2}}}};
  outcome.columns = {"n", "rate_per_s"};
  EXPECT_EQ(rows_table(outcome),
            "| shape | n | rate_per_s |\n|---|---|---|\n| dense | 10 | 1.25e+06 |\n| hollow | 20 | 2 |\n");
  EXPECT_EQ(rows_table({}), "");
}

/// Returns the difference of the positions [m] that two independent implementations of the same formulas reach after
/// one world step of some 200 substeps.
double difference(const CubeScene& cube) {
  const auto found = difference_from_reference(cube);
  EXPECT_TRUE(found) << found.error().message();
  return found.value_or(1);
}

// Bonds may be computed in float. In each substep, rounding adds an error of 6e-8 of the edge length of 5 mm, which is
// 3e-10 m. Damping keeps these errors from accumulating, so ten times that error is allowed.
constexpr double float_rounding_m = 3e-9;

TEST(Benchmarks, TheVoxelYardstickComputesTheSamePhysics) {
  for (const double nu : {0.0, 0.35})
    for (const CubeShape shape : {CubeShape::dense, CubeShape::hollow, CubeShape::sparse})
      EXPECT_LT(difference({.n = 4, .shape = shape, .poisson = nu}), float_rounding_m)
          << "nu " << nu << ", shape " << static_cast<int>(shape);
}

TEST(Benchmarks, TheVoxelYardstickSpinsAndRubsOnTheGroundAlike) {
  EXPECT_LT(difference({.n = 4, .spin = 5}), float_rounding_m);
}

TEST(Benchmarks, TheVoxelYardstickSeesAPoissonEffectAndTheGround) {
  // The comparison with the reference is meaningful only if the Poisson effect and the ground move voxels by more than
  // `float_rounding_m`.
  const auto cells = cells_of(CubeShape::dense, 4);
  ReferenceCube plain(cells, cube_edge_m, {.poisson = 0}, 9.81), wide(cells, cube_edge_m, {.poisson = 0.35}, 9.81);
  for (int i = 0; i < 200; ++i) plain.substep(4e-5), wide.substep(4e-5);
  EXPECT_GT((plain.voxels.back().position - wide.voxels.back().position).norm(), 10 * float_rounding_m);
  const double fallen = 0.5 * 9.81 * 8e-3 * 8e-3;
  EXPECT_LT(3.5 * cube_edge_m - plain.voxels.back().position.y(), 0.5 * fallen);
}

TEST(Benchmarks, SelfContactLeavesABodyAtRestAlone) {
  EXPECT_LT(difference({.n = 5, .shape = CubeShape::sparse, .self_contact = true}), float_rounding_m);
}

}  // namespace
}  // namespace vw::bench
