// Triangle mesh as geometry: the cleaned triangles, their tree, the coarse grid for distant points, and the choice of
// the definition of the inside.
#include "sim/collision/mesh/triangle_mesh.h"

#include <algorithm>
#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/base/parallel/parallel.h"
#include "sim/collision/mesh/mesh_far_field.h"
#include "sim/collision/mesh/mesh_picture.h"
#include "sim/collision/mesh/mesh_topology.h"
#include "sim/collision/mesh/mesh_tree.h"
#include "sim/collision/mesh/mesh_winding.h"
#include "sim/collision/shape/thickness.h"

namespace vw {
namespace {

/// Returns the angle-weighted normals of the vertices. If the nearest surface point is a vertex, the sign of the dot
/// product of its normal with the direction to a point determines the side on which the point lies (Baerentzen & Aanaes
/// 2005).
std::vector<Vec3> normals_at_corners(const TriangleList& list) {
  std::vector<Vec3> normal(list.position.size(), Vec3::Zero());
  for (std::uint32_t i = 0; i < list.triangle.size(); ++i) {
    const auto& corner = list.triangle[i];
    const Vec3 face = triangle_of(list, i).area_vector().normalized();
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& at = list.position[corner[k]];
      const Vec3 a = list.position[corner[(k + 1) % 3]] - at, b = list.position[corner[(k + 2) % 3]] - at;
      normal[corner[k]] += elementary::atan2(a.cross(b).norm(), a.dot(b)) * face;
    }
  }
  return normal;
}

class Mesh final : public TriangleMesh {
 public:
  explicit Mesh(MeshTopology topology) : topology_(std::move(topology)), tree_(build_tree(topology_.list)) {
    const TriangleList& list = topology_.list;
    for (const Vec3& p : list.position) bounds_.extend(p);
    for (std::uint32_t i = 0; i < list.triangle.size(); ++i)
      area_to_.push_back(area() + 0.5 * triangle_of(list, i).area_vector().norm());
    decide_inside();
    topology_.part = {};
    if (inside() == MeshInside::by_side) corner_normal_ = normals_at_corners(list);
    far_ = FarField(bounds_, far_cells(), [this](const Vec3& point, double hint, double radius, std::uint32_t guess) {
      return far_sample(point, hint, radius, guess);
    });
    if (inside() != MeshInside::nowhere) thickness_ = measure_thickness(*this);
  }

  [[nodiscard]] SurfaceQuery query(const Vec3& point, double reach) const override {
    const auto [bound, guess] = far_.at(point);
    if (std::abs(bound) >= reach) return {bound, Vec3(0, 1, 0)};
    NearestOnMesh found = nearest_on_mesh(tree_, topology_.list, point, reach, guess);
    if (found.triangle == no_child) {
      if (bound != 0) return {std::copysign(reach, bound), Vec3(0, 1, 0)};
      found = nearest_on_mesh(tree_, topology_.list, point, std::numeric_limits<double>::infinity(), guess);
      // Only a point that is not finite has no nearest triangle.
      if (found.triangle == no_child) return {std::numeric_limits<double>::quiet_NaN(), Vec3(0, 1, 0)};
    }
    return signed_query(point, found);
  }

  [[nodiscard]] std::optional<SweepHit> sweep(const Vec3& from, const Vec3& to, double radius) const override {
    const BallPath path{from, to - from, radius};
    const double length = path.along.norm();
    if (std::abs(far_.bound(from)) > length + radius || std::abs(far_.bound(0.5 * (from + to))) > 0.5 * length + radius)
      return std::nullopt;
    Touching touching{this, path, 1, {}};
    visit_along(tree_, path, {&touching, [](void* object, std::uint32_t triangle) {
                                return static_cast<Touching*>(object)->see(triangle);
                              }});
    return touching.hit;
  }

  [[nodiscard]] Box3 bounds() const override { return bounds_; }
  [[nodiscard]] double area() const override { return area_to_.empty() ? 0 : area_to_.back(); }
  [[nodiscard]] double thickness() const override { return thickness_; }

  [[nodiscard]] SurfacePoint sample(const Draw3& draw) const override {
    const auto found = std::upper_bound(area_to_.begin(), area_to_.end(), draw.u * area());
    const auto i = static_cast<std::uint32_t>(
        std::min<std::ptrdiff_t>(found - area_to_.begin(), static_cast<std::ptrdiff_t>(area_to_.size()) - 1));
    const Triangle t = triangle_of(topology_.list, i);
    const double root = std::sqrt(draw.v);  // With the root, points are uniform over the triangle (Turk 1990).
    return {(1 - root) * t.a + root * (1 - draw.w) * t.b + root * draw.w * t.c, t.area_vector().normalized()};
  }

  [[nodiscard]] std::shared_ptr<const SurfaceMesh> picture() const override { return mesh_picture(topology_); }
  [[nodiscard]] const MeshReport& report() const override { return topology_.report; }
  [[nodiscard]] const TriangleList& triangles() const override { return topology_.list; }
  [[nodiscard]] double winding_number(const Vec3& point) const override {
    double angle = 0;
    for (std::uint32_t i = 0; i < topology_.list.triangle.size(); ++i)
      angle += solid_angle(triangle_of(topology_.list, i), point);
    return angle / (4 * pi);
  }

 private:
  /// Earliest contact among the triangles visited so far.
  struct Touching {
    const Mesh* mesh;
    const BallPath& path;
    double latest;
    std::optional<SweepHit> hit;

    double see(std::uint32_t triangle) {
      const auto touch = first_touch(triangle_of(mesh->topology_.list, triangle), path, latest);
      if (!touch || (hit && touch->share >= latest)) return latest;
      if (const auto normal = mesh->push_of(path, triangle, *touch)) {
        hit = SweepHit{touch->share, *normal};
        latest = touch->share;
      }
      return latest;
    }
  };

  /// Returns the number of cells of the coarse grid. The number is lower if very many triangles meet at one vertex,
  /// because each cell whose nearest surface point is that vertex tests all of them.
  [[nodiscard]] std::size_t far_cells() const {
    std::size_t most_around = 1;
    for (std::uint32_t v = 0; v < topology_.list.position.size(); ++v)
      most_around = std::max(most_around, topology_.triangles_at(v).size());
    return std::max<std::size_t>(64, std::min(std::clamp<std::size_t>(4 * topology_.list.triangle.size(), 200, 250'000),
                                              50'000'000 / most_around));
  }

  [[nodiscard]] MeshInside inside() const { return topology_.report.inside; }
  [[nodiscard]] bool has_holes() const { return inside() == MeshInside::by_winding && !topology_.report.overlapping; }

  /// Winding numbers just in front of a point of the surface (`before`) and just behind it. If the surface bounds a
  /// solid, they are 0 and 1.
  struct Sides {
    double before, behind;
    [[nodiscard]] bool bounds_a_solid() const { return std::abs(before) < 0.5 && std::abs(behind - 1) < 0.5; }
  };
  [[nodiscard]] Sides sides_of(const SurfacePoint& at, double share) const {
    const Vec3 away = share * bounds_.sizes().maxCoeff() * at.normal;
    return {winding_.at(tree_, topology_.list, at.position + away),
            winding_.at(tree_, topology_.list, at.position - away)};
  }
  /// Returns the fraction of 256 positions, spread evenly over the surface, at which the winding numbers satisfy
  /// `fits`. The winding numbers are taken on either side of the surface, at the distance `away` times the longest side
  /// of the bounds.
  template <class Fits>
  [[nodiscard]] double share_of_area(double away, const Fits& fits) const {
    constexpr std::size_t places = 256;
    std::size_t fit = 0;
    for (std::size_t i = 0; i < places; ++i)
      if (fits(sides_of(even_sample(*this, i, places), away))) ++fit;
    return static_cast<double>(fit) / places;
  }
  /// Returns the winding numbers on both sides of each part of the mesh, taken at the largest triangle of the part.
  [[nodiscard]] std::vector<Sides> sides_of_parts() const {
    std::vector<std::uint32_t> largest(topology_.parts, no_child);
    const auto area_of = [&](std::uint32_t i) { return triangle_of(topology_.list, i).area_vector().norm(); };
    for (std::uint32_t i = 0; i < topology_.part.size(); ++i) {
      std::uint32_t& kept = largest[topology_.part[i]];
      if (kept == no_child || area_of(i) > area_of(kept)) kept = i;
    }
    std::vector<Sides> sides(largest.size());
    parallel_for(largest.size(), 64, [&](Range range, std::size_t) {
      for (std::size_t part = range.begin; part < range.end; ++part) {
        const Triangle t = triangle_of(topology_.list, largest[part]);
        sides[part] = sides_of({(t.a + t.b + t.c) / 3, t.area_vector().normalized()}, hair);
      }
    });
    return sides;
  }

  /// Chooses the definition of the inside, and corrects the orientation. In a closed mesh, a part with a negative
  /// winding number in front is oriented inwards and is reversed. If the surface then still does not bound a solid, but
  /// most of its area has an inside behind it, its parts overlap. Otherwise, it is treated like an open mesh. An open
  /// mesh counts as a solid with holes if most of its area has an inside behind it, and is reversed if nearly all of
  /// its area is oriented inwards. Any other open mesh is a sheet.
  void decide_inside() {
    winding_ = WindingTree(tree_, topology_.list);
    if (inside() == MeshInside::by_side) {
      std::vector<Sides> parts = sides_of_parts();
      if (std::any_of(parts.begin(), parts.end(), faces_inwards)) {
        turn(parts);
        parts = sides_of_parts();
      }
      const bool solid = std::all_of(parts.begin(), parts.end(), [](const Sides& s) { return s.bounds_a_solid(); }) &&
                         share_of_area(hair, [](const Sides& s) { return s.bounds_a_solid(); }) == 1;
      if (solid) {
        winding_ = {};
        return;
      }
      topology_.report.inside = MeshInside::by_winding;
      topology_.report.overlapping = share_of_area(hair, [](const Sides& s) { return s.behind > 0.5; }) > 0.5;
      if (topology_.report.overlapping) return;
    }
    constexpr double behind = 1e-4;
    if (share_of_area(behind, [](const Sides& s) { return s.behind > 0.7; }) > 0.5) return;
    if (share_of_area(behind, [](const Sides& s) { return s.before < -0.9; }) > 0.9)
      turn(std::vector<Sides>(topology_.parts, {-1, 0}));
    else
      topology_.report.inside = MeshInside::nowhere;
  }
  static bool faces_inwards(const Sides& sides) { return sides.before < -0.5; }
  void turn(const std::vector<Sides>& parts) {
    std::vector<bool> turned(parts.size());
    std::transform(parts.begin(), parts.end(), turned.begin(), faces_inwards);
    turn_parts(topology_, turned);
    tree_ = build_tree(topology_.list);
    winding_ = WindingTree(tree_, topology_.list);
  }

  [[nodiscard]] bool wound_inside(const Vec3& point) const { return winding_.at(tree_, topology_.list, point) > 0.5; }

  [[nodiscard]] Vec3 face_normal(std::uint32_t triangle) const {
    return triangle_of(topology_.list, triangle).area_vector().normalized();
  }

  /// Returns a normal (not normalised) that determines the side of a point whose nearest surface point lies on `part`
  /// of a triangle.
  [[nodiscard]] Vec3 side_normal(std::uint32_t triangle, TrianglePart part) const {
    const auto k = static_cast<std::size_t>(part);
    if (part == TrianglePart::face) return face_normal(triangle);
    if (part >= TrianglePart::corner_0) return corner_normal_[topology_.list.triangle[triangle][k - 4]];
    return face_normal(triangle) + face_normal(topology_.beside[triangle][k - 1]);
  }

  [[nodiscard]] SurfaceQuery signed_query(const Vec3& point, const NearestOnMesh& found) const {
    const Vec3 away = point - found.at.point;
    // Whether the point is so near the surface that `away` has no reliable direction.
    const bool on_it = found.distance <= 1e-9 * tree_.extent;
    double side = 1;
    Vec3 outward;
    if (inside() == MeshInside::by_side) {
      outward = side_normal(found.triangle, found.at.part);
      side = away.dot(outward) < 0 ? -1 : 1;
      if (on_it) outward.normalize();
    } else {
      if (inside() == MeshInside::by_winding && wound_inside(point)) side = -1;
      if (on_it) {
        outward = face_normal(found.triangle);
        if (inside() == MeshInside::nowhere && away.dot(outward) < 0) outward = -outward;
      }
    }
    if (!on_it) outward = side / found.distance * away;
    return {side * found.distance, outward};
  }

  /// Returns true if the point is certainly farther than `radius` from the surfaces by which the winding number closes
  /// holes. `free` is the distance from `point` to the mesh. Within this distance, the winding number is harmonic. As
  /// long as its difference from an integer has one sign, Harnack's inequality bounds how fast this difference grows.
  [[nodiscard]] bool far_from_skins(const Vec3& point, double free, double radius) const {
    const double winding = winding_.at(tree_, topology_.list, point), off = std::abs(winding - std::round(winding));
    return off * free * (free + radius) < 0.5 * (free - radius) * (free - radius);
  }

  [[nodiscard]] FarField::Sample far_sample(const Vec3& point, double hint, double radius, std::uint32_t guess) const {
    const NearestOnMesh found = nearest_on_mesh(tree_, topology_.list, point, hint, guess);
    if (found.triangle == no_child) return {0, false, no_child};
    const double distance = signed_query(point, found).distance;
    if (!has_holes() || found.distance <= radius) return {distance, true, found.triangle};
    if (far_from_skins(point, found.distance, radius)) return {distance, true, found.triangle};
    bool holds = true;  // Whether the corners of a cube of half diagonal `radius` lie on the same side as the point.
    for (int corner = 0; corner < 8 && holds; ++corner) {
      const Vec3 to((corner & 1) != 0 ? 1 : -1, (corner & 2) != 0 ? 1 : -1, (corner & 4) != 0 ? 1 : -1);
      holds = wound_inside(point + 0.58 * radius * to) == (distance < 0);
    }
    return {distance, holds, found.triangle};
  }

  /// Returns the normal of the contact of a ball with the surface, or nullopt if the surface is not hit. A ball that
  /// rolls over a flat area reaches the edges of new triangles without approaching the surface. At the touched edge or
  /// corner, another triangle may be nearer to the ball. In this case, the normal of the face of `triangle` is used,
  /// and there is a hit only if the ball moves against this normal.
  [[nodiscard]] std::optional<Vec3> push_of(const BallPath& path, std::uint32_t triangle,
                                            const TriangleTouch& touch) const {
    if (touch.at.part == TrianglePart::face || path.radius <= 0) return touch.normal;
    const Vec3 centre = path.from + touch.share * path.along;
    const double distance = (centre - touch.at.point).norm();
    // A ball that approaches an edge with a slope below 1e-5 does not hit it. The ball may then penetrate the edge by
    // half the square of the slope, 5e-11 of its radius. Another triangle counts as nearer only if it is nearer by more
    // than 1e-11 of the distance.
    if (touch.normal.dot(path.along) > -1e-5 * path.along.norm()) return std::nullopt;
    if (!nearer_beside(triangle, touch.at.part, centre, distance * (1 - 1e-11))) return touch.normal;
    Vec3 face = face_normal(triangle);
    if (face.dot(touch.normal) < 0) face = -face;
    if (face.dot(path.along) >= -1e-9 * path.along.norm()) return std::nullopt;
    return face;
  }

  [[nodiscard]] bool nearer_beside(std::uint32_t triangle, TrianglePart part, const Vec3& centre,
                                   double distance) const {
    const auto nearer = [&](std::uint32_t other) {
      return other != triangle && other != no_triangle &&
             (nearest_on_triangle(triangle_of(topology_.list, other), centre).point - centre).squaredNorm() <
                 distance * distance;
    };
    const auto k = static_cast<std::size_t>(part);
    if (part < TrianglePart::corner_0) return nearer(topology_.beside[triangle][k - 1]);
    const auto around = topology_.triangles_at(topology_.list.triangle[triangle][k - 4]);
    return std::any_of(around.begin(),
                       around.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(around.size(), 64)), nearer);
  }

  /// Relative offset from the surface. It is so small that no other surface is expected within it.
  static constexpr double hair = 1e-7;

  MeshTopology topology_;
  MeshTree tree_;
  Box3 bounds_;
  double thickness_ = 0;
  std::vector<double> area_to_;      ///< Entry i is the total area of the triangles 0 to i [m^2].
  std::vector<Vec3> corner_normal_;  ///< Angle-weighted normals, used for closed meshes.
  WindingTree winding_;              ///< Winding numbers. It is empty if the inside is MeshInside::by_side.
  FarField far_;
};

}  // namespace

Result<std::shared_ptr<const TriangleMesh>> TriangleMesh::make(TriangleList list) {
  auto topology = clean_mesh(std::move(list));
  if (!topology) return Unexpected(topology.error());
  return std::shared_ptr<const TriangleMesh>(std::make_shared<Mesh>(std::move(*topology)));
}

}  // namespace vw
