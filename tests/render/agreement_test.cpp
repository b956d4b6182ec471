// Agreement of the OpenGL renderer with the software renderer. The measure is the structural similarity (similarity.h),
// taken over the pixels that differ from the image of the empty scene.
#include "member_set.h"
#include "render/software/software_renderer.h"
#include "rigid_set.h"
#include "similarity.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using RenderAgreement = RenderTest;

/// Returns the ground, a ball, and a cloud of particles of three sizes above them. If `faint` is true, each particle
/// has its own colour and opacity.
Snapshot particle_scene(bool faint) {
  Snapshot s;
  s.epoch = 1;
  s.colliders = {ground()};
  s.colliders.push_back(obstacle("ball", ColliderSnapshot::Kind::sphere, Vec3f(-0.14F, 0.04F, 0.05F), Quatf::Identity(),
                                 Vec3f::Constant(0.04F), {0.42F, 0.45F, 0.40F}));
  SystemSnapshot cloud = sphere_cloud(11, 0.11F, 0.004F, Vec3f(0.02F, 0.13F, 0));
  for (std::size_t i = 0; i < cloud.size.size(); ++i) {
    cloud.size[i] = 0.0025F + 0.0025F * static_cast<float>(i % 3);
    const float t = static_cast<float>(i % 17) / 16;
    if (faint)
      cloud.tint.emplace_back(0.1F + 0.8F * t, 0.35F, 0.8F - 0.7F * t, 0.25F + 0.7F * static_cast<float>(i % 5) / 4);
  }
  s.systems.push_back(std::move(cloud));
  return s;
}

struct Pair {
  Image gl, software;
};

class Studio {
 public:
  Pair shoot(Renderer& renderer, const Snapshot& snapshot, const Camera& camera, const ViewParams& view, int width,
             int height) {
    auto gl = renderer.draw_image({nullptr, &snapshot, 1}, camera, view, {}, width, height, LegendOverlay::none);
    auto software = software_.draw_image({nullptr, &snapshot, 1}, camera, view, {}, width, height, LegendOverlay::none);
    EXPECT_TRUE(gl && software);
    return {std::move(*gl), std::move(*software)};
  }

 private:
  SoftwareRenderer software_;
};

/// Returns the similarity over the pixels in which either image differs from the image of the empty scene.
Similarity covered_similarity(const Pair& full, const Pair& empty) {
  const auto differs = [](const Image& a, const Image& b, std::size_t i) {
    int most = 0;
    for (std::size_t k = 0; k < 3; ++k) most = std::max(most, std::abs(a.rgba[4 * i + k] - b.rgba[4 * i + k]));
    return most > 8;
  };
  return similarity(full.gl, full.software, [&](int x, int y) {
    const std::size_t i =
        static_cast<std::size_t>(y) * static_cast<std::size_t>(full.gl.width) + static_cast<std::size_t>(x);
    return differs(full.gl, empty.gl, i) || differs(full.software, empty.software, i);
  });
}

Similarity compare(Renderer& renderer, const Snapshot& snapshot, const ViewParams& view, int width, int height,
                   const std::string& name) {
  Camera camera;
  camera.frame(scene_bounds(snapshot), static_cast<float>(width) / static_cast<float>(height));
  Snapshot bare = snapshot;
  bare.systems.clear();
  Studio studio;
  const Pair full = studio.shoot(renderer, snapshot, camera, view, width, height);
  const Pair empty = studio.shoot(renderer, bare, camera, view, width, height);
  write_ppm(full.gl, name + "_gl");
  write_ppm(full.software, name + "_software");
  return covered_similarity(full, empty);
}

TEST_F(RenderAgreement, ParticlesLookAlikeWithAndWithoutOpenGl) {
  for (const auto& [width, height] : {std::pair{640, 360}, {1280, 720}})
    for (const ParticleStyle style : {ParticleStyle::discs, ParticleStyle::balls})
      for (const bool faint : {false, true}) {
        if (!faint && width > 640) continue;  // the larger image takes one second
        ViewParams view;
        view.particle_style = style;
        const std::string name = std::string(style == ParticleStyle::discs ? "discs" : "balls") +
                                 (faint ? ", opacity" : "") + ", " + std::to_string(width) + " x " +
                                 std::to_string(height);
        const Similarity found = compare(*renderer_, particle_scene(faint), view, width, height, name);
        EXPECT_GT(found.pixels, 20000U * static_cast<std::size_t>(width) / 1280);
        test::record_case("render", "software beside OpenGL: " + name, found.mean, 1, 0.1, "structural similarity");
        EXPECT_GE(found.mean, 0.9) << name;
      }
}

TEST_F(RenderAgreement, ASkinLooksAlikeWithAndWithoutOpenGl) {
  Snapshot s;
  s.epoch = 1;
  s.colliders = {ground()};
  s.colliders.push_back(obstacle("wall", ColliderSnapshot::Kind::box, Vec3f(0.16F, 0.025F, -0.05F),
                                 Quatf(Eigen::AngleAxisf(0.4F, Vec3f::UnitY())), Vec3f(0.02F, 0.025F, 0.07F),
                                 {0.5F, 0.44F, 0.36F}));
  s.systems.push_back(voxel_block(18, 6, 6, 0.01F, 0.5F, Vec3f(0, 0.0F, 0), true));
  for (const bool arrows : {false, true}) {
    ViewParams view;
    view.vectors = arrows;
    const std::string name = std::string("skin") + (arrows ? " with arrows" : "");
    const Similarity found = compare(*renderer_, s, view, 1280, 720, name);
    test::record_case("render", "software beside OpenGL: " + name, found.mean, 1, 0.1, "structural similarity");
    EXPECT_GE(found.mean, 0.9) << name;
  }
}

TEST_F(RenderAgreement, CutsAndTheirCapsLookAlike) {
  Snapshot s;
  s.epoch = 1;
  s.colliders = {ground()};
  s.colliders.push_back(obstacle("wall", ColliderSnapshot::Kind::box, Vec3f(0.16F, 0.025F, -0.05F),
                                 Quatf(Eigen::AngleAxisf(0.4F, Vec3f::UnitY())), Vec3f(0.02F, 0.025F, 0.07F),
                                 {0.5F, 0.44F, 0.36F}));
  s.systems.push_back(voxel_block(18, 6, 6, 0.01F, 0.5F, Vec3f(0, 0.0F, 0), true));
  ViewParams view;
  view.cut = Cut::z;
  view.cut_at_m = 0.003;
  for (const bool several : {false, true}) {
    if (several) {
      view.cut_thickness_m = 0.02;
      view.cut_2 = Cut::y;
      view.cut_2_at_m = 0.031;
      view.cut_3 = Cut::x;
      view.cut_3_at_m = -0.04;
      view.cut_3_flip = true;
    }
    EXPECT_GE(compare(*renderer_, s, view, 1280, 720, several ? "several cuts" : "cut").mean, 0.9) << several;
  }
}

TEST_F(RenderAgreement, RigidBodiesWithAllThatIsDrawnAboutThemLookAlike) {
  ViewParams plain, full;
  full.joints = JointStyle::all;
  full.body_frames = full.mass_centers = full.contacts = true;
  full.forces = {"lift"};
  for (const auto& [view, name] :
       {std::pair{plain, "rigid bodies"}, {full, "rigid bodies with frames, joints, contacts and forces"}}) {
    const Similarity found = compare(*renderer_, rigid_set(), view, 1280, 720, name);
    EXPECT_GT(found.pixels, 20000U);
    test::record_case("render", std::string("software beside OpenGL: ") + name, found.mean, 1, 0.1,
                      "structural similarity");
    EXPECT_GE(found.mean, 0.9) << name;
  }
}

TEST_F(RenderAgreement, MembersOfFlocksLookAlikeNearAndFar) {
  for (const auto& [count, half_m, name] : {std::tuple{std::size_t{120}, 0.10F, "fish and birds"},
                                            {std::size_t{5000}, 0.015F, "fish and birds, far off"}}) {
    Snapshot s;
    s.epoch = 1;
    s.colliders = {ground()};
    s.systems.push_back(school(count, fish_look(), bird_look(), half_m, 0.8F, Vec3f(0, 1, 0)));
    const Similarity found = compare(*renderer_, s, {}, 1280, 720, name);
    EXPECT_GT(found.pixels, 20000U);
    test::record_case("render", std::string("software beside OpenGL: ") + name, found.mean, 1, 0.1,
                      "structural similarity");
    EXPECT_GE(found.mean, 0.9) << name;
  }
}

/// Returns red minus the larger of green and blue at a pixel.
int redness(const Image& image, int x, int y) {
  const std::size_t i =
      4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x));
  return image.rgba[i] - std::max(image.rgba[i + 1], image.rgba[i + 2]);
}

TEST_F(RenderAgreement, WhatStandsAtTheEdgeOfAWidePictureIsInANarrowOneToo) {
  const Camera camera;
  const Ray ray = camera.ray(8, 180, 640, 360);  // 8 pixels from the left edge of a 16:9 image
  Snapshot s;
  s.systems.push_back(sphere_cloud(1, 0, 0.01F, Vec3f(0, 0, 0)));
  const glm::vec3 place = ray.origin + ray.direction;
  s.systems[0].position[0] = {place.x, place.y, place.z};
  s.systems[0].tint.assign(1, Vec4f(0.9F, 0.05F, 0.02F, 1));
  for (const auto& [width, height] : {std::pair{640, 360}, {320, 240}, {240, 240}}) {
    Studio studio;
    const Pair both = studio.shoot(*renderer_, s, camera, {}, width, height);
    const int x = 8 * width / 640, y = height / 2;
    EXPECT_GT(redness(both.gl, x, y), 60) << width << " x " << height;
    EXPECT_GT(redness(both.software, x, y), 60) << width << " x " << height;
    EXPECT_LT(redness(both.gl, width / 2, y), 20) << "the ball must not be seen elsewhere";
  }
}

}  // namespace
}  // namespace vw
