// Button of the inspector that opens the presets of the selected node.
#pragma once

#include <optional>
#include <string>

#include "sim/base/data/node_change.h"

namespace vw::ui {

struct App;
struct ParamRows;

/// Draws the button and, while it is open, the popup: save the node as a preset, and search, apply, add and delete
/// presets of its kind. Applied values are added to `rows.edits`. The addition of a node is stored in `wish`.
void draw_presets_button(App& app, ParamRows& rows, const std::string& path, std::optional<NodeChange>& wish);

}  // namespace vw::ui
