#include "sim/collision/mesh/mesh_picture.h"

#include "sim/base/elementary/elementary.h"
#include "sim/collision/mesh/mesh_tree.h"

namespace vw {
namespace {

constexpr double crease_cosine = 0.766;  // Cosine of 40 degrees.
/// Largest number of triangles at a vertex that is shaded smoothly. The cost of smoothing is quadratic in this number,
/// so all edges at a vertex with more triangles are drawn sharp.
constexpr std::size_t most_parts_around = 64;

double angle_at(const MeshTopology& mesh, std::uint32_t triangle, std::uint32_t vertex) {
  const auto& t = mesh.list.triangle[triangle];
  const std::size_t k = t[0] == vertex ? 0 : t[1] == vertex ? 1 : 2;
  const Vec3& at = mesh.list.position[vertex];
  const Vec3 a = mesh.list.position[t[(k + 1) % 3]] - at, b = mesh.list.position[t[(k + 2) % 3]] - at;
  return elementary::atan2(a.cross(b).norm(), a.dot(b));
}

Vec3f corner_normal(const MeshTopology& mesh, const std::vector<Vec3f>& face, std::uint32_t triangle,
                    std::uint32_t vertex) {
  const auto around = mesh.triangles_at(vertex);
  if (around.size() > most_parts_around) return face[triangle];
  Vec3f sum = Vec3f::Zero();
  for (const std::uint32_t other : around)
    if (face[other].dot(face[triangle]) >= static_cast<float>(crease_cosine))
      sum += static_cast<float>(angle_at(mesh, other, vertex)) * face[other];
  return sum.normalized();
}

}  // namespace

std::shared_ptr<const SurfaceMesh> mesh_picture(const MeshTopology& mesh) {
  const auto& triangle = mesh.list.triangle;
  std::vector<Vec3f> face(triangle.size());
  for (std::uint32_t i = 0; i < triangle.size(); ++i)
    face[i] = triangle_of(mesh.list, i).area_vector().normalized().cast<float>();
  auto picture = std::make_shared<SurfaceMesh>();
  picture->triangle.resize(triangle.size());
  std::vector<std::uint32_t> made;  // Indices of the drawn vertices created so far for this vertex.
  for (std::uint32_t vertex = 0; vertex < mesh.list.position.size(); ++vertex) {
    made.clear();
    const auto around = mesh.triangles_at(vertex);
    for (const std::uint32_t i : around) {
      const Vec3f normal = corner_normal(mesh, face, i, vertex);
      std::uint32_t place = no_triangle;
      for (const std::uint32_t other : made)
        if ((picture->normal[other] - normal).squaredNorm() < 1e-6F) place = other;
      if (place == no_triangle) {
        place = static_cast<std::uint32_t>(picture->position.size());
        if (made.size() < most_parts_around) made.push_back(place);
        picture->position.push_back(mesh.list.position[vertex].cast<float>());
        picture->normal.push_back(normal);
      }
      for (std::size_t k = 0; k < 3; ++k)
        if (triangle[i][k] == vertex) picture->triangle[i][k] = place;
    }
  }
  return picture;
}

}  // namespace vw
