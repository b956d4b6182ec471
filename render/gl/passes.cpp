// Draws the scene. Opaque objects are drawn roughly from front to back (bodies, colliders, ground, sky), so that hidden
// fragments are not shaded. Blended objects follow.
#include <algorithm>

#include <glm/gtc/type_ptr.hpp>

#include "render/gl/stage.h"
#include "render/scene/collider_drawing.h"
#include "render/scene/light/environment.h"

namespace vw {
namespace {

int selected_in(const SceneView& scene, const Figure& figure) {
  return !scene.selection.system.empty() && scene.selection.system == figure.name
             ? static_cast<int>(scene.selection.element)
             : -1;
}

/// Draws bodies and balls. The clipping of set_cut() must be enabled on entry and is enabled on return. The shaders of
/// balls write no clip distances, so balls are drawn without clipping. Balls beyond a cut are hidden as a whole.
void draw_figures(Stage& stage, const SceneView& scene) {
  for (std::size_t f = 0; f < scene.count; ++f) {
    const Figure& figure = scene.figures[f];
    const bool skin = figure.shape == FigureShape::skin;
    if (!skin && (figure.shape != FigureShape::balls || is_blended(figure, scene.view.particle_style))) continue;
    if (scene.quality.simple)
      stage.use(skin ? Pass::skin_simple : stage.figures[f].points ? Pass::sphere_point : Pass::sphere_simple);
    else
      stage.use(skin ? Pass::skin : scene.quality.exact_depth ? Pass::sphere_exact : Pass::sphere);
    const int selected = selected_in(scene, figure);
    glUniform1i(0, skin ? selected : stage.figures[f].place_of(selected));
    if (!scene.quality.simple) glUniform1f(1, figure.own_colors ? 0 : channel_flat_share);
    if (skin) {
      stage.draw_skin(f);
      continue;
    }
    clear_cut(stage);
    stage.draw_spheres(f);
    set_cut(stage);
  }
}

/// Sets the collider's uniforms in the bound program.
void set_solid(const ColliderSnapshot& collider) {
  const glm::mat4 place = matrix_of(collider);
  const glm::mat3 normals = glm::transpose(glm::inverse(glm::mat3(place)));
  glUniformMatrix4fv(0, 1, GL_FALSE, glm::value_ptr(place));
  glUniformMatrix3fv(4, 1, GL_FALSE, glm::value_ptr(normals));
  glUniform3fv(5, 1, collider.color.data());
}

/// Draws the back or the front faces of transparent solids. Back faces are drawn before the objects inside the solids,
/// in the order of the solids. Front faces are drawn after these objects, in reverse order. If an inner solid follows
/// the outer solid that contains it, its faces are thus drawn between the back and the front faces of the outer solid.
void draw_glass(Stage& stage, const SceneView& scene, bool fronts) {
  stage.use(Pass::glass);
  glEnable(GL_CULL_FACE);
  glCullFace(fronts ? GL_BACK : GL_FRONT);
  // The depth offset makes glass faces and edges that coincide with the ground visible above it.
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(-1, -200);
  for (std::size_t i = 0; i < scene.solids.size(); ++i) {
    const ColliderSnapshot& collider = scene.solids[fronts ? scene.solids.size() - 1 - i : i];
    const Mesh* mesh = is_glass(collider) ? stage.mesh_of(collider) : nullptr;
    if (mesh == nullptr) continue;
    set_solid(collider);
    glUniform2f(7, collider.opacity, collider.kind == ColliderSnapshot::Kind::box ? 1.0F : 0.0F);
    glBindVertexArray(mesh->array.id());
    glDrawElements(GL_TRIANGLES, mesh->count, GL_UNSIGNED_INT, nullptr);
  }
  glDisable(GL_POLYGON_OFFSET_FILL);
  glCullFace(GL_BACK);
  glDisable(GL_CULL_FACE);
}

void draw_obstacles(Stage& stage, const SceneView& scene) {
  stage.use(scene.quality.simple ? Pass::mesh_simple : Pass::mesh);
  for (const ColliderSnapshot& collider : scene.solids) {
    const Mesh* mesh = is_glass(collider) ? nullptr : stage.mesh_of(collider);
    if (mesh == nullptr) continue;
    set_solid(collider);
    glUniform1i(6, collider.two_sided ? 1 : 0);
    if (hides_its_back(collider)) glEnable(GL_CULL_FACE);
    glBindVertexArray(mesh->array.id());
    glDrawElements(GL_TRIANGLES, mesh->count, GL_UNSIGNED_INT, nullptr);
    glDisable(GL_CULL_FACE);
  }
}

/// Sets the plane's uniforms in the bound program. Returns false if the plane is seen from behind or completely
/// clipped.
bool set_plane(const Stage& stage, const SceneView& scene, std::size_t which, bool ground, PlaneDrawing& look) {
  if (!make_plane_drawing(scene.snapshot.colliders, which, ground, stage.near_eye, stage.block.options.z, scene.box,
                          look))
    return false;
  glUniform3fv(0, 1, glm::value_ptr(look.foot));
  glUniform3fv(1, 1, glm::value_ptr(look.u));
  glUniform3fv(2, 1, glm::value_ptr(look.v));
  glUniform3fv(4, 1, glm::value_ptr(look.albedo));
  if (!look.is_pane) glUniform4fv(5, 1, glm::value_ptr(look.grid));
  glUniform4f(6, look.middle.x, look.middle.y, look.fade_radius, look.is_ground ? 1.0F : 0.0F);
  return true;
}

void draw_plane(Stage& stage, const SceneView& scene, std::size_t which, bool ground) {
  const bool is_pane = !ground && scene.snapshot.colliders[which].opacity < 0.5F;
  stage.use(is_pane ? Pass::pane : Pass::plane);
  PlaneDrawing look;
  if (!set_plane(stage, scene, which, ground, look)) return;
  if (!is_pane) glUniform1f(3, look.tile_m);
  glUniform1f(7, look.opacity);
  glUniform2fv(8, static_cast<GLsizei>(look.corners), glm::value_ptr(look.corner[0]));
  if (is_pane) {
    glUniform1i(18, static_cast<GLint>(look.cuts));
    glUniform3fv(19, static_cast<GLsizei>(look.cuts), glm::value_ptr(look.cut[0]));
  }
  glBindVertexArray(stage.empty.id());
  glDrawArrays(GL_TRIANGLE_FAN, 0, static_cast<GLsizei>(look.corners));
}

/// Draws the ground of the simple quality tiers, either as concentric rings or as the square that the ground map
/// covers.
void draw_simple_ground(Stage& stage, const SceneView& scene, std::size_t which, bool mapped) {
  constexpr GLsizei map_vertices = 6 * 8 * 8, ring_vertices = 6 * 32 * 12;  // numbers of vertices in ground.vert
  PlaneDrawing look;
  stage.use(mapped ? Pass::ground_mapped : Pass::ground);
  if (!set_plane(stage, scene, which, true, look)) return;
  const glm::vec3 albedo = look.albedo * floor_mean(scene.view.floor);
  glUniform3fv(4, 1, glm::value_ptr(albedo));
  glUniform1f(3, look.extent);
  glBindVertexArray(stage.empty.id());
  glDrawArrays(GL_TRIANGLES, 0, mapped ? map_vertices : ring_vertices);
}

/// Draws the square that the ground map covers, then the whole ground as rings. A depth offset moves the rings behind
/// the square, so that the square stays visible.
void draw_mapped_ground(Stage& stage, const SceneView& scene, std::size_t which) {
  draw_simple_ground(stage, scene, which, true);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1, 16);
  draw_simple_ground(stage, scene, which, false);
  glDisable(GL_POLYGON_OFFSET_FILL);
}

const ColliderSnapshot* shown_ground(const SceneView& scene) {
  const int which = ground_of(scene.snapshot);
  if (which < 0) return nullptr;
  const ColliderSnapshot& ground = scene.snapshot.colliders[static_cast<std::size_t>(which)];
  return is_shown(ground, scene.view) ? &ground : nullptr;
}

/// Darkens the ground of the backdrop by the ground map, before objects are drawn.
void darken_ground(Stage& stage, const SceneView& scene) {
  const ColliderSnapshot* ground = shown_ground(scene);
  const glm::vec4& part = scene.dark_part;
  if (ground == nullptr || !(part.x < part.z) || !(stage.block.eye.y > ground->position.y())) return;
  stage.use(Pass::ground_dark);
  glUniform4fv(0, 1, glm::value_ptr(part));
  glUniform1f(1, ground->position.y());
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendFunc(GL_DST_COLOR, GL_ZERO);
  glBindVertexArray(stage.empty.id());
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glDisable(GL_BLEND);
  glEnable(GL_DEPTH_TEST);
}

void draw_planes(Stage& stage, const SceneView& scene, bool ground) {
  const int which = ground_of(scene.snapshot);
  for (std::size_t i = 0; i < scene.snapshot.colliders.size(); ++i) {
    const ColliderSnapshot& collider = scene.snapshot.colliders[i];
    const bool is_ground = static_cast<int>(i) == which;
    if (collider.kind != ColliderSnapshot::Kind::plane || is_ground != ground || !is_shown(collider, scene.view))
      continue;
    if (ground && scene.quality.simple)
      draw_mapped_ground(stage, scene, i);
    else
      draw_plane(stage, scene, i, ground);
  }
}

void begin_blended() {
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glDepthMask(GL_FALSE);
}

void draw_sky(Stage& stage) {
  glDepthFunc(GL_LEQUAL);
  stage.use(Pass::sky);
  glBindVertexArray(stage.empty.id());
  glDrawArrays(GL_TRIANGLES, 0, 6 * 24 * 24);  // number of vertices in sky.vert
}

void end_blended() {
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}

/// Returns which of the two layers FluidBuffers::far are drawn. The first layer is needed if bodies, flocks or balls
/// exist, because they may hide objects that are seen through the fluid. The second layer is needed if obstacles exist.
/// At half resolution, or if the eye is in the fluid, neither layer is drawn.
std::array<bool, 2> far_layers_of(Stage& stage, const SceneView& scene) {
  if (scene.target.half || scene.fluid.around_eye()) return {};
  const auto hides = [](const Figure& f) { return f.shape != FigureShape::surface && f.shape != FigureShape::hidden; };
  const auto is_obstacle = [&](const ColliderSnapshot& c) { return !is_glass(c) && stage.mesh_of(c) != nullptr; };
  const auto obstacles = scene.solids.first(scene.obstacles);
  return {std::any_of(scene.figures.begin(), scene.figures.begin() + static_cast<std::ptrdiff_t>(scene.count), hides),
          std::any_of(obstacles.begin(), obstacles.end(), is_obstacle)};
}

/// Draws the depths of the nearest back faces of bodies and obstacles. From the depths of front and back faces, the
/// shader of the fluid's surface decides whether a refracted ray passes behind an object, or enters it through a side
/// that the picture does not show.
void draw_back_depths(Stage& stage, const SceneView& scene) {
  glBindFramebuffer(GL_FRAMEBUFFER, stage.fluid.back_target.id());
  glClear(GL_DEPTH_BUFFER_BIT);
  set_cut(stage);
  glEnable(GL_CULL_FACE);
  glCullFace(GL_FRONT);
  const float* clip = glm::value_ptr(stage.block.clip_from_world);
  stage.use(Pass::depth_skin);
  glUniformMatrix4fv(0, 1, GL_FALSE, clip);
  for (std::size_t f = 0; f < scene.count; ++f)
    if (scene.figures[f].shape == FigureShape::skin) stage.draw_skin(f);
  stage.use(Pass::depth_mesh);
  glUniformMatrix4fv(0, 1, GL_FALSE, clip);
  for (const ColliderSnapshot& collider : scene.solids)
    if (!is_glass(collider) && hides_its_back(collider)) stage.draw_depth(collider);
  glCullFace(GL_BACK);
  glDisable(GL_CULL_FACE);
  clear_cut(stage);
}

/// Draws the layers FluidBuffers::far. A refracted ray that passes behind an object takes its colour from one of these
/// layers. Blending must be enabled on entry and is enabled on return.
void draw_far_layers(Stage& stage, const SceneView& whole, const std::array<bool, 2>& has_far) {
  SceneView scene = whole;
  scene.solids = whole.solids.first(whole.obstacles);
  stage.fluid.size_far(scene.target);
  glViewport(0, 0, scene.target.width, scene.target.height);
  end_blended();
  glDepthFunc(GL_LESS);
  draw_back_depths(stage, whole);
  for (std::size_t k = 0; k < has_far.size(); ++k) {
    if (!has_far[k]) continue;
    end_blended();
    glDepthFunc(GL_LESS);
    glBindFramebuffer(GL_FRAMEBUFFER, stage.fluid.far[k].target.id());
    glClear(GL_DEPTH_BUFFER_BIT);
    if (k == 0) {
      set_cut(stage);
      draw_obstacles(stage, scene);
      clear_cut(stage);
    }
    draw_planes(stage, scene, true);
    draw_sky(stage);
    begin_blended();
    set_cut(stage);
    draw_glass(stage, scene, false);
    clear_cut(stage);
    draw_planes(stage, scene, false);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, scene.target.framebuffer);
  glViewport(0, 0, scene.target.width, scene.target.height);
}

/// Draws fluids over the opaque objects. Blending must be enabled on entry and is enabled on return.
void draw_fluids(Stage& stage, const SceneView& scene) {
  if (scene.fluid.empty()) return;
  FluidTarget target = scene.target;
  target.has_far = far_layers_of(stage, scene);
  if (target.has_far[0] || target.has_far[1]) draw_far_layers(stage, scene, target.has_far);
  draw_fluid(stage, scene.fluid, target);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

/// Enables blending of premultiplied colours. If the target is encoded as sRGB, blending is in linear light.
void begin_linear() {
  glEnable(GL_FRAMEBUFFER_SRGB);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}
void end_linear() {
  glDisable(GL_FRAMEBUFFER_SRGB);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

/// Draws the splats of one rank from back to front.
void draw_splats(Stage& stage, const SceneView& scene, std::size_t rank) {
  const std::size_t first = scene.splats.begin_of(rank), end = scene.splats.end_of(rank);
  if (first == end) return;
  stage.use(Pass::splat);
  glUniform1i(0, scene.view.particle_style == ParticleStyle::discs ? 1 : 0);
  glUniform1i(1, scene.quality.simple ? 1 : 0);
  const ColliderSnapshot* ground = shown_ground(scene);
  const Vec3f up = ground == nullptr ? Vec3f(0, 1, 0) : Vec3f(ground->orientation * Vec3f::UnitY());
  glUniform4f(2, up.x(), up.y(), up.z(), ground == nullptr ? -1e9F : up.dot(ground->position));
  begin_linear();
  stage.draw_splats(first, end - first);
  end_linear();
}

/// Draws the slice planes, splats and lines of all layers (AirSheets::layers()), beginning with the farthest layer.
void draw_layers(Stage& stage, const SceneView& scene) {
  for (std::size_t layer = 0; layer < scene.air.sheets().layers(); ++layer) {
    begin_linear();
    draw_air_sheets(stage, scene.air, layer, static_cast<float>(scene.view.air_opacity));
    end_linear();
    draw_splats(stage, scene, 1 + layer);
    begin_linear();
    draw_air_lines(stage, scene.air, layer);
    end_linear();
  }
}

/// Classifies arrows as visible or hidden. With software OpenGL, reading the depth buffer is cheap. With a GPU, the
/// read would stall the pipeline, so drawing all arrows twice is faster.
void sort_arrows(Stage& stage, const SceneView& scene) {
  constexpr std::size_t few = 300;
  GLint samples = 0;
  glGetIntegerv(GL_SAMPLE_BUFFERS, &samples);
  if (!scene.quality.simple || samples > 0 || scene.target.framebuffer == 0 || scene.arrows.size() < few)
    return stage.sight.keep_all(scene.arrows);
  const int width = scene.target.width, height = scene.target.height;
  stage.depths.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  glBindFramebuffer(GL_READ_FRAMEBUFFER, scene.target.framebuffer);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, width, height, GL_DEPTH_COMPONENT, GL_FLOAT, stage.depths.data());
  stage.sight.sort(scene.arrows, stage.block.clip_from_world, stage.depths, width, height);
}

void draw_visible_arrows(Stage& stage, const SceneView& scene) {
  sort_arrows(stage, scene);
  stage.use(Pass::arrow);
  glUniform1f(0, 1.0F);
  stage.draw_arrows(stage.sight.seen());
}

/// Draws arrows inside or behind bodies faintly, so that the motion of a body is visible from any side. If there is a
/// fluid, the opacity is higher, because the surface of the fluid is drawn over the arrows.
void draw_hidden_arrows(Stage& stage, const SceneView& scene) {
  if (!scene.fluid.empty()) sort_arrows(stage, scene);  // fluid surfaces may hide further arrows
  stage.use(Pass::arrow);
  glUniform1f(0, scene.fluid.empty() ? 0.4F : 0.8F);
  glDepthFunc(GL_GREATER);
  stage.draw_arrows(stage.sight.hidden());
  glDepthFunc(GL_LEQUAL);
}

/// Draws a strip for each pair of points. Parts behind other objects are drawn with the hidden opacity of the group.
void draw_marks(Stage& stage, const SceneView& scene) {
  std::vector<glm::vec4> points;
  for (const MarkGroup& group : scene.marks) {
    points.clear();
    for (const glm::vec3& point : group.points) points.emplace_back(point, group.half_width_px);
    stage.line_data.fill(std::span<const glm::vec4>(points));
    stage.line_data.bind_storage(0);
    stage.use(Pass::line);
    glUniform4f(0, group.tint.r, group.tint.g, group.tint.b, group.opacity);
    const bool lies_over = group.opacity == group.hidden_opacity;
    if (lies_over) glDepthFunc(GL_ALWAYS);
    stage.draw_strips(points.size() / 2);
    if (!lies_over) {
      glUniform4f(0, group.tint.r, group.tint.g, group.tint.b, group.hidden_opacity);
      glDepthFunc(GL_GREATER);
      stage.draw_strips(points.size() / 2);
    }
    glDepthFunc(GL_LEQUAL);
  }
}

void begin_solid(Stage& stage) {
  stage.upload_frame();
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LESS);
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glDisable(GL_SCISSOR_TEST);
}

}  // namespace

void set_cut(const Stage& stage) {
  for (std::size_t k = 0; k < stage.cuts; ++k) glEnable(GL_CLIP_DISTANCE0 + static_cast<GLenum>(k));
}

void clear_cut(const Stage& stage) {
  for (std::size_t k = 0; k < stage.cuts; ++k) glDisable(GL_CLIP_DISTANCE0 + static_cast<GLenum>(k));
}

void draw_backdrop(Stage& stage, const SceneView& scene, bool panes) {
  begin_solid(stage);
  glClear(GL_DEPTH_BUFFER_BIT);
  if (shown_ground(scene) != nullptr)
    draw_simple_ground(stage, scene, static_cast<std::size_t>(ground_of(scene.snapshot)), false);
  draw_sky(stage);
  begin_blended();
  if (panes) draw_planes(stage, scene, false);
  end_blended();
}

void draw_scene(Stage& stage, const SceneView& scene) {
  stage.clock.end("ground, sky");  // end of the pass of the backdrop
  begin_solid(stage);
  if (scene.on_backdrop)
    darken_ground(stage, scene);
  else
    glClear(GL_DEPTH_BUFFER_BIT);
  set_cut(stage);
  stage.clock.end("ground, sky");
  draw_figures(stage, scene);
  stage.clock.end("bodies, balls");
  draw_members(stage, scene.members, scene.quality.simple,
               scene.quality.samples > 1 ? least_mote_px : least_mote_px_alone);
  stage.clock.end("members of flocks");
  draw_obstacles(stage, scene);
  clear_cut(stage);
  stage.clock.end("obstacles, rigid bodies");
  if (!scene.on_backdrop) {
    draw_planes(stage, scene, true);
    draw_sky(stage);
  }
  stage.clock.end("ground, sky");
  if (scene.quality.occlusion > 0)
    draw_occlusion(stage, scene.target.framebuffer, scene.target.width, scene.target.height, scene.quality.occlusion);
  stage.clock.end("ambient occlusion");
  glDepthFunc(GL_LEQUAL);
  draw_visible_arrows(stage, scene);
  stage.clock.end("arrows, marks");
  begin_blended();
  set_cut(stage);
  draw_glass(stage, scene, false);
  clear_cut(stage);
  draw_splats(stage, scene, 0);
  if (!scene.panes_in_backdrop) draw_planes(stage, scene, false);
  stage.clock.end("glass");
  draw_fluids(stage, scene);
  stage.clock.end("fluids");
  draw_layers(stage, scene);
  stage.clock.end("particles, field");
  set_cut(stage);
  draw_glass(stage, scene, true);
  clear_cut(stage);
  stage.clock.end("glass");
  draw_hidden_arrows(stage, scene);
  draw_marks(stage, scene);
  end_blended();
  stage.clock.end("arrows, marks");
}

}  // namespace vw
