// voxwake replay: runs a journal and compares the hashes in it with those of the run.
#include <memory>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/warnings.h"
#include "sim/scene/scene.h"
#include "sim/world/build_info.h"
#include "sim/world/session.h"

namespace vw::cli {
namespace {

struct ReplayOptions {
  std::string journal, resume;
  std::int64_t threads = 0;
};

void announce(const std::string& file, const std::string& build) {
  if (build != build_description())
    say(fmt::format("warning: {} was written by {} and is replayed by {}: the results may differ", file, build,
                    build_description()));
}

/// Error in the scene of a journal. The line number refers to the scene, not to the journal, and is removed.
Unexpected in_journal(const std::string& journal, Error error) {
  error.line = 0;
  if (error.file.empty()) {
    error.file = journal;
    return fail(std::move(error));
  }
  return wrong_file(journal, error.message());
}

/// Creates the world from the scene of the journal or, if the session was resumed, from the checkpoint.
Result<std::unique_ptr<World>> first_world(const ReplayOptions& options, const Journal& journal) {
  auto scene = read_scene_toml(journal.scene_text, options.journal);
  if (!scene) return Unexpected(scene.error());
  if (options.resume.empty() && journal.resumed)
    return wrong_file(options.journal, "the journal starts from a checkpoint: name this checkpoint with --resume FILE");
  if (options.resume.empty()) {
    auto world = World::create(std::move(scene->root));
    if (!world) return in_journal(options.journal, world.error());
    return world;
  }
  const auto checkpoint = load_checkpoint(options.resume);
  if (!checkpoint) return Unexpected(checkpoint.error());
  announce(options.resume, checkpoint->build);
  auto world = resume_world(std::move(scene->root), *checkpoint);
  if (!world) return in_journal(options.journal, world.error());
  const bool starts_with_hash = !journal.entries.empty() && journal.entries.front().kind == JournalEntry::Kind::hash;
  if (starts_with_hash && journal.entries.front().tick == 0 && journal.entries.front().hash != (*world)->hash())
    return wrong_file(options.resume,
                      "is not the checkpoint from which " + options.journal + " starts: the state hashes differ");
  return world;
}

int run_replay(const ReplayOptions& options) {
  use_threads(options.threads);
  auto journal = read_journal(options.journal);
  if (!journal) return report_error(journal.error());
  announce(options.journal, journal->build);
  auto world = first_world(options, *journal);
  if (!world) return report_error(world.error());
  const std::uint64_t last_tick = journal->entries.empty() ? 0 : journal->entries.back().tick;
  Progress progress((*world)->time(), (*world)->time() + static_cast<double>(last_tick) * (*world)->dt());
  Warnings warnings;
  warnings.begin(**world);
  const auto outcome = replay(**world, *journal, [&](World& at) {
    warnings.after_step(at);
    progress.show(at.time());
  });
  progress.clear();
  if (!outcome) {
    say(options.journal + ": " + outcome.error().message());
    return exit_failed;
  }
  if (outcome->hashes_checked == 0) {
    say(fmt::format("{}: {} steps were run but not verified, because the journal has no hash", options.journal,
                    outcome->steps));
    return exit_failed;
  }
  if (!journal->complete)
    say(fmt::format("warning: {} is incomplete, because its session did not end normally", options.journal));
  fmt::print("{}: {} steps, {} hashes agree, state hash {}\n", options.journal, outcome->steps, outcome->hashes_checked,
             hash_text((*world)->hash()));
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
