// Wind on rigid bodies. The air velocity is sampled at the parts of each surface once per world step. Each substep
// computes force and moment with the current velocities. Input: fields, bodies, and which bodies sleep. Output:
// velocity changes, and the bodies that wake up. The calls come from the simulation thread, which distributes the
// bodies over the workers.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/data/parameter.h"
#include "sim/base/data/state.h"
#include "sim/field/drag/shade.h"
#include "sim/system/rigid/rest_watch.h"
#include "sim/system/rigid/rigid_scene.h"
#include "sim/system/rigid/wind/wind_surface.h"

namespace vw {

/// Wind settings of a system. The parameters of the rigid system derive from this struct, and their table includes
/// rigid_wind_params().
struct RigidWindParams {
  bool wind = true;
  double wind_drag = 1;
  double wind_friction = 0.01;
  double wind_suction = 0;
  double wind_lift = 0;
  double wind_shielding = 1;
  double air_density = 1.2;
};
[[nodiscard]] const ParamTable<RigidWindParams>& rigid_wind_params();

/// Wind load on a body.
struct WindLoad {
  Vec3 force = Vec3::Zero();   ///< Force [N].
  Vec3 moment = Vec3::Zero();  ///< Moment about the centre of mass [N m].
};

class RigidWind {
 public:
  /// Samples the air. Also finds the sleeping bodies that the wind wakes: those whose wind load is outside the range of
  /// loads under which they have stayed at rest. `rule` is the criterion of rest.
  void begin_step(const StepContext& context, const RigidScene& scene, const RigidWindParams& params,
                  const RestRule& rule);
  /// For each body: 1 if the wind wakes it. Empty if no wind has blown yet, and between woken() and the next
  /// begin_step().
  [[nodiscard]] std::span<const std::uint8_t> wakes() const { return wakes_; }
  void woken() { wakes_.clear(); }

  /// Removes the wind from the parts of a body that a liquid covers. For `place` and `wet`, see
  /// RigidSystem::note_wet().
  void keep_off(const RigidBody& body, std::size_t row, std::span<const Vec3> place, std::span<const float> wet);
  /// Computes the velocity changes by wind in a substep, for all awake bodies whose entry in `driven` is 0.
  void find_pushes(const RigidScene& scene, std::span<const std::uint8_t> driven);
  /// Adds the velocity change of a body to its velocities.
  void push(const RigidScene& scene, std::size_t body);
  /// Records wind loads after a substep. For each body whose entry in `awake` is 1, extends the range of loads under
  /// which the body has stayed at rest by the current load. If the body's entry in `moved` is 1, the range starts again
  /// with the current load.
  void note_borne(std::span<const std::uint8_t> awake, std::span<const std::uint8_t> moved);

  /// Sum of the wind's impulses on all bodies in this world step [N s].
  [[nodiscard]] const Vec3& given() const { return given_; }
  void forget_given() { given_.setZero(); }  ///< Sets given() to zero, because another state was restored.

  void visit_state(StateVisitor& visit);
  [[nodiscard]] std::string problem(std::size_t bodies) const;

 private:
  /// Effect of the wind on a body in a substep.
  struct Push {
    WindLoad load;
    Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();  ///< Velocity changes.
  };
  /// The two parts of a surface nearest to a surface point, and the weight of each. The surface points are those for
  /// which keep_off() receives the wetted fraction. The nearer part has the larger weight.
  struct PlaceOn {
    std::array<std::uint32_t, 2> part{};
    std::array<double, 2> share{};  ///< Weights. Zero for points deep below the surface.
  };
  struct Places {
    /// For each surface point: the parts to which the point belongs.
    std::vector<PlaceOn> on;
    /// For each part: the surface point nearest to it, used if no point belongs to the part.
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
  bool blows_ = false;  ///< Whether a wind blows, or the world has a medium in which bodies move.
  Medium medium_;       ///< Medium of the world. Its density is 0 if there is none.
  /// Surface of each body, created when wind first blows. Copies of a body share one surface.
  std::vector<std::shared_ptr<const WindSurface>> surfaces_;
  /// Index of each body's first part in `place_`, `air_`, `shade_` and `wet_`. One more entry marks the end.
  std::vector<std::size_t> first_;
  std::vector<Vec3> place_, air_;  ///< For each part: position and air velocity at the start of the step.
  std::vector<FaceShade> shade_;   ///< Wind shelter of each part. Empty if no part shelters another.
  /// For each part: fraction that a liquid covered in this step. Empty if all parts are dry.
  std::vector<double> wet_;
  /// For each surface and number of surface points: the parts to which the points belong.
  std::map<std::pair<const WindSurface*, std::size_t>, Places> places_;
  Shade caster_;
  std::vector<Push> pushes_;
  std::vector<std::uint8_t> wakes_;
  Vec3 given_ = Vec3::Zero();

  // State: smallest and largest value of each load component since the body came to rest. The arrays are empty until
  // wind blows for the first time.
  std::vector<Vec3> force_low_, force_high_, moment_low_, moment_high_;
};

}  // namespace vw
