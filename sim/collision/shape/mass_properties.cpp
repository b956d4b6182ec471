#include "sim/collision/shape/mass_properties.h"

#include "sim/collision/mesh/triangle_mesh.h"
#include "sim/collision/shape/cells_inside.h"
#include "sim/collision/shape/hollow.h"

namespace vw {
namespace {

Mat3 diagonal(double x, double y, double z) { return Vec3(x, y, z).asDiagonal(); }

MassProperties of(const PlaneShape&) { return {}; }

MassProperties of(const SphereShape& s) {
  const double volume = 4.0 / 3 * pi * s.radius_m * s.radius_m * s.radius_m, i = 0.4 * volume * s.radius_m * s.radius_m;
  return {volume, Vec3::Zero(), diagonal(i, i, i)};
}

MassProperties of(const BoxShape& s) {
  const Vec3& h = s.half_extent_m;
  const double volume = 8 * h.prod();
  const Vec3 squares = h.cwiseProduct(h) * (volume / 3);
  return {volume, Vec3::Zero(),
          diagonal(squares.y() + squares.z(), squares.x() + squares.z(), squares.x() + squares.y())};
}

MassProperties of(const CylinderShape& s) {
  const double rr = s.radius_m * s.radius_m, volume = 2 * pi * rr * s.half_length_m;
  const double across = volume * (rr / 4 + s.half_length_m * s.half_length_m / 3);
  return {volume, Vec3::Zero(), diagonal(across, volume * rr / 2, across)};
}

/// Returns the mass properties of a capsule: a cylinder and two half balls of radius r. The centroid of a half ball
/// lies 3/8 r beyond the end of the cylinder. A half ball of mass m has the moment of inertia 83/320 m r^2 about an
/// axis through its centroid perpendicular to y.
MassProperties of(const CapsuleShape& s) {
  MassProperties all = of(CylinderShape{s.radius_m, s.half_length_m});
  const double r = s.radius_m, ball = 4.0 / 3 * pi * r * r * r, out = s.half_length_m + 0.375 * r;
  const double across = ball * (83.0 / 320 * r * r + out * out), along = ball * 0.4 * r * r;
  all.volume_m3 += ball;
  all.inertia += diagonal(across, along, across);
  return all;
}

/// Returns the mass properties of a closed mesh, summed over the tetrahedra that the triangles form with the point
/// `middle`. Take a tetrahedron with the corners 0, a, b, c, the determinant det of (a, b, c), and s = a + b + c. The
/// integral of the position x over its volume is det / 24 * s, and the integral of x x^T is det / 120 * (a a^T + b b^T
/// + c c^T + s s^T).
MassProperties of_triangles(const TriangleList& list, const Vec3& middle) {
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const auto& t : list.triangle) {
    const Vec3 a = list.position[t[0]] - middle, b = list.position[t[1]] - middle, c = list.position[t[2]] - middle,
               s = a + b + c;
    const double det = a.dot(b.cross(c));
    volume += det / 6;
    first += det / 24 * s;
    second += det / 120 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }
  if (!(volume > 0)) return {};
  const Vec3 center = first / volume;
  second -= volume * center * center.transpose();
  return {volume, middle + center, second.trace() * Mat3::Identity() - second};
}

/// Returns the mass properties of a shape, summed over those cells of a fine lattice that lie inside it.
MassProperties of_cells(const Shape& shape) {
  constexpr std::size_t across = 100;
  const Box3 box = bounds(shape);
  if (!(box.sizes().minCoeff() > 0)) return {};
  CellLattice lattice;
  lattice.cells = {across, across, across};
  lattice.lower = box.min();
  lattice.pitch = box.sizes() / static_cast<double>(across);
  const std::vector<std::uint8_t> inside = cells_inside(shape, lattice);
  double count = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] == 0) continue;
    const Vec3 at = lattice.middle(i) - box.center();
    count += 1;
    first += at;
    second += at * at.transpose();
  }
  if (count == 0) return {};
  const double cell = lattice.pitch.prod();
  const Vec3 center = first / count;
  second -= count * center * center.transpose();
  // Adds the second moment of each cell about the centre of the cell.
  second += (count / 12) * Mat3(lattice.pitch.cwiseAbs2().asDiagonal());
  return {count * cell, box.center() + center, cell * (second.trace() * Mat3::Identity() - second), false};
}

MassProperties of(const std::shared_ptr<const Geometry>& geometry) {
  const auto* mesh = dynamic_cast<const TriangleMesh*>(geometry.get());
  if (mesh != nullptr && mesh->report().inside == MeshInside::by_side)
    return of_triangles(mesh->triangles(), mesh->bounds().center());
  return is_solid(geometry) ? of_cells(geometry) : MassProperties{};
}

}  // namespace

MassProperties mass_properties(const Shape& shape) {
  return std::visit([](const auto& s) { return of(s); }, shape);
}

}  // namespace vw
