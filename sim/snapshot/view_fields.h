// Parts of the parameter table of the view settings that determine how fields and the flow in fluids are drawn.
#pragma once

#include "sim/base/data/parameter.h"
#include "sim/snapshot/view.h"

namespace vw {

/// Returns the rows of view_params() whose keys begin with "air".
[[nodiscard]] const ParamTable<ViewParams>& field_view_params();
/// Returns the rows of view_params() whose keys begin with "fluid_" and that determine the lines and iso-surfaces of
/// the flow.
[[nodiscard]] const ParamTable<ViewParams>& fluid_view_params();

}  // namespace vw
