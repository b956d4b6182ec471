#include "app/window/ui/library/variant_menu.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/window/labels/param_style.h"
#include "app/window/ui/library/library_state.h"
#include "app/window/ui/panels/param_rows.h"
#include "app/window/ui/widgets/theme.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

/// Draws the field for the name of the present value.
void draw_keep_item(VariantMenu& menu, const std::string& kind, const ParamSpec& spec, const Value& value) {
  if (!ImGui::BeginMenu("Keep this value as\xE2\x80\xA6")) return;
  if (ImGui::IsWindowAppearing()) menu.name.clear(), menu.error.clear();
  ImGui::SetNextItemWidth(em(10));
  const bool entered = ImGui::InputTextWithHint("##variant", "Name", &menu.name, ImGuiInputTextFlags_EnterReturnsTrue);
  if (entered && !preset_name_error(menu.name).empty()) ImGui::SetKeyboardFocusHere(-1);
  tooltip("Kept values are offered for this parameter in every scene");
  ImGui::SameLine();
  if (ImGui::Button("Keep") || entered) {
    const auto kept = menu.variants.keep(kind, spec, menu.name, value);
    menu.error = kept ? std::string() : kept.error().message();
    if (kept) ImGui::CloseCurrentPopup();
  }
  if (!menu.error.empty()) ImGui::TextColored(palette::error, "%s", menu.error.c_str());
  ImGui::EndMenu();
}

}  // namespace

void draw_variant_items(ParamRows& rows, const std::string& path, const ParamSpec& spec, const Value& value) {
  if (rows.variants == nullptr || rows.document == nullptr) return;
  VariantMenu& menu = *rows.variants;
  const std::size_t dot = path.rfind('.');
  const std::string kind =
      kind_key(rows.document->root(), std::string_view(path).substr(0, dot == std::string::npos ? 0 : dot));
  const std::vector<Variant> kept = menu.variants.of(kind, spec);
  for (const Variant& variant : kept)
    if (ImGui::MenuItem(fmt::format("{}: {}", variant.name, pretty_value(spec, variant.value)).c_str(), nullptr, false,
                        !same_value(value, variant.value)))
      rows.edits.push_back({path, variant.value});
  draw_keep_item(menu, kind, spec, value);
  if (kept.empty() || !ImGui::BeginMenu("Remove a kept value")) return;
  for (const Variant& variant : kept)
    if (ImGui::MenuItem((variant.name + "##remove").c_str()))
      if (const auto removed = menu.variants.remove(kind, spec, variant.name); !removed)
        menu.error = removed.error().message();
  ImGui::EndMenu();
}

}  // namespace vw::ui
