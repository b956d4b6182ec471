#include "sim/system/rigid/wind/wind_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "sim/base/elementary/elementary.h"
#include "sim/collision/mesh/triangle_mesh.h"

namespace vw {
namespace {

constexpr int parts_around = 24;  ///< Number of parts around a cylinder. With 24 the pressure drag is exact to 1e-4.
constexpr int ball_rings = 8, ball_around = 12;
constexpr int mesh_cells = 8;  ///< Number of cells along a mesh's longest side.

/// Point of a quadrature rule over [-1, 1].
struct GaussPoint {
  double at, weight;
};
constexpr auto gauss2 = std::to_array<GaussPoint>({{-0.57735026918962576, 1}, {0.57735026918962576, 1}});
constexpr auto gauss3 =
    std::to_array<GaussPoint>({{-0.77459666924148338, 5.0 / 9}, {0, 8.0 / 9}, {0.77459666924148338, 5.0 / 9}});
constexpr std::array<GaussPoint, ball_rings> gauss8{{{-0.96028985649753623, 0.10122853629037626},
                                                     {-0.79666647741362674, 0.22238103445337447},
                                                     {-0.52553240991632899, 0.31370664587788729},
                                                     {-0.18343464249564980, 0.36268378337836198},
                                                     {0.18343464249564980, 0.36268378337836198},
                                                     {0.52553240991632899, 0.31370664587788729},
                                                     {0.79666647741362674, 0.22238103445337447},
                                                     {0.96028985649753623, 0.10122853629037626}}};

/// Calls visit(x, weight) at Gauss points of the interval [-half, half]. `longest` is half the longest extent of the
/// shape. If `half` is more than half of `longest`, three points are used, otherwise two. On a spinning body the load
/// grows with the square of the distance from the axis. Three points along the longest extent give the moment with an
/// error of 3 %, while two points would miss a quarter of it.
template <class F>
void along(double half, double longest, F visit) {
  if (2 * half > longest)
    for (const GaussPoint& g : gauss3) visit(half * g.at, half * g.weight);
  else
    for (const GaussPoint& g : gauss2) visit(half * g.at, half * g.weight);
}

void add_surface(const PlaneShape&, WindSurface&) {}

void add_surface(const BoxShape& box, WindSurface& out) {
  const double longest = box.half_extent_m.maxCoeff();
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double hu = box.half_extent_m[u], hv = box.half_extent_m[v];
    for (const double side : {-1.0, 1.0})
      along(hu, longest, [&](double x, double wx) {
        along(hv, longest, [&](double y, double wy) {
          WindPart part;
          part.place[axis] = side * box.half_extent_m[axis], part.place[u] = x, part.place[v] = y;
          part.normal = side * Vec3::Unit(axis);
          part.area = wx * wy;
          out.parts.push_back(part);
        });
      });
  }
}

/// Adds the rings with index `first` to `end` - 1 of the eight rings of a ball. The centre of the ball is at `middle`
/// on the y axis.
void add_rings(double radius, double middle, int first, int end, WindSurface& out) {
  for (int ring = first; ring < end; ++ring) {
    const GaussPoint& g = gauss8[static_cast<std::size_t>(ring)];
    const double s = std::sqrt(1 - g.at * g.at);
    for (int k = 0; k < ball_around; ++k) {
      const double turn = 2 * pi * (k + 0.5 * (ring % 2)) / ball_around;
      const Vec3 normal(s * elementary::cos(turn), g.at, s * elementary::sin(turn));
      out.parts.push_back(
          {radius * normal + Vec3(0, middle, 0), normal, radius * radius * g.weight * 2 * pi / ball_around});
    }
  }
}

void add_surface(const SphereShape& ball, WindSurface& out) { add_rings(ball.radius_m, 0, 0, ball_rings, out); }

/// Adds the lateral surface of a cylinder about the y axis.
void add_side(double radius, double half_length, WindSurface& out) {
  if (!(half_length > 0)) return;
  along(half_length, std::max(radius, half_length), [&](double y, double wy) {
    for (int k = 0; k < parts_around; ++k) {
      const double turn = 2 * pi * k / parts_around;
      const Vec3 normal(elementary::cos(turn), 0, elementary::sin(turn));
      out.parts.push_back({radius * normal + Vec3(0, y, 0), normal, radius * 2 * pi / parts_around * wy});
    }
  });
}

void add_surface(const CapsuleShape& s, WindSurface& out) {
  add_rings(s.radius_m, -s.half_length_m, 0, ball_rings / 2, out);
  add_rings(s.radius_m, s.half_length_m, ball_rings / 2, ball_rings, out);
  add_side(s.radius_m, s.half_length_m, out);
}

void add_surface(const CylinderShape& s, WindSurface& out) {
  add_side(s.radius_m, s.half_length_m, out);
  // The disc is divided into rings of equal area at the Gauss points of r^2. This is exact for loads proportional to
  // r^2.
  for (const double end : {-1.0, 1.0})
    for (const GaussPoint& g : gauss2)
      for (int k = 0; k < ball_around; ++k) {
        const double r = s.radius_m * std::sqrt(0.5 * (1 + g.at)), turn = 2 * pi * k / ball_around;
        out.parts.push_back({{r * elementary::cos(turn), end * s.half_length_m, r * elementary::sin(turn)},
                             end * Vec3::UnitY(),
                             pi * s.radius_m * s.radius_m * 0.5 * g.weight / ball_around});
      }
}

/// Merges the triangles that lie in the same cell of a grid and have similar directions.
class Gathering {
 public:
  explicit Gathering(double cell_m) : cell_m_(cell_m) {}

  /// Adds a triangle. A triangle that is longer than a cell is split into four.
  void add(const Vec3& a, const Vec3& b, const Vec3& c) {
    if (std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()}) <= cell_m_) return take(a, b, c);
    const Vec3 ab = 0.5 * (a + b), bc = 0.5 * (b + c), ca = 0.5 * (c + a);
    add(a, ab, ca), add(ab, b, bc), add(ca, bc, c), add(ab, bc, ca);
  }
  void give(std::vector<WindPart>& out) const {
    for (const auto& [key, sum] : sums_) {
      const double area = sum.across.norm();
      if (area > 0) out.push_back({sum.place / sum.area, sum.across / area, area});
    }
  }

 private:
  struct Sum {
    Vec3 across = Vec3::Zero(), place = Vec3::Zero();
    double area = 0;
  };
  void take(const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 across = 0.5 * (b - a).cross(c - a), middle = (a + b + c) / 3;
    const double area = across.norm();
    if (!(area > 0)) return;
    std::array<std::int64_t, 4> key{};
    for (int k = 0; k < 3; ++k)
      key[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(std::floor(middle[k] / cell_m_));
    key[3] = direction(across / area);
    Sum& sum = sums_[key];
    sum.across += across, sum.place += area * middle, sum.area += area;
  }
  /// Returns the index of one of 54 directions. Each direction is one of nine squares on a face of a cube.
  static std::int64_t direction(const Vec3& n) {
    Eigen::Index axis = 0;
    const double most = n.cwiseAbs().maxCoeff(&axis);
    const auto third = [&](double x) { return x / most < -1.0 / 3 ? 0 : x / most > 1.0 / 3 ? 2 : 1; };
    return 9 * (2 * axis + (n[axis] > 0 ? 1 : 0)) + 3 * third(n[(axis + 1) % 3]) + third(n[(axis + 2) % 3]);
  }

  double cell_m_;
  std::map<std::array<std::int64_t, 4>, Sum> sums_;
};

void add_surface(const std::shared_ptr<const Geometry>& geometry, WindSurface& out) {
  const auto* mesh = dynamic_cast<const TriangleMesh*>(geometry.get());
  if (mesh == nullptr) return;
  out.hollow = true;
  const TriangleList& list = mesh->triangles();
  Gathering gathering(out.part_m);
  for (const auto& [a, b, c] : list.triangle) gathering.add(list.position[a], list.position[b], list.position[c]);
  gathering.give(out.parts);
}

}  // namespace

WindSurface wind_surface(const Shape& shape) {
  WindSurface out;
  const Vec3 size = bounds(shape).sizes();
  if (size.allFinite()) out.part_m = size.maxCoeff() / mesh_cells;
  std::visit([&](const auto& one) { add_surface(one, out); }, shape);
  return out;
}

}  // namespace vw
