// Two-way contact of surface voxels with the shapes of rigid bodies.
#pragma once

#include <vector>

#include "sim/interaction/contact/implicit_side.h"
#include "sim/interaction/contact/probe_contact.h"
#include "sim/interaction/rule.h"

namespace vw {

[[nodiscard]] const ParamTable<RuleParams>& rigid_voxels_params();

/// In contacts with bodies, as with obstacles (sim/system/voxel/contact/contact.h), a voxel is a sphere whose diameter
/// is the voxel's edge, with the stiffness and damping of the voxel's material. Forces act at the centre of the voxel.
/// Friction has tangential memory, so resting bodies do not creep. Momentum and angular momentum of the pair are
/// conserved. If the centre of a voxel is inside a body when the rule starts, the two do not collide until they have
/// separated. Voxels in which a body is embedded are therefore not pushed away.
class RigidVoxels final : public RuleOf<RuleParams> {
 public:
  explicit RigidVoxels(const Node& self) : RuleOf(rigid_voxels_params(), self) {}

  /// If a body is near and the voxel body steps explicitly, returns the stiffness of two springs of the stiffest voxel,
  /// times the factor that accounts for their dampers in the stability bound. Otherwise returns 0.
  [[nodiscard]] double stiffness_npm(const System& a, const System& b) const override;
  /// Returns the longest substep [s] of the rigid bodies, given the springs of all voxels that may touch them. If the
  /// voxel body steps implicitly, the bound of implicit_side.h applies instead.
  [[nodiscard]] double longest_dt(const System& a, const System& b, double dt) const override;
  void apply(System& a, System& b, const PairContext& context) override;
  void visit_state(StateVisitor& visit) override;
  [[nodiscard]] double energy() const override { return contact_.energy(); }

  [[nodiscard]] std::size_t touching() const { return contact_.touching(); }

 private:
  class Laws;
  void forget() override { contact_.forget(); }
  [[nodiscard]] Probes probes_of(const VoxelBody& body, double age) const;

  mutable ProbeContact contact_;
  mutable std::vector<std::uint32_t> surface_;  ///< Scratch memory: voxels with an open face.
  ImplicitSide side_;
};

[[nodiscard]] const Schema& rigid_voxels_schema();

}  // namespace vw
