// Draws snapshots on the CPU. No OpenGL, graphics device, graphics library or display is required. Camera, colours,
// lighting and legends are the same as in render/renderer.h. Shading is in linear light, and the result is encoded as
// sRGB. The picture is bitwise identical for any number of threads.
#pragma once

#include <memory>

#include "render/renderer.h"

namespace vw {

class SoftwareRenderer {
 public:
  SoftwareRenderer();
  ~SoftwareRenderer();

  /// See Renderer::draw_image().
  [[nodiscard]] Result<Image> draw_image(const Frame& frame, const Camera& camera, const ViewParams& view,
                                         const Selection& selection, int width, int height, LegendOverlay legends);
  /// See Renderer::note().
  void note(const Snapshot& snapshot, const ViewParams& view);
  [[nodiscard]] const std::vector<Legend>& legends() const;  ///< legends of the last draw
  [[nodiscard]] const VectorLegend& vector_legend() const;   ///< legend of the element vectors of the last draw
  [[nodiscard]] const VectorLegend& force_legend() const;    ///< legend of the force arrows of the last draw
  [[nodiscard]] const VectorLegend& air_legend() const;      ///< legend of the field's arrows of the last draw

  /// Draws particles with the scalar code instead of the vector kernels, for measurements.
  void use_plain_code(bool plain);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vw
