// Wind shelter within a body: the fraction of each surface face that other faces upwind of it cover. The faces are
// projected along the wind onto a grid and processed from upwind to downwind. The grid accumulates covered area, not
// points, so that the fractions change smoothly as the body turns. Runs on several threads; results are bit-identical
// for any number.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/math.h"
#include "sim/field/face_drag.h"

namespace vw {

/// Flat surface element: the parallelogram center +- half_u +- half_v [m]. Its outward normal is along half_u x half_v.
struct ShadeFace {
  Vec3 center, half_u, half_v;
};
/// Square element of that area [m^2] centred at `center`, with outward unit normal `normal`. Its rotation about the
/// normal is arbitrary.
[[nodiscard]] ShadeFace shade_square(const Vec3& center, const Vec3& normal, double area);

class Shade {
 public:
  /// Exposure of each face to a wind along the unit vector `along`, considering only these faces as obstacles. `out`
  /// has one row per face.
  /// `rubbed` is the uncovered fraction of a test square of side `near_m`, perpendicular to the wind, whose centre is
  /// 0.5 `near_m` before the face. `struck` is the fraction of the face's projection that no other face towards the
  /// wind covers; for faces edge-on to the wind or turned away from it, it equals `rubbed`.
  /// `cell_m`: grid cell [m], about a third of a face's edge; if the grid would have more than about two million cells,
  /// larger cells are used. `near_m`: about one edge [m]. A face only covers faces at least 0.5 `near_m` downwind of it
  /// and test squares at least `near_m` downwind of it, so that neighbours do not cover each other.
  /// If any face is not finite, all faces are fully exposed.
  void evaluate(std::span<const ShadeFace> faces, const Vec3& along, double cell_m, double near_m,
                std::span<FaceShade> out);

 private:
  using Vec2 = Eigen::Vector2d;
  /// Projection of a face onto the grid, in cells.
  struct Projection {
    Vec2 center, half_u, half_v;
    double depth = 0;   ///< Coordinate of the centre along the wind [m].
    double facing = 0;  ///< Cosine of the angle between the normal and the direction against the wind.
    Vec2 before;        ///< Centre of the test square before the face.
    double before_depth = 0;
    [[nodiscard]] double area() const { return 4 * std::abs(half_u.x() * half_v.y() - half_u.y() * half_v.x()); }
  };
  enum class Act : std::uint8_t { strike, rub, cover };
  /// One operation of a face, ordered by depth: measure the covered part of the face (`strike`), measure the covered
  /// part of the test square before it (`rub`), or add the face to the coverage (`cover`).
  struct Turn {
    double depth;
    std::uint32_t face;
    Act act;
    [[nodiscard]] bool operator<(const Turn& other) const;
  };
  struct Entry {
    std::uint32_t turn;
    double hidden;  ///< Covered area of the face or square, in cells.
  };

  [[nodiscard]] bool project(std::span<const ShadeFace> faces, const Vec3& along, double cell_m, double near_m);
  void order(double near_m);
  [[nodiscard]] std::array<Vec2, 4> outline(const Turn& turn) const;
  void share_out();
  void walk(std::size_t band);

  std::vector<Projection> faces_;
  std::vector<Turn> turns_;
  std::vector<std::size_t> band_begin_;  ///< First entry of each band of grid rows, in entries_.
  std::vector<Entry> entries_;
  std::vector<double> cover_;              ///< Covered fraction of each cell.
  std::vector<std::vector<double>> edge_;  ///< Scratch of each band.
  std::vector<double> struck_, rubbed_;    ///< Covered area of each face, and of the test square before it, in cells.
  double half_before_ = 0;                 ///< Half the side of the test square, in cells.
  std::size_t columns_ = 0, rows_ = 0;
};

}  // namespace vw
