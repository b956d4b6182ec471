#include "app/window/results/pair_image.h"

#include <algorithm>
#include <cmath>

#include "render/labels/drawing.h"
#include "sim/base/text.h"

namespace vw {
namespace {

constexpr glm::vec3 plate_color{0.09F, 0.1F, 0.12F}, text_color{0.93F, 0.94F, 0.95F};

std::string fitting(const std::string& words, float room, float size, const TextFont& font) {
  if (font.width(words, size) <= room) return words;
  std::string kept = words;
  while (!kept.empty() && font.width(kept + "...", size) > room)
    kept.resize(beginning_of(kept, kept.size() - 1).size());
  return kept + "...";
}

/// A dot, drawn as a regular octagon.
DrawnPolygon dot_at(const glm::vec2& center, float radius, const glm::vec3& color) {
  constexpr std::array<glm::vec2, 8> unit{{{1, 0},
                                           {0.7071F, 0.7071F},
                                           {0, 1},
                                           {-0.7071F, 0.7071F},
                                           {-1, 0},
                                           {-0.7071F, -0.7071F},
                                           {0, -1},
                                           {0.7071F, -0.7071F}}};
  DrawnPolygon dot{{}, color};
  for (const glm::vec2& corner : unit) dot.corners.push_back(center + radius * corner);
  return dot;
}

}  // namespace

SplitWidths split_width(int width, double gap_share) {
  const int gap = std::clamp(static_cast<int>(std::lround(width * gap_share)), 0, std::max(0, width - 2));
  const int picture = std::max(1, (width - gap) / 2);
  return {picture, width - 2 * picture};
}

Image side_by_side(const Image& left, const Image& right, int width, const std::array<std::uint8_t, 3>& gap_rgb) {
  const auto columns = static_cast<std::size_t>(width), rows = static_cast<std::size_t>(left.height);
  Image out{width, left.height, std::vector<std::uint8_t>(4 * columns * rows)};
  const auto first = 4 * static_cast<std::size_t>(left.width), second = 4 * static_cast<std::size_t>(right.width);
  for (std::size_t row = 0; row < rows; ++row) {
    std::uint8_t* to = out.rgba.data() + 4 * columns * row;
    std::copy_n(left.rgba.data() + row * first, first, to);
    for (std::size_t x = first; x + second < 4 * columns; x += 4) {
      std::ranges::copy(gap_rgb, to + x);
      to[x + 3] = 255;
    }
    std::copy_n(right.rgba.data() + row * second, second, to + 4 * columns - second);
  }
  return out;
}

void blend_over(Image& picture, const Image& over, double opacity) {
  const double share = std::clamp(opacity, 0.0, 1.0);
  for (std::size_t i = 0; i < std::min(picture.rgba.size(), over.rgba.size()); ++i) {
    const double mixed = picture.rgba[i] + share * (over.rgba[i] - picture.rgba[i]);
    picture.rgba[i] = static_cast<std::uint8_t>(std::lround(mixed));
  }
}

void draw_names(Image& picture, const PairNames& names, int second_x, const TextFont& font) {
  const auto height = static_cast<float>(picture.height);
  const float size = std::clamp(0.026F * height, 11.0F, 64.0F), margin = 0.6F * size, inset = 0.5F * size;
  const float room = static_cast<float>(second_x > 0 ? picture.width - second_x : picture.width) - 2 * (margin + inset);
  Drawing plates;
  const auto add = [&](const std::string& name, glm::vec2 at, const std::optional<glm::vec3>& dot) {
    const float left = dot ? 0.9F * size : 0;
    const std::string words = fitting(name, room - left, size, font);
    const glm::vec2 high = at + glm::vec2(2 * inset + left + font.width(words, size), 1.6F * size);
    plates.items.emplace_back(DrawnBox{at, high, plate_color, 0.75F});
    if (dot) plates.items.emplace_back(dot_at({at.x + inset + 0.3F * size, 0.5F * (at.y + high.y)}, 0.3F * size, *dot));
    plates.items.emplace_back(DrawnText{{at.x + inset + left, at.y + 1.1F * size}, size, words, text_color});
  };
  add("A: " + names.a, {margin, margin}, {});
  if (second_x > 0)
    add("B: " + names.b, {static_cast<float>(second_x) + margin, margin}, names.dot);
  else
    add("B: " + names.b, {margin, margin + 1.9F * size}, names.dot);
  paint(plates, font, picture);
}

}  // namespace vw
