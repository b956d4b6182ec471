// Frame rate control.
#pragma once

namespace vw {

/// With software rendering, every frame takes CPU time from the simulation. If the simulation cannot keep up and there
/// is no user input, frames are drawn less often.
class FramePace {
 public:
  struct Now {
    double wall_s = 0;
    double display_s = 1.0 / 60;      ///< frame period of the display
    bool drawn_by_processor = false;  ///< openGL runs on the CPU
    bool behind = false;              ///< the simulation is slower than the requested speed
    bool in_use = false;              ///< mouse or keyboard input, or a video recording in progress
  };
  /// Time from one frame to the next [s]. A reduced frame rate is kept for 5 s after the simulation was last behind, to
  /// avoid oscillation.
  [[nodiscard]] double period_s(const Now& now);
  /// Whether the panels are updated in this frame. At the reduced frame rate, most frames only show a new picture.
  [[nodiscard]] bool wants_panels(const Now& now);

 private:
  [[nodiscard]] bool is_sparing(const Now& now);
  double sparing_until_s_ = -1, panels_s_ = -1;
};

}  // namespace vw
