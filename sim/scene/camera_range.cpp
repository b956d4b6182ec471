#include "sim/scene/camera_range.h"

#include <algorithm>

#include "sim/snapshot/view.h"

namespace vw {

Vec3 within_camera_range(const Vec3& place) {
  const auto eye = std::ranges::find(view_schema().params, "eye", &ParamSpec::name);
  return place.cwiseMax(eye->bounds.min).cwiseMin(eye->bounds.max);
}

}  // namespace vw
