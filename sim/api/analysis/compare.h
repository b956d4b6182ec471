// Steps two runs side by side and finds their first difference: the step, the object of the world, the array and the
// element. Also measures how the differences grow. This file is part of the library's stable interface: a function or
// member that is declared here keeps its meaning, and later versions only add to it.
//
// The runs are called A and B. All differences are B - A, in SI units. The runs are compared at common times only; with
// equal step lengths, every step is a common time. The hashes of the states are compared first. States with equal
// hashes count as equal to the bit.
//
//   vw::api::ComparedRun a{"A", *vw::api::Run::create(*scene)}, b{"B", *vw::api::Run::create(*other)};
//   const vw::api::RunComparison found = vw::api::compare_runs(a, b, {.until_s = 10});
//   if (found.first) std::puts(found.first->arrays.front().sentence().c_str());
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/api/run.h"
#include "sim/base/data/state_difference.h"
#include "sim/base/math.h"

namespace vw::api {

/// One of the two runs of a comparison.
struct ComparedRun {
  std::string name;  ///< file or scene, for messages and the report
  /// Run at the moment where the comparison starts. compare_runs() steps it, and leaves it at the end of the
  /// comparison.
  Run run;
  /// Entries of the journal that the run repeats, if any. Their ticks count from the start of the comparison. `run`
  /// must then be at the start of the journal.
  std::optional<std::vector<JournalEntry>> journal = {};
  /// Step at which the journal ends. If the last entry has a later step, the journal ends at that step.
  std::uint64_t journal_end_tick = 0;
  /// Whether the hashes in the journal are compared with the states of the run. A difference adds a note and does not
  /// end the comparison.
  bool checks_hashes = true;
};

struct CompareOptions {
  /// Time at which the comparison ends [s], rounded to a step. The time is Run::time_s() at the start plus the time of
  /// the steps taken, so resets do not set it back. After the end of its journal, a run continues without commands. If
  /// no time is given, the comparison ends with the shorter journal or, without journals, at the first common time.
  std::optional<double> until_s = {};
  bool first_only = false;         ///< whether the comparison ends at the first difference
  std::size_t most_samples = 200;  ///< largest number of times in RunComparison::growth; at least 2
  /// This function is called after each step of either run with the time [s] of the run that is behind. If the function
  /// returns false, the comparison ends. The function may be empty.
  std::function<bool(double time_s)> after_step = {};
};

/// A value or node of the scene that differs between the runs before the first step.
struct SceneDifference {
  std::string path;                 ///< parameter, such as "world.gravity", or node, such as "system.cube"
  std::optional<std::string> a, b;  ///< values as text, or kinds of the node; empty for a run without the node
};

/// The first common time at which the states differ.
struct FirstDifference {
  double time_s = 0;                     ///< time of the runs, counted as in CompareOptions::until_s [s]
  std::uint64_t step_a = 0, step_b = 0;  ///< Run::step_count() of both runs
  /// Number of steps that the comparison took up to this time.
  std::uint64_t tick_a = 0, tick_b = 0;
  /// The last common time at which the states were equal [s]. It is empty if the states differed from the start.
  std::optional<double> last_equal_s = {};
  /// Arrays that differ, in the order of the state: world, systems by name, rules, actuators, sensors. The first entry
  /// counts as the first difference. The list has at most max_listed entries; `differing_arrays` is the total number.
  std::vector<StateDifference> arrays;
  std::vector<std::string> units;  ///< unit of each of `arrays`; empty if unknown
  std::size_t differing_arrays = 0;
  /// Commands of the journals that were applied after `last_equal_s`, as JSON. Each list has at most max_listed
  /// entries.
  std::vector<std::string> commands_a, commands_b;
};

/// Differences of one system at one time. Elements of A and B are matched by their ids (Run::ids).
struct SystemGrowth {
  std::string system;
  std::size_t matched = 0, only_in_a = 0, only_in_b = 0;  ///< numbers of elements
  double rms_distance_m = 0;      ///< root mean square of the distances between the positions of an element in A and B
                                  ///< [m]
  double largest_distance_m = 0;  ///< largest such distance [m]
  std::optional<std::uint32_t> element = {};  ///< element with the largest distance; empty if all distances are 0
  double kinetic_j = 0, potential_j = 0, elastic_j = 0;  ///< differences of the energies of A and B [J]
  Vec3 center_of_mass_m = Vec3::Zero();                  ///< difference of the centres of mass [m]
  [[nodiscard]] double energy_j() const { return kinetic_j + potential_j + elastic_j; }
};
struct GrowthRow {
  double time_s = 0;
  std::uint64_t step_a = 0, step_b = 0;
  std::vector<SystemGrowth> systems;  ///< by name; only systems that both runs have, of the same kind
};

/// Largest distance in one system between the positions of an element in A and B, over all common times.
struct LargestDistance {
  std::string system;
  double distance_m = 0;
  double time_s = 0;
  std::uint64_t step_a = 0, step_b = 0;
  std::optional<std::uint32_t> element = {};  ///< empty if all distances are 0
};

/// Reason for the end of a comparison.
enum class CompareEnd {
  reached,           ///< the end time, or the end of the journals, was reached
  first_difference,  ///< a difference was found and CompareOptions::first_only was set
  interrupted,       ///< `after_step` returned false
  failed,            ///< a health check failed, a command of a journal was invalid, or there was no common time
};

/// Facts about A or B.
struct ComparedSide {
  std::string name;
  bool has_journal = false;
  double dt_s = 0;  ///< step length at the start [s]
  std::uint64_t start_step = 0, end_step = 0;
  double start_s = 0, end_s = 0;
  std::uint64_t ticks = 0;  ///< steps that the comparison took
  std::uint64_t start_hash = 0, end_hash = 0;
};

struct RunComparison {
  static constexpr std::size_t max_listed = 100;
  ComparedSide a, b;
  /// Sentences about differences in structure, times or step lengths, and about the journals.
  std::vector<std::string> notes;
  std::vector<SceneDifference> scene;  ///< at most max_listed entries; `scene_differences` is the total number
  std::size_t scene_differences = 0;
  std::uint64_t compared = 0;            ///< number of common times at which the states were compared
  std::optional<FirstDifference> first;  ///< empty if no difference was found
  std::vector<GrowthRow> growth;         ///< at regular times, from the first difference to the end
  std::vector<LargestDistance> largest;  ///< one entry for each system that both runs have
  CompareEnd end = CompareEnd::reached;
  std::string failure;  ///< one sentence that names A or B; only for CompareEnd::failed
  /// Returns whether the runs are equal to the bit at every common time up to the end.
  [[nodiscard]] bool is_equal() const { return end == CompareEnd::reached && !first; }
};

/// Compares the runs, starting at their present states. Each run may use all threads, one run at a time. The result
/// does not depend on the number of threads. Array views of the runs become invalid.
[[nodiscard]] RunComparison compare_runs(ComparedRun& a, ComparedRun& b, const CompareOptions& options = {});

/// Returns the comparison as JSON (docs/cli.md, "compare").
[[nodiscard]] std::string comparison_json(const RunComparison& comparison);
/// Returns the comparison as text of several lines. Every line ends with a line break.
[[nodiscard]] std::string comparison_text(const RunComparison& comparison);

}  // namespace vw::api
