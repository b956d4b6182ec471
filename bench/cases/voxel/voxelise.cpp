// Voxelisation of a mesh. The slice-by-slice scan is compared with signed-distance queries for every cell, which use
// the tree of the mesh.
#include <cmath>

#include "bench/measure.h"
#include "sim/base/parallel/parallel.h"
#include "sim/collision/mesh/mesh_builders.h"
#include "sim/collision/shape/cells_inside.h"

namespace vw::bench {
namespace {

CellLattice lattice_over(const Shape& shape, std::size_t across) {
  CellLattice lattice;
  lattice.cells = {across, across, across};
  lattice.lower = bounds(shape).min();
  lattice.pitch = bounds(shape).sizes() / static_cast<double>(across);
  return lattice;
}

std::vector<std::uint8_t> asked_one_by_one(const Shape& shape, const CellLattice& lattice) {
  std::vector<std::uint8_t> inside(lattice.size());
  parallel_for(inside.size(), 1024, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i)
      inside[i] = query(shape, lattice.middle(i), lattice.pitch.minCoeff()).distance < 0 ? 1 : 0;
  });
  return inside;
}

double share_that_differs(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  double count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i] ? 1 : 0;
  return count / static_cast<double>(a.size());
}

Row voxelise_row(const std::string& kind, const Shape& shape, std::size_t across, std::int64_t milliseconds) {
  const CellLattice lattice = lattice_over(shape, across);
  const auto cells = static_cast<double>(lattice.size());
  std::vector<std::uint8_t> scanned, asked;
  const double scan =
      measure(milliseconds, [&] { return scanned = cells_inside(shape, lattice), cells; }).median_rate();
  const double plain =
      measure(milliseconds, [&] { return asked = asked_one_by_one(shape, lattice), cells; }).median_rate();
  return {{{"mesh", kind}, {"cells", std::to_string(across) + "^3"}},
          {{"milliseconds", 1e3 * cells / scan},
           {"cells_per_s", scan},
           {"asked_cells_per_s", plain},
           {"over_asked", scan / plain},
           {"differ", share_that_differs(scanned, asked)}}};
}

}  // namespace

Result<Outcome> voxelise(const Arguments& arguments) {
  const auto across = static_cast<std::size_t>(arguments.whole("cells"));
  const std::int64_t milliseconds = std::max<std::int64_t>(1, arguments.whole("milliseconds") / 8);
  // The torus is 1 m wide and consists of 2 * around^2 quadrilaterals of two triangles each.
  const int around = std::max(3, static_cast<int>(std::lround(std::sqrt(0.25 * arguments.real("triangles")))));
  TriangleList list = torus_mesh(0.35, 0.15, 2 * around, around);
  const auto closed = TriangleMesh::make(list);
  if (!closed) return Unexpected(closed.error());
  list.triangle.pop_back();
  const auto open = TriangleMesh::make(std::move(list));
  if (!open) return Unexpected(open.error());
  Outcome outcome;
  for (const std::size_t n : {across, 2 * across}) {
    outcome.rows.push_back(voxelise_row("closed", std::shared_ptr<const Geometry>(*closed), n, milliseconds));
    outcome.rows.push_back(voxelise_row("with a hole", std::shared_ptr<const Geometry>(*open), n, milliseconds));
  }
  outcome.columns = {"milliseconds", "cells_per_s", "asked_cells_per_s", "over_asked", "differ"};
  outcome.rates = {{"cells_per_s", outcome.rows[0].value("cells_per_s")},
                   {"asked_cells_per_s", outcome.rows[0].value("asked_cells_per_s")}};
  outcome.figures = {{"triangles", static_cast<double>((*closed)->triangles().triangle.size())},
                     {"scan_over_asked", outcome.rows[0].value("over_asked")}};
  return outcome;
}

}  // namespace vw::bench
