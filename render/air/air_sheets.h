// Slice planes of a field, prepared for drawing from back to front together with particles. A sheet is one slice plane
// as it is drawn: a rectangle with samples on a finer grid. Planes that intersect are split along each other into
// convex pieces (binary space partition, BSP). All renderers use the same data. This file contains CPU data only, no GL
// objects.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "render/labels/color_map.h"
#include "render/scene/cut.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

/// Sheets are drawn nearer to the eye by the fraction `sheet_lift` of their distance, divided by
/// Camera::distance_factor, so that a sheet covers objects in its plane. Arrows that start on a sheet are moved by the
/// larger fraction `arrow_lift`, so that the sheet does not cover them.
inline constexpr float sheet_lift = 1e-3F, arrow_lift = 3e-3F;
/// Moves `p` towards the eye by the fraction `share` of the distance. The projected position of `p` does not change.
[[nodiscard]] inline glm::vec3 lifted(const glm::vec3& p, const glm::vec3& eye, float share) {
  return p + share * (eye - p);
}

/// A slice plane with its samples on a refined grid.
struct AirSheet {
  /// Position of the first sample, and the two sides of the rectangle as vectors from this position [m].
  glm::vec3 corner{0}, u{0}, v{0};
  glm::vec3 normal{0, 0, 1};  ///< unit normal on the side of the eye
  float level = 0;            ///< plane offset: dot(normal, p) for every point p on the sheet
  int nu = 0, nv = 0;         ///< number of samples along u and v, including both edges
  /// One texel per sample. y is 1 if the sample has a value, else 0. x is y times the position on the colour map, which
  /// is 0 at the low end and 1 at the high end. Positions are clamped to [-8, 8].
  std::vector<glm::vec2> texel = {};
  /// Bilinear interpolation of the texels at `place` in [0, 1]^2.
  [[nodiscard]] glm::vec2 at(const glm::vec2& place) const;
  [[nodiscard]] glm::vec3 point(const glm::vec2& place) const { return corner + place.x * u + place.y * v; }
};

/// Convex part of a sheet, bounded by the sheet's rectangle, the planes of the preceding sheets in the list and the cut
/// planes.
struct AirPiece {
  static constexpr std::size_t most_corners = 16;
  std::size_t sheet = 0;
  std::size_t layer = 0;  ///< the piece is drawn before the contents of this layer (AirSheets::layer_of)
  std::array<glm::vec2, most_corners> corner;  ///< corners in the sheet's coordinates, [0, 1]^2
  std::size_t corners = 0;
};

class AirSheets {
 public:
  static constexpr std::size_t most = 4;
  /// Builds sheets and pieces from the first `most` valid slices. `previous`: field picture to interpolate from, or
  /// null. `blend`: interpolation weight, 0 for `previous` and 1 for `newest`. `range`: values at the ends of the
  /// colour map.
  void build(const FieldPicture* previous, const FieldPicture& newest, float blend, const ValueRange& range,
             const glm::vec3& eye, const CutPlanes& cut);
  [[nodiscard]] std::span<const AirSheet> sheets() const { return std::span(sheets_).first(count_); }
  /// Pieces sorted from back to front.
  [[nodiscard]] std::span<const AirPiece> pieces() const { return pieces_; }
  /// The planes of n sheets divide space into 2^n layers. Objects in a higher layer can hide objects in a lower layer,
  /// but never the reverse.
  [[nodiscard]] std::size_t layers() const { return std::size_t{1} << count_; }
  /// Number of sheets, which is the number of bits of a layer's index.
  [[nodiscard]] std::size_t bits() const { return count_; }
  /// Index of the layer that contains the point.
  [[nodiscard]] std::size_t layer_of(const glm::vec3& p) const;
  /// Layer of an object that lies at `p` on the eye's side of the given sheet.
  [[nodiscard]] std::size_t layer_on(std::size_t sheet, const glm::vec3& p) const;
  /// Whether `p` and the piece lie on the same side of the plane of each preceding sheet. `p` must lie in the plane of
  /// the piece's sheet. The function tests neither the sheet's rectangle nor the cut planes.
  [[nodiscard]] bool is_in(const AirPiece& piece, const glm::vec3& p) const;

 private:
  void add_sheet(const FieldSlice* previous, const FieldSlice& slice, float blend, const ValueRange& range,
                 const glm::vec3& eye);
  void fill(const FieldSlice* previous, const FieldSlice& slice, float blend, const ValueRange& range, AirSheet& sheet);
  void close_rims(std::size_t nu, std::size_t nv);
  void add_pieces(std::size_t which, const CutPlanes& cut);
  [[nodiscard]] bool before(std::size_t sheet, const glm::vec3& p) const {
    return glm::dot(sheets_[sheet].normal, p) >= sheets_[sheet].level;
  }

  std::vector<AirSheet> sheets_;
  std::size_t count_ = 0;
  std::vector<AirPiece> pieces_;
  std::vector<glm::vec2> coarse_, wide_;  ///< scratch
};

}  // namespace vw
