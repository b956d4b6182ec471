// Flow of a particle fluid between its particles, for pictures. The class computes velocity, velocity gradient and
// other values at any point, streamlines and ribbons, and samples on a grid for iso-surfaces. The input is arrays of
// particle data. Several threads may call const functions at the same time. The results are bitwise equal for any
// number of threads.
//
// The interpolation is a moving least-squares fit of a linear function, weighted by the Wendland C2 kernel (Belytschko
// et al., "Meshless methods: an overview", 1996). It is exact for linear fields, including at the surface of the fluid.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/base/math.h"
#include "sim/base/velocity_gradient.h"
#include "sim/surface/grid_surface.h"

namespace vw {

/// Flow of the fluid at one point.
struct FlowSample {
  Vec3 velocity = Vec3::Zero();  ///< Velocity [m/s].
  Mat3 gradient = Mat3::Zero();  ///< gradient(i, j) is the derivative of velocity component i along axis j [1/s].
  double fraction = 0;           ///< Volume fraction of the fluid: about 1 inside, 0.5 at its surface, 0 outside.
};

/// Points of lines, stored consecutively. Line i consists of the points [start[i], start[i + 1]).
struct FlowLines {
  std::vector<std::uint32_t> start{0};
  std::vector<Vec3> point;
  std::vector<double> speed;  ///< Speed at each point [m/s].
  /// Unit normal of a ribbon at each point. The normal turns about the line with the angular velocity of the fluid.
  std::vector<Vec3> normal;
};

class ParticleFlow {
 public:
  /// A point is outside the fluid if the volume fraction is below this value.
  static constexpr double least_fraction = 0.45;

  /// Stores positions [m], velocities [m/s] and the distance of adjacent particles at rest [m]. Particles with values
  /// that are not finite are left out.
  void build(std::span<const Vec3f> position, std::span<const Vec3f> velocity, double spacing_m);
  [[nodiscard]] bool empty() const { return position_.empty(); }
  [[nodiscard]] std::size_t count() const { return position_.size(); }   ///< number of particles with finite values
  [[nodiscard]] const Eigen::AlignedBox3d& box() const { return box_; }  ///< bounding box of the particles
  [[nodiscard]] double spacing_m() const { return spacing_m_; }

  [[nodiscard]] FlowSample at(const Vec3& place) const;
  /// Returns the weighted mean of `values` at a position [m]. `values` contains a value for each particle given to
  /// build(). Returns NaN outside the fluid.
  [[nodiscard]] double mean_at(const Vec3& place, std::span<const float> values) const;

  /// Returns the positions of `count` evenly chosen particles, or of all particles if there are fewer.
  [[nodiscard]] std::vector<Vec3> even_places(std::size_t count) const;
  /// Returns the streamlines through the seeds. Each line is traced upstream and downstream by half of `length_m`, with
  /// the classical Runge-Kutta method. A line ends at the surface of the fluid and at stagnation points.
  [[nodiscard]] FlowLines streamlines(std::span<const Vec3> seeds, double length_m) const;
  /// Traces a line in both directions from `seed`, and appends it to `out`.
  void trace(const Vec3& seed, double length_m, FlowLines& out) const;

  /// Samples `quantity(place)` on a grid around the particles. The samples are NaN outside the fluid. The cells are
  /// about `cell_m` wide, or larger if there would be more than 8 million nodes.
  template <class Quantity>
  [[nodiscard]] ValueGrid sample(double cell_m, const Quantity& quantity) const;

 private:
  struct Tip {
    Vec3 place, normal;
    double speed;
  };
  /// Continues a line from the first point of `out`, downstream if `sign` is 1 and upstream if it is -1.
  void trace_half(double sign, double length_m, std::vector<Tip>& out) const;
  [[nodiscard]] ValueGrid grid_of(double cell_m) const;

  double spacing_m_ = 0, support_m_ = 0;
  double still_mps_ = 0;  ///< Speed below which a point is a stagnation point [m/s].
  std::vector<Vec3> position_, velocity_;
  std::vector<std::uint32_t> row_;  ///< Indices of the particles in the arrays that were given to build().
  Eigen::AlignedBox3d box_;
  CellGrid cells_;
};

template <class Quantity>
ValueGrid ParticleFlow::sample(double cell_m, const Quantity& quantity) const {
  ValueGrid grid = grid_of(cell_m);
  grid.fill(quantity);
  return grid;
}

}  // namespace vw
