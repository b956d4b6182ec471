// Draws snapshots in film quality, by path tracing on the processor with Embree. The renderer uses the same frame data
// as the other renderers, but draws no overlays (arrows, trails, lines of fields, marks). If the budget does not depend
// on time, the picture has the same bits at any number of threads.
#pragma once

#include <memory>
#include <span>

#include "render/film/film_denoiser.h"
#include "render/film/film_settings.h"
#include "render/film/path_tracer.h"
#include "render/renderer.h"

namespace vw {

class FilmRenderer {
 public:
  /// Returns an error if the program was built without Embree.
  [[nodiscard]] static Result<std::unique_ptr<FilmRenderer>> create(FilmSettings settings);
  ~FilmRenderer();

  /// See Renderer::draw_image(). The picture is complete when the function returns.
  [[nodiscard]] Result<Image> draw_image(const Frame& frame, const Camera& camera, const ViewParams& view, int width,
                                         int height, LegendOverlay legends);
  /// Draws an exposure, which is the mean of the light at several moments, so that moving objects are blurred.
  /// `moments`: at least one moment, in order, which divide the time of the exposure into equal parts. Each moment
  /// receives an equal part of the budget. If there are more moments than samples per pixel, only as many moments as
  /// samples are drawn. The camera does not move. The legends show the last moment that is drawn.
  [[nodiscard]] Result<Image> draw_exposure(std::span<const Frame> moments, const Camera& camera,
                                            const ViewParams& view, int width, int height, LegendOverlay legends);
  /// See Renderer::note().
  void note(const Snapshot& snapshot, const ViewParams& view);
  [[nodiscard]] const std::vector<Legend>& legends() const;  ///< legends of the last picture
  [[nodiscard]] const FilmReport& report() const;            ///< report on the last picture
  /// Picture of the last draw in linear RGB, before the denoiser and the tone curve.
  [[nodiscard]] const film::FilmPicture& picture() const;

 private:
  struct Impl;
  explicit FilmRenderer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

namespace film {

/// Adds `weight` times the picture to `sum`, which is empty or has the same size. The variance is multiplied by the
/// square of the weight.
void add_weighted(FilmPicture& sum, const FilmPicture& picture, float weight);
/// Traces a picture of the size that `picture` has until a budget of `settings` is reached, and writes the results to
/// `picture` and `report`. If the drawing is cancelled, `picture` is unchanged. Without a time budget, the bits of the
/// picture depend on the scene and the settings only.
void trace_picture(const PathTracer& tracer, const FilmSettings& settings, FilmPicture& picture, FilmReport& report);

}  // namespace film
}  // namespace vw
