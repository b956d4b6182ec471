#include "render/vectors/principal_axes.h"

#include <Eigen/Eigenvalues>

namespace vw {
namespace {

/// Integral of x x^T over the volume of the mesh. The integral is a sum over tetrahedra with corners 0, a, b, c. Each
/// tetrahedron contributes det(a, b, c) / 120 times (a a^T + b b^T + c c^T + s s^T) with s = a + b + c.
Eigen::Matrix3d second_moments(const SurfaceMesh& mesh) {
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (const auto& triangle : mesh.triangle) {
    const Vec3 a = mesh.position[triangle[0]].cast<double>(), b = mesh.position[triangle[1]].cast<double>(),
               c = mesh.position[triangle[2]].cast<double>();
    const Vec3 all = a + b + c;
    sum +=
        a.dot(b.cross(c)) / 120 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + all * all.transpose());
  }
  return sum;
}

}  // namespace

glm::mat3 principal_axes(const SurfaceMesh& mesh) {
  const Eigen::Matrix3d moments = second_moments(mesh);
  if (!moments.allFinite() || !(moments.trace() > 0)) return glm::mat3(1);
  // Equal moments have no unique axes. To separate them, add 3, 2 and 1 thousandths of the trace along the axes of the
  // frame.
  const Eigen::Matrix3d separated = moments + 1e-3 * moments.trace() * Eigen::Matrix3d(Vec3(3, 2, 1).asDiagonal());
  const Eigen::Matrix3d found = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(separated).eigenvectors();
  // All permutations of the axes. The permutation nearest to the frame is chosen.
  constexpr int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  double best = -1;
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  for (const auto& order : orders) {
    const double near = std::abs(found(0, order[0])) + std::abs(found(1, order[1])) + std::abs(found(2, order[2]));
    if (near <= best) continue;
    best = near;
    for (int k = 0; k < 3; ++k) axes.col(k) = (found(k, order[k]) < 0 ? -1 : 1) * found.col(order[k]);
  }
  if (axes.determinant() < 0) axes.col(2) *= -1;
  glm::mat3 out(1);
  for (int k = 0; k < 3; ++k)
    for (int r = 0; r < 3; ++r) out[k][r] = static_cast<float>(axes(r, k));
  return out;
}

const glm::mat3& PrincipalAxes::of(const std::shared_ptr<const SurfaceMesh>& mesh) {
  auto [place, is_new] = kept_.try_emplace(mesh.get());
  if (is_new || place->second.mesh.expired()) {
    place->second = {mesh, principal_axes(*mesh)};
    if (is_new) std::erase_if(kept_, [](const auto& entry) { return entry.second.mesh.expired(); });
    place = kept_.find(mesh.get());
  }
  return place->second.axes;
}

}  // namespace vw
