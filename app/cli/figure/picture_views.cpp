#include "app/cli/figure/picture_views.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace vw::cli {
namespace {

struct AxisView {
  const char* name;
  glm::vec3 towards_eye;
};
constexpr std::array<AxisView, 6> axis_views{{{"front", {0, 0, 1}},
                                              {"back", {0, 0, -1}},
                                              {"right", {1, 0, 0}},
                                              {"left", {-1, 0, 0}},
                                              {"top", {0, 1, 0}},
                                              {"bottom", {0, -1, 0}}}};
constexpr std::size_t stored_cameras = 4;

}  // namespace

std::vector<std::string> view_names() {
  std::vector<std::string> names{"camera"};
  for (std::size_t i = 1; i <= stored_cameras; ++i) names.push_back(fmt::format("camera_{}", i));
  for (const AxisView& one : axis_views) names.emplace_back(one.name);
  return names;
}

Result<Camera> camera_of_view(const std::string& name, const ViewParams& view, const Camera& camera, const Bounds3& box,
                              float aspect) {
  const std::array<const NumberList*, stored_cameras> stored{&view.camera_1, &view.camera_2, &view.camera_3,
                                                             &view.camera_4};
  Camera out = camera;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    if (name != fmt::format("camera_{}", i + 1)) continue;
    const NumberList& at = *stored[i];
    if (at.size() != 6)
      return fail(
          fmt::format("--views = {}: the scene stores no camera of this number (view.{} is empty)", name, name));
    const auto number = [&](std::size_t k) { return static_cast<float>(at[k]); };
    out.eye = {number(0), number(1), number(2)};
    out.target = {number(3), number(4), number(5)};
    return out;
  }
  const auto* along = std::ranges::find(axis_views, name, [](const AxisView& one) { return std::string(one.name); });
  if (along == axis_views.end()) return out;
  out.target = box.center();
  out.eye = out.target + 4 * std::max(box.radius(), 1e-3F) * along->towards_eye;
  out.is_orthographic = true;
  out.frame(box, aspect);
  return out;
}

}  // namespace vw::cli
