// Parameters of a surface material, for all parameter structs that derive from SurfaceMaterial.
#pragma once

#include "sim/base/data/parameter.h"
#include "sim/collision/contact/response.h"

namespace vw {

/// Returns the table of the restitution and the friction coefficients.
[[nodiscard]] const ParamTable<SurfaceMaterial>& friction_params();

/// Returns the table of all parameters of a surface material. Its first rows are those of friction_params().
[[nodiscard]] const ParamTable<SurfaceMaterial>& surface_params();

}  // namespace vw
