// OpenGL context of a hidden window. WGL requires a window. For a core profile, it also requires a first context that
// provides the function wglCreateContextAttribsARB (WGL_ARB_create_context).
#include <windows.h>

#include <glad/gl.h>

#include "render/gl/context.h"

namespace vw {

struct OffscreenContext::Impl {
  HWND window = nullptr;
  HDC device = nullptr;
  HGLRC context = nullptr;

  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    if (context != nullptr) ::wglDeleteContext(context);
    if (device != nullptr) ::ReleaseDC(window, device);
    if (window != nullptr) ::DestroyWindow(window);
  }
};

namespace {

void* gl_function(const char* name) {
  if (auto* found = ::wglGetProcAddress(name); found != nullptr) return reinterpret_cast<void*>(found);
  static const HMODULE library = ::LoadLibraryW(L"opengl32.dll");  // the functions of OpenGL 1.1
  return library == nullptr ? nullptr : reinterpret_cast<void*>(::GetProcAddress(library, name));
}

bool choose_pixels(HDC device) {
  PIXELFORMATDESCRIPTOR wanted{};
  wanted.nSize = sizeof wanted;
  wanted.nVersion = 1;
  wanted.dwFlags = PFD_DRAW_TO_WINDOW | PFD_SUPPORT_OPENGL | PFD_DOUBLEBUFFER;
  wanted.iPixelType = PFD_TYPE_RGBA;
  wanted.cColorBits = 32;
  wanted.cDepthBits = 24;
  const int format = ::ChoosePixelFormat(device, &wanted);
  return format != 0 && ::SetPixelFormat(device, format, &wanted) != FALSE;
}

/// Creates an OpenGL 4.5 core context and makes it current. Returns null if the driver does not support it.
HGLRC create_core_context(HDC device, GlChecks checks) {
  const HGLRC first = ::wglCreateContext(device);
  if (first == nullptr) return nullptr;
  ::wglMakeCurrent(device, first);
  using Create = HGLRC(WINAPI*)(HDC, HGLRC, const int*);
  const auto create =
      reinterpret_cast<Create>(reinterpret_cast<void (*)()>(::wglGetProcAddress("wglCreateContextAttribsARB")));
  constexpr int major = 0x2091, minor = 0x2092, flags = 0x2094, profile = 0x9126;  // WGL_ARB_create_context(_profile)
  constexpr int core_profile = 1, debug = 1;
  const int wanted[] = {major, 4, minor, 5, profile, core_profile, flags, checks == GlChecks::debug ? debug : 0, 0};
  const HGLRC context = create == nullptr ? nullptr : create(device, nullptr, wanted);
  ::wglMakeCurrent(nullptr, nullptr);
  ::wglDeleteContext(first);
  if (context != nullptr) ::wglMakeCurrent(device, context);
  return context;
}

}  // namespace

Result<std::unique_ptr<OffscreenContext>> OffscreenContext::create(GlChecks checks) {
  auto impl = std::make_unique<Impl>();
  impl->window = ::CreateWindowExW(0, L"STATIC", L"Voxwake", WS_POPUP, 0, 0, 16, 16, nullptr, nullptr,
                                   ::GetModuleHandleW(nullptr), nullptr);
  impl->device = impl->window == nullptr ? nullptr : ::GetDC(impl->window);
  if (impl->device == nullptr || !choose_pixels(impl->device))
    return fail("OpenGL is not available: Windows provides no window with a suitable pixel format");
  impl->context = create_core_context(impl->device, checks);
  if (impl->context == nullptr) return fail("OpenGL 4.5 is not available: the graphics driver does not support it");
  auto context = std::unique_ptr<OffscreenContext>(new OffscreenContext(std::move(impl)));
  if (auto loaded = load_gl(gl_function); !loaded) return Unexpected(loaded.error());
  return context;
}

OffscreenContext::OffscreenContext(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

OffscreenContext::~OffscreenContext() { release_current(); }

void OffscreenContext::make_current() { ::wglMakeCurrent(impl_->device, impl_->context); }

void OffscreenContext::release_current() {
  if (::wglGetCurrentContext() == impl_->context) ::wglMakeCurrent(nullptr, nullptr);
}

}  // namespace vw
