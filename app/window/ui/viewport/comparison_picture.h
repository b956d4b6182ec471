// Draws run B of a comparison with a renderer of its own, with the camera of A, and chooses colours and ranges that are
// equal on both sides. Use only on the drawing thread, with a current OpenGL context.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "app/window/results/comparison_show.h"
#include "app/window/results/pair_image.h"
#include "app/window/ui/widgets/picture_target.h"
#include "render/image.h"
#include "render/labels/figure.h"
#include "render/renderer.h"

namespace vw::ui {

/// Colour of B in ghost pictures (linear RGB).
inline const Vec3f ghost_tint{0.9F, 0.32F, 0.04F};

class ComparisonPicture {
 public:
  /// Returns the view with which both sides are drawn. If the comparison shows differences, the colour is the distance
  /// between A and B. Both sides have the same colour range and the same range of the slice planes of the air. The
  /// ranges change smoothly with the wall time `wall_s` [s].
  [[nodiscard]] ViewParams shared_view(const ComparisonShow& comparison, ViewParams view, double wall_s);
  /// Draws B. `shared` is the result of shared_view(). `first` is the renderer that has just drawn A; B uses its range
  /// of arrows. Returns an error if the renderer cannot be created.
  [[nodiscard]] Result<void> draw(const ComparisonShow& comparison, const ViewParams& shared, const Renderer& first,
                                  const Camera& camera, const Selection& selection, int width, int height);
  /// Contents of a picture for a file.
  struct Parts {
    Frame a, b;
    Camera camera;
    Selection selection;
    int width = 0, height = 0;  ///< size of the whole picture [px]
    LegendOverlay legends = LegendOverlay::none;
    double gap_share = 0;  ///< gap between pictures side by side, as a fraction of the width
    PairNames names;
  };
  /// Draws both runs for a file, arranged as in the window. `first` draws A.
  [[nodiscard]] Result<Image> image(const ComparisonShow& comparison, const ViewParams& shared, Renderer& first,
                                    const Parts& parts);
  [[nodiscard]] bool exists() const { return target_.exists(); }
  [[nodiscard]] ImTextureID texture() const { return target_.texture(); }
  /// Frees the GL objects unless they belong to the comparison with this number (ComparisonShow::number()).
  void keep_only(std::uint64_t number) {
    if (std::exchange(number_, number) != number) release_gl();
  }
  /// Frees the GL objects. Call this at the end of a comparison and before the context is destroyed.
  void release_gl();

 private:
  [[nodiscard]] Result<void> create_renderer();
  /// Returns the frame of B. If B is drawn over A in material colours, the colours are mixed with ghost_tint.
  [[nodiscard]] Frame shown_frame(const ComparisonShow& comparison, const ViewParams& view, const Frame& b);

  std::unique_ptr<Renderer> renderer_;
  PictureTarget target_;
  std::optional<TextFont> font_;
  Snapshot tinted_, tinted_before_;  ///< B with colours mixed with ghost_tint
  SmoothRange range_, air_range_;
  std::uint64_t number_ = 0;
};

}  // namespace vw::ui
