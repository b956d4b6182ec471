#include "sim/collision/mesh/mesh_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

using Box = Eigen::AlignedBox3f;

/// Properties of a triangle that determine its position in the tree.
struct Item {
  Box box;
  Vec3f middle;
  std::uint32_t id = 0;
};

struct Span {
  std::size_t begin = 0, end = 0;
  Box box;
  [[nodiscard]] std::size_t size() const { return end - begin; }
};

float half_area(const Box& box) {
  const Vec3f d = box.sizes();
  return d.x() * d.y() + d.y() * d.z() + d.z() * d.x();
}

Box box_of_items(const std::vector<Item>& items, std::size_t begin, std::size_t end) {
  Box box;
  for (std::size_t i = begin; i < end; ++i) box.extend(items[i].box);
  return box;
}

struct Split {
  int axis = -1;
  float at = 0;
  float cost = std::numeric_limits<float>::max();
};

constexpr std::size_t bins = 16;
// A narrower span is not split, because its number of bins per metre is not finite.
constexpr float least_split_width = 1e-37F;

/// Returns the best splitting plane perpendicular to one axis. The cost of a plane is the area of the bounding box
/// times the number of triangles, summed over both sides.
Split best_split(const std::vector<Item>& items, const Span& span, int axis, float low, float width) {
  std::array<Box, bins> box;
  std::array<std::size_t, bins> count{};
  const float scale = static_cast<float>(bins) * (1 - 1e-6F) / width;
  for (std::size_t i = span.begin; i < span.end; ++i) {
    const auto bin = std::min(bins - 1, static_cast<std::size_t>((items[i].middle[axis] - low) * scale));
    box[bin].extend(items[i].box);
    ++count[bin];
  }
  std::array<float, bins> after{};  // after[i]: cost of the triangles in bins i to 15.
  Box sum;
  std::size_t n = 0;
  for (std::size_t bin = bins; bin-- > 1;) {
    sum.extend(box[bin]);
    n += count[bin];
    after[bin] = n == 0 ? 0 : half_area(sum) * static_cast<float>(n);
  }
  Split best;
  sum.setEmpty();
  n = 0;
  for (std::size_t bin = 0; bin + 1 < bins; ++bin) {
    sum.extend(box[bin]);
    n += count[bin];
    if (n == 0 || n == span.size()) continue;
    const float cost = half_area(sum) * static_cast<float>(n) + after[bin + 1];
    if (cost < best.cost) best = {axis, low + static_cast<float>(bin + 1) / scale, cost};
  }
  return best;
}

std::size_t halve(std::vector<Item>& items, const Span& span, int axis) {
  const std::size_t middle = span.begin + span.size() / 2;
  std::nth_element(items.begin() + static_cast<std::ptrdiff_t>(span.begin),
                   items.begin() + static_cast<std::ptrdiff_t>(middle),
                   items.begin() + static_cast<std::ptrdiff_t>(span.end), [axis](const Item& a, const Item& b) {
                     return a.middle[axis] != b.middle[axis] ? a.middle[axis] < b.middle[axis] : a.id < b.id;
                   });
  return middle;
}

/// Splits a span at the best plane and reorders its items. Returns the index at which the second part begins. If
/// `even`, both parts instead get the same number of triangles, which limits the depth of the tree.
std::size_t divide(std::vector<Item>& items, const Span& span, bool even) {
  Box middles;
  for (std::size_t i = span.begin; i < span.end; ++i) middles.extend(items[i].middle);
  int longest = 0;
  middles.sizes().maxCoeff(&longest);
  if (even) return halve(items, span, longest);
  Split best;
  for (int axis = 0; axis < 3; ++axis) {
    const float width = middles.sizes()[axis];
    if (!(width > least_split_width)) continue;
    const Split split = best_split(items, span, axis, middles.min()[axis], width);
    if (split.cost < best.cost) best = split;
  }
  if (best.axis < 0) return halve(items, span, longest);
  const auto begin = items.begin() + static_cast<std::ptrdiff_t>(span.begin),
             end = items.begin() + static_cast<std::ptrdiff_t>(span.end);
  const auto middle = std::partition(begin, end, [&](const Item& item) { return item.middle[best.axis] < best.at; });
  if (middle == begin || middle == end) return halve(items, span, longest);
  return static_cast<std::size_t>(middle - items.begin());
}

/// Bounding disc of some triangles: unit normal, centre, half height and radius.
struct Disc {
  Vec3 axis = Vec3::UnitY(), core = Vec3::Zero();
  double half_height = 0, radius = 0;
};

Disc disc_around(const TriangleList& list, const std::vector<Item>& items, const Span& span) {
  Disc disc;
  Vec3 area = Vec3::Zero(), middle = Vec3::Zero();
  for (std::size_t i = span.begin; i < span.end; ++i) {
    const Triangle t = triangle_of(list, items[i].id);
    area += t.area_vector();
    middle += t.a + t.b + t.c;
  }
  middle /= 3 * static_cast<double>(span.size());
  if (area.norm() > 0) disc.axis = area.normalized();
  double low = 0, high = 0, radius_2 = 0;
  for (std::size_t i = span.begin; i < span.end; ++i) {
    const Triangle t = triangle_of(list, items[i].id);
    for (const Vec3& corner : {t.a, t.b, t.c}) {
      const Vec3 out = corner - middle;
      const double up = disc.axis.dot(out);
      low = std::min(low, up);
      high = std::max(high, up);
      radius_2 = std::max(radius_2, (out - up * disc.axis).squaredNorm());
    }
  }
  disc.core = middle + 0.5 * (low + high) * disc.axis;
  disc.half_height = 0.5 * (high - low);
  disc.radius = std::sqrt(radius_2);
  return disc;
}

TriangleBlock make_block(const TriangleList& list, const Vec3& middle, const std::vector<Item>& items,
                         const Span& span) {
  TriangleBlock block{};
  for (std::size_t lane = 0; lane < tree_width; ++lane) {
    block.id[lane] = no_child;
    for (int k = 0; k < 3; ++k) block.corner[k][lane] = 1e18F;
    if (lane >= span.size()) continue;
    block.id[lane] = items[span.begin + lane].id;
    const Triangle t = triangle_of(list, block.id[lane]);
    for (int k = 0; k < 3; ++k) {
      block.corner[k][lane] = static_cast<float>(t.a[k] - middle[k]);
      block.edge_0[k][lane] = static_cast<float>(t.b[k] - t.a[k]);
      block.edge_1[k][lane] = static_cast<float>(t.c[k] - t.a[k]);
    }
  }
  return block;
}

class Builder {
 public:
  Builder(const TriangleList& list, MeshTree& tree) : list_(list), tree_(tree) {
    items_.resize(list.triangle.size());
    // Boxes are enlarged by more than the rounding error of the conversion to float.
    const float round = 2e-7F * static_cast<float>(tree.extent);
    parallel_for(items_.size(), 16384, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i) {
        const Triangle t = triangle_of(list_, static_cast<std::uint32_t>(i));
        Item& item = items_[i];
        item.id = static_cast<std::uint32_t>(i);
        for (const Vec3& corner : {t.a, t.b, t.c}) item.box.extend(Vec3f((corner - tree_.middle).cast<float>()));
        item.box.min().array() -= round;
        item.box.max().array() += round;
        item.middle = item.box.center();
      }
    });
  }

  void run() {
    Span root{0, items_.size(), box_of_items(items_, 0, items_.size())};
    tree_.nodes.emplace_back();
    add(0, root, 0);
  }

 private:
  /// Fills a node. Splits its span into up to eight parts. Each split divides the part with the highest traversal cost.
  void add(std::size_t node, const Span& span, std::size_t depth) {
    std::array<Span, tree_width> part;
    part[0] = span;
    std::size_t parts = 1;
    while (parts < tree_width) {
      std::size_t worst = tree_width;
      float cost = -1;
      for (std::size_t i = 0; i < parts; ++i) {
        const float here = half_area(part[i].box) * static_cast<float>(part[i].size());
        if (part[i].size() > tree_width && here > cost) worst = i, cost = here;
      }
      if (worst == tree_width) break;
      const Span whole = part[worst];
      const std::size_t middle = divide(items_, whole, depth >= sah_depth);
      part[worst] = {whole.begin, middle, box_of_items(items_, whole.begin, middle)};
      part[parts++] = {middle, whole.end, box_of_items(items_, middle, whole.end)};
    }
    for (std::size_t lane = 0; lane < tree_width; ++lane) {
      std::uint32_t child = no_child;
      if (lane < parts && part[lane].size() <= tree_width) {
        child = leaf_bit | static_cast<std::uint32_t>(tree_.blocks.size());
        tree_.blocks.push_back(make_block(list_, tree_.middle, items_, part[lane]));
      } else if (lane < parts) {
        child = static_cast<std::uint32_t>(tree_.nodes.size());
        tree_.nodes.emplace_back();
      }
      TreeNode& here = tree_.nodes[node];
      here.child[lane] = child;
      for (int k = 0; k < 3; ++k) {
        here.low[k][lane] = lane < parts ? part[lane].box.min()[k] : 1e18F;
        here.high[k][lane] = lane < parts ? part[lane].box.max()[k] : 1e18F;
        here.axis[k][lane] = here.core[k][lane] = 0;
      }
      here.half_height[lane] = here.radius[lane] = 0;
      if (lane < parts) put_disc(here, lane, disc_around(list_, items_, part[lane]));
    }
    for (std::size_t lane = 0; lane < parts; ++lane) {
      const std::uint32_t child = tree_.nodes[node].child[lane];
      if ((child & leaf_bit) == 0) add(child, part[lane], depth + 1);
    }
  }

  void put_disc(TreeNode& node, std::size_t lane, const Disc& disc) const {
    const double round = 4e-7 * tree_.extent;
    for (int k = 0; k < 3; ++k) {
      node.axis[k][lane] = static_cast<float>(disc.axis[k]);
      node.core[k][lane] = static_cast<float>(disc.core[k] - tree_.middle[k]);
    }
    node.half_height[lane] = static_cast<float>(disc.half_height + round);
    node.radius[lane] = static_cast<float>(disc.radius + round);
  }

  /// From this depth on, spans are halved by count. Splits by cost may put nearly all triangles of a node into one
  /// child, so they alone would not limit the depth. 24 levels of halving suffice for 10^7 triangles.
  static constexpr std::size_t sah_depth = 22;

  const TriangleList& list_;
  MeshTree& tree_;
  std::vector<Item> items_;
};

}  // namespace

MeshTree build_tree(const TriangleList& list) {
  MeshTree tree;
  Box3 box;
  for (const Vec3& p : list.position) box.extend(p);
  tree.middle = box.center();
  tree.extent = 0.5 * box.sizes().maxCoeff();
  Builder(list, tree).run();
  return tree;
}

}  // namespace vw
