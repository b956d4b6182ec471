#include "app/window/input_queue.h"

#include <algorithm>

namespace vw {

void InputQueue::push(const InputEvent& event) {
  // Consecutive moves are merged: only the last position counts, and a fast mouse must not fill the queue.
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
    // After an edge of a button, a further edge, a move or a wheel notch belongs to the next frame: the click must be
    // processed at its position.
    if (button_edge && (event.kind == Kind::move || event.kind == Kind::button || event.kind == Kind::wheel)) break;
    // A press does not belong to the frame in which the pointer moves there: overlapping items (tabs) accept a click
    // only after a frame of hovering.
    if (event.kind == Kind::button && event.down && moved) break;
    const bool same_key = event.kind == Kind::key && std::find(keys.begin(), keys.end(), event.code) != keys.end();
    // A key is not released in the frame in which another key is pressed: if Ctrl is released right after O is pressed,
    // Ctrl+O must still be recognised.
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
