// Small scenes for the path tracer whose exact radiances are known, and the mean radiance of many rays.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "render/film/film_renderer.h"

namespace vw::film {

constexpr float film_pi_test = 3.14159265F;

/// A scene with its rays and tracer. The sky has the radiance `sky` in all directions and no sun.
struct TracedScene {
  FilmScene scene;
  std::unique_ptr<FilmRays> rays;
  std::unique_ptr<PathTracer> tracer;

  explicit TracedScene(float sky = 0) {
    scene.sky.horizon = scene.sky.zenith = scene.sky.nadir = glm::vec3(sky);
    scene.camera.eye = glm::vec3(1000);  // outside all media
  }
  FilmPart& add(FilmShape shape, const FilmMaterial& material, const glm::vec3& color) {
    FilmPart& part = scene.parts.emplace_back();
    part.shape = shape;
    part.material = material;
    part.color = {color};
    return part;
  }
  FilmPart& add_ball(const glm::vec3& center, float radius, const FilmMaterial& material, const glm::vec3& color) {
    FilmPart& part = add(FilmShape::spheres, material, color);
    part.sphere.emplace_back(center, radius);
    return part;
  }
  /// Adds a box without vertex normals and returns the added part.
  FilmPart& add_box(const glm::vec3& center, const glm::vec3& half, const FilmMaterial& material,
                    const glm::vec3& color) {
    FilmPart& part = add(FilmShape::triangles, material, color);
    for (int k = 0; k < 8; ++k)
      part.position.push_back(center +
                              half * glm::vec3((k & 1) != 0 ? 1 : -1, (k & 2) != 0 ? 1 : -1, (k & 4) != 0 ? 1 : -1));
    part.triangle = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                     {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    return part;
  }
  /// Adds a ground at y = 0.
  void add_ground(float albedo) {
    FilmPlane& plane = scene.planes.emplace_back();
    plane.drawing.is_ground = true;
    plane.drawing.albedo = glm::vec3(albedo);
    plane.drawing.v = {0, 0, -1};
    plane.drawing.fade_radius = 1e6F;
  }
  void set_sun(const glm::vec3& direction, float irradiance, float radius_rad = 0.00465F) {
    scene.sky.sun_direction = glm::normalize(direction);
    scene.sky.sun_irradiance = glm::vec3(irradiance);
    scene.sky.sun_radius_rad = radius_rad;
  }
  void prepare() {
    auto made = FilmRays::create();
    ASSERT_TRUE(made) << made.error().message();
    rays = std::move(*made);
    ASSERT_TRUE(rays->add(scene.parts, 0));
    tracer = std::make_unique<PathTracer>(scene, *rays);
  }
  /// Returns the mean radiance of `count` rays. `ray_at(place)` returns the ray for a sample `place`, uniform in the
  /// unit square.
  [[nodiscard]] glm::dvec3 mean(int count, const std::function<Ray(const glm::vec2&)>& ray_at) const {
    glm::dvec3 sum(0);
    FilmSampler sampler(1, 7);
    for (int i = 0; i < count; ++i) {
      sampler.start(static_cast<std::uint32_t>(i));
      PathFeatures features;
      const Ray ray = ray_at(sampler.next());
      sum += glm::dvec3(tracer->radiance(ray, sampler, features));
    }
    return sum / static_cast<double>(count);
  }
  [[nodiscard]] glm::dvec3 along(const Ray& ray, int count) const {
    return mean(count, [&](const glm::vec2&) { return ray; });
  }
};

/// Returns a ray along -z that hits a ball at the origin. Uniform `at` in the unit square gives parallel rays that are
/// uniform over the disc that the ball covers.
inline Ray onto_disc(const glm::vec2& at, float radius) {
  const float r = radius * std::sqrt(at.x), phi = 2 * film_pi_test * at.y;
  return {{r * std::cos(phi), r * std::sin(phi), 10}, {0, 0, -1}};
}

}  // namespace vw::film
