// The load is applied in steps, and Newton's method solves for the equilibrium of each load step. An iteration computes
// the loads at the current shape and the tangent, and factorises the tangent. The tangent includes geometric stiffness
// unless this makes it indefinite. If there are more than StaticOptions::direct_freedoms unconstrained degrees of
// freedom, the linear systems are solved iteratively without geometric stiffness. Contacts are represented by springs
// that push but never pull. For bodies that only obstacles support, a mass term is added to the tangent, which would
// otherwise be singular until enough contacts are closed. The mass term decreases as the iteration converges.
#include "sim/system/voxel/analysis/statics.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/elementary/elementary.h"
#include "sim/base/linear_algebra/nested_factor.h"
#include "sim/system/voxel/analysis/measures.h"
#include "sim/system/voxel/explicit/free_motion.h"
#include "sim/system/voxel/implicit/block_system.h"
#include "sim/system/voxel/lattice/lattice_load.h"

namespace vw {
namespace {

using Vector = Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

/// Loads smaller than this factor times `rounding_`, the effect of rounding of the positions, count as zero.
constexpr double unloaded = 100;
/// Largest size of the factorised tangent [bytes]. If the factor would be larger, the linear systems are solved
/// iteratively. Compact bodies need far less.
constexpr std::size_t most_factor_bytes = std::size_t{4} << 30;

Quat exp_of(const Vec3& w) {
  const double angle = w.norm();
  const double sinc = angle > 1e-8 ? elementary::sin(0.5 * angle) / angle : 0.5;
  return {elementary::cos(0.5 * angle), sinc * w.x(), sinc * w.y(), sinc * w.z()};
}

Vec3 log_of(const Quat& q) {
  const double sine = q.vec().norm();
  return sine > 1e-12 ? Vec3(2 * elementary::atan2(sine, q.w()) / sine * q.vec()) : Vec3(2 / q.w() * q.vec());
}

class StaticSolver {
 public:
  StaticSolver(const StaticBody& body, const StaticOptions& options, Elements& elements)
      : body_(body), options_(options), e_(elements) {}
  Result<StaticSolution> run();

 private:
  void prepare();
  void drop_pieces();
  [[nodiscard]] std::string driven_free_motions();
  [[nodiscard]] bool converge(double share);
  void place_held(double from, double to, std::vector<double>& increment) const;
  void evaluate(double share);
  void press(std::size_t v, Vec3& force);
  [[nodiscard]] Vec3 outer_force(std::size_t v, double share) const;
  [[nodiscard]] Vec3 outer_moment(std::size_t v, double share) const;
  [[nodiscard]] bool solve();
  [[nodiscard]] bool factorise(GeometricStiffness geometric);
  [[nodiscard]] bool solve_iteratively();
  void assemble(GeometricStiffness geometric);
  void move(double share);
  [[nodiscard]] bool advance();
  [[nodiscard]] double slope() const;
  [[nodiscard]] bool sane() const;
  [[nodiscard]] bool balanced() const {
    return out_.residual_n <= std::max(options_.tolerance * out_.load_n, rounding_);
  }
  void measure_end(double share);
  [[nodiscard]] double scale_of(std::size_t freedom) const {
    return freedom % voxel_freedoms < 3 ? 1 : 1 / body_.constants->edge_m;
  }

  const StaticBody& body_;
  const StaticOptions& options_;
  Elements& e_;
  StaticSolution out_;
  std::vector<Vec3> rest_position_, anchor_;
  std::vector<Quat> rest_orientation_;
  std::vector<std::uint8_t> held_;
  std::vector<std::int32_t> row_of_;
  std::int32_t rows_ = 0;
  Pieces pieces_;
  LatticeLoads loads_;
  TangentStiffness tangent_;
  BlockSystem blocks_;
  std::vector<Mat3> spring_;
  std::vector<Vec3> contact_;
  std::vector<double> residual_, increment_;  ///< unbalanced loads, and increment of the Newton iteration
  std::vector<double> pulled_, right_, answer_;
  std::vector<Vec3> base_x_;
  std::vector<Quat> base_q_;
  NestedFactor factor_;
  /// The mass term that is added to the tangent is shift_ times the mass matrix [1/s^2]. shift_floor_ is the lower
  /// bound of shift_.
  double shift_ = 0, shift_floor_ = 0;
  /// Norm of the bonds' loads at the start of a load step [N]; -1 until it is computed.
  double bond_loads_ = -1;
  double rounding_ = 0;  ///< estimate of the residual that rounding of positions causes [N]
  /// Whether a line search shortens increments that overshoot. The line search is used if there are colliders, because
  /// the tangent does not include contacts that open or close.
  bool searches_ = false;
  bool stopped_ = false;
  bool too_large_ = false;  ///< the factorised tangent would exceed most_factor_bytes
};

void StaticSolver::prepare() {
  const std::size_t n = e_.size();
  rest_position_ = body_.rest_position.empty()
                       ? e_.position
                       : std::vector<Vec3>(body_.rest_position.begin(), body_.rest_position.end());
  rest_orientation_ = body_.rest_orientation.empty()
                          ? e_.orientation
                          : std::vector<Quat>(body_.rest_orientation.begin(), body_.rest_orientation.end());
  held_.assign(n, 0);
  for (std::size_t v = 0; v < n; ++v)
    if (body_.regions->fixed[v] != 0) held_[v] = all_freedoms;
  for (const HeldVoxel& row : body_.regions->held) held_[row.voxel] = row.freedoms;
  rows_ = number_freedoms(held_, row_of_);
  pieces_.update(*body_.topology, held_);
  spring_.assign(n, Mat3::Zero());
  contact_.assign(n, Vec3::Zero());
  residual_.assign(voxel_freedoms * n, 0);
  for (auto* vector : {&increment_, &pulled_, &right_, &answer_}) vector->assign(voxel_freedoms * n, 0);
  drop_pieces();
  anchor_ = e_.position;
  double far = 0, stiffest = 0;
  for (const Vec3& x : e_.position) far = std::max(far, x.norm());
  for (const BondConstants& k : body_.constants->bonds) stiffest = std::max(stiffest, k.axial);
  rounding_ = 2e-16 * far * stiffest * std::sqrt(static_cast<double>(n));
}

/// Moves each piece without constrained degrees of freedom down, without rotation, until it touches an obstacle.
void StaticSolver::drop_pieces() {
  if (body_.colliders.empty() || body_.gravity.isZero(0)) return;
  const Vec3 down = body_.gravity.normalized();
  for (std::size_t piece = 0; piece < pieces_.count(); ++piece) {
    if (!pieces_.is_free(piece)) continue;
    double fallen = 0;
    const double reach = 1e3 * body_.constants->edge_m * elementary::cbrt(static_cast<double>(e_.size())) + 100;
    for (int i = 0; i < 200 && fallen < reach; ++i) {
      double gap = reach;
      for (const std::uint32_t v : pieces_.voxels_of(piece))
        for (const Collider& collider : body_.colliders)
          gap = std::min(
              gap, query_near(collider, e_.position[v], std::max(gap, 0.0) + e_.radius[v]).distance - e_.radius[v]);
      gap += 1e-6 * body_.constants->edge_m;  // so that all voxels of a flat lower side are in contact
      if (gap <= 0) break;
      fallen += gap;
      for (const std::uint32_t v : pieces_.voxels_of(piece)) e_.position[v] += gap * down;
    }
  }
}

/// Returns the names of the free motions that the load drives, or an empty text if there are none. Also sets searches_,
/// and sets shift_ and shift_floor_ for bodies that are free or supported only by obstacles.
std::string StaticSolver::driven_free_motions() {
  std::vector<Vec3> force(e_.size()), moment(e_.size());
  for (std::size_t v = 0; v < e_.size(); ++v) {
    Vec3 pressed = Vec3::Zero();
    press(v, pressed);
    force[v] = outer_force(v, 1);
    moment[v] = outer_moment(v, 1);
  }
  const FreeMotions motions = find_free_motions(*body_.constants, pieces_, {held_, spring_, force, moment}, e_);
  bool loose = motions.any;
  for (std::size_t piece = 0; piece < pieces_.count(); ++piece) loose = loose || pieces_.is_free(piece);
  searches_ = !body_.colliders.empty();
  double fastest = 0;
  for (const VoxelClass& c : body_.constants->classes) fastest = std::max(fastest, c.contact_stiffness / c.mass);
  shift_ = loose ? 1e-6 * fastest : 0;
  shift_floor_ = motions.any ? 1e-12 * fastest : 0;
  return motions.driven;
}

Vec3 StaticSolver::outer_force(std::size_t v, double share) const {
  Vec3 f = e_.mass[v] * body_.gravity;
  if (!body_.regions->force.empty()) f += body_.regions->force[v];
  if (!body_.force.empty()) f += body_.force[v];
  return share * f;
}

Vec3 StaticSolver::outer_moment(std::size_t v, double share) const {
  Vec3 m = Vec3::Zero();
  if (!body_.regions->torque.empty()) m += body_.regions->torque[v];
  if (!body_.moment.empty()) m += body_.moment[v];
  return share * m;
}

/// Adds the contact force of voxel v to `force` and stores the stiffness in spring_. The contact consists of the
/// penalty springs of contact.h and a lateral spring of the same stiffness to the voxel's position in anchor_.
void StaticSolver::press(std::size_t v, Vec3& force) {
  spring_[v].setZero();
  contact_[v].setZero();
  if (body_.topology->exposed[v] == 0) return;
  const VoxelClass& c = body_.constants->of(v);
  for (const Collider& collider : body_.colliders) {
    const SurfaceQuery hit = query_near(collider, e_.position[v], e_.radius[v]);
    const double depth = e_.radius[v] - hit.distance;
    if (depth <= 0) continue;
    const Mat3 across = Mat3::Identity() - hit.normal * hit.normal.transpose();
    const Vec3 lateral =
        anchor_.empty() ? Vec3(Vec3::Zero()) : Vec3(-c.contact_stiffness * across * (e_.position[v] - anchor_[v]));
    contact_[v] += c.contact_stiffness * depth * hit.normal + lateral;
    spring_[v] += c.contact_stiffness * Mat3::Identity();
  }
  force += contact_[v];
}

/// Sets the residual to the sum of all loads at the fraction `share` of the external load. At constrained degrees of
/// freedom, the residual is the negative of the reaction.
void StaticSolver::evaluate(double share) {
  const VoxelView view{e_.position, e_.orientation, e_.velocity, e_.angular_velocity, e_.radius, {}};
  loads_.evaluate(*body_.topology, *body_.constants, view, false, body_.slack);
  double residual = 0, load = 0, bonds = 0;
  const double edge = body_.constants->edge_m;
  for (std::size_t v = 0; v < e_.size(); ++v) {
    Vec3 outer = outer_force(v, share);
    press(v, outer);
    const Vec3 outer_turn = outer_moment(v, share), force = loads_.force()[v] + outer,
               moment = loads_.moment()[v] + outer_turn;
    bonds += loads_.force()[v].squaredNorm() + loads_.moment()[v].squaredNorm() / (edge * edge);
    load += outer_force(v, share).squaredNorm() + contact_[v].squaredNorm() + outer_turn.squaredNorm() / (edge * edge);
    for (Eigen::Index i = 0; i < 6; ++i) {
      const std::size_t row = voxel_freedoms * v + static_cast<std::size_t>(i);
      residual_[row] = i < 3 ? force[i] : moment[i - 3];
      const double size = scale_of(row) * residual_[row];
      (row_of_[row] >= 0 ? residual : load) += size * size;
    }
  }
  if (bond_loads_ < 0) bond_loads_ = std::sqrt(bonds);
  out_.residual_n = std::sqrt(residual);
  out_.load_n = std::max(std::sqrt(load), 1e-3 * bond_loads_);
  // If there is no load, the residual and the load consist of rounding errors only.
  const bool is_unloaded = out_.load_n <= unloaded * rounding_;
  out_.relative_residual = out_.residual_n > 0 && !is_unloaded ? out_.residual_n / out_.load_n : 0;
}

/// Sets the increments that move the constrained degrees of freedom from the fraction `from` to the fraction `to` of
/// the prescribed motion. All other increments are set to 0.
void StaticSolver::place_held(double from, double to, std::vector<double>& increment) const {
  std::fill(increment.begin(), increment.end(), 0.0);
  for (const HeldVoxel& row : body_.regions->held) {
    const std::size_t v = row.voxel;
    const Vec3 shift = rest_position_[v] + to * row.displacement - e_.position[v];
    const bool whole = (row.freedoms & all_rotations) == all_rotations;
    const Vec3 turn = whole ? log_of(exp_of(to * row.rotation) * rest_orientation_[v] * e_.orientation[v].conjugate())
                            : Vec3((to - from) * row.rotation);
    for (Eigen::Index i = 0; i < 3; ++i) {
      const std::size_t at = voxel_freedoms * v + static_cast<std::size_t>(i);
      if ((row.freedoms >> i & 1U) != 0) increment[at] = shift[i];
      if ((row.freedoms >> (i + 3) & 1U) != 0) increment[at + 3] = turn[i];
    }
  }
}

void StaticSolver::assemble(GeometricStiffness geometric) {
  VoxelView view{e_.position, e_.orientation, e_.velocity, e_.angular_velocity, e_.radius, loads_.volume_tension()};
  TangentOptions options;
  options.geometric = geometric;
  options.slack = body_.slack;
  tangent_.assemble(*body_.topology, *body_.constants, view, options);
}

bool StaticSolver::factorise(GeometricStiffness geometric) {
  assemble(geometric);
  Sparse k = tangent_.sparse(row_of_, rows_);
  std::vector<Eigen::Triplet<double>> extra;
  for (std::size_t v = 0; v < e_.size(); ++v) {
    const VoxelClass& c = body_.constants->of(v);
    for (std::size_t i = 0; i < voxel_freedoms; ++i) {
      const std::int32_t row = row_of_[voxel_freedoms * v + i];
      if (row < 0) continue;
      if (shift_ > 0) extra.emplace_back(row, row, shift_ * (i < 3 ? e_.mass[v] : c.inertia));
      for (std::size_t j = 0; j < 3 && i < 3; ++j) {
        const std::int32_t col = row_of_[voxel_freedoms * v + j];
        const double value = spring_[v](static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
        if (col >= 0 && value != 0) extra.emplace_back(row, col, value);
      }
    }
  }
  if (!extra.empty()) {
    Sparse more(rows_, rows_);
    more.setFromTriplets(extra.begin(), extra.end());
    k += more;
  }
  std::vector<Vec3> place(static_cast<std::size_t>(rows_));
  for (std::size_t i = 0; i < row_of_.size(); ++i)
    if (row_of_[i] >= 0) place[static_cast<std::size_t>(row_of_[i])] = e_.position[i / voxel_freedoms];
  factor_.analyze(k, place);
  too_large_ = factor_.bytes() > most_factor_bytes;
  if (too_large_) return false;
  return factor_.factorize(k, {}) == NestedFactor::Outcome::done;
}

/// Solves K increment = residual for the free degrees of freedom. On entry, increment_ contains the increments of the
/// constrained degrees of freedom.
bool StaticSolver::solve() {
  if (rows_ == 0) return true;
  if (static_cast<std::size_t>(rows_) > options_.direct_freedoms || too_large_) return solve_iteratively();
  out_.stable = factorise(GeometricStiffness::full);
  if (!out_.stable && !too_large_ && !factorise(GeometricStiffness::none)) return false;
  if (too_large_) {
    out_.stable = true;  // The stability is not known without a factor.
    return solve_iteratively();
  }
  const bool moved = std::any_of(increment_.begin(), increment_.end(), [](double x) { return x != 0; });
  std::fill(pulled_.begin(), pulled_.end(), 0.0);
  if (moved) tangent_.multiply(increment_, pulled_);
  Vector b(rows_);
  for (std::size_t i = 0; i < row_of_.size(); ++i)
    if (row_of_[i] >= 0) b[row_of_[i]] = residual_[i] - pulled_[i];
  const Vector x = factor_.solve(b);
  for (std::size_t i = 0; i < row_of_.size(); ++i)
    if (row_of_[i] >= 0) increment_[i] = x[row_of_[i]];
  return x.allFinite();
}

bool StaticSolver::solve_iteratively() {
  assemble(GeometricStiffness::none);
  std::vector<Block6> diagonal(e_.size(), Block6::Zero());
  for (std::size_t v = 0; v < e_.size(); ++v) {
    diagonal[v].diagonal().head<3>().setConstant(shift_ * e_.mass[v]);
    diagonal[v].diagonal().tail<3>().setConstant(shift_ * body_.constants->of(v).inertia);
    diagonal[v].topLeftCorner<3, 3>() += spring_[v];
  }
  tangent_.multiply(increment_, pulled_);
  for (std::size_t i = 0; i < right_.size(); ++i) right_[i] = row_of_[i] >= 0 ? residual_[i] - pulled_[i] : 0;
  blocks_.assemble(tangent_, diagonal, held_);
  const auto outcome = blocks_.solve(right_, answer_, 1e-4, 5000);
  out_.linear += outcome.iterations;
  for (std::size_t i = 0; i < right_.size(); ++i)
    if (row_of_[i] >= 0) increment_[i] = answer_[i];
  return outcome.reduction < 0.5;
}

void StaticSolver::move(double share) {
  for (std::size_t v = 0; v < e_.size(); ++v) {
    const double* step = increment_.data() + voxel_freedoms * v;
    e_.position[v] = base_x_[v] + share * Eigen::Map<const Vec3>(step);
    e_.orientation[v] = (exp_of(share * Eigen::Map<const Vec3>(step + 3)) * base_q_[v]).normalized();
  }
}

double StaticSolver::slope() const {
  double sum = 0;
  for (std::size_t i = 0; i < residual_.size(); ++i)
    if (row_of_[i] >= 0) sum -= residual_[i] * increment_[i];
  return sum;
}

/// Applies the increment. The increment is shortened if it would rotate bonded voxels relative to each other by more
/// than half a radian. Returns true if the increment was applied in full.
bool StaticSolver::advance() {
  constexpr double most_turn = 0.5;
  double turn = 0;
  for (const Bond& bond : body_.topology->bonds) {
    const Eigen::Map<const Vec3> a(increment_.data() + voxel_freedoms * static_cast<std::size_t>(bond.a) + 3),
        b(increment_.data() + voxel_freedoms * static_cast<std::size_t>(bond.b) + 3);
    turn = std::max(turn, (b - a).norm());
  }
  base_x_ = e_.position;
  base_q_ = e_.orientation;
  move(turn > most_turn ? most_turn / turn : 1);
  return turn <= most_turn;
}

/// True if the residual is finite and cos(theta) > 0.3 holds for all bonds, where 2 theta is the relative rotation of
/// the bonded voxels. Broken bonds do not count.
bool StaticSolver::sane() const {
  for (std::size_t v = 0; v < e_.size(); ++v)
    for (int face = 1; face < face_count; face += 2) {
      const std::int32_t other = body_.topology->neighbour(v, face);
      if (other >= 0 && !(e_.orientation[v].dot(e_.orientation[static_cast<std::size_t>(other)]) > 0.3)) return false;
    }
  return std::isfinite(out_.residual_n);
}

/// Runs Newton's method at the fraction `share` of the load, starting from the equilibrium of the previous load step.
/// Returns true on convergence.
bool StaticSolver::converge(double share) {
  bond_loads_ = -1;
  evaluate(share);
  for (int i = 0; i < options_.newton_iterations; ++i) {
    if (options_.progress && !options_.progress(share, out_.relative_residual)) {
      stopped_ = true;
      return false;
    }
    const bool follows = i == 0 && std::any_of(increment_.begin(), increment_.end(), [](double x) { return x != 0; });
    if (!follows && balanced()) return true;
    if (!follows) std::fill(increment_.begin(), increment_.end(), 0.0);
    if (!solve()) return false;
    ++out_.newton;
    const double before = out_.residual_n, start = slope();
    if (!advance() && follows) return false;  // a shortened increment would miss the prescribed values
    evaluate(share);
    double part = 1;
    for (int trial = 0; searches_ && trial < 12 && std::abs(slope()) > 0.9 * std::abs(start) && slope() > 0; ++trial) {
      part *= 0.4;
      move(part);
      evaluate(share);
    }
    if (!sane()) return false;
    shift_ = out_.residual_n < before ? 0.1 * shift_ : 2 * shift_;
    shift_ = std::max(shift_, shift_floor_);
  }
  return false;
}

void StaticSolver::measure_end(double share) {
  evaluate(share);
  const VoxelView view{e_.position,         e_.orientation, e_.velocity,
                       e_.angular_velocity, e_.radius,      loads_.volume_tension()};
  const BondView bonds{body_.topology->bonds, &body_.constants->bond_constants_of, body_.constants->bonds,
                       body_.topology->axis_bonds, body_.slack};
  out_.elastic_energy = elastic_energy({body_.topology, body_.constants, &e_, bonds, view});
  out_.reaction.setZero();
  for (std::size_t v = 0; v < e_.size(); ++v) {
    out_.reaction += contact_[v];
    for (Eigen::Index i = 0; i < 3; ++i)
      if ((held_[v] >> i & 1U) != 0) out_.reaction[i] -= residual_[voxel_freedoms * v + static_cast<std::size_t>(i)];
    if (spring_[v].isZero(0)) continue;
    ++out_.contacts;
    for (const Collider& collider : body_.colliders) {
      const SurfaceQuery hit = query_near(collider, e_.position[v], e_.radius[v]);
      if (e_.radius[v] <= hit.distance) continue;
      const double pressure = contact_[v].dot(hit.normal);
      const double holds = holding_friction(combine(body_.constants->of(v).surface, collider.surface), pressure);
      if ((contact_[v] - pressure * hit.normal).norm() > holds) ++out_.slipping;
      break;
    }
  }
}

Result<StaticSolution> StaticSolver::run() {
  prepare();
  if (const std::string loose = driven_free_motions(); !loose.empty())
    return fail(fmt::format(
        "the body is not held against its load and can move freely ({}). Add a region with fixed = true", loose));
  double turn = 0;
  for (const HeldVoxel& row : body_.regions->held) turn = std::max(turn, row.rotation.norm());
  const double most = turn > 1 ? 1 / turn : 1;  // limits the prescribed rotation per load step to one radian
  double done = 0, step = std::min(most, 1.0 / std::max(1, options_.load_steps));
  const double first_shift = shift_;
  while (done < 1) {
    const double share = std::min(1.0, done + step);
    const std::vector<Vec3> x = e_.position;
    const std::vector<Quat> q = e_.orientation;
    const int before = out_.newton;
    place_held(done, share, increment_);
    shift_ = first_shift;
    if (converge(share)) {
      done = share > 1 - 1e-12 ? 1 : share;
      ++out_.load_steps;
      if (out_.newton - before <= 8) step = std::min(most, 1.5 * step);
      continue;
    }
    e_.position = x, e_.orientation = q;
    step *= 0.5;
    if (stopped_) return fail(fmt::format("the solver was stopped at {:.3g} % of the load", 100 * done));
    if (step < 1.0 / options_.most_load_steps)
      return fail(fmt::format("the solver found no equilibrium beyond {:.3g} % of the load", 100 * done));
  }
  std::fill(e_.velocity.begin(), e_.velocity.end(), Vec3(Vec3::Zero()));
  std::fill(e_.angular_velocity.begin(), e_.angular_velocity.end(), Vec3(Vec3::Zero()));
  measure_end(1);
  return out_;
}

}  // namespace

Result<StaticSolution> solve_static(const StaticBody& body, const StaticOptions& options, Elements& elements) {
  return StaticSolver(body, options, elements).run();
}

}  // namespace vw
