// Stored cameras: places of the camera that are saved with the scene, and views along the axes of the world. The camera
// moves to them smoothly.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "app/window/ui/app.h"

namespace vw::ui {
namespace {

constexpr std::size_t place_numbers = 6;  ///< eye x, y, z, target x, y, z

NumberList stored(const App& app, int number) {
  const ViewParams view = app.session.view();
  const NumberList* all[stored_cameras] = {&view.camera_1, &view.camera_2, &view.camera_3, &view.camera_4};
  return *all[number - 1];
}

/// Position of the eye relative to the target, in spherical coordinates.
struct Offset {
  float yaw_rad = 0, pitch_rad = 0, distance_m = 1;
};

Offset offset_of(const Camera& camera) {
  const glm::vec3 offset = camera.eye - camera.target;
  const float distance = std::max(glm::length(offset), 1e-6F);
  return {std::atan2(offset.x, offset.z), std::asin(std::clamp(offset.y / distance, -1.0F, 1.0F)), distance};
}

/// Camera between `from` (share 0) and `to` (share 1). The eye moves on the shorter arc about the target.
Camera between(const Camera& from, const Camera& to, float share) {
  const Offset a = offset_of(from), b = offset_of(to);
  const float turn = std::remainder(b.yaw_rad - a.yaw_rad, 2 * std::numbers::pi_v<float>);
  const float yaw = a.yaw_rad + share * turn, pitch = std::lerp(a.pitch_rad, b.pitch_rad, share);
  const float distance = a.distance_m * std::pow(b.distance_m / a.distance_m, share);
  Camera camera = to;
  camera.target = glm::mix(from.target, to.target, share);
  camera.eye = camera.target +
               distance * glm::vec3(std::cos(pitch) * std::sin(yaw), std::sin(pitch), std::cos(pitch) * std::cos(yaw));
  return camera;
}

/// Starts the motion of the camera to a place.
void move_camera(App& app, const glm::vec3& eye, const glm::vec3& target) {
  follow(app, {});
  Viewport& viewport = app.view.viewport;
  viewport.frame_wanted = false;
  CameraMove move{viewport.camera, viewport.camera, app.times.wall_s, viewport.camera};
  move.to.eye = eye;
  move.to.target = target;
  app.view.camera_move = move;
  app.times.busy_until_s = std::max(app.times.busy_until_s, app.times.wall_s + CameraMove::duration_s + 0.1);
}

}  // namespace

void look_from(App& app, const glm::vec3& direction) {
  if (app.session.document == nullptr) return;
  const Camera& camera = app.view.viewport.camera;
  move_camera(app, camera.target + glm::length(camera.eye - camera.target) * direction, camera.target);
}

void toggle_orthographic(App& app) {
  if (app.session.document == nullptr) return;
  bool& is_orthographic = app.view.viewport.camera.is_orthographic;
  is_orthographic = !is_orthographic;
  app.session.document->set_silently("view.orthographic", Value(is_orthographic));
  app.times.busy_until_s = std::max(app.times.busy_until_s, app.times.wall_s + 0.1);
}

bool has_camera(const App& app, int number) { return stored(app, number).size() == place_numbers; }

void store_camera(App& app, int number) {
  if (app.session.document == nullptr) return;
  const glm::dvec3 eye(app.view.viewport.camera.eye), target(app.view.viewport.camera.target);
  app.session.document->end_gesture();
  edit(app,
       {{fmt::format("view.camera_{}", number), Value(NumberList{eye.x, eye.y, eye.z, target.x, target.y, target.z})}});
  app.log.info(fmt::format("Stored camera {0}. Ctrl + {0} returns to it.", number), Toast::yes);
}

void go_to_camera(App& app, int number) {
  const NumberList place = stored(app, number);
  if (place.size() != place_numbers)
    return app.log.info(fmt::format("No camera {0} is stored. Ctrl + Shift + {0} stores the present camera.", number),
                        Toast::yes);
  move_camera(app, glm::vec3(glm::dvec3(place[0], place[1], place[2])),
              glm::vec3(glm::dvec3(place[3], place[4], place[5])));
}

void update_camera_move(App& app) {
  if (!app.view.camera_move) return;
  CameraMove& move = *app.view.camera_move;
  Camera& camera = app.view.viewport.camera;
  if (camera.eye != move.shown.eye || camera.target != move.shown.target) return app.view.camera_move.reset();
  const double share = std::clamp((app.times.wall_s - move.start_s) / CameraMove::duration_s, 0.0, 1.0);
  const float fov_deg = camera.fov_deg;
  const bool is_orthographic = camera.is_orthographic;
  // The polynomial has the derivative 0 at both ends, so that the motion starts and ends at rest.
  camera = share < 1 ? between(move.from, move.to, static_cast<float>(share * share * (3 - 2 * share))) : move.to;
  camera.fov_deg = fov_deg;
  camera.is_orthographic = is_orthographic;
  move.shown = camera;
  if (share >= 1) app.view.camera_move.reset();
}

}  // namespace vw::ui
