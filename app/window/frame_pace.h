// Control of the frame rate.
#pragma once

namespace vw {

/// Reduces the frame rate if OpenGL runs on the CPU, the simulation cannot keep up, and there is no user input. With
/// software rendering, every frame takes CPU time from the simulation.
class FramePace {
 public:
  struct Now {
    double wall_s = 0;
    double display_s = 1.0 / 60;      ///< frame period of the display [s]
    bool drawn_by_processor = false;  ///< OpenGL runs on the CPU
    bool behind = false;              ///< the simulation is slower than the requested speed
    bool in_use = false;              ///< mouse or keyboard input, or a video recording in progress
  };
  /// Time from one frame to the next [s]. While the simulation is slower than requested, and for 5 s afterwards, the
  /// frame rate is reduced. The 5 s prevent frequent changes of the frame rate.
  [[nodiscard]] double period_s(const Now& now);
  /// Whether this frame updates the panels. At the reduced frame rate, most frames only show a new picture of the
  /// scene.
  [[nodiscard]] bool wants_panels(const Now& now);

 private:
  [[nodiscard]] bool is_sparing(const Now& now);
  double sparing_until_s_ = -1, panels_s_ = -1;
};

}  // namespace vw
