// Counts a session's steps and keeps its journal: in memory always, in a file when asked. Shared by the headless session and the thread.
#pragma once

#include <optional>
#include <string>

#include "sim/world/journal.h"
#include "sim/world/world.h"

namespace vw {

class Recorder {
 public:
  Recorder() = default;
  /// `resumed`: the world comes from a checkpoint, which a replay needs too.
  /// Starts with the hash of the world as it is, so that a replay knows at once whether it begins from the same state.
  [[nodiscard]] static Result<Recorder> start(World& world, std::string scene_text, const std::string& journal_path, bool resumed = false);

  /// Applies a command and journals it when it was accepted.
  [[nodiscard]] Result<void> apply(World& world, const Command& command);
  /// One step; counts it when it was taken and journals a hash now and then.
  bool step(World& world);
  /// Closes the journal file, if there is one.
  [[nodiscard]] Result<void> finish(World& world);
  /// The session so far as a complete journal.
  [[nodiscard]] Result<void> save(World& world, const std::string& path) const;

  [[nodiscard]] std::uint64_t tick() const { return tick_; }
  /// Simulated seconds of all steps taken, resets notwithstanding.
  [[nodiscard]] double simulated_s() const { return simulated_s_; }
  [[nodiscard]] const std::string& scene_text() const { return journal_.scene_text; }

 private:
  void add_hash(World& world);
  Journal journal_;
  std::optional<JournalWriter> file_;
  std::uint64_t tick_ = 0;
  double simulated_s_ = 0;
};

}  // namespace vw
