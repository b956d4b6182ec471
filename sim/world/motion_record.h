// Vectors of elements for pictures: the change of their velocities over the last world step that was good, and what systems have of their own. Keeps
// the velocities that a step begins with while they are asked for; nothing of it is state.
#pragma once

#include <string>
#include <vector>

#include "sim/world/parts.h"

namespace vw {

/// acceleration [m/s^2] and net_force [N].
[[nodiscard]] std::span<const ChannelInfo> measured_vectors();

class MotionRecord {
 public:
  /// acceleration, net_force and vectors that systems have; of other names there is none.
  void ask(std::vector<std::string> names);
  /// Elements are no longer what the last step made them: nothing is known until the next one.
  void forget() { measured_ = false; }

  void begin_step(const WorldParts& parts);
  /// The step that begin_step() saw was good; `dt` [s]. One that was not is as if it had never begun.
  void end_step(double dt);

  /// Fills out.available_vectors and out.vectors for system number `index`. acceleration [m/s^2]: the mean over the last step; net_force [N]: mass
  /// times it, gravity and what holds it up included. Both are 0 for elements born in that step, and left out before there was one.
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
  std::vector<Motion> before_, next_;  ///< by system: at the start of the last good step, of the one under way
};

}  // namespace vw
