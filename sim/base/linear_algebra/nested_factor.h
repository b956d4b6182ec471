// Cholesky factor of a large sparse positive definite matrix whose rows have positions in space, by nested dissection.
// Planes divide the rows recursively into halves that are coupled only through thin separators. The rows of a
// separator, or of a set that is not divided further, are eliminated together and form a dense block, a front
// (multifrontal method: Duff & Reid, "The multifrontal solution of indefinite sparse symmetric linear equations", ACM
// TOMS 9, 1983). For a compact lattice, this needs a fraction of the memory and time of a general ordering, and nearly
// all operations are dense arithmetic. The inputs are the matrix and a position for each row. The factor then solves
// linear systems. All computations run on the calling thread, so results are bitwise reproducible.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "sim/base/math.h"

namespace vw {

class NestedFactor {
 public:
  using Sparse = Eigen::SparseMatrix<double>;

  /// Computes the elimination order and the structure of the factor. `a` contains both triangles. `place` contains a
  /// position for each row.
  void analyze(const Sparse& a, std::span<const Vec3> place);
  [[nodiscard]] std::size_t bytes() const;

  enum class Outcome { done, stopped, not_definite };
  /// Computes the factor of a matrix with the same sparsity pattern as the analysed matrix. `going` is called before
  /// each front. If it returns false, the factorisation stops.
  Outcome factorize(const Sparse& a, const std::function<bool()>& going);
  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

 private:
  struct Front {
    Eigen::Index first = 0, own = 0;   ///< the front eliminates rows [first, first + own) of the new order
    std::vector<Eigen::Index> border;  ///< later rows coupled to the front's own rows, ascending (new order)
    std::vector<std::size_t> children;
    Eigen::MatrixXd factor;  ///< the front's columns of L, as a matrix of own + border.size() rows and `own` columns
    Eigen::MatrixXd update;  ///< Schur complement passed to the parent; released once the parent has added it
  };
  struct Cut;

  std::size_t dissect(Cut& cut, std::vector<int> rows);
  std::size_t add_front(Cut& cut, const std::vector<int>& rows, std::vector<std::size_t> children);
  void find_borders(const Sparse& a);
  bool eliminate(const Sparse& a, Front& front);

  std::vector<Front> fronts_;           ///< all fronts, children before parents
  std::vector<Eigen::Index> order_;     ///< old row of each new row
  std::vector<Eigen::Index> position_;  ///< new row of each old row
};

}  // namespace vw
