// Pictures of a packaged scene by OpenGL at each quality tier: the time of a frame of the window, and of its passes.
#include <algorithm>
#include <array>
#include <map>

#include "bench/measure.h"
#include "render/gl/context.h"
#include "render/labels/canvas.h"
#include "render/offscreen_painter.h"
#include "sim/api/open_scene.h"
#include "sim/api/run.h"

namespace vw::bench {
namespace {

constexpr int drawn_width_px = 1280, drawn_height_px = 720;
constexpr std::array drawn_scenes{"showcase", "school", "windmill"};
constexpr std::array tier_names{"low", "medium", "high", "ultra"};

double middle_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

}  // namespace

Result<Outcome> drawing(const Arguments& arguments) {
  auto opened = api::open_scene(drawn_scenes[static_cast<std::size_t>(arguments.whole("scene"))]);
  if (!opened) return Unexpected(opened.error());
  auto run = api::Run::create(std::move(*opened));
  if (!run) return Unexpected(run.error());
  if (auto end = run->run_until(arguments.real("time")); !end) return Unexpected(end.error());
  Snapshot now;
  run->snapshot(now);
  auto context = OffscreenContext::create();
  if (!context) return Unexpected(context.error());
  auto renderer = Renderer::create();
  if (!renderer) return Unexpected(renderer.error());
  const ViewParams shown = scene_view(run->scene());
  const Camera camera = view_camera(shown, now, static_cast<float>(drawn_width_px) / drawn_height_px);
  const Canvas canvas(drawn_width_px, drawn_height_px);
  Outcome outcome;
  for (std::size_t tier = 0; tier <= static_cast<std::size_t>(arguments.whole("highest")); ++tier) {
    ViewParams view = shown;
    view.quality = static_cast<Quality>(tier + 1);
    const auto frame = [&] {
      (*renderer)->draw({nullptr, &now, 1}, camera, view, {}, drawn_width_px, drawn_height_px, canvas.framebuffer(),
                        LegendOverlay::none);
      glFinish();
      return 1.0;
    };
    (void)frame();
    const Windows whole = measure(arguments.whole("milliseconds"), frame);
    std::map<std::string, std::vector<double>> passes;
    (*renderer)->measure_passes(true);
    for (int k = 0; k < 5; ++k) {
      (void)frame();
      for (const PassTime& pass : (*renderer)->pass_times()) passes[pass.name].push_back(pass.ms);
    }
    (*renderer)->measure_passes(false);
    Row row{.labels = {{"tier", tier_names[tier]}}, .values = {{"frame_ms", 1000 / whole.median_rate()}}};
    for (const auto& [name, times] : passes) row.values.emplace_back(name + "_ms", middle_of(times));
    outcome.rows.push_back(std::move(row));
    outcome.rates = {{"frames_per_s", whole.median_rate()}};  // rate of the highest tier, which is drawn last
  }
  return outcome;
}

}  // namespace vw::bench
