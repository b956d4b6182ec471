#include "app/window/input_queue.h"

#include <algorithm>

namespace vw {

void InputQueue::push(const InputEvent& event) {
  // Merge consecutive moves. Only the last position matters, and a fast mouse must not fill the queue.
  if (event.kind == InputEvent::Kind::move && !events_.empty() && events_.back().kind == InputEvent::Kind::move) {
    events_.back() = event;
    return;
  }
  events_.push_back(event);
}

std::vector<InputEvent> InputQueue::take_frame() {
  using Kind = InputEvent::Kind;
  std::vector<InputEvent> frame;
  bool button_edge = false, moved = false, key_pressed = false;
  std::vector<int> keys;
  while (!events_.empty()) {
    const InputEvent& event = events_.front();
    // After a press or release of a button, the next move, wheel or button event is left for the next frame. The click
    // is then processed at the pointer position where it occurred.
    if (button_edge && (event.kind == Kind::move || event.kind == Kind::button || event.kind == Kind::wheel)) break;
    // A press after a move is left for the next frame, because overlapping items (tabs) accept a click only if the
    // pointer was over them in the previous frame.
    if (event.kind == Kind::button && event.down && moved) break;
    const bool same_key = event.kind == Kind::key && std::find(keys.begin(), keys.end(), event.code) != keys.end();
    // A release of a key after a press of a key is left for the next frame. Ctrl+O is then recognised even if Ctrl is
    // released immediately after O is pressed.
    if (event.kind == Kind::key && !event.down && key_pressed) break;
    if (same_key || (event.kind == Kind::key && button_edge) || (event.kind == Kind::button && !keys.empty())) break;
    moved = moved || event.kind == Kind::move;
    button_edge = button_edge || event.kind == Kind::button;
    if (event.kind == Kind::key) keys.push_back(event.code);
    key_pressed = key_pressed || (event.kind == Kind::key && event.down);
    frame.push_back(event);
    events_.pop_front();
  }
  return frame;
}

}  // namespace vw
