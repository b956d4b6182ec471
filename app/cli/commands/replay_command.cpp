// voxwake replay: runs a journal again and compares the hashes of the run with the hashes in the journal.
#include <memory>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/warnings.h"
#include "sim/api/build_info.h"
#include "sim/api/run.h"
#include "sim/scene/scene.h"

namespace vw::cli {
namespace {

struct ReplayOptions {
  std::string journal, resume;
  std::int64_t threads = 0;
};

void announce(const std::string& file, const std::string& build) {
  const std::string here = api::build_info().description;
  if (build != here)
    say(fmt::format("warning: {} was written by {} and is replayed by {}: the results may differ", file, build, here));
}

/// Converts an error in the scene of a journal to an error of the journal. The line number refers to the scene, not to
/// the journal, and is therefore removed.
Unexpected in_journal(const std::string& journal, Error error) {
  error.line = 0;
  if (error.file.empty() || error.file == journal) {
    error.file = journal;
    return fail(std::move(error));
  }
  return wrong_file(journal, error.message());
}

/// Creates the run from the scene of the journal or, if the journal starts from a checkpoint, from the checkpoint.
Result<api::Run> first_run(const ReplayOptions& options, const Journal& journal) {
  auto scene = read_scene_toml(journal.scene_text, options.journal);
  if (!scene) return Unexpected(scene.error());
  if (options.resume.empty() && journal.resumed)
    return wrong_file(options.journal, "the journal starts from a checkpoint: name this checkpoint with --resume FILE");
  if (options.resume.empty()) {
    auto run = api::Run::create({options.journal, std::move(scene->root), journal.scene_text, {}});
    if (!run) return in_journal(options.journal, run.error());
    return run;
  }
  auto saved = api::open_checkpoint(options.resume);
  if (!saved) return Unexpected(saved.error());
  announce(options.resume, saved->build);
  saved->name = options.journal;
  saved->root = std::move(scene->root);
  auto run = api::Run::resume(std::move(*saved));
  if (!run) return in_journal(options.journal, run.error());
  const bool starts_with_hash = !journal.entries.empty() && journal.entries.front().kind == JournalEntry::Kind::hash;
  if (starts_with_hash && journal.entries.front().tick == 0 && journal.entries.front().hash != run->hash())
    return wrong_file(options.resume,
                      "is not the checkpoint from which " + options.journal + " starts: the state hashes differ");
  return run;
}

int run_replay(const ReplayOptions& options) {
  use_threads(options.threads);
  auto journal = read_journal(options.journal);
  if (!journal) return report_error(journal.error());
  announce(options.journal, journal->build);
  auto run = first_run(options, *journal);
  if (!run) return report_error(run.error());
  const std::uint64_t last_tick = journal->entries.empty() ? 0 : journal->entries.back().tick;
  Progress progress(run->time_s(), run->time_s() + static_cast<double>(last_tick) * run->dt_s());
  say_notes(run->notes());
  const auto outcome = run->replay(*journal, [&](api::Run& at) {
    say_warnings(at);
    progress.show(at.time_s());
  });
  progress.clear();
  if (!outcome) {
    say(options.journal + ": " + outcome.error().message());
    return exit_failed;
  }
  if (outcome->hashes_checked == 0) {
    say(fmt::format("{}: {} steps were run, but the result could not be verified, because the journal contains no hash",
                    options.journal, outcome->steps));
    return exit_failed;
  }
  if (!journal->complete)
    say(fmt::format("warning: {} is incomplete, because its session did not end normally", options.journal));
  fmt::print("{}: {} steps, {} hashes agree, state hash {}\n", options.journal, outcome->steps, outcome->hashes_checked,
             hash_text(run->hash()));
  return exit_done;
}

}  // namespace

void add_replay(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App& command =
      add_command(program, "replay", "Repeat a run from its journal and check that the result is the same bit for bit");
  add_file(command, "JOURNAL", options->journal, "Journal written by `voxwake run --journal` or by the window")
      .type_name("")
      .required();
  add_file(command, "--resume", options->resume, "Checkpoint from which the journal starts");
  add_threads(command, options->threads);
  when_typed(command, [options, &chosen] { chosen = [options] { return run_replay(*options); }; });
}

}  // namespace vw::cli
