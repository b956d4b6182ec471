// What is laid over a tile after its particles: planes that are seen through, arrows that something hides, paths and the grab spring.
#pragma once

#include <vector>

#include "render/software/shade.h"

namespace vw::soft {

/// A path on the picture: capsules between its points.
struct PicturePath {
  struct Point {
    glm::vec2 at{0};
    float q = 0;
  };
  struct Piece {
    Point from, to;
  };
  std::vector<Piece> pieces;
  glm::vec3 color{0};  ///< as it goes into the picture
  float half_width_px = 1;
  float opacity = 1, hidden_opacity = 1;  ///< where something solid is in front
};

/// Marks, cut at the near plane.
[[nodiscard]] std::vector<PicturePath> paths_of(const Marks& marks, const Projector& projector);

/// Solids of `glass` that are seen through: their fronts or their backs, by coverage.
void draw_glass(const Scenery& scenery, const Facets& glass, std::size_t index, bool fronts, Tile& tile);
void draw_see_through_planes(const Scenery& scenery, Tile& tile);
/// Arrows inside of bodies or behind them show through faintly.
void draw_hidden_arrows(const Scenery& scenery, std::span<const std::uint32_t> ids, Tile& tile);
void draw_paths(std::span<const PicturePath> paths, Tile& tile);

}  // namespace vw::soft
