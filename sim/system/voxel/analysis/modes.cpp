// The natural modes satisfy K phi = w^2 M phi with the stiffness matrix K and the mass matrix M. With y = M^1/2 phi,
// this problem becomes A y = w^2 y with A = M^-1/2 K M^-1/2. The rigid motions of free pieces span the null space of A.
#include "sim/system/voxel/analysis/modes.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include "sim/system/voxel/implicit/tangent.h"
#include "sim/system/voxel/lattice/lattice_load.h"
#include "sim/system/voxel/lattice/pieces.h"

namespace vw {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

// A rigid motion is kept as a rigid mode if |A y| is at most this fraction of an upper bound of the largest w^2.
constexpr double rigid_threshold = 1e-9;
// Modes whose w^2 differ relatively by at most this value belong to one eigenspace.
constexpr double alike_threshold = 1e-7;
// Relative difference up to which two components of a mode shape count as equally large. The first of the largest
// components determines the sign of the mode shape.
constexpr double component_threshold = 1e-6;

struct Problem {
  Problem(const ModalBody& modal_body, const ModalOptions& modal_options) : body(modal_body), options(modal_options) {}
  const ModalBody& body;
  const ModalOptions& options;
  std::vector<std::uint8_t> held;  ///< constrained degrees of freedom (bits), as in HeldVoxel
  std::vector<std::int32_t> row_of;
  std::vector<std::size_t> freedom_of;  ///< index of the degree of freedom of each row
  VectorXd root_mass;                   ///< square root of the mass or inertia of each row
  Sparse scaled;                        ///< scaled stiffness matrix A
  Sparse rigid;                         ///< rigid motions as orthonormal columns
};

void hold_regions(Problem& p) {
  p.held.assign(p.body.topology->voxel_count(), 0);
  for (std::size_t v = 0; v < p.held.size(); ++v) p.held[v] = p.body.regions->fixed[v] != 0 ? all_freedoms : 0;
  for (const HeldVoxel& one : p.body.regions->held) p.held[one.voxel] |= one.freedoms;
  const std::int32_t rows = number_freedoms(p.held, p.row_of);
  const std::vector<double> masses = freedom_masses(*p.body.constants, p.held.size());
  p.root_mass.resize(rows);
  p.freedom_of.resize(static_cast<std::size_t>(rows));
  for (std::size_t f = 0; f < p.row_of.size(); ++f) {
    if (p.row_of[f] < 0) continue;
    p.root_mass[p.row_of[f]] = std::sqrt(masses[f]);
    p.freedom_of[static_cast<std::size_t>(p.row_of[f])] = f;
  }
}

void assemble_problem(Problem& p) {
  VoxelView voxels{p.body.position, p.body.orientation, {}, {}, p.body.half_edge, {}};
  LatticeLoads loads;
  std::vector<Vec3> still;
  if (p.body.stressed) {
    still.assign(p.held.size(), Vec3::Zero());
    voxels.velocity = voxels.angular_velocity = still;
    loads.evaluate(*p.body.topology, *p.body.constants, voxels, false, p.body.slack);
    voxels.volume_tension = loads.volume_tension();
  }
  TangentOptions options;
  options.geometric = p.body.stressed ? GeometricStiffness::full : GeometricStiffness::none;
  options.slack = p.body.slack;
  TangentStiffness tangent;
  tangent.assemble(*p.body.topology, *p.body.constants, voxels, options);
  p.scaled = tangent.sparse(p.row_of, static_cast<std::int32_t>(p.root_mass.size()));
  for (Index c = 0; c < p.scaled.outerSize(); ++c)
    for (Sparse::InnerIterator entry(p.scaled, c); entry; ++entry)
      entry.valueRef() /= p.root_mass[entry.row()] * p.root_mass[c];
}

/// Returns the motion of degree of freedom `i` of a voxel in each of the six rigid motions of the voxel's piece. The
/// rigid motions are three translations and three rotations about the piece's centre. `arm` leads from the centre to
/// the voxel, in units of `scale`.
Vec6 rigid_row(const Vec3& arm, std::size_t i, double scale) {
  Vec6 row = Vec6::Zero();
  if (i >= 3) {
    row[static_cast<Index>(i)] = 1 / scale;
    return row;
  }
  const auto k = static_cast<Index>(i);
  row[k] = 1;
  for (Index turn = 0; turn < 3; ++turn) row[3 + turn] = Vec3(Vec3::Unit(turn)).cross(arm)[k];
  return row;
}

/// Returns the combinations of a piece's rigid motions that leave all constrained degrees of freedom of the piece at
/// rest, as columns. `held` is the Gram matrix of the rigid motions over the constrained degrees of freedom.
Eigen::Matrix<double, 6, Eigen::Dynamic> allowed_motions(const Mat6& held) {
  const Eigen::SelfAdjointEigenSolver<Mat6> eigen(held);
  Index free = 0;
  while (free < 6 && eigen.eigenvalues()[free] <= 1e-12 * std::max(1.0, held.trace())) ++free;
  return eigen.eigenvectors().leftCols(free);
}

struct PieceMotions {
  Vec3 center = Vec3::Zero();
  double scale = 0;  ///< largest distance of a voxel from the centre [m], at least an edge
  Mat6 held = Mat6::Zero(), gram = Mat6::Zero();
  /// Allowed rigid motions as columns, orthonormal with respect to the masses of the piece's free rows.
  Eigen::Matrix<double, 6, Eigen::Dynamic> motions;
  Index first = 0;  ///< first column of the piece in Problem::rigid
};

/// Determines the centre and the radius of each piece.
std::vector<PieceMotions> measure_pieces(const Problem& p, const Pieces& pieces) {
  std::vector<PieceMotions> out(pieces.count());
  std::vector<double> count(pieces.count(), 0);
  for (std::size_t v = 0; v < p.held.size(); ++v) {
    out[pieces.of(v)].center += p.body.position[v];
    count[pieces.of(v)] += 1;
  }
  for (std::size_t i = 0; i < out.size(); ++i) out[i].center /= count[i], out[i].scale = p.body.constants->edge_m;
  for (std::size_t v = 0; v < p.held.size(); ++v) {
    PieceMotions& piece = out[pieces.of(v)];
    piece.scale = std::max(piece.scale, (p.body.position[v] - piece.center).norm());
  }
  return out;
}

void find_rigid_motions(Problem& p) {
  Pieces pieces;
  pieces.update(*p.body.topology, p.held);
  std::vector<PieceMotions> all = measure_pieces(p, pieces);
  const auto row_in = [&](std::size_t v, std::size_t i) {
    const PieceMotions& piece = all[pieces.of(v)];
    return rigid_row((p.body.position[v] - piece.center) / piece.scale, i, piece.scale);
  };
  const auto each = [&](const auto& visit) {
    for (std::size_t v = 0; v < p.held.size(); ++v)
      for (std::size_t i = 0; i < voxel_freedoms; ++i) visit(v, i, p.row_of[voxel_freedoms * v + i]);
  };
  each([&](std::size_t v, std::size_t i, std::int32_t row) {
    Vec6 g = row_in(v, i);
    PieceMotions& piece = all[pieces.of(v)];
    if (row >= 0) {
      g *= p.root_mass[row];
      piece.gram += g * g.transpose();
    } else {
      if (i >= 3) g *= piece.scale;
      piece.held += g * g.transpose();
    }
  });
  Index columns = 0;
  for (PieceMotions& piece : all) {
    piece.motions = allowed_motions(piece.held);
    piece.first = columns;
    columns += piece.motions.cols();
    if (piece.motions.cols() == 0) continue;
    const MatrixXd small = piece.motions.transpose() * piece.gram * piece.motions;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(small);
    piece.motions = (piece.motions * eigen.operatorInverseSqrt()).eval();
  }
  std::vector<Eigen::Triplet<double>> entries;
  each([&](std::size_t v, std::size_t i, std::int32_t row) {
    if (row < 0) return;
    const PieceMotions& piece = all[pieces.of(v)];
    const VectorXd value = p.root_mass[row] * (piece.motions.transpose() * row_in(v, i));
    for (Index c = 0; c < value.size(); ++c)
      if (value[c] != 0) entries.emplace_back(row, static_cast<int>(piece.first + c), value[c]);
  });
  p.rigid.resize(p.root_mass.size(), columns);
  p.rigid.setFromTriplets(entries.begin(), entries.end());
}

/// Removes the rigid motions that geometric stiffness resists, such as the rotation of a pendulum under gravity.
void drop_resisted(Problem& p) {
  if (!p.body.stressed || p.rigid.cols() == 0) return;
  const Sparse image = p.scaled * p.rigid;
  const double limit = rigid_threshold * gershgorin_bound(p.scaled);
  std::vector<Eigen::Triplet<double>> entries;
  Index kept = 0;
  for (Index c = 0; c < p.rigid.cols(); ++c) {
    if (image.col(c).norm() > limit) continue;
    for (Sparse::InnerIterator entry(p.rigid, c); entry; ++entry)
      entries.emplace_back(static_cast<int>(entry.row()), static_cast<int>(kept), entry.value());
    ++kept;
  }
  p.rigid.resize(p.rigid.rows(), kept);
  p.rigid.setFromTriplets(entries.begin(), entries.end());
}

/// Makes the basis of each eigenspace with several modes unique: the new basis diagonalises the projection of a fixed
/// diagonal weight matrix onto the eigenspace. The entries of the weight matrix differ for the six degrees of freedom
/// of a voxel.
void align_eigenspaces(const Problem& p, LowestPairs& pairs) {
  Index first = 0;
  while (first < pairs.values.size()) {
    Index end = first + 1;
    while (end < pairs.values.size() &&
           pairs.values[end] - pairs.values[first] <= alike_threshold * std::abs(pairs.values[end]))
      ++end;
    if (end - first > 1) {
      auto space = pairs.vectors.middleCols(first, end - first);
      VectorXd weight(p.root_mass.size());
      for (Index row = 0; row < weight.size(); ++row)
        weight[row] = static_cast<double>(1 + p.freedom_of[static_cast<std::size_t>(row)] % voxel_freedoms);
      const MatrixXd small = space.transpose() * weight.asDiagonal() * space;
      const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(0.5 * (small + small.transpose()));
      space = (space * eigen.eigenvectors()).eval();
    }
    first = end;
  }
}

void scale_shape(Mode& mode, double edge_m) {
  double largest = 0, component = 0, sign = 1;
  for (std::size_t v = 0; v < mode.displacement.size(); ++v)
    largest = std::max({largest, mode.displacement[v].norm(), 0.5 * edge_m * mode.rotation[v].norm()});
  const auto offer = [&](double value) {
    if (std::abs(value) <= (1 + component_threshold) * component) return;
    component = std::abs(value);
    sign = value < 0 ? -1 : 1;
  };
  for (std::size_t v = 0; v < mode.displacement.size(); ++v)
    for (int k = 0; k < 3; ++k) offer(mode.displacement[v][k]), offer(0.5 * edge_m * mode.rotation[v][k]);
  const double factor = sign / largest;
  for (Vec3& u : mode.displacement) u *= factor;
  for (Vec3& w : mode.rotation) w *= factor;
  mode.modal_mass *= factor * factor;
}

Mode mode_of(const Problem& p, const VectorXd& y, double value, double reference) {
  Mode mode;
  mode.omega_squared = value;
  mode.hertz = std::sqrt(std::max(0.0, value)) / (2 * pi);
  mode.residual = (p.scaled * y - value * y).norm() / std::max(std::abs(value), reference);
  mode.displacement.assign(p.held.size(), Vec3::Zero());
  mode.rotation = mode.displacement;
  mode.modal_mass = y.squaredNorm();
  for (Index row = 0; row < y.size(); ++row) {
    const std::size_t freedom = p.freedom_of[static_cast<std::size_t>(row)];
    const std::size_t v = freedom / voxel_freedoms, i = freedom % voxel_freedoms;
    const double value_here = y[row] / p.root_mass[row];
    (i < 3 ? mode.displacement : mode.rotation)[v][static_cast<Index>(i % 3)] = value_here;
    if (i < 3) mode.effective_mass[static_cast<Index>(i)] += p.root_mass[row] * y[row];
  }
  mode.effective_mass = mode.effective_mass.cwiseAbs2() / mode.modal_mass;
  scale_shape(mode, p.body.constants->edge_m);
  return mode;
}

ModalAnalysis collect(const Problem& p, const LowestPairs& pairs) {
  ModalAnalysis out;
  out.voxels = p.held.size();
  out.freedoms = static_cast<std::size_t>(p.root_mass.size());
  out.rigid = static_cast<std::size_t>(p.rigid.cols());
  out.solves = pairs.solves;
  out.factor_bytes = pairs.factor_bytes;
  for (std::size_t v = 0; v < p.held.size(); ++v)
    if ((p.held[v] & all_translations) != all_translations) out.free_mass += p.body.constants->of(v).mass;
  const double top = gershgorin_bound(p.scaled);
  double reference = top;
  for (Index i = pairs.values.size() - 1; i >= 0; --i)
    if (std::abs(pairs.values[i]) > rigid_threshold * top) reference = std::abs(pairs.values[i]);
  if (!(reference > 0)) reference = 1;  // the body has no bonds
  const auto wanted = static_cast<std::size_t>(p.options.count);
  const auto add = [&](const VectorXd& y, double value, ModeKind kind) {
    if (out.modes.size() >= wanted) return;
    out.modes.push_back(mode_of(p, y, value, reference));
    out.modes.back().kind = kind;
  };
  Index unstable = 0;
  while (unstable < pairs.values.size() && pairs.values[unstable] < 0) ++unstable;
  for (Index i = 0; i < unstable; ++i) add(pairs.vectors.col(i), pairs.values[i], ModeKind::unstable);
  for (Index c = 0; c < p.rigid.cols() && out.modes.size() < wanted; ++c) add(p.rigid.col(c), 0, ModeKind::rigid);
  for (Index i = unstable; i < pairs.values.size(); ++i) add(pairs.vectors.col(i), pairs.values[i], ModeKind::flexible);
  return out;
}

}  // namespace

std::string_view mode_kind_name(ModeKind kind) {
  return kind == ModeKind::rigid ? "rigid" : kind == ModeKind::unstable ? "unstable" : "flexible";
}

Result<ModalAnalysis> find_modes(const ModalBody& body, const ModalOptions& options) {
  const std::size_t n = body.topology->voxel_count();
  if (options.count < 1 || options.count > max_mode_count)
    return fail(
        fmt::format("the number of modes is {}: expected a number from 1 to {}", options.count, max_mode_count));
  if (n > max_modal_voxels)
    return fail(fmt::format(
        "the body has {} voxels: expected at most {}, so that the factorised stiffness matrix fits into memory", n,
        max_modal_voxels));
  Problem p(body, options);
  hold_regions(p);
  if (p.root_mass.size() == 0) return fail("every voxel is held, so the body has no modes");
  assemble_problem(p);
  find_rigid_motions(p);
  drop_resisted(p);
  PairOptions how;
  how.count = body.stressed ? options.count : std::max<Index>(0, options.count - p.rigid.cols());
  how.memory_limit = options.memory_limit;
  how.dense_rows = options.dense_rows;
  how.progress = options.progress;
  std::vector<Vec3> place;
  for (const std::size_t freedom : p.freedom_of) place.push_back(body.position[freedom / voxel_freedoms]);
  how.place = place;
  auto pairs = lowest_pairs(p.scaled, p.rigid, how);
  if (!pairs) return Unexpected(pairs.error());
  align_eigenspaces(p, *pairs);
  return collect(p, *pairs);
}

}  // namespace vw
