// Particles drawn without OpenGL. The time includes all stages of a picture: placing, colouring, projecting, sorting,
// blending and encoding.
#include <cmath>

#include "bench/measure.h"
#include "render/software/software_renderer.h"
#include "sim/base/random.h"

namespace vw::bench {
namespace {

constexpr int splats_width_px = 1280, splats_height_px = 720;

/// Returns particles that fill the picture evenly at depths from 1 to 2 m. Each particle has the given radius in the
/// picture.
Snapshot cloud(std::int64_t particles, double radius_px, double opacity) {
  const Camera camera;
  const double tan_y = std::tan(0.5 * static_cast<double>(camera.fov_deg) * pi / 180),
               tan_x = tan_y * splats_width_px / splats_height_px;
  const double metres_per_px = 2 * tan_y / splats_height_px;  // at a depth of 1 m
  Snapshot snapshot;
  SystemSnapshot& system = snapshot.systems.emplace_back();
  system.name = "cloud";
  for (std::int64_t i = 0; i < particles; ++i) {
    const auto draw = [&](std::uint64_t lane) { return random_uniform({1, 0}, static_cast<std::uint64_t>(i), lane); };
    const double depth = 1 + draw(0);
    system.position.emplace_back(
        Vec3((2 * draw(1) - 1) * tan_x * depth, (2 * draw(2) - 1) * tan_y * depth, -depth).cast<float>());
    system.size.push_back(static_cast<float>(radius_px * metres_per_px * depth));
    system.id.push_back(static_cast<std::uint32_t>(i));
    system.tint.emplace_back(
        Vec4f(static_cast<float>(draw(3)), 0.5F, static_cast<float>(draw(4)), static_cast<float>(opacity)));
  }
  return snapshot;
}

}  // namespace

Result<Outcome> software_splats(const Arguments& arguments) {
  const Snapshot snapshot = cloud(arguments.whole("particles"), arguments.real("radius"), arguments.real("opacity"));
  Camera camera;
  camera.eye = glm::vec3(0);
  camera.target = {0, 0, -1};
  ViewParams view;
  view.particle_style = arguments.whole("style") == 0 ? ParticleStyle::discs : ParticleStyle::balls;
  SoftwareRenderer renderer;
  std::size_t bytes = 0;
  const auto draw = [&](bool plain) {
    renderer.use_plain_code(plain);
    return measure(arguments.whole("milliseconds"), [&] {
      const auto image = renderer.draw_image({nullptr, &snapshot, 1}, camera, view, {}, splats_width_px,
                                             splats_height_px, LegendOverlay::none);
      bytes += image ? image->rgba.size() : 0;
      return arguments.real("particles");
    });
  };
  const Windows fast = draw(false), plain = draw(true);
  if (bytes == 0) return fail("software-splats: nothing was drawn");
  Outcome outcome;
  outcome.rates = {{"splats_per_s", fast.median_rate()},
                   {"best_splats_per_s", fast.best_rate()},
                   {"plain_splats_per_s", plain.median_rate()}};
  outcome.figures = {{"particles", arguments.real("particles")},
                     {"radius_px", arguments.real("radius")},
                     {"speedup_over_plain_code", fast.median_rate() / plain.median_rate()}};
  return outcome;
}

}  // namespace vw::bench
