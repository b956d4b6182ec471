// Between the window system's callbacks and the interface: Dear ImGui 1.86 samples buttons and keys once a frame, so a press and its release
// that arrive within one slow frame would be lost. This queue lets one edge of a button or key through per frame, and keeps a click where the
// pointer was. Drawing thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

namespace vw {

struct InputEvent {
  enum class Kind : std::uint8_t { move, button, wheel, key, text, focus } kind = Kind::move;
  double x = 0, y = 0;  ///< move: pointer [window units]; wheel: notches
  int code = 0;         ///< button, key or Unicode character
  bool down = false;    ///< button, key, focus gained
};

class InputQueue {
 public:
  void push(const InputEvent& event);
  /// Events of this frame, in order. Calling it again gives those of the next frame.
  [[nodiscard]] std::vector<InputEvent> take_frame();
  [[nodiscard]] bool empty() const { return events_.empty(); }

 private:
  std::deque<InputEvent> events_;
};

}  // namespace vw
