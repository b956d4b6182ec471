#include "app/window/document/world_display.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/window/document/scene_edit.h"

namespace vw {
namespace {

/// Whether a name in the parameter of the view at `path` belongs to no node of the scene.
bool is_lost_in_view(const Node& scene, std::string_view path, std::string_view name) {
  const std::string_view node = name.substr(0, name.find('.'));  // "school.17" is an element of the system "school"
  return std::ranges::none_of(
      view_slots, [&](const ViewSlot& one) { return one.first == path && scene.find(one.second, node) != nullptr; });
}

/// Whether a curve names a node that the scene does not have.
bool measures_lost_node(const Node& scene, const Node& curve) {
  const std::vector<const Node*> systems = scene.all("system");
  for (std::size_t i = 0; i < curve.values.size(); ++i) {
    const ParamSpec& spec = curve.schema->params[i];
    const auto* name = std::get_if<std::string>(&curve.values[i]);
    if (name == nullptr || name->empty()) continue;
    const bool is_signal = spec.name == "channel" && (name->starts_with("sensor.") || name->starts_with("actuator."));
    if (is_signal && find_node(scene, *name) == nullptr) return true;
    if (spec.refers_to.empty()) continue;
    const std::string stem = name->substr(0, name->size() - 1);
    const auto is_meant = [&](const Node* system) { return system->name.starts_with(stem); };
    const bool is_found =
        name->back() == '*' ? std::ranges::any_of(systems, is_meant) : scene.find(spec.refers_to, *name) != nullptr;
    if (!is_found) return true;
  }
  return false;
}

bool is_plot_of(const Node& scene, const Node& child) { return scene.schema->slots[child.slot].name == "plot"; }

}  // namespace

Node without_lost_references(Node scene) {
  for (const ViewSlot& one : view_slots) {
    const auto param = find_parameter(scene, one.first);
    if (!param) continue;
    Value value = param->value();
    if (auto* names = std::get_if<TextList>(&value))
      std::erase_if(*names, [&](const std::string& name) { return is_lost_in_view(scene, one.first, name); });
    else if (auto* text = std::get_if<std::string>(&value);
             text != nullptr && !text->empty() && is_lost_in_view(scene, one.first, *text))
      text->clear();
    (void)set_parameter(scene, one.first, value);
  }
  for (Node& child : scene.children)
    if (is_plot_of(scene, child))
      std::erase_if(child.children, [&](const Node& curve) { return measures_lost_node(scene, curve); });
  return scene;
}

Node with_display_of(Node scene, const Node& other) {
  const auto is_display = [&](const Node& child) {
    return is_plot_of(other, child) || other.schema->slots[child.slot].name == "view";
  };
  std::erase_if(scene.children, is_display);
  for (const Node& child : other.children)
    if (is_display(child))
      scene.children.insert(std::ranges::upper_bound(scene.children, child.slot, {}, &Node::slot), child);
  return scene;
}

}  // namespace vw
