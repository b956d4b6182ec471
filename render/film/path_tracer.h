// Unidirectional path tracing (J. Kajiya 1986; M. Pharr, W. Jakob & G. Humphreys, "Physically Based Rendering") of a
// FilmScene. The sun and glowing objects are sampled by next-event estimation, combined with the sampling of reflection
// by multiple importance sampling (E. Veach & L. Guibas 1995). The sky is found by the sampling of reflection.
#pragma once

#include <vector>

#include "render/film/film_rays.h"
#include "render/film/film_sampler.h"

namespace vw::film {

struct PathLimits {
  int bounces = 8;     ///< largest number of scatterings on coated surfaces and in smoke
  int crossings = 32;  ///< largest number of reflections and refractions on dielectrics
  /// Largest luminance that a path may add after its second scattering or crossing. It bounds the noise of rare paths.
  float indirect_clamp = 12;
};

/// Guides of the denoiser, of the first surface that is not a dielectric.
struct PathFeatures {
  glm::vec3 albedo{0};
  glm::vec3 normal{0};  ///< of the first surface of any kind
  float distance = 0;   ///< to the first surface of any kind [m]; 0: sky
};

/// Media in which a path is, at most `most` at a time.
class MediumStack {
 public:
  static constexpr std::size_t most = 6;
  static constexpr std::uint32_t none = 0xFFFFFFFFU;
  void enter(std::uint32_t part) {
    if (count_ < most) parts_[count_++] = part;
  }
  void leave(std::uint32_t part);
  /// The part whose medium counts, or `none`.
  [[nodiscard]] std::uint32_t current(const std::vector<FilmPart>& parts) const;

 private:
  std::array<std::uint32_t, most> parts_{};
  std::size_t count_ = 0;
};

class PathTracer {
 public:
  /// `scene` and `rays` must outlive the object. `rays` must hold all parts of the scene.
  PathTracer(const FilmScene& scene, const FilmRays& rays, const PathLimits& limits = {});

  /// Ray through a point of the picture, in [-1, 1] from left to right and from bottom to top.
  [[nodiscard]] Ray camera_ray(const glm::vec2& at, const glm::vec2& lens) const;
  /// Estimate of the radiance that arrives along a ray from the camera.
  [[nodiscard]] glm::vec3 radiance(const Ray& ray, FilmSampler& sampler, PathFeatures& features) const;

 private:
  struct Point;
  struct Path;
  struct Emitter {
    std::uint32_t part = 0, item = 0;
    float share = 0, sum = 0;  ///< probability, and the sum of the probabilities up to this emitter
  };
  struct LightSample {
    glm::vec3 direction{0}, radiance{0};
    float density = 0;
    std::uint32_t part = MediumStack::none, item = 0;
  };
  [[nodiscard]] bool find(const glm::vec3& origin, const glm::vec3& direction, Point& point) const;
  void describe(const FilmHit& hit, const glm::vec3& origin, const glm::vec3& direction, Point& point) const;
  void describe_plane(std::size_t plane, Point& point) const;
  void collect_emitters();
  [[nodiscard]] LightSample sample_emitter(const glm::vec3& from, const glm::vec2& choice, const glm::vec2& at) const;
  [[nodiscard]] float emitter_density(const Point& point, const glm::vec3& from, const glm::vec3& direction) const;
  [[nodiscard]] glm::vec3 transmittance(glm::vec3 origin, const glm::vec3& direction, MediumStack media,
                                        std::uint32_t part, std::uint32_t item) const;
  [[nodiscard]] MediumStack media_at(const glm::vec3& place) const;
  [[nodiscard]] float ior(std::uint32_t medium) const {
    return medium == MediumStack::none ? 1 : scene_.parts[medium].material.medium.ior;
  }
  [[nodiscard]] glm::vec3 absorbed(const MediumStack& media, float distance) const;
  template <class Value, class Density>
  void add_lights(Path& path, const Point& point, FilmSampler& sampler, const Value& value,
                  const Density& density) const;
  void escape(Path& path, PathFeatures& features) const;
  void cross(Path& path, const Point& point, FilmSampler& sampler) const;
  [[nodiscard]] bool scatter_on_surface(Path& path, Point& point, FilmSampler& sampler) const;
  [[nodiscard]] bool scatter_in_puff(Path& path, Point& point, FilmSampler& sampler) const;

  const FilmScene& scene_;
  const FilmRays& rays_;
  PathLimits limits_;
  std::vector<Emitter> emitters_;
  std::vector<std::size_t> first_emitter_;  ///< of each part; the size of `emitters_` if the part does not glow
  MediumStack camera_media_;
};

}  // namespace vw::film
