// Light that does not come from the key light directly: ambient occlusion, light through sheets, colours of channels,
// and the shadows of small objects.
#include <cmath>

#include "render/gl/occlusion.h"
#include "render/labels/color_map.h"
#include "render/scene/light/environment.h"
#include "render/scene/light/shadow_maps.h"
#include "render/software/software_renderer.h"
#include "stage_set.h"

namespace vw {
namespace {

constexpr int lit_width = 1280, lit_height = 720;

using RenderOcclusion = RenderTest;

/// Returns the linear value of a byte of a picture.
double linear_byte(int byte) {
  const double c = byte / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

glm::ivec3 byte_at(const Image& image, int x, int y) {
  const std::uint8_t* p = &image.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                           static_cast<std::size_t>(x))];
  return {p[0], p[1], p[2]};
}

glm::ivec2 pixel_of(const Camera& camera, const glm::vec3& point) {
  const glm::vec4 clip =
      camera.projection(static_cast<float>(lit_width) / lit_height) * camera.view() * glm::vec4(point, 1);
  return {static_cast<int>((0.5F + 0.5F * clip.x / clip.w) * lit_width),
          static_cast<int>((0.5F - 0.5F * clip.y / clip.w) * lit_height)};
}

/// Returns the mean linear green value of a square of pixels.
double green_at(const Image& image, const glm::ivec2& middle, int reach) {
  double sum = 0;
  for (int y = -reach; y <= reach; ++y)
    for (int x = -reach; x <= reach; ++x) sum += linear_byte(byte_at(image, middle.x + x, middle.y + y).g);
  return sum / ((2 * reach + 1) * (2 * reach + 1));
}

TEST_F(RenderOcclusion, AWallTakesTheLightThatItsFormFactorSays) {
  // A long wall of height h hides the fraction F = (1 - d / sqrt(d^2 + h^2)) / 2 of the cosine-weighted directions
  // above the ground at a distance of d (view factor of a strip; J. Howell, "A catalog of radiation heat transfer
  // configuration factors", C-1).
  constexpr float high = 0.02F;
  Snapshot s;
  s.epoch = 1;
  s.colliders = {ground(), obstacle("wall", ColliderSnapshot::Kind::box, Vec3f(0, 0.5F * high, -0.2F),
                                    Quatf::Identity(), Vec3f(1, 0.5F * high, 0.2F), {0.5F, 0.5F, 0.5F})};
  Camera camera;
  camera.eye = {0, 0.7F, 0.72F};
  camera.target = {0, 0, 0.02F};
  ViewParams view;
  view.ground_grid = false;
  view.quality = Quality::medium;
  const Image without = shot(s, camera, view, lit_width, lit_height);
  for (const Quality quality : {Quality::high, Quality::ultra}) {
    view.quality = quality;
    const Image with = shot(s, camera, view, lit_width, lit_height);
    for (const float away : {0.008F, 0.016F, 0.03F}) {
      const glm::ivec2 at = pixel_of(camera, {0, 0, away});
      const double ratio = green_at(with, at, 2) / green_at(without, at, 2);
      const double free = 1 - 0.5 * (1 - away / std::hypot(away, high));
      // Up to a third of the occlusion may be missing: it reaches only three times the wall's height, and its weight
      // falls with the square of the distance. The filter is 6 mm wide.
      EXPECT_NEAR(ratio, 1 - static_cast<double>(occlusion_strength) * (1 - free), 0.07) << away;
    }
    const glm::ivec2 far = pixel_of(camera, {0, 0, 0.25F});
    EXPECT_NEAR(green_at(with, far, 3) / green_at(without, far, 3), 1, 0.01) << "an open floor must not be darkened";
  }
}

TEST_F(RenderOcclusion, ASheetIsLitFromItsOtherSide) {
  // A sheet and a slab face away from the key light.
  for (const bool gl : {true, false}) {
    double light[2];
    for (const int thick : {1, 3}) {
      Snapshot s;
      s.epoch = 1;
      s.systems = {voxel_block(12, 12, thick, 0.01F, 0, Vec3f(0, -0.06F, 0))};
      s.systems[0].material.assign(s.systems[0].position.size(), 0);
      const glm::vec3 sun = sun_direction();
      Camera camera;
      camera.eye = glm::vec3(0, 0, sun.z > 0 ? -0.5F : 0.5F);
      camera.target = {0, 0, 0};
      ViewParams view;
      view.legend = false;
      SoftwareRenderer software;
      const Image image =
          gl ? shot(s, camera, view, lit_width, lit_height)
             : *software.draw_image({nullptr, &s, 1}, camera, view, {}, lit_width, lit_height, LegendOverlay::none);
      light[thick == 1 ? 0 : 1] = linear_byte(byte_at(image, lit_width / 2 + 7, lit_height / 2 + 7).r);
    }
    EXPECT_GT(light[0], 1.25 * light[1]) << (gl ? "OpenGL" : "without OpenGL");
  }
}

TEST_F(RenderOcclusion, TheDarkEndOfAColorMapCanBeReadInTheShadow) {
  Snapshot s;
  s.epoch = 1;
  s.systems = {voxel_block(6, 6, 6, 0.02F, 0, Vec3f(0, -0.06F, 0))};
  s.systems[0].channels[0].values.assign(s.systems[0].position.size(), 0.0F);  // speed
  s.systems[0].channels[0].values[0] = 1;
  ViewParams view;
  view.color_by = "speed";
  view.legend = false;
  Camera camera;
  camera.eye = {0.05F, -0.5F, 0.05F};  // sees the side that only the ground lights
  camera.target = {0, 0, 0};
  SoftwareRenderer software;
  for (const bool gl : {true, false}) {
    const Image image =
        gl ? shot(s, camera, view, lit_width, lit_height)
           : *software.draw_image({nullptr, &s, 1}, camera, view, {}, lit_width, lit_height, LegendOverlay::none);
    const Legend& legend = gl ? renderer_->legends().front() : software.legends().front();
    const glm::vec3 dark = legend.colors.front();
    const glm::ivec3 shown = byte_at(image, lit_width / 2 + 22, lit_height / 2 + 22);
    const auto sum = [](const glm::dvec3& c) { return c.r + c.g + c.b; };
    const double linear_shown = sum({linear_byte(shown.r), linear_byte(shown.g), linear_byte(shown.b)}),
                 linear_dark =
                     sum({linear_byte(static_cast<int>(255 * dark.r)), linear_byte(static_cast<int>(255 * dark.g)),
                          linear_byte(static_cast<int>(255 * dark.b))});
    EXPECT_GT(linear_shown, 0.33 * linear_dark) << (gl ? "OpenGL" : "without OpenGL");
  }
}

TEST_F(RenderOcclusion, TheShadowOfASmallBallHasNoHoles) {
  Snapshot s;
  s.epoch = 1;
  s.colliders = {ground()};
  s.systems = {sphere_cloud(1, 0, 0.006F, Vec3f(0, 0.05F, 0)), sphere_cloud(2, 0.8F, 0.002F, Vec3f(0, 0.8F, 0))};
  Camera camera;
  const glm::vec3 sun = sun_direction();
  const glm::vec3 middle = glm::vec3(0, 0.05F, 0) - sun * (0.05F / sun.y);  // middle of the shadow
  camera.target = middle;
  camera.eye = middle + glm::vec3(0, 0.35F, 0.1F);
  ViewParams view;
  view.legend = false;
  view.ground_grid = false;
  SoftwareRenderer software;
  for (const bool gl : {true, false}) {
    const Image image =
        gl ? shot(s, camera, view, lit_width, lit_height)
           : *software.draw_image({nullptr, &s, 1}, camera, view, {}, lit_width, lit_height, LegendOverlay::none);
    const glm::ivec2 center = pixel_of(camera, middle);
    int darkest = 255, brightest = 0;
    for (int y = -4; y <= 4; ++y)
      for (int x = -4; x <= 4; ++x) {
        const int value = byte_at(image, center.x + x, center.y + y).g;
        darkest = std::min(darkest, value);
        brightest = std::max(brightest, value);
      }
    // Penumbra and filter leave a smooth gradient. A hole would be as bright as the ground, about 60 bytes more.
    EXPECT_LT(brightest - darkest, 30) << (gl ? "OpenGL" : "without OpenGL");
    EXPECT_LT(brightest, byte_at(image, center.x + 120, center.y).g - 25) << "this is the shadow";
  }
}

TEST_F(RenderOcclusion, ALargeBallIsPartlyInTheShadow) {
  // A board hides the sun from one half of the ball.
  const glm::vec3 sun = sun_direction(), aside = glm::normalize(glm::cross(sun, glm::vec3(0, 0, 1)));
  Snapshot free;
  free.epoch = 1;
  free.systems = {sphere_cloud(1, 0, 0.05F, Vec3f::Zero())};
  Snapshot half = free;
  const glm::vec3 at = 0.2F * sun + 0.1F * aside;
  const Quatf turn = Quatf::FromTwoVectors(Vec3f::UnitY(), Vec3f(sun.x, sun.y, sun.z));
  const Vec3f across = turn * Vec3f::UnitX();
  const Quatf about(
      Eigen::AngleAxisf(std::atan2(across.cross(Vec3f(aside.x, aside.y, aside.z)).dot(Vec3f(sun.x, sun.y, sun.z)),
                                   across.dot(Vec3f(aside.x, aside.y, aside.z))),
                        Vec3f(sun.x, sun.y, sun.z)));
  half.colliders = {obstacle("board", ColliderSnapshot::Kind::box, Vec3f(at.x, at.y, at.z), about * turn,
                             Vec3f(0.1F, 0.002F, 0.3F), {0.5F, 0.5F, 0.5F})};
  Camera camera;
  camera.target = {0, 0, 0};
  camera.eye = 0.45F * glm::normalize(glm::cross(sun, aside)) + 0.2F * sun;
  ViewParams view;
  view.legend = false;
  const Image lit = shot(free, camera, view, lit_width, lit_height),
              partly = shot(half, camera, view, lit_width, lit_height);
  const glm::vec2 towards = glm::vec2(pixel_of(camera, 0.05F * aside) - pixel_of(camera, glm::vec3(0)));
  int hidden = 0, open = 0;  // darkened pixels on either side of the edge of the shadow
  for (int y = -60; y <= 60; ++y)
    for (int x = -60; x <= 60; ++x) {
      const float side =
          glm::dot(towards, glm::vec2(static_cast<float>(x), static_cast<float>(y))) / glm::length(towards);
      const int x0 = lit_width / 2 + x, y0 = lit_height / 2 + y;
      if (std::abs(side) < 10 || byte_at(lit, x0, y0).g - byte_at(partly, x0, y0).g <= 20) continue;
      (side > 0 ? hidden : open) += 1;
    }
  EXPECT_GT(hidden, 1000);
  EXPECT_LT(open, hidden / 10);
}

TEST(RenderLight, TheHorizonIsSmooth) {
  const LightEnvironment light = environment_of({});
  // A square root has a sharp bend at 0, and its value at 0.1 would be far above the bound.
  const auto share = [&](float t) {
    return (light.background(t).r - light.horizon.r) / (light.zenith.r - light.horizon.r);
  };
  EXPECT_LT(share(0.1F), 0.03F);
  EXPECT_NEAR(share(1), 1, 1e-3F);
  EXPECT_GT(share(0.6F), 0.5F);
}

}  // namespace
}  // namespace vw
