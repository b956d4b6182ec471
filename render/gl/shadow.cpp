// Draws the sun's shadow map with OpenGL.
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/type_ptr.hpp>

#include "render/gl/stage.h"
#include "render/scene/collider_drawing.h"
#include "render/scene/frame_data.h"

namespace vw {
namespace {

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
  GLuint view = 0;
  glGenTextures(1, &view);
  stage.shadow_depths = GlTexture(view);
  glTextureView(view, GL_TEXTURE_2D, map, GL_DEPTH_COMPONENT24, 0, 1, 0, 1);
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTextureParameteri(view, filter, GL_NEAREST);
  for (const GLenum side : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) glTextureParameteri(view, side, GL_CLAMP_TO_EDGE);
  stage.shadow_target = make_framebuffer();
  glNamedFramebufferTexture(stage.shadow_target.id(), GL_DEPTH_ATTACHMENT, map, 0);
  glNamedFramebufferDrawBuffer(stage.shadow_target.id(), GL_NONE);
}

void set_light_matrices(Stage& stage, const Bounds3& box, int size_px) {
  stage.light_clip = sun_clip(box);
  const glm::mat4 half = glm::translate(glm::mat4(1), glm::vec3(0.5F)) * glm::scale(glm::mat4(1), glm::vec3(0.5F));
  stage.block.light_from_world = half * stage.light_clip;
  stage.block.sun.w = 1.0F / static_cast<float>(size_px);
  stage.block.mark.w = shadow_offset(box, size_px);
}

}  // namespace

void draw_shadow_map(Stage& stage, const FrameData& set, int size_px) {
  set_light_matrices(stage, set.box, size_px);
  make_shadow_target(stage, size_px);
  stage.upload_frame();
  glBindFramebuffer(GL_FRAMEBUFFER, stage.shadow_target.id());
  glViewport(0, 0, size_px, size_px);
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LESS);
  glClear(GL_DEPTH_BUFFER_BIT);
  set_cut(stage);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(2.0F, 4.0F);
  const float* light = glm::value_ptr(stage.light_clip);
  for (std::size_t f = 0; f < set.count; ++f) {
    const bool skin = set.figures[f].shape == FigureShape::skin;
    if (!skin && set.figures[f].shape != FigureShape::balls) continue;
    stage.use(skin ? Pass::depth_skin : Pass::depth_sphere);
    glUniformMatrix4fv(0, 1, GL_FALSE, light);
    if (skin)
      stage.draw_skin(f);
    else
      stage.draw_spheres(f);
  }
  draw_member_shadows(stage, set.shading_members);
  stage.use(Pass::depth_mesh);
  glUniformMatrix4fv(0, 1, GL_FALSE, light);
  for (const ColliderSnapshot& collider : set.solids)
    if (casts_shadow(collider)) stage.draw_depth(collider);
  glDisable(GL_POLYGON_OFFSET_FILL);
  clear_cut(stage);
  glBindTextureUnit(0, stage.shadow_map.id());
  glBindTextureUnit(7, stage.shadow_depths.id());
}

}  // namespace vw
