// Shadow maps of the sun. Shadows near the camera's target must be sharp even if there are distant objects. They must
// not shimmer while the camera moves, and no border between two maps may be visible.
#include <cmath>

#include "render/scene/light/shadow_maps.h"
#include "render/software/software_renderer.h"
#include "stage_set.h"

namespace vw {
namespace {

constexpr int shaded_width = 1280, shaded_height = 720;
constexpr float shaded_aspect = static_cast<float>(shaded_width) / shaded_height;

using RenderShadow = RenderTest;

int green_of(const Image& image, int x, int y) {
  return image
      .rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x)) +
            1];
}

glm::vec2 place_in_picture(const Camera& camera, const glm::vec3& point) {
  const glm::vec4 clip = camera.projection(shaded_aspect) * camera.view() * glm::vec4(point, 1);
  return {(0.5F + 0.5F * clip.x / clip.w) * shaded_width, (0.5F - 0.5F * clip.y / clip.w) * shaded_height};
}

ColliderSnapshot grey_box(const char* name, const Vec3f& at, const Vec3f& half) {
  return obstacle(name, ColliderSnapshot::Kind::box, at, Quatf::Identity(), half, {0.5F, 0.5F, 0.5F});
}

Camera camera_from(const glm::vec3& eye, const glm::vec3& target) {
  Camera camera;
  camera.eye = eye;
  camera.target = target;
  return camera;
}

/// Returns the mean width [px] of the edges of a pole's shadow near its foot: the number of pixels across an edge with
/// 15 to 85 % of the darkening.
double edge_width_px(const Image& image, const Camera& camera) {
  const glm::vec3 sun = sun_direction();
  int partly = 0, rows = 0;
  for (float away = 0.04F; away < 0.1F; away += 0.004F) {
    const glm::vec3 at(-away * sun.x / sun.y, 0, -away * sun.z / sun.y);
    const glm::ivec2 middle(place_in_picture(camera, at));
    const int dark = green_of(image, middle.x, middle.y), lit = green_of(image, middle.x + 60, middle.y);
    EXPECT_GT(lit - dark, 25) << "the pixel is in the shadow";
    for (int x = middle.x - 60; x <= middle.x + 60; ++x) {
      const double share = static_cast<double>(green_of(image, x, middle.y) - dark) / (lit - dark);
      partly += share > 0.15 && share < 0.85 ? 1 : 0;
    }
    ++rows;
  }
  return partly / (2.0 * rows);
}

TEST_F(RenderShadow, DistantObjectsDoNotBlurThePolesFoot) {
  Snapshot alone;
  alone.epoch = 1;
  alone.colliders = {ground(), grey_box("pole", {0, 0.2F, 0}, {0.02F, 0.2F, 0.02F})};
  Snapshot among = alone;
  among.colliders.push_back(grey_box("far", {-1.4F, 0.05F, -1.4F}, {0.02F, 0.05F, 0.02F}));
  among.colliders.push_back(grey_box("high", {1.4F, 1.3F, 1.4F}, {0.02F, 0.02F, 0.02F}));
  among.colliders.push_back(grey_box("farther", {-9, 0.05F, -5}, {0.02F, 0.05F, 0.02F}));
  // The shadow comes towards the camera, downwards in the picture.
  const Camera camera = camera_from({-0.49F, 0.85F, -0.36F}, {0, 0.02F, 0});
  ViewParams view;
  view.ground_grid = view.legend = false;
  SoftwareRenderer software;
  for (const bool gl : {true, false}) {
    const auto width = [&](const Snapshot& s) {
      const Image image = gl ? shot(s, camera, view, shaded_width, shaded_height)
                             : *software.draw_image({nullptr, &s, 1}, camera, view, {}, shaded_width, shaded_height,
                                                    LegendOverlay::none);
      return edge_width_px(image, camera);
    };
    const double by_itself = width(alone), with_others = width(among);
    std::printf("%s: shadow edge %.2f px alone, %.2f px with distant objects\n", gl ? "OpenGL" : "software", by_itself,
                with_others);
    // A map around all objects has texels of 2 pixels here, and edges of 6 pixels.
    EXPECT_LT(by_itself, 2.5) << (gl ? "OpenGL" : "software");
    EXPECT_LT(with_others, 2.5) << (gl ? "OpenGL" : "software");
  }
}

TEST_F(RenderShadow, SurfacesDoNotShadeThemselvesInAnyMap) {
  // The top of a wide board reaches through all maps. Wrong offsets, or a border between maps, would be seen as lines.
  Snapshot s;
  s.epoch = 1;
  s.colliders = {grey_box("board", {0, -0.1F, 0}, {12, 0.1F, 12})};
  const Camera camera = camera_from({-0.5F, 0.7F, 0.9F}, {0, 0, 0});
  ViewParams view;
  view.legend = false;
  for (const Quality quality : {Quality::automatic, Quality::medium, Quality::high}) {
    view.quality = quality;
    const Image image = shot(s, camera, view, shaded_width, shaded_height);
    int largest = 0;
    for (int y = shaded_height / 4; y < shaded_height - 1; ++y)
      for (int x = 1; x < shaded_width; ++x)
        largest = std::max({largest, std::abs(green_of(image, x, y) - green_of(image, x - 1, y)),
                            std::abs(green_of(image, x, y) - green_of(image, x, y + 1))});
    EXPECT_LE(largest, 2) << static_cast<int>(quality);
  }
}

TEST_F(RenderShadow, TheShadowOfAWideBoardHasNoSeam) {
  Snapshot s;
  s.epoch = 1;
  s.colliders = {ground(), grey_box("board", {1.2F, 2, 0.9F}, {8, 0.05F, 8})};
  const Camera camera = camera_from({-0.5F, 0.7F, 0.9F}, {0, 0, 0});
  ViewParams view;
  view.ground_grid = view.legend = false;
  for (const Quality quality : {Quality::automatic, Quality::medium}) {
    view.quality = quality;
    const Image image = shot(s, camera, view, shaded_width, shaded_height);
    int largest = 0;
    for (int y = shaded_height / 2; y < shaded_height - 1; ++y)
      for (int x = 1; x < shaded_width; ++x)
        largest = std::max({largest, std::abs(green_of(image, x, y) - green_of(image, x - 1, y)),
                            std::abs(green_of(image, x, y) - green_of(image, x, y + 1))});
    EXPECT_LE(largest, 2) << static_cast<int>(quality);
  }
}

/// Returns the position of the world's origin in a map [texels].
glm::dvec2 origin_in_texels(const ShadowMaps& maps, std::size_t level) {
  const glm::dmat4 clip(maps.level_clip(level));
  return 1024.0 * (glm::dvec2(clip[3]) + 1.0);
}

TEST(RenderShadowMaps, TexelsRestWhileTheCameraAndObjectsMove) {
  const Bounds3 box{{-6, 0, -4}, {5, 1, 4}};
  const Camera first = camera_from({-0.5F, 0.7F, 0.9F}, {0.1F, 0.05F, 0});
  const ShadowMaps at_first = fit_shadow_maps(box, first, shaded_aspect);
  ASSERT_GT(at_first.count, 1U);
  for (int step = 1; step < 40; ++step) {
    Camera camera = first;
    camera.orbit(0.05F * static_cast<float>(step), 0.002F * static_cast<float>(step));
    camera.eye += glm::vec3(0.01F * static_cast<float>(step), 0, 0);
    camera.target += glm::vec3(0.01F * static_cast<float>(step), 0, 0);
    Bounds3 moved = box;
    moved.max.y += 0.001F * static_cast<float>(step);
    const ShadowMaps maps = fit_shadow_maps(moved, camera, shaded_aspect);
    ASSERT_EQ(maps.count, at_first.count);
    for (std::size_t level = 0; level < maps.count; ++level) {
      const glm::dvec2 by = origin_in_texels(maps, level) - origin_in_texels(at_first, level);
      EXPECT_FLOAT_EQ(maps.level[level].x, at_first.level[level].x);
      // Single precision rounds the position by some thousandths of a texel.
      EXPECT_NEAR(by.x, std::round(by.x), 0.02) << level;
      EXPECT_NEAR(by.y, std::round(by.y), 0.02) << level;
    }
  }
}

TEST(RenderShadowMaps, HaveASizeIfTheEyeIsAtTheTarget) {
  const glm::vec3 place(0.1F, 0.2F, 0.3F);
  const ShadowMaps maps = fit_shadow_maps({{-1, 0, -1}, {1, 1, 1}}, camera_from(place, place), shaded_aspect);
  for (std::size_t k = 0; k < maps.count; ++k)
    EXPECT_TRUE(std::isfinite(maps.level[k].x + maps.level[k].y + maps.level[k].z)) << k;
  EXPECT_GT(maps.search, 0);
}

TEST(RenderShadowMaps, EachMapLiesInTheNextLargerOne) {
  for (const float reach : {0.3F, 1.0F, 5.0F, 100.0F})
    for (const float distance : {0.2F, 1.0F, 8.0F}) {
      const Bounds3 box{{-reach, 0, -reach}, {reach, 0.3F * reach, reach}};
      const Camera camera = camera_from({-0.4F * distance, 0.5F * distance, 0.77F * distance}, {0.1F, 0.05F, 0});
      const ShadowMaps maps = fit_shadow_maps(box, camera, shaded_aspect);
      ASSERT_GE(maps.count, 1U);
      for (std::size_t k = 0; k + 1 < maps.count; ++k) {
        const glm::vec4 &fine = maps.level[k], &coarse = maps.level[k + 1];
        EXPECT_GE(fine.x, coarse.x);
        for (const float side : {0.5F - ShadowMaps::used, 0.5F + ShadowMaps::used}) {
          const glm::vec2 at = (side - glm::vec2(fine.y, fine.z)) / fine.x,
                          in_coarse = at * coarse.x + glm::vec2(coarse.y, coarse.z);
          EXPECT_GE(std::min(in_coarse.x, in_coarse.y), 0) << reach << ", " << distance;
          EXPECT_LE(std::max(in_coarse.x, in_coarse.y), 1) << reach << ", " << distance;
        }
      }
    }
}

/// Returns the noise in the penumbra of a beam that is parallel to the rows of pixels: the largest standard deviation
/// along a row, divided by the difference between the brightest and the darkest value.
double penumbra_grain(const Image& image) {
  constexpr int left = shaded_width / 2 - 150, right = shaded_width / 2 + 150;
  double darkest = 255, brightest = 0, most = 0;
  for (int y = 0; y < shaded_height; ++y) {
    double sum = 0, squares = 0;
    for (int x = left; x < right; ++x) {
      const double value = green_of(image, x, y);
      sum += value;
      squares += value * value;
    }
    const double mean = sum / (right - left);
    darkest = std::min(darkest, mean);
    brightest = std::max(brightest, mean);
    most = std::max(most, std::sqrt(std::max(squares / (right - left) - mean * mean, 0.0)));
  }
  return most / (brightest - darkest);
}

TEST_F(RenderShadow, APenumbraHasLittleGrain) {
  Snapshot s;
  s.epoch = 1;
  s.colliders = {ground(), grey_box("beam", {0, 0.5F, 0.9F}, {2, 0.02F, 0.05F}),
                 grey_box("mast", {3, 1.5F, 0.9F}, {0.05F, 1.5F, 0.05F})};
  // The camera sees the shadow on the ground, and the beam is outside the picture. With lookups for blockers that were
  // evenly spread over the disc, the grain was 0.16.
  const glm::vec3 sun = sun_direction(), at(0, 0, 0.9F - 0.5F * sun.z / sun.y);
  const Camera camera = camera_from(at + glm::vec3(0, 0.5F, 0.15F), at);
  ViewParams view;
  view.ground_grid = view.legend = false;
  SoftwareRenderer software;
  for (const bool gl : {true, false}) {
    const Image image =
        gl ? shot(s, camera, view, shaded_width, shaded_height)
           : *software.draw_image({nullptr, &s, 1}, camera, view, {}, shaded_width, shaded_height, LegendOverlay::none);
    const double grain = penumbra_grain(image);
    std::printf("%s: grain %.4f of the darkening\n", gl ? "OpenGL" : "software", grain);
    EXPECT_LT(grain, 0.08) << (gl ? "OpenGL" : "without OpenGL");
  }
}

}  // namespace
}  // namespace vw
