// Draws snapshots without OpenGL: the same camera, colours, light and legends as render/renderer.h, on the processor's cores alone. Needs no graphics
// device, library or display. In linear light, with sRGB at the end; the same bits at any thread count.
#pragma once

#include <memory>

#include "render/renderer.h"

namespace vw {

class SoftwareRenderer {
 public:
  SoftwareRenderer();
  ~SoftwareRenderer();

  /// As Renderer::draw_image().
  [[nodiscard]] Result<Image> draw_image(const Frame& frame, const Camera& camera, const ViewParams& view, const Selection& selection, int width,
                                         int height, bool legend_overlay);
  /// As Renderer::note().
  void note(const Snapshot& snapshot, const ViewParams& view);
  [[nodiscard]] const std::vector<Legend>& legends() const;  ///< of the last draw
  [[nodiscard]] const VectorLegend& vector_legend() const;   ///< of the last draw
  [[nodiscard]] const VectorLegend& force_legend() const;    ///< of the last draw
  [[nodiscard]] const VectorLegend& air_legend() const;      ///< of the last draw

  /// For measurements: particles by the plain code instead of the vector kernels.
  void use_plain_code(bool plain);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vw
