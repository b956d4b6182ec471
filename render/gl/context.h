// Offscreen OpenGL 4.5 core context, which needs neither a display nor an X server. On POSIX systems, it uses EGL on
// the surfaceless platform or on a device; Mesa's llvmpipe is sufficient. On Windows, it belongs to a hidden window.
#pragma once

#include <memory>
#include <string>

#include "sim/base/error.h"

namespace vw {

/// Error checking of a context. `debug` creates a debug context (KHR_debug), in which the driver checks each call.
/// Debug contexts are slower and meant for tests.
enum class GlChecks { none, debug };

class OffscreenContext {
 public:
  /// Creates the context, makes it current on this thread and loads GL through glad. Returns an error if there is no
  /// EGL, WGL or OpenGL 4.5.
  [[nodiscard]] static Result<std::unique_ptr<OffscreenContext>> create(GlChecks checks = GlChecks::none);
  ~OffscreenContext();
  void make_current();
  void release_current();

 private:
  struct Impl;
  explicit OffscreenContext(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Loads the GL functions for a context that was created elsewhere (by GLFW). That context must be current. If the GL
/// version is below 4.5, the error message names the version found.
[[nodiscard]] Result<void> load_gl(void* (*get_proc_address)(const char*));
/// GL_RENDERER and GL_VERSION of the current context.
[[nodiscard]] std::string gl_description();

}  // namespace vw
