// EGL without a window system. libEGL is loaded at run time, so that the program also starts on machines without EGL.
// Displays are tried in this order: Mesa's surfaceless platform, every EGL device, the default display. On each
// display, a surfaceless context is tried first. If that fails, a context with a 16 x 16 pbuffer follows, for drivers
// that require a surface.
#include "render/gl/context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>
#include <glad/gl.h>

#include <array>
#include <cstring>
#include <vector>

#include <fmt/format.h>

namespace vw {

namespace {

/// The libEGL functions that this file uses.
struct Egl {
  void* library = nullptr;  // never unloaded, because unloading crashes some drivers
  decltype(&eglGetProcAddress) get_proc_address = nullptr;
  decltype(&eglQueryString) query_string = nullptr;
  decltype(&eglGetDisplay) get_display = nullptr;
  decltype(&eglInitialize) initialize = nullptr;
  decltype(&eglBindAPI) bind_api = nullptr;
  decltype(&eglChooseConfig) choose_config = nullptr;
  decltype(&eglCreateContext) create_context = nullptr;
  decltype(&eglCreatePbufferSurface) create_pbuffer_surface = nullptr;
  decltype(&eglMakeCurrent) make_current = nullptr;
  decltype(&eglGetCurrentContext) get_current_context = nullptr;
  decltype(&eglDestroyContext) destroy_context = nullptr;
  decltype(&eglDestroySurface) destroy_surface = nullptr;

  [[nodiscard]] bool load() {
    for (const char* name : {"libEGL.so.1", "libEGL.so"})
      if (library == nullptr) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    return library != nullptr && find(get_proc_address, "eglGetProcAddress") && find(query_string, "eglQueryString") &&
           find(get_display, "eglGetDisplay") && find(initialize, "eglInitialize") && find(bind_api, "eglBindAPI") &&
           find(choose_config, "eglChooseConfig") && find(create_context, "eglCreateContext") &&
           find(create_pbuffer_surface, "eglCreatePbufferSurface") && find(make_current, "eglMakeCurrent") &&
           find(get_current_context, "eglGetCurrentContext") && find(destroy_context, "eglDestroyContext") &&
           find(destroy_surface, "eglDestroySurface");
  }

 private:
  template <class F>
  [[nodiscard]] bool find(F& function, const char* name) const {
    function = reinterpret_cast<F>(dlsym(library, name));
    return function != nullptr;
  }
};

}  // namespace

struct OffscreenContext::Impl {
  Egl egl;
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  EGLSurface surface = EGL_NO_SURFACE;
};

namespace {

using GetPlatformDisplay = EGLDisplay (*)(EGLenum, void*, const EGLint*);
using QueryDevices = EGLBoolean (*)(EGLint, EGLDeviceEXT*, EGLint*);

template <class F>
F egl_function(const Egl& egl, const char* name) {
  return reinterpret_cast<F>(egl.get_proc_address(name));
}

bool has_extension(const char* list, const char* name) { return list != nullptr && std::strstr(list, name) != nullptr; }

std::vector<EGLDisplay> candidate_displays(const Egl& egl) {
  std::vector<EGLDisplay> out;
  const char* extensions = egl.query_string(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const auto get_display = egl_function<GetPlatformDisplay>(egl, "eglGetPlatformDisplayEXT");
  const auto add_devices = [&] {
    const auto query = egl_function<QueryDevices>(egl, "eglQueryDevicesEXT");
    if (query == nullptr || !has_extension(extensions, "EGL_EXT_platform_device")) return;
    std::array<EGLDeviceEXT, 16> devices{};
    EGLint count = 0;
    if (query(static_cast<EGLint>(devices.size()), devices.data(), &count) == EGL_FALSE) return;
    for (EGLint i = 0; i < count; ++i)
      out.push_back(get_display(EGL_PLATFORM_DEVICE_EXT, devices[static_cast<std::size_t>(i)], nullptr));
  };
  if (get_display != nullptr) {
    if (has_extension(extensions, "EGL_MESA_platform_surfaceless"))
      out.push_back(get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
    add_devices();
  }
  out.push_back(egl.get_display(EGL_DEFAULT_DISPLAY));
  return out;
}

EGLConfig choose_config(const Egl& egl, EGLDisplay display) {
  const auto wanted =
      std::to_array<EGLint>({EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE});
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (egl.choose_config(display, wanted.data(), &config, 1, &count) == EGL_FALSE || count == 0) return nullptr;
  return config;
}

EGLContext create_context(const Egl& egl, EGLDisplay display, EGLConfig config, GlChecks checks) {
  std::vector<EGLint> wanted{EGL_CONTEXT_MAJOR_VERSION,       4,
                             EGL_CONTEXT_MINOR_VERSION,       5,
                             EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT};
  if (checks == GlChecks::debug) wanted.insert(wanted.end(), {EGL_CONTEXT_OPENGL_DEBUG, EGL_TRUE});
  wanted.push_back(EGL_NONE);
  return egl.create_context(display, config, EGL_NO_CONTEXT, wanted.data());
}

bool open_on(const Egl& egl, EGLDisplay display, GlChecks checks, EGLContext& context, EGLSurface& surface) {
  if (display == EGL_NO_DISPLAY || egl.initialize(display, nullptr, nullptr) == EGL_FALSE) return false;
  if (egl.bind_api(EGL_OPENGL_API) == EGL_FALSE) return false;
  EGLConfig config = choose_config(egl, display);
  context = create_context(egl, display, config, checks);
  if (context == EGL_NO_CONTEXT) return false;
  if (egl.make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_TRUE) return true;
  const auto size = std::to_array<EGLint>({EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE});
  surface = config == nullptr ? EGL_NO_SURFACE : egl.create_pbuffer_surface(display, config, size.data());
  if (surface != EGL_NO_SURFACE && egl.make_current(display, surface, surface, context) == EGL_TRUE) return true;
  if (surface != EGL_NO_SURFACE) egl.destroy_surface(display, surface);
  surface = EGL_NO_SURFACE;  // the next display may need no surface
  egl.destroy_context(display, context);
  context = EGL_NO_CONTEXT;
  return false;
}

}  // namespace

Result<std::unique_ptr<OffscreenContext>> OffscreenContext::create(GlChecks checks) {
  constexpr const char* advice = " (on Debian: apt install libegl1 libgl1-mesa-dri)";
  auto impl = std::make_unique<Impl>();
  if (!impl->egl.load())
    return fail(fmt::format("OpenGL without a display is not available: libEGL was not found{}", advice));
  // Cast through the type void (*)() to avoid a compiler warning about incompatible function types.
  const auto loader =
      reinterpret_cast<void* (*)(const char*)>(reinterpret_cast<void (*)()>(impl->egl.get_proc_address));
  for (EGLDisplay display : candidate_displays(impl->egl)) {
    if (!open_on(impl->egl, display, checks, impl->context, impl->surface)) continue;
    impl->display = display;
    auto context = std::unique_ptr<OffscreenContext>(new OffscreenContext(std::move(impl)));
    if (auto loaded = load_gl(loader); !loaded) return tl::unexpected(loaded.error());
    return context;
  }
  return fail(fmt::format(
      "OpenGL 4.5 without a display is not available: EGL has neither a surfaceless nor a device platform{}", advice));
}

OffscreenContext::OffscreenContext(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

OffscreenContext::~OffscreenContext() {
  release_current();
  if (impl_->surface != EGL_NO_SURFACE) impl_->egl.destroy_surface(impl_->display, impl_->surface);
  impl_->egl.destroy_context(impl_->display, impl_->context);
  // The display is not terminated because EGL shares it between all contexts of the process.
}

void OffscreenContext::make_current() {
  impl_->egl.make_current(impl_->display, impl_->surface, impl_->surface, impl_->context);
}

void OffscreenContext::release_current() {
  if (impl_->egl.get_current_context() == impl_->context)
    impl_->egl.make_current(impl_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

}  // namespace vw
