// SIMD traversal of a triangle tree, compiled for several instruction sets (Highway). Eight boxes or triangles are
// tested at once in single precision, with a margin for rounding. These tests only exclude candidates. The remaining
// candidates are compared in double precision.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/collision/mesh/mesh_walk.cpp"
// Three targets suffice (scalar, 128 and 256 bits), because nodes are eight wide.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3 | HWY_AVX3_DL)
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "sim/base/elementary/fused-inl.h"
#include "sim/collision/mesh/mesh_tree.h"

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr HWY_CAPPED(float, 8) wide;
using V = hn::Vec<decltype(wide)>;

struct V3 {
  V x, y, z;
};
HWY_INLINE V3 load3(const float (&rows)[3][tree_width], std::size_t lane) {
  return {hn::Load(wide, rows[0] + lane), hn::Load(wide, rows[1] + lane), hn::Load(wide, rows[2] + lane)};
}
HWY_INLINE V3 set3(const Vec3f& v) { return {hn::Set(wide, v.x()), hn::Set(wide, v.y()), hn::Set(wide, v.z())}; }
HWY_INLINE V dot(const V3& a, const V3& b) { return mul_add(a.x, b.x, mul_add(a.y, b.y, hn::Mul(a.z, b.z))); }
HWY_INLINE V3 minus(const V3& a, const V3& b) { return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)}; }
HWY_INLINE V3 plus(const V3& a, const V3& b) { return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)}; }
HWY_INLINE V3 cross(const V3& a, const V3& b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)), hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}
HWY_INLINE V3 min3(const V3& a, const V3& b) { return {hn::Min(a.x, b.x), hn::Min(a.y, b.y), hn::Min(a.z, b.z)}; }
HWY_INLINE V3 max3(const V3& a, const V3& b) { return {hn::Max(a.x, b.x), hn::Max(a.y, b.y), hn::Max(a.z, b.z)}; }

template <class Mask>
HWY_INLINE std::uint32_t bits_of(Mask mask, std::size_t lane) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(wide, mask, bytes);
  return static_cast<std::uint32_t>(bytes[0]) << lane;
}

/// Children that are still to be visited. The nearest child of the node visited last is on top.
class Stack {
 public:
  struct Entry {
    float key;
    std::uint32_t child;
  };
  [[nodiscard]] HWY_INLINE bool empty() const { return size_ == 0; }
  HWY_INLINE Entry pop() { return entry_[--size_]; }
  HWY_INLINE void push(float key, std::uint32_t child) { entry_[size_++] = {key, child}; }
  /// Pushes those children of a node whose lanes are marked, sorted by key.
  HWY_INLINE void push_marked(std::uint32_t marked, const float* key, const std::uint32_t* child) {
    const std::size_t first = size_;
    for (; marked != 0; marked &= marked - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(marked));
      if (child[lane] == no_child) continue;
      std::size_t at = size_++;
      for (; at > first && entry_[at - 1].key < key[lane]; --at) entry_[at] = entry_[at - 1];
      entry_[at] = {key[lane], child[lane]};
    }
  }

 private:
  Entry entry_[tree_depth * (tree_width - 1) + tree_width];
  std::size_t size_ = 0;
};

/// Returns the squared distance to an edge. `from` is the vector from the start of the edge to the point. The result is
/// accurate even for a very short edge.
HWY_INLINE V edge_distance_2(const V3& from, const V3& edge) {
  const V share = hn::Div(dot(from, edge), hn::Max(dot(edge, edge), hn::Set(wide, 1e-37F)));
  const V t = hn::Min(hn::Max(share, hn::Zero(wide)), hn::Set(wide, 1.0F));
  const V3 away{neg_mul_add(t, edge.x, from.x), neg_mul_add(t, edge.y, from.y), neg_mul_add(t, edge.z, from.z)};
  return dot(away, away);
}

/// Returns the squared distances to eight triangles. Except for the rounding of coordinates, the results never exceed
/// the true values. If the foot of the perpendicular lies (nearly) inside the triangle, the result is the distance to
/// the plane, reduced by the uncertainty of the normal of a very thin triangle.
HWY_INLINE V triangle_distance_2(const TriangleBlock& block, std::size_t lane, const V3& point) {
  const V3 f = minus(point, load3(block.corner, lane)), e0 = load3(block.edge_0, lane), e1 = load3(block.edge_1, lane);
  const V rim =
      hn::Min(hn::Min(edge_distance_2(f, e0), edge_distance_2(f, e1)), edge_distance_2(minus(f, e0), minus(e1, e0)));
  const V3 n = cross(e0, e1);
  const V nn = hn::Max(dot(n, n), hn::Set(wide, 1e-30F)), slack = hn::Mul(nn, hn::Set(wide, -1e-4F));
  const V v = dot(cross(f, e1), n), w = dot(cross(e0, f), n), u = hn::Sub(nn, hn::Add(v, w));
  const V length = hn::Sqrt(nn);
  const V unsure = hn::Div(hn::Mul(hn::Set(wide, 2e-6F), hn::Max(dot(e0, e0), dot(e1, e1))), length);
  const V height =
      hn::Mul(hn::Div(hn::Abs(dot(n, f)), length), hn::Max(hn::Zero(wide), hn::Sub(hn::Set(wide, 1.0F), unsure)));
  const auto inside = hn::Ge(hn::Min(u, hn::Min(v, w)), slack);
  return hn::Min(rim, hn::IfThenElse(inside, hn::Mul(height, height), rim));
}

class NearestWalk {
 public:
  NearestWalk(const MeshTree& tree, const TriangleList& list, const Vec3& point, double reach, std::uint32_t guess)
      : tree_(tree), list_(list), point_(point) {
    const Vec3 local = point - tree.middle;
    rounding_ = 1e-6 * (local.cwiseAbs().maxCoeff() + tree.extent);
    near_ = local.cast<float>();
    best_.distance = reach;
    best_2_ = reach * reach;
    tighten();
    if (guess != no_child) see_triangle(guess);
  }

  NearestOnMesh run() {
    stack_.push(0, 0);
    while (!stack_.empty()) {
      const auto [key, child] = stack_.pop();
      if (!(key <= limit_)) continue;
      if ((child & leaf_bit) == 0)
        see_node(tree_.nodes[child]);
      else
        see_block(tree_.blocks[child & ~leaf_bit]);
    }
    return best_;
  }

 private:
  void tighten() {
    const double bound = std::min(best_.distance + rounding_, 1e15);
    limit_ = static_cast<float>(bound * bound * (1 + 1e-5));
  }

  HWY_INLINE void see_node(const TreeNode& node) {
    HWY_ALIGN float key[tree_width];
    const V3 p = set3(near_);
    const V zero = hn::Zero(wide), limit = hn::Set(wide, limit_);
    std::uint32_t marked = 0;
    for (std::size_t lane = 0; lane < tree_width; lane += hn::Lanes(wide)) {
      const V3 out = max3(max3(minus(load3(node.low, lane), p), minus(p, load3(node.high, lane))), {zero, zero, zero});
      const V distance_2 = dot(out, out);
      hn::Store(distance_2, wide, key + lane);
      marked |= bits_of(hn::Le(distance_2, limit), lane);
    }
    // For at most two children, a visit is faster than a test of their discs.
    if (std::popcount(marked) > 2) marked &= see_discs(node, p, limit, key);
    stack_.push_marked(marked, key, node.child);
  }

  HWY_INLINE static std::uint32_t see_discs(const TreeNode& node, const V3& point, V limit, float* key) {
    std::uint32_t marked = 0;
    for (std::size_t lane = 0; lane < tree_width; lane += hn::Lanes(wide)) {
      const V distance_2 = hn::Max(hn::Load(wide, key + lane), disc_distance_2(node, lane, point));
      hn::Store(distance_2, wide, key + lane);
      marked |= bits_of(hn::Le(distance_2, limit), lane);
    }
    return marked;
  }

  HWY_INLINE static V disc_distance_2(const TreeNode& node, std::size_t lane, const V3& point) {
    const V3 axis = load3(node.axis, lane), from = minus(point, load3(node.core, lane));
    const V up = dot(axis, from);
    const V3 across{neg_mul_add(up, axis.x, from.x), neg_mul_add(up, axis.y, from.y), neg_mul_add(up, axis.z, from.z)};
    const V over = hn::Max(hn::Sub(hn::Abs(up), hn::Load(wide, node.half_height + lane)), hn::Zero(wide));
    const V beside =
        hn::Max(hn::Sub(hn::Sqrt(dot(across, across)), hn::Load(wide, node.radius + lane)), hn::Zero(wide));
    return mul_add(over, over, hn::Mul(beside, beside));
  }

  HWY_INLINE void see_block(const TriangleBlock& block) {
    HWY_ALIGN float key[tree_width];
    const V3 p = set3(near_);
    const V limit = hn::Set(wide, limit_);
    std::uint32_t marked = 0;
    for (std::size_t lane = 0; lane < tree_width; lane += hn::Lanes(wide)) {
      const V distance_2 = triangle_distance_2(block, lane, p);
      hn::Store(distance_2, wide, key + lane);
      marked |= bits_of(hn::Le(distance_2, limit), lane);
    }
    // The nearest triangle is tested first, because it usually excludes the others.
    while (marked != 0) {
      auto nearest = static_cast<std::size_t>(std::countr_zero(marked));
      for (std::uint32_t rest = marked & (marked - 1); rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
        if (key[lane] < key[nearest]) nearest = lane;
      }
      if (!(key[nearest] <= limit_)) return;
      marked &= ~(1U << nearest);
      if (block.id[nearest] != no_child) see_triangle(block.id[nearest]);
    }
  }

  void see_triangle(std::uint32_t id) {
    const NearestOnTriangle at = nearest_on_triangle(triangle_of(list_, id), point_);
    const double distance_2 = (at.point - point_).squaredNorm();
    if (distance_2 > best_2_ || (distance_2 == best_2_ && best_.triangle != no_child)) return;
    best_2_ = distance_2;
    best_ = {std::sqrt(distance_2), id, at};
    tighten();
  }

  const MeshTree& tree_;
  const TriangleList& list_;
  const Vec3& point_;
  Vec3f near_;
  double rounding_ = 0, best_2_ = 0;
  float limit_ = 0;
  NearestOnMesh best_;
  Stack stack_;
};

NearestOnMesh nearest_any(const MeshTree& tree, const TriangleList& list, const Vec3& point, double reach,
                          std::uint32_t guess) {
  return NearestWalk(tree, list, point, reach, guess).run();
}

class AlongWalk {
 public:
  AlongWalk(const MeshTree& tree, const BallPath& path, const TouchVisitor& visitor) : tree_(tree), visitor_(visitor) {
    const Vec3 from = path.from - tree.middle, to = from + path.along;
    const double size = std::max(from.cwiseAbs().maxCoeff(), to.cwiseAbs().maxCoeff()) + tree.extent;
    // The margin grows with the extent of the path. Rounding to single precision may then add candidates, but never
    // removes a candidate.
    margin_ = static_cast<float>(path.radius + 1e-6 * size);
    size_ = static_cast<float>(2 * size);
    from_ = from.cast<float>();
    along_ = path.along.cast<float>();
    for (int k = 0; k < 3; ++k) {
      const float step = along_[k];
      inverse_[k] = 1 / (std::abs(step) > 1e-30F ? step : 1e-30F);
    }
  }

  void run() {
    stack_.push(0, 0);
    while (!stack_.empty()) {
      const auto [key, child] = stack_.pop();
      if (!(key <= latest_ + 2e-6F)) continue;
      if ((child & leaf_bit) == 0)
        see_node(tree_.nodes[child]);
      else
        see_block(tree_.blocks[child & ~leaf_bit]);
    }
  }

 private:
  /// Pushes the children whose boxes, enlarged by the radius of the ball, the path crosses. The key of a child is the
  /// fraction of the path at which the path enters its box.
  HWY_INLINE void see_node(const TreeNode& node) {
    HWY_ALIGN float key[tree_width];
    const V3 from = set3(from_), inverse = set3(inverse_);
    const V margin = hn::Set(wide, margin_), slack = hn::Set(wide, 2e-6F);
    const V3 thick{margin, margin, margin};
    std::uint32_t marked = 0;
    for (std::size_t lane = 0; lane < tree_width; lane += hn::Lanes(wide)) {
      const V3 a = minus(minus(load3(node.low, lane), thick), from),
               b = minus(plus(load3(node.high, lane), thick), from);
      const V3 ta{hn::Mul(a.x, inverse.x), hn::Mul(a.y, inverse.y), hn::Mul(a.z, inverse.z)};
      const V3 tb{hn::Mul(b.x, inverse.x), hn::Mul(b.y, inverse.y), hn::Mul(b.z, inverse.z)};
      const V3 in = min3(ta, tb), out = max3(ta, tb);
      const V enter = hn::Max(hn::Max(in.x, in.y), hn::Max(in.z, hn::Zero(wide)));
      const V leave = hn::Min(hn::Min(out.x, out.y), hn::Min(out.z, hn::Set(wide, latest_)));
      hn::Store(enter, wide, key + lane);
      marked |= bits_of(hn::Le(enter, hn::Add(leave, slack)), lane);
    }
    stack_.push_marked(marked, key, node.child);
  }

  /// Reports triangles to the visitor if their bounding box intersects the bounding box of the path, and if their plane
  /// comes within a ball radius of the path.
  HWY_INLINE void see_block(const TriangleBlock& block) {
    const V3 from = set3(from_);
    const Vec3f end = from_ + latest_ * along_;
    const Vec3f low_end = from_.cwiseMin(end).array() - margin_, high_end = from_.cwiseMax(end).array() + margin_;
    const V3 low = set3(low_end), high = set3(high_end), along = set3(latest_ * along_);
    const V zero = hn::Zero(wide), margin = hn::Set(wide, margin_), unsure = hn::Set(wide, 2e-6F * size_);
    std::uint32_t marked = 0;
    for (std::size_t lane = 0; lane < tree_width; lane += hn::Lanes(wide)) {
      const V3 a = load3(block.corner, lane), e0 = load3(block.edge_0, lane), e1 = load3(block.edge_1, lane);
      const V3 most = plus(a, max3(max3(e0, e1), {zero, zero, zero})),
               least = plus(a, min3(min3(e0, e1), {zero, zero, zero}));
      const auto boxes = hn::And(hn::And(hn::And(hn::Ge(most.x, low.x), hn::Ge(most.y, low.y)),
                                         hn::And(hn::Ge(most.z, low.z), hn::Le(least.x, high.x))),
                                 hn::And(hn::Le(least.y, high.y), hn::Le(least.z, high.z)));
      const V3 n = cross(e0, e1);
      const V start = dot(n, minus(from, a)), finish = hn::Add(start, dot(n, along));
      const V thick = mul_add(margin, hn::Sqrt(dot(n, n)), hn::Mul(unsure, hn::Max(dot(e0, e0), dot(e1, e1))));
      const auto planes =
          hn::And(hn::Le(hn::Min(start, finish), thick), hn::Ge(hn::Max(start, finish), hn::Neg(thick)));
      marked |= bits_of(hn::And(boxes, planes), lane);
    }
    for (; marked != 0; marked &= marked - 1) {
      const std::uint32_t id = block.id[std::countr_zero(marked)];
      if (id != no_child) latest_ = static_cast<float>(visitor_.call(visitor_.object, id)) * (1 + 2e-7F);
    }
  }

  const MeshTree& tree_;
  const TouchVisitor& visitor_;
  Vec3f from_, along_, inverse_;
  float margin_ = 0, size_ = 0, latest_ = 1;
  Stack stack_;
};

void along_any(const MeshTree& tree, const BallPath& path, const TouchVisitor& visitor) {
  AlongWalk(tree, path, visitor).run();
}

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vw {
namespace {
HWY_EXPORT(nearest_any);
HWY_EXPORT(along_any);
}  // namespace

NearestOnMesh nearest_on_mesh(const MeshTree& tree, const TriangleList& list, const Vec3& point, double reach,
                              std::uint32_t guess) {
  return HWY_DYNAMIC_DISPATCH(nearest_any)(tree, list, point, reach, guess);
}
void visit_along(const MeshTree& tree, const BallPath& path, TouchVisitor visitor) {
  HWY_DYNAMIC_DISPATCH(along_any)(tree, path, visitor);
}

}  // namespace vw
#endif
