// Scene of the path tracer: parts with their materials, planes, sky and camera, as plain arrays. build_film_scene()
// fills these arrays from the frame data of the other renderers. No part of this file depends on Embree.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "render/film/film_sky.h"
#include "render/scene/collider_drawing.h"
#include "render/scene/frame_data.h"
#include "render/scene/light/caustics.h"

namespace vw::film {

enum class FilmSurface : std::uint8_t {
  coated,      ///< diffuse base, with or without a rough coat
  dielectric,  ///< smooth boundary of a transparent medium
  puff,        ///< ball of thin smoke
};

/// Transparent medium inside a closed surface. Where media overlap, the medium of the highest priority applies (C.
/// Schmidt & B. Budge, "Simple nested dielectrics in ray traced images", 2002).
struct FilmMedium {
  float ior = 1.333F;          ///< index of refraction
  glm::vec3 absorption_pm{0};  ///< absorption coefficient [1/m]
  int priority = 0;
};

struct FilmMaterial {
  FilmSurface surface = FilmSurface::coated;
  float roughness = 0.5F;        ///< roughness of the coat, in [0, 1]
  bool coated = true;            ///< whether there is a coat over the diffuse base
  float glow = 0;                ///< emitted radiance divided by the colour; 0 means no emission
  bool has_voxel_edges = false;  ///< whether the edges of voxels are drawn as dark lines
  FilmMedium medium = {};        ///< medium inside a dielectric surface
};

enum class FilmShape : std::uint8_t { triangles, quads, spheres };

/// Triangles, quads or spheres of one material.
struct FilmPart {
  FilmShape shape = FilmShape::triangles;
  FilmMaterial material = {};
  std::vector<glm::vec3> position = {};  ///< vertices of triangles and quads [m]
  /// Unit normals: one for each vertex of triangles, or none if triangles are flat; four for each quad.
  std::vector<glm::vec3> normal = {};
  /// Four for each quad, or empty: SkinFace::beyond, towards which the shading of edges is rounded.
  std::vector<glm::vec3> beyond = {};
  std::vector<std::array<std::uint32_t, 3>> triangle = {};
  std::vector<std::array<std::uint32_t, 4>> quad = {};
  std::vector<glm::vec4> sphere = {};  ///< xyz: centre, w: radius [m]
  /// Linear RGB: one colour for each vertex of triangles, for each quad or for each sphere, or one for the whole part.
  std::vector<glm::vec3> color = {};
  std::vector<glm::vec3> from_eye = {};  ///< MemberSurface::from_eye of each vertex, or empty
  /// Opacity of each sphere in [0, 1], or the optical thickness through the centre of each puff. Empty if all spheres
  /// are opaque.
  std::vector<float> opacity = {};
  /// Whether cuts do not clip the surfaces. Particles and members of flocks are drawn completely or not at all.
  bool is_uncut = false;

  /// Number of triangles, quads or spheres.
  [[nodiscard]] std::size_t size() const {
    return shape == FilmShape::triangles ? triangle.size() : shape == FilmShape::quads ? quad.size() : sphere.size();
  }
};

/// A plane whose front faces the eye: the ground, or a pane or wall of a tank.
struct FilmPlane {
  PlaneDrawing drawing = {};
  glm::vec3 normal{0, 1, 0};
  float level = 0;  ///< points p of the plane have dot(normal, p) = level
  bool has_grid = false;
  FloorMaterial floor = FloorMaterial::plain;  ///< pattern of the ground
};

/// Pinhole camera or thin lens. The ray through the point (x, y) of the picture has the direction forward + x right + y
/// up. x runs from -1 (left) to 1 (right), and y from -1 (bottom) to 1 (top).
struct FilmCamera {
  glm::vec3 eye{0}, forward{0, 0, -1}, right{1, 0, 0}, up{0, 1, 0};
  float start = 0;       ///< distance from the eye at which rays begin [m]
  float pixel = 0;       ///< width of a pixel per unit distance from the eye
  float aperture_m = 0;  ///< radius of the lens [m]; 0 means a pinhole
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
