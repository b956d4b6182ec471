#include "render/gl/context.h"

#include <glad/gl.h>

#include <fmt/format.h>

#include "sim/base/system/process.h"

namespace vw {

void avoid_driver_faults() {
  // For processors with AVX-512, LLVM 15 compiles some shaders of Mesa's llvmpipe to invalid instructions, which end
  // the program. With this value Mesa uses AVX2, which takes equally long. Other drivers ignore the variable.
  set_default_variable("GALLIUM_OVERRIDE_CPU_CAPS", "avx");
}

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
