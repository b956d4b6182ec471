// Unidirectional path tracing of a FilmScene (J. Kajiya 1986; M. Pharr, W. Jakob & G. Humphreys, "Physically Based
// Rendering"). Light from the sun and from glowing objects is estimated by next-event estimation and by sampling of the
// reflection, which are combined by multiple importance sampling (E. Veach & L. Guibas 1995). Light from the sky and
// from glowing voxel skins is estimated by sampling of the reflection alone.
#pragma once

#include <vector>

#include "render/film/film_rays.h"
#include "render/film/film_sampler.h"

namespace vw::film {

struct PathLimits {
  int bounces = 8;     ///< largest number of scatterings on coated surfaces and in smoke
  int crossings = 32;  ///< largest number of reflections and refractions on dielectrics
  /// Largest luminance of a single contribution to a path from its second scattering or crossing on. The limit reduces
  /// the noise of rare bright paths.
  float indirect_clamp = 12;
};

/// Features of a path that guide the denoiser.
struct PathFeatures {
  glm::vec3 albedo{0};  ///< albedo of the first surface that is not a dielectric, or the colour of the sky
  glm::vec3 normal{0};  ///< normal of the first surface of any kind; 0 for the sky
  float distance = 0;   ///< distance to the first surface of any kind [m]; 0 for the sky
};

/// Set of the media that contain the current point of a path. The set has at most `most` media and ignores further
/// ones.
class MediumStack {
 public:
  static constexpr std::size_t most = 6;
  static constexpr std::uint32_t none = 0xFFFFFFFFU;
  void enter(std::uint32_t part) {
    if (count_ < most) parts_[count_++] = part;
  }
  void leave(std::uint32_t part);
  /// Part whose medium has the highest priority, or `none`.
  [[nodiscard]] std::uint32_t current(const std::vector<FilmPart>& parts) const;

 private:
  std::array<std::uint32_t, most> parts_{};
  std::size_t count_ = 0;
};

class PathTracer {
 public:
  /// `scene` and `rays` must outlive the object. `rays` must contain all parts of the scene.
  PathTracer(const FilmScene& scene, const FilmRays& rays, const PathLimits& limits = {});

  /// Ray through a point of the picture. `at`: x from -1 (left) to 1 (right), y from -1 (bottom) to 1 (top). `lens`:
  /// uniform random numbers in [0, 1) that select a point of the lens.
  [[nodiscard]] Ray camera_ray(const glm::vec2& at, const glm::vec2& lens) const;
  /// Estimates the radiance that arrives along a ray from the camera, by one path. Fills `features`.
  [[nodiscard]] glm::vec3 radiance(const Ray& ray, FilmSampler& sampler, PathFeatures& features) const;

 private:
  struct Point;
  struct Path;
  struct Emitter {
    std::uint32_t part = 0, item = 0;
    float share = 0, sum = 0;  ///< probability of this emitter, and sum of the probabilities up to and including it
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
  /// Index of the first emitter of each part. For a part without emitters, it is the index of the next part's first
  /// emitter.
  std::vector<std::size_t> first_emitter_;
  MediumStack camera_media_;  ///< media that contain the start of camera rays
};

}  // namespace vw::film
