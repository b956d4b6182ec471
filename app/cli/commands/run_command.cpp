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
#include "app/cli/export/plot_export.h"
#include "app/cli/interrupt.h"
#include "app/cli/opened_scene.h"
#include "app/cli/options.h"
#include "app/cli/output_path.h"
#include "app/cli/progress.h"
#include "app/cli/warnings.h"
#include "sim/base/files/file.h"
#include "sim/scene/scene.h"
#include "sim/scene/scene_files.h"
#include "sim/world/session.h"

namespace vw::cli {
namespace {

struct RunOptions {
  SceneOptions scene;
  EndOptions end;
  std::int64_t threads = 0;
  double every_s = 1.0 / 60;
  std::string report, csv, totals, plots, journal, save, resume;
};

/// Tables that are written during the run.
struct Tables {
  std::optional<CsvExport> elements;
  std::optional<TotalsExport> totals;
  std::optional<PlotExport> plots;

  [[nodiscard]] Result<void> open(const RunOptions& options, World& world) {
    if (!options.csv.empty()) {
      auto opened = CsvExport::open(options.csv, world, options.every_s);
      if (!opened) return Unexpected(opened.error());
      elements = std::move(*opened);
    }
    if (!options.totals.empty()) {
      auto opened = TotalsExport::open(options.totals, world, options.every_s);
      if (!opened) return Unexpected(opened.error());
      totals = std::move(*opened);
    }
    if (!options.plots.empty()) {
      auto opened = PlotExport::open(options.plots, world, options.every_s);
      if (!opened) return Unexpected(opened.error());
      plots = std::move(*opened);
    }
    return {};
  }
  [[nodiscard]] Result<void> offer(const World& world) {
    Result<void> written;
    if (elements) written = elements->offer(world);
    if (written && totals) written = totals->offer(world);
    if (written && plots) written = plots->offer(world);
    return written;
  }
};

/// Checks the output files. The new checkpoint may overwrite the checkpoint from which the run is resumed, unless a
/// journal is written, because replaying the journal requires the old checkpoint.
Result<void> check_files(const RunOptions& options) {
  std::vector<std::string> inputs = files_read(options.scene);
  const bool goes_on = !options.resume.empty();
  if (goes_on && !options.journal.empty() && is_same_file(options.resume, options.save))
    return wrong_file(options.save,
                      "--save would overwrite the checkpoint from which the journal starts: choose another file");
  if (goes_on) {
    const std::vector<std::string> more = files_read_by_checkpoint(options.resume);
    inputs.insert(inputs.end(), more.begin(), more.end());
  }
  std::vector<std::string> outputs{options.report, options.csv, options.totals, options.plots, options.journal};
  if (auto good = check_outputs({options.save}, inputs); !good) return good;
  if (goes_on) inputs.push_back(options.resume);
  if (auto good = check_outputs(outputs, inputs); !good) return good;
  outputs.push_back(options.save);
  return check_outputs(outputs, {});
}

/// Resumes the world of a checkpoint. Each --set becomes a command at the first step, so that it is recorded in the
/// journal.
Result<Session> resume_session(RunOptions& options) {
  const auto checkpoint = load_checkpoint(options.resume);
  if (!checkpoint) return Unexpected(checkpoint.error());
  auto scene = read_scene_toml(checkpoint->scene_text, options.resume);
  if (!scene) return Unexpected(scene.error());
  if (options.scene.scene.empty()) {
    if (!options.scene.base.empty())
      return fail("--base " + options.scene.base +
                  ": applies only to a .vxd, and a run resumed from a checkpoint without SCENE does not read one");
    options.scene.scene = options.resume;
  } else {
    const auto named = open_scene({options.scene.scene, {}, options.scene.strict, options.scene.base});
    if (!named) return Unexpected(named.error());
    if (!same_node(named->root, scene->root))
      say("warning: " + options.scene.scene + " differs from the scene in " + options.resume +
          "; the run uses the scene of the checkpoint");
  }
  Node tree = scene->root;
  const auto sets = apply_sets(tree, options.scene.sets);
  if (!sets) return Unexpected(sets.error());
  for (const Assignment& set : *sets)
    if (set.path.ends_with(".source"))
      return fail("--set " + set.path + ": a resumed run keeps its source files; start a new run to change them");
  auto session = Session::resume(std::move(scene->root), *checkpoint, options.journal);
  if (!session) return session;
  for (const Assignment& set : *sets)
    if (auto good = session->apply(SetParameter{set.path, set.value}); !good) return Unexpected(good.error());
  for (const SetParameter& waiting : session->world().in_force())
    if (std::any_of(sets->begin(), sets->end(), [&](const Assignment& set) { return set.path == waiting.path; }))
      say(fmt::format("warning: --set {}: takes effect only at a reset; the resumed run keeps the value {}",
                      waiting.path, to_text(waiting.value)));
  return session;
}

Result<Session> start_session(RunOptions& options) {
  if (!options.resume.empty()) return resume_session(options);
  auto opened = open_scene(options.scene);
  if (!opened) return Unexpected(opened.error());
  const GenerationBar bar;
  return Session::create(std::move(opened->root), std::move(opened->text), options.journal);
}

/// Steps to the end. Returns an error if a table cannot be written.
Result<Session::End> step_through(Session& session, double until_s, Tables& tables) {
  Progress progress(session.world().time(), until_s);
  Warnings warnings;
  warnings.begin(session.world());
  Result<void> written = tables.offer(session.world());
  if (!written) return Unexpected(written.error());
  const auto end = session.run(until_s, [&](Session& at) {
    written = tables.offer(at.world());
    warnings.after_step(at.world());
    progress.show(at.world().time());
    return written.has_value() && !interrupted();
  });
  if (!written) return Unexpected(written.error());
  return end;
}

std::string report_text(const Session& session, const RunOptions& options, bool was_interrupted) {
  auto report = nlohmann::ordered_json::parse(session.report(options.scene.scene), nullptr, false);
  report["interrupted"] = was_interrupted;
  return report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// Writes the requested results. If writing one file fails, the others are written nevertheless. Returns the first
/// error.
Result<void> keep_results(Session& session, const RunOptions& options, Tables& tables, bool was_interrupted) {
  std::vector<Result<void>> outcomes;
  if (tables.elements) outcomes.push_back(tables.elements->finish());
  if (tables.totals) outcomes.push_back(tables.totals->finish());
  if (tables.plots) outcomes.push_back(tables.plots->finish());
  if (!options.save.empty()) outcomes.push_back(session.save_checkpoint(options.save));
  outcomes.push_back(session.finish());
  if (!options.report.empty()) {
    const std::string text = report_text(session, options, was_interrupted);
    if (options.report == "-")
      fmt::print("{}", text);
    else
      outcomes.push_back(write_file_atomic(options.report, text));
  }
  for (const auto& outcome : outcomes)
    if (!outcome) return outcome;
  return {};
}

void print_summary(Session& session, const RunOptions& options) {
  World& world = session.world();
  const double simulated = static_cast<double>(session.tick()) * world.dt();
  fmt::print("{}: {} steps to {:g} s in {:.2f} s ({:.2f} x real time), state hash {}\n", options.scene.scene,
             session.tick(), world.time(), session.wall_s(), session.wall_s() > 0 ? simulated / session.wall_s() : 0.0,
             hash_text(world.hash()));
}

int run(RunOptions& options) {
  ignore_closed_pipes();
  if (auto good = check_files(options); !good) return report_error(good.error());
  use_threads(options.threads);
  auto session = start_session(options);
  if (!session) return report_error(session.error(), options.scene.scene);
  Tables tables;
  if (auto opened = tables.open(options, session->world()); !opened)
    return report_error(opened.error(), options.scene.scene);
  catch_interrupts();
  const auto end =
      step_through(*session, end_time(options.end, session->world().time(), session->world().dt()), tables);
  const bool was_interrupted = end && *end == Session::End::stopped;
  const auto kept = keep_results(*session, options, tables, was_interrupted);
  if (!end) return report_error(end.error());
  if (!kept && *end != Session::End::failed) return report_error(kept.error());
  if (options.report != "-") print_summary(*session, options);
  if (*end == Session::End::failed) {
    say(session->world().health().sentence());
    return exit_failed;
  }
  if (was_interrupted)
    say(fmt::format("interrupted at {:g} s; the results up to this time were written", session->world().time()));
  return exit_done;
}

}  // namespace

void add_run(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<RunOptions>();
  CLI::App& command = add_command(program, "run", "Run a scene without a window");
  add_scene(command, options->scene);
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
  const Option every = add_number(command, "--every", options->every_s, {0, 1e9},
                                  "Simulated seconds between samples of the CSV files (default 1/60)");
  add_file(command, "--journal", options->journal, "Write a journal for `voxwake replay`");
  add_file(command, "--save", options->save, "Write a checkpoint of the final state");
  add_file(command, "--resume", options->resume, "Resume from this checkpoint; SCENE may be omitted");
  when_typed(command, [options, every, &chosen] {
    if (every.given() && options->csv.empty() && options->totals.empty() && options->plots.empty())
      refuse_usage("--every requires --export, --totals or --plots");
    if (options->scene.scene.empty() && options->resume.empty()) refuse_usage("run needs a SCENE or --resume FILE");
    chosen = [options] { return run(*options); };
  });
}

}  // namespace vw::cli
