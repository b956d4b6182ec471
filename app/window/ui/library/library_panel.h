// The material library in the window: the list of materials with their sources, and the assignment of a material to a
// node by button or drag.
#pragma once

#include <string>

#include <imgui.h>

#include "sim/base/data/node.h"
#include "sim/scene/materials/material_library.h"

namespace vw::ui {

struct App;
struct MaterialWindow;

/// Folder in which the user keeps materials. Empty if the user has no folder of settings.
[[nodiscard]] std::string user_materials_folder();
/// Materials of the library, which are read at the first call. A material of the user replaces a packaged material of
/// the same name.
[[nodiscard]] const MaterialLibrary& library_of(MaterialWindow& window);

/// Draws the window of the material library if it is open.
void draw_library_window(App& app);
/// Makes the picture a target for dragged materials. Call this in the window of the picture, with its rectangle.
void draw_picture_drop(App& app, ImVec2 corner, ImVec2 size);
/// Assigns a material to the node at `path` as one undo step. Reports the notes of the assignment, or the error, in the
/// log.
void assign_library_material(App& app, const std::string& material, const std::string& path);
/// If the values of a node are those of a material of the library, draws the name of this material.
void draw_matching_material(App& app, const Node& node);

}  // namespace vw::ui
