#include "render/labels/drawing.h"

#include <algorithm>
#include <cmath>

namespace vw {
namespace {

/// Draws items into an image.
struct ImagePainter {
  Image& image;
  const TextFont& font;

  void operator()(const DrawnBox& box) const {
    const glm::ivec2 low(glm::floor(box.low)), high(glm::floor(box.high));
    for (int y = std::max(low.y, 0); y < std::min(high.y, image.height); ++y)
      for (int x = std::max(low.x, 0); x < std::min(high.x, image.width); ++x)
        blend_pixel(image, x, y, box.color, box.alpha);
  }
  void operator()(const DrawnLine& line) const {
    const glm::vec2 low = glm::min(line.from, line.to) - line.width, high = glm::max(line.from, line.to) + line.width,
                    way = line.to - line.from;
    const float squared = std::max(glm::dot(way, way), 1e-6F);
    for (int y = std::max(static_cast<int>(low.y), 0); y <= std::min(static_cast<int>(high.y), image.height - 1); ++y)
      for (int x = std::max(static_cast<int>(low.x), 0); x <= std::min(static_cast<int>(high.x), image.width - 1);
           ++x) {
        const glm::vec2 at = glm::vec2(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F) - line.from;
        const float off = glm::length(at - std::clamp(glm::dot(at, way) / squared, 0.0F, 1.0F) * way);
        blend_pixel(image, x, y, line.color, std::clamp(0.5F * line.width + 0.5F - off, 0.0F, 1.0F));
      }
  }
  void operator()(const DrawnPolygon& polygon) const {
    if (polygon.corners.size() < 3) return;
    glm::vec2 low = polygon.corners[0], high = low;
    for (const glm::vec2& p : polygon.corners) low = glm::min(low, p), high = glm::max(high, p);
    const auto cross = [](const glm::vec2& a, const glm::vec2& b) { return a.x * b.y - a.y * b.x; };
    const std::size_t n = polygon.corners.size();
    float area = 0;
    for (std::size_t k = 0; k < n; ++k) area += cross(polygon.corners[k], polygon.corners[(k + 1) % n]);
    const float turn = area < 0 ? -1.0F : 1.0F;
    for (int y = std::max(static_cast<int>(low.y) - 1, 0);
         y <= std::min(static_cast<int>(high.y) + 1, image.height - 1); ++y)
      for (int x = std::max(static_cast<int>(low.x) - 1, 0);
           x <= std::min(static_cast<int>(high.x) + 1, image.width - 1); ++x) {
        const glm::vec2 at(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F);
        float inside = 1;
        for (std::size_t k = 0; k < n; ++k) {
          const glm::vec2 edge = polygon.corners[(k + 1) % n] - polygon.corners[k];
          const float length = std::max(glm::length(edge), 1e-6F);
          inside = std::min(inside, turn * cross(edge, at - polygon.corners[k]) / length + 0.5F);
        }
        blend_pixel(image, x, y, polygon.color, std::clamp(inside, 0.0F, 1.0F));
      }
  }
  void operator()(const DrawnText& text) const {
    font.draw(image, text.at.x, text.at.y, text.size, text.words, text.color);
  }
  void operator()(const DrawnBar& bar) const {
    const int left = static_cast<int>(bar.low.x), length = static_cast<int>(bar.high.x) - left;
    for (int i = 0; i < length; ++i) {
      const std::size_t step =
          static_cast<std::size_t>(i) * (bar.colors.size() - 1) / static_cast<std::size_t>(std::max(length - 1, 1));
      const auto x = static_cast<float>(left + i);
      (*this)(DrawnBox{{x, bar.low.y}, {x + 1, bar.high.y}, bar.colors[step]});
    }
  }
  void operator()(const DrawnPicture& picture) const {
    const int left = static_cast<int>(picture.low.x), top = static_cast<int>(picture.low.y);
    for (int y = 0; y < picture.image->height; ++y)
      for (int x = 0; x < picture.image->width; ++x) {
        const std::uint8_t* p =
            &picture.image->rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.image->width) +
                                      static_cast<std::size_t>(x))];
        const auto part = [&](int c) { return static_cast<float>(p[c]) / 255.0F; };
        blend_pixel(image, left + x, top + y, {part(0), part(1), part(2)}, picture.has_alpha ? part(3) : 1);
      }
  }
};

}  // namespace

void Drawing::add(const Drawing& other, const glm::vec2& offset) {
  for (Item item : other.items) {
    std::visit(
        [&](auto& one) {
          using One = std::decay_t<decltype(one)>;
          if constexpr (std::is_same_v<One, DrawnLine>) {
            one.from += offset;
            one.to += offset;
          } else if constexpr (std::is_same_v<One, DrawnPolygon>) {
            for (glm::vec2& corner : one.corners) corner += offset;
          } else if constexpr (std::is_same_v<One, DrawnText>) {
            one.at += offset;
          } else if constexpr (std::is_same_v<One, DrawnPicture>) {
            one.low += offset;
          } else {
            one.low += offset;
            one.high += offset;
          }
        },
        item);
    items.push_back(std::move(item));
  }
}

void paint(const Drawing& drawing, const TextFont& font, Image& image) {
  const ImagePainter painter{image, font};
  for (const Drawing::Item& item : drawing.items) std::visit(painter, item);
}

}  // namespace vw
