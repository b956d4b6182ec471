// Stiff springs that attach voxels to a rigid body, for example a mast to a hull or soft feet to a stiff trunk. The
// rule runs serially on the simulation thread, in the order of the voxels.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/interaction/contact/implicit_side.h"
#include "sim/interaction/rule.h"
#include "sim/system/rigid/rigid.h"

namespace vw {

struct WeldParams : RuleParams {
  std::string body;
  double reach_m = 0;
  double stiffness = 10;
  double damping_ratio = 0.2;
};
[[nodiscard]] const ParamTable<WeldParams>& weld_params();

/// When the rule starts, it attaches each voxel inside a rigid body or at its surface to that body, and stores the
/// position and orientation of the voxel in the body's frame. Springs then hold the voxel there. They are several times
/// as stiff as the bonds of the voxel. Voxel and body receive opposite forces at the voxel's centre and opposite
/// couples, so momentum and angular momentum are conserved to rounding.
class Weld final : public RuleOf<WeldParams> {
 public:
  explicit Weld(const Node& self) : RuleOf(weld_params(), self) {}

  [[nodiscard]] double stiffness_npm(const System& a, const System& b) const override;
  /// Returns the longest substep [s] that resolves the weld springs of each body. If the voxels step implicitly, the
  /// bound of implicit_side.h applies instead.
  [[nodiscard]] double longest_dt(const System& a, const System& b, double dt) const override;
  void apply(System& a, System& b, const PairContext& context) override;
  void visit_state(StateVisitor& visit) override;
  [[nodiscard]] double energy() const override { return energy_j_; }
  [[nodiscard]] std::optional<HealthIssue> check_health() const override { return issue_; }

  [[nodiscard]] std::size_t joined() const { return joined_.size(); }

 private:
  /// A voxel that is attached to a body. It belongs to the saved state and therefore consists of plain numbers.
  struct Joined {
    std::uint32_t voxel = 0, body = 0;
    /// Vector from the body's centre of mass to the voxel's centre, in the body's frame [m].
    std::array<double, 3> arm{};
    std::array<double, 4> turn{};  ///< Orientation of the voxel in the body's frame: quaternion x, y, z, w.
    template <class F>
    void each_number(F check) const {
      for (const double x : arm) check(x);
      for (const double x : turn) check(x);
    }
    template <class F>
    void each_member(F take) const {
      take("voxel", voxel), take("body", body), take("arm", arm), take("turn", turn);
    }
  };
  void forget() override { joined_.clear(), begun_ = 0, energy_j_ = 0, issue_.reset(); }
  void join(const RigidSystem& rigid, const VoxelBody& voxels);
  void learn_give(VoxelBody& voxels, const PairContext& context);
  [[nodiscard]] double spring_of(const VoxelBody& voxels, std::size_t voxel) const;
  [[nodiscard]] double most_load(const RigidSystem& rigid, const VoxelBody& voxels) const;
  void hold(const Joined& one, RigidSystem& rigid, VoxelBody& voxels, const PairContext& context, double soft);

  std::vector<Joined> joined_;  ///< State: the welded voxels.
  std::uint8_t begun_ = 0;      ///< State: whether join() has run.
  double energy_j_ = 0;
  std::optional<HealthIssue> issue_;
  ImplicitSide side_;
  mutable std::vector<double> load_;  ///< Scratch memory.
};

[[nodiscard]] const Schema& weld_schema();

}  // namespace vw
