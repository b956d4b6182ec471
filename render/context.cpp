// EGL without a window system. Tried in order: Mesa's surfaceless platform, every EGL device, the default display; each with a surfaceless
// context first and a 16 x 16 pbuffer where the driver wants a surface.
#include "render/context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glad/gl.h>

#include <array>
#include <cstring>
#include <vector>

#include <fmt/format.h>

namespace vw {

struct OffscreenContext::Impl {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  EGLSurface surface = EGL_NO_SURFACE;
};

namespace {

using GetPlatformDisplay = EGLDisplay (*)(EGLenum, void*, const EGLint*);
using QueryDevices = EGLBoolean (*)(EGLint, EGLDeviceEXT*, EGLint*);

template <class F>
F egl_function(const char* name) {
  return reinterpret_cast<F>(eglGetProcAddress(name));
}

bool has_extension(const char* list, const char* name) { return list != nullptr && std::strstr(list, name) != nullptr; }

std::vector<EGLDisplay> candidate_displays() {
  std::vector<EGLDisplay> out;
  const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const auto get_display = egl_function<GetPlatformDisplay>("eglGetPlatformDisplayEXT");
  const auto add_devices = [&] {
    const auto query = egl_function<QueryDevices>("eglQueryDevicesEXT");
    if (query == nullptr || !has_extension(extensions, "EGL_EXT_platform_device")) return;
    std::array<EGLDeviceEXT, 16> devices{};
    EGLint count = 0;
    if (query(static_cast<EGLint>(devices.size()), devices.data(), &count) == EGL_FALSE) return;
    for (EGLint i = 0; i < count; ++i) out.push_back(get_display(EGL_PLATFORM_DEVICE_EXT, devices[static_cast<std::size_t>(i)], nullptr));
  };
  if (get_display != nullptr) {
    if (has_extension(extensions, "EGL_MESA_platform_surfaceless"))
      out.push_back(get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
    add_devices();
  }
  out.push_back(eglGetDisplay(EGL_DEFAULT_DISPLAY));
  return out;
}

EGLConfig choose_config(EGLDisplay display) {
  const std::array<EGLint, 5> wanted{EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (eglChooseConfig(display, wanted.data(), &config, 1, &count) == EGL_FALSE || count == 0) return nullptr;
  return config;
}

EGLContext create_context(EGLDisplay display, EGLConfig config) {
  const std::array<EGLint, 7> wanted{EGL_CONTEXT_MAJOR_VERSION,           4,       EGL_CONTEXT_MINOR_VERSION, 5, EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  return eglCreateContext(display, config, EGL_NO_CONTEXT, wanted.data());
}

bool open_on(EGLDisplay display, EGLContext& context, EGLSurface& surface) {
  if (display == EGL_NO_DISPLAY || eglInitialize(display, nullptr, nullptr) == EGL_FALSE) return false;
  if (eglBindAPI(EGL_OPENGL_API) == EGL_FALSE) return false;
  EGLConfig config = choose_config(display);
  context = create_context(display, config);
  if (context == EGL_NO_CONTEXT) return false;
  if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_TRUE) return true;
  const std::array<EGLint, 5> size{EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
  surface = config == nullptr ? EGL_NO_SURFACE : eglCreatePbufferSurface(display, config, size.data());
  if (surface != EGL_NO_SURFACE && eglMakeCurrent(display, surface, surface, context) == EGL_TRUE) return true;
  eglDestroyContext(display, context);
  context = EGL_NO_CONTEXT;
  return false;
}

}  // namespace

Result<std::unique_ptr<OffscreenContext>> OffscreenContext::create() {
  auto impl = std::make_unique<Impl>();
  for (EGLDisplay display : candidate_displays()) {
    if (!open_on(display, impl->context, impl->surface)) continue;
    impl->display = display;
    auto context = std::unique_ptr<OffscreenContext>(new OffscreenContext(std::move(impl)));
    auto loaded = load_gl([](const char* name) { return reinterpret_cast<void*>(eglGetProcAddress(name)); });
    if (!loaded) return tl::unexpected(loaded.error());
    return context;
  }
  return fail(
      "no OpenGL 4.5 without a display: EGL offers neither a surfaceless nor a device platform (on Debian: apt install libegl1 libgl1-mesa-dri)");
}

OffscreenContext::OffscreenContext(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

OffscreenContext::~OffscreenContext() {
  release_current();
  if (impl_->surface != EGL_NO_SURFACE) eglDestroySurface(impl_->display, impl_->surface);
  eglDestroyContext(impl_->display, impl_->context);
  // The display stays initialised: EGL shares it between all contexts of the process.
}

void OffscreenContext::make_current() { eglMakeCurrent(impl_->display, impl_->surface, impl_->surface, impl_->context); }

void OffscreenContext::release_current() {
  if (eglGetCurrentContext() == impl_->context) eglMakeCurrent(impl_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

Result<void> load_gl(void* (*get_proc_address)(const char*)) {
  const int version = gladLoadGL(reinterpret_cast<GLADloadfunc>(get_proc_address));
  if (version == 0) return fail("the graphics driver offers no OpenGL");
  const int major = GLAD_VERSION_MAJOR(version), minor = GLAD_VERSION_MINOR(version);
  if (major * 10 + minor < 45) return fail(fmt::format("OpenGL 4.5 is needed, the graphics driver has {}.{}", major, minor));
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
