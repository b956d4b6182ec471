#include "app/window/ui/library/presets_popup.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/window/document/scene_edit.h"
#include "app/window/labels/param_style.h"
#include "app/window/ui/app.h"
#include "app/window/ui/panels/param_rows.h"
#include "app/window/ui/widgets/widgets.h"
#include "sim/base/system/folders.h"

namespace vw::ui {
namespace {

/// Data of the popup in this frame.
struct PresetContext {
  App& app;
  ParamRows& rows;
  const Node& node;
  const std::string& path;
  std::string kind;
  std::optional<NodeChange>& wish;
};

std::string presets_folder() {
  const std::string folder = config_folder();
  return folder.empty() ? folder : (std::filesystem::path(folder) / "presets").string();
}

void use_preset(const PresetContext& context, const Preset& preset) {
  const PresetUse use = apply_preset(context.app.session.document->root(), context.path, preset);
  context.app.session.document->end_gesture();  // the preset is an undo step of its own
  context.rows.edits.insert(context.rows.edits.end(), use.assignments.begin(), use.assignments.end());
  std::string text = !use.assignments.empty() ? fmt::format("Applied {} to {}.", preset.name, context.path)
                     : use.notes.empty() ? fmt::format("{} has the values of {} already.", context.path, preset.name)
                                         : fmt::format("No value of {} was applied to {}.", preset.name, context.path);
  for (const std::string& note : use.notes) text += " " + note;
  context.app.log.info(text, Toast::yes);
}

/// Draws the field for the name of a new preset, and the button that saves the node.
void draw_save_row(const PresetContext& context) {
  PresetPopup& popup = context.app.ui.library.presets;
  ImGui::SetNextItemWidth(em(13));
  const bool entered =
      ImGui::InputTextWithHint("##name", "Name of a new preset", &popup.name, ImGuiInputTextFlags_EnterReturnsTrue);
  if (entered && !preset_name_error(popup.name).empty()) ImGui::SetKeyboardFocusHere(-1);
  ImGui::SameLine();
  const bool replaces =
      std::ranges::any_of(popup.list->presets, [&](const Preset& preset) { return preset.name == popup.name; });
  const bool pressed = ImGui::Button(replaces ? "Replace###save" : "Save###save", {em(5), 0});
  tooltip("Saves the parameters and child nodes of this node as a preset");
  if (!entered && !pressed) return;
  popup.error = preset_name_error(popup.name);
  if (!popup.error.empty()) return;
  const auto saved = save_preset(popup.folder, context.kind, popup.name, context.node);
  popup.error = saved ? std::string() : saved.error().message();
  if (!saved) return;
  context.app.log.info("Saved the preset " + *saved, Toast::yes);
  popup.name.clear();
  popup.list.reset();
}

/// Draws the question that replaces the row of a preset which is to be deleted.
void draw_delete_question(PresetPopup& popup, const Preset& preset, bool& is_changed) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(palette::warning, "Delete %s?", preset.name.c_str());
  ImGui::SameLine();
  if (ImGui::SmallButton("Delete")) {
    const auto removed = remove_preset(preset);
    popup.error = removed ? std::string() : removed.error().message();
    is_changed = true;
  }
  ImGui::SameLine();
  if (ImGui::SmallButton("Keep")) popup.to_delete.clear();
}

/// Draws the row of a preset. Sets `is_changed` if the presets must be read again.
void draw_preset_row(const PresetContext& context, const Preset& preset, bool& is_changed) {
  PresetPopup& popup = context.app.ui.library.presets;
  ImGui::PushID(preset.file.c_str());
  if (popup.to_delete == preset.file) {
    draw_delete_question(popup, preset, is_changed);
    return ImGui::PopID();
  }
  const Node& root = context.app.session.document->root();
  const bool can_add = is_one_of_many(root, context.path);
  ImGui::AlignTextToFramePadding();
  if (ImGui::Selectable(preset.name.c_str(), false, ImGuiSelectableFlags_DontClosePopups, {em(14), 0}))
    use_preset(context, preset);
  tooltip("Sets the parameters of this node to the values of the preset");
  if (can_add) {
    ImGui::SameLine();
    if (icon_button("add", Icon::plus, "Adds a new node with this preset, including its child nodes",
                    {.size_em = 1.5F})) {
      context.wish = node_from_preset(root, context.path, preset);
      ImGui::CloseCurrentPopup();
    }
  }
  ImGui::SameLine();
  if (icon_button("delete", Icon::bin, "Deletes the file of the preset", {.size_em = 1.5F}))
    popup.to_delete = preset.file;
  ImGui::PopID();
}

void draw_preset_list(const PresetContext& context) {
  PresetPopup& popup = context.app.ui.library.presets;
  ImGui::SetNextItemWidth(em(18.5F));
  ImGui::InputTextWithHint("##search", "Search presets", &popup.filter);
  bool is_changed = false, any = false;
  ImGui::BeginChild("presets", {em(18.5F), em(14)});
  for (const Preset& preset : popup.list->presets) {
    if (!matches_filter(preset.name, popup.filter)) continue;
    any = true;
    draw_preset_row(context, preset, is_changed);
  }
  if (!any)
    dim_text(popup.list->presets.empty() ? "There is no preset of this kind." : "No preset contains these words.");
  ImGui::PushStyleColor(ImGuiCol_Text, palette::warning);
  for (const Error& error : popup.list->errors) ImGui::TextWrapped("%s", error.message().c_str());
  ImGui::PopStyleColor();
  ImGui::EndChild();
  if (!is_changed) return;
  popup.list.reset();
  popup.to_delete.clear();
}

}  // namespace

void draw_presets_button(App& app, ParamRows& rows, const std::string& path, std::optional<NodeChange>& wish) {
  PresetPopup& popup = app.ui.library.presets;
  if (ImGui::Button("Presets")) ImGui::OpenPopup("presets");
  tooltip("Saves this node as a preset, and applies presets of its kind");
  if (!ImGui::BeginPopup("presets")) return;
  const Node& root = app.session.document->root();
  const Node& node = *find_node(root, path);
  const PresetContext context{app, rows, node, path, kind_key(root, path), wish};
  if (ImGui::IsWindowAppearing() || popup.kind != context.kind) {
    popup = {};
    popup.folder = presets_folder();
    popup.kind = context.kind;
  }
  if (!popup.list) popup.list = read_presets(popup.folder, context.kind, *node.schema);
  draw_save_row(context);
  if (!popup.list) popup.list = read_presets(popup.folder, context.kind, *node.schema);
  if (!popup.error.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, palette::error);
    ImGui::PushTextWrapPos(em(18.5F));
    ImGui::TextUnformatted(popup.error.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
  }
  draw_preset_list(context);
  const std::string folder = (std::filesystem::path(popup.folder) / context.kind).string();
  if (!popup.folder.empty() && ImGui::SmallButton("Copy path of the folder")) ImGui::SetClipboardText(folder.c_str());
  if (!popup.folder.empty()) tooltip("Copies the path of the folder of these presets, for sharing files: " + folder);
  ImGui::EndPopup();
}

}  // namespace vw::ui
