// Lists of pairs. See pair_lists.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/system/fluid/pair_lists.cpp"
// Four are enough: scalar, 128, 256 and 512 bits.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "sim/base/parallel.h"
#include "sim/system/fluid/pair_lists.h"

#ifndef VOXWAKE_PAIR_LISTS_SHARED
#define VOXWAKE_PAIR_LISTS_SHARED
namespace vw {
/// Consecutive rows of a source.
struct RowRun {
  const Float4* rows;
  std::uint32_t who, count;
};
/// Candidates taken apart into columns, about a place near all of them.
struct CandidateColumns {
  float *x, *y, *z;
  float* squared;  ///< distance from that place
  std::uint32_t* who;
};
/// Runs of candidates and the four rows that they are compared with.
struct NearJob {
  CandidateColumns from;
  const Float4* rows;         ///< four, the last one repeated, about the same place
  float reach_squared;        ///< a hair more than the reach's: rounding loses nobody
  const std::uint32_t* runs;  ///< first and end of each run
  std::size_t run_count;
};
constexpr std::size_t list_slack = 16;  ///< entries that may be written beyond a list's end
}  // namespace vw
#endif

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void take_row(const Float4& row, const Float4& middle, std::uint32_t who, std::size_t at, const CandidateColumns& out) {
  const float x = row.x - middle.x, y = row.y - middle.y, z = row.z - middle.z;
  out.x[at] = x, out.y[at] = y, out.z[at] = z;
  out.squared[at] = x * x + (y * y + z * z);
  out.who[at] = who;
}

/// Takes runs apart, one after the other.
void take_runs(const RowRun* runs, std::size_t count, const Float4& middle, const CandidateColumns& out) {
  std::size_t at = 0;
  for (std::size_t r = 0; r < count; ++r) {
    const RowRun& run = runs[r];
#if HWY_TARGET == HWY_SCALAR
    for (std::uint32_t k = 0; k < run.count; ++k) take_row(run.rows[k], middle, run.who + k, at + k, out);
#else
    const hn::FixedTag<float, 4> d;
    const hn::RebindToUnsigned<decltype(d)> du;
    if (run.count < 4) {
      for (std::uint32_t k = 0; k < run.count; ++k) take_row(run.rows[k], middle, run.who + k, at + k, out);
    } else {
      // Four at a time; the last four may have been taken in part already.
      for (std::uint32_t next = 0; next < run.count; next += 4) {
        const std::uint32_t k = std::min(next, run.count - 4);
        hn::Vec<decltype(d)> x, y, z, w;
        hn::LoadInterleaved4(d, &run.rows[k].x, x, y, z, w);
        x = hn::Sub(x, hn::Set(d, middle.x)), y = hn::Sub(y, hn::Set(d, middle.y)), z = hn::Sub(z, hn::Set(d, middle.z));
        hn::StoreU(x, d, out.x + at + k), hn::StoreU(y, d, out.y + at + k), hn::StoreU(z, d, out.z + at + k);
        hn::StoreU(hn::MulAdd(x, x, hn::MulAdd(y, y, hn::Mul(z, z))), d, out.squared + at + k);
        hn::StoreU(hn::Iota(du, run.who + k), du, out.who + at + k);
      }
    }
#endif
    at += run.count;
  }
}

/// Appends the candidates that are nearer than the reach to any of the four; returns the new end. Writes up to list_slack entries beyond it.
/// |x - y|^2 = |x|^2 - 2 x . y + |y|^2: three products a pair.
std::uint32_t* append_near(const NearJob& job, std::uint32_t* out) {
  const CandidateColumns& from = job.from;
  float twice[4][3], own[4];
  for (int i = 0; i < 4; ++i) {
    const Float4& row = job.rows[i];
    twice[i][0] = -2 * row.x, twice[i][1] = -2 * row.y, twice[i][2] = -2 * row.z;
    own[i] = row.x * row.x + (row.y * row.y + row.z * row.z);
  }
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t r = 0; r < job.run_count; ++r)
    for (std::size_t k = job.runs[2 * r]; k < job.runs[2 * r + 1]; ++k) {
      float least = 1e30F;
      for (int i = 0; i < 4; ++i) least = std::min(least, own[i] + (twice[i][0] * from.x[k] + (twice[i][1] * from.y[k] + twice[i][2] * from.z[k])));
      *out = from.who[k];
      out += least + from.squared[k] < job.reach_squared ? 1 : 0;
    }
#else
  const hn::CappedTag<float, 16> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const std::size_t lanes = hn::Lanes(d);
  const auto reach = hn::Set(d, job.reach_squared);
  for (std::size_t r = 0; r < job.run_count; ++r)
    for (std::size_t k = job.runs[2 * r], end = job.runs[2 * r + 1]; k < end; k += lanes) {
      const auto x = hn::LoadU(d, from.x + k), y = hn::LoadU(d, from.y + k), z = hn::LoadU(d, from.z + k);
      const auto to = [&](int i) HWY_ATTR {
        return hn::MulAdd(hn::Set(d, twice[i][0]), x,
                          hn::MulAdd(hn::Set(d, twice[i][1]), y, hn::MulAdd(hn::Set(d, twice[i][2]), z, hn::Set(d, own[i]))));
      };
      const auto least = hn::Min(hn::Min(to(0), to(1)), hn::Min(to(2), to(3)));
      auto near = hn::Lt(hn::Add(least, hn::LoadU(d, from.squared + k)), reach);
      if (end - k < lanes) near = hn::And(near, hn::FirstN(d, end - k));
      const auto who = hn::Compress(hn::LoadU(du, from.who + k), hn::RebindMask(du, near));
      hn::StoreU(who, du, out);
      out += hn::CountTrue(d, near);
    }
#endif
  return out;
}

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vw {
HWY_EXPORT(append_near);
HWY_EXPORT(take_runs);

namespace {

using Place = std::array<std::int32_t, 3>;
constexpr int wide = 6;  ///< cells along an edge of a brick with one more on each side
constexpr std::size_t chunk_rows = 2048;

/// Of each of the 6^3 cells in and around a brick: which of the 27 bricks it is in, and which of that brick's cells it is.
struct CellPlace {
  std::uint8_t brick = 0, cell = 0;
};
constexpr std::uint8_t morton_of(int x, int y, int z) {
  return static_cast<std::uint8_t>((x & 1) | (y & 1) << 1 | (z & 1) << 2 | (x >> 1) << 3 | (y >> 1) << 4 | (z >> 1) << 5);
}
constexpr auto cell_places = [] {
  std::array<CellPlace, wide * wide * wide> all{};
  for (int z = 0; z < wide; ++z)
    for (int y = 0; y < wide; ++y)
      for (int x = 0; x < wide; ++x) {
        const auto side = [](int a) { return a == 0 ? 0 : (a == wide - 1 ? 2 : 1); };
        all[static_cast<std::size_t>((z * wide + y) * wide + x)] = {static_cast<std::uint8_t>(side(x) + 3 * side(y) + 9 * side(z)),
                                                                    morton_of((x + 3) & 3, (y + 3) & 3, (z + 3) & 3)};
      }
  return all;
}();
/// Where each of a brick's 64 cells is within it.
constexpr auto cell_offsets = [] {
  std::array<std::array<std::int8_t, 3>, 64> all{};
  for (int m = 0; m < 64; ++m)
    for (int a = 0; a < 3; ++a)
      all[static_cast<std::size_t>(m)][static_cast<std::size_t>(a)] = static_cast<std::int8_t>((m >> a & 1) | (m >> (a + 3) & 1) << 1);
  return all;
}();

/// The candidates around one brick, by cell in order x, y, z.
struct Surroundings {
  std::array<std::uint32_t, wide * wide * wide + 1> start{};
  Float4 middle;  ///< what their places are told from
};

/// Bricks of the sources in and around one, and whether there are any.
struct BricksAround {
  std::array<std::array<const Brick*, 27>, 4> of{};
  bool any = false;
  BricksAround(const Place& place, std::span<const PairSource> sources) {
    for (std::size_t s = 0; s < sources.size(); ++s)
      for (std::int32_t k = 0; k < 27; ++k) {
        const Brick* const brick = sources[s].table->find({place[0] + k % 3 - 1, place[1] + k / 3 % 3 - 1, place[2] + k / 9 - 1});
        of[s][static_cast<std::size_t>(k)] = brick;
        any = any || brick != nullptr;
      }
  }
};

void gather(const Place& place, std::span<const PairSource> sources, PairChunk& chunk, Surroundings& around) {
  around.start.fill(0);
  const BricksAround bricks(place, sources);
  if (!bricks.any) return;
  std::array<RowRun, 4 * wide * wide * wide> runs;
  std::size_t run_count = 0, count = 0;
  for (std::size_t c = 0; c < cell_places.size(); ++c) {
    around.start[c] = static_cast<std::uint32_t>(count);
    const CellPlace at = cell_places[c];
    for (std::size_t s = 0; s < sources.size(); ++s) {
      const Brick* brick = bricks.of[s][at.brick];
      if (brick == nullptr) continue;
      const std::uint32_t first = brick->start[at.cell], here = brick->start[at.cell + 1U] - first;
      if (here == 0) continue;
      const Float4* const rows = sources[s].rows + first;
      if (run_count > 0 && runs[run_count - 1].rows + runs[run_count - 1].count == rows)
        runs[run_count - 1].count += here;
      else
        runs[run_count++] = {rows, sources[s].base + first, here};
      count += here;
    }
  }
  around.start[cell_places.size()] = static_cast<std::uint32_t>(count);
  if (chunk.x.size() < count + list_slack) {
    const std::size_t room = 2 * count + 1024;
    chunk.x.resize(room), chunk.y.resize(room), chunk.z.resize(room), chunk.squared.resize(room), chunk.who.resize(room);
  }
  HWY_DYNAMIC_DISPATCH(take_runs)
  (runs.data(), run_count, around.middle, {chunk.x.data(), chunk.y.data(), chunk.z.data(), chunk.squared.data(), chunk.who.data()});
}

/// Cells that a cluster's rows are in, counted from the cell before the brick.
struct CellBox {
  Place low{wide, wide, wide}, high{0, 0, 0};
  void include(std::size_t cell) {
    for (std::size_t a = 0; a < 3; ++a) {
      low[a] = std::min<std::int32_t>(low[a], cell_offsets[cell][a]);
      high[a] = std::max<std::int32_t>(high[a], cell_offsets[cell][a] + 2);
    }
  }
};

/// Cells of consecutive rows of a brick.
class CellWalk {
 public:
  explicit CellWalk(const Brick& brick) : brick_(brick) {}
  [[nodiscard]] std::size_t cell_of(std::uint32_t row) {
    while (brick_.start[cell_ + 1] <= row) ++cell_;
    return cell_;
  }

 private:
  const Brick& brick_;
  std::size_t cell_ = 0;
};

/// One of a chunk's two lists.
struct ListEnd {
  std::vector<std::uint32_t>& list;
  std::size_t size = 0;
  std::uint32_t padding = 0;
};

void append(const Surroundings& around, const CellBox& box, NearJob job, ListEnd& out) {
  std::array<std::uint32_t, 2 * wide * wide> runs;
  std::size_t candidates = 0;
  job.runs = runs.data();
  job.run_count = 0;
  for (std::int32_t z = box.low[2]; z <= box.high[2]; ++z)
    for (std::int32_t y = box.low[1]; y <= box.high[1]; ++y) {
      const auto row = static_cast<std::size_t>((z * wide + y) * wide);
      const std::uint32_t first = around.start[row + static_cast<std::size_t>(box.low[0])];
      const std::uint32_t end = around.start[row + static_cast<std::size_t>(box.high[0]) + 1];
      if (first == end) continue;
      runs[2 * job.run_count] = first;
      runs[2 * job.run_count + 1] = end;
      ++job.run_count;
      candidates += end - first;
    }
  const std::size_t most = out.size + candidates + 2 * list_slack;
  if (out.list.size() < most) out.list.resize(most + most / 4 + 4096);
  std::uint32_t* const at = out.list.data() + out.size;
  out.size += static_cast<std::size_t>(HWY_DYNAMIC_DISPATCH(append_near)(job, at) - at);
  while (out.size % 4 != 0) out.list[out.size++] = out.padding;
}

struct ChunkBuild {
  const PairSearch& search;
  PairChunk& chunk;

  void clusters_of(const Brick& brick) const {
    for (std::uint32_t row = brick.first(); row < brick.end(); row += 4) {
      Cluster cluster;
      cluster.row = row;
      cluster.rows = std::min(4U, brick.end() - row);
      chunk.clusters.push_back(cluster);
    }
  }
  /// Fills one of the two lists of the brick's clusters, which begin at `first`.
  void list_of(const Brick& brick, std::size_t first, std::span<const PairSource> sources, ListEnd& out, std::uint32_t Cluster::*begin,
               std::uint32_t Cluster::*end) const {
    Surroundings around;
    around.middle = search.targets.rows[brick.first()];
    gather(brick.place, sources, chunk, around);
    CellWalk walk(brick);
    for (std::size_t c = first; c < chunk.clusters.size(); ++c) {
      Cluster& cluster = chunk.clusters[c];
      cluster.*begin = static_cast<std::uint32_t>(out.size);
      CellBox box;
      std::array<Float4, 4> rows;
      for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t row = cluster.row + std::min(i, cluster.rows - 1);
        const Float4 &at = search.targets.rows[row], &middle = around.middle;
        rows[i] = {at.x - middle.x, at.y - middle.y, at.z - middle.z, 0};
        box.include(walk.cell_of(row));
      }
      const NearJob job{{chunk.x.data(), chunk.y.data(), chunk.z.data(), chunk.squared.data(), chunk.who.data()},
                        rows.data(),
                        search.reach * search.reach * 1.00001F,
                        nullptr,
                        0};
      if (around.start.back() != 0) append(around, box, job, out);
      cluster.*end = static_cast<std::uint32_t>(out.size);
    }
  }
  void run() const {
    chunk.clusters.clear();
    ListEnd near{chunk.near, 0, search.near_padding}, walls{chunk.walls, 0, search.wall_padding};
    for (std::uint32_t b = chunk.first_brick; b < chunk.end_brick; ++b) {
      const Brick& brick = search.targets.table->bricks()[b];
      const std::size_t first = chunk.clusters.size();
      clusters_of(brick);
      list_of(brick, first, search.near, near, &Cluster::near_begin, &Cluster::near_end);
      if (!search.walls.empty()) list_of(brick, first, search.walls, walls, &Cluster::wall_begin, &Cluster::wall_end);
    }
  }
};

}  // namespace

void PairLists::split(const BrickTable& table) {
  used_ = 0;
  const auto bricks = table.bricks();
  for (std::size_t b = 0; b < bricks.size();) {
    if (chunks_.size() <= used_) chunks_.emplace_back();
    PairChunk& chunk = chunks_[used_++];
    chunk.first_brick = static_cast<std::uint32_t>(b);
    chunk.first_row = bricks[b].first();
    while (b < bricks.size() && (b == chunk.first_brick || bricks[b].end() - chunk.first_row <= chunk_rows)) ++b;
    chunk.end_brick = static_cast<std::uint32_t>(b);
    chunk.end_row = bricks[b - 1].end();
  }
}

bool PairLists::build(const PairSearch& search) {
  split(*search.targets.table);
  std::atomic<std::uint64_t> entries{0};  // only compared with the limit
  parallel_for(used_, 1, [&](Range range, std::size_t) {
    for (std::size_t c = range.begin; c < range.end; ++c) {
      if (entries.load(std::memory_order_relaxed) > search.most_pairs) return;
      ChunkBuild{search, chunks_[c]}.run();
      std::uint64_t sum = 0;
      for (const Cluster& cluster : chunks_[c].clusters) sum += (cluster.near_end - cluster.near_begin) + (cluster.wall_end - cluster.wall_begin);
      entries.fetch_add(sum, std::memory_order_relaxed);
    }
  });
  return entries.load() <= search.most_pairs;
}

std::size_t PairLists::entries() const {
  std::size_t sum = 0;
  for (const PairChunk& chunk : chunks())
    for (const Cluster& cluster : chunk.clusters) sum += (cluster.near_end - cluster.near_begin) + (cluster.wall_end - cluster.wall_begin);
  return sum;
}

std::size_t PairLists::bytes() const {
  std::size_t sum = 0;
  for (const PairChunk& chunk : chunks_)
    sum += chunk.clusters.capacity() * sizeof(Cluster) +
           4 * (chunk.near.capacity() + chunk.walls.capacity() + chunk.x.capacity() * 4 + chunk.who.capacity());
  return sum;
}

}  // namespace vw
#endif
