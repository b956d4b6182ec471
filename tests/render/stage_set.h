// Synthetic snapshots: a bent voxel block with its skin, a cloud of spheres, the ground and obstacles. The file also
// has a test fixture with a renderer and its OpenGL context.
#pragma once

#include <glad/gl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>

#include "render/gl/context.h"
#include "render/renderer.h"

namespace vw {

/// Returns the largest difference of two colours in one component.
inline int difference(const glm::ivec3& a, const glm::ivec3& b) {
  const glm::ivec3 d = glm::abs(a - b);
  return std::max({d.r, d.g, d.b});
}

/// Returns a block of nx x ny x nz voxels at `base`, bent about z by `bend` radians over the length of the block.
inline SystemSnapshot voxel_block(int nx, int ny, int nz, float edge, float bend, const Vec3f& base,
                                  bool holes = false) {
  SystemSnapshot s;
  s.name = "block";
  s.kind = "voxel_body";
  s.use_look<VoxelLook>();
  std::map<std::tuple<int, int, int>, int> at;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        if (holes && y < ny / 2 && (x / 3) % 2 == 1) continue;
        at[{x, y, z}] = static_cast<int>(s.position.size());
        const float length = edge * static_cast<float>(nx),
                    t = (static_cast<float>(x) + 0.5F) / static_cast<float>(nx) - 0.5F;
        const float angle = bend * t, h = edge * (static_cast<float>(y) + 0.5F),
                    radius = std::abs(bend) > 1e-6F ? length / bend : 0;
        const Vec3f place = radius == 0
                                ? Vec3f(length * t, h, 0)
                                : Vec3f((radius - h) * std::sin(angle), radius - (radius - h) * std::cos(angle), 0);
        s.position.push_back(base + place +
                             Vec3f(0, 0, edge * (static_cast<float>(z) + 0.5F - 0.5F * static_cast<float>(nz))));
        s.orientation.emplace_back(Eigen::AngleAxisf(angle, Vec3f::UnitZ()));
        s.velocity.emplace_back(0.2F * std::sin(6 * t), 0.5F * t, 0.1F);
        s.size.push_back(edge);
        s.id.push_back(static_cast<std::uint32_t>(s.id.size()));
        s.material.push_back(static_cast<std::uint8_t>((x / 3) % 2));
      }
  s.palette = {Vec3f(0.75F, 0.16F, 0.07F), Vec3f(0.06F, 0.32F, 0.55F)};
  s.palette_names = {"muscle", "tissue"};
  s.available = {{"speed", "m/s"}, {.name = "strain", .unit = "", .is_signed = true}};
  Channel speed{"speed", {}}, strain{"strain", {}};
  for (std::size_t i = 0; i < s.position.size(); ++i) {
    speed.values.push_back(s.velocity[i].norm());
    strain.values.push_back(0.1F * std::sin(9 * s.position[i].x() / edge * 0.1F));
  }
  s.channels = {speed, strain};
  auto skin = std::make_shared<VoxelSkin>();
  skin->edge_m = edge;
  std::map<std::tuple<int, int, int>, int> corner;
  const auto corner_at = [&](int x, int y, int z) {
    const auto [it, made] = corner.emplace(std::tuple{x, y, z}, static_cast<int>(skin->vertices.size()));
    if (made) {
      VoxelSkin::Vertex vertex{};
      vertex.voxel.fill(-1);
      std::size_t n = 0;
      for (unsigned c = 0; c < 8; ++c) {
        const auto found = at.find(
            {x - static_cast<int>(c & 1U), y - static_cast<int>(c >> 1U & 1U), z - static_cast<int>(c >> 2U & 1U)});
        if (found == at.end()) continue;
        vertex.voxel[n] = found->second;
        vertex.corner[n++] = static_cast<std::uint8_t>(c);
      }
      skin->vertices.push_back(vertex);
    }
    return it->second;
  };
  for (const auto& [cell, index] : at)
    for (std::uint8_t face = 0; face < 6; ++face) {
      const int axis = face / 2, side = face % 2;
      std::array<int, 3> p{std::get<0>(cell), std::get<1>(cell), std::get<2>(cell)}, next = p;
      next[static_cast<std::size_t>(axis)] += side == 1 ? 1 : -1;
      if (at.contains({next[0], next[1], next[2]})) continue;
      VoxelSkin::Quad quad{};
      quad.voxel = index;
      quad.face = face;
      constexpr int round[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
      for (std::size_t c = 0; c < 4; ++c) {
        const int* uv = round[side == 1 ? c : 3 - c];
        std::array<int, 3> q = p;
        q[static_cast<std::size_t>(axis)] += side;
        q[static_cast<std::size_t>((axis + 1) % 3)] += uv[0];
        q[static_cast<std::size_t>((axis + 2) % 3)] += uv[1];
        quad.vertex[c] = corner_at(q[0], q[1], q[2]);
      }
      skin->quads.push_back(quad);
    }
  s.use_look<VoxelLook>().skin = skin;
  return s;
}

/// Returns spheres on a jittered lattice in a cube of half width `half` about `center`.
inline SystemSnapshot sphere_cloud(int side, float half, float radius, const Vec3f& center) {
  SystemSnapshot s;
  s.name = "cloud";
  s.kind = "particles";
  const auto wave = [](int a) { return std::sin(12.9898F * static_cast<float>(a)); };
  for (int i = 0; i < side * side * side; ++i) {
    const Vec3f cell(static_cast<float>(i % side), static_cast<float>(i / side % side),
                     static_cast<float>(i / side / side));
    const Vec3f jitter(wave(i), wave(3 * i + 1), wave(7 * i + 2));
    s.position.emplace_back(center + half * (2 * (cell + 0.4F * jitter) / static_cast<float>(side) - Vec3f::Ones()));
    s.velocity.emplace_back(0.3F + 0.1F * jitter.x(), 0.2F * jitter.y(), 0.2F * jitter.z());
    s.size.push_back(radius);
    s.id.push_back(static_cast<std::uint32_t>(i));
    s.material.push_back(0);
  }
  s.palette = {Vec3f(0.80F, 0.62F, 0.25F)};
  s.palette_names = {"sand"};
  return s;
}

inline ColliderSnapshot obstacle(const char* name, ColliderSnapshot::Kind kind, const Vec3f& position,
                                 const Quatf& orientation, const Vec3f& half_extent, const Vec3f& color) {
  ColliderSnapshot out;
  out.name = name;
  out.kind = kind;
  out.position = position;
  out.orientation = orientation;
  out.half_extent = half_extent;
  out.color = color;
  return out;
}
inline ColliderSnapshot ground() {
  return obstacle("ground", ColliderSnapshot::Kind::plane, Vec3f::Zero(), Quatf::Identity(), Vec3f::Ones(),
                  {0.5F, 0.5F, 0.5F});
}
/// Returns a square of 2 m x 2 m in the plane z = 0 that faces +z.
inline ColliderSnapshot red_sheet() {
  auto mesh = std::make_shared<SurfaceMesh>();
  mesh->position = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  mesh->normal.assign(4, Vec3f(0, 0, 1));
  mesh->triangle = {{0, 1, 2}, {0, 2, 3}};
  ColliderSnapshot sheet = obstacle("sheet", ColliderSnapshot::Kind::mesh, Vec3f::Zero(), Quatf::Identity(),
                                    Vec3f::Ones(), {0.8F, 0.1F, 0.1F});
  sheet.mesh = mesh;
  return sheet;
}

/// Returns a scene with a bent block, a cloud of spheres, a ball, a wall and the ground.
inline Snapshot stage_set() {
  Snapshot s;
  s.epoch = 1;
  s.colliders = {ground()};
  s.colliders.push_back(obstacle("ball", ColliderSnapshot::Kind::sphere, Vec3f(-0.14F, 0.04F, 0.05F), Quatf::Identity(),
                                 Vec3f::Constant(0.04F), {0.42F, 0.45F, 0.40F}));
  s.colliders.push_back(obstacle("wall", ColliderSnapshot::Kind::box, Vec3f(0.16F, 0.025F, -0.05F),
                                 Quatf(Eigen::AngleAxisf(0.4F, Vec3f::UnitY())), Vec3f(0.02F, 0.025F, 0.07F),
                                 {0.5F, 0.44F, 0.36F}));
  s.systems.push_back(voxel_block(18, 6, 6, 0.01F, 0.5F, Vec3f(0, 0, 0), true));
  s.systems.push_back(sphere_cloud(8, 0.06F, 0.004F, Vec3f(0.02F, 0.15F, -0.08F)));
  return s;
}

/// Returns a camera at a distance of one metre that looks along -z at the origin.
inline Camera straight_on() {
  Camera camera;
  camera.eye = {0, 0, 1};
  camera.target = {0, 0, 0};
  return camera;
}

/// Writes the image into $VOXWAKE_LOOK for visual inspection if this variable is set.
inline void write_ppm(const Image& image, const std::string& name) {
  const char* folder = std::getenv("VOXWAKE_LOOK");
  std::FILE* file = folder == nullptr ? nullptr : std::fopen((std::string(folder) + "/" + name + ".ppm").c_str(), "wb");
  if (file == nullptr) return;
  std::fprintf(file, "P6 %d %d 255\n", image.width, image.height);
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) std::fwrite(&image.rgba[i], 1, 3, file);
  std::fclose(file);
}

/// Fixture with one context and one renderer for all tests. It counts the driver's error messages.
class RenderTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto made = OffscreenContext::create(GlChecks::debug);
    ASSERT_TRUE(made) << made.error().message();
    context_ = std::move(*made);
    const char* driver = std::getenv("VOXWAKE_DRIVER");  // set by tools/second-driver.sh
    ASSERT_NE(gl_description().find(driver == nullptr ? "" : driver), std::string::npos) << gl_description();
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(
        [](GLenum, GLenum type, GLuint, GLenum severity, GLsizei, const GLchar* text, const void*) {
          const bool chat =
              type == GL_DEBUG_TYPE_PERFORMANCE || type == GL_DEBUG_TYPE_MARKER || type == GL_DEBUG_TYPE_OTHER;
          if (severity == GL_DEBUG_SEVERITY_NOTIFICATION || (chat && severity == GL_DEBUG_SEVERITY_LOW)) return;
          ADD_FAILURE() << text;
        },
        nullptr);
    auto renderer = Renderer::create();
    ASSERT_TRUE(renderer) << renderer.error().message();
    renderer_ = std::move(*renderer);
  }
  static void TearDownTestSuite() {
    renderer_.reset();
    context_.reset();
  }
  void TearDown() override { EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR)); }

  static Image shot(const Snapshot& snapshot, const Camera& camera, const ViewParams& view = {}, int width = 320,
                    int height = 240, bool legend = false) {
    auto image = renderer_->draw_image({nullptr, &snapshot, 1}, camera, view, {}, width, height,
                                       legend ? LegendOverlay::drawn : LegendOverlay::none);
    EXPECT_TRUE(image) << image.error().message();
    return image ? std::move(*image) : Image{};
  }
  static glm::ivec3 at(const Image& image, int x, int y) {
    const std::uint8_t* p = &image.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                             static_cast<std::size_t>(x))];
    return {p[0], p[1], p[2]};
  }

  static inline std::unique_ptr<OffscreenContext> context_;
  static inline std::unique_ptr<Renderer> renderer_;
};

}  // namespace vw
