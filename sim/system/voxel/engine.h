// Explicit integrator of one lattice. It advances the lattice by runs of substeps. The engine owns the state arrays and
// the sweep plan, which determines the order in which vector code visits the voxels. Each run starts from the body's
// state, so no result depends on data that the engine retains between runs. The engine is called on the simulation
// thread. Within a run, each thread of a team advances one slab of the plan. Results are bitwise independent of the
// number of threads.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/base/parallel/spin_team.h"
#include "sim/system/voxel/contact/contact.h"
#include "sim/system/voxel/contact/self_contact.h"
#include "sim/system/voxel/explicit/sweep.h"
#include "sim/system/voxel/lattice/material_law.h"
#include "sim/system/voxel/lattice/regions.h"
#include "sim/system/voxel/lattice/temperature.h"
#include "sim/system/voxel/wind.h"

namespace vw {

/// Input of a run besides the elements. A run changes `topology`, `constants`, `memory` and `contacts`.
struct EngineInput {
  LatticeTopology* topology = nullptr;  ///< bonds that break are removed from it
  LatticeConstants* constants = nullptr;
  const LatticeLaws* laws = nullptr;
  BondMemory* memory = nullptr;
  const ResolvedRegions* regions = nullptr;
  std::span<const Vec3> rest_position;       ///< positions at time 0, for prescribed motion
  Quat rest_orientation = Quat::Identity();  ///< orientation of all voxels at time 0
  TemperatureProgram program;
  const TemperaturePhases* phases = nullptr;
  const BodyMuscles* muscles = nullptr;
  std::span<const Collider> colliders;
  WindView wind;
  Vec3 gravity = Vec3::Zero();
  Vec3 load = Vec3::Zero();  ///< gravity plus (sum of the regions' forces) / (mass of the body) [m/s^2]
  double voxels_across = 1;  ///< longest edge of the lattice in voxels
  Precision precision = Precision::mixed;
  bool self_contact = true;
  std::span<ContactState> contacts;
};

class LatticeEngine {
 public:
  /// Discards the sweep plan and the list of self-contact pairs. Call this after the structure or the constants
  /// changed. The next run rebuilds both.
  void invalidate() {
    stale_ = true;
    self_.forget();
  }
  /// Advances the elements from time t by `count` substeps of length dt [s]. The first substep consumes the pending
  /// impulses. Returns true if bonds broke.
  bool run(const EngineInput& in, Elements& elements, double t, double dt, std::int64_t count);
  /// Saves the present positions, orientations and velocities for return_to_kept_motion(). No copy is made: the first
  /// run after this call exchanges the state arrays with the elements.
  void keep_motion();
  /// Restores the saved positions, orientations and velocities.
  void return_to_kept_motion(Elements& elements) const;
  /// Returns all pairs of voxels that may touch at the end of the last run, if that run had self-contact. Valid until
  /// the next run.
  [[nodiscard]] std::span<const std::pair<std::uint32_t, std::uint32_t>> self_pairs() const { return self_.pairs(); }
  /// Returns the number of bonds that broke in the last run because their voxels were rotated by more than pi relative
  /// to each other.
  [[nodiscard]] std::size_t overbent() const { return overbent_; }

 private:
  void load(const Elements& elements);
  void store(Elements& elements);
  void prepare(const EngineInput& in, const Elements& elements);
  void rebuild(const EngineInput& in, std::size_t threads);
  void gather_loads(const EngineInput& in, Elements& elements, double dt, bool first);
  void add_self_contact(const EngineInput& in, const Elements& elements, double dt);
  void pull(const EngineInput& in, Range range);
  void blow(const EngineInput& in, const Elements& elements, Range range, double dt);
  void mark_voxels(const EngineInput& in, const Elements& elements);
  void substep(const EngineInput& in, Elements& elements, double t, double dt, std::size_t member);
  void break_bonds(const EngineInput& in);
  void settle_team();
  static void after_drift(void* self, std::size_t first, std::uint32_t lanes);

  /// Location of the motion that keep_motion() saved: nowhere, in the elements (no run since then), in state_ (one run
  /// since then), or in before_ (several runs since then, or one run in which bonds broke).
  enum class Kept { nothing, in_elements, in_state, in_before };

  bool stale_ = true;
  Kept kept_ = Kept::nothing;
  SweepPlan plan_;
  SweepTables tables_;
  std::vector<SlabScratch> scratch_;
  VoxelArrays state_;
  VoxelArrays before_;  ///< motion saved by keep_motion(), while kept_ is in_before
  std::array<std::vector<float>, 3> spin_;
  std::vector<float> tension_;
  PaddedArray tension_full_, mobility_;
  std::vector<double> strain_;
  std::vector<std::int32_t> class_of_;
  std::vector<std::uint16_t> touching_, hooked_;
  SparseLoads loads_;
  bool has_loads_ = false;
  SweepJob job_;
  std::unique_ptr<SpinTeam> team_;
  /// Measures the fraction of time during which the threads wait because other programs occupy the cores. A window
  /// consists of three runs.
  struct Crowding {
    int runs = 0;           ///< runs of the present window
    double stalled = 0;     ///< sum of SpinTeam::stalled_fraction() over these runs
    int quiet_windows = 0;  ///< number of windows since the last window with busy cores
    int rest = 8;           ///< number of single-threaded runs after the next window with busy cores
  };
  Crowding crowding_;
  /// Number of further runs that use a single thread, because the cores were busy or the system provided no more
  /// threads. 0 means that all threads are used. Results do not depend on the number of threads.
  int alone_for_ = 0;

  // Data of the current run, used by after_drift().
  const EngineInput* in_ = nullptr;
  const Elements* elements_ = nullptr;
  ContactInput contact_;
  std::vector<Obstacle> near_;
  /// Row of each voxel in ResolvedRegions::held, or -1 if the voxel has no row. Empty if ResolvedRegions::held is
  /// empty.
  std::vector<std::int32_t> held_row_;
  /// For each row of ResolvedRegions::held: distance by which the constraint moved the voxel from its integrated
  /// position in the last substep [m].
  std::vector<double> held_jump_;
  /// Upper bound of the distance by which any voxel has approached any obstacle since mark_voxels() was last called
  /// [m].
  double travelled_ = 0;
  double margin_ = 0;  ///< value of travelled_ up to which the marks of mark_voxels() are valid [m]
  SelfContact self_;
  double self_moved_ = 0;  ///< upper bound of any voxel's displacement since self_ was last updated [m]
  double t_next_ = 0, dt_ = 0;
  std::vector<std::vector<std::uint32_t>> breaking_;  ///< bonds that break in this substep, one list per slab
  std::size_t overbent_ = 0;
  bool broke_ = false, crack_ = false;  ///< broke_: bonds broke in the last substep; crack_: bonds broke in this run
};

}  // namespace vw
