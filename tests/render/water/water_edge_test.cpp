// Edges of the surface of a fluid: at glass, at its outline, and where other objects hide the background that is seen
// through it.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <span>

#include "render/fluid/fluid_cloud.h"
#include "render/fluid/refraction.h"
#include "render/software/software_renderer.h"
#include "tests/render/water/water_set.h"

namespace vw {
namespace {

constexpr int edge_width = 640, edge_height = 360;
constexpr float edge_spacing = 0.02F;

using RenderWaterEdge = RenderTest;

FluidCloud cloud_with_images(const Snapshot& s) {
  std::vector<Figure> figures(1);
  place_figure(nullptr, s.systems[0], 1, figures[0]);
  figures[0].shape = FigureShape::surface;
  figures[0].colors.assign(figures[0].places.size(), 0);
  FluidCloud cloud;
  cloud.build(figures, 1, {}, false, s.colliders, glm::vec3(0, 1, 9), FluidDetail::images);
  return cloud;
}

TEST(FluidImages, AreReflectionsBehindTheGlassOnly) {
  const Snapshot s = tank(0);  // walls at x = +-0.3 m and z = +-0.2 m
  const FluidCloud cloud = cloud_with_images(s);
  std::size_t images = 0;
  for (const glm::vec4& place : cloud.places()) {
    if (place.w > 0) continue;
    ++images;
    const float beyond_x = std::abs(place.x) - 0.3F, beyond_z = std::abs(place.z) - 0.2F;
    EXPECT_GT(std::max(beyond_x, beyond_z), 0) << "each image must be behind a wall";
    EXPECT_LT(std::max(beyond_x, beyond_z), 3 * edge_spacing);
    EXPECT_GT(place.y, 0) << "no image may be below the floor";
    // Mirrored at its wall, an image must lie on the lattice of the particles.
    const float cell = (0.3F - std::abs(beyond_x)) / edge_spacing - 0.5F;
    EXPECT_NEAR(cell, std::round(cell), 1e-3F);
  }
  EXPECT_GT(images, 1000U);
  for (std::size_t i = 1; i < cloud.places().size(); ++i)
    EXPECT_FALSE(cloud.places()[i].w < 0 && cloud.places()[i - 1].w > 0) << "images must precede the particles";
}

TEST(FluidImages, WaterThatDoesNotTouchTheGlassHasNone) {
  Snapshot s = tank(0);
  for (Vec3f& p : s.systems[0].position) p *= 0.8F;  // two to three spacings from the walls, which then have no images
  const FluidCloud cloud = cloud_with_images(s);
  for (const glm::vec4& place : cloud.places()) ASSERT_GT(place.w, 0);
}

TEST(FluidImages, TheSurfaceBeforeTheGlassIsMovedOntoIt) {
  FluidWalls walls;
  walls.planes[0] = {0, 0, -1, 0.2F};  // inside: z < 0.2 m
  walls.count = 1;
  const glm::vec3 eye(0, 0, 2), ray(0, 0, -1);  // meets the glass after 1.8 m
  EXPECT_EQ(on_mirror_wall(walls, eye, ray, 1.7F, 0.01F).share, 1);
  EXPECT_NEAR(on_mirror_wall(walls, eye, ray, 1.7F, 0.01F).depth, 1.8F, 1e-6F);
  EXPECT_EQ(on_mirror_wall(walls, eye, ray, 1.9F, 0.01F).share, 0);
  EXPECT_NEAR(on_mirror_wall(walls, eye, ray, 1.8F, 0.01F).share, 0.5F, 1e-3F) << "antialiased over a pixel";
}

Image drawn(const Snapshot& s, const Camera& camera, const ViewParams& view) {
  SoftwareRenderer software;
  auto image = software.draw_image({nullptr, &s, 1}, camera, view, {}, edge_width, edge_height, LegendOverlay::none);
  EXPECT_TRUE(image);
  return image ? std::move(*image) : Image{};
}

ViewParams fluid_view() {
  ViewParams view;
  view.legend = false;
  view.ground_grid = false;
  view.fluid_style = FluidStyle::surface;
  return view;
}

/// Returns the row between `first` and `last` at which the picture changes most from one pixel of the column to the
/// next.
int edge_row(const Image& image, int x, int first, int last) {
  int best = first, most = -1;
  for (int y = first; y < last; ++y) {
    int change = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const auto pixel = [&](int row) {
        return static_cast<int>(
            image.rgba[4 * (static_cast<std::size_t>(row) * edge_width + static_cast<std::size_t>(x)) + c]);
      };
      change += std::abs(pixel(y + 1) - pixel(y));
    }
    if (change > most) most = change, best = y;
  }
  return best;
}

TEST_F(RenderWaterEdge, TheWaterLineOnGlassIsSharpAndStraight) {
  const Snapshot s = tank(0);
  // The eye is above the water. The top of the water and the front glass thus meet in a horizontal line at y = 0.2 m, z
  // = 0.2 m.
  Camera camera;
  camera.eye = {0, 0.32F, 0.9F};
  camera.target = {0, 0.15F, 0.1F};
  const glm::vec4 clip =
      camera.projection(static_cast<float>(edge_width) / edge_height) * camera.view() * glm::vec4(0, 0.2F, 0.2F, 1);
  const float row = (0.5F - 0.5F * clip.y / clip.w) * edge_height;
  for (const bool gl : {true, false}) {
    const Image image = gl ? shot(s, camera, fluid_view(), edge_width, edge_height) : drawn(s, camera, fluid_view());
    const auto middle = static_cast<int>(row);
    for (int x = edge_width / 4; x < 3 * edge_width / 4; x += 8)
      // The surface lies half a spacing above the topmost particles. Smoothing moves it by up to a tenth of a spacing,
      // 0.5 px.
      EXPECT_NEAR(static_cast<float>(edge_row(image, x, middle - 14, middle + 14)) + 1, row, 1.6F)
          << x << (gl ? ", OpenGL" : ", without OpenGL");
  }
}

TEST_F(RenderWaterEdge, TheWaterLineHasNoStepsAtAGrazingAngle) {
  const Snapshot s = tank(0);
  Camera camera;  // The line of sight meets the water line at 4 degrees, and the line is askew in the picture.
  camera.eye = {0.5F, 0.28F, 1.3F};
  camera.target = {0, 0.2F, 0.2F};
  const auto row_of = [&](float x) {
    const glm::vec4 clip =
        camera.projection(static_cast<float>(edge_width) / edge_height) * camera.view() * glm::vec4(x, 0.2F, 0.2F, 1);
    return glm::vec2(0.5F + 0.5F * clip.x / clip.w, 0.5F - 0.5F * clip.y / clip.w) * glm::vec2(edge_width, edge_height);
  };
  const glm::vec2 left = row_of(-0.25F), right = row_of(0.25F);
  ASSERT_GT(std::abs(left.y - right.y), 4) << "the line must cross several rows";
  for (const bool gl : {true, false}) {
    const Image image = gl ? shot(s, camera, fluid_view(), edge_width, edge_height) : drawn(s, camera, fluid_view());
    int columns = 0, mixed = 0;
    for (int x = static_cast<int>(left.x); x < static_cast<int>(right.x); ++x, ++columns) {
      const float part = (static_cast<float>(x) - left.x) / (right.x - left.x);
      const auto row = static_cast<int>(glm::mix(left.y, right.y, part));
      const int y = edge_row(image, x, row - 6, row + 6);
      const glm::vec3 above(at(image, x, y - 2)), below(at(image, x, y + 3)), step = below - above;
      // A pixel whose colour lies between those of both sides is antialiased.
      for (const int k : {0, 1}) {
        const float share =
            glm::dot(glm::vec3(at(image, x, y + k)) - above, step) / std::max(glm::dot(step, step), 1.0F);
        if (share > 0.15F && share < 0.85F) {
          ++mixed;
          break;
        }
      }
    }
    const double share = static_cast<double>(mixed) / std::max(columns, 1);
    std::printf("%s: %.3f of the columns are antialiased\n", gl ? "OpenGL" : "software", share);
    EXPECT_GT(share, 0.3) << (gl ? "OpenGL" : "without OpenGL");
  }
}

/// Returns a ball of water in the air.
Snapshot drop(float radius) {
  Snapshot s;
  s.epoch = 1;
  s.systems = {water_block({0.02F, 0.02F, 0.02F}, 0.02F)};
  SystemSnapshot& water = s.systems[0];
  water.position.clear();
  // Spherical shells of evenly spread points (golden angle), displaced at random as the particles of a flow are.
  std::mt19937 random(5);
  for (float shell = radius; shell > 0; shell -= edge_spacing) {
    const auto count =
        std::max(static_cast<int>(4 * std::numbers::pi_v<float> * shell * shell / (edge_spacing * edge_spacing)), 1);
    for (int i = 0; i < count; ++i) {
      const float y = 1 - 2 * (static_cast<float>(i) + 0.5F) / static_cast<float>(count), flat = std::sqrt(1 - y * y),
                  angle = 2.39996323F * static_cast<float>(i);
      const auto jitter = [&] { return 0.3F * edge_spacing * (static_cast<float>(random() % 2001) / 1000 - 1); };
      water.position.emplace_back(shell * Vec3f(flat * std::cos(angle), y, flat * std::sin(angle)) +
                                  Vec3f(jitter(), jitter(), jitter()));
    }
  }
  const std::size_t n = water.position.size();
  water.velocity.assign(n, Vec3f::Zero());
  water.size.assign(n, 0.5F * edge_spacing);
  water.material.assign(n, 0);
  water.id.resize(n);
  for (std::size_t i = 0; i < n; ++i) water.id[i] = static_cast<std::uint32_t>(i);
  return s;
}

TEST_F(RenderWaterEdge, TheOutlineOfADropHasNoScallops) {
  const Snapshot s = drop(0.12F);
  Snapshot dry = s;
  dry.systems[0].position.assign(1, Vec3f(0, 50, 0));
  ViewParams view = fluid_view();
  view.matte = Matte::white;
  for (const bool gl : {true, false}) {
    const Image with = gl ? shot(s, straight_on(), view, edge_width, edge_height) : drawn(s, straight_on(), view),
                without =
                    gl ? shot(dry, straight_on(), view, edge_width, edge_height) : drawn(dry, straight_on(), view);
    // The radius of the outline is measured in 180 directions. It is the largest radius at which the picture differs
    // from the picture without the drop.
    double sum = 0, squares = 0;
    constexpr int directions = 180;
    for (int k = 0; k < directions; ++k) {
      const double angle = 2 * std::numbers::pi * k / directions;
      double radius = 160;
      for (; radius > 0; radius -= 0.25) {
        const int x = static_cast<int>(0.5 * edge_width + radius * std::cos(angle)),
                  y = static_cast<int>(0.5 * edge_height + radius * std::sin(angle));
        if (difference(at(with, x, y), at(without, x, y)) > 8) break;
      }
      sum += radius;
      squares += radius * radius;
    }
    const double mean = sum / directions, deviation = std::sqrt(squares / directions - mean * mean);
    // With the outlines of single balls, the radius would deviate by 1.8 %.
    EXPECT_LT(deviation, 0.014 * mean) << (gl ? "OpenGL" : "without OpenGL");
    EXPECT_GT(mean, 40);
  }
}

TEST(Refraction, ARayThatPassesBehindAnObjectDoesNotShowIt) {
  Refraction refraction;
  refraction.half = {4, 4};
  refraction.most = 2;
  refraction.surface = 1;
  refraction.path = 10;
  refraction.bend = {0.15F, 0};  // gives a displacement of 0.1 at the wall, which is 3 m deep
  // A card, 2 m deep, covers some displacements at which the refracted ray is 2.1 m to 2.5 m deep. The ray passes
  // behind the card, which must not be seen.
  const auto depth = [](const glm::vec2& shift) { return shift.x > 0.08F && shift.x < 0.09F ? 2.0F : 3.0F; };
  const auto path = [](const glm::vec2&) { return 10.0F; };
  EXPECT_NEAR(seen_shift(refraction, 3, 0, 0.0125F, depth, depth, path).x, 0.1F, 0.002F);
  // A card that the refracted ray hits must be seen.
  const auto slanted = [](const glm::vec2& shift) {
    return shift.x > 0.06F && shift.x < 0.09F ? 2.25F - 20 * (shift.x - 0.0833F) : 3.0F;
  };
  EXPECT_NEAR(seen_shift(refraction, 3, 0, 0.0125F, slanted, slanted, path).x, 0.0833F, 0.002F);
}

TEST(Refraction, ARayThatLeavesTheFluidBesideAnObjectDoesNotShowIt) {
  Refraction refraction;
  refraction.half = {4, 4};
  refraction.most = 2;
  refraction.surface = 1;
  refraction.path = 0.05F;
  refraction.bend = {0.4F, 0};
  // The straight ray meets a block at a depth of 1.5 m. The refracted ray is beside the block when it leaves the fluid,
  // at a displacement of 0.019, and continues beside it to the floor, seen at a displacement of 0.0067.
  const auto depth = [](const glm::vec2& shift) { return shift.x < 0.0045F ? 1.5F : 3.0F; };
  const auto path = [](const glm::vec2&) { return 0.05F; };
  EXPECT_NEAR(seen_shift(refraction, 1.5F, 0, 0.001F, depth, depth, path).x, 0.4F * 0.05F / 3, 1e-5F);
}

TEST_F(RenderWaterEdge, ASurfaceAtAGrazingAngleHasNoBlocks) {
  // The line of sight meets the surface at 4 to 8 degrees, where balls show steps of several spacings in depth.
  Snapshot s;
  s.epoch = 1;
  s.colliders = {ground()};
  s.systems = {water_block({1.2F, 0.2F, 1.2F}, edge_spacing, 0.012F)};
  Camera camera;
  camera.eye = {0, 0.32F, 1.4F};
  camera.target = {0, 0.2F, 0.1F};
  const ViewParams view = fluid_view();
  const glm::ivec2 low(200, 150), high(440, 220);
  for (const bool gl : {true, false}) {
    const Image image = gl ? shot(s, camera, view, edge_width, edge_height) : drawn(s, camera, view);
    // Counts the pixels whose colour differs much from that of the next pixel.
    int steps = 0;
    for (int y = low.y; y < high.y; ++y)
      for (int x = low.x; x < high.x; ++x) steps += difference(at(image, x, y), at(image, x + 1, y)) > 12 ? 1 : 0;
    const double share = steps / static_cast<double>((high.x - low.x) * (high.y - low.y));
    std::printf("%s: %.4f of the pixels have a step\n", gl ? "OpenGL" : "software", share);
    EXPECT_LT(share, 0.02) << (gl ? "OpenGL" : "without OpenGL");
  }
}

TEST(FluidSurface, IsAClosedMeshWithTheImagesBehindTheGlass) {
  const Snapshot s = tank(0);
  std::vector<Figure> figures(1);
  place_figure(nullptr, s.systems[0], 1, figures[0]);
  figures[0].shape = FigureShape::surface;
  figures[0].colors.assign(figures[0].places.size(), 0);
  FluidCloud cloud;
  cloud.build(figures, 1, {}, false, s.colliders, glm::vec3(0, 1, 9), FluidDetail::surface);
  const SurfaceMesh& mesh = cloud.surface();
  ASSERT_GT(mesh.triangle.size(), 1000U);
  float farthest = 0, highest = 0;
  for (const Vec3f& p : mesh.position) {
    farthest = std::max(farthest, std::abs(p.x()));
    highest = std::max(highest, p.y());
  }
  EXPECT_GT(farthest, 0.3F + edge_spacing) << "the surface goes on behind the glass";
  EXPECT_NEAR(highest, 0.2F, 0.3F * edge_spacing) << "still water ends half a spacing above its highest particles";
  cloud.build(figures, 1, {}, false, s.colliders, glm::vec3(0, 1, 9), FluidDetail::images);
  EXPECT_TRUE(cloud.surface().triangle.empty());
}

/// Returns water around a box whose top is dry. The particles keep half a spacing away from the box.
FluidCloud water_around(const ColliderSnapshot& box) {
  Snapshot s = tank(0);
  SystemSnapshot& water = s.systems[0];
  std::vector<Figure> figures(1);
  const auto is_free = [&](const Vec3f& p) {
    const Vec3f outside = ((p - box.position).cwiseAbs() - box.half_extent).cwiseMax(0.0F);
    return outside.norm() > 0.49F * edge_spacing;
  };
  std::vector<Vec3f> kept;
  for (const Vec3f& p : water.position)
    if (is_free(p)) kept.push_back(p);
  water.position = kept;
  water.velocity.resize(kept.size());
  water.size.resize(kept.size());
  water.material.resize(kept.size());
  water.id.resize(kept.size());
  place_figure(nullptr, water, 1, figures[0]);
  figures[0].shape = FigureShape::surface;
  figures[0].colors.assign(figures[0].places.size(), 0x00FF8040U);
  FluidCloud cloud;
  cloud.build(figures, 1, {}, false, s.colliders, glm::vec3(0, 1, 9), FluidDetail::surface, std::span(&box, 1));
  return cloud;
}

TEST(FluidSurface, IsLevelUpToABody) {
  const Vec3f half(0.1F, 0.1F, 0.08F);
  const ColliderSnapshot box =
      obstacle("box", ColliderSnapshot::Kind::box, {0, 0.2F, 0}, Quatf::Identity(), half, {0.5F, 0.5F, 0.5F});
  const FluidCloud cloud = water_around(box);
  // Checks the vertices of the upper side around the box, from the faces of the box to a distance of one spacing.
  std::size_t count = 0;
  for (std::size_t i = 0; i < cloud.surface().position.size(); ++i) {
    const Vec3f& p = cloud.surface().position[i];
    const Vec3f outside = p.cwiseAbs() - half;
    const float away = std::max(outside.x(), outside.z());
    if (away < 0 || away > edge_spacing || p.y() < 0.12F) continue;
    ++count;
    // Particles keep half a spacing away from the box. Without mirror images of the particles inside the box, the
    // surface would dip into that gap.
    EXPECT_NEAR(p.y(), 0.2F, 0.35F * edge_spacing) << p.transpose();
  }
  EXPECT_GT(count, 50U);
}

TEST(FluidSurface, DoesNotCoverAThinDryBoard) {
  // The board is 1.5 spacings thick. Its top is 0.75 spacings above the water.
  const Vec3f half(0.12F, 0.75F * edge_spacing, 0.1F);
  const ColliderSnapshot board =
      obstacle("board", ColliderSnapshot::Kind::box, {0, 0.2F, 0}, Quatf::Identity(), half, {0.5F, 0.5F, 0.5F});
  const FluidCloud cloud = water_around(board);
  for (const Vec3f& p : cloud.surface().position)
    if (std::abs(p.x()) < half.x() && std::abs(p.z()) < half.z()) {
      EXPECT_LT(p.y(), 0.2F + half.y()) << p.transpose();
    }
}

TEST(FluidSurface, LeavesIsolatedDropsToTheBalls) {
  Snapshot s = tank(0);
  s.systems[0].position.back() = {0, 0.5F, 0};
  std::vector<Figure> figures(1);
  place_figure(nullptr, s.systems[0], 1, figures[0]);
  figures[0].shape = FigureShape::surface;
  figures[0].colors.assign(figures[0].places.size(), 0);
  FluidCloud cloud;
  cloud.build(figures, 1, {}, false, s.colliders, glm::vec3(0, 1, 9), FluidDetail::surface);
  for (const Vec3f& p : cloud.surface().position) ASSERT_LT(p.y(), 0.3F);
  const auto& places = cloud.places();
  EXPECT_TRUE(std::any_of(places.begin(), places.end(), [](const glm::vec4& place) { return place.y > 0.4F; }));
}

TEST(FluidWalls, ARayLeavesThroughTheNearestWallAhead) {
  FluidWalls walls;
  walls.planes[0] = {1, 0, 0, 0.3F};   // x > -0.3 m
  walls.planes[1] = {-1, 0, 0, 0.3F};  // x < 0.3 m
  walls.planes[2] = {0, 1, 0, 0};      // y > 0
  walls.count = 3;
  EXPECT_FLOAT_EQ(walls.exit_of({0.1F, 0.5F, 0}, {2, 0, 0}), 0.1F);
  EXPECT_FLOAT_EQ(walls.exit_of({0.1F, 0.5F, 0}, {0.2F, -1, 0}), 0.5F);
  EXPECT_EQ(walls.exit_of({0.4F, 0.5F, 0}, {1, 0, 0}), 0) << "behind a wall";
  EXPECT_GT(walls.exit_of({0, 0.5F, 0}, {0, 0, 1}), 1e30F) << "no wall ahead";
}

}  // namespace
}  // namespace vw
