// Evaluates the bond law of bond_force.h for a vector of bonds. Differences from the rest shape are computed in double.
// The remaining arithmetic is in float, or in double if `Full`. The file is included inside HWY_NAMESPACE once per
// target. It has no include guard, because foreach_target.h reads it again for every instruction set.

template <bool Full>
struct Arithmetic {
  using Tag = hn::ScalableTag<float>;
};
template <>
struct Arithmetic<true> {
  using Tag = W;
};
template <bool Full>
using A = typename Arithmetic<Full>::Tag;
template <bool Full>
using VA = VectorOf<A<Full>>;

template <bool Full>
HWY_INLINE VA<Full> narrow(VD v) {
  if constexpr (Full)
    return v;
  else
    return to_float(v);
}
template <bool Full>
HWY_INLINE VD widen(VA<Full> v) {
  if constexpr (Full)
    return v;
  else
    return to_double(v);
}

template <class V>
struct Three {
  V x, y, z;
};
template <class V>
struct Four {
  V w, x, y, z;
};
template <class V>
HWY_INLINE Three<V> operator-(const Three<V>& a, const Three<V>& b) {
  return {Sub(a.x, b.x), Sub(a.y, b.y), Sub(a.z, b.z)};
}
template <class V>
HWY_INLINE Three<V> operator+(const Three<V>& a, const Three<V>& b) {
  return {Add(a.x, b.x), Add(a.y, b.y), Add(a.z, b.z)};
}
template <class V>
HWY_INLINE Three<V> scaled(V s, const Three<V>& a) {
  return {Mul(s, a.x), Mul(s, a.y), Mul(s, a.z)};
}
/// Returns a + s b.
template <class V>
HWY_INLINE Three<V> add_scaled(const Three<V>& a, V s, const Three<V>& b) {
  return {mul_add(s, b.x, a.x), mul_add(s, b.y, a.y), mul_add(s, b.z, a.z)};
}
template <class V>
HWY_INLINE V dot(const Three<V>& a, const Three<V>& b) {
  return mul_add(a.x, b.x, mul_add(a.y, b.y, Mul(a.z, b.z)));
}
template <class V>
HWY_INLINE Three<V> cross(const Three<V>& a, const Three<V>& b) {
  return {mul_sub(a.y, b.z, Mul(a.z, b.y)), mul_sub(a.z, b.x, Mul(a.x, b.z)), mul_sub(a.x, b.y, Mul(a.y, b.x))};
}
template <bool Full>
HWY_INLINE Three<VA<Full>> narrow(const Three<VD>& v) {
  return {narrow<Full>(v.x), narrow<Full>(v.y), narrow<Full>(v.z)};
}
template <bool Full>
HWY_INLINE Four<VA<Full>> narrow(const Four<VD>& v) {
  return {narrow<Full>(v.w), narrow<Full>(v.x), narrow<Full>(v.y), narrow<Full>(v.z)};
}
template <bool Full>
HWY_INLINE Three<VD> widen(const Three<VA<Full>>& v) {
  return {widen<Full>(v.x), widen<Full>(v.y), widen<Full>(v.z)};
}

template <bool Full>
using Real = std::conditional_t<Full, double, float>;

/// Pointers from which the lanes of a block read the voxels at one end of the bonds. They point into the columns of the
/// state, or into a copy of the voxels' rows (Gathered).
template <bool Full>
struct Reads {
  std::array<const double*, 3> position;
  std::array<const double*, 4> orientation;
  std::array<const double*, 3> velocity;
  std::array<const Real<Full>*, 3> spin;
  const double* half_edge;
  const Real<Full>* tension;
};

template <bool Full>
HWY_INLINE Reads<Full> reads_at(const SweepJob& job, std::size_t first) {
  const VoxelArrays& s = *job.state;
  Reads<Full> at;
  for (std::size_t k = 0; k < 3; ++k) {
    at.position[k] = s.position[k].data() + first;
    at.velocity[k] = s.velocity[k].data() + first;
    if constexpr (Full)
      at.spin[k] = s.angular_velocity[k].data() + first;
    else
      at.spin[k] = job.spin[k] + first;
  }
  for (std::size_t k = 0; k < 4; ++k) at.orientation[k] = s.orientation[k].data() + first;
  at.half_edge = job.half_edge != nullptr ? job.half_edge + first : nullptr;
  if constexpr (Full)
    at.tension = job.tension_full + first;
  else
    at.tension = job.tension + first;
  return at;
}

/// Copy of the state of one voxel per lane, for lanes whose voxels are not consecutive.
template <bool Full>
struct Gathered {
  HWY_ALIGN double rows[11][16];
  HWY_ALIGN Real<Full> fine[4][16];

  void take(const SweepJob& job, std::size_t lane, std::size_t voxel) {
    take_shape(job, lane, voxel);
    const Reads<Full> from = reads_at<Full>(job, voxel);
    if (job.volume_stiffness != nullptr) fine[3][lane] = *from.tension;
    for (std::size_t k = 0; k < 3; ++k) {
      rows[7 + k][lane] = *from.velocity[k];
      fine[k][lane] = *from.spin[k];
    }
  }
  /// Copies the consecutive voxels from `first` up to `end`. Each remaining lane gets a copy of voxel `first`.
  void take_row(const SweepJob& job, std::size_t first, std::size_t end) {
    const std::size_t width = Lanes(W()), count = std::min(width, end - first);
    const auto copy = [&](const auto* from, auto* to) {
      std::copy_n(from, count, to);
      std::fill(to + count, to + width, *from);
    };
    const Reads<Full> from = reads_at<Full>(job, first);
    for (std::size_t k = 0; k < 3; ++k) {
      copy(from.position[k], rows[k]);
      copy(from.velocity[k], rows[7 + k]);
      copy(from.spin[k], fine[k]);
    }
    for (std::size_t k = 0; k < 4; ++k) copy(from.orientation[k], rows[3 + k]);
    if (job.half_edge != nullptr) copy(from.half_edge, rows[10]);
    if (job.volume_stiffness != nullptr) copy(from.tension, fine[3]);
  }
  /// Copies only the columns that bond strains depend on.
  void take_shape(const SweepJob& job, std::size_t lane, std::size_t voxel) {
    const VoxelArrays& s = *job.state;
    for (std::size_t k = 0; k < 3; ++k) rows[k][lane] = s.position[k][voxel];
    for (std::size_t k = 0; k < 4; ++k) rows[3 + k][lane] = s.orientation[k][voxel];
    if (job.half_edge != nullptr) rows[10][lane] = job.half_edge[voxel];
  }
  [[nodiscard]] Reads<Full> reads(const SweepJob& job) const {
    Reads<Full> at;
    at.position = {rows[0], rows[1], rows[2]};
    at.orientation = {rows[3], rows[4], rows[5], rows[6]};
    at.velocity = {rows[7], rows[8], rows[9]};
    at.half_edge = job.half_edge != nullptr ? rows[10] : nullptr;
    at.spin = {fine[0], fine[1], fine[2]};
    at.tension = fine[3];
    return at;
  }
};

HWY_INLINE Three<VD> load(const std::array<const double*, 3>& at) {
  return {LoadU(W(), at[0]), LoadU(W(), at[1]), LoadU(W(), at[2])};
}
HWY_INLINE Four<VD> load(const std::array<const double*, 4>& at) {
  return {LoadU(W(), at[0]), LoadU(W(), at[1]), LoadU(W(), at[2]), LoadU(W(), at[3])};
}

/// Lower bound of cos(theta) in the rotation-dependent stiffness of a bond (bond_frame.h).
constexpr double most_bent = -0.5;

/// Returns (asin(x) / x - 1) / x^2 as a function of z = x^2. In float, a Chebyshev fit for z in [0, 1/4] gives asin(x)
/// / x with an error below 3e-9, apart from rounding. In double, a series is used, which is valid for z up to 0.02.
template <bool Full>
HWY_INLINE VA<Full> angle_factor(VA<Full> z) {
  const A<Full> d;
  if constexpr (Full) {
    VD k = Set(d, 143.0 / 10240);
    for (const double c : {231.0 / 13312, 63.0 / 2816, 35.0 / 1152, 5.0 / 112, 3.0 / 40, 1.0 / 6})
      k = mul_add(k, z, Set(d, c));
    return k;
  } else {
    VA<Full> k = Set(d, 0.0336908487F);
    for (const float c : {0.0171492372F, 0.031100663F, 0.0445994015F, 0.0750009454F, 0.166666663F})
      k = mul_add(k, z, Set(d, c));
    return k;
  }
}

template <class V>
struct Angle {
  V h;  ///< theta / sin(theta)
  V k;  ///< (h - 1) / sin(theta)^2
};

/// Computes h and k for the lanes in `large`, whose angle exceeds the range of angle_factor(). The half-angle formula
/// is applied until the angle lies within this range.
template <bool Full>
HWY_NOINLINE void slow_angle(VA<Full> sin_squared, VA<Full> cosine, MaskOf<A<Full>> large, Angle<VA<Full>>& angle) {
  const A<Full> d;
  using V = VA<Full>;
  const V one = Set(d, 1), half = Set(d, 0.5);
  constexpr int halvings = Full ? 3 : 1;
  V c = Max(cosine, Set(d, most_bent));
  for (int i = 0; i < halvings; ++i) c = Sqrt(Mul(half, Add(one, c)));
  const V z = Mul(half, Sub(one, c));
  const V theta = Mul(Mul(Set(d, 1 << (halvings + 1)), Sqrt(z)), mul_add(z, angle_factor<Full>(z), one));
  const V least = IfThenElse(Lt(cosine, Set(d, most_bent)), Set(d, 0.8660254037844386), Set(d, 1e-3));
  const V sine = Max(Sqrt(sin_squared), least);
  const V h = Div(theta, sine);
  const V k = Div(Sub(h, one), Mul(sine, sine));
  angle.h = IfThenElse(large, h, angle.h);
  angle.k = IfThenElse(large, k, angle.k);
}

/// Bond constants in the form that the force law uses. For each kind of stiffness and damping, the first value acts
/// across the bond's axis. Along the axis, the sum of the first value and the value named `_more` acts.
template <class V>
struct BondRow {
  V lateral, axial_more, bend, twist_more, lateral_damping, axial_damping_more, bend_damping, twist_damping_more;
};

template <int Axis, class V>
HWY_INLINE V part(const Three<V>& v) {
  return Axis == 0 ? v.x : Axis == 1 ? v.y : v.z;
}

/// Returns the quadratic form p(m) in the components of a quaternion m. If m is a unit quaternion, column `Axis` of the
/// rotation matrix of m is e + 2 p(m), where e is the unit vector along `Axis`. Let c1 and c2 be these columns for q1
/// and q2. Then c1 + c2 = 2 e + p(q1 + q2) + p(q2 - q1), and the column of the mid rotation is e + p(q1 + q2) / (1 +
/// cos theta).
template <int Axis, class V>
HWY_INLINE Three<V> products(const Four<V>& m) {
  if constexpr (Axis == 0)
    return {neg_mul_sub(m.y, m.y, Mul(m.z, m.z)), mul_add(m.x, m.y, Mul(m.w, m.z)), mul_sub(m.x, m.z, Mul(m.w, m.y))};
  else if constexpr (Axis == 1)
    return {mul_sub(m.x, m.y, Mul(m.w, m.z)), neg_mul_sub(m.x, m.x, Mul(m.z, m.z)), mul_add(m.y, m.z, Mul(m.w, m.x))};
  else
    return {mul_add(m.x, m.z, Mul(m.w, m.y)), mul_sub(m.y, m.z, Mul(m.w, m.x)), neg_mul_sub(m.x, m.x, Mul(m.y, m.y))};
}
template <int Axis, class V>
HWY_INLINE Three<V> along_axis(V length) {
  const V zero = Zero(TagOf<V>());
  return {Axis == 0 ? length : zero, Axis == 1 ? length : zero, Axis == 2 ? length : zero};
}

/// Differences of position, orientation and velocity between the two voxels of each bond, computed in double.
template <class V>
struct Differences {
  /// Vector x2 - x1 - L/2 (2 e + products(q1 + q2)), with the rest length L and the unit vector e along `Axis`.
  Three<V> shift;
  Four<V> turn, mean;  ///< q2 - q1 and q2 + q1
  Three<V> slip;       ///< v2 - v1; set only if job.damped
};

template <int Axis, bool Full>
HWY_INLINE Differences<VA<Full>> differences(const SweepJob& job, const Reads<Full>& a, const Reads<Full>& b, VD rest) {
  Differences<VA<Full>> out;
  const Four<VD> qa = load(a.orientation), qb = load(b.orientation);
  const Four<VD> mean{Add(qa.w, qb.w), Add(qa.x, qb.x), Add(qa.y, qb.y), Add(qa.z, qb.z)};
  out.turn = narrow<Full>(Four<VD>{Sub(qb.w, qa.w), Sub(qb.x, qa.x), Sub(qb.y, qa.y), Sub(qb.z, qa.z)});
  out.mean = narrow<Full>(mean);
  const Three<VD> r = load(b.position) - load(a.position);
  out.shift = narrow<Full>(add_scaled(r - along_axis<Axis>(rest), Mul(Set(W(), -0.5), rest), products<Axis>(mean)));
  if (job.damped) out.slip = narrow<Full>(load(b.velocity) - load(a.velocity));
  return out;
}

/// Loads of bonds: `force` acts on voxel a and -force on voxel b. Each of the two moments contains half of the couple
/// r x F that balances the moment of the two forces.
template <class V>
struct BondLoads {
  Three<V> force, moment_a, moment_b;
};

template <class V>
HWY_INLINE Three<V> only(MaskOf<TagOf<V>> there, const Three<V>& v) {
  return {IfThenElseZero(there, v.x), IfThenElseZero(there, v.y), IfThenElseZero(there, v.z)};
}

/// Computes the loads of bonds by the formulas of bond_force.h, but with all vectors in the world frame. The voxels are
/// rotated relative to each other by the angle 2 theta about the axis a. Two vectors replace the mid rotation Q: the
/// bond's direction c = Q e, and V = sin(theta) a.
/// Precision: let c1 and c2 be the bond's direction rotated with voxel 1 and voxel 2, and L the rest length. Then c =
/// (c1 + c2) / 2 + (1 - cos theta) (c - a (a . c)). The difference of r from L (c1 + c2) / 2 is computed in double,
/// without a division, except for a term that is quadratic in q2 - q1. All other terms are of second order in the
/// rotation and may be computed in float.
/// The elastic force is F = k_l S + ((k_a - k_l) S . c + T) c with S = r - L c, axial and lateral stiffness k_a and
/// k_l, and volumetric tension T. Damping acts on v2 - v1 - 1/2 (w1 + w2) x r, which vanishes in a rigid motion.
template <int Axis, bool Full>
HWY_INLINE BondLoads<VA<Full>> bond_loads(const SweepJob& job, const Reads<Full>& a, const Reads<Full>& b,
                                          const BondRow<VA<Full>>& k, VD rest, std::uint32_t lanes,
                                          std::uint32_t* overbent) {
  using V = VA<Full>;
  const A<Full> d;
  const Differences<V> diff = differences<Axis, Full>(job, a, b, rest);
  const Four<V>&m = diff.mean, &dq = diff.turn;
  const V length = narrow<Full>(rest);
  const V versine = Mul(Set(d, 0.5), mul_add(dq.w, dq.w, mul_add(dq.x, dq.x, mul_add(dq.y, dq.y, Mul(dq.z, dq.z)))));
  const V one_plus = Sub(Set(d, 2), versine);  // 1 + cos(theta)
  const V f = Div(Set(d, 1), Max(one_plus, Set(d, 1 + most_bent)));
  const Three<V> c = add_scaled(along_axis<Axis>(Set(d, 1)), f, products<Axis>(m));
  // The variable v holds 2 V, the vector part of (q2 - q1) (q2 + q1)*.
  const Three<V> mv{m.x, m.y, m.z}, dv{dq.x, dq.y, dq.z};
  const Three<V> v = add_scaled(add_scaled(cross(mv, dv), m.w, dv), Neg(dq.w), mv);
  const V v_along = dot(c, v), quarter_f = Mul(Set(d, 0.25), f);
  const Three<V> fixed = add_scaled(diff.shift, Mul(Set(d, -0.5), length), products<Axis>(dq));
  const Three<V> stretch =
      add_scaled(add_scaled(fixed, Mul(length, Mul(quarter_f, v_along)), v), Neg(Mul(length, versine)), c);

  const V sin_squared = Mul(versine, one_plus);
  Angle<V> angle;
  angle.k = angle_factor<Full>(sin_squared);
  angle.h = mul_add(sin_squared, angle.k, Set(d, 1));
  const auto large = Gt(versine, Set(d, Full ? 0.01 : 0.133));  // sin(theta)^2 above 0.02 (double) or 0.25 (float)
  if (HWY_UNLIKELY(!AllFalse(d, large)) && (bits_of(d, large) & lanes) != 0) {
    const V cosine = Sub(Set(d, 1), versine);
    slow_angle<Full>(sin_squared, cosine, large, angle);
    *overbent |= bits_of(d, Lt(cosine, Zero(d))) & lanes;
  }
  V pull = Mul(k.axial_more, dot(stretch, c));
  if (job.volume_stiffness != nullptr) pull = Add(pull, Add(LoadU(d, a.tension), LoadU(d, b.tension)));
  BondLoads<V> out;
  out.force = add_scaled(scaled(k.lateral, stretch), pull, c);

  // Couple Q D of bond_force.h in the world frame: 1/2 tan(theta/2) a x (r x F) - S^-1 g with tan(theta/2) = sin(theta)
  // / (1 + cos(theta)) and g = 2 h (k_b V + (k_t - k_b) (V . c) c), h = theta / sin(theta). k_b and k_t are the bending
  // and twist stiffness.
  const Three<V> r = add_scaled(stretch, length, c);
  const V in_force = Mul(quarter_f, dot(v, out.force)),
          in_length = Mul(quarter_f, mul_add(length, v_along, dot(v, stretch)));
  const V twist_along = Mul(k.twist_more, v_along);
  const V work = mul_add(Mul(Set(d, 0.25), twist_along), v_along, Mul(k.bend, sin_squared));
  const V by_turn = Mul(angle.h, mul_sub(angle.k, work, Mul(angle.h, k.bend)));
  V by_axis = Neg(Mul(Mul(angle.h, angle.h), twist_along));
  Three<V> turn = add_scaled(add_scaled(scaled(in_force, r), Neg(in_length), out.force), by_turn, v);
  if (job.damped) {
    const Three<V> spin_a{LoadU(d, a.spin[0]), LoadU(d, a.spin[1]), LoadU(d, a.spin[2])};
    const Three<V> spin_b{LoadU(d, b.spin[0]), LoadU(d, b.spin[1]), LoadU(d, b.spin[2])};
    const Three<V> slip = add_scaled(diff.slip, Set(d, -0.5), cross(spin_a + spin_b, r));
    out.force = add_scaled(out.force, k.lateral_damping, slip);
    out.force = add_scaled(out.force, Mul(k.axial_damping_more, dot(c, slip)), c);
    const Three<V> spin = spin_b - spin_a;
    turn = add_scaled(turn, Neg(k.bend_damping), spin);
    by_axis = neg_mul_add(k.twist_damping_more, dot(c, spin), by_axis);
  }
  turn = add_scaled(turn, by_axis, c);
  const V half = Set(d, 0.5);
  const Three<V> couple = cross(r, out.force);
  out.moment_a = {mul_sub(half, couple.x, turn.x), mul_sub(half, couple.y, turn.y), mul_sub(half, couple.z, turn.z)};
  out.moment_b = {mul_add(half, couple.x, turn.x), mul_add(half, couple.y, turn.y), mul_add(half, couple.z, turn.z)};
  if (lanes != (1U << Lanes(W())) - 1) {  // set lanes without a bond to exactly zero
    const auto there = mask_of(d, lanes);
    out = {only(there, out.force), only(there, out.moment_a), only(there, out.moment_b)};
  }
  return out;
}
