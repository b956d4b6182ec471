// Offscreen OpenGL 4.5 core context without a display or X server: EGL on a surfaceless or device platform (Mesa's
// llvmpipe is sufficient).
#pragma once

#include <memory>
#include <string>

#include "sim/base/error.h"

namespace vw {

/// Debug contexts check each call and report errors (KHR_debug). They are slower and meant for tests.
enum class GlChecks { none, debug };

class OffscreenContext {
 public:
  /// Creates the context, makes it current on this thread and loads GL through glad.
  [[nodiscard]] static Result<std::unique_ptr<OffscreenContext>> create(GlChecks checks = GlChecks::none);
  ~OffscreenContext();
  void make_current();
  void release_current();

 private:
  struct Impl;
  explicit OffscreenContext(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Loads the GL functions for a context created elsewhere (GLFW). Call it with that context current. If the version is
/// below 4.5, the error names the version found.
[[nodiscard]] Result<void> load_gl(void* (*get_proc_address)(const char*));
/// GL_RENDERER and GL_VERSION of the current context.
[[nodiscard]] std::string gl_description();

}  // namespace vw
