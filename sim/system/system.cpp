#include "sim/system/system.h"

#include <fmt/format.h>

namespace vw {

CostCause System::cost_cause(const StepContext& context, std::int64_t substeps) const {
  (void)context;
  return {fmt::format("{} substeps of {} elements", substeps, elements().size()),
          "use fewer elements, softer springs or a shorter world.dt"};
}

StepBound System::step_bound(double coupled_stiffness_npm) const {
  if (!(coupled_stiffness_npm > 0)) return {"the ratio of stiffness to mass", "lower the stiffness, or raise the mass"};
  return {fmt::format("the ratio of stiffness to mass (including {:.3g} N/m of springs to other systems)",
                      coupled_stiffness_npm),
          "lower the stiffness, or raise the mass"};
}

}  // namespace vw
