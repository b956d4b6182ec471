#include "render/fluid/fluid_walls.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/vectors/vectors.h"
#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

constexpr std::size_t wall_elements_a_chunk = 16384;
// Largest distance from a plane at which find() counts a particle as touching, in units of the particle spacing.
constexpr float touching_share = 1.25F;
// Maximum fraction of the particles that may lie behind a plane that bounds the fluid.
constexpr double strays_share = 0.01;

/// Numbers of particles of a fluid: in total, behind a plane, and touching the plane.
struct Sides {
  double all = 0, behind = 0, touching = 0;
  Sides operator+(const Sides& other) const {
    return {all + other.all, behind + other.behind, touching + other.touching};
  }
  Sides& operator+=(const Sides& other) { return *this = *this + other; }
};

/// Plane that may bound a fluid. If the plane is a face of a box, only particles in front of this face touch it.
struct WallCandidate {
  glm::vec4 plane{0};
  const ColliderSnapshot* box = nullptr;
  [[nodiscard]] bool is_before(const glm::vec3& place, float spacing_m) const {
    if (box == nullptr) return true;
    const Vec3f local = box->orientation.conjugate() * (Vec3f(place.x, place.y, place.z) - box->position);
    return ((local.cwiseAbs() - box->half_extent).array() < touching_share * spacing_m).all();
  }
};

/// Mean position of some of the particles.
glm::vec3 middle_of(std::span<const Figure> figures) {
  constexpr std::size_t stride = 16;
  glm::dvec4 sum(0);
  for (const Figure& figure : figures)
    for (std::size_t i = 0; figure.shape == FigureShape::surface && i < figure.places.size(); i += stride)
      if (const glm::vec4& place = figure.places[i]; place.w >= 0 && std::isfinite(place.x + place.y + place.z))
        sum += glm::dvec4(glm::vec3(place), 1);
  return glm::vec3(sum) / static_cast<float>(std::max(sum.w, 1.0));
}

/// The face of a box that is turned towards the fluid: the face from whose plane the middle of the fluid is farthest.
WallCandidate face_towards(const ColliderSnapshot& box, const glm::vec3& middle) {
  const Vec3f local = box.orientation.conjugate() * (Vec3f(middle.x, middle.y, middle.z) - box.position);
  int axis = 0;
  (local.cwiseAbs() - box.half_extent).maxCoeff(&axis);
  const float side = local[axis] < 0 ? -1.0F : 1.0F;
  const Vec3f n = box.orientation * Vec3f(side * Vec3f::Unit(axis));
  return {{n.x(), n.y(), n.z(), -n.dot(box.position) - box.half_extent[axis]}, &box};
}

Sides sides_of(const Figure& figure, const WallCandidate& wall) {
  const glm::vec4& plane = wall.plane;
  return ordered_sum(figure.places.size(), wall_elements_a_chunk, Sides{}, [&](Range part) {
    Sides sum;
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const glm::vec4& place = figure.places[i];
      const float height = glm::dot(glm::vec3(plane), glm::vec3(place)) + plane.w;
      if (!(place.w >= 0) || !std::isfinite(height)) continue;
      sum.all += 1;
      sum.behind += height < -0.25F * figure.spacing_m ? 1 : 0;
      sum.touching +=
          height < touching_share * figure.spacing_m && wall.is_before(glm::vec3(place), figure.spacing_m) ? 1 : 0;
    }
    return sum;
  });
}

}  // namespace

void FluidWalls::find(std::span<const Figure> figures, std::span<const ColliderSnapshot> colliders,
                      const CutPlanes& cut) {
  count = 0;
  is_solid_face = {};
  for (const glm::vec4& plane : cut.planes()) planes[count++] = plane;
  const glm::vec3 middle = middle_of(figures);
  for (const ColliderSnapshot& collider : colliders) {
    const bool is_box = collider.kind == ColliderSnapshot::Kind::box;
    if ((collider.kind != ColliderSnapshot::Kind::plane && !is_box) || count == most) continue;
    const Vec3f n = collider.orientation * Vec3f::UnitY();
    const WallCandidate wall =
        is_box ? face_towards(collider, middle) : WallCandidate{{n.x(), n.y(), n.z(), -n.dot(collider.position)}};
    Sides sum;
    for (const Figure& figure : figures)
      if (figure.shape == FigureShape::surface && figure.spacing_m > 0) sum += sides_of(figure, wall);
    if (!(sum.touching > 0 && sum.behind <= strays_share * sum.all)) continue;
    is_solid_face[count] = is_box;
    planes[count++] = wall.plane;
  }
  for (const Figure& figure : figures)
    if (figure.shape == FigureShape::surface && figure.spacing_m > 0) add_periodic_sides(figure);
}

/// Adds the two sides of the domain on each periodic axis along which the particles fill the domain. The centre of the
/// domain is assumed to be midway between the outermost particles.
void FluidWalls::add_periodic_sides(const Figure& figure) {
  for (int axis = 0; axis < 3; ++axis) {
    const float period = figure.period[axis];
    if (!(period > 0) || count + 2 > most) continue;
    float low = std::numeric_limits<float>::max(), high = std::numeric_limits<float>::lowest();
    for (const glm::vec4& place : figure.places)
      if (place.w >= 0 && std::isfinite(place[axis]))
        low = std::min(low, place[axis]), high = std::max(high, place[axis]);
    if (!(high - low > period - 2 * figure.spacing_m)) continue;
    const float middle = 0.5F * (low + high);
    for (const float side : {-1.0F, 1.0F}) {
      glm::vec4 plane(0);
      plane[axis] = -side;
      plane.w = 0.5F * period + side * middle;
      planes[count++] = plane;
    }
  }
}

int FluidWalls::touched_by(const glm::vec3& place, float spacing_m) const {
  int touched = 0;
  for (std::size_t k = 0; k < count; ++k)
    touched += glm::dot(glm::vec3(planes[k]), place) + planes[k].w < 0.75F * spacing_m ? 1 : 0;
  return touched;
}

void FluidWalls::add_images_below_floors(float spacing_m, std::vector<glm::vec3>& places) const {
  constexpr float image_share = 1.1F;  // height of the highest particle that has an image [particle spacings]
  for (std::size_t k = 0; k < count; ++k) {
    const glm::vec3 normal(planes[k]);
    if (!(normal.y > 0.7F)) continue;
    for (std::size_t i = 0, n = places.size(); i < n; ++i) {
      const float height = glm::dot(normal, places[i]) + planes[k].w;
      if (height > 0 && height < image_share * spacing_m) places.push_back(places[i] - 2 * height * normal);
    }
  }
}

float FluidWalls::exit_of(const glm::vec3& place, const glm::vec3& way) const {
  float exit = std::numeric_limits<float>::max();
  for (std::size_t k = 0; k < count; ++k) {
    const float rise = glm::dot(glm::vec3(planes[k]), way);
    if (rise < 0) exit = std::min(exit, std::max(glm::dot(glm::vec3(planes[k]), place) + planes[k].w, 0.0F) / -rise);
  }
  return exit;
}

namespace {

/// Place at which a ray enters the space within all walls. The depth is 0 if the eye is within all walls, and negative
/// if the ray does not enter.
struct WallEntry {
  float depth = 0;
  float steep = 0;  ///< distance behind the wall for each metre of depth
  glm::vec3 normal{0};
};
WallEntry entry_of(const FluidWalls& walls, const glm::vec3& eye, const glm::vec3& ray) {
  WallEntry out;
  for (std::size_t k = 0; k < walls.count; ++k) {
    const glm::vec3 n(walls.planes[k]);
    const float height = glm::dot(n, eye) + walls.planes[k].w, rise = glm::dot(n, ray);
    if (height >= 0) continue;  // the eye is on the fluid's side
    if (rise <= 0) return {-1, 0, {}};
    if (-height / rise > out.depth) out = {-height / rise, rise, -n};
  }
  return out;
}

OnWall moved_onto(const FluidWalls& walls, const glm::vec3& eye, const glm::vec3& ray, float depth,
                  const WallEntry& entry, float share) {
  OnWall out{depth + share * (entry.depth - depth), share, entry.normal, -1e30F};
  for (std::size_t k = 0; k < walls.count; ++k) {
    const glm::vec3 n(walls.planes[k]);
    const float height = glm::dot(n, eye) + walls.planes[k].w;
    if (height >= 0) out.beyond_m = std::max(out.beyond_m, -(height + out.depth * glm::dot(n, ray)));
  }
  return out;
}

}  // namespace

OnWall on_wall(const FluidWalls& walls, const glm::vec3& eye, const glm::vec3& ray, float depth,
               const glm::vec3& normal, float spacing_m) {
  const WallEntry entry = entry_of(walls, eye, ray);
  if (entry.depth < 0) return {depth, 0, {}, 1e30F};
  const float facing = smooth_step(wall_askew_cosine, wall_facing_cosine, glm::dot(normal, entry.normal));
  const float near = wall_askew_share + facing * (wall_facing_share - wall_askew_share);
  const float behind = (depth - entry.depth) * entry.steep / spacing_m;
  return moved_onto(walls, eye, ray, depth, entry,
                    entry.depth > 0 ? 1 - smooth_step(near, near + wall_blend_share, behind) : 0);
}

OnWall on_mirror_wall(const FluidWalls& walls, const glm::vec3& eye, const glm::vec3& ray, float depth, float slope_m) {
  const WallEntry entry = entry_of(walls, eye, ray);
  if (entry.depth < 0) return {depth, 0, {}, 1e30F};
  const float share = entry.depth > 0 ? std::clamp(0.5F - (depth - entry.depth) / slope_m, 0.0F, 1.0F) : 0;
  return moved_onto(walls, eye, ray, depth, entry, share);
}

}  // namespace vw
