// Text is drawn by stb_truetype with the system's sans-serif font. If there is no font file, the built-in bitmap font
// is used.
#include "render/labels/legend_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_truetype.h>
#pragma GCC diagnostic pop

#include "render/labels/bitmap_font.h"
#include "render/labels/color_map.h"
#include "render/labels/legend_numbers.h"
#include "render/vectors/vector_colors.h"
#include "sim/base/files/file.h"
#include "sim/base/text.h"

namespace vw {

struct LegendPicture::Font {
  std::string bytes;
  stbtt_fontinfo info{};
  bool good = false;
};

namespace {

constexpr const char* fonts[] = {"/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf",
                                 "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                                 "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
                                 "/usr/share/fonts/TTF/DejaVuSans.ttf"};
constexpr glm::vec3 plate_color{0.09F, 0.10F, 0.12F}, ink{0.95F, 0.96F, 0.97F}, dim{0.70F, 0.73F, 0.77F};
constexpr float plate_alpha = 0.74F;

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

void fill(Image& image, int x0, int y0, int x1, int y1, const glm::vec3& color, float alpha = 1) {
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x) blend_pixel(image, x, y, color, alpha);
}

/// Draws text in the built-in bitmap font and returns the width of the text. Each dot of the font covers whole pixels.
/// If `to` is null, the text is only measured.
float dotted_text(Image* to, float x, float baseline, float size, const std::string& words, const glm::vec3& color) {
  const int dot = std::max(1, static_cast<int>(size / 9)), top = static_cast<int>(baseline) - 7 * dot;
  int left = static_cast<int>(x);
  for (const char letter : words) {
    const auto& columns = dots_of(letter);
    for (int cell = 0; cell < 35 && to != nullptr; ++cell) {
      const int column = cell / 7, row = cell % 7;
      if ((columns[static_cast<std::size_t>(column)] >> row & 1) == 0) continue;
      fill(*to, left + column * dot, top + row * dot, left + (column + 1) * dot, top + (row + 1) * dot, color);
    }
    left += 6 * dot;
  }
  return static_cast<float>(left - static_cast<int>(x));
}

/// Decodes one UTF-8 sequence of one or two bytes, which suffice for names and units. `i` is advanced to the last byte
/// of the sequence.
int letter_at(const std::string& words, std::size_t& i) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(words[at]); };
  const int first = byte(i);
  if (first < 0xC2 || first > 0xDF || i + 1 >= words.size() || (byte(i + 1) & 0xC0) != 0x80) return first;
  ++i;
  return (first & 0x1F) << 6 | (byte(i) & 0x3F);
}

/// Draws text and returns the width of the text. If `to` is null, the text is only measured.
float text(const stbtt_fontinfo* font, Image* to, float x, float baseline, float size, const std::string& words,
           const glm::vec3& color) {
  if (font == nullptr) return dotted_text(to, x, baseline, size, words, color);
  const float scale = stbtt_ScaleForPixelHeight(font, size), start = x;
  for (std::size_t i = 0; i < words.size(); ++i) {
    int advance = 0, bearing = 0;
    const int letter = letter_at(words, i);
    stbtt_GetCodepointHMetrics(font, letter, &advance, &bearing);
    if (to != nullptr) {
      int width = 0, height = 0, dx = 0, dy = 0;
      const float whole = std::floor(x);
      unsigned char* glyph =
          stbtt_GetCodepointBitmapSubpixel(font, scale, scale, x - whole, 0, letter, &width, &height, &dx, &dy);
      for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column)
          blend_pixel(*to, static_cast<int>(whole) + dx + column, static_cast<int>(baseline) + dy + row, color,
                      static_cast<float>(glyph[row * width + column]) / 255.0F);
      stbtt_FreeBitmap(glyph, nullptr);
    }
    x += scale * static_cast<float>(advance);
    if (i + 1 < words.size())
      x += scale *
           static_cast<float>(stbtt_GetCodepointKernAdvance(font, letter, static_cast<unsigned char>(words[i + 1])));
  }
  return x - start;
}

/// Draws an antialiased line of width `wide` [px].
void stroke(Image& image, const glm::vec2& from, const glm::vec2& to, float wide, const glm::vec3& color) {
  const glm::vec2 low = glm::min(from, to) - wide, high = glm::max(from, to) + wide, way = to - from;
  const float squared = std::max(glm::dot(way, way), 1e-6F);
  for (int y = static_cast<int>(low.y); y <= static_cast<int>(high.y); ++y)
    for (int x = static_cast<int>(low.x); x <= static_cast<int>(high.x); ++x) {
      const glm::vec2 at = glm::vec2(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F) - from;
      const float off = glm::length(at - std::clamp(glm::dot(at, way) / squared, 0.0F, 1.0F) * way);
      blend_pixel(image, x, y, color, std::clamp(0.5F * wide + 0.5F - off, 0.0F, 1.0F));
    }
}

/// Layout of the legends; y grows downwards. If `to` is null, the page is only measured.
struct Page {
  const stbtt_fontinfo* font;
  Image* to;
  float em, x, y, width;

  void words(float at, const std::string& line, const glm::vec3& color) {
    width = std::max(width, at + text(font, to, at, y, em, line, color));
  }
  void bar(const Legend& legend) {
    const LegendNumbers numbers = numbers_of(legend);
    words(x, numbers.unit.empty() ? legend.title : legend.title + " [" + numbers.unit + "]", ink);
    strip(legend.colors, {numbers.low, numbers.middle, numbers.high});
    y += 1.7F * em;
  }
  void materials(const Legend& legend) {
    // If the legend has a single material, only the name of the system is shown.
    const bool plain = legend.entries.size() == 1 && !legend.lists_one;
    if (!plain) {
      words(x, legend.title, ink);
      y += 1.35F * em;
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(legend.entries.size(), 8); ++i) {
      patch(legend.entries[i].second);
      words(x + 1.25F * em, plain ? legend.title : legend.entries[i].first, plain ? ink : dim);
      y += 1.3F * em;
    }
    y += 0.4F * em;
  }
  /// Draws a colour bar with numbers at both ends and in the middle.
  void strip(const std::vector<glm::vec3>& colors, const std::array<std::string, 3>& numbers) {
    y += 0.45F * em;
    const int length = static_cast<int>(13 * em), top = static_cast<int>(y), bottom = static_cast<int>(y + 0.7F * em);
    for (int i = 0; i < length && to != nullptr; ++i) {
      const std::size_t step = static_cast<std::size_t>(i) * (colors.size() - 1) / static_cast<std::size_t>(length - 1);
      fill(*to, static_cast<int>(x) + i, top, static_cast<int>(x) + i + 1, bottom, colors[step]);
    }
    y += 1.75F * em;
    for (std::size_t k = 0; k < 3; ++k) {
      const float left =
          0.5F * static_cast<float>(k) * (static_cast<float>(length) - text(font, nullptr, 0, 0, em, numbers[k], dim));
      words(x + left, numbers[k], dim);
    }
    width = std::max(width, x + static_cast<float>(length));
  }
  /// Draws the legend of the direction colours.
  void key(const glm::mat3& axes) {
    const float reach = 1.35F * em;
    y += em + reach;
    const glm::vec2 middle(x + 1.9F * em, y);
    for (const KeyArm& arm : direction_key(axes)) {
      const glm::vec2 tip = middle + reach * glm::vec2(arm.tip.x, -arm.tip.y);
      if (to != nullptr) stroke(*to, middle, tip, 0.22F * em, arm.color);
      if (arm.name == nullptr) continue;
      y = tip.y + 0.3F * em - 0.35F * em * arm.tip.y;
      words(tip.x - 0.25F * em + 0.5F * em * arm.tip.x, arm.name, ink);
    }
    y = middle.y + 0.3F * em;
    words(middle.x + 2.3F * em, "colour: direction", dim);
    y = middle.y + reach + 0.3F * em;
  }
  void arrow(const VectorLegend& vectors) {
    const VectorWords told = legend_texts(vectors);
    if (!told.title.empty()) {
      words(x, told.title, ink);
      y += 1.35F * em;
    }
    const float length = std::clamp(vectors.arrow_px, em, 14 * em);
    const int left = static_cast<int>(x), middle = static_cast<int>(y - 0.35F * em),
              half = std::max(1, static_cast<int>(0.07F * em));
    const int head = static_cast<int>(0.5F * em), tip = left + static_cast<int>(length);
    const auto draw_head = [&](int at) {
      for (int i = 0; i < head; ++i) fill(*to, at - i - 1, middle - i / 2, at - i, middle + i / 2 + 1, ink);
    };
    if (to != nullptr) {
      fill(*to, left, middle - half, tip - head, middle + half, ink);
      draw_head(tip);
      if (vectors.turns) draw_head(tip - (7 * head) / 10);
    }
    words(x + length + 0.7F * em, told.sample, ink);
    if (!told.high.empty()) strip(speed_map(), {told.low, told.middle, told.high});
    if (vectors.color == VectorColor::direction) key(vectors.axes);
    for (const std::string& note : told.notes) {
      y += 1.35F * em;
      words(x, note, dim);
    }
    for (const auto& [name, tint] : vectors.entries) {
      y += 1.3F * em;
      patch(tint);
      words(x + 1.25F * em, spaced(name), dim);
    }
    y += 1.7F * em;
  }
  /// Draws a colour patch to the left of a line of text.
  void patch(const glm::vec3& tint) const {
    const int left = static_cast<int>(x), size = static_cast<int>(0.75F * em), bottom = static_cast<int>(y);
    if (to != nullptr) fill(*to, left, bottom - size, left + size, bottom, tint);
  }
  void all(const std::vector<Legend>& legends, std::span<const VectorLegend> vectors) {
    for (const Legend& legend : legends) {
      if (!legend.colors.empty())
        bar(legend);
      else
        materials(legend);
    }
    for (const VectorLegend& one : vectors)
      if (has_content(one)) arrow(one);
  }
};

}  // namespace

LegendPicture::LegendPicture(bool system_fonts) : system_fonts_(system_fonts) {}
LegendPicture::~LegendPicture() = default;

bool LegendPicture::compose(const std::vector<Legend>& legends, std::span<const VectorLegend> vectors,
                            int picture_height) {
  if (legends.empty() && std::ranges::none_of(vectors, has_content)) return false;
  if (font_ == nullptr) {
    font_ = std::make_unique<Font>();
    for (const char* path : fonts) {
      if (std::error_code none; font_->good || !system_fonts_ || !std::filesystem::is_regular_file(path, none))
        continue;
      auto bytes = read_file(path, 1U << 24U);
      if (!bytes) continue;
      font_->bytes = std::move(*bytes);
      font_->good = stbtt_InitFont(&font_->info, reinterpret_cast<const unsigned char*>(font_->bytes.data()), 0) != 0;
    }
  }
  const stbtt_fontinfo* font = font_->good ? &font_->info : nullptr;
  const float em = std::max(11.0F, static_cast<float>(picture_height) * 0.0225F);
  Page measure{font, nullptr, em, em, 1.7F * em, 0};
  measure.all(legends, vectors);
  margin_ = static_cast<int>(em);
  image_.width = static_cast<int>(measure.width + em);
  image_.height = static_cast<int>(measure.y - 0.6F * em);
  image_.rgba.assign(4 * static_cast<std::size_t>(image_.width) * static_cast<std::size_t>(image_.height), 0);
  fill(image_, 0, 0, image_.width, image_.height, plate_color, plate_alpha);
  Page page{font, &image_, em, em, 1.7F * em, 0};
  page.all(legends, vectors);
  return true;
}

void LegendPicture::paste(Image& picture) const {
  const int top = picture.height - margin_ - image_.height;
  for (int y = 0; y < image_.height; ++y)
    for (int x = 0; x < image_.width; ++x) {
      const std::uint8_t* p = &image_.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image_.width) +
                                                static_cast<std::size_t>(x))];
      const auto part = [&](int c) { return static_cast<float>(p[c]) / 255.0F; };
      blend_pixel(picture, margin_ + x, top + y, {part(0), part(1), part(2)}, part(3));
    }
}

}  // namespace vw
