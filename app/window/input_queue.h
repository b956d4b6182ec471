// Event queue between the window system's callbacks and the interface. Dear ImGui 1.86 samples buttons and keys once
// per frame, so a press and its release within one slow frame would be lost. The queue delivers at most one edge of a
// button or key per frame and delivers a click at the pointer position where it occurred. Drawing thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

namespace vw {

struct InputEvent {
  enum class Kind : std::uint8_t { move, button, wheel, key, text, focus } kind = Kind::move;
  double x = 0, y = 0;  ///< move: pointer position [window units]; wheel: notches
  int code = 0;         ///< number of the button or key, or Unicode character
  bool down = false;    ///< button or key pressed, or focus gained
};

class InputQueue {
 public:
  void push(const InputEvent& event);
  /// Removes and returns the events of the current frame, in order. The next call returns those of the next frame.
  [[nodiscard]] std::vector<InputEvent> take_frame();
  [[nodiscard]] bool empty() const { return events_.empty(); }

 private:
  std::deque<InputEvent> events_;
};

}  // namespace vw
