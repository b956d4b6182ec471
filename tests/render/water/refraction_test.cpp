// Refraction at the surface of a fluid: displacements compared with Snell's law, and pictures of objects in calm water
// and in front of it.
#include "render/fluid/refraction.h"

#include <random>

#include "render/scene/mesh_pick.h"
#include "render/software/software_renderer.h"
#include "tests/render/water/water_set.h"

namespace vw {
namespace {

constexpr int refraction_width = 640, refraction_height = 480;

// ---- The search, without an image ----

/// A camera above level water of depth `deep_m`, in the axes of the view. The camera is `eye_m` above the surface and
/// looks down by `pitch_rad`.
struct Basin {
  float pitch_rad, eye_m, deep_m;
  [[nodiscard]] glm::vec3 level() const { return {0, std::cos(pitch_rad), -std::sin(pitch_rad)}; }
  /// Returns the depth, along the view direction, at which the ray through `place` meets the horizontal plane `below_m`
  /// under the eye.
  [[nodiscard]] float depth(const glm::vec2& place, float below_m) const {
    return below_m / -glm::dot(level(), glm::vec3(place, 1));
  }
  [[nodiscard]] Refraction at(const glm::vec2& place) const {
    Refraction refraction;
    refraction.place = place;
    refraction.half = {4, 4};
    refraction.most = 2;
    refraction.surface = depth(place, eye_m);
    refraction.path = 10;
    refraction.enter(glm::vec3(place, 1), level());
    return refraction;
  }
  /// Returns the expected displacement in the picture by Snell's law: to the point of the floor that the refracted ray
  /// hits.
  [[nodiscard]] glm::vec2 by_snell(const glm::vec2& place) const {
    const glm::vec3 up = level(), ray = glm::normalize(glm::vec3(place, 1)), along = ray - up * glm::dot(ray, up);
    const float sine = glm::length(along) / water_index, tangent = sine / std::sqrt(1 - sine * sine);
    const glm::vec3 hit = glm::vec3(place, 1) * depth(place, eye_m) +
                          deep_m * (tangent * along / std::max(glm::length(along), 1e-20F) - up);
    return glm::vec2(hit) / hit.z - place;
  }
};

TEST(Refraction, TheFloorIsSeenWhereSnellsLawSays) {
  for (const float pitch : {1.5F, 1.0F, 0.6F, 0.35F})
    for (const glm::vec2& place : {glm::vec2(0), glm::vec2(0.3F, 0.1F), glm::vec2(-0.2F, -0.25F)}) {
      const Basin basin{pitch, 1, 0.3F};
      const auto floor = [&](const glm::vec2& shift) { return basin.depth(place + shift, basin.eye_m + basin.deep_m); };
      const auto path = [](const glm::vec2&) { return 10.0F; };
      const glm::vec2 found = seen_shift(basin.at(place), floor({0, 0}), 0, 0.01F, floor, floor, path),
                      exact = basin.by_snell(place);
      // The search ends when the depths agree to a hundredth of the depth below the surface.
      EXPECT_LT(glm::length(found - exact), 2 * seen_tolerance * glm::length(exact) + 1e-5F) << pitch;
    }
}

TEST(Refraction, TheDisplacementGrowsWithTheDistanceBehindTheSurfaceUpToTheThickness) {
  const Basin basin{0.8F, 1, 0.3F};
  Refraction refraction = basin.at({0, 0});
  refraction.path = 0.2F;
  const float z = refraction.surface, bend = glm::length(refraction.bend);
  EXPECT_EQ(refraction.shift(z), glm::vec2(0));
  EXPECT_NEAR(glm::length(refraction.shift(z + 0.1F)), bend * 0.1F / (z + 0.1F), 1e-6F);
  // Behind a sheet, the ray has its first direction again and is only moved sideways, by the bend within the sheet.
  EXPECT_NEAR(glm::length(refraction.shift(z + 3)), bend * 0.2F / (z + 3), 1e-6F);
  refraction.most = 0.01F;
  EXPECT_NEAR(glm::length(refraction.shift(z + 0.2F)), 0.01F, 1e-6F);
  refraction.half = {0.5F, 0.004F};
  EXPECT_LE(std::abs(refraction.shift(z + 0.2F).y), 0.004F) << "the displacement must stay in the picture";
}

TEST(Refraction, ObjectsInFrontOfTheSurfaceAreNotSeenThroughIt) {
  const Basin basin{0.6F, 1, 0.5F};
  const glm::vec2 exact = basin.by_snell({0, 0}), way = exact / glm::length(exact);
  const auto path = [](const glm::vec2&) { return 10.0F; };
  for (int k = 0; k < 20; ++k) {
    // An object in front of the surface covers a strip of the displacements. The search must not end in this strip. If
    // the exact displacement lies in the strip, the search must end just before it.
    const float from = 0.05F * static_cast<float>(k) * glm::length(exact), to = from + 0.5F * glm::length(exact);
    const auto depth = [&](const glm::vec2& shift) {
      const float at = glm::dot(shift, way);
      return at > from && at < to ? 0.5F : basin.depth(shift, basin.eye_m + basin.deep_m);
    };
    const glm::vec2 found = seen_shift(basin.at({0, 0}), basin.depth({0, 0}, 1.5F), 0, 0.01F, depth, depth, path);
    EXPECT_GT(depth(found), basin.at({0, 0}).surface);
    if (from < glm::length(exact) && to > 1.02F * glm::length(exact)) {
      EXPECT_NEAR(glm::length(found), from, 0.1F * glm::length(exact));
    }
  }
}

// ---- Pictures ----

using RenderRefraction = RenderTest;

/// Returns a pool of calm water. The particles lie irregularly, as in a flow.
SystemSnapshot irregular_water() {
  SystemSnapshot water = water_block({0.7F, 0.2F, 0.5F}, 0.02F);
  std::mt19937 random(5);
  const auto part = [&random] { return 0.15F * 0.02F * (static_cast<float>(random() % 2001) / 1000 - 1); };
  for (Vec3f& p : water.position) p += Vec3f(part(), part(), part());
  return water;
}

Camera above_the_pool() {
  Camera camera;
  camera.eye = {0, 0.8F, 0.7F};
  camera.target = {0, 0.1F, 0};
  return camera;
}

ViewParams clear_water() {
  ViewParams view;
  view.legend = false;
  view.fluid_style = FluidStyle::surface;
  view.fluid_clarity_m = 3;
  return view;
}

std::array<Image, 2> drawn_by_both(Renderer& renderer, const Snapshot& s, const Camera& camera) {
  SoftwareRenderer software;
  const auto draw = [&](auto& by) {
    auto image = by.draw_image({nullptr, &s, 1}, camera, clear_water(), {}, refraction_width, refraction_height,
                               LegendOverlay::none);
    EXPECT_TRUE(image);
    return image ? std::move(*image) : Image{};
  };
  return {draw(renderer), draw(software)};
}

int redness_of(const Image& image, int x, int y) {
  const std::uint8_t* p =
      &image.rgba[4 * (static_cast<std::size_t>(y) * refraction_width + static_cast<std::size_t>(x))];
  return p[0] - std::max(p[1], p[2]);
}

/// Returns the row in the picture at which the point (0, y, z) is seen from above through water with the surface at
/// `surface_m`.
float row_through_water(const Camera& camera, float y, float z, float surface_m) {
  // The ray enters the water at (0, surface_m, s), where Snell's law holds.
  float near = z, far = camera.eye.z;
  for (int k = 0; k < 60; ++k) {
    const float s = 0.5F * (near + far), out = camera.eye.z - s, in = s - z, high = camera.eye.y - surface_m,
                deep = surface_m - y;
    (out / std::hypot(out, high) > water_index * in / std::hypot(in, deep) ? near : far) = s;
  }
  const glm::vec4 at = camera.projection(static_cast<float>(refraction_width) / refraction_height) * camera.view() *
                       glm::vec4(0, surface_m, near, 1);
  return (0.5F - 0.5F * at.y / at.w) * refraction_height;
}

TEST_F(RenderRefraction, AStraightBarOnTheFloorOfCalmWaterIsStraightAndWhereSnellsLawSays) {
  Snapshot s;
  s.epoch = 1;
  s.colliders = {ground(), obstacle("bar", ColliderSnapshot::Kind::box, {0, 0.004F, 0}, Quatf::Identity(),
                                    {0.3F, 0.004F, 0.008F}, {0.9F, 0.05F, 0.02F})};
  s.systems = {irregular_water()};
  const Camera camera = above_the_pool();
  const float expected = row_through_water(camera, 0.008F, 0, 0.2F);
  for (const Image& image : drawn_by_both(*renderer_, s, camera)) {
    double sum = 0, squares = 0;
    int columns = 0;
    for (int x = 220; x < 420; ++x) {
      double red = 0, row = 0;
      for (int y = 0; y < refraction_height; ++y) {
        const double r = std::max(redness_of(image, x, y) - 15, 0);
        red += r;
        row += r * (y + 0.5);
      }
      ASSERT_GT(red, 0) << "no bar found in column " << x;
      sum += row / red;
      squares += row / red * row / red;
      ++columns;
    }
    const double mean = sum / columns;
    // The side of the bar that faces the camera moves the mean by at most two pixels.
    EXPECT_NEAR(mean, expected, 2.5);
    EXPECT_LT(std::sqrt(std::max(squares / columns - mean * mean, 0.0)), 0.6) << "particles must not bend the bar";
  }
}

/// Returns whether two images differ at a pixel by more than `limit` in a colour.
bool differs_at(const Image& a, const Image& b, int x, int y, int limit) {
  const std::size_t i = 4 * (static_cast<std::size_t>(y) * refraction_width + static_cast<std::size_t>(x));
  int most = 0;
  for (std::size_t c = 0; c < 3; ++c) most = std::max(most, std::abs(a.rgba[i + c] - b.rgba[i + c]));
  return most > limit;
}

TEST_F(RenderRefraction, TheFloorBesideAnObstacleInTheWaterIsWhereItIsWithoutTheObstacle) {
  const auto scene = [](const Vec3f& half) {
    Snapshot s;
    s.epoch = 1;
    s.colliders = {ground(), obstacle("board", ColliderSnapshot::Kind::box, {0, 0.1F, 0.02F}, Quatf::Identity(), half,
                                      {0.9F, 0.05F, 0.02F})};
    s.systems = {irregular_water()};
    return s;
  };
  ViewParams view = clear_water();
  view.floor = FloorMaterial::checker;
  view.environment = EnvironmentKind::overcast;  // no shadow of the board
  const Camera camera = above_the_pool();
  const Image with = shot(scene({0.12F, 0.04F, 0.005F}), camera, view, refraction_width, refraction_height),
              without = shot(scene({1e-4F, 1e-4F, 1e-4F}), camera, view, refraction_width, refraction_height);
  int differing = 0, board = 0;
  for (int y = 1; y < refraction_height - 1; ++y)
    for (int x = 1; x < refraction_width - 1; ++x) {
      const bool is_board = redness_of(with, x, y) > 15;
      board += is_board ? 1 : 0;
      differing += !is_board && differs_at(with, without, x, y, 25) ? 1 : 0;
    }
  EXPECT_GT(board, 2500);
  // About 250 pixels differ along the outlines of the board and of the water. About 2,000 pixels would differ if the
  // picture showed the floor beside the board in place of the floor that the board hides.
  EXPECT_LT(differing, 500);
}

TEST_F(RenderRefraction, AnObjectInFrontOfTheWaterDoesNotShowInIt) {
  // Seen from above, refracted rays bend towards the board, but must not show it. A red and a green board cast the same
  // shadow. The pictures thus differ only where the board itself is visible, and a little where the water reflects it:
  // by less than a fifth of its colour. A board seen through the water would differ by nearly its full colour.
  constexpr int most_reflected = 48;
  const auto scene = [](const Vec3f& color, bool with_water) {
    Snapshot s;
    s.epoch = 1;
    s.colliders = {ground(), obstacle("board", ColliderSnapshot::Kind::box, {0, 0.35F, 0.2F}, Quatf::Identity(),
                                      {0.15F, 0.05F, 0.005F}, color)};
    s.systems = {irregular_water()};
    if (!with_water) s.systems[0].position.assign(1, Vec3f(0, 0.01F, -0.2F));
    return s;
  };
  const Vec3f red(0.95F, 0.02F, 0.02F), green(0.02F, 0.95F, 0.02F);
  const auto both = [&](const Vec3f& color, bool with_water) {
    return drawn_by_both(*renderer_, scene(color, with_water), above_the_pool());
  };
  const auto red_alone = both(red, false), green_alone = both(green, false), red_water = both(red, true),
             green_water = both(green, true);
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
    int covered = 0, astray = 0;
    for (int y = 1; y < refraction_height - 1; ++y)
      for (int x = 1; x < refraction_width - 1; ++x) {
        const bool is_board = differs_at(red_alone[k], green_alone[k], x, y, 0);
        covered += is_board ? 1 : 0;
        astray += !is_board && differs_at(red_water[k], green_water[k], x, y, most_reflected) ? 1 : 0;
      }
    EXPECT_GT(covered, 2000);
    EXPECT_EQ(astray, 0) << (k == 0 ? "OpenGL" : "without OpenGL");
  }
}

TEST_F(RenderRefraction, ObjectsSeenOnTheFloorArePicked) {
  const auto scene = [](const Vec3f& color) {
    Snapshot s;
    s.epoch = 1;
    s.colliders = {ground()};
    s.systems = {irregular_water(), rigid_box({0.05F, 0.03F, -0.02F}, Quatf(Eigen::AngleAxisf(0.5F, Vec3f(0, 1, 0))),
                                              {0.08F, 0.03F, 0.05F}, color)};
    return s;
  };
  const Camera camera = above_the_pool();
  const Snapshot s = scene({0.9F, 0.05F, 0.02F});
  const Image red = drawn_by_both(*renderer_, s, camera)[0],
              green = drawn_by_both(*renderer_, scene({0.02F, 0.9F, 0.05F}), camera)[0];
  int seen = 0, missed = 0, beside = 0, wrong = 0, straight = 0;
  MeshTrees trees;
  for (int y = 4; y < refraction_height - 4; y += 4)
    for (int x = 4; x < refraction_width - 4; x += 4) {
      // Pixels near the outline of the body are left out, because ripples bend the picture, but not the pick.
      int body = 0, all = 0;
      for (int j = -4; j <= 4; j += 2)
        for (int i = -4; i <= 4; i += 2, ++all) body += differs_at(red, green, x + i, y + j, 8) ? 1 : 0;
      if (body != 0 && body != all) continue;
      const Ray ray =
          camera.ray(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F, refraction_width, refraction_height);
      const auto is_body = [](const std::optional<Pick>& pick) { return pick && pick->system == "bodies"; };
      (body == 0 ? beside : seen) += 1;
      (body == 0 ? wrong : missed) += is_body(renderer_->pick(s, ray)) == (body == 0) ? 1 : 0;
      straight += is_body(pick_element(s, ray, trees, FluidPick::transparent)) == (body == 0) ? 1 : 0;
    }
  EXPECT_GT(seen, 150);
  EXPECT_GT(beside, 2000);
  EXPECT_EQ(missed, 0);
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(straight, 20) << "rays without refraction must miss the body more often";
}

}  // namespace
}  // namespace vw
