// Behaviour of the renderer over many frames and after a reset, with pictures that are drawn in tiles, and without
// access to the source tree.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "render/gl/shader.h"
#include "render/labels/canvas.h"
#include "render/labels/figure.h"
#include "stage_set.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

using RenderSteady = RenderTest;

double resident_mb() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  long all = 0, resident = 0;
  const int read = std::fscanf(file, "%ld %ld", &all, &resident);
  std::fclose(file);
  return read == 2 ? static_cast<double>(resident) * 4096 / 1e6 : 0;
}

/// Returns the numbers of existing buffers, textures, framebuffers and vertex arrays, counted over object names below
/// 8192. This range includes all names that a leak in the test would create.
std::array<int, 4> live_objects() {
  std::array<int, 4> live{};
  for (GLuint name = 1; name < 8192; ++name) {
    live[0] += glIsBuffer(name) == GL_TRUE ? 1 : 0;
    live[1] += glIsTexture(name) == GL_TRUE ? 1 : 0;
    live[2] += glIsFramebuffer(name) == GL_TRUE ? 1 : 0;
    live[3] += glIsVertexArray(name) == GL_TRUE ? 1 : 0;
  }
  return live;
}

Snapshot stage_with_cloud(int cloud) {
  Snapshot s;
  s.epoch = 1;
  s.colliders = {ground()};
  s.colliders.push_back(obstacle("ball", ColliderSnapshot::Kind::sphere, Vec3f(-0.14F, 0.04F, 0.05F), Quatf::Identity(),
                                 Vec3f::Constant(0.04F), {0.42F, 0.45F, 0.40F}));
  s.systems.push_back(voxel_block(9, 4, 4, 0.01F, 0.3F, Vec3f::Zero()));
  s.systems.push_back(sphere_cloud(cloud, 0.06F, 0.004F, Vec3f(0.02F, 0.15F, -0.08F)));
  return s;
}

TEST_F(RenderSteady, AThousandFramesLeaveNothingBehind) {
  auto stages = std::to_array<Snapshot>({stage_with_cloud(4), stage_with_cloud(6), stage_with_cloud(5)});
  const Canvas canvas(64, 48, GL_RGBA8);
  Camera camera;
  camera.frame(scene_bounds(stages[0]), 4.0F / 3);
  const auto draw = [&](int frame) {
    const auto at = static_cast<std::size_t>(frame);
    Snapshot& now = stages[at % 3];
    now.time_s = frame / 60.0;
    for (SystemSnapshot& system : now.systems) ++system.revision;
    ViewParams view;
    view.quality = frame % 100 == 0 ? Quality::medium : Quality::low;
    view.vectors = frame % 4 < 2;
    view.vector_limit = 60;
    view.color_by = frame % 7 == 0 ? "strain" : "";
    renderer_->draw({&stages[(at + 2) % 3], &now, 0.5F}, camera, view, {"block", 3}, 64, 48, canvas.framebuffer(),
                    frame % 10 == 0 ? LegendOverlay::drawn : LegendOverlay::none);
  };
  for (int frame = 0; frame < 200; ++frame) draw(frame);
  glFinish();
  const auto objects = live_objects();
  const double before = resident_mb();
  for (int frame = 200; frame < 1200; ++frame) draw(frame);
  glFinish();
  EXPECT_EQ(live_objects(), objects);
  // A leak of 2 kB per frame would add 2 MB. The memory use of the allocator varies by less.
  EXPECT_LT(resident_mb() - before, 2);
}

TEST_F(RenderSteady, NothingIsBlendedAcrossAReset) {
  Snapshot before = stage_with_cloud(4), after = before;
  after.epoch = 2;
  for (SystemSnapshot& system : after.systems)
    for (Vec3f& p : system.position) p.x() += 0.05F;
  Camera camera;
  camera.frame(scene_bounds(before), 4.0F / 3);
  ViewParams view;
  view.quality = Quality::low;
  const Image alone = shot(after, camera, view, 160, 120);
  const auto across = renderer_->draw_image({&before, &after, 0.3F}, camera, view, {}, 160, 120, LegendOverlay::none);
  ASSERT_TRUE(across);
  EXPECT_EQ(across->rgba, alone.rgba);
  after.epoch = 1;
  const auto within = renderer_->draw_image({&before, &after, 0.3F}, camera, view, {}, 160, 120, LegendOverlay::none);
  ASSERT_TRUE(within);
  EXPECT_NE(within->rgba, alone.rgba);
}

TEST_F(RenderSteady, ATiledPictureIsTheUntiledOne) {
  constexpr int side = 2176;  // in each direction one tile of 2048 px and one of 128 px
  const Snapshot s = stage_with_cloud(6);
  Camera camera;
  camera.frame(scene_bounds(s), 1);
  ViewParams view;
  view.quality = Quality::low;
  const Image tiled = shot(s, camera, view, side, side);
  const Canvas canvas(side, side, GL_RGBA8);
  renderer_->draw({nullptr, &s, 1}, camera, view, {}, side, side, canvas.framebuffer(), LegendOverlay::none);
  Image whole{side, side, std::vector<std::uint8_t>(4U * side * side)};
  glBindFramebuffer(GL_FRAMEBUFFER, canvas.framebuffer());
  glReadPixels(0, 0, side, side, GL_RGBA, GL_UNSIGNED_BYTE, whole.rgba.data());
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  int apart = 0, at_seams = 0;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const glm::ivec3 d = glm::abs(at(tiled, x, y) - at(whole, x, side - 1 - y));
      if (std::max({d.r, d.g, d.b}) <= 3) continue;
      ++apart;
      at_seams += std::abs(x - 2048) < 3 || std::abs(side - 1 - y - 2048) < 3 ? 1 : 0;
    }
  // The projection matrices of tiles have different rounding errors, so edges may move across the centre of a pixel.
  EXPECT_LT(apart, side * side / 2000);
  EXPECT_LT(at_seams, 20);
}

TEST_F(RenderSteady, ShadersAreBuiltInWithoutTheSourceTree) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(VOXWAKE_SOURCE_DIR "/shaders")) {
    const std::string name = entry.path().filename().string();
    setenv("VOXWAKE_NO_SOURCE_TREE", "1", 1);
    const auto text = shader_text(name);
    unsetenv("VOXWAKE_NO_SOURCE_TREE");
    ASSERT_TRUE(text) << name;
    EXPECT_EQ(text->data() == nullptr ? "" : *text, embedded_shader(name)) << name;
    EXPECT_FALSE(embedded_shader(name).empty()) << name;
    ++files;
  }
  EXPECT_GT(files, 15);
  EXPECT_FALSE(shader_text("no_such.frag"));
}

TEST_F(RenderSteady, ARendererIsMadeFromTheBuiltInShaders) {
  setenv("VOXWAKE_NO_SOURCE_TREE", "1", 1);
  const auto made = Renderer::create();
  unsetenv("VOXWAKE_NO_SOURCE_TREE");
  EXPECT_TRUE(made);
}

TEST_F(RenderSteady, ABrokenShaderIsNamed) {
  const test::Scratch shaders;
  shaders.write("skin_simple.frag", "void main() { nonsense }\n");
  glDisable(GL_DEBUG_OUTPUT);  // the driver reports an error, as expected
  setenv("VOXWAKE_SHADERS", shaders.folder().c_str(), 1);
  const auto made = Renderer::create();
  unsetenv("VOXWAKE_SHADERS");
  glEnable(GL_DEBUG_OUTPUT);
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message().find("skin_simple.frag"), std::string::npos) << made.error().message();
}

}  // namespace
}  // namespace vw
