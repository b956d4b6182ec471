// Wind shelter within a body: the fraction of each surface face that other faces upwind of it cover. The faces are
// projected along the wind onto a grid and processed from upwind to downwind. The grid accumulates covered area instead
// of sampled points, so that the fractions change smoothly as the body turns. The computation runs on several threads,
// and the results are bit-identical for any number of threads.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/math.h"
#include "sim/field/drag/face_drag.h"

namespace vw {

/// Flat surface element: the parallelogram center +- half_u +- half_v [m]. The outward normal is along half_u x half_v.
struct ShadeFace {
  Vec3 center, half_u, half_v;
};
/// Square element of `area` [m^2] centred at `center` [m], with the outward unit normal `normal`. Its rotation about
/// the normal is arbitrary.
[[nodiscard]] ShadeFace shade_square(const Vec3& center, const Vec3& normal, double area);

class Shade {
 public:
  /// Exposure of each face to a wind along the unit vector `along`. Only these faces are obstacles. `out` has one row
  /// per face.
  /// `rubbed` is the uncovered fraction of a test square of side `near_m`, perpendicular to the wind, whose centre is
  /// 0.5 `near_m` upwind of the face. `struck` is the fraction of the projection of the face that no upwind face
  /// covers. For faces parallel to the wind or turned away from it, `struck` equals `rubbed`.
  /// `cell_m` is the edge of a grid cell [m] and should be about a third of the edge of a face. If the grid would
  /// exceed about two million cells, larger cells are used. `near_m` should be about one edge of a face [m]. A face
  /// only covers faces at least 0.5 `near_m` downwind of it and test squares at least `near_m` downwind of it.
  /// Neighbouring faces therefore do not cover each other. If any face is not finite, all faces are fully exposed.
  void evaluate(std::span<const ShadeFace> faces, const Vec3& along, double cell_m, double near_m,
                std::span<FaceShade> out);

 private:
  using Vec2 = Eigen::Vector2d;
  /// Projection of a face onto the grid, in cells.
  struct Projection {
    Vec2 center, half_u, half_v;
    double depth = 0;   ///< Coordinate of the face's centre along the wind [m].
    double facing = 0;  ///< Cosine of the angle between the normal and the direction against the wind.
    Vec2 before;        ///< Centre of the test square upwind of the face.
    double before_depth = 0;
    [[nodiscard]] double area() const { return 4 * std::abs(half_u.x() * half_v.y() - half_u.y() * half_v.x()); }
  };
  enum class Act : std::uint8_t { strike, rub, cover };
  /// Operation on a face. Operations are ordered by depth. `strike` measures the covered part of the face, `rub`
  /// measures the covered part of the test square upwind of the face, and `cover` adds the face to the coverage.
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
  std::vector<double> struck_, rubbed_;  ///< Covered area of each face, and of the test square of each face, in cells.
  double half_before_ = 0;               ///< Half the side of the test square, in cells.
  std::size_t columns_ = 0, rows_ = 0;
};

}  // namespace vw
