// Dry friction and impact response. All formulas of these are here, for scalars and for SIMD vectors. Included inside a
// namespace: that of response.cpp, and once for each instruction set those of the vector code of particles and voxels
// (sim/system/particles/motion_lanes.cpp, sim/system/voxel/sweep.cpp), because code can only be inlined into functions
// of the same instruction set. For that reason there is no include guard.
// The including file must declare: product(a, b), quotient(a, b), at_most(a, b), which returns a mask, and one_or(mask,
// b), which is 1 where the mask is set. `answer` also needs like(a, x), which converts the number x to the type of a,
// scaled(a, v), length_of(v), and the operators.

/// Limits of dry friction for a normal velocity, impulse or force, in the same unit. A tangential value up to `hold`
/// sticks. A sliding one is reduced by `slide`.
template <class T>
struct FrictionCone {
  T hold, slide;
};

/// `mu_hold`: the larger of the static and the dynamic coefficient.
template <class T>
inline FrictionCone<T> friction_cone(const T& normal, const T& mu_hold, const T& mu_dynamic) {
  return {product(mu_hold, normal), product(mu_dynamic, normal)};
}

/// Fraction of a tangential velocity, impulse or force that friction removes: all of it if it sticks, otherwise `slide`
/// of it.
template <class T, class Mask>
inline T friction_taken(const Mask& sticks, const T& slide, const T& tangential) {
  return one_or(sticks, quotient(slide, tangential));
}
template <class T>
inline T friction_taken(const FrictionCone<T>& cone, const T& tangential) {
  return friction_taken(at_most(tangential, cone.hold), cone.slide, tangential);
}

/// Relative velocity after an impact with v_n < 0 on a surface with unit normal n. The normal component becomes -e v_n.
/// The tangential component is reduced by the fraction friction(|v_T|, |dv_n|).
template <class T, class V, class Friction>
inline V answer(const V& v, const V& n, const T& v_n, double restitution, const Friction& friction) {
  const V tangential = v - scaled(v_n, n);
  const T dv_n = like(v_n, -(1 + restitution)) * v_n;
  const T left = like(v_n, 1.0) - friction(length_of(tangential), dv_n);
  return scaled(like(v_n, -restitution) * v_n, n) + scaled(left, tangential);
}
