// Parameters of a rigid system.
#pragma once

#include "sim/base/data/parameter.h"
#include "sim/system/rigid/wind/rigid_wind.h"

namespace vw {

struct RigidParams : RigidWindParams {
  double longest_dt_s = 1.0 / 240;
  double gravity_scale = 1;
  std::int64_t contact_rounds = 200;
  double particle_size_m = 0;
  bool sleep = true;
  double sleep_drift_m = 3e-4;
  double sleep_after_s = 0.5;
};
[[nodiscard]] const ParamTable<RigidParams>& rigid_params();

}  // namespace vw
