#include "sim/api/build_info.h"

#include "sim/world/build_info.h"

namespace vw::api {

BuildInfo build_info() { return {.description = build_description(), .instruction_set = vw::instruction_set()}; }

}  // namespace vw::api
