#include "app/window/results/picked_plots.h"

#include <algorithm>
#include <cctype>
#include <numeric>

#include <fmt/format.h>

namespace vw {
namespace {

constexpr std::size_t most_curves = 8;  // maximum number of curves that a reader can distinguish in one plot

bool same_picked_value(const PickedValue& a, const PickedValue& b) {
  return a.system == b.system && a.element == b.element && a.label == b.label && a.name == b.name;
}

std::size_t curve_count(const std::vector<PickedValue>& values) {
  return std::accumulate(values.begin(), values.end(), std::size_t{0},
                         [](std::size_t sum, const PickedValue& v) { return sum + v.parts.size(); });
}

/// Replaces the characters that are not allowed in node names.
std::string as_name(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-'; },
      '_');
  return text;
}

std::string capitalised(std::string text) {
  if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

/// Texts of a plot. The title names the element or the quantity if it is common to all curves. The legend names only
/// the properties that differ between the curves.
struct Wording {
  bool one_element = true, one_label = true;
  explicit Wording(const std::vector<PickedValue>& values) {
    for (const PickedValue& value : values) {
      one_element = one_element && value.whose == values.front().whose;
      one_label = one_label && value.label == values.front().label;
    }
  }
  [[nodiscard]] std::string title(const std::vector<PickedValue>& values) const {
    if (one_element && one_label) return values.front().label + ", " + values.front().whose;
    return one_element ? capitalised(values.front().whose)
           : one_label ? values.front().label
                       : std::string("Picked values");
  }
  [[nodiscard]] std::string curve(const PickedValue& value, const PickedValue::Part& part) const {
    std::string text = one_label && (one_element || value.parts.size() > 1) ? ""
                       : one_label                                          ? value.whose
                                                                            : value.label;
    if (!part.name.empty()) text += (text.empty() ? "" : " ") + part.name;
    if (!one_element && text != value.whose) text += ", " + value.whose;
    return text.empty() ? value.label : text;
  }
};

void add_curves(Node& plot, const PickedValue& value, const Wording& wording) {
  for (const PickedValue::Part& part : value.parts) {
    const std::string stem = as_name(
        fmt::format("{}-{}-{}{}{}", value.system, value.element, value.label, part.name.empty() ? "" : "-", part.name));
    std::string name = stem;  // the forces of two rules from the same system have equal labels
    for (int k = 2; plot.find("curve", name) != nullptr; ++k) name = fmt::format("{}-{}", stem, k);
    Node& curve = add_child(plot, "curve", "measured", name);
    curve.set("label", Value(wording.curve(value, part)));
    curve.set("system", Value(value.system));
    curve.set("element", Value(static_cast<std::int64_t>(value.element)));
    const auto quantities = curve.schema->params;
    const auto spec =
        std::find_if(quantities.begin(), quantities.end(), [](const ParamSpec& s) { return s.name == "quantity"; });
    curve.set("quantity", Value(spec->choices[static_cast<std::size_t>(part.quantity)]));
    if (names_a_channel(part.quantity)) curve.set("channel", Value(value.name));
    if (names_a_vector(part.quantity)) curve.set("vector", Value(value.name));
    if (names_a_joint(part.quantity)) curve.set("joint", Value(value.name));
  }
}

}  // namespace

void PickedPlots::make_nodes(const Node& scene) {
  const auto& slots = scene.schema->slots;
  const auto slot = std::find_if(slots.begin(), slots.end(), [](const Slot& s) { return s.name == "plot"; });
  nodes_.clear();
  for (const Picked& plot : plots_) {
    Node& node =
        nodes_.emplace_back(make_node(plot_schema(), plot.name, static_cast<std::size_t>(slot - slots.begin())));
    const Wording wording(plot.values);
    node.set("title", Value(wording.title(plot.values)));
    node.set("unit", Value(plot.values.front().unit));
    for (const PickedValue& value : plot.values) add_curves(node, value, wording);
  }
}

void PickedPlots::toggle(const Node& scene, const PickedValue& value) {
  const auto is_it = [&](const PickedValue& other) { return same_picked_value(other, value); };
  bool was_there = false;
  for (Picked& plot : plots_) was_there = std::erase_if(plot.values, is_it) > 0 || was_there;
  std::erase_if(plots_, [](const Picked& plot) { return plot.values.empty(); });
  if (!was_there) {
    const auto has_room = [&](const Picked& plot) {
      return plot.values.front().unit == value.unit && curve_count(plot.values) + value.parts.size() <= most_curves;
    };
    const auto place = std::find_if(plots_.begin(), plots_.end(), has_room);
    if (place != plots_.end()) {
      place->values.push_back(value);
    } else {
      std::string name = "picked";
      for (int k = 2; scene.find("plot", name) != nullptr || is_picked(name); ++k) name = fmt::format("picked-{}", k);
      plots_.push_back({name, {value}});
    }
  }
  make_nodes(scene);
}

bool PickedPlots::holds(const PickedValue& value) const {
  return std::ranges::any_of(plots_, [&](const Picked& plot) {
    return std::ranges::any_of(plot.values, [&](const PickedValue& other) { return same_picked_value(other, value); });
  });
}

bool PickedPlots::is_picked(const std::string& plot) const {
  return std::ranges::find(plots_, plot, &Picked::name) != plots_.end();
}

void PickedPlots::remove(const std::string& plot) {
  std::erase_if(plots_, [&](const Picked& p) { return p.name == plot; });
  std::erase_if(nodes_, [&](const Node& node) { return node.name == plot; });
}

void PickedPlots::rename(std::string_view slot, const std::string& name, const std::string& new_name) {
  for (Picked& plot : plots_)
    for (PickedValue& value : plot.values) {
      const Quantity quantity = value.parts.front().quantity;
      const std::string owner = value.system + ".";
      if (slot == "interaction" && names_a_vector(quantity) && value.name == name) value.name = new_name;
      if (slot == "joint" && names_a_joint(quantity) && owner + value.name == name && new_name.starts_with(owner)) {
        const std::string joint = new_name.substr(owner.size());
        if (value.label.starts_with(value.name)) value.label.replace(0, value.name.size(), joint);
        value.name = joint;
      }
      if ((slot.empty() || slot == "system") && value.system == name) {
        if (value.whose.starts_with(name + ",")) value.whose.replace(0, name.size(), new_name);
        value.system = new_name;
      }
    }
}

void PickedPlots::fit(const Node& scene) {
  for (Picked& plot : plots_)
    std::erase_if(plot.values, [&](const PickedValue& value) { return scene.find("system", value.system) == nullptr; });
  std::erase_if(plots_, [](const Picked& plot) { return plot.values.empty(); });
  make_nodes(scene);
}

}  // namespace vw
