// Colours of what the tile's samples see: each surface that a pixel sees is lit once, where its samples lie; their mean is the pixel's colour.
#pragma once

#include "render/collider_look.h"
#include "render/ground_map.h"
#include "render/software/facets.h"
#include "render/software/sun_map.h"

namespace vw::soft {

/// All that light and colour depend on.
struct Scenery {
  const FrameSet& set;
  const Snapshot& snapshot;
  const ViewParams& view;
  const Facets& facets;
  const SunMap& sun_map;
  const Projector& projector;
  const GroundMap& ground_map;
  glm::vec4 contact_box;  ///< of the ground map; all 0 without one
  glm::vec3 sun;          ///< unit, towards it
  bool has_ground = false;
  PlaneLook ground = {};
  glm::vec3 ground_q{0};                    ///< Projector::plane_q
  std::vector<PlaneLook> see_through = {};  ///< the planes that are not the ground

  /// Takes ground and planes that the camera sees from above.
  void set_planes(const Camera& camera);
};

/// Colour and opacity of a plane at a place of the picture that sees it.
[[nodiscard]] glm::vec4 plane_color(const Scenery& scenery, const PlaneLook& plane, const glm::vec2& at);
/// Colour and opacity of a solid that is seen through, at a place of the picture that sees it; `front`: whether its front is asked for. Opacity 0 on
/// the other side.
[[nodiscard]] glm::vec4 glass_color(const Scenery& scenery, const SurfaceObject& object, std::uint32_t item, bool front, const glm::vec2& at);
/// What a sample with that id sees.
[[nodiscard]] glm::vec3 surface_color(const Scenery& scenery, std::uint32_t id, const glm::vec2& at);
/// A tile that facets do not touch and that sees the sky alone is coloured at once, and true returned.
[[nodiscard]] bool shade_sky(const Scenery& scenery, Tile& tile);
/// Ground and sky into the samples, before any facet.
void begin_tile(const Scenery& scenery, Tile& tile);
/// From samples to colours. `edges`: keep the samples of pixels in which the depth jumps, for what is blended over them.
void shade_tile(const Scenery& scenery, bool edges, Tile& tile);
/// The edge pixels' means into the tile's colours.
void resolve_edges(Tile& tile);

}  // namespace vw::soft
