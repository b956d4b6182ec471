// A world: systems, interactions, fields and colliders made from a scene, advanced by fixed steps. Single-threaded at its interface (the
// simulation thread owns it); deterministic: scene + commands give the same bits at any thread count.
//
// Schedule of one step of length dt (several rates, see docs/architecture.md "The step"):
//   each system asks for ceil(dt / stable_dt) substeps; systems joined by `finer` rules have their counts rounded up so that each divides the
//   next; ticks of the finest walk through the step; at a tick, first every rule due is evaluated on the state as it stands (the coarser
//   side predicted by x + v age) and adds the same impulse to both sides, then every system whose substep ends there consumes its impulses.
//   Rules and systems run in the order of their names, so the order in the file does not matter.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/interaction/interaction.h"
#include "sim/snapshot/snapshot.h"
#include "sim/system/system.h"
#include "sim/world/command.h"
#include "sim/world/registry.h"

namespace vw {

struct Health {
  bool failed = false;
  std::string system;
  HealthIssue issue;
  std::uint64_t step = 0;  ///< the step that failed; the world stands at the state before it
  double time = 0;
  [[nodiscard]] std::string sentence() const;  ///< "step 312 (2.600 s): creature: voxel 17: position is not finite; ..."
};

/// How one system went through the last step.
struct SystemTiming {
  int substeps = 1;
  double substep_dt = 0;
  double stable_dt = 0;
  double wall_s = 0;        ///< of the last step
  double total_wall_s = 0;
  std::uint64_t total_substeps = 0;
};

class World {
 public:
  /// Builds every part of a complete, resolved scene (see sim/scene/resolve.h). The error names file, line and key.
  [[nodiscard]] static Result<std::unique_ptr<World>> create(Node scene);
  ~World();

  /// Applies at the current step boundary. An invalid command (unknown path, bad value, no such element) changes nothing.
  [[nodiscard]] Result<void> apply(const Command& command);
  /// One fixed step. When a health check fails the state returns to that before the step and health() says why; further steps do nothing.
  void step();

  [[nodiscard]] const Health& health() const;
  [[nodiscard]] std::uint64_t step_count() const;
  [[nodiscard]] double time() const;
  [[nodiscard]] double dt() const;
  [[nodiscard]] const Node& scene() const;  ///< as it stands now, with every live edit
  [[nodiscard]] const WorldParams& params() const;

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

  /// Fills everything but the pacing fields. Channels: names subscribed to, computed for each system that has them.
  void write_snapshot(Snapshot& out, const std::vector<std::string>& channels) const;

 private:
  struct Impl;
  explicit World(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Checkpoint of a running world: scene text, state, step; atomic (write_state_file). `scene_text` is the resolved scene in TOML.
[[nodiscard]] Result<void> save_checkpoint(World& world, const std::string& scene_text, const std::string& path);
struct Checkpoint {
  std::string scene_text;
  std::string build;  ///< build and instruction set that wrote it
  StateBlock state;
};
[[nodiscard]] Result<Checkpoint> load_checkpoint(const std::string& path);

/// "voxwake 0.1.0 (abc1234, gcc 12.2.0, x86-64)": written to journals, checkpoints and reports.
[[nodiscard]] std::string build_description();

}  // namespace vw
