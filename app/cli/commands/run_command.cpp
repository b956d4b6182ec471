// voxwake run: simulates without a window and writes a report, tables, a journal and a checkpoint.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/commands.h"
#include "app/cli/export/csv_export.h"
#include "app/cli/export/csv_file.h"
#include "app/cli/export/fitness_export.h"
#include "app/cli/export/plot_export.h"
#include "app/cli/opened_run.h"
#include "app/cli/opened_scene.h"
#include "app/cli/options.h"
#include "app/cli/output_path.h"
#include "app/cli/progress.h"
#include "app/cli/warnings.h"
#include "sim/api/run.h"
#include "sim/base/files/file.h"
#include "sim/base/system/interrupt.h"
#include "sim/base/text.h"
#include "sim/scene/scene_files.h"

namespace vw::cli {
namespace {

struct RunOptions {
  SceneOptions scene;
  EndOptions end;
  std::int64_t threads = 0;
  double every_s = 1.0 / 60;
  std::string report, csv, totals, plots, hashes, fitness, journal, save, resume;
};

/// Tables that are written during the run.
struct Tables {
  std::optional<CsvExport> elements;
  std::optional<TotalsExport> totals;
  std::optional<PlotExport> plots;
  std::optional<CsvFile> hashes = {};
  std::optional<FitnessExport> fitness = {};

  /// Creates the files. The table of the plots comes first, because it is refused for a scene without plots, and an
  /// existing file must not be replaced by an empty table if the command then fails.
  [[nodiscard]] Result<void> open(const RunOptions& options, api::Run& run) {
    if (!options.plots.empty()) {
      auto opened = PlotExport::open(options.plots, run, options.every_s);
      if (!opened) return Unexpected(opened.error());
      plots = std::move(*opened);
    }
    if (!options.csv.empty()) {
      auto opened = CsvExport::open(options.csv, run, options.every_s);
      if (!opened) return Unexpected(opened.error());
      elements = std::move(*opened);
    }
    if (!options.totals.empty()) {
      auto opened = TotalsExport::open(options.totals, run, options.every_s);
      if (!opened) return Unexpected(opened.error());
      totals = std::move(*opened);
    }
    if (!options.hashes.empty()) {
      auto opened = CsvFile::open(options.hashes, "step,hash\n");
      if (!opened) return Unexpected(opened.error());
      hashes = std::move(*opened);
    }
    return {};
  }
  [[nodiscard]] Result<void> offer(api::Run& run) {
    Result<void> written;
    if (elements) written = elements->offer(run);
    if (written && totals) written = totals->offer(run);
    if (written && plots) written = plots->offer(run);
    if (written && hashes) {
      hashes->buffer += fmt::format("{},{}\n", run.tick(), hash_text(run.hash()));
      written = hashes->flush();
    }
    if (fitness) fitness->offer(run);
    return written;
  }
};

/// Checks the output files. The new checkpoint may overwrite the checkpoint from which the run is resumed, unless a
/// journal is written, because replaying the journal requires the old checkpoint.
Result<void> check_run_files(const RunOptions& options) {
  std::vector<std::string> inputs = files_read(options.scene);
  const bool goes_on = !options.resume.empty();
  if (goes_on && !options.journal.empty() && is_same_file(options.resume, options.save))
    return wrong_file(options.save,
                      "--save would overwrite the checkpoint from which the journal starts: choose another file");
  if (goes_on) {
    const std::vector<std::string> more = files_read_by_checkpoint(options.resume);
    inputs.insert(inputs.end(), more.begin(), more.end());
  }
  std::vector<std::string> outputs{options.report, options.csv,     options.totals, options.plots,
                                   options.hashes, options.fitness, options.journal};
  if (auto good = check_outputs({options.save}, inputs); !good) return good;
  if (goes_on) inputs.push_back(options.resume);
  if (auto good = check_outputs(outputs, inputs); !good) return good;
  outputs.push_back(options.save);
  return check_outputs(outputs, {});
}

/// Resumes the run from the checkpoint of --resume. A scene that differs from the checkpoint's scene causes a warning.
Result<api::Run> resume_from_checkpoint(RunOptions& options) {
  auto saved = api::open_checkpoint(options.resume);
  if (!saved) return Unexpected(saved.error());
  warn_of_other_build(options.resume, saved->build);
  if (options.scene.scene.empty()) {
    if (!options.scene.base.empty())
      return fail("--base " + options.scene.base +
                  ": applies only to a .vxd, but a run that is resumed without SCENE reads no .vxd");
    options.scene.scene = options.resume;
  } else {
    const auto named = open_scene({options.scene.scene, {}, options.scene.strict, options.scene.base});
    if (!named) return Unexpected(named.error());
    if (!same_node(named->root, saved->root))
      say("warning: " + options.scene.scene + " differs from the scene in " + options.resume +
          "; the run uses the scene of the checkpoint");
  }
  saved->name = options.scene.scene;
  return resume_run(std::move(*saved), options.scene.sets, options.journal);
}

Result<api::Run> start_run(RunOptions& options) {
  if (!options.resume.empty()) return resume_from_checkpoint(options);
  auto started = start_scene(options.scene, options.journal);
  if (!started) return Unexpected(started.error());
  return std::move(started->run);
}

/// Steps to the end. Returns an error if a health check fails or a table cannot be written.
Result<api::End> step_through(api::Run& run, double until_s, Tables& tables) {
  Progress progress(run.time_s(), until_s);
  say_notes(run.notes());
  Result<void> written = tables.offer(run);
  if (!written) return Unexpected(written.error());
  const auto end = run.run_until(until_s, [&](api::Run& at) {
    written = tables.offer(at);
    say_warnings(at);
    progress.show(at.time_s());
    return written.has_value() && !interrupted();
  });
  if (!written) return Unexpected(written.error());
  return end;
}

/// State of a run at which the command begins to step. For a session or a picture, this is the moment that it shows.
struct BegunRun {
  std::uint64_t tick;
  double simulated_s, wall_s;

  explicit BegunRun(const api::Run& run) : tick(run.tick()), simulated_s(run.simulated_s()), wall_s(run.wall_s()) {}
  /// Returns the simulated time per wall time since this state. The steps to the moment of a session do not count,
  /// because the moment may have been reached from a keyframe.
  [[nodiscard]] double realtime_factor(const api::Run& run) const {
    const double wall = run.wall_s() - wall_s;
    return wall > 0 ? (run.simulated_s() - simulated_s) / wall : 0.0;
  }
};

std::string report_text(const api::Run& run, const BegunRun& begun, bool was_interrupted) {
  auto report = nlohmann::ordered_json::parse(run.report(), nullptr, false);
  report["realtime_factor"] = begun.realtime_factor(run);
  report["interrupted"] = was_interrupted;
  return report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// Writes the requested results. If one file cannot be written, the other files are written nevertheless. Returns the
/// first error.
Result<void> keep_results(api::Run& run, const BegunRun& begun, const RunOptions& options, Tables& tables,
                          bool was_interrupted) {
  std::vector<Result<void>> outcomes;
  if (tables.elements) outcomes.push_back(tables.elements->finish());
  if (tables.totals) outcomes.push_back(tables.totals->finish());
  if (tables.plots) outcomes.push_back(tables.plots->finish());
  if (tables.hashes) outcomes.push_back(tables.hashes->finish());
  if (tables.fitness && !was_interrupted && run.failure().empty()) outcomes.push_back(tables.fitness->finish(run));
  if (!options.save.empty()) outcomes.push_back(run.save(options.save));
  outcomes.push_back(run.finish());
  if (!options.report.empty()) {
    const std::string text = report_text(run, begun, was_interrupted);
    if (options.report == "-")
      fmt::print("{}", text);
    else
      outcomes.push_back(write_file_atomic(options.report, text));
  }
  for (const auto& outcome : outcomes)
    if (!outcome) return outcome;
  return {};
}

void print_run_summary(api::Run& run, const BegunRun& begun, const RunOptions& options) {
  fmt::print("{}: {} steps to {:g} s in {:.2f} s ({:.2f} x real time), state hash {}\n", options.scene.scene,
             run.tick() - begun.tick, run.time_s(), run.wall_s() - begun.wall_s, begun.realtime_factor(run),
             hash_text(run.hash()));
}

/// Opens the fitness file. Without --until and --steps, the run ends at the time that the design (.vxa) specifies.
Result<void> open_fitness(RunOptions& options, api::Run& run, Tables& tables) {
  if (options.fitness.empty()) return {};
  auto settings = read_fitness_settings(options.scene.scene);
  if (!settings) return Unexpected(settings.error());
  if (options.end.until_s < 0 && options.end.steps < 0 && settings->stop_s > 0) options.end.until_s = settings->stop_s;
  auto opened = FitnessExport::open(options.fitness, options.scene.scene, std::move(*settings), run);
  if (!opened) return Unexpected(opened.error());
  tables.fitness = std::move(*opened);
  return {};
}

/// Returns whether the fitness file is the only result of the run.
bool writes_fitness_only(const RunOptions& options) {
  return !options.fitness.empty() && options.csv.empty() && options.totals.empty() && options.plots.empty() &&
         options.hashes.empty() && options.save.empty() && options.report.empty() && options.journal.empty();
}

/// Returns which results an interrupted run has written.
std::string interruption_text(const RunOptions& options) {
  const std::string others = "the results up to this time were written";
  if (options.fitness.empty()) return others;
  const std::string fitness = "the fitness file was not written, because the fitness needs a complete run";
  return writes_fitness_only(options) ? fitness : fitness + "; the other results up to this time were written";
}

int run_scene(RunOptions& options) {
  ignore_closed_pipes();
  if (auto good = check_run_files(options); !good) return report_error(good.error());
  use_threads(options.threads);
  auto run = start_run(options);
  if (!run) return report_error(run.error(), options.scene.scene);
  Tables tables;
  if (auto opened = open_fitness(options, *run, tables); !opened) return report_error(opened.error());
  if (auto opened = tables.open(options, *run); !opened) return report_error(opened.error(), options.scene.scene);
  catch_interrupts();
  const BegunRun begun(*run);
  const auto end = step_through(*run, end_time(options.end, run->time_s(), run->dt_s()), tables);
  const bool was_interrupted = end && *end == api::End::stopped;
  const auto kept = keep_results(*run, begun, options, tables, was_interrupted);
  const std::string failure = run->failure();
  if (!end && failure.empty()) return report_error(end.error());
  if (!kept && failure.empty()) return report_error(kept.error());
  if (options.report != "-") print_run_summary(*run, begun, options);
  if (!failure.empty()) {
    if (!kept) say(kept.error().message());
    say(failure);
    return exit_failed;
  }
  if (!was_interrupted) return exit_done;
  say(fmt::format("interrupted at {:g} s; {}", run->time_s(), interruption_text(options)));
  return writes_fitness_only(options) ? exit_failed : exit_done;
}

}  // namespace

void add_run(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<RunOptions>();
  CLI::App& command = add_command(program, "run", "Run a scene without a window");
  add_scene(command, options->scene);
  add_moment(command, options->scene);
  add_end(command, options->end);
  add_threads(command, options->threads);
  add_file(command, "--report", options->report,
           "Write a summary of the run as JSON to this file (- for standard output)", true);
  add_file(command, "--export", options->csv,
           "Write position, velocity and channels of all elements over time to this CSV file");
  add_file(command, "--totals", options->totals,
           "Write the totals of each system (energy, momentum, centre of mass, ...) over time to this CSV file");
  add_file(command, "--plots", options->plots,
           "Write the curves of the scene's plots, measured and analytic, to this CSV file");
  add_file(command, "--hashes", options->hashes,
           "Write the state hash at the start and after every step to this CSV file");
  add_file(command, "--fitness", options->fitness,
           "Write the distances that a design of evosoro (.vxa) has covered to this XML file, in the form of evosoro; "
           "without --until and --steps, the run ends at the stop time of the design");
  const Option every = add_number(command, "--every", options->every_s, {0, 1e9},
                                  "Simulated seconds between samples of the CSV files (default 1/60)");
  add_file(command, "--journal", options->journal, "Write a journal for `voxwake replay`");
  add_file(command, "--save", options->save, "Write a checkpoint of the final state");
  add_file(command, "--resume", options->resume, "Resume from this checkpoint; SCENE may be omitted");
  when_typed(command, [options, every, &chosen] {
    if (every.given() && options->csv.empty() && options->totals.empty() && options->plots.empty())
      refuse_usage("--every requires --export, --totals or --plots");
    if (!options->fitness.empty() && (!options->resume.empty() || !lowercase(options->scene.scene).ends_with(".vxa")))
      refuse_usage("--fitness requires a SCENE that is a design (.vxa), and cannot be used with --resume");
    if (!options->resume.empty() && (options->scene.at_s >= 0 || !options->scene.branch.empty()))
      refuse_usage("--at and --branch cannot be used with --resume, because the run continues from the checkpoint");
    if (options->scene.scene.empty() && options->resume.empty()) refuse_usage("run requires a SCENE or --resume FILE");
    chosen = [options] { return run_scene(*options); };
  });
}

}  // namespace vw::cli
