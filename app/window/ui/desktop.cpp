#include "app/window/ui/desktop.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <thread>
#include <utility>

#include <GLFW/glfw3.h>
#include <glad/gl.h>

#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <imgui.h>

#include "app/window/frame_pace.h"
#include "app/window/ui/actions/capture_moment.h"
#include "app/window/ui/app.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/viewport/input_feed.h"
#include "render/gl/context.h"
#include "sim/base/parallel/spare_cores.h"
#include "sim/base/system/process.h"

namespace vw {
namespace {

using ui::App;

double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Data that GLFW's callbacks access through the window's user pointer.
struct Inbox {
  InputQueue queue;
  std::map<int, int> key_codes;  ///< code of each key of GLFW when it was pressed last (ui::key_with_label())
  std::vector<std::string> dropped;
  bool scale_changed = false;
  bool touched = false;  ///< whether any event has occurred since the last frame
};

Inbox& inbox_of(GLFWwindow* window) { return *static_cast<Inbox*>(glfwGetWindowUserPointer(window)); }

void push(GLFWwindow* window, const InputEvent& event) {
  Inbox& inbox = inbox_of(window);
  inbox.queue.push(event);
  inbox.touched = true;
}

void install_callbacks(GLFWwindow* window) {
  using Kind = InputEvent::Kind;
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) { push(w, {Kind::move, x, y, 0, false}); });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int) {
    push(w, {Kind::button, 0, 0, button, action == GLFW_PRESS});
  });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double x, double y) { push(w, {Kind::wheel, x, y, 0, false}); });
  glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int scancode, int action, int) {
    if (action == GLFW_REPEAT) return;
    // The release of a key has the code of its press, even if the user has changed the layout in between.
    int& code = inbox_of(w).key_codes.try_emplace(key, key).first->second;
    if (action == GLFW_PRESS) code = ui::key_with_label(key, glfwGetKeyName(key, scancode));
    push(w, {Kind::key, 0, 0, code, action == GLFW_PRESS});
  });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned code) {
    push(w, {Kind::text, 0, 0, static_cast<int>(code), false});
  });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int focused) {
    push(w, {Kind::focus, 0, 0, 0, focused == GLFW_TRUE});
  });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
    for (int i = 0; i < count; ++i) inbox_of(w).dropped.emplace_back(paths[i]);
    inbox_of(w).touched = true;
  });
  glfwSetWindowContentScaleCallback(
      window, [](GLFWwindow* w, float, float) { inbox_of(w).scale_changed = inbox_of(w).touched = true; });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { inbox_of(w).touched = true; });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { inbox_of(w).touched = true; });
}

Unexpected glfw_failure(const std::string& what) {
  const char* why = nullptr;
  glfwGetError(&why);
  return fail(why == nullptr ? what : fmt::format("{}: {}", what, why));
}

/// Size of a window [screen coordinates] that fits on the primary display with its frame. The size is at most that of
/// `options`. GLFW must be initialised.
std::pair<int, int> fitting_size(const WindowOptions& options) {
  constexpr int frame_width = 8, frame_height = 48;  // estimates; the frame is known only once the window exists
  int left = 0, top = 0, width = 0, height = 0;
  GLFWmonitor* display = glfwGetPrimaryMonitor();
  if (display != nullptr) glfwGetMonitorWorkarea(display, &left, &top, &width, &height);
  if (width <= 0 || height <= 0) return {options.width, options.height};
  float scale_x = 1, scale_y = 1;  // GLFW_SCALE_TO_MONITOR multiplies the size by the scale of the display
  glfwGetMonitorContentScale(display, &scale_x, &scale_y);
  const auto fit = [](int wanted, int available, float scale) {
    return std::min(wanted, static_cast<int>(static_cast<float>(available) / std::max(scale, 1.0F)));
  };
  return {fit(options.width, width - frame_width, scale_x), fit(options.height, height - frame_height, scale_y)};
}

/// Owner of GLFW, its window, the OpenGL context and ImGui's context.
class Window {
 public:
  static Result<std::unique_ptr<Window>> open(const WindowOptions& options) {
    if (glfwInit() != GLFW_TRUE) return glfw_failure("no display is available");
    auto window = std::unique_ptr<Window>(new Window);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "voxwake");
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);  // show_window() shows the window
    const auto [width, height] =
        options.fits_display ? fitting_size(options) : std::pair(options.width, options.height);
    window->handle_ = glfwCreateWindow(width, height, "Voxwake", nullptr, nullptr);
    if (window->handle_ == nullptr) return glfw_failure("a window with OpenGL 4.5 cannot be opened");
    glfwSetWindowSizeLimits(window->handle_, 640, 400, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwMakeContextCurrent(window->handle_);
    if (auto loaded = load_gl([](const char* name) { return reinterpret_cast<void*>(glfwGetProcAddress(name)); });
        !loaded)
      return tl::unexpected(loaded.error());
    glfwSwapInterval(1);
    glfwSetWindowUserPointer(window->handle_, &window->inbox);
    install_callbacks(window->handle_);
    window->start_imgui();
    return window;
  }

  ~Window() {
    if (imgui_started_) {
      ImGui_ImplOpenGL3_Shutdown();
      ImGui::DestroyContext();
    }
    for (GLFWcursor* cursor : cursors_)
      if (cursor != nullptr) glfwDestroyCursor(cursor);
    if (handle_ != nullptr) glfwDestroyWindow(handle_);
    glfwTerminate();
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  /// Sets fonts and style for the chosen scale, or for the display's scale if the user has chosen none. The frame loop
  /// calls this function again if the window moves to another display, if the user chooses another scale, or if texts
  /// need further letters.
  ui::Fonts apply_scale(const ui::Interface& interface) {
    float content = 1, ignored = 1;
    glfwGetWindowContentScale(handle_, &content, &ignored);
    const float framebuffer = framebuffer_scale();
    ImGui::GetStyle() = ImGuiStyle();
    ImGui::GetIO().Fonts->Clear();
    const double chosen = interface.preferences.interface_scale();
    ui::Fonts fonts =
        ui::apply_theme(ui::interface_scale(chosen, content, framebuffer), framebuffer, interface.letters.added());
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
    ImGui::GetIO().Fonts->ClearInputData();  // free the copies of the font files
    inbox.scale_changed = false;
    return fonts;
  }

  void begin_frame(float frame_s) {
    int width = 0, height = 0;
    glfwGetWindowSize(handle_, &width, &height);
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
    io.DisplayFramebufferScale = {framebuffer_scale(), framebuffer_scale()};
    io.DeltaTime = std::max(frame_s, 1e-4F);
    ui::feed_input(io, inbox.queue.take_frame());
    inbox.touched = !inbox.queue.empty();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
  }

  void end_frame() {
    ImGui::Render();
    const auto [width, height] = framebuffer_size();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width, height);
    glClearColor(ui::palette::window.x, ui::palette::window.y, ui::palette::window.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    set_mark();
    show_cursor(ImGui::GetMouseCursor());
  }

  /// Redraws a part of the last frame and leaves the rest unchanged.
  void draw_part(ImVec2 low, ImVec2 high) {
    ImDrawData* data = ImGui::GetDrawData();
    for (int i = 0; i < data->CmdListsCount; ++i)
      for (ImDrawCmd& command : data->CmdLists[i]->CmdBuffer) {
        ImVec4& clip = command.ClipRect;
        clip = {std::max(clip.x, low.x), std::max(clip.y, low.y), std::min(clip.z, high.x), std::min(clip.w, high.y)};
      }
    const auto [width, height] = framebuffer_size();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width, height);
    ImGui_ImplOpenGL3_RenderDrawData(data);
    set_mark();
  }
  /// Whether the window's back buffer still contains the last frame. If the driver alternates between several buffers,
  /// the back buffer contains an older frame.
  [[nodiscard]] bool holds_last_frame() const {
    if (framebuffer_size() != marked_size_) return false;
    std::array<std::uint8_t, 4> bytes{};
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, bytes.data());
    return bytes[2] == mark_byte();
  }

  [[nodiscard]] std::pair<int, int> framebuffer_size() const {
    int width = 0, height = 0;
    glfwGetFramebufferSize(handle_, &width, &height);
    return {width, height};
  }
  [[nodiscard]] GLFWwindow* handle() const { return handle_; }

  Inbox inbox;

 private:
  Window() = default;

  [[nodiscard]] float framebuffer_scale() const {
    int width = 0, height = 0;
    glfwGetWindowSize(handle_, &width, &height);
    return width > 0 ? std::max(static_cast<float>(framebuffer_size().first) / static_cast<float>(width), 0.5F) : 1;
  }

  /// Marks the frame, so that holds_last_frame() recognises it: sets the blue value of a corner pixel of the window to
  /// one of four values. The differences between these values are invisible.
  void set_mark() {
    mark_ = (mark_ + 1) % 4;
    marked_size_ = framebuffer_size();
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 1, 1);
    glClearColor(ui::palette::window.x, ui::palette::window.y, static_cast<float>(mark_byte()) / 255, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
  }
  [[nodiscard]] int mark_byte() const { return static_cast<int>(255 * ui::palette::window.z) + mark_; }

  void start_imgui() {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.BackendPlatformName = "voxwake";
    io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    io.ClipboardUserData = handle_;
    io.GetClipboardTextFn = [](void* window) { return glfwGetClipboardString(static_cast<GLFWwindow*>(window)); };
    io.SetClipboardTextFn = [](void* window, const char* text) {
      glfwSetClipboardString(static_cast<GLFWwindow*>(window), text);
    };
    ui::set_key_map(io);
    ImGui_ImplOpenGL3_Init("#version 330 core");
    imgui_started_ = true;
  }

  void show_cursor(ImGuiMouseCursor wanted) {
    if (wanted < 0 || wanted >= static_cast<int>(cursors_.size()) || wanted == cursor_) return;
    static constexpr std::array<int, ImGuiMouseCursor_COUNT> shapes{
        GLFW_ARROW_CURSOR, GLFW_IBEAM_CURSOR, GLFW_ARROW_CURSOR, GLFW_VRESIZE_CURSOR, GLFW_HRESIZE_CURSOR,
        GLFW_ARROW_CURSOR, GLFW_ARROW_CURSOR, GLFW_HAND_CURSOR,  GLFW_ARROW_CURSOR};
    const auto at = static_cast<std::size_t>(wanted);
    if (cursors_[at] == nullptr) cursors_[at] = glfwCreateStandardCursor(shapes[at]);
    glfwSetCursor(handle_, cursors_[at]);
    cursor_ = wanted;
  }

  GLFWwindow* handle_ = nullptr;
  bool imgui_started_ = false;
  int mark_ = 0;
  std::pair<int, int> marked_size_{0, 0};
  std::array<GLFWcursor*, ImGuiMouseCursor_COUNT> cursors_{};
  ImGuiMouseCursor cursor_ = ImGuiMouseCursor_Arrow;
};

double frame_period_s() {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor == nullptr ? nullptr : glfwGetVideoMode(monitor);
  // A virtual display reports a refresh rate of 0. If vertical sync works, buffer swaps set the frame rate. The period
  // is then 10 % shorter than the display's period, so that the wait for the next frame does not delay a swap.
  return mode == nullptr || mode->refreshRate <= 0 ? 1.0 / 60 : 0.9 / std::clamp(mode->refreshRate, 30, 240);
}

bool is_running(const App& app) {
  return app.session.playing && app.session.have_snapshot && !app.session.run->newest().paused;
}

bool at_rest(const App& app, const Inbox& inbox) {
  return !is_running(app) && !inbox.touched && !app.session.loader.busy() && !app.ui.gallery.is_drawing() &&
         !app.view.recorder.active() && app.times.wall_s > app.times.busy_until_s;
}

FramePace::Now pace_now(const App& app, double display_s) {
  const bool running = app.session.playing && app.session.have_snapshot;
  FramePace::Now now{.wall_s = app.times.wall_s,
                     .display_s = display_s,
                     .drawn_by_processor = app.view.renderer->is_software(),
                     .in_use = app.view.recorder.active() || app.times.wall_s - app.times.last_input_s < 0.5};
  if (running)
    now.behind = app.session.run->newest().realtime_factor < ui::late_below * app.session.run->newest().asked_speed;
  return now;
}

/// Handles events until the next frame is due. If nothing in the window changes, the function waits up to 0.2 s for an
/// event, so that a paused window uses almost no CPU time.
void wait_for_frame(const App& app, const Inbox& inbox, double last_frame_s, double period_s) {
  if (at_rest(app, inbox)) return glfwWaitEventsTimeout(0.2);
  glfwPollEvents();
  for (double left = last_frame_s + period_s - now_s(); left > 2e-4; left = last_frame_s + period_s - now_s())
    glfwWaitEventsTimeout(left);
}

void show_title(GLFWwindow* window, const App& app, std::string& shown) {
  const bool edited = app.session.document != nullptr && app.session.document->modified();
  const std::string title = app.session.document == nullptr
                                ? "Voxwake"
                                : app.session.scene_name() + (edited ? " (edited)" : "") + " - Voxwake";
  if (title != shown) glfwSetWindowTitle(window, title.c_str());
  shown = title;
}

void measure_frame(App& app, double frame_s, double drawing_s) {
  const double weight = 1 - std::exp(-std::min(frame_s, 1.0) / 0.5);
  app.times.frame_ms += weight * (1e3 * drawing_s - app.times.frame_ms);
  if (frame_s > 0) app.times.fps += weight * (1 / frame_s - app.times.fps);
}

/// Returns a summary of a timed run in one line: the intervals between frames, and the simulated time that was reached.
std::string frame_summary(std::vector<double> intervals_s, double first_picture_s, double simulated_s) {
  if (intervals_s.empty()) return "no frames";
  std::sort(intervals_s.begin(), intervals_s.end());
  const auto ms = [&](double share) {
    return 1e3 * intervals_s[static_cast<std::size_t>(share * static_cast<double>(intervals_s.size() - 1))];
  };
  return fmt::format(
      "{} frames; interval between frames: median {:.1f} ms, 99th percentile {:.1f} ms, longest {:.1f} ms; first "
      "picture after {:.0f} ms; {:.2f} s simulated",
      intervals_s.size(), ms(0.5), ms(0.99), ms(1), 1e3 * first_picture_s, simulated_s);
}

/// Owns the window and runs the frame loop.
class Desktop {
 public:
  Desktop(std::unique_ptr<Window> window, App& app, double start_s)
      : window_(std::move(window)), app_(app), start_s_(start_s) {}

  Result<int> run() {
    auto renderer = Renderer::create();
    if (!renderer) return tl::unexpected(renderer.error());
    app_.view.renderer = std::move(*renderer);
    app_.view.gl_name = gl_description();
    app_.log.info(app_.view.gl_name);
    app_.ui.fonts = window_->apply_scale(app_.ui);
    display_s_ = frame_period_s();
    while (!finished()) {
      wait_for_frame(app_, window_->inbox, frame_start_s_, pace_.period_s(pace_now(app_, display_s_)));
      const bool touched = window_->inbox.touched;
      const bool resting = at_rest(app_, window_->inbox);
      tick(touched, resting);
    }
    if (!is_interrupted() || app_.ui.quit || keep_edits()) ui::end_autosave(app_);
    constexpr int not_written = 2;  // exit code if a file cannot be written (docs/cli.md)
    const int code = app_.options.screenshot_on_exit.empty() || last_screenshot() ? 0 : not_written;
    if (app_.options.exit_after_s > 0)
      fmt::print("{}\n", frame_summary(intervals_s_, app_.times.first_picture_s,
                                       app_.session.have_snapshot ? app_.session.snapshot()->time_s : 0));
    close();
    return code;
  }

 private:
  [[nodiscard]] bool finished() const {
    const bool time_up = app_.options.exit_after_s > 0 && app_.times.wall_s >= app_.options.exit_after_s;
    return time_up || app_.ui.quit || is_interrupted();
  }
  /// Whether a signal has requested termination. After a signal, there is no time to ask whether to save.
  [[nodiscard]] bool is_interrupted() const {
    return app_.options.interrupted != nullptr && app_.options.interrupted();
  }

  /// Saves unsaved edits under a new name. Returns false if this is not possible.
  bool keep_edits() {
    const auto kept = ui::keep_unsaved(app_);
    if (!kept)
      fmt::print(stderr, "voxwake: {}; the unsaved edits were not saved\n", kept.error().message());
    else if (!kept->empty())
      fmt::print(stderr, "voxwake: interrupted; the unsaved edits were saved to {}\n", *kept);
    return kept.has_value();
  }

  void tick(bool touched, bool resting) {
    const double before_s = frame_start_s_;
    frame_start_s_ = now_s();
    app_.times.wall_s = frame_start_s_ - start_s_;
    const std::uint64_t shown = app_.session.have_snapshot ? app_.session.run->newest().sequence : 0;
    ui::open_dropped(app_, std::exchange(window_->inbox.dropped, {}));
    if (glfwWindowShouldClose(window_->handle()) == GLFW_TRUE) {
      glfwSetWindowShouldClose(window_->handle(), GLFW_FALSE);
      ui::request_quit(app_);
    }
    ui::update(app_);
    const bool fresh = app_.session.have_snapshot && app_.session.run->newest().sequence != shown;
    // Background jobs add messages at any time. A window at rest must show them too.
    const std::uint64_t revision = app_.log.revision();
    const bool has_messages = std::exchange(log_revision_, revision) != revision;
    if (resting && !touched && !fresh && !has_messages && !app_.ui.scale_changed && app_.times.first_picture_s >= 0)
      return;
    if (touched) app_.times.last_input_s = app_.times.wall_s;
    // Tooltips appear after a delay, so frames are drawn for some time after an event.
    if (touched) app_.times.busy_until_s = std::max(app_.times.busy_until_s, app_.times.wall_s + 0.7);
    const bool has_new_fonts = std::exchange(app_.ui.scale_changed, false) || window_->inbox.scale_changed;
    if (has_new_fonts) app_.ui.fonts = window_->apply_scale(app_.ui);  // the last frame has texts in the old fonts
    const bool with_panels =
        has_new_fonts || pace_.wants_panels(pace_now(app_, display_s_)) || touched || !is_running(app_);
    const BusyCore drawing(app_.view.renderer->is_software());
    if (with_panels || !draw_picture()) draw_frame();
    measure_frame(app_, frame_start_s_ - before_s, now_s() - frame_start_s_);
    if (app_.options.exit_after_s > 0 && before_s > 0) intervals_s_.push_back(frame_start_s_ - before_s);
  }

  /// With software rendering, redraws only the picture if the window still contains the panels of the last frame.
  /// Otherwise returns false.
  bool draw_picture() {
    if (!app_.view.renderer->is_software() || !window_->holds_last_frame() || !app_.view.viewport.redraw(app_))
      return false;
    const ImVec2 low = app_.view.viewport.corner(), size = app_.view.viewport.whole_size();
    window_->draw_part(low, {low.x + size.x, low.y + size.y});
    glfwSwapBuffers(window_->handle());
    return true;
  }

  /// Shows the window once it contains the first picture. If no scene is being opened, or if opening takes longer than
  /// a second, shows the window without a picture.
  void show_window() {
    constexpr double patience_s = 1;
    if (shown_ || (app_.times.first_picture_s < 0 && app_.session.loader.busy() && app_.times.wall_s < patience_s))
      return;
    shown_ = true;
    glfwShowWindow(window_->handle());
  }

  void draw_frame() {
    window_->begin_frame(static_cast<float>(std::min(frame_start_s_ - interface_s_, 0.25)));
    interface_s_ = frame_start_s_;
    for (const ImWchar typed : ImGui::GetIO().InputQueueCharacters) app_.ui.letters.need(char32_t{typed});
    ui::draw_interface(app_);
    window_->end_frame();
    const auto [width, height] = window_->framebuffer_size();
    ui::finish_window_screenshot(app_, width, height);
    ui::pump_recording(app_, width, height);
    glfwSwapBuffers(window_->handle());
    show_window();
    show_title(window_->handle(), app_, title_);
    if (app_.times.first_picture_s >= 0 && !first_said_) {
      first_said_ = true;
      app_.log.debug(fmt::format("First picture {:.0f} ms after the window was requested", 1e3 * (now_s() - start_s_)));
    }
  }

  [[nodiscard]] bool last_screenshot() {
    window_->begin_frame(0.01F);
    ui::draw_interface(app_);
    window_->end_frame();
    const auto [width, height] = window_->framebuffer_size();
    ui::stop_recording(app_);  // a simulation that waits for the recorder could not provide its journal
    const std::string& path = app_.options.screenshot_on_exit;
    const std::string moment = ui::bytes_of(*ui::shown_moment(app_), path, app_.log);
    const auto written = write_png(ui::read_window(width, height), path, moment);
    if (!written) app_.log.error(written.error().message());
    return written.has_value();
  }

  /// Releases all objects that need the OpenGL context before the window is destroyed.
  void close() {
    ui::stop_recording(app_);
    ui::close_voxel_editor(app_);
    app_.view.viewport.release_gl();
    app_.view.comparison.release_gl();
    app_.view.moments.release_gl();
    app_.ui.gallery.release_gl();
    app_.view.renderer.reset();
  }

  std::unique_ptr<Window> window_;
  App& app_;
  double start_s_;
  double frame_start_s_ = 0, interface_s_ = 0;
  std::uint64_t log_revision_ = 0;  ///< revision of the log in the last frame
  double display_s_ = 1.0 / 60;
  FramePace pace_;
  /// Intervals between drawn frames [s]. They are recorded only if the run has a fixed duration.
  std::vector<double> intervals_s_;
  std::string title_;
  bool shown_ = false;
  bool first_said_ = false;
};

}  // namespace

Result<int> run_desktop(const WindowOptions& options) {
  const double start_s = now_s();
  // On one or two cores, the threads of Mesa's llvmpipe would compete with the threads of the simulation. llvmpipe
  // reads this variable when the context is created.
  if (std::thread::hardware_concurrency() <= 2) set_default_variable("LP_NUM_THREADS", "1");
  App app(options);
  if (!options.scene.empty()) ui::open(app, options.scene);  // loads while the window opens
  auto window = Window::open(options);
  if (!window) return tl::unexpected(window.error());
  if (options.exit_after_s == 0) {
    ui::offer_recovery(app);
    ui::offer_tour(app);
    // The first start of the program offers the tour instead of the start page. A start after a crash offers the
    // recovery.
    if (options.offers_start_page && !app.ui.offers_tour && app.ui.recovery.copies.empty() &&
        app.ui.preferences.shows_start_page())
      ui::show_start_page(app);
  }
  Desktop desktop(std::move(*window), app, start_s);
  return desktop.run();
}

}  // namespace vw
