// Converts a voxcraft recording into a scene with one playback body above the ground. The camera frames the motion of
// all frames.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/elementary/elementary.h"
#include "sim/scene/camera_range.h"
#include "sim/scene/scene.h"
#include "sim/scene/toml/text.h"
#include "sim/snapshot/view.h"
#include "sim/system/playback/playback.h"
#include "sim/system/playback/recording.h"
#include "sim/world/registry.h"

namespace vw {
namespace {

/// Computes the box [low, high] that contains all voxels of all frames in any orientation. If there are no voxels,
/// `low` and `high` are unchanged.
void bounds_of(const Recording& recording, Vec3& low, Vec3& high) {
  for (std::size_t i = 0; i < recording.position.size(); ++i) {
    const Vec3 x = recording.position[i].cast<double>(), reach = Vec3::Constant(static_cast<double>(recording.edge[i]));
    low = i == 0 ? Vec3(x - reach) : Vec3(low.cwiseMin(x - reach));
    high = i == 0 ? Vec3(x + reach) : Vec3(high.cwiseMax(x + reach));
  }
}

/// Positions the camera so that a sphere around the motion of all frames fits into the vertical field of view.
void look_at_all(const Recording& recording, const Vec3& shift, Node& view) {
  Vec3 low = Vec3::Zero(), high = Vec3::Constant(0.1);
  bounds_of(recording, low, high);
  const Vec3 center = 0.5 * (low + high) + shift;
  const double fov = std::get<double>(view.value("fov_deg")) * pi / 180;
  const double distance = std::max(0.5 * (high - low).norm() / elementary::sin(0.5 * fov), 1e-3);
  view.set("target", Value(within_camera_range(center)));
  view.set("eye", Value(within_camera_range(center + distance * Vec3(0.6, 0.45, 0.8).normalized())));
  view.set("auto_frame", Value(false));  // automatic framing would consider the initial frame only
}

}  // namespace

Result<LoadedScene> read_history(const std::string& path) {
  const auto recording = read_recording(path);
  if (!recording) return Unexpected(recording.error());
  const std::string stem = std::filesystem::path(path).stem().string();
  LoadedScene loaded{make_node(scene_schema()), {}};
  Node& scene = loaded.root;
  scene.set("title", Value(one_line(stem)));
  const std::size_t frames = recording->frames.size();
  scene.set("description", Value(fmt::format("A recording of {} frame{} that lasts {:.3g} s.", frames,
                                             frames == 1 ? "" : "s", recording->duration_s())));
  Node& body = add_child(scene, "system", playback_schema().kind, as_node_name(stem, "recording"));
  std::error_code ignored;
  body.set("source", Value(std::filesystem::absolute(path, ignored).lexically_normal().generic_string()));
  const Vec3 shift(0, 0.5 * recording->voxel_size_m, 0);  // voxcraft's floor lies half a voxel below the origin
  body.set("position", Value(shift));
  look_at_all(*recording, shift, *scene.only("view"));
  if (recording->cut_off) loaded.warnings.push_back(one_line(path) + ": the last frame is incomplete and is ignored");
  return loaded;
}

}  // namespace vw
