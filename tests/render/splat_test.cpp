// Discs and translucent particles in OpenGL: their colours, their order, and their blending in linear light.
#include <array>
#include <limits>
#include <random>

#include "render/labels/color_map.h"
#include "render/scene/splats.h"
#include "stage_set.h"

namespace vw {
namespace {

using RenderSplat = RenderTest;

void add(Snapshot& to, const Vec3f& position, float radius, const Vec4f& tint) {
  if (to.systems.empty()) {
    to.systems.emplace_back();
    to.systems[0].name = "p";
  }
  SystemSnapshot& s = to.systems[0];
  s.position.push_back(position);
  s.velocity.emplace_back(Vec3f::Zero());
  s.size.push_back(radius);
  s.id.push_back(static_cast<std::uint32_t>(s.id.size()));
  s.material.push_back(0);
  s.tint.push_back(tint);
}

ViewParams discs(Quality quality = Quality::automatic) {
  ViewParams view;
  view.particle_style = ParticleStyle::discs;
  view.quality = quality;
  return view;
}

TEST_F(RenderSplat, HalfOfWhiteOverBlackIsSrgb188OnEveryTier) {
  Snapshot s;
  add(s, {0, 0, -0.2F}, 1, {0, 0, 0, 1});
  add(s, {0, 0, 0}, 0.1F, {1, 1, 1, 0.5F});
  for (const Quality quality : {Quality::automatic, Quality::low, Quality::medium, Quality::high})
    EXPECT_NEAR(at(shot(s, straight_on(), discs(quality)), 160, 120).g, 188, 1)
        << "opacity and colour are rounded to bytes";
}

TEST_F(RenderSplat, AWindowsFramebufferThatKnowsNoSrgbGetsTheSamePicture) {
  Snapshot s;
  add(s, {0, 0, -0.2F}, 1, {0, 0, 0, 1});
  add(s, {0, 0, 0}, 0.1F, {1, 1, 1, 0.5F});
  GLuint color = 0, target = 0;
  glCreateRenderbuffers(1, &color);
  glNamedRenderbufferStorage(color, GL_RGBA8, 320, 240);
  glCreateFramebuffers(1, &target);
  glNamedFramebufferRenderbuffer(target, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
  renderer_->draw({nullptr, &s, 1}, straight_on(), discs(Quality::low), {}, 320, 240, target, LegendOverlay::none);
  std::array<std::uint8_t, 4> pixel{};
  glBindFramebuffer(GL_FRAMEBUFFER, target);
  glReadPixels(160, 120, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel.data());
  EXPECT_NEAR(pixel[1], 188, 1);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glDeleteFramebuffers(1, &target);
  glDeleteRenderbuffers(1, &color);
}

TEST_F(RenderSplat, TheNearerLiesOverWhateverTheOrderOfRows) {
  for (const bool nearer_first : {false, true}) {
    Snapshot s;
    const Vec4f red(1, 0, 0, 0.5F), blue(0, 0, 1, 0.5F);
    add(s, {0, 0, -0.2F}, 1, {0, 0, 0, 1});
    add(s, {0, 0, nearer_first ? 0.1F : 0.0F}, 0.1F, nearer_first ? red : blue);
    add(s, {0, 0, nearer_first ? 0.0F : 0.1F}, 0.1F, nearer_first ? blue : red);
    const glm::ivec3 c = at(shot(s, straight_on(), discs()), 160, 120);
    EXPECT_NEAR(c.r, 188, 1);
    EXPECT_NEAR(c.b, 137, 1) << "a quarter of the blue light in sRGB";
  }
}

TEST_F(RenderSplat, ADiscHasTheLegendsColour) {
  Snapshot s;
  s.systems.push_back(sphere_cloud(1, 0, 0.1F, Vec3f::Zero()));
  const glm::vec3 srgb = srgb_of({0.80F, 0.62F, 0.25F});
  const glm::ivec3 c = at(shot(s, straight_on(), discs()), 160, 120);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(c[k], 255 * srgb[k], 2);
}

TEST_F(RenderSplat, SolidsStaySolidBesideTranslucentBalls) {
  // One translucent ball is in front of the box, which must stay visible through it. The other ball is behind the box
  // and must be invisible.
  Snapshot s;
  s.colliders = {obstacle("box", ColliderSnapshot::Kind::box, Vec3f::Zero(), Quatf::Identity(),
                          Vec3f(0.1F, 0.1F, 0.02F), {0.1F, 0.7F, 0.1F})};
  add(s, {0.05F, 0, 0.2F}, 0.03F, {0.9F, 0.1F, 0.1F, 0.3F});
  add(s, {-0.05F, 0, -0.2F}, 0.03F, {0.9F, 0.1F, 0.1F, 0.3F});
  const Image image = shot(s, straight_on());
  const glm::ivec3 before = at(image, 182, 120), clear = at(image, 150, 100), behind = at(image, 142, 120);
  EXPECT_GT(before.r, clear.r + 10);
  EXPECT_GT(before.g, before.r);
  EXPECT_NEAR(behind.r, clear.r, 6);
}

TEST(Splats, GoFromBackToFrontAndByIdAtOneDepth) {
  SystemSnapshot cloud = sphere_cloud(3, 0.1F, 0.01F, Vec3f::Zero());
  for (std::size_t i = 0; i < cloud.position.size(); ++i) {
    cloud.position[i].z() = -0.1F * static_cast<float>(i % 4);
    cloud.id[i] = static_cast<std::uint32_t>(100 - i);
  }
  cloud.position[5].x() = std::numeric_limits<float>::quiet_NaN();
  std::vector<Figure> figures(1);
  place_figure(nullptr, cloud, 1, figures[0]);
  figures[0].colors.assign(cloud.position.size(), 0);
  SplatList list;
  list.gather(figures, 1, discs(), {}, straight_on(), {SeeThroughPlanes(), AirSheets()});
  ASSERT_EQ(list.all().size(), cloud.position.size() - 1) << "a particle at an invalid position must be left out";
  for (std::size_t i = 1; i < list.all().size(); ++i) {
    const Splat &a = list.all()[i - 1], &b = list.all()[i];
    EXPECT_TRUE(a.place.z < b.place.z || (a.place.z == b.place.z && a.id < b.id));
  }
}

TEST(Splats, ASmallBallBeforeALargeOneIsDrawnAfterItThoughItsCentreIsFarther) {
  // The large ball has a radius of 2.9 m, and its centre is 3 m away. The small ball has a radius of 0.01 m, and its
  // centre is sqrt(1.2) m away.
  const float large = hiding_key(ParticleStyle::balls, 3, 9, 2.9F),
              small = hiding_key(ParticleStyle::balls, 1, 1.2F, 0.01F);
  EXPECT_GT(small, large) << "the large ball is nearer, as its tangent is shorter";
  EXPECT_LT(hiding_key(ParticleStyle::discs, 1, 1.2F, 0.01F), hiding_key(ParticleStyle::discs, 3, 9, 2.9F));
}

TEST(Splats, TheLegendShowsTheMeanOfTintsAndChannelsKeepTheirOpacity) {
  SystemSnapshot cloud = sphere_cloud(2, 0.1F, 0.01F, Vec3f::Zero());
  for (std::size_t i = 0; i < 8; ++i) cloud.tint.emplace_back(i < 4 ? Vec4f(1, 0, 0, 1) : Vec4f(0, 1, 0, 0.5F));
  Figure figure;
  place_figure(nullptr, cloud, 1, figure);
  SmoothRange smooth;
  std::vector<float> scratch;
  Legend legend;
  color_figure(cloud, {}, 0, smooth, scratch, figure, legend);
  ASSERT_EQ(legend.entries.size(), 1U);
  const glm::vec3 mean = srgb_of({2.0F / 3, 1.0F / 3, 0});
  EXPECT_LT(glm::length(legend.entries[0].second - mean), 1e-5F) << "weighted by opacity";
  EXPECT_EQ(figure.colors[0], pack_color({1, 0, 0}));
  EXPECT_EQ(figure.opacity, (std::vector<std::uint8_t>{255, 255, 255, 255, 128, 128, 128, 128}));
  cloud.available = {{"speed", "m/s"}};
  cloud.channels = {{"speed", {0, 1, 2, 3, 4, 5, 6, 7}}};
  ViewParams view;
  view.color_by = "speed";
  color_figure(cloud, view, 0, smooth, scratch, figure, legend);
  EXPECT_NE(figure.colors[7], figure.colors[1]);
  EXPECT_EQ(figure.opacity[7], 128);
}

TEST(Splats, RadixOrderIsTheStableOrder) {
  std::mt19937 random(5);
  RadixScratch scratch;
  for (const std::uint32_t span : {3U, 5000U, 0xFFFFFFFFU}) {
    std::vector<std::uint32_t> keys(3000), order, expected(3000);
    for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(random()) % span;
    order_from_large(keys, scratch, order);
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<std::uint32_t>(i);
    std::stable_sort(expected.begin(), expected.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return keys[a] > keys[b]; });
    EXPECT_EQ(order, expected);
  }
}

}  // namespace
}  // namespace vw
