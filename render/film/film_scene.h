// What the path tracer draws: parts with their materials, planes, sky and camera, as plain arrays. build_film_scene()
// fills them from the frame data of the other renderers. No part of this file depends on Embree.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "render/film/film_sky.h"
#include "render/scene/caustics.h"
#include "render/scene/collider_drawing.h"
#include "render/scene/frame_data.h"

namespace vw::film {

enum class FilmSurface : std::uint8_t {
  coated,      ///< diffuse base, with or without a rough coat
  dielectric,  ///< smooth boundary of a transparent medium
  puff,        ///< ball of thin smoke
};

/// Transparent medium inside a closed surface. Where media overlap, the one of the highest priority counts
/// (C. Schmidt & B. Budge, "Simple nested dielectrics in ray traced images", 2002).
struct FilmMedium {
  float ior = 1.333F;          ///< index of refraction
  glm::vec3 absorption_pm{0};  ///< absorption coefficient [1/m]
  int priority = 0;
};

struct FilmMaterial {
  FilmSurface surface = FilmSurface::coated;
  float roughness = 0.5F;
  bool coated = true;  ///< whether there is a coat over the diffuse base
  float glow = 0;      ///< emitted radiance over the colour
  bool has_voxel_edges = false;
  FilmMedium medium = {};  ///< inside of a dielectric
};

enum class FilmShape : std::uint8_t { triangles, quads, spheres };

/// Geometry of one material.
struct FilmPart {
  FilmShape shape = FilmShape::triangles;
  FilmMaterial material = {};
  std::vector<glm::vec3> position = {};  ///< of triangles and quads [m]
  /// Unit normals: one for each vertex of triangles, or empty for flat triangles; four for each quad.
  std::vector<glm::vec3> normal = {};
  std::vector<glm::vec3> rim_normal = {};  ///< normals of rounded edges: one for each vertex of quads, or empty
  std::vector<std::array<std::uint32_t, 3>> triangle = {};
  std::vector<std::array<std::uint32_t, 4>> quad = {};
  std::vector<glm::vec4> sphere = {};  ///< centre and radius [m]
  /// Linear RGB: one for each vertex of triangles, for each quad or for each sphere, or one for the whole part.
  std::vector<glm::vec3> color = {};
  std::vector<glm::vec3> from_eye = {};  ///< MemberSurface::from_eye, for each vertex, or empty
  std::vector<float> opacity = {};       ///< of each sphere, in [0, 1], or empty

  [[nodiscard]] std::size_t size() const {
    return shape == FilmShape::triangles ? triangle.size() : shape == FilmShape::quads ? quad.size() : sphere.size();
  }
};

/// A plane: the ground, or a pane or wall of a tank that the eye sees from its front.
struct FilmPlane {
  PlaneDrawing drawing = {};
  glm::vec3 normal{0, 1, 0};
  float level = 0;  ///< points p of the plane have dot(normal, p) = level
  bool has_grid = false;
};

/// Pinhole or thin lens. A point (x, y) of the picture, in [-1, 1] from left to right and from bottom to top, is in the
/// direction forward + x right + y up.
struct FilmCamera {
  glm::vec3 eye{0}, forward{0, 0, -1}, right{1, 0, 0}, up{0, 1, 0};
  float start = 0;       ///< distance from the eye at which rays begin [m]
  float aperture_m = 0;  ///< radius of the lens [m]; 0: pinhole
  float focus_m = 1;     ///< distance of the plane in focus, along `forward` [m]
};

struct FilmScene {
  std::vector<FilmPart> parts;
  std::vector<FilmPlane> planes;
  FilmSky sky;
  Caustics caustics;  ///< factor of the sunlight below the waves of a fluid
  FilmCamera camera;
  CutPlanes cut;
};

/// Returns the scene of a prepared frame without the surfaces of fluids, which add_fluids() of film_water.h adds.
/// `camera` must be a perspective camera (Camera::drawn()).
[[nodiscard]] FilmScene build_film_scene(const FrameData& set, const Snapshot& snapshot, const ViewParams& view,
                                         const Camera& camera, int width, int height);

}  // namespace vw::film
