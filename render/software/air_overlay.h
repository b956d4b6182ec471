// Draws the slice planes and lines of a field into a tile. The formulas are the same as in shaders/sheet.frag and
// shaders/band.frag.
#pragma once

#include <vector>

#include "render/air/air.h"
#include "render/software/bins.h"
#include "render/software/projector.h"
#include "render/software/tile.h"

namespace vw::soft {

class AirOverlay {
 public:
  /// Projects slice planes and lines to the picture. `opacity`: opacity of slice planes. `air` must outlive the drawing
  /// of the picture, because a pointer to it is stored.
  void project(const AirDrawing& air, const Projector& projector, float opacity);
  /// Draws the slice planes of one layer (AirSheets::layers()). The caller must draw them before the splats of that
  /// layer.
  void draw_sheets(std::size_t layer, Tile& tile) const;
  /// Draws the lines of one layer. The caller must draw them after the splats of that layer.
  void draw_lines(std::size_t layer, std::size_t tile_index, Tile& tile) const;
  [[nodiscard]] bool any() const { return air_ != nullptr && air_->any(); }
  /// Whether the lines exceed the capacity of the bins (Bins::most_items). The lines are then missing.
  [[nodiscard]] bool overfull() const { return bins_.overfull(); }
  [[nodiscard]] std::size_t layers() const { return air_->sheets().layers(); }

 private:
  struct End {
    /// `at`: position [px]. `rim`: unit vector along the border with the adjacent segment.
    glm::vec2 at{0}, rim{0};
    /// `q`: 1 / depth. `half`: half width [px].
    float q = 0, half = 0, opacity = 0;
    glm::vec3 color{0};
  };
  struct Stretch {
    End from, to;
  };
  struct PictureBox {
    glm::vec2 low{0}, high{0};
  };
  void project_pieces();
  void draw_piece(const AirPiece& piece, Tile& tile) const;
  void draw_stretch(const Stretch& stretch, Tile& tile) const;
  [[nodiscard]] bool project_end(const glm::vec4& place, const glm::vec3& side, std::uint32_t color, End& end) const;
  [[nodiscard]] glm::vec3 map_color(float t) const;

  const AirDrawing* air_ = nullptr;
  Projector projector_;
  float opacity_ = 1;
  std::vector<PictureBox> boxes_;  ///< bounding box of each piece in the picture
  std::vector<Stretch> stretches_;
  std::vector<TileRange> ranges_;
  Bins<std::uint32_t> bins_;
};

}  // namespace vw::soft
