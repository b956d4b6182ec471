// Two-dimensional drawings of text, lines, areas, colour bars and pictures. Coordinates are pixels from the upper left
// corner. paint() draws a drawing into an image. app/capture/document.h writes a drawing as vector graphics.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <glm/glm.hpp>

#include "render/image.h"
#include "render/labels/text_font.h"

namespace vw {

struct DrawnBox {
  glm::vec2 low, high;  ///< corners; in an image, pixels from floor(low) to floor(high) - 1 are filled
  glm::vec3 color;      ///< sRGB, like all colours of drawings
  float alpha = 1;
};
struct DrawnLine {
  glm::vec2 from, to;
  float width;
  glm::vec3 color;
};
struct DrawnPolygon {
  std::vector<glm::vec2> corners;  ///< corners of a convex polygon
  glm::vec3 color;
};
/// A line of text. `at`: left end of the baseline. `size`: height of the font from ascent to descent [px].
struct DrawnText {
  glm::vec2 at;
  float size;
  std::string words;
  glm::vec3 color;
};
/// Horizontal colour bar.
struct DrawnBar {
  glm::vec2 low, high;
  std::vector<glm::vec3> colors;
  int levels = 0;  ///< number of discrete colours; 0 means a continuous bar
};
struct DrawnPicture {
  glm::vec2 low;  ///< upper left corner; the picture is drawn without scaling
  std::shared_ptr<const Image> image;
  bool has_alpha = false;
};

struct Drawing {
  using Item = std::variant<DrawnBox, DrawnLine, DrawnPolygon, DrawnText, DrawnBar, DrawnPicture>;
  std::vector<Item> items;  ///< later items are drawn over earlier ones
  glm::vec2 size{0};        ///< width and height [px]

  /// Adds the items of another drawing, moved by `offset`.
  void add(const Drawing& other, const glm::vec2& offset);
};

/// Draws all items over the image.
void paint(const Drawing& drawing, const TextFont& font, Image& image);

}  // namespace vw
