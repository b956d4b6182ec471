// Fonts of pictures and documents. A font is a TrueType file. If no file is found, text is drawn with the built-in
// bitmap font (bitmap_font.h).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include "render/image.h"
#include "sim/base/error.h"

namespace vw {

/// Decodes UTF-8. A byte that does not belong to a valid sequence becomes U+FFFD.
[[nodiscard]] std::vector<char32_t> code_points(std::string_view text);

/// Letters for which a font file has glyphs, and the height of the font from ascent to descent, in units of the em.
struct FontCoverage {
  std::vector<char32_t> letters;
  float height_per_em = 1;
};
/// Returns those of the letters for which a font file has a glyph, in the same order. The file is TrueType or OpenType.
/// If the file is a collection, its first font is used. If the file is not a font of these formats, the function
/// returns no letters.
[[nodiscard]] FontCoverage letters_in_font(std::string_view bytes, std::span<const char32_t> letters);

/// Blends a colour (sRGB) over a pixel. Positions outside the image are ignored.
void blend_pixel(Image& image, int x, int y, const glm::vec3& color, float alpha);

class TextFont {
 public:
  /// Opens the first sans-serif font of the system that is found. If there is none or `system_fonts` is false, the
  /// built-in font is used.
  explicit TextFont(bool system_fonts = true);
  /// Opens the font with this family name, such as "DejaVu Sans", or the TrueType file with this path (ending .ttf). If
  /// there is no such font, the error names the searched folders. If the file is not a readable TrueType font, the
  /// error names the file.
  [[nodiscard]] static Result<TextFont> find(const std::string& name);
  ~TextFont();
  TextFont(TextFont&&) noexcept;
  TextFont& operator=(TextFont&&) noexcept;

  /// Whether text is drawn with the built-in font.
  [[nodiscard]] bool is_built_in() const;
  /// Width of a line of text [px]. `size`: height of the font from ascent to descent [px].
  [[nodiscard]] float width(const std::string& words, float size) const;
  /// Draws a line of text whose left end is at `x` and returns its width.
  float draw(Image& to, float x, float baseline, float size, const std::string& words, const glm::vec3& color) const;

  // Data of the file, for documents that embed the font. Do not call these functions for the built-in font.
  [[nodiscard]] const std::string& bytes() const;
  /// Index of the glyph of a letter, or 0 if the font has none.
  [[nodiscard]] int glyph(char32_t letter) const;
  /// Advance of a glyph, in thousandths of the em.
  [[nodiscard]] float advance(int glyph) const;
  /// Em of the font divided by its height from ascent to descent. This height is the argument `size` of the functions
  /// above.
  [[nodiscard]] float em_per_size() const;
  /// Ascent, descent (negative) and bounding box (x0, y0, x1, y1), in thousandths of the em.
  struct Extent {
    int ascent, descent;
    glm::ivec4 box;
  };
  [[nodiscard]] Extent extent() const;

 private:
  struct Face;
  [[nodiscard]] bool open(const std::string& path);
  std::unique_ptr<Face> face_;
};

}  // namespace vw
