// Counts a session's steps and records its journal: always in memory, and also in a file on request. The headless
// session and the simulation thread use this class.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/world/state/journal.h"
#include "sim/world/world.h"

namespace vw {

class Recorder {
 public:
  Recorder() = default;
  /// Starts a journal. `resumed` means that the world continues a checkpoint; a replay then needs this checkpoint too.
  /// The journal begins with the hash of the present state, so that a replay can check at once that it starts from the
  /// same state.
  [[nodiscard]] static Result<Recorder> start(World& world, std::string scene_text, const std::string& journal_path,
                                              bool resumed = false);

  /// Applies a command, and records it in the journal if it was accepted.
  [[nodiscard]] Result<void> apply(World& world, const Command& command);
  /// Adds a command that the world has accepted to the journal.
  void record(const Command& command);
  /// Takes one step. If the step succeeds, counts it, and records a hash at regular intervals. Returns whether it
  /// succeeded.
  bool step(World& world);
  /// Replaces the entries, the number of steps and the simulated time [s]. A journal file is replaced atomically, and
  /// later entries are appended to the new file. After an error, the old file is kept, and nothing more is appended to
  /// it.
  [[nodiscard]] Result<void> continue_from(std::vector<JournalEntry> entries, std::uint64_t tick, double simulated_s);
  /// Closes the journal file, if there is one.
  [[nodiscard]] Result<void> finish(World& world);
  /// Writes the session so far as a complete journal.
  [[nodiscard]] Result<void> save(World& world, const std::string& path) const;

  [[nodiscard]] const Journal& journal() const { return journal_; }
  [[nodiscard]] std::uint64_t tick() const { return tick_; }
  [[nodiscard]] std::uint64_t command_count() const { return commands_; }
  /// Returns the simulated time of all steps taken [s], including the steps before a reset.
  [[nodiscard]] double simulated_s() const { return simulated_s_; }
  [[nodiscard]] const std::string& scene_text() const { return journal_.scene_text; }

 private:
  void add_hash(World& world);
  Journal journal_;
  std::optional<JournalWriter> file_;
  std::uint64_t tick_ = 0, commands_ = 0;
  double simulated_s_ = 0;
};

}  // namespace vw
