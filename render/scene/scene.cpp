// Queries on a whole snapshot: bounding boxes, available channels, and picking with a ray.
#include <algorithm>
#include <cmath>
#include <limits>

#include "render/labels/figure.h"
#include "render/renderer.h"
#include "render/scene/collider_drawing.h"
#include "render/scene/members.h"
#include "render/scene/mesh_pick.h"
#include "render/vectors/vectors.h"
#include "sim/snapshot/extent.h"

namespace vw {
namespace {

/// Returns the distance along the ray to the first intersection with the sphere, or a negative number if the ray
/// misses.
float hit_sphere(const Ray& ray, const glm::vec3& center, float radius) {
  const glm::vec3 m = ray.origin - center;
  const float b = glm::dot(m, ray.direction);
  // If the sphere is far away, |m|^2 - b^2 loses precision. The squared length of the component of m perpendicular to
  // the ray has the same value and keeps its precision.
  const glm::vec3 across = m - b * ray.direction;
  const float inside = radius * radius - glm::dot(across, across);
  if (inside < 0) return -1;
  const float half = std::sqrt(inside);
  return -b - half > 0 ? -b - half : -b + half;
}

/// Returns the distance along the ray to a deformed member or to a chain of balls around its body, or a negative number
/// if the ray misses. The balls are added because small moving members are hard to hit.
float hit_member(const Ray& ray, const Figure& figure, std::size_t i) {
  constexpr float close_by = 0.22F;  // ball radius in half lengths of the body
  const glm::vec4& place = figure.places[i];
  const std::size_t species = figure.species[i];
  if (!(place.w > 0) || species >= figure.member_look.size() || figure.member_look[species].mesh == nullptr) return -1;
  const SpeciesLook& look = figure.member_look[species];
  if (hit_sphere(ray, glm::vec3(place), place.w * member_reach(look)) < 0) return -1;
  float best = -1;
  const auto offer = [&best](float distance) {
    if (distance > 0 && (best < 0 || distance < best)) best = distance;
  };
  for (int k = -2; k <= 2; ++k)
    offer(hit_sphere(ray, glm::vec3(place) + turned(figure.turns[i], {0.35F * static_cast<float>(k) * place.w, 0, 0}),
                     close_by * place.w));
  std::vector<glm::vec3> at;
  for (const Vec3f& p : look.mesh->position) {
    const glm::vec3 own = bent(look.motion, figure.beat[i], to_glm(p), {0, 1, 0}).place;
    at.push_back(glm::vec3(place) + place.w * turned(figure.turns[i], own));
  }
  for (const auto& t : look.mesh->triangle) offer(hit_triangle(ray, at[t[0]], at[t[1]], at[t[2]]));
  return best;
}

float hit_box(const Ray& ray, const glm::vec3& half) {
  float in = 0, out = std::numeric_limits<float>::max();
  for (int k = 0; k < 3; ++k) {
    if (ray.direction[k] == 0) {
      if (std::abs(ray.origin[k]) > half[k]) return -1;
      continue;
    }
    const float a = (-half[k] - ray.origin[k]) / ray.direction[k], b = (half[k] - ray.origin[k]) / ray.direction[k];
    in = std::max(in, std::min(a, b));
    out = std::min(out, std::max(a, b));
  }
  return in <= out ? in : -1;
}

/// Returns the distance along the ray to the collider, or a negative number if the ray misses. `backs`: whether the
/// back faces of a mesh count, as for a ray that may begin inside.
float hit_collider(const Ray& ray, const ColliderSnapshot& collider, MeshTrees& trees, bool backs) {
  if (collider.kind == ColliderSnapshot::Kind::sphere)
    return hit_sphere(ray, to_glm(collider.position), collider.half_extent.x());
  const Quatf back = collider.orientation.conjugate();
  const auto local = [&](const glm::vec3& v) { return to_glm(back * Vec3f(v.x, v.y, v.z)); };
  const Ray mine{local(ray.origin - to_glm(collider.position)), local(ray.direction)};
  if (collider.kind == ColliderSnapshot::Kind::box) return hit_box(mine, to_glm(collider.half_extent));
  if (collider.kind == ColliderSnapshot::Kind::mesh)
    return collider.mesh == nullptr ? -1 : trees.of(collider.mesh).hit(mine, backs || collider.two_sided);
  return mine.direction.y < 0 ? -mine.origin.y / mine.direction.y : -1;  // planes cannot be hit from behind
}

/// Part of a ray that no cut plane hides, as distances from the origin. It is empty if `out` is below `in`.
struct UncutPart {
  float in = 0, out = std::numeric_limits<float>::max();
};
UncutPart uncut_part(const Ray& ray, const CutPlanes& cut) {
  UncutPart part;
  for (const glm::vec4& plane : cut.planes()) {
    const float height = glm::dot(glm::vec3(plane), ray.origin) + plane.w,
                slope = glm::dot(glm::vec3(plane), ray.direction);
    if (slope > 0)
      part.in = std::max(part.in, -height / slope);
    else if (slope < 0)
      part.out = std::min(part.out, -height / slope);
    else if (height < 0)
      part.out = -1;
  }
  return part;
}

}  // namespace

Bounds3 scene_bounds(const Snapshot& snapshot) {
  Box3f box = extent_of(snapshot);
  const FieldPicture& air = snapshot.field;
  // If the scene contains neither elements nor colliders, use the box in which the air is displayed.
  if (box.isEmpty() && (air.box_max.array() > air.box_min.array()).any()) box = Box3f(air.box_min, air.box_max);
  return box.isEmpty() ? Bounds3{} : Bounds3{to_glm(box.min()), to_glm(box.max())};
}

Bounds3 subject_bounds(const Snapshot& snapshot) {
  const Box3f box = subject_extent(snapshot);
  return box.isEmpty() ? scene_bounds(snapshot) : Bounds3{to_glm(box.min()), to_glm(box.max())};
}

std::vector<std::string> color_choices(const Snapshot& snapshot) {
  std::vector<std::string> names{"material"};
  for (const SystemSnapshot& system : snapshot.systems)
    for (const ChannelInfo& channel : system.available)
      if (std::find(names.begin(), names.end(), channel.name) == names.end()) names.push_back(channel.name);
  return names;
}

std::optional<Pick> pick_element(const Snapshot& snapshot, const Ray& ray, MeshTrees& trees, FluidPick fluids,
                                 std::span<const std::string> hidden, const CutPlanes& cut) {
  constexpr float nothing = std::numeric_limits<float>::max();
  Pick best, behind_fluids;
  best.distance = behind_fluids.distance = nothing;
  bool is_clear = false;
  const auto offer = [&](float distance, const std::string& system, std::int64_t element,
                         const std::string& obstacle = {}) {
    if (!(distance > 0)) return;
    const Pick pick{system, element, ray.origin + distance * ray.direction, distance, obstacle};
    if (distance < best.distance) best = pick;
    if (!is_clear && distance < behind_fluids.distance) behind_fluids = pick;
  };
  // Cuts clip bodies and obstacles. Planes are not cut, and other elements are shown completely or not at all.
  const UncutPart part = uncut_part(ray, cut);
  const Ray clipped{ray.origin + part.in * ray.direction, ray.direction};
  const bool is_clipped = part.in > 0;
  const auto offer_clipped = [&](float distance, const std::string& system, std::int64_t element,
                                 const std::string& obstacle = {}) {
    const bool hits = distance > 0 || (is_clipped && distance == 0);
    if (hits && part.in + distance <= part.out) offer(part.in + distance, system, element, obstacle);
  };
  for (const ColliderSnapshot& collider : snapshot.colliders) {
    if (is_glass(collider) || is_hidden(hidden, collider.name)) continue;
    if (collider.kind == ColliderSnapshot::Kind::plane)
      offer(hit_collider(ray, collider, trees, false), {}, -1, collider.name);
    else
      offer_clipped(hit_collider(clipped, collider, trees, is_clipped), {}, -1, collider.name);
  }
  Figure figure;
  for (const SystemSnapshot& system : snapshot.systems) {
    if (is_hidden(hidden, system.name)) continue;
    is_clear = fluids == FluidPick::transparent && system.look_kind() == LookKind::fluid;
    place_figure(nullptr, system, 1, figure);
    if (const auto skin = skin_of(system); skin != nullptr) {
      for (const VoxelSkin::Quad& quad : skin->quads) {
        const auto at = [&](std::size_t c) {
          return glm::vec3(figure.corners[static_cast<std::size_t>(quad.vertex[c])].place);
        };
        offer_clipped(hit_triangle(clipped, at(0), at(1), at(2)), system.name, quad.voxel);
        offer_clipped(hit_triangle(clipped, at(0), at(2), at(3)), system.name, quad.voxel);
      }
    } else if (figure.shape == FigureShape::bodies) {
      const auto meshes = meshes_of(system);
      for (std::size_t i = 0; i < figure.places.size(); ++i) {
        if (meshes[i] == nullptr) continue;
        const Quatf back = system.orientation[i].conjugate();
        const auto local = [&](const glm::vec3& v) { return to_glm(back * Vec3f(v.x, v.y, v.z)); };
        const Ray mine{local(clipped.origin - glm::vec3(figure.places[i])), local(clipped.direction)};
        offer_clipped(trees.of(meshes[i]).hit(mine, is_clipped), system.name, static_cast<std::int64_t>(i));
      }
    } else if (figure.shape == FigureShape::members) {
      for (std::size_t i = 0; i < figure.places.size(); ++i)
        if (!cut.hides(glm::vec3(figure.places[i])))
          offer(hit_member(ray, figure, i), system.name, static_cast<std::int64_t>(i));
    } else {
      for (std::size_t i = 0; i < figure.places.size(); ++i)
        if (!cut.hides(glm::vec3(figure.places[i])))
          offer(hit_sphere(ray, glm::vec3(figure.places[i]), figure.places[i].w), system.name,
                static_cast<std::int64_t>(i));
    }
  }
  if (best.distance == nothing) return std::nullopt;
  return behind_fluids.system.empty() ? best : behind_fluids;
}

}  // namespace vw
