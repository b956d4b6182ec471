// Measures frame times. If $VOXWAKE_LOOK is set, also writes images to this folder (as PPM) for visual inspection. No
// assertion depends on time.
#include <chrono>

#include "render/labels/canvas.h"
#include "stage_set.h"

namespace vw {
namespace {

using RenderValidation = RenderTest;

TEST_F(RenderValidation, PicturesToLookAt) {
  Snapshot s = stage_set();
  Camera camera;
  camera.frame(scene_bounds(s), 16.0F / 9);
  ViewParams view;
  const Image plain = shot(s, camera, view, 1280, 720, true);
  write_ppm(plain, "material");
  view.quality = Quality::low;
  write_ppm(shot(s, camera, view, 1280, 720), "low");
  view.quality = Quality::automatic;
  view.color_by = "strain";
  view.vectors = true;
  view.wireframe = true;
  const Image strained = shot(s, camera, view, 1280, 720, true);
  write_ppm(strained, "strain_arrows");
  ASSERT_EQ(plain.rgba.size(), strained.rgba.size());
  std::size_t differ = 0;
  for (std::size_t i = 0; i < plain.rgba.size(); ++i) differ += plain.rgba[i] != strained.rgba[i] ? 1 : 0;
  EXPECT_GT(differ, plain.rgba.size() / 100) << "colours, arrows and edges must be visible";
}

TEST_F(RenderValidation, FrameTimes) {
  const auto measure = [&](const char* what, const Snapshot& s, const ViewParams& view) {
    Camera camera;
    camera.frame(scene_bounds(s), 16.0F / 9);
    const Canvas canvas(1280, 720, GL_RGBA8);
    double best = 1e9;
    for (int i = 0; i < 12; ++i) {
      const auto start = std::chrono::steady_clock::now();
      renderer_->draw({nullptr, &s, 1}, camera, view, {}, 1280, 720, canvas.framebuffer(), LegendOverlay::none);
      glFinish();
      best =
          std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR)) << what;
    std::printf("%-28s %-20s %7.2f ms\n", what, renderer_->quality_in_force().c_str(), best);
  };
  for (const Quality quality : {Quality::low, Quality::medium}) {
    ViewParams view;
    view.quality = quality;
    Snapshot s;
    s.colliders = {ground()};
    measure("ground and sky", s, view);
    s.systems = {voxel_block(50, 10, 20, 0.01F, 0.4F, Vec3f::Zero())};
    measure("10k voxels", s, view);
    view.vectors = true;
    measure("10k voxels, 3000 arrows", s, view);
    view.vectors = false;
    s.systems = {sphere_cloud(22, 0.2F, 0.006F, Vec3f(0, 0.2F, 0))};
    measure("10k particles", s, view);
    s.systems = {sphere_cloud(46, 0.2F, 0.003F, Vec3f(0, 0.2F, 0))};
    measure("97k particles", s, view);
  }
  SUCCEED();
}

}  // namespace
}  // namespace vw
