// Pressure gauges: the pressure of the fluid on a small patch of an obstacle. Input: the forces on wall samples in each
// substep. Output: readings, which have no effect on the simulation.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/data/node.h"
#include "sim/base/data/state.h"
#include "sim/collision/collider.h"
#include "sim/snapshot/snapshot.h"
#include "sim/system/fluid/walls/walls.h"

namespace vw {

struct GaugeParams {
  std::string collider;
  Vec3 position{0, 0, 0};
  double radius_m = 0;
  double mean_time_s = 0.02;
};
/// Schema of `[[system.gauge]]`.
[[nodiscard]] const Schema& gauge_schema();

class Gauges {
 public:
  /// Reads the gauges of a fluid's node and fixes each to one of the colliders, given at their initial poses. A gauge
  /// that is too far from its collider is not attached (problem()). Returns an error if there is no collider for a
  /// gauge. The key of an error is the full path of the wrong parameter.
  [[nodiscard]] Result<void> attach(const Node& self, std::span<const Collider> colliders, double spacing_m);
  /// Sets the colliders, at their initial poses, after an edit of them. The gauges stay where they are on their
  /// colliders. The state contains these places if attach() would now attach the gauges elsewhere.
  void take_colliders(std::span<const Collider> colliders, double spacing_m);
  /// Returns the error of the first gauge that is not attached. If a state will be loaded or taken over, a gauge need
  /// not be attached before, because its collider may have been edited during the run.
  [[nodiscard]] std::optional<Error> problem() const;
  /// Attaches the gauges to the places in the state. Must be called after visit_state() has changed the state.
  void state_restored();
  /// Updates the parameters that may change while the world runs.
  void configure(const Node& self);
  [[nodiscard]] bool empty() const { return gauges_.empty(); }
  /// Takes over the readings of a former fluid's gauges. Gauge i was gauge was[i], or is new if was[i] is -1.
  void take_over(const Gauges& former, std::span<const std::ptrdiff_t> was);

  /// Returns the parts of the colliders whose samples the gauges need also where no fluid is near. Gauges of large
  /// radius have none, because their patches would need too many samples. The result is valid until the next call.
  [[nodiscard]] std::span<const WallPatch> patches(std::span<const Collider> colliders, double spacing_m);

  void begin_step();
  /// Updates the readings after the pressure solve of a substep. `owners`: owner of each sample in space.walls.
  /// `colliders`: colliders at their poses in the substep.
  void read(const SphWorkspace& space, std::span<const Walls::Owner> owners, std::span<const Collider> colliders,
            double dt);
  /// Appends the last readings [Pa]. gauge_NAME is the pressure in the last substep, gauge_NAME_mean its average over
  /// mean_time, and gauge_NAME_peak the highest pressure in the last world step.
  void add_totals(std::vector<Total>& out) const;

  void visit_state(StateVisitor& visit);
  [[nodiscard]] std::string state_problem() const;

 private:
  /// Place of a gauge on a collider.
  struct Place {
    std::string collider;  ///< Name of the collider. Empty if the gauge is not attached.
    /// Point on the surface and outward normal there, in the collider's frame.
    Vec3 place = Vec3::Zero(), normal = Vec3::UnitY();
    /// Whether the collider is a thin wall, in which samples at a smaller depth belong to the opposite face.
    bool is_thin = false;
    /// Returns the minimum depth of the samples of the gauge's face [spacings]. It is negative if the wall is not thin.
    [[nodiscard]] double least_depth() const;
  };
  struct Gauge {
    std::array<std::string_view, 3> names;  ///< Names of the gauge's totals.
    GaugeParams params;
    std::string path;  ///< Path of the gauge's node in the scene.
    int line = 0;
    Place at;     ///< Present place.
    Place own;    ///< Place that follows from the parameters and the present colliders.
    Error error;  ///< Error if `own` does not exist.
  };
  static void find_own_place(Gauge& gauge, std::span<const Collider> colliders, double spacing_m);
  void note_places();
  /// A sample in the patch of a gauge. `slot`: number of the sample among all samples that lie in a patch.
  struct Entry {
    std::uint32_t slot = 0, gauge = 0;
    double weight = 0;
  };
  /// Returns the radius of a gauge's patch [m].
  [[nodiscard]] static double radius_of(const Gauge& gauge, double spacing_m);
  void find_colliders(std::span<const Collider> colliders);
  void find_samples(const SphWorkspace& space, std::span<const Walls::Owner> owners,
                    std::span<const Collider> colliders);
  void find_pressures(const SphWorkspace& space, std::span<const Collider> colliders);

  std::vector<Gauge> gauges_;
  // State of each gauge [Pa]: pressure in the last substep, its mean over mean_time, and the highest pressure in the
  // world step.
  std::vector<double> pressure_, mean_, peak_;
  /// Present place of each gauge. Empty, and not part of the state, if each gauge is at its own place.
  /// `live_collider_`: index in `collider_names_`.
  std::vector<std::uint32_t> live_collider_;
  std::vector<Vec3> live_place_, live_normal_;
  std::vector<std::uint8_t> live_thin_;

  std::vector<std::string> collider_names_;  ///< In the order of the scene.
  // Scratch.
  /// Index of each gauge's collider in the substep, or the number of colliders if that collider is disabled.
  std::vector<std::size_t> collider_of_;
  std::vector<std::uint32_t> slot_of_wall_;  ///< Slot of each wall sample plus 1, or 0 for samples in no patch.
  std::vector<Vec3> force_;                  ///< Force on the sample of each slot [N].
  std::vector<Entry> entries_;
  std::vector<double> area_;  ///< Weighted area of each gauge's patch [m^2].
  std::vector<WallPatch> patches_;
};

}  // namespace vw
