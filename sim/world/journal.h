// The journal: scene + every command with the step at which it was applied, as JSON lines. Replaying it gives the session bit for bit.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "sim/world/command.h"

namespace vw {

/// Line 1: {"voxwake_journal":1,"build":...,"scene":"<toml>","title":...}; then {"tick":N,"command":{...}}, {"tick":N,"hash":"<16 hex>"} and at
/// the end {"tick":N,"end":true,"hash":...}. `tick` counts steps since the start of the session; a reset does not set it back.
class JournalWriter {
 public:
  [[nodiscard]] static Result<JournalWriter> open(const std::string& path, const std::string& scene_text);
  void command(std::uint64_t tick, const Command& command);  ///< flushed at once: an interrupted session leaves a readable journal
  void hash(std::uint64_t tick, std::uint64_t hash);
  [[nodiscard]] Result<void> finish(std::uint64_t tick, std::uint64_t hash);

 private:
  std::ofstream out_;
  std::string path_;
};

struct JournalEntry {
  std::uint64_t tick = 0;
  enum class Kind { command, hash, end } kind = Kind::command;
  Command command;
  std::uint64_t hash = 0;
};
struct Journal {
  std::string build;
  std::string scene_text;
  std::vector<JournalEntry> entries;
  bool complete = false;  ///< has its end line
};
/// A last line cut short is dropped; anything else malformed is an error with its line.
[[nodiscard]] Result<Journal> read_journal(const std::string& path);

}  // namespace vw
