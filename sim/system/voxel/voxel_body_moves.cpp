// Moves of voxels that are not part of a step: the whole body (SetPose), and voxels that return to their rest positions
// after an edit.
#include <algorithm>
#include <cmath>

#include "sim/system/voxel/voxel_body.h"

namespace vw {
namespace {

/// True if the constraints of a voxel would undo a displacement of the voxel by `shift` and its rotation by `turn`. One
/// or two constrained rotations do not prescribe an orientation (apply_held()).
bool undoes(const HeldVoxel& held, const Vec3& shift, const Quat& turn, double edge_m) {
  constexpr double tolerance = 1e-6;  // in voxel edges and radians
  for (int i = 0; i < 3; ++i)
    if ((held.freedoms >> i & 1) != 0 && std::abs(shift[i]) > tolerance * edge_m) return true;
  return (held.freedoms & all_rotations) == all_rotations && turn.vec().norm() > 0.5 * tolerance;
}

}  // namespace

void VoxelBody::return_to_rest(const ResolvedRegions& former) {
  Elements& e = elements_;
  for (const HeldVoxel& held : former.held) {
    const std::size_t v = held.voxel;
    if (held.freedoms != all_freedoms || v >= regions_.fixed.size() || regions_.fixed[v] == 0) continue;
    returned_.push_back({v, e.position[v], e.velocity[v], e.angular_velocity[v], e.orientation[v]});
    e.position[v] = rest_position(v);
    e.orientation[v] = start_turn_;
    e.velocity[v].setZero(), e.angular_velocity[v].setZero();
    has_self_pairs_ = false;
    watch_.forget();
  }
}

Result<std::vector<std::uint8_t>> VoxelBody::displace(std::size_t row, const Displacement& motion) {
  (void)row;  // the whole body moves
  const auto is_undone = [&](const HeldVoxel& held) {
    const Vec3& x = elements_.position[held.voxel];
    return undoes(held, motion.moved(x) - x, motion.rotation, lattice_.edge_m);
  };
  if (std::ranges::find_if(regions_.fixed, [](std::uint8_t fixed) { return fixed != 0; }) != regions_.fixed.end() ||
      std::ranges::any_of(regions_.held, is_undone))
    return fail(name() + " cannot be moved: a region holds some of its voxels");
  for (std::size_t v = 0; v < elements_.size(); ++v) {
    elements_.position[v] = motion.moved(elements_.position[v]);
    elements_.orientation[v] = motion.turned(elements_.orientation[v]);
    elements_.velocity[v].setZero(), elements_.angular_velocity[v].setZero();
  }
  std::ranges::fill(elements_.impulse, Vec3::Zero());
  std::ranges::fill(elements_.angular_impulse, Vec3::Zero());
  std::ranges::fill(contacts_, ContactState{});
  state_restored();
  return std::vector<std::uint8_t>(elements_.size(), 1);
}

}  // namespace vw
