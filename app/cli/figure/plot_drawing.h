// Plots as vector drawings with axes, ticks and curves, for figures. This file knows neither scenes nor measurements.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "render/labels/drawing.h"

namespace vw::cli {

struct DrawnCurve {
  std::string label;
  glm::vec3 color{0};  ///< sRGB
  bool is_dashed = false;
  bool is_dotted = false;                         ///< single points instead of a line
  std::vector<std::pair<double, double>> points;  ///< x increases; values that are not finite divide the curve
};

struct PlotFigure {
  std::string title, x_label, y_label;
  bool x_log = false, y_log = false;
  std::pair<double, double> x_range{0, 1}, y_range{0, 1};
  std::vector<double> moments;  ///< places on the x axis that are marked with vertical lines
  std::vector<DrawnCurve> curves;
};

/// Numbers at the ticks of an axis: at most `most` multiples of 1, 2 or 5 times a power of ten or, on a logarithmic
/// axis, powers of ten. `range` must increase.
[[nodiscard]] std::vector<double> ticks_of(const std::pair<double, double>& range, bool is_log, int most);
/// Text of a tick. `step` is the distance between ticks, which gives the number of decimals; 0 on a logarithmic axis.
[[nodiscard]] std::string tick_text(double value, double step);
/// Range of the finite values of all curves. With a margin of 5 %, unless the axis is logarithmic. Values that are not
/// positive do not count on a logarithmic axis.
[[nodiscard]] std::pair<double, double> range_of_values(const std::vector<DrawnCurve>& curves, bool is_log);

/// Draws the plot into an area of this size [px]. `size`: height of the text [px], which is smaller in a small area.
[[nodiscard]] Drawing draw_plot(const PlotFigure& plot, const TextFont& font, float size, const glm::vec2& extent,
                                bool is_light);

}  // namespace vw::cli
