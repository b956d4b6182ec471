// Field lines, lines in fluids and trails of elements, drawn as bands that face the eye. Ribbon streamlines are drawn
// as meshes instead (flow_meshes.h). Each segment is sorted by depth separately, so that crossing lines occlude each
// other correctly. The edges of bands are soft because they are blended, so they need no multisampling. All renderers
// use the same data. This file contains CPU data only, no GL objects.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "render/air/air_sheets.h"
#include "render/scene/splats.h"

namespace vw {

/// One segment of a line, in the layout that shaders/band.vert reads (std430).
struct AirBand {
  glm::vec4 from{0}, to{0};  ///< end points [m]; w: half width of the band including its rim [px]
  /// Unit vector across the band at `from`. It equals `side_to` of the preceding segment.
  glm::vec3 side_from{0};
  std::uint32_t color_from = 0;  ///< colour at `from` as sRGB bytes; the highest byte is the opacity
  glm::vec3 side_to{0};
  std::uint32_t color_to = 0;
};
/// Dark rim that separates overlapping lines: the width [px], and the brightness and opacity as fractions of the
/// brightness and opacity of the line.
inline constexpr float band_rim_px = 0.9F, band_rim_light = 0.25F, band_rim_opacity = 0.55F;

/// A point of a line from which AirLines builds bands.
struct LinePoint {
  glm::vec3 place{0};
  glm::vec3 color{0};              ///< sRGB
  float half_px = 1, opacity = 1;  ///< `half_px`: half width including the dark rim [px]
};

class AirLines {
 public:
  struct Scene {
    const FieldPicture* previous;  ///< field picture to interpolate from; may be null
    const FieldPicture& newest;
    float blend;              ///< interpolation weight: 0 shows `previous`, 1 shows `newest`
    const AirSheets& sheets;  ///< sheets of the same field picture
    const ColorMap& map;
    ValueRange range;  ///< range of speeds that the colour map spans [m/s]
    glm::vec3 eye;
    float pixel;  ///< width of a pixel per unit distance from the eye
    CutPlanes cut;
    /// Points of additional lines (trails and lines in fluids), one line after the other. AirLines shades the colours
    /// of these points, but does not change their widths and opacities.
    std::span<const LinePoint> ways = {};
    std::span<const std::size_t> ways_end = {};  ///< end index in `ways` of each additional line
    float distance_factor = 1;                   ///< Camera::distance_factor
  };
  /// Builds and sorts all bands of a frame.
  void build(const Scene& scene);
  /// All bands, sorted from back to front. Bands [layer_begin(k), layer_end(k)) belong to layer k of
  /// AirSheets::layers(). The renderers draw these bands after the splats of layer k.
  [[nodiscard]] std::span<const AirBand> bands() const { return sorted_; }
  [[nodiscard]] std::size_t layer_begin(std::size_t layer) const { return layer == 0 ? 0 : ends_[layer - 1]; }
  [[nodiscard]] std::size_t layer_end(std::size_t layer) const { return ends_[layer]; }

 private:
  void add_lines(const Scene& scene, const FieldLines& lines, const FieldLines* before, bool paths);
  void add_rims(const Scene& scene);
  void add_ways(const Scene& scene);
  void light_up();
  void dress(const Scene& scene, bool paths);
  void trim(float way);
  void blend_with(const FieldLines& before, std::size_t line, float blend);
  void round_corners();
  void add_run(const Scene& scene, std::size_t on_sheet);
  void sort(const Scene& scene);

  std::vector<AirBand> bands_, sorted_;
  std::vector<std::size_t> layers_, ends_;
  /// Scratch: points of one line, and the same points after rounding of corners.
  std::vector<LinePoint> run_, rounded_;
  std::vector<std::uint32_t> keys_, order_;
  RadixScratch scratch_;
};

}  // namespace vw
