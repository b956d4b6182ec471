#include "render/labels/legend_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "render/labels/color_map.h"
#include "render/labels/legend_numbers.h"
#include "render/vectors/vector_colors.h"
#include "sim/base/text.h"

namespace vw {
namespace {

constexpr glm::vec3 plate_color{0.09F, 0.10F, 0.12F}, bright_ink{0.95F, 0.96F, 0.97F}, bright_dim{0.70F, 0.73F, 0.77F};
constexpr glm::vec3 light_plate{1}, black_ink{0}, black_dim{0.2F};
constexpr float plate_alpha = 0.74F;
/// Largest width and height of the image of the legends [px]. Every OpenGL 4.5 implementation has textures of this
/// size. Many or very long entries are cut off there.
constexpr float largest_legend_px = 16384;

/// Layout of the legends; y grows downwards.
struct LegendPage {
  const TextFont& font;
  Drawing& to;
  glm::vec3 ink, dim;  ///< colours of titles and of other text
  float em, x, y, width;

  void words(float at, const std::string& line, const glm::vec3& color) {
    width = std::max(width, at + font.width(line, em));
    to.items.emplace_back(DrawnText{{at, y}, em, line, color});
  }
  void bar(const Legend& legend) {
    const LegendNumbers numbers = numbers_of(legend);
    words(x, numbers.unit.empty() ? legend.title : legend.title + " [" + numbers.unit + "]", ink);
    strip(legend.colors, {numbers.low, numbers.middle, numbers.high}, legend.levels);
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
  void strip(const std::vector<glm::vec3>& colors, const std::array<std::string, 3>& numbers, int levels = 0) {
    y += 0.45F * em;
    const int length = static_cast<int>(13 * em), top = static_cast<int>(y), bottom = static_cast<int>(y + 0.7F * em);
    const glm::ivec2 corner(static_cast<int>(x), top);
    to.items.emplace_back(DrawnBar{corner, glm::ivec2(corner.x + length, bottom), colors, levels});
    y += 1.75F * em;
    for (std::size_t k = 0; k < 3; ++k) {
      const float left = 0.5F * static_cast<float>(k) * (static_cast<float>(length) - font.width(numbers[k], em));
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
      to.items.emplace_back(DrawnLine{middle, tip, 0.22F * em, arm.color});
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
      const glm::vec2 point(static_cast<float>(at), static_cast<float>(middle) + 0.5F);
      const auto size = static_cast<float>(head);
      to.items.emplace_back(
          DrawnPolygon{{point, point + glm::vec2(-size, -0.5F * size), point + glm::vec2(-size, 0.5F * size)}, ink});
    };
    to.items.emplace_back(DrawnBox{glm::ivec2(left, middle - half), glm::ivec2(tip - head, middle + half), ink});
    draw_head(tip);
    if (vectors.turns) draw_head(tip - (7 * head) / 10);
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
  void patch(const glm::vec3& tint) {
    const int left = static_cast<int>(x), size = static_cast<int>(0.75F * em), bottom = static_cast<int>(y);
    to.items.emplace_back(DrawnBox{glm::ivec2(left, bottom - size), glm::ivec2(left + size, bottom), tint});
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

Drawing legend_drawing(const std::vector<Legend>& legends, std::span<const VectorLegend> vectors, const TextFont& font,
                       float em, bool light, bool plate) {
  Drawing drawing;
  if (legends.empty() && std::ranges::none_of(vectors, has_content)) return drawing;
  if (plate) drawing.items.emplace_back();
  LegendPage page{font, drawing, light ? black_ink : bright_ink, light ? black_dim : bright_dim, em, em, 1.7F * em, 0};
  page.all(legends, vectors);
  drawing.size = glm::floor(glm::vec2(page.width + em, page.y - 0.6F * em));
  if (plate) drawing.items[0] = DrawnBox{{0, 0}, drawing.size, light ? light_plate : plate_color, plate_alpha};
  return drawing;
}

LegendPicture::LegendPicture(bool system_fonts) : system_fonts_(system_fonts) {}
LegendPicture::~LegendPicture() = default;

bool LegendPicture::compose(const std::vector<Legend>& legends, std::span<const VectorLegend> vectors,
                            int picture_height, const LegendStyle& style) {
  if (font_ == nullptr) font_ = std::make_unique<TextFont>(system_fonts_);
  const float em = style.size * std::max(11.0F, static_cast<float>(picture_height) * 0.0225F);
  const Drawing drawing = legend_drawing(legends, vectors, *font_, em, style.light, true);
  if (drawing.items.empty()) return false;
  margin_ = static_cast<int>(em);
  image_.width = static_cast<int>(std::min(drawing.size.x, largest_legend_px));
  image_.height = static_cast<int>(std::min(drawing.size.y, largest_legend_px));
  image_.rgba.assign(4 * static_cast<std::size_t>(image_.width) * static_cast<std::size_t>(image_.height), 0);
  paint(drawing, *font_, image_);
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
