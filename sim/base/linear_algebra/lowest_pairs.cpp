// The shift of the shift-and-invert method is 0 if the null space (rigid-body motions) is empty. Otherwise it is
// slightly negative, so that the shifted matrix is not singular in the null space. The null space is projected out of
// every vector.
#include "sim/base/linear_algebra/lowest_pairs.h"

#include <algorithm>
#include <cmath>
#include <exception>

#include <Spectra/SymEigsShiftSolver.h>
#include <fmt/format.h>
#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>

#include "sim/base/linear_algebra/nested_factor.h"
#include "sim/base/random.h"

namespace vw {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

/// Magnitude of the shift, relative to the upper bound of the spectrum. It is 1e5 times the rounding error of the
/// factor and far below every nonzero eigenvalue.
constexpr double null_shift = 1e-11;

/// Eigen's sparse factorisation, extended to report its memory before the numerical phase.
class GeneralFactor : public Eigen::SimplicialLDLT<Sparse, Eigen::Lower, Eigen::AMDOrdering<int>> {
 public:
  [[nodiscard]] std::size_t bytes() const {
    std::size_t entries = 0;
    for (Index i = 0; i < this->m_nonZerosPerCol.size(); ++i)
      entries += static_cast<std::size_t>(this->m_nonZerosPerCol[i]);
    return entries * (sizeof(double) + sizeof(int));
  }
};

struct Stopped : std::exception {};

/// The factor of the shifted matrix, in the general or the nested-dissection form.
struct Factor {
  GeneralFactor general;
  NestedFactor nested;
  bool is_nested = false;
  [[nodiscard]] VectorXd solve(const VectorXd& b) const {
    return is_nested ? nested.solve(b) : VectorXd(general.solve(b));
  }
};

/// Operator y = P (A - shift)^-1 P x, where P projects out the null space and the vectors found so far. The class has
/// the interface that Spectra requires of an operator.
class InverseOperator {
 public:
  using Scalar = double;
  InverseOperator(const Factor& factor, const Sparse& null_space, const PairOptions& options)
      : factor_(&factor), null_space_(&null_space), options_(&options) {}

  [[nodiscard]] Index rows() const { return null_space_->rows(); }
  [[nodiscard]] Index cols() const { return rows(); }
  void set_shift(double) {}  // nothing to do: the factor already contains the shift
  void perform_op(const double* x, double* y) const {
    Eigen::Map<VectorXd>(y, rows()) = apply(Eigen::Map<const VectorXd>(x, rows()));
  }
  [[nodiscard]] VectorXd apply(VectorXd x) const {
    if (options_->progress && !options_->progress(PairStage::searching, solves)) throw Stopped();
    ++solves;
    project(x);
    VectorXd y = factor_->solve(x);
    project(y);
    return y;
  }
  /// Removes the components of x in the null space and along the vectors in `found`. The second pass removes the
  /// rounding errors that the first pass leaves if such a component is large.
  void project(VectorXd& x) const {
    for (int pass = 0; pass < 2; ++pass) {
      if (null_space_->cols() > 0) {
        const VectorXd share = null_space_->transpose() * x;
        x -= *null_space_ * share;
      }
      if (found.cols() > 0) x -= found * (found.transpose() * x).eval();
    }
  }

  /// Returns the dimension of the space orthogonal to the null space and to the vectors found so far.
  [[nodiscard]] Index left() const { return rows() - null_space_->cols() - found.cols(); }

  MatrixXd found;  ///< eigenvectors found so far, as orthonormal columns
  mutable int solves = 0;

 private:
  const Factor* factor_;
  const Sparse* null_space_;
  const PairOptions* options_;
};

VectorXd start_vector(const InverseOperator& op, std::uint64_t round) {
  VectorXd x(op.rows());
  for (Index i = 0; i < x.size(); ++i)
    x[i] = 2 * random_uniform(RandomKey{round, 11}, static_cast<std::uint64_t>(i), 0) - 1;
  op.project(x);
  return x;
}

/// Returns the eigenvectors of the `count` lowest eigenvalues in the space that is not projected out. If the method
/// does not converge, or if that space has fewer than count + 2 dimensions, the result has fewer columns.
MatrixXd search(InverseOperator& op, Index count, double shift, std::uint64_t round, double tolerance) {
  const Index left = op.left();
  count = std::min(count, left - 2);
  const Index basis = std::min(left, std::max<Index>(2 * count + 4, 20));
  Spectra::SymEigsShiftSolver<InverseOperator> solver(op, count, basis, shift);
  solver.init(start_vector(op, round).data());
  solver.compute(Spectra::SortRule::LargestMagn, 300, tolerance, Spectra::SortRule::LargestMagn);
  return solver.eigenvectors();
}

/// Replaces the columns by the best approximations to eigenvectors of `a` in the space that the columns span, with
/// ascending eigenvalues (Rayleigh-Ritz procedure).
void settle(const Sparse& a, MatrixXd& vectors, VectorXd& values) {
  const Eigen::HouseholderQR<MatrixXd> qr(vectors);
  vectors = (qr.householderQ() * MatrixXd::Identity(vectors.rows(), vectors.cols())).eval();
  const MatrixXd small = vectors.transpose() * (a * vectors);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(0.5 * (small + small.transpose()));
  vectors = (vectors * eigen.eigenvectors()).eval();
  values = eigen.eigenvalues();
}

Result<LowestPairs> search_all(const Sparse& a, InverseOperator& op, double shift, const PairOptions& options) {
  if (op.left() < 3) return fail("the search for the lowest frequencies requires at least three free directions");
  LowestPairs out;
  const Index count = std::min(options.count, std::max<Index>(1, op.left() / 4));
  // The first round searches for `count` + `guard` eigenpairs, and each later round for `later` eigenpairs.
  constexpr Index guard = 2, later = 4;
  for (std::uint64_t round = 0; op.left() > 2; ++round) {
    const Index wanted = std::min(round == 0 ? count + guard : later, op.left() - 2);
    MatrixXd fresh = search(op, wanted, shift, round, options.tolerance);
    if (fresh.cols() < wanted) return fail("the search for the lowest frequencies did not converge");
    // One more step of inverse iteration removes components of high frequency. The convergence test hardly detects
    // them, because they have little weight in the norm of the inverse matrix.
    for (Index i = 0; i < fresh.cols(); ++i) fresh.col(i) = op.apply(fresh.col(i)).normalized();
    VectorXd fresh_values;
    settle(a, fresh, fresh_values);
    const bool complete =
        round > 0 && fresh_values[0] > out.values[std::min(count, out.values.size()) - 1] * (1 - 1e-9);
    if (complete) break;
    MatrixXd all(a.rows(), op.found.cols() + fresh.cols());
    all << op.found, fresh;
    settle(a, all, out.values);
    op.found = std::move(all);
  }
  out.vectors = op.found.leftCols(count);
  out.values.conservativeResize(count);
  out.solves = op.solves;
  return out;
}

/// Computes the `count` lowest eigenpairs with a dense solver. `top` is an upper bound of the eigenvalues. The
/// eigenvalues of the null space are raised above `top`, so that the lowest pairs do not include the null space.
LowestPairs all_pairs(const Sparse& a, const Sparse& null_space, Index count, double top) {
  MatrixXd dense = a;
  if (null_space.cols() > 0) dense += 4 * top * MatrixXd(null_space * null_space.transpose());
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(dense);
  count = std::min(count, a.rows() - null_space.cols());
  return {eigen.eigenvalues().head(count), eigen.eigenvectors().leftCols(count), 0, 0};
}

Result<void> check_memory(std::size_t bytes, Index rows, const PairOptions& options) {
  if (bytes <= options.memory_limit) return {};
  return fail(fmt::format(
      "the factorised stiffness matrix of {} degrees of freedom needs {:.2g} GiB; the limit is {:.2g} GiB", rows,
      static_cast<double>(bytes) / (1U << 30), static_cast<double>(options.memory_limit) / (1U << 30)));
}

/// Factorises the shifted matrix and returns the factor's size [bytes].
Result<std::size_t> make_factor(const Sparse& shifted, const PairOptions& options, Factor& factor) {
  const auto going = [&](PairStage stage) { return !options.progress || options.progress(stage, 0); };
  if (!going(PairStage::ordering)) throw Stopped();
  if (!options.place.empty()) {
    factor.nested.analyze(shifted, options.place);
    if (auto fits = check_memory(factor.nested.bytes(), shifted.rows(), options); !fits)
      return Unexpected(fits.error());
    const auto outcome = factor.nested.factorize(shifted, [&] { return going(PairStage::factorising); });
    if (outcome == NestedFactor::Outcome::stopped) throw Stopped();
    factor.is_nested = outcome == NestedFactor::Outcome::done;
    if (factor.is_nested) return factor.nested.bytes();
    factor.nested = {};
  }
  factor.general.analyzePattern(shifted);
  if (auto fits = check_memory(factor.general.bytes(), shifted.rows(), options); !fits) return Unexpected(fits.error());
  if (!going(PairStage::factorising)) throw Stopped();
  factor.general.factorize(shifted);
  if (factor.general.info() != Eigen::Success)
    return fail("the stiffness matrix cannot be factorised because it is singular");
  return factor.general.bytes();
}

Result<LowestPairs> factor_and_search(const Sparse& a, const Sparse& null_space, double top,
                                      const PairOptions& options) {
  const double shift = null_space.cols() > 0 ? -null_shift * top : 0;
  Sparse shifted = a;
  if (shift != 0)
    for (Index i = 0; i < a.rows(); ++i) shifted.coeffRef(i, i) -= shift;
  Factor factor;
  const auto bytes = make_factor(shifted, options, factor);
  if (!bytes) return Unexpected(bytes.error());
  InverseOperator op(factor, null_space, options);
  op.found.resize(a.rows(), 0);
  auto out = search_all(a, op, shift, options);
  if (out) out->factor_bytes = *bytes;
  return out;
}

}  // namespace

double gershgorin_bound(const Sparse& a) {
  double bound = 0;
  for (Index c = 0; c < a.outerSize(); ++c) {
    double sum = 0;
    for (Sparse::InnerIterator entry(a, c); entry; ++entry) sum += std::abs(entry.value());
    bound = std::max(bound, sum);
  }
  return bound;
}

Result<LowestPairs> lowest_pairs(const Sparse& a, const Sparse& null_space, const PairOptions& options) {
  const double top = gershgorin_bound(a);
  if (options.count <= 0 || a.rows() <= null_space.cols()) return LowestPairs{VectorXd(0), MatrixXd(a.rows(), 0), 0, 0};
  try {
    if (a.rows() <= std::max(options.dense_rows, 4 * options.count))
      return all_pairs(a, null_space, options.count, top);
    return factor_and_search(a, null_space, top, options);
  } catch (const Stopped&) {
    return fail("stopped");
  } catch (const std::bad_alloc&) {
    return fail("there is not enough memory for the factorised stiffness matrix");
  } catch (const std::exception& error) {
    return fail(fmt::format("the eigenvalue solver failed: {}", error.what()));
  }
}

}  // namespace vw
