// One undo step of the voxel editor: the recorded changes of a grid and of the selection. Its memory is in proportion
// to the cells that changed. Neighbouring cells with equal changes share one record.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "app/window/voxel_edit/cells/cell_set.h"

namespace vw {

/// Layers of cells along y, as a half-open range of coordinates.
struct LayerRange {
  int begin = 0, end = 0;
  [[nodiscard]] bool is_empty() const { return begin >= end; }
  void add(const LayerRange& other);  ///< extends this range so that it contains the other
};

/// A sequence of changes. The set functions and resize() apply a change and record it. Undo reverses the order and
/// restores the previous values bit for bit. A cell may change several times.
class EditStep {
 public:
  explicit EditStep(std::string name) : name_(std::move(name)) {}
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool is_empty() const { return actions_.empty(); }
  /// Approximate memory of the step [bytes].
  [[nodiscard]] std::size_t bytes() const;

  // ---- Changes. Assigning the value that is already present records nothing. ----

  void set_code(VoxelGrid& grid, std::size_t index, std::uint16_t code) { set_codes(grid, index, 1, code); }
  /// Changes `count` cells with successive indices, all of which have the same code.
  void set_codes(VoxelGrid& grid, std::size_t first, std::size_t count, std::uint16_t code);
  void set_paint(VoxelGrid& grid, std::size_t index, PaintLayer layer, double value);
  void set_has_paint(VoxelGrid& grid, PaintLayer layer, bool has_layer);
  /// All cells outside the new box must be empty and not painted, because they are not recorded.
  void resize(VoxelGrid& grid, const VoxelBox& box);
  void set_palette(VoxelGrid& grid, TextList palette);
  void set_selection(CellSet& selection, CellSet next);

  /// undo() restores the state before the step, redo() the state after it. The grid and the selection must be in the
  /// opposite state. Returns the layers whose cells may have changed.
  LayerRange undo(VoxelGrid& grid, CellSet& selection) const { return replay(grid, selection, true); }
  LayerRange redo(VoxelGrid& grid, CellSet& selection) const { return replay(grid, selection, false); }

 private:
  /// Change of `count` cells from `first` on, all from `before` to `after`.
  template <class T>
  struct Run {
    std::uint32_t first = 0, count = 0;
    T before{}, after{};
  };
  struct Cells {
    std::vector<Run<std::uint16_t>> codes;
    std::array<std::vector<Run<double>>, paint_layers.size()> paint;
  };
  template <class T>
  struct Swap {
    T before, after;
  };
  struct PaintSwitch {
    PaintLayer layer;
    bool has_layer;  ///< whether the grid has the layer after the change
  };
  using Selections = Swap<std::shared_ptr<const CellSet>>;
  using Action = std::variant<Cells, PaintSwitch, Swap<VoxelBox>, Swap<TextList>, Selections>;

  [[nodiscard]] Cells& cells();
  template <class T>
  static void record(std::vector<Run<T>>& runs, std::size_t first, std::size_t count, T before, T after);
  LayerRange replay(VoxelGrid& grid, CellSet& selection, bool is_undo) const;
  static LayerRange replay(const Action& action, VoxelGrid& grid, CellSet& selection, bool is_undo);
  static LayerRange replay_cells(const Cells& cells, VoxelGrid& grid, bool is_undo);

  std::string name_;
  std::vector<Action> actions_;
};

}  // namespace vw
