// The journal: scene + every command with the step at which it was applied, as JSON lines. Replaying it gives the session bit for bit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/file_descriptor.h"
#include "sim/world/command.h"

namespace vw {

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
  bool resumed = false;   ///< begins from a checkpoint, not from the start of its scene
};
/// Limits that keep a hostile file's memory bounded; an honest session of ten hours with the mouse down stays below them.
inline constexpr std::uint64_t max_journal_bytes = std::uint64_t{96} << 20;
inline constexpr std::uint64_t max_journal_line_bytes = std::uint64_t{64} << 20;
/// Steps of a session, and steps without an entry. A session of ten hours at 120 steps a second has four million steps.
inline constexpr std::uint64_t max_journal_tick = 1'000'000'000;

/// A last line cut short is dropped; anything else malformed is an error with its line.
[[nodiscard]] Result<Journal> read_journal(const std::string& path);
[[nodiscard]] Result<Journal> journal_from_text(std::string_view text, const std::string& file);
/// A whole journal at once (temporary file and rename).
[[nodiscard]] Result<void> write_journal(const Journal& journal, const std::string& path);

[[nodiscard]] std::string hash_text(std::uint64_t hash);  ///< 16 hex digits

/// Line 1: {"voxwake_journal":1,"build":...,"scene":"<toml>"}, with "resumed":true if the session went on from a checkpoint; then
/// {"tick":N,"command":{...}}, {"tick":N,"hash":"<16 hex>"} and at the end {"tick":N,"end":true,"hash":...}. `tick` counts steps since the start of
/// the session; a reset does not set it back.
class JournalWriter {
 public:
  [[nodiscard]] static Result<JournalWriter> open(const std::string& path, const std::string& scene_text, bool resumed = false);
  void command(std::uint64_t tick, const Command& command);  ///< flushed at once: an interrupted session leaves a readable journal
  void hash(std::uint64_t tick, std::uint64_t hash);
  [[nodiscard]] Result<void> finish(std::uint64_t tick, std::uint64_t hash);  ///< says when any write failed (disk full)

 private:
  JournalWriter() = default;
  void entry(const JournalEntry& entry);
  std::string path_;
  FileDescriptor file_;
  int reason_ = 0;  ///< errno of the first write that failed; later ones are skipped
};

}  // namespace vw
