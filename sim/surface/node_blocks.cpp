#include "sim/surface/node_blocks.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

struct BlockHash {
  std::size_t operator()(const BlockKey& key) const {
    std::uint64_t h = 0;
    for (const std::int64_t k : key) h = (h ^ static_cast<std::uint64_t>(k)) * 0x9e3779b97f4a7c15ULL, h ^= h >> 29;
    return h;
  }
};

bool block_precedes(const BlockKey& a, const BlockKey& b) {
  return std::tie(a[2], a[1], a[0]) < std::tie(b[2], b[1], b[0]);
}

BlockKey block_at(const Vec3& p, double block_m) {
  constexpr double shift = NodeBlocks::shift / NodeBlocks::width;
  BlockKey key;
  for (int a = 0; a < 3; ++a)
    key[static_cast<std::size_t>(a)] = static_cast<std::int64_t>(std::floor(p[a] / block_m - shift));
  return key;
}

/// A block that contains particles. Its neighbours are added later.
struct OwnerBlock {
  BlockKey key;
  Eigen::AlignedBox3d box;  ///< Bounding box of its particles [m].
};

/// For each particle, the index of the block that contains it, and these blocks in the order of their first particles.
struct Owners {
  std::vector<std::uint32_t> of_particle;
  std::vector<OwnerBlock> block;
};

Owners find_owners(std::span<const Vec3> position, double block_m) {
  Owners owners;
  owners.of_particle.reserve(position.size());
  std::unordered_map<BlockKey, std::uint32_t, BlockHash> number;
  number.reserve(position.size() / 32);
  for (const Vec3& p : position) {
    const BlockKey key = block_at(p, block_m);
    const auto next = static_cast<std::uint32_t>(owners.block.size());
    const bool same = !owners.of_particle.empty() && owners.block[owners.of_particle.back()].key == key;
    const std::uint32_t at = same ? owners.of_particle.back() : number.try_emplace(key, next).first->second;
    if (at == next) owners.block.push_back({key, {}});
    owners.block[at].box.extend(p);
    owners.of_particle.push_back(at);
  }
  return owners;
}

/// Appends the block itself, and those of its neighbours that have a node within `margin_m` of the box of its
/// particles.
void add_reached(const OwnerBlock& owner, double margin_m, double block_m, double cell_m, std::vector<BlockKey>& all) {
  std::int64_t low[3], high[3];
  for (int a = 0; a < 3; ++a) {
    const double corner =
        static_cast<double>(owner.key[static_cast<std::size_t>(a)]) * block_m + NodeBlocks::shift * cell_m;
    low[a] = owner.box.min()[a] - margin_m <= corner - cell_m ? -1 : 0;
    high[a] = owner.box.max()[a] + margin_m >= corner + block_m ? 1 : 0;
  }
  for (std::int64_t z = low[2]; z <= high[2]; ++z)
    for (std::int64_t y = low[1]; y <= high[1]; ++y)
      for (std::int64_t x = low[0]; x <= high[0]; ++x)
        all.push_back({owner.key[0] + x, owner.key[1] + y, owner.key[2] + z});
}

}  // namespace

Result<NodeBlocks> NodeBlocks::make(std::span<const Vec3> position, double reach_m, double cell_m,
                                    std::size_t most_nodes) {
  NodeBlocks blocks;
  blocks.cell_m_ = cell_m;
  const double block_m = width * cell_m;
  const Owners owners = find_owners(position, block_m);
  for (const OwnerBlock& owner : owners.block) {
    // A block is listed at most 27 times. If the list is longer than this, the number of different blocks certainly
    // exceeds the limit.
    if (blocks.key_.size() > 32 * (most_nodes / nodes + 1)) break;
    add_reached(owner, reach_m + cell_m, block_m, cell_m, blocks.key_);
  }
  std::sort(blocks.key_.begin(), blocks.key_.end(), block_precedes);
  blocks.key_.erase(std::unique(blocks.key_.begin(), blocks.key_.end()), blocks.key_.end());
  if (blocks.size() > most_nodes / nodes)
    return fail(
        fmt::format("the surface of {} particles needs more than {} grid nodes at cells of {} m: choose a "
                    "larger cell, or leave out spray",
                    position.size(), most_nodes, cell_m));

  // The following loops sort the particles by block (counting sort).
  std::vector<std::uint32_t> number(owners.block.size());
  for (std::size_t k = 0; k < number.size(); ++k)
    number[k] = static_cast<std::uint32_t>(
        std::lower_bound(blocks.key_.begin(), blocks.key_.end(), owners.block[k].key, block_precedes) -
        blocks.key_.begin());
  blocks.first_.assign(blocks.size() + 1, 0);
  for (const std::uint32_t owner : owners.of_particle) ++blocks.first_[number[owner] + 1];
  for (std::size_t b = 0; b < blocks.size(); ++b) blocks.first_[b + 1] += blocks.first_[b];
  blocks.order_.resize(position.size());
  std::vector<std::size_t> next(blocks.first_.begin(), blocks.first_.end() - 1);
  for (std::size_t i = 0; i < position.size(); ++i)
    blocks.order_[next[number[owners.of_particle[i]]]++] = static_cast<std::uint32_t>(i);
  blocks.find_neighbors();
  return blocks;
}

void NodeBlocks::find_neighbors() {
  beside_.resize(size());
  parallel_for(size(), 64, [&](Range range, std::size_t) {
    for (std::size_t b = range.begin; b < range.end; ++b)
      for (std::int64_t n = 0; n < 27; ++n) {
        const BlockKey key{key_[b][0] + n % 3 - 1, key_[b][1] + n / 3 % 3 - 1, key_[b][2] + n / 9 - 1};
        const auto at = std::lower_bound(key_.begin(), key_.end(), key, block_precedes);
        beside_[b][static_cast<std::size_t>(n)] =
            at != key_.end() && *at == key ? static_cast<std::uint32_t>(at - key_.begin()) : none;
      }
  });
}

}  // namespace vw
