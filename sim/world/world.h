// A world: systems, interactions, fields and colliders made from a scene, advanced by fixed steps. Single-threaded at its interface (the
// simulation thread owns it); deterministic: scene + commands give the same bits at any thread count.
//
// Schedule of one step of length dt (several rates, see docs/architecture.md "The step"):
//   each system asks for ceil(dt / stable_dt) substeps; systems joined by `finer` rules have their counts rounded up so that each divides the
//   next; ticks of the finest walk through the step; at a tick, first every rule due is evaluated on the state as it stands (the coarser
//   side predicted by x + v age) and adds the same impulse to both sides, then every system whose substep ends there consumes its impulses.
//   Rules and systems run in the order of their names, so the order in the file does not matter.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/interaction/interaction.h"
#include "sim/snapshot/snapshot.h"
#include "sim/system/system.h"
#include "sim/world/build_info.h"
#include "sim/world/command.h"
#include "sim/world/health.h"
#include "sim/world/registry.h"

namespace vw {

struct Checkpoint;
struct Equilibrium;
struct FieldLook;

class World {
 public:
  /// Builds every part of a complete, resolved scene (see sim/scene/resolve.h). The error names file, line and key.
  /// `registry` must outlive the world.
  [[nodiscard]] static Result<std::unique_ptr<World>> create(Node scene, const Registry& registry = default_registry());
  ~World();

  /// Applies at the current step boundary. An invalid command (unknown path, bad value, no such element) changes nothing.
  [[nodiscard]] Result<void> apply(const Command& command);
  /// One fixed step. When a health check fails the state returns to that before the step and health() says why; further steps do nothing
  /// until a reset, or until a live parameter changed (then the step is tried again). Returns whether the step was taken.
  bool step();

  [[nodiscard]] const Health& health() const;
  [[nodiscard]] std::uint64_t step_count() const;
  [[nodiscard]] double time() const;
  [[nodiscard]] double dt() const;
  [[nodiscard]] const Node& scene() const;  ///< as it stands now, with every edit; those that are not live wait for a reset
  /// Edits since the world was made, and the values still in force of those that wait for a reset: with the scene's text, the whole tree.
  [[nodiscard]] std::vector<SetParameter> edits() const;
  [[nodiscard]] std::vector<SetParameter> in_force() const;
  [[nodiscard]] const WorldParams& params() const;
  /// Why steps take long, where they are expected to cost far more than most; else empty. A warning for the user.
  [[nodiscard]] const std::string& slow() const;
  /// What there is to say about files of obstacles and rigid bodies, a sentence each: warnings for the user.
  [[nodiscard]] std::vector<std::string> notes() const;

  [[nodiscard]] std::size_t system_count() const;  ///< systems by name order
  [[nodiscard]] System& system(std::size_t i);
  [[nodiscard]] const System& system(std::size_t i) const;
  [[nodiscard]] System* find_system(std::string_view name);
  [[nodiscard]] const SystemTiming& timing(std::size_t i) const;
  [[nodiscard]] const std::vector<std::pair<std::string, double>>& stages() const;  ///< wall seconds of the last step
  [[nodiscard]] Diagnostics diagnostics(std::size_t i) const;

  /// Hash of the whole state (systems, rules, grab, step, time), independent of listing order and threads.
  [[nodiscard]] std::uint64_t hash();
  void save_state(StateBlock& out);
  [[nodiscard]] Result<void> load_state(const StateBlock& in);

  /// `progress` is called in each iteration of a Settle command with the share of the load and the residual relative to it, on the thread that
  /// applies the command; false stops it, an error, and nothing moves.
  void watch_settling(std::function<bool(double share, double relative_residual)> progress);
  /// What the last Settle command found (sim/world/analysis.h); null before the first.
  [[nodiscard]] const Equilibrium* settled() const;

  /// From the next step on snapshots say what the rules of these nodes give their elements (RuleSnapshot); changes no bit of the state.
  void record_forces(std::vector<std::string> rules);
  /// From the next step on snapshots hold these vectors of elements (SystemSnapshot::vectors): acceleration, net_force, and those that systems have;
  /// changes no bit of the state.
  void show_vectors(std::vector<std::string> names);
  /// From now on snapshots show this of the air (Snapshot::field); changes no bit of the state.
  void show_fields(const FieldLook& look);
  /// Fills everything but the pacing fields. Channels: names subscribed to, computed for each system that has them. Without `fresh_air` the air is
  /// shown as in the last snapshot: it may cost more than a step.
  void write_snapshot(Snapshot& out, const std::vector<std::string>& channels, bool fresh_air = true) const;

 private:
  friend Result<std::unique_ptr<World>> resume_world(Node scene, const Checkpoint& checkpoint, const Registry& registry);
  struct Impl;
  explicit World(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Checkpoint of a running world: scene text, edits, state, step; atomic (write_state_file). `scene_text` is the resolved scene in TOML, either
/// as the world was made from it or as it stands now.
[[nodiscard]] Result<void> save_checkpoint(World& world, const std::string& scene_text, const std::string& path);
struct Checkpoint {
  std::string scene_text;
  std::string build;                           ///< build and instruction set that wrote it
  std::map<std::string, std::string> sources;  ///< XXH3 of the files that the scene names, by the key that names them
  std::vector<SetParameter> edits;             ///< values that may differ from the scene text
  std::vector<SetParameter> in_force;          ///< values in force where the edit waits for a reset
  StateBlock state;
};
[[nodiscard]] Result<Checkpoint> load_checkpoint(const std::string& path);
/// Whether the files that the scene names still hold what they held when the checkpoint was saved. The error names the key and the file.
[[nodiscard]] Result<void> check_sources(const Node& scene, const Checkpoint& checkpoint);
/// The world of a checkpoint, bit for bit as it was saved; `scene` is the tree of its scene text.
[[nodiscard]] Result<std::unique_ptr<World>> resume_world(Node scene, const Checkpoint& checkpoint, const Registry& registry = default_registry());

}  // namespace vw
