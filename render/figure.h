// A system as it is to be drawn: interpolated between two snapshots, coloured, the corners of its skin in place. Plain CPU data; no GL here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <glm/glm.hpp>

#include "render/color_map.h"
#include "render/renderer.h"

namespace vw {

struct SkinCorner {
  glm::vec4 place;   ///< [m]; w: 1 open, less where voxels around the corner shut out the sky
  glm::vec4 normal;  ///< mean of the faces around
};

/// What a figure is drawn as.
enum class FigureShape : std::uint8_t { balls, skin, bodies, surface, members, hidden };

struct Figure {
  std::string name;
  Look look = Look::spheres;
  FigureShape shape = FigureShape::balls;
  float spacing_m = 0;              ///< of a fluid
  std::vector<glm::vec4> places;    ///< [m], w: radius or half edge; negative where the element is not drawn
  std::vector<glm::vec3> velocity;  ///< [m/s]
  std::vector<glm::vec4> turns;     ///< voxels, bodies and members: quaternion x y z w
  std::vector<std::uint32_t> id;
  std::vector<std::uint32_t> colors;
  std::vector<std::uint8_t> opacity;  ///< 255: solid; empty: all are
  std::vector<SkinCorner> corners;
  std::shared_ptr<const VoxelSkin> skin;
  std::vector<MemberLook> member_look;  ///< of members, by species
  std::vector<std::uint8_t> species;
  std::vector<float> beat;  ///< [rad]
  bool own_colors = true;   ///< not those of a channel
  bool soft = false;        ///< balls are puffs of smoke (SystemSnapshot)
  std::uint64_t revision = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_id;  ///< scratch of place_figure()
};

/// How wide a member's shadow on coarse maps is, in half lengths of its body.
inline constexpr float member_width = 0.35F;

/// What is cut away casts no shadow, nor does what can be seen through more than half, or smoke.
[[nodiscard]] inline bool casts_shadow(const Figure& figure, std::size_t element) {
  return figure.places[element].w >= 0 && !figure.soft && (figure.opacity.empty() || figure.opacity[element] >= 128);
}

/// Fills `out`, reusing its buffers. Elements are matched by id; one that `previous` lacks stands where it is in `newest`. `previous` may be null.
void place_figure(const SystemSnapshot* previous, const SystemSnapshot& newest, float blend, Figure& out);
/// The particles that fill the bodies of a figure, as balls of their bodies' colours; `selected`: the body that is, or -1.
void place_fill(const SystemSnapshot& system, const Figure& bodies, std::int64_t selected, Figure& out);
/// The skin's corners and their normals from places and turns (snapshot.h, VoxelSkin).
void place_corners(Figure& figure);

/// Where a particle stands that is selected but hidden in its fluid's surface; null: there is none.
[[nodiscard]] const glm::vec4* selected_in_surface(const std::vector<Figure>& figures, std::size_t count, const Selection& selection);

/// Of what is selected; linear.
inline constexpr glm::vec3 mark_color{1.0F, 0.50F, 0.06F};
/// sRGB bytes to linear light, as shaders/frame.glsl does.
[[nodiscard]] glm::vec3 linear_of(std::uint32_t packed);

/// Colour range that follows the values smoothly, so that a picture's colours do not flicker.
struct SmoothRange {
  std::string channel;
  ValueRange range;
  double time_s = 0;
  bool set = false;
};
/// Moves a share towards the wanted range as time goes on; at once when what is shown or time has jumped.
[[nodiscard]] ValueRange follow_range(SmoothRange& smooth, const std::string& channel, const ValueRange& wanted, double time_s);
/// Colours every element and describes the map in `legend`, whose buffers are reused.
void color_figure(const SystemSnapshot& newest, const ViewParams& view, double time_s, SmoothRange& smooth, std::vector<float>& scratch, Figure& out,
                  Legend& legend);

/// A colour bar that says the same of another body as one of those before: that one then stands for both, under the channel's name alone.
bool joins_another(const Legend& legend, std::span<Legend> before);

}  // namespace vw
