// Reflection and refraction at a surface point: a diffuse base under a rough dielectric coat, and smooth dielectrics.
// Directions are unit vectors that point away from the surface, in a frame whose z axis is the normal.
#pragma once

#include <glm/glm.hpp>

namespace vw::film {

/// Fresnel reflectance of a smooth interface for unpolarised light (pbrt, section 9.3). `cosine` in [0, 1] is that of
/// the angle of incidence; `ratio` is the index of refraction behind the interface over that in front of it.
[[nodiscard]] float fresnel(float cosine, float ratio);

/// Diffuse base with a GGX coat (B. Walter et al. 2007; visible normals: E. Heitz 2018). Base and coat are coupled as
/// by Kelemen & Szirmay-Kalos 2001, so that a white base reflects all light.
class CoatedSurface {
 public:
  /// `roughness` in [0, 1]; `coated` selects a coat with the reflectance 0.04 at normal incidence.
  CoatedSurface(const glm::vec3& base, float roughness, bool coated);

  /// Value of the reflectance distribution times the cosine of the incoming direction `in`.
  [[nodiscard]] glm::vec3 value(const glm::vec3& out, const glm::vec3& in) const;
  /// Density of sample() with respect to solid angle.
  [[nodiscard]] float density(const glm::vec3& out, const glm::vec3& in) const;
  /// Chooses an incoming direction. The result may lie below the surface; its value is then zero.
  [[nodiscard]] glm::vec3 sample(const glm::vec3& out, const glm::vec2& lobe, const glm::vec2& at) const;

 private:
  [[nodiscard]] float coat_share(float cosine) const;
  glm::vec3 base_;
  float alpha_;
  bool coated_;
  float row_ = 0;          ///< row of `alpha_` in the table of albedos
  float mean_albedo_ = 0;  ///< mean albedo of the coat
};

/// Direction of a cosine-weighted hemisphere.
[[nodiscard]] glm::vec3 cosine_direction(const glm::vec2& at);
/// Uniform direction within a cone about the z axis. `cap`: 1 - cos(half angle).
[[nodiscard]] glm::vec3 cone_direction(const glm::vec2& at, float cap);

/// Orthonormal frame (T. Duff et al., "Building an orthonormal basis, revisited", 2017).
struct LocalFrame {
  glm::vec3 x, y, z;
  explicit LocalFrame(const glm::vec3& normal);
  [[nodiscard]] glm::vec3 to_local(const glm::vec3& v) const {
    return {glm::dot(v, x), glm::dot(v, y), glm::dot(v, z)};
  }
  [[nodiscard]] glm::vec3 to_world(const glm::vec3& v) const { return v.x * x + v.y * y + v.z * z; }
};

}  // namespace vw::film
