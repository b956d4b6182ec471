// The main view, front to back where it is cheap to: bodies, obstacles, ground, sky; then what is blended.
#include <algorithm>
#include <cmath>

#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/gtc/type_ptr.hpp>

#include "render/stage.h"

namespace vw {
namespace {

glm::vec3 to_glm(const Vec3f& v) { return {v.x(), v.y(), v.z()}; }

int selected_in(const SceneView& scene, const Figure& figure) {
  return !scene.selection.system.empty() && scene.selection.system == figure.name ? static_cast<int>(scene.selection.element) : -1;
}

void draw_figures(Stage& stage, const SceneView& scene) {
  for (std::size_t f = 0; f < scene.count; ++f) {
    const Figure& figure = scene.figures[f];
    const bool skin = figure.look == Look::voxels && figure.skin != nullptr;
    if (scene.quality.simple)
      stage.use(skin ? Pass::skin_simple : Pass::sphere_simple);
    else
      stage.use(skin ? Pass::skin : scene.quality.exact_depth ? Pass::sphere_exact : Pass::sphere);
    glUniform1i(0, selected_in(scene, figure));
    if (skin)
      stage.draw_skin(f);
    else
      stage.draw_spheres(f, figure.places.size());
  }
}

void draw_obstacles(Stage& stage, const SceneView& scene) {
  stage.use(scene.quality.simple ? Pass::mesh_simple : Pass::mesh);
  for (const ColliderSnapshot& collider : scene.snapshot.colliders) {
    if (collider.kind == ColliderSnapshot::Kind::plane) continue;
    const Mesh& mesh = collider.kind == ColliderSnapshot::Kind::sphere ? stage.sphere : stage.box;
    const glm::mat4 place = matrix_of(collider);
    const glm::mat3 normals = glm::transpose(glm::inverse(glm::mat3(place)));
    glUniformMatrix4fv(0, 1, GL_FALSE, glm::value_ptr(place));
    glUniformMatrix3fv(4, 1, GL_FALSE, glm::value_ptr(normals));
    glUniform3fv(5, 1, collider.color.data());
    glBindVertexArray(mesh.array.id());
    glDrawElements(GL_TRIANGLES, mesh.count, GL_UNSIGNED_INT, nullptr);
  }
}

/// Lines every 10^k m, the decade chosen so that some tens of lines cross the picture; the finer ones fade towards the next decade.
glm::vec4 grid_of(const Stage& stage, const glm::vec3& foot, const glm::vec3& u, const glm::vec3& v) {
  const float decades = std::log10(std::max(stage.block.options.z, 1e-6F) * 0.22F);
  const float floor = std::floor(decades), spacing = std::pow(10.0F, floor);
  const auto offset = [&](float x) { return std::fmod(x / spacing, 10.0F); };
  return {offset(glm::dot(foot, u)), offset(glm::dot(foot, v)), 1 / spacing, 1 - 0.85F * (decades - floor)};
}

/// Uniforms of the bound program; false from behind, whence a plane would hide everything.
bool set_plane(const Stage& stage, const SceneView& scene, const ColliderSnapshot& plane, bool ground) {
  const glm::vec3 n = to_glm(plane.orientation * Vec3f::UnitY()), u = to_glm(plane.orientation * Vec3f::UnitX()), v = glm::cross(n, u);
  const glm::vec3 at = to_glm(plane.position), eye(stage.block.eye);
  const float height = glm::dot(eye - at, n);
  if (height <= 0) return false;
  const auto foot_of = [&](const glm::vec3& p) { return p - glm::dot(p - at, n) * n; };
  const glm::vec3 foot = ground ? foot_of(eye) : foot_of(scene.box.center());
  const glm::vec3 middle = foot_of(scene.box.center()) - foot;
  const float scale = std::max(stage.block.options.z, scene.box.radius());
  const float radius = ground ? 9 * scale : 2.2F * std::max(scene.box.radius(), 0.05F);
  const float extent = ground ? 30 * std::max(scale, height) : radius;
  const glm::vec4 grid = grid_of(stage, foot, u, v);
  const glm::vec3 color = ground ? glm::vec3(0.385F, 0.38F, 0.375F) : 0.9F * to_glm(plane.color);
  glUniform3fv(0, 1, glm::value_ptr(foot));
  glUniform3fv(1, 1, glm::value_ptr(u));
  glUniform3fv(2, 1, glm::value_ptr(v));
  glUniform1f(3, extent);
  glUniform3fv(4, 1, glm::value_ptr(color));
  glUniform4fv(5, 1, glm::value_ptr(grid));
  glUniform4f(6, ground ? 0 : glm::dot(middle, u), ground ? 0 : glm::dot(middle, v), radius, ground ? 1.0F : 0.0F);
  return true;
}

void draw_plane(Stage& stage, const SceneView& scene, const ColliderSnapshot& plane, bool ground) {
  stage.use(Pass::plane);
  if (!set_plane(stage, scene, plane, ground)) return;
  glBindVertexArray(stage.empty.id());
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/// The ground of the simple tiers: where the map lies first, then rings about it, set back by a little so that the map's square stays.
void draw_simple_ground(Stage& stage, const SceneView& scene, const ColliderSnapshot& plane) {
  constexpr GLsizei map_vertices = 6 * 8 * 8, ring_vertices = 6 * 32 * 12;  // as in ground.vert
  stage.use(Pass::ground_mapped);
  if (set_plane(stage, scene, plane, true)) {
    glBindVertexArray(stage.empty.id());
    glDrawArrays(GL_TRIANGLES, 0, map_vertices);
    stage.use(Pass::ground);
    set_plane(stage, scene, plane, true);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1, 16);
    glDrawArrays(GL_TRIANGLES, 0, ring_vertices);
    glDisable(GL_POLYGON_OFFSET_FILL);
  }
}

void draw_planes(Stage& stage, const SceneView& scene, bool ground) {
  const int which = ground_of(scene.snapshot);
  for (std::size_t i = 0; i < scene.snapshot.colliders.size(); ++i) {
    const ColliderSnapshot& collider = scene.snapshot.colliders[i];
    const bool is_ground = static_cast<int>(i) == which;
    if (collider.kind != ColliderSnapshot::Kind::plane || is_ground != ground) continue;
    if (ground && scene.quality.simple)
      draw_simple_ground(stage, scene, collider);
    else
      draw_plane(stage, scene, collider, ground);
  }
}

void draw_visible_arrows(Stage& stage, const SceneView& scene) {
  stage.use(Pass::arrow);
  glUniform1f(0, 1.0F);
  stage.draw_arrows(scene.arrows);
}

/// Arrows inside of bodies or behind them show through faintly: a body's motion can be read from any side.
void draw_hidden_arrows(Stage& stage, const SceneView& scene) {
  stage.use(Pass::arrow);
  glUniform1f(0, 0.4F);
  glDepthFunc(GL_GREATER);
  stage.draw_arrows(scene.arrows);
  glDepthFunc(GL_LEQUAL);
}

void draw_grab(Stage& stage, const GrabSnapshot& grab) {
  const glm::vec3 a = to_glm(grab.anchor), b = to_glm(grab.target);
  const std::array<glm::vec4, 6> points{glm::vec4(a, 2), glm::vec4(b, 2), glm::vec4(a, 5), glm::vec4(a, 5), glm::vec4(b, 5), glm::vec4(b, 5)};
  stage.line_data.fill(std::span<const glm::vec4>(points));
  stage.line_data.bind_storage(0);
  stage.use(Pass::line);
  glUniform4f(0, 1.0F, 0.78F, 0.25F, 0.95F);
  glDisable(GL_DEPTH_TEST);
  stage.draw_strips(points.size() / 2);
  glEnable(GL_DEPTH_TEST);
}

/// A strip between each two points of a path; where it runs inside or behind bodies it shows through.
void draw_trails(Stage& stage, const SceneView& scene) {
  constexpr std::array<glm::vec3, 4> tints{{{1.0F, 0.62F, 0.18F}, {0.30F, 0.78F, 1.0F}, {0.62F, 0.92F, 0.40F}, {0.95F, 0.48F, 0.80F}}};
  constexpr float half_width_px = 1.3F;
  std::vector<glm::vec4> points;
  for (std::size_t i = 0; i < scene.trails.count(); ++i) {
    const auto& path = scene.trails.path(i);
    points.clear();
    for (std::size_t k = 1; k < path.size(); ++k) {
      points.emplace_back(path[k - 1], half_width_px);
      points.emplace_back(path[k], half_width_px);
    }
    if (points.empty()) continue;
    stage.line_data.fill(std::span<const glm::vec4>(points));
    stage.line_data.bind_storage(0);
    stage.use(Pass::line);
    const glm::vec3 tint = tints[i % tints.size()];
    glUniform4f(0, tint.r, tint.g, tint.b, 0.95F);
    stage.draw_strips(points.size() / 2);
    glUniform4f(0, tint.r, tint.g, tint.b, 0.45F);
    glDepthFunc(GL_GREATER);
    stage.draw_strips(points.size() / 2);
    glDepthFunc(GL_LEQUAL);
  }
}

}  // namespace

int ground_of(const Snapshot& snapshot) {
  for (std::size_t i = 0; i < snapshot.colliders.size(); ++i) {
    const ColliderSnapshot& c = snapshot.colliders[i];
    if (c.kind == ColliderSnapshot::Kind::plane && (c.orientation * Vec3f::UnitY()).y() > 0.999F) return static_cast<int>(i);
  }
  return -1;
}

glm::mat4 matrix_of(const ColliderSnapshot& collider) {
  const glm::quat turn(collider.orientation.w(), collider.orientation.x(), collider.orientation.y(), collider.orientation.z());
  const bool sphere = collider.kind == ColliderSnapshot::Kind::sphere;
  const glm::vec3 size = sphere ? glm::vec3(collider.half_extent.x()) : to_glm(collider.half_extent);
  return glm::translate(glm::mat4(1), to_glm(collider.position)) * glm::mat4_cast(turn) * glm::scale(glm::mat4(1), size);
}

void draw_scene(Stage& stage, const SceneView& scene) {
  stage.upload_frame();
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LESS);
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glDisable(GL_SCISSOR_TEST);
  glClear(GL_DEPTH_BUFFER_BIT);
  draw_figures(stage, scene);
  if (scene.view.colliders) {
    draw_obstacles(stage, scene);
    draw_planes(stage, scene, true);
  }
  glDepthFunc(GL_LEQUAL);
  stage.use(Pass::sky);
  glBindVertexArray(stage.empty.id());
  glDrawArrays(GL_TRIANGLES, 0, 6 * 24 * 24);  // as in sky.vert
  draw_visible_arrows(stage, scene);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glDepthMask(GL_FALSE);
  draw_hidden_arrows(stage, scene);
  if (scene.view.colliders) draw_planes(stage, scene, false);
  if (scene.view.trace) draw_trails(stage, scene);
  if (scene.snapshot.grab.active) draw_grab(stage, scene.snapshot.grab);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}

}  // namespace vw
