// Reads and writes journals as lines of JSON. A journal may be malicious: every line is checked, and the limits in
// journal.h bound the memory.
#include "sim/world/state/journal.h"

#include <charconv>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "sim/base/files/atomic_file.h"
#include "sim/base/files/file.h"
#include "sim/world/build_info.h"
#include "sim/world/state/json.h"

namespace vw {
namespace {

std::string header_line(const std::string& build, const std::string& scene_text, bool resumed) {
  Json head{{"voxwake_journal", 1}, {"build", build}, {"scene", scene_text}};
  if (resumed) head["resumed"] = true;
  return dump_json(head) + "\n";
}

std::string entry_line(const JournalEntry& entry) {
  switch (entry.kind) {
    case JournalEntry::Kind::command:
      return fmt::format("{{\"tick\":{},\"command\":{}}}\n", entry.tick, to_json(entry.command));
    case JournalEntry::Kind::hash:
      return fmt::format("{{\"tick\":{},\"hash\":\"{}\"}}\n", entry.tick, hash_text(entry.hash));
    case JournalEntry::Kind::end:
      return fmt::format("{{\"tick\":{},\"end\":true,\"hash\":\"{}\"}}\n", entry.tick, hash_text(entry.hash));
  }
  return {};
}

Result<std::uint64_t> hash_from_json(const Json& line) {
  const auto text = json_text(line, "hash");
  const auto hash = text ? hash_of_text(*text) : std::nullopt;
  if (!hash) return fail("\"hash\" is missing or is not 16 hexadecimal digits");
  return *hash;
}

Result<JournalEntry> entry_from_json(const Json& line) {
  JournalEntry entry;
  const auto tick = json_count(line, "tick");
  if (!tick) return Unexpected(tick.error());
  entry.tick = *tick;
  if (entry.tick > max_journal_tick)
    return fail(
        fmt::format("tick {} exceeds {}, the largest number of steps of a session", entry.tick, max_journal_tick));
  if (line.contains("command")) {
    auto command = command_of(line["command"]);
    if (!command) return Unexpected(command.error());
    entry.command = std::move(*command);
    return entry;
  }
  const auto hash = hash_from_json(line);
  if (!hash) return Unexpected(hash.error());
  entry.kind = line.contains("end") ? JournalEntry::Kind::end : JournalEntry::Kind::hash;
  entry.hash = *hash;
  return entry;
}

Result<void> read_header(std::string_view line, const std::string& file, Journal& journal) {
  const auto json =
      line.size() <= max_journal_line_bytes ? parse_json(line, {4, 64}) : Result<Json>(fail("the line is too long"));
  if (!json || !json->is_object() || !json->contains("voxwake_journal"))
    return wrong_file(file, 1, "is not a Voxwake journal");
  const auto version = json_count(*json, "voxwake_journal");
  if (!version || *version != 1)
    return wrong_file(file, 1, "is a journal of an unsupported version: expected version 1");
  auto scene = json_text(*json, "scene");
  auto build = json_text(*json, "build");
  if (!scene || !build) return wrong_file(file, 1, (scene ? build.error() : scene.error()).message());
  journal.scene_text = std::move(*scene);
  journal.build = std::move(*build);
  journal.resumed = json->contains("resumed") && (*json)["resumed"] == true;
  return {};
}

Result<void> read_entry(std::string_view line, Journal& journal) {
  if (line.size() > max_journal_line_bytes) return fail("the line is too long");
  const auto json = parse_json(line);
  if (!json) return Unexpected(json.error());
  auto entry = entry_from_json(*json);
  if (!entry) return Unexpected(entry.error());
  if (journal.complete) return fail("an entry follows the end of the journal");
  if (!journal.entries.empty() && entry->tick < journal.entries.back().tick)
    return fail(fmt::format("tick {} follows tick {}: expected ticks in ascending order", entry->tick,
                            journal.entries.back().tick));
  journal.complete = entry->kind == JournalEntry::Kind::end;
  journal.entries.push_back(std::move(*entry));
  return {};
}

}  // namespace

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

std::optional<std::uint64_t> hash_of_text(std::string_view text) {
  std::uint64_t hash = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
  return text.size() == 16 && code == std::errc{} && end == text.data() + 16 ? std::optional(hash) : std::nullopt;
}

Result<Journal> journal_from_text(std::string_view text, const std::string& file) {
  Journal journal;
  int number = 0;
  while (!text.empty()) {
    const auto length = text.find('\n');
    const bool cut_short = length == std::string_view::npos;
    const std::string_view line = text.substr(0, length);
    text.remove_prefix(cut_short ? text.size() : length + 1);
    ++number;
    const auto good = number == 1 ? read_header(line, file, journal) : read_entry(line, journal);
    if (good) continue;
    if (number == 1) return Unexpected(good.error());
    // A process that was killed may leave an incomplete last line. All previous lines are complete.
    if (cut_short) break;
    return wrong_file(file, number, good.error().message());
  }
  if (number == 0) return wrong_file(file, "is empty: expected a Voxwake journal");
  return journal;
}

Result<Journal> read_journal(const std::string& path) {
  const auto text = read_file(path, max_journal_bytes);
  if (!text) return Unexpected(text.error());
  return journal_from_text(*text, path);
}

std::string journal_to_text(const Journal& journal) {
  std::string text = header_line(journal.build, journal.scene_text, journal.resumed);
  for (const JournalEntry& entry : journal.entries) text += entry_line(entry);
  return text;
}

Journal cut_journal(const Journal& journal, std::uint64_t tick, std::uint64_t commands) {
  Journal cut{journal.build, journal.scene_text, {}, false, journal.resumed};
  for (const JournalEntry& entry : journal.entries) {
    const bool is_command = entry.kind == JournalEntry::Kind::command;
    if (entry.tick > tick || entry.kind == JournalEntry::Kind::end || (is_command && commands == 0)) break;
    if (is_command) --commands;
    cut.entries.push_back(entry);
  }
  return cut;
}

Result<void> write_journal(const Journal& journal, const std::string& path) {
  return write_file_atomic(path, journal_to_text(journal));
}

Result<JournalWriter> JournalWriter::open(const std::string& path, const std::string& scene_text, bool resumed) {
  Journal journal;
  journal.build = build_description();
  journal.scene_text = scene_text;
  journal.resumed = resumed;
  return begin(path, journal);
}

Result<JournalWriter> JournalWriter::begin(const std::string& path, const Journal& journal) {
  // If the process is killed here, the file at `path` is either the old journal or the complete new journal, never
  // empty.
  auto file = begin_growing_file(path, journal_to_text(journal));
  if (!file) return Unexpected(file.error());
  JournalWriter writer;
  writer.path_ = path;
  writer.file_ = std::move(*file);
  return writer;
}

void JournalWriter::entry(const JournalEntry& entry) {
  if (reason_ == 0) reason_ = file_.write(entry_line(entry)).reason;
}

void JournalWriter::command(std::uint64_t tick, const Command& command) {
  entry({tick, JournalEntry::Kind::command, command, 0});
}

void JournalWriter::hash(std::uint64_t tick, std::uint64_t hash) { entry({tick, JournalEntry::Kind::hash, {}, hash}); }

Result<void> JournalWriter::finish(std::uint64_t tick, std::uint64_t hash) {
  entry({tick, JournalEntry::Kind::end, {}, hash});
  if (const int reason = file_.close(); reason_ == 0) reason_ = reason;
  if (reason_ == 0) return {};
  return wrong_file(path_, std::string("the journal is incomplete, because writing failed: ") + std::strerror(reason_));
}

}  // namespace vw
