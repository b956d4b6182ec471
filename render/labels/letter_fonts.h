// Fonts of the system for letters that the font of the interface lacks, such as Chinese characters.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace vw {

/// A font file and the letters that are drawn with it.
struct LetterFont {
  std::string path;
  std::shared_ptr<const std::string> bytes;
  std::vector<char32_t> letters;
  float height_per_em = 1;  ///< height from ascent to descent, in units of the em
};

/// Returns fonts that together contain as many of the letters as possible. Each letter is assigned to one font. The
/// function searches the fonts of sim/base/system/fonts.h in this order: sans_serif_fonts(), east_asian_fonts(),
/// font_folders(). The search reads large files and can take some tenths of a second.
[[nodiscard]] std::vector<LetterFont> find_letter_fonts(std::vector<char32_t> letters);
/// Searches the files `preferred`, some of which may not exist, and then the font files in `folders` and their
/// subfolders.
[[nodiscard]] std::vector<LetterFont> find_letter_fonts(std::vector<char32_t> letters,
                                                        std::span<const std::string> preferred,
                                                        std::span<const std::string> folders);

}  // namespace vw
