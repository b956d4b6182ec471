// Cholesky factor of a large sparse positive definite matrix whose rows lie in space, by nested dissection: planes cut the rows into halves that only
// meet in thin separators, and what is eliminated together is one dense block (the multifrontal method of Duff & Reid 1983). For a compact lattice it
// needs a fraction of the memory and time of a general ordering, and nearly all of its work is dense arithmetic.
// In: the matrix and a place for each row. Out: solutions. Single-threaded: the same bits everywhere.
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

  /// Finds the order of elimination. `a` holds both triangles.
  void analyze(const Sparse& a, std::span<const Vec3> place);
  [[nodiscard]] std::size_t bytes() const;

  enum class Outcome { done, stopped, not_definite };
  /// Of the matrix that was analysed; `going` is asked between blocks.
  Outcome factorize(const Sparse& a, const std::function<bool()>& going);
  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

 private:
  struct Front {
    Eigen::Index first = 0, own = 0;   ///< rows [first, first + own) of the new order are eliminated here
    std::vector<Eigen::Index> border;  ///< later rows that they touch, ascending
    std::vector<std::size_t> children;
    Eigen::MatrixXd factor;  ///< own + border rows, own columns: L
    Eigen::MatrixXd update;  ///< what the border gets; until the parent took it
  };
  struct Cut;

  std::size_t dissect(Cut& cut, std::vector<int> rows);
  std::size_t add_front(Cut& cut, const std::vector<int>& rows, std::vector<std::size_t> children);
  void find_borders(const Sparse& a);
  bool eliminate(const Sparse& a, Front& front);

  std::vector<Front> fronts_;           ///< children before parents
  std::vector<Eigen::Index> order_;     ///< old row of each new one
  std::vector<Eigen::Index> position_;  ///< new row of each old one
};

}  // namespace vw
