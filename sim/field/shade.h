// Which parts of a body's surface stand in the lee of others: areas seen along the wind, from upwind to downwind, on a grid across it. What covers is
// counted as area, not as points, so that shares change smoothly as a body turns. Several threads inside; the same bits at any number.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/math.h"
#include "sim/field/face_drag.h"

namespace vw {

/// A flat part of a surface: the parallelogram center +- half_u +- half_v [m], whose outward normal is along half_u x half_v.
struct ShadeFace {
  Vec3 center, half_u, half_v;
};
/// The square of that area [m^2] about `center` across the outward unit `normal`, turned anyhow.
[[nodiscard]] ShadeFace shade_square(const Vec3& center, const Vec3& normal, double area);

class Shade {
 public:
  /// What the wind reaches of each face (as many rows), where it blows along the unit vector `along` and nothing but these faces stands in it.
  /// `cell_m`: a cell of the grid, a third of a face's edge or so; fewer cells are used where there would be millions. `near_m`: about an edge; what
  /// is not half of that further upwind covers no face, so that neighbours do not cover each other. Of faces towards the wind, the share of their
  /// projection that no other face towards the wind covers; of faces edge-on or turned away, whether the place half of near_m before them is covered.
  /// Everything is open where a face is not finite.
  void evaluate(std::span<const ShadeFace> faces, const Vec3& along, double cell_m, double near_m, std::span<FaceShade> out);

 private:
  using Vec2 = Eigen::Vector2d;
  /// A face as the grid sees it, in cells.
  struct Projection {
    Vec2 center, half_u, half_v;
    double depth = 0;   ///< along the wind [m]
    double facing = 0;  ///< cosine of its normal against the wind
    Vec2 before;        ///< the place before it
    double before_depth = 0;
    [[nodiscard]] double area() const { return 4 * std::abs(half_u.x() * half_v.y() - half_u.y() * half_v.x()); }
  };
  enum class Act : std::uint8_t { strike, rub, cover };
  /// A face's turn, in the order of depth.
  struct Turn {
    double depth;
    std::uint32_t face;
    Act act;
    [[nodiscard]] bool operator<(const Turn& other) const;
  };
  struct Entry {
    std::uint32_t turn;
    double hidden;  ///< of its area, in cells
  };

  [[nodiscard]] bool project(std::span<const ShadeFace> faces, const Vec3& along, double cell_m, double near_m);
  void order(double near_m);
  [[nodiscard]] std::array<Vec2, 4> outline(const Turn& turn) const;
  void share_out();
  void walk(std::size_t band);

  std::vector<Projection> faces_;
  std::vector<Turn> turns_;
  std::vector<std::size_t> band_begin_;  ///< of entries_
  std::vector<Entry> entries_;
  std::vector<double> cover_;              ///< share of each cell that is covered
  std::vector<std::vector<double>> edge_;  ///< by band: scratch
  std::vector<double> struck_, rubbed_;    ///< hidden area of each face, and of the square before it, in cells
  double half_before_ = 0;                 ///< half a side of the square that is looked at before a face, in cells
  std::size_t columns_ = 0, rows_ = 0;
};

}  // namespace vw
