#include "sim/surface/mesh_refinement.h"

#include <algorithm>
#include <unordered_map>

namespace vw {
namespace {

constexpr int most_splits = 2;
constexpr float bend_cosine = 0.94F;  // cosine of 20 degrees
constexpr std::uint32_t no_middle = 0xFFFFFFFFU;

/// The vertices in the middle of edges. Both triangles at an edge have the same vertex.
class EdgeMiddles {
 public:
  explicit EdgeMiddles(FluidMesh& mesh) : mesh_(mesh) {}
  /// Returns the vertex in the middle of the edge, or `no_middle` if the edge bends little.
  std::uint32_t at(std::uint32_t a, std::uint32_t b) {
    if (mesh_.normal[a].dot(mesh_.normal[b]) >= bend_cosine) return no_middle;
    const auto [low, high] = std::minmax(a, b);
    const auto [entry, is_new] = vertices_.try_emplace(static_cast<std::uint64_t>(low) << 32U | high,
                                                       static_cast<std::uint32_t>(mesh_.position.size()));
    if (is_new) add(low, high);
    return entry->second;
  }

 private:
  void add(std::uint32_t a, std::uint32_t b) {
    const Vec3 from = mesh_.position[a], to = mesh_.position[b], along = to - from;
    const Vec3 first = mesh_.normal[a].cast<double>(), second = mesh_.normal[b].cast<double>();
    mesh_.position.emplace_back(0.5 * (from + to) + 0.125 * (along.dot(second) * second - along.dot(first) * first));
    const Vec3f sum = mesh_.normal[a] + mesh_.normal[b];
    mesh_.normal.push_back(sum.norm() > 1e-3F ? Vec3f(sum.normalized()) : mesh_.normal[a]);
  }
  FluidMesh& mesh_;
  std::unordered_map<std::uint64_t, std::uint32_t> vertices_;
};

using Triangle = std::array<std::uint32_t, 3>;

/// Adds the parts of a triangle. `middle[k]` is the vertex on the edge from corner k to the next corner.
void add_parts(const Triangle& corner, const Triangle& middle, std::vector<Triangle>& out) {
  const auto split = std::ranges::count_if(middle, [](std::uint32_t v) { return v != no_middle; });
  if (split == 0) return out.push_back(corner);
  if (split == 3) {
    for (std::size_t k = 0; k < 3; ++k) out.push_back({corner[k], middle[k], middle[(k + 2) % 3]});
    return out.push_back(middle);
  }
  // The corners are renumbered, so that the edge from a to b is the only one that is split, or the only one that is
  // not.
  std::size_t k = 0;
  while ((middle[k] != no_middle) != (split == 1)) ++k;
  const std::uint32_t a = corner[k], b = corner[(k + 1) % 3], c = corner[(k + 2) % 3];
  if (split == 1) {
    out.push_back({a, middle[k], c});
    return out.push_back({middle[k], b, c});
  }
  const std::uint32_t after = middle[(k + 1) % 3], before = middle[(k + 2) % 3];
  out.push_back({after, c, before});
  out.push_back({a, b, after});
  out.push_back({a, after, before});
}

}  // namespace

void refine_bends(FluidMesh& mesh) {
  for (int round = 0; round < most_splits; ++round) {
    EdgeMiddles middles(mesh);
    std::vector<Triangle> parts;
    parts.reserve(mesh.triangle.size());
    for (const Triangle& t : mesh.triangle)
      add_parts(t, {middles.at(t[0], t[1]), middles.at(t[1], t[2]), middles.at(t[2], t[0])}, parts);
    if (parts.size() == mesh.triangle.size()) return;
    mesh.triangle = std::move(parts);
  }
}

}  // namespace vw
