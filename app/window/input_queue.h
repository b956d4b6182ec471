// Event queue between the window system's callbacks and the interface. Dear ImGui 1.86 samples buttons and keys once
// per frame, so a press and a release of a button within one slow frame would be lost. In one frame, the queue delivers
// at most one edge (press or release) of the buttons and at most one edge of each key. A click is delivered at the
// pointer position where it occurred. Use only on the drawing thread.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

namespace vw {

struct InputEvent {
  enum class Kind : std::uint8_t { move, button, wheel, key, text, focus } kind = Kind::move;
  /// For `move`, the pointer position [window units]. For `wheel`, the number of notches.
  double x = 0, y = 0;
  int code = 0;       ///< number of the button or key, or Unicode character
  bool down = false;  ///< true if a button or key was pressed or the window gained focus
};

class InputQueue {
 public:
  void push(const InputEvent& event);
  /// Removes and returns the events of one frame, in order. Call this once per frame.
  [[nodiscard]] std::vector<InputEvent> take_frame();
  [[nodiscard]] bool empty() const { return events_.empty(); }

 private:
  std::deque<InputEvent> events_;
};

}  // namespace vw
