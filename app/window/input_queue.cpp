#include "app/window/input_queue.h"

#include <algorithm>

namespace vw {

void InputQueue::push(const InputEvent& event) {
  // Consecutive moves are one: only the last position counts, and a fast mouse must not fill the queue.
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
    // A second edge of a button, or a move or notch after an edge, belongs to the next frame: the click must be seen where it happened.
    if (button_edge && (event.kind == Kind::move || event.kind == Kind::button || event.kind == Kind::wheel)) break;
    // Nor may a press come in the frame that brings the pointer there: overlapping items (tabs) must have been hovered for a frame to take it.
    if (event.kind == Kind::button && event.down && moved) break;
    const bool same_key = event.kind == Kind::key && std::find(keys.begin(), keys.end(), event.code) != keys.end();
    // Nor does a key go up in the frame of another's press: Ctrl let go right after O must still have been down with it.
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
