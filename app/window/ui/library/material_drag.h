// Drag and drop of a material of the library onto a node of the scene.
#pragma once

#include <string>

#include "sim/base/data/node.h"
#include "sim/scene/materials/material_library.h"

namespace vw::ui {

/// Type of the drag-and-drop payload.
inline constexpr const char* material_payload = "material";
/// Content of the drag-and-drop payload.
struct MaterialPayload {
  MatterState state = MatterState::solid;
  char name[256] = {};  ///< name of the material, with a terminating zero
};

/// Makes the last item the source of a drag of this material. `hint` is a line below the title at the pointer, or
/// empty.
void drag_material(const LibraryMaterial& material, const std::string& hint);
/// Returns the material that is being dragged, or null.
[[nodiscard]] const MaterialPayload* dragged_material();
/// If the node at `path` accepts the dragged material, makes the last item a target. Returns the name of the material
/// when it is dropped there, and otherwise an empty text.
[[nodiscard]] std::string dropped_material(const Node& scene, const std::string& path);

}  // namespace vw::ui
