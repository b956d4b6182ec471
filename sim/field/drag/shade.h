// Wind shelter within a body: the fraction of each surface face that upwind faces cover. The faces are projected along
// the wind onto a grid. The grid accumulates covered area instead of sampled points, so the fractions change smoothly
// as the body turns. The computation runs on several threads, with bit-identical results for any number of threads.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/math.h"
#include "sim/field/drag/face_drag.h"

namespace vw {

/// Flat surface element: the parallelogram center +- half_u +- half_v [m]. The outward normal is parallel to half_u x
/// half_v.
struct ShadeFace {
  Vec3 center, half_u, half_v;
};
/// Returns a square element of `area` [m^2] centred at `center` [m], with the outward unit normal `normal`. Its
/// rotation about the normal is arbitrary.
[[nodiscard]] ShadeFace shade_square(const Vec3& center, const Vec3& normal, double area);

class Shade {
 public:
  /// Computes the exposure of each face to a wind along the unit vector `along`. `out` has one row per face. Only these
  /// faces shelter each other. `rubbed` is the uncovered fraction of a test square of side `near_m`, perpendicular to
  /// the wind, whose centre is 0.5 `near_m` upwind of the face. `struck` is the fraction of the face's projection that
  /// no upwind face covers. For faces parallel to the wind or turned away from it, `struck` equals `rubbed`. `cell_m`
  /// is the edge of a grid cell [m] and should be about a third of a face's edge. The cells become larger if there
  /// would be more than about two million. `near_m` [m] should be about one edge of a face. A face covers only faces at
  /// least 0.5 `near_m` downwind of it, and test squares at least `near_m` downwind of it, so neighbouring faces do not
  /// cover each other. If any face is not finite, all faces count as fully exposed.
  void evaluate(std::span<const ShadeFace> faces, const Vec3& along, double cell_m, double near_m,
                std::span<FaceShade> out);

 private:
  using Vec2 = Eigen::Vector2d;
  /// Projection of a face onto the grid, in cells.
  struct Projection {
    Vec2 center, half_u, half_v;
    double depth = 0;   ///< Coordinate of the face's centre along the wind [m].
    double facing = 0;  ///< Cosine of the angle between the normal and the upwind direction.
    Vec2 before;        ///< Centre of the test square upwind of the face.
    double before_depth = 0;
    [[nodiscard]] double area() const { return 4 * std::abs(half_u.x() * half_v.y() - half_u.y() * half_v.x()); }
  };
  enum class Act : std::uint8_t { strike, rub, cover };
  /// Operation on a face. Operations are performed in the order of their depths. `strike` measures how much of the face
  /// is covered, `rub` measures how much of its test square is covered, and `cover` adds the face to the coverage.
  struct Turn {
    double depth;
    std::uint32_t face;
    Act act;
    [[nodiscard]] bool operator<(const Turn& other) const;
  };
  struct Entry {
    std::uint32_t turn;
    double hidden;  ///< Covered area of the face or of the test square, in cells.
  };

  [[nodiscard]] bool project(std::span<const ShadeFace> faces, const Vec3& along, double cell_m, double near_m);
  void order(double near_m);
  [[nodiscard]] std::array<Vec2, 4> outline(const Turn& turn) const;
  void share_out();
  void walk(std::size_t band);

  std::vector<Projection> faces_;
  std::vector<Turn> turns_;
  std::vector<std::size_t> band_begin_;  ///< First entry in entries_ for each band of grid rows.
  std::vector<Entry> entries_;
  std::vector<double> cover_;              ///< Covered fraction of each cell.
  std::vector<std::vector<double>> edge_;  ///< Scratch memory of each band.
  std::vector<double> struck_, rubbed_;    ///< Covered area of each face and of its test square, in cells.
  double half_before_ = 0;                 ///< Half the side of the test square, in cells.
  std::size_t columns_ = 0, rows_ = 0;
};

}  // namespace vw
