// Natural modes of a voxel body for the window. A worker thread computes the modes. The window shows a mode by
// deforming the drawn body. The simulation is not affected.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/window/background.h"
#include "sim/api/analysis/analysis.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

struct ModeRequest {
  Node scene;
  std::string system;
  int count = 12;
  bool loaded = false;  ///< whether the modes are about the equilibrium under load instead of the rest shape
};

/// Data for drawing the modes. `request.scene` is the scene for which the modes were computed.
struct FoundModes {
  ModeRequest request;
  std::vector<Vec3> position;     ///< positions of the voxels in the shape about which the body vibrates [m]
  std::vector<Quat> orientation;  ///< orientations of the voxels in the shape about which the body vibrates
  double extent_m = 0;            ///< longest edge of the bounding box of the voxels [m]
  ModalAnalysis analysis;
  double wall_s = 0;  ///< wall time of the computation [s]
};

/// Computes the modes on the calling thread. `progress` is called as described at ModalOptions::progress. `progress`
/// may be null.
[[nodiscard]] Result<FoundModes> find_modes_of(const ModeRequest& request,
                                               const std::function<bool(PairStage stage, int solves)>& progress);

class ModalSolver {
 public:
  ~ModalSolver() { stop(); }
  /// Starts a computation on a worker thread. A computation in progress is stopped without a result. If `make_scene` is
  /// not empty, the worker thread calls it first, and its result replaces the scene of the request.
  void start(ModeRequest request, std::function<Result<Node>()> make_scene = {});
  void stop();
  [[nodiscard]] bool busy() const { return newest_ != nullptr; }
  /// Progress text, such as "Searching for modes… 24 linear solves". Empty if no computation is in progress.
  [[nodiscard]] std::string status() const;
  /// Result of the newest request. Empty while the computation is in progress, and after the result was returned once.
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

/// Deforms the body in the snapshot to the phase `phase` [rad] of the oscillation of a mode. The displacement of a
/// voxel is its displacement in the mode (scaled as described at Mode) times `amplitude_m` sin(`phase`). Returns false
/// if `found` and `out` have different numbers of voxels.
bool pose_mode(const FoundModes& found, std::size_t mode, double amplitude_m, double phase, SystemSnapshot& out);

/// Numerical damping ratios of the implicit integrator with a step of `step_s` [s], as lines of text. The first line is
/// for 10 Hz. If `found` is not null, a second line is for the frequency of the lowest flexible mode.
[[nodiscard]] std::vector<std::string> damping_lines(double step_s, const FoundModes* found);

/// Whether the modes are still valid, that is, whether the body and the materials in `scene` equal the body and the
/// materials of the request. For modes under load, the world and the colliders must be equal too. Parameters of the
/// time integration and of self-contact are ignored.
[[nodiscard]] bool still_holds(const FoundModes& found, const Node& scene);

}  // namespace vw
