// Arrangement of a figure: panels in a grid with captions, title, legends, scale bars and axes. Sizes are in pixels of
// the panels' pictures.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/figure/figure_options.h"
#include "app/cli/figure/plot_drawing.h"
#include "render/camera.h"
#include "render/labels/drawing.h"
#include "render/renderer.h"

namespace vw::cli {

/// A panel of a figure: either a plot, or a picture and its legends. The layout draws the legends.
struct FigurePanel {
  std::shared_ptr<const Image> image;  ///< null in the panel of a plot
  std::shared_ptr<const PlotFigure> plot = {};
  std::string caption = {};
  Camera camera = {};
  std::vector<Legend> legends = {};
  std::array<VectorLegend, 3> vectors = {};
};

struct FigureStyle {
  const TextFont& font;
  bool is_light = true;         ///< whether the text is black, for a white page
  bool is_transparent = false;  ///< whether the page has no background colour
  bool has_scenery = false;     ///< whether the pictures show sky and ground, on which text needs a plate
  std::size_t columns = 1;
  LegendTheme legend_theme = LegendTheme::automatic;  ///< colours of legends on pictures
};

/// Returns the number of panels in a row. The result is `wanted`. If `wanted` is 0, the number is chosen so that the
/// figure is about twice as wide as high. `aspect` is the width of a panel divided by its height.
[[nodiscard]] std::size_t figure_columns(std::size_t panels, std::int64_t wanted, float aspect);
/// Composes the figure. The first panel is a picture. All panels have the same size. If all panels have the same
/// legends, the figure has them once.
[[nodiscard]] Drawing lay_out(const std::vector<FigurePanel>& panels, const FigureOptions& options,
                              const FigureStyle& style);
/// Returns a drawing of the title and the caption of a video, on plates. `size` is the size of the video [px], and
/// `legend_size` the value of ViewParams::legend_size.
[[nodiscard]] Drawing video_text(const std::string& title, const std::string& caption, const glm::vec2& size,
                                 const TextFont& font, float legend_size, bool is_light);
/// Replaces {time} in a text by the time in seconds with two decimals.
[[nodiscard]] std::string with_time(std::string text, double time_s);

}  // namespace vw::cli
