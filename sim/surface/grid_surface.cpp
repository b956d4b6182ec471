#include "sim/surface/grid_surface.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "sim/surface/cube_cases.h"

namespace vw {
namespace {

constexpr std::uint32_t no_vertex = 0xffffffffU;

class GridPolygoniser {
 public:
  GridPolygoniser(const ValueGrid& grid, float level) : grid_(grid), level_(level) {
    vertex_.assign(3 * grid.value.size(), no_vertex);
  }

  SurfaceMesh run() {
    for (std::size_t k = 0; k + 1 < grid_.count[2]; ++k)
      for (std::size_t j = 0; j + 1 < grid_.count[1]; ++j)
        for (std::size_t i = 0; i + 1 < grid_.count[0]; ++i) add_cube(i, j, k);
    return std::move(mesh_);
  }

 private:
  void add_cube(std::size_t i, std::size_t j, std::size_t k) {
    unsigned inside = 0;
    for (unsigned c = 0; c < 8; ++c) {
      const float v = grid_.value[grid_.at(i + (c & 1U), j + ((c >> 1U) & 1U), k + (c >> 2U))];
      if (!std::isfinite(v)) return;
      inside |= (v > level_ ? 1U : 0U) << c;
    }
    if (inside == 0 || inside == 255) return;
    for (const auto& triangle : cube_cases()[inside]) {
      std::array<std::uint32_t, 3> corner{};
      for (std::size_t c = 0; c < 3; ++c) {
        const CubeEdge& edge = cube_edges[triangle[c]];
        corner[c] = vertex_on(i + edge.x, j + edge.y, k + edge.z, edge.axis);
      }
      mesh_.triangle.push_back(corner);
    }
  }

  std::uint32_t vertex_on(std::size_t i, std::size_t j, std::size_t k, std::size_t axis) {
    const std::size_t here = grid_.at(i, j, k);
    std::uint32_t& vertex = vertex_[3 * here + axis];
    if (vertex != no_vertex) return vertex;
    vertex = static_cast<std::uint32_t>(mesh_.position.size());
    const std::array<std::size_t, 3> next{i + (axis == 0 ? 1 : 0), j + (axis == 1 ? 1 : 0), k + (axis == 2 ? 1 : 0)};
    const std::size_t there = grid_.at(next[0], next[1], next[2]);
    const double a = grid_.value[here], b = grid_.value[there];
    // The clamp keeps the vertex away from both nodes, so that no two vertices coincide.
    const double share = std::clamp((level_ - a) / (b - a), 0.01, 0.99);
    Vec3 place = grid_.place(here);
    place[static_cast<int>(axis)] += share * grid_.cell_m;
    const Vec3 slope = (1 - share) * slope_at(i, j, k) + share * slope_at(next[0], next[1], next[2]);
    const double steepness = slope.norm();
    mesh_.position.push_back(place.cast<float>());
    mesh_.normal.push_back(steepness > 0 ? Vec3f((-slope / steepness).cast<float>()) : Vec3f(Vec3f::UnitY()));
    return vertex;
  }

  /// Returns the gradient of the values per cell. Only neighbours that have a value are used.
  [[nodiscard]] Vec3 slope_at(std::size_t i, std::size_t j, std::size_t k) const {
    const std::array<std::size_t, 3> node{i, j, k};
    const double own = grid_.value[grid_.at(i, j, k)];
    Vec3 slope = Vec3::Zero();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::array<std::size_t, 3> low = node, high = node;
      if (node[axis] > 0) --low[axis];
      if (node[axis] + 1 < grid_.count[axis]) ++high[axis];
      double below = grid_.value[grid_.at(low[0], low[1], low[2])],
             above = grid_.value[grid_.at(high[0], high[1], high[2])];
      double steps = static_cast<double>(high[axis] - low[axis]);
      if (!std::isfinite(below)) below = own, steps -= 1;
      if (!std::isfinite(above)) above = own, steps -= 1;
      if (steps > 0) slope[static_cast<int>(axis)] = (above - below) / steps;
    }
    return slope;
  }

  const ValueGrid& grid_;
  float level_;
  std::vector<std::uint32_t> vertex_;  ///< Indices of the vertices on the three edges that start at each node.
  SurfaceMesh mesh_;
};

}  // namespace

SurfaceMesh grid_surface(const ValueGrid& grid, float level) {
  const bool has_cubes = std::ranges::all_of(grid.count, [](std::size_t n) { return n > 1; });
  if (!has_cubes || grid.value.size() != grid.count[0] * grid.count[1] * grid.count[2]) return {};
  return GridPolygoniser(grid, level).run();
}

std::optional<double> automatic_level(const ValueGrid& grid, bool is_q_criterion) {
  float least = std::numeric_limits<float>::max(), most = std::numeric_limits<float>::lowest();
  for (const float value : grid.value)
    if (std::isfinite(value)) least = std::min(least, value), most = std::max(most, value);
  if (!(least < most)) return std::nullopt;
  if (!is_q_criterion) return 0.5 * (static_cast<double>(least) + static_cast<double>(most));
  if (!(most > 0)) return 0.1 * static_cast<double>(most);
  std::vector<float> sorted;
  for (const float value : grid.value)
    if (std::isfinite(value)) sorted.push_back(value);
  const auto rank = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() - 1 - sorted.size() / 25);
  std::ranges::nth_element(sorted, rank);
  return std::clamp(static_cast<double>(*rank), 0.1 * static_cast<double>(most), 0.3 * static_cast<double>(most));
}

SurfaceMesh without_small_parts(const SurfaceMesh& mesh, std::size_t least) {
  std::vector<std::uint32_t> root(mesh.position.size());
  std::iota(root.begin(), root.end(), 0U);
  const auto find = [&root](std::uint32_t v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (const auto& t : mesh.triangle) {
    root[find(t[1])] = find(t[0]);
    root[find(t[2])] = find(t[0]);
  }
  std::vector<std::size_t> size(root.size(), 0);
  for (const auto& t : mesh.triangle) ++size[find(t[0])];
  constexpr std::uint32_t none = 0xffffffffU;
  std::vector<std::uint32_t> now(root.size(), none);
  SurfaceMesh out;
  for (auto t : mesh.triangle) {
    if (size[find(t[0])] < least) continue;
    for (std::uint32_t& v : t) {
      if (now[v] == none) {
        now[v] = static_cast<std::uint32_t>(out.position.size());
        out.position.push_back(mesh.position[v]);
        out.normal.push_back(mesh.normal[v]);
      }
      v = now[v];
    }
    out.triangle.push_back(t);
  }
  return out;
}

}  // namespace vw
