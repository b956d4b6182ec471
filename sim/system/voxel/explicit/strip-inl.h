// Computes the bond loads of a strip of voxels, one axis after another, and stores the loads until they are added to
// the second voxels of the bonds. Input: state, plan, constants. Output: sums of forces and moments for finish_strip
// (sweep.cpp). The file is included inside HWY_NAMESPACE once per target. It has no include guard, because
// foreach_target.h reads it again for every instruction set.

template <bool Full>
struct Sums {
  Three<VD> force;
  Three<VA<Full>> moment;
};

/// Bond loads of a strip, written by load_strip() and read by finish_strip(). The two loops are separate, because a
/// single loop would exceed the out-of-order window of a processor core.
template <bool Full>
struct StripLoads {
  static constexpr std::size_t front = 16;
  HWY_ALIGN Real<Full> moment_a[3][3][strip_voxels];
  /// Force and moment_b of the bonds along x, one entry per first voxel. The last entry of the previous strip precedes
  /// these entries. Therefore the load on the second voxel at index i of the strip is at index i - 1.
  HWY_ALIGN Real<Full> along_x[6][front + strip_voxels];
};

template <class V, class T>
HWY_INLINE Three<V> load_three(const std::array<T*, 6>& columns, std::size_t first, std::size_t at) {
  const TagOf<V> d;
  return {LoadU(d, columns[first] + at), LoadU(d, columns[first + 1] + at), LoadU(d, columns[first + 2] + at)};
}
template <class V, class T>
HWY_INLINE void store_three(const Three<V>& v, const std::array<T*, 6>& columns, std::size_t first, std::size_t at) {
  const TagOf<V> d;
  StoreU(v.x, d, columns[first] + at);
  StoreU(v.y, d, columns[first + 1] + at);
  StoreU(v.z, d, columns[first + 2] + at);
}

/// Returns the start of the first whole cache line in a column. Aligned access is faster, because a vector that crosses
/// cache lines costs two accesses. The column is allocated with one extra cache line.
HWY_INLINE float* line_begin(std::vector<float>& column) {
  constexpr std::size_t line = 64;
  const auto address = reinterpret_cast<std::uintptr_t>(column.data());
  return column.data() + (line - address % line) % line / sizeof(float);
}

/// Access to the ring buffer that stores force and moment_b of the bonds along one axis until they are added to the
/// loads of the bonds' second voxels. `begin` is the row of the strip's first voxel in this buffer. For the x axis, the
/// buffer is StripLoads::along_x.
template <int Axis, bool Full>
struct Waiting {
  std::array<Real<Full>*, 6> column;
  std::size_t begin, window;

  Waiting(const SweepPlan& plan, const SweepSlab& slab, std::size_t strip, SlabScratch& scratch,
          StripLoads<Full>& loads) {
    constexpr auto axis = static_cast<std::size_t>(Axis);
    for (std::size_t k = 0; k < 6; ++k) {
      if constexpr (Axis == 0)
        column[k] = loads.along_x[k] + StripLoads<Full>::front;
      else if constexpr (Full)
        column[k] = scratch.waiting_full[axis][k].data();
      else
        column[k] = line_begin(scratch.waiting[axis][k]);
    }
    window = plan.window[axis];
    begin = Axis == 0 ? 0 : (strip - slab.begin) % window;
  }
  [[nodiscard]] std::size_t row(std::size_t at) const {
    const std::size_t row = begin + at;
    return Axis != 0 && row >= window ? row - window : row;
  }
  /// Returns the row of the voxel that precedes voxel `at` of the strip by `offset`, which must be at most `window`.
  [[nodiscard]] std::size_t row_before(std::size_t at, std::size_t offset) const {
    const std::size_t here = row(at);
    return here >= offset ? here - offset : here + window - offset;
  }
};

template <int Axis, bool Full>
HWY_NOINLINE void load_strip(const SweepJob& job, const SweepSlab& slab, std::size_t begin, std::size_t end,
                             SlabScratch& scratch, StripLoads<Full>& loads) {
  using V = VA<Full>;
  const SweepPlan& plan = *job.plan;
  const std::size_t width = Lanes(W());
  const Waiting<Axis, Full> waiting(plan, slab, begin, scratch, loads);
  for (std::size_t first = begin; first < end; first += width) {
    const BlockBonds& bonds = plan.blocks[first / width].along[static_cast<std::size_t>(Axis)];
    const std::uint32_t lanes = lanes_before(plan, bonds, first, slab.end);
    const std::size_t row = waiting.row(first - begin);
    if (lanes == 0) {
      if constexpr (Axis == 0) {
        const V zero = Zero(A<Full>());
        for (Real<Full>* column : waiting.column) StoreU(zero, A<Full>(), column + row);
      }
      continue;
    }
    const Reads<Full> a = reads_at<Full>(job, first);
    if constexpr (Axis == 1) {
      fetch_ahead(job, job.state->position, first);
      fetch_ahead(job, job.state->orientation, first);
      fetch_ahead(job, job.state->velocity, first);
    }
    Gathered<Full> rows;
    const bool in_row = in_a_row(job, bonds, first, slab.end);
    if (HWY_UNLIKELY(!in_row)) {
      if (bonds.offset != 0)
        rows.take_row(job, first + static_cast<std::size_t>(bonds.offset), slab.end);
      else
        for (std::size_t lane = 0; lane < width; ++lane)
          rows.take(job, lane, partner_of(plan, bonds, first, lane, lanes));
    }
    const Reads<Full> b =
        in_row ? reads_at<Full>(job, first + static_cast<std::size_t>(bonds.offset)) : rows.reads(job);
    const auto k = bond_row<Full>(*job.tables, bonds.mixed != 0, bonds.constants,
                                  plan.lane_constants.data() + (bonds.mixed != 0 ? bonds.constants : 0));
    std::uint32_t overbent = 0;
    const auto load = bond_loads<Axis, Full>(job, a, b, k, rest_length<Axis, Full>(job, b, first), lanes, &overbent);
    auto& moment_a = loads.moment_a[Axis];
    StoreU(load.moment_a.x, A<Full>(), moment_a[0] + (first - begin));
    StoreU(load.moment_a.y, A<Full>(), moment_a[1] + (first - begin));
    StoreU(load.moment_a.z, A<Full>(), moment_a[2] + (first - begin));
    store_three(load.force, waiting.column, 0, row);
    store_three(load.moment_b, waiting.column, 3, row);
    // The first 16 rows of the ring buffer are repeated behind the last row, so that a vector can read across the end
    // of the buffer. The window is a multiple of 16 rows. If a vector has fewer than 16 lanes, several blocks fill the
    // repeated rows.
    if (Axis != 0 && HWY_UNLIKELY(row < PaddedArray::padding)) {
      store_three(load.force, waiting.column, 0, waiting.window + row);
      store_three(load.moment_b, waiting.column, 3, waiting.window + row);
    }
    for (; HWY_UNLIKELY(overbent != 0); overbent &= overbent - 1)
      scratch.overbent.push_back(static_cast<std::uint32_t>(static_cast<std::size_t>(Axis) * plan.voxels + first +
                                                            static_cast<std::size_t>(std::countr_zero(overbent))));
  }
}

/// Adds the loads of the bonds along one axis whose second voxels are the voxels of a block. Bonds whose first voxel
/// lies in another slab are skipped.
template <int Axis, bool Full>
HWY_INLINE void collect(const SweepPlan& plan, const SweepSlab& slab, std::size_t first, std::size_t at,
                        const Waiting<Axis, Full>& waiting, Sums<Full>& sums) {
  using V = VA<Full>;
  const BlockBelow& below = plan.blocks[first / Lanes(W())].below[static_cast<std::size_t>(Axis)];
  std::uint32_t lanes = below.lanes;
  if (lanes == 0) return;
  const auto offset = static_cast<std::size_t>(below.offset);
  if (offset != 0 && first + Lanes(W()) <= slab.begin + offset) return;  // all first voxels lie before this slab
  Three<V> force, moment;
  if (below.offset != 0 && first >= slab.begin + offset) {
    const std::size_t row = waiting.row_before(at, offset);
    force = load_three<V>(waiting.column, 0, row);
    moment = load_three<V>(waiting.column, 3, row);
  } else {
    HWY_ALIGN Real<Full> values[6][16] = {};
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(left));
      const std::size_t partner =
          below.offset != 0
              ? first + lane - offset
              : static_cast<std::size_t>(plan.lane_partner[static_cast<std::size_t>(below.partners) + lane]);
      if (partner < slab.begin || first + lane < offset) {
        lanes &= ~(1U << lane);
        continue;
      }
      const std::size_t row = (partner - slab.begin) % waiting.window;
      for (std::size_t k = 0; k < 6; ++k) values[k][lane] = waiting.column[k][row];
    }
    if (lanes == 0) return;
    const std::array<const Real<Full>*, 6> columns{values[0], values[1], values[2], values[3], values[4], values[5]};
    force = load_three<V>(columns, 0, 0);
    moment = load_three<V>(columns, 3, 0);
  }
  if (lanes != (1U << Lanes(W())) - 1) {
    const auto there = mask_of(A<Full>(), lanes);
    force = only(there, force);
    moment = only(there, moment);
  }
  sums.force = sums.force - widen<Full>(force);
  sums.moment = sums.moment + moment;
}

/// Adds the loads of the bonds along one axis whose first voxels are the voxels of a block.
template <int Axis, bool Full>
HWY_INLINE void add_own(const SweepPlan& plan, const SweepSlab& slab, std::size_t first, std::size_t at,
                        const Waiting<Axis, Full>& waiting, const StripLoads<Full>& loads, Sums<Full>& own) {
  using V = VA<Full>;
  if (lanes_before(plan, plan.blocks[first / Lanes(W())].along[static_cast<std::size_t>(Axis)], first, slab.end) == 0)
    return;
  own.force = own.force + widen<Full>(load_three<V>(waiting.column, 0, waiting.row(at)));
  const A<Full> d;
  const auto& moment = loads.moment_a[Axis];
  own.moment = own.moment + Three<V>{LoadU(d, moment[0] + at), LoadU(d, moment[1] + at), LoadU(d, moment[2] + at)};
}
