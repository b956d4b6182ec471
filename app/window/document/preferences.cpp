#include "app/window/document/preferences.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/files/file.h"

namespace vw {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view scale_key = "interface_scale = ", tour_line = "tour_seen = true";
constexpr std::string_view no_moments_line = "embeds_moments = false";
constexpr std::string_view no_start_page_line = "shows_start_page = false";

constexpr std::string_view own_keys[] = {"interface_scale", "tour_seen", "embeds_moments", "shows_start_page"};

/// Returns the lines of the file with other keys. A newer version of the program may have written them.
std::string lines_of_others(const fs::path& file) {
  constexpr std::size_t most_bytes = 65536;
  std::string lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line) && lines.size() + line.size() < most_bytes;) {
    const std::size_t end = line.find(" = ");
    if (end == std::string::npos) continue;
    const std::string_view key = std::string_view(line).substr(0, end);
    if (std::ranges::find(own_keys, key) == std::end(own_keys)) lines += line + '\n';
  }
  return lines;
}

bool is_scale(double value) {
  return value == 0 || (value >= Preferences::least_scale && value <= Preferences::greatest_scale);
}

}  // namespace

Preferences::Preferences(std::string folder) : folder_(std::move(folder)) {
  std::ifstream in(fs::path(folder_) / "preferences");
  for (std::string line; std::getline(in, line);) {
    if (line == tour_line) tour_seen_ = true;
    if (line == no_moments_line) embeds_moments_ = false;
    if (line == no_start_page_line) shows_start_page_ = false;
    if (!line.starts_with(scale_key)) continue;
    double value = 0;
    const char* end = line.data() + line.size();
    const auto read = std::from_chars(line.data() + scale_key.size(), end, value);
    if (read.ec == std::errc() && read.ptr == end && is_scale(value)) interface_scale_ = value;
  }
}

// Another window may have changed other choices since the file was read. Each function therefore reads the file again
// and changes only its own choice in it.

Result<void> Preferences::set_interface_scale(double scale) {
  interface_scale_ = is_scale(scale) ? scale : 0;
  Preferences stored(folder_);
  stored.interface_scale_ = interface_scale_;
  return stored.write();
}

Result<void> Preferences::set_tour_seen() {
  tour_seen_ = true;
  Preferences stored(folder_);
  stored.tour_seen_ = tour_seen_;
  return stored.write();
}

Result<void> Preferences::set_embeds_moments(bool embeds) {
  embeds_moments_ = embeds;
  Preferences stored(folder_);
  stored.embeds_moments_ = embeds_moments_;
  return stored.write();
}

Result<void> Preferences::set_shows_start_page(bool shows) {
  shows_start_page_ = shows;
  Preferences stored(folder_);
  stored.shows_start_page_ = shows_start_page_;
  return stored.write();
}

Result<void> Preferences::write() const {
  if (folder_.empty()) return fail("neither $XDG_CONFIG_HOME nor $HOME is set");
  std::error_code ignored;
  fs::create_directories(folder_, ignored);
  std::string text = fmt::format("{}{}\n", scale_key, interface_scale_);
  if (tour_seen_) text += fmt::format("{}\n", tour_line);
  if (!embeds_moments_) text += fmt::format("{}\n", no_moments_line);
  if (!shows_start_page_) text += fmt::format("{}\n", no_start_page_line);
  const fs::path file = fs::path(folder_) / "preferences";
  return write_file_atomic(file.string(), text + lines_of_others(file));
}

}  // namespace vw
