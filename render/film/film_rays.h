// Finds the nearest hits of rays with the parts of a FilmScene, using Embree 3. If the program was built without
// Embree, create() returns an error.
#pragma once

#include <memory>

#include "render/film/film_scene.h"
#include "sim/base/error.h"

namespace vw::film {

/// A hit of a ray with a part.
struct FilmHit {
  float distance = 0;  ///< ray parameter of the hit, which is the distance [m] if the direction has unit length
  std::uint32_t part = 0, item = 0;  ///< index of the part, and of the triangle, quad or sphere in the part
  float u = 0, v = 0;                ///< coordinates within the triangle or quad
  /// Geometric normal of any length. It points outwards if the corners are counter-clockwise seen from outside.
  glm::vec3 normal{0};
};

class FilmRays {
 public:
  /// Returns whether the program was built with Embree.
  [[nodiscard]] static bool available();
  /// Creates an object without geometry. Returns an error if the program was built without Embree, or if Embree cannot
  /// be started on this processor.
  [[nodiscard]] static Result<std::unique_ptr<FilmRays>> create();
  ~FilmRays();

  /// Copies the geometry of the parts from index `first` to the end, and makes it visible to nearest(). All earlier
  /// parts must have been added by earlier calls. The result has the same bits at any number of threads. Returns an
  /// error if there is not enough memory.
  [[nodiscard]] Result<void> add(const std::vector<FilmPart>& parts, std::size_t first);
  /// Finds the nearest hit with a ray parameter in (`from`, `to`). Returns false if there is none. Several threads may
  /// call this function at the same time, but not during add().
  [[nodiscard]] bool nearest(const glm::vec3& origin, const glm::vec3& direction, float from, float to,
                             FilmHit& hit) const;

 private:
  FilmRays();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns the point moved away from its surface in the direction of the unit vector `way`, by more than the rounding
/// error of the point (C. Waechter & N. Binder, "A fast and robust method for avoiding self-intersection", Ray Tracing
/// Gems, 2019).
[[nodiscard]] glm::vec3 off_surface(const glm::vec3& point, const glm::vec3& way);

}  // namespace vw::film
