// The benchmark cube: a single case, and the complete table of cases.
#include <algorithm>

#include <fmt/format.h>

#include "bench/cases/voxel/cube_case.h"
#include "sim/base/parallel/parallel.h"

namespace vw::bench {
namespace {

/// Number of voxels along the edge of the cube for which engine and scalar reference are compared. With this size, the
/// reference needs only a fraction of a second per world step.
constexpr int agreement_n = 8;

constexpr std::array shape_names{"dense", "hollow", "sparse"};

CubeScene cube_of(const Arguments& arguments) {
  CubeScene cube;
  cube.n = static_cast<int>(arguments.whole("n"));
  cube.shape = static_cast<CubeShape>(arguments.whole("shape"));
  cube.poisson = arguments.real("nu");
  cube.self_contact = arguments.whole("self-contact") != 0;
  cube.spin = arguments.real("spin");
  cube.dt_s = arguments.real("dt");
  return cube;
}

std::vector<int> sizes_up_to(int largest) {
  std::vector<int> sizes;
  for (const int n : {10, 20, 40, 64})
    if (n <= largest) sizes.push_back(n);
  if (sizes.empty()) sizes.push_back(largest);
  return sizes;
}

/// Sets the number of threads for the lifetime of this object.
class ThreadCount {
 public:
  explicit ThreadCount(int threads) : before_(thread_count()) { set_thread_count(threads); }
  ~ThreadCount() { set_thread_count(before_); }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

 private:
  int before_;
};

Peak probe_peak(const Arguments& arguments, int threads) {
  return arguments.whole("probe") != 0 ? measure_peak(threads, arguments.whole("milliseconds")) : Peak{};
}

struct Team {
  int threads = 1;
  Peak peak;
};

/// Measures one world with each number of threads, one after the other.
Result<void> add_rows(const CubeScene& cube, const std::vector<Team>& teams, std::int64_t milliseconds,
                      std::vector<Row>& rows) {
  const auto made = make_cube_world(cube);
  if (!made) return Unexpected(made.error());
  for (const Team& team : teams) {
    const ThreadCount threads(team.threads);
    const auto run = run_beside_reference(cube, *made->world, milliseconds);
    if (!run) return Unexpected(run.error());
    const Outcome told = tell(cube, *made, *run, team.peak);
    Row row;
    row.labels = {{"shape", shape_names.at(static_cast<std::size_t>(cube.shape))}};
    row.values = {
        {"n", cube.n}, {"nu", cube.poisson}, {"self_contact", cube.self_contact ? 1 : 0}, {"threads", team.threads}};
    row.values.insert(row.values.end(), told.rates.begin(), told.rates.end());
    row.values.insert(row.values.end(), told.figures.begin(), told.figures.end());
    rows.push_back(std::move(row));
  }
  return {};
}

std::vector<CubeScene> all_cases(int largest, double dt_s) {
  std::vector<CubeScene> cases;
  for (const int n : sizes_up_to(largest))
    for (const CubeShape shape : {CubeShape::dense, CubeShape::hollow, CubeShape::sparse})
      for (const double nu : {0.35, 0.0})
        for (const bool self_contact : {false, true}) {
          CubeScene cube;
          cube.n = n;
          cube.shape = shape;
          cube.poisson = nu;
          cube.self_contact = self_contact;
          cube.dt_s = dt_s;
          cases.push_back(cube);
        }
  return cases;
}

}  // namespace

Result<Outcome> voxel_cube(const Arguments& arguments) {
  const CubeScene cube = cube_of(arguments);
  const std::int64_t milliseconds = arguments.whole("milliseconds");
  const Peak peak = probe_peak(arguments, thread_count());
  CubeScene small = cube;
  small.n = std::min(cube.n, agreement_n);
  const auto difference = difference_from_reference(small);
  if (!difference) return Unexpected(difference.error());
  const auto made = make_cube_world(cube);
  if (!made) return Unexpected(made.error());
  const auto run = run_beside_reference(cube, *made->world, milliseconds);
  if (!run) return Unexpected(run.error());
  Outcome outcome = tell(cube, *made, *run, peak);
  outcome.figures.emplace_back("difference_from_reference_m", *difference);
  outcome.figures.emplace_back("difference_taken_at_n", small.n);
  return outcome;
}

Result<Outcome> voxel_suite(const Arguments& arguments) {
  const std::int64_t milliseconds = arguments.whole("milliseconds");
  std::vector<Team> teams{{1, probe_peak(arguments, 1)}};
  if (const int all = thread_count(); all > 1) teams.push_back({all, probe_peak(arguments, all)});
  Outcome outcome;
  for (const CubeScene& cube : all_cases(static_cast<int>(arguments.whole("max-n")), arguments.real("dt")))
    if (auto done = add_rows(cube, teams, milliseconds, outcome.rows); !done) return Unexpected(done.error());
  std::vector<double> rates;
  for (const Row& row : outcome.rows) rates.push_back(row.value("voxel_steps_per_s"));
  outcome.rates = {{"slowest_voxel_steps_per_s", *std::min_element(rates.begin(), rates.end())},
                   {"fastest_voxel_steps_per_s", *std::max_element(rates.begin(), rates.end())}};
  outcome.figures = {{"cases", static_cast<double>(rates.size())}};
  outcome.columns = {"n",
                     "nu",
                     "self_contact",
                     "threads",
                     "voxel_steps_per_s",
                     "best_voxel_steps_per_s",
                     "speedup_over_reference",
                     "real_time_factor",
                     "bytes_per_voxel"};
  if (teams.front().peak.known())
    outcome.columns.insert(outcome.columns.end(), {"share_of_peak_flops", "share_of_peak_memory_bandwidth"});
  return outcome;
}

}  // namespace vw::bench
