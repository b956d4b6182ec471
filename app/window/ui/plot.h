// A small line plot by draw lists: axes with round ticks, a unit, several curves and the values under the pointer.
#pragma once

#include <string>
#include <vector>

#include <imgui.h>

namespace vw::ui {

struct Curve {
  std::string name;
  ImVec4 tint;
  std::vector<double> y;  ///< parallel to the plot's x
};

struct Plot {
  std::string title, y_unit;
  std::string x_unit = "s";
  std::vector<double> x;  ///< ascending
  std::vector<Curve> curves;
  bool prefixes = true;    ///< write numbers with SI prefixes
  bool from_zero = false;  ///< the y axis includes 0
  float height_em = 9;
};

void draw_plot(const char* id, const Plot& plot);

/// About `count` round numbers (1, 2, 5 times a power of ten) inside [low, high].
[[nodiscard]] std::vector<double> round_ticks(double low, double high, int count);
/// "12.5k", "3.2m", with an SI prefix.
[[nodiscard]] std::string si_number(double value);

}  // namespace vw::ui
