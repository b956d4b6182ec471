#include "app/cli/figure/figure_layout.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "render/labels/legend_picture.h"

namespace vw::cli {
namespace {

constexpr glm::vec3 white{1}, black{0}, dark_page{0.08F, 0.086F, 0.1F}, pale{0.95F, 0.96F, 0.97F};
constexpr float figure_plate_alpha = 0.74F;
constexpr std::array<glm::vec3, 3> axis_colors{{{0.80F, 0.16F, 0.14F}, {0.10F, 0.55F, 0.16F}, {0.16F, 0.34F, 0.88F}}};

/// Returns the largest number not above `value` that is 1, 2 or 5 times a power of ten.
float round_down_to_1_2_5(float value) {
  const float power = std::pow(10.0F, std::floor(std::log10(value)));
  return power * (value >= 5 * power ? 5.0F : value >= 2 * power ? 2.0F : 1.0F);
}

std::string length_text(float meters) {
  if (meters >= 1000) return fmt::format("{:g} km", meters / 1000);
  if (meters >= 1) return fmt::format("{:g} m", meters);
  if (meters >= 1e-2F) return fmt::format("{:g} cm", meters * 100);
  return meters >= 1e-3F ? fmt::format("{:g} mm", meters * 1000) : fmt::format("{:g} \xC2\xB5m", meters * 1e6F);
}

/// Breaks a text into lines of at most `width`. A word that is longer than `width` has a line of its own.
std::vector<std::string> wrapped(const std::string& text, const TextFont& font, float size, float width) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t from = 0; from <= text.size();) {
    std::size_t end = text.find_first_of(" \n", from);
    if (end == std::string::npos) end = text.size();
    const std::string word = text.substr(from, end - from);
    const std::string longer = line.empty() ? word : line + " " + word;
    if (!line.empty() && font.width(longer, size) > width) {
      lines.push_back(line);
      line = word;
    } else {
      line = longer;
    }
    if (end < text.size() && text[end] == '\n') {
      lines.push_back(line);
      line.clear();
    }
    from = end + 1;
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

/// Adds the texts, legends, scale bars and axes of a figure. The size of their text is the same in all panels.
struct FigureTypesetter {
  const FigureOptions& options;
  const FigureStyle& style;
  float size;  ///< height of the text [px]
  float line;  ///< distance between lines of text [px]
  glm::vec3 ink;

  [[nodiscard]] glm::vec3 picture_ink() const { return style.has_scenery ? pale : ink; }

  void put_text(Drawing& to, float x, float baseline, const std::string& words, const glm::vec3& color) const {
    to.items.emplace_back(DrawnText{{x, baseline}, size, words, color});
  }
  void put_plate(Drawing& to, const glm::vec2& low, const glm::vec2& high) const {
    if (style.has_scenery) to.items.emplace_back(DrawnBox{low, high, dark_page, figure_plate_alpha});
  }
  /// Draws a scale bar in the lower right corner of a panel. The bar is exact at the depth of the camera's target.
  void put_scale_bar(Drawing& to, const FigurePanel& panel, const glm::vec2& low, const glm::vec2& extent) const {
    const float aspect = extent.x / extent.y;
    const float meters_per_px = 2 * panel.camera.half_height(aspect) * panel.camera.target_distance() / extent.y;
    if (!(meters_per_px > 0) || !std::isfinite(meters_per_px)) return;
    const float length_m = round_down_to_1_2_5(0.25F * extent.x * meters_per_px), length = length_m / meters_per_px;
    const std::string words = length_text(length_m);
    const float width = std::max(length, style.font.width(words, size)), pad = 0.5F * size;
    const glm::vec2 corner = low + extent - pad;
    put_plate(to, corner - glm::vec2(width + 2 * pad, 2.3F * size), corner);
    const float right = corner.x - pad, bar = std::max(2.0F, 0.16F * size);
    to.items.emplace_back(
        DrawnBox{{right - length, corner.y - 0.5F * size - bar}, {right, corner.y - 0.5F * size}, picture_ink()});
    put_text(to, right - 0.5F * (length + style.font.width(words, size)), corner.y - 1.0F * size, words, picture_ink());
  }
  /// Draws the directions of the world's axes in the upper right corner of a panel.
  void put_axes(Drawing& to, const FigurePanel& panel, const glm::vec2& low, const glm::vec2& extent) const {
    const float reach = 1.15F * size, pad = 0.4F * size;
    const glm::mat3 turn(panel.camera.view());
    // The plate encloses the tips and their names.
    glm::vec2 least(-0.2F * size), most(0.2F * size);
    for (int axis = 0; axis < 3; ++axis) {
      const glm::vec2 along(turn[axis].x, -turn[axis].y);
      if (glm::length(along) < 0.08F) continue;
      const glm::vec2 end = reach * along + size * glm::normalize(along);
      least = glm::min(least, end - 0.25F * size);
      most = glm::max(most, end + 0.25F * size);
    }
    const glm::vec2 corner(low.x + extent.x - pad, low.y + pad);
    const glm::vec2 middle(corner.x - pad - most.x, corner.y + pad - least.y);
    put_plate(to, middle + least - pad, middle + most + pad);
    for (int axis = 0; axis < 3; ++axis) {
      const glm::vec2 along(turn[axis].x, -turn[axis].y);
      if (glm::length(along) < 0.08F) continue;  // the axis points along the line of sight
      const glm::vec3 color = style.has_scenery || !style.is_light
                                  ? glm::mix(axis_colors[static_cast<std::size_t>(axis)], white, 0.35F)
                                  : axis_colors[static_cast<std::size_t>(axis)];
      const glm::vec2 tip = middle + reach * along, way = glm::normalize(along), side(-way.y, way.x);
      const float head = 0.42F * size;
      to.items.emplace_back(DrawnLine{middle, tip - 0.5F * head * way, std::max(1.5F, 0.1F * size), color});
      to.items.emplace_back(DrawnPolygon{
          {tip + 0.2F * head * way, tip - head * way + 0.5F * head * side, tip - head * way - 0.5F * head * side},
          color});
      const std::string name(1, "xyz"[axis]);
      const glm::vec2 at = tip + 0.62F * size * way;
      put_text(to, at.x - 0.5F * style.font.width(name, size), at.y + 0.28F * size, name, color);
    }
  }
};

/// Returns whether two panels have the same legends, so that one legend suffices. Patches of colour may differ
/// slightly, because the mean colour of particles changes with time.
bool have_same_legends(const Drawing& a, const Drawing& b) {
  constexpr float like_color = 0.1F;
  if (a.items.size() != b.items.size() || a.size != b.size) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    if (a.items[i].index() != b.items[i].index()) return false;
    if (const auto* text = std::get_if<DrawnText>(&a.items[i]);
        text != nullptr && text->words != std::get<DrawnText>(b.items[i]).words)
      return false;
    if (const auto* box = std::get_if<DrawnBox>(&a.items[i]); box != nullptr) {
      const glm::vec3 off = glm::abs(box->color - std::get<DrawnBox>(b.items[i]).color);
      if (std::max({off.r, off.g, off.b}) > like_color) return false;
    }
    if (const auto* bar = std::get_if<DrawnBar>(&a.items[i]);
        bar != nullptr && bar->colors != std::get<DrawnBar>(b.items[i]).colors)
      return false;
  }
  return true;
}

float text_size_per_em(const TextFont& font) { return font.is_built_in() ? 1 / 0.86F : 1 / font.em_per_size(); }

}  // namespace

std::size_t figure_columns(std::size_t panels, std::int64_t wanted, float aspect) {
  constexpr std::size_t longest_row = 4;
  if (wanted > 0) return std::min(static_cast<std::size_t>(wanted), panels);
  if (panels <= longest_row) return panels;
  const float columns = std::sqrt(2 * static_cast<float>(panels) / aspect);
  return std::clamp<std::size_t>(static_cast<std::size_t>(columns + 0.5F), 2, panels);
}

Drawing lay_out(const std::vector<FigurePanel>& panels, const FigureOptions& options, const FigureStyle& style) {
  constexpr double mm_per_pt = 25.4 / 72;
  const glm::vec2 panel(static_cast<float>(panels[0].image->width), static_cast<float>(panels[0].image->height));
  const auto columns = style.columns, rows = (panels.size() + columns - 1) / columns;
  // The gap is proportional to the panel. The text is proportional to the figure's width.
  const float gap = std::floor(0.02F * std::min(panel.x, panel.y) + 2);
  const float width = static_cast<float>(columns) * (panel.x + gap) - gap;
  const auto em = static_cast<float>(options.font_size_pt * mm_per_pt * static_cast<double>(width) / options.width_mm);
  const float size = std::max(4.0F, em * text_size_per_em(style.font));
  const FigureTypesetter type{options, style, size, 1.25F * size, style.is_light ? black : pale};

  Drawing page;
  if (!style.is_transparent) page.items.emplace_back();
  float y = 0;
  if (!options.title.empty()) {
    const float large = 1.25F * size;
    for (const std::string& line : wrapped(options.title, style.font, large, width)) {
      const float left = std::max(0.0F, 0.5F * (width - style.font.width(line, large)));
      page.items.emplace_back(DrawnText{{left, y + 1.0F * large}, large, line, type.ink});
      y += 1.25F * large;
    }
    y += 0.4F * size;
  }

  std::vector<Drawing> legends;
  const bool on_picture_light = style.legend_theme == LegendTheme::automatic ? style.is_light && !style.has_scenery
                                                                             : style.legend_theme == LegendTheme::light;
  for (const FigurePanel& one : panels)
    legends.push_back(legend_drawing(one.legends, one.vectors, style.font, size,
                                     panels.size() > 1 ? style.is_light : on_picture_light, panels.size() == 1));
  bool shares_legend = panels.size() > 1;
  for (std::size_t i = 0; i < panels.size(); ++i)
    shares_legend &= panels[i].plot != nullptr || have_same_legends(legends[i], legends[0]);
  const bool has_captions = std::ranges::any_of(panels, [](const FigurePanel& one) { return !one.caption.empty(); });
  for (std::size_t row = 0; row < rows; ++row) {
    if (has_captions) y += type.line;
    for (std::size_t i = row * columns; i < std::min((row + 1) * columns, panels.size()); ++i) {
      const glm::vec2 low(static_cast<float>(i % columns) * (panel.x + gap), std::floor(y));
      const float middle = low.x + 0.5F * (panel.x - style.font.width(panels[i].caption, size));
      if (!panels[i].caption.empty())
        type.put_text(page, std::max(low.x, middle), low.y - 0.35F * size, panels[i].caption, type.ink);
      if (panels[i].plot != nullptr) {
        page.add(draw_plot(*panels[i].plot, style.font, size, panel, style.is_light), low);
        continue;
      }
      page.items.emplace_back(DrawnPicture{low, panels[i].image, style.is_transparent});
      if (options.scale_bar) type.put_scale_bar(page, panels[i], low, panel);
      if (options.axes) type.put_axes(page, panels[i], low, panel);
      if (shares_legend || legends[i].items.empty()) continue;
      if (panels.size() > 1)  // legends that differ between panels are drawn on the pictures, on plates
        legends[i] = legend_drawing(panels[i].legends, panels[i].vectors, style.font, size, on_picture_light, true);
      page.add(legends[i], {low.x + gap, low.y + panel.y - legends[i].size.y - gap});
    }
    y = std::floor(y) + panel.y + (row + 1 < rows ? gap : 0);
  }
  if (shares_legend && !legends[0].items.empty()) {
    page.add(legends[0], {-size, y + 0.1F * size});
    y += legends[0].size.y - 0.5F * size;
  }
  if (!options.caption.empty()) {
    y += 0.25F * size;
    for (const std::string& line : wrapped(options.caption, style.font, size, width)) {
      type.put_text(page, 0, y + 1.0F * size, line, type.ink);
      y += type.line;
    }
    y += 0.1F * size;
  }
  page.size = glm::ceil(glm::vec2(width, y));
  if (!style.is_transparent) page.items[0] = DrawnBox{{0, 0}, page.size, style.is_light ? white : dark_page};
  return page;
}

std::string with_time(std::string text, double time_s) {
  constexpr std::string_view mark = "{time}";
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1))
    text.replace(at, mark.size(), fmt::format("{:.2f}", time_s));
  return text;
}

Drawing video_text(const std::string& title, const std::string& caption, const glm::vec2& size, const TextFont& font,
                   float legend_size, bool is_light) {
  Drawing out;
  const float height = legend_size * std::max(11.0F, 0.03F * size.y), pad = 0.5F * height;
  const auto put = [&](const std::vector<std::string>& lines, float text, float top) {
    float width = 0;
    for (const std::string& line : lines) width = std::max(width, font.width(line, text));
    const glm::vec2 low(0.5F * (size.x - width) - pad, top);
    const float tall = 1.25F * text * static_cast<float>(lines.size()) + 0.6F * pad;
    out.items.emplace_back(
        DrawnBox{low, low + glm::vec2(width + 2 * pad, tall), is_light ? white : dark_page, figure_plate_alpha});
    float y = top + 0.3F * pad;
    for (const std::string& line : lines) {
      out.items.emplace_back(
          DrawnText{{0.5F * (size.x - font.width(line, text)), y + text}, text, line, is_light ? black : pale});
      y += 1.25F * text;
    }
  };
  const float most = 0.9F * size.x;
  if (!title.empty()) put(wrapped(title, font, 1.35F * height, most), 1.35F * height, 0.8F * height);
  if (!caption.empty()) {
    const auto lines = wrapped(caption, font, height, most);
    put(lines, height, size.y - 1.25F * height * static_cast<float>(lines.size()) - 1.2F * height);
  }
  return out;
}

}  // namespace vw::cli
