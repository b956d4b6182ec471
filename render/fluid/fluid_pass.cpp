#include "render/fluid/fluid_pass.h"

#include <algorithm>
#include <optional>

#include <glm/gtc/type_ptr.hpp>

#include "render/fluid/refraction.h"
#include "render/gl/stage.h"

namespace vw {
namespace {

/// Standard deviation of the smoothing filter, in units of the particle spacing.
constexpr float smooth_share = 1.0F;
/// Standard deviation of the blur of the thickness, in units of the particle spacing, and its maximum [px].
constexpr float blur_share = 0.6F, most_blur_px = 16;
/// Maximum radius of the filter in maps of half resolution [px].
constexpr int most_filter_px_half = 8;

/// Rectangle of a picture [px], relative to the lower left corner.
struct Rectangle {
  int x = 0, y = 0, width = 0, height = 0;
};

/// Rectangle of the target in which the fluid may be visible. Full-screen passes are restricted to it.
Rectangle part_of(const Stage& stage, const FluidCloud& cloud, const FluidTarget& target) {
  const Bounds3 box = cloud.bounds();
  glm::vec2 low(1), high(-1);
  for (unsigned k = 0; k < 8; ++k) {
    const glm::vec3 side((k & 1U) != 0 ? 1 : -1, (k & 2U) != 0 ? 1 : -1, (k & 4U) != 0 ? 1 : -1);
    const glm::vec4 at = stage.block.clip_from_world *
                         glm::vec4(box.center() + side * (0.5F * (box.max - box.min) + cloud.spacing_m()), 1);
    if (!(at.w > 0) || at.z < -at.w) return {0, 0, target.width, target.height};
    low = glm::min(low, glm::vec2(at) / at.w);
    high = glm::max(high, glm::vec2(at) / at.w);
  }
  const glm::vec2 size(static_cast<float>(target.width), static_cast<float>(target.height));
  const auto pixels = [&](const glm::vec2& p) { return glm::clamp((0.5F + 0.5F * p) * size, glm::vec2(0), size); };
  const glm::ivec2 first(glm::floor(pixels(low))), last(glm::ceil(pixels(high)));
  // Round down to even pixels, so that each pixel of a half-resolution map is complete.
  const glm::ivec2 even = first / 2 * 2;
  return {even.x, even.y, std::max(last.x - even.x, 0), std::max(last.y - even.y, 0)};
}

void look_only_at(const Rectangle& part, bool half) {
  const int by = half ? 2 : 1;
  glScissor(part.x / by, part.y / by, (part.width + by - 1) / by, (part.height + by - 1) / by);
}

void clear_to_zero(const GlFramebuffer& framebuffer, GLint attachment) {
  constexpr std::array<float, 4> zero{};
  glClearNamedFramebufferfv(framebuffer.id(), GL_COLOR, attachment, zero.data());
}

/// Copies the scene behind the fluid to textures, because a target cannot be sampled while it is written. At half
/// resolution, the copied rectangle includes a margin for the largest displacement by refraction. At full resolution,
/// the whole picture is copied, because reflections may show any part of it.
void copy_scene(const FluidBuffers& fluid, const FluidTarget& target, const Rectangle& part) {
  const int far = target.half ? largest_shift_px + 2 : std::max(target.width, target.height);
  const int x0 = std::max(part.x - far, 0), x1 = std::min(part.x + part.width + far, target.width),
            y0 = std::max(part.y - far, 0), y1 = std::min(part.y + part.height + far, target.height);
  const auto copy = [&](GLbitfield what) {
    glBlitNamedFramebuffer(target.framebuffer, fluid.scene.id(), x0, y0, x1, y1, x0, y0, x1, y1, what, GL_NEAREST);
  };
  glEnable(GL_FRAMEBUFFER_SRGB);  // average samples in linear light
  copy(GL_COLOR_BUFFER_BIT);
  glDisable(GL_FRAMEBUFFER_SRGB);
  copy(GL_DEPTH_BUFFER_BIT);
}

/// Whether the scene must be copied. At half resolution, the surface is drawn into its own texture. The shader can then
/// sample the textures of the target directly, if there are any.
bool needs_copy(const FluidTarget& target) { return !target.half || target.color == 0; }

/// Range of the depths of the particle centres along the view direction [m].
struct DepthRange {
  float near = 0, far = 1;
};
DepthRange depths_of(const Stage& stage, const FluidCloud& cloud) {
  const Bounds3 box = cloud.bounds();
  const glm::vec3 forward = glm::cross(glm::vec3(stage.block.up), glm::vec3(stage.block.right)),
                  half = 0.5F * (box.max - box.min);
  const float middle = glm::dot(box.center() - glm::vec3(stage.block.eye), forward),
              reach = glm::dot(half, glm::abs(forward)) + cloud.spacing_m();
  return {middle - reach, std::max(middle + reach, 1e-6F)};
}

/// Size of an object of 1 m at a depth of 1 m, in pixels of the map. `by`: width of a map pixel in pixels of the
/// picture.
float pixels_at_one(const Stage& stage, int by) { return 1 / (stage.block.eye.w * static_cast<float>(by)); }

/// Whether balls are drawn as points. Points are cheaper to draw, but inaccurate if they are large.
bool as_points(const Stage& stage, const FluidCloud& cloud, const FluidTarget& target) {
  constexpr float largest_px = 14;
  const float near = depths_of(stage, cloud).near;
  return target.half && near > 0 && fluid_ball_share * cloud.spacing_m() * pixels_at_one(stage, 2) / near < largest_px;
}

void draw_points(Stage& stage, const FluidCloud& cloud, std::size_t count, int by) {
  stage.fluid.places.bind_storage(0);
  stage.fluid.colors.bind_storage(3);
  glUniform2f(0, pixels_at_one(stage, by), 1 / depths_of(stage, cloud).far);
  stage.draw_points(count);
}

void draw_balls(Stage& stage, const FluidCloud& cloud, std::size_t count) {
  stage.fluid.places.bind_storage(0);
  stage.fluid.colors.bind_storage(3);
  glUniform1f(1, cloud.spacing_m());
  stage.draw_strips(count);
}

void draw_depths(Stage& stage, const FluidCloud& cloud, bool points) {
  const FluidBuffers& fluid = stage.fluid;
  glBindFramebuffer(GL_FRAMEBUFFER, fluid.balls.id());
  glViewport(0, 0, fluid.width, fluid.height);
  clear_to_zero(fluid.balls, 0);
  clear_to_zero(fluid.balls, 1);
  constexpr float far = 1;
  glDepthMask(GL_TRUE);
  glClearNamedFramebufferfv(fluid.balls.id(), GL_DEPTH, 0, &far);
  glDisable(GL_BLEND);
  glDepthFunc(GL_LESS);
  stage.use(points ? Pass::fluid_depth_points : Pass::fluid_depth);
  points ? draw_points(stage, cloud, cloud.shell(), 2) : draw_balls(stage, cloud, cloud.shell());
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_FALSE);
}

void draw_thickness(Stage& stage, const FluidCloud& cloud, const FluidTarget& target, bool points) {
  const FluidBuffers& fluid = stage.fluid;
  glBindFramebuffer(GL_FRAMEBUFFER, fluid.thick_target.id());
  const int width = (fluid.width + 1) / 2, height = (fluid.height + 1) / 2;
  glViewport(0, 0, width, height);
  clear_to_zero(fluid.thick_target, 0);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  stage.use(points ? Pass::fluid_thickness_points : Pass::fluid_thickness);
  glBindTextureUnit(5, needs_copy(target) ? fluid.scene_depth.id() : target.depth);
  points ? draw_points(stage, cloud, cloud.places().size(), 4) : draw_balls(stage, cloud, cloud.places().size());
}

/// While an object of this class exists, full-screen passes run only on pixels that show balls. The depth buffer holds
/// the depths of the balls, and the pass draws behind them with an inverted depth test. Discarding fragments in the
/// shader instead would save nothing on software rasterisers.
class WhereBallsAre {
 public:
  WhereBallsAre() {
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_GREATER);
    glDepthRange(1, 1);
    glDepthMask(GL_FALSE);
  }
  ~WhereBallsAre() {
    glDepthRange(0, 1);
    glDepthFunc(GL_LEQUAL);
    glDisable(GL_DEPTH_TEST);
  }
  WhereBallsAre(const WhereBallsAre&) = delete;
  WhereBallsAre& operator=(const WhereBallsAre&) = delete;
};

/// Applies a separable filter along x and along y. At full resolution, the filter is applied twice, because the first
/// application leaves streaks along the axes.
void smooth(Stage& stage, const FluidCloud& cloud, const FluidTarget& target) {
  const WhereBallsAre only;
  const FluidBuffers& fluid = stage.fluid;
  const float per_distance = 1 / (stage.block.eye.w * (target.half ? 2.0F : 1.0F)), spacing = cloud.spacing_m();
  glViewport(0, 0, fluid.width, fluid.height);
  glDisable(GL_BLEND);
  stage.use(target.half ? Pass::fluid_smooth_simple : Pass::fluid_smooth);
  glBindVertexArray(stage.empty.id());
  std::size_t from = 0;
  for (int round = 0; round < (target.half ? 1 : 2); ++round)
    for (int axis = 0; axis < 2; ++axis, from = 1 - from) {
      glBindFramebuffer(GL_FRAMEBUFFER, fluid.maps[1 - from].id());
      glBindTextureUnit(2, fluid.depths[from].id());
      glUniform2i(0, 1 - axis, axis);
      glUniform4f(1, (round == 0 ? smooth_share : 0.6F * smooth_share) * spacing * per_distance,
                  static_cast<float>(target.half ? most_filter_px_half : most_filter_px), 2 * spacing, spacing);
      glDrawArrays(GL_TRIANGLES, 0, 3);
    }
}

/// Replaces the smoothed depths of the balls by those of the mesh, where there is one.
void draw_mesh_depths(Stage& stage) {
  const FluidBuffers& fluid = stage.fluid;
  if (fluid.surface.count == 0) return;
  constexpr float far = 1;
  glBindFramebuffer(GL_FRAMEBUFFER, fluid.mesh_target.id());
  glViewport(0, 0, fluid.width, fluid.height);
  glDepthMask(GL_TRUE);
  glClearNamedFramebufferfv(fluid.mesh_target.id(), GL_DEPTH, 0, &far);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LESS);
  glDisable(GL_BLEND);
  stage.use(Pass::fluid_mesh);
  // The smoothed depths are in depths[0], which this pass overwrites. The shader reads the copy in depths[1].
  glCopyImageSubData(fluid.depths[0].id(), GL_TEXTURE_2D, 0, 0, 0, 0, fluid.depths[1].id(), GL_TEXTURE_2D, 0, 0, 0, 0,
                     fluid.width, fluid.height, 1);
  glBindTextureUnit(2, fluid.depths[1].id());
  glBindVertexArray(fluid.surface.array.id());
  glDrawElements(GL_TRIANGLES, fluid.surface.count, GL_UNSIGNED_INT, nullptr);
  glBindVertexArray(stage.empty.id());
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_FALSE);
  glDisable(GL_DEPTH_TEST);
}

/// Blurs the thickness at full resolution. Returns the texture that the surface reads.
GLuint blur_thickness(Stage& stage, const FluidCloud& cloud, const FluidTarget& target) {
  const FluidBuffers& fluid = stage.fluid;
  if (target.half) return fluid.thickness.id();
  const DepthRange range = depths_of(stage, cloud);
  const float middle = 0.5F * (std::max(range.near, 0.1F * range.far) + range.far);
  const float deviation =
      std::clamp(blur_share * cloud.spacing_m() * pixels_at_one(stage, 2) / middle, 0.3F, most_blur_px);
  glViewport(0, 0, (fluid.width + 1) / 2, (fluid.height + 1) / 2);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  stage.use(Pass::fluid_blur);
  glBindVertexArray(stage.empty.id());
  glUniform1f(1, deviation);
  glUniform1f(2, cloud.spacing_m());
  for (int axis = 0; axis < 2; ++axis) {
    glBindFramebuffer(GL_FRAMEBUFFER, fluid.blurred_targets[static_cast<std::size_t>(axis)].id());
    glBindTextureUnit(2, axis == 0 ? fluid.thickness.id() : fluid.blurred[0].id());
    glUniform2i(0, 1 - axis, axis);
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }
  return fluid.blurred[1].id();
}

/// Sets the uniforms of the wall planes. The planes are relative to the eye, so that single precision suffices.
void set_walls(const Stage& stage, const FluidWalls& walls) {
  std::array<glm::vec4, FluidWalls::most> from_eye;
  for (std::size_t k = 0; k < walls.count; ++k)
    from_eye[k] = glm::vec4(glm::vec3(walls.planes[k]),
                            walls.planes[k].w + glm::dot(glm::vec3(walls.planes[k]), glm::vec3(stage.block.eye)));
  glUniform1i(1, static_cast<GLint>(walls.count));
  glUniform4fv(2, static_cast<GLsizei>(walls.count), glm::value_ptr(from_eye[0]));
}

/// Draws the surface into the target. At half resolution, the surface is drawn into its own texture.
void draw_surface(Stage& stage, const FluidCloud& cloud, const FluidTarget& target, GLuint thickness) {
  const FluidBuffers& fluid = stage.fluid;
  glBindFramebuffer(GL_FRAMEBUFFER, target.half ? fluid.shaded_target.id() : target.framebuffer);
  glBindTextureUnit(2, fluid.depths[0].id());
  glBindTextureUnit(3, fluid.tints.id());
  glBindTextureUnit(4, thickness);
  glBindTextureUnit(6, needs_copy(target) ? fluid.scene_color.id() : target.color);
  // At half resolution, the surface is stored without blending, and alpha holds the coverage.
  if (target.half) {
    glDisable(GL_BLEND);
  } else {
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  }
  stage.use(target.half ? Pass::fluid_surface_simple : Pass::fluid_surface);
  glUniform4f(0, cloud.clarity_m(), cloud.is_channel() ? 1.0F : 0.0F, cloud.spacing_m(), 0.5F * cloud.spacing_m());
  set_walls(stage, cloud.walls());
  const std::uint32_t around = cloud.around_eye().value_or(0);
  const auto part = [around](unsigned shift) { return static_cast<float>(around >> shift & 0xFFU) / 255; };
  glUniform4f(10, part(0), part(8), part(16), cloud.around_eye() ? 1.0F : 0.0F);
  if (!target.half) {
    glUniform1i(11, (target.has_far[0] ? 1 : 0) + (target.has_far[1] ? 2 : 0));
    glUniform1i(12, target.rays);
    glUniform1i(13, fluid.surface.count > 0 ? 1 : 0);
    // Every map of the shader must be bound, even if it is not looked up (Renderer::Impl::light()). This texture is
    // bound in place of maps that do not exist.
    const GLuint unused = fluid.depths[0].id();
    glBindTextureUnit(12, fluid.mesh_normals ? fluid.mesh_normals.id() : unused);
    constexpr std::array<GLuint, 2> depth_units{8, 13}, color_units{9, 14};
    for (std::size_t k = 0; k < 2; ++k) {
      glBindTextureUnit(depth_units[k], target.has_far[k] ? fluid.far[k].depth.id() : unused);
      glBindTextureUnit(color_units[k], target.has_far[k] ? fluid.far[k].color.id() : unused);
    }
    glBindTextureUnit(10, target.has_far[0] || target.has_far[1] ? fluid.back_depth.id() : unused);
  }
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void spread_surface(Stage& stage, const FluidTarget& target, bool tested) {
  const FluidBuffers& fluid = stage.fluid;
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
  glViewport(0, 0, target.width, target.height);
  glBindTextureUnit(3, fluid.shaded.id());
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  if (tested) glEnable(GL_DEPTH_TEST);
  stage.use(Pass::fluid_spread);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace

void FluidBuffers::upload(const FluidCloud& cloud) {
  if (cloud.empty()) return;
  places.fill(std::span<const glm::vec4>(cloud.places()));
  colors.fill(std::span<const std::uint32_t>(cloud.colors()));
  cloud.surface().triangle.empty() ? void(surface.count = 0) : surface.upload(cloud.surface());
}

void FluidBuffers::size(const FluidTarget& target) {
  if (target.width != scene_width || target.height != scene_height) {
    scene_width = target.width;
    scene_height = target.height;
    scene = make_framebuffer();
    scene_color = make_map(GL_SRGB8_ALPHA8, target.width, target.height, GL_LINEAR);
    scene_depth = make_map(GL_DEPTH_COMPONENT32F, target.width, target.height, GL_NEAREST);
    glNamedFramebufferTexture(scene.id(), GL_COLOR_ATTACHMENT0, scene_color.id(), 0);
    glNamedFramebufferTexture(scene.id(), GL_DEPTH_ATTACHMENT, scene_depth.id(), 0);
  }
  const int w = target.half ? (target.width + 1) / 2 : target.width,
            h = target.half ? (target.height + 1) / 2 : target.height;
  if (w == width && h == height && static_cast<bool>(shaded) == target.half) return;
  width = w;
  height = h;
  for (std::size_t k = 0; k < 2; ++k) {
    maps[k] = make_framebuffer();
    depths[k] = make_map(GL_RG32F, w, h, GL_NEAREST);
    glNamedFramebufferTexture(maps[k].id(), GL_COLOR_ATTACHMENT0, depths[k].id(), 0);
  }
  balls = make_framebuffer();
  tints = make_map(GL_RGBA8, w, h, GL_NEAREST);
  glNamedFramebufferTexture(balls.id(), GL_COLOR_ATTACHMENT0, depths[0].id(), 0);
  glNamedFramebufferTexture(balls.id(), GL_COLOR_ATTACHMENT1, tints.id(), 0);
  constexpr auto both = std::to_array<GLenum>({GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1});
  glNamedFramebufferDrawBuffers(balls.id(), 2, both.data());
  nearest = make_map(GL_DEPTH_COMPONENT32F, w, h, GL_NEAREST);
  glNamedFramebufferTexture(balls.id(), GL_DEPTH_ATTACHMENT, nearest.id(), 0);
  for (const GlFramebuffer& map : maps) glNamedFramebufferTexture(map.id(), GL_DEPTH_ATTACHMENT, nearest.id(), 0);
  mesh_target = {};
  mesh_normals = {};
  if (!target.half) {
    mesh_target = make_framebuffer();
    mesh_normals = make_map(GL_RGBA16F, w, h, GL_NEAREST);
    glNamedFramebufferTexture(mesh_target.id(), GL_COLOR_ATTACHMENT0, depths[0].id(), 0);
    glNamedFramebufferTexture(mesh_target.id(), GL_COLOR_ATTACHMENT1, mesh_normals.id(), 0);
    glNamedFramebufferDrawBuffers(mesh_target.id(), 2, both.data());
    glNamedFramebufferTexture(mesh_target.id(), GL_DEPTH_ATTACHMENT, nearest.id(), 0);
  }
  shaded_target = {};
  shaded = {};
  if (target.half) {
    shaded_target = make_framebuffer();
    shaded = make_map(GL_RGBA8, w, h, GL_LINEAR);
    glNamedFramebufferTexture(shaded_target.id(), GL_COLOR_ATTACHMENT0, shaded.id(), 0);
    glNamedFramebufferTexture(shaded_target.id(), GL_DEPTH_ATTACHMENT, nearest.id(), 0);
  }
  thick_target = make_framebuffer();
  thickness = make_map(target.half ? GL_R32F : GL_RG32F, (w + 1) / 2, (h + 1) / 2, GL_LINEAR);
  glNamedFramebufferTexture(thick_target.id(), GL_COLOR_ATTACHMENT0, thickness.id(), 0);
  for (std::size_t k = 0; k < 2; ++k) {
    blurred[k] = {};
    blurred_targets[k] = {};
    if (target.half) continue;
    blurred[k] = make_map(GL_RGBA16F, (w + 1) / 2, (h + 1) / 2, GL_LINEAR);
    blurred_targets[k] = make_framebuffer();
    glNamedFramebufferTexture(blurred_targets[k].id(), GL_COLOR_ATTACHMENT0, blurred[k].id(), 0);
  }
}

void FluidBuffers::size_far(const FluidTarget& target) {
  if (target.width == far_width && target.height == far_height) return;
  far_width = target.width;
  far_height = target.height;
  for (FarLayer& layer : far) {
    layer.target = make_framebuffer();
    layer.color = make_map(GL_SRGB8_ALPHA8, far_width, far_height, GL_LINEAR);
    layer.depth = make_map(GL_DEPTH_COMPONENT32F, far_width, far_height, GL_NEAREST);
    glNamedFramebufferTexture(layer.target.id(), GL_COLOR_ATTACHMENT0, layer.color.id(), 0);
    glNamedFramebufferTexture(layer.target.id(), GL_DEPTH_ATTACHMENT, layer.depth.id(), 0);
  }
  back_target = make_framebuffer();
  back_depth = make_map(GL_DEPTH_COMPONENT32F, far_width, far_height, GL_NEAREST);
  glNamedFramebufferTexture(back_target.id(), GL_DEPTH_ATTACHMENT, back_depth.id(), 0);
  glNamedFramebufferDrawBuffer(back_target.id(), GL_NONE);
}

void draw_fluid(Stage& stage, const FluidCloud& cloud, const FluidTarget& target) {
  stage.fluid.size(target);
  const Rectangle part = part_of(stage, cloud, target);
  const bool points = as_points(stage, cloud, target);
  if (needs_copy(target)) copy_scene(stage.fluid, target, part);
  // If the eye is inside a fluid, no fluid surface is drawn, and the fluid covers the whole picture.
  const bool within = cloud.around_eye().has_value();
  if (!within) draw_depths(stage, cloud, points);
  draw_thickness(stage, cloud, target, points);
  const GLuint thickness = blur_thickness(stage, cloud, target);
  clear_to_zero(stage.fluid.maps[1], 0);
  if (target.half) clear_to_zero(stage.fluid.shaded_target, 0);
  glEnable(GL_SCISSOR_TEST);
  look_only_at(part, target.half);
  if (!within) smooth(stage, cloud, target);
  if (!within && !target.half) draw_mesh_depths(stage);
  if (target.half) {
    std::optional<WhereBallsAre> only;
    if (!within) only.emplace();
    draw_surface(stage, cloud, target, thickness);
  } else {
    if (!within) glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glEnable(GL_FRAMEBUFFER_SRGB);
    draw_surface(stage, cloud, target, thickness);
  }
  glDepthMask(GL_TRUE);
  look_only_at(part, false);
  if (target.half) spread_surface(stage, target, !within);
  glEnable(GL_DEPTH_TEST);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_FRAMEBUFFER_SRGB);
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
}

}  // namespace vw
