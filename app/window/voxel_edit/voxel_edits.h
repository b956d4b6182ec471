// Editing of the cells of a voxel body, with undo and redo without limit. All coordinates are lattice coordinates
// (voxel_grid.h), which do not change when the grid grows. Use on one thread only.
//
// An operation returns the number of changes of cells; a cell may count several times. 0 means that nothing changed.
// After an error, nothing has changed. Errors are sentences for the user: a code that is not in the palette,
// coordinates out of range, a lattice that would become too large, a value out of range. The time of a brush is
// proportional to the number of cells of its shape. Operations that change the box of the grid or search the whole grid
// take time proportional to the number of all cells.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/window/voxel_edit/cells/cell_set.h"
#include "app/window/voxel_edit/cells/voxel_regions.h"
#include "app/window/voxel_edit/edit_step.h"

namespace vw {

enum class BrushMode {
  add,     ///< empty cells become voxels; voxels do not change
  remove,  ///< voxels become empty cells
  paint,   ///< voxels get the material; empty cells do not change
  set      ///< all cells become voxels of the material
};

/// Mirror planes of the symmetry mode. Every operation on cells then acts on all mirror images too.
struct VoxelSymmetry {
  /// Twice the coordinate of the mirror plane normal to each axis. An even number is a plane between two cells, and an
  /// odd number is a plane through the centres of cells.
  std::array<std::optional<int>, 3> twice_plane;
  /// Returns the planes through the centre of a box, for the axes that are true.
  [[nodiscard]] static VoxelSymmetry about_center(const VoxelBox& box, const std::array<bool, 3>& has_plane);
};

enum class SelectMode { replace, add, remove, intersect };

class VoxelEdits {
 public:
  explicit VoxelEdits(VoxelGrid grid) : grid_(std::move(grid)) {}

  [[nodiscard]] const VoxelGrid& grid() const { return grid_; }
  [[nodiscard]] const CellSet& selection() const { return selection_; }
  /// Increases with every change of the grid or selection, including undo and redo.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }
  /// Returns the layers along y whose cells may have changed since the last call, for VoxelFaceList::update().
  [[nodiscard]] LayerRange take_changed_layers();

  // ---- Settings, which are not part of undo ----

  /// Planes beyond max_cell_coordinate are removed.
  void set_symmetry(const VoxelSymmetry& symmetry);
  [[nodiscard]] const VoxelSymmetry& symmetry() const { return symmetry_; }
  /// Whether the grid grows when voxels are added beyond its box. Otherwise, cells outside are ignored.
  void set_is_growing(bool is_growing) { is_growing_ = is_growing; }
  /// Whether apply(), flood_fill(), extrude() and the paint functions change selected cells only. Without a selection,
  /// they change all cells.
  void set_is_limited_to_selection(bool is_limited) { is_limited_to_selection_ = is_limited; }
  /// Returns the cells and their mirror images, restricted to the selection if set_is_limited_to_selection(true) was
  /// called. These are the cells on which apply() acts.
  [[nodiscard]] CellSet affected_cells(const CellSet& cells) const;

  // ---- Cells ----

  /// Applies a brush shape (brush_shapes.h). `code` is ignored for BrushMode::remove. A voxel that is added or removed
  /// loses its painted values.
  Result<std::size_t> apply(const CellSet& cells, BrushMode mode, std::uint16_t code);
  /// Gives the code to all cells that are connected with a cell by faces and have the same code as this cell. If the
  /// cell is empty, all connected empty cells of the grid become voxels. The code 0 removes voxels.
  Result<std::size_t> flood_fill(const VoxelCell& cell, std::uint16_t code);
  /// Adds `layers` layers of voxels on the flat region that flat_region() returns, in the direction of the face. If the
  /// number is negative, removes that many layers from the face inwards. Cells that are filled do not change.
  Result<std::size_t> extrude(const VoxelCell& cell, CellFace face, int layers);
  /// Replaces all cells on one side of a plane by the mirror image of the other side. The plane is defined as in
  /// VoxelSymmetry. If `is_from_low_side`, cells with low coordinates are the source. The symmetry mode is ignored.
  Result<std::size_t> mirror(int axis, int twice_plane, bool is_from_low_side);
  /// Removes the voxels that are more than `thickness` cells away from all empty cells, diagonally too. The shell that
  /// remains is connected by faces. Acts on the selection or, if it is empty, on all voxels. The thickness must be at
  /// least 1.
  Result<std::size_t> hollow(int thickness);
  /// Adds `thickness` layers of voxels around the body. Cavities that are closed towards the outside are not filled.
  Result<std::size_t> add_shell(int thickness, std::uint16_t code);
  /// Replaces the material `from` by `to` in the selection or, if the selection is empty, in all voxels. If `to` is 0,
  /// the voxels are removed.
  Result<std::size_t> replace_material(std::uint16_t from, std::uint16_t to);
  /// Makes the grid as small as its voxels allow. A grid without voxels is reduced to its lowest cell.
  Result<std::size_t> crop();
  /// Changes the box of the grid. Voxels outside are removed.
  Result<std::size_t> set_box(const VoxelBox& box);
  /// Replaces the box, the palette, all voxels and all painted values by those of another grid. The symmetry mode and
  /// the limit to the selection are ignored. Nothing is selected afterwards.
  Result<std::size_t> replace_all(const VoxelGrid& cells);

  // ---- Painted values. Only voxels are painted. Ranges: phase and amplitude scale -1e9 to 1e9, stiffness 0 Pa to
  // 1e13 Pa, muscle 0 to max_painted_muscles ----

  Result<std::size_t> paint_value(const CellSet& cells, PaintLayer layer, double value);
  /// Paints values that change linearly along an axis: `from` in the lowest cells of the set, `to` in its highest
  /// cells. Mirror images have the value of their original.
  Result<std::size_t> paint_gradient(const CellSet& cells, PaintLayer layer, int axis, double from, double to);
  /// Paints one value for each cell of a box, in the order of a grid, such as the result of formula_values()
  /// (brush_shapes.h). Only voxels of the set that lie in the box are painted. The symmetry mode is ignored. The values
  /// of these voxels must be finite and in range.
  Result<std::size_t> paint_values(const CellSet& cells, PaintLayer layer, const VoxelBox& box,
                                   std::span<const double> values);
  /// Removes a paint layer, so that all cells have the default value. Returns the number of cells that had another
  /// value.
  Result<std::size_t> clear_paint(PaintLayer layer);

  // ---- Palette ----

  /// Replaces the names of the materials. Codes do not change, so the palette must not be shorter than the largest
  /// code.
  Result<void> set_palette(TextList palette);

  // ---- Selection, with undo. A selection contains cells of the grid, filled or empty ----

  void select(const CellSet& cells, SelectMode mode = SelectMode::replace);
  void select_all();                  ///< all voxels
  void select_none() { select({}); }  ///< no cell
  void invert_selection();            ///< the voxels that are not selected
  void grow_selection(int cells);     ///< adds cells of the grid, diagonally too
  void shrink_selection(int cells);   ///< see CellSet::shrunk()
  void select_material(std::uint16_t code, SelectMode mode = SelectMode::replace);
  /// Selects the cells that are connected with a cell by faces (voxel_regions.h).
  void select_connected(const VoxelCell& cell, CellMatch match, SelectMode mode = SelectMode::replace);

  /// Returns the selected voxels with their values, or nullopt without a selection. The box of the copy is that of the
  /// selection.
  [[nodiscard]] std::optional<VoxelGrid> copy_selection() const;
  Result<std::size_t> delete_selection();
  /// Moves the selected voxels and the selection. Empty cells of the selection do not overwrite voxels. In symmetry
  /// mode, the mirror images of the selection are moved symmetrically.
  Result<std::size_t> move_selection(const VoxelCell& step);
  /// Rotates the selected voxels by quarter turns about an axis (rotated() in block_transform.h). The centre is that of
  /// the selection's box, rounded to whole cells.
  Result<std::size_t> rotate_selection(int axis, int quarter_turns);
  Result<std::size_t> flip_selection(int axis);
  /// Adds the voxels of a copy with its lower corner at a cell and selects them. Materials are matched by name; names
  /// that the palette lacks are appended.
  Result<std::size_t> paste(const VoxelGrid& block, const VoxelCell& lower);

  // ---- Undo and redo ----

  /// Joins all operations until end_step() into one undo step, such as the dabs of one brush stroke. Pairs of
  /// begin_step() and end_step() may be nested.
  void begin_step(const std::string& name);
  void end_step();
  [[nodiscard]] bool can_undo() const { return position_ > 0; }
  [[nodiscard]] bool can_redo() const { return position_ < steps_.size(); }
  [[nodiscard]] std::string undo_name() const;  ///< empty if there is nothing to undo
  [[nodiscard]] std::string redo_name() const;
  void undo();  ///< also ends an open step
  void redo();
  [[nodiscard]] std::size_t history_bytes() const;  ///< approximate memory of all steps [bytes]

 private:
  /// Keeps a step open while an operation runs.
  class StepScope {
   public:
    StepScope(VoxelEdits& edits, const char* name) : edits_(edits) { edits_.begin_step(name); }
    ~StepScope() { edits_.end_step(); }
    StepScope(const StepScope&) = delete;
    StepScope& operator=(const StepScope&) = delete;

   private:
    VoxelEdits& edits_;
  };
  /// A block of voxels that replaces the selected voxels, usually at another place.
  struct Placement {
    VoxelGrid block;
    CellSet selection;  ///< selection after the placement
  };

  [[nodiscard]] EditStep& step() { return *open_step_; }
  [[nodiscard]] Result<void> check_code(std::uint16_t code) const;
  /// Returns the box of the grid extended to contain `needed`, or the present box if the grid may not grow.
  [[nodiscard]] Result<VoxelBox> grown_box(const VoxelBox& needed) const;
  void resize(const VoxelBox& box);
  void mark_changed(const LayerRange& layers);
  std::size_t write_row(const CellSpan& span, BrushMode mode, std::uint16_t code);
  std::size_t write(const CellSet& cells, BrushMode mode, std::uint16_t code);
  std::size_t place(const VoxelGrid& block);
  void place_values(const VoxelGrid& block, std::size_t source, std::size_t target);
  [[nodiscard]] std::vector<VoxelGrid> images(const VoxelGrid& block) const;
  Result<std::size_t> replace_selection(Placement placement, const char* name);
  [[nodiscard]] CellSet with_images(const CellSet& cells) const;
  [[nodiscard]] CellSet targets() const;
  template <class ValueAt>
  Result<std::size_t> paint(const CellSet& cells, PaintLayer layer, ValueAt value_at);

  VoxelGrid grid_;
  CellSet selection_;
  VoxelSymmetry symmetry_;
  bool is_growing_ = true, is_limited_to_selection_ = false;
  std::vector<EditStep> steps_;
  std::size_t position_ = 0;  ///< number of steps that are applied (not undone)
  std::optional<EditStep> open_step_;
  int open_depth_ = 0;  ///< number of open calls of begin_step()
  std::uint64_t revision_ = 0;
  LayerRange changed_;
};

}  // namespace vw
