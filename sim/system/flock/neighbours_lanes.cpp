// Sums over neighbours. Sixteen virtual lanes, as vectors of whatever width: candidate k of a run of cells always goes to lane k mod 16, and the
// lanes are added up in one order at the end, so that no width shows in the bits. Nothing is fused.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/system/flock/neighbours_lanes.cpp"
// Four are enough: scalar, 128, 256 and 512 bits.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "sim/system/flock/neighbours_lanes.h"

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
/// The runs of members in the 27 cells about one: a row of three is one run, or two where it begins anew.
struct Runs {
  std::array<Run, 18> run;
  std::size_t count = 0;
  void add(const SightJob& job, std::uint32_t first_cell, std::uint32_t last_cell) {
    const Run one{job.start[first_cell], job.start[last_cell]};
    if (one.first < one.last) run[count++] = one;
  }
};

void find_runs(const SightJob& job, std::uint32_t cell, Runs& out) {
  out.count = 0;
  const std::uint32_t nx = 1U << job.bits[0], ny = 1U << job.bits[1], nz = 1U << job.bits[2];
  const std::uint32_t cx = cell & (nx - 1), cy = (cell >> job.bits[0]) & (ny - 1), cz = cell >> (job.bits[0] + job.bits[1]);
  for (std::uint32_t z = cz + nz - 1; z <= cz + nz + 1; ++z)
    for (std::uint32_t y = cy + ny - 1; y <= cy + ny + 1; ++y) {
      const std::uint32_t row = ((z & (nz - 1)) << job.bits[1] | (y & (ny - 1))) << job.bits[0];
      if (cx == 0) {
        out.add(job, row + nx - 1, row + nx);
        out.add(job, row, row + 2);
      } else if (cx == nx - 1) {
        out.add(job, row + nx - 2, row + nx);
        out.add(job, row, row + 1);
      } else {
        out.add(job, row + cx - 1, row + cx + 2);
      }
    }
}

HWY_INLINE V one_everywhere(float x) { return hn::Set(D(), x); }

/// A member that looks, in every lane.
struct Looker {
  explicit Looker(const MemberRecord& self, const Sight& sight)
      : x(one_everywhere(self.x)),
        y(one_everywhere(self.y)),
        z(one_everywhere(self.z)),
        hx(one_everywhere(self.hx)),
        hy(one_everywhere(self.hy)),
        hz(one_everywhere(self.hz)),
        mx(one_everywhere(self.speed * self.hx)),
        my(one_everywhere(self.speed * self.hy)),
        mz(one_everywhere(self.speed * self.hz)),
        reach_squared(one_everywhere(sight.reach_m * sight.reach_m)),
        cosine(one_everywhere(sight.cosine)),
        inverse_spacing(one_everywhere(1 / sight.spacing_m)),
        flock(hn::Set(U(), sight.flock_bits)),
        apart(hn::Set(U(), sight.apart_bits)),
        either(hn::Set(U(), sight.flock_bits | sight.apart_bits)) {}
  V x, y, z, hx, hy, hz, mx, my, mz, reach_squared, cosine, inverse_spacing;
  hn::Vec<U> flock, apart, either;
};

struct Sums {
  V push[3][parts], motion[3][parts], offset[3][parts], count[parts], same[parts], nearest[parts];
  Sums() {
    for (std::size_t p = 0; p < parts; ++p) {
      for (std::size_t a = 0; a < 3; ++a) push[a][p] = motion[a][p] = offset[a][p] = one_everywhere(0);
      count[p] = same[p] = one_everywhere(0);
      nearest[p] = one_everywhere(std::numeric_limits<float>::infinity());
    }
  }
};

HWY_INLINE M is_of(hn::Vec<U> kinds, hn::Vec<U> wanted) { return hn::RebindMask(D(), hn::Ne(hn::And(kinds, wanted), hn::Zero(U()))); }

/// Lanes from `k` on whom it sees, itself too.
struct Glance {
  V dx, dy, dz, squared, distance;
  hn::Vec<U> kinds;
  M seen;
};
template <bool many_kinds>
HWY_INLINE Glance glance(const SightJob& job, const Looker& self, std::uint32_t k, M there) {
  const D d;
  Glance out;
  out.dx = hn::Sub(hn::LoadU(d, job.x + k), self.x);
  out.dy = hn::Sub(hn::LoadU(d, job.y + k), self.y);
  out.dz = hn::Sub(hn::LoadU(d, job.z + k), self.z);
  out.squared = hn::Add(hn::Mul(out.dx, out.dx), hn::Add(hn::Mul(out.dy, out.dy), hn::Mul(out.dz, out.dz)));
  out.distance = hn::Sqrt(out.squared);
  const V ahead = hn::Add(hn::Mul(self.hx, out.dx), hn::Add(hn::Mul(self.hy, out.dy), hn::Mul(self.hz, out.dz)));
  out.seen = hn::And(hn::And(there, hn::Lt(out.squared, self.reach_squared)), hn::Ge(ahead, hn::Mul(self.cosine, out.distance)));
  out.kinds = hn::Zero(U());
  if constexpr (many_kinds) {
    out.kinds = hn::LoadU(U(), job.kind + k);
    out.seen = hn::And(out.seen, is_of(out.kinds, self.either));
  }
  return out;
}

template <bool many_kinds>
HWY_INLINE void add_block(const SightJob& job, const Looker& self, std::uint32_t first, std::uint32_t last, Sums& sums) {
  const D d;
  for (std::size_t p = 0; p < parts; ++p) {
    const auto k = static_cast<std::uint32_t>(first + p * lanes);
    if (p > 0 && k >= last) return;
    const M there = hn::FirstN(d, std::min<std::size_t>(last - k, lanes));
    const Glance g = glance<many_kinds>(job, self, k, there);
    if (hn::AllFalse(d, g.seen)) continue;
    M flock = g.seen, apart = g.seen;
    if constexpr (many_kinds) {
      flock = hn::And(g.seen, is_of(g.kinds, self.flock));
      apart = hn::And(g.seen, is_of(g.kinds, self.apart));
    }
    const M here = hn::Eq(g.squared, hn::Zero(d));
    const V one = one_everywhere(1);
    const V over = hn::Max(hn::Sub(hn::Div(one, g.distance), self.inverse_spacing), hn::Zero(d));
    const V weight = hn::IfThenElseZero(hn::AndNot(here, apart), over);
    const auto add = [](V& sum, V value) { sum = hn::Add(sum, value); };
    const auto add_where = [&](V& sum, M mask, V value) { sum = hn::Add(sum, hn::IfThenElseZero(mask, value)); };
    add(sums.push[0][p], hn::Mul(weight, g.dx));
    add(sums.push[1][p], hn::Mul(weight, g.dy));
    add(sums.push[2][p], hn::Mul(weight, g.dz));
    add_where(sums.offset[0][p], flock, g.dx);
    add_where(sums.offset[1][p], flock, g.dy);
    add_where(sums.offset[2][p], flock, g.dz);
    add_where(sums.motion[0][p], flock, hn::Sub(hn::LoadU(d, job.mx + k), self.mx));
    add_where(sums.motion[1][p], flock, hn::Sub(hn::LoadU(d, job.my + k), self.my));
    add_where(sums.motion[2][p], flock, hn::Sub(hn::LoadU(d, job.mz + k), self.mz));
    add_where(sums.count[p], flock, one);
    add_where(sums.same[p], hn::And(here, apart), one);
    sums.nearest[p] = hn::Min(sums.nearest[p], hn::IfThenElse(hn::AndNot(here, g.seen), g.squared, sums.nearest[p]));
  }
}

/// Of sixteen lanes in one order.
HWY_INLINE float total(const V* part) {
  HWY_ALIGN float all[virtual_lanes];
  for (std::size_t p = 0; p < parts; ++p) hn::Store(part[p], D(), all + p * lanes);
  for (std::size_t half = virtual_lanes / 2; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; ++k) all[k] += all[k + half];
  return all[0];
}
HWY_INLINE float least(const V* part) {
  HWY_ALIGN float all[virtual_lanes];
  for (std::size_t p = 0; p < parts; ++p) hn::Store(part[p], D(), all + p * lanes);
  return *std::min_element(all, all + virtual_lanes);
}

/// It has seen itself, too.
void finish(const Sums& sums, bool own_flock, bool own_apart, Seen& out) {
  for (int a = 0; a < 3; ++a) {
    out.push[a] = -total(sums.push[a]);
    out.motion[a] = total(sums.motion[a]);
    out.offset[a] = total(sums.offset[a]);
  }
  out.count = static_cast<std::uint32_t>(total(sums.count)) - (own_flock ? 1U : 0U);
  out.same_place = total(sums.same) - (own_apart ? 1.0F : 0.0F);
  out.nearest_m = out.same_place > 0 ? 0 : std::sqrt(least(sums.nearest));
}

template <bool many_kinds>
void look_at_all(const SightJob& job, const Runs& runs, const MemberRecord& self, const Sight& sight, Seen& out) {
  const Looker looker(self, sight);
  Sums sums;
  for (std::size_t r = 0; r < runs.count; ++r)
    for (std::uint32_t k = runs.run[r].first; k < runs.run[r].last; k += virtual_lanes) add_block<many_kinds>(job, looker, k, runs.run[r].last, sums);
  const std::uint32_t own = 1U << self.species();
  // One that is nowhere does not see itself either.
  const bool somewhere = self.x - self.x == 0 && self.y - self.y == 0 && self.z - self.z == 0;
  finish(sums, somewhere && (sight.flock_bits & own) != 0, somewhere && (sight.apart_bits & own) != 0, out);
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

/// Collects whom it sees; where there are very many, only the nearest so far are kept.
template <bool many_kinds>
void look_at_nearest(const SightJob& job, const Runs& runs, std::uint32_t self, const Sight& sight, Seen& out) {
  const D d;
  const Looker looker(job.record[self], sight);
  std::array<Candidate, 512> found;
  std::size_t count = 0;
  const auto prune = [&] {
    const auto nearer = [&](const Candidate& a, const Candidate& b) {
      return a.squared != b.squared ? a.squared < b.squared : job.record[a.at].row() < job.record[b.at].row();
    };
    std::nth_element(found.begin(), found.begin() + sight.nearest, found.begin() + static_cast<std::ptrdiff_t>(count), nearer);
    count = sight.nearest;
  };
  for (std::size_t r = 0; r < runs.count; ++r) {
    const Run run = runs.run[r];
    for (std::uint32_t k = run.first; k < run.last; k += lanes) {
      const Glance g = glance<many_kinds>(job, looker, k, hn::FirstN(d, std::min<std::size_t>(run.last - k, lanes)));
      if (hn::AllFalse(d, g.seen)) continue;
      if (count + lanes > found.size()) prune();
      HWY_ALIGN float squared[lanes];
      hn::Store(g.squared, d, squared);
      for (std::uint32_t bits = bits_of(g.seen); bits != 0; bits &= bits - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(bits));
        if (k + lane != self) found[count++] = {squared[lane], k + lane};
      }
    }
  }
  out = {};
  out.nearest_m = std::numeric_limits<float>::infinity();
  add_nearest(sight, job.record[self], job.record, std::span(found).first(count), out);
}

void look_range(const SightJob& job, Range range) {
  const bool many_kinds = job.sights.size() > 1;
  auto cell = static_cast<std::uint32_t>(std::upper_bound(job.start.begin(), job.start.end(), range.begin) - job.start.begin() - 1);
  Runs runs;
  find_runs(job, cell, runs);
  for (auto k = static_cast<std::uint32_t>(range.begin); k < range.end; ++k) {
    if (k >= job.start[cell + 1]) {
      while (k >= job.start[cell + 1]) ++cell;
      find_runs(job, cell, runs);
    }
    const MemberRecord& self = job.record[k];
    const Sight& sight = job.sights[self.species()];
    Seen& out = job.out[self.row()];
    if (sight.nearest > 0)
      many_kinds ? look_at_nearest<true>(job, runs, k, sight, out) : look_at_nearest<false>(job, runs, k, sight, out);
    else
      many_kinds ? look_at_all<true>(job, runs, self, sight, out) : look_at_all<false>(job, runs, self, sight, out);
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
