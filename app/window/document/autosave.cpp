#include "app/window/document/autosave.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/files/file.h"
#include "sim/base/system/file_descriptor.h"
#include "sim/base/system/folders.h"
#include "sim/base/system/process.h"
#include "sim/scene/scene.h"
#include "sim/scene/toml/toml_guard.h"

namespace vw {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view first_line = "# Autosave of Voxwake, format 1";

/// Writes '%' and all bytes outside printable ASCII as %XX, because a TOML comment may contain neither control
/// characters nor invalid UTF-8.
std::string encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte > 0x7E || c == '%' ? fmt::format("%{:02X}", byte) : std::string(1, c);
  }
  return out;
}

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16).ptr == text.data() + i + 3) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

/// Returns the rest of the line that begins with `# KEY: `, or no value if there is no such line.
std::optional<std::string_view> comment(std::string_view text, std::string_view key) {
  const std::string start = fmt::format("\n# {}: ", key);
  const std::size_t at = text.find(start);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(at + start.size());
  return rest.substr(0, rest.find('\n'));
}

std::int64_t whole_number(std::string_view text) {
  std::int64_t number = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string lock_of(const std::string& file) { return fs::path(file).replace_extension(".lock").string(); }

/// Chooses and locks a file that neither another window nor an ended process has used. Process ids alone are not
/// unique: programs in containers often have the same id.
std::optional<std::pair<std::string, FileLock>> choose_own_file(const std::string& folder,
                                                                const std::string& extension) {
  std::error_code ignored;
  if (folder.empty()) return {};
  fs::create_directories(folder, ignored);
  constexpr int most = 100;
  for (int k = 1; k <= most; ++k) {
    std::string file = (fs::path(folder) / fmt::format("{}-{}{}", process_id(), k, extension)).string();
    if (fs::exists(file, ignored)) continue;
    if (auto lock = FileLock::take(lock_of(file))) return std::pair(std::move(file), std::move(*lock));
  }
  return {};
}

/// Whether a recording contains a command or is at least a second long.
bool is_worth_restoring(const api::SessionFacts& facts) {
  return std::ranges::any_of(facts.branches,
                             [](const auto& branch) { return branch.commands > 0 || branch.end_s >= 1; });
}

std::int64_t seconds_since_1970() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

std::string autosave_folder() {
  const std::string folder = state_folder();
  return folder.empty() ? folder : (fs::path(folder) / "autosave").string();
}

std::string autosave_text(const Node& scene, const AutosaveFacts& facts) {
  return fmt::format("{}\n# process: {}\n# saved: {}\n# scene: {}\n\n{}", first_line, facts.process, facts.saved_s,
                     encoded(facts.path), write_scene_toml(scene));
}

std::optional<AutosaveFacts> autosave_facts(const std::string& text) {
  if (!text.starts_with(first_line)) return std::nullopt;
  const std::string_view head = std::string_view(text).substr(0, text.find("\n\n"));
  const auto path = comment(head, "scene"), saved = comment(head, "saved"), process = comment(head, "process");
  if (!path || !saved || !process) return std::nullopt;
  return AutosaveFacts{decoded(*path), whole_number(*saved), whole_number(*process)};
}

std::vector<LeftCopy> left_copies(const std::string& folder) {
  std::vector<LeftCopy> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string file = entry->path().string();
    if (entry->path().extension() == recording_extension) {
      auto lock = FileLock::take(lock_of(file));
      if (!lock) continue;
      auto facts = api::session_facts(file);
      std::error_code ignored;
      // A recording that cannot be read stays, because a newer version may have written it. An empty file has no use.
      if (!facts && fs::file_size(file, ignored) != 0) continue;
      LeftCopy copy{file, {{}, last_written_s(file), 0}, std::move(*lock)};
      if (!facts || !is_worth_restoring(*facts)) {
        discard(std::move(copy));
        continue;
      }
      copy.session = std::move(*facts);
      found.push_back(std::move(copy));
      continue;
    }
    if (entry->path().extension() != ".toml") continue;
    const auto text = read_file(file, max_scene_bytes);
    auto facts = text ? autosave_facts(*text) : std::nullopt;
    if (!facts) continue;
    if (auto lock = FileLock::take(lock_of(file))) found.push_back({file, std::move(*facts), std::move(*lock)});
  }
  std::ranges::sort(found, [](const LeftCopy& a, const LeftCopy& b) { return a.facts.saved_s > b.facts.saved_s; });
  return found;
}

void discard(LeftCopy copy) {
  std::error_code ignored;
  fs::remove(copy.file, ignored);
  copy.lock.remove();
}

Autosave::Autosave(std::string folder) : folder_(std::move(folder)) {}

Autosave::~Autosave() {
  if (lock_ && !exists_) lock_->remove();
}

std::unique_ptr<OwnFile> OwnFile::choose(const std::string& folder, const std::string& extension) {
  auto chosen = choose_own_file(folder, extension);
  if (!chosen) return nullptr;
  return std::unique_ptr<OwnFile>(new OwnFile(std::move(chosen->first), std::move(chosen->second)));
}

OwnFile::~OwnFile() {
  std::error_code ignored;
  fs::remove(path_, ignored);
  lock_.remove();
}

bool Autosave::choose_file() {
  if (lock_) return true;
  auto chosen = choose_own_file(folder_, ".toml");
  if (!chosen) return false;
  file_ = std::move(chosen->first);
  lock_ = std::move(chosen->second);
  return true;
}

void Autosave::begin(double wall_s, Background& background) {
  remove(background);
  last_s_ = wall_s;
}

void Autosave::adopt(LeftCopy copy, std::uint64_t revision) {
  if (!choose_file()) return;
  {
    // Jobs of the previous scene must not overwrite or delete the copy.
    const std::lock_guard lock(jobs_->mutex);
    jobs_->done = requested_;
    std::error_code error;
    fs::rename(copy.file, file_, error);
    if (error) return;
  }
  copy.lock.remove();
  exists_ = true;
  revision_ = revision;
}

bool Autosave::is_due(std::uint64_t revision, double wall_s) const {
  return revision_ != revision && wall_s - last_s_ >= interval_s;
}

void Autosave::write(Node scene, const std::string& path, std::uint64_t revision, double wall_s,
                     Background& background) {
  last_s_ = wall_s;
  revision_ = revision;
  if (!choose_file()) {
    const std::lock_guard lock(jobs_->mutex);
    jobs_->error = wrong_file(folder_, "unsaved edits cannot be written to this folder").value();
    return;
  }
  exists_ = true;
  std::error_code ignored;
  const std::string absolute = path.empty() ? path : fs::absolute(path, ignored).lexically_normal().string();
  background.run([jobs = jobs_, number = ++requested_, file = file_, scene = std::move(scene),
                  facts = AutosaveFacts{absolute, seconds_since_1970(), process_id()}] {
    const std::string text = autosave_text(scene, facts);
    const std::lock_guard lock(jobs->mutex);
    if (number <= jobs->done) return;  // a later job has replaced or deleted the copy
    jobs->done = number;
    if (auto written = write_file_atomic(file, text); !written) jobs->error = written.error();
  });
}

void Autosave::remove(Background& background) {
  revision_.reset();
  if (!exists_) return;
  exists_ = false;
  background.run([jobs = jobs_, number = ++requested_, file = file_] {
    const std::lock_guard lock(jobs->mutex);
    if (number <= jobs->done) return;
    jobs->done = number;
    std::error_code ignored;
    fs::remove(file, ignored);
  });
}

std::optional<Error> Autosave::take_error() {
  const std::unique_lock lock(jobs_->mutex, std::try_to_lock);
  if (!lock.owns_lock()) return std::nullopt;  // a job is writing: ask again in the next frame
  auto error = std::exchange(jobs_->error, std::nullopt);
  if (error) revision_.reset();  // the edits are not in the copy, so they are due again
  return error;
}

}  // namespace vw
