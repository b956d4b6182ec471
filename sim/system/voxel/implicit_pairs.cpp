// SPEC 1, contact between voxels, at the end of a step.
#include "sim/system/voxel/implicit_pairs.h"

#include <algorithm>
#include <cmath>

namespace vw {
namespace {

/// Lateral spring of a held pair over its normal one. It starts anew in each step: what rests on a slope creeps by its load over that a step.
constexpr double hold_stiffness = 30;
/// Gap over the reach below which an expected contact counts as closed.
constexpr double near_gap = 0.05;
/// Depth over the reach that a first guess may add to a contact: the springs' force is wrong by no more than that.
constexpr double guess_depth = 0.01;

double reach_of(const PairGuess& in, const VoxelPair& pair) { return in.half_edge[pair.first] + in.half_edge[pair.second]; }

Mat3 cross_matrix(const Vec3& r) {
  Mat3 m;
  m << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  return m;
}

}  // namespace

void ImplicitPairs::begin(std::span<const VoxelPair> pairs) {
  pairs_ = pairs;
  expected_.assign(pairs.size(), 0);
  friction_.assign(pairs.size(), -1.0);
  force_.clear(), moment_.clear(), touching_.clear(), springs_.clear(), blocks_.clear();
}

double ImplicitPairs::expect(const PairGuess& in, std::vector<VoxelPair>& met) {
  met.clear();
  double share = 1;
  for (std::size_t row = 0; row < pairs_.size(); ++row) {
    const auto& [a, b] = pairs_[row];
    const double reach = reach_of(in, pairs_[row]);
    const double start = (in.start[b] - in.start[a]).norm() - reach, end = (in.position[b] - in.position[a]).norm() - reach;
    if (start >= 0 && end >= 0) continue;
    expected_[row] = 1;
    const double deeper = std::max(start, 0.0) + guess_depth * reach;  // of the way that the guess takes
    if (start - end <= deeper) continue;
    share = std::min(share, deeper / (start - end));
    met.push_back(pairs_[row]);
  }
  return share;
}

/// What friction can be as a spring against `slip`: all of `spring`, or what the cone leaves of it.
double ImplicitPairs::rub(const PairGuess& in, std::size_t row, double normal_force, double spring, const Vec3& slip, const Vec3& normal) const {
  const auto& [a, b] = pairs_[row];
  const SurfaceMaterial pair = combine(in.constants->of(a).surface, in.constants->of(b).surface);
  Vec3 before = in.before[b] - in.before[a];
  before -= before.dot(normal) * normal;
  // So slow that friction stops it in this step or the next: the static cone.
  const bool calm = before.norm() <= 2 * pair.mu_dynamic * in.gravity * in.dt;
  const double limit = (calm ? std::max(pair.mu_static, pair.mu_dynamic) : pair.mu_dynamic) * normal_force;
  const double size = slip.norm();
  return spring * size <= limit ? spring : pair.mu_dynamic * normal_force / size;
}

void ImplicitPairs::press(const PairGuess& in, std::size_t row, bool awaits, bool lags) {
  const auto& [a, b] = pairs_[row];
  const Vec3 r = in.position[b] - in.position[a];
  const double reach = reach_of(in, pairs_[row]), distance = r.norm(), depth = reach - distance;
  const bool awaited = awaits && depth <= 0 && expected_[row] != 0 && depth > -near_gap * reach;
  if ((depth <= 0 && !awaited) || !(distance > 0)) return;
  const VoxelClass &ca = in.constants->of(a), &cb = in.constants->of(b);
  const double k = pair_stiffness(ca, cb);
  if (!(k > 0)) return;
  const Vec3 n = r / distance;
  // As in pair_contact: arms that add up to r, so that force and moments keep the angular momentum.
  const Vec3 arm_a = in.half_edge[a] / reach * r, arm_b = arm_a - r;
  Spring spring{pairs_[row], arm_a, arm_b, k * n * n.transpose()};
  Vec3 force = -k * depth * n;  // on a
  if (!awaited) {
    // Of the distance's own change, which no rotation of the whole brings about. At most doubles or takes away the spring's force
    // (implicit_contact.cpp).
    const double mass = ca.mass * cb.mass / (ca.mass + cb.mass), c = 2 * pair_damping_ratio(ca, cb) * std::sqrt(mass * k) / in.dt;
    const double elastic = k * depth, damped = c * ((in.start[b] - in.start[a]).norm() - distance);
    const double normal_force = elastic + std::clamp(damped, -elastic, elastic);
    if (!(normal_force > 0)) return;
    const double stiffness = k + (std::abs(damped) < elastic ? c : damped > 0 ? k : 0);
    Vec3 slip = in.shift[b] + in.turn[b].cross(arm_b) - in.shift[a] - in.turn[a].cross(arm_a);
    slip -= slip.dot(n) * n;
    const double friction = lags && friction_[row] >= 0 ? friction_[row] : rub(in, row, normal_force, hold_stiffness * k, slip, n);
    friction_[row] = friction;
    force = friction * slip - normal_force * n;
    spring.stiffness = stiffness * n * n.transpose() + friction * (Mat3::Identity() - n * n.transpose());
    touching_.push_back(pairs_[row]);
  }
  force_[a] += force;
  force_[b] -= force;
  moment_[a] += arm_a.cross(force);
  moment_[b] -= arm_b.cross(force);
  springs_.push_back(spring);
}

void ImplicitPairs::evaluate(const PairGuess& in, bool awaits, bool lags) {
  force_.assign(in.position.size(), Vec3::Zero());
  moment_.assign(in.position.size(), Vec3::Zero());
  touching_.clear(), springs_.clear();
  for (std::size_t row = 0; row < pairs_.size(); ++row) press(in, row, awaits, lags);
}

/// Of V(s), s = u_b + w_b x arm_b - u_a - w_a x arm_a: J^T S J with J_a = (-1, [arm_a]x), J_b = (1, -[arm_b]x). The change of the arms is left out,
/// so that nothing of it is indefinite.
void ImplicitPairs::add_stiffness(std::vector<Block6>& diagonal) {
  blocks_.clear();
  Eigen::Matrix<double, 3, 6> a, b;
  for (const Spring& spring : springs_) {
    a << -Mat3::Identity(), cross_matrix(spring.arm_a);
    b << Mat3::Identity(), -cross_matrix(spring.arm_b);
    diagonal[spring.voxels.first] += a.transpose() * spring.stiffness * a;
    diagonal[spring.voxels.second] += b.transpose() * spring.stiffness * b;
    blocks_.push_back({spring.voxels.first, spring.voxels.second, a.transpose() * spring.stiffness * b});
  }
}

}  // namespace vw
