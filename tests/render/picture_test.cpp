// Images of known scenes: positions, sizes and colours of objects.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "render/labels/figure.h"
#include "stage_set.h"

namespace vw {
namespace {

bool is_sky_or_ground(const glm::ivec3& c) { return c.b + 12 >= c.r && c.r > 90; }

using RenderPicture = RenderTest;

TEST_F(RenderPicture, ARedBlockIsRedInTheMiddleAndTheSkyIsBlueAbove) {
  Snapshot s;
  s.systems.push_back(voxel_block(3, 3, 3, 0.01F, 0, Vec3f(0, -0.015F, 0)));
  Camera camera;
  camera.eye = {0, 0, 0.12F};
  camera.target = {0, 0, 0};
  const Image image = shot(s, camera);
  const glm::ivec3 middle = at(image, 165, 125), top = at(image, 160, 5);
  EXPECT_GT(middle.r, middle.b + 60);
  EXPECT_GT(top.b, top.r + 10);
}

TEST_F(RenderPicture, AnImpostorIsAsLargeAsItsSphere) {
  Snapshot s;
  s.systems.push_back(sphere_cloud(1, 0, 0.1F, Vec3f::Zero()));
  Camera camera;
  camera.eye = {0, 0, 0.5F};
  camera.target = {0, 0, 0};
  const Image image = shot(s, camera, {}, 400, 400);
  // Expected radius of the sphere's image [px]. The tangent cone has the half angle asin(r / d), with the radius r =
  // 0.1 m and the distance d = 0.5 m. In a square image, half the width (200 px) corresponds to 16/9 tan(20 deg).
  const double radius = 200 * std::tan(std::asin(0.1 / 0.5)) / (16.0 / 9 * std::tan(20 * pi / 180));
  int wide = 0;
  for (int x = 0; x < 400; ++x) wide += is_sky_or_ground(at(image, x, 200)) ? 0 : 1;
  EXPECT_NEAR(wide, 2 * radius, 3) << "up to anti-aliasing and the light of the rim";
}

TEST_F(RenderPicture, TheGroundIsDarkerUnderABodyOnEveryTier) {
  Camera camera;
  camera.eye = {0.0F, 0.25F, 0.4F};
  camera.target = {0, 0, 0};
  for (const Quality quality : {Quality::low, Quality::medium, Quality::high}) {
    Snapshot s;
    s.colliders = {ground()};
    s.systems.push_back(voxel_block(6, 4, 6, 0.01F, 0, Vec3f(0, 0, 0)));
    ViewParams view;
    view.quality = quality;
    view.ground_grid = false;
    const Image with = shot(s, camera, view);
    s.systems[0].position.assign(s.systems[0].position.size(), Vec3f(0, -1, 0));
    const Image without = shot(s, camera, view);
    // The first pixel shows the ground next to the block on the side away from the sun, the second the ground far away.
    EXPECT_LT(at(with, 138, 121).g + 8, at(without, 138, 121).g);
    EXPECT_NEAR(at(with, 20, 200).g, at(without, 20, 200).g, 4);
  }
}

TEST_F(RenderPicture, LargePicturesAreTiledWithoutSeams) {
  const Snapshot s = stage_set();
  Camera camera;
  camera.frame(scene_bounds(s), 2);
  ViewParams view;
  view.quality = Quality::low;
  const Image large = shot(s, camera, view, 4096, 2048);
  // A seam would show as a larger difference between adjacent columns at the border of the tile than elsewhere.
  const auto difference = [&](int x) {
    double sum = 0;
    for (int y = 0; y < large.height; ++y) sum += std::abs(at(large, x, y).g - at(large, x - 1, y).g);
    return sum / large.height;
  };
  EXPECT_LT(difference(2048), 2 * std::max(difference(2030), difference(2066)) + 0.5);
}

TEST_F(RenderPicture, AnEightKPictureIsDrawn) {
  const Snapshot s = stage_set();
  ViewParams view;
  view.quality = Quality::low;
  const Image image = shot(s, Camera(), view, 7680, 4320);
  EXPECT_EQ(image.rgba.size(), 4U * 7680 * 4320);
}

TEST_F(RenderPicture, ImpossibleSizesAreRefused) {
  const Snapshot s = stage_set();
  EXPECT_FALSE(renderer_->draw_image({nullptr, &s, 1}, Camera(), {}, {}, 0, 100, LegendOverlay::none));
  EXPECT_FALSE(renderer_->draw_image({nullptr, &s, 1}, Camera(), {}, {}, 16385, 100, LegendOverlay::none));
}

TEST_F(RenderPicture, AnEmptySnapshotIsASky) {
  const Snapshot s;
  const Image image = shot(s, Camera());
  EXPECT_TRUE(is_sky_or_ground(at(image, 10, 10)));
}

TEST_F(RenderPicture, TheGrabSpringIsDrawnAlsoInASceneWithoutSpheres) {
  Snapshot s;
  s.grab = {true, Vec3f(-0.02F, 0, 0), Vec3f(0.02F, 0, 0), 1};
  Camera camera;
  camera.eye = {0, 0, 0.12F};
  camera.target = {0, 0, 0};
  const glm::ivec3 middle = at(shot(s, camera, {}, 400, 400), 200, 200);
  EXPECT_GT(middle.r, middle.b + 60) << "the line is amber, the sky behind it blue";
}

TEST_F(RenderPicture, ArrowsStayWithinTheLimitAndCountThemselves) {
  Snapshot s = stage_set();
  ViewParams view;
  view.vectors = true;
  view.vector_limit = 200;
  shot(s, Camera(), view);
  const VectorLegend& legend = renderer_->vector_legend();
  EXPECT_TRUE(legend.shown);
  EXPECT_LE(legend.arrows, 200U);
  EXPECT_GT(legend.arrows, 60U) << "most of the allowed arrows must be used";
  EXPECT_EQ(legend.elements, s.systems[0].position.size() + s.systems[1].position.size());
}

TEST_F(RenderPicture, AManualArrowScaleIsTheWayTravelledInThatTime) {
  Snapshot s = stage_set();
  ViewParams view;
  view.vectors = true;
  view.vector_scale = VectorScale::manual;
  view.vector_seconds = 0.1;
  Camera camera;
  shot(s, camera, view, 320, 240);
  const VectorLegend& legend = renderer_->vector_legend();
  const double pixel_m = 2 * static_cast<double>(camera.half_height(4.0F / 3)) / 240 *
                         static_cast<double>(glm::length(camera.target - camera.eye));
  EXPECT_NEAR(legend.arrow_px * pixel_m, 0.1 * legend.speed, 1e-4 * legend.speed);
}

TEST_F(RenderPicture, PickFindsWhatThePixelShows) {
  Snapshot s;
  s.systems.push_back(voxel_block(8, 3, 3, 0.01F, 0.4F, Vec3f::Zero()));
  for (const bool is_orthographic : {false, true}) {
    Camera camera;
    camera.frame(scene_bounds(s), 4.0F / 3);
    camera.is_orthographic = is_orthographic;
    const Image image = shot(s, camera);
    int wrong = 0, hits = 0;
    for (int y = 4; y < 240; y += 8)
      for (int x = 4; x < 320; x += 8) {
        const auto hit =
            renderer_->pick(s, camera.ray(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F, 320, 240));
        const glm::ivec3 c = at(image, x, y);
        const bool body = std::abs(c.r - c.b) > 55;
        hits += hit ? 1 : 0;
        wrong += body != hit.has_value() ? 1 : 0;
      }
    EXPECT_GT(hits, 50);
    EXPECT_LE(wrong, hits / 20 + 2) << "pixels on the outline may go either way";
  }
}

TEST(RenderFigure, TheSkinOfABentBodyIsClosed) {
  const SystemSnapshot s = voxel_block(9, 4, 4, 0.01F, 0.8F, Vec3f::Zero());
  Figure figure;
  place_figure(nullptr, s, 1, figure);
  std::map<std::pair<int, int>, int> edges;
  double volume = 0;
  for (const auto& quad : skin_of(s)->quads) {
    for (std::size_t c = 0; c < 4; ++c) edges[{quad.vertex[c], quad.vertex[(c + 1) % 4]}]++;
    const auto p = [&](std::size_t c) {
      return glm::dvec3(glm::vec3(figure.corners[static_cast<std::size_t>(quad.vertex[c])].place));
    };
    volume += (glm::dot(p(0), glm::cross(p(1), p(2))) + glm::dot(p(0), glm::cross(p(2), p(3)))) / 6;
  }
  for (const auto& [edge, count] : edges)
    EXPECT_EQ(count, (edges.contains({edge.second, edge.first}) ? edges.at({edge.second, edge.first}) : 0));
  // Expected volume by Pappus' theorem. The base of the bent block has the radius of curvature R = 0.09 m / 0.8. The
  // centroid of a cross-section, 0.02 m above the base, thus moves on a circle of radius R - 0.02 m, which shortens the
  // block by 18 %. Half a voxel at each end, a ninth of the length, is not shortened.
  const double expected = 0.09 * 0.04 * 0.04 * (1 - 0.02 / (0.09 / 0.8));
  EXPECT_NEAR(volume, expected, 0.03 * expected);
}

TEST(RenderFigure, ElementsAreMatchedByIdAcrossARemoval) {
  SystemSnapshot before = sphere_cloud(2, 0.1F, 0.01F, Vec3f::Zero()), after = before;
  after.revision = 1;
  after.position.erase(after.position.begin());
  after.id.erase(after.id.begin());
  after.size.pop_back();
  for (Vec3f& p : after.position) p.x() += 1;
  Figure figure;
  place_figure(&before, after, 0.25F, figure);
  for (std::size_t i = 0; i < after.position.size(); ++i)
    EXPECT_NEAR(figure.places[i].x, after.position[i].x() - 0.75F, 1e-6);
}

TEST(RenderContext, NeedsNoDisplay) {
  unsetenv("DISPLAY");
  unsetenv("WAYLAND_DISPLAY");
  auto context = OffscreenContext::create();
  ASSERT_TRUE(context) << context.error().message();
  EXPECT_NE(gl_description().find("OpenGL 4."), std::string::npos);
}

}  // namespace
}  // namespace vw
