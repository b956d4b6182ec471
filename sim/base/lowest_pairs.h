// The lowest eigenpairs of a large sparse symmetric matrix by a shifted, inverted and deflated Lanczos method (Spectra).
// In: the matrix, and an orthonormal basis of its null space where that is known. Out: eigenvalues, ascending, and orthonormal vectors outside it.
// A Lanczos method sees one vector of each eigenspace at a time: what it found is taken out and the search repeated until nothing lower is left.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "sim/base/error.h"
#include "sim/base/math.h"

namespace vw {

enum class PairStage { ordering, factorising, searching };

struct PairOptions {
  Eigen::Index count = 10;
  double tolerance = 1e-11;             ///< of an eigenvector in the inverted matrix's norm
  Eigen::Index dense_rows = 240;        ///< up to here all eigenpairs are computed and the lowest taken
  std::size_t memory_limit = 3u << 30;  ///< [bytes] that the factor may take
  /// Where each row lies, for a faster factor (NestedFactor); empty, or a matrix that is not definite: a general one.
  std::span<const Vec3> place;
  /// Told the stage and how many solves were done; false stops, between two solves.
  std::function<bool(PairStage stage, int solves)> progress;
};

struct LowestPairs {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;       ///< a column each
  int solves = 0;                ///< with the factor; 0 where all pairs were computed
  std::size_t factor_bytes = 0;  ///< memory of the factor
};

/// At most as many as there are outside the null space. An error when the factor would not fit, when it was stopped, or without convergence.
[[nodiscard]] Result<LowestPairs> lowest_pairs(const Eigen::SparseMatrix<double>& a, const Eigen::SparseMatrix<double>& null_space,
                                               const PairOptions& options);

/// Largest eigenvalue's upper bound by Gershgorin's circles.
[[nodiscard]] double gershgorin_bound(const Eigen::SparseMatrix<double>& a);

}  // namespace vw
