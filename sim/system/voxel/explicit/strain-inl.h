// Axial strains of bonds, and sums of these strains over the bonds of each voxel, for the Poisson effect and for
// material laws. This pass runs before the sweep and computes in double. The file is included inside HWY_NAMESPACE once
// per target. It has no include guard, because foreach_target.h reads it again for every instruction set.

/// Returns the axial strain (r~x - L) / s of bonds along one axis, with the rest length L = `rest` and the voxel edge
/// s.
template <int Axis>
HWY_INLINE VD bond_strain(const SweepJob& job, const Reads<true>& a, const Reads<true>& b, VD rest) {
  const W d;
  const Four<VD> qa = load(a.orientation), qb = load(b.orientation);
  const Four<VD> mean{Add(qa.w, qb.w), Add(qa.x, qb.x), Add(qa.y, qb.y), Add(qa.z, qb.z)};
  const VD cosine = mul_add(qa.w, qb.w, mul_add(qa.x, qb.x, mul_add(qa.y, qb.y, Mul(qa.z, qb.z))));
  const VD f = Div(Set(d, 1.0), Add(Set(d, 1.0), Max(cosine, Set(d, most_bent))));
  const Three<VD> r = load(b.position) - load(a.position);
  return Mul(mul_add(f, dot(products<Axis>(mean), r), Sub(part<Axis>(r), rest)), Set(d, 1 / job.edge));
}

template <int Axis>
HWY_INLINE void store_strain(const SweepJob& job, std::size_t first, VD strain) {
  double* row = job.strain + static_cast<std::size_t>(Axis) * job.plan->voxels + first;
  if (first + Lanes(W()) <= job.plan->voxels) return StoreU(strain, W(), row);
  HWY_ALIGN double lanes[16];
  Store(strain, W(), lanes);
  std::copy_n(lanes, job.plan->voxels - first, row);
}

/// Returns the strains of a block's bonds along one axis, or 0 for lanes without a bond. The strains of bonds along y
/// and z are also added to the sums of those second voxels that lie in the same slab.
template <int Axis>
HWY_INLINE VD strain_along(const SweepJob& job, const SweepSlab& slab, std::size_t first, const Reads<true>& a,
                           SlabScratch& scratch) {
  const W d;
  const SweepPlan& plan = *job.plan;
  const std::size_t width = Lanes(d);
  const BlockBonds& bonds = plan.blocks[first / width].along[static_cast<std::size_t>(Axis)];
  if (bonds.lanes == 0) return Zero(d);
  // No thread moves a voxel during this pass, so second voxels in later slabs may be read.
  const bool row = in_a_row(job, bonds, first, plan.voxels);
  Gathered<true> rows;
  if (HWY_UNLIKELY(!row))
    for (std::size_t lane = 0; lane < width; ++lane)
      rows.take_shape(job, lane, partner_of(plan, bonds, first, lane, bonds.lanes));
  const Reads<true> b = row ? reads_at<true>(job, first + static_cast<std::size_t>(bonds.offset)) : rows.reads(job);
  VD strain = bond_strain<Axis>(job, a, b, rest_length<Axis, true>(job, b, first));
  if (bonds.lanes != (1U << width) - 1) strain = IfThenElseZero(mask_of(d, bonds.lanes), strain);
  if (HWY_UNLIKELY(job.strain != nullptr)) store_strain<Axis>(job, first, strain);
  if constexpr (Axis != 0) {
    const std::uint32_t inside = lanes_before(plan, bonds, first, slab.end);
    if (HWY_LIKELY(inside == bonds.lanes && bonds.offset != 0 &&
                   first + width + static_cast<std::size_t>(bonds.offset) <= slab.end + PaddedArray::padding)) {
      add_to(scratch.strain_sum.data() + (first - slab.begin) + bonds.offset, strain);
    } else if (inside != 0) {
      HWY_ALIGN double value[16];
      Store(strain, d, value);
      for (std::uint32_t left = inside; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(left));
        scratch.strain_sum[partner_of(plan, bonds, first, lane, inside) - slab.begin] += value[lane];
      }
    }
  }
  return strain;
}

/// Computes strains and volumetric tensions of the voxels [begin, end). On entry, `carry` holds the strain of the x
/// bond between the voxels begin - 1 and `begin`. On return, `carry` holds the corresponding strain for the next strip
/// (see shifted()).
HWY_NOINLINE void strain_strip(const SweepJob& job, const SweepSlab& slab, std::size_t begin, std::size_t end,
                               SlabScratch& scratch, VD& carry) {
  const W d;
  for (std::size_t first = begin; first < end; first += Lanes(d)) {
    const Reads<true> a = reads_at<true>(job, first);
    fetch_ahead(job, job.state->position, first);
    fetch_ahead(job, job.state->orientation, first);
    VD own = strain_along<1>(job, slab, first, a, scratch);
    own = Add(own, strain_along<2>(job, slab, first, a, scratch));
    const VD along_x = strain_along<0>(job, slab, first, a, scratch);
    own = Add(own, along_x);
    double* below = scratch.strain_sum.data() + (first - slab.begin);
    const VD sum = Add(Add(LoadU(d, below), shifted(along_x, carry)), own);
    StoreU(Zero(d), d, below);
    if (job.volume_stiffness == nullptr) continue;
    const VD tension = Mul(LoadU(d, job.volume_stiffness + first), sum);
    if (job.tension_full != nullptr) StoreU(tension, d, job.tension_full + first);
    if (job.tension != nullptr) StoreU(to_float(tension), A<false>(), job.tension + first);
  }
}

/// Adds the strains of bonds that lead from an earlier slab into this slab. The strains are recomputed, with bitwise
/// the same result as in the earlier slab.
template <int Axis>
HWY_NOINLINE void take_in_strains(const SweepJob& job, const CrossBlock& block, const SweepSlab& slab,
                                  SlabScratch& scratch) {
  const W d;
  const SweepPlan& plan = *job.plan;
  const std::size_t first = block.first;
  const BlockBonds& bonds = plan.blocks[first / Lanes(d)].along[static_cast<std::size_t>(Axis)];
  const Reads<true> a = reads_at<true>(job, first);
  Gathered<true> rows;
  const bool row = in_a_row(job, bonds, first, plan.voxels);
  if (HWY_UNLIKELY(!row))
    for (std::size_t lane = 0; lane < Lanes(d); ++lane)
      rows.take_shape(job, lane, partner_of(plan, bonds, first, lane, block.lanes));
  const Reads<true> b = row ? reads_at<true>(job, first + static_cast<std::size_t>(bonds.offset)) : rows.reads(job);
  const VD strain =
      IfThenElseZero(mask_of(d, block.lanes), bond_strain<Axis>(job, a, b, rest_length<Axis, true>(job, b, first)));
  HWY_ALIGN double value[16];
  Store(strain, d, value);
  add_across(
      plan, block, slab, slab.end - slab.begin, [&](std::size_t at) { add_to(scratch.strain_sum.data() + at, strain); },
      [&](std::size_t at, std::size_t lane) { scratch.strain_sum[at] += value[lane]; });
}

void take_in_strains(const SweepJob& job, const SweepSlab& slab, SlabScratch& scratch) {
  for (const auto& [from, position] : slab.in) {
    const CrossBlock& block = job.plan->slabs[from].out[position];
    if (block.axis == 0)
      take_in_strains<0>(job, block, slab, scratch);
    else if (block.axis == 1)
      take_in_strains<1>(job, block, slab, scratch);
    else
      take_in_strains<2>(job, block, slab, scratch);
  }
}

void strain_slab(const SweepJob& job, std::size_t index, std::vector<SlabScratch>& all) {
  const SweepSlab& slab = job.plan->slabs[index];
  SlabScratch& scratch = all[index];
  take_in_strains(job, slab, scratch);
  VD carry = Zero(W());
  strain_strip(job, slab, slab.begin, slab.end, scratch, carry);
}
