// Nearest hits of rays with the parts of a FilmScene, through Embree 3. If the program was built without Embree,
// create() returns an error.
#pragma once

#include <memory>

#include "render/film/film_scene.h"
#include "sim/base/error.h"

namespace vw::film {

/// A hit of a ray with a part.
struct FilmHit {
  float distance = 0;  ///< ray parameter
  std::uint32_t part = 0, item = 0;
  float u = 0, v = 0;   ///< coordinates within the triangle or quad
  glm::vec3 normal{0};  ///< geometric normal, not of unit length; outward for the winding of the triangle
};

class FilmRays {
 public:
  /// Returns whether the program was built with Embree.
  [[nodiscard]] static bool available();
  /// Creates an empty scene of rays; geometry is added later.
  [[nodiscard]] static Result<std::unique_ptr<FilmRays>> create();
  ~FilmRays();

  /// Copies the geometry of the parts from index `first` on, and makes them visible to nearest(). The parts must have
  /// been added in order. Gives the same bits at any number of threads.
  [[nodiscard]] Result<void> add(const std::vector<FilmPart>& parts, std::size_t first);
  /// Finds the nearest hit with a distance in (`from`, `to`). Any thread may call this function at any time after
  /// add().
  [[nodiscard]] bool nearest(const glm::vec3& origin, const glm::vec3& direction, float from, float to,
                             FilmHit& hit) const;

 private:
  FilmRays();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Moves a point on a surface off it, in the direction `way`, by more than its rounding error (C. Waechter & N. Binder,
/// "A fast and robust method for avoiding self-intersection", Ray Tracing Gems, 2019).
[[nodiscard]] glm::vec3 off_surface(const glm::vec3& point, const glm::vec3& way);

}  // namespace vw::film
