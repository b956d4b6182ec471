// The vector kernels. See sweep.h for the order of passes and the precision of each stage.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/system/voxel/sweep.cpp"
// Four are enough: scalar, 128, 256 and 512 bits.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "sim/system/voxel/sweep.h"

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#include "sim/system/voxel/wide-inl.h"  // doubles as wide as the floats

#include "sim/system/voxel/bond-inl.h"

/// Voxels that go through all axes together: their state and sums stay in the first cache.
constexpr std::size_t strip_voxels = 64;

template <bool Full>
HWY_INLINE const auto* bond_column(const SweepTables& tables, std::size_t row) {
  if constexpr (Full)
    return tables.bond_full[row].data();
  else
    return tables.bond[row].data();
}

/// Constants of the lanes' bonds: one row for all, or gathered by `rows`.
template <bool Full>
HWY_INLINE BondRow<VA<Full>> bond_row(const SweepTables& tables, bool mixed, std::int32_t row, const std::int32_t* rows) {
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

/// The voxel beyond a lane's bond; the lane's own where it has none.
HWY_INLINE std::size_t partner_of(const SweepPlan& plan, const BlockBonds& bonds, std::size_t first, std::size_t lane, std::uint32_t lanes) {
  const std::size_t self = std::min(first + lane, plan.voxels - 1);
  if ((lanes >> lane & 1) == 0) return self;
  if (bonds.offset != 0) return self + static_cast<std::size_t>(bonds.offset);
  return static_cast<std::size_t>(plan.lane_partner[static_cast<std::size_t>(bonds.partners) + lane]);
}

/// Whether a block's partners lie in a row before `limit`.
HWY_INLINE bool in_a_row(const BlockBonds& bonds, std::size_t first, std::size_t limit) {
  return bonds.offset != 0 && first + Lanes(W()) + static_cast<std::size_t>(bonds.offset) <= limit;
}

/// Lanes whose partner lies before `limit`.
HWY_INLINE std::uint32_t lanes_before(const SweepPlan& plan, const BlockBonds& bonds, std::size_t first, std::size_t limit) {
  std::uint32_t lanes = bonds.lanes;
  if (lanes == 0) return 0;
  if (bonds.offset != 0) {
    const std::size_t reach = first + static_cast<std::size_t>(bonds.offset);
    if (reach + plan.lanes <= limit) return lanes;
    return reach >= limit ? 0 : lanes & ((1U << (limit - reach)) - 1);
  }
  for (std::size_t lane = 0; lane < plan.lanes; ++lane)
    if (static_cast<std::size_t>(plan.lane_partner[static_cast<std::size_t>(bonds.partners) + lane]) >= limit) lanes &= ~(1U << lane);
  return lanes;
}

/// Asks for what the farthest partners' columns will hold soon: where a body is larger than the caches, the core foresees too few of so many streams.
template <std::size_t Columns>
HWY_INLINE void fetch_ahead(const SweepJob& job, const std::array<PaddedArray, Columns>& columns, std::size_t first) {
  const std::size_t at = first + job.plan->fetch_ahead;
  if (at == first || at >= job.plan->voxels) return;
  for (const PaddedArray& column : columns)
    for (std::size_t lane = 0; lane < Lanes(W()); lane += 8) __builtin_prefetch(column.data() + at + lane);
}

/// column[0, lanes) += v
HWY_INLINE void add_to(double* column, VD v) { StoreU(Add(LoadU(W(), column), v), W(), column); }

template <int Axis, bool Full>
HWY_INLINE VD rest_length(const SweepJob& job, const Reads<Full>& a, const Reads<Full>& b, std::size_t first) {
  VD rest = Set(W(), job.edge);
  if (job.half_edge != nullptr) rest = Add(LoadU(W(), a.half_edge), LoadU(W(), b.half_edge));
  if (job.slack == nullptr) return rest;
  return Add(rest, LoadU(W(), job.slack + static_cast<std::size_t>(Axis) * job.plan->voxels + first));
}

/// What bonds that enter a strip from its left give to its first voxel.
struct Carry {
  VD value[6];
};

struct Sums {
  Three<VD> force, moment;
};

/// The loads of a strip's bonds along one axis, between two short loops: a long one has more instructions than a core looks ahead.
template <bool Full>
struct StripLoads {
  HWY_ALIGN Real<Full> column[6][strip_voxels];
};

template <class V, class T>
HWY_INLINE Three<V> load_three(const T (*columns)[strip_voxels], std::size_t at) {
  const TagOf<V> d;
  return {LoadU(d, columns[0] + at), LoadU(d, columns[1] + at), LoadU(d, columns[2] + at)};
}
template <class V, class T>
HWY_INLINE void store_three(const Three<V>& v, T (*columns)[strip_voxels], std::size_t at) {
  const TagOf<V> d;
  StoreU(v.x, d, columns[0] + at);
  StoreU(v.y, d, columns[1] + at);
  StoreU(v.z, d, columns[2] + at);
}

template <int Axis, bool Full>
HWY_NOINLINE void load_strip(const SweepJob& job, const SweepSlab& slab, std::size_t begin, std::size_t end, SlabScratch& scratch,
                             StripLoads<Full>& loads) {
  const SweepPlan& plan = *job.plan;
  const std::size_t width = Lanes(W());
  for (std::size_t first = begin; first < end; first += width) {
    const BlockBonds& bonds = plan.blocks[first / width].along[static_cast<std::size_t>(Axis)];
    const std::uint32_t lanes = lanes_before(plan, bonds, first, slab.end);
    if (lanes == 0) continue;
    const Reads<Full> a = reads_at<Full>(job, first);
    if constexpr (Axis == 1) {
      fetch_ahead(job, job.state->position, first);
      fetch_ahead(job, job.state->orientation, first);
      fetch_ahead(job, job.state->velocity, first);
    }
    Gathered<Full> rows;
    const bool row = in_a_row(bonds, first, slab.end);
    if (HWY_UNLIKELY(!row))
      for (std::size_t lane = 0; lane < width; ++lane) rows.take(job, lane, partner_of(plan, bonds, first, lane, lanes));
    const Reads<Full> b = row ? reads_at<Full>(job, first + static_cast<std::size_t>(bonds.offset)) : rows.reads(job);
    const auto k =
        bond_row<Full>(*job.tables, bonds.mixed != 0, bonds.constants, plan.lane_constants.data() + (bonds.mixed != 0 ? bonds.constants : 0));
    std::uint32_t overbent = 0;
    const auto load = bond_loads<Axis, Full>(job, a, b, k, rest_length<Axis, Full>(job, a, b, first), lanes, &overbent);
    store_three(load.force, loads.column, first - begin);
    store_three(load.turn, loads.column + 3, first - begin);
    for (; HWY_UNLIKELY(overbent != 0); overbent &= overbent - 1)
      scratch.overbent.push_back(
          static_cast<std::uint32_t>(static_cast<std::size_t>(Axis) * plan.voxels + first + static_cast<std::size_t>(std::countr_zero(overbent))));
  }
}

/// Columns of the loads that wait for the second voxels of bonds along one axis.
template <int Axis, bool Full>
HWY_INLINE std::array<Real<Full>*, 3> waiting_forces(SlabScratch& scratch) {
  if constexpr (Full)
    return {scratch.force_full[Axis][0].data(), scratch.force_full[Axis][1].data(), scratch.force_full[Axis][2].data()};
  else
    return {scratch.force[Axis][0].data(), scratch.force[Axis][1].data(), scratch.force[Axis][2].data()};
}

/// Keeps what a block's bonds do to their second voxels. Row 0 is kept again behind the last, so that a vector may read across the seam.
template <int Axis, bool Full>
HWY_INLINE void keep(SlabScratch& scratch, std::size_t window, std::size_t row, const Three<VA<Full>>& force, const Three<VD>& moment) {
  const auto columns = waiting_forces<Axis, Full>(scratch);
  const A<Full> d;
  const auto put = [&](std::size_t at) {
    StoreU(force.x, d, columns[0] + at);
    StoreU(force.y, d, columns[1] + at);
    StoreU(force.z, d, columns[2] + at);
    StoreU(moment.x, W(), scratch.moment[Axis][0].data() + at);
    StoreU(moment.y, W(), scratch.moment[Axis][1].data() + at);
    StoreU(moment.z, W(), scratch.moment[Axis][2].data() + at);
  };
  put(row);
  // The window is a multiple of 16 rows; narrower vectors fill the copy block by block.
  if (HWY_UNLIKELY(row < PaddedArray::padding)) put(window + row);
}

/// What bonds along one axis do to a block's voxels as their second ones: the lanes that lie in this slab.
template <int Axis, bool Full>
HWY_INLINE void collect(const SweepPlan& plan, const SweepSlab& slab, std::size_t first, SlabScratch& scratch, Sums& sums) {
  const W d;
  const BlockBelow& below = plan.blocks[first / Lanes(d)].below[static_cast<std::size_t>(Axis)];
  std::uint32_t lanes = below.lanes;
  if (lanes == 0) return;
  const std::size_t window = plan.window[static_cast<std::size_t>(Axis)];
  const auto columns = waiting_forces<Axis, Full>(scratch);
  const auto offset = static_cast<std::size_t>(below.offset);
  Three<VA<Full>> force;
  Three<VD> moment;
  if (below.offset != 0 && first >= slab.begin + offset) {
    const std::size_t row = (first - slab.begin - offset) % window;
    const A<Full> df;
    force = {LoadU(df, columns[0] + row), LoadU(df, columns[1] + row), LoadU(df, columns[2] + row)};
    moment = {LoadU(d, scratch.moment[Axis][0].data() + row), LoadU(d, scratch.moment[Axis][1].data() + row),
              LoadU(d, scratch.moment[Axis][2].data() + row)};
  } else {
    HWY_ALIGN Real<Full> forces[3][16];
    HWY_ALIGN double moments[3][16];
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(left));
      const std::size_t partner =
          below.offset != 0 ? first + lane - offset : static_cast<std::size_t>(plan.lane_partner[static_cast<std::size_t>(below.partners) + lane]);
      if (partner < slab.begin || first + lane < offset) {
        lanes &= ~(1U << lane);
        continue;
      }
      const std::size_t row = (partner - slab.begin) % window;
      for (std::size_t k = 0; k < 3; ++k) {
        forces[k][lane] = columns[k][row];
        moments[k][lane] = scratch.moment[Axis][k][row];
      }
    }
    if (lanes == 0) return;
    force = {LoadU(A<Full>(), forces[0]), LoadU(A<Full>(), forces[1]), LoadU(A<Full>(), forces[2])};
    moment = {Load(d, moments[0]), Load(d, moments[1]), Load(d, moments[2])};
  }
  Three<VD> wide = widen<Full>(force);
  if (lanes != (1U << Lanes(d)) - 1) {
    const auto there = mask_of(d, lanes);
    wide = {IfThenElseZero(there, wide.x), IfThenElseZero(there, wide.y), IfThenElseZero(there, wide.z)};
    moment = {IfThenElseZero(there, moment.x), IfThenElseZero(there, moment.y), IfThenElseZero(there, moment.z)};
  }
  sums.force = sums.force - wide;
  sums.moment = sums.moment + moment;
}

/// Couples of one block's bonds along one axis: kept for their second voxels, added to `own` of their first ones.
template <int Axis, bool Full>
HWY_INLINE void finish_axis(const SweepJob& job, const SweepSlab& slab, std::size_t first, std::size_t at, const Reads<Full>& a, SlabScratch& scratch,
                            const StripLoads<Full>& loads, Sums& own, Sums& from_left, Carry& carry) {
  using V = VA<Full>;
  const W d;
  const SweepPlan& plan = *job.plan;
  const BlockBonds& bonds = plan.blocks[first / Lanes(d)].along[static_cast<std::size_t>(Axis)];
  const std::uint32_t lanes = lanes_before(plan, bonds, first, slab.end);
  if (lanes == 0) {
    if constexpr (Axis == 0) {  // the lane that the block before carries over still comes in
      const VD zero = Zero(d);
      from_left.force = {shifted(zero, carry.value[0]), shifted(zero, carry.value[1]), shifted(zero, carry.value[2])};
      from_left.moment = {shifted(zero, carry.value[3]), shifted(zero, carry.value[4]), shifted(zero, carry.value[5])};
    }
    return;
  }
  Gathered<Full> rows;
  const bool row = in_a_row(bonds, first, slab.end);
  if (HWY_UNLIKELY(!row))
    for (std::size_t lane = 0; lane < Lanes(d); ++lane) rows.take_position(job, lane, partner_of(plan, bonds, first, lane, lanes));
  const Reads<Full> b = row ? reads_at<Full>(job, first + static_cast<std::size_t>(bonds.offset)) : rows.reads(job);
  const BondPush<Full> push = push_of<Full>(a, b, {load_three<V>(loads.column, at), load_three<V>(loads.column + 3, at)}, lanes);
  own.force = own.force + push.force;
  own.moment = own.moment + push.moment_a;
  if constexpr (Axis == 0) {
    from_left.force = {shifted(push.force.x, carry.value[0]), shifted(push.force.y, carry.value[1]), shifted(push.force.z, carry.value[2])};
    from_left.moment = {shifted(push.moment_b.x, carry.value[3]), shifted(push.moment_b.y, carry.value[4]), shifted(push.moment_b.z, carry.value[5])};
  } else {
    const std::size_t window = plan.window[static_cast<std::size_t>(Axis)];
    keep<Axis, Full>(scratch, window, (first - slab.begin) % window, push.narrow_force, push.moment_b);
  }
}

/// Value of a voxel class for each lane.
HWY_INLINE VD class_value(const SweepJob& job, const SweepBlock& block, std::size_t first, const std::vector<double>& table) {
  const W d;
  if (block.voxel_class >= 0) return Set(d, table[static_cast<std::size_t>(block.voxel_class)]);
  HWY_ALIGN double row[16];
  for (std::size_t lane = 0; lane < Lanes(d); ++lane)
    row[lane] = table[static_cast<std::size_t>(job.class_of[std::min(first + lane, job.plan->voxels - 1)])];
  return Load(d, row);
}

#include "sim/system/voxel/contact-inl.h"

struct Turn {
  VD cosine, sinc;
};
/// cos and sin(x)/x of half the angle by which w turns in dt; x_squared its square. Series exact to 1e-17 below 0.2 rad a substep.
HWY_INLINE Turn half_turn(VD x_squared) {
  const W d;
  const auto set = [&](double c) { return Set(d, c); };
  Turn out;
  out.cosine = NegMulAdd(
      x_squared, NegMulAdd(x_squared, NegMulAdd(x_squared, NegMulAdd(x_squared, set(-1.0 / 40320), set(1.0 / 720)), set(1.0 / 24)), set(1.0 / 2)),
      set(1.0));
  out.sinc = NegMulAdd(
      x_squared, NegMulAdd(x_squared, NegMulAdd(x_squared, NegMulAdd(x_squared, set(-1.0 / 362880), set(1.0 / 5040)), set(1.0 / 120)), set(1.0 / 6)),
      set(1.0));
  if (HWY_UNLIKELY(!AllTrue(d, Lt(x_squared, set(0.01))))) {
    HWY_ALIGN double x[16], cosine[16], sinc[16];
    Store(x_squared, d, x);
    for (std::size_t lane = 0; lane < Lanes(d); ++lane) {
      const double half = std::sqrt(x[lane]);
      cosine[lane] = std::cos(half);
      sinc[lane] = half > 0 ? std::sin(half) / half : 1;
    }
    const auto large = Not(Lt(x_squared, set(0.01)));
    out.cosine = IfThenElse(large, Load(d, cosine), out.cosine);
    out.sinc = IfThenElse(large, Load(d, sinc), out.sinc);
  }
  return out;
}

/// Symplectic Euler: kick with the loads at the old positions, drift with the new velocities.
HWY_INLINE void advance_block(const SweepJob& job, const SweepBlock& block, std::size_t first, Three<VD> force, Three<VD> moment, VD& fastest) {
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
    const VD half_edge = job.half_edge != nullptr ? LoadU(d, job.half_edge + first) : Set(d, 0.5 * job.edge);
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
  const Three<VD> qv{Load(d, s.orientation[1].data() + first), Load(d, s.orientation[2].data() + first), Load(d, s.orientation[3].data() + first)};
  const VD p0 = MulSub(turn.cosine, q0, dot(u, qv));
  const Three<VD> pv = add_scaled(add_scaled(cross(u, qv), q0, u), turn.cosine, qv);
  // One Newton step towards unit length: the product of two unit quaternions is off by rounding only.
  const VD scale = NegMulAdd(Set(d, 0.5), MulAdd(p0, p0, dot(pv, pv)), Set(d, 1.5));
  Store(Mul(scale, p0), d, s.orientation[0].data() + first);
  Store(Mul(scale, pv.x), d, s.orientation[1].data() + first);
  Store(Mul(scale, pv.y), d, s.orientation[2].data() + first);
  Store(Mul(scale, pv.z), d, s.orientation[3].data() + first);
  if (job.hooked != nullptr && job.hooked[first / width] != 0) job.hook.after_drift(job.hook.object, first, job.hooked[first / width]);
}

/// What came in from earlier slabs; zeros for the next substep.
HWY_NOINLINE Sums incoming_of(SlabScratch& scratch, std::size_t row) {
  const W d;
  VD value[6];
  for (std::size_t k = 0; k < 6; ++k) {
    double* column = scratch.incoming[k].data() + row;
    value[k] = LoadU(d, column);
    StoreU(Zero(d), d, column);
  }
  return {{value[0], value[1], value[2]}, {value[3], value[4], value[5]}};
}

/// Finishes a strip's bonds. A block's sums are complete with its own bonds, so it moves at once.
template <bool Full>
HWY_NOINLINE void finish_strip(const SweepJob& job, const SweepSlab& slab, std::size_t begin, std::size_t end, SlabScratch& scratch,
                               const std::array<StripLoads<Full>, 3>& loads, std::size_t own_origin, Carry& carry, VD& fastest) {
  const W d;
  const std::size_t width = Lanes(d);
  for (std::size_t first = begin; first < end; first += width) {
    const VD zero = Zero(d);
    Sums own{{zero, zero, zero}, {zero, zero, zero}}, from_left{{zero, zero, zero}, {zero, zero, zero}};
    if (HWY_UNLIKELY(first >= own_origin)) {
      const std::size_t at = first - own_origin;
      own.force = {LoadU(d, scratch.own[0].data() + at), LoadU(d, scratch.own[1].data() + at), LoadU(d, scratch.own[2].data() + at)};
      own.moment = {LoadU(d, scratch.own[3].data() + at), LoadU(d, scratch.own[4].data() + at), LoadU(d, scratch.own[5].data() + at)};
    }
    const Reads<Full> a = reads_at<Full>(job, first);
    finish_axis<1, Full>(job, slab, first, first - begin, a, scratch, loads[1], own, from_left, carry);
    finish_axis<2, Full>(job, slab, first, first - begin, a, scratch, loads[2], own, from_left, carry);
    finish_axis<0, Full>(job, slab, first, first - begin, a, scratch, loads[0], own, from_left, carry);
    Sums below{{zero, zero, zero}, {zero, zero, zero}};
    if (HWY_UNLIKELY(first - slab.begin < scratch.incoming[0].size())) below = incoming_of(scratch, first - slab.begin);
    collect<1, Full>(*job.plan, slab, first, scratch, below);
    collect<2, Full>(*job.plan, slab, first, scratch, below);
    const Three<VD> force = (below.force - from_left.force) + own.force;
    const Three<VD> moment = (below.moment + from_left.moment) + own.moment;
    advance_block(job, job.plan->blocks[first / width], first, force, moment, fastest);
  }
}

/// Calls add(row, lane) for the second voxels of a cross block in their slab, or add(row) once where they lie in a row of `rows`.
template <class AddRow, class AddLane>
HWY_INLINE void add_across(const SweepPlan& plan, const CrossBlock& block, const SweepSlab& slab, std::size_t rows, const AddRow& add_row,
                           const AddLane& add_lane) {
  const BlockBonds& bonds = plan.blocks[block.first / plan.lanes].along[block.axis];
  const std::size_t begin = block.first + static_cast<std::size_t>(bonds.offset);
  if (HWY_LIKELY(bonds.offset != 0 && begin >= slab.begin && begin + plan.lanes <= slab.begin + rows)) return add_row(begin - slab.begin);
  for (std::uint32_t left = block.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    add_lane(partner_of(plan, bonds, block.first, lane, block.lanes) - slab.begin, lane);
  }
}

/// Adds what bonds from earlier slabs give to this one, in the order of sums.
void take_in(const SweepSlab& slab, const SweepPlan& plan, std::vector<SlabScratch>& all, SlabScratch& scratch) {
  const W d;
  const std::size_t width = Lanes(d);
  for (const auto& [from, position] : slab.in) {
    const double* load = all[from].cross.data() + 6 * width * position;
    const auto add_row = [&](std::size_t row) {
      for (std::size_t k = 0; k < 6; ++k) {
        double* sum = scratch.incoming[k].data() + row;
        const VD value = LoadU(d, load + k * width);
        StoreU(k < 3 ? Sub(LoadU(d, sum), value) : Add(LoadU(d, sum), value), d, sum);
      }
    };
    const auto add_lane = [&](std::size_t row, std::size_t lane) {
      for (std::size_t k = 0; k < 3; ++k) {
        scratch.incoming[k][row] -= load[k * width + lane];
        scratch.incoming[3 + k][row] += load[(3 + k) * width + lane];
      }
    };
    add_across(plan, plan.slabs[from].out[position], slab, scratch.incoming[0].size(), add_row, add_lane);
  }
}

#include "sim/system/voxel/strain-inl.h"

template <bool Full>
void sweep_slab(const SweepJob& job, std::size_t index, std::vector<SlabScratch>& all) {
  const W d;
  const SweepPlan& plan = *job.plan;
  const SweepSlab& slab = plan.slabs[index];
  SlabScratch& scratch = all[index];
  take_in(slab, plan, all, scratch);
  const std::size_t width = Lanes(d), own_origin = !slab.out.empty() ? slab.first_out / width * width : slab.end;
  std::array<StripLoads<Full>, 3> loads;
  Carry carry;
  for (VD& value : carry.value) value = Zero(d);
  VD fastest = Zero(d);
  for (std::size_t begin = slab.begin; begin < slab.end; begin += strip_voxels) {
    const std::size_t end = std::min(slab.end, begin + strip_voxels);
    load_strip<1, Full>(job, slab, begin, end, scratch, loads[1]);
    load_strip<2, Full>(job, slab, begin, end, scratch, loads[2]);
    load_strip<0, Full>(job, slab, begin, end, scratch, loads[0]);
    finish_strip<Full>(job, slab, begin, end, scratch, loads, own_origin, carry, fastest);
  }
  scratch.fastest_squared = largest(fastest);
}

template <int Axis, bool Full>
void cross_block(const SweepJob& job, const CrossBlock& block, SlabScratch& scratch, std::size_t own_origin, double* out) {
  const W d;
  const SweepPlan& plan = *job.plan;
  const std::size_t width = Lanes(d), first = block.first;
  const BlockBonds& bonds = plan.blocks[first / width].along[static_cast<std::size_t>(Axis)];
  const Reads<Full> a = reads_at<Full>(job, first);
  Gathered<Full> rows;
  const bool row = in_a_row(bonds, first, plan.voxels);
  if (HWY_UNLIKELY(!row))
    for (std::size_t lane = 0; lane < width; ++lane) rows.take(job, lane, partner_of(plan, bonds, first, lane, block.lanes));
  const Reads<Full> b = row ? reads_at<Full>(job, first + static_cast<std::size_t>(bonds.offset)) : rows.reads(job);
  const auto k =
      bond_row<Full>(*job.tables, bonds.mixed != 0, bonds.constants, plan.lane_constants.data() + (bonds.mixed != 0 ? bonds.constants : 0));
  std::uint32_t overbent = 0;
  const VD rest = rest_length<Axis, Full>(job, a, b, first);
  const BondPush<Full> push = push_of<Full>(a, b, bond_loads<Axis, Full>(job, a, b, k, rest, block.lanes, &overbent), block.lanes);
  for (; overbent != 0; overbent &= overbent - 1)
    scratch.overbent.push_back(
        static_cast<std::uint32_t>(static_cast<std::size_t>(Axis) * plan.voxels + first + static_cast<std::size_t>(std::countr_zero(overbent))));
  const std::array<VD, 6> on_a{push.force.x, push.force.y, push.force.z, push.moment_a.x, push.moment_a.y, push.moment_a.z};
  const std::array<VD, 6> across{push.force.x, push.force.y, push.force.z, push.moment_b.x, push.moment_b.y, push.moment_b.z};
  for (std::size_t i = 0; i < 6; ++i) {
    add_to(scratch.own[i].data() + (first - own_origin), on_a[i]);
    StoreU(across[i], d, out + i * width);
  }
}

template <bool Full>
void cross_slab(const SweepJob& job, std::size_t index, std::vector<SlabScratch>& all) {
  const SweepSlab& slab = job.plan->slabs[index];
  SlabScratch& scratch = all[index];
  if (slab.out.empty()) return;
  const std::size_t width = Lanes(W()), own_origin = slab.first_out / width * width;
  for (PaddedArray& column : scratch.own) std::fill_n(column.data(), column.size(), 0.0);
  for (std::size_t i = 0; i < slab.out.size(); ++i) {
    const CrossBlock& block = slab.out[i];
    double* out = scratch.cross.data() + 6 * width * i;
    if (block.axis == 0)
      cross_block<0, Full>(job, block, scratch, own_origin, out);
    else if (block.axis == 1)
      cross_block<1, Full>(job, block, scratch, own_origin, out);
    else
      cross_block<2, Full>(job, block, scratch, own_origin, out);
  }
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

/// Numbers below 1e-38 become zero in here: a body that comes to rest would otherwise run ten times slower.
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
