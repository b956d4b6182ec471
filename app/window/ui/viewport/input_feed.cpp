#include "app/window/ui/viewport/input_feed.h"

#include <algorithm>
#include <string_view>

#include <GLFW/glfw3.h>

namespace vw::ui {
namespace {

void set_key(ImGuiIO& io, int key, bool down) {
  if (key < 0 || key >= static_cast<int>(IM_ARRAYSIZE(io.KeysDown))) return;
  io.KeysDown[key] = down;
  io.KeyCtrl = io.KeysDown[GLFW_KEY_LEFT_CONTROL] || io.KeysDown[GLFW_KEY_RIGHT_CONTROL];
  io.KeyShift = io.KeysDown[GLFW_KEY_LEFT_SHIFT] || io.KeysDown[GLFW_KEY_RIGHT_SHIFT];
  io.KeyAlt = io.KeysDown[GLFW_KEY_LEFT_ALT] || io.KeysDown[GLFW_KEY_RIGHT_ALT];
  io.KeySuper = io.KeysDown[GLFW_KEY_LEFT_SUPER] || io.KeysDown[GLFW_KEY_RIGHT_SUPER];
}

/// Marks all keys and buttons as released. Releases that occur while another window has the focus are never reported.
void release_all(ImGuiIO& io) {
  std::fill(std::begin(io.MouseDown), std::end(io.MouseDown), false);
  std::fill(std::begin(io.KeysDown), std::end(io.KeysDown), false);
  set_key(io, 0, false);
}

}  // namespace

void set_key_map(ImGuiIO& io) {
  struct Pair {
    int imgui, glfw;
  };
  static constexpr Pair pairs[] = {{ImGuiKey_Tab, GLFW_KEY_TAB},
                                   {ImGuiKey_LeftArrow, GLFW_KEY_LEFT},
                                   {ImGuiKey_RightArrow, GLFW_KEY_RIGHT},
                                   {ImGuiKey_UpArrow, GLFW_KEY_UP},
                                   {ImGuiKey_DownArrow, GLFW_KEY_DOWN},
                                   {ImGuiKey_PageUp, GLFW_KEY_PAGE_UP},
                                   {ImGuiKey_PageDown, GLFW_KEY_PAGE_DOWN},
                                   {ImGuiKey_Home, GLFW_KEY_HOME},
                                   {ImGuiKey_End, GLFW_KEY_END},
                                   {ImGuiKey_Insert, GLFW_KEY_INSERT},
                                   {ImGuiKey_Delete, GLFW_KEY_DELETE},
                                   {ImGuiKey_Backspace, GLFW_KEY_BACKSPACE},
                                   {ImGuiKey_Space, GLFW_KEY_SPACE},
                                   {ImGuiKey_Enter, GLFW_KEY_ENTER},
                                   {ImGuiKey_Escape, GLFW_KEY_ESCAPE},
                                   {ImGuiKey_KeyPadEnter, GLFW_KEY_KP_ENTER},
                                   {ImGuiKey_A, GLFW_KEY_A},
                                   {ImGuiKey_C, GLFW_KEY_C},
                                   {ImGuiKey_V, GLFW_KEY_V},
                                   {ImGuiKey_X, GLFW_KEY_X},
                                   {ImGuiKey_Y, GLFW_KEY_Y},
                                   {ImGuiKey_Z, GLFW_KEY_Z}};
  for (const Pair& pair : pairs) io.KeyMap[pair.imgui] = pair.glfw;
}

int key_with_label(int key, const char* label) {
  const bool is_printable = key >= GLFW_KEY_APOSTROPHE && key <= GLFW_KEY_GRAVE_ACCENT;
  const bool is_digit = key >= GLFW_KEY_0 && key <= GLFW_KEY_9;
  if (!is_printable || is_digit || label == nullptr || label[0] == '\0' || label[1] != '\0') return key;
  const char letter = label[0];
  if (letter >= 'a' && letter <= 'z') return GLFW_KEY_A + (letter - 'a');
  if (letter >= 'A' && letter <= 'Z') return GLFW_KEY_A + (letter - 'A');
  if (letter == '+') return GLFW_KEY_EQUAL;  // "+" is on this key of a US keyboard
  // GLFW's codes of these keys are the ASCII codes of their signs.
  constexpr std::string_view signs = "',-./;=[\\]`";
  return signs.find(letter) == std::string_view::npos ? key : static_cast<int>(letter);
}

void feed_input(ImGuiIO& io, const std::vector<InputEvent>& events) {
  using Kind = InputEvent::Kind;
  // A fast double click takes three frames from press to press (InputQueue). It must be recognised even if frames are
  // slow.
  io.MouseDoubleClickTime = std::max(0.3F, 4 * io.DeltaTime);
  for (const InputEvent& event : events) {
    switch (event.kind) {
      case Kind::move: io.MousePos = {static_cast<float>(event.x), static_cast<float>(event.y)}; break;
      case Kind::button:
        if (event.code >= 0 && event.code < static_cast<int>(IM_ARRAYSIZE(io.MouseDown)))
          io.MouseDown[event.code] = event.down;
        break;
      case Kind::wheel:
        io.MouseWheelH += static_cast<float>(event.x);
        io.MouseWheel += static_cast<float>(event.y);
        break;
      case Kind::key: set_key(io, event.code, event.down); break;
      case Kind::text: io.AddInputCharacter(static_cast<unsigned>(event.code)); break;
      case Kind::focus:
        if (!event.down) release_all(io);
        break;
    }
  }
}

}  // namespace vw::ui
