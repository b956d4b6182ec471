#include "sim/history/session_file.h"

#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sim/base/random.h"
#include "sim/world/state/json.h"

namespace vw {
namespace {

constexpr int session_format = 1;
/// Like the signature of PNG files, this signature contains bytes that a transfer in text mode would change. Such
/// damage is thus detected.
constexpr std::string_view signature = "\x89VWJ\r\n\x1a\n";

// Kinds of records. Unknown kinds are skipped.
constexpr std::string_view start_kind = "STRT", checkpoint_kind = "CKPT", branch_kind = "TREE", keyframe_kind = "KEYF",
                           present_kind = "HERE", display_kind = "VIEW", end_kind = "DONE";
/// Size [bytes] of the numbers that precede the packed state in a keyframe record.
constexpr std::size_t keyframe_head = 40;
/// Keyframes that are larger than this [bytes] are skipped, because the store loads no state of more than 2 GiB. The
/// limit bounds the memory for a sparse file that claims an enormous keyframe.
constexpr std::uint64_t largest_keyframe = std::uint64_t{3} << 30;
/// When the entries of a record reach this length [bytes], the record is closed, and another record begins.
constexpr std::size_t long_record = std::size_t{1} << 20;
constexpr BranchNumber highest_branch = 1'000'000'000;

struct RecordHead {
  std::array<char, 4> kind{};
  std::uint32_t reserved = 0;
  std::uint64_t size = 0, hash = 0;
  [[nodiscard]] bool is(std::string_view name) const { return std::string_view(kind.data(), kind.size()) == name; }
};
static_assert(sizeof(RecordHead) == 24);

std::string record(std::string_view kind, std::string_view content) {
  RecordHead head;
  std::memcpy(head.kind.data(), kind.data(), head.kind.size());
  head.size = content.size();
  head.hash = stream_id(content);
  std::string bytes(sizeof head, '\0');
  std::memcpy(bytes.data(), &head, sizeof head);
  bytes += content;
  return bytes;
}

std::string json_text_of(const std::string& text) { return dump_json(Json(text)); }

/// Text of the changes of one branch, in one or several records.
class BranchRecord {
 public:
  BranchRecord(BranchNumber number, std::string& records) : number_(number), records_(records) {}
  void add(const char* name, const std::string& value) { members_ += fmt::format(R"(,"{}":{})", name, value); }
  /// Adds the items from index `done` on. Sets `done` to the number of items.
  template <class Items, class TextOf>
  void add_list(const char* name, const Items& items, std::size_t& done, const TextOf& text_of) {
    while (done < items.size()) {
      std::string list = "[" + text_of(items[done++]);
      while (done < items.size() && members_.size() + list.size() < long_record) list += "," + text_of(items[done++]);
      add(name, list + "]");
      if (members_.size() >= long_record) flush();
    }
  }
  void flush() {
    if (!members_.empty()) records_ += record(branch_kind, fmt::format(R"({{"branch":{}{}}})", number_, members_));
    members_.clear();
  }

 private:
  BranchNumber number_;
  std::string& records_;
  std::string members_;
};

// ---- Reading --------------------------------------------------------------------------------------------------------

/// Reads `size` bytes at `offset`. Returns false if the file is too short or cannot be read.
bool read_at(const FileDescriptor& file, std::uint64_t offset, void* out, std::size_t size) {
  return file.read_at(offset, out, size) == size;
}

template <class Number>
Number number_at(const char* bytes) {
  Number number{};
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

KeyframeInfo keyframe_of(const char* head) {
  return {.branch = number_at<std::uint32_t>(head),
          .tick = number_at<std::uint64_t>(head + 8),
          .commands = number_at<std::uint64_t>(head + 16),
          .elapsed_s = number_at<double>(head + 24),
          .hash = number_at<std::uint64_t>(head + 32)};
}

Result<BranchNumber> branch_number(const Json& object, const char* name) {
  const auto number = json_count(object, name);
  if (!number) return Unexpected(number.error());
  if (*number > highest_branch) return fail(fmt::format("\"{}\" exceeds {}", name, highest_branch));
  return static_cast<BranchNumber>(*number);
}

/// Calls `read` for each element of the list `name`. Each element must be a list of `size` values. The list may be
/// missing.
Result<void> each_row(const Json& object, const char* name, std::size_t size,
                      const std::function<bool(const Json& row)>& read) {
  if (!object.contains(name)) return {};
  const Json& list = object[name];
  if (!list.is_array()) return fail(fmt::format("\"{}\" is not a list", name));
  for (const Json& row : list)
    if (!row.is_array() || row.size() != size || !row[0].is_number_unsigned() || !read(row))
      return fail(fmt::format("\"{}\" has an invalid entry", name));
  return {};
}

/// Reads the records of one file.
class SessionReader {
 public:
  SessionReader(const FileDescriptor& file, const std::string& path) : file_(file), path_(path) {}

  Result<void> read(std::uint64_t file_size, SessionContents& out) {
    std::uint64_t at = signature.size();
    while (at + sizeof(RecordHead) <= file_size) {
      RecordHead head;
      if (!read_at(file_, at, &head, sizeof head)) break;
      const std::uint64_t content = at + sizeof head;
      if (head.size > file_size - content) break;
      const auto good = head.is(keyframe_kind) ? keyframe(head, content, out) : other(head, content, out);
      if (!good) {
        if (!has_start_) return wrong_file(path_, "is a damaged session: " + good.error().message());
        break;
      }
      if (!has_start_) return wrong_file(path_, "is a damaged session: it does not begin with its scene");
      at = content + head.size;
    }
    if (!has_start_) return wrong_file(path_, "is a damaged session: its scene is missing");
    out.damaged_bytes = file_size - at;
    return {};
  }

 private:
  Result<void> keyframe(const RecordHead& head, std::uint64_t content, SessionContents& out) const {
    std::array<char, keyframe_head> numbers{};
    if (head.size < keyframe_head || !read_at(file_, content, numbers.data(), numbers.size()))
      return fail("a keyframe is incomplete");
    if (out.keyframes.size() >= most_saved_keyframes || head.size > largest_keyframe) return {};
    const KeyframeInfo info = keyframe_of(numbers.data());
    if (info.tick <= max_journal_tick && std::isfinite(info.elapsed_s))
      out.keyframes.push_back({info, content, head.size, head.hash});
    return {};
  }

  Result<void> other(const RecordHead& head, std::uint64_t at, SessionContents& out) {
    text_bytes_ += head.size;
    if (text_bytes_ > largest_session_text || head.size > largest_session_text)
      return fail(fmt::format("its scenes and commands have more than {} MiB", largest_session_text >> 20U));
    std::string content(head.size, '\0');
    if (!read_at(file_, at, content.data(), content.size()) || stream_id(content) != head.hash)
      return fail("a record is damaged");
    if (head.is(start_kind)) return start(content, out);
    if (head.is(checkpoint_kind)) return checkpoint(content, out);
    if (head.is(display_kind))
      out.display = std::move(content);
    else if (head.is(end_kind))
      out.is_complete = true;
    else if (head.is(present_kind) || head.is(branch_kind)) {
      const auto json = parse_json(content);
      if (!json) return Unexpected(json.error());
      return head.is(present_kind) ? present(*json, out) : branch(*json, out);
    }
    return {};
  }

  Result<void> start(const std::string& content, SessionContents& out) {
    if (has_start_) return fail("it has two records of its start");
    const std::size_t line = std::min(content.find('\n'), content.size());
    const auto head = parse_json(std::string_view(content).substr(0, line));
    if (!head) return Unexpected(head.error());
    const auto format = json_count(*head, "voxwake_session");
    if (!format) return Unexpected(format.error());
    if (*format == 0 || *format > session_format)
      return fail(
          fmt::format("its format is {}: expected a format from 1 to {}; a newer version of Voxwake may have "
                      "written the file",
                      *format, session_format));
    auto journal = journal_from_text(std::string_view(content).substr(std::min(line + 1, content.size())), {});
    if (!journal) return Unexpected(journal.error());
    if (head->contains("sources") && (*head)["sources"].is_object())
      for (const auto& [key, hash] : (*head)["sources"].items())
        if (hash.is_string()) out.start.sources.emplace(key, hash.get<std::string>());
    out.start.journal = std::move(*journal);
    has_start_ = true;
    return {};
  }

  Result<void> checkpoint(const std::string& content, SessionContents& out) const {
    auto read = checkpoint_from_bytes(content, path_);
    if (!read) return Unexpected(read.error());
    out.start.checkpoint = std::make_shared<const Checkpoint>(std::move(*read));
    return {};
  }

  static Result<void> present(const Json& json, SessionContents& out) {
    const auto branch = branch_number(json, "branch"), main = branch_number(json, "main"),
               next = branch_number(json, "next");
    for (const auto* number : {&branch, &main, &next})
      if (!*number) return Unexpected(number->error());
    const auto tick = json_count(json, "tick"), commands = json_count(json, "commands");
    for (const auto* count : {&tick, &commands})
      if (!*count) return Unexpected(count->error());
    out.present = {*branch, *tick, *commands};
    out.tree.main = *main;
    out.tree.next = *next;
    return {};
  }

  static Result<void> begin_branch(const Json& json, BranchTree::Branch& branch) {
    if (json.contains("parent")) {
      const auto parent = branch_number(json, "parent");
      if (!parent) return Unexpected(parent.error());
      branch.parent = *parent;
    }
    const auto tick = json_count(json, "fork_tick"), commands = json_count(json, "fork_commands");
    for (const auto* count : {&tick, &commands})
      if (!*count) return Unexpected(count->error());
    const auto time_s = json_number(json, "fork_time_s");
    if (!time_s) return Unexpected(time_s.error());
    branch.fork_tick = branch.end_tick = *tick;
    branch.fork_commands = *commands;
    branch.fork_time_s = *time_s;
    return {};
  }

  static Result<void> branch(const Json& json, SessionContents& out) {
    if (json.contains("removed")) {
      const auto removed = branch_number(json, "removed");
      if (!removed) return Unexpected(removed.error());
      out.tree.branches.erase(*removed);
      return {};
    }
    const auto number = branch_number(json, "branch");
    if (!number) return Unexpected(number.error());
    const auto [at, is_new] = out.tree.branches.try_emplace(*number);
    BranchTree::Branch& branch = at->second;
    if (is_new)
      if (auto good = begin_branch(json, branch); !good) return good;
    return extend_branch(json, branch);
  }

  static Result<void> extend_branch(const Json& json, BranchTree::Branch& branch) {
    for (const auto& [name, text] : {std::pair("name", &branch.name), std::pair("failure", &branch.failure)}) {
      if (!json.contains(name)) continue;
      auto read = json_text(json, name);
      if (!read) return Unexpected(read.error());
      *text = std::move(*read);
    }
    if (json.contains("end_tick")) {
      const auto tick = json_count(json, "end_tick");
      if (!tick) return Unexpected(tick.error());
      branch.end_tick = *tick;
    }
    if (json.contains("bookmarks")) branch.bookmarks.clear();
    Result<void> good = each_row(json, "entries", 2, [&](const Json& row) {
      auto command = command_of(row[1]);
      if (command) branch.entries.push_back({row[0].get<std::uint64_t>(), std::move(*command)});
      return command.has_value();
    });
    if (good)
      good = each_row(json, "hashes", 2, [&](const Json& row) {
        const auto hash = row[1].is_string() ? hash_of_text(row[1].get_ref<const std::string&>()) : std::nullopt;
        if (hash) branch.hashes.push_back({row[0].get<std::uint64_t>(), JournalEntry::Kind::hash, {}, *hash});
        return hash.has_value();
      });
    if (good)
      good = each_row(json, "step_lengths", 3, [&](const Json& row) {
        if (!row[1].is_number() || !row[2].is_number()) return false;
        branch.step_lengths.push_back({row[0].get<std::uint64_t>(), row[1].get<double>(), row[2].get<double>()});
        return true;
      });
    if (good)
      good = each_row(json, "bookmarks", 2, [&](const Json& row) {
        if (row[1].is_string()) branch.bookmarks.push_back({row[0].get<std::uint64_t>(), row[1].get<std::string>()});
        return row[1].is_string();
      });
    return good;
  }

  const FileDescriptor& file_;
  const std::string& path_;
  bool has_start_ = false;
  std::uint64_t text_bytes_ = 0;
};

/// Opens a session file and returns it with its size. Returns nullopt unless it is a regular file with the signature.
std::optional<std::pair<FileDescriptor, std::uint64_t>> open_session_file(const std::string& path) {
  FileDescriptor file = FileDescriptor::open(path, FileUse::read);
  const auto size = file.regular_size();
  if (!size) return {};
  std::array<char, signature.size()> begin{};
  if (!read_at(file, 0, begin.data(), begin.size()) || std::string_view(begin.data(), begin.size()) != signature)
    return {};
  return std::pair(std::move(file), *size);
}

}  // namespace

bool is_session_file(const std::string& path) { return open_session_file(path).has_value(); }

Result<SessionContents> read_session_file(const std::string& path) {
  auto opened = open_session_file(path);
  if (!opened) {
    if (const int reason = file_read_obstacle(path); reason != 0)
      return wrong_file(path, std::string("cannot be read: ") + std::strerror(reason));
    return wrong_file(path, "is not a Voxwake session");
  }
  SessionContents contents;
  SessionReader reader(opened->first, path);
  if (auto good = reader.read(opened->second, contents); !good) return Unexpected(good.error());
  contents.file = std::make_shared<const SessionKeyframes>(std::move(opened->first));
  return contents;
}

Result<StateSource> SessionKeyframes::read_saved(const SavedKeyframe& keyframe, std::vector<std::byte>& packed) const {
  if (auto good = read(keyframe, packed); !good) return Unexpected(good.error());
  return StateSource::file;
}

Result<void> SessionKeyframes::read(const SavedKeyframe& keyframe, std::vector<std::byte>& packed) const {
  std::string content(keyframe.size, '\0');
  if (!read_at(file_, keyframe.offset, content.data(), content.size()))
    return fail("the session file is shorter than when it was opened");
  if (stream_id(content) != keyframe.content_hash) return fail("a keyframe in the session file is damaged");
  const auto* bytes = reinterpret_cast<const std::byte*>(content.data());
  packed.assign(bytes + keyframe_head, bytes + content.size());
  return {};
}

// ---- Writing --------------------------------------------------------------------------------------------------------

std::string session_head(const SessionStart& start) {
  const Json head{{"voxwake_session", session_format}, {"sources", start.sources}};
  std::string bytes(signature);
  bytes += record(start_kind, dump_json(head) + "\n" + journal_to_text(start.journal));
  if (start.checkpoint != nullptr) bytes += record(checkpoint_kind, checkpoint_bytes(*start.checkpoint));
  return bytes;
}

std::string present_record(const BranchTree& tree, const RunMoment& present) {
  return record(present_kind, fmt::format(R"({{"branch":{},"tick":{},"commands":{},"main":{},"next":{}}})",
                                          present.branch, present.tick, present.commands, tree.main(), tree.next()));
}

std::string display_record(std::string_view display) { return record(display_kind, display); }

std::string keyframe_record(const KeyframeInfo& keyframe, std::span<const std::byte> packed) {
  std::string content(keyframe_head, '\0');
  std::memcpy(content.data(), &keyframe.branch, sizeof keyframe.branch);
  std::memcpy(content.data() + 8, &keyframe.tick, sizeof keyframe.tick);
  std::memcpy(content.data() + 16, &keyframe.commands, sizeof keyframe.commands);
  std::memcpy(content.data() + 24, &keyframe.elapsed_s, sizeof keyframe.elapsed_s);
  std::memcpy(content.data() + 32, &keyframe.hash, sizeof keyframe.hash);
  content.append(reinterpret_cast<const char*>(packed.data()), packed.size());
  return record(keyframe_kind, content);
}

std::string end_record() { return record(end_kind, {}); }

std::string WrittenTree::changes(const BranchTree& tree) {
  std::string records;
  for (auto at = branches_.begin(); at != branches_.end();) {
    const bool is_kept = tree.has(at->first);
    if (!is_kept) records += record(branch_kind, fmt::format(R"({{"removed":{}}})", at->first));
    at = is_kept ? std::next(at) : branches_.erase(at);
  }
  for (const auto& [number, branch] : tree.branches()) {
    const auto [at, is_new] = branches_.try_emplace(number);
    add_changes(number, branch, at->second, is_new, records);
  }
  return records;
}

void WrittenTree::add_changes(BranchNumber number, const BranchTree::Branch& branch, Written& written, bool is_new,
                              std::string& records) {
  BranchRecord text(number, records);
  if (is_new) {
    if (branch.parent) text.add("parent", fmt::to_string(*branch.parent));
    text.add("fork_tick", fmt::to_string(branch.fork_tick));
    text.add("fork_commands", fmt::to_string(branch.fork_commands));
    text.add("fork_time_s", fmt::to_string(branch.fork_time_s));
    written.end_tick = branch.fork_tick;
  }
  if (written.name != branch.name) text.add("name", json_text_of(written.name = branch.name));
  if (written.failure != branch.failure) text.add("failure", json_text_of(written.failure = branch.failure));
  if (written.end_tick != branch.end_tick) text.add("end_tick", fmt::to_string(written.end_tick = branch.end_tick));
  if (written.bookmarks != branch.bookmarks) {
    written.bookmarks = branch.bookmarks;
    Json marks = Json::array();
    for (const Bookmark& mark : branch.bookmarks) marks.push_back({mark.tick, mark.name});
    text.add("bookmarks", dump_json(marks));
  }
  text.add_list("step_lengths", branch.step_lengths, written.step_lengths, [](const auto& length) {
    return fmt::format("[{},{},{}]", length.tick, length.elapsed_s, length.dt_s);
  });
  text.add_list("entries", branch.entries, written.entries, [](const BranchTree::Entry& entry) {
    return fmt::format("[{},{}]", entry.tick, to_json(entry.command));
  });
  text.add_list("hashes", branch.hashes, written.hashes,
                [](const JournalEntry& hash) { return fmt::format("[{},\"{}\"]", hash.tick, hash_text(hash.hash)); });
  text.flush();
}

}  // namespace vw
