// Draws the shadow maps of the sun with OpenGL.
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/type_ptr.hpp>

#include "render/gl/stage.h"
#include "render/scene/collider_drawing.h"
#include "render/scene/frame_data.h"

namespace vw {
namespace {

void make_shadow_targets(Stage& stage, int size_px, int layers) {
  if (stage.shadow_px == size_px && stage.shadow_layers >= layers) return;
  stage.shadow_px = size_px;
  stage.shadow_layers = layers;
  stage.shadow_map = make_texture(GL_TEXTURE_2D_ARRAY);
  const GLuint map = stage.shadow_map.id();
  glTextureStorage3D(map, 1, GL_DEPTH_COMPONENT24, size_px, size_px, layers);
  glTextureParameteri(map, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glTextureParameteri(map, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(map, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(map, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  GLuint view = 0;
  glGenTextures(1, &view);
  stage.shadow_depths = GlTexture(view);
  glTextureView(view, GL_TEXTURE_2D_ARRAY, map, GL_DEPTH_COMPONENT24, 0, 1, 0, static_cast<GLuint>(layers));
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTextureParameteri(view, filter, GL_NEAREST);
  for (const GLenum side : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) glTextureParameteri(view, side, GL_CLAMP_TO_EDGE);
  for (int k = 0; k < layers; ++k) {
    GlFramebuffer& target = stage.shadow_targets[static_cast<std::size_t>(k)];
    target = make_framebuffer();
    glNamedFramebufferTextureLayer(target.id(), GL_DEPTH_ATTACHMENT, map, 0, k);
    glNamedFramebufferDrawBuffer(target.id(), GL_NONE);
  }
}

void set_light_matrices(Stage& stage, const ShadowMaps& maps, int size_px) {
  const glm::mat4 half = glm::translate(glm::mat4(1), glm::vec3(0.5F)) * glm::scale(glm::mat4(1), glm::vec3(0.5F));
  FrameBlock& b = stage.block;
  b.light_from_world = half * maps.clip;
  b.sun.w = 1.0F / static_cast<float>(size_px);
  b.mark.w = maps.offset_m(size_px);
  b.shadow_level = maps.level;
  b.shadow = {static_cast<float>(maps.count), maps.search, 0, 0};
}

/// Draws all objects that cast a shadow into the bound target. The clipping of set_cut() must be enabled on entry and
/// is enabled on return. The shader of balls writes no clip distances, so balls are drawn without clipping.
void draw_shadows(Stage& stage, const FrameData& set) {
  glClear(GL_DEPTH_BUFFER_BIT);
  const float* light = glm::value_ptr(stage.light_clip);
  for (std::size_t f = 0; f < set.count; ++f) {
    const bool skin = set.figures[f].shape == FigureShape::skin;
    if (!skin && set.figures[f].shape != FigureShape::balls) continue;
    stage.use(skin ? Pass::depth_skin : Pass::depth_sphere);
    glUniformMatrix4fv(0, 1, GL_FALSE, light);
    if (skin) {
      stage.draw_skin(f);
      continue;
    }
    clear_cut(stage);
    stage.draw_spheres(f);
    set_cut(stage);
  }
  draw_member_shadows(stage, set.shading_members);
  stage.use(Pass::depth_mesh);
  glUniformMatrix4fv(0, 1, GL_FALSE, light);
  for (const ColliderSnapshot& collider : set.solids)
    if (casts_shadow(collider)) stage.draw_depth(collider);
}

}  // namespace

void draw_shadow_maps(Stage& stage, const FrameData& set, int size_px) {
  set_light_matrices(stage, set.shadows, size_px);
  make_shadow_targets(stage, size_px, static_cast<int>(set.shadows.count));
  stage.upload_frame();
  glViewport(0, 0, size_px, size_px);
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LESS);
  set_cut(stage);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(2.0F, 4.0F);
  for (std::size_t k = 0; k < set.shadows.count; ++k) {
    stage.light_clip = set.shadows.level_clip(k);
    glBindFramebuffer(GL_FRAMEBUFFER, stage.shadow_targets[k].id());
    draw_shadows(stage, set);
  }
  glDisable(GL_POLYGON_OFFSET_FILL);
  clear_cut(stage);
  bind_shadow_maps(stage);
}

void bind_shadow_maps(Stage& stage) {
  constexpr int smallest_px = 4;
  if (!stage.shadow_map) make_shadow_targets(stage, smallest_px, 1);
  glBindTextureUnit(0, stage.shadow_map.id());
  glBindTextureUnit(7, stage.shadow_depths.id());
}

}  // namespace vw
