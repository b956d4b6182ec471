// Refraction at a fluid's surface: finds the place in the picture that shows the object seen through a surface point.
// Both renderers and the pick use the same formulas (shaders/fluid_surface.frag has them in GLSL). This file contains
// CPU code only, no GL calls.
//
// Lengths along the view direction are depths [m]. Places and displacements in the picture are components along its
// right and up axes at a depth of 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <glm/glm.hpp>

namespace vw {

/// Refractive index of water.
inline constexpr float water_index = 1.333F;
/// Largest displacement of a lookup, in pixels and as a fraction of the height of the picture.
inline constexpr int largest_shift_px = 190;
inline constexpr float largest_shift_share = 0.2F;
/// Largest displacement in a picture of a given height [px].
[[nodiscard]] inline float most_shift_px(int height) {
  return std::min(largest_shift_share * static_cast<float>(height), static_cast<float>(largest_shift_px));
}
/// The thickness of the fluid, which is known up to the noise of the particles, bounds the path in the fluid. The bound
/// is `path_share` times the thickness plus `path_slack_spacings` particle spacings. A floor or a body in the fluid
/// thus limits the path before the thickness does.
inline constexpr float path_share = 1.2F, path_slack_spacings = 1;
/// Largest number of lookups for one pixel.
inline constexpr int most_lookups = 10;
/// Largest number of further lookups for one pixel, which find objects that are smaller than the displacement.
inline constexpr int most_steps = 24;
/// Accepted difference between the depths of the refracted ray and of the object seen, in units of the depth below the
/// surface. The width of a pixel is added.
inline constexpr float seen_tolerance = 0.002F;
/// Accepted difference, in the same units, if the search has not converged.
inline constexpr float hit_tolerance = 0.01F;
/// Difference in depth between neighbouring places above which they show different objects, in the same units.
inline constexpr float different_object_share = 0.1F;

/// A view ray that enters a fluid.
struct Refraction {
  glm::vec2 place{0};  ///< place of the pixel in the picture
  glm::vec2 half{1};   ///< half the width and height of the whole picture
  float most = 0.4F;   ///< largest displacement
  float surface = 1;   ///< depth of the surface [m]
  float path = 0;      ///< largest difference in depth over which the refracted ray stays in the fluid [m]
  float exit = std::numeric_limits<float>::max();  ///< depth below the surface at which a wall ends the path [m]
  glm::vec2 bend{0};                               ///< refracted ray minus straight ray, both scaled to a depth of 1

  /// Sets `bend` by Snell's law. The arguments have components along right, up and forward. `ray`: straight ray, scaled
  /// to a depth of 1. `normal`: unit normal on the side of the eye.
  void enter(const glm::vec3& ray, const glm::vec3& normal);
  /// Refracted ray along right, up and forward, scaled to a depth of 1. Call it after enter().
  [[nodiscard]] glm::vec3 refracted() const { return {place + bend, 1}; }
  /// Ends the path at a wall, at this depth below the surface.
  void end_at(float below) {
    exit = below;
    path = std::min(path, exit);
  }
  /// Displacement at which the picture of the solid objects shows the point of the refracted ray at `depth`. Beyond the
  /// fluid, the ray continues parallel to the straight ray, as behind a plane sheet. Places outside the picture cannot
  /// be looked up, so the displacement is reduced towards the border.
  [[nodiscard]] glm::vec2 shift(float depth) const;
};

/// Refraction::path for a thickness of fluid [m] along `ray`, which is scaled to a depth of 1.
[[nodiscard]] inline float path_in_fluid(float thickness_m, float spacing_m, const glm::vec3& ray) {
  return (path_share * thickness_m + path_slack_spacings * spacing_m) / glm::length(ray);
}

/// Result of find_end(): displacement of the lookup, the depth of the refracted ray there, and Refraction::path with
/// the thickness of the fluid along the refracted ray.
struct RayEnd {
  glm::vec2 shift{0};
  float depth = 0, path = 0;
};

/// Finds the end of the refracted ray for seen_shift(), with the same arguments except `step`. Small objects that the
/// ray passes before this end may be missed; seen_shift() finds them afterwards.
template <class DepthAt, class NearestAt, class PathAt>
[[nodiscard]] RayEnd find_end(Refraction refraction, float straight, float margin, const DepthAt& depth_at,
                              const NearestAt& nearest_at, const PathAt& path_at) {
  // The search is bracketed by a depth at which the ray is in front of all objects and a depth at which the ray is
  // behind an object. The next depth is the root of the linear interpolation in 1 / depth (regula falsi). After three
  // lookups, the next depth is the midpoint in 1 / depth (bisection). On a plane, 1 / depth is linear in the picture,
  // and the displacement is linear in 1 / depth of the ray, so that the first root is exact.
  RayEnd free{glm::vec2(0), refraction.surface, refraction.path};
  float ahead = 1 / refraction.surface - 1 / straight, behind = 0, beyond = 0, least = 1,
        depth = std::min(straight, refraction.surface + refraction.path);
  for (int k = 1; k < most_lookups; ++k) {
    const glm::vec2 shift = refraction.shift(depth);
    const float below = depth - refraction.surface, tolerance = seen_tolerance * below + 0.7F * margin * depth;
    float there = depth_at(shift);
    if (there >= refraction.surface && there - depth >= -tolerance) {
      const float nearest = nearest_at(shift);
      if (there - nearest > different_object_share * below + 3.5F * margin * depth) there = nearest;
    }
    const float gap = there - depth;
    least = std::min(least, std::abs(gap) / (below + 70 * margin * depth));
    if (there < refraction.surface || gap < -tolerance) {
      behind = depth;
      beyond = 1 / depth - 1 / there;
    } else {
      free = {shift, depth, refraction.path};
      if (gap <= tolerance) return free;
      ahead = 1 / depth - 1 / there;
      if (below > 0.999F * refraction.path)
        refraction.path = free.path = std::min(std::max(refraction.path, path_at(shift)), refraction.exit);
    }
    const float part = k > 3 || there < refraction.surface ? 0.5F : ahead / (ahead - beyond);
    depth = behind > 0 ? 1 / glm::mix(1 / free.depth, 1 / behind, part) : there;
  }
  if (least < hit_tolerance) return free;  // the search has not converged on a curved surface
  if (behind > 0) free.shift *= std::max(1 - margin / std::max(glm::length(free.shift), 1e-20F), 0.0F);
  return free;
}

/// Displacement at which the object hit by the refracted ray is looked up. `straight`: depth of the object without
/// displacement. `step`: distance between lookups that find small objects. The last arguments are functions of a
/// displacement. `depth_at`: depth of the object at that place. `nearest_at`: smallest depth in the surroundings from
/// which the colour is mixed. `path_at`: Refraction::path for the thickness of the fluid at that place. If the lookup
/// shows an object in front of the surface, or an object that hides the hit point, the displacement is reduced until it
/// leads past this object by `margin`.
template <class DepthAt, class NearestAt, class PathAt>
[[nodiscard]] glm::vec2 seen_shift(const Refraction& refraction, float straight, float margin, float step,
                                   const DepthAt& depth_at, const NearestAt& nearest_at, const PathAt& path_at) {
  if (!(straight > refraction.surface)) return glm::vec2(0);
  const RayEnd end = find_end(refraction, straight, margin, depth_at, nearest_at, path_at);
  // In the fluid, the displacement is linear in 1 / depth, as long as it is not limited. The ray leaves the fluid at
  // `edge` and then continues parallel to its first direction.
  Refraction ray = refraction;
  ray.path = end.path;
  const float q_surface = 1 / ray.surface, q_end = 1 / end.depth,
              q_edge = std::max(1 / (ray.surface + ray.path), q_end);
  const glm::vec2 edge = ray.shift(1 / q_edge);
  const int in_fluid = std::clamp(static_cast<int>(glm::length(edge) / step), 1, most_steps),
            behind = std::min(static_cast<int>(glm::length(end.shift - edge) / step), most_steps / 2),
            steps = in_fluid + behind;
  float q_before = q_surface, ahead = q_surface - 1 / straight;
  for (int i = 1; i < steps; ++i) {
    const float q = i <= in_fluid
                        ? glm::mix(q_surface, q_edge, static_cast<float>(i) / static_cast<float>(in_fluid))
                        : glm::mix(q_edge, q_end, static_cast<float>(i - in_fluid) / static_cast<float>(behind));
    const float there = 1 / depth_at(ray.shift(1 / q)), gap = q - there, most = q - q_before;
    // Bisection finds the hit. At the outline of an object, the ray may be behind the object without having hit its
    // surface. The ray then passes behind the object.
    if (gap < 0 && ahead > 0 && there <= q_surface && gap > 2 * most) {
      float low = q_before, high = q, miss = gap, rest_before = ahead;
      for (int k = 0; k < 5; ++k) {
        const float middle = 0.5F * (low + high), rest = middle - 1 / depth_at(ray.shift(1 / middle));
        if (rest > 0)
          low = middle, rest_before = rest;
        else
          high = middle, miss = rest;
      }
      if (miss > 0.2F * most && rest_before < -0.2F * most) return ray.shift(1 / high);
    }
    q_before = q;
    ahead = gap;
  }
  return end.shift;
}

}  // namespace vw
