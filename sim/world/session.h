// Runs a world without a window: create, step, command, record and report. The command line and tests use this file.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sim/world/recording/recorder.h"
#include "sim/world/report.h"
#include "sim/world/world.h"

namespace vw {

class Session {
 public:
  /// Creates a session. `scene` must be complete, with resolved sources. `scene_text` is the same scene in TOML; it is
  /// stored in the journal and in checkpoints. If `journal_path` is empty, no journal file is written.
  [[nodiscard]] static Result<Session> create(Node scene, std::string scene_text, const std::string& journal_path = {},
                                              const Registry& registry = default_registry());
  /// Continues from a checkpoint. `scene` is the tree of the checkpoint's scene text. The journal of this session
  /// starts at the checkpoint, not at the initial state of the scene.
  [[nodiscard]] static Result<Session> resume(Node scene, const Checkpoint& checkpoint,
                                              const std::string& journal_path = {},
                                              const Registry& registry = default_registry());

  [[nodiscard]] World& world() { return *world_; }
  [[nodiscard]] const World& world() const { return *world_; }
  [[nodiscard]] std::uint64_t tick() const { return recorder_.tick(); }
  /// Returns the number of commands in the journal.
  [[nodiscard]] std::uint64_t command_count() const { return recorder_.command_count(); }

  [[nodiscard]] Result<void> apply(const Command& command);
  /// Adds a command that was applied to world() to the journal.
  void record(const Command& command) { recorder_.record(command); }
  /// Takes one step. Returns false if a health check stops the world.
  bool step();
  enum class End { reached, stopped, failed };
  /// Takes steps until the world's time is `until_s` [s], rounded to a step. `after_step` may be empty. Returns
  /// `stopped` if `after_step` returns false, and `failed` if a health check stops the world.
  End run(double until_s, const std::function<bool(Session&)>& after_step = {});

  [[nodiscard]] Result<void> save_checkpoint(const std::string& path);
  /// Returns the content of the file that save_checkpoint() would write.
  [[nodiscard]] std::string checkpoint_bytes();
  /// Writes the session so far as a complete journal.
  [[nodiscard]] Result<void> save_journal(const std::string& path);
  /// Returns the checkpoint from which a resumed session began, if it was passed to keep_start(). Otherwise returns
  /// null.
  [[nodiscard]] std::shared_ptr<const Checkpoint> start() const { return start_; }
  void keep_start(std::shared_ptr<const Checkpoint> start) { start_ = std::move(start); }
  /// Returns the commands and hashes so far. The hash with which a complete journal ends is missing.
  [[nodiscard]] const Journal& journal() const { return recorder_.journal(); }
  /// Continues the journal after world() was set to another moment. `entries` lead from the start of the session to
  /// that moment, which lies after `tick` steps and `simulated_s` [s]. They replace the entries of a journal file
  /// atomically.
  [[nodiscard]] Result<void> continue_journal(std::vector<JournalEntry> entries, std::uint64_t tick,
                                              double simulated_s) {
    return recorder_.continue_from(std::move(entries), tick, simulated_s);
  }
  /// Closes the journal file.
  [[nodiscard]] Result<void> finish();
  [[nodiscard]] std::string report(const std::string& scene_name) const;
  [[nodiscard]] double wall_s() const { return wall_s_; }  ///< wall time spent in steps [s]
  /// Returns the simulated time of all steps taken [s], including the steps before a reset.
  [[nodiscard]] double simulated_s() const { return recorder_.simulated_s(); }

 private:
  Session(std::unique_ptr<World> world, Recorder recorder) : world_(std::move(world)), recorder_(std::move(recorder)) {}
  std::unique_ptr<World> world_;
  Recorder recorder_;
  std::shared_ptr<const Checkpoint> start_;
  double wall_s_ = 0;
};

/// Replays a journal on a new world of its scene and compares every recorded hash. An error names the tick at which the
/// replay diverges.
[[nodiscard]] Result<ReplayOutcome> replay(World& world, const Journal& journal,
                                           const std::function<void(World&)>& after_step = {});
/// Replays a journal on a new session, which counts the steps and records the commands.
[[nodiscard]] Result<ReplayOutcome> replay(Session& session, const Journal& journal,
                                           const std::function<void(Session&)>& after_step = {});

}  // namespace vw
