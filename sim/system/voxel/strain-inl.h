// Axial strains of bonds and their sums over voxels, for the Poisson effect and for materials that yield: the pass before the sweep, all in double.
// Included inside HWY_NAMESPACE, once a target; no include guard, because foreach_target.h reads it again for every instruction set.

/// Axial strain (r~x - L) / s of bonds along one axis.
template <int Axis>
HWY_INLINE VD bond_strain(const SweepJob& job, const Reads<true>& a, const Reads<true>& b, VD rest) {
  const W d;
  const Four<VD> qa = load(a.orientation), qb = load(b.orientation);
  const Four<VD> mean{Add(qa.w, qb.w), Add(qa.x, qb.x), Add(qa.y, qb.y), Add(qa.z, qb.z)};
  const VD cosine = MulAdd(qa.w, qb.w, MulAdd(qa.x, qb.x, MulAdd(qa.y, qb.y, Mul(qa.z, qb.z))));
  const VD f = Div(Set(d, 1.0), Add(Set(d, 1.0), Max(cosine, Set(d, most_bent))));
  const Three<VD> r = load(b.position) - load(a.position);
  return Mul(MulAdd(f, dot(products<Axis>(mean), r), Sub(part<Axis>(r), rest)), Set(d, 1 / job.edge));
}

template <int Axis>
HWY_INLINE void store_strain(const SweepJob& job, std::size_t first, VD strain) {
  double* row = job.strain + static_cast<std::size_t>(Axis) * job.plan->voxels + first;
  if (first + Lanes(W()) <= job.plan->voxels) return StoreU(strain, W(), row);
  HWY_ALIGN double lanes[16];
  Store(strain, W(), lanes);
  std::copy_n(lanes, job.plan->voxels - first, row);
}

/// Strain of a block's bonds along one axis, 0 where there is none; added to the sums of their second voxels along y and z.
template <int Axis>
HWY_INLINE VD strain_along(const SweepJob& job, const SweepSlab& slab, std::size_t first, const Reads<true>& a, SlabScratch& scratch) {
  const W d;
  const SweepPlan& plan = *job.plan;
  const std::size_t width = Lanes(d);
  const BlockBonds& bonds = plan.blocks[first / width].along[static_cast<std::size_t>(Axis)];
  if (bonds.lanes == 0) return Zero(d);
  // Nobody moves ahead of this pass: partners of later slabs may be read, so the whole lattice is the limit.
  const bool row = in_a_row(bonds, first, plan.voxels);
  Gathered<true> rows;
  if (HWY_UNLIKELY(!row))
    for (std::size_t lane = 0; lane < width; ++lane) rows.take_shape(job, lane, partner_of(plan, bonds, first, lane, bonds.lanes));
  const Reads<true> b = row ? reads_at<true>(job, first + static_cast<std::size_t>(bonds.offset)) : rows.reads(job);
  VD strain = bond_strain<Axis>(job, a, b, rest_length<Axis, true>(job, a, b, first));
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

/// The strains of [begin, end) and what they pull with. `carry`: of the x bond that leads into `begin`.
HWY_NOINLINE void strain_strip(const SweepJob& job, const SweepSlab& slab, std::size_t begin, std::size_t end, SlabScratch& scratch, VD& carry) {
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

/// Strain of a bond that comes in from an earlier slab: the same bits as there.
template <int Axis>
double incoming_strain(const SweepJob& job, const CrossBond& bond) {
  Gathered<true> rows_a, rows_b;
  for (std::size_t lane = 0; lane < Lanes(W()); ++lane) {
    rows_a.take_shape(job, lane, bond.a);
    rows_b.take_shape(job, lane, bond.b);
  }
  const Reads<true> a = rows_a.reads(job), b = rows_b.reads(job);
  VD rest = Set(W(), job.edge);
  if (job.half_edge != nullptr) rest = Add(LoadU(W(), a.half_edge), LoadU(W(), b.half_edge));
  if (job.slack != nullptr) rest = Add(rest, Set(W(), job.slack[bond.slot]));
  return first_lane(bond_strain<Axis>(job, a, b, rest));
}

void take_in_strains(const SweepJob& job, const SweepSlab& slab, SlabScratch& scratch) {
  for (const auto& [from, position] : slab.in) {
    const auto& out = job.plan->slabs[from].out;
    std::size_t i = position;
    double strain = 0;
    std::size_t b = 0;
    if (i < out[1].size()) {
      strain = incoming_strain<1>(job, out[1][i]), b = out[1][i].b;
    } else if (i -= out[1].size(); i < out[2].size()) {
      strain = incoming_strain<2>(job, out[2][i]), b = out[2][i].b;
    } else {
      i -= out[2].size();
      strain = incoming_strain<0>(job, out[0][i]), b = out[0][i].b;
    }
    scratch.strain_sum[b - slab.begin] += strain;
  }
}

void strain_slab(const SweepJob& job, std::size_t index, std::vector<SlabScratch>& all) {
  const SweepSlab& slab = job.plan->slabs[index];
  SlabScratch& scratch = all[index];
  take_in_strains(job, slab, scratch);
  VD carry = Zero(W());
  strain_strip(job, slab, slab.begin, slab.end, scratch, carry);
}
