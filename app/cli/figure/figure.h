// Figures of `voxwake render`: runs a scene, draws the wanted moments and views, and writes one picture or document.
// The panels have the same ranges of colours and arrows, so that they can be compared.
#pragma once

#include <functional>
#include <string>

#include "app/cli/figure/figure_options.h"
#include "render/camera.h"
#include "render/offscreen_painter.h"
#include "sim/api/run.h"

namespace vw::cli {

struct FigureSetup {
  OffscreenPainter& painter;
  api::Run& run;
  ViewParams view;
  Camera camera;
  Size panel;        ///< size of the picture in each panel [px]
  std::string file;  ///< .png, .svg or .pdf
  double end_s;      ///< end of the run, if the options name no moments [s]
  /// Returns the packed moment that is stored in a PNG file. Empty if none is to be stored.
  std::function<std::string(const Snapshot& last)> moment;
};

struct WrittenFigure {
  std::size_t panels = 0;
  int width = 0, height = 0;  ///< [px]
  double time_s = 0;          ///< time of the last panel [s]
  bool failed = false;        ///< whether a health check ended the run before the last moment
};
/// Returns the data that a picture of this view requires beyond the usual contents of a snapshot.
[[nodiscard]] SnapshotRequest request_for(const ViewParams& view);
/// Writes the figure. After an interrupt or a failed health check, the figure has the moments up to that time.
[[nodiscard]] Result<WrittenFigure> write_figure(const FigureSetup& setup, const FigureOptions& options);

}  // namespace vw::cli
