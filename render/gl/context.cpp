#include "render/gl/context.h"

#include <glad/gl.h>

#include <fmt/format.h>

namespace vw {

Result<void> load_gl(void* (*get_proc_address)(const char*)) {
  const int version = gladLoadGL(reinterpret_cast<GLADloadfunc>(get_proc_address));
  if (version == 0) return fail("the graphics driver does not support OpenGL");
  const int major = GLAD_VERSION_MAJOR(version), minor = GLAD_VERSION_MINOR(version);
  if (major * 10 + minor < 45)
    return fail(fmt::format("OpenGL 4.5 is required, but the graphics driver supports only {}.{}", major, minor));
  return {};
}

std::string gl_description() {
  const auto text = [](GLenum name) {
    const GLubyte* string = glGetString(name);
    return std::string(string == nullptr ? "?" : reinterpret_cast<const char*>(string));
  };
  return text(GL_RENDERER) + ", OpenGL " + text(GL_VERSION);
}

}  // namespace vw
