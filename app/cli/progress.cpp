#include "app/cli/progress.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "sim/base/generation_progress.h"
#include "sim/base/system/interrupt.h"
#include "sim/base/system/process.h"

namespace vw::cli {

WorkBar::WorkBar() : terminal_(messages_go_to_terminal()) {}

double WorkBar::wall_s() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }

void WorkBar::show(double share, std::string_view rest) {
  if (!terminal_) return;
  const auto now = Clock::now();
  if (now - begun_ < std::chrono::seconds(1) || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  shown_ = true;
  constexpr int cells = 30;
  const double part = std::clamp(share, 0.0, 1.0);
  const auto full = static_cast<std::size_t>(part * cells);
  put_on_stderr(fmt::format("\r[{}{}] {:3.0f} %  {} \x1b[K", std::string(full, '#'), std::string(cells - full, ' '),
                            100 * part, rest));
}

void WorkBar::clear() {
  if (!shown_) return;
  put_on_stderr("\r\x1b[K");
  shown_ = false;
}

void Progress::show(double time_s) {
  if (end_s_ <= start_s_) return;
  const double wall = bar_.wall_s(), part = std::clamp((time_s - start_s_) / (end_s_ - start_s_), 0.0, 1.0);
  const double left = part > 0 ? wall / part - wall : 0;
  bar_.show(part, fmt::format("{:.2f} of {:g} s  {:.2f} x real time  {:.0f} s left", time_s, end_s_,
                              (time_s - start_s_) / wall, left));
}

GenerationBar::GenerationBar() {
  thread_ = std::thread([this] {
    WorkBar bar;
    while (!stop_.try_acquire_for(std::chrono::milliseconds(50))) {
      const auto running = generations_running();
      if (interrupted()) cancel_generations();
      if (running.empty())
        bar.clear();
      else
        bar.show(running.front().share, running.front().name);
    }
  });
}

GenerationBar::~GenerationBar() {
  stop_.release();
  thread_.join();
}

}  // namespace vw::cli
