#include "sim/surface/fluid_bodies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

constexpr std::uint16_t outer_node = 0xffff;

/// Returns the root of a set in a union-find forest. The root is the smallest number of the set. The function also
/// shortens the path to the root.
template <class Index>
Index set_root(std::span<Index> parent, Index i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

template <class Index>
void join_sets(std::span<Index> parent, Index a, Index b) {
  a = set_root(parent, a), b = set_root(parent, b);
  if (a < b)
    parent[b] = a;
  else
    parent[a] = b;
}

/// Numbers the connected parts of the inner nodes in a block, and returns the number of parts.
std::uint32_t label_parts(const float* level, std::uint16_t* part) {
  std::array<std::uint16_t, NodeBlocks::nodes> parent;
  const std::span<std::uint16_t> forest(parent);
  for (std::uint16_t n = 0; n < NodeBlocks::nodes; ++n) {
    parent[n] = n;
    if (!(level[n] > 0)) continue;
    for (const auto& [mask, step] : {std::array<int, 2>{7, 1}, {7 << 3, 8}, {7 << 6, 64}})
      if ((n & mask) != 0 && level[n - step] > 0) join_sets(forest, n, static_cast<std::uint16_t>(n - step));
  }
  std::array<std::uint16_t, NodeBlocks::nodes> number;
  std::uint16_t count = 0;
  for (std::uint16_t n = 0; n < NodeBlocks::nodes; ++n) {
    part[n] = outer_node;
    if (!(level[n] > 0)) continue;
    const std::uint16_t root = set_root(forest, n);
    if (root == n) number[n] = count++;
    part[n] = number[root];
  }
  return count;
}

/// Calls pair(node, neighbour) for each of the 64 pairs of nodes on both sides of the upper face of a block.
template <class F>
void each_face_pair(int axis, F pair) {
  const std::size_t step = std::size_t{1} << (3 * axis);
  const std::size_t across_a = axis == 0 ? 8 : 1, across_b = axis == 2 ? 8 : 64;
  for (std::size_t b = 0; b < 8; ++b)
    for (std::size_t a = 0; a < 8; ++a) {
      const std::size_t low = a * across_a + b * across_b;
      pair(low + 7 * step, low);
    }
}

}  // namespace

FluidBodies::FluidBodies(const NodeBlocks& blocks, std::span<const float> level)
    : part_(level.size()), first_part_(blocks.size() + 1, 0) {
  parallel_for(blocks.size(), 16, [&](Range range, std::size_t) {
    for (std::size_t b = range.begin; b < range.end; ++b)
      first_part_[b + 1] = label_parts(&level[b * NodeBlocks::nodes], &part_[b * NodeBlocks::nodes]);
  });
  for (std::size_t b = 0; b < blocks.size(); ++b) first_part_[b + 1] += first_part_[b];
  body_.resize(first_part_.back());
  std::iota(body_.begin(), body_.end(), 0U);
  const std::span<std::uint32_t> forest(body_);
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (int axis = 0; axis < 3; ++axis) {
      const std::uint32_t other = blocks.beside(b, axis == 0, axis == 1, axis == 2);
      if (other == NodeBlocks::none || first_part_[b] == first_part_[b + 1]) continue;
      each_face_pair(axis, [&](std::size_t here, std::size_t there) {
        const std::uint16_t p = part_[b * NodeBlocks::nodes + here], q = part_[other * NodeBlocks::nodes + there];
        if (p != outer_node && q != outer_node) join_sets(forest, first_part_[b] + p, first_part_[other] + q);
      });
    }
  // A root has a smaller number than the other parts of its body, so the new number of the root is known before theirs.
  std::uint32_t count = 0;
  for (std::uint32_t p = 0; p < body_.size(); ++p) body_[p] = body_[p] == p ? count++ : body_[body_[p]];
  count_ = count;
}

std::vector<double> FluidBodies::particle_volumes(const NodeBlocks& blocks, std::span<const float> level,
                                                  std::span<const Vec3> position, std::span<const double> volume_m3,
                                                  int reach) const {
  std::vector<std::uint32_t> body(position.size(), none);  // Number of the body of each particle, in the order of the
                                                           // blocks.
  const auto nearest_body = [&](std::size_t block, const Vec3& at) {
    std::uint32_t best = none;
    double least = infinite;
    const Eigen::Vector3i base = at.array().floor().cast<int>();
    for (int shell = 0; shell <= reach && best == none; ++shell)
      for (int k = base.z() - shell; k <= base.z() + 1 + shell; ++k)
        for (int j = base.y() - shell; j <= base.y() + 1 + shell; ++j)
          for (int i = base.x() - shell; i <= base.x() + 1 + shell; ++i) {
            const NodeBlocks::Node node = blocks.node(block, i, j, k);
            if (node.block == NodeBlocks::none || !(level[node.block * NodeBlocks::nodes + node.node] > 0)) continue;
            const double distance2 = (at - Vec3(i, j, k)).squaredNorm();
            if (distance2 < least) least = distance2, best = this->at(node.block, node.node);
          }
    return best;
  };
  parallel_for(blocks.size(), 8, [&](Range range, std::size_t) {
    for (std::size_t b = range.begin; b < range.end; ++b) {
      const Vec3 corner = blocks.corner(b);
      const Range particles = blocks.particles(b);
      for (std::size_t p = particles.begin; p < particles.end; ++p)
        body[p] = nearest_body(b, (position[blocks.order()[p]] - corner) / blocks.cell_m());
    }
  });
  std::vector<double> sum(count_, 0.0);
  for (std::size_t p = 0; p < body.size(); ++p)
    if (body[p] != none) sum[body[p]] += volume_m3[blocks.order()[p]];
  return sum;
}

}  // namespace vw
