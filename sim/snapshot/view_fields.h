// Part of the parameter table of the view settings: how fields are drawn.
#pragma once

#include "sim/base/data/parameter.h"
#include "sim/snapshot/view.h"

namespace vw {

/// Rows of view_params() whose keys begin with "air".
[[nodiscard]] const ParamTable<ViewParams>& field_view_params();

}  // namespace vw
