// voxwake compare: steps two runs side by side, and reports their first difference and how the differences grow.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/opened_run.h"
#include "app/cli/opened_scene.h"
#include "app/cli/options.h"
#include "app/cli/output_path.h"
#include "app/cli/progress.h"
#include "sim/api/analysis/compare.h"
#include "sim/api/saved_session.h"
#include "sim/base/data/state.h"
#include "sim/base/files/file.h"
#include "sim/base/system/file_descriptor.h"
#include "sim/base/system/interrupt.h"
#include "sim/scene/file_kind.h"

namespace vw::cli {
namespace {

/// Options of one of the two runs.
struct SideOptions {
  std::string input, resume, branch;
  std::vector<std::string> sets;
};

struct CompareCommandOptions {
  SideOptions a, b;
  std::vector<std::string> sets;  ///< values of --set, which apply to both runs
  std::string base, report;
  bool strict = false, first_only = false;
  double until_s = -1;
  std::int64_t threads = 0;
};

enum class Input { scene, checkpoint, journal, session };

/// Determines the kind of an input. A file with an unknown extension is a journal if it begins with `{`. Every other
/// input is treated as a scene, because the scene reader reports files that it cannot read.
Input kind_of_input(const std::string& path) {
  if (is_state_file(path)) return Input::checkpoint;
  if (api::is_session_file(path)) return Input::session;
  if (file_kind(path) != FileKind::unknown) return Input::scene;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return Input::scene;  // reading a pipe would consume its content
  const FileStream file = open_for_reading(path);
  return file != nullptr && std::fgetc(file.get()) == '{' ? Input::journal : Input::scene;
}

bool is_robot(const SideOptions& side) { return file_kind(side.input) == FileKind::robot; }

SceneOptions scene_of(const CompareCommandOptions& options, const SideOptions& side) {
  SceneOptions scene{side.input, options.sets, options.strict, is_robot(side) ? options.base : std::string()};
  scene.sets.insert(scene.sets.end(), side.sets.begin(), side.sets.end());
  return scene;
}

Result<api::ComparedRun> open_journal_side(const SideOptions& side, const std::string& resume_option,
                                           const std::vector<std::string>& sets) {
  const bool is_session = kind_of_input(side.input) == Input::session;
  std::uint64_t end_tick = 0;
  Result<Journal> journal;
  if (is_session) {
    auto path = api::session_path(side.input, side.branch);
    if (!path) return Unexpected(path.error());
    end_tick = path->tick;
    journal = std::move(path->journal);
  } else {
    journal = read_journal(side.input);
  }
  if (!journal) return Unexpected(journal.error());
  warn_of_other_build(side.input, journal->build);
  if (!journal->complete && !is_session)
    say(fmt::format("warning: {} is incomplete, because its session did not end normally", side.input));
  auto run = start_of_journal(
      *journal, {.path = side.input, .resume = side.resume, .resume_option = resume_option, .sets = sets});
  if (!run) return Unexpected(run.error());
  return api::ComparedRun{side.input, std::move(*run), std::move(journal->entries), end_tick, sets.empty()};
}

/// Opens one of the two runs. `letter`, "a" or "b", is the last letter of its options, such as --resume-a.
Result<api::ComparedRun> open_side(const CompareCommandOptions& options, const SideOptions& side, const char* letter) {
  const SceneOptions scene = scene_of(options, side);
  const std::string resume_option = std::string("--resume-") + letter;
  const Input kind = kind_of_input(side.input);
  if (!side.branch.empty() && kind != Input::session)
    return fail(fmt::format("--branch-{} {}: applies only to a session, but {} is not a session", letter, side.branch,
                            side.input));
  if (kind == Input::journal || kind == Input::session) return open_journal_side(side, resume_option, scene.sets);
  if (!side.resume.empty())
    return fail(fmt::format("{} {}: applies only to a journal, but {} is not a journal", resume_option, side.resume,
                            side.input));
  if (kind == Input::checkpoint) {
    auto saved = api::open_checkpoint(side.input);
    if (!saved) return Unexpected(saved.error());
    warn_of_other_build(side.input, saved->build);
    auto run = resume_run(std::move(*saved), scene.sets);
    if (!run) return Unexpected(run.error());
    return api::ComparedRun{side.input, std::move(*run)};
  }
  auto opened = open_scene(scene);
  if (!opened) return Unexpected(opened.error());
  const GenerationBar bar;
  auto run = api::Run::create(std::move(*opened));
  if (!run) return Unexpected(run.error());
  return api::ComparedRun{side.input, std::move(*run)};
}

Result<void> check_compare_files(const CompareCommandOptions& options) {
  if (options.report.empty()) return {};
  std::vector<std::string> inputs;
  for (const SideOptions* side : {&options.a, &options.b}) {
    const Input kind = kind_of_input(side->input);
    const bool is_scene = kind == Input::scene || kind == Input::session;
    std::vector<std::string> read = is_scene                    ? files_read(scene_of(options, *side))
                                    : kind == Input::checkpoint ? files_read_by_checkpoint(side->input)
                                                                : std::vector<std::string>{};
    read.push_back(side->input);
    if (!side->resume.empty()) read.push_back(side->resume);
    inputs.insert(inputs.end(), read.begin(), read.end());
  }
  return check_outputs({options.report}, inputs);
}

/// Returns the end of the comparison [s]. Without --until, two scenes run as long as with `voxwake run`. In all other
/// cases, the function returns no value, and the journals and checkpoints determine the end.
std::optional<double> end_of(const CompareCommandOptions& options) {
  if (options.until_s >= 0) return options.until_s;
  const bool only_scenes =
      kind_of_input(options.a.input) == Input::scene && kind_of_input(options.b.input) == Input::scene;
  return only_scenes ? std::optional(default_seconds) : std::nullopt;
}

api::RunComparison compare_sides(api::ComparedRun& a, api::ComparedRun& b, const CompareCommandOptions& options) {
  const std::optional<double> until_s = end_of(options);
  double end_s = until_s.value_or(std::max(a.run.time_s(), b.run.time_s()));
  for (const api::ComparedRun* side : {&a, &b})
    if (!until_s && side->journal && !side->journal->empty())
      end_s = std::max(end_s, side->run.time_s() +
                                  static_cast<double>(std::max(side->journal->back().tick, side->journal_end_tick)) *
                                      side->run.dt_s());
  Progress progress(std::min(a.run.time_s(), b.run.time_s()), end_s);
  // Both runs often have the same warnings. Each warning is printed once.
  std::set<std::string> said;
  const auto warn = [&said](const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings)
      if (said.insert(warning).second) say("warning: " + warning);
  };
  for (const api::ComparedRun* side : {&a, &b}) warn(side->run.notes());
  return api::compare_runs(a, b,
                           {.until_s = until_s, .first_only = options.first_only, .after_step = [&](double time_s) {
                              progress.show(time_s);
                              return !interrupted();
                            }});
}

int run_compare(const CompareCommandOptions& options) {
  ignore_closed_pipes();
  if (!options.base.empty() && !is_robot(options.a) && !is_robot(options.b))
    return report_error(
        fail("--base " + options.base + ": applies only to a .vxd, but neither A nor B is one").value());
  if (auto good = check_compare_files(options); !good) return report_error(good.error());
  use_threads(options.threads);
  auto a = open_side(options, options.a, "a");
  if (!a) return report_error(a.error(), options.a.input);
  auto b = open_side(options, options.b, "b");
  if (!b) return report_error(b.error(), options.b.input);
  catch_interrupts();
  const api::RunComparison found = compare_sides(*a, *b, options);
  const std::string json = api::comparison_json(found);
  if (options.report == "-") {
    fmt::print("{}", json);
  } else {
    fmt::print("{}", api::comparison_text(found));
    if (!options.report.empty())
      if (auto written = write_file_atomic(options.report, json); !written) return report_error(written.error());
  }
  return found.is_equal() ? exit_done : exit_failed;
}

}  // namespace

void add_compare(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<CompareCommandOptions>();
  CLI::App& command =
      add_command(program, "compare",
                  "Step two journals, sessions, checkpoints or scenes side by side and report their first difference");
  add_text(command, "A", options->a.input,
           "A journal, a session, a checkpoint, a scene file or the name of a packaged scene", "")
      .required();
  add_text(command, "B", options->b.input, "The other journal, session, checkpoint or scene", "").required();
  add_sets(command, "--set", options->sets, "Set a parameter of both runs (may be repeated)");
  add_sets(command, "--set-a", options->a.sets, "Set a parameter of A only, after --set (may be repeated)");
  add_sets(command, "--set-b", options->b.sets, "Set a parameter of B only, after --set (may be repeated)");
  add_number(
      command, "--until", options->until_s, {.max = 1e9, .above_min = false},
      "Stop at this simulated time in seconds (default: the end of the shorter journal, the later checkpoint, or "
      "10 for two scenes)");
  add_flag(command, "--first", options->first_only, "Stop at the first difference");
  add_file(command, "--report", options->report,
           "Write the comparison as JSON to this file (- for standard output, instead of the text)", true);
  add_name(command, "--branch-a", options->a.branch,
           "If A is a session, its branch (default: that of the moment that was shown last)", "");
  add_name(command, "--branch-b", options->b.branch, "If B is a session, its branch", "");
  add_file(command, "--resume-a", options->a.resume, "Checkpoint from which the journal A starts");
  add_file(command, "--resume-b", options->b.resume, "Checkpoint from which the journal B starts");
  add_file(command, "--base", options->base, "Base design (.vxa) of each .vxd (default: base.vxa in the same folder)");
  add_flag(command, "--strict", options->strict,
           "Report unsupported features of a design as an error instead of a warning");
  add_threads(command, options->threads);
  when_typed(command, [options, &chosen] { chosen = [options] { return run_compare(*options); }; });
}

}  // namespace vw::cli
