// The journal: the scene and every command with the step at which it was applied, as JSON lines. A replay reproduces
// the session bit for bit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/system/file_descriptor.h"
#include "sim/world/state/command.h"

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
  bool complete = false;  ///< whether the journal has its final line
  bool resumed = false;   ///< whether the journal begins at a checkpoint instead of at the start of its scene
};
/// Progress of a replay.
struct ReplayOutcome {
  std::uint64_t steps = 0;
  std::uint64_t hashes_checked = 0;
};
/// Limits of the memory that a malicious file can claim. A session of ten hours with continuous mouse input stays below
/// them.
inline constexpr std::uint64_t max_journal_bytes = std::uint64_t{96} << 20;
inline constexpr std::uint64_t max_journal_line_bytes = std::uint64_t{64} << 20;
/// Largest tick of an entry. It limits the number of steps of a replay. A session of ten hours at 120 steps per second
/// has four million steps.
inline constexpr std::uint64_t max_journal_tick = 1'000'000'000;

/// Reads a journal. An incomplete last line is dropped. Any other malformed line is an error that names the line.
[[nodiscard]] Result<Journal> read_journal(const std::string& path);
[[nodiscard]] Result<Journal> journal_from_text(std::string_view text, const std::string& file);
/// Converts a journal to the content of a journal file.
[[nodiscard]] std::string journal_to_text(const Journal& journal);
/// Returns the journal up to a point of its session: the first `commands` commands, and the hashes up to step `tick`.
/// Later entries and the final line are omitted.
[[nodiscard]] Journal cut_journal(const Journal& journal, std::uint64_t tick, std::uint64_t commands);
/// Writes a complete journal atomically (temporary file and rename).
[[nodiscard]] Result<void> write_journal(const Journal& journal, const std::string& path);

[[nodiscard]] std::string hash_text(std::uint64_t hash);  ///< 16 hex digits

/// Writes a journal file. Line 1 is {"voxwake_journal":1,"build":...,"scene":"<toml>"}, with "resumed":true if the
/// session continued from a checkpoint. Lines {"tick":N,"command":{...}} and {"tick":N,"hash":"<16 hex>"} follow. The
/// last line is {"tick":N,"end":true,"hash":...}. `tick` is the number of steps since the start of the session. Resets
/// do not set it back.
class JournalWriter {
 public:
  [[nodiscard]] static Result<JournalWriter> open(const std::string& path, const std::string& scene_text,
                                                  bool resumed = false);
  /// Starts a journal file with the given entries, to which further entries can be appended. An existing file at `path`
  /// is replaced atomically.
  [[nodiscard]] static Result<JournalWriter> begin(const std::string& path, const Journal& journal);
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Writes the command at once, so that an interrupted session leaves a readable journal.
  void command(std::uint64_t tick, const Command& command);
  void hash(std::uint64_t tick, std::uint64_t hash);
  /// Writes the final line and closes the file. Returns an error if any write failed, for example because the disk is
  /// full.
  [[nodiscard]] Result<void> finish(std::uint64_t tick, std::uint64_t hash);

 private:
  JournalWriter() = default;
  void entry(const JournalEntry& entry);
  std::string path_;
  FileDescriptor file_;
  int reason_ = 0;  ///< errno of the first write that failed; later writes are skipped
};

}  // namespace vw
