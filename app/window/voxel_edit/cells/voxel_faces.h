// The visible faces of a grid, for drawing. The list has one part per layer along y, so that an edit rebuilds and
// uploads only the layers that it changed.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "app/window/voxel_edit/cells/voxel_grid.h"
#include "app/window/voxel_edit/edit_step.h"

namespace vw {

/// Face of a voxel towards a cell that is empty or hidden. 8 bytes.
struct VoxelFace {
  std::uint32_t cell = 0;  ///< array index of the cell in the grid (VoxelGrid::cell_at())
  std::uint16_t code = 0;
  CellFace face = CellFace::minus_x;
  /// Whether the voxel belongs to a neighbour of the layer that is edited (onion skin), and is drawn faintly.
  bool is_onion_skin = false;
  [[nodiscard]] bool operator==(const VoxelFace&) const = default;
};

/// Determines which voxels are drawn.
struct VoxelVisibility {
  /// Box of the visible cells (section). Voxels outside are hidden, and faces towards them are visible. If empty, all
  /// cells are visible.
  std::optional<VoxelBox> section = std::nullopt;
  /// If set, only this layer is shown, with the neighbouring layers on both sides as onion skin.
  struct Layer {
    int axis = 1;
    int coordinate = 0;   ///< coordinate of the layer's cells along the axis
    int onion_skins = 1;  ///< number of neighbouring layers on each side
    [[nodiscard]] bool operator==(const Layer&) const = default;
  };
  std::optional<Layer> layer = std::nullopt;
  [[nodiscard]] bool operator==(const VoxelVisibility&) const = default;

  /// Returns the box of the cells that are visible, without onion skins.
  [[nodiscard]] VoxelBox visible_box(const VoxelGrid& grid) const;
};

class VoxelFaceList {
 public:
  /// Updates the faces of the layers in `changed` (VoxelEdits::take_changed_layers()) and of their neighbours. If the
  /// box of the grid or the visibility differs from the last call, all layers are updated. Returns the layers updated.
  LayerRange update(const VoxelGrid& grid, const VoxelVisibility& visibility, const LayerRange& changed);

  /// Returns the y coordinates of all layers of the grid at the last update.
  [[nodiscard]] LayerRange layers() const { return {lower_, lower_ + static_cast<int>(faces_.size())}; }
  /// Returns the faces of the voxels of one layer. The span is valid until the next update.
  [[nodiscard]] std::span<const VoxelFace> faces(int y) const { return faces_[static_cast<std::size_t>(y - lower_)]; }
  [[nodiscard]] std::size_t face_count() const;  ///< number of faces of all layers

 private:
  int lower_ = 0;
  std::optional<VoxelBox> box_;
  VoxelVisibility visibility_;
  std::vector<std::vector<VoxelFace>> faces_;
  std::vector<std::uint64_t> bits_;  ///< scratch: one bit for each cell of some layers, set for visible voxels
};

}  // namespace vw
