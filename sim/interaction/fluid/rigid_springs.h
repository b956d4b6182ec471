// Rigid bodies filled with particles that repel fluid particles (Harada, Tanaka, Koshizuka, Kawaguchi 2007). A spring,
// a damper and a shear force act between a body particle and a fluid particle whose distance is less than the mean of
// their diameters. Both receive equal and opposite impulses, which depend on their present state.
#pragma once

#include <optional>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/base/parallel/segmented_sum.h"
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
  /// Adds the impulses over the time span `context.dt` to both sides.
  void act(FluidSystem& fluid, RigidSystem& rigid, const PairContext& context);
  /// Returns the longest substep [s] of both systems. With longer substeps, stable springs would be too soft to keep
  /// the fluid outside the bodies at the present pressures and speeds.
  [[nodiscard]] double longest_dt(const FluidSystem& fluid, const RigidSystem& rigid, double dt) const;
  /// Returns the elastic energy of the springs [J].
  [[nodiscard]] double energy_j() const { return energy_j_; }
  void visit_state(StateVisitor& visit) {
    visit("energy", energy_j_), visit("give", give_m_), visit("acted_until", acted_until_s_);
  }
  /// Returns the reason why a body cannot be filled with particles, or nullopt if all bodies can be filled.
  [[nodiscard]] const std::optional<HealthIssue>& issue() const { return issue_; }

 private:
  /// A fluid particle and a body particle that are closer than the interaction range of that body.
  struct Touch {
    std::uint32_t row = 0, body = 0;
    double depth = 0;
    Vec3 normal = Vec3::Zero();   ///< Unit vector from the body particle to the fluid particle.
    Vec3 place = Vec3::Zero();    ///< Position of the fluid particle [m].
    Vec3 impulse = Vec3::Zero();  ///< Impulse on the fluid particle [N s].
  };
  /// Present state of a body.
  struct Body {
    Vec3 center = Vec3::Zero(), velocity = Vec3::Zero(), spin = Vec3::Zero();  ///< Velocities include pending impulses.
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
  [[nodiscard]] Vec3 impulse_of(const Touch& touch, double beside, const Elements& rows, const PairContext& context,
                                double& energy_j) const;
  void hand_over(const Elements& rows, Elements& bodies);
  void look_at_surfaces(const RigidSystem& rigid);
  void keep_out(Elements& rows, Elements& bodies, double step);
  [[nodiscard]] double square_of_rate() const;

  RigidSpringsParams params_;
  double energy_j_ = 0;
  double give_m_ = 0;  ///< Part of the initial overlap that is not yet released [m]. The springs do not resist it.
  /// End of the time span of the last evaluation [s]. After a pause of more than one time span, the springs start
  /// without memory and do not resist the overlap that exists then.
  double acted_until_s_ = -1;
  std::optional<HealthIssue> issue_;

  // The members below describe the body particles, ordered by body, relative to the
  // centre of mass in the body's frame. They are rebuilt when the spacing changes.
  double spacing_m_ = 0;
  std::vector<std::uint32_t> first_;  ///< Index of the first particle of each body.
                                      ///< The last entry is the number of particles.
  std::vector<std::uint32_t> body_;   ///< Body of each particle.
  std::vector<Vec3> arm_;
  /// Interaction range of each body [m]. A fluid particle that is closer to a particle of the body is repelled.
  std::vector<double> range_m_;
  double widest_m_ = 0;

  /// A fluid particle in contact with a body, and its distance from the body's surface.
  struct Near {
    std::uint32_t row = 0, body = 0;
    SurfaceQuery surface;
  };

  // The members below are scratch memory.
  std::vector<Body> bodies_;
  std::vector<Vec3> place_;
  CellGrid grid_;
  std::vector<std::vector<Touch>> touches_;  ///< One entry per chunk of fluid particles.
  std::vector<std::vector<Near>> near_;      ///< One entry per chunk of fluid particles.
  std::vector<double> energy_of_;
  std::vector<std::uint32_t> touch_first_;  ///< Index of the first contact of each body. The last entry is the number
                                            ///< of contacts.
  std::vector<Vec3> touch_place_, touch_impulse_;
  std::vector<Wrench> totals_;
  SegmentedSum sum_;
};

}  // namespace vw
