#include "sim/surface/polygonise.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "sim/base/parallel/parallel.h"
#include "sim/surface/cube_cases.h"

namespace vw {
namespace {

/// Number of nodes along each side of the cubes of a block. The last nodes are the first nodes of the next block.
constexpr int cube_nodes = NodeBlocks::width + 1;

constexpr std::size_t cube_row(int j, int k) {
  const int row = j + cube_nodes * k;
  return static_cast<std::size_t>(row);
}

constexpr std::size_t cube_node(int i, int j, int k) {
  return static_cast<std::size_t>(i) + static_cast<std::size_t>(cube_nodes) * cube_row(j, k);
}

/// Level at the 9 x 9 x 9 nodes of a block's cubes.
struct CubeLevels {
  std::array<float, 729> level;
  std::array<unsigned, 81> inside;  ///< For each row along x: bit i is set if node i is inside.
};

void gather_levels(const NodeBlocks& blocks, std::size_t block, std::span<const float> level, CubeLevels& out) {
  const auto level_at = [&](const NodeBlocks::Node& node, std::size_t i) {
    return node.block == NodeBlocks::none ? -1.0F : level[node.block * NodeBlocks::nodes + node.node + i];
  };
  for (int k = 0; k < cube_nodes; ++k)
    for (int j = 0; j < cube_nodes; ++j) {
      float* row = &out.level[cube_node(0, j, k)];
      const NodeBlocks::Node first = blocks.node(block, 0, j, k);
      for (std::size_t i = 0; i < NodeBlocks::width; ++i) row[i] = level_at(first, i);
      row[NodeBlocks::width] = level_at(blocks.node(block, NodeBlocks::width, j, k), 0);
      unsigned inside = 0;
      for (unsigned i = 0; i < cube_nodes; ++i) inside |= (row[i] > 0 ? 1U : 0U) << i;
      out.inside[cube_row(j, k)] = inside;
    }
}

/// Numbers of vertices and triangles in a block.
struct BlockCounts {
  std::uint32_t vertices = 0, triangles = 0;
};

/// Calls visit(i, j, k, axis), in a fixed order, for each edge that starts at a node of the block and that the surface
/// crosses.
template <class F>
void each_crossing(const CubeLevels& cubes, F visit) {
  for (int k = 0; k < NodeBlocks::width; ++k)
    for (int j = 0; j < NodeBlocks::width; ++j) {
      const unsigned row = cubes.inside[cube_row(j, k)];
      const std::array<unsigned, 3> crossed{row ^ (row >> 1), row ^ cubes.inside[cube_row(j + 1, k)],
                                            row ^ cubes.inside[cube_row(j, k + 1)]};
      if (((crossed[0] | crossed[1] | crossed[2]) & 0xffU) == 0) continue;
      for (int i = 0; i < NodeBlocks::width; ++i)
        for (int axis = 0; axis < 3; ++axis)
          if (((crossed[static_cast<std::size_t>(axis)] >> i) & 1U) != 0) visit(i, j, k, axis);
    }
}

/// Calls visit(i, j, k, triangles) for each cube of the block that the surface crosses. `triangles` are the triangles
/// of the cube's case.
template <class F>
void each_cube(const CubeLevels& cubes, F visit) {
  const auto& cases = cube_cases();
  for (int k = 0; k < NodeBlocks::width; ++k)
    for (int j = 0; j < NodeBlocks::width; ++j) {
      const unsigned a = cubes.inside[cube_row(j, k)], b = cubes.inside[cube_row(j + 1, k)],
                     c = cubes.inside[cube_row(j, k + 1)], d = cubes.inside[cube_row(j + 1, k + 1)];
      if ((a | b | c | d) == 0 || (a & b & c & d) == 0x1ffU) continue;
      for (int i = 0; i < NodeBlocks::width; ++i) {
        const unsigned inside =
            ((a >> i) & 3U) | (((b >> i) & 3U) << 2) | (((c >> i) & 3U) << 4) | (((d >> i) & 3U) << 6);
        if (inside != 0 && inside != 255) visit(i, j, k, cases[inside]);
      }
    }
}

/// Performs the two passes of marching cubes over the blocks. The first pass counts vertices and triangles, and the
/// second pass writes them.
class Polygoniser {
 public:
  Polygoniser(const NodeBlocks& blocks, std::span<const float> level, const FluidBodies& bodies)
      : blocks_(blocks), level_(level), bodies_(bodies), first_(blocks.size() + 1), row_(blocks.size(), 0) {}

  BodyMesh run() {
    count();
    mesh_.position.resize(first_.back().vertices);
    mesh_.body.resize(first_.back().vertices);
    mesh_.triangle.resize(first_.back().triangles);
    parallel_for(crossed_.size(), grain, [&](Range range, std::size_t) {
      for (std::size_t r = range.begin; r < range.end; ++r) add_vertices(r);
    });
    parallel_for(crossed_.size(), grain, [&](Range range, std::size_t) {
      for (std::size_t r = range.begin; r < range.end; ++r) add_triangles(crossed_[r]);
    });
    return std::move(mesh_);
  }

 private:
  static constexpr std::size_t grain = 8;

  void count() {
    parallel_for(blocks_.size(), grain, [&](Range range, std::size_t) {
      CubeLevels cubes;
      for (std::size_t b = range.begin; b < range.end; ++b) {
        gather_levels(blocks_, b, level_, cubes);
        BlockCounts& sum = first_[b + 1];
        each_crossing(cubes, [&](int, int, int, int) { ++sum.vertices; });
        each_cube(cubes, [&](int, int, int, const CubeTriangles& triangles) {
          sum.triangles += static_cast<std::uint32_t>(triangles.size());
        });
      }
    });
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      BlockCounts& next = first_[b + 1];
      if (next.vertices + next.triangles > 0) {
        row_[b] = static_cast<std::uint32_t>(crossed_.size());
        crossed_.push_back(static_cast<std::uint32_t>(b));
      }
      next.vertices += first_[b].vertices, next.triangles += first_[b].triangles;
    }
    vertex_ = std::make_unique_for_overwrite<std::uint32_t[]>(crossed_.size() * 3 * NodeBlocks::nodes);
  }

  void add_vertices(std::size_t row) {
    const std::size_t b = crossed_[row];
    CubeLevels cubes;
    gather_levels(blocks_, b, level_, cubes);
    std::uint32_t next = first_[b].vertices;
    const Vec3 corner = blocks_.corner(b);
    each_crossing(cubes, [&](int i, int j, int k, int axis) {
      const int ahead[3] = {axis == 0, axis == 1, axis == 2};
      const double here = cubes.level[cube_node(i, j, k)];
      const double there = cubes.level[cube_node(i + ahead[0], j + ahead[1], k + ahead[2])];
      // The clamp keeps the vertex away from both nodes, so that no two vertices coincide.
      Vec3 at(i, j, k);
      at[axis] += std::clamp(here / (here - there), 0.02, 0.98);
      mesh_.position[next] = corner + blocks_.cell_m() * at;
      const NodeBlocks::Node inner =
          here > 0 ? blocks_.node(b, i, j, k) : blocks_.node(b, i + ahead[0], j + ahead[1], k + ahead[2]);
      mesh_.body[next] = bodies_.at(inner.block, inner.node);
      vertex_[3 * (row * NodeBlocks::nodes + static_cast<std::size_t>(i + 8 * j + 64 * k)) +
              static_cast<std::size_t>(axis)] = next++;
    });
  }

  void add_triangles(std::size_t b) {
    CubeLevels cubes;
    gather_levels(blocks_, b, level_, cubes);
    std::uint32_t next = first_[b].triangles;
    each_cube(cubes, [&](int i, int j, int k, const CubeTriangles& triangles) {
      for (const auto& triangle : triangles) {
        for (std::size_t c = 0; c < 3; ++c) {
          const CubeEdge& edge = cube_edges[triangle[c]];
          const NodeBlocks::Node node = blocks_.node(b, i + edge.x, j + edge.y, k + edge.z);
          mesh_.triangle[next][c] =
              vertex_[3 * (std::size_t{row_[node.block]} * NodeBlocks::nodes + node.node) + edge.axis];
        }
        ++next;
      }
    });
  }

  const NodeBlocks& blocks_;
  std::span<const float> level_;
  const FluidBodies& bodies_;
  std::vector<BlockCounts> first_;      ///< Sums of the counts over all blocks before each block.
  std::vector<std::uint32_t> row_;      ///< Index of each block in crossed_.
  std::vector<std::uint32_t> crossed_;  ///< Blocks with vertices or triangles.
  /// Indices of the vertices on the three edges from each node of the crossed blocks. Entries of edges without a vertex
  /// are not set.
  std::unique_ptr<std::uint32_t[]> vertex_;
  BodyMesh mesh_;
};

}  // namespace

BodyMesh polygonise(const NodeBlocks& blocks, std::span<const float> level, const FluidBodies& bodies) {
  return Polygoniser(blocks, level, bodies).run();
}

}  // namespace vw
