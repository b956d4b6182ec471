#include "app/window/frame_pace.h"

#include <algorithm>

namespace vw {
namespace {

constexpr double sparing_period_s = 1.0 / 21;  // 20 frames a second and a little
constexpr double sparing_for_s = 5;

}  // namespace

double FramePace::period_s(const Now& now) {
  if (now.drawn_by_processor && now.behind) sparing_until_s_ = now.wall_s + sparing_for_s;
  const bool sparing = now.wall_s < sparing_until_s_ && !now.in_use;
  return sparing ? std::max(now.display_s, sparing_period_s) : now.display_s;
}

}  // namespace vw
