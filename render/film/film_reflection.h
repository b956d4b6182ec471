// Reflection and refraction at a surface point: a diffuse base under a rough dielectric coat, and smooth dielectrics.
// Directions are unit vectors that point away from the surface, in a frame whose z axis is the normal.
#pragma once

#include <glm/glm.hpp>

namespace vw::film {

/// Fresnel reflectance of a smooth interface for unpolarised light (pbrt, section 9.3). `cosine`: cosine of the angle
/// of incidence, in [0, 1]. `ratio`: index of refraction behind the interface divided by the index in front of it.
[[nodiscard]] float fresnel(float cosine, float ratio);

/// Diffuse base with a GGX coat (B. Walter et al. 2007; visible normals: E. Heitz 2018). Base and coat are coupled as
/// in Kelemen & Szirmay-Kalos 2001, so that a surface with a white base reflects all light.
class CoatedSurface {
 public:
  /// `base`: albedo of the base, linear RGB. `roughness`: roughness of the coat, in [0, 1]. `coated`: whether there is
  /// a coat, whose reflectance is 0.04 at normal incidence.
  CoatedSurface(const glm::vec3& base, float roughness, bool coated);

  /// Bidirectional reflectance distribution function (BRDF) times the cosine of the angle between `in` and the normal.
  /// `out` is the direction into which light leaves, `in` the direction from which it arrives. The value is zero if one
  /// of them lies below the surface.
  [[nodiscard]] glm::vec3 value(const glm::vec3& out, const glm::vec3& in) const;
  /// Probability density with which sample() chooses `in`, per solid angle [1/sr].
  [[nodiscard]] float density(const glm::vec3& out, const glm::vec3& in) const;
  /// Chooses an incoming direction for `out`. `lobe.x` selects base or coat, and `at` the direction; both are uniform
  /// random numbers in [0, 1). The result may lie below the surface, where value() is zero.
  [[nodiscard]] glm::vec3 sample(const glm::vec3& out, const glm::vec2& lobe, const glm::vec2& at) const;

 private:
  [[nodiscard]] float coat_share(float cosine) const;
  glm::vec3 base_;
  float alpha_;
  bool coated_;
  float row_ = 0;          ///< position of the roughness among the rows of the table of albedos
  float mean_albedo_ = 0;  ///< mean albedo of the coat
};

/// Direction in the hemisphere about the z axis, with a density proportional to its cosine. `at`: uniform random
/// numbers in [0, 1).
[[nodiscard]] glm::vec3 cosine_direction(const glm::vec2& at);
/// Uniformly distributed direction within a cone about the z axis. `at`: uniform random numbers in [0, 1). `cap`: 1 -
/// cos(half angle).
[[nodiscard]] glm::vec3 cone_direction(const glm::vec2& at, float cap);

/// Right-handed orthonormal frame whose z axis is a given unit vector (T. Duff et al., "Building an orthonormal basis,
/// revisited", 2017).
struct LocalFrame {
  glm::vec3 x, y, z;
  explicit LocalFrame(const glm::vec3& normal);
  [[nodiscard]] glm::vec3 to_local(const glm::vec3& v) const {
    return {glm::dot(v, x), glm::dot(v, y), glm::dot(v, z)};
  }
  [[nodiscard]] glm::vec3 to_world(const glm::vec3& v) const { return v.x * x + v.y * y + v.z * z; }
};

}  // namespace vw::film
