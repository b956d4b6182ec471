// Drawing data of one system: elements interpolated between two snapshots, colours of the elements, and the vertices of
// a voxel skin. This file contains CPU data only, no GL objects.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <glm/glm.hpp>

#include "render/labels/color_map.h"
#include "render/renderer.h"

namespace vw {

struct SkinCorner {
  /// Position [m]. w: fraction of the ambient light that reaches the corner, 1 at convex corners and less at concave
  /// corners.
  glm::vec4 place;
  /// Mean normal of the adjacent faces. On simple quality tiers, w is the fraction of sunlight that reaches the vertex.
  glm::vec4 normal;
};

/// Normals of a face of a voxel skin. A corner's normal is the mean over the faces at the corner whose normals differ
/// from the normal of this face by less than the crease angle. Bent surfaces thus look smooth, and edges look sharp.
struct SkinFace {
  /// Normals at the corners. w: edge of the voxel [m] if the body is a sheet there, that is, one voxel thick in this
  /// direction only; otherwise 0.
  std::array<glm::vec4, 4> corner;
  /// Normal of the face beyond the edge from corner k to corner k + 1 if the edge is sharp and convex, otherwise 0. The
  /// shading is rounded towards such an edge.
  std::array<glm::vec4, 4> beyond;
};
/// For each vertex and each edge of a skin, the adjacent faces.
struct SkinNeighbors {
  std::shared_ptr<const VoxelSkin> skin;  ///< skin for which the arrays were computed
  /// Index in `faces` of each vertex's first entry, followed by the size of `faces`.
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> faces;                 ///< faces at each vertex
  std::vector<std::array<std::int32_t, 4>> beyond;  ///< other face at each edge of each face; -1 if there is none
  std::vector<std::uint8_t> is_sheet;               ///< whether each face is a side of a sheet (SkinFace::corner)
};

/// How a figure is drawn.
enum class FigureShape : std::uint8_t { balls, skin, bodies, surface, members, hidden };

/// Picture of one system: the positions, colours and shapes of its elements.
struct Figure {
  std::string name;
  LookKind look = LookKind::spheres;
  FigureShape shape = FigureShape::balls;
  float spacing_m = 0;              ///< spacing of a fluid's particles at rest [m]
  Vec3f period = Vec3f::Zero();     ///< SystemSnapshot::period
  std::vector<glm::vec4> places;    ///< position [m]; w: radius or half edge [m], negative if the element is hidden
  std::vector<glm::vec3> velocity;  ///< [m/s]
  std::vector<glm::vec4> turns;     ///< orientations of voxels, bodies and members: quaternions x y z w
  std::vector<std::uint32_t> id;
  std::vector<std::uint32_t> colors;  ///< sRGB bytes; for balls, the highest byte is the fraction of sunlight
  std::vector<std::uint8_t> opacity;  ///< 255 is opaque; an empty vector means that all elements are opaque
  std::vector<SkinCorner> corners;
  std::shared_ptr<const VoxelSkin> skin;
  std::vector<SkinFace> faces;           ///< one for each face of the skin
  SkinNeighbors neighbors;               ///< cache of place_corners()
  std::vector<SpeciesLook> member_look;  ///< geometry and appearance of each species of members
  std::vector<std::uint8_t> species;
  std::vector<float> beat;  ///< phase of each member's tail or wing beat [rad]
  bool own_colors = true;   ///< whether `colors` are the elements' own colours rather than the colour map of a channel
  bool is_spray = false;    ///< whether the balls are puffs of foam and spray, which are drawn after fluids
  bool soft = false;        ///< whether the balls are drawn as puffs of smoke (SystemSnapshot::soft)
  std::uint64_t revision = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_id;  ///< scratch of place_figure()
};

/// Half width of a member's shadow on coarse shadow maps, as a fraction of the member's half length.
inline constexpr float member_width = 0.35F;

/// Whether the element casts a shadow. Hidden elements, elements that are less than half opaque, and smoke cast none.
[[nodiscard]] inline bool casts_shadow(const Figure& figure, std::size_t element) {
  return figure.places[element].w >= 0 && !figure.soft && (figure.opacity.empty() || figure.opacity[element] >= 128);
}

/// Fills `out` with the elements interpolated between two snapshots, and reuses the buffers of `out`. `blend`:
/// interpolation weight, 0 for `previous` and 1 for `newest`. Elements are matched by id. An element that does not
/// exist in `previous` is placed at its position in `newest`. `previous` may be null.
void place_figure(const SystemSnapshot* previous, const SystemSnapshot& newest, float blend, Figure& out);
/// Fills `out` with balls for the particles that fill rigid bodies. Each particle has the colour of its body. `bodies`:
/// figure of the bodies. `selected`: row of the selected body, or -1.
void place_fill(const SystemSnapshot& system, const Figure& bodies, std::int64_t selected, Figure& out);
/// Computes the positions and normals of the skin's vertices and faces from the voxels' positions and orientations
/// (VoxelSkin in snapshot.h).
void place_corners(Figure& figure);

/// Returns the position of the selected particle if it belongs to a fluid that is drawn as a surface, and null
/// otherwise. The position is needed because the surface hides the particle.
[[nodiscard]] const glm::vec4* selected_in_surface(const std::vector<Figure>& figures, std::size_t count,
                                                   const Selection& selection);

/// Fraction of the displayed colour of a body that comes from a channel and does not depend on the light. This fraction
/// keeps the dark end of a colour map legible.
inline constexpr float channel_flat_share = 0.35F;
/// Colour of selected elements; linear RGB.
inline constexpr glm::vec3 mark_color{1.0F, 0.50F, 0.06F};
/// Converts sRGB bytes to linear light with the approximation of shaders/frame.glsl.
[[nodiscard]] glm::vec3 linear_of(std::uint32_t packed);

/// Colour range that follows the values smoothly in time to avoid flicker.
struct SmoothRange {
  std::string channel;
  ValueRange range;
  double time_s = 0;
  bool set = false;
};
/// Moves the range exponentially towards `wanted` with a time constant of 0.3 s, and returns it. If the channel has
/// changed, time has gone back, or more than 2 s have passed, the range is set to `wanted` at once.
[[nodiscard]] ValueRange follow_range(SmoothRange& smooth, const std::string& channel, const ValueRange& wanted,
                                      double time_s);
/// Colours every element by the channel or the material that the view selects, and fills `legend`. The buffers of `out`
/// and `legend` are reused.
void color_figure(const SystemSnapshot& newest, const ViewParams& view, double time_s, SmoothRange& smooth,
                  std::vector<float>& scratch, Figure& out, Legend& legend);

/// Whether `legend` equals a legend of `before` in channel, unit, range, scale and colours. If so, the earlier legend
/// applies to both systems, and its title becomes the name of the channel alone.
bool joins_another(const Legend& legend, std::span<Legend> before);

}  // namespace vw
