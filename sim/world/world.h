// A world: systems, interactions, fields and colliders, built from a scene and advanced by fixed steps. A world may be
// used by only one thread at a time (the simulation thread owns it). It is deterministic: the same scene and commands
// give the same bits with any number of threads.
//
// Schedule of one step of length dt. Systems may have different substeps (docs/architecture.md, "The step"):
//   1. Each system requests ceil(dt / stable_dt) substeps. Systems joined by rules of rate `finer` form a cluster.
//      Within a cluster, counts are rounded up so that each count divides the next larger one.
//   2. The ticks of a cluster are the substeps of its finest system. At a tick, every rule that is due is evaluated on
//      the current state. The state of the coarser side is extrapolated to the tick. The rule adds the same impulse
//      with opposite signs to its two sides.
//   3. Every system whose substep ends at that tick then applies its impulses.
// Rules and systems run in the order of their names, so the order in the scene file does not matter.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/interaction/interaction.h"
#include "sim/snapshot/snapshot.h"
#include "sim/snapshot/snapshot_request.h"
#include "sim/system/system.h"
#include "sim/world/build_info.h"
#include "sim/world/health/health.h"
#include "sim/world/registry.h"
#include "sim/world/state/command.h"

namespace vw {

struct Checkpoint;
struct Equilibrium;
struct SceneVersion;

class World {
 public:
  /// Builds all parts of a complete scene whose sources are resolved (sim/scene/scene.h). An error names file, line and
  /// key. `registry` must outlive the world.
  [[nodiscard]] static Result<std::unique_ptr<World>> create(Node scene, const Registry& registry = default_registry());
  ~World();

  /// Applies a command at the current step boundary. An invalid command (unknown path, bad value, no such element)
  /// returns an error and changes nothing.
  [[nodiscard]] Result<void> apply(const Command& command);
  /// Takes one fixed step and returns whether it was taken. If a health check fails, the state before the step is
  /// restored and health() describes the failure. Further calls do nothing until a command changes a live parameter, a
  /// pose or the nodes of the scene, or until a reset or a return to another state. The step is then tried again.
  bool step();

  [[nodiscard]] const Health& health() const;
  [[nodiscard]] std::uint64_t step_count() const;
  [[nodiscard]] double time() const;
  [[nodiscard]] double dt() const;
  /// Returns the scene with every edit applied. Edits of parameters that are not live take effect at the next reset.
  [[nodiscard]] const Node& scene() const;
  /// Returns the changes of nodes since the world was built, in the order of their application.
  [[nodiscard]] const std::vector<ChangeNodes>& node_changes() const;
  /// edits() returns the values that were edited since the world was built, except those that node_changes() sets.
  /// in_force() returns the value still in use of each parameter whose edit waits for the next reset. The original
  /// scene text, node_changes() and these two lists determine both the edited tree and the tree in use.
  [[nodiscard]] std::vector<SetParameter> edits() const;
  [[nodiscard]] std::vector<SetParameter> in_force() const;
  [[nodiscard]] const WorldParams& params() const;
  /// Returns a warning for the user if steps are expected to be very slow, with the cause. Otherwise returns an empty
  /// text.
  [[nodiscard]] const std::string& slow() const;
  /// Returns warnings for the user, one sentence each: about files of obstacles and rigid bodies, and about the setup
  /// of systems.
  [[nodiscard]] std::vector<std::string> notes() const;

  /// Returns the number of systems. Systems are indexed in the order of their names.
  [[nodiscard]] std::size_t system_count() const;
  [[nodiscard]] System& system(std::size_t i);
  [[nodiscard]] const System& system(std::size_t i) const;
  [[nodiscard]] System* find_system(std::string_view name);
  [[nodiscard]] const SystemTiming& timing(std::size_t i) const;
  /// Returns the wall time [s] of each stage of the last step.
  [[nodiscard]] const std::vector<std::pair<std::string, double>>& stages() const;
  [[nodiscard]] Diagnostics diagnostics(std::size_t i) const;

  /// Returns a hash of the complete state (systems, rules, grab, step, time). The hash does not depend on the order of
  /// nodes in the scene file or on the number of threads.
  [[nodiscard]] std::uint64_t hash();
  /// Replaces the content of `out` by the complete state.
  void save_state(StateBlock& out);
  /// Returns the scene of the present moment in the form that return_to() takes.
  [[nodiscard]] SceneVersion scene_version() const;
  /// Returns to a moment of this run, bit for bit. `version` and `state` must have been obtained from scene_version()
  /// and save_state() directly after a step. Parts are rebuilt only if they differ. If the parts cannot be built,
  /// because a file was changed or removed, an error is returned and the world is unchanged. A state from a file is
  /// checked. If it is rejected, an error is returned; the world then has the scene `version` but not the requested
  /// state. `lacks_driven` must be set if advance_scene() has computed `version`, in which the numbers that actuators
  /// drive have the values of the scene. They are then set to the values of the step that led to the state.
  [[nodiscard]] Result<void> return_to(const SceneVersion& version, const StateBlock& state,
                                       StateSource source = StateSource::memory, bool lacks_driven = false);
  /// Restores a saved state. If the state does not fit this scene or contains invalid values, an error is returned and
  /// the world is unchanged.
  [[nodiscard]] Result<void> load_state(const StateBlock& in);

  /// Sets the callback of Settle commands. It is called in each iteration, on the thread that applies the command, with
  /// the fraction of the load applied so far and the ratio of the residual to the load. If it returns false, the
  /// command ends with an error and the body does not move.
  void watch_settling(std::function<bool(double share, double relative_residual)> progress);
  /// Returns the result of the last Settle command (sim/world/equilibrium.h). Returns null before the first Settle
  /// command.
  [[nodiscard]] const Equilibrium* settled() const;

  /// Requests data that snapshots contain beyond their usual contents: channels, fields and vectors of systems.
  /// Replaces the previous request. The next snapshot contains the data, except for accelerations, net forces and
  /// forces of rules, which are measured from the next step on. Unknown names are ignored. The state is not affected.
  void subscribe(SnapshotRequest wanted);
  /// Fills `out` except for the members that the simulation thread sets (sequence, realtime_factor, asked_speed,
  /// paused). If `fresh_air` is false, the visualisation of fields and fluids from the previous snapshot is reused,
  /// because a new one may cost more than a step. The function is not const, because a new visualisation moves the
  /// markers of pathlines and streaklines. The state is not affected.
  void write_snapshot(Snapshot& out, bool fresh_air = true);
  /// Returns the values of all actuators and sensors, as in a snapshot, but without their positions.
  [[nodiscard]] std::vector<SignalSnapshot> signals() const;

 private:
  friend Result<std::unique_ptr<World>> resume_world(Node scene, const Checkpoint& checkpoint,
                                                     const Registry& registry);
  struct Impl;
  explicit World(std::unique_ptr<Impl> impl);
  /// Works as create(). `awaits_state` tells whether a state of a running world will be loaded.
  [[nodiscard]] static Result<std::unique_ptr<World>> build(Node scene, const Registry& registry, bool awaits_state);
  std::unique_ptr<Impl> impl_;
};

/// Writes a checkpoint of a running world: scene text, edits, state and step. The file is written atomically
/// (write_state_file). `scene_text` is the resolved scene in TOML, either as the world was built or with later edits.
[[nodiscard]] Result<void> save_checkpoint(World& world, const std::string& scene_text, const std::string& path);
/// Returns the content of the file that save_checkpoint() would write.
[[nodiscard]] std::string checkpoint_bytes(World& world, const std::string& scene_text);
struct Checkpoint {
  std::string scene_text;
  std::string build;  ///< build and instruction set of the program that wrote the checkpoint
  /// XXH3 hash of each file that the scene names, by the key of the parameter that names the file.
  std::map<std::string, std::string> sources;
  std::vector<ChangeNodes> changes;    ///< changes of the nodes of the scene text
  std::vector<SetParameter> edits;     ///< values that may differ from the scene text
  std::vector<SetParameter> in_force;  ///< values in use for parameters whose edits take effect at the next reset
  StateBlock state;
};
[[nodiscard]] Result<Checkpoint> load_checkpoint(const std::string& path);
/// Convert a checkpoint to the content of a checkpoint file, and back. `name` stands for the file in messages.
[[nodiscard]] std::string checkpoint_bytes(const Checkpoint& checkpoint);
[[nodiscard]] Result<Checkpoint> checkpoint_from_bytes(std::string_view bytes, const std::string& name);
/// Checks that the files named by the scene have not changed since the checkpoint was saved. An error names the key and
/// the file.
[[nodiscard]] Result<void> check_sources(const Node& scene, const Checkpoint& checkpoint);
/// Returns the scene of a checkpoint with its edits. `scene` is the tree parsed from the checkpoint's scene text.
[[nodiscard]] Result<SceneVersion> scene_of_checkpoint(Node scene, const Checkpoint& checkpoint);
/// Restores the world of a checkpoint, bit for bit. `scene` is the tree parsed from the checkpoint's scene text.
[[nodiscard]] Result<std::unique_ptr<World>> resume_world(Node scene, const Checkpoint& checkpoint,
                                                          const Registry& registry = default_registry());

}  // namespace vw
