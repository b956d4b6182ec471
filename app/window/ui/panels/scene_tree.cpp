// The scene as a tree with actions on its nodes: adding children of the kinds that the schema allows, copying and
// removing nodes.
#include "app/window/ui/panels/scene_tree.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/window/document/node_hints.h"
#include "app/window/labels/param_style.h"
#include "app/window/ui/interface_state.h"
#include "app/window/ui/library/material_drag.h"
#include "app/window/ui/node_selection.h"
#include "app/window/ui/widgets/widgets.h"
#include "sim/snapshot/view.h"

namespace vw::ui {
namespace {

/// Whether the tree shows a slot. The view is not in the tree, because it has its own tab.
bool in_tree(const Slot& slot) { return slot.name != "view"; }

std::string lower(std::string text) {
  if (!text.empty()) text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
  return text;
}

/// Name of the nodes of a slot in the window, where colliders are called obstacles and interactions are called rules.
std::string slot_label(const std::string& slot) {
  if (slot == "collider") return "Obstacle";
  return slot == "interaction" ? "Rule" : spelt_out(slot);
}

std::string plural_label(const std::string& slot) {
  return slot_label(slot) + (slot.empty() || slot.back() == 's' ? "" : "s");
}

/// Text that states the effect on the running world if a child in `slot` of the node at `parent` is changed.
std::string effect_of_change(const Node& root, const std::string& parent, const std::string& slot,
                             NodeChange::Kind kind) {
  const auto [above, name] = slot_and_name(parent);
  if (above != "system") return "the world continues";
  const Node* system = root.find("system", name);
  const ChangeNodes::Change change{kind, parent, {slot, {}, {}, {}, {}}};
  if (system != nullptr && parent == "system." + name && keeps_state(*system, change)) return name + " continues";
  return name + " restarts; everything else continues";
}

/// Draws a menu entry for each kind of child that a slot may hold. If there are several kinds, the entries are in a
/// submenu.
void add_entries(const Node& root, const Slot& slot, const std::string& path, std::optional<NodeChange>& wish) {
  const std::string label = "Add " + lower(slot_label(slot.name));
  const std::string effect = effect_of_change(root, path, slot.name, NodeChange::Kind::add);
  const auto entry = [&](const std::string& name, const Schema& kind) {
    if (ImGui::MenuItem(name.c_str())) wish = fresh_child(root, path, slot.name, kind);
    tooltip(kind.doc + " When it is added, " + effect + ".");
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

/// Slot and kind of a node, such as "Swarm (ball)". Parts that equal the node's name are omitted.
std::string part_kind(const Slot& slot, const Node& part) {
  if (part.name.empty() || (slot.kinds.size() == 1 && part.name == slot.name)) return {};
  const bool one_kind = slot.kinds.size() == 1 || part.schema->kind == part.name;
  return slot_label(slot.name) + (one_kind ? "" : " (" + lower(label_of(*part.schema)) + ")");
}

bool is_muscle(const Slot& slot) { return slot.name == "muscle"; }

/// Text behind the name of a child in the tree: slot and kind. For a muscle, the text also names the actuators that set
/// the strain.
std::string child_note(const Node& root, const Slot& slot, const Node& child, const std::string& path) {
  const std::string kind = part_kind(slot, child);
  if (!is_muscle(slot)) return kind;
  std::string note;
  for (const Driver& driver : drivers_of(root, path + ".strain"))
    note += (note.empty() ? "" : ", ") + driver.actuator.substr(driver.actuator.find('.') + 1);
  if (note.empty()) note = "no actuator";
  return kind.empty() ? note : kind + ": " + note;
}

/// Data shared by all rows of the tree.
struct Tree {
  Layout& layout;
  const Node& root;
  TextList hidden, locked;  ///< names of hidden and locked systems and obstacles
  TreeWish& wish;
  std::vector<std::string>& rows;  ///< output: paths of the drawn rows
  std::string& range_end;          ///< output: path of the row on which the user has clicked with Shift
};

/// Selects the node of a row that was clicked.
void select_row(const Tree& tree, const std::string& path) {
  if (ImGui::GetIO().KeyShift)
    tree.range_end = path;
  else if (ImGui::GetIO().KeyCtrl)
    toggle_node(tree.layout, tree.root, path);
  else
    select_nodes(tree.layout, {path});
}

/// Selects the nodes of the rows from the active node to the row at `end`.
void select_range(const Tree& tree, const std::string& end) {
  const auto active = std::ranges::find(tree.rows, tree.layout.selected_path), last = std::ranges::find(tree.rows, end);
  if (last == tree.rows.end()) return;
  if (active == tree.rows.end()) return select_nodes(tree.layout, {end});
  const std::vector<std::string> range(std::min(active, last), std::max(active, last) + 1);
  add_nodes(tree.layout, tree.root, range);
}

/// Label of an action on the node at `path`, or on all selected nodes if the node is one of several.
std::string label_for_selected(const Tree& tree, const char* verb, const std::string& path) {
  const std::size_t count = selected_nodes(tree.layout, tree.root).size();
  return count < 2 || !is_node_selected(tree.layout, path) ? verb : fmt::format("{} {} nodes###{}", verb, count, verb);
}

/// Whether pictures show the node as an object, which can be hidden and locked.
bool is_object(const std::string& path) {
  return (path.starts_with("system.") || path.starts_with("collider.")) && path.rfind('.') == path.find('.');
}

/// Requests to hide or show the object at `path`, or all selected objects if this object is selected.
void wish_toggle_hidden(const Tree& tree, const std::string& path) {
  if (is_node_selected(tree.layout, path))
    tree.wish.of_selected = TreeWish::OfSelected::toggle_hidden;
  else
    tree.wish.show = TreeWish::Show::toggle_hidden;
}

void show_items(const Tree& tree, const std::string& name, const std::string& path) {
  using Show = TreeWish::Show;
  const auto item = [&](const char* label, bool is_on, Show show, const char* hint) {
    if (ImGui::MenuItem(label, nullptr, is_on)) {
      tree.wish.show = show;
      tree.wish.name = name;
    }
    tooltip(hint);
  };
  if (ImGui::MenuItem("Hide", "H", is_hidden(tree.hidden, name))) wish_toggle_hidden(tree, path), tree.wish.name = name;
  tooltip("Omits the object from the picture");
  item("Isolate", false, Show::isolate, "Hides all other systems and obstacles. A second click shows all again");
  item("Lock", is_hidden(tree.locked, name), Show::toggle_locked,
       "Keeps the mouse from selecting and dragging the object in the picture");
}

void node_menu(const Tree& tree, const Node& node, const std::string& path) {
  const bool removable = is_one_of_many(tree.root, path);
  if ((!removable && !takes_children(node)) || !ImGui::BeginPopupContextItem("menu")) return;
  if (!is_node_selected(tree.layout, path)) select_nodes(tree.layout, {path});
  all_add_entries(tree.root, node, path, tree.wish.change);
  if (removable) {
    if (takes_children(node)) ImGui::Separator();
    if (ImGui::MenuItem("Rename", "F2")) start_renaming(tree.layout, tree.root, path);
    tooltip("Renames the node and everything that refers to it; the world continues");
    using OfSelected = TreeWish::OfSelected;
    if (ImGui::MenuItem(label_for_selected(tree, "Duplicate", path).c_str(), "Ctrl + D"))
      tree.wish.of_selected = OfSelected::duplicate;
    if (ImGui::MenuItem(label_for_selected(tree, "Remove", path).c_str(), "Delete"))
      tree.wish.of_selected = OfSelected::remove;
  }
  if (is_object(path)) {
    ImGui::Separator();
    show_items(tree, node.name, path);
  }
  ImGui::EndPopup();
}

/// Draws the field for the new name. Enter renames the node if the name is valid. Otherwise the field stays, with a
/// sentence that explains the mistake. Esc or a click elsewhere cancels.
void draw_name_field(const Tree& tree, const Node& node, const std::string& path) {
  Layout::NameField& field = *tree.layout.renaming;
  ImGui::SameLine();
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2{em(0.2F), 0});
  const bool entered =
      ImGui::InputText("##name", &field.text, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  ImGui::PopStyleVar();
  const bool is_left = ImGui::IsItemDeactivated() && !entered && !field.takes_focus;
  if (std::exchange(field.takes_focus, false)) ImGui::SetKeyboardFocusHere(-1);
  if (!field.error.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, palette::error);
    ImGui::TextWrapped("%s", field.error.c_str());
    ImGui::PopStyleColor();
  }
  if (entered) {
    field.error = name_error(tree.root, path, field.text);
    field.takes_focus = !field.error.empty();
    if (field.error.empty() && field.text != node.name)
      tree.wish.change = renaming_of(tree.root, path, field.text).change;
  }
  if (is_left || (entered && field.error.empty())) tree.layout.renaming.reset();
}

/// Draws a small icon at the right end of a row. `strong` is true for a state other than the default. Returns true if
/// the icon was clicked.
bool row_icon(const char* id, Icon icon, bool strong, const char* hint) {
  const ImVec2 corner = ImGui::GetCursorScreenPos(), size{em(1.3F), em(1)};
  const bool pressed = ImGui::InvisibleButton(id, size);
  const float alpha = ImGui::IsItemHovered() ? 1.0F : strong ? 0.9F : 0.35F;
  draw_icon(ImGui::GetWindowDrawList(), icon, {corner.x + size.x / 2, corner.y + size.y / 2}, em(0.38F),
            color(strong ? palette::accent : palette::text, alpha));
  tooltip(hint);
  return pressed;
}

constexpr float icons_em = 2.8F;

/// Draws the eye and the lock of a system or an obstacle.
void draw_row_icons(const Tree& tree, const std::string& name, const std::string& path) {
  const bool is_out = is_hidden(tree.hidden, name), is_fixed = is_hidden(tree.locked, name);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{em(0.1F), ImGui::GetStyle().ItemSpacing.y});
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - em(icons_em));
  if (row_icon("lock", is_fixed ? Icon::lock : Icon::unlocked, is_fixed,
               is_fixed ? "Unlocks the object" : "Keeps the mouse from selecting and dragging the object"))
    tree.wish.show = TreeWish::Show::toggle_locked;
  ImGui::SameLine();
  if (row_icon("eye", is_out ? Icon::eye_closed : Icon::eye, is_out,
               is_out ? "Shows the object again" : "Hides the object in the picture; the simulation still includes it"))
    wish_toggle_hidden(tree, path);
  ImGui::PopStyleVar();
  if (tree.wish.show != TreeWish::Show::nothing && tree.wish.name.empty()) tree.wish.name = name;
}

constexpr const char* row_payload = "row of the tree";

/// Makes the row that was drawn last a source and a target of drags that change the order of nodes. A line shows where
/// the dragged node would be inserted.
void reorder_by_drag(const Tree& tree, const std::string& path) {
  if (ImGui::BeginDragDropSource(ImGuiDragDropFlags_SourceNoHoldToOpenOthers)) {
    ImGui::SetDragDropPayload(row_payload, path.c_str(), path.size() + 1);
    ImGui::TextUnformatted(path.substr(path.rfind('.') + 1).c_str());
    ImGui::EndDragDropSource();
  }
  const ImGuiPayload* dragged = ImGui::GetDragDropPayload();
  if (dragged == nullptr || !dragged->IsDataType(row_payload) || !ImGui::BeginDragDropTarget()) return;
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const bool behind = ImGui::GetIO().MousePos.y > 0.5F * (low.y + high.y);
  const auto changes = reordering_of(tree.root, static_cast<const char*>(dragged->Data), path, behind);
  if (!changes.empty()) {
    const float y = behind ? high.y : low.y;
    ImGui::GetWindowDrawList()->AddLine({low.x, y}, {high.x, y}, color(palette::accent), em(0.12F));
    constexpr auto flags = ImGuiDragDropFlags_AcceptNoDrawDefaultRect;
    if (ImGui::AcceptDragDropPayload(row_payload, flags) != nullptr) tree.wish.reordering = changes;
  }
  ImGui::EndDragDropTarget();
}

/// Opens the next row or group, whose paths begin with `start`, if a node below it is to be revealed.
void open_to_reveal(const Layout& layout, const std::string& start) {
  if (layout.reveal_selected && layout.selected_path.starts_with(start + ".")) ImGui::SetNextItemOpen(true);
}

void tree_leaf(const Tree& tree, const Node& node, const std::string& path, const std::string& label,
               const std::string& kind) {
  Layout& layout = tree.layout;
  ImGui::PushID(path.c_str());
  tree.rows.push_back(path);
  const bool selected = is_node_selected(layout, path), is_active = layout.selected_path == path;
  ImGuiTreeNodeFlags flags = ImGuiTreeNodeFlags_SpanAvailWidth | ImGuiTreeNodeFlags_OpenOnArrow |
                             ImGuiTreeNodeFlags_DefaultOpen | ImGuiTreeNodeFlags_AllowItemOverlap;
  if (selected) flags |= ImGuiTreeNodeFlags_Selected;
  if (node.children.empty()) flags |= ImGuiTreeNodeFlags_Leaf;
  const bool renames = layout.renaming && layout.renaming->path == path, has_icons = is_object(path) && !renames;
  const bool off = !is_switched_on(node) || (has_icons && is_hidden(tree.hidden, node.name));
  if (off) ImGui::PushStyleColor(ImGuiCol_Text, palette::dim);
  const std::string shown = renames ? std::string() : label == node.schema->kind ? label_of(*node.schema) : label;
  open_to_reveal(layout, path);
  const bool open = ImGui::TreeNodeEx("node", flags, "%s", shown.c_str());
  if (off) ImGui::PopStyleColor();
  reorder_by_drag(tree, path);
  if (const std::string material = dropped_material(tree.root, path); !material.empty())
    tree.wish.drop = {material, path};
  const float icons_left = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x - em(icons_em);
  const bool on_icons = has_icons && ImGui::GetIO().MousePos.x > icons_left;
  if (ImGui::IsItemClicked() && !on_icons) select_row(tree, path);
  const bool extends = ImGui::GetIO().KeyCtrl || ImGui::GetIO().KeyShift;
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0) && !extends && !on_icons && !ImGui::IsItemToggledOpen())
    start_renaming(layout, tree.root, path);
  if (is_active && layout.reveal_selected) {
    ImGui::SetScrollHereY();
    layout.reveal_selected = false;
  }
  if (!on_icons) tooltip(node.schema->doc);
  node_menu(tree, node, path);
  if (renames) {
    draw_name_field(tree, node, path);
  } else if (!kind.empty()) {
    ImGui::SameLine();
    ImGui::TextColored(palette::dim, "%s%s", kind.c_str(), is_switched_on(node) ? "" : ", off");
  }
  if (!renames && empty_node_hint(node)) {
    ImGui::SameLine();
    ImGui::TextColored(palette::warning, "empty");
  }
  if (has_icons) draw_row_icons(tree, node.name, path);
  if (open) {
    for (const Node& child : node.children) {
      const std::string at = child_path(node, path, child);
      const Slot& slot = node.schema->slots[child.slot];
      tree_leaf(tree, child, at, child.name.empty() ? spelt_out(slot.name) : child.name,
                child_note(tree.root, slot, child, at));
    }
    ImGui::TreePop();
  }
  ImGui::PopID();
}

}  // namespace

void start_renaming(Layout& layout, const Node& root, const std::string& path) {
  if (!is_one_of_many(root, path)) return;
  layout.left = true;
  layout.filter.clear();
  layout.selected_path = path;
  layout.reveal_selected = true;
  layout.renaming = {path, find_node(root, path)->name, {}, true};
}

/// The tree has one group per slot, such as "Systems". A slot that can hold only one node has no group.
void draw_scene_tree(Layout& layout, const Node& root, TreeWish& wish) {
  // A node that is removed while the user types its name must not return with the field.
  if (layout.renaming && find_node(root, layout.renaming->path) == nullptr) layout.renaming.reset();
  if (ImGui::TreeNodeEx("About", ImGuiTreeNodeFlags_SpanAvailWidth | ImGuiTreeNodeFlags_Leaf |
                                     ImGuiTreeNodeFlags_NoTreePushOnOpen |
                                     (layout.selected_path.empty() ? ImGuiTreeNodeFlags_Selected : 0)) &&
      ImGui::IsItemClicked())
    layout.selected_path.clear();
  const ViewParams view = view_params().read(root.only("view")->values);
  std::vector<std::string> rows;
  std::string range_end;
  const Tree tree{layout, root, view.hidden, view.locked, wish, rows, range_end};
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
    open_to_reveal(layout, slot.name);
    const bool open =
        ImGui::TreeNodeEx(label.c_str(), ImGuiTreeNodeFlags_SpanAvailWidth | ImGuiTreeNodeFlags_DefaultOpen);
    ImGui::PopStyleColor();
    tooltip(slot.doc);
    if (ImGui::BeginPopupContextItem(slot.name.c_str())) {
      add_entries(root, slot, {}, wish.change);
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
  if (!range_end.empty()) select_range(tree, range_end);
}

void draw_add_button(const Node& root, const Node& node, const std::string& path, const char* hint,
                     std::optional<NodeChange>& wish) {
  if (icon_button("add", Icon::plus, hint, {.size_em = 1.5F})) ImGui::OpenPopup("kinds");
  if (!ImGui::BeginPopup("kinds")) return;
  all_add_entries(root, node, path, wish);
  ImGui::EndPopup();
}

bool draw_node_buttons(const Node& root, const Node& node, const std::string& path, TreeWish& wish) {
  const bool removable = is_one_of_many(root, path), parent = takes_children(node);
  if (!removable && !parent) return false;
  if (parent) draw_add_button(root, node, path, "Adds a child node", wish.change);
  if (!removable) return true;
  if (parent) ImGui::SameLine();
  const auto line = nodes_down_to(root, path);
  const std::string slot = line[line.size() - 2]->schema->slots[node.slot].name;
  const std::string parent_path = path_of_parent(path);
  const auto effect = [&](NodeChange::Kind kind) { return effect_of_change(root, parent_path, slot, kind); };
  if (icon_button("double", Icon::copy, ("Duplicates the node; " + effect(NodeChange::Kind::add)).c_str(),
                  {.size_em = 1.5F}))
    wish.of_selected = TreeWish::OfSelected::duplicate;
  ImGui::SameLine();
  if (icon_button("remove", Icon::bin,
                  ("Removes the node; " + effect(NodeChange::Kind::remove) + ". Undo restores the node.").c_str(),
                  {.size_em = 1.5F}))
    wish.of_selected = TreeWish::OfSelected::remove;
  return true;
}

void draw_empty_hint(const Node& root, const Node& node, const std::string& path, std::optional<NodeChange>& wish) {
  const std::optional<EmptyNodeHint> hint = empty_node_hint(node);
  if (!hint) return;
  ImGui::PushStyleColor(ImGuiCol_Text, palette::warning);
  ImGui::TextWrapped("%s", hint->text.c_str());
  ImGui::PopStyleColor();
  for (const std::string& name : hint->slots) {
    const Slot& slot = *std::ranges::find(node.schema->slots, name, &Slot::name);
    if (name != hint->slots.front()) ImGui::SameLine();
    ImGui::PushID(name.c_str());
    const bool is_pressed = primary_button(("Add " + lower(slot_label(name))).c_str());
    tooltip(slot.doc);
    if (is_pressed && slot.kinds.size() == 1) wish = fresh_child(root, path, name, *slot.kinds.front());
    if (is_pressed && slot.kinds.size() > 1) ImGui::OpenPopup("kinds");
    if (ImGui::BeginPopup("kinds")) {
      for (const Schema* kind : slot.kinds) {
        if (ImGui::MenuItem(label_of(*kind).c_str())) wish = fresh_child(root, path, name, *kind);
        tooltip(kind->doc);
      }
      ImGui::EndPopup();
    }
    ImGui::PopID();
  }
}

void draw_drivers(Layout& layout, const Node& root, const Node& node, const std::string& path,
                  std::optional<NodeChange>& wish) {
  constexpr std::size_t listed = 4;
  if (path.empty()) return;
  const std::vector<Driver> drivers = drivers_of(root, path);
  for (std::size_t i = 0; i < std::min(drivers.size(), listed); ++i) {
    const Driver& driver = drivers[i];
    ImGui::PushID(static_cast<int>(i));  // The index makes the ids of the buttons unique.
    if (ImGui::SmallButton("Show")) {
      select_nodes(layout, {driver.actuator});
      layout.reveal_selected = true;
    }
    tooltip("Selects " + driver.actuator);
    ImGui::SameLine();
    // A target that names no parameter may be the path of the node itself.
    const std::string& target = driver.target;
    dim_text(fmt::format("{} sets {}: {}{}", driver.actuator.substr(driver.actuator.find('.') + 1),
                         target.size() > path.size() ? target.substr(path.size() + 1) : target, driver.text,
                         driver.is_enabled ? "" : " (off)"));
    ImGui::PopID();
  }
  if (drivers.size() > listed)
    dim_text(fmt::format("{} further parameters are set by actuators.", drivers.size() - listed));
  const auto line = nodes_down_to(root, path);
  if (!drivers.empty() || line.size() < 2 || !is_muscle(line[line.size() - 2]->schema->slots[node.slot])) return;
  dim_text("No actuator sets the strain of this muscle.");
  const auto slot = std::ranges::find(root.schema->slots, "actuator", &Slot::name);
  const auto kind = std::ranges::find(slot->kinds, "wave", &Schema::kind);
  if (ImGui::SmallButton("Add wave")) {
    wish = fresh_child(root, {}, "actuator", **kind);
    wish->node.set("targets", Value(TextList{path + ".strain"}));
  }
  tooltip("Adds an actuator that sets the strain of this muscle to a periodic wave");
}

}  // namespace vw::ui
