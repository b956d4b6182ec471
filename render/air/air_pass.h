// OpenGL pass for the slice planes and lines of a field. Values on a slice plane are interpolated first and mapped to
// colours afterwards. Lines are drawn as bands with soft edges.
#pragma once

#include <array>
#include <vector>

#include "render/air/air.h"
#include "render/gl/gl_object.h"

namespace vw {

struct Stage;

/// Data of an AirDrawing on the GPU.
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

  /// Copies the drawing data to the GPU. `camera` must be the camera for which `air` was built.
  void upload(const AirDrawing& air, const Camera& camera);
};

/// Draws the slice planes of one layer (AirSheets::layers()). The caller must draw them before the splats of that
/// layer. Blending of premultiplied colours must be enabled, with sRGB conversion of the target.
void draw_air_sheets(Stage& stage, const AirDrawing& air, std::size_t layer, float opacity);
/// Draws the lines of one layer. The caller must draw them after the splats of that layer, with the same blending as
/// draw_air_sheets().
void draw_air_lines(Stage& stage, const AirDrawing& air, std::size_t layer);

}  // namespace vw
