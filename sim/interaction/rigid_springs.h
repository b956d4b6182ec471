// Rigid bodies as particles among those of a fluid (Harada, Tanaka, Koshizuka, Kawaguchi 2007): a spring, a damper and shear between every particle
// of a body and every one of the fluid that come nearer than a diameter. In: both systems as they stand. Out: equal and opposite impulses.
#pragma once

#include <optional>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/base/segmented_sum.h"
#include "sim/interaction/interaction.h"
#include "sim/system/fluid/fluid.h"
#include "sim/system/rigid/rigid.h"

namespace vw {

struct RigidSpringsParams {
  double stiffness_npm = 0;
  double damping_ratio = 1;
  double shear = 0.1;
  double mu = 0.3;
};
[[nodiscard]] const ParamTable<RigidSpringsParams>& rigid_springs_params();

class RigidSprings {
 public:
  void configure(const RigidSpringsParams& params) { params_ = params; }
  /// Adds the impulses of the span that `context` stands for to both sides.
  void act(FluidSystem& fluid, RigidSystem& rigid, const PairContext& context);
  /// Longest substep [s] of both sides in which springs hold what pressures and speeds push against them.
  [[nodiscard]] double longest_dt(const FluidSystem& fluid, const RigidSystem& rigid, double dt) const;
  /// In the springs now [J].
  [[nodiscard]] double energy_j() const { return energy_j_; }
  void visit_state(StateVisitor& visit) { visit("energy", energy_j_), visit("give", give_m_), visit("acted_until", acted_until_s_); }
  /// A body that cannot be filled with particles.
  [[nodiscard]] const std::optional<HealthIssue>& issue() const { return issue_; }

 private:
  /// A row of the fluid and a particle of a body that are nearer to each other than `range`.
  struct Touch {
    std::uint32_t row = 0, body = 0;
    double depth = 0;
    Vec3 normal = Vec3::Zero();   ///< from the body's to the fluid's
    Vec3 place = Vec3::Zero();    ///< of the fluid's
    Vec3 impulse = Vec3::Zero();  ///< on the fluid's [N s]
  };
  /// A body that may be touched, as it stands at the moment.
  struct Body {
    Vec3 center = Vec3::Zero(), velocity = Vec3::Zero(), spin = Vec3::Zero();  ///< what waits for it included
    Quat orientation = Quat::Identity();
    Mat3 inverse_inertia = Mat3::Zero();
    double inverse_mass = 0, range_m = 0;
    double touches = 0;
  };

  void cover(const RigidSystem& rigid, double spacing_m);
  void pose(const RigidSystem& rigid, double age);
  void find_touches(const Elements& rows, double age);
  void begin_softly(const PairContext& context);
  void press(Elements& rows, const PairContext& context);
  [[nodiscard]] Vec3 impulse_of(const Touch& touch, double beside, const Elements& rows, const PairContext& context, double& energy_j) const;
  void hand_over(const Elements& rows, Elements& bodies);
  void look_at_surfaces(const RigidSystem& rigid);
  void keep_out(Elements& rows, Elements& bodies, double step);
  [[nodiscard]] double square_of_rate() const;

  RigidSpringsParams params_;
  double energy_j_ = 0;
  double give_m_ = 0;          ///< overlap that springs began with and do not resist
  double acted_until_s_ = -1;  ///< they begin anew where that is long ago
  std::optional<HealthIssue> issue_;

  // Particles by body, about its centre of mass in its own frame; made anew for another spacing.
  double spacing_m_ = 0;
  std::vector<std::uint32_t> first_;  ///< of each body, and the end
  std::vector<std::uint32_t> body_;   ///< of each particle
  std::vector<Vec3> arm_;
  std::vector<double> range_m_;  ///< of each body: from whose middle a row is pushed off
  double widest_m_ = 0;

  /// A row that touches a body, and how far it is from the body's surface.
  struct Near {
    std::uint32_t row = 0, body = 0;
    SurfaceQuery surface;
  };

  // Scratch.
  std::vector<Body> bodies_;
  std::vector<Vec3> place_;
  CellGrid grid_;
  std::vector<std::vector<Touch>> touches_;  ///< of each part of the rows
  std::vector<std::vector<Near>> near_;      ///< likewise
  std::vector<double> energy_of_;
  std::vector<std::uint32_t> touch_first_;  ///< of each body
  std::vector<Vec3> touch_place_, touch_impulse_, touch_center_;
  std::vector<Wrench> totals_;
  SegmentedSum sum_;
};

}  // namespace vw
