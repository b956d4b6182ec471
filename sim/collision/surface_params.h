// Parameters of a surface material, declared once for all structs that derive from SurfaceMaterial.
#pragma once

#include "sim/base/data/parameter.h"
#include "sim/collision/contact/response.h"

namespace vw {

/// Table of the restitution and the friction coefficients of a SurfaceMaterial.
[[nodiscard]] const ParamTable<SurfaceMaterial>& friction_params();

/// Table of all parameters of a SurfaceMaterial. It begins with the rows of friction_params().
[[nodiscard]] const ParamTable<SurfaceMaterial>& surface_params();

}  // namespace vw
