// Legends over the picture: the current colour map with its range, materials by name, and the scale of the arrows.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "app/window/labels/param_style.h"
#include "app/window/labels/quantity_labels.h"
#include "app/window/ui/interface_state.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/widgets/theme.h"
#include "render/labels/color_map.h"
#include "render/labels/legend_numbers.h"
#include "render/renderer.h"
#include "render/vectors/vector_colors.h"

namespace vw::ui {
namespace {

std::string joined(const std::string& text, const std::string& unit) { return unit.empty() ? text : text + " " + unit; }

ImU32 to_color(const glm::vec3& c) { return ImGui::ColorConvertFloat4ToU32({c.x, c.y, c.z, 1}); }

/// Draws a rounded dark background that keeps text legible. Returns the upper left corner for the text.
ImVec2 plate(ImDrawList* list, ImVec2 corner, ImVec2 size) {
  list->AddRectFilled(corner, {corner.x + size.x, corner.y + size.y}, color(palette::window, 0.72F), em(0.4F));
  return {corner.x + em(0.7F), corner.y + em(0.5F)};
}

/// Returns the readable form of a title: "walker: strain_von_mises" becomes "Walker: strain (von Mises)".
std::string readable(const std::string& title) {
  const std::size_t colon = title.find(": ");
  if (colon == std::string::npos) return quantity_label(title);
  std::string channel = quantity_label(title.substr(colon + 2));
  channel.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(channel.front())));
  return quantity_label(title.substr(0, colon)) + ": " + channel;
}

/// Draws a colour bar with numbers below both ends and the middle.
void draw_strip(ImDrawList* list, const std::vector<glm::vec3>& colors, const std::array<std::string, 3>& numbers,
                ImVec2 at, float width, bool stepped = false) {
  const float bar = em(0.75F);
  constexpr int strips = 64;
  const auto last = colors.size() - 1;
  const int next = stepped ? 0 : 1;  // discrete colours must not be blended
  for (int i = 0; i < strips; ++i) {
    const auto pick = [&](int k) {
      return to_color(colors[std::min(last, static_cast<std::size_t>(k) * colors.size() / strips)]);
    };
    const float x0 = at.x + width * static_cast<float>(i) / strips,
                x1 = at.x + width * static_cast<float>(i + 1) / strips;
    list->AddRectFilledMultiColor({x0, at.y}, {x1, at.y + bar}, pick(i), pick(i + next), pick(i + next), pick(i));
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const float left = 0.5F * static_cast<float>(k) * (width - ImGui::CalcTextSize(numbers[k].c_str()).x);
    list->AddText({at.x + left, at.y + bar + em(0.1F)}, color(palette::dim), numbers[k].c_str());
  }
}

ImVec2 draw_color_map(ImDrawList* list, const Legend& legend, ImVec2 bottom_left) {
  const ImVec2 size{em(16), em(3.9F)};
  const ImVec2 at = plate(list, {bottom_left.x, bottom_left.y - size.y}, size);
  const LegendNumbers numbers = numbers_of(legend);
  list->AddText(
      at, color(palette::text),
      joined(readable(legend.title), numbers.unit.empty() ? "" : "[" + pretty_unit(numbers.unit) + "]").c_str());
  draw_strip(list, legend.colors, {numbers.low, numbers.middle, numbers.high}, {at.x, at.y + em(1.3F)},
             size.x - em(1.4F), legend.levels > 0);
  return size;
}

/// Draws a colour patch with a name.
void draw_patch(ImDrawList* list, ImVec2 at, const glm::vec3& tint, const std::string& name) {
  list->AddRectFilled({at.x, at.y + em(0.15F)}, {at.x + em(0.8F), at.y + em(0.95F)}, to_color(tint), em(0.15F));
  list->AddText({at.x + em(1.3F), at.y}, color(palette::text), name.c_str());
}

ImVec2 draw_materials(ImDrawList* list, const Legend& legend, ImVec2 bottom_left) {
  constexpr std::size_t shown_at_most = 8;
  const std::size_t shown = std::min(legend.entries.size(), shown_at_most);
  const bool more = legend.entries.size() > shown;
  float width = ImGui::CalcTextSize(legend.title.c_str()).x;
  for (std::size_t i = 0; i < shown; ++i)
    width = std::max(width, em(1.3F) + ImGui::CalcTextSize(legend.entries[i].first.c_str()).x);
  const ImVec2 size{width + em(1.4F), em(1.25F) * static_cast<float>(shown + 1 + (more ? 1 : 0)) + em(1)};
  ImVec2 at = plate(list, {bottom_left.x, bottom_left.y - size.y}, size);
  list->AddText(at, color(palette::dim), quantity_label(legend.title).c_str());
  for (std::size_t i = 0; i < shown; ++i) {
    at.y += em(1.25F);
    draw_patch(list, at, legend.entries[i].second, legend.entries[i].first);
  }
  if (more)
    list->AddText({at.x + em(1.3F), at.y + em(1.25F)}, color(palette::dim),
                  fmt::format("and {} more", legend.entries.size() - shown).c_str());
  return size;
}

/// Draws the key of the direction colours: the half axes in their colours, oriented as in the picture.
void draw_key(ImDrawList* list, const glm::mat3& axes, ImVec2 middle, float reach) {
  for (const KeyArm& arm : direction_key(axes)) {
    const ImVec2 tip{middle.x + reach * arm.tip.x, middle.y - reach * arm.tip.y};
    list->AddLine(middle, tip, to_color(arm.color), em(0.22F));
    if (arm.name == nullptr) continue;
    const ImVec2 letter = ImGui::CalcTextSize(arm.name);
    list->AddText({tip.x + em(0.5F) * arm.tip.x - 0.5F * letter.x, tip.y - em(0.5F) * arm.tip.y - 0.5F * letter.y},
                  color(palette::text), arm.name);
  }
}

void draw_sample(ImDrawList* list, ImVec2 at, float length, bool two_heads) {
  const float head = em(0.35F);
  const ImU32 ink = color(palette::text);
  list->AddLine({at.x, at.y}, {at.x + length - head, at.y}, ink, em(0.13F));
  for (const float tip : {at.x + length, at.x + length - 1.1F * head}) {
    list->AddTriangleFilled({tip, at.y}, {tip - head * 1.5F, at.y - head * 0.8F},
                            {tip - head * 1.5F, at.y + head * 0.8F}, ink);
    if (!two_heads) return;
  }
}

ImVec2 draw_arrow_scale(ImDrawList* list, VectorLegend vectors, ImVec2 bottom_left) {
  vectors.unit = pretty_unit(vectors.unit);
  const VectorWords words = legend_texts(vectors);
  const float length = std::clamp(vectors.arrow_px / ImGui::GetIO().DisplayFramebufferScale.x, em(0.5F), em(14)),
              line = em(1.25F), bar = em(14.6F);
  const bool has_bar = !words.high.empty(), has_key = vectors.color == VectorColor::direction;
  const auto wide = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
  float width = std::max(
      {length + em(0.8F) + wide(words.sample), wide(words.title), em(7), has_bar ? bar : 0, has_key ? em(12.5F) : 0});
  for (const std::string& note : words.notes) width = std::max(width, wide(note));
  for (const auto& [name, tint] : vectors.entries) width = std::max(width, em(1.3F) + wide(quantity_label(name)));
  const std::size_t lines = 1 + (words.title.empty() ? 0 : 1) + words.notes.size() + vectors.entries.size();
  const float bar_height = has_bar ? em(2.1F) : 0, key_height = has_key ? em(4.2F) : 0;
  const ImVec2 size{width + em(1.4F), em(1) + line * static_cast<float>(lines) + bar_height + key_height};
  ImVec2 at = plate(list, {bottom_left.x, bottom_left.y - size.y}, size);
  if (!words.title.empty()) {
    std::string title = words.title;
    title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
    list->AddText(at, color(palette::text), title.c_str());
    at.y += line;
  }
  draw_sample(list, {at.x, at.y + em(0.55F)}, length, vectors.turns);
  list->AddText({at.x + length + em(0.8F), at.y}, color(palette::text), words.sample.c_str());
  at.y += line;
  if (has_bar) draw_strip(list, speed_map(), {words.low, words.middle, words.high}, {at.x, at.y + em(0.1F)}, bar);
  at.y += bar_height;
  if (has_key) {
    draw_key(list, vectors.axes, {at.x + em(2.1F), at.y + 0.5F * key_height}, em(1.4F));
    list->AddText({at.x + em(4.6F), at.y + 0.5F * key_height - em(0.5F)}, color(palette::dim), "Colour: direction");
  }
  at.y += key_height;
  for (const std::string& note : words.notes) {
    list->AddText(at, color(palette::dim), note.c_str());
    at.y += line;
  }
  for (const auto& [name, tint] : vectors.entries) {
    draw_patch(list, at, tint, quantity_label(name));
    at.y += line;
  }
  return size;
}

}  // namespace

void draw_legends(const Renderer& renderer, Layout& layout, ImVec2 corner, ImVec2 size) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImVec2 at{corner.x + em(0.8F), corner.y + size.y - em(0.8F)};
  float width = 0;
  const auto rise = [&](ImVec2 drawn) {
    at.y -= drawn.y + em(0.5F);
    width = std::max(width, drawn.x);
  };
  for (const Legend& legend : renderer.legends()) {
    if (!legend.colors.empty())
      rise(draw_color_map(list, legend, at));
    else if (legend.entries.size() > 1 || (legend.lists_one && !legend.entries.empty()))
      rise(draw_materials(list, legend, at));
  }
  for (const VectorLegend* vectors : {&renderer.air_legend(), &renderer.vector_legend(), &renderer.force_legend()})
    if (has_content(*vectors)) rise(draw_arrow_scale(list, *vectors, at));
  layout.legends_height = corner.y + size.y - at.y;
  layout.legends_width = width > 0 ? width + em(0.8F) : 0;
}

}  // namespace vw::ui
