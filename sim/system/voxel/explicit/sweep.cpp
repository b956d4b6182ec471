// Vector kernels of the sweep. The order of the passes and the precision of each stage are described in sweep.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/system/voxel/explicit/sweep.cpp"
// The targets SSSE3 and AVX3_DL are disabled. Other targets already cover scalar code and vectors of 128, 256 and 512
// bits.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "sim/base/elementary/elementary.h"
#include "sim/base/elementary/fused-inl.h"
#include "sim/system/voxel/explicit/sweep.h"

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#include "sim/system/voxel/explicit/wide-inl.h"  // vectors of doubles with as many lanes as those of floats

#include "sim/system/voxel/explicit/bond-inl.h"

template <bool Full>
HWY_INLINE const auto* bond_column(const SweepTables& tables, std::size_t row) {
  if constexpr (Full)
    return tables.bond_full[row].data();
  else
    return tables.bond[row].data();
}

/// Returns the bond constants of all lanes. If `mixed`, lane i uses the table row rows[i]. Otherwise all lanes use
/// `row`.
template <bool Full>
HWY_INLINE BondRow<VA<Full>> bond_row(const SweepTables& tables, bool mixed, std::int32_t row,
                                      const std::int32_t* rows) {
  using V = VA<Full>;
  const A<Full> d;
  V v[SweepTables::bond_rows];
  if (!mixed) {
    for (std::size_t i = 0; i < SweepTables::bond_rows; ++i) v[i] = Set(d, bond_column<Full>(tables, i)[row]);
  } else {
    for (std::size_t i = 0; i < SweepTables::bond_rows; ++i) v[i] = gather_rows(d, bond_column<Full>(tables, i), rows);
  }
  return {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]};
}

/// Returns the second voxel of a lane's bond, or the lane's own voxel if the lane is not in `lanes`.
HWY_INLINE std::size_t partner_of(const SweepPlan& plan, const BlockBonds& bonds, std::size_t first, std::size_t lane,
                                  std::uint32_t lanes) {
  const std::size_t self = std::min(first + lane, plan.voxels - 1);
  if ((lanes >> lane & 1) == 0) return self;
  if (bonds.offset != 0) return self + static_cast<std::size_t>(bonds.offset);
  return static_cast<std::size_t>(plan.lane_partner[static_cast<std::size_t>(bonds.partners) + lane]);
}

/// True if the second voxels of a block's bonds can be loaded as consecutive rows. These rows must lie before `limit`.
/// If `limit` is the number of voxels, the padding behind the last voxel may also be loaded, except from half_edge,
/// which has no padding.
HWY_INLINE bool in_a_row(const SweepJob& job, const BlockBonds& bonds, std::size_t first, std::size_t limit) {
  if (limit == job.plan->voxels && job.half_edge == nullptr) limit += PaddedArray::padding;
  return bonds.offset != 0 && first + Lanes(W()) + static_cast<std::size_t>(bonds.offset) <= limit;
}

/// Loads the lanes of a block from a column without padding. Lanes beyond the last voxel are 0.
HWY_INLINE VD load_within(const SweepJob& job, const double* column, std::size_t first) {
  const std::size_t left = job.plan->voxels - first;
  if (HWY_LIKELY(left >= Lanes(W()))) return LoadU(W(), column + first);
  HWY_ALIGN double row[16] = {};
  std::copy_n(column + first, left, row);
  return Load(W(), row);
}

/// Returns the lanes (bits) with a bond whose second voxel lies before `limit`.
HWY_INLINE std::uint32_t lanes_before(const SweepPlan& plan, const BlockBonds& bonds, std::size_t first,
                                      std::size_t limit) {
  std::uint32_t lanes = bonds.lanes;
  if (lanes == 0) return 0;
  if (bonds.offset != 0) {
    const std::size_t reach = first + static_cast<std::size_t>(bonds.offset);
    if (reach + plan.lanes <= limit) return lanes;
    return reach >= limit ? 0 : lanes & ((1U << (limit - reach)) - 1);
  }
  for (std::size_t lane = 0; lane < plan.lanes; ++lane)
    if (static_cast<std::size_t>(plan.lane_partner[static_cast<std::size_t>(bonds.partners) + lane]) >= limit)
      lanes &= ~(1U << lane);
  return lanes;
}

/// Prefetches the data of the voxels that lie SweepPlan::fetch_ahead voxels ahead of the block, because bonds will soon
/// read these data. In a body that exceeds the caches, the hardware prefetcher cannot follow so many columns at once.
template <std::size_t Columns>
HWY_INLINE void fetch_ahead(const SweepJob& job, const std::array<PaddedArray, Columns>& columns, std::size_t first) {
  const std::size_t at = first + job.plan->fetch_ahead;
  if (at == first || at >= job.plan->voxels) return;
  for (const PaddedArray& column : columns)
    for (std::size_t lane = 0; lane < Lanes(W()); lane += 8) __builtin_prefetch(column.data() + at + lane);
}

/// Adds the lanes of v to consecutive entries, starting at `column`.
HWY_INLINE void add_to(double* column, VD v) { StoreU(Add(LoadU(W(), column), v), W(), column); }

template <int Axis, bool Full>
HWY_INLINE VD rest_length(const SweepJob& job, const Reads<Full>& b, std::size_t first) {
  VD rest = Set(W(), job.edge);
  if (job.half_edge != nullptr) rest = Add(load_within(job, job.half_edge, first), LoadU(W(), b.half_edge));
  if (job.slack == nullptr) return rest;
  return Add(rest, load_within(job, job.slack + static_cast<std::size_t>(Axis) * job.plan->voxels, first));
}

#include "sim/system/voxel/explicit/strip-inl.h"

/// Returns, for each lane, the value of the voxel's class in `table`.
HWY_INLINE VD class_value(const SweepJob& job, const SweepBlock& block, std::size_t first,
                          const std::vector<double>& table) {
  const W d;
  if (block.voxel_class >= 0) return Set(d, table[static_cast<std::size_t>(block.voxel_class)]);
  HWY_ALIGN double row[16];
  for (std::size_t lane = 0; lane < Lanes(d); ++lane)
    row[lane] = table[static_cast<std::size_t>(job.class_of[std::min(first + lane, job.plan->voxels - 1)])];
  return Load(d, row);
}

#include "sim/system/voxel/contact/contact-inl.h"

struct Turn {
  VD cosine, sinc;
};
/// Returns cos(x) and sin(x) / x as functions of x^2, where x = |w| dt / 2 is half the rotation angle of a substep. For
/// rotations below 0.2 rad a series with an error below 3e-17 is used.
HWY_INLINE Turn half_turn(VD x_squared) {
  const W d;
  const auto set = [&](double c) { return Set(d, c); };
  Turn out;
  out.cosine = neg_mul_add(
      x_squared,
      neg_mul_add(x_squared,
                  neg_mul_add(x_squared, neg_mul_add(x_squared, set(1.0 / 40320), set(1.0 / 720)), set(1.0 / 24)),
                  set(1.0 / 2)),
      set(1.0));
  out.sinc = neg_mul_add(
      x_squared,
      neg_mul_add(x_squared,
                  neg_mul_add(x_squared, neg_mul_add(x_squared, set(1.0 / 362880), set(1.0 / 5040)), set(1.0 / 120)),
                  set(1.0 / 6)),
      set(1.0));
  if (HWY_UNLIKELY(!AllTrue(d, Lt(x_squared, set(0.01))))) {
    HWY_ALIGN double x[16], cosine[16], sinc[16];
    Store(x_squared, d, x);
    for (std::size_t lane = 0; lane < Lanes(d); ++lane) {
      const double half = std::sqrt(x[lane]);
      const elementary::SinCos turn = elementary::sin_cos(half);
      cosine[lane] = turn.cos;
      sinc[lane] = half > 0 ? turn.sin / half : 1;
    }
    const auto large = Not(Lt(x_squared, set(0.01)));
    out.cosine = IfThenElse(large, Load(d, cosine), out.cosine);
    out.sinc = IfThenElse(large, Load(d, sinc), out.sinc);
  }
  return out;
}

/// Advances one block by symplectic Euler: velocities are updated with the loads at the old positions, then positions
/// with the new velocities.
HWY_INLINE void advance_block(const SweepJob& job, const SweepBlock& block, std::size_t first, Three<VD> force,
                              Three<VD> moment, VD& fastest) {
  const W d;
  VoxelArrays& s = *job.state;
  const std::size_t width = Lanes(d);
  const VD mass = class_value(job, block, first, job.tables->mass);
  const auto read = [&](const auto& columns) -> Three<VD> {
    return {Load(d, columns[0].data() + first), Load(d, columns[1].data() + first), Load(d, columns[2].data() + first)};
  };
  const auto store = [&](const Three<VD>& v, std::array<PaddedArray, 3>& columns) {
    Store(v.x, d, columns[0].data() + first);
    Store(v.y, d, columns[1].data() + first);
    Store(v.z, d, columns[2].data() + first);
  };
  Three<VD> v = read(s.velocity), w = read(s.angular_velocity);
  force = add_scaled(force, mass, {Set(d, job.gravity.x()), Set(d, job.gravity.y()), Set(d, job.gravity.z())});
  if (job.dragged) {
    force = add_scaled(force, Neg(class_value(job, block, first, job.tables->drag)), v);
    moment = add_scaled(moment, Neg(class_value(job, block, first, job.tables->spin_drag)), w);
  }
  if (job.loads != nullptr && job.loads->any(first)) {
    force = force + read(job.loads->force());
    moment = moment + read(job.loads->moment());
  }
  const std::uint32_t touching = job.touching != nullptr ? job.touching[first / width] : 0;
  if (touching != 0) {
    const VD half_edge = job.half_edge != nullptr ? load_within(job, job.half_edge, first) : Set(d, 0.5 * job.edge);
    add_contact(job, block, {first, touching, read(s.position), v, half_edge, mass}, force);
  }
  const VD dt = Set(d, job.dt);
  v = add_scaled(v, Mul(dt, class_value(job, block, first, job.tables->inverse_mass)), force);
  w = add_scaled(w, Mul(dt, class_value(job, block, first, job.tables->inverse_inertia)), moment);
  if (job.mobility != nullptr) {
    const VD moves = Load(d, job.mobility + first);
    v = scaled(moves, v);
    w = scaled(moves, w);
  }
  if (first + width > job.plan->voxels) {
    const auto there = FirstN(d, job.plan->voxels - first);
    v = {IfThenElseZero(there, v.x), IfThenElseZero(there, v.y), IfThenElseZero(there, v.z)};
    w = {IfThenElseZero(there, w.x), IfThenElseZero(there, w.y), IfThenElseZero(there, w.z)};
  }
  store(v, s.velocity);
  store(w, s.angular_velocity);
  if (job.spin[0] != nullptr) {
    const A<false> df;
    StoreU(narrow<false>(w.x), df, job.spin[0] + first);
    StoreU(narrow<false>(w.y), df, job.spin[1] + first);
    StoreU(narrow<false>(w.z), df, job.spin[2] + first);
  }
  fastest = Max(fastest, dot(v, v));
  store(add_scaled(read(s.position), dt, v), s.position);

  const VD half_dt = Mul(Set(d, 0.5), dt);
  const Turn turn = half_turn(Mul(Mul(half_dt, half_dt), dot(w, w)));
  const Three<VD> u = scaled(Mul(half_dt, turn.sinc), w);
  const VD q0 = Load(d, s.orientation[0].data() + first);
  const Three<VD> qv{Load(d, s.orientation[1].data() + first), Load(d, s.orientation[2].data() + first),
                     Load(d, s.orientation[3].data() + first)};
  const VD p0 = mul_sub(turn.cosine, q0, dot(u, qv));
  const Three<VD> pv = add_scaled(add_scaled(cross(u, qv), q0, u), turn.cosine, qv);
  // Normalises the quaternion by one Newton iteration. This is accurate, because the product of two unit quaternions
  // differs from a unit quaternion only by rounding.
  const VD scale = neg_mul_add(Set(d, 0.5), mul_add(p0, p0, dot(pv, pv)), Set(d, 1.5));
  Store(Mul(scale, p0), d, s.orientation[0].data() + first);
  Store(Mul(scale, pv.x), d, s.orientation[1].data() + first);
  Store(Mul(scale, pv.y), d, s.orientation[2].data() + first);
  Store(Mul(scale, pv.z), d, s.orientation[3].data() + first);
  if (job.hooked != nullptr && job.hooked[first / width] != 0)
    job.hook.after_drift(job.hook.object, first, job.hooked[first / width]);
}

/// Returns the load sums that six columns of doubles hold for a block: three of forces, then three of moments. The
/// moments are converted to the precision of `Real<Full>`.
template <bool Full>
HWY_INLINE Sums<Full> sums_at(const std::array<PaddedArray, 6>& columns, std::size_t at) {
  const W d;
  const auto read = [&](std::size_t k) { return LoadU(d, columns[k].data() + at); };
  return {{read(0), read(1), read(2)}, narrow<Full>(Three<VD>{read(3), read(4), read(5)})};
}
template <bool Full>
HWY_INLINE void put_sums(const Sums<Full>& sums, std::array<PaddedArray, 6>& columns, std::size_t at) {
  const Three<VD> moment = widen<Full>(sums.moment);
  const std::array<VD, 6> value{sums.force.x, sums.force.y, sums.force.z, moment.x, moment.y, moment.z};
  for (std::size_t k = 0; k < 6; ++k) StoreU(value[k], W(), columns[k].data() + at);
}
template <bool Full>
HWY_INLINE Sums<Full> no_sums() {
  const VD zero = Zero(W());
  const VA<Full> none = Zero(A<Full>());
  return {{zero, zero, zero}, {none, none, none}};
}

/// Returns the load sums of a block and sets the columns to zero for the next substep.
template <bool Full>
HWY_NOINLINE Sums<Full> taken_from(std::array<PaddedArray, 6>& columns, std::size_t at) {
  const Sums<Full> sums = sums_at<Full>(columns, at);
  put_sums<Full>(no_sums<Full>(), columns, at);
  return sums;
}

/// Completes the load sums of a strip, block by block, and moves each block immediately afterwards. At this point all
/// bonds of the block have been evaluated.
template <bool Full>
HWY_NOINLINE void finish_strip(const SweepJob& job, const SweepSlab& slab, std::size_t begin, std::size_t end,
                               SlabScratch& scratch, StripLoads<Full>& loads, std::size_t own_origin, VD& fastest) {
  using V = VA<Full>;
  const SweepPlan& plan = *job.plan;
  const std::size_t width = Lanes(W());
  const Waiting<0, Full> along_x(plan, slab, begin, scratch, loads);
  const Waiting<1, Full> along_y(plan, slab, begin, scratch, loads);
  const Waiting<2, Full> along_z(plan, slab, begin, scratch, loads);
  std::array<const Real<Full>*, 6> left;
  for (std::size_t k = 0; k < 6; ++k) left[k] = along_x.column[k] - 1;
  for (std::size_t first = begin; first < end; first += width) {
    const std::size_t at = first - begin;
    Sums<Full> own = no_sums<Full>(), below = no_sums<Full>();
    if (HWY_UNLIKELY(first >= own_origin)) own = taken_from<Full>(scratch.own, first - own_origin);
    add_own<1, Full>(plan, slab, first, at, along_y, loads, own);
    add_own<2, Full>(plan, slab, first, at, along_z, loads, own);
    add_own<0, Full>(plan, slab, first, at, along_x, loads, own);
    if (HWY_UNLIKELY(first - slab.begin < scratch.incoming[0].size()))
      below = taken_from<Full>(scratch.incoming, first - slab.begin);
    collect<1, Full>(plan, slab, first, at, along_y, below);
    collect<2, Full>(plan, slab, first, at, along_z, below);
    below.force = below.force - widen<Full>(load_three<V>(left, 0, at));
    below.moment = below.moment + load_three<V>(left, 3, at);
    advance_block(job, plan.blocks[first / width], first, below.force + own.force,
                  widen<Full>(below.moment + own.moment), fastest);
  }
  for (auto& column : loads.along_x)
    column[StripLoads<Full>::front - 1] = column[StripLoads<Full>::front + end - begin - 1];
}

/// Calls add_row(first row) once, if the second voxels of a cross block are consecutive and lie within the first `rows`
/// rows of `slab`. Otherwise calls add_lane(row, lane) for each second voxel. Rows count from slab.begin.
template <class AddRow, class AddLane>
HWY_INLINE void add_across(const SweepPlan& plan, const CrossBlock& block, const SweepSlab& slab, std::size_t rows,
                           const AddRow& add_row, const AddLane& add_lane) {
  const BlockBonds& bonds = plan.blocks[block.first / plan.lanes].along[block.axis];
  const std::size_t begin = block.first + static_cast<std::size_t>(bonds.offset);
  if (HWY_LIKELY(bonds.offset != 0 && begin >= slab.begin && begin + plan.lanes <= slab.begin + rows))
    return add_row(begin - slab.begin);
  for (std::uint32_t left = block.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    add_lane(partner_of(plan, bonds, block.first, lane, block.lanes) - slab.begin, lane);
  }
}

/// Adds the loads of bonds from earlier slabs to the incoming loads of `slab`, in the order of SweepSlab::in.
template <bool Full>
void take_in(const SweepSlab& slab, const SweepPlan& plan, std::vector<SlabScratch>& all, SlabScratch& scratch) {
  const W d;
  const std::size_t width = Lanes(d);
  for (const auto& [from, position] : slab.in) {
    const double* load = all[from].cross.data() + 6 * width * position;
    const auto add_row = [&](std::size_t row) {
      const auto read = [&](std::size_t k) { return LoadU(d, load + k * width); };
      Sums<Full> sums = sums_at<Full>(scratch.incoming, row);
      sums.force = sums.force - Three<VD>{read(0), read(1), read(2)};
      sums.moment = sums.moment + narrow<Full>(Three<VD>{read(3), read(4), read(5)});
      put_sums<Full>(sums, scratch.incoming, row);
    };
    const auto add_lane = [&](std::size_t row, std::size_t lane) {
      for (std::size_t k = 0; k < 3; ++k) {
        scratch.incoming[k][row] -= load[k * width + lane];
        double& moment = scratch.incoming[3 + k][row];
        moment = static_cast<double>(static_cast<Real<Full>>(moment) +
                                     static_cast<Real<Full>>(load[(3 + k) * width + lane]));
      }
    };
    add_across(plan, plan.slabs[from].out[position], slab, scratch.incoming[0].size(), add_row, add_lane);
  }
}

#include "sim/system/voxel/explicit/strain-inl.h"

template <bool Full>
void sweep_slab(const SweepJob& job, std::size_t index, std::vector<SlabScratch>& all) {
  const W d;
  const SweepPlan& plan = *job.plan;
  const SweepSlab& slab = plan.slabs[index];
  SlabScratch& scratch = all[index];
  take_in<Full>(slab, plan, all, scratch);
  const std::size_t width = Lanes(d), own_origin = !slab.out.empty() ? slab.first_out / width * width : slab.end;
  StripLoads<Full> loads;
  for (auto& column : loads.along_x) column[StripLoads<Full>::front - 1] = 0;
  VD fastest = Zero(d);
  for (std::size_t begin = slab.begin; begin < slab.end; begin += strip_voxels) {
    const std::size_t end = std::min(slab.end, begin + strip_voxels);
    load_strip<1, Full>(job, slab, begin, end, scratch, loads);
    load_strip<2, Full>(job, slab, begin, end, scratch, loads);
    load_strip<0, Full>(job, slab, begin, end, scratch, loads);
    finish_strip<Full>(job, slab, begin, end, scratch, loads, own_origin, fastest);
  }
  scratch.fastest_squared = largest(fastest);
}

template <int Axis, bool Full>
void cross_block(const SweepJob& job, const CrossBlock& block, SlabScratch& from, std::size_t own_origin, double* out,
                 SlabScratch& scratch) {
  const W d;
  const SweepPlan& plan = *job.plan;
  const std::size_t width = Lanes(d), first = block.first;
  const BlockBonds& bonds = plan.blocks[first / width].along[static_cast<std::size_t>(Axis)];
  const Reads<Full> a = reads_at<Full>(job, first);
  Gathered<Full> rows;
  const bool row = in_a_row(job, bonds, first, plan.voxels);
  if (HWY_UNLIKELY(!row))
    for (std::size_t lane = 0; lane < width; ++lane)
      rows.take(job, lane, partner_of(plan, bonds, first, lane, block.lanes));
  const Reads<Full> b = row ? reads_at<Full>(job, first + static_cast<std::size_t>(bonds.offset)) : rows.reads(job);
  const auto k = bond_row<Full>(*job.tables, bonds.mixed != 0, bonds.constants,
                                plan.lane_constants.data() + (bonds.mixed != 0 ? bonds.constants : 0));
  std::uint32_t overbent = 0;
  const VD rest = rest_length<Axis, Full>(job, b, first);
  const BondLoads<VA<Full>> loads = bond_loads<Axis, Full>(job, a, b, k, rest, block.lanes, &overbent);
  for (; overbent != 0; overbent &= overbent - 1)
    scratch.overbent.push_back(static_cast<std::uint32_t>(static_cast<std::size_t>(Axis) * plan.voxels + first +
                                                          static_cast<std::size_t>(std::countr_zero(overbent))));
  const Three<VD> force = widen<Full>(loads.force), moment = widen<Full>(loads.moment_b);
  Sums<Full> own = sums_at<Full>(from.own, first - own_origin);
  own.force = own.force + force;
  own.moment = own.moment + loads.moment_a;
  put_sums<Full>(own, from.own, first - own_origin);
  const std::array<VD, 6> across{force.x, force.y, force.z, moment.x, moment.y, moment.z};
  for (std::size_t i = 0; i < 6; ++i) StoreU(across[i], d, out + i * width);
}

/// Computes the outgoing bonds of slab `from` that are assigned to the thread of slab `index`. The work is divided
/// between the threads of a slab and of the next slab, because the thread of the next slab would otherwise wait.
template <bool Full>
void cross_share(const SweepJob& job, std::size_t from, std::size_t index, std::vector<SlabScratch>& all) {
  const SweepSlab& slab = job.plan->slabs[from];
  const std::size_t width = Lanes(W()), own_origin = slab.first_out / width * width;
  for (std::size_t i = 0; i < slab.out.size(); ++i) {
    const CrossBlock& block = slab.out[i];
    if ((block.first < slab.shared_out) != (from == index)) continue;
    double* out = all[from].cross.data() + 6 * width * i;
    if (block.axis == 0)
      cross_block<0, Full>(job, block, all[from], own_origin, out, all[index]);
    else if (block.axis == 1)
      cross_block<1, Full>(job, block, all[from], own_origin, out, all[index]);
    else
      cross_block<2, Full>(job, block, all[from], own_origin, out, all[index]);
  }
}

template <bool Full>
void cross_slab(const SweepJob& job, std::size_t index, std::vector<SlabScratch>& all) {
  if (index > 0) cross_share<Full>(job, index - 1, index, all);
  cross_share<Full>(job, index, index, all);
}

void sweep_any(const SweepJob& job, std::size_t slab, std::vector<SlabScratch>& all) {
  job.full ? sweep_slab<true>(job, slab, all) : sweep_slab<false>(job, slab, all);
}
void cross_any(const SweepJob& job, std::size_t slab, std::vector<SlabScratch>& all) {
  job.full ? cross_slab<true>(job, slab, all) : cross_slab<false>(job, slab, all);
}
std::size_t lanes() { return Lanes(W()); }
const char* instruction_set() { return hwy::TargetName(HWY_TARGET); }

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace vw {
namespace {

HWY_EXPORT(sweep_any);
HWY_EXPORT(cross_any);
HWY_EXPORT(strain_slab);
HWY_EXPORT(lanes);
HWY_EXPORT(instruction_set);

/// Treats denormal numbers (in float, magnitudes below 1e-38) as zero while an object of this class exists. The motion
/// of a body that comes to rest leads to denormal numbers, with which the computation would be ten times slower.
class FlushTiny {
 public:
#if defined(__SSE2__)
  FlushTiny() : before_(_mm_getcsr()) { _mm_setcsr(before_ | 0x8040U); }
  ~FlushTiny() { _mm_setcsr(before_); }
#else
  FlushTiny() = default;
#endif
  FlushTiny(const FlushTiny&) = delete;
  FlushTiny& operator=(const FlushTiny&) = delete;

 private:
  [[maybe_unused]] unsigned before_ = 0;
};

}  // namespace

std::size_t sweep_lanes() { return HWY_DYNAMIC_DISPATCH(lanes)(); }
const char* sweep_instruction_set() { return HWY_DYNAMIC_DISPATCH(instruction_set)(); }

void strain_pass(const SweepJob& job, std::size_t slab, std::vector<SlabScratch>& scratch) {
  const FlushTiny flush;
  HWY_DYNAMIC_DISPATCH(strain_slab)(job, slab, scratch);
}
void cross_pass(const SweepJob& job, std::size_t slab, std::vector<SlabScratch>& scratch) {
  const FlushTiny flush;
  HWY_DYNAMIC_DISPATCH(cross_any)(job, slab, scratch);
}
void sweep_pass(const SweepJob& job, std::size_t slab, std::vector<SlabScratch>& scratch) {
  const FlushTiny flush;
  HWY_DYNAMIC_DISPATCH(sweep_any)(job, slab, scratch);
}

}  // namespace vw
#endif
