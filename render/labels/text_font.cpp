// Glyphs are read and drawn by stb_truetype.
#include "render/labels/text_font.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_truetype.h>
#pragma GCC diagnostic pop

#include "render/labels/bitmap_font.h"
#include "sim/base/files/file.h"
#include "sim/base/system/fonts.h"

namespace vw {
namespace {

constexpr std::uint64_t largest_font_bytes = std::uint64_t{1} << 26U;

/// Name in lower case without spaces and punctuation, such as "dejavusans".
std::string compared(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// Path of the regular face of a family, or an empty text if there is none. The font is recognised by the name of its
/// file.
std::string file_of_family(const std::string& family) {
  namespace fs = std::filesystem;
  const std::string wanted = compared(family);
  std::string best;
  for (const std::string& folder : font_folders()) {
    std::error_code error;
    for (fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end;
         !error && it != end; it.increment(error)) {
      const fs::path& path = it->path();
      if (compared(path.extension().string()) != "ttf") continue;
      const std::string stem = compared(path.stem().string());
      if (stem != wanted && stem != wanted + "regular") continue;
      if (best.empty() || path.string() < best) best = path.string();  // the order of files in a folder is not defined
    }
    if (!best.empty()) return best;
  }
  return best;
}

/// Big-endian number in the `count` bytes at the index `at`.
std::size_t number_at(std::string_view bytes, std::size_t at, std::size_t count) {
  std::size_t number = 0;
  for (std::size_t i = 0; i < count; ++i) number = number << 8U | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

/// Whether the table directory of the font at the index `start`, and all tables that it lists, lie inside the file.
/// stb_truetype does not check this.
bool has_whole_tables(std::string_view bytes, std::size_t start) {
  if (start > bytes.size() || bytes.size() - start < 12) return false;
  const std::size_t tables = number_at(bytes, start + 4, 2);
  if (bytes.size() - start < 12 + 16 * tables) return false;
  for (std::size_t t = 0; t < tables; ++t) {
    const std::size_t row = start + 12 + 16 * t, offset = number_at(bytes, row + 8, 4);
    if (offset > bytes.size() || number_at(bytes, row + 12, 4) > bytes.size() - offset) return false;
  }
  return true;
}

void fill_dots(Image& image, int x0, int y0, int x1, int y1, const glm::vec3& color) {
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x) blend_pixel(image, x, y, color, 1);
}

/// Draws text in the built-in bitmap font and returns the width of the text [px]. Each dot of the font covers whole
/// pixels. If `to` is null, the text is only measured.
float dotted_text(Image* to, float x, float baseline, float size, const std::string& words, const glm::vec3& color) {
  const int dot = std::max(1, static_cast<int>(size / 9)), top = static_cast<int>(baseline) - 7 * dot;
  int left = static_cast<int>(x);
  for (const char32_t letter : code_points(words)) {
    const auto& columns = dots_of(letter < 128 ? static_cast<char>(letter) : '\0');
    for (int cell = 0; cell < 35 && to != nullptr; ++cell) {
      const int column = cell / 7, row = cell % 7;
      if ((columns[static_cast<std::size_t>(column)] >> row & 1) == 0) continue;
      fill_dots(*to, left + column * dot, top + row * dot, left + (column + 1) * dot, top + (row + 1) * dot, color);
    }
    left += 6 * dot;
  }
  return static_cast<float>(left - static_cast<int>(x));
}

/// Draws text in a TrueType font and returns the width of the text [px]. If `to` is null, the text is only measured.
float outlined_text(const stbtt_fontinfo& font, Image* to, float x, float baseline, float size,
                    const std::string& words, const glm::vec3& color) {
  const float scale = stbtt_ScaleForPixelHeight(&font, size), start = x;
  const std::vector<char32_t> letters = code_points(words);
  for (std::size_t i = 0; i < letters.size(); ++i) {
    int advance = 0, bearing = 0;
    const int letter = static_cast<int>(letters[i]);
    stbtt_GetCodepointHMetrics(&font, letter, &advance, &bearing);
    if (to != nullptr) {
      int width = 0, height = 0, dx = 0, dy = 0;
      const float whole = std::floor(x);
      unsigned char* glyph =
          stbtt_GetCodepointBitmapSubpixel(&font, scale, scale, x - whole, 0, letter, &width, &height, &dx, &dy);
      for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column)
          blend_pixel(*to, static_cast<int>(whole) + dx + column, static_cast<int>(baseline) + dy + row, color,
                      static_cast<float>(glyph[row * width + column]) / 255.0F);
      stbtt_FreeBitmap(glyph, nullptr);
    }
    x += scale * static_cast<float>(advance);
    if (i + 1 < letters.size())
      x += scale * static_cast<float>(stbtt_GetCodepointKernAdvance(&font, letter, static_cast<int>(letters[i + 1])));
  }
  return x - start;
}

}  // namespace

std::vector<char32_t> code_points(std::string_view text) {
  std::vector<char32_t> out;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned first = byte(i);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xC2 ? 0
                               : first < 0xE0 ? 2
                               : first < 0xF0 ? 3
                               : first < 0xF5 ? 4
                                              : 0;
    bool good = length > 0 && i + length <= text.size();
    char32_t letter = length < 2 ? first : first & (0x7FU >> length);
    for (std::size_t k = 1; good && k < length; ++k) {
      good = (byte(i + k) & 0xC0U) == 0x80U;
      letter = letter << 6U | (byte(i + k) & 0x3FU);
    }
    // Overlong sequences, surrogates and values beyond Unicode are not valid.
    if (good && length == 3) good = letter >= 0x800 && (letter < 0xD800 || letter > 0xDFFF);
    if (good && length == 4) good = letter >= 0x10000 && letter <= 0x10FFFF;
    out.push_back(good ? letter : U'\xFFFD');
    i += good ? length : 1;
  }
  return out;
}

FontCoverage letters_in_font(std::string_view bytes, std::span<const char32_t> letters) {
  const bool is_collection = bytes.size() >= 16 && bytes.starts_with("ttcf");
  const std::size_t start = is_collection ? number_at(bytes, 12, 4) : 0;
  stbtt_fontinfo info{};
  if (!has_whole_tables(bytes, start) ||
      stbtt_InitFont(&info, reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(start)) == 0)
    return {};
  FontCoverage found;
  for (const char32_t letter : letters)
    if (stbtt_FindGlyphIndex(&info, static_cast<int>(letter)) != 0) found.letters.push_back(letter);
  found.height_per_em = stbtt_ScaleForMappingEmToPixels(&info, 1) / stbtt_ScaleForPixelHeight(&info, 1);
  return found;
}

void blend_pixel(Image& image, int x, int y, const glm::vec3& color, float alpha) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height || alpha <= 0) return;
  std::uint8_t* p = &image.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                     static_cast<std::size_t>(x))];
  const float below = static_cast<float>(p[3]) / 255, out = alpha + below * (1 - alpha);
  for (int c = 0; c < 3; ++c) {
    const float mixed = (color[c] * 255 * alpha + static_cast<float>(p[c]) * below * (1 - alpha)) / out;
    p[c] = static_cast<std::uint8_t>(std::clamp(mixed + 0.5F, 0.0F, 255.0F));
  }
  p[3] = static_cast<std::uint8_t>(out * 255 + 0.5F);
}

struct TextFont::Face {
  std::string bytes;
  stbtt_fontinfo info{};
};

TextFont::TextFont(bool system_fonts) {
  if (!system_fonts) return;
  for (const std::string& path : sans_serif_fonts(FontWeight::regular))
    if (std::error_code none; std::filesystem::is_regular_file(path, none) && open(path)) return;
}
TextFont::~TextFont() = default;
TextFont::TextFont(TextFont&&) noexcept = default;
TextFont& TextFont::operator=(TextFont&&) noexcept = default;

Result<TextFont> TextFont::find(const std::string& name) {
  const std::filesystem::path given(name);
  const bool is_file = compared(given.extension().string()) == "ttf";
  const std::string path = is_file ? name : file_of_family(name);
  if (path.empty() || compared(name).empty())
    return fail(fmt::format("font \"{}\": expected a family with a TrueType file in {}, or the path of a .ttf file",
                            name, fmt::join(font_folders(), ", ")));
  TextFont font(false);
  if (!font.open(path)) return wrong_file(path, "is not a readable TrueType font");
  return font;
}

bool TextFont::open(const std::string& path) {
  auto bytes = read_file(path, largest_font_bytes);
  if (!bytes) return false;
  const bool is_truetype = bytes->substr(0, 4) == std::string("\0\1\0\0", 4) || bytes->substr(0, 4) == "true";
  if (!is_truetype || !has_whole_tables(*bytes, 0)) return false;
  auto face = std::make_unique<Face>();
  face->bytes = std::move(*bytes);
  if (stbtt_InitFont(&face->info, reinterpret_cast<const unsigned char*>(face->bytes.data()), 0) == 0) return false;
  face_ = std::move(face);
  return true;
}

bool TextFont::is_built_in() const { return face_ == nullptr; }

float TextFont::width(const std::string& words, float size) const {
  return face_ == nullptr ? dotted_text(nullptr, 0, 0, size, words, {})
                          : outlined_text(face_->info, nullptr, 0, 0, size, words, {});
}

float TextFont::draw(Image& to, float x, float baseline, float size, const std::string& words,
                     const glm::vec3& color) const {
  return face_ == nullptr ? dotted_text(&to, x, baseline, size, words, color)
                          : outlined_text(face_->info, &to, x, baseline, size, words, color);
}

const std::string& TextFont::bytes() const { return face_->bytes; }
int TextFont::glyph(char32_t letter) const { return stbtt_FindGlyphIndex(&face_->info, static_cast<int>(letter)); }

float TextFont::advance(int glyph) const {
  int advance = 0, bearing = 0;
  stbtt_GetGlyphHMetrics(&face_->info, glyph, &advance, &bearing);
  return 1000 * static_cast<float>(advance) * stbtt_ScaleForMappingEmToPixels(&face_->info, 1);
}

float TextFont::em_per_size() const {
  return stbtt_ScaleForPixelHeight(&face_->info, 1) / stbtt_ScaleForMappingEmToPixels(&face_->info, 1);
}

TextFont::Extent TextFont::extent() const {
  const float to_thousandths = 1000 * stbtt_ScaleForMappingEmToPixels(&face_->info, 1);
  const auto scaled = [&](int v) { return static_cast<int>(std::lround(static_cast<float>(v) * to_thousandths)); };
  int ascent = 0, descent = 0, gap = 0, x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  stbtt_GetFontVMetrics(&face_->info, &ascent, &descent, &gap);
  stbtt_GetFontBoundingBox(&face_->info, &x0, &y0, &x1, &y1);
  return {scaled(ascent), scaled(descent), {scaled(x0), scaled(y0), scaled(x1), scaled(y1)}};
}

}  // namespace vw
