// Dry friction and what an impact does, the only place of their formulas (SPEC 2): one source for numbers and for vectors of them. Included inside a
// namespace: response.cpp's, and once for each instruction set those of particles' and voxels' lanes (sim/system/particles/motion_lanes.cpp,
// sim/system/voxel/sweep.cpp), whose code may only be inlined into functions of the same one. No include guard for that reason.
// Declared before: product(a, b), quotient(a, b), at_most(a, b) -> a mask, one_or(mask, b), which is 1 where the mask is set. For `answer` also
// like(a, x), the number x as a's type, scaled(a, v), length_of(v), and the operators.

/// What dry friction does against a normal velocity, impulse or force, in its unit: it holds what is at most `hold`, and slows what slides by
/// `slide`.
template <class T>
struct FrictionCone {
  T hold, slide;
};

/// `mu_hold`: the larger of the static and the dynamic coefficient.
template <class T>
inline FrictionCone<T> friction_cone(const T& normal, const T& mu_hold, const T& mu_dynamic) {
  return {product(mu_hold, normal), product(mu_dynamic, normal)};
}

/// The share of a tangential velocity, impulse or force that is taken away: all of what sticks, `slide` of what slides.
template <class T, class Mask>
inline T friction_taken(const Mask& sticks, const T& slide, const T& tangential) {
  return one_or(sticks, quotient(slide, tangential));
}
template <class T>
inline T friction_taken(const FrictionCone<T>& cone, const T& tangential) {
  return friction_taken(at_most(tangential, cone.hold), cone.slide, tangential);
}

/// Relative velocity after an impact with v_n < 0 on a surface with unit normal n: normal -e v_n, and tangential what friction(|v_T|, |dv_n|) leaves.
template <class T, class V, class Friction>
inline V answer(const V& v, const V& n, const T& v_n, double restitution, const Friction& friction) {
  const V tangential = v - scaled(v_n, n);
  const T dv_n = like(v_n, -(1 + restitution)) * v_n;
  const T left = like(v_n, 1.0) - friction(length_of(tangential), dv_n);
  return scaled(like(v_n, -restitution) * v_n, n) + scaled(left, tangential);
}
