// Sums, for each piece, the 6 x 6 stiffness by which supports resist the six rigid motions. The free motions of a piece
// span the null space of this matrix.
#include "sim/system/voxel/explicit/free_motion.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Eigenvalues>

namespace vw {
namespace {

using Block6 = Eigen::Matrix<double, 6, 6>;
constexpr auto motion_names =
    std::to_array<const char*>({"translation along x", "translation along y", "translation along z", "rotation about x",
                                "rotation about y", "rotation about z"});

/// Returns the velocities of a voxel's six degrees of freedom (rows) in the six rigid motions of the piece (columns).
/// `arm` leads from the piece's centre to the voxel. `size` is the radius of the piece. Rotations have the angular
/// velocity 1 / size, so that the farthest voxel moves at speed 1, as in a translation.
Block6 motions_of(const Vec3& arm, double size) {
  Block6 m = Block6::Identity();
  for (int i = 0; i < 3; ++i) {
    m.block<3, 1>(0, 3 + i) = Vec3::Unit(i).cross(arm) / size;
    m(3 + i, 3 + i) = 1 / size;
  }
  return m;
}

struct PieceSums {
  Vec3 center = Vec3::Zero();
  double size = 0, mass = 0;
  Block6 support = Block6::Zero();
  Vec6 load = Vec6::Zero();
  double load_size = 0;
};

void add_voxel(const Support& in, std::size_t v, double edge, const Elements& elements, double spring_unit,
               PieceSums& piece) {
  const Block6 m = motions_of(elements.position[v] - piece.center, piece.size);
  Vec6 held;
  for (Eigen::Index i = 0; i < 6; ++i) held[i] = (in.held[v] >> i & 1U) != 0 ? (i < 3 ? 1 : edge * edge) : 0;
  piece.support += m.transpose() * held.asDiagonal() * m;
  if (!in.spring.empty()) piece.support += m.topRows<3>().transpose() * (in.spring[v] / spring_unit) * m.topRows<3>();
  Vec6 load;
  load << in.force[v], in.moment[v];
  piece.load += m.transpose() * load;
  piece.load_size += in.force[v].norm() + in.moment[v].norm() / piece.size;
}

}  // namespace

FreeMotions find_free_motions(const LatticeConstants& constants, const Pieces& pieces, const Support& support,
                              const Elements& elements) {
  std::vector<PieceSums> sums(pieces.count());
  const std::size_t n = elements.size();
  double spring_unit = 0;
  for (std::size_t v = 0; v < n; ++v) {
    PieceSums& piece = sums[pieces.of(v)];
    piece.mass += elements.mass[v];
    piece.center += elements.mass[v] * elements.position[v];
    spring_unit = std::max(spring_unit, constants.of(v).contact_stiffness);
  }
  for (PieceSums& piece : sums) piece.center /= piece.mass;
  for (std::size_t v = 0; v < n; ++v) {
    PieceSums& piece = sums[pieces.of(v)];
    piece.size = std::max({piece.size, constants.edge_m, (elements.position[v] - piece.center).norm()});
  }
  for (std::size_t v = 0; v < n; ++v)
    add_voxel(support, v, constants.edge_m, elements, spring_unit, sums[pieces.of(v)]);

  FreeMotions out;
  std::array<bool, 6> driven{};
  for (const PieceSums& piece : sums) {
    const Eigen::SelfAdjointEigenSolver<Block6> modes(piece.support);
    for (Eigen::Index i = 0; i < 6; ++i) {
      if (modes.eigenvalues()[i] > 1e-9 * std::max(1.0, modes.eigenvalues()[5])) continue;
      out.any = true;
      const Vec6 mode = modes.eigenvectors().col(i);
      if (std::abs(mode.dot(piece.load)) <= 1e-6 * piece.load_size) continue;
      for (Eigen::Index k = 0; k < 6; ++k)
        if (mode[k] * mode[k] > 0.1) driven[static_cast<std::size_t>(k)] = true;
    }
  }
  for (std::size_t k = 0; k < 6; ++k)
    if (driven[k]) out.driven += (out.driven.empty() ? "" : ", ") + std::string(motion_names[k]);
  return out;
}

}  // namespace vw
