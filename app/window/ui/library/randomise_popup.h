// Button of the inspector that sets parameters of the selected node to random values.
#pragma once

#include <string>

namespace vw::ui {

struct App;
struct ParamRows;

/// Draws the button and, while it is open, the popup with parameters, range and seed. The values of a try are added to
/// `rows.edits`. Draws nothing if the node has no numeric parameter.
void draw_randomise_button(App& app, ParamRows& rows, const std::string& path);

}  // namespace vw::ui
