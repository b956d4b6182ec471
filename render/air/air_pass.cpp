#include "render/air/air_pass.h"

#include "render/gl/stage.h"

namespace vw {

void AirBuffers::upload(const AirDrawing& air, const Camera& camera) {
  const float lift = sheet_lift / camera.distance_factor;
  const auto from = air.sheets().sheets();
  for (std::size_t k = 0; k < from.size(); ++k) {
    Sheet& to = sheets[k];
    if (to.nu != from[k].nu || to.nv != from[k].nv)
      to = {make_map(GL_RG32F, from[k].nu, from[k].nv, GL_LINEAR), from[k].nu, from[k].nv};
    glTextureSubImage2D(to.values.id(), 0, 0, 0, to.nu, to.nv, GL_RG, GL_FLOAT, from[k].texel.data());
  }
  if (!from.empty() && map_colors != air.sheet_colors()) {
    map_colors = air.sheet_colors();
    if (!map) map = make_map(GL_RGB32F, static_cast<int>(map_colors.size()), 1, GL_LINEAR);
    glTextureSubImage2D(map.id(), 0, 0, 0, static_cast<GLsizei>(map_colors.size()), 1, GL_RGB, GL_FLOAT,
                        map_colors.data());
  }
  std::vector<std::array<glm::vec4, 2>> points;
  first_corner.assign(1, 0);
  for (const AirPiece& piece : air.sheets().pieces()) {
    for (std::size_t k = 0; k < piece.corners; ++k)
      points.push_back({glm::vec4(lifted(from[piece.sheet].point(piece.corner[k]), camera.eye, lift), 1),
                        glm::vec4(piece.corner[k], 0, 0)});
    first_corner.push_back(points.size());
  }
  corners.fill(std::span<const std::array<glm::vec4, 2>>(points));
  bands.fill(air.lines().bands());
}

void draw_air_sheets(Stage& stage, const AirDrawing& air, std::size_t layer, float opacity) {
  const auto pieces = air.sheets().pieces();
  if (pieces.empty()) return;
  stage.use(Pass::sheet);
  glUniform1f(0, opacity);
  stage.air.corners.bind_storage(0);
  glBindTextureUnit(3, stage.air.map.id());
  glBindVertexArray(stage.empty.id());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].layer != layer) continue;
    glBindTextureUnit(2, stage.air.sheets[pieces[i].sheet].values.id());
    glDrawArrays(GL_TRIANGLE_FAN, static_cast<GLint>(stage.air.first_corner[i]),
                 static_cast<GLsizei>(pieces[i].corners));
  }
}

void draw_air_lines(Stage& stage, const AirDrawing& air, std::size_t layer) {
  const std::size_t first = air.lines().layer_begin(layer), end = air.lines().layer_end(layer);
  if (first == end) return;
  stage.use(Pass::band);
  stage.air.bands.bind_storage(0);
  stage.draw_strips(first, end - first);
}

}  // namespace vw
