// The natural modes of a voxel body for the window: found on a worker, then shown by moving the drawn body, never the simulated one.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/window/background.h"
#include "sim/snapshot/snapshot.h"
#include "sim/world/analysis.h"

namespace vw {

struct ModeRequest {
  Node scene;
  std::string system;
  int count = 12;
  bool loaded = false;  ///< about the equilibrium under load instead of the rest shape
};

/// What a picture of a mode needs; the scene is the one that they were found for.
struct FoundModes {
  ModeRequest request;
  std::vector<Vec3> position;
  std::vector<Quat> orientation;
  double extent_m = 0;  ///< longest edge of the shape's bounding box
  ModalAnalysis analysis;
  double wall_s = 0;
};

/// On the calling thread; `progress` as in ModalOptions.
[[nodiscard]] Result<FoundModes> find_modes_of(const ModeRequest& request, const std::function<bool(PairStage stage, int solves)>& progress);

class ModeFinder {
 public:
  ~ModeFinder() { stop(); }
  /// Starts on a worker; a search still under way is stopped and its result thrown away.
  void start(ModeRequest request);
  void stop();
  [[nodiscard]] bool busy() const { return newest_ != nullptr; }
  /// "Factorising the stiffness", "Searching, 24 solves".
  [[nodiscard]] std::string status() const;
  /// The newest request's outcome, once.
  [[nodiscard]] std::optional<Result<FoundModes>> poll();

 private:
  struct Slot {
    std::mutex mutex;
    std::optional<Result<FoundModes>> outcome;
    std::atomic<bool> done = false, stopped = false;
    std::atomic<int> stage = -1, solves = 0;
  };
  std::shared_ptr<Slot> newest_;
  Background workers_;
};

/// The body's row of the snapshot as it stands at a phase [rad] of the mode's swing; `amplitude_m` is the largest displacement. False when it has
/// another number of voxels.
bool pose_mode(const FoundModes& found, std::size_t mode, double amplitude_m, double phase, SystemSnapshot& out);

/// How much the implicit integrator's steps of a body damp what swings, as lines: at 10 Hz, and of its lowest mode where the modes are known.
[[nodiscard]] std::vector<std::string> damping_lines(double step_s, const FoundModes* found);

/// Whether the scene's body, its materials and gravity still are what the modes were found for; how its motion is stepped does not matter.
[[nodiscard]] bool still_holds(const FoundModes& found, const Node& scene);

}  // namespace vw
