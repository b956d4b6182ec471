// Times of the passes of a picture, for the Statistics tab and the benchmarks. While the clock runs, the GPU finishes
// each pass before the next pass begins, so drawing takes longer.
#pragma once

#include <chrono>
#include <string_view>
#include <vector>

#include "render/gl/gl_object.h"
#include "render/renderer.h"

namespace vw {

class PassClock {
 public:
  /// Starts or ends measuring. Call between pictures.
  void run(bool on) {
    is_on_ = on;
    passes_.clear();
  }
  [[nodiscard]] bool runs() const { return is_on_; }
  /// Begins the measurement of a picture.
  void begin() {
    if (!is_on_) return;
    passes_.clear();
    glFinish();
    before_ = Clock::now();
  }
  /// Ends the pass `name`, which must be a string literal. The times of passes with the same name are added.
  void end(const char* name) {
    if (!is_on_) return;
    glFinish();
    const Clock::time_point now = Clock::now();
    const double ms = std::chrono::duration<double, std::milli>(now - before_).count();
    before_ = now;
    for (PassTime& pass : passes_)
      if (std::string_view(pass.name) == name) {
        pass.ms += ms;
        return;
      }
    passes_.push_back({name, ms});
  }
  [[nodiscard]] const std::vector<PassTime>& passes() const { return passes_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool is_on_ = false;
  Clock::time_point before_;
  std::vector<PassTime> passes_;
};

}  // namespace vw
