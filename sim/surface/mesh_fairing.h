// Operations on a closed mesh: smoothing without shrinkage, computation of normals, and an offset that adjusts the
// volumes of bodies.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/surface/polygonise.h"

namespace vw {

/// The triangles around each vertex of a closed mesh. The `next` corners of these triangles are the neighbours of the
/// vertex, and each neighbour occurs once.
class VertexFans {
 public:
  explicit VertexFans(const BodyMesh& mesh);
  struct Corners {
    std::uint32_t next, last;  ///< The other two corners of a triangle, counter-clockwise.
  };
  [[nodiscard]] std::span<const Corners> at(std::size_t vertex) const {
    return std::span(corners_).subspan(first_[vertex], first_[vertex + 1] - first_[vertex]);
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<Corners> corners_;
};

/// Computes the unit normals of the vertices. Each normal is a sum over the adjacent triangles with the weights of Max
/// (1999), which are exact on a sphere.
void find_normals(const BodyMesh& mesh, const VertexFans& fans, std::vector<Vec3>& normal);

/// Smooths the mesh. A pass first averages each vertex with its neighbours, which reduces waves and improves the
/// triangles. It then reverses that part of the normal displacement which neighbouring vertices have in common (the
/// scalar form of Vollmer et al. 1999), so that curved surfaces, drops, jets and rims keep their size. No vertex moves
/// farther than `bound_m` in total.
void smooth_mesh(BodyMesh& mesh, const VertexFans& fans, int passes, double bound_m);

/// Returns the volume that each body encloses [m^3].
[[nodiscard]] std::vector<double> body_volumes(const BodyMesh& mesh, std::size_t bodies);

/// Moves the vertices of each body along their normals until the body encloses its target volume. Uses Newton's method
/// with the area as the derivative. A body is offset by at most `bound_m` in total. Returns the number of bodies whose
/// offset is limited by `bound_m`.
std::size_t offset_to_volumes(BodyMesh& mesh, const VertexFans& fans, std::span<const double> target_m3,
                              double bound_m);

}  // namespace vw
