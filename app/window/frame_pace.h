// How often a frame is drawn.
#pragma once

namespace vw {

/// Where the processor draws, every frame is taken from the simulation. While that cannot keep up and nobody has a hand on the picture, frames come
/// less often.
class FramePace {
 public:
  struct Now {
    double wall_s = 0;
    double display_s = 1.0 / 60;      ///< the display's own period
    bool drawn_by_processor = false;  ///< no graphics device
    bool behind = false;              ///< the simulation, of what is asked
    bool in_use = false;              ///< mouse, keys, or a video that is being made
  };
  /// Seconds from one frame to the next. Keeps to fewer frames for some seconds, or both would take turns.
  [[nodiscard]] double period_s(const Now& now);
  /// Whether a frame that is drawn now shows the panels as they are: where frames are spared, most show a new picture alone.
  [[nodiscard]] bool wants_panels(const Now& now);

 private:
  [[nodiscard]] bool is_sparing(const Now& now);
  double sparing_until_s_ = -1, panels_s_ = -1;
};

}  // namespace vw
