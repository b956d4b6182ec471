// Voxels joined to a rigid body: a mast on a hull, soft feet on a stiff trunk. Simulation thread; serial, in the order of voxels.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/interaction/implicit_side.h"
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

/// Each voxel that is in the body or at its surface when the rule begins hangs on its place and attitude there by springs several times as stiff as
/// its bonds. Both sides get the same force at the voxel's middle and the same couple: momentum and angular momentum are kept to rounding.
class Weld final : public RuleOf<WeldParams> {
 public:
  explicit Weld(const Node& self) : RuleOf(weld_params(), self) {}

  [[nodiscard]] double stiffness_npm(const System& a, const System& b) const override;
  /// What all its springs together ask of the bodies' substeps; implicit_side.h for voxels that step implicitly.
  [[nodiscard]] double longest_dt(const System& a, const System& b, double dt) const override;
  void apply(System& a, System& b, const PairContext& context) override;
  void visit_state(StateVisitor& visit) override;
  [[nodiscard]] double energy() const override { return energy_j_; }
  [[nodiscard]] std::optional<HealthIssue> check_health() const override { return issue_; }

  [[nodiscard]] std::size_t joined() const { return joined_.size(); }

 private:
  /// Plain numbers, as they stand in a state.
  struct Joined {
    std::uint32_t voxel = 0, body = 0;
    std::array<double, 3> arm{};   ///< from the body's centre of mass, in its frame [m]
    std::array<double, 4> turn{};  ///< of the voxel in the body's frame: x, y, z, w
    template <class F>
    void each_number(F check) const {
      for (const double x : arm) check(x);
      for (const double x : turn) check(x);
    }
  };
  void forget() override { joined_.clear(), begun_ = 0, energy_j_ = 0, issue_.reset(); }
  void join(const RigidSystem& rigid, const VoxelBody& voxels);
  void learn_give(VoxelBody& voxels, const PairContext& context);
  [[nodiscard]] double spring_of(const VoxelBody& voxels, std::size_t voxel) const;
  [[nodiscard]] double most_load(const RigidSystem& rigid, const VoxelBody& voxels) const;
  void hold(const Joined& one, RigidSystem& rigid, VoxelBody& voxels, const PairContext& context, double soft);

  std::vector<Joined> joined_;  ///< state
  std::uint8_t begun_ = 0;      ///< state
  double energy_j_ = 0;
  std::optional<HealthIssue> issue_;
  ImplicitSide side_;
  mutable std::vector<double> load_;  ///< scratch
};

[[nodiscard]] const Schema& weld_schema();

}  // namespace vw
