// Draws snapshots in film quality, by path tracing on the processor with Embree. It draws the same frame data as the
// other renderers, without overlays (arrows, trails, lines of fields, marks). For budgets that do not depend on time,
// the picture has the same bits at any number of threads.
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
  /// Draws an exposure: the mean of the light at several moments, so that what moves is blurred. `moments` are equally
  /// long parts of the time for which the shutter is open, in order. Each receives an equal part of the budget. If
  /// there are more moments than samples, as many moments as samples are drawn. The camera does not move. The legends
  /// are those of the last moment. Requires at least one moment.
  [[nodiscard]] Result<Image> draw_exposure(std::span<const Frame> moments, const Camera& camera,
                                            const ViewParams& view, int width, int height, LegendOverlay legends);
  /// See Renderer::note().
  void note(const Snapshot& snapshot, const ViewParams& view);
  [[nodiscard]] const std::vector<Legend>& legends() const;  ///< legends of the last picture
  [[nodiscard]] const FilmReport& report() const;            ///< on the last picture
  /// Linear picture before the denoiser and the tone curve, of the last draw.
  [[nodiscard]] const film::FilmPicture& picture() const;

 private:
  struct Impl;
  explicit FilmRenderer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

namespace film {

/// Adds a picture with a weight. `sum` is empty or has the same size.
void add_weighted(FilmPicture& sum, const FilmPicture& picture, float weight);
/// Traces a scene up to a budget of `settings`. If it is cancelled, `picture` stays as it is. The bits depend on the
/// seed and, for a time budget, on the time only.
void trace_picture(const PathTracer& tracer, const FilmSettings& settings, FilmPicture& picture, FilmReport& report);

}  // namespace film
}  // namespace vw
