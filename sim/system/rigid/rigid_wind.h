// Wind on rigid bodies: the air is sampled at the parts of their surfaces once a world step; each substep takes its force and moment with the bodies'
// velocities of then. In: fields, bodies, who sleeps. Out: changes of velocity, and who is woken. Simulation thread, bodies over the workers.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/parameter.h"
#include "sim/base/state.h"
#include "sim/field/shade.h"
#include "sim/system/rigid/rest_watch.h"
#include "sim/system/rigid/rigid_scene.h"
#include "sim/system/rigid/wind_surface.h"

namespace vw {

/// Settings of a system: its parameters derive from it and list rigid_wind_params<P>().
struct RigidWindParams {
  bool wind = true;
  double wind_drag = 1;
  double wind_friction = 0.01;
  double wind_suction = 0;
  double wind_lift = 0;
  double wind_shielding = 1;
  double air_density = 1.2;
};
template <class P>
[[nodiscard]] std::array<Param<P>, 7> rigid_wind_params();

/// On a body, about its centre of mass.
struct WindLoad {
  Vec3 force = Vec3::Zero();   ///< [N]
  Vec3 moment = Vec3::Zero();  ///< [N m]
};

class RigidWind {
 public:
  /// Samples the air, and looks which sleepers it may move: whose load is none that they bore where they lie. What counts as rest is `rule`'s.
  void begin_step(const StepContext& context, const RigidScene& scene, const RigidWindParams& params, const RestRule& rule);
  /// Of each body, 1: wake it. Empty: nobody.
  [[nodiscard]] std::span<const std::uint8_t> wakes() const { return wakes_; }
  void woken() { wakes_.clear(); }

  /// See RigidSystem::note_wet.
  void keep_off(const RigidBody& body, std::size_t row, std::span<const Vec3> place, std::span<const float> wet);
  /// Finds what the wind adds in a substep to the velocities of those bodies that are awake and not yet `driven`.
  void find_pushes(const RigidScene& scene, std::span<const std::uint8_t> driven);
  /// Adds it to a body's velocities.
  void push(const RigidScene& scene, std::size_t body);
  /// After a substep: widens what bodies that were `awake` bore at their place; where one has `moved`, that begins anew.
  void note_borne(std::span<const std::uint8_t> awake, std::span<const std::uint8_t> moved);

  /// Sum over all bodies of the impulses [N s] of this world step.
  [[nodiscard]] const Vec3& given() const { return given_; }

  void visit_state(StateVisitor& visit);
  [[nodiscard]] std::string problem(std::size_t bodies) const;

 private:
  /// What the wind does to a body in a substep.
  struct Push {
    WindLoad load;
    Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();  ///< changes
  };
  /// Which places of a surface belong to which parts: each to the two nearest, the nearer the more, and to a part without any the one nearest to it.
  struct PlaceOn {
    std::array<std::uint32_t, 2> part{};
    std::array<double, 2> share{};  ///< none of a place that is deep
  };
  struct Places {
    std::vector<PlaceOn> on;
    std::vector<std::uint32_t> nearest_to;
  };
  void prepare(std::span<const RigidBody> bodies);
  [[nodiscard]] const Places& places_of(const RigidBody& body, std::size_t row, std::span<const Vec3> place);
  void forget_borne(const RigidScene& scene);
  void sample_air(const StepContext& context, const RigidScene& scene);
  void cast_shades(const RigidScene& scene);
  void look_at_sleepers(const StepContext& context, const RigidScene& scene, const RestRule& rule);
  [[nodiscard]] FaceDrag drag_of(const RigidScene& scene, std::size_t body) const;
  template <class F>
  void each_part(const RigidScene& scene, std::size_t body, F visit) const;
  [[nodiscard]] WindLoad load_of(const RigidScene& scene, std::size_t body) const;
  [[nodiscard]] Push push_of(const RigidScene& scene, std::size_t body) const;

  RigidWindParams params_;
  bool blows_ = false;                                                   ///< or there is a medium to move through
  Medium medium_;                                                        ///< the world's own; density 0: none
  std::vector<std::shared_ptr<const WindSurface>> surfaces_;             ///< by row; copies share one. Made when wind first blows
  std::vector<std::size_t> first_;                                       ///< where a body's parts begin in the arrays below; one more at the end
  std::vector<Vec3> place_, air_;                                        ///< of each part, at the step's start
  std::vector<FaceShade> shade_;                                         ///< likewise; empty: nothing shades anything
  std::vector<double> wet_;                                              ///< share that was in a liquid in this step; empty: all are dry
  std::map<std::pair<const WindSurface*, std::size_t>, Places> places_;  ///< by surface and number of places
  Shade caster_;
  std::vector<Push> pushes_;
  std::vector<std::uint8_t> wakes_;
  Vec3 given_ = Vec3::Zero();

  // State: the least and the most of each component that a body bore since it came to where it is. Empty while no wind has blown.
  std::vector<Vec3> force_low_, force_high_, moment_low_, moment_high_;
};

template <class P>
std::array<Param<P>, 7> rigid_wind_params() {
  using W = RigidWindParams;
  const W usual;
  return {{
      {static_cast<bool P::*>(&W::wind), "wind", usual.wind, Live::yes, "Surfaces feel the wind."},
      {static_cast<double P::*>(&W::wind_drag),
       "wind_drag",
       Unit::ratio,
       usual.wind_drag,
       {0, 10},
       Scale::linear,
       Live::yes,
       "Pressure coefficient of a surface that the wind blows against: the pressure is wind_drag / 2 air_density u_n^2. A plate across the wind has "
       "this drag coefficient, a ball half of it, a rod two thirds."},
      {static_cast<double P::*>(&W::wind_friction),
       "wind_friction",
       Unit::ratio,
       usual.wind_friction,
       {0, 1},
       Scale::linear,
       Live::yes,
       "Skin friction coefficient of a surface that the wind blows along."},
      {static_cast<double P::*>(&W::wind_suction),
       "wind_suction",
       Unit::ratio,
       usual.wind_suction,
       {0, 10},
       Scale::linear,
       Live::yes,
       "Pressure coefficient of a surface that is turned away from the wind or lies in the lee: it pulls outwards."},
      {static_cast<double P::*>(&W::wind_lift),
       "wind_lift",
       Unit::ratio,
       usual.wind_lift,
       {0, 1},
       Scale::linear,
       Live::yes,
       "How far surfaces are pressed as thin plates are: 0, by the square of the sine of the angle at which the wind meets them, as round and thick "
       "bodies; 1, by the sine where it is small, which lifts plates, sails and wings."},
      {static_cast<double P::*>(&W::wind_shielding),
       "wind_shielding",
       Unit::ratio,
       usual.wind_shielding,
       {0, 1},
       Scale::linear,
       Live::yes,
       "How much of the wind the parts of a mesh keep off those behind them. Bodies do not shield each other."},
      {static_cast<double P::*>(&W::air_density),
       "air_density",
       Unit::kilogram_per_m3,
       usual.air_density,
       {0, 100},
       Scale::linear,
       Live::yes,
       "Density of the air that a field blows, where the world has no medium of its own (`world.medium_density`)."},
  }};
}

}  // namespace vw
