// voxwake export: writes a voxel body of a scene as a design of VoxCAD or MagicaVoxel, or as a .binvox file; or
// simulates and writes frames over time for ParaView, Blender or NumPy. The ending of the file chooses the format.
#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/commands/commands.h"
#include "app/cli/opened_run.h"
#include "app/cli/opened_scene.h"
#include "app/cli/options.h"
#include "app/cli/output_path.h"
#include "app/cli/progress.h"
#include "app/cli/warnings.h"
#include "app/export/series_export.h"
#include "sim/api/analysis/analysis.h"
#include "sim/api/saved_session.h"
#include "sim/base/files/file.h"
#include "sim/base/system/interrupt.h"
#include "sim/scene/scene.h"

namespace vw::cli {
namespace {

struct ExportCommandOptions {
  SceneOptions scene;
  EndOptions end;
  std::int64_t threads = 0;
  SeriesOptions series;
};

// ---- Designs --------------------------------------------------------------------------------------------------------

int export_design(const ExportCommandOptions& options) {
  const std::string& out = options.series.out.front();
  if (auto good = check_outputs({out}, files_read(options.scene)); !good) return report_error(good.error());
  auto opened = open_scene(options.scene);
  if (!opened) return report_error(opened.error());
  const auto name = api::choose_voxel_body(opened->root, options.series.system);
  if (!name) return report_error(name.error());
  const auto design = write_design(opened->root, *name, out);
  if (!design) return report_error(design.error());
  if (const auto written = write_file_atomic(out, design->text); !written) return report_error(written.error());
  if (!design->warning.empty()) say("warning: " + out + ": " + design->warning);
  fmt::print("Wrote {}\n", out);
  return exit_done;
}

// ---- Frames over time -----------------------------------------------------------------------------------------------

/// A run that is exported: a scene that is simulated, or a session that is repeated from its start.
struct ExportedRun {
  api::Run run;
  Node scene;
  api::SessionPath path = {};     ///< commands of the session; empty for a scene
  std::size_t next = 0;           ///< index of the first journal entry that is not yet applied
  double start_s = 0, end_s = 0;  ///< times at the start and the end [s]
  /// Number of steps at which the export ends. If empty, it ends at `end_s`.
  std::optional<std::uint64_t> end_tick = {};

  /// Returns the time since the start [s], which a reset does not set back.
  [[nodiscard]] double time_s() const { return start_s + run.simulated_s(); }
  /// Applies the commands of the session that are due at the present step.
  [[nodiscard]] Result<void> apply_due() {
    for (; next < path.journal.entries.size() && path.journal.entries[next].tick <= run.tick(); ++next)
      if (path.journal.entries[next].kind == JournalEntry::Kind::command)
        if (auto good = run.apply(path.journal.entries[next].command); !good) return good;
    return {};
  }
  /// Returns the parts of the scene that determine the wind, with the values that are in use at present.
  [[nodiscard]] Node air() const {
    Node parts = SeriesExport::air_of(run.scene());
    for (const SetParameter& in_use : run.pending()) (void)set_parameter(parts, in_use.path, in_use.value);
    return parts;
  }
};

/// Opens a session at its start. The export ends where the branch ends, unless the options give an end.
Result<ExportedRun> open_recorded(const ExportCommandOptions& options) {
  const std::string& file = options.scene.scene;
  if (!options.scene.sets.empty())
    return fail("--set " + options.scene.sets.front() + ": a session is exported as it was recorded");
  WorkBar bar;
  auto session = api::open_session(file, {}, [&](double share) {
    bar.show(share, "");
    return !interrupted();
  });
  bar.clear();
  if (!session) return Unexpected(session.error());
  auto path = api::session_path(file, options.scene.branch);
  if (!path) return Unexpected(path.error());
  for (const std::string& note : session->notes) say("warning: " + file + ": " + note);
  ExportedRun out{std::move(session->run), std::move(session->scene), std::move(*path)};
  // Skip the commands that the run already contains: those before the first moment of the session.
  for (std::uint64_t done = out.run.commands(); done > 0 && out.next < out.path.journal.entries.size(); ++out.next)
    if (out.path.journal.entries[out.next].kind == JournalEntry::Kind::command) --done;
  out.start_s = out.run.time_s() - out.run.simulated_s();
  const double recorded_s = out.start_s + static_cast<double>(out.path.tick) * out.run.dt_s();
  const bool has_end = options.end.until_s >= 0 || options.end.steps >= 0;
  out.end_s = has_end ? end_time(options.end, out.time_s(), out.run.dt_s()) : recorded_s;
  // A command of the session may change the length of the steps. Then `recorded_s` is only an estimate, and a number of
  // steps does not give the end time.
  if (!has_end) out.end_tick = out.path.tick;
  if (options.end.steps >= 0) out.end_tick = out.run.tick() + static_cast<std::uint64_t>(options.end.steps);
  return out;
}

Result<ExportedRun> open_exported(const ExportCommandOptions& options) {
  if (api::is_session_file(options.scene.scene)) {
    if (auto good = check_base(options.scene, options.scene.scene); !good) return Unexpected(good.error());
    if (auto good = check_moment(options.scene); !good) return Unexpected(good.error());
    return open_recorded(options);
  }
  auto started = start_scene(options.scene);
  if (!started) return Unexpected(started.error());
  ExportedRun out{std::move(started->run), std::move(started->scene)};
  out.start_s = out.run.time_s() - out.run.simulated_s();
  out.end_s = end_time(options.end, out.time_s(), out.run.dt_s());
  return out;
}

/// Steps the run to the end and writes the frames. Sets `stopped` if an interrupt ended the export early.
Result<void> write_frames(ExportedRun& exported, SeriesExport& series, bool& stopped) {
  Progress progress(exported.time_s(), exported.end_s);
  Snapshot snapshot;
  constexpr double slack = 1e-6;  // tolerance for rounding errors of times, in steps
  for (;;) {
    const std::size_t before = exported.next;
    if (auto good = exported.apply_due(); !good) return good;
    if (exported.next != before)
      if (auto good = series.follow(exported.air()); !good) return good;
    if (series.is_due(exported.time_s(), exported.run.dt_s())) {
      exported.run.snapshot(snapshot);
      if (auto good = series.add(snapshot, exported.time_s()); !good) return good;
    }
    say_warnings(exported.run);
    progress.show(exported.time_s());
    stopped = interrupted();
    const bool is_at_end = exported.end_tick ? exported.run.tick() >= *exported.end_tick
                                             : exported.time_s() >= exported.end_s - slack * exported.run.dt_s();
    if (stopped || is_at_end) return {};
    if (auto good = exported.run.step(); !good) return good;
  }
}

Result<void> check_series_files(const ExportCommandOptions& options) {
  const auto inputs = files_read(options.scene);
  if (auto good = check_outputs(options.series.out, inputs); !good) return good;
  for (const std::string& out : options.series.out)
    if (const ExportFormat* format = export_format_of(out); format != nullptr && !format->is_built)
      return wrong_file(out,
                        fmt::format("this build cannot write {0}: the library for {0} was not found when it was built",
                                    format->ending));
  return {};
}

int export_series(const ExportCommandOptions& options) {
  if (auto good = check_series_files(options); !good) return report_error(good.error());
  use_threads(options.threads);
  catch_interrupts();
  auto exported = open_exported(options);
  if (!exported && interrupted()) return report_interrupt();
  if (!exported) return report_error(exported.error(), options.scene.scene);
  Snapshot first;
  exported->run.snapshot(first);
  exported->run.subscribe(SeriesExport::wanted(first));
  auto series =
      SeriesExport::open(options.series, exported->run.scene(), exported->scene, first, exported->run.time_s());
  if (!series) return report_error(series.error());
  say_notes(exported->run.notes());
  bool stopped = false;
  const auto outcome = write_frames(*exported, *series, stopped);
  const std::string failure = exported->run.failure();
  // After a failed health check, the frames before it are kept. After a failed write, no further file is written.
  if (!outcome && failure.empty()) return report_error(outcome.error());
  if (const auto finished = series->finish(); !finished) return report_error(finished.error());
  for (const std::string& note : series->notes()) say("warning: " + note);
  fmt::print("Wrote {}: {} frame{} to {:g} s\n", fmt::join(options.series.out, ", "), series->frames(),
             series->frames() == 1 ? "" : "s", exported->time_s());
  if (!failure.empty()) {
    say(failure);
    return exit_failed;
  }
  if (stopped) say(fmt::format("interrupted at {:g} s; the frames up to this time were written", exported->time_s()));
  return exit_done;
}

// ---- The command ----------------------------------------------------------------------------------------------------

std::vector<std::string> all_endings() {
  std::vector<std::string> endings = export_endings();
  for (const ExportFormat& format : export_formats()) endings.push_back(format.ending);
  return endings;
}

int export_scene(const ExportCommandOptions& options, bool is_over_time) {
  std::size_t series = 0;
  for (const std::string& out : options.series.out) {
    if (auto good = check_ending(out, all_endings(), "the export"); !good) return report_error(good.error());
    if (export_format_of(out) != nullptr) ++series;
  }
  if (series == options.series.out.size()) return export_series(options);
  const std::string design = *std::ranges::find_if(
      options.series.out, [](const std::string& out) { return export_format_of(out) == nullptr; });
  if (options.series.out.size() > 1)
    return report_error(
        wrong_file(design,
                   "a design cannot be exported together with other files: export the other files with another command")
            .value());
  if (is_over_time)
    return report_error(wrong_file(design,
                                   "a design is exported without a simulation: omit --until, --steps, --every, "
                                   "--surface, --wind and --threads")
                            .value());
  return export_design(options);
}

}  // namespace

void add_export(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<ExportCommandOptions>();
  CLI::App& command = add_command(program, "export",
                                  "Write a voxel body as a design, or a run over time for ParaView, Blender or NumPy");
  add_scene(command, options->scene).required();
  add_moment(command, options->scene);
  add_name(command, "--system", options->series.system,
           "Name of the only system to write (default: all; for a design, the only voxel body)", "NAME");
  add_files(
      command, "--out", options->series.out,
      fmt::format("Write this file (may be repeated for frames over time). The ending selects the format: a design "
                  "({}), or frames over time (",
                  fmt::join(export_endings(), ", ")) +
          [] {
            std::string endings;
            for (const ExportFormat& format : export_formats())
              endings += (endings.empty() ? "" : ", ") + format.ending;
            return endings;
          }() +
          ")")
      .required();
  add_end(command, options->end);
  const Option every = add_number(command, "--every", options->series.every_s, {0, 1e9},
                                  "Simulated seconds between frames (default 1/60)");
  const Option surface =
      add_flag(command, "--surface", options->series.surface, "Add the surface of each fluid as a mesh to each frame");
  const Option wind = add_integer(command, "--wind", options->series.samples, 0, 512,
                                  "Samples of the wind along the longest side of its box (default 32; 0 for no wind)");
  const Option threads = add_threads(command, options->threads);
  when_typed(command, [=, &chosen] {
    if (wind.given() && options->series.samples > 0 && !options->series.system.empty())
      refuse_usage("--wind cannot be used with --system, which writes only this system");
    const bool is_over_time = every.given() || surface.given() || wind.given() || threads.given() ||
                              options->end.until_s >= 0 || options->end.steps >= 0;
    chosen = [options, is_over_time] { return export_scene(*options, is_over_time); };
  });
}

}  // namespace vw::cli
