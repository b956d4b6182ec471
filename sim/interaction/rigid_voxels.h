// Rigid bodies against voxel bodies: surface voxels pressed on shapes, two-way.
#pragma once

#include <vector>

#include "sim/interaction/implicit_side.h"
#include "sim/interaction/probe_contact.h"
#include "sim/interaction/rule.h"

namespace vw {

[[nodiscard]] const ParamTable<RuleParams>& rigid_voxels_params();

/// A voxel touches a body as it touches an obstacle (sim/system/voxel/contact.h): as the ball of half its edge, with its material's stiffness and
/// damping, pushed at its middle. Friction remembers shear, so that what rests does not creep. Momentum and angular momentum of the pair are kept. A
/// voxel whose middle is in a body when the rule begins does not meet it until they have come apart: what is joined there is not pushed out.
class RigidVoxels final : public RuleOf<RuleParams> {
 public:
  explicit RigidVoxels(const Node& self) : RuleOf(rigid_voxels_params(), self) {}

  /// Two springs of the stiffest voxel while a body is near, raised by what their dampers cost in stability.
  [[nodiscard]] double stiffness_npm(const System& a, const System& b) const override;
  /// What the springs of all voxels that may touch a body ask of its substeps; of voxel bodies that step implicitly see implicit_side.h.
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
  mutable std::vector<std::uint32_t> surface_;  ///< scratch: voxels with an open face
  ImplicitSide side_;
};

[[nodiscard]] const Schema& rigid_voxels_schema();

}  // namespace vw
