#include "app/window/ui/plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "app/window/ui/theme.h"

namespace vw::ui {
namespace {

std::string number(const Plot& plot, double value) { return plot.prefixes ? si_number(value) : fmt::format("{:.3g} ", value); }

struct Area {
  ImVec2 low, high;  ///< of the plotting area [px]
  double x0 = 0, x1 = 1, y0 = 0, y1 = 1;
  [[nodiscard]] ImVec2 at(double x, double y) const {
    return {low.x + static_cast<float>((x - x0) / (x1 - x0)) * (high.x - low.x),
            high.y - static_cast<float>((y - y0) / (y1 - y0)) * (high.y - low.y)};
  }
};

void fit_range(const Plot& plot, Area& area) {
  area.x0 = plot.x.front();
  area.x1 = std::max(plot.x.back(), area.x0 + 1e-9);
  double low = plot.from_zero ? 0 : 1e300, high = plot.from_zero ? 0 : -1e300;
  for (const Curve& curve : plot.curves) {
    for (const double y : curve.y) {
      if (!std::isfinite(y)) continue;
      low = std::min(low, y);
      high = std::max(high, y);
    }
  }
  if (low > high) low = 0, high = 1;
  const double least = std::max(1e-12, 1e-9 * std::max(std::abs(low), std::abs(high)));
  const double margin = std::max(0.06 * (high - low), least);
  area.y0 = plot.from_zero && low == 0 ? 0 : low - margin;
  area.y1 = high + margin;
}

void draw_axes(ImDrawList* list, const Area& area, const Plot& plot) {
  list->AddRectFilled(area.low, area.high, color(palette::window, 0.6F), em(0.25F));
  for (const double y : round_ticks(area.y0, area.y1, 4)) {
    const ImVec2 at = area.at(area.x0, y);
    list->AddLine({area.low.x, at.y}, {area.high.x, at.y}, color(palette::line, 0.8F));
    const std::string text = plot.prefixes ? number(plot, y) + plot.y_unit : number(plot, y);  // a prefix alone would read as the unit: 30 m
    list->AddText({area.low.x - ImGui::CalcTextSize(text.c_str()).x - em(0.3F), at.y - em(0.5F)}, color(palette::dim), text.c_str());
  }
  for (const double x : round_ticks(area.x0, area.x1, 5)) {
    const ImVec2 at = area.at(x, area.y0);
    list->AddLine({at.x, area.high.y}, {at.x, area.high.y + em(0.2F)}, color(palette::dim));
    const std::string text = fmt::format("{:g}", x);
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    if (at.x + width / 2 > area.high.x - em(1)) continue;  // the unit stands there
    list->AddText({at.x - width / 2, area.high.y + em(0.2F)}, color(palette::dim), text.c_str());
  }
  const float unit = ImGui::CalcTextSize(plot.x_unit.c_str()).x;
  list->AddText({area.high.x - unit, area.high.y + em(0.2F)}, color(palette::dim), plot.x_unit.c_str());
}

/// No more points than pixels: for each column the mean of what falls into it.
void draw_curve(ImDrawList* list, const Area& area, const std::vector<double>& x, const Curve& curve) {
  std::vector<ImVec2> points;
  float column = -1e9F;
  double sum = 0;
  int count = 0;
  const auto close_column = [&] {
    if (count > 0) points.push_back({column, static_cast<float>(sum / count)});
  };
  for (std::size_t i = 0; i < x.size() && i < curve.y.size(); ++i) {
    if (!std::isfinite(curve.y[i])) continue;
    const ImVec2 at = area.at(x[i], curve.y[i]);
    if (at.x - column >= 1) {
      close_column();
      column = at.x;
      sum = 0;
      count = 0;
    }
    sum += static_cast<double>(at.y);
    ++count;
  }
  close_column();
  list->AddPolyline(points.data(), static_cast<int>(points.size()), color(curve.tint), 0, em(0.11F));
}

void draw_names(ImDrawList* list, ImVec2 at, const Plot& plot) {
  const std::string title = plot.prefixes ? plot.title : fmt::format("{} [{}]", plot.title, plot.y_unit);
  list->AddText(at, color(palette::text), title.c_str());
  at.x += ImGui::CalcTextSize(title.c_str()).x + em(1);
  if (plot.curves.size() < 2) return;
  for (const Curve& curve : plot.curves) {
    list->AddLine({at.x, at.y + em(0.55F)}, {at.x + em(0.8F), at.y + em(0.55F)}, color(curve.tint), em(0.15F));
    list->AddText({at.x + em(1.1F), at.y}, color(palette::dim), curve.name.c_str());
    at.x += em(1.9F) + ImGui::CalcTextSize(curve.name.c_str()).x;
  }
}

void draw_reading(ImDrawList* list, const Area& area, const Plot& plot) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!ImGui::IsItemHovered() || mouse.x < area.low.x || mouse.x > area.high.x) return;
  const double wanted = area.x0 + static_cast<double>((mouse.x - area.low.x) / (area.high.x - area.low.x)) * (area.x1 - area.x0);
  const auto found = std::lower_bound(plot.x.begin(), plot.x.end(), wanted);
  const auto i = static_cast<std::size_t>(std::min(found - plot.x.begin(), static_cast<std::ptrdiff_t>(plot.x.size()) - 1));
  const float x = area.at(plot.x[i], area.y0).x;
  list->AddLine({x, area.low.y}, {x, area.high.y}, color(palette::dim, 0.6F));
  ImGui::BeginTooltip();
  ImGui::TextColored(palette::dim, "%.3f %s", plot.x[i], plot.x_unit.c_str());
  for (const Curve& curve : plot.curves)
    if (i < curve.y.size()) ImGui::TextColored(curve.tint, "%s %s%s", curve.name.c_str(), number(plot, curve.y[i]).c_str(), plot.y_unit.c_str());
  ImGui::EndTooltip();
}

}  // namespace

std::vector<double> round_ticks(double low, double high, int count) {
  std::vector<double> ticks;
  const double span = high - low;
  if (!(span > 0) || !std::isfinite(span) || count < 1) return ticks;
  const double raw = span / count, power = std::pow(10.0, std::floor(std::log10(raw)));
  const double ratio = raw / power;
  const double step = power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * span && ticks.size() < 64; i += 1) ticks.push_back(i == 0 ? 0 : i * step);
  return ticks;
}

std::string si_number(double value) {
  if (value == 0 || !std::isfinite(value)) return value == 0 ? "0 " : "? ";
  struct Prefix {
    double factor;
    const char* symbol;
  };
  static constexpr std::array<Prefix, 8> prefixes{
      {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "\xC2\xB5"}, {1e-9, "n"}, {1e-12, "p"}}};
  for (const Prefix& prefix : prefixes)
    if (std::abs(value) >= 0.9995 * prefix.factor) return fmt::format("{:.3g} {}", value / prefix.factor, prefix.symbol);
  return fmt::format("{:.2g} ", value);
}

void draw_plot(const char* id, const Plot& plot) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, em(plot.height_em)};
  ImGui::InvisibleButton(id, {std::max(size.x, 1.0F), size.y});
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_names(list, corner, plot);
  if (plot.x.size() < 2 || size.x < em(8)) return;
  Area area;
  area.low = {corner.x + em(4.2F), corner.y + em(1.5F)};
  area.high = {corner.x + size.x, corner.y + size.y - em(1.4F)};
  fit_range(plot, area);
  draw_axes(list, area, plot);
  list->PushClipRect(area.low, area.high, true);
  for (const Curve& curve : plot.curves) draw_curve(list, area, plot.x, curve);
  list->PopClipRect();
  draw_reading(list, area, plot);
}

}  // namespace vw::ui
