// Runs of substeps of one lattice: the columns of its state, the plan by which vectors walk over it, and the order of a substep. Owns nothing that
// the future depends on: all of it is made again from the body's state at the start of a run.
// Simulation thread; inside a run a team of threads shares the slabs of the plan. The same bits for any number of threads.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/base/spin_team.h"
#include "sim/system/voxel/contact.h"
#include "sim/system/voxel/material_law.h"
#include "sim/system/voxel/regions.h"
#include "sim/system/voxel/self_contact.h"
#include "sim/system/voxel/sweep.h"
#include "sim/system/voxel/temperature.h"
#include "sim/system/voxel/wind.h"

namespace vw {

/// What a run reads and changes beside the elements.
struct EngineInput {
  LatticeTopology* topology = nullptr;  ///< loses the bonds that break
  LatticeConstants* constants = nullptr;
  const LatticeLaws* laws = nullptr;
  BondMemory* memory = nullptr;
  const ResolvedRegions* regions = nullptr;
  std::span<const Vec3> rest_position;
  Quat rest_orientation = Quat::Identity();  ///< of all voxels
  TemperatureProgram program;
  const TemperaturePhases* phases = nullptr;
  std::span<const Collider> colliders;
  WindView wind;
  Vec3 gravity = Vec3::Zero();
  Vec3 load = Vec3::Zero();  ///< what pulls at the whole body, per mass [m/s^2]
  double voxels_across = 1;
  Precision precision = Precision::mixed;
  bool self_contact = true;
  std::span<ContactState> contacts;
};

class LatticeEngine {
 public:
  /// After the structure or the constants changed.
  void invalidate() {
    stale_ = true;
    self_.forget();
  }
  /// Advances from t by `count` substeps of dt; consumes the impulses. True when bonds broke.
  bool run(const EngineInput& in, Elements& elements, double t, double dt, std::int64_t count);
  /// Keeps the motion that the elements have now. One run costs no memory for that: it leaves in the columns what the elements held before.
  void keep_motion();
  /// Gives the elements that motion back.
  void return_to_kept_motion(Elements& elements) const;
  /// Of a run with self-contact: all pairs of voxels that may touch at its end.
  [[nodiscard]] std::span<const std::pair<std::uint32_t, std::uint32_t>> self_pairs() const { return self_.pairs(); }
  /// Bonds that were bent past pi in the last run and so broke.
  [[nodiscard]] std::size_t overbent() const { return overbent_; }

 private:
  void load(const Elements& elements);
  void store(Elements& elements);
  void prepare(const EngineInput& in, const Elements& elements);
  void rebuild(const EngineInput& in, std::size_t threads);
  void gather_loads(const EngineInput& in, Elements& elements, double dt, bool first);
  void press_together(const EngineInput& in, const Elements& elements, double dt);
  void pull(const EngineInput& in, Range range);
  void blow(const EngineInput& in, const Elements& elements, Range range, double dt);
  void mark_voxels(const EngineInput& in, const Elements& elements);
  void substep(const EngineInput& in, Elements& elements, double t, double dt, std::size_t member);
  void break_bonds(const EngineInput& in);
  void settle_team();
  static void after_drift(void* self, std::size_t first, std::uint32_t lanes);

  enum class Kept { nothing, in_elements, in_state, in_before };

  bool stale_ = true;
  Kept kept_ = Kept::nothing;  ///< where the motion is that keep_motion() was to keep
  SweepPlan plan_;
  SweepTables tables_;
  std::vector<SlabScratch> scratch_;
  VoxelArrays state_;
  VoxelArrays before_;  ///< where more than one run falls into a step of the world: the kept motion
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
  int crowded_runs_ = 0, rest_ = 8;
  int alone_for_ = 0;  ///< runs that one thread takes because the cores are busy with other things; the bits are the same

  // Of the run under way, for the hooks.
  const EngineInput* in_ = nullptr;
  const Elements* elements_ = nullptr;
  ContactInput contact_;
  std::vector<Obstacle> near_;
  std::vector<std::int32_t> held_row_;  ///< of a voxel in regions.held, -1: none; empty when nothing is held in part
  std::vector<double> held_jump_;       ///< by row: how far the last substep put it from where its velocity took it [m]
  double travelled_ = 0;                ///< what any voxel and obstacle can have moved towards each other since voxels were marked [m]
  double margin_ = 0;
  SelfContact self_;
  double self_moved_ = 0;  ///< what any voxel can have moved since self_ was last asked [m]
  double t_next_ = 0, dt_ = 0;
  std::vector<std::vector<std::uint32_t>> breaking_;  ///< by slab
  std::size_t overbent_ = 0;
  bool broke_ = false, crack_ = false;  ///< in this substep; in this run
};

}  // namespace vw
