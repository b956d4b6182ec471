// The cells of one voxel body as the voxel editor stores them: a material code per cell and optional paint layers.
//
// Lattice coordinates: cell (x, y, z) fills the unit cube from (x, y, z) to (x + 1, y + 1, z + 1). The unit is the edge
// of a voxel, and y points up. Cell (0, 0, 0) is the lower corner of the lattice as it was opened. When the grid grows
// or is cropped, its box changes, and no voxel changes its coordinates.
//
// Arrays have one entry per cell of the box: x varies fastest, then z, then y, as in the parameters of a voxel body.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/data/layer_text.h"
#include "sim/base/data/value.h"

namespace vw {

using VoxelCell = Eigen::Vector3i;

/// Faces of a cell. The number of a face is 2 * axis, plus 1 for the upper face of that axis.
enum class CellFace : std::uint8_t { minus_x, plus_x, minus_y, plus_y, minus_z, plus_z };
/// Returns the axis of a face's normal: 0, 1 or 2.
[[nodiscard]] constexpr int axis_of(CellFace face) { return static_cast<int>(face) / 2; }
/// Returns the outward normal of a face, which is the step to the neighbouring cell.
[[nodiscard]] inline VoxelCell normal_of(CellFace face) {
  VoxelCell step = VoxelCell::Zero();
  step[axis_of(face)] = static_cast<int>(face) % 2 == 0 ? -1 : 1;
  return step;
}

/// Largest number of cells of a grid.
inline constexpr std::size_t max_grid_cells = max_lattice_cells;
/// Largest absolute value of a coordinate of a cell. Sums of a few coordinates therefore fit into an int.
inline constexpr int max_cell_coordinate = 1 << 24;
/// Whether all coordinates of a cell lie within max_cell_coordinate.
[[nodiscard]] inline bool is_in_range(const VoxelCell& cell) {
  return cell.minCoeff() >= -max_cell_coordinate && cell.maxCoeff() <= max_cell_coordinate;
}

/// A box of cells. A size of 0 or less along an axis means that the box has no cells.
struct VoxelBox {
  VoxelCell lower = VoxelCell::Zero();
  VoxelCell size = VoxelCell::Zero();

  /// Upper corner. The coordinates of all cells of the box are smaller.
  [[nodiscard]] VoxelCell upper() const { return lower + size; }
  [[nodiscard]] bool is_empty() const { return size.minCoeff() <= 0; }
  [[nodiscard]] std::size_t cells() const;
  [[nodiscard]] bool contains(const VoxelCell& cell) const {
    return (cell.array() >= lower.array()).all() && (cell.array() < upper().array()).all();
  }
  [[nodiscard]] bool contains(const VoxelBox& other) const;  ///< true if the other box is empty
  [[nodiscard]] bool operator==(const VoxelBox& other) const { return lower == other.lower && size == other.size; }
};
/// Returns the array index of a cell of a box: x varies fastest, then z, then y. The cell must lie in the box.
[[nodiscard]] inline std::size_t index_in(const VoxelBox& box, const VoxelCell& cell) {
  const VoxelCell at = cell - box.lower;
  return static_cast<std::size_t>(at.x()) +
         static_cast<std::size_t>(box.size.x()) *
             (static_cast<std::size_t>(at.z()) +
              static_cast<std::size_t>(box.size.z()) * static_cast<std::size_t>(at.y()));
}
/// Returns the smallest box that contains the cells `a` and `b`, which may be in any order.
[[nodiscard]] VoxelBox box_between(const VoxelCell& a, const VoxelCell& b);
/// Returns the smallest box that contains both boxes.
[[nodiscard]] VoxelBox united(const VoxelBox& a, const VoxelBox& b);
/// Returns the common cells of two boxes. The size is 0 if there are none.
[[nodiscard]] VoxelBox common(const VoxelBox& a, const VoxelBox& b);
/// Returns the box extended by n cells on all sides. If n is negative, the box shrinks.
[[nodiscard]] VoxelBox extended(const VoxelBox& box, int n);
/// Returns an error if a grid cannot have this box: it has no cells, too many cells or coordinates out of range.
[[nodiscard]] Result<void> check_grid_box(const VoxelBox& box);

/// Values that a cell may have in addition to its material. A voxel body stores them in its parameters `phase`,
/// `temperature_amplitude_scale` and `youngs_modulus_per_cell`, and in the cells of its muscles (painted_muscles.h).
enum class PaintLayer : std::uint8_t {
  phase,            ///< phase of the temperature wave [cycles]; the default is 0
  amplitude_scale,  ///< factor on the temperature amplitude; the default is 1
  stiffness,        ///< Young's modulus [Pa]; the default 0 means the modulus of the material
  muscle            ///< number of the cell's muscle; the default 0 means none
};
inline constexpr std::array<PaintLayer, 4> paint_layers{PaintLayer::phase, PaintLayer::amplitude_scale,
                                                        PaintLayer::stiffness, PaintLayer::muscle};
/// Largest number of a muscle.
inline constexpr int max_painted_muscles = 1000;
/// Returns the value of a cell that is not painted.
[[nodiscard]] constexpr double default_paint(PaintLayer layer) { return layer == PaintLayer::amplitude_scale ? 1 : 0; }

/// Cells of a voxel body. Code 0 is an empty cell, and code k > 0 is the material palette[k - 1].
class VoxelGrid {
 public:
  /// A grid of empty cells without paint layers. The box must pass check_grid_box() (asserted).
  explicit VoxelGrid(const VoxelBox& box = {VoxelCell::Zero(), VoxelCell::Ones()}, TextList palette = {});

  [[nodiscard]] const VoxelBox& box() const { return box_; }
  [[nodiscard]] const TextList& palette() const { return palette_; }
  [[nodiscard]] std::size_t cell_count() const { return codes_.size(); }
  /// Returns the array index of a cell. The cell must lie in the box.
  [[nodiscard]] std::size_t index(const VoxelCell& cell) const { return index_in(box_, cell); }
  [[nodiscard]] VoxelCell cell_at(std::size_t index) const;
  /// Returns the code of a cell, or 0 for a cell outside the box.
  [[nodiscard]] std::uint16_t code(const VoxelCell& cell) const {
    return box_.contains(cell) ? codes_[index(cell)] : 0;
  }
  [[nodiscard]] std::span<const std::uint16_t> codes() const { return codes_; }
  [[nodiscard]] bool has_paint(PaintLayer layer) const { return !values(layer).empty(); }
  /// Returns the values of a paint layer, or an empty span if the grid does not have the layer.
  [[nodiscard]] std::span<const double> paint(PaintLayer layer) const { return values(layer); }
  /// Returns the value of a cell, or the default if the cell lies outside the box or the grid lacks the layer.
  [[nodiscard]] double paint_at(const VoxelCell& cell, PaintLayer layer) const {
    return has_paint(layer) && box_.contains(cell) ? values(layer)[index(cell)] : default_paint(layer);
  }
  /// Returns the smallest box that contains all filled cells. It has no cells if all cells are empty.
  [[nodiscard]] VoxelBox content_box() const;
  /// Whether boxes, palettes, codes and paint layers are equal, bit for bit.
  [[nodiscard]] bool operator==(const VoxelGrid& other) const;

  // ---- Changes without undo. VoxelEdits records them. ----

  void set_code(std::size_t index, std::uint16_t code) { codes_[index] = code; }
  void set_paint(std::size_t index, PaintLayer layer, double value) { values(layer)[index] = value; }
  /// Adds a layer with default values, or removes the layer.
  void set_has_paint(PaintLayer layer, bool has_layer);
  void set_palette(TextList palette) { palette_ = std::move(palette); }
  /// Changes the box. Cells outside the new box are lost, and new cells are empty and not painted.
  void resize(const VoxelBox& box);
  /// Moves all voxels by changing the lower corner of the box.
  void set_lower(const VoxelCell& lower) { box_.lower = lower; }

 private:
  [[nodiscard]] const std::vector<double>& values(PaintLayer layer) const {
    return paint_[static_cast<std::size_t>(layer)];
  }
  [[nodiscard]] std::vector<double>& values(PaintLayer layer) { return paint_[static_cast<std::size_t>(layer)]; }

  VoxelBox box_;
  TextList palette_;
  std::vector<std::uint16_t> codes_;
  std::array<std::vector<double>, paint_layers.size()> paint_;
};

/// Values of one cell, for an eyedropper.
struct VoxelSample {
  std::uint16_t code = 0;
  std::string material;  ///< empty for an empty cell
  double phase = 0, amplitude_scale = 1, stiffness_pa = 0, muscle = 0;
  [[nodiscard]] double paint(PaintLayer layer) const {
    return std::array{phase, amplitude_scale, stiffness_pa, muscle}[static_cast<std::size_t>(layer)];
  }
};
[[nodiscard]] VoxelSample sample_of(const VoxelGrid& grid, const VoxelCell& cell);

}  // namespace vw
