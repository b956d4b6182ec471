// A tour of the window in five steps. A step ends when the user performs it or chooses Next. This file does not use the
// GUI; app/window/ui/guide/tour_card.cpp shows the steps. Use only on the drawing thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace vw {

enum class TourStep : std::uint8_t { look, run, drag, edit, picture };

/// Texts of a step.
struct TourText {
  std::string_view title, instruction;
};
[[nodiscard]] const TourText& tour_text(TourStep step);

/// Counts of the user's actions so far. The tour compares the present facts with those at the start of a step.
struct TourFacts {
  std::uint64_t camera_drags = 0;  ///< number of drags and turns of the wheel that moved the camera
  bool playing = false;            ///< whether the simulation runs
  std::uint64_t grabs = 0;         ///< number of times that an element was dragged
  std::uint64_t edits = 0;         ///< revision of the document
  std::uint64_t pictures = 0;      ///< number of screenshots and recordings
  bool operator==(const TourFacts&) const = default;
};

class Tour {
 public:
  static constexpr int steps = 5;
  /// Time for which the card shows that a step was performed, before the next step [s].
  static constexpr double done_s = 1.2;

  /// Begins with the first step. A tour in progress begins again.
  void start() { go_to(0); }
  /// Goes to the next step; after the last step, the tour ends.
  void next() { go_to(position_ + 1); }
  void stop() { position_ = -1; }
  /// Compares the facts with those at the start of the step. Call this once per frame, with the wall time [s].
  void update(const TourFacts& facts, double wall_s);

  [[nodiscard]] bool is_active() const { return position_ >= 0; }
  [[nodiscard]] int position() const { return position_; }  ///< number of the step from 0; -1 if there is no tour
  [[nodiscard]] TourStep step() const { return static_cast<TourStep>(position_); }  ///< requires is_active()
  /// Whether the user has performed the present step. The next step follows after `done_s`.
  [[nodiscard]] bool is_done() const { return done_at_s_.has_value(); }

 private:
  void go_to(int position);

  int position_ = -1;
  std::optional<TourFacts> before_;  ///< facts at the start of the step
  std::optional<double> done_at_s_;  ///< wall time at which the step was performed [s]
};

}  // namespace vw
