// Sets of cells for brushes and for filling with shapes. Cells are given in lattice coordinates. Points and lengths are
// in lattice coordinates too, so the centre of cell (x, y, z) is (x + 0.5, y + 0.5, z + 0.5). Round shapes contain the
// cells whose centres lie inside or on the surface.
//
// Every function returns an error if coordinates are not finite or out of range. Every function except line_cells()
// returns an error if the bounding box of the shape has more than max_grid_cells cells.
#pragma once

#include <functional>
#include <string>

#include "app/window/voxel_edit/cells/cell_set.h"

namespace vw {

/// All cells between two corners, which may be in any order.
[[nodiscard]] Result<CellSet> box_cells(const VoxelCell& a, const VoxelCell& b);

enum class LineKind {
  face_connected,  ///< successive cells share a face, so bonds join all voxels of the line
  thin             ///< successive cells may share only an edge or a corner (Bresenham)
};
/// Cells of a straight line from `a` to `b`, both included.
[[nodiscard]] Result<CellSet> line_cells(const VoxelCell& a, const VoxelCell& b,
                                         LineKind kind = LineKind::face_connected);

[[nodiscard]] Result<CellSet> ellipsoid_cells(const Vec3& center, const Vec3& radii);
/// Ball about the centre of a cell. A ball with the radius 0 is the cell itself.
[[nodiscard]] Result<CellSet> ball_cells(const VoxelCell& center, double radius);

/// A solid of revolution. `axis` is 0, 1 or 2, and `center` is the middle of the solid.
struct RoundSolid {
  Vec3 center = Vec3::Zero();
  int axis = 1;
  double radius = 1;        ///< outer radius; cone: at the lower end; torus: from the axis to the tube's centre
  double length = 1;        ///< length along the axis; not used for a torus
  double inner_radius = 0;  ///< tube: radius of the hole; cone: at the upper end; torus: radius of its tube
};
[[nodiscard]] Result<CellSet> cylinder_cells(const RoundSolid& solid);
[[nodiscard]] Result<CellSet> cone_cells(const RoundSolid& solid);
[[nodiscard]] Result<CellSet> torus_cells(const RoundSolid& solid);
[[nodiscard]] Result<CellSet> tube_cells(const RoundSolid& solid);

/// Cells of the box for which `is_member` returns true. The function is called once for each cell, with x varying
/// fastest, then z, then y. If the members are given as an array, use CellSet::of_mask() instead.
[[nodiscard]] Result<CellSet> cells_where(const VoxelBox& box, const std::function<bool(const VoxelCell&)>& is_member);

/// Meaning of x, y and z in a formula. They are the coordinates of the centre of a cell.
enum class FormulaUnits {
  metres,    ///< coordinates relative to the lower corner of cell (0, 0, 0) [m]
  fractions  ///< fraction of the box along each axis: 0 at its lower corner and 1 at its upper corner
};
/// Cells of the box at whose centres a formula of x, y and z is greater than 0 (sim/plot/formula.h). A cell at which
/// the formula has no value is not contained. `voxel_size` is the edge length of a voxel [m].
[[nodiscard]] Result<CellSet> formula_cells(const VoxelBox& box, const std::string& formula, FormulaUnits units,
                                            double voxel_size);
/// Values of a formula at the centres of all cells of a box, in the order of a grid. Undefined values are NaN.
[[nodiscard]] Result<std::vector<double>> formula_values(const VoxelBox& box, const std::string& formula,
                                                         FormulaUnits units, double voxel_size);

}  // namespace vw
