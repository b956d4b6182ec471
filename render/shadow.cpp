// The sun's depth map, and the contact map: a coarse picture of what stands close above the ground, blurred.
#include <algorithm>
#include <cmath>

#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/type_ptr.hpp>

#include "render/stage.h"

namespace vw {
namespace {

constexpr int contact_px = 128;

void make_shadow_target(Stage& stage, int size_px) {
  if (stage.shadow_px == size_px) return;
  stage.shadow_px = size_px;
  stage.shadow_map = make_texture(GL_TEXTURE_2D);
  const GLuint map = stage.shadow_map.id();
  glTextureStorage2D(map, 1, GL_DEPTH_COMPONENT24, size_px, size_px);
  glTextureParameteri(map, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glTextureParameteri(map, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(map, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(map, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  stage.shadow_target = make_framebuffer();
  glNamedFramebufferTexture(stage.shadow_target.id(), GL_DEPTH_ATTACHMENT, map, 0);
  glNamedFramebufferDrawBuffer(stage.shadow_target.id(), GL_NONE);
}

void set_light_matrices(Stage& stage, const Bounds3& box, int size_px) {
  const float r = std::max(box.radius() * 1.02F, 1e-4F);
  const glm::vec3 sun(stage.block.sun), c = box.center();
  const glm::mat4 view = glm::lookAt(c + 2 * r * sun, c, glm::vec3(0, 0, 1));
  stage.light_clip = glm::ortho(-r, r, -r, r, 0.5F * r, 6 * r) * view;  // reaches past the box: the ground that catches its shadow
  const glm::mat4 half = glm::translate(glm::mat4(1), glm::vec3(0.5F)) * glm::scale(glm::mat4(1), glm::vec3(0.5F));
  stage.block.light_from_world = half * stage.light_clip;
  stage.block.sun.w = 1.0F / static_cast<float>(size_px);
}

}  // namespace

void draw_shadow_map(Stage& stage, const std::vector<Figure>& figures, std::size_t count, const Snapshot& snapshot, bool colliders,
                     const Bounds3& box, int size_px) {
  set_light_matrices(stage, box, size_px);
  make_shadow_target(stage, size_px);
  stage.upload_frame();
  glBindFramebuffer(GL_FRAMEBUFFER, stage.shadow_target.id());
  glViewport(0, 0, size_px, size_px);
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LESS);
  glClear(GL_DEPTH_BUFFER_BIT);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(2.0F, 4.0F);
  const float* light = glm::value_ptr(stage.light_clip);
  for (std::size_t f = 0; f < count; ++f) {
    const bool skin = figures[f].look == Look::voxels && figures[f].skin != nullptr;
    stage.use(skin ? Pass::depth_skin : Pass::depth_sphere);
    glUniformMatrix4fv(0, 1, GL_FALSE, light);
    if (skin)
      stage.draw_skin(f);
    else
      stage.draw_spheres(f, figures[f].places.size());
  }
  stage.use(Pass::depth_mesh);
  glUniformMatrix4fv(0, 1, GL_FALSE, light);
  for (const ColliderSnapshot& collider : snapshot.colliders) {
    if (!colliders || collider.kind == ColliderSnapshot::Kind::plane) continue;
    const Mesh& mesh = collider.kind == ColliderSnapshot::Kind::sphere ? stage.sphere : stage.box;
    const glm::mat4 place = matrix_of(collider);
    glUniformMatrix4fv(4, 1, GL_FALSE, glm::value_ptr(place));
    glBindVertexArray(mesh.array.id());
    glDrawElements(GL_TRIANGLES, mesh.count, GL_UNSIGNED_INT, nullptr);
  }
  glDisable(GL_POLYGON_OFFSET_FILL);
  glBindTextureUnit(0, stage.shadow_map.id());
}

namespace {

/// Box blur along rows or columns, three of which come near a Gaussian.
void blur(const std::vector<float>& from, std::vector<float>& to, int stride, int across, int radius) {
  for (int line = 0; line < contact_px; ++line) {
    float sum = 0;
    const auto at = [&](int i) { return static_cast<std::size_t>(line * across + std::clamp(i, 0, contact_px - 1) * stride); };
    for (int i = -radius; i <= radius; ++i) sum += from[at(i)];
    for (int i = 0; i < contact_px; ++i) {
      to[at(i)] = sum / static_cast<float>(2 * radius + 1);
      sum += from[at(i + radius + 1)] - from[at(i - radius)];
    }
  }
}

struct Footprint {
  glm::vec2 corner{0};
  float cell_m = 1, reach_m = 1, ground_m = 0;

  /// Darkens the cells below a square of half width h whose underside is `lift` above the ground.
  void add(std::vector<float>& cells, const glm::vec3& p, float h) const {
    const float lift = std::max(p.y - h - ground_m, 0.0F);
    if (!(lift < reach_m) || !std::isfinite(p.x + p.z)) return;
    const float near = 1 - lift / reach_m, weight = near * near;
    const glm::vec2 low = (glm::vec2(p.x, p.z) - h - corner) / cell_m, high = (glm::vec2(p.x, p.z) + h - corner) / cell_m;
    const auto first = glm::clamp(glm::ivec2(glm::floor(low)), 0, contact_px - 1), last = glm::clamp(glm::ivec2(glm::floor(high)), 0, contact_px - 1);
    for (int z = first.y; z <= last.y; ++z)
      for (int x = first.x; x <= last.x; ++x) {
        const float cx = std::min(high.x, static_cast<float>(x + 1)) - std::max(low.x, static_cast<float>(x));
        const float cz = std::min(high.y, static_cast<float>(z + 1)) - std::max(low.y, static_cast<float>(z));
        float& cell = cells[static_cast<std::size_t>(z * contact_px + x)];
        cell = std::max(cell, weight * std::clamp(cx, 0.0F, 1.0F) * std::clamp(cz, 0.0F, 1.0F));
      }
  }
};

}  // namespace

void ContactMap::draw(Stage& stage, const std::vector<Figure>& figures, std::size_t count, const Snapshot& snapshot, bool colliders, float ground_m) {
  const Bounds3 box = scene_bounds(snapshot);
  const glm::vec3 side = box.max - box.min;
  const float width = 1.5F * std::max(side.x, side.z) + 0.05F * side.y + 1e-4F;
  const Footprint print{glm::vec2(box.center().x, box.center().z) - 0.5F * width, width / contact_px, 0.10F * std::max({side.x, side.z, side.y}),
                        ground_m};
  cells_.assign(static_cast<std::size_t>(contact_px) * contact_px, 0.0F);
  blurred_.resize(cells_.size());
  for (std::size_t f = 0; f < count; ++f)
    for (const glm::vec4& place : figures[f].places) print.add(cells_, glm::vec3(place), place.w);
  for (const ColliderSnapshot& collider : snapshot.colliders) {
    if (!colliders || collider.kind == ColliderSnapshot::Kind::plane) continue;
    const float h = collider.half_extent.x();
    print.add(cells_, {collider.position.x(), collider.position.y(), collider.position.z()},
              collider.kind == ColliderSnapshot::Kind::sphere ? h * 0.8F : h);
  }
  for (int pass = 0; pass < 3; ++pass) {
    blur(cells_, blurred_, 1, contact_px, 2);
    blur(blurred_, cells_, contact_px, 1, 2);
  }
  bytes_.resize(cells_.size());
  for (std::size_t i = 0; i < cells_.size(); ++i) bytes_[i] = static_cast<std::uint8_t>(std::clamp(0.72F * cells_[i], 0.0F, 1.0F) * 255 + 0.5F);
  if (!stage.contact_map) {
    stage.contact_map = make_texture(GL_TEXTURE_2D);
    glTextureStorage2D(stage.contact_map.id(), 1, GL_R8, contact_px, contact_px);
    glTextureParameteri(stage.contact_map.id(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  }
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTextureSubImage2D(stage.contact_map.id(), 0, 0, 0, contact_px, contact_px, GL_RED, GL_UNSIGNED_BYTE, bytes_.data());
  glBindTextureUnit(1, stage.contact_map.id());
  stage.block.contact_box = {print.corner, 1 / width, 1 / width};
}

}  // namespace vw
