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

enum class Stroke { line, dashed, points };

struct Curve {
  std::string name;
  ImVec4 tint;
  std::vector<double> y = {};  ///< parallel to x; NaN: a gap
  std::vector<double> x = {};  ///< ascending; empty: the plot's x
  Stroke stroke = Stroke::line;
  float width_em = 0.12F;
};

struct Plot {
  std::string title, y_unit;
  std::string x_unit = "s";
  std::vector<double> x = {};  ///< ascending
  std::vector<Curve> curves = {};
  bool prefixes = true;    ///< write numbers with SI prefixes
  bool from_zero = false;  ///< the y axis includes 0
  float height_em = 9;
  std::string x_name = {};  ///< name of the horizontal axis; empty: time
  bool x_log = false, y_log = false;
  double x_reach = std::numeric_limits<double>::quiet_NaN();  ///< the horizontal axis extends at least to this value
  /// Fixed axis ranges instead of ranges fitted to the curves; for y see y_axis()
  std::optional<std::pair<double, double>> x_range = std::nullopt, y_range = std::nullopt;
  bool legend = true;  ///< name the curves if there are several
  float room_em = 0;   ///< space to the right of the title for the caller's buttons
};

void draw_plot(const char* id, const Plot& plot);

struct YAxis {
  double low = 0, high = 1;
  std::vector<std::string> beyond;  ///< names of measured curves that leave the axis
};
/// The y axis as drawn. A fixed range is extended to contain the measured values, up to twice its span. Curves that
/// extend further are named beside the plot.
[[nodiscard]] YAxis y_axis(const Plot& plot);

struct App;
/// Drawing data of a plot of the scene.
[[nodiscard]] Plot plot_picture(App& app, std::size_t index);

/// About `count` round numbers (1, 2 or 5 times a power of ten) inside [low, high].
[[nodiscard]] std::vector<double> round_ticks(double low, double high, int count);
/// Powers of ten inside [low, high]; with 2 and 5 times them if there would be fewer than three.
[[nodiscard]] std::vector<double> log_ticks(double low, double high);
/// Number with an SI prefix: "12.5k", "3.2m".
[[nodiscard]] std::string si_number(double value);

}  // namespace vw::ui
