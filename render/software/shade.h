// Shading of a tile. Each surface that is visible in a pixel is shaded once, at the mean position of the samples that
// show it. The colour of the pixel is the mean over all samples.
#pragma once

#include "render/scene/collider_drawing.h"
#include "render/scene/light/caustics.h"
#include "render/scene/light/ground_map.h"
#include "render/software/facets.h"
#include "render/software/sun_map.h"

namespace vw::soft {

/// All data on which lighting and colours depend.
struct Scenery {
  const FrameData& set;
  const Snapshot& snapshot;
  const ViewParams& view;
  const Facets& facets;
  const SunMap& sun_map;
  const Projector& projector;
  const GroundMap& ground_map;
  const Caustics& caustics;
  glm::vec4 contact_box;  ///< area of the ground map; all 0 if there is no map
  glm::vec3 sun;          ///< unit vector towards the sun
  /// rgb: displayed colour (sRGB) of a background without sky and ground. w: 1 if there is such a background.
  glm::vec4 plain{0};
  bool has_ground = false;
  PlaneDrawing ground = {};
  glm::vec3 ground_q{0};                       ///< Projector::plane_q() of the ground
  std::vector<PlaneDrawing> see_through = {};  ///< all visible planes except the ground

  /// Collects the ground and the other planes whose front faces the camera.
  void set_planes(const Camera& camera);
};

/// Displayed colour (linear) and opacity of a plane at a picture position [px] at which the plane is visible.
[[nodiscard]] glm::vec4 plane_color(const Scenery& scenery, const PlaneDrawing& plane, const glm::vec2& at);
/// Displayed colour (linear) and opacity of a transparent solid at a picture position [px] at which the solid is
/// visible. `front` selects front or back faces; triangles of the other side have opacity 0.
[[nodiscard]] glm::vec4 glass_color(const Scenery& scenery, const SurfaceObject& object, std::uint32_t item, bool front,
                                    const glm::vec2& at);
/// Displayed colour (linear) of the surface with the id `id` at a position in the picture [px].
[[nodiscard]] glm::vec3 surface_color(const Scenery& scenery, std::uint32_t id, const glm::vec2& at);
/// Colours a tile without facets and returns true if it shows only sky. Otherwise returns false.
[[nodiscard]] bool shade_sky(const Scenery& scenery, Tile& tile);
/// Initialises the samples with ground and sky. No facet may have been drawn before.
void begin_tile(const Scenery& scenery, Tile& tile);
/// Computes the colours of the pixels from the samples. `edges`: whether the samples of pixels with a depth
/// discontinuity are kept for objects that are blended over these pixels later.
void shade_tile(const Scenery& scenery, bool edges, Tile& tile);
/// Writes the mean over the samples of each edge pixel to the colours of the tile.
void resolve_edges(Tile& tile);

}  // namespace vw::soft
