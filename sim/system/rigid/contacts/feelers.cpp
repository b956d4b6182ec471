#include "sim/system/rigid/contacts/feelers.h"

#include <algorithm>
#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/collision/mesh/triangle_mesh.h"

namespace vw {
namespace {

std::size_t add_shape(const PlaneShape&, std::vector<Feeler>&) { return 0; }

std::size_t add_shape(const SphereShape& s, std::vector<Feeler>& out) {
  out.push_back({Vec3::Zero(), s.radius_m});
  return 1;
}

/// Adds a lattice of points on the surface of a box. The corners come first, because they suffice for contact with a
/// plane.
std::size_t add_shape(const BoxShape& s, std::vector<Feeler>& out) {
  constexpr int parts = 4;
  const auto is_end = [](int k) { return k == 0 || k == parts; };
  for (const bool corners : {true, false})
    for (int x = 0; x <= parts; ++x)
      for (int y = 0; y <= parts; ++y)
        for (int z = 0; z <= parts; ++z) {
          const bool corner = is_end(x) && is_end(y) && is_end(z), outside = is_end(x) || is_end(y) || is_end(z);
          if (corner == corners && outside)
            out.push_back({s.half_extent_m.cwiseProduct(Vec3(x, y, z) * (2.0 / parts) - Vec3::Ones()), 0});
        }
  return 8;
}

std::size_t add_shape(const CapsuleShape& s, std::vector<Feeler>& out) {
  for (const double share : {-1.0, 1.0, -0.5, 0.0, 0.5})
    out.push_back({Vec3(0, share * s.half_length_m, 0), s.radius_m});
  return 2;
}

std::size_t add_shape(const CylinderShape& s, std::vector<Feeler>& out) {
  constexpr int around = 24;
  for (const double share : {-1.0, 1.0, 0.0})
    for (int k = 0; k < around; ++k) {
      const double angle = 2 * pi * k / around;
      out.push_back(
          {Vec3(s.radius_m * elementary::cos(angle), share * s.half_length_m, s.radius_m * elementary::sin(angle)), 0});
    }
  for (const double share : {-1.0, 1.0}) out.push_back({Vec3(0, share * s.half_length_m, 0), 0});
  return std::size_t{2} * around;
}

/// Adds points on edges that are long compared with the size of the mesh, because the vertices alone may be too few. A
/// plank of twelve triangles, for example, has only eight vertices.
void add_long_edges(const TriangleList& list, double part_m, std::size_t most, std::vector<Feeler>& out) {
  const std::size_t end = out.size() + most;
  for (const auto& t : list.triangle)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto from = t[k], to = t[(k + 1) % 3];
      if (from > to) continue;  // The neighbouring triangle adds this edge.
      const Vec3 &a = list.position[from], &b = list.position[to];
      const double parts = std::ceil((b - a).norm() / part_m);
      for (double p = 1; p < parts && out.size() < end; ++p) out.push_back({a + (b - a) * (p / parts), 0});
    }
}

std::size_t add_shape(const std::shared_ptr<const Geometry>& geometry, std::vector<Feeler>& out) {
  constexpr std::size_t most = 1000;
  const auto* mesh = dynamic_cast<const TriangleMesh*>(geometry.get());
  if (mesh == nullptr) return 0;
  const auto& places = mesh->triangles().position;
  const std::size_t stride = (places.size() + most - 1) / most, first = out.size();
  for (std::size_t i = 0; i < places.size(); i += stride) out.push_back({places[i], 0});
  const std::size_t vertices = out.size() - first;
  add_long_edges(mesh->triangles(), mesh->bounds().sizes().maxCoeff() / 8, most, out);
  return vertices;
}

void edges_of(const BoxShape& s, std::vector<Edge>& out) {
  for (int axis = 0; axis < 3; ++axis)
    for (const double u : {-1.0, 1.0})
      for (const double v : {-1.0, 1.0}) {
        Vec3 from, to;
        from[axis] = -1, to[axis] = 1;
        from[(axis + 1) % 3] = to[(axis + 1) % 3] = u;
        from[(axis + 2) % 3] = to[(axis + 2) % 3] = v;
        out.push_back({from.cwiseProduct(s.half_extent_m), to.cwiseProduct(s.half_extent_m), 0});
      }
}
template <class Round>
void axis_of(const Round& s, std::vector<Edge>& out) {
  out.push_back({Vec3(0, -s.half_length_m, 0), Vec3(0, s.half_length_m, 0), s.radius_m});
}

}  // namespace

std::size_t add_feelers(const Shape& shape, std::vector<Feeler>& out) {
  return std::visit([&](const auto& s) { return add_shape(s, out); }, shape);
}

void add_edges(const Shape& shape, std::vector<Edge>& out) {
  if (const auto* box = std::get_if<BoxShape>(&shape)) edges_of(*box, out);
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape)) axis_of(*capsule, out);
  if (const auto* cylinder = std::get_if<CylinderShape>(&shape)) axis_of(*cylinder, out);
}

}  // namespace vw
