// All formulas of dry friction and impact response, for scalars and for SIMD vectors. Code can only be inlined into
// functions of the same instruction set. This file therefore has no include guard and is included inside a namespace:
// once in response.cpp, and once for each instruction set in the SIMD code of particles and voxels
// (sim/system/particles/motion_lanes.cpp, sim/system/voxel/explicit/sweep.cpp). The including file must declare
// product(a, b), quotient(a, b), at_most(a, b), which returns a mask, and one_or(mask, b), which is 1 where the mask is
// set and b elsewhere. The function `answer` also needs like(a, x), which converts the number x to the type of a,
// scaled(a, v), length_of(v), and the operators +, - and *.

/// Limits of dry friction for a given normal quantity (velocity, impulse or force), in the same unit. A contact whose
/// tangential quantity is at most `hold` sticks. Otherwise the contact slides, and friction reduces the tangential
/// quantity by `slide`.
template <class T>
struct FrictionCone {
  T hold, slide;
};

/// Returns the limits of friction for the normal quantity `normal`. `mu_hold` is the larger of the two coefficients of
/// friction.
template <class T>
inline FrictionCone<T> friction_cone(const T& normal, const T& mu_hold, const T& mu_dynamic) {
  return {product(mu_hold, normal), product(mu_dynamic, normal)};
}

/// Returns the fraction of a tangential velocity, impulse or force that friction removes: 1 if the contact sticks,
/// otherwise slide / tangential.
template <class T, class Mask>
inline T friction_taken(const Mask& sticks, const T& slide, const T& tangential) {
  return one_or(sticks, quotient(slide, tangential));
}
template <class T>
inline T friction_taken(const FrictionCone<T>& cone, const T& tangential) {
  return friction_taken(at_most(tangential, cone.hold), cone.slide, tangential);
}

/// Returns the relative velocity after an impact with the normal velocity v_n < 0, on a surface with unit normal n. The
/// normal component becomes -e v_n (e: restitution). The tangential component loses the fraction friction(|v_T|,
/// |dv_n|).
template <class T, class V, class Friction>
inline V answer(const V& v, const V& n, const T& v_n, double restitution, const Friction& friction) {
  const V tangential = v - scaled(v_n, n);
  const T dv_n = like(v_n, -(1 + restitution)) * v_n;
  const T left = like(v_n, 1.0) - friction(length_of(tangential), dv_n);
  return scaled(like(v_n, -restitution) * v_n, n) + scaled(left, tangential);
}
