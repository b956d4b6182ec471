#include "app/window/voxel_edit/brush_shapes.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sim/base/parallel/parallel.h"
#include "sim/plot/formula.h"

namespace vw {
namespace {

Result<void> check_corners(const VoxelCell& a, const VoxelCell& b) {
  if (!is_in_range(a) || !is_in_range(b)) return fail("The shape extends too far beyond the lattice.");
  return check_grid_box(box_between(a, b));
}

/// Returns the cells whose centres lie in the box from lower to upper. The box is empty if there is no such cell.
Result<VoxelBox> cells_of_extent(const Vec3& lower, const Vec3& upper) {
  const double limit = max_cell_coordinate;
  if (!lower.allFinite() || !upper.allFinite() || lower.minCoeff() < -limit || upper.maxCoeff() > limit)
    return fail("The shape extends too far beyond the lattice.");
  const VoxelCell first = (lower.array() - 0.5).ceil().cast<int>(), last = (upper.array() - 0.5).floor().cast<int>();
  const VoxelBox box{first, last - first + VoxelCell::Ones()};
  if (box.is_empty()) return VoxelBox{};
  if (auto good = check_grid_box(box); !good) return Unexpected(good.error());
  return box;
}

/// Returns the cells of the box whose centres fulfil a condition.
template <class Inside>
CellSet centers_inside(const VoxelBox& box, Inside is_inside) {
  std::vector<CellSpan> spans;
  for (int y = box.lower.y(); y < box.upper().y(); ++y)
    for (int z = box.lower.z(); z < box.upper().z(); ++z)
      for (int x = box.lower.x(); x < box.upper().x(); ++x) {
        if (!is_inside(Vec3(x + 0.5, y + 0.5, z + 0.5))) continue;
        const int begin = x++;
        while (x < box.upper().x() && is_inside(Vec3(x + 0.5, y + 0.5, z + 0.5))) ++x;
        spans.push_back({begin, x, y, z});
      }
  return CellSet::of_spans(std::move(spans));
}

/// Returns the cells of a solid of revolution. `is_inside` receives the distance from the axis and the coordinate along
/// the axis, relative to the centre.
template <class Inside>
Result<CellSet> revolved(const RoundSolid& solid, double radius, double half_length, Inside is_inside) {
  if (solid.axis < 0 || solid.axis > 2) return fail("The axis must be x, y or z.");
  if (!(radius >= 0) || !(half_length >= 0)) return CellSet();
  Vec3 half = Vec3::Constant(radius);
  half[solid.axis] = half_length;
  const auto box = cells_of_extent(solid.center - half, solid.center + half);
  if (!box) return Unexpected(box.error());
  return centers_inside(*box, [&](const Vec3& point) {
    Vec3 away = point - solid.center;
    const double along = away[solid.axis];
    away[solid.axis] = 0;
    return is_inside(away.norm(), along);
  });
}

}  // namespace

Result<CellSet> box_cells(const VoxelCell& a, const VoxelCell& b) {
  if (auto good = check_corners(a, b); !good) return Unexpected(good.error());
  return CellSet::of_box(box_between(a, b));
}

Result<CellSet> line_cells(const VoxelCell& a, const VoxelCell& b, LineKind kind) {
  // The line itself has few cells, so only its coordinates are limited, not its box.
  if (!is_in_range(a) || !is_in_range(b) || (b - a).cwiseAbs().sum() > static_cast<int>(max_grid_cells))
    return fail("The line extends too far beyond the lattice.");
  const VoxelCell way = b - a, count = way.cwiseAbs(), sign = way.cwiseSign();
  std::vector<CellSpan> spans{{a.x(), a.x() + 1, a.y(), a.z()}};
  VoxelCell cell = a;
  if (kind == LineKind::thin) {
    const int steps = count.maxCoeff();
    for (int k = 1; k <= steps; ++k) {
      for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t moved = (2 * std::int64_t{count[axis]} * k + steps) / (2 * std::int64_t{steps});
        cell[axis] = a[axis] + sign[axis] * static_cast<int>(moved);
      }
      spans.push_back({cell.x(), cell.x() + 1, cell.y(), cell.z()});
    }
    return CellSet::of_spans(std::move(spans));
  }
  // Along each axis, the line crosses the next face at the parameter (2 done + 1) / (2 count). The next step is the one
  // with the lowest parameter.
  VoxelCell done = VoxelCell::Zero();
  while (cell != b) {
    int next = -1;
    for (int axis = 0; axis < 3; ++axis) {
      if (done[axis] == count[axis]) continue;
      if (next < 0 ||
          (2 * std::int64_t{done[axis]} + 1) * count[next] < (2 * std::int64_t{done[next]} + 1) * count[axis])
        next = axis;
    }
    ++done[next];
    cell[next] += sign[next];
    spans.push_back({cell.x(), cell.x() + 1, cell.y(), cell.z()});
  }
  return CellSet::of_spans(std::move(spans));
}

Result<CellSet> ellipsoid_cells(const Vec3& center, const Vec3& radii) {
  if (!(radii.minCoeff() >= 0)) return CellSet();
  const auto box = cells_of_extent(center - radii, center + radii);
  if (!box) return Unexpected(box.error());
  // If the radius along an axis is 0, only cells whose centres have the coordinate of `center` on this axis are inside.
  const Vec3 scale = radii.cwiseMax(1e-9).cwiseInverse();
  return centers_inside(*box,
                        [&](const Vec3& point) { return (point - center).cwiseProduct(scale).squaredNorm() <= 1; });
}

Result<CellSet> ball_cells(const VoxelCell& center, double radius) {
  return ellipsoid_cells(center.cast<double>() + Vec3::Constant(0.5), Vec3::Constant(radius));
}

Result<CellSet> cylinder_cells(const RoundSolid& solid) {
  return revolved(solid, solid.radius, 0.5 * solid.length,
                  [&](double distance, double) { return distance <= solid.radius; });
}

Result<CellSet> cone_cells(const RoundSolid& solid) {
  const double most = std::max(solid.radius, solid.inner_radius);
  return revolved(solid, most, 0.5 * solid.length, [&](double distance, double along) {
    const double upper = solid.length > 0 ? along / solid.length + 0.5 : 0;
    return distance <= solid.radius + upper * (solid.inner_radius - solid.radius);
  });
}

Result<CellSet> torus_cells(const RoundSolid& solid) {
  const double tube = solid.inner_radius;
  return revolved(solid, solid.radius + tube, tube, [&](double distance, double along) {
    const double beyond = distance - solid.radius;
    return beyond * beyond + along * along <= tube * tube;
  });
}

Result<CellSet> tube_cells(const RoundSolid& solid) {
  return revolved(solid, solid.radius, 0.5 * solid.length,
                  [&](double distance, double) { return distance <= solid.radius && distance >= solid.inner_radius; });
}

Result<CellSet> cells_where(const VoxelBox& box, const std::function<bool(const VoxelCell&)>& is_member) {
  if (auto good = check_grid_box(box); !good) return Unexpected(good.error());
  std::vector<std::uint8_t> mask;
  mask.reserve(box.cells());
  for (int y = box.lower.y(); y < box.upper().y(); ++y)
    for (int z = box.lower.z(); z < box.upper().z(); ++z)
      for (int x = box.lower.x(); x < box.upper().x(); ++x) mask.push_back(is_member({x, y, z}) ? 1 : 0);
  return CellSet::of_mask(box, mask);
}

Result<std::vector<double>> formula_values(const VoxelBox& box, const std::string& formula, FormulaUnits units,
                                           double voxel_size) {
  if (auto good = check_grid_box(box); !good) return Unexpected(good.error());
  const std::vector<std::string> names{"x", "y", "z"};
  if (auto compiled = Formula::compile(formula, names); !compiled) return Unexpected(compiled.error());
  const bool is_metric = units == FormulaUnits::metres;
  const Vec3 lower = is_metric ? Vec3(box.lower.cast<double>()) : Vec3::Zero();
  const Vec3 scale = is_metric ? Vec3::Constant(voxel_size) : Vec3(box.size.cast<double>().cwiseInverse());
  const auto nx = static_cast<std::size_t>(box.size.x()), nz = static_cast<std::size_t>(box.size.z());
  std::vector<double> values(box.cells());
  constexpr std::size_t grain = 16384;  // cells per task, about 1 ms of work
  parallel_for(values.size(), grain, [&](Range range, std::size_t) {
    auto evaluate =
        Formula::compile(formula, names);  // one for each task, because two threads must not evaluate the same formula
    for (std::size_t i = range.begin; evaluate && i < range.end; ++i) {
      const Vec3 center(static_cast<double>(i % nx) + 0.5, static_cast<double>(i / (nx * nz)) + 0.5,
                        static_cast<double>(i / nx % nz) + 0.5);
      const Vec3 at = (lower + center).cwiseProduct(scale);
      values[i] = (*evaluate)(std::span<const double>(at.data(), 3));
    }
  });
  return values;
}

Result<CellSet> formula_cells(const VoxelBox& box, const std::string& formula, FormulaUnits units, double voxel_size) {
  const auto values = formula_values(box, formula, units, voxel_size);
  if (!values) return Unexpected(values.error());
  std::vector<std::uint8_t> mask(values->size());
  std::ranges::transform(*values, mask.begin(),
                         [](double value) { return value > 0 ? std::uint8_t{1} : std::uint8_t{0}; });
  return CellSet::of_mask(box, mask);
}

}  // namespace vw
