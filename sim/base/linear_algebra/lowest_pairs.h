// Computes the lowest eigenpairs of a large sparse symmetric matrix by a shift-and-invert Lanczos method with deflation
// (Spectra). The inputs are the matrix and an orthonormal basis of its null space. The results are ascending
// eigenvalues and orthonormal eigenvectors that are orthogonal to the null space. For a multiple eigenvalue, a Lanczos
// method finds only one eigenvector. The search is therefore repeated in the space orthogonal to the vectors already
// found. It ends when a round finds no eigenvalue below the highest requested one.
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
  double tolerance = 1e-11;  ///< convergence tolerance of an eigenvector, in the norm of the inverse matrix
  /// The dense solver is used for matrices with up to this number of rows, or up to 4 * count rows if that is more.
  Eigen::Index dense_rows = 240;
  std::size_t memory_limit = 3u << 30;  ///< largest memory that the factor may take [bytes]
  /// Position of each row in space, which NestedFactor uses for a faster factorisation. If `place` is empty, or if the
  /// matrix is not positive definite, a general sparse factorisation is used.
  std::span<const Vec3> place;
  /// This function is called between solves with the stage and the number of solves so far. If the function returns
  /// false, the computation stops.
  std::function<bool(PairStage stage, int solves)> progress;
};

struct LowestPairs {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;       ///< one eigenvector per column
  int solves = 0;                ///< solves with the factor; 0 if the dense solver was used
  std::size_t factor_bytes = 0;  ///< memory of the factor [bytes]
};

/// Returns at most `options.count` pairs. The number may be smaller if the space orthogonal to the null space has fewer
/// than 4 * count dimensions. Returns an error if the factor would exceed the memory limit, if `progress` stopped the
/// computation, or if the method did not converge.
[[nodiscard]] Result<LowestPairs> lowest_pairs(const Eigen::SparseMatrix<double>& a,
                                               const Eigen::SparseMatrix<double>& null_space,
                                               const PairOptions& options);

/// Returns an upper bound of the largest eigenvalue by Gershgorin's circle theorem.
[[nodiscard]] double gershgorin_bound(const Eigen::SparseMatrix<double>& a);

}  // namespace vw
