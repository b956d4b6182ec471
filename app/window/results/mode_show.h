// Natural modes of a voxel body for the window. They are computed on a worker thread and displayed by deforming the
// drawn body; the simulation is not affected.
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
  bool loaded = false;  ///< modes about the equilibrium under load instead of the rest shape
};

/// Data for drawing the modes. `request.scene` is the scene for which they were computed.
struct FoundModes {
  ModeRequest request;
  std::vector<Vec3> position;
  std::vector<Quat> orientation;
  double extent_m = 0;  ///< longest edge of the shape's bounding box
  ModalAnalysis analysis;
  double wall_s = 0;
};

/// Computes the modes on the calling thread. `progress` as in ModalOptions.
[[nodiscard]] Result<FoundModes> find_modes_of(const ModeRequest& request,
                                               const std::function<bool(PairStage stage, int solves)>& progress);

class ModalSolver {
 public:
  ~ModalSolver() { stop(); }
  /// Starts a computation on a worker thread. A computation in progress is stopped and its result discarded.
  void start(ModeRequest request);
  void stop();
  [[nodiscard]] bool busy() const { return newest_ != nullptr; }
  /// Progress text: "Factorising the stiffness", "Searching, 24 solves".
  [[nodiscard]] std::string status() const;
  /// Result of the newest request, returned once.
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

/// Deforms the snapshot's body to a phase [rad] of the mode's oscillation. `amplitude_m` is the largest displacement.
/// Returns false if the number of voxels differs.
bool pose_mode(const FoundModes& found, std::size_t mode, double amplitude_m, double phase, SystemSnapshot& out);

/// Numerical damping of the implicit integrator as lines of text: at 10 Hz and, if the modes are known, at the lowest
/// flexible mode.
[[nodiscard]] std::vector<std::string> damping_lines(double step_s, const FoundModes* found);

/// Whether the scene's body, materials and loads are still those for which the modes were computed. Settings of the
/// time integration are ignored.
[[nodiscard]] bool still_holds(const FoundModes& found, const Node& scene);

}  // namespace vw
