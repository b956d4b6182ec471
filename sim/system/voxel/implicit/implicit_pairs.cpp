// Penalty contact and friction between voxels, evaluated at the end of a step.
#include "sim/system/voxel/implicit/implicit_pairs.h"

#include <algorithm>
#include <cmath>

namespace vw {
namespace {

/// Ratio of the lateral spring stiffness of a sticking pair to its normal spring stiffness. The lateral spring starts
/// unloaded in each step, so in each step a body at rest on a slope creeps by the ratio of its lateral load to the
/// lateral stiffness.
constexpr double pair_hold_stiffness = 10;
/// Gap, relative to the sum of the half edges, below which an expected contact counts as closed.
constexpr double near_pair_gap = 0.05;
/// Largest depth, relative to the sum of the half edges, that the initial guess may add to a contact. This limit bounds
/// the error of the spring forces at the initial guess.
constexpr double guess_depth = 0.01;

double reach_of(const PairGuess& in, const VoxelPair& pair) {
  return in.half_edge[pair.first] + in.half_edge[pair.second];
}

}  // namespace

void ImplicitPairs::begin(std::span<const VoxelPair> pairs) {
  pairs_ = pairs;
  met_ = false;
  expected_.assign(pairs.size(), 0);
  friction_.assign(pairs.size(), 0.0);
  normal_.assign(pairs.size(), 0.0);
  force_.clear(), moment_.clear(), touching_.clear(), springs_.clear(), blocks_.clear();
}

double ImplicitPairs::expect(const PairGuess& in, std::vector<VoxelPair>& met) {
  met.clear();
  double share = 1;
  for (std::size_t row = 0; row < pairs_.size(); ++row) {
    const auto& [a, b] = pairs_[row];
    const double reach = reach_of(in, pairs_[row]);
    const double start = (in.start[b] - in.start[a]).norm() - reach,
                 end = (in.position[b] - in.position[a]).norm() - reach;
    if (start >= 0 && end >= 0) continue;
    expected_[row] = 1;
    // Largest approach of the two voxels that the initial guess may contain [m].
    const double deeper = std::max(start, 0.0) + guess_depth * reach;
    if (start - end <= deeper) continue;
    share = std::min(share, deeper / (start - end));
    met.push_back(pairs_[row]);
  }
  return share;
}

/// Returns the lateral displacement of b's surface relative to a's surface in the step.
Vec3 ImplicitPairs::slip_of(const PairGuess& in, std::size_t row, const Vec3& normal, const Vec3& arm_a,
                            const Vec3& arm_b) const {
  const auto& [a, b] = pairs_[row];
  const Vec3 slip = in.shift[b] + in.turn[b].cross(arm_b) - in.shift[a] - in.turn[a].cross(arm_a);
  return slip - slip.dot(normal) * normal;
}

/// Returns the stiffness of a pair's friction spring [N/m]: the stiffness for sticking, or a smaller one so that the
/// force lies within the friction cone.
double ImplicitPairs::rub(const PairGuess& in, std::size_t row) const {
  const auto& [a, b] = pairs_[row];
  const VoxelClass &ca = in.constants->of(a), &cb = in.constants->of(b);
  const SurfaceMaterial pair = combine(ca.surface, cb.surface);
  const Vec3 r = in.position[b] - in.position[a], n = r.normalized(),
             arm_a = in.half_edge[a] / reach_of(in, pairs_[row]) * r;
  Vec3 before = in.before[b] - in.before[a];
  before -= before.dot(n) * n;
  // The static cone applies if the pair is so slow that friction stops it in this step or the next.
  const bool calm = before.norm() <= 2 * pair.mu_dynamic * in.gravity * in.dt;
  const double size = slip_of(in, row, n, arm_a, arm_a - r).norm(),
               spring = pair_hold_stiffness * pair_stiffness(ca, cb);
  return friction_spring(pair, normal_[row], size, spring, calm, in.dt);
}

void ImplicitPairs::press(const PairGuess& in, std::size_t row, bool awaits) {
  const auto& [a, b] = pairs_[row];
  normal_[row] = 0;
  const Vec3 r = in.position[b] - in.position[a];
  const double reach = reach_of(in, pairs_[row]), distance = r.norm(), depth = reach - distance;
  const bool awaited = awaits && depth <= 0 && expected_[row] != 0 && depth > -near_pair_gap * reach,
             pressed = depth > 0;
  if ((!pressed && !awaited && friction_[row] <= 0) || !(distance > 0)) return;
  const VoxelClass &ca = in.constants->of(a), &cb = in.constants->of(b);
  const double k = pair_stiffness(ca, cb);
  const Vec3 n = r / distance;
  // As in pair_contact(), both lever arms end in the same point, so that the loads conserve angular momentum.
  const Vec3 arm_a = in.half_edge[a] / reach * r, arm_b = arm_a - r;
  double normal_force = awaited ? k * depth : 0, stiffness = awaited ? k : 0;
  if (pressed) {
    // Damping acts on the change of the distance, so that it does not slow a rigid rotation. The damping force is
    // limited to the magnitude of the spring force, as in implicit_contact.cpp.
    const double mass = ca.mass * cb.mass / (ca.mass + cb.mass),
                 c = 2 * pair_damping_ratio(ca, cb) * std::sqrt(mass * k) / in.dt;
    const double elastic = k * depth, damped = c * ((in.start[b] - in.start[a]).norm() - distance);
    normal_force = normal_[row] = elastic + std::clamp(damped, -elastic, elastic);
    stiffness = k + (std::abs(damped) < elastic ? c : damped > 0 ? k : 0);
    if (normal_force > 0) touching_.push_back(pairs_[row]);
  }
  const Vec3 slip = slip_of(in, row, n, arm_a, arm_b);
  const Vec3 force = friction_[row] * slip - normal_force * n;  // force on voxel a
  force_[a] += force;
  force_[b] -= force;
  moment_[a] += arm_a.cross(force);
  moment_[b] -= arm_b.cross(force);
  met_ = true;
  springs_.push_back({pairs_[row], arm_a, arm_b,
                      (stiffness - friction_[row]) * n * n.transpose() + friction_[row] * Mat3::Identity()});
}

void ImplicitPairs::evaluate(const PairGuess& in, bool awaits) {
  force_.assign(in.position.size(), Vec3::Zero());
  moment_.assign(in.position.size(), Vec3::Zero());
  touching_.clear(), springs_.clear();
  for (std::size_t row = 0; row < pairs_.size(); ++row) press(in, row, awaits);
}

bool ImplicitPairs::update_friction_springs(const PairGuess& in) {
  bool changed = false;
  for (std::size_t row = 0; row < pairs_.size(); ++row) {
    const double before = friction_[row];
    friction_[row] = normal_[row] > 0 ? rub(in, row) : 0;
    changed = changed || friction_[row] != before;
  }
  return changed;
}

/// Adds the stiffness of all contacts. The potential of a contact depends on the relative displacement s = u_b + w_b x
/// arm_b - u_a - w_a x arm_a, with displacements u and rotation vectors w. S is the second derivative of the potential
/// with respect to s. The stiffness is J^T S J with J_a = (-1, [arm_a]x) and J_b = (1, -[arm_b]x), where [r]x is the
/// cross-product matrix of r. The change of the lever arms is left out, so that no term is indefinite.
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
