// The scene as a tree with actions on its nodes: adding children of the kinds that the schema allows, copying and
// removing nodes.
#include "app/window/ui/panels/scene_tree.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <imgui.h>

#include "app/window/labels/param_style.h"
#include "app/window/ui/interface_state.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

/// Whether the tree shows a slot. The view is not in the tree, because it has its own tab.
bool in_tree(const Slot& slot) { return slot.name != "view"; }

std::string lower(std::string text) {
  if (!text.empty()) text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
  return text;
}

std::string plural_label(const std::string& slot) {
  return spelt_out(slot) + (slot.empty() || slot.back() == 's' ? "" : "s");
}

/// Draws a menu entry for each kind of child that a slot may hold. If there are several kinds, the entries are in a
/// submenu.
void add_entries(const Node& root, const Slot& slot, const std::string& path, std::optional<NodeChange>& wish) {
  const std::string label = "Add " + lower(spelt_out(slot.name));
  const auto entry = [&](const std::string& name, const Schema& kind) {
    if (ImGui::MenuItem(name.c_str())) wish = fresh_child(root, path, slot.name, kind);
    tooltip(kind.doc);
  };
  if (slot.kinds.size() == 1) return entry(label, *slot.kinds.front());
  if (!ImGui::BeginMenu(label.c_str())) return;
  for (const Schema* kind : slot.kinds) entry(label_of(*kind), *kind);
  ImGui::EndMenu();
}

bool takes_children(const Node& node) { return std::ranges::any_of(node.schema->slots, &Slot::many); }

void all_add_entries(const Node& root, const Node& node, const std::string& path, std::optional<NodeChange>& wish) {
  for (const Slot& slot : node.schema->slots)
    if (slot.many) add_entries(root, slot, path, wish);
}

void node_menu(Layout& layout, const Node& root, const Node& node, const std::string& path,
               std::optional<NodeChange>& wish) {
  const bool removable = is_one_of_many(root, path);
  if ((!removable && !takes_children(node)) || !ImGui::BeginPopupContextItem("menu")) return;
  layout.selected_path = path;
  all_add_entries(root, node, path, wish);
  if (removable) {
    if (takes_children(node)) ImGui::Separator();
    if (ImGui::MenuItem("Duplicate")) wish = copy_of(root, path);
    if (ImGui::MenuItem("Remove")) wish = removal_of(root, path);
  }
  ImGui::EndPopup();
}

/// Slot and kind of a node, such as "Swarm (ball)". Parts that equal the node's name are omitted.
std::string part_kind(const Slot& slot, const Node& part) {
  if (part.name.empty() || (slot.kinds.size() == 1 && part.name == slot.name)) return {};
  const bool one_kind = slot.kinds.size() == 1 || part.schema->kind == part.name;
  return spelt_out(slot.name) + (one_kind ? "" : " (" + lower(label_of(*part.schema)) + ")");
}

/// Data shared by all rows of the tree.
struct Tree {
  Layout& layout;
  const Node& root;
  std::optional<NodeChange>& wish;
};

void tree_leaf(const Tree& tree, const Node& node, const std::string& path, const std::string& label,
               const std::string& kind) {
  Layout& layout = tree.layout;
  ImGui::PushID(path.c_str());
  const bool selected = layout.selected_path == path;
  ImGuiTreeNodeFlags flags =
      ImGuiTreeNodeFlags_SpanAvailWidth | ImGuiTreeNodeFlags_OpenOnArrow | ImGuiTreeNodeFlags_DefaultOpen;
  if (selected) flags |= ImGuiTreeNodeFlags_Selected;
  if (node.children.empty()) flags |= ImGuiTreeNodeFlags_Leaf;
  const bool off = !is_switched_on(node);
  if (off) ImGui::PushStyleColor(ImGuiCol_Text, palette::dim);
  const bool open =
      ImGui::TreeNodeEx("node", flags, "%s", (label == node.schema->kind ? label_of(*node.schema) : label).c_str());
  if (off) ImGui::PopStyleColor();
  if (ImGui::IsItemClicked()) layout.selected_path = path;
  if (selected && layout.reveal_selected) {
    ImGui::SetScrollHereY();
    layout.reveal_selected = false;
  }
  tooltip(node.schema->doc);
  node_menu(layout, tree.root, node, path, tree.wish);
  if (!kind.empty()) {
    ImGui::SameLine();
    ImGui::TextColored(palette::dim, "%s%s", kind.c_str(), off ? ", off" : "");
  }
  if (open) {
    for (const Node& child : node.children) {
      const std::string at = child_path(node, path, child);
      const Slot& slot = node.schema->slots[child.slot];
      tree_leaf(tree, child, at, child.name.empty() ? spelt_out(slot.name) : child.name, part_kind(slot, child));
    }
    ImGui::TreePop();
  }
  ImGui::PopID();
}

}  // namespace

/// The tree has one group per slot, such as "Systems". A slot that can hold only one node has no group.
void draw_scene_tree(Layout& layout, const Node& root, std::optional<NodeChange>& wish) {
  if (ImGui::TreeNodeEx("About", ImGuiTreeNodeFlags_SpanAvailWidth | ImGuiTreeNodeFlags_Leaf |
                                     ImGuiTreeNodeFlags_NoTreePushOnOpen |
                                     (layout.selected_path.empty() ? ImGuiTreeNodeFlags_Selected : 0)) &&
      ImGui::IsItemClicked())
    layout.selected_path.clear();
  const Tree tree{layout, root, wish};
  for (const Slot& slot : root.schema->slots) {
    if (!in_tree(slot)) continue;
    const auto nodes = root.all(slot.name);
    if (nodes.empty()) continue;
    if (!slot.many) {
      tree_leaf(tree, *nodes.front(), child_path(root, {}, *nodes.front()), spelt_out(slot.name), {});
      continue;
    }
    const std::string label = fmt::format("{} ({})###{}", plural_label(slot.name), nodes.size(), slot.name);
    ImGui::PushStyleColor(ImGuiCol_Text, palette::dim);
    const bool open =
        ImGui::TreeNodeEx(label.c_str(), ImGuiTreeNodeFlags_SpanAvailWidth | ImGuiTreeNodeFlags_DefaultOpen);
    ImGui::PopStyleColor();
    tooltip(slot.doc);
    if (ImGui::BeginPopupContextItem(slot.name.c_str())) {
      add_entries(root, slot, {}, wish);
      ImGui::EndPopup();
    }
    if (!open) continue;
    for (const Node* node : nodes) {
      const bool says_all = slot.kinds.size() == 1 || node->schema->kind == node->name;
      tree_leaf(tree, *node, child_path(root, {}, *node), node->name,
                says_all ? std::string() : label_of(*node->schema));
    }
    ImGui::TreePop();
  }
}

void draw_add_button(const Node& root, const Node& node, const std::string& path, const char* hint,
                     std::optional<NodeChange>& wish) {
  if (icon_button("add", Icon::plus, hint, {.size_em = 1.5F})) ImGui::OpenPopup("kinds");
  if (!ImGui::BeginPopup("kinds")) return;
  all_add_entries(root, node, path, wish);
  ImGui::EndPopup();
}

void draw_node_buttons(const Node& root, const Node& node, const std::string& path, std::optional<NodeChange>& wish) {
  const bool removable = is_one_of_many(root, path), parent = takes_children(node);
  if (!removable && !parent) return;
  if (parent) draw_add_button(root, node, path, "Adds a child node; the scene restarts", wish);
  if (!removable) return;
  if (parent) ImGui::SameLine();
  if (icon_button("double", Icon::copy, "Duplicates the node; the scene restarts", {.size_em = 1.5F}))
    wish = copy_of(root, path);
  ImGui::SameLine();
  if (icon_button("take out", Icon::bin, "Removes the node; the scene restarts, and undo restores the node",
                  {.size_em = 1.5F}))
    wish = removal_of(root, path);
}

}  // namespace vw::ui
