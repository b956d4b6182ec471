// SPEC 1's bond for a vector of bonds at once: the arithmetic of bond_force.cpp in lanes, in float on differences taken in double, or all in double.
// Included inside HWY_NAMESPACE, once a target; no include guard, because foreach_target.h reads it again for every instruction set.

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
/// a + s b
template <class V>
HWY_INLINE Three<V> add_scaled(const Three<V>& a, V s, const Three<V>& b) {
  return {MulAdd(s, b.x, a.x), MulAdd(s, b.y, a.y), MulAdd(s, b.z, a.z)};
}
template <class V>
HWY_INLINE V dot(const Three<V>& a, const Three<V>& b) {
  return MulAdd(a.x, b.x, MulAdd(a.y, b.y, Mul(a.z, b.z)));
}
template <class V>
HWY_INLINE Three<V> cross(const Three<V>& a, const Three<V>& b) {
  return {MulSub(a.y, b.z, Mul(a.z, b.y)), MulSub(a.z, b.x, Mul(a.x, b.z)), MulSub(a.x, b.y, Mul(a.y, b.x))};
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

/// Where a block's lanes read the voxels at one end of their bonds: columns of the state, or a copy of the lanes' rows.
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

/// Rows of single voxels side by side: for lanes whose voxels do not lie in a row.
template <bool Full>
struct Gathered {
  HWY_ALIGN double rows[11][16];
  HWY_ALIGN Real<Full> fine[4][16];

  void take_elastic(const SweepJob& job, std::size_t lane, std::size_t voxel) {
    take_shape(job, lane, voxel);
    if (job.volume_stiffness != nullptr) fine[3][lane] = *reads_at<Full>(job, voxel).tension;
  }
  void take_motion(const SweepJob& job, std::size_t lane, std::size_t voxel) {
    const Reads<Full> from = reads_at<Full>(job, voxel);
    for (std::size_t k = 0; k < 3; ++k) rows[k][lane] = *from.position[k];
    if (!job.damped) return;
    for (std::size_t k = 0; k < 3; ++k) {
      rows[7 + k][lane] = *from.velocity[k];
      fine[k][lane] = *from.spin[k];
    }
  }
  void take(const SweepJob& job, std::size_t lane, std::size_t voxel) {
    take_elastic(job, lane, voxel);
    take_motion(job, lane, voxel);
  }
  /// Only what strains need.
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

HWY_INLINE Three<VD> load(const std::array<const double*, 3>& at) { return {LoadU(W(), at[0]), LoadU(W(), at[1]), LoadU(W(), at[2])}; }
HWY_INLINE Four<VD> load(const std::array<const double*, 4>& at) {
  return {LoadU(W(), at[0]), LoadU(W(), at[1]), LoadU(W(), at[2]), LoadU(W(), at[3])};
}

/// Column `Axis` of the rotation matrix of a unit quaternion.
template <int Axis, class V>
HWY_INLINE Three<V> column_of(const Four<V>& q) {
  const TagOf<V> d;
  const V one = Set(d, 1), minus_two = Set(d, -2);
  const auto twice = [](V v) { return Add(v, v); };
  if constexpr (Axis == 0)
    return {MulAdd(minus_two, MulAdd(q.y, q.y, Mul(q.z, q.z)), one), twice(MulAdd(q.x, q.y, Mul(q.w, q.z))), twice(MulSub(q.x, q.z, Mul(q.w, q.y)))};
  else if constexpr (Axis == 1)
    return {twice(MulSub(q.x, q.y, Mul(q.w, q.z))), MulAdd(minus_two, MulAdd(q.x, q.x, Mul(q.z, q.z)), one), twice(MulAdd(q.y, q.z, Mul(q.w, q.x)))};
  else
    return {twice(MulAdd(q.x, q.z, Mul(q.w, q.y))), twice(MulSub(q.y, q.z, Mul(q.w, q.x))), MulAdd(minus_two, MulAdd(q.x, q.x, Mul(q.y, q.y)), one)};
}

/// cos(theta) below which a bond's stiffening by its turn is held; see bond_force.cpp.
constexpr double most_bent = -0.5;

/// The mid rotation in double: m = q1 + q2, 2 / |m|^2 = 1 / (1 + cos theta), and its column along the bond.
struct Middle {
  Four<VD> m;
  VD cosine;
  VD f;
};
HWY_INLINE Middle middle(const Four<VD>& a, const Four<VD>& b) {
  Middle mid;
  mid.m = {Add(a.w, b.w), Add(a.x, b.x), Add(a.y, b.y), Add(a.z, b.z)};
  mid.cosine = MulAdd(a.w, b.w, MulAdd(a.x, b.x, MulAdd(a.y, b.y, Mul(a.z, b.z))));
  const W d;
  mid.f = Div(Set(d, 1.0), Add(Set(d, 1.0), Max(mid.cosine, Set(d, most_bent))));
  return mid;
}

/// Column `Axis` of the rotation matrix of m.
template <int Axis>
HWY_INLINE Three<VD> column(const Middle& mid) {
  const VD one = Set(W(), 1.0);
  const Four<VD>& m = mid.m;
  if constexpr (Axis == 0)
    return {NegMulAdd(mid.f, MulAdd(m.y, m.y, Mul(m.z, m.z)), one), Mul(mid.f, MulAdd(m.x, m.y, Mul(m.w, m.z))),
            Mul(mid.f, MulSub(m.x, m.z, Mul(m.w, m.y)))};
  else if constexpr (Axis == 1)
    return {Mul(mid.f, MulSub(m.x, m.y, Mul(m.w, m.z))), NegMulAdd(mid.f, MulAdd(m.x, m.x, Mul(m.z, m.z)), one),
            Mul(mid.f, MulAdd(m.y, m.z, Mul(m.w, m.x)))};
  else
    return {Mul(mid.f, MulAdd(m.x, m.z, Mul(m.w, m.y))), Mul(mid.f, MulSub(m.y, m.z, Mul(m.w, m.x))),
            NegMulAdd(mid.f, MulAdd(m.x, m.x, Mul(m.y, m.y)), one)};
}

/// The whole rotation matrix, by rows.
template <class V>
struct Matrix {
  Three<V> r0, r1, r2;
};
/// Of m = q1 + q2, f = 2 / |m|^2.
template <class V>
HWY_INLINE Matrix<V> rotation(const Four<V>& m, V f) {
  const V one = Set(TagOf<V>(), 1);
  const V fx = Mul(f, m.x), fy = Mul(f, m.y), fz = Mul(f, m.z);
  const V yy = Mul(fy, m.y), zz = Mul(fz, m.z);
  const V wx = Mul(fx, m.w), wy = Mul(fy, m.w), wz = Mul(fz, m.w);
  const V rest = NegMulAdd(fx, m.x, one);
  return {{Sub(Sub(one, yy), zz), MulSub(fx, m.y, wz), MulAdd(fx, m.z, wy)},
          {MulAdd(fx, m.y, wz), Sub(rest, zz), MulSub(fy, m.z, wx)},
          {MulSub(fx, m.z, wy), MulAdd(fy, m.z, wx), Sub(rest, yy)}};
}
template <class V>
HWY_INLINE Three<V> turned(const Matrix<V>& q, const Three<V>& v) {
  return {dot(q.r0, v), dot(q.r1, v), dot(q.r2, v)};
}
template <class V>
HWY_INLINE Three<V> turned_back(const Matrix<V>& q, const Three<V>& v) {
  return {MulAdd(q.r0.x, v.x, MulAdd(q.r1.x, v.y, Mul(q.r2.x, v.z))), MulAdd(q.r0.y, v.x, MulAdd(q.r1.y, v.y, Mul(q.r2.y, v.z))),
          MulAdd(q.r0.z, v.x, MulAdd(q.r1.z, v.y, Mul(q.r2.z, v.z)))};
}
/// The column along the bond, from the rows.
template <int Axis, class V>
HWY_INLINE Three<V> column_of(const Matrix<V>& q) {
  if constexpr (Axis == 0)
    return {q.r0.x, q.r1.x, q.r2.x};
  else if constexpr (Axis == 1)
    return {q.r0.y, q.r1.y, q.r2.y};
  else
    return {q.r0.z, q.r1.z, q.r2.z};
}

/// (asin(x) / x - 1) / x^2 of z = x^2. Float: Chebyshev fit on [0, 1/4], error 2e-8 of asin(x) / x. Double: the series up to 0.02.
template <bool Full>
HWY_INLINE VA<Full> angle_factor(VA<Full> z) {
  const A<Full> d;
  if constexpr (Full) {
    VD k = Set(d, 143.0 / 10240);
    for (const double c : {231.0 / 13312, 63.0 / 2816, 35.0 / 1152, 5.0 / 112, 3.0 / 40, 1.0 / 6}) k = MulAdd(k, z, Set(d, c));
    return k;
  } else {
    VA<Full> k = Set(d, 0.0336908487F);
    for (const float c : {0.0171492372F, 0.031100663F, 0.0445994015F, 0.0750009454F, 0.166666663F}) k = MulAdd(k, z, Set(d, c));
    return k;
  }
}

template <class V>
struct Angle {
  V h;  ///< theta / sin(theta)
  V k;  ///< (h - 1) / sin(theta)^2
};

/// For lanes bent further than the fit reaches: theta by halving it until it is small.
template <bool Full>
HWY_NOINLINE void slow_angle(VA<Full> sin_squared, VA<Full> cosine, MaskOf<A<Full>> large, Angle<VA<Full>>& angle) {
  const A<Full> d;
  using V = VA<Full>;
  const V one = Set(d, 1), half = Set(d, 0.5);
  constexpr int halvings = Full ? 3 : 1;
  V c = Max(cosine, Set(d, most_bent));
  for (int i = 0; i < halvings; ++i) c = Sqrt(Mul(half, Add(one, c)));
  const V z = Mul(half, Sub(one, c));
  const V theta = Mul(Mul(Set(d, 1 << (halvings + 1)), Sqrt(z)), MulAdd(z, angle_factor<Full>(z), one));
  const V least = IfThenElse(Lt(cosine, Set(d, most_bent)), Set(d, 0.8660254037844386), Set(d, 1e-3));
  const V sine = Max(Sqrt(sin_squared), least);
  const V h = Div(theta, sine);
  const V k = Div(Sub(h, one), Mul(sine, sine));
  angle.h = IfThenElse(large, h, angle.h);
  angle.k = IfThenElse(large, k, angle.k);
}

template <class V>
struct BondRow {
  V axial, lateral, twist, bend, axial_damping, lateral_damping, twist_damping, bend_damping;
};

/// What a bond does to its voxels: force on a (-force on b), and a moment on each.
template <bool Full>
struct BondPush {
  Three<VD> force, moment_a, moment_b;
  Three<VA<Full>> narrow_force;  ///< the same force before it was widened
};

template <int Axis, class V>
HWY_INLINE Three<V> along_across(const Three<V>& v, V along, V across) {
  return {Mul(v.x, Axis == 0 ? along : across), Mul(v.y, Axis == 1 ? along : across), Mul(v.z, Axis == 2 ? along : across)};
}
template <int Axis, class V>
HWY_INLINE V& part(Three<V>& v) {
  if constexpr (Axis == 0)
    return v.x;
  else if constexpr (Axis == 1)
    return v.y;
  else
    return v.z;
}

template <int Axis, class V>
HWY_INLINE V part(const Three<V>& v) {
  return Axis == 0 ? v.x : Axis == 1 ? v.y : v.z;
}

/// What the shape of bonds asks for, before damping: force on a, what turns b against a, and the bond's direction.
template <class V>
struct Elastic {
  Three<V> force, turn, along;
};

/// SPEC 1, "The form to implement", as in bond_force.cpp.
/// With c1, c2 the bond's direction as each voxel sees it: Q e = (c1 + c2) / 2 + (1 - cos theta) Q (e - a (a . e)), so that the difference of r from
/// its rest is taken in double without a division, and what is left of second order in the turn is float.
template <int Axis, bool Full>
HWY_INLINE Elastic<VA<Full>> elastic_load(const SweepJob& job, const Reads<Full>& a, const Reads<Full>& b, const BondRow<VA<Full>>& k, VD rest,
                                          std::uint32_t lanes, std::uint32_t* overbent) {
  using V = VA<Full>;
  const A<Full> d;
  const Four<VD> qa = load(a.orientation), qb = load(b.orientation);
  const Three<VD> axes = column_of<Axis>(qa) + column_of<Axis>(qb);
  const VD half_rest = Mul(Set(W(), 0.5), rest);
  const Three<VD> r = load(b.position) - load(a.position);
  const Three<V> shift =
      narrow<Full>(Three<VD>{NegMulAdd(half_rest, axes.x, r.x), NegMulAdd(half_rest, axes.y, r.y), NegMulAdd(half_rest, axes.z, r.z)});
  const Four<V> turn_a = narrow<Full>(qa);
  // q2 - q1 in double, so that small turns keep their digits.
  const Four<V> dq{narrow<Full>(Sub(qb.w, qa.w)), narrow<Full>(Sub(qb.x, qa.x)), narrow<Full>(Sub(qb.y, qa.y)), narrow<Full>(Sub(qb.z, qa.z))};
  const V versine = Mul(Set(d, 0.5), MulAdd(dq.w, dq.w, MulAdd(dq.x, dq.x, MulAdd(dq.y, dq.y, Mul(dq.z, dq.z)))));
  const V one_plus = Sub(Set(d, 2), versine);  // 1 + cos(theta)
  const V f_mid = Div(Set(d, 1), Max(one_plus, Set(d, 1 + most_bent)));
  const V two = Set(d, 2);
  const Matrix<V> q =
      rotation(Four<V>{MulAdd(two, turn_a.w, dq.w), MulAdd(two, turn_a.x, dq.x), MulAdd(two, turn_a.y, dq.y), MulAdd(two, turn_a.z, dq.z)}, f_mid);
  // sin(theta) a: vector part of q1^-1 q2.
  const Three<V> va{turn_a.x, turn_a.y, turn_a.z}, dv{dq.x, dq.y, dq.z};
  const Three<V> v = add_scaled(scaled(turn_a.w, dv) - cross(va, dv), Neg(dq.w), va);
  const V length = narrow<Full>(rest);
  Three<V> stretch = add_scaled(turned_back(q, shift), Mul(Mul(length, f_mid), part<Axis>(v)), v);
  part<Axis>(stretch) = NegMulAdd(length, versine, part<Axis>(stretch));

  const V sin_squared = Mul(versine, one_plus);
  Angle<V> angle;
  angle.k = angle_factor<Full>(sin_squared);
  angle.h = MulAdd(sin_squared, angle.k, Set(d, 1));
  const auto large = Gt(versine, Set(d, Full ? 0.01 : 0.133));  // sin^2 beyond 0.02 or 0.25
  if (HWY_UNLIKELY(!AllFalse(d, large))) {
    const V cosine = Sub(Set(d, 1), versine);
    slow_angle<Full>(sin_squared, cosine, large, angle);
    *overbent |= bits_of(d, Lt(cosine, Zero(d))) & lanes;
  }
  Three<V> f = along_across<Axis>(stretch, k.axial, k.lateral);
  if (job.volume_stiffness != nullptr) part<Axis>(f) = Add(part<Axis>(f), Add(LoadU(d, a.tension), LoadU(d, b.tension)));
  const Three<V> g = along_across<Axis>(scaled(Add(angle.h, angle.h), v), k.twist, k.bend);

  // D = 1/2 tan(theta/2) (a x T) - S^-1 g, tan(theta/2) = sin / (1 + cos).
  part<Axis>(stretch) = Add(part<Axis>(stretch), length);
  const Three<V> bent = cross(v, cross(stretch, f));
  Three<V> turn = add_scaled(scaled(Mul(Set(d, 0.5), f_mid), bent), Neg(angle.h), g);
  turn = add_scaled(turn, Mul(angle.k, dot(v, g)), v);
  return {turned(q, f), turned(q, turn), column_of<Axis>(q)};
}

/// Local damping about the mean motion, and the couple that balances the forces' moment. `there`: lanes with a bond; others give exact zeros.
/// v = V2 - V1 - 1/2 (w1 + w2) x r: no part of a rigid motion (SPEC 1, local damping).
template <bool Full>
HWY_INLINE BondPush<Full> finish_load(const SweepJob& job, const Reads<Full>& a, const Reads<Full>& b, const BondRow<VA<Full>>& k,
                                      Elastic<VA<Full>> load_of, std::uint32_t lanes) {
  using V = VA<Full>;
  const A<Full> d;
  const Three<VD> r = load(b.position) - load(a.position);
  Three<V>&force = load_of.force, &turn = load_of.turn;
  if (job.damped) {
    const Three<V>& along = load_of.along;
    const Three<V> spin_a{LoadU(d, a.spin[0]), LoadU(d, a.spin[1]), LoadU(d, a.spin[2])};
    const Three<V> spin_b{LoadU(d, b.spin[0]), LoadU(d, b.spin[1]), LoadU(d, b.spin[2])};
    const Three<V> slip = narrow<Full>(load(b.velocity) - load(a.velocity)) - cross(scaled(Set(d, 0.5), spin_a + spin_b), narrow<Full>(r));
    force = add_scaled(force, k.lateral_damping, slip);
    force = add_scaled(force, Mul(Sub(k.axial_damping, k.lateral_damping), dot(along, slip)), along);
    const Three<V> spin = spin_b - spin_a;
    turn = add_scaled(turn, Neg(k.bend_damping), spin);
    turn = add_scaled(turn, Mul(Sub(k.bend_damping, k.twist_damping), dot(along, spin)), along);
  }
  if (lanes != (1U << Lanes(W())) - 1) {
    const auto there = mask_of(d, lanes);
    force = {IfThenElseZero(there, force.x), IfThenElseZero(there, force.y), IfThenElseZero(there, force.z)};
    turn = {IfThenElseZero(there, turn.x), IfThenElseZero(there, turn.y), IfThenElseZero(there, turn.z)};
  }
  BondPush<Full> push;
  push.narrow_force = force;
  push.force = widen<Full>(force);
  const Three<VD> couple = scaled(Set(W(), 0.5), cross(r, push.force));  // -1/2 r x F2
  const Three<VD> twist = widen<Full>(turn);
  push.moment_a = couple - twist;
  push.moment_b = couple + twist;
  return push;
}
