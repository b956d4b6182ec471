// voxwake replay: runs a journal again and compares the hashes of the run with the hashes in the journal.
#include <memory>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/opened_run.h"
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/warnings.h"
#include "sim/api/run.h"
#include "sim/api/saved_session.h"

namespace vw::cli {
namespace {

struct ReplayOptions {
  std::string journal, resume;
  std::int64_t threads = 0;
};

int run_replay(const ReplayOptions& options) {
  use_threads(options.threads);
  if (api::is_session_file(options.journal))
    return report_error(
        wrong_file(options.journal, "is a session, not a journal; `voxwake check` repeats its branches").value());
  auto journal = read_journal(options.journal);
  if (!journal) return report_error(journal.error());
  warn_of_other_build(options.journal, journal->build);
  auto run = start_of_journal(*journal, {.path = options.journal, .resume = options.resume});
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
