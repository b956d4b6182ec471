// Construction of neighbour lists, compiled once for each instruction set (Highway). See pair_lists.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/system/fluid/neighbors/pair_lists.cpp"
// Compiles for scalar code and for vectors of 128, 256 and 512 bits. Other targets of the same widths are disabled.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>

#include "sim/base/parallel/parallel.h"
#include "sim/system/fluid/neighbors/pair_lists.h"

#ifndef VOXWAKE_PAIR_LISTS_SHARED
#define VOXWAKE_PAIR_LISTS_SHARED
namespace vw {
/// Positions of candidates (particles or samples that may be neighbours), stored as columns, relative to a reference
/// point near all of them.
struct CandidateColumns {
  float *x, *y, *z;
  float* squared;  ///< Squared distance from the reference point.
  std::uint32_t* code;
};
/// Input for one of the two lists of a brick's clusters: the brick, the candidates around it, and the clusters.
struct BrickJob {
  const Brick& brick;
  const Float4* rows;  ///< Rows of the targets.
  Float4 middle;       ///< Reference point of the candidates' positions.
  CandidateColumns from;
  /// Index of the first candidate of each of the 6^3 cells in and around the brick, in order x, y, z.
  const std::uint32_t* cell_start;
  float reach_squared;  ///< Slightly more than the squared support radius, so that rounding loses no neighbour.
  std::uint32_t padding;
  std::span<Cluster> clusters;
};
/// An unfinished list: array of entries, number of entries written, and capacity of the array.
template <class Entry>
struct ListEnd {
  Entry* list;
  std::size_t size, room;
};
constexpr std::size_t list_slack = 24;  ///< Entries that may be written beyond a list's end.
constexpr std::size_t wide = 6;         ///< Cells along the edge of a brick with one more cell on each side.
/// For each of a brick's 64 cells, one bit per axis for the coordinate of the cell: x in bits 0-3, y in 4-7, z in 8-11.
constexpr auto cell_bits = [] {
  std::array<std::uint16_t, 64> all{};
  for (unsigned x = 0; x < 4; ++x)
    for (unsigned y = 0; y < 4; ++y)
      for (unsigned z = 0; z < 4; ++z)
        all[cell_number(x, y, z)] = static_cast<std::uint16_t>(1U << x | 16U << y | 256U << z);
  return all;
}();
inline void set_list(Cluster& cluster, std::size_t begin, std::size_t end, const std::uint16_t*) {
  cluster.near_begin = static_cast<std::uint32_t>(begin), cluster.near_end = static_cast<std::uint32_t>(end);
}
inline void set_list(Cluster& cluster, std::size_t begin, std::size_t end, const std::uint32_t*) {
  cluster.wall_begin = static_cast<std::uint32_t>(begin), cluster.wall_end = static_cast<std::uint32_t>(end);
}
}  // namespace vw
#endif

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void take_row(const Float4& row, const Float4& middle, std::uint32_t code, std::size_t at,
              const CandidateColumns& out) {
  const float x = row.x - middle.x, y = row.y - middle.y, z = row.z - middle.z;
  out.x[at] = x, out.y[at] = y, out.z[at] = z;
  out.squared[at] = x * x + (y * y + z * z);
  out.code[at] = code;
}

/// Copies the positions of the rows of all runs into the columns, one run after the other.
void take_runs(const RowRun* runs, std::size_t count, const Float4& middle, const CandidateColumns& out) {
  std::size_t at = 0;
  for (std::size_t r = 0; r < count; ++r) {
    const RowRun& run = runs[r];
#if HWY_TARGET == HWY_SCALAR
    for (std::uint32_t k = 0; k < run.count; ++k) take_row(run.rows[k], middle, run.code + k, at + k, out);
#else
    const hn::FixedTag<float, 4> d;
    const hn::RebindToUnsigned<decltype(d)> du;
    if (run.count < 4) {
      for (std::uint32_t k = 0; k < run.count; ++k) take_row(run.rows[k], middle, run.code + k, at + k, out);
    } else {
      // Copies four rows at a time. The last group may overlap the previous group.
      for (std::uint32_t next = 0; next < run.count; next += 4) {
        const std::uint32_t k = std::min(next, run.count - 4);
        hn::Vec<decltype(d)> x, y, z, w;
        hn::LoadInterleaved4(d, &run.rows[k].x, x, y, z, w);
        x = hn::Sub(x, hn::Set(d, middle.x)), y = hn::Sub(y, hn::Set(d, middle.y)),
        z = hn::Sub(z, hn::Set(d, middle.z));
        hn::StoreU(x, d, out.x + at + k), hn::StoreU(y, d, out.y + at + k), hn::StoreU(z, d, out.z + at + k);
        hn::StoreU(hn::Add(hn::Mul(x, x), hn::Add(hn::Mul(y, y), hn::Mul(z, z))), d, out.squared + at + k);
        hn::StoreU(hn::Iota(du, run.code + k), du, out.code + at + k);
      }
    }
#endif
    at += run.count;
  }
}

/// Four rows of a cluster. With a row's position x relative to BrickJob::middle, `twice` is -2 x and `own` is |x|^2.
/// The squared distance to a candidate at y is |x|^2 - 2 x . y + |y|^2, which takes three products per pair.
struct FourRows {
  float twice[4][3], own[4];
  HWY_INLINE FourRows(const BrickJob& job, const Cluster& cluster) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      const Float4& row = job.rows[cluster.row + std::min(i, cluster.rows - 1)];
      const float x = row.x - job.middle.x, y = row.y - job.middle.y, z = row.z - job.middle.z;
      twice[i][0] = -2 * x, twice[i][1] = -2 * y, twice[i][2] = -2 * z;
      own[i] = x * x + (y * y + z * z);
    }
  }
};

/// Appends the candidates in [k, end) that are within the support radius of any of the four rows. Returns the new end.
/// May write list_slack entries beyond the new end.
template <class Entry>
HWY_INLINE Entry* append_near(const BrickJob& job, const FourRows& four, std::size_t k, std::size_t end, Entry* out) {
  const CandidateColumns& from = job.from;
#if HWY_TARGET == HWY_SCALAR
  for (; k < end; ++k) {
    float least = 1e30F;
    for (int i = 0; i < 4; ++i)
      least = std::min(least, four.twice[i][0] * from.x[k] +
                                  (four.twice[i][1] * from.y[k] + (four.twice[i][2] * from.z[k] + four.own[i])));
    *out = static_cast<Entry>(from.code[k]);
    out += least + from.squared[k] < job.reach_squared ? 1 : 0;
  }
#else
  const hn::CappedTag<float, 16> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const std::size_t lanes = hn::Lanes(d);
  const auto reach = hn::Set(d, job.reach_squared);
  for (; k < end; k += lanes) {
    const auto x = hn::LoadU(d, from.x + k), y = hn::LoadU(d, from.y + k), z = hn::LoadU(d, from.z + k);
    const auto to = [&](int i) HWY_ATTR {
      const auto& twice = four.twice[i];
      const auto yz =
          hn::Add(hn::Mul(hn::Set(d, twice[1]), y), hn::Add(hn::Mul(hn::Set(d, twice[2]), z), hn::Set(d, four.own[i])));
      return hn::Add(hn::Mul(hn::Set(d, twice[0]), x), yz);
    };
    const auto least = hn::Min(hn::Min(to(0), to(1)), hn::Min(to(2), to(3)));
    auto near = hn::Lt(hn::Add(least, hn::LoadU(d, from.squared + k)), reach);
    if (end - k < lanes) near = hn::And(near, hn::FirstN(d, end - k));
    const auto code = hn::Compress(hn::LoadU(du, from.code + k), hn::RebindMask(du, near));
    if constexpr (sizeof(Entry) == 2) {
      const hn::Rebind<std::uint16_t, decltype(d)> d16;
      const hn::RebindToSigned<decltype(d)> di;
      hn::StoreU(hn::DemoteTo(d16, hn::BitCast(di, code)), d16, out);
    } else {
      hn::StoreU(code, du, out);
    }
    out += hn::CountTrue(d, near);
  }
#endif
  return out;
}

/// Returns the union of the cell_bits of the cells that hold rows [row, last]. `cell` is advanced from its previous
/// value to the cell of the last row.
HWY_INLINE unsigned bits_of_cells(const Brick& brick, std::uint32_t row, std::uint32_t last, std::size_t& cell) {
  while (brick.start[cell + 1] <= row) ++cell;
  unsigned bits = cell_bits[cell];
  while (brick.start[cell + 1] <= last) {
    ++cell;
    if (brick.start[cell + 1] > brick.start[cell]) bits |= cell_bits[cell];
  }
  return bits;
}

/// Builds the lists of the job's clusters from `first` on, until `out` has no space for another list. Returns the index
/// after the last finished cluster.
template <class Entry>
std::size_t list_clusters(const BrickJob& job, std::size_t first, ListEnd<Entry>& out) {
  const std::size_t most = job.cell_start[wide * wide * wide] + list_slack;
  std::size_t cell = 0, c = first;
  for (; c < job.clusters.size() && out.size + most <= out.room; ++c) {
    Cluster& cluster = job.clusters[c];
    const unsigned bits = bits_of_cells(job.brick, cluster.row, cluster.row + cluster.rows - 1, cell);
    const unsigned along[3] = {bits & 15U, bits >> 4U & 15U, bits >> 8U};
    std::size_t low[3], high[3];  // counted from the cell before the brick
    for (int a = 0; a < 3; ++a)
      low[a] = static_cast<std::size_t>(std::countr_zero(along[a])),
      high[a] = static_cast<std::size_t>(std::bit_width(along[a])) + 1;
    const FourRows four(job, cluster);
    Entry* at = out.list + out.size;
    for (std::size_t z = low[2]; z <= high[2]; ++z)
      for (std::size_t y = low[1]; y <= high[1]; ++y) {
        const std::uint32_t* const row = job.cell_start + (z * wide + y) * wide;
        at = append_near(job, four, row[low[0]], row[high[0] + 1], at);
      }
    const std::size_t begin = out.size;
    out.size = static_cast<std::size_t>(at - out.list);
    while (out.size % 4 != 0) out.list[out.size++] = static_cast<Entry>(job.padding);
    set_list(cluster, begin, out.size, out.list);
  }
  return c;
}
std::size_t list_near(const BrickJob& job, std::size_t first, ListEnd<std::uint16_t>& out) {
  return list_clusters(job, first, out);
}
std::size_t list_walls(const BrickJob& job, std::size_t first, ListEnd<std::uint32_t>& out) {
  return list_clusters(job, first, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vw {
HWY_EXPORT(list_near);
HWY_EXPORT(list_walls);
HWY_EXPORT(take_runs);

namespace {

using Place = std::array<std::int32_t, 3>;
/// Smallest and largest target size of a chunk [rows]. A chunk consists of whole bricks, so its size may differ from
/// the target. Within these limits, a fluid is divided into `chunks_wanted` chunks for an even load. Larger chunks
/// share a smaller fraction of their rows with other chunks, so fewer rows are read twice.
constexpr std::size_t least_chunk_rows = 512, most_chunk_rows = 1024, chunks_wanted = 16;
constexpr std::uint32_t page_rows = 1U << page_bits;

/// For each of the 6^3 cells in and around a brick: the index of the cell's brick among the 27 bricks (the brick and
/// its neighbours), and the cell's number in that brick.
struct CellPlace {
  std::uint8_t brick = 0, cell = 0;
};
constexpr auto cell_places = [] {
  std::array<CellPlace, wide * wide * wide> all{};
  for (std::size_t z = 0; z < wide; ++z)
    for (std::size_t y = 0; y < wide; ++y)
      for (std::size_t x = 0; x < wide; ++x) {
        const auto side = [](std::size_t a) { return a == 0 ? 0 : (a == wide - 1 ? 2 : 1); };
        all[(z * wide + y) * wide + x] = {static_cast<std::uint8_t>(side(x) + 3 * side(y) + 9 * side(z)),
                                          cell_number((x + 3) & 3U, (y + 3) & 3U, (z + 3) & 3U)};
      }
  return all;
}();

/// Index of the first candidate of each cell in and around one brick, in order x, y, z. The last entry is the number of
/// candidates.
using CellStarts = std::array<std::uint32_t, wide * wide * wide + 1>;

/// Range of cells, along each axis, that can hold neighbours of a brick's rows, counted from the cell before the brick.
/// The range is often small, because most of a brick is empty at flat surfaces and in spray.
struct CellsAround {
  std::size_t low[3] = {}, high[3] = {};
  explicit CellsAround(const Brick& brick) {
    unsigned bits = 0;
    for (std::size_t cell = 0; cell < cell_bits.size(); ++cell)
      if (brick.start[cell + 1] > brick.start[cell]) bits |= cell_bits[cell];
    for (unsigned a = 0; a < 3; ++a) {
      const unsigned along = bits >> (4 * a) & 15U;
      low[a] = static_cast<std::size_t>(std::countr_zero(along)),
      high[a] = static_cast<std::size_t>(std::bit_width(along)) + 1;
    }
  }
  [[nodiscard]] bool has(std::size_t a, std::size_t cell) const { return cell >= low[a] && cell <= high[a]; }
  /// Returns whether the range extends into the brick at the offset `step` (-1, 0 or 1 brick) along axis `a`.
  [[nodiscard]] bool reach(std::size_t a, std::int32_t step) const {
    return step == 0 || (step < 0 ? low[a] == 0 : high[a] == wide - 1);
  }
};

/// The bricks of each source at the coordinates of one brick and of its 26 neighbours. An entry is null if the source
/// has no brick there, or if the brick is out of reach. `any` is true if at least one entry is not null.
struct BricksAround {
  std::array<std::array<const Brick*, 27>, 4> of{};
  bool any = false;
  BricksAround(const Place& place, const CellsAround& cells, std::span<const PairSource> sources) {
    for (std::size_t s = 0; s < sources.size(); ++s)
      for (std::int32_t k = 0; k < 27; ++k) {
        if (!cells.reach(0, k % 3 - 1) || !cells.reach(1, k / 3 % 3 - 1) || !cells.reach(2, k / 9 - 1)) continue;
        const Brick* const brick =
            sources[s].table->find({place[0] + k % 3 - 1, place[1] + k / 3 % 3 - 1, place[2] + k / 9 - 1});
        of[s][static_cast<std::size_t>(k)] = brick;
        any = any || brick != nullptr;
      }
  }
};

/// Entry format of the wall lists: the entry is the row.
struct WholeRows {
  PairScratch& scratch;
  bool add(const Float4* rows, std::uint32_t row, std::uint32_t count) const {
    std::vector<RowRun>& runs = scratch.runs;
    if (!runs.empty() && runs.back().rows + runs.back().count == rows && runs.back().code + runs.back().count == row)
      runs.back().count += count;
    else
      runs.push_back({rows, row, count});
    return true;
  }
};

/// Returns the bit mask of rows [from, end) of a page; see PairChunk::lines.
std::uint16_t lines_of(std::uint32_t from, std::uint32_t end) {
  constexpr std::uint32_t line_rows = page_rows / 16;
  return static_cast<std::uint16_t>((2U << (end - 1) / line_rows) - (1U << from / line_rows));
}

/// Entry format of the fluid lists: slot of the page, and row within the page. A window is a sequence of bricks whose
/// lists share one page table.
struct PagedRows {
  PairScratch& scratch;
  std::size_t window = 0;  ///< Start of the window's page table.

  /// Starts a new page table (window). `padding`: the padding row, whose page is in slot 0 of every page table.
  void open(std::uint32_t padding) {
    for (const std::uint32_t page : scratch.pages_at_hand) scratch.slot_of_page[page] = 0;
    scratch.pages_at_hand.clear();
    window = scratch.pages.size();
    (void)slot_of(padding >> page_bits);
  }
  [[nodiscard]] std::uint32_t slot_of(std::uint32_t page) const {
    std::uint16_t& known = scratch.slot_of_page[page];
    if (known == 0) {
      const auto slot = static_cast<std::uint32_t>(scratch.pages.size() - window);
      if (slot == page_slots) return slot;
      scratch.pages.push_back((page - slot) << page_bits);
      scratch.lines.push_back(0);
      scratch.pages_at_hand.push_back(page);
      known = static_cast<std::uint16_t>(slot + 1);
    }
    return known - 1U;
  }
  /// Adds `count` rows from `row` on to the candidates. Returns false if the page table has no slot left.
  [[nodiscard]] bool add(const Float4* rows, std::uint32_t row, std::uint32_t count) const {
    while (count > 0) {
      const std::uint32_t within = row % page_rows, part = std::min(count, page_rows - within),
                          slot = slot_of(row >> page_bits);
      if (slot == page_slots) return false;
      scratch.lines[window + slot] |= lines_of(within, within + part);
      if (!WholeRows{scratch}.add(rows, slot * page_rows + within, part)) return false;
      rows += part, row += part, count -= part;
    }
    return true;
  }
};

/// Collects the candidates around a brick. Returns false if the page table has too few slots for the pages of the
/// candidates.
template <class Entries>
[[nodiscard]] bool gather(const BricksAround& bricks, const CellsAround& cells, std::span<const PairSource> sources,
                          const Float4& middle, const Entries& entries, PairScratch& scratch, CellStarts& start) {
  scratch.runs.clear();
  std::size_t count = 0;
  for (std::size_t c = 0; c < cell_places.size(); ++c) {
    start[c] = static_cast<std::uint32_t>(count);
    if (!cells.has(0, c % wide) || !cells.has(1, c / wide % wide) || !cells.has(2, c / (wide * wide))) continue;
    const CellPlace at = cell_places[c];
    for (std::size_t s = 0; s < sources.size(); ++s) {
      const Brick* brick = bricks.of[s][at.brick];
      if (brick == nullptr) continue;
      const std::uint32_t first = brick->start[at.cell], here = brick->start[at.cell + 1U] - first;
      if (here == 0) continue;
      if (!entries.add(sources[s].rows + first, sources[s].base + first, here)) return false;
      count += here;
    }
  }
  start[cell_places.size()] = static_cast<std::uint32_t>(count);
  if (scratch.x.size() < count + list_slack) {
    const std::size_t room = count + count / 2 + 512;
    for (std::vector<float>* column : {&scratch.x, &scratch.y, &scratch.z, &scratch.squared}) column->resize(room);
    scratch.code.resize(room);
  }
  HWY_DYNAMIC_DISPATCH(take_runs)
  (scratch.runs.data(), scratch.runs.size(), middle,
   {scratch.x.data(), scratch.y.data(), scratch.z.data(), scratch.squared.data(), scratch.code.data()});
  return true;
}

/// Copies an array. Reallocates with little spare capacity, so that memory use stays low and reallocation is rare.
template <class T>
void keep(std::vector<T>& out, const T* begin, std::size_t count) {
  if (out.capacity() < count) {
    out = {};
    out.reserve(count + count / 16);
  }
  out.assign(begin, begin + count);
}

/// Builds the lists of one chunk with the scratch of one thread.
class ChunkBuild {
 public:
  ChunkBuild(const PairSearch& search, PairChunk& chunk, PairScratch& scratch)
      : search_(search), chunk_(chunk), scratch_(scratch) {}
  /// Builds the lists. Returns false if the rows around one brick need more pages than a page table has slots, or if
  /// the chunk alone has more entries than the limit.
  [[nodiscard]] bool run() {
    make_clusters();
    std::size_t all = search_.near_padding + 1U;
    for (const PairSource& source : search_.near)
      if (!source.table->bricks().empty())
        all = std::max<std::size_t>(all, source.base + source.table->bricks().back().end());
    if (const std::size_t pages = (all >> page_bits) + 1; scratch_.slot_of_page.size() < pages)
      scratch_.slot_of_page.resize(pages);
    scratch_.pages.clear();
    scratch_.lines.clear();
    pages_.open(search_.near_padding);
    const auto bricks = search_.targets.table->bricks();
    std::size_t first = 0;
    for (std::uint32_t b = chunk_.first_brick; b < chunk_.end_brick; ++b) {
      const std::size_t count = (bricks[b].end() - bricks[b].first() + 3) / 4;
      const std::span<Cluster> clusters(chunk_.clusters.data() + first, count);
      if (!list_near_of(bricks[b], clusters)) return false;
      if (!list_walls_of(bricks[b], clusters)) return false;
      first += count;
    }
    pages_.open(search_.near_padding);  // Clears slot_of_page of the last window.
    keep(chunk_.near, scratch_.near.data(), near_size_);
    keep(chunk_.walls, scratch_.walls.data(), wall_size_);
    keep(chunk_.pages, scratch_.pages.data(), scratch_.pages.size());
    keep(chunk_.lines, scratch_.lines.data(), scratch_.lines.size());
    return true;
  }

 private:
  void make_clusters() {
    const auto bricks =
        search_.targets.table->bricks().subspan(chunk_.first_brick, chunk_.end_brick - chunk_.first_brick);
    std::size_t count = 0;
    for (const Brick& brick : bricks) count += (brick.end() - brick.first() + 3) / 4;
    chunk_.clusters.clear();
    if (chunk_.clusters.capacity() < count) {
      chunk_.clusters = {};
      chunk_.clusters.reserve(count + count / 16);
    }
    for (const Brick& brick : bricks)
      for (std::uint32_t row = brick.first(); row < brick.end(); row += 4) {
        Cluster cluster;
        cluster.row = row;
        cluster.rows = std::min(4U, brick.end() - row);
        chunk_.clusters.push_back(cluster);
      }
  }
  [[nodiscard]] bool list_near_of(const Brick& brick, std::span<Cluster> clusters) {
    const Float4& middle = search_.targets.rows[brick.first()];
    const CellsAround cells(brick);
    const BricksAround bricks(brick.place, cells, search_.near);
    if (!gather(bricks, cells, search_.near, middle, pages_, scratch_, start_)) {
      pages_.open(search_.near_padding);
      if (!gather(bricks, cells, search_.near, middle, pages_, scratch_, start_)) return false;
    }
    for (Cluster& cluster : clusters) cluster.pages = static_cast<std::uint32_t>(pages_.window);
    return fill(brick, clusters, search_.near_padding % page_rows, scratch_.near, near_size_,
                [](const BrickJob& job, std::size_t from, ListEnd<std::uint16_t>& out) {
                  return HWY_DYNAMIC_DISPATCH(list_near)(job, from, out);
                });
  }
  [[nodiscard]] bool list_walls_of(const Brick& brick, std::span<Cluster> clusters) {
    for (Cluster& cluster : clusters) cluster.wall_begin = cluster.wall_end = static_cast<std::uint32_t>(wall_size_);
    if (search_.walls.empty()) return true;
    const CellsAround cells(brick);
    const BricksAround bricks(brick.place, cells, search_.walls);
    if (!bricks.any) return true;
    (void)gather(bricks, cells, search_.walls, search_.targets.rows[brick.first()], WholeRows{scratch_}, scratch_,
                 start_);
    if (start_.back() == 0) return true;
    return fill(brick, clusters, search_.wall_padding, scratch_.walls, wall_size_,
                [](const BrickJob& job, std::size_t from, ListEnd<std::uint32_t>& out) {
                  return HWY_DYNAMIC_DISPATCH(list_walls)(job, from, out);
                });
  }
  /// Builds one of the two lists of a brick's clusters and enlarges the list as needed. Returns false as soon as the
  /// list has more entries than the limit, so that coincident rows do not need lists of gigabytes.
  template <class Entry, class List>
  [[nodiscard]] bool fill(const Brick& brick, std::span<Cluster> clusters, std::uint32_t padding,
                          std::vector<Entry>& list, std::size_t& size, List make) {
    const BrickJob job{
        brick,
        search_.targets.rows,
        search_.targets.rows[brick.first()],
        {scratch_.x.data(), scratch_.y.data(), scratch_.z.data(), scratch_.squared.data(), scratch_.code.data()},
        start_.data(),
        search_.reach * search_.reach * 1.00001F,
        padding,
        clusters};
    for (std::size_t done = 0; done < clusters.size();) {
      if (const std::size_t most = size + start_.back() + list_slack; list.size() < most)
        list.resize(most + most / 2 + 4096);
      ListEnd<Entry> out{list.data(), size, list.size()};
      done = make(job, done, out);
      size = out.size;
      if (size > search_.most_pairs) return false;
    }
    return true;
  }

  const PairSearch& search_;
  PairChunk& chunk_;
  PairScratch& scratch_;
  PagedRows pages_{scratch_};
  std::size_t near_size_ = 0, wall_size_ = 0;
  CellStarts start_{};
};

std::uint64_t entries_of(const PairChunk& chunk) {
  std::uint64_t sum = 0;
  for (const Cluster& cluster : chunk.clusters)
    sum += (cluster.near_end - cluster.near_begin) + (cluster.wall_end - cluster.wall_begin);
  return sum;
}

}  // namespace

void PairLists::split(const BrickTable& table) {
  used_ = 0;
  const auto bricks = table.bricks();
  const std::size_t rows = bricks.empty() ? 0 : bricks.back().end(),
                    chunk_rows = std::clamp(rows / chunks_wanted, least_chunk_rows, most_chunk_rows);
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
  // Several threads may refuse chunks at the same time, so the sum must not overflow.
  const std::uint64_t refused = search.most_pairs + 1;
  std::atomic<std::uint64_t> entries{0};  // Used only for comparison with the limit.
  parallel_for(used_, 1, [&](Range range, std::size_t) {
    std::unique_ptr<PairScratch> scratch = scratch_.take();
    for (std::size_t c = range.begin; c < range.end && entries.load(std::memory_order_relaxed) <= search.most_pairs;
         ++c)
      entries.fetch_add(ChunkBuild(search, chunks_[c], *scratch).run() ? entries_of(chunks_[c]) : refused,
                        std::memory_order_relaxed);
    scratch_.give_back(std::move(scratch));
  });
  return entries.load() <= search.most_pairs;
}

std::size_t PairLists::entries() const {
  std::size_t sum = 0;
  for (const PairChunk& chunk : chunks()) sum += entries_of(chunk);
  return sum;
}

std::size_t PairLists::bytes() const {
  std::size_t sum = scratch_.bytes();
  for (const PairChunk& chunk : chunks_)
    sum += sizeof(PairChunk) + chunk.clusters.capacity() * sizeof(Cluster) +
           2 * (chunk.near.capacity() + chunk.lines.capacity()) + 4 * (chunk.walls.capacity() + chunk.pages.capacity());
  return sum;
}

}  // namespace vw
#endif
