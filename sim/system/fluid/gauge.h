// Pressure gauges: what the fluid presses with on a small patch of an obstacle. In: the forces that rows give to the samples of walls in each
// substep. Out: readings, which nothing in the simulation depends on.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/node.h"
#include "sim/base/state.h"
#include "sim/collision/collider.h"
#include "sim/snapshot/snapshot.h"
#include "sim/system/fluid/walls.h"

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
  /// Reads the gauges of a fluid's node; colliders as they are at the start, of which each gauge is fixed to one. An error's key is the parameter of
  /// the gauge that `failed` names.
  [[nodiscard]] Result<void> attach(const Node& self, std::span<const Collider> colliders, double spacing_m, std::string& failed);
  /// Takes over what may change while the world runs.
  void configure(const Node& self);
  [[nodiscard]] bool empty() const { return gauges_.empty(); }

  void begin_step();
  /// After the pressures of a substep were found; `owners` of the rows of space.walls, `colliders` where they were in it.
  void read(const SphWorkspace& space, std::span<const Walls::Owner> owners, std::span<const Collider> colliders, double dt);
  /// What they read last [Pa]: gauge_NAME in the last substep, gauge_NAME_mean over mean_time, gauge_NAME_peak the highest in the last world step.
  void add_totals(std::vector<Total>& out) const;

  void visit_state(StateVisitor& visit);
  [[nodiscard]] std::string state_problem() const;

 private:
  struct Gauge {
    std::array<std::string_view, 3> names;  ///< of its totals
    std::string collider;
    GaugeParams params;
    Vec3 place = Vec3::Zero(), normal = Vec3::UnitY();  ///< on the surface, outward, in the collider's frame
    double least_depth = 0;                             ///< of the samples behind its face [spacings]: less deep ones belong to the other face
  };
  /// A sample in the patch of a gauge, by its slot among all such samples.
  struct Entry {
    std::uint32_t slot = 0, gauge = 0;
    double weight = 0;
  };
  void find_colliders(std::span<const Collider> colliders);
  void find_samples(const SphWorkspace& space, std::span<const Walls::Owner> owners, std::span<const Collider> colliders);
  void find_pressures(const SphWorkspace& space, std::span<const Collider> colliders);

  std::vector<Gauge> gauges_;
  // State, of each gauge [Pa]: in the last substep, its mean over mean_time, and the highest in the world step.
  std::vector<double> pressure_, mean_, peak_;
  // Scratch.
  std::vector<std::size_t> collider_of_;     ///< index of each gauge's collider in the substep; the number of colliders if it is disabled
  std::vector<std::uint32_t> slot_of_wall_;  ///< 1 + slot; 0: in no patch
  std::vector<Vec3> force_;                  ///< on the sample of each slot [N]
  std::vector<Entry> entries_;
  std::vector<double> area_;  ///< of each gauge's patch, weighted [m^2]
};

}  // namespace vw
