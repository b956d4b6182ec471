#include "app/window/ui/panels/param_rows.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cfloat>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include "app/window/labels/param_style.h"
#include "app/window/labels/quantity_labels.h"
#include "app/window/ui/library/variant_menu.h"
#include "app/window/ui/widgets/theme.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

std::string row_path(const std::string& node_path, const ParamSpec& spec) {
  return node_path.empty() ? spec.name : node_path + "." + spec.name;
}

bool passes(const std::string& path, const ParamSpec& spec, const std::string& filter) {
  return matches_filter(path + " " + spec.doc + " " + spec.label, filter);
}

/// Whether a row is shown. The row must not be in `hidden`, it must be in `only` (unless `only` is empty), and it must
/// pass the filter.
bool is_wanted(const ParamRows& rows, const std::string& path, const ParamSpec& spec) {
  return !contains(rows.hidden, path) && (rows.only.empty() || contains(rows.only, path)) &&
         passes(path, spec, rows.filter);
}

bool edit_real(const ParamStyle& style, double& v) {
  switch (style.widget) {
    case WidgetKind::slider:
    case WidgetKind::log_slider:
      return bar_slider("##v", ImGuiDataType_Double, &v, &style.min, &style.max, style.format.c_str(),
                        style.widget == WidgetKind::log_slider ? Scale::log : Scale::linear);
    default: {
      const bool limited = style.min < style.max;
      return ImGui::DragScalar("##v", ImGuiDataType_Double, &v, style.drag_speed, limited ? &style.min : nullptr,
                               limited ? &style.max : nullptr, style.format.c_str(), ImGuiSliderFlags_NoRoundToFormat);
    }
  }
}

bool edit_integer(const ParamStyle& style, std::int64_t& v) {
  const auto low = static_cast<std::int64_t>(std::clamp(style.min, -9e18, 9e18));
  const auto high = static_cast<std::int64_t>(std::clamp(style.max, -9e18, 9e18));
  const Scale scale = style.widget == WidgetKind::log_slider ? Scale::log : Scale::linear;
  if (style.widget != WidgetKind::drag)
    return bar_slider("##v", ImGuiDataType_S64, &v, &low, &high, style.format.c_str(), scale);
  const bool limited = low < high;
  return ImGui::DragScalar("##v", ImGuiDataType_S64, &v, style.drag_speed, limited ? &low : nullptr,
                           limited ? &high : nullptr, style.format.c_str());
}

bool edit_vector(const ParamStyle& style, Vec3& v) {
  const bool limited = style.min < style.max;
  return ImGui::DragScalarN("##v", ImGuiDataType_Double, v.data(), 3, style.drag_speed, limited ? &style.min : nullptr,
                            limited ? &style.max : nullptr, style.format.c_str(), ImGuiSliderFlags_NoRoundToFormat);
}

bool edit_color(Vec3& linear) {
  std::array<float, 3> srgb{};
  for (std::size_t i = 0; i < 3; ++i)
    srgb[i] = static_cast<float>(srgb_from_linear(linear[static_cast<Eigen::Index>(i)]));
  const std::array<float, 3> before = srgb;
  // A narrow widget would truncate the three numbers. It shows only the colour patch, which opens the colour picker.
  const bool narrow = ImGui::CalcItemWidth() < em(9);
  ImGui::ColorEdit3("##v", srgb.data(), ImGuiColorEditFlags_Float | (narrow ? ImGuiColorEditFlags_NoInputs : 0));
  if (srgb == before) return false;
  for (std::size_t i = 0; i < 3; ++i)
    linear[static_cast<Eigen::Index>(i)] = linear_from_srgb(static_cast<double>(srgb[i]));
  return true;
}

/// Draws a combo box of choices. `label` returns the display text of a choice, and `doc` its description.
template <class Label, class Doc>
bool edit_choice(const std::vector<std::string>& choices, std::string& chosen, Label label, Doc doc) {
  bool changed = false;
  if (!begin_combo("##v", label(chosen))) return false;
  for (const std::string& choice : choices) {
    const bool selected = choice == chosen;
    if (ImGui::Selectable(label(choice).c_str(), selected) && !selected) {
      chosen = choice;
      changed = true;
    }
    if (const std::string text = doc(choice); !text.empty()) tooltip(text);
    if (selected) ImGui::SetItemDefaultFocus();
  }
  ImGui::EndCombo();
  return changed;
}

/// Draws a combo box in which several names can be chosen. `empty` describes an empty list. Names in the list that are
/// not among the choices can be removed.
bool edit_several(std::vector<std::string> choices, TextList& chosen, const std::string& empty) {
  for (const std::string& name : chosen)
    if (std::ranges::find(choices, name) == choices.end()) choices.push_back(name);
  const std::string shown = chosen.empty() ? empty : fmt::format("{}", fmt::join(chosen, ", "));
  if (!begin_combo("##v", shown)) return false;
  bool changed = false;
  for (const std::string& name : choices) {
    bool on = std::ranges::find(chosen, name) != chosen.end();
    if (!ImGui::Checkbox(name.c_str(), &on)) continue;
    changed = true;
    if (std::erase(chosen, name) == 0) chosen.push_back(name);
  }
  ImGui::EndCombo();
  return changed;
}

/// Draws a text input. The text is committed when the field loses focus, so that incomplete text never reaches the
/// world. Until then, the text is stored in the caller's buffers. `hint` appears in place of an empty text.
bool edit_text(ParamRows& rows, const std::string& path, std::string& text, const std::string& hint = {}) {
  std::string local = text;
  std::string& buffer =
      rows.text_buffers != nullptr && rows.text_buffers->count(path) > 0 ? (*rows.text_buffers)[path] : local;
  ImGui::InputTextWithHint("##v", hint.c_str(), &buffer);
  const bool committed = ImGui::IsItemDeactivatedAfterEdit();
  const std::string typed = buffer;
  if (rows.text_buffers != nullptr) {
    if (ImGui::IsItemActive())
      (*rows.text_buffers)[path] = typed;
    else
      rows.text_buffers->erase(path);
  }
  if (!committed || typed == text) return false;
  text = typed;
  return true;
}

/// Whether a list of texts contains paths of parameters, such as the targets of an actuator.
bool holds_paths(const ParamSpec& spec) { return spec.type == ParamType::text_list && spec.refers_to == "parameter"; }

/// Draws a text input for paths of parameters, which are separated by commas or blanks. Paths that the scene lacks are
/// an error.
bool edit_paths(ParamRows& rows, const std::string& path, TextList& paths, const std::string& empty) {
  constexpr const char* separators = ", \t";
  std::string text = fmt::format("{}", fmt::join(paths, ", "));
  if (!edit_text(rows, path, text, empty)) return false;
  TextList typed;
  for (std::size_t begin = text.find_first_not_of(separators), end = 0; begin != std::string::npos;
       begin = text.find_first_not_of(separators, end)) {
    end = std::min(text.find_first_of(separators, begin), text.size());
    typed.push_back(text.substr(begin, end - begin));
    if (rows.document == nullptr) continue;
    Node& root = const_cast<Node&>(rows.document->root());  // NOLINT: read only
    if (const auto found = find_component(root, typed.back()); !found) {
      rows.errors.push_back(found.error());
      return false;
    }
  }
  paths = std::move(typed);
  return true;
}

bool edit_list(ParamRows& rows, const std::string& path, const ParamSpec& spec, Value& value) {
  constexpr std::size_t editable = 64;  // longer lists (lattices, strain tables) can only be edited in the file
  if (holds_paths(spec) && std::get<TextList>(value).size() <= editable)
    return edit_paths(rows, path, std::get<TextList>(value), empty_doc(spec));
  const auto* numbers = std::get_if<NumberList>(&value);
  if (auto* texts = std::get_if<TextList>(&value); texts != nullptr && !holds_paths(spec))
    return edit_several(rows.choices(path), *texts, empty_doc(spec));
  if (numbers == nullptr || numbers->size() > editable) {
    dim_text(pretty_value(spec, value));
    return false;
  }
  std::string text = numbers->empty() ? std::string() : to_text(value);
  if (!edit_text(rows, path, text, empty_doc(spec))) return false;
  if (text.empty()) text = to_text(Value(NumberList{}));
  auto parsed = parse_value(spec, text);
  if (!parsed) {
    rows.errors.push_back(parsed.error());
    rows.errors.back().key = path;
    return false;
  }
  value = *parsed;
  return true;
}

bool is_zero(const Value& value) {
  const auto* real = std::get_if<double>(&value);
  const auto* integer = std::get_if<std::int64_t>(&value);
  return (real != nullptr && *real == 0) || (integer != nullptr && *integer == 0);
}

/// Returns a format string that shows the meaning of a value of 0 instead of the number, or an empty string if 0 has no
/// special meaning.
std::string format_of_zero(const ParamRows& rows, const std::string& path, const ParamSpec& spec) {
  const std::string doc = zero_doc(spec), number = rows.derived ? rows.derived(path) : std::string();
  if (doc.empty()) return {};
  std::string text = shortened(number.empty() ? doc : number + " " + doc,
                               ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().FramePadding.x);
  for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 2)) text.insert(at, "%");
  return text;
}

bool edit_value(ParamRows& rows, const std::string& path, const ParamSpec& spec, Value& value) {
  ParamStyle style = style_of(spec, value);
  if (is_zero(value))
    if (std::string text = format_of_zero(rows, path, spec); !text.empty()) style.format = std::move(text);
  ImGui::SetNextItemWidth(-FLT_MIN);
  switch (style.widget) {
    case WidgetKind::checkbox: return ImGui::Checkbox("##v", &std::get<bool>(value));
    case WidgetKind::choice:
      return edit_choice(spec.choices, std::get<std::string>(value), choice_label,
                         [&](const std::string& choice) { return choice_doc(spec, choice); });
    case WidgetKind::color: return edit_color(std::get<Vec3>(value));
    case WidgetKind::vector: return edit_vector(style, std::get<Vec3>(value));
    case WidgetKind::list: return edit_list(rows, path, spec, value);
    case WidgetKind::text: {
      auto& text = std::get<std::string>(value);
      const auto choices = rows.choices ? rows.choices(path) : std::vector<std::string>();
      return choices.empty()
                 ? edit_text(rows, path, text)
                 : edit_choice(
                       choices, text,
                       [&](const std::string& choice) { return choice.empty() ? empty_doc(spec) : spelt_out(choice); },
                       [](const std::string&) { return std::string(); });
    }
    default:
      if (auto* integer = std::get_if<std::int64_t>(&value)) return edit_integer(style, *integer);
      return edit_real(style, std::get<double>(value));
  }
}

/// Clamps a value set by a slider. Such a value may exceed the bounds by a rounding error of the last digit. Typed
/// values are not clamped: values outside the range are rejected with an error message.
void clamp_to_bounds(const ParamSpec& spec, Value& value) {
  const Bounds& b = spec.bounds;
  if (auto* real = std::get_if<double>(&value); real != nullptr && std::isfinite(*real))
    *real = std::clamp(*real, b.min, b.max);
  if (auto* vector = std::get_if<Vec3>(&value); vector != nullptr && vector->allFinite())
    *vector = vector->cwiseMax(b.min).cwiseMin(b.max);
  if (auto* integer = std::get_if<std::int64_t>(&value)) {
    const auto v = static_cast<double>(*integer);
    if (v < b.min) *integer = static_cast<std::int64_t>(std::ceil(b.min));
    if (v > b.max) *integer = static_cast<std::int64_t>(std::floor(b.max));
  }
}

/// Greys out rows that have no effect at present. Such rows can still be edited.
void push_text_color(const ParamRows& rows, const std::string& path) {
  const bool idle = rows.idle && !rows.idle(path).empty();
  ImGui::PushStyleColor(ImGuiCol_Text, idle ? palette::dim : ImGui::GetStyleColorVec4(ImGuiCol_Text));
}

void row_tooltip(const ParamRows& rows, const std::string& path, const ParamSpec& spec) {
  if (!rested_upon()) return;
  const std::string idle = rows.idle ? rows.idle(path) : std::string();
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(em(26));
  ImGui::TextUnformatted(spec.doc.c_str());
  if (!idle.empty()) ImGui::TextColored(palette::warning, "%s", idle.c_str());
  ImGui::PushStyleColor(ImGuiCol_Text, palette::dim);
  ImGui::TextUnformatted(fmt::format("Default {}", pretty_value(spec, spec.default_value)).c_str());
  if (const std::string bounds = pretty_bounds(spec); !bounds.empty())
    ImGui::TextUnformatted(fmt::format("Range {}", bounds).c_str());
  if (spec.live == Live::no) ImGui::TextUnformatted("Takes effect on reset");
  ImGui::TextUnformatted(path.c_str());
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

/// Draws the items that compare the run with one in which the parameter has another value.
void draw_compare_items(ParamRows& rows, const std::string& path, const ParamSpec& spec, const Value& value) {
  const Value* opened = rows.document->opened_value(path);
  ImGui::Separator();
  if (ImGui::MenuItem("Compare with the default", nullptr, false, !same_value(value, spec.default_value)))
    rows.comparison = {{path, spec.default_value}, "default"};
  tooltip("Repeats this run from the start with the default of this parameter, and shows both runs");
  if (opened == nullptr) return;
  if (ImGui::MenuItem("Compare with the value in the file", nullptr, false, !same_value(value, *opened)))
    rows.comparison = {{path, *opened}, "value in the file"};
  tooltip("Repeats this run from the start with the value in the file, and shows both runs");
}

void row_menu(ParamRows& rows, const std::string& path, const ParamSpec& spec, const Value& value) {
  if (!ImGui::BeginPopupContextItem("menu")) return;
  const Value* opened = rows.document->opened_value(path);
  if (ImGui::MenuItem(fmt::format("Default: {}", pretty_value(spec, spec.default_value)).c_str(), nullptr, false,
                      !same_value(value, spec.default_value)))
    rows.edits.push_back({path, spec.default_value});
  if (opened != nullptr && ImGui::MenuItem(fmt::format("Value in the file: {}", pretty_value(spec, *opened)).c_str(),
                                           nullptr, false, !same_value(value, *opened)))
    rows.edits.push_back({path, *opened});
  draw_variant_items(rows, path, spec, value);
  if (rows.can_compare) draw_compare_items(rows, path, spec, value);
  ImGui::Separator();
  if (ImGui::MenuItem("Copy name and value")) ImGui::SetClipboardText((path + "=" + to_text(value)).c_str());
  ImGui::EndPopup();
}

/// Label of a row without the prefix ParamRows::left_out.
std::string short_name(const ParamRows& rows, const ParamSpec& spec) {
  std::string name = spec.label;
  if (rows.left_out.empty() || !name.starts_with(rows.left_out) || name.size() == rows.left_out.size()) return name;
  name.erase(0, rows.left_out.size());
  name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
  return name;
}

void draw_label(const ParamRows& rows, const std::string& path, const ParamSpec& spec) {
  ImGui::AlignTextToFramePadding();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x - (spec.live == Live::no ? em(0.9F) : 0);
  const std::string label = shortened(rows.show_path ? path : short_name(rows, spec), width);
  push_text_color(rows, path);
  ImGui::TextUnformatted(label.c_str());
  ImGui::PopStyleColor();
  // The three numbers of a vector leave no room for the unit, so the label shows it.
  const std::string unit = spec.type == ParamType::vec3 ? pretty_unit(spec.unit) : std::string();
  const float label_end = at.x + ImGui::CalcTextSize(label.c_str()).x + em(0.5F);
  if (!unit.empty() && label_end + ImGui::CalcTextSize(unit.c_str()).x <= at.x + width)
    ImGui::GetWindowDrawList()->AddText({label_end, at.y + ImGui::GetStyle().FramePadding.y}, color(palette::dim),
                                        unit.c_str());
  row_tooltip(rows, path, spec);
  if (spec.live == Live::no) {  // a small ring marks parameters that are not live
    const ImVec2 center{at.x + width + em(0.45F), at.y + ImGui::GetFrameHeight() / 2};
    ImGui::GetWindowDrawList()->AddCircle(center, em(0.2F), color(palette::warning, 0.8F), 12, em(0.09F));
  }
}

/// Withholds a number that is being typed until the field loses focus, so that the world does not receive 2 while the
/// user types 20. Esc discards the number. Returns true if `value` is to be used. If the value was typed, sets
/// `was_typed`.
bool hold_while_typing(ParamRows& rows, const std::string& path, bool changed, Value& value, bool& was_typed) {
  if (rows.typed_values == nullptr) return changed;
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  const bool typing = ImGui::IsItemActive() && context.TempInputId != 0 && context.ActiveId == context.TempInputId;
  if (typing) {
    // A double click that opens a bar restores the number from before its first click.
    if (changed && ImGui::GetIO().MouseDoubleClicked[0] && !rows.typed_values->contains(path)) return true;
    if (changed) (*rows.typed_values)[path] = value;
    return false;
  }
  const auto typed = rows.typed_values->find(path);
  if (typed == rows.typed_values->end()) return changed;
  const bool is_cancelled = !changed && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape), false);
  if (!changed) value = typed->second;
  rows.typed_values->erase(typed);
  if (is_cancelled) return false;
  was_typed = true;
  return true;
}

void draw_param_row(ParamRows& rows, const std::string& path, const ParamSpec& spec, const Value& present) {
  ImGui::PushID(path.c_str());
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  draw_label(rows, path, spec);
  row_menu(rows, path, spec, present);
  ImGui::TableNextColumn();
  // A text list may be a whole lattice. Unless the list is a choice of names or contains paths, the row shows only its
  // length and does not copy the list.
  const bool lines =
      spec.type == ParamType::text_list && !holds_paths(spec) && (!rows.choices || rows.choices(path).empty());
  if (lines) dim_text(pretty_value(spec, present));
  Value value = lines ? Value() : present;
  push_text_color(rows, path);
  const bool changed = !lines && edit_value(rows, path, spec, value);
  ImGui::PopStyleColor();
  bool was_typed = false;
  const bool committed = hold_while_typing(rows, path, changed, value, was_typed);
  rows.placed.push_back({path, ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
  if (!ImGui::IsItemActive()) row_tooltip(rows, path, spec);
  ImGui::TableNextColumn();
  // A first click on the reset arrow restores the value in the scene file. A second click restores the default.
  const Value* opened = lines || rows.document == nullptr ? nullptr : rows.document->opened_value(path);
  const bool edited = opened != nullptr && !same_value(present, *opened);
  if (!lines && (edited || !same_value(present, spec.default_value))) {
    const Value& back = edited ? *opened : spec.default_value;
    if (icon_button("default", Icon::undo, nullptr, {.tint = &palette::dim, .size_em = 1.2F}))
      rows.edits.push_back({path, back});
    if (ImGui::IsItemHovered())
      tooltip(
          fmt::format("Restores {}, {}", edited ? "the value in the file" : "the default", pretty_value(spec, back)));
  }
  if (committed) {
    if (!was_typed) clamp_to_bounds(spec, value);
    rows.edits.push_back({path, std::move(value)});
  }
  ImGui::PopID();
}

/// Moves the dimensions of a shape directly below its position and rotation. Kinds that consist of a shape and of
/// further parameters declare the dimensions last.
void move_dimensions_up(const std::vector<ParamSpec>& params, std::vector<std::size_t>& order) {
  const auto named = [&](std::initializer_list<std::string_view> names) {
    return [&params, names](std::size_t i) { return std::ranges::find(names, params[i].name) != names.end(); };
  };
  const auto pose = std::find_if(order.rbegin(), order.rend(), named({"position", "rotation"})).base();
  if (pose == order.begin()) return;
  std::stable_partition(pose, order.end(), [&](std::size_t i) {
    return params[i].unit == Unit::meter && named({"size", "radius", "length"})(i);
  });
}

/// Returns the indices of the parameters to show, in the order of `only` or, if `only` is empty, in the order of
/// declaration with the dimensions of shapes beside their pose.
std::vector<std::size_t> rows_in_order(const ParamRows& rows, const Node& node, const std::string& path) {
  const auto& params = node.schema->params;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < params.size(); ++i)
    if (is_wanted(rows, row_path(path, params[i]), params[i])) order.push_back(i);
  const auto place = [&](std::size_t i) { return std::ranges::find(rows.only, row_path(path, params[i])); };
  if (rows.only.empty())
    move_dimensions_up(params, order);
  else
    std::ranges::stable_sort(order, {}, place);
  return order;
}

/// Draws the note in the value column, below the row.
void draw_note(const ParamRows& rows) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TableNextColumn();
  rows.note();
}

}  // namespace

bool any_row(const Node& node, const std::string& path, const std::string& filter) {
  const auto& params = node.schema->params;
  if (std::any_of(params.begin(), params.end(),
                  [&](const ParamSpec& spec) { return passes(row_path(path, spec), spec, filter); }))
    return true;
  return std::any_of(node.children.begin(), node.children.end(),
                     [&](const Node& child) { return any_row(child, child_path(node, path, child), filter); });
}

bool draw_rows(ParamRows& rows, const Node& node, const std::string& path) {
  const auto& params = node.schema->params;
  const bool any = std::any_of(params.begin(), params.end(),
                               [&](const ParamSpec& s) { return passes(row_path(path, s), s, rows.filter); });
  if (!any || !ImGui::BeginTable("params", 3, ImGuiTableFlags_SizingStretchProp)) return any;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, rows.show_path ? 0.5F : 0.47F);
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, rows.show_path ? 0.5F : 0.53F);
  ImGui::TableSetupColumn("default", ImGuiTableColumnFlags_WidthFixed, em(1.2F));
  for (const std::size_t i : rows_in_order(rows, node, path)) {
    const std::string at = row_path(path, params[i]);
    draw_param_row(rows, at, params[i], node.values[i]);
    if (rows.note && rows.noted == at) draw_note(rows);
  }
  ImGui::EndTable();
  return true;
}

}  // namespace vw::ui
