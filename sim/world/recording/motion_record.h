// Vectors of elements for display: accelerations, net forces, and vectors that systems provide. Accelerations and net
// forces are computed from the change of velocities over the last successful world step. While they are requested, the
// velocities at the start of each step are stored. Nothing here belongs to the state.
#pragma once

#include <string>
#include <vector>

#include "sim/world/parts.h"

namespace vw {

/// Returns the vectors that MotionRecord measures: acceleration [m/s^2] and net_force [N].
[[nodiscard]] std::span<const ChannelInfo> measured_vectors();

class MotionRecord {
 public:
  /// Requests vectors by name: acceleration, net_force or a vector that a system provides. Unknown names are ignored.
  void ask(std::vector<std::string> names);
  /// Must be called if elements were changed otherwise than by a step. The vectors acceleration and net_force are then
  /// absent until the next step.
  void forget() { measured_ = false; }

  void begin_step(const WorldParts& parts);
  /// Must be called after each successful step of length `dt` [s]. A step that failed has no effect.
  void end_step(double dt);

  /// Fills out.available_vectors and out.vectors for system number `index`. acceleration [m/s^2] is the mean over the
  /// last step. net_force [N] is mass times acceleration and includes gravity and reaction forces. Both vectors are 0
  /// for elements that were created in the last step. Both are absent before the first step.
  void write(const System& system, std::size_t index, SystemSnapshot& out) const;

 private:
  struct Motion {
    std::vector<std::uint32_t> id;
    std::vector<Vec3> velocity;
  };
  void accelerations(const Elements& elements, const Motion& before, std::vector<Vec3f>& out) const;

  std::vector<std::string> asked_;
  bool measures_ = false, begun_ = false, measured_ = false;
  double dt_ = 0;
  /// Motion of each system at the start of the last successful step (before_) and of the current step (next_).
  std::vector<Motion> before_, next_;
};

}  // namespace vw
