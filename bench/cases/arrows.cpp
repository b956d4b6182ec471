// Arrows drawn by OpenGL. The benchmark measures the time per frame for selecting, building and drawing the arrows.
#include <cmath>

#include "bench/measure.h"
#include "render/gl/context.h"
#include "render/labels/canvas.h"
#include "render/scene/frame_data.h"
#include "render/vectors/element_arrows.h"
#include "sim/base/random.h"

namespace vw::bench {
namespace {

constexpr int arrows_width_px = 1280, arrows_height_px = 720;

/// Returns balls evenly distributed in a cube with edges of 2 m. The balls rotate about the z axis at 1 rad/s, with
/// random velocities along z. The camera sees most of the balls.
Snapshot whirl(std::int64_t elements) {
  Snapshot snapshot;
  SystemSnapshot& system = snapshot.systems.emplace_back();
  system.name = "whirl";
  for (std::int64_t i = 0; i < elements; ++i) {
    const auto draw = [&](std::uint64_t lane) {
      return 2 * random_uniform({1, 0}, static_cast<std::uint64_t>(i), lane) - 1;
    };
    const Vec3 place(draw(0), draw(1), draw(2));
    system.position.push_back(place.cast<float>());
    system.velocity.push_back(Vec3(-place.y(), place.x(), 0.3 * draw(3)).cast<float>());
    system.size.push_back(0.002F);
    system.id.push_back(static_cast<std::uint32_t>(i));
    system.material.push_back(0);
  }
  system.palette.emplace_back(0.3F, 0.35F, 0.4F);
  return snapshot;
}

double median_ms(const Windows& windows) { return 1000 / windows.median_rate(); }
double best_ms(const Windows& windows) { return 1000 / windows.best_rate(); }

}  // namespace

Result<Outcome> arrows(const Arguments& arguments) {
  auto context = OffscreenContext::create();
  if (!context) return Unexpected(context.error());
  auto renderer = Renderer::create();
  if (!renderer) return Unexpected(renderer.error());
  const Snapshot snapshot = whirl(arguments.whole("elements"));
  Camera camera;
  camera.eye = {0, 0.6F, 3.2F};
  camera.target = {0, 0, 0};
  ViewParams with, without;
  with.vectors = true;
  with.vector_limit = arguments.whole("arrows");
  with.vector_color = static_cast<VectorColor>(arguments.whole("color"));
  const Canvas canvas(arrows_width_px, arrows_height_px);
  // Each frame shows a later time, as in a running world, so no data cached in the previous frame can be used.
  Snapshot now = snapshot;
  const auto frame = [&](const ViewParams& view) {
    now.time_s += 1.0 / 60;
    (*renderer)->draw({nullptr, &now, 1}, camera, view, {}, arrows_width_px, arrows_height_px, canvas.framebuffer(),
                      LegendOverlay::none);
    glFinish();
    return 1.0;
  };
  const std::int64_t milliseconds = arguments.whole("milliseconds");
  // Frames with and without arrows alternate, so that both are measured under the same machine load.
  Windows plain, whole;
  double wall_s = 0;
  (void)frame(with);
  while (whole.all.size() < least_windows || wall_s < 2e-3 * static_cast<double>(milliseconds)) {
    plain.all.push_back(fill_window(0, [&] { return frame(without); }));
    whole.all.push_back(fill_window(0, [&] { return frame(with); }));
    wall_s += plain.all.back().wall_s + whole.all.back().wall_s;
  }
  const auto shown = static_cast<double>((*renderer)->vector_legend().arrows);
  std::vector<Figure> figures(1);
  place_figure(nullptr, snapshot.systems[0], 1, figures[0]);
  ElementArrows field;
  double time_s = 0;
  const Windows build = measure(milliseconds, [&] {
    field.build({nullptr, snapshot, 1, figures, with, camera, time_s += 1.0 / 60,
                 pixel_per_distance(camera, arrows_width_px, arrows_height_px)});
    return 1.0;
  });
  Outcome outcome;
  outcome.rates = {{"frames_per_s", whole.median_rate()}};
  outcome.figures = {{"elements", arguments.real("elements")},
                     {"arrows", shown},
                     {"build_ms", median_ms(build)},
                     {"best_build_ms", best_ms(build)},
                     {"frame_without_ms", median_ms(plain)},
                     {"frame_ms", median_ms(whole)},
                     {"arrows_ms", median_ms(whole) - median_ms(plain)},
                     {"best_arrows_ms", best_ms(whole) - best_ms(plain)}};
  return outcome;
}

}  // namespace vw::bench
