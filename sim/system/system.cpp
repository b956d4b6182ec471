#include "sim/system/system.h"

#include <fmt/format.h>

namespace vw {

CostCause System::cost_cause(const StepContext& context, std::int64_t substeps) const {
  (void)context;
  return {fmt::format("{} substeps of {} elements", substeps, elements().size()), "fewer elements, softer springs or a shorter world.dt help"};
}

}  // namespace vw
