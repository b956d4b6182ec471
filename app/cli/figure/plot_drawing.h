// Draws plots with axes, ticks and curves as vector graphics, for figures. The functions depend neither on scenes nor
// on measurements.
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
  bool is_dotted = false;  ///< single points instead of a line
  /// Points in order of increasing x. A value that is not finite interrupts the curve.
  std::vector<std::pair<double, double>> points;
};

struct PlotFigure {
  std::string title, x_label, y_label;
  bool x_log = false, y_log = false;
  std::pair<double, double> x_range{0, 1}, y_range{0, 1};
  std::vector<double> moments;  ///< x values at which vertical lines are drawn
  std::vector<DrawnCurve> curves;
  bool has_legend = true;  ///< whether several curves are named below the axes
};

/// Returns the values at the ticks of an axis. They are multiples of 1, 2 or 5 times a power of ten, about `most` of
/// them. On a logarithmic axis, they are powers of ten. If the range contains fewer than two powers of ten, their
/// multiples by 2 and 5 are added. If there are still fewer than two ticks, the ticks are those of a linear axis.
/// `range` must increase.
[[nodiscard]] std::vector<double> ticks_of(const std::pair<double, double>& range, bool is_log, int most);
/// Returns the text of a tick. The distance between ticks, `step`, determines the number of decimals. `step` is 0 on a
/// logarithmic axis.
[[nodiscard]] std::string tick_text(double value, double step);
/// Returns the range of the finite values of all curves. On a linear axis, the range includes a margin of 5 %. On a
/// logarithmic axis, values that are not positive are ignored.
[[nodiscard]] std::pair<double, double> range_of_values(const std::vector<DrawnCurve>& curves, bool is_log);

/// Draws the plot into an area of size `extent` [px]. `size` is the height of the text [px], which is reduced in a
/// small area.
[[nodiscard]] Drawing draw_plot(const PlotFigure& plot, const TextFont& font, float size, const glm::vec2& extent,
                                bool is_light);

}  // namespace vw::cli
