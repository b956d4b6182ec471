// Line plots drawn with ImGui draw lists: axes with round ticks, linear or logarithmic, a unit, several curves, and the
// values under the pointer.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <imgui.h>

namespace vw::ui {

/// `dashed` curves are theoretical, `dotted` curves are measured in another run.
enum class Stroke { line, dashed, dotted, points };

struct Curve {
  std::string name;
  ImVec4 tint;
  std::vector<double> y = {};  ///< one value per element of x. NaN leaves a gap in the curve.
  std::vector<double> x = {};  ///< values of x, ascending. If empty, the curve uses Plot::x.
  Stroke stroke = Stroke::line;
  float width_em = 0.12F;
  bool is_listed = true;  ///< whether the legend and the readout at the pointer name the curve
};

struct Plot {
  std::string title, y_unit;
  std::string x_unit = "s";
  std::vector<double> x = {};  ///< values of x, ascending
  std::vector<Curve> curves = {};
  bool prefixes = true;    ///< whether numbers have SI prefixes
  bool from_zero = false;  ///< whether the y axis includes 0
  float height_em = 9;
  std::string x_name = {};  ///< name of the horizontal axis. Empty means time.
  bool x_log = false, y_log = false;
  /// The horizontal axis extends at least to this value. NaN sets no minimum.
  double x_reach = std::numeric_limits<double>::quiet_NaN();
  /// Fixed ranges of the axes. Without a value, the range is fitted to the curves. y_axis() may extend y_range.
  std::optional<std::pair<double, double>> x_range = std::nullopt, y_range = std::nullopt;
  /// Value of x at which a vertical line marks the present moment.
  std::optional<double> moment = std::nullopt;
  bool legend = true;  ///< whether the curves are named if there is more than one
  float room_em = 0;   ///< width to the right of the title that is reserved for the caller's buttons [em]
};

void draw_plot(const char* id, const Plot& plot);

struct YAxis {
  double low = 0, high = 1;
  std::vector<std::string> beyond;  ///< names of the measured curves with points outside the axis
};
/// Returns the y axis as it is drawn. A fixed range (Plot::y_range) is extended to contain the measured values. If the
/// extended range would span more than twice the fixed range, the fixed range is kept.
[[nodiscard]] YAxis y_axis(const Plot& plot);

struct App;
/// Data for drawing the plot with the index `index` in Session::plots.
[[nodiscard]] Plot plot_picture(App& app, std::size_t index);

/// Returns about `count` round numbers inside [low, high]. Their spacing is 1, 2 or 5 times a power of ten.
[[nodiscard]] std::vector<double> round_ticks(double low, double high, int count);
/// Returns the powers of ten inside [low, high]. If the interval spans less than 2.5 decades, the result also contains
/// 2 and 5 times the powers of ten.
[[nodiscard]] std::vector<double> log_ticks(double low, double high);
/// Returns a number, a space and an SI prefix, to which a unit can be appended: "12.5 k", "3.2 m", "7 ".
[[nodiscard]] std::string si_number(double value);

}  // namespace vw::ui
