#include "sim/system/system.h"

#include <fmt/format.h>

namespace vw {

CostCause System::cost_cause(const StepContext& context, std::int64_t substeps) const {
  (void)context;
  return {fmt::format("{} substeps of {} elements", substeps, elements().size()),
          "fewer elements, softer springs or a shorter world.dt help"};
}

StepBound System::step_bound(double coupled_stiffness_npm) const {
  if (!(coupled_stiffness_npm > 0)) return {"its stiffness over its mass", "lower the stiffness, or raise the mass"};
  return {fmt::format("its stiffness over its mass, with {:.3g} N/m of springs that join it to others,",
                      coupled_stiffness_npm),
          "lower the stiffness, or raise the mass"};
}

}  // namespace vw
