#include "render/gl/occlusion.h"

#include "render/gl/stage.h"

namespace vw {

void OcclusionBuffers::size(int w, int h, int pixel_px) {
  if (w == width && h == height && pixel_px == pixel) return;
  pixel = pixel_px;
  width = w;
  height = h;
  scene = make_framebuffer();
  depth = make_map(GL_DEPTH_COMPONENT32F, w, h, GL_NEAREST);
  glNamedFramebufferTexture(scene.id(), GL_DEPTH_ATTACHMENT, depth.id(), 0);
  glNamedFramebufferDrawBuffer(scene.id(), GL_NONE);
  for (std::size_t k = 0; k < 2; ++k) {
    targets[k] = make_framebuffer();
    maps[k] = make_map(GL_RG32F, (w + pixel_px - 1) / pixel_px, (h + pixel_px - 1) / pixel_px, GL_NEAREST);
    glNamedFramebufferTexture(targets[k].id(), GL_COLOR_ATTACHMENT0, maps[k].id(), 0);
  }
}

void draw_occlusion(Stage& stage, GLuint framebuffer, int width, int height, int pixel_px) {
  OcclusionBuffers& buffers = stage.occlusion;
  buffers.size(width, height, pixel_px);
  glBlitNamedFramebuffer(framebuffer, buffers.scene.id(), 0, 0, width, height, 0, 0, width, height, GL_DEPTH_BUFFER_BIT,
                         GL_NEAREST);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  glBindVertexArray(stage.empty.id());
  glViewport(0, 0, (width + pixel_px - 1) / pixel_px, (height + pixel_px - 1) / pixel_px);
  stage.use(Pass::occlusion);
  glUniform1f(0, occlusion_reach * stage.block.options.z);
  glUniform1i(1, pixel_px);
  glBindFramebuffer(GL_FRAMEBUFFER, buffers.targets[0].id());
  glBindTextureUnit(2, buffers.depth.id());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  stage.use(Pass::occlusion_blur);
  glBindFramebuffer(GL_FRAMEBUFFER, buffers.targets[1].id());
  glBindTextureUnit(2, buffers.maps[0].id());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(0, 0, width, height);
  stage.use(Pass::occlusion_apply);
  glUniform1f(0, occlusion_strength);
  glUniform1i(1, pixel_px);
  glBindTextureUnit(2, buffers.maps[1].id());
  glBindTextureUnit(3, buffers.depth.id());
  glEnable(GL_FRAMEBUFFER_SRGB);  // the factor applies to linear light
  glEnable(GL_BLEND);
  glBlendFunc(GL_DST_COLOR, GL_ZERO);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDisable(GL_BLEND);
  glDisable(GL_FRAMEBUFFER_SRGB);
  glEnable(GL_DEPTH_TEST);
}

}  // namespace vw
