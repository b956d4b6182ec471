// Shading of the tile's samples. Each surface visible in a pixel is shaded once, at the mean position of its samples;
// the pixel's colour is the mean over the samples.
#pragma once

#include "render/collider_drawing.h"
#include "render/ground_map.h"
#include "render/software/facets.h"
#include "render/software/sun_map.h"

namespace vw::soft {

/// Everything that lighting and colours depend on.
struct Scenery {
  const FrameData& set;
  const Snapshot& snapshot;
  const ViewParams& view;
  const Facets& facets;
  const SunMap& sun_map;
  const Projector& projector;
  const GroundMap& ground_map;
  glm::vec4 contact_box;  ///< area of the ground map; all 0 if there is none
  glm::vec3 sun;          ///< unit vector towards the sun
  bool has_ground = false;
  PlaneDrawing ground = {};
  glm::vec3 ground_q{0};                       ///< Projector::plane_q
  std::vector<PlaneDrawing> see_through = {};  ///< planes other than the ground

  /// Collects the ground and the planes whose front faces the camera.
  void set_planes(const Camera& camera);
};

/// Colour and opacity of a plane at a picture position where it is visible.
[[nodiscard]] glm::vec4 plane_color(const Scenery& scenery, const PlaneDrawing& plane, const glm::vec2& at);
/// Colour and opacity of a transparent solid at a picture position where it is visible. `front` selects front or back
/// faces; for the other side the opacity is 0.
[[nodiscard]] glm::vec4 glass_color(const Scenery& scenery, const SurfaceObject& object, std::uint32_t item, bool front,
                                    const glm::vec2& at);
/// Colour of a sample with this id.
[[nodiscard]] glm::vec3 surface_color(const Scenery& scenery, std::uint32_t id, const glm::vec2& at);
/// If only the sky is visible in a tile without facets, colours the tile directly and returns true.
[[nodiscard]] bool shade_sky(const Scenery& scenery, Tile& tile);
/// Initialises the samples with ground and sky, before any facet is drawn.
void begin_tile(const Scenery& scenery, Tile& tile);
/// Computes the pixels' colours from the samples. `edges`: keep the samples of pixels with a depth discontinuity, for
/// objects that are blended over them.
void shade_tile(const Scenery& scenery, bool edges, Tile& tile);
/// Writes the mean of each edge pixel to the tile's colours.
void resolve_edges(Tile& tile);

}  // namespace vw::soft
