// Planes and lines of the air by OpenGL: values are looked up between samples, then coloured; lines are bands with soft edges.
#pragma once

#include <array>
#include <vector>

#include "render/air.h"
#include "render/gl_object.h"

namespace vw {

struct Stage;

struct AirBuffers {
  struct Sheet {
    GlTexture values;
    int nu = 0, nv = 0;
  };
  std::array<Sheet, AirSheets::most> sheets;
  GlTexture map;
  std::vector<glm::vec3> map_colors;  ///< that it holds
  StreamBuffer corners, bands;
  std::vector<std::size_t> first_corner;  ///< by piece, and the end

  void upload(const Air& air, const glm::vec3& eye);
};

/// Sheets before the splats of a layer, and lines after them; premultiplied into a target whose colours are encoded as sRGB.
void draw_air_sheets(Stage& stage, const Air& air, std::size_t layer, float opacity);
void draw_air_lines(Stage& stage, const Air& air, std::size_t layer);

}  // namespace vw
