// Draws snapshots without OpenGL, with the same camera, colours, lighting and legends as render/renderer.h, on the CPU
// only. Requires no graphics device, library or display. Shading is in linear light and encoded as sRGB at the end. The
// result is bitwise identical for any number of threads.
#pragma once

#include <memory>

#include "render/renderer.h"

namespace vw {

class SoftwareRenderer {
 public:
  SoftwareRenderer();
  ~SoftwareRenderer();

  /// Same as Renderer::draw_image().
  [[nodiscard]] Result<Image> draw_image(const Frame& frame, const Camera& camera, const ViewParams& view,
                                         const Selection& selection, int width, int height, bool legend_overlay);
  /// Same as Renderer::note().
  void note(const Snapshot& snapshot, const ViewParams& view);
  [[nodiscard]] const std::vector<Legend>& legends() const;  ///< legends of the last draw
  [[nodiscard]] const VectorLegend& vector_legend() const;   ///< legend of the element vectors of the last draw
  [[nodiscard]] const VectorLegend& force_legend() const;    ///< legend of the force arrows of the last draw
  [[nodiscard]] const VectorLegend& air_legend() const;      ///< legend of the air's arrows of the last draw

  /// For measurements: draws particles with the scalar code instead of the vector kernels.
  void use_plain_code(bool plain);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vw
