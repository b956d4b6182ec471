// Fonts of the system for letters that the font of the interface lacks, for example Chinese ones.
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
  float height_per_em = 1;  ///< height from ascent to descent
};

/// Fonts that together have as many of the letters as possible; each letter belongs to one font. Searches the fonts of
/// sim/base/system/fonts.h in this order: sans_serif_fonts(), east_asian_fonts(), font_folders(). This reads large
/// files and can take some tenths of a second.
[[nodiscard]] std::vector<LetterFont> find_letter_fonts(std::vector<char32_t> letters);
/// The same with other fonts. `preferred`: paths, of which some may not exist; `folders` are searched after them.
[[nodiscard]] std::vector<LetterFont> find_letter_fonts(std::vector<char32_t> letters,
                                                        std::span<const std::string> preferred,
                                                        std::span<const std::string> folders);

}  // namespace vw
