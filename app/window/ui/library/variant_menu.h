// Items for kept values in the context menu of a parameter.
#pragma once

#include <string>

#include "sim/base/data/parameter.h"

namespace vw::ui {

struct ParamRows;

/// Draws the kept values of the parameter at `path`, and items to keep the present value and to remove kept values. A
/// chosen value is added to `rows.edits`. Draws nothing if `rows.variants` is null.
void draw_variant_items(ParamRows& rows, const std::string& path, const ParamSpec& spec, const Value& value);

}  // namespace vw::ui
