#include "app/window/ui/widgets/plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/window/ui/widgets/column_thinner.h"
#include "app/window/ui/widgets/theme.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

/// Mapping of values to positions along one axis.
struct Axis {
  double low = 0, high = 1;
  bool log = false;
  [[nodiscard]] bool shows(double value) const { return std::isfinite(value) && (!log || value > 0); }
  [[nodiscard]] double share(double value) const {
    return log ? (std::log10(value) - std::log10(low)) / (std::log10(high) - std::log10(low))
               : (value - low) / (high - low);
  }
  [[nodiscard]] double at(double share) const {
    return log ? low * std::pow(high / low, share) : low + share * (high - low);
  }
};

struct Area {
  ImVec2 low, high;  ///< plotting area [px]
  Axis x, y;
  [[nodiscard]] ImVec2 at(double along, double up) const {
    return {low.x + static_cast<float>(x.share(along)) * (high.x - low.x),
            high.y - static_cast<float>(y.share(up)) * (high.y - low.y)};
  }
  [[nodiscard]] bool shows(double along, double up) const { return x.shows(along) && y.shows(up); }
};

const std::vector<double>& x_of(const Plot& plot, const Curve& curve) { return curve.x.empty() ? plot.x : curve.x; }

/// Returns the text of a value for the y axis or the readout. If the plot uses SI prefixes, the text includes the unit.
std::string number(const Plot& plot, double value) {
  if (plot.prefixes) return si_number(value) + plot.y_unit;
  const bool countable = std::abs(value) >= 1000 && std::abs(value) < 1e6;
  return countable ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

/// Minimum and maximum of the values on an axis.
struct Extent {
  double low = 1e300, high = -1e300;
  void take(const Axis& axis, double value) {
    if (!axis.shows(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

void fit_axis(Axis& axis, const Extent& extent, double margin_share) {
  axis.low = extent.low;
  axis.high = extent.high;
  if (axis.low > axis.high) axis.low = axis.log ? 0.1 : 0, axis.high = 1;
  if (axis.log) {
    const double factor = std::max(std::pow(axis.high / axis.low, margin_share), margin_share > 0 ? 1.15 : 1 + 1e-9);
    axis.low /= margin_share > 0 ? factor : 1;
    axis.high *= factor;
    return;
  }
  if (axis.low == 0 && axis.high == 0 && margin_share > 0)
    axis.low = -1, axis.high = 1;  // all values are zero so far: use ticks of order 1 instead of rounding errors
  const double least = std::max(1e-12, 1e-9 * std::max(std::abs(axis.low), std::abs(axis.high)));
  const double margin = std::max(margin_share * (axis.high - axis.low), least);
  axis.low -= margin_share > 0 ? margin : 0;
  axis.high += margin;
}

/// Extends a fixed range to contain the measured values. If the extended range would span more than `most` times the
/// fixed range, the fixed range stays unchanged.
void widen(Axis& axis, const Extent& measured) {
  constexpr double most = 2, margin_share = 0.03;
  if (axis.log || measured.low > measured.high) return;
  const double span = axis.high - axis.low, low = std::min(axis.low, measured.low),
               high = std::max(axis.high, measured.high);
  if (high - low > most * span) return;
  if (low < axis.low) axis.low = low - margin_share * span;
  if (high > axis.high) axis.high = high + margin_share * span;
}

void fix_axis(Axis& axis, const std::optional<std::pair<double, double>>& range) {
  if (!range || !(range->second > range->first) || (axis.log && range->first <= 0)) return;
  axis.low = range->first;
  axis.high = range->second;
}

void fit_range(const Plot& plot, Area& area) {
  area.x.log = plot.x_log;
  area.y.log = plot.y_log;
  Extent x, y, measured;
  if (plot.from_zero) y.take(area.y, 0);
  for (const Curve& curve : plot.curves) {
    const auto& along = x_of(plot, curve);
    for (std::size_t i = 0; i < along.size() && i < curve.y.size(); ++i) {
      if (!area.shows(along[i], curve.y[i])) continue;
      x.take(area.x, along[i]);
      y.take(area.y, curve.y[i]);
      if (curve.stroke != Stroke::dashed) measured.take(area.y, curve.y[i]);
    }
  }
  if (x.low <= x.high) x.take(area.x, plot.x_reach);
  const bool on_zero = plot.from_zero && y.low == 0;
  const bool points = std::any_of(plot.curves.begin(), plot.curves.end(),
                                  [](const Curve& curve) { return curve.stroke == Stroke::points; });
  fit_axis(area.x, x, plot.x_log || points ? 0.04 : 0);  // points at the ends of the axis must not be cut off
  fit_axis(area.y, y, 0.06);
  if (on_zero) area.y.low = 0;
  fix_axis(area.x, plot.x_range);
  fix_axis(area.y, plot.y_range);
  if (plot.y_range) widen(area.y, measured);
}

/// Returns the names of the measured curves with points above or below the plot.
std::vector<std::string> curves_beyond(const Plot& plot, const Area& area) {
  std::vector<std::string> names;
  const double slack = 1e-6 * (area.y.high - area.y.low);
  for (const Curve& curve : plot.curves) {
    if (curve.stroke == Stroke::dashed || !curve.is_listed) continue;
    const auto& along = x_of(plot, curve);
    for (std::size_t i = 0; i < along.size() && i < curve.y.size(); ++i) {
      const bool inside = curve.y[i] >= area.y.low - slack && curve.y[i] <= area.y.high + slack;
      if (inside || !area.shows(along[i], curve.y[i]) || along[i] < area.x.low || along[i] > area.x.high) continue;
      names.push_back(curve.name);
      break;
    }
  }
  return names;
}

std::vector<double> ticks(const Axis& axis, int count) {
  return axis.log ? log_ticks(axis.low, axis.high) : round_ticks(axis.low, axis.high, count);
}

void draw_x_axis(ImDrawList* list, const Area& area, const Plot& plot) {
  const std::string unit = plot.x_name.empty()   ? plot.x_unit
                           : plot.x_unit.empty() ? plot.x_name
                                                 : fmt::format("{} [{}]", plot.x_name, plot.x_unit);
  const float unit_left = area.high.x - ImGui::CalcTextSize(unit.c_str()).x;
  const bool own_line = !plot.x_name.empty();
  float taken = -1e9F;  // right end of the last number; the next number must begin to the right of this position
  for (const double x : ticks(area.x, 5)) {
    const ImVec2 at = area.at(x, area.y.low);
    list->AddLine({at.x, area.high.y}, {at.x, area.high.y + em(0.2F)}, color(palette::dim));
    if (area.x.log) list->AddLine({at.x, area.low.y}, {at.x, area.high.y}, color(palette::line, 0.8F));
    const std::string text = area.x.log ? si_number(x) + plot.x_unit : fmt::format("{:g}", x);
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    const float left = own_line ? std::min(at.x - width / 2, area.high.x - width) : at.x - width / 2;
    if (left < taken || (!own_line && left + width > unit_left - em(0.3F))) continue;
    list->AddText({left, area.high.y + em(0.2F)}, color(palette::dim), text.c_str());
    taken = left + width + em(0.5F);
  }
  const float line = own_line ? em(1.2F) : 0;
  list->AddText({unit_left, area.high.y + em(0.2F) + line}, color(palette::dim), unit.c_str());
}

std::string tick_text(const Plot& plot, double y) { return y == 0 ? "0" : number(plot, y); }

/// Returns the width of the numbers to the left of the y axis. Short numbers get a fixed width, so that plots below
/// each other are aligned.
float room_for_numbers(const Plot& plot, const Area& area) {
  float room = em(4.2F);
  for (const double y : ticks(area.y, 4))
    room = std::max(room, ImGui::CalcTextSize(tick_text(plot, y).c_str()).x + em(0.4F));
  return room;
}

void draw_axes(ImDrawList* list, const Area& area, const Plot& plot) {
  list->AddRectFilled(area.low, area.high, color(palette::window, 0.6F), em(0.25F));
  float taken = 1e9F;  // upper end of the last number; the next number must end above this position
  for (const double y : ticks(area.y, 4)) {
    const ImVec2 at = area.at(area.x.low, y);
    list->AddLine({area.low.x, at.y}, {area.high.x, at.y}, color(palette::line, 0.8F));
    if (at.y + em(0.5F) > taken) continue;
    const std::string text = tick_text(plot, y);
    list->AddText({area.low.x - ImGui::CalcTextSize(text.c_str()).x - em(0.3F), at.y - em(0.5F)}, color(palette::dim),
                  text.c_str());
    taken = at.y - em(0.6F);
  }
  draw_x_axis(list, area, plot);
}

/// Clips a segment to the heights between `top` and `bottom` [px]. `length` is the distance from `a` to `b`. Returns
/// the ends of the clipped segment as distances from `a`.
std::pair<double, double> part_between(ImVec2 a, ImVec2 b, double length, float top, float bottom) {
  if (a.y == b.y) return a.y < top || a.y > bottom ? std::pair(length, length) : std::pair(0.0, length);
  const double per_px = length / static_cast<double>(b.y - a.y);
  const auto [first, last] =
      std::minmax({per_px * static_cast<double>(top - a.y), per_px * static_cast<double>(bottom - a.y)});
  return {std::clamp(first, 0.0, length), std::clamp(last, 0.0, length)};
}

/// Draws dashes only within the plotting area, because a curve may extend far above and below this area.
void draw_dashes(ImDrawList* list, const Area& area, const std::vector<ImVec2>& points, ImU32 tint, float width,
                 float dash_em) {
  const double dash = static_cast<double>(em(dash_em)), period = static_cast<double>(em(dash_em + 0.35F));
  double travelled = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const ImVec2 a = points[i - 1], b = points[i];
    const double length = std::hypot(static_cast<double>(b.x - a.x), static_cast<double>(b.y - a.y));
    const auto along = [&](double s) {
      const auto share = static_cast<float>(s / length);
      return ImVec2{a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
    };
    const auto [from, to] = part_between(a, b, length, area.low.y - width, area.high.y + width);
    for (double s = from; s < to;) {
      const double phase = std::fmod(travelled + s, period);
      const double step = std::min(to - s, (phase < dash ? dash : period) - phase + 0.01);
      if (phase < dash) list->AddLine(along(s), along(s + step), tint, width);
      s += step;
    }
    travelled = std::fmod(travelled + length, period);
  }
}

void draw_run(ImDrawList* list, const Area& area, const Curve& curve, const std::vector<ImVec2>& points) {
  const ImU32 tint = color(curve.tint);
  if (curve.stroke == Stroke::dashed || curve.stroke == Stroke::dotted)
    return draw_dashes(list, area, points, tint, em(curve.width_em), curve.stroke == Stroke::dashed ? 0.45F : 0.16F);
  list->AddPolyline(points.data(), static_cast<int>(points.size()), tint, 0,
                    em(curve.stroke == Stroke::points ? 0.07F : curve.width_em));
  if (curve.stroke == Stroke::points)
    for (const ImVec2& at : points) list->AddCircleFilled(at, em(0.13F + curve.width_em), tint);
}

void draw_curve(ImDrawList* list, const Area& area, const Plot& plot, const Curve& curve) {
  const auto& x = x_of(plot, curve);
  ColumnThinner run;
  const auto finish = [&] { draw_run(list, area, curve, run.take()); };
  for (std::size_t i = 0; i < x.size() && i < curve.y.size(); ++i) {
    if (area.shows(x[i], curve.y[i])) {
      const ImVec2 at = area.at(x[i], curve.y[i]);
      run.add({at.x, std::clamp(at.y, -1e5F, 1e5F)});
    } else {
      finish();
    }
  }
  finish();
}

void draw_swatch(ImDrawList* list, ImVec2 at, const Curve& curve) {
  const float y = at.y + em(0.55F);
  const ImU32 tint = color(curve.tint);
  if (curve.stroke == Stroke::dashed) {
    list->AddLine({at.x, y}, {at.x + em(0.35F), y}, tint, em(0.15F));
    list->AddLine({at.x + em(0.5F), y}, {at.x + em(0.85F), y}, tint, em(0.15F));
  } else if (curve.stroke == Stroke::dotted) {
    for (const float from : {0.0F, 0.3F, 0.6F})
      list->AddLine({at.x + em(from), y}, {at.x + em(from + 0.16F), y}, tint, em(0.15F));
  } else if (curve.stroke == Stroke::points) {
    list->AddCircleFilled({at.x + em(0.4F), y}, em(0.24F), tint);
  } else {
    list->AddLine({at.x, y}, {at.x + em(0.8F), y}, tint, em(0.15F));
  }
}

/// Draws title and legend in as many lines as needed and returns their height. If `list` is null, nothing is drawn.
float draw_names(ImDrawList* list, ImVec2 corner, float width, const Plot& plot) {
  const bool bare = plot.prefixes || plot.y_unit.empty();
  const std::string title = bare ? plot.title : fmt::format("{} [{}]", plot.title, plot.y_unit);
  ImVec2 at = corner;
  if (list != nullptr) list->AddText(at, color(palette::text), title.c_str());
  at.x += ImGui::CalcTextSize(title.c_str()).x + em(1);
  if (std::ranges::count_if(plot.curves, &Curve::is_listed) > 1 && plot.legend) {
    for (const Curve& curve : plot.curves) {
      if (!curve.is_listed) continue;
      const float needed = em(1.1F) + ImGui::CalcTextSize(curve.name.c_str()).x;
      const float room = at.y == corner.y ? em(plot.room_em) : 0;
      if (at.x + needed > corner.x + width - room && at.x > corner.x) at = {corner.x, at.y + em(1.2F)};
      if (list != nullptr) {
        draw_swatch(list, at, curve);
        list->AddText({at.x + em(1.1F), at.y}, color(palette::dim), curve.name.c_str());
      }
      at.x += needed + em(0.8F);
    }
  }
  return at.y + em(1.5F) - corner.y;
}

/// Returns the index of the sample nearest to `wanted`, or 0 if there are no samples.
std::size_t nearest(const Area& area, const std::vector<double>& x, double wanted) {
  if (x.empty()) return 0;
  const auto found = std::lower_bound(x.begin(), x.end(), wanted);
  auto i = static_cast<std::size_t>(std::min(found - x.begin(), static_cast<std::ptrdiff_t>(x.size()) - 1));
  if (i > 0 &&
      std::abs(area.x.share(x[i - 1]) - area.x.share(wanted)) < std::abs(area.x.share(x[i]) - area.x.share(wanted)))
    --i;
  return i;
}

/// Returns the value of a curve at x = `wanted`. A theoretical curve is interpolated linearly. A measured curve has the
/// value of the nearest sample. If the nearest sample is farther away than 3 % of the axis, the function returns NaN.
double value_at(const Area& area, const std::vector<double>& x, const Curve& curve, double wanted) {
  const std::size_t i = nearest(area, x, wanted);
  if (i >= curve.y.size()) return std::nan("");
  if (std::abs(area.x.share(x[i]) - area.x.share(wanted)) > 0.03) return std::nan("");
  // Sample on the other side of `wanted`. If i = 0, i - 1 wraps to a large number, which the next line rejects.
  const std::size_t j = x[i] < wanted ? i + 1 : i - 1;
  if (curve.stroke != Stroke::dashed || x[i] == wanted || j >= std::min(x.size(), curve.y.size())) return curve.y[i];
  const double between = curve.y[i] + (wanted - x[i]) / (x[j] - x[i]) * (curve.y[j] - curve.y[i]);
  return std::isfinite(between) ? between : curve.y[i];
}

void draw_reading(ImDrawList* list, const Area& area, const Plot& plot) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  // The readout is not shown while the pointer is over the title or its buttons.
  const bool inside = mouse.x >= area.low.x && mouse.x <= area.high.x && mouse.y >= area.low.y;
  if (!ImGui::IsItemHovered() || !inside) return;
  double x = area.x.at(static_cast<double>((mouse.x - area.low.x) / (area.high.x - area.low.x)));
  // The readout snaps to the samples of the first curve that is not theoretical.
  for (const Curve& curve : plot.curves) {
    const auto& along = x_of(plot, curve);
    if (curve.stroke == Stroke::dashed || !curve.is_listed || along.empty()) continue;
    if (x <= along.back() || curve.stroke == Stroke::points) x = along[nearest(area, along, x)];
    break;
  }
  const float px = area.at(x, area.y.low).x;
  list->AddLine({px, area.low.y}, {px, area.high.y}, color(palette::dim, 0.6F));
  ImGui::BeginTooltip();
  if (plot.x_name.empty())
    ImGui::TextColored(palette::dim, "%.3f %s", x, plot.x_unit.c_str());
  else
    ImGui::TextColored(palette::dim, "%s %s%s", plot.x_name.c_str(), si_number(x).c_str(), plot.x_unit.c_str());
  for (const Curve& curve : plot.curves) {
    if (!curve.is_listed) continue;
    const auto& along = x_of(plot, curve);
    const double y = value_at(area, along, curve, x);
    if (std::isfinite(y)) ImGui::TextColored(curve.tint, "%s %s", curve.name.c_str(), number(plot, y).c_str());
  }
  ImGui::EndTooltip();
}

/// Writes the names of the measured curves that leave a fixed axis into the upper right corner of the plot.
void draw_beyond(ImDrawList* list, const Area& area, const Plot& plot) {
  const std::vector<std::string> names = curves_beyond(plot, area);
  if (names.empty()) return;
  const std::string said =
      names.size() > 2 ? fmt::format("{} curves exceed the axis", names.size())
                       : fmt::format("{} exceed{} the axis", fmt::join(names, " and "), names.size() == 1 ? "s" : "");
  const std::string text = shortened(said, area.high.x - area.low.x - em(0.8F));
  const ImVec2 extent = ImGui::CalcTextSize(text.c_str()),
               at{area.high.x - extent.x - em(0.4F), area.low.y + em(0.25F)};
  list->AddRectFilled({at.x - em(0.2F), at.y}, {at.x + extent.x + em(0.2F), at.y + extent.y},
                      color(palette::window, 0.8F), em(0.2F));
  list->AddText(at, color(palette::warning), text.c_str());
}

bool has_points(const Plot& plot) {
  return std::any_of(plot.curves.begin(), plot.curves.end(), [&](const Curve& curve) {
    const auto& x = x_of(plot, curve);
    return x.size() >= (curve.stroke == Stroke::points ? 1U : 2U);
  });
}

}  // namespace

std::vector<double> round_ticks(double low, double high, int count) {
  std::vector<double> ticks;
  const double span = high - low;
  if (!(span > 0) || !std::isfinite(span) || count < 1) return ticks;
  const double raw = span / count, power = std::pow(10.0, std::floor(std::log10(raw)));
  const double ratio = raw / power;
  const double step = power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * span && ticks.size() < 64; i += 1)
    ticks.push_back(i == 0 ? 0 : i * step);
  return ticks;
}

std::vector<double> log_ticks(double low, double high) {
  std::vector<double> ticks;
  if (!(low > 0) || !(high > low) || !std::isfinite(high)) return ticks;
  // This is not log10(high / low), because the quotient could overflow.
  const double decades = std::log10(high) - std::log10(low);
  const int every = decades > 12 ? static_cast<int>(decades / 6) : 1;
  const bool fine = decades < 2.5;
  for (int k = static_cast<int>(std::floor(std::log10(low))); std::pow(10.0, k) <= high && ticks.size() < 64;
       k += every)
    for (const double multiple : {1.0, 2.0, 5.0}) {
      const double tick = multiple * std::pow(10.0, k);
      if (tick >= low && tick <= high && (fine || multiple == 1)) ticks.push_back(tick);
    }
  return ticks;
}

std::string si_number(double value) {
  if (value == 0 || !std::isfinite(value)) return value == 0 ? "0 " : "? ";
  struct Prefix {
    double factor;
    const char* symbol;
  };
  static constexpr auto prefixes = std::to_array<Prefix>(
      {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "\xC2\xB5"}, {1e-9, "n"}, {1e-12, "p"}});
  for (const Prefix& prefix : prefixes)
    if (std::abs(value) >= 0.9995 * prefix.factor)
      return fmt::format("{:.3g} {}", value / prefix.factor, prefix.symbol);
  return fmt::format("{:.2g} ", value);
}

YAxis y_axis(const Plot& plot) {
  Area area;
  fit_range(plot, area);
  return {area.y.low, area.y.high, curves_beyond(plot, area)};
}

void draw_plot(const char* id, const Plot& plot) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float head = draw_names(nullptr, corner, width, plot), foot = em(plot.x_name.empty() ? 1.4F : 2.6F);
  const ImVec2 size{width, em(plot.height_em) + head - em(1.5F) + foot - em(1.4F)};
  ImGui::InvisibleButton(id, {std::max(size.x, 1.0F), size.y});
  ImGui::SetItemAllowOverlap();
  ImDrawList* list = ImGui::GetWindowDrawList();
  (void)draw_names(list, corner, width, plot);
  if (!has_points(plot) || size.x < em(8)) return;
  Area area;
  fit_range(plot, area);
  area.low = {corner.x + room_for_numbers(plot, area), corner.y + head};
  area.high = {corner.x + size.x, corner.y + size.y - foot};
  draw_axes(list, area, plot);
  list->PushClipRect(area.low, area.high, true);
  for (const bool theory :
       {false, true})  // theoretical curves are drawn last, so that they are visible over measured curves
    for (const Curve& curve : plot.curves)
      if ((curve.stroke == Stroke::dashed) == theory) draw_curve(list, area, plot, curve);
  if (plot.moment && *plot.moment >= area.x.low && *plot.moment <= area.x.high) {
    const float x = area.at(*plot.moment, area.y.low).x;
    list->AddLine({x, area.low.y}, {x, area.high.y}, color(palette::warning, 0.8F), 1.5F);
  }
  if (plot.y_range) draw_beyond(list, area, plot);
  list->PopClipRect();
  draw_reading(list, area, plot);
}

}  // namespace vw::ui
