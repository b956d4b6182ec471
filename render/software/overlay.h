// Objects that are drawn over a tile after its particles: transparent planes and solids, hidden arrows, paths and the
// mouse spring.
#pragma once

#include <vector>

#include "render/software/shade.h"

namespace vw::soft {

/// A path in the picture, drawn as capsules between consecutive points.
struct PicturePath {
  struct Point {
    glm::vec2 at{0};
    float q = 0;
  };
  struct Piece {
    Point from, to;
  };
  std::vector<Piece> pieces;
  glm::vec3 color{0};  ///< displayed colour, linear
  float half_width_px = 1;
  float opacity = 1, hidden_opacity = 1;  ///< `hidden_opacity` applies to parts behind solid objects
};

/// Projects the marks and clips them at the near plane.
[[nodiscard]] std::vector<PicturePath> paths_of(const Marks& marks, const Projector& projector);

/// Draws the front or the back faces of all transparent solids in a tile, weighted by coverage. `glass` contains the
/// facets of these solids, and `index` is the index of the tile.
void draw_glass(const Scenery& scenery, const Facets& glass, std::size_t index, bool fronts, Tile& tile);
/// Draws the planes of Scenery::see_through over the tile.
void draw_see_through_planes(const Scenery& scenery, Tile& tile);
/// Draws the parts of arrows inside or behind bodies with reduced opacity. `ids`: facets in the tile.
void draw_hidden_arrows(const Scenery& scenery, std::span<const std::uint32_t> ids, Tile& tile);
/// Draws paths over the tile.
void draw_paths(std::span<const PicturePath> paths, Tile& tile);

}  // namespace vw::soft
