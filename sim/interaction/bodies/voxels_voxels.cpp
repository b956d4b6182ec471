// A cell grid with a margin yields the candidate pairs. Forces are added pair by pair, in the order of the voxels.
#include "sim/interaction/bodies/voxels_voxels.h"

#include <algorithm>
#include <cmath>

#include "sim/system/voxel/contact/self_contact.h"

namespace vw {
namespace {

/// Returns the position of a voxel, extrapolated by the time `age` since the last substep of its body. Without the
/// extrapolation, two bodies that move together and have different substeps would seem to be apart.
Vec3 voxel_place(const Elements& e, std::size_t v, double age) { return e.position[v] + age * e.velocity[v]; }

void list_surface(const VoxelBody& body, double age, std::vector<std::uint32_t>& surface, std::vector<Vec3>& position,
                  double& widest) {
  surface.clear();
  position.clear();
  const Elements& e = body.elements();
  for (std::size_t v = 0; v < e.size(); ++v) {
    if (body.topology().exposed[v] == 0) continue;
    surface.push_back(static_cast<std::uint32_t>(v));
    position.push_back(voxel_place(e, v, age));
    widest = std::max(widest, e.radius[v]);
  }
}

bool still(const VoxelBody& body, double age, const std::vector<std::uint32_t>& surface,
           const std::vector<Vec3>& position, double margin, double widest) {
  const Elements& e = body.elements();
  const std::vector<std::uint8_t>& faces = body.topology().exposed;
  for (std::size_t i = 0; i < surface.size(); ++i)
    if (!((voxel_place(e, surface[i], age) - position[i]).squaredNorm() <= margin * margin) ||
        e.radius[surface[i]] > widest || faces[surface[i]] == 0)
      return false;
  // A crack exposes further voxels, so the two counts differ. After a return to a moment of another branch, other
  // voxels may be exposed.
  const auto exposed = faces.size() - static_cast<std::size_t>(std::count(faces.begin(), faces.end(), std::uint8_t{0}));
  return exposed == surface.size();
}

/// Returns the state of a voxel, extrapolated by the time `age` since the last substep of its body.
PairVoxel voxel_at(const VoxelBody& body, std::size_t v, double age) {
  const Elements& e = body.elements();
  return {voxel_place(e, v, age), e.velocity[v], e.angular_velocity[v], e.radius[v], &body.constants().of(v)};
}

double stiffest_pair(const VoxelBody& a, const VoxelBody& b) {
  double stiffest = 0;
  for (const VoxelClass& ca : a.constants().classes)
    for (const VoxelClass& cb : b.constants().classes) stiffest = std::max(stiffest, pair_stiffness(ca, cb));
  return stiffest;
}

}  // namespace

const ParamTable<RuleParams>& voxels_voxels_params() {
  static const ParamTable<RuleParams> table{
      rule_params("Whether the bodies collide.", "Name of one of the two bodies. Empty means every voxel body.",
                  "Name of the other body. Empty means every other voxel body."),
  };
  return table;
}

const Schema& voxels_voxels_schema() {
  static const Schema schema{"voxel_body_voxel_body",
                             "Voxel bodies collide with each other.",
                             voxels_voxels_params().specs(),
                             {},
                             "Two voxel bodies"};
  return schema;
}

double VoxelsVoxels::stiffness_npm(const System& a, const System& b) const {
  // A spring of angular frequency w with damping ratio zeta is stable if w dt <= 2 (sqrt(zeta^2 + 1) - zeta). The
  // damping ratio of pair_contact() is at most 1/2.
  constexpr double zeta = 0.5;
  const double cost = std::sqrt(zeta * zeta + 1) + zeta;
  return self_contact_springs * stiffest_pair(static_cast<const VoxelBody&>(a), static_cast<const VoxelBody&>(b)) *
         cost * cost;
}

double VoxelsVoxels::longest_dt(const System& a, const System& b, double dt) const {
  const double free = std::numeric_limits<double>::infinity();
  const auto &first = static_cast<const VoxelBody&>(a), &second = static_cast<const VoxelBody&>(b);
  if (!is_implicit(first) && !is_implicit(second)) return free;
  const Extent ea = extent_of(a.elements()), eb = extent_of(b.elements());
  const Vec3 common = (ea.momentum + eb.momentum) / (ea.mass + eb.mass);
  const double speed = fastest_of(a.elements(), common) + fastest_of(b.elements(), common);
  const double way = 2 * speed * dt + implicit_pull * dt * dt + 2 * (ea.widest + eb.widest);
  if (ea.box.exteriorDistance(eb.box) > way) return free;
  // At the substep `least`, the contact springs already have their full stiffness, so a shorter substep has no benefit.
  const double stiff = self_contact_springs * stiffest_pair(first, second);
  const double least = stiff > 0 ? std::sqrt(implicit_share * std::min(ea.lightest, eb.lightest) / stiff) : free;
  return std::max(
      least, implicit_contact_dt(2 * std::min(ea.widest, eb.widest), std::max(ea.mass_ratio, eb.mass_ratio), speed));
}

/// Computes the compliance of the voxels on which the other body may press during the substep. This function is called
/// at the start of an implicit side's substep.
void VoxelsVoxels::foresee(VoxelBody& a, VoxelBody& b, const PairContext& context) {
  // Pairs nearer than `soon` times the contact distance may touch in this substep. longest_dt()
  // limits the approach per substep accordingly, and the list of candidates contains all such pairs.
  constexpr double soon = 1.1;
  const bool now_a = side_a_.slow && context.age_a == 0, now_b = side_b_.slow && context.age_b == 0;
  if (now_a) side_a_.pushes.assign(a.elements().size(), 0);
  if (now_b) side_b_.pushes.assign(b.elements().size(), 0);
  for (const auto& [i, j] : pairs_) {
    const PairVoxel va = voxel_at(a, i, context.age_a), vb = voxel_at(b, j, context.age_b);
    const double reach = soon * (va.half_edge + vb.half_edge);
    if (!((vb.position - va.position).squaredNorm() < reach * reach)) continue;
    if (now_a) side_a_.pushes[i] = 1;
    if (now_b) side_b_.pushes[j] = 1;
  }
  if (now_a) side_a_.ask(a);
  if (now_b) side_b_.ask(b);
}

void VoxelsVoxels::count_pushes(const VoxelBody& a, const VoxelBody& b, const PairContext& context) {
  side_a_.pushes.assign(side_a_.slow ? a.elements().size() : 0, 0);
  side_b_.pushes.assign(side_b_.slow ? b.elements().size() : 0, 0);
  for (const auto& [i, j] : pairs_) {
    const PairVoxel va = voxel_at(a, i, context.age_a), vb = voxel_at(b, j, context.age_b);
    const double reach = va.half_edge + vb.half_edge;
    if (!((vb.position - va.position).squaredNorm() < reach * reach)) continue;
    if (side_a_.slow) ++side_a_.pushes[i];
    if (side_b_.slow) ++side_b_.pushes[j];
  }
}

/// Returns the upper bounds of stiffness and effective mass for a pair with at least one implicit side. All contacts of
/// a voxel press at once, so the compliance of the voxel is multiplied by the number of its contacts.
PairBound VoxelsVoxels::bound_of(const VoxelBody& a, const VoxelBody& b, std::size_t i, std::size_t j) const {
  const VoxelClass &ca = a.constants().of(i), &cb = b.constants().of(j);
  const double give_a = side_a_.slow ? side_a_.give[i] * std::max(1U, side_a_.pushes[i]) : 0;
  const double give_b = side_b_.slow ? side_b_.give[j] * std::max(1U, side_b_.pushes[j]) : 0;
  PairBound bound;
  if (give_a + give_b > 0) bound.stiffness = implicit_share / (give_a + give_b);
  const double own = ca.mass * cb.mass / (ca.mass + cb.mass), k = pair_stiffness(ca, cb), step = answer_s();
  bound.mass = std::numeric_limits<double>::infinity();
  if (give_a > 0) bound.mass = side_a_.step * side_a_.step / give_a;
  if (give_b > 0) bound.mass = std::min(bound.mass, side_b_.step * side_b_.step / give_b);
  // An explicit side is stable only if the damper respects the step bound of that side, and if friction removes
  // at most 0.15 of the slip in each of its substeps. The factor is 0.3, because pair_contact() halves the mass.
  const double damper = own * std::max(1.0, k / bound.stiffness);
  if (!side_a_.slow) bound.mass = std::min({bound.mass, damper, 0.3 * ca.mass * step / side_a_.step});
  if (!side_b_.slow) bound.mass = std::min({bound.mass, damper, 0.3 * cb.mass * step / side_b_.step});
  if (!std::isfinite(bound.mass)) bound.mass = own;  // Both voxels have prescribed motion.
  return bound;
}

/// Returns the time over which friction responds to slip [s]: the longer substep of those sides that step implicitly,
/// or 0 if no side steps implicitly.
double VoxelsVoxels::answer_s() const {
  return std::max(side_a_.slow ? side_a_.step : 0, side_b_.slow ? side_b_.step : 0);
}

void VoxelsVoxels::watch(const VoxelBody& a, const VoxelBody& b, const PairContext& context) {
  widest_ = 0;
  list_surface(a, context.age_a, surface_a_, position_a_, widest_);
  list_surface(b, context.age_b, surface_b_, position_b_, widest_);
  margin_ = 0.25 * widest_;
  // Each side may move by the margin. The third margin covers the distance at which foresee() expects a contact.
  const double reach = 2 * widest_ + 3 * margin_;
  grid_.build(position_b_, reach);
  pairs_.clear();
  for (std::size_t i = 0; i < surface_a_.size(); ++i) {
    const std::size_t first = pairs_.size();
    grid_.near(position_a_[i], [&](std::uint32_t j) {
      if ((position_b_[j] - position_a_[i]).squaredNorm() < reach * reach)
        pairs_.emplace_back(surface_a_[i], surface_b_[j]);
    });
    std::sort(pairs_.begin() + static_cast<std::ptrdiff_t>(first), pairs_.end());
  }
}

bool VoxelsVoxels::watch_holds(const VoxelBody& a, const VoxelBody& b, const PairContext& context) const {
  if (surface_a_.empty() || surface_b_.empty()) return false;
  if (surface_a_.back() >= a.elements().size() || surface_b_.back() >= b.elements().size()) return false;
  return still(a, context.age_a, surface_a_, position_a_, margin_, widest_) &&
         still(b, context.age_b, surface_b_, position_b_, margin_, widest_);
}

void VoxelsVoxels::apply(System& a, System& b, const PairContext& context) {
  auto &first = static_cast<VoxelBody&>(a), &second = static_cast<VoxelBody&>(b);
  side_a_.slow = is_implicit(first), side_a_.step = context.step_a;
  side_b_.slow = is_implicit(second), side_b_.step = context.step_b;
  const bool slow = side_a_.slow || side_b_.slow;
  if (!watch_holds(first, second, context)) watch(first, second, context);
  if (slow) {
    foresee(first, second, context);
    count_pushes(first, second, context);
  }
  const double answer = slow ? answer_s() : context.dt;
  touching_ = 0;
  Elements &ea = a.elements(), &eb = b.elements();
  for (const auto& [i, j] : pairs_) {
    PairPush push;
    if (!pair_contact(voxel_at(first, i, context.age_a), voxel_at(second, j, context.age_b), answer, push,
                      slow ? bound_of(first, second, i, j) : PairBound{}))
      continue;
    ++touching_;
    ea.note_meeting(i);
    eb.note_meeting(j);
    ea.room_for_impulses().impulse[i] += context.dt * push.force;
    eb.room_for_impulses().impulse[j] -= context.dt * push.force;
    // The pending impulse of a voxel acts at the position after its last substep, not at the present position. The
    // moment of the force about the former position is therefore added.
    ea.angular_impulse[i] += context.dt * (push.moment_a + context.age_a * ea.velocity[i].cross(push.force));
    eb.angular_impulse[j] += context.dt * (push.moment_b - context.age_b * eb.velocity[j].cross(push.force));
  }
}

}  // namespace vw
