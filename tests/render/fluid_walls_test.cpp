// Surfaces of fluids behind glass and at cut planes. They must be flat and must not reach beyond the glass or the
// plane. Other tests look at fluids from inside.
#include "render/fluid/fluid_walls.h"

#include <random>

#include "render/fluid/fluid_cloud.h"
#include "render/scene/mesh_pick.h"
#include "render/software/software_renderer.h"
#include "similarity.h"
#include "tests/render/water/water_set.h"

namespace vw {
namespace {

constexpr int walls_width = 320, walls_height = 240;
constexpr float walls_spacing = 0.02F;

using RenderFluidWalls = RenderTest;

ViewParams surface() {
  ViewParams view;
  view.legend = false;
  view.ground_grid = false;
  view.fluid_style = FluidStyle::surface;
  return view;
}

/// Returns a view that colours the fluid by a channel, which makes it opaque. The picture then shows the slope of the
/// surface but not the thickness of the fluid.
ViewParams opaque() {
  ViewParams view = surface();
  view.color_by = "speed";
  view.range_auto = false;
  return view;
}

/// Displaces the particles at random from the lattice, because the particles of a flow do not lie on a lattice either.
void stir(SystemSnapshot& water) {
  std::mt19937 random(11);
  const auto part = [&random] { return 0.2F * walls_spacing * (static_cast<float>(random() % 2001) / 1000 - 1); };
  for (Vec3f& p : water.position) p += Vec3f(part(), part(), part());
  water.channels = {Channel{"speed", std::vector<float>(water.position.size(), 0.4F)}};
}

Camera from(const glm::vec3& eye, const glm::vec3& target) {
  Camera camera;
  camera.eye = eye;
  camera.target = target;
  return camera;
}

Figure figure_of(const SystemSnapshot& system) {
  Figure figure;
  place_figure(nullptr, system, 1, figure);
  figure.shape = FigureShape::surface;
  return figure;
}

FluidWalls walls_of(const Snapshot& s, const CutPlanes& cut = {}) {
  const Figure figure = figure_of(s.systems[0]);
  FluidWalls walls;
  walls.find({&figure, 1}, s.colliders, cut);
  return walls;
}

TEST(FluidWalls, AreThePlanesThatTheFluidStandsAgainst) {
  Snapshot s = tank(0);
  EXPECT_EQ(walls_of(s).count, 5U) << "the walls are the ground and four panes";
  s.colliders.push_back(wall({0.4F, 0, 0}, {0, 0, 1}, 1.5707964F));
  EXPECT_EQ(walls_of(s).count, 5U) << "a pane ten centimetres away is no wall of the fluid";
  s.colliders.back().position.x() = 0;
  EXPECT_EQ(walls_of(s).count, 5U) << "a pane inside the fluid is no wall";
  ViewParams view;
  view.cut = Cut::z;
  EXPECT_EQ(walls_of(s, cut_of(view)).count, 6U) << "the cut plane counts as a wall";
}

TEST(FluidWalls, AreTheSidesOfAPeriodicDomainThatTheFluidFills) {
  Snapshot s = pool(0);  // 0.4 m wide along z, centred
  s.systems[0].period = {0, 0, 0.4F};
  const FluidWalls walls = walls_of(s);
  ASSERT_EQ(walls.count, 3U) << "the walls are the ground and two sides";
  for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
    EXPECT_EQ(std::abs(walls.planes[k].z), 1);
    EXPECT_NEAR(walls.planes[k].w, 0.2F, 1e-6F);
  }
  s.systems[0].period.z() = 0.6F;
  EXPECT_EQ(walls_of(s).count, 1U) << "a fluid that does not reach the sides has a free surface there";
}

TEST(FluidWalls, ASurfaceJustBehindGlassLiesOnIt) {
  FluidWalls walls;
  walls.planes[0] = {0, 0, -1, 0.2F};  // inside: z < 0.2 m
  walls.planes[1] = {-1, 0, 0, 0.1F};  // inside: x < 0.1 m
  walls.count = 2;
  const glm::vec3 eye(0, 0, 2), ray(0.05F, 0, -1);
  // The ray hits the glass at 1.8 m, at x = 0.09 m. The rounding error of lengths of two metres is below 1e-5 m.
  const glm::vec3 facing(0, 0, 1), level(0, 1, 0);
  const OnWall near = on_wall(walls, eye, ray, 1.8F + 0.4F * walls_spacing, facing, walls_spacing);
  EXPECT_NEAR(near.depth, 1.8F, 1e-5F);
  EXPECT_NEAR(near.share, 1, 1e-6F);
  EXPECT_EQ(near.normal, glm::vec3(0, 0, 1));
  EXPECT_NEAR(near.beyond_m, -0.01F, 1e-5F);
  const OnWall before = on_wall(walls, eye, ray, 1.8F - 0.25F * walls_spacing, facing, walls_spacing);
  EXPECT_NEAR(before.depth, 1.8F, 1e-5F) << "a ball that reaches through the glass must be cut at the glass";
  const OnWall far = on_wall(walls, eye, ray, 1.9F, facing, walls_spacing);
  EXPECT_EQ(far.share, 0) << "a surface far behind the glass must not be moved";
  EXPECT_EQ(far.depth, 1.9F);
  EXPECT_EQ(on_wall(walls, eye, ray, 1.8F + 0.6F * walls_spacing, level, walls_spacing).share, 0)
      << "the top of the water must not be moved";
  EXPECT_NEAR(on_wall(walls, eye, {0.1F, 0, -1}, 1.81F, facing, walls_spacing).beyond_m, 0.08F, 1e-5F)
      << "the ray must have left the tank by 8 cm";
  EXPECT_GT(on_wall(walls, {0, 0, 2}, {0.05F, 0, 1}, 1.8F, facing, walls_spacing).beyond_m, 1)
      << "a ray away from the glass must be beyond it";
}

/// Returns the mean difference between horizontally adjacent pixels with x in [120, 200) and y in [110, 130).
double roughness(const Image& image) {
  double sum = 0;
  for (int y = 110; y < 130; ++y)
    for (int x = 120; x < 200; ++x)
      for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t k = 4 * (static_cast<std::size_t>(y) * walls_width + static_cast<std::size_t>(x)) + c;
        sum += std::abs(image.rgba[k] - image.rgba[k + 4]);
      }
  return sum / (20 * 80 * 3);
}

Image drawn_without_opengl(const Snapshot& s, const Camera& camera, const ViewParams& view) {
  SoftwareRenderer software;
  auto image = software.draw_image({nullptr, &s, 1}, camera, view, {}, walls_width, walls_height, LegendOverlay::none);
  EXPECT_TRUE(image);
  return image ? std::move(*image) : Image{};
}

TEST_F(RenderFluidWalls, BehindGlassTheSurfaceIsFlat) {
  Snapshot held = tank(0);
  stir(held.systems[0]);
  Snapshot free = held;
  free.colliders.resize(1);
  const Camera camera = from({0.1F, 0.12F, 0.5F}, {0, 0.1F, 0});
  for (const bool gl : {true, false}) {
    const auto drawn = [&](const Snapshot& s) {
      return gl ? shot(s, camera, opaque()) : drawn_without_opengl(s, camera, opaque());
    };
    const double flat = roughness(drawn(held)), bumpy = roughness(drawn(free));
    EXPECT_GT(bumpy, 0.01) << "without walls, the surface must be bumpy";
    EXPECT_LT(flat, 0.1 * bumpy) << (gl ? "OpenGL" : "without OpenGL");
  }
}

TEST_F(RenderFluidWalls, NoBallStandsOutOfTheTank) {
  Snapshot s = tank();
  s.colliders.erase(s.colliders.begin());  // removes the ground, which the water could shade
  Snapshot dry = s;
  dry.systems[0].position.assign(1, Vec3f(0, 0.1F, 0));  // visible, and far from the edges
  const Camera camera = from({0, 0.12F, 1.1F}, {0, 0.12F, 0});
  const glm::mat4 clip = camera.projection(static_cast<float>(walls_width) / walls_height) * camera.view();
  const glm::vec4 rim = clip * glm::vec4(0.3F, 0.1F, 0.2F, 1);
  // First column to the right of the tank's front face in which no water may be visible. Beyond the wall, the surface
  // fades out over a tenth of the particle spacing, and one more pixel is allowed.
  const int first = static_cast<int>((0.5F + 0.5F * rim.x / rim.w) * walls_width +
                                     0.1F * walls_spacing * 0.5F * walls_height * clip[1][1] / rim.w) +
                    2;
  for (const bool gl : {true, false}) {
    const auto drawn = [&](const Snapshot& from_it) {
      return gl ? shot(from_it, camera, surface()) : drawn_without_opengl(from_it, camera, surface());
    };
    const Image with = drawn(s), without = drawn(dry);
    for (int y = 110; y < 130; ++y)
      for (int x = first; x < first + 12; ++x) {
        const glm::ivec3 d = glm::abs(at(with, x, y) - at(without, x, y));
        ASSERT_LE(std::max({d.r, d.g, d.b}), 2) << x << " " << y << (gl ? ", OpenGL" : ", without OpenGL");
      }
  }
}

TEST_F(RenderFluidWalls, ACutThroughFluidIsFlat) {
  Snapshot s = pool(0);
  s.colliders.clear();
  stir(s.systems[0]);
  // `half` contains only the water that the cut does not hide. It has no walls, so nothing flattens its surface.
  Snapshot half = s;
  for (Vec3f& p : half.systems[0].position)
    if (p.z() > 0.003F) p = Vec3f(0, 0.1F, -0.1F);
  const Camera camera = from({0.1F, 0.12F, 0.5F}, {0, 0.1F, 0});
  ViewParams cut = opaque();
  cut.cut = Cut::z;
  cut.cut_at_m = 0.003;
  for (const bool gl : {true, false}) {
    const auto drawn = [&](const Snapshot& of, const ViewParams& view) {
      return gl ? shot(of, camera, view) : drawn_without_opengl(of, camera, view);
    };
    const double flat = roughness(drawn(s, cut)), bumpy = roughness(drawn(half, opaque()));
    EXPECT_GT(bumpy, 0.01) << "without the cut, the surface must be bumpy";
    EXPECT_LT(flat, 0.1 * bumpy) << (gl ? "OpenGL" : "without OpenGL");
  }
}

/// Returns the colour of the fluid in which the eye is. The pool has the colour 0x336699. The function returns no value
/// if the eye is outside the fluid.
std::optional<std::uint32_t> around(const Snapshot& s, const glm::vec3& eye) {
  std::vector<Figure> figures{figure_of(s.systems[0])};
  figures[0].colors.assign(figures[0].places.size(), 0x336699U);
  FluidCloud cloud;
  cloud.build(figures, 1, {}, false, s.colliders, eye);
  return cloud.around_eye();
}

TEST(FluidWalls, TheEyeIsInTheFluidUpToItsSurfaceAndNotBehindTheGlass) {
  const Snapshot s = tank(0);  // the water fills 0.6 x 0.2 x 0.4 m
  EXPECT_EQ(around(s, {0, 0.1F, 0}), 0x336699U);
  EXPECT_EQ(around(s, {0, 0.18F, 0.1F}), 0x336699U);
  EXPECT_EQ(around(s, {0, 0.22F, 0}), std::nullopt) << "the eye is 2 cm above the surface";
  EXPECT_EQ(around(s, {0.29F, 0.1F, 0}), 0x336699U);
  EXPECT_EQ(around(s, {0.305F, 0.1F, 0}), std::nullopt) << "the eye is 5 mm outside the glass";
  EXPECT_EQ(around(s, {1e30F, 0, 0}), std::nullopt);
}

TEST_F(RenderFluidWalls, FromWithinAFluidOneLooksThroughItAndAtNoBalls) {
  const Snapshot s = tank();
  Snapshot dry = s;
  dry.systems[0].position.assign(1, Vec3f(0, 0.1F, 0.19F));  // behind the eye
  const Camera camera = from({0, 0.1F, 0.15F}, {0.05F, 0.08F, -0.4F});
  const Image gl = shot(s, camera, surface()), soft = drawn_without_opengl(s, camera, surface()),
              bare = shot(dry, camera, surface());
  EXPECT_GT(similarity(gl, soft, [](int, int) { return true; }).mean, 0.9);
  double bluer = 0;
  for (int y = 0; y < walls_height; ++y)
    for (int x = 0; x < walls_width; ++x)
      bluer += (at(gl, x, y).b - at(gl, x, y).r) - (at(bare, x, y).b - at(bare, x, y).r);
  EXPECT_GT(bluer / (walls_width * walls_height), 20) << "the whole picture must have the water's colour";
  EXPECT_LT(roughness(gl), 1.0) << "no single ball may be visible in front of the eye";
}

TEST_F(RenderFluidWalls, GlassAndClearWaterDoNotHideWhatIsPicked) {
  Snapshot s = tank(0);
  s.systems.push_back(rigid_box({0, 0.1F, 0}, Quatf::Identity(), {0.04F, 0.04F, 0.04F}, {0.8F, 0.25F, 0.05F}));
  const Ray ray{{0.01F, 0.11F, 1}, {0, 0, -1}}, aside{{0.15F, 0.11F, 1}, {0, 0, -1}};
  MeshTrees trees;
  const auto opaque_pick = pick_element(s, ray, trees, FluidPick::opaque),
             clear_pick = pick_element(s, ray, trees, FluidPick::transparent);
  ASSERT_TRUE(opaque_pick && clear_pick);
  EXPECT_EQ(opaque_pick->system, "water") << "the ray must pass through the pane in front of the water";
  EXPECT_NEAR(opaque_pick->distance, 0.8F, walls_spacing) << "the ray must end in the first layer of the water";
  EXPECT_EQ(clear_pick->system, "bodies") << "the body is visible through the water";
  EXPECT_NEAR(clear_pick->distance, 0.96F, 1e-5F);
  EXPECT_EQ(pick_element(s, aside, trees, FluidPick::transparent)->system, "water") << "only water is on this ray";
  // A ray from above, beside the water, hits only the ground. A ray from below passes through the ground, because
  // planes are invisible from behind, and hits the water.
  EXPECT_EQ(pick_element(s, {{0.5F, 1, 0}, {0, -1, 0}}, trees, FluidPick::transparent)->system, "");
  EXPECT_EQ(pick_element(s, {{0.01F, -1, 0.01F}, {0, 1, 0}}, trees, FluidPick::opaque)->system, "water");
}

}  // namespace
}  // namespace vw
