// Lines through the air, and the ways of elements, as bands turned to the eye, each stretch sorted by itself, so that they cross each other rightly
// and have soft edges without samples. Alike for every renderer. Plain CPU data; no GL here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "render/air_sheets.h"
#include "render/splats.h"

namespace vw {

/// A stretch of a line, as shaders/band.vert reads it (std430).
struct AirBand {
  glm::vec4 from{0}, to{0};      ///< [m]; w: half width with the rim [px]
  glm::vec3 side_from{0};        ///< unit: where it meets the stretch before
  std::uint32_t color_from = 0;  ///< sRGB bytes; uppermost: opacity
  glm::vec3 side_to{0};
  std::uint32_t color_to = 0;
};
/// Width of the dark rim that sets lines off from each other [px], and how dark it is: shares of the line's colour and of its opacity.
inline constexpr float band_rim_px = 0.9F, band_rim_light = 0.25F, band_rim_opacity = 0.55F;

struct LinePoint {
  glm::vec3 place{0};
  glm::vec3 color{0};  ///< sRGB
  float half_px = 1, opacity = 1;
};

class AirLines {
 public:
  struct Scene {
    const FieldPicture* previous;  ///< may be null
    const FieldPicture& newest;
    float blend;
    const AirSheets& sheets;  ///< of the same picture
    const ColorMap& map;
    ValueRange range;  ///< of speed [m/s]
    glm::vec3 eye;
    float pixel;  ///< width of a pixel per distance from the eye
    CutPlane cut;
    std::span<const LinePoint> ways = {};        ///< other lines, one after the other, that are as they are to be
    std::span<const std::size_t> ways_end = {};  ///< where each ends
  };
  void build(const Scene& scene);
  /// From back to front; those of one layer of the sheets, which are drawn after its splats.
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
  std::vector<LinePoint> run_, rounded_;  ///< scratch: the points of one line
  std::vector<std::uint32_t> keys_, order_;
  RadixScratch scratch_;
};

}  // namespace vw
