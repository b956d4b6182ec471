#include "app/cli/figure/plot_drawing.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace vw::cli {
namespace {

constexpr std::size_t most_points = 600;  // largest number of points of a drawn curve; a panel cannot resolve more

/// Returns the position of a value on an axis: 0 at the start of the range and 1 at its end.
double share_of(double value, const std::pair<double, double>& range, bool is_log) {
  const auto on_axis = [&](double x) { return is_log ? std::log10(x) : x; };
  return (on_axis(value) - on_axis(range.first)) / (on_axis(range.second) - on_axis(range.first));
}

/// Reduces a curve to about `most_points` points. The points are divided into consecutive groups of equal length. Of
/// each group, only the points with the smallest and the largest value remain. Groups with a gap keep all points.
std::vector<std::pair<double, double>> thinned(const std::vector<std::pair<double, double>>& points) {
  if (points.size() <= most_points) return points;
  std::vector<std::pair<double, double>> out;
  const std::size_t places = most_points / 2;
  for (std::size_t k = 0; k < places; ++k) {
    const std::size_t begin = k * points.size() / places, end = (k + 1) * points.size() / places;
    const auto first = points.begin() + static_cast<std::ptrdiff_t>(begin),
               last = points.begin() + static_cast<std::ptrdiff_t>(end);
    if (std::any_of(first, last, [](const auto& point) { return !std::isfinite(point.second); })) {
      out.insert(out.end(), first, last);
      continue;
    }
    const auto [low, high] =
        std::minmax_element(first, last, [](const auto& a, const auto& b) { return a.second < b.second; });
    out.push_back(std::min(*low, *high));
    if (low != high) out.push_back(std::max(*low, *high));
  }
  out.push_back(points.back());
  return out;
}

/// Clips a line to a rectangle (J. Liang, B. Barsky, 1984). Returns false if the line is outside.
bool clip_line(glm::vec2& from, glm::vec2& to, const glm::vec2& low, const glm::vec2& high) {
  const glm::vec2 way = to - from;
  float begin = 0, end = 1;
  for (int axis = 0; axis < 2; ++axis)
    for (const float side : {-1.0F, 1.0F}) {
      const float along = side * way[axis], left = side < 0 ? from[axis] - low[axis] : high[axis] - from[axis];
      if (along == 0) {
        if (left < 0) return false;
      } else if (const float t = left / along; along < 0) {
        begin = std::max(begin, t);
      } else {
        end = std::min(end, t);
      }
    }
  if (begin >= end) return false;
  to = from + end * way;
  from += begin * way;
  return true;
}

/// Draws into the axes of a plot.
struct PlotPainter {
  const PlotFigure& plot;
  const TextFont& font;
  float size;
  glm::vec2 low, high;  ///< corners of the axes [px]; y counts downwards
  glm::vec3 ink, pale;
  Drawing& out;

  [[nodiscard]] glm::vec2 at(double x, double y) const {
    return {low.x + static_cast<float>(share_of(x, plot.x_range, plot.x_log)) * (high.x - low.x),
            high.y - static_cast<float>(share_of(y, plot.y_range, plot.y_log)) * (high.y - low.y)};
  }
  void line(const glm::vec2& from, const glm::vec2& to, float width, const glm::vec3& color) const {
    out.items.emplace_back(DrawnLine{from, to, width, color});
  }
  void text(float x, float baseline, const std::string& words) const {
    out.items.emplace_back(DrawnText{{x, baseline}, size, words, ink});
  }
  /// Draws a straight segment of a curve. `walked` is the length of the curve before the segment, for the phase of
  /// dashes. The call adds the length of the segment.
  void part(glm::vec2 from, glm::vec2 to, const DrawnCurve& curve, float& walked) const {
    const float width = std::max(1.0F, 0.1F * size), dash = 0.5F * size, whole = glm::length(to - from);
    if (!(whole > 0)) return;
    const float before = std::exchange(walked, walked + whole);
    glm::vec2 start = from, end = to;
    if (!clip_line(start, end, low, high)) return;
    start = glm::clamp(start, low, high);  // clipping is inexact for points far away
    end = glm::clamp(end, low, high);
    if (!curve.is_dashed) return line(start, end, width, curve.color);
    const float length = glm::length(end - start);
    if (!(length > 0)) return;
    const glm::vec2 way = (end - start) / length;
    // The phase is reduced before the loop, because the length of a curve far outside the axes has no exact float.
    const float phase = std::fmod(before + glm::length(start - from), 2 * dash);
    for (float k = std::isfinite(phase) ? -phase : 0; k < length; k += 2 * dash) {
      const float a = std::max(0.0F, k), b = std::min(length, k + dash);
      if (b > a) line(start + a * way, start + b * way, width, curve.color);
    }
  }
  void curve(const DrawnCurve& curve) const {
    glm::vec2 before(0);
    bool has_before = false;
    float walked = 0;
    for (const auto& [x, y] : curve.is_dotted ? curve.points : thinned(curve.points)) {
      const glm::vec2 here = at(x, y);
      const bool is_here = std::isfinite(here.x) && std::isfinite(here.y);
      if (is_here && curve.is_dotted) dot(here, curve.color);
      if (is_here && has_before && !curve.is_dotted) part(before, here, curve, walked);
      before = here;
      has_before = is_here;
    }
  }
  void dot(const glm::vec2& middle, const glm::vec3& color) const {
    if (glm::any(glm::lessThan(middle, low)) || glm::any(glm::greaterThan(middle, high))) return;
    const float r = 0.25F * size;
    out.items.emplace_back(DrawnPolygon{
        {middle - glm::vec2(r, 0), middle - glm::vec2(0, r), middle + glm::vec2(r, 0), middle + glm::vec2(0, r)},
        color});
  }
};

/// Returns the width of a curve's entry in the legend below the axes.
float key_width(const DrawnCurve& curve, const TextFont& font, float size) {
  return 3.2F * size + font.width(curve.label, size);
}

/// Returns the number of lines of the legend at this width, at most three. A single curve has no legend.
int key_rows(const PlotFigure& plot, const TextFont& font, float size, float width) {
  if (plot.curves.size() < 2 || !plot.has_legend) return 0;
  int rows = 1;
  float x = 0;
  for (const DrawnCurve& curve : plot.curves) {
    const float wide = key_width(curve, font, size);
    if (x > 0 && x + wide > width) ++rows, x = 0;
    x += wide;
  }
  return std::min(rows, 3);
}

double step_of(const std::vector<double>& ticks) { return ticks.size() > 1 ? ticks[1] - ticks[0] : 1; }

}  // namespace

std::vector<double> ticks_of(const std::pair<double, double>& range, bool is_log, int most) {
  std::vector<double> ticks;
  const auto [from, to] = range;
  if (!(to > from) || !std::isfinite(from) || !std::isfinite(to)) return ticks;
  if (is_log) {
    if (!(from > 0)) return ticks;
    const int first = static_cast<int>(std::ceil(std::log10(from) - 1e-9)),
              last = static_cast<int>(std::floor(std::log10(to) + 1e-9)), by = std::max(1, (last - first) / most + 1);
    for (int k = first; k <= last; k += by) ticks.push_back(std::pow(10.0, k));
    if (ticks.size() > 1) return ticks;
    ticks.clear();
    for (int k = first - 1; k <= last + 1; ++k)
      for (const double multiple : {1.0, 2.0, 5.0})
        if (const double tick = multiple * std::pow(10.0, k); tick >= from && tick <= to) ticks.push_back(tick);
    return ticks.size() > 1 ? ticks : ticks_of(range, false, most);
  }
  const double least = (to - from) / most, power = std::pow(10.0, std::floor(std::log10(least)));
  const double step = power * (least <= power ? 1 : least <= 2 * power ? 2 : least <= 5 * power ? 5 : 10);
  for (double k = std::ceil(from / step - 1e-9); k * step <= to + 1e-9 * step && ticks.size() < 100; ++k)
    ticks.push_back(k * step);
  return ticks;
}

std::string tick_text(double value, double step) {
  if (step <= 0 || std::abs(value) >= 1e6 || step < 1e-4) return fmt::format("{:.4g}", value);
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  return fmt::format("{:.{}f}", std::abs(value) < 1e-9 * step ? 0.0 : value, decimals);
}

std::pair<double, double> range_of_values(const std::vector<DrawnCurve>& curves, bool is_log) {
  double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
  for (const DrawnCurve& curve : curves)
    for (const auto& [x, y] : curve.points)
      if (std::isfinite(y) && (!is_log || y > 0)) low = std::min(low, y), high = std::max(high, y);
  if (low > high) return is_log ? std::pair(1.0, 10.0) : std::pair(0.0, 1.0);
  if (is_log) return high > low ? std::pair(low, high) : std::pair(low / 10, low * 10);
  const double margin = high > low ? 0.05 * (high - low) : std::max(0.5 * std::abs(low), 1e-12);
  return {low - margin, high + margin};
}

Drawing draw_plot(const PlotFigure& plot, const TextFont& font, float size, const glm::vec2& extent, bool is_light) {
  Drawing out;
  out.size = extent;
  size = std::min(size, extent.y / 14);  // in a small panel, at least half of the height remains for the axes
  const glm::vec3 ink = is_light ? glm::vec3(0) : glm::vec3(0.95F, 0.96F, 0.97F),
                  pale = is_light ? glm::vec3(0.85F) : glm::vec3(0.28F);
  const auto y_ticks = ticks_of(plot.y_range, plot.y_log, std::max(2, static_cast<int>(extent.y / (4 * size))));
  float widest = 0;
  for (const double tick : y_ticks)
    widest = std::max(widest, font.width(tick_text(tick, plot.y_log ? 0 : step_of(y_ticks)), size));
  const glm::vec2 low(widest + 0.8F * size, 2.9F * size),
      high(extent.x - size,
           extent.y - (3.0F + 1.4F * static_cast<float>(key_rows(plot, font, size, extent.x - low.x))) * size);
  if (!(high.x > low.x + size) || !(high.y > low.y + size)) return out;
  const PlotPainter to{plot, font, size, low, high, ink, pale, out};
  const auto x_ticks = ticks_of(plot.x_range, plot.x_log, std::max(2, static_cast<int>((high.x - low.x) / (5 * size))));
  const float thin = std::max(0.7F, 0.05F * size);
  for (const double tick : x_ticks) {
    const float x = to.at(tick, plot.y_range.first).x;
    const std::string words = tick_text(tick, plot.x_log ? 0 : step_of(x_ticks));
    to.line({x, low.y}, {x, high.y}, thin, pale);
    to.text(x - 0.5F * font.width(words, size), high.y + 1.2F * size, words);
  }
  for (const double tick : y_ticks) {
    const float y = to.at(plot.x_range.first, tick).y;
    const std::string words = tick_text(tick, plot.y_log ? 0 : step_of(y_ticks));
    to.line({low.x, y}, {high.x, y}, thin, pale);
    to.text(low.x - 0.5F * size - font.width(words, size), y + 0.35F * size, words);
  }
  for (const double moment : plot.moments)
    if (const float x = to.at(moment, plot.y_range.first).x; x >= low.x && x <= high.x)
      to.line({x, low.y}, {x, high.y}, 2 * thin, glm::mix(ink, pale, 0.75F));
  for (const DrawnCurve& curve : plot.curves) to.curve(curve);
  for (const auto& [a, b] : {std::pair(low, glm::vec2(low.x, high.y)), std::pair(glm::vec2(low.x, high.y), high)})
    to.line(a, b, 1.5F * thin, ink);
  to.text(std::max(0.0F, 0.5F * (low.x + high.x - font.width(plot.title, size))), 1.0F * size, plot.title);
  to.text(0.3F * size, 2.35F * size, plot.y_label);
  to.text(std::max(low.x, 0.5F * (low.x + high.x - font.width(plot.x_label, size))), high.y + 2.5F * size,
          plot.x_label);
  if (plot.curves.size() > 1 && plot.has_legend) {
    float x = low.x, y = high.y + 3.75F * size;
    for (const DrawnCurve& curve : plot.curves) {
      const float width = key_width(curve, font, size);
      if (x > low.x && x + width > extent.x) x = low.x, y += 1.4F * size;
      if (y > extent.y) break;
      const glm::vec2 from(x, y), end = from + glm::vec2(1.6F * size, 0);
      float walked = 0;
      const PlotPainter key{plot, font, size, {0, 0}, extent, ink, pale, out};
      if (curve.is_dotted)
        key.dot(0.5F * (from + end), curve.color);
      else
        key.part(from, end, curve, walked);
      key.text(end.x + 0.3F * size, from.y + 0.35F * size, curve.label);
      x += width;
    }
  }
  return out;
}

}  // namespace vw::cli
