#include "app/cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include <fmt/format.h>

namespace vw::cli {

Progress::Progress(double start_s, double end_s) : start_s_(start_s), end_s_(end_s), terminal_(isatty(STDERR_FILENO) == 1) {}

void Progress::show(double time_s) {
  if (!terminal_ || end_s_ <= start_s_) return;
  const auto now = Clock::now();
  if (now - begun_ < std::chrono::seconds(1) || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  shown_ = true;
  constexpr int cells = 30;
  const double wall = std::chrono::duration<double>(now - begun_).count();
  const double part = std::clamp((time_s - start_s_) / (end_s_ - start_s_), 0.0, 1.0);
  const auto full = static_cast<std::size_t>(part * cells);
  const double left = part > 0 ? wall / part - wall : 0;
  fmt::print(stderr, "\r[{}{}] {:3.0f} %  {:.2f} of {:g} s  {:.2f} x real time  {:.0f} s left \x1b[K", std::string(full, '#'),
             std::string(cells - full, ' '), 100 * part, time_s, end_s_, (time_s - start_s_) / wall, left);
  std::fflush(stderr);
}

void Progress::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace vw::cli
