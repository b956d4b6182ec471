// Lowest natural frequency of the body in the voxel editor. A worker thread computes it from copies of the cells and of
// the scene. All functions return at once. Use only on the drawing thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/window/results/mode_show.h"
#include "app/window/voxel_edit/cells/voxel_body_cells.h"

namespace vw {

class LowestFrequency {
 public:
  /// Largest body whose frequency is computed after each edit. The tab Modes has larger limits.
  static constexpr std::size_t max_voxels = 4000;
  static constexpr std::size_t max_parts = 10;  ///< each part may have six rigid modes, which are computed too

  /// Revisions of the cells and of the scene.
  struct Revision {
    std::uint64_t cells = 0, scene = 0;
    [[nodiscard]] bool operator==(const Revision&) const = default;
  };
  /// The edited body. `parts` is the number of its separate parts, between which there are no bonds.
  struct Body {
    const VoxelGrid& grid;
    const OpenedVoxelBody& opened;
    const Node& scene;
    const std::string& path;
    std::size_t voxels = 0, parts = 0;
  };
  /// Fetches a finished result. If no computation is in progress and the revision is new, copies the body and starts a
  /// computation. At most one computation runs at a time; later edits wait for its end.
  void update(const Revision& revision, const Body& body);
  [[nodiscard]] bool is_computing() const { return solver_.busy(); }
  /// Lowest frequency of a mode that deforms the body [Hz]. Empty before the first result, and if the frequency was not
  /// found or not computed.
  [[nodiscard]] std::optional<double> hertz() const { return hertz_; }
  /// One line with the frequency, or with the reason why there is none.
  [[nodiscard]] std::string text() const;
  /// Discards the result and stops a computation in progress.
  void forget();

 private:
  void take(const Result<FoundModes>& outcome);

  ModalSolver solver_;
  std::optional<Revision> newest_;  ///< revision of the last computation
  std::optional<double> hertz_;
  std::string reason_;  ///< reason why there is no frequency
};

}  // namespace vw
