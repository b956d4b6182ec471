// Pressure gauges: the pressure of the fluid on a small patch of an obstacle. Input: the forces on wall samples in each
// substep. Output: readings, which have no effect on the simulation.
#pragma once

#include <array>
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
  /// Reads the gauges of a fluid's node and fixes each to one of the colliders, given at their initial poses. On an
  /// error, `failed` is the name of the gauge, and the key of the error is the name of the wrong parameter.
  [[nodiscard]] Result<void> attach(const Node& self, std::span<const Collider> colliders, double spacing_m,
                                    std::string& failed);
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
  struct Gauge {
    std::array<std::string_view, 3> names;  ///< Names of the gauge's totals.
    std::string collider;
    GaugeParams params;
    /// Point on the surface and outward normal there, in the collider's frame.
    Vec3 place = Vec3::Zero(), normal = Vec3::UnitY();
    /// Minimum depth of the samples of the gauge's face [spacings]. In a thin wall, samples at a smaller depth belong
    /// to the opposite face. For other walls the value is negative.
    double least_depth = 0;
  };
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
