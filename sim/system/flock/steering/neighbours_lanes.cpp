// Sums over neighbours in sixteen virtual lanes, formed by as many vectors as the vector width requires. Candidate k
// of a run of cells is always added to lane k mod 16, and the lanes are summed in a fixed order. No fused multiply-adds
// are used. Therefore the result does not depend on the vector width.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/system/flock/steering/neighbours_lanes.cpp"
// Highway compiles this file for scalar code and for vectors of 128, 256 and 512 bits. The disabled targets repeat
// these widths or have a width that is unknown at compile time.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <vector>

#include "sim/system/flock/steering/neighbours_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, 16>;
using U = hn::RebindToUnsigned<D>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;
constexpr std::size_t virtual_lanes = 16, lanes = hn::MaxLanes(D()), parts = virtual_lanes / lanes;

struct Run {
  std::uint32_t first = 0, last = 0;
};
/// Runs (contiguous ranges) of members in the cells around a cell. A row of cells along the x axis is one run, or two
/// runs if the row wraps around.
struct Runs {
  std::vector<Run> run;
  void add(const SightJob& job, std::uint32_t first_cell, std::uint32_t last_cell) {
    const Run one{job.start[first_cell], job.start[last_cell]};
    if (one.first == one.last) return;
    run.push_back(one);
  }
};

/// Finds the runs of all cells that are at most `cells` cells away from `cell` along each axis.
void find_runs(const SightJob& job, std::uint32_t cell, std::uint32_t cells, Runs& out) {
  out.run.clear();
  const std::uint32_t n[3] = {1U << job.bits[0], 1U << job.bits[1], 1U << job.bits[2]};
  const std::uint32_t at[3] = {cell & (n[0] - 1), (cell >> job.bits[0]) & (n[1] - 1),
                               cell >> (job.bits[0] + job.bits[1])};
  std::uint32_t first[3], count[3];  // If the range covers a whole axis, each cell along that axis is visited once.
  for (std::size_t a = 0; a < 3; ++a) {
    count[a] = std::min(2 * cells + 1, n[a]);
    first[a] = count[a] == n[a] ? 0 : (at[a] + n[a] - cells) & (n[a] - 1);
  }
  for (std::uint32_t z = first[2]; z < first[2] + count[2]; ++z)
    for (std::uint32_t y = first[1]; y < first[1] + count[1]; ++y) {
      const std::uint32_t row = ((z & (n[2] - 1)) << job.bits[1] | (y & (n[1] - 1))) << job.bits[0];
      const std::uint32_t end = first[0] + count[0];
      out.add(job, row + first[0], row + std::min(end, n[0]));
      if (end > n[0]) out.add(job, row, row + end - n[0]);
    }
}

/// Columns of candidates: all members, or the members gathered around a cell.
struct Others {
  const float *x = nullptr, *y = nullptr, *z = nullptr, *mx = nullptr, *my = nullptr, *mz = nullptr;
  /// `at` is the index of each candidate in the order of cells. Null means that the columns are already in this order.
  const std::uint32_t *kind = nullptr, *at = nullptr;
};
/// Candidates around a cell, stored contiguously, so that they fill whole vectors and a member is tested against fewer
/// vectors.
struct Gathered {
  static constexpr std::size_t most = 1024;
  HWY_ALIGN float value[6][most + 2 * virtual_lanes];
  HWY_ALIGN std::uint32_t kind[most + 2 * virtual_lanes], at[most + 2 * virtual_lanes];
  [[nodiscard]] Others others() const { return {value[0], value[1], value[2], value[3], value[4], value[5], kind, at}; }
};

HWY_INLINE V one_everywhere(float x) { return hn::Set(D(), x); }

/// Bounding box of several members, and their largest reach. A candidate whose computed distance from the box exceeds
/// the reach is out of reach of every member in the box. This also holds for rounded values, because rounding preserves
/// the order of differences, squares and sums.
struct Watch {
  float lower[3], upper[3], reach = 0;
  Watch() {
    std::fill(lower, lower + 3, std::numeric_limits<float>::infinity());
    std::fill(upper, upper + 3, -std::numeric_limits<float>::infinity());
  }
  void add(const MemberRecord& self, const Sight& sight) {
    const float place[3] = {self.x, self.y, self.z};
    for (int a = 0; a < 3; ++a) {
      lower[a] = std::min(lower[a], place[a]);
      upper[a] = std::max(upper[a], place[a]);
    }
    reach = std::max(reach, sight.reach_m);
  }
};

/// Gathers the candidates of the runs that are within reach of the box in `watch`. Returns the number of candidates. If
/// the number exceeds Gathered::most, `out` is incomplete.
std::size_t gather(const SightJob& job, const Runs& runs, const Watch& watch, bool kinds, bool places, Gathered& out) {
  const D d;
  const float* const from[6] = {job.x, job.y, job.z, job.mx, job.my, job.mz};
  const V reach_squared = one_everywhere(watch.reach * watch.reach);
  V lower[3], upper[3];
  for (int a = 0; a < 3; ++a) lower[a] = one_everywhere(watch.lower[a]), upper[a] = one_everywhere(watch.upper[a]);
  std::size_t n = 0;
  for (const Run& run : runs.run)
    for (std::uint32_t k = run.first; k < run.last; k += lanes) {
      V column[6], squared[3];
      for (std::size_t c = 0; c < 6; ++c) column[c] = hn::LoadU(d, from[c] + k);
      for (std::size_t a = 0; a < 3; ++a) {
        const V off = hn::Max(hn::Max(hn::Sub(lower[a], column[a]), hn::Sub(column[a], upper[a])), hn::Zero(d));
        squared[a] = hn::Mul(off, off);
      }
      const M near = hn::And(hn::FirstN(d, std::min<std::size_t>(run.last - k, lanes)),
                             hn::Lt(hn::Add(squared[0], hn::Add(squared[1], squared[2])), reach_squared));
      for (std::size_t c = 0; c < 6; ++c) hn::StoreU(hn::Compress(column[c], near), d, out.value[c] + n);
      if (kinds) hn::StoreU(hn::Compress(hn::LoadU(U(), job.kind + k), hn::RebindMask(U(), near)), U(), out.kind + n);
      if (places) hn::StoreU(hn::Compress(hn::Iota(U(), k), hn::RebindMask(U(), near)), U(), out.at + n);
      n += hn::CountTrue(d, near);
      if (n > Gathered::most) return n;
    }
  return n;
}

/// Properties of one member, broadcast to all lanes.
struct Looker {
  explicit Looker(const MemberRecord& self, const Sight& sight)
      : x(one_everywhere(self.x)),
        y(one_everywhere(self.y)),
        z(one_everywhere(self.z)),
        hx(one_everywhere(self.hx)),
        hy(one_everywhere(self.hy)),
        hz(one_everywhere(self.hz)),
        reach_squared(one_everywhere(sight.reach_m * sight.reach_m)),
        cosine_squared(one_everywhere(signed_square(sight.cosine))),
        spacing_squared(one_everywhere(sight.spacing_m * sight.spacing_m)),
        inverse_spacing(one_everywhere(1 / sight.spacing_m)),
        flock(hn::Set(U(), sight.flock_bits)),
        apart(hn::Set(U(), sight.apart_bits)),
        either(hn::Set(U(), sight.flock_bits | sight.apart_bits)) {}
  V x, y, z, hx, hy, hz, reach_squared, cosine_squared, spacing_squared, inverse_spacing;
  hn::Vec<U> flock, apart, either;
};

struct Sums {
  V push[3][parts], motion[3][parts], offset[3][parts], nearest[parts];
  std::size_t count = 0, same = 0;
  Sums() {
    for (std::size_t p = 0; p < parts; ++p) {
      for (std::size_t a = 0; a < 3; ++a) push[a][p] = motion[a][p] = offset[a][p] = one_everywhere(0);
      nearest[p] = one_everywhere(std::numeric_limits<float>::infinity());
    }
  }
};

HWY_INLINE M is_of(hn::Vec<U> kinds, hn::Vec<U> wanted) {
  return hn::RebindMask(D(), hn::Ne(hn::And(kinds, wanted), hn::Zero(U())));
}

/// Neighbours within the spacing, stored contiguously, so that fewer vectors need square roots and divisions.
struct Close {
  static constexpr std::size_t most = 128;
  HWY_ALIGN float x[most + virtual_lanes], y[most + virtual_lanes], z[most + virtual_lanes],
      squared[most + virtual_lanes];
  std::size_t count = 0;
};

/// One vector of candidates: offsets from the member, and a mask of the candidates that the member sees. The mask
/// includes the member itself.
struct Glance {
  V dx, dy, dz, squared;
  hn::Vec<U> kinds;
  M seen;
};
template <bool many_kinds>
HWY_INLINE Glance glance(const Others& others, const Looker& self, std::uint32_t k, M there) {
  const D d;
  Glance out;
  out.dx = hn::Sub(hn::LoadU(d, others.x + k), self.x);
  out.dy = hn::Sub(hn::LoadU(d, others.y + k), self.y);
  out.dz = hn::Sub(hn::LoadU(d, others.z + k), self.z);
  out.squared = hn::Add(hn::Mul(out.dx, out.dx), hn::Add(hn::Mul(out.dy, out.dy), hn::Mul(out.dz, out.dz)));
  const V ahead = hn::Add(hn::Mul(self.hx, out.dx), hn::Add(hn::Mul(self.hy, out.dy), hn::Mul(self.hz, out.dz)));
  out.seen = hn::And(hn::And(there, hn::Lt(out.squared, self.reach_squared)),
                     hn::Ge(hn::Mul(ahead, hn::Abs(ahead)), hn::Mul(self.cosine_squared, out.squared)));
  out.kinds = hn::Zero(U());
  if constexpr (many_kinds) {
    out.kinds = hn::LoadU(U(), others.kind + k);
    out.seen = hn::And(out.seen, is_of(out.kinds, self.either));
  }
  return out;
}

template <bool many_kinds>
HWY_INLINE void add_block(const Others& others, const Looker& self, std::uint32_t first, std::uint32_t last, Sums& sums,
                          Close& close) {
  const D d;
  for (std::size_t p = 0; p < parts; ++p) {
    const auto k = static_cast<std::uint32_t>(first + p * lanes);
    if (p > 0 && k >= last) return;
    const Glance g = glance<many_kinds>(others, self, k, hn::FirstN(d, std::min<std::size_t>(last - k, lanes)));
    const auto add_where = [](V& sum, M mask, V value) { sum = hn::Add(sum, hn::IfThenElseZero(mask, value)); };
    const M flock = many_kinds ? hn::And(g.seen, is_of(g.kinds, self.flock)) : g.seen;
    add_where(sums.offset[0][p], flock, g.dx);
    add_where(sums.offset[1][p], flock, g.dy);
    add_where(sums.offset[2][p], flock, g.dz);
    add_where(sums.motion[0][p], flock, hn::LoadU(d, others.mx + k));
    add_where(sums.motion[1][p], flock, hn::LoadU(d, others.my + k));
    add_where(sums.motion[2][p], flock, hn::LoadU(d, others.mz + k));
    sums.count += hn::CountTrue(d, flock);
    const M away = hn::And(g.seen, hn::Gt(g.squared, hn::Zero(d)));
    sums.nearest[p] = hn::Min(sums.nearest[p],
                              hn::IfThenElse(away, g.squared, one_everywhere(std::numeric_limits<float>::infinity())));
    const M near = hn::And(g.seen, hn::Le(g.squared, self.spacing_squared));
    const auto push_of = [&](V offset) {
      return many_kinds ? hn::IfThenElseZero(is_of(g.kinds, self.apart), offset) : offset;
    };
    hn::StoreU(hn::Compress(push_of(g.dx), near), d, close.x + close.count);
    hn::StoreU(hn::Compress(push_of(g.dy), near), d, close.y + close.count);
    hn::StoreU(hn::Compress(push_of(g.dz), near), d, close.z + close.count);
    hn::StoreU(hn::Compress(g.squared, near), d, close.squared + close.count);
    close.count += hn::CountTrue(d, near);
  }
}

/// Adds the separation from the neighbours in `close` to the sums and clears `close`.
HWY_INLINE void add_close(const Looker& self, Close& close, Sums& sums) {
  const D d;
  for (std::size_t first = 0; first < close.count; first += virtual_lanes)
    for (std::size_t p = 0; p < parts; ++p) {
      const std::size_t k = first + p * lanes;
      if (k >= close.count) break;
      const M there = hn::FirstN(d, std::min(close.count - k, lanes));
      const V squared = hn::Load(d, close.squared + k);
      const M away = hn::And(there, hn::Gt(squared, hn::Zero(d)));
      const V over = hn::Max(hn::Sub(hn::Div(one_everywhere(1), hn::Sqrt(squared)), self.inverse_spacing), hn::Zero(d));
      const auto add = [&](V& sum, const float* offset) {
        sum = hn::Add(sum, hn::IfThenElseZero(away, hn::Mul(over, hn::Load(d, offset + k))));
      };
      add(sums.push[0][p], close.x);
      add(sums.push[1][p], close.y);
      add(sums.push[2][p], close.z);
      sums.same += hn::CountTrue(d, hn::AndNot(away, there));
    }
  close.count = 0;
}

/// Reduces sixteen lanes to one in a fixed order. Each stage joins the upper half of the lanes to the lower half.
template <class Join>
HWY_INLINE float folded(const V* part, const Join& join) {
  const hn::CappedTag<float, 4> quads;
  const hn::CappedTag<float, 8> halves;
  HWY_ALIGN float all[virtual_lanes];
  for (std::size_t p = 0; p < parts; ++p) hn::Store(part[p], D(), all + p * lanes);
  for (std::size_t k = 0; k < 8; k += hn::Lanes(halves))
    hn::Store(join(hn::Load(halves, all + k), hn::Load(halves, all + k + 8)), halves, all + k);
  for (std::size_t k = 0; k < 4; k += hn::Lanes(quads))
    hn::Store(join(hn::Load(quads, all + k), hn::Load(quads, all + k + 4)), quads, all + k);
  const hn::CappedTag<float, 1> one;
  const auto even = join(hn::Load(one, all), hn::LoadU(one, all + 2)),
             odd = join(hn::LoadU(one, all + 1), hn::LoadU(one, all + 3));
  return hn::GetLane(join(even, odd));
}
HWY_INLINE float total(const V* part) {
  return folded(part, [](auto a, auto b) { return hn::Add(a, b); });
}
HWY_INLINE float least(const V* part) {
  return folded(part, [](auto a, auto b) { return hn::Min(a, b); });
}

/// Converts the lanes to sums and removes the member's contribution to its own sums. The sums of a member whose
/// position is not finite have no such contribution.
void finish(const Sums& sums, const MemberRecord& self, Seen& out) {
  const Vec3f own = self.motion();
  const auto seen = static_cast<float>(sums.count);
  for (int a = 0; a < 3; ++a) {
    out.push[a] = -total(sums.push[a]);
    out.motion[a] = total(sums.motion[a]) - seen * own[a];
    out.offset[a] = total(sums.offset[a]);
  }
  const std::size_t itself = sums.same > 0 ? 1 : 0;
  out.count = static_cast<std::uint32_t>(sums.count - itself);
  out.same_place = static_cast<float>(sums.same - itself);
  out.nearest_m = out.same_place > 0 ? 0 : std::sqrt(least(sums.nearest));
}

template <bool many_kinds>
void look_at_all(const Others& others, std::span<const Run> runs, const MemberRecord& self, const Sight& sight,
                 Seen& out) {
  const Looker looker(self, sight);
  Sums sums;
  Close close;
  for (const Run& run : runs)
    for (std::uint32_t k = run.first; k < run.last; k += virtual_lanes) {
      add_block<many_kinds>(others, looker, k, run.last, sums, close);
      if (close.count > Close::most - virtual_lanes) add_close(looker, close, sums);
    }
  add_close(looker, close, sums);
  finish(sums, self, out);
}

HWY_INLINE std::uint32_t bits_of(M mask) {
#if HWY_TARGET == HWY_SCALAR
  return hn::AllTrue(D(), mask) ? 1 : 0;
#else
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(D(), mask, bytes);
  return bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8;
#endif
}

/// Computes the sums over the nearest visible neighbours. If the buffer `found` is full, it is reduced to the nearest
/// candidates.
template <bool many_kinds>
void look_at_nearest(const SightJob& job, const Others& others, std::span<const Run> runs, std::uint32_t self,
                     const Sight& sight, Seen& out) {
  const D d;
  const Looker looker(job.record[self], sight);
  std::array<Candidate, 512> found;
  std::size_t count = 0;
  const auto prune = [&] {
    const auto nearer = [&](const Candidate& a, const Candidate& b) {
      return a.squared != b.squared ? a.squared < b.squared : job.record[a.at].row() < job.record[b.at].row();
    };
    std::nth_element(found.begin(), found.begin() + sight.nearest, found.begin() + static_cast<std::ptrdiff_t>(count),
                     nearer);
    count = sight.nearest;
  };
  for (const Run& run : runs)
    for (std::uint32_t k = run.first; k < run.last; k += lanes) {
      const Glance g = glance<many_kinds>(others, looker, k, hn::FirstN(d, std::min<std::size_t>(run.last - k, lanes)));
      if (hn::AllFalse(d, g.seen)) continue;
      if (count + lanes > found.size()) prune();
      HWY_ALIGN float squared[lanes];
      hn::Store(g.squared, d, squared);
      for (std::uint32_t bits = bits_of(g.seen); bits != 0; bits &= bits - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(bits));
        const std::uint32_t at = others.at != nullptr ? others.at[k + lane] : k + lane;
        if (at != self) found[count++] = {squared[lane], at};
      }
    }
  out = {};
  out.nearest_m = std::numeric_limits<float>::infinity();
  add_nearest(sight, job.record[self], job.record, std::span(found).first(count), out);
}

/// Computes the sums of the members in the range `members`, which are in one cell. Members whose reach is not `cells`
/// cells are skipped.
template <bool many_kinds>
void look_from_cell(const SightJob& job, const Others& others, std::span<const Run> runs, Range members,
                    std::uint32_t cells) {
  for (auto k = static_cast<std::uint32_t>(members.begin); k < members.end; ++k) {
    const MemberRecord& self = job.record[k];
    if (many_kinds && job.cells[self.species()] != cells) continue;
    const Sight& sight = job.sights[self.species()];
    if (sight.nearest > 0)
      look_at_nearest<many_kinds>(job, others, runs, k, sight, job.out[k]);
    else
      look_at_all<many_kinds>(others, runs, self, sight, job.out[k]);
  }
}

void look_range(const SightJob& job, Range range) {
  const bool many_kinds = job.sights.size() > 1;
  const bool places =
      std::any_of(job.sights.begin(), job.sights.end(), [](const Sight& sight) { return sight.nearest > 0; });
  auto cell = static_cast<std::uint32_t>(std::upper_bound(job.start.begin(), job.start.end(), range.begin) -
                                         job.start.begin() - 1);
  Runs runs;
  Gathered gathered;
  for (std::size_t begin = range.begin; begin < range.end; ++cell) {
    const std::size_t end = std::min<std::size_t>(range.end, job.start[cell + 1]);
    if (begin == end) continue;
    for (std::uint32_t cells = 1, next = 0; cells != 0; cells = next) {
      // Members with a reach of one cell are processed first, then members with the next longer reach.
      next = 0;
      Watch watch;
      for (std::size_t k = begin; k < end; ++k) {
        const std::uint32_t species = job.record[k].species(), own = job.cells[species];
        if (own == cells) watch.add(job.record[k], job.sights[species]);
        if (own > cells && (next == 0 || own < next)) next = own;
      }
      if (watch.reach == 0) continue;
      find_runs(job, cell, cells, runs);
      const auto look = [&](const Others& others, std::span<const Run> whom) {
        many_kinds ? look_from_cell<true>(job, others, whom, {begin, end}, cells)
                   : look_from_cell<false>(job, others, whom, {begin, end}, cells);
      };
      if (const std::size_t near = gather(job, runs, watch, many_kinds, places, gathered); near <= Gathered::most) {
        const Run whole{0, static_cast<std::uint32_t>(near)};
        look(gathered.others(), std::span(&whole, 1));
      } else {
        look({job.x, job.y, job.z, job.mx, job.my, job.mz, job.kind, nullptr}, runs.run);
      }
    }
    begin = end;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vw {
namespace {
HWY_EXPORT(look_range);
}  // namespace

void look_in_lanes(const SightJob& job, Range range) { HWY_DYNAMIC_DISPATCH(look_range)(job, range); }

}  // namespace vw
#endif
