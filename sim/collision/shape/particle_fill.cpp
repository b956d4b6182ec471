#include "sim/collision/shape/particle_fill.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/collision/mesh/triangle_mesh.h"
#include "sim/collision/shape/cells_inside.h"
#include "sim/collision/shape/hollow.h"

namespace vw {
namespace {

constexpr double most_cells = 8e6;

/// Returns the lattice of cells in a box. The slices are perpendicular to the longest axis.
Result<CellLattice> lattice_of(const Box3& box, double edge_m) {
  const Vec3 cells = cells_across(box, edge_m);
  if (!(cells.prod() <= most_cells))
    return fail(
        fmt::format("particles of diameter {:.3g} m are too small for a shape of {:.3g} x {:.3g} x {:.3g} m: the shape "
                    "may have at most {} cells of this size",
                    edge_m, box.sizes().x(), box.sizes().y(), box.sizes().z(), most_cells));
  CellLattice lattice = lattice_about(box, cells, edge_m);
  lattice.axis = {0, 1, 2};
  std::stable_sort(lattice.axis.begin(), lattice.axis.end(),
                   [&](std::size_t a, std::size_t b) { return lattice.cells[a] > lattice.cells[b]; });
  return lattice;
}

}  // namespace

Result<std::vector<Vec3>> fill_with_particles(const Shape& shape, double diameter_m) {
  if (!(diameter_m > 0)) return fail(fmt::format("particle diameter {} m: must be greater than 0", diameter_m));
  if (!is_solid(shape)) return fail("only a closed shape of finite size can be filled with particles");
  const auto lattice = lattice_of(bounds(shape), diameter_m);
  if (!lattice) return Unexpected(lattice.error());
  const std::vector<std::uint8_t> inside = cells_inside(shape, *lattice);
  std::vector<Vec3> places;
  places.reserve(static_cast<std::size_t>(std::count(inside.begin(), inside.end(), 1)));
  for (std::size_t i = 0; i < inside.size(); ++i)
    if (inside[i] != 0) places.push_back(lattice->middle(i));
  if (places.empty()) places.push_back(bounds(shape).center());
  return places;
}

}  // namespace vw
