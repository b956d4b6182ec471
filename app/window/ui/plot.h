// A small line plot by draw lists: axes with round ticks, linear or logarithmic, a unit, several curves and the values under the pointer.
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
  std::vector<double> y = {};  ///< parallel to x; not a number: a gap
  std::vector<double> x = {};  ///< ascending; empty: the plot's
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
  std::string x_name = {};  ///< what the horizontal axis shows, when it is not time
  bool x_log = false, y_log = false;
  double x_reach = std::numeric_limits<double>::quiet_NaN();                                ///< the horizontal axis goes at least so far
  std::optional<std::pair<double, double>> x_range = std::nullopt, y_range = std::nullopt;  ///< in place of what the curves need; y: see y_axis()
  bool legend = true;                                                                       ///< name the curves, when there are several
  float room_em = 0;  ///< at the right of the title, for buttons of the caller's
};

void draw_plot(const char* id, const Plot& plot);

struct YAxis {
  double low = 0, high = 1;
  std::vector<std::string> beyond;  ///< names of measured curves that leave it
};
/// The axis of y as it is drawn. A fixed range grows to hold what is measured, up to twice its span; curves that go farther are named beside the
/// plot.
[[nodiscard]] YAxis y_axis(const Plot& plot);

struct App;
/// What is drawn of a scene's plot.
[[nodiscard]] Plot plot_picture(App& app, std::size_t index);

/// About `count` round numbers (1, 2, 5 times a power of ten) inside [low, high].
[[nodiscard]] std::vector<double> round_ticks(double low, double high, int count);
/// Powers of ten inside [low, high], with 2 and 5 times them where there would be fewer than three.
[[nodiscard]] std::vector<double> log_ticks(double low, double high);
/// "12.5k", "3.2m", with an SI prefix.
[[nodiscard]] std::string si_number(double value);

}  // namespace vw::ui
