#include "app/window/ui/library/material_drag.h"

#include <algorithm>
#include <cstring>

#include <imgui.h>

#include "app/window/library/material_assignment.h"

namespace vw::ui {
namespace {

const MaterialPayload* material_in(const ImGuiPayload* payload) {
  return payload == nullptr || !payload->IsDataType(material_payload)
             ? nullptr
             : static_cast<const MaterialPayload*>(payload->Data);
}

}  // namespace

void drag_material(const LibraryMaterial& material, const std::string& hint) {
  MaterialPayload payload{.state = material.state};
  if (material.name.size() >= sizeof payload.name || !ImGui::BeginDragDropSource()) return;
  std::memcpy(payload.name, material.name.c_str(), material.name.size());
  ImGui::SetDragDropPayload(material_payload, &payload, sizeof payload);
  ImGui::TextUnformatted(material.title.c_str());
  if (!hint.empty()) ImGui::TextUnformatted(hint.c_str());
  ImGui::EndDragDropSource();
}

const MaterialPayload* dragged_material() { return material_in(ImGui::GetDragDropPayload()); }

std::string dropped_material(const Node& scene, const std::string& path) {
  const MaterialPayload* dragged = dragged_material();
  if (dragged == nullptr || !takes_material(scene, path, dragged->state) || !ImGui::BeginDragDropTarget()) return {};
  const MaterialPayload* dropped = material_in(ImGui::AcceptDragDropPayload(material_payload));
  const std::string name = dropped == nullptr ? std::string() : dropped->name;
  ImGui::EndDragDropTarget();
  return name;
}

}  // namespace vw::ui
