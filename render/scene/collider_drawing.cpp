#include "render/scene/collider_drawing.h"

#include <algorithm>
#include <cmath>

#include <glm/gtc/constants.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>

#include "render/vectors/vectors.h"

namespace vw {
namespace {

SurfaceMesh make_ball() {
  constexpr unsigned rings = 32, segments = 64;
  SurfaceMesh mesh;
  for (unsigned r = 0; r <= rings; ++r)
    for (unsigned s = 0; s <= segments; ++s) {
      const float a = glm::pi<float>() * static_cast<float>(r) / rings,
                  b = glm::two_pi<float>() * static_cast<float>(s) / segments;
      mesh.position.emplace_back(std::sin(a) * std::cos(b), std::cos(a), -std::sin(a) * std::sin(b));
      if (r == rings || s == segments) continue;
      const unsigned i = r * (segments + 1) + s, below = i + segments + 1;
      mesh.triangle.push_back({i, below, i + 1});
      mesh.triangle.push_back({i + 1, below, below + 1});
    }
  mesh.normal = mesh.position;
  return mesh;
}

SurfaceMesh make_box() {
  SurfaceMesh mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (const float side : {-1.0F, 1.0F}) {
      Vec3f n = Vec3f::Zero(), u = Vec3f::Zero(), v = Vec3f::Zero();
      n[axis] = side;
      u[(axis + 1) % 3] = side;  // u x v = n
      v[(axis + 2) % 3] = 1;
      const auto first = static_cast<unsigned>(mesh.position.size());
      for (const Vec3f& p : {Vec3f(n - u - v), Vec3f(n + u - v), Vec3f(n + u + v), Vec3f(n - u + v)}) {
        mesh.position.push_back(p);
        mesh.normal.push_back(n);
      }
      mesh.triangle.push_back({first, first + 1, first + 2});
      mesh.triangle.push_back({first, first + 2, first + 3});
    }
  return mesh;
}

/// Computes PlaneDrawing::grid. The grid has a line every 10^k m, where k is chosen such that a few tens of lines cross
/// the picture. The fine lines fade out before k increases.
glm::vec4 grid_of(float target_distance, const glm::vec3& foot, const glm::vec3& u, const glm::vec3& v) {
  const float decades = std::log10(std::max(target_distance, 1e-6F) * 0.22F);
  const float floor = std::floor(decades), spacing = std::pow(10.0F, floor);
  const auto offset = [&](float x) { return std::fmod(x / spacing, 10.0F); };
  return {offset(glm::dot(foot, u)), offset(glm::dot(foot, v)), 1 / spacing, 1 - 0.85F * (decades - floor)};
}

/// Centre and size of the scene's bounding box, rounded to coarse steps. Walls thus remain in place when a few drops
/// move away.
struct SteadyMiddle {
  glm::vec3 at;
  float radius;
  explicit SteadyMiddle(const Bounds3& box)
      : radius(std::exp2(std::ceil(std::log2(std::max(box.radius(), 1e-6F)) * 4) / 4)) {
    const float step = 0.25F * radius;
    at = glm::round(box.center() / step) * step;
  }
};

/// Clips the polygon in `corner` to the half plane of `cut` (I. Sutherland, G. Hodgman, "Reentrant polygon clipping",
/// 1974).
void cut_corners(const glm::vec3& cut, PlaneDrawing& look) {
  const std::array before = look.corner;
  const std::size_t count = look.corners;
  const auto side = [&](const glm::vec2& p) { return glm::dot(cut, glm::vec3(p, 1)); };
  look.corners = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const glm::vec2 &a = before[k], &b = before[(k + 1) % count];
    const float at_a = side(a), at_b = side(b);
    if (at_a >= 0 && look.corners < look.corner.size()) look.corner[look.corners++] = a;
    // Rounding errors can give a polygon with nearly collinear corners more intersections than two.
    if ((at_a >= 0) != (at_b >= 0) && look.corners < look.corner.size())
      look.corner[look.corners++] = glm::mix(a, b, at_a / (at_a - at_b));
  }
}

/// Initialises the corners of the plane. Unless the plane is the ground, the function then clips the plane by the other
/// planes, because nothing is visible behind them. Almost parallel planes do not clip each other.
void cut_by_others(std::span<const ColliderSnapshot> colliders, std::size_t which, PlaneDrawing& look) {
  const float e = look.extent;
  look.corner = {glm::vec2(-e, -e), glm::vec2(e, -e), glm::vec2(e, e), glm::vec2(-e, e)};
  look.corners = 4;
  look.cuts = 0;
  for (std::size_t i = 0; i < colliders.size() && look.cuts < PlaneDrawing::most_cuts && !look.is_ground; ++i) {
    if (i == which || colliders[i].kind != ColliderSnapshot::Kind::plane) continue;
    const glm::vec3 n = to_glm(colliders[i].orientation * Vec3f::UnitY());
    const glm::vec2 across(glm::dot(n, look.u), glm::dot(n, look.v));
    const float length = glm::length(across);
    if (length < 0.02F) continue;
    const glm::vec3 cut = glm::vec3(across, glm::dot(n, look.foot - to_glm(colliders[i].position))) / length;
    look.cut[look.cuts++] = cut;
    cut_corners(cut, look);
  }
}

}  // namespace

int ground_of(const Snapshot& snapshot) {
  for (std::size_t i = 0; i < snapshot.colliders.size(); ++i) {
    const ColliderSnapshot& c = snapshot.colliders[i];
    if (c.kind == ColliderSnapshot::Kind::plane && (c.orientation * Vec3f::UnitY()).y() > 0.999F)
      return static_cast<int>(i);
  }
  return -1;
}

glm::mat4 matrix_of(const ColliderSnapshot& collider) {
  const glm::quat turn(collider.orientation.w(), collider.orientation.x(), collider.orientation.y(),
                       collider.orientation.z());
  glm::vec3 size(1);
  if (collider.kind == ColliderSnapshot::Kind::sphere) size = glm::vec3(collider.half_extent.x());
  if (collider.kind == ColliderSnapshot::Kind::box) size = to_glm(collider.half_extent);
  return glm::translate(glm::mat4(1), to_glm(collider.position)) * glm::mat4_cast(turn) *
         glm::scale(glm::mat4(1), size);
}

const SurfaceMesh* surface_of(const ColliderSnapshot& collider) {
  static const SurfaceMesh ball = make_ball(), box = make_box();
  switch (collider.kind) {
    case ColliderSnapshot::Kind::sphere: return &ball;
    case ColliderSnapshot::Kind::box: return &box;
    case ColliderSnapshot::Kind::mesh: return collider.mesh.get();
    case ColliderSnapshot::Kind::plane: break;
  }
  return nullptr;
}

bool make_plane_drawing(std::span<const ColliderSnapshot> colliders, std::size_t which, bool is_ground,
                        const glm::vec3& eye, float target_distance, const Bounds3& box, PlaneDrawing& out) {
  const ColliderSnapshot& plane = colliders[which];
  const glm::vec3 n = to_glm(plane.orientation * Vec3f::UnitY()), at = to_glm(plane.position);
  const float height = glm::dot(eye - at, n);
  if (!(height > 0)) return false;
  const auto foot_of = [&](const glm::vec3& p) { return p - glm::dot(p - at, n) * n; };
  const SteadyMiddle scene(box);
  const float scale = std::max(target_distance, scene.radius);
  out.is_ground = is_ground;
  out.u = to_glm(plane.orientation * Vec3f::UnitX());
  out.v = glm::cross(n, out.u);
  out.foot = is_ground ? foot_of(eye) : foot_of(scene.at);
  const glm::vec3 middle = foot_of(scene.at) - out.foot;
  out.middle = is_ground ? glm::vec2(0) : glm::vec2(glm::dot(middle, out.u), glm::dot(middle, out.v));
  // Slopes extend far, like the ground. Walls end near the scene.
  const bool is_slope = !is_ground && plane.opacity >= 0.5F && n.y > 0.5F;
  out.fade_radius = is_ground ? 16 * scale : is_slope ? 10 * scale : 2.2F * std::max(scene.radius, 0.05F);
  out.extent = is_ground ? 30 * std::max(scale, height) : out.fade_radius;
  out.tile_m = std::exp2(std::round(std::log2(0.45F * std::max(scene.radius, 1e-6F))));
  out.albedo = (is_ground ? glm::vec3(0.62F, 0.61F, 0.60F) : glm::vec3(0.9F)) * to_glm(plane.color);
  out.grid = grid_of(target_distance, out.foot, out.u, out.v);
  out.opacity = is_ground ? 1 : plane.opacity;
  out.is_pane = !is_ground && plane.opacity < 0.5F;
  cut_by_others(colliders, which, out);
  return out.corners > 2;
}

}  // namespace vw
