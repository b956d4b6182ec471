// OpenGL pass for the slice planes and lines of a field. Values on a slice plane are interpolated first and mapped to
// colours afterwards. Lines are drawn as bands with soft edges.
#pragma once

#include <array>
#include <vector>

#include "render/air/air.h"
#include "render/gl/gl_object.h"

namespace vw {

struct Stage;

struct AirBuffers {
  struct Sheet {
    GlTexture values;
    int nu = 0, nv = 0;
  };
  std::array<Sheet, AirSheets::most> sheets;
  GlTexture map;
  std::vector<glm::vec3> map_colors;  ///< copy of the colours in the texture `map`
  StreamBuffer corners, bands;
  /// Index of the first corner of each piece, followed by the total number of corners.
  std::vector<std::size_t> first_corner;

  void upload(const AirDrawing& air, const Camera& camera);
};

/// Draws the slice planes or the lines of one layer (AirSheets::layers()). Slice planes are drawn before the splats of
/// that layer, lines after the splats. Colours are premultiplied by their opacity. The target is encoded as sRGB.
void draw_air_sheets(Stage& stage, const AirDrawing& air, std::size_t layer, float opacity);
void draw_air_lines(Stage& stage, const AirDrawing& air, std::size_t layer);

}  // namespace vw
