#include "render/scene/mesh_pick.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "render/vectors/vectors.h"

namespace vw {
namespace {

constexpr std::size_t leaf_size = 4;
/// Capacity of the traversal stack. A tree of fewer than 2^32 triangles is at most 32 levels deep, and each level
/// leaves at most one node on the stack.
constexpr std::size_t deepest = 40;

/// Returns the distance at which the ray enters the box. The result is negative if the ray misses the box or enters the
/// box beyond `longest`.
float enter_box(const glm::vec3& origin, const glm::vec3& inverse, const glm::vec3& low, const glm::vec3& high,
                float longest) {
  float in = 0, out = longest;
  for (int k = 0; k < 3; ++k) {
    const float a = (low[k] - origin[k]) * inverse[k], b = (high[k] - origin[k]) * inverse[k];
    // If the ray lies in the plane of a face, 0 * infinity gives NaN. The comparisons then keep the previous value.
    const float near = std::min(a, b), far = std::max(a, b);
    in = near > in ? near : in;
    out = far < out ? far : out;
  }
  return in <= out ? in : -1;
}

}  // namespace

float hit_triangle(const Ray& ray, const glm::vec3& a, const glm::vec3& b, const glm::vec3& c) {
  const glm::vec3 e1 = b - a, e2 = c - a, p = glm::cross(ray.direction, e2);
  const float det = glm::dot(e1, p);
  if (det == 0) return -1;
  const glm::vec3 s = ray.origin - a;
  const float u = glm::dot(s, p) / det;
  const glm::vec3 q = glm::cross(s, e1);
  const float v = glm::dot(ray.direction, q) / det;
  return u < 0 || v < 0 || u + v > 1 ? -1 : glm::dot(e2, q) / det;
}

PickTree::PickTree(const SurfaceMesh& mesh) {
  triangles_.reserve(mesh.triangle.size());
  for (const auto& corners : mesh.triangle) {
    const auto at = [&](std::size_t k) { return to_glm(mesh.position[corners[k]]); };
    triangles_.push_back({at(0), at(1), at(2)});
  }
  if (triangles_.empty()) return;
  nodes_.reserve(triangles_.size());
  nodes_.emplace_back();
  split(0, 0, triangles_.size());
}

void PickTree::split(std::size_t node, std::size_t first, std::size_t end) {
  glm::vec3 low(std::numeric_limits<float>::max()), high(std::numeric_limits<float>::lowest());
  for (std::size_t i = first; i < end; ++i)
    for (const glm::vec3& p : {triangles_[i].a, triangles_[i].b, triangles_[i].c}) {
      low = glm::min(low, p);
      high = glm::max(high, p);
    }
  nodes_[node] = {low, high, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end - first)};
  if (end - first <= leaf_size) return;
  const glm::vec3 size = high - low;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const auto at = [&](std::size_t i) { return triangles_.begin() + static_cast<std::ptrdiff_t>(i); };
  const std::size_t middle = first + (end - first) / 2;
  std::nth_element(at(first), at(middle), at(end), [axis](const Triangle& p, const Triangle& q) {
    return p.a[axis] + p.b[axis] + p.c[axis] < q.a[axis] + q.b[axis] + q.c[axis];
  });
  const std::size_t children = nodes_.size();
  nodes_[node].first = static_cast<std::uint32_t>(children);
  nodes_[node].count = 0;
  nodes_.resize(children + 2);
  split(children, first, middle);
  split(children + 1, middle, end);
}

float PickTree::hit(const Ray& ray, bool backs) const {
  if (nodes_.empty()) return -1;
  const glm::vec3 inverse = 1.0F / ray.direction;
  float best = std::numeric_limits<float>::max();
  std::array<std::uint32_t, deepest> waiting{};
  std::size_t count = 1;  // the root node
  while (count > 0) {
    const Node& node = nodes_[waiting[--count]];
    if (enter_box(ray.origin, inverse, node.low, node.high, best) < 0) continue;
    if (node.count == 0) {
      waiting[count++] = node.first;
      waiting[count++] = node.first + 1;
      continue;
    }
    for (std::size_t i = node.first; i < node.first + node.count; ++i) {
      const Triangle& t = triangles_[i];
      if (!backs && glm::dot(glm::cross(t.b - t.a, t.c - t.a), ray.direction) >= 0) continue;
      if (const float distance = hit_triangle(ray, t.a, t.b, t.c); distance > 0) best = std::min(best, distance);
    }
  }
  return best < std::numeric_limits<float>::max() ? best : -1;
}

const PickTree& MeshTrees::of(const std::shared_ptr<const SurfaceMesh>& mesh) {
  std::erase_if(kept_, [](const Kept& kept) { return kept.mesh.expired(); });
  for (const Kept& kept : kept_)
    if (kept.mesh.lock() == mesh) return *kept.tree;
  kept_.push_back({mesh, std::make_unique<PickTree>(*mesh)});
  return *kept_.back().tree;
}

}  // namespace vw
