#include "app/window/frame_pace.h"

#include <algorithm>

namespace vw {
namespace {

constexpr double sparing_period_s = 1.0 / 21;  // reduced frame rate of 21 frames per second
constexpr double sparing_for_s = 5;
// Every fourth frame updates the panels at the reduced frame rate. Faster changing numbers would be hard to read.
constexpr double panels_period_s = 0.18;

}  // namespace

bool FramePace::is_sparing(const Now& now) {
  if (now.drawn_by_processor && now.behind) sparing_until_s_ = now.wall_s + sparing_for_s;
  return now.wall_s < sparing_until_s_ && !now.in_use;
}

double FramePace::period_s(const Now& now) {
  return is_sparing(now) ? std::max(now.display_s, sparing_period_s) : now.display_s;
}

bool FramePace::wants_panels(const Now& now) {
  const bool due = !is_sparing(now) || now.wall_s - panels_s_ >= panels_period_s;
  if (due) panels_s_ = now.wall_s;
  return due;
}

}  // namespace vw
