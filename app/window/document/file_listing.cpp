#include "app/window/document/file_listing.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include <fmt/format.h>

#include "sim/base/system/folders.h"
#include "sim/base/system/process.h"
#include "sim/base/text.h"
#include "sim/scene/file_kind.h"

namespace vw {
namespace fs = std::filesystem;
namespace {

bool has_extension(const std::string& name, const std::vector<std::string>& extensions) {
  const std::string lower = lowercase(name);
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](const std::string& ending) { return lower.ends_with(ending); });
}

}  // namespace

std::vector<FileEntry> list_folder(const std::string& folder, const std::vector<std::string>& extensions) {
  std::vector<FileEntry> entries;
  std::error_code error;
  for (fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::error_code ignored;
    if (name.empty() || name.front() == '.') continue;
    if (it->is_directory(ignored))
      entries.push_back({.name = name, .folder = true});
    else if (has_extension(name, extensions))
      entries.push_back({.name = name, .bytes = it->file_size(ignored)});
  }
  std::sort(entries.begin(), entries.end(), [](const FileEntry& a, const FileEntry& b) {
    if (a.folder != b.folder) return a.folder;
    return std::pair(lowercase(a.name), a.name) < std::pair(lowercase(b.name), b.name);
  });
  return entries;
}

const std::vector<std::string>& scene_extensions() { return scene_endings(); }

bool has_scene_extension(const std::string& path) { return has_extension(path, scene_extensions()); }

const std::vector<std::string>& mesh_extensions() { return mesh_endings(); }

bool has_mesh_extension(const std::string& path) { return has_extension(path, mesh_extensions()); }

const std::vector<std::string>& state_extensions() {
  static const std::vector<std::string> all{".state"};
  return all;
}

bool has_state_extension(const std::string& path) { return has_extension(path, state_extensions()); }

const std::vector<std::string>& session_extensions() {
  static const std::vector<std::string> all{".vwj"};
  return all;
}

bool has_session_extension(const std::string& path) { return has_extension(path, session_extensions()); }

const std::vector<std::string>& openable_extensions() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> endings = scene_extensions();
    for (const char* other : {".vwj", ".png", ".mp4"}) endings.emplace_back(other);
    return endings;
  }();
  return all;
}

std::vector<std::string> extensions_in(const std::string& sentence) {
  std::vector<std::string> found;
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
  for (std::size_t i = 0; i + 1 < sentence.size(); ++i) {
    const bool begins = sentence[i] == '.' && is_letter(static_cast<unsigned char>(sentence[i + 1])) && i > 0 &&
                        (sentence[i - 1] == '(' || sentence[i - 1] == ' ');
    if (!begins) continue;
    std::size_t end = i + 1;
    while (end < sentence.size() && (is_letter(static_cast<unsigned char>(sentence[end])) || sentence[end] == '.'))
      ++end;
    found.push_back(sentence.substr(i, end - i));
  }
  return found;
}

std::string pretty_bytes(std::uintmax_t bytes) {
  const auto n = static_cast<double>(bytes);
  if (n < 1024) return fmt::format("{} B", bytes);
  return n < 1024 * 1024 ? fmt::format("{:.0f} kB", n / 1024) : fmt::format("{:.1f} MB", n / (1024 * 1024));
}

std::string dated_name(const std::string& folder, const std::string& stem, const std::string& extension) {
  const std::time_t now = std::time(nullptr);
  const std::tm t = local_time_of(now);
  const std::string name = fmt::format("{}-{:04}{:02}{:02}-{:02}{:02}{:02}", stem, t.tm_year + 1900, t.tm_mon + 1,
                                       t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec);
  fs::path path = fs::path(folder) / (name + extension);
  std::error_code error;
  // A dangling symbolic link counts as an existing file, because writing through the link could create a file anywhere.
  for (int i = 2; fs::exists(fs::symlink_status(path, error)) && i < 100'000; ++i)
    path = fs::path(folder) / fmt::format("{}-{}{}", name, i, extension);
  return path.string();
}

std::string in_home(const std::string& path) {
  const std::string home = home_folder();
  return !home.empty() && (path == "~" || path.starts_with("~/")) ? home + path.substr(1) : path;
}

std::string capture_folder(const std::string& kind) {
  std::error_code error;
  if (const std::string home = home_folder(); !home.empty()) {
    const fs::path wanted = fs::path(home) / kind;
    if (fs::is_directory(wanted, error)) return wanted.string();
  }
  const fs::path here = fs::current_path(error);
  return error ? "." : here.string();
}

}  // namespace vw
