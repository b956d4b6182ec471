// A watch list by a cell grid and a margin; forces pair by pair in the order of the voxels.
#include "sim/interaction/voxels_voxels.h"

#include <algorithm>
#include <cmath>

#include "sim/system/voxel/self_contact.h"
#include "sim/system/voxel/voxel_body.h"

namespace vw {
namespace {

void list_surface(const VoxelBody& body, std::vector<std::uint32_t>& surface, std::vector<Vec3>& position, double& widest) {
  surface.clear();
  position.clear();
  const Elements& e = body.elements();
  for (std::size_t v = 0; v < e.size(); ++v) {
    if (body.topology().exposed[v] == 0) continue;
    surface.push_back(static_cast<std::uint32_t>(v));
    position.push_back(e.position[v]);
    widest = std::max(widest, e.radius[v]);
  }
}

bool still(const VoxelBody& body, const std::vector<std::uint32_t>& surface, const std::vector<Vec3>& position, double margin, double widest) {
  const Elements& e = body.elements();
  for (std::size_t i = 0; i < surface.size(); ++i)
    if (!((e.position[surface[i]] - position[i]).squaredNorm() <= margin * margin) || e.radius[surface[i]] > widest) return false;
  std::size_t exposed = 0;
  for (const std::uint8_t faces : body.topology().exposed) exposed += faces != 0 ? 1 : 0;
  return exposed == surface.size();  // a crack lays voxels bare
}

/// A voxel where it is `age` after its last substep.
PairVoxel voxel_at(const VoxelBody& body, std::size_t v, double age) {
  const Elements& e = body.elements();
  return {e.position[v] + age * e.velocity[v], e.velocity[v], e.angular_velocity[v], e.radius[v], &body.constants().of(v)};
}

}  // namespace

const ParamTable<VoxelsVoxelsParams>& voxels_voxels_params() {
  using P = VoxelsVoxelsParams;
  static const ParamTable<P> table{
      {&P::enabled, "enabled", true, Live::yes, "Whether the bodies meet."},
      {&P::a, "a", "", Live::no, "Name of one of the two bodies; empty: every voxel body."},
      {&P::b, "b", "", Live::no, "Name of the other; empty: every other one."},
  };
  return table;
}

const Schema& voxels_voxels_schema() {
  static const Schema schema{"voxel_body_voxel_body", "Voxel bodies meet each other.", voxels_voxels_params().specs(), {}};
  return schema;
}

Result<std::unique_ptr<Interaction>> create_voxels_voxels(const Node& self) {
  return std::unique_ptr<Interaction>(std::make_unique<VoxelsVoxels>(voxels_voxels_params().read(self.values)));
}

Result<void> VoxelsVoxels::configure(const Node& self) {
  params_ = voxels_voxels_params().read(self.values);
  return {};
}

double VoxelsVoxels::stiffness_npm(const System& a, const System& b) const {
  double stiffest = 0;
  for (const VoxelClass& ca : static_cast<const VoxelBody&>(a).constants().classes)
    for (const VoxelClass& cb : static_cast<const VoxelBody&>(b).constants().classes) stiffest = std::max(stiffest, pair_stiffness(ca, cb));
  // As in particles_voxels: w dt <= 2 (sqrt(zeta^2 + 1) - zeta), with the damping ratio of pair_contact at most 1/2.
  constexpr double zeta = 0.5;
  const double cost = std::sqrt(zeta * zeta + 1) + zeta;
  return self_contact_springs * stiffest * cost * cost;
}

void VoxelsVoxels::watch(const VoxelBody& a, const VoxelBody& b) {
  widest_ = 0;
  list_surface(a, surface_a_, position_a_, widest_);
  list_surface(b, surface_b_, position_b_, widest_);
  margin_ = 0.25 * widest_;
  const double reach = 2 * widest_ + 3 * margin_;  // both may move a margin, and a coarser side is looked at up to half of one ahead
  grid_.build(position_b_, reach);
  pairs_.clear();
  for (std::size_t i = 0; i < surface_a_.size(); ++i) {
    const std::size_t first = pairs_.size();
    grid_.near(position_a_[i], [&](std::uint32_t j) {
      if ((position_b_[j] - position_a_[i]).squaredNorm() < reach * reach) pairs_.emplace_back(surface_a_[i], surface_b_[j]);
    });
    std::sort(pairs_.begin() + static_cast<std::ptrdiff_t>(first), pairs_.end());
  }
}

bool VoxelsVoxels::watch_holds(const VoxelBody& a, const VoxelBody& b) const {
  if (surface_a_.empty() || surface_b_.empty()) return false;
  if (surface_a_.back() >= a.elements().size() || surface_b_.back() >= b.elements().size()) return false;
  return still(a, surface_a_, position_a_, margin_, widest_) && still(b, surface_b_, position_b_, margin_, widest_);
}

void VoxelsVoxels::apply(System& a, System& b, const PairContext& context) {
  auto &first = static_cast<VoxelBody&>(a), &second = static_cast<VoxelBody&>(b);
  if (!watch_holds(first, second)) watch(first, second);
  touching_ = 0;
  Elements &ea = a.elements(), &eb = b.elements();
  for (const auto& [i, j] : pairs_) {
    PairPush push;
    if (!pair_contact(voxel_at(first, i, context.age_a), voxel_at(second, j, context.age_b), context.dt, push)) continue;
    ++touching_;
    ea.room_for_impulses().impulse[i] += context.dt * push.force;
    eb.room_for_impulses().impulse[j] -= context.dt * push.force;
    // Each side takes its impulse up where it was at its last substep: the couple of that lever goes with it.
    ea.angular_impulse[i] += context.dt * (push.moment_a + context.age_a * ea.velocity[i].cross(push.force));
    eb.angular_impulse[j] += context.dt * (push.moment_b - context.age_b * eb.velocity[j].cross(push.force));
  }
}

}  // namespace vw
