// Tests the bounding sphere of each obstacle against the path of a member. Each lane tests one obstacle. No fused
// multiply-adds are used. Therefore the result does not depend on the vector width.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/system/flock/obstacles/passing_lanes.cpp"
// Highway compiles this file for scalar code and for vectors of 128, 256 and 512 bits. The disabled targets repeat
// these widths or have a width that is unknown at compile time.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>

#include "sim/system/flock/obstacles/passing_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, FlockBounds::padding>;
using V = hn::Vec<D>;
constexpr std::size_t lanes = hn::MaxLanes(D());

HWY_INLINE std::uint64_t bits_of(hn::Mask<D> mask) {
#if HWY_TARGET == HWY_SCALAR
  return hn::AllTrue(D(), mask) ? 1 : 0;
#else
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(D(), mask, bytes);
  return bytes[0];
#endif
}

/// Tests one vector of obstacles, starting with obstacle `k`. Returns a bit mask of the obstacles whose bounding sphere
/// the member touches within the time `ahead`. Let p and w be the position and velocity of the member relative to the
/// centre of the sphere, and R the sum of off_m and the radius of the sphere. The distance is R at the first time t
/// with g - 2 c t + s t^2 = 0, where g = |p|^2 - R^2, c = -p . w and s = |w|^2, if such a time exists. This
/// time exceeds `ahead` if g - c ahead > ahead sqrt(c^2 - g s).
HWY_INLINE std::uint64_t met_from(const FlockBounds& bounds, std::size_t k, const Vec3& x, const Vec3& v, V off_m,
                                  V ahead) {
  const D d;
  V far = hn::Zero(d), closing = hn::Zero(d), speed = hn::Zero(d);
  for (std::size_t a = 0; a < 3; ++a) {
    const auto axis = static_cast<Eigen::Index>(a);
    const V off = hn::Sub(hn::Set(d, x[axis]), hn::LoadU(d, bounds.column(a) + k));
    const V motion = hn::Sub(hn::Set(d, v[axis]), hn::LoadU(d, bounds.column(3 + a) + k));
    far = hn::Add(far, hn::Mul(off, off));
    closing = hn::Sub(closing, hn::Mul(off, motion));
    speed = hn::Add(speed, hn::Mul(motion, motion));
  }
  const V apart = hn::Add(off_m, hn::LoadU(d, bounds.column(6) + k));
  const V gap = hn::Sub(far, hn::Mul(apart, apart));
  const V discriminant = hn::Sub(hn::Mul(closing, closing), hn::Mul(gap, speed)),
          late = hn::Sub(gap, hn::Mul(closing, ahead));
  const auto is_late =
      hn::And(hn::Gt(late, hn::Zero(d)), hn::Gt(hn::Mul(late, late), hn::Mul(hn::Mul(ahead, ahead), discriminant)));
  const auto leaves = hn::Or(hn::Le(closing, hn::Zero(d)), hn::Lt(discriminant, hn::Zero(d)));
  return bits_of(hn::Not(hn::And(hn::Gt(gap, hn::Zero(d)), hn::Or(leaves, is_late))));
}

/// Number of rows to prefetch ahead. Rows are not sorted by position, so each row reads the bounds of another cell.
constexpr std::size_t soon = 4;
HWY_INLINE void fetch(const FlockBounds& bounds) {
  for (std::size_t c = 0; c < FlockBounds::columns; ++c) __builtin_prefetch(bounds.column(c));
}

void find_met_rows(const PassingJob& job, Range rows, std::uint64_t* out) {
  const D d;
  for (std::size_t i = rows.begin; i < rows.end; ++i) {
    if (i + soon < rows.end) fetch(job.obstacles->bounds_near(i + soon));
    const FlockBounds bounds = job.obstacles->bounds_near(i);
    const V off_m = hn::Set(d, job.off_m[i]), ahead = hn::Set(d, job.ahead_s[job.species[i]]);
    std::uint64_t met = 0;
    for (std::size_t k = 0; k < bounds.count; k += lanes) {
      std::uint64_t bits = met_from(bounds, k, job.position[i], job.velocity[i], off_m, ahead);
      if (bounds.count - k < lanes) bits &= (std::uint64_t{1} << (bounds.count - k)) - 1;
      met |= k < met_bits ? bits << k : static_cast<std::uint64_t>(bits != 0) << met_bits;
    }
    *out++ = met;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vw {
namespace {
HWY_EXPORT(find_met_rows);
}  // namespace

void find_met(const PassingJob& job, Range rows, std::span<std::uint64_t> out) {
  HWY_DYNAMIC_DISPATCH(find_met_rows)(job, rows, out.data());
}

}  // namespace vw
#endif
