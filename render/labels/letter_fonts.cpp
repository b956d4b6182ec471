#include "render/labels/letter_fonts.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>

#include "render/labels/text_font.h"
#include "sim/base/files/file.h"
#include "sim/base/system/fonts.h"

namespace vw {
namespace {

constexpr std::uint64_t largest_letter_font_bytes = std::uint64_t{1} << 26U;
constexpr std::size_t most_files = 1000;

/// Font files in the folder and below it, in the order of their paths.
std::vector<std::string> fonts_below(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && it != end && paths.size() < most_files; it.increment(error)) {
    std::string ending = it->path().extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (ending == ".ttf" || ending == ".ttc" || ending == ".otf") paths.push_back(it->path().string());
  }
  std::ranges::sort(paths);
  return paths;
}

/// Adds the font to `fonts` if it has some of the letters, and removes these letters from `letters`.
void use_font(const std::string& path, std::vector<char32_t>& letters, std::vector<LetterFont>& fonts) {
  std::error_code none;
  if (letters.empty() || !std::filesystem::is_regular_file(path, none)) return;
  auto bytes = read_file(path, largest_letter_font_bytes);
  if (!bytes) return;
  FontCoverage found = letters_in_font(*bytes, letters);
  if (found.letters.empty()) return;
  std::erase_if(letters,
                [&](char32_t letter) { return std::ranges::find(found.letters, letter) != found.letters.end(); });
  fonts.push_back(
      {path, std::make_shared<const std::string>(std::move(*bytes)), std::move(found.letters), found.height_per_em});
}

}  // namespace

std::vector<LetterFont> find_letter_fonts(std::vector<char32_t> letters) {
  std::vector<std::string> preferred = sans_serif_fonts(FontWeight::regular);
  for (std::string& path : east_asian_fonts()) preferred.push_back(std::move(path));
  return find_letter_fonts(std::move(letters), preferred, font_folders());
}

std::vector<LetterFont> find_letter_fonts(std::vector<char32_t> letters, std::span<const std::string> preferred,
                                          std::span<const std::string> folders) {
  std::vector<LetterFont> fonts;
  for (const std::string& path : preferred) use_font(path, letters, fonts);
  for (const std::string& folder : folders)
    if (!letters.empty())
      for (const std::string& path : fonts_below(folder)) use_font(path, letters, fonts);
  return fonts;
}

}  // namespace vw
