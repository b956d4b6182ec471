// Contact between two voxel bodies. Their surface voxels follow the same contact
// law as voxels within one body (sim/system/voxel/contact/pair_contact.h).
#pragma once

#include <utility>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/interaction/contact/implicit_side.h"
#include "sim/interaction/rule.h"
#include "sim/system/voxel/contact/pair_contact.h"

namespace vw {

[[nodiscard]] const ParamTable<RuleParams>& voxels_voxels_params();

/// Contact of two voxel bodies. The forces and moments of each pair conserve momentum and angular momentum.
class VoxelsVoxels final : public RuleOf<RuleParams> {
 public:
  explicit VoxelsVoxels(const Node& self) : RuleOf(voxels_voxels_params(), self) {}

  /// Returns the stiffness for the stability bound [N/m]: the contact stiffness of the stiffest pair of voxels, times
  /// `self_contact_springs` (the assumed number of simultaneous contacts of a voxel), times a factor for the damping.
  [[nodiscard]] double stiffness_npm(const System& a, const System& b) const override;
  /// Returns the longest substep [s] while the bodies are near each other and at least one of them steps implicitly.
  /// Otherwise returns infinity. The contact force on an implicit body changes only once per substep, which limits the
  /// stiffness of the contact springs. With this bound, the bodies penetrate each other by at most a few hundredths of
  /// a voxel edge.
  [[nodiscard]] double longest_dt(const System& a, const System& b, double dt) const override;
  void apply(System& a, System& b, const PairContext& context) override;

  [[nodiscard]] std::size_t watched() const { return pairs_.size(); }
  [[nodiscard]] std::size_t touching() const { return touching_; }

 private:
  void watch(const VoxelBody& a, const VoxelBody& b, const PairContext& context);
  void foresee(VoxelBody& a, VoxelBody& b, const PairContext& context);
  void count_pushes(const VoxelBody& a, const VoxelBody& b, const PairContext& context);
  [[nodiscard]] PairBound bound_of(const VoxelBody& a, const VoxelBody& b, std::size_t i, std::size_t j) const;
  [[nodiscard]] double answer_s() const;
  [[nodiscard]] bool watch_holds(const VoxelBody& a, const VoxelBody& b, const PairContext& context) const;

  // The members below are scratch memory. The candidate list always contains every pair that can touch, so results do
  // not depend on the time at which the list was built.
  CellGrid grid_;
  std::vector<std::uint32_t> surface_a_, surface_b_;
  std::vector<Vec3> position_a_, position_b_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  ImplicitSide side_a_, side_b_;
  double margin_ = 0, widest_ = 0;
  std::size_t touching_ = 0;
};

[[nodiscard]] const Schema& voxels_voxels_schema();

}  // namespace vw
