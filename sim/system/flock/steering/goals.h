// Goals of members: points, paths and bodies. Input: members at the start of the substep. Output: an acceleration for
// each row, and the progress along the path.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/system/flock/flock_params.h"
#include "sim/system/flock/flock_rows.h"
#include "sim/system/flock/obstacles/surroundings.h"

namespace vw {

class Goals {
 public:
  void configure(const FlockPlan& plan);
  /// Names of the bodies that enabled goals refer to (see FlockSystem::wanted_marks()).
  [[nodiscard]] std::span<const std::string> wanted() const { return wanted_; }
  /// Sets the positions of the bodies in wanted() for the substep. The position is taken from a mark that an
  /// interaction provides or, if there is none, from the collider of that name.
  void begin(std::span<const Collider> colliders, const Surroundings& around);
  /// Returns the acceleration [m/s^2] of a member towards all enabled goals of its species, or away from goals with a
  /// negative weight. `kind` is the index of the species. The result is the sum over the goals, multiplied by the
  /// magnitude of each goal's weight but not by the species' weight `goal`. `way` is the index of the current point on
  /// the first path of the species. The function advances `way` if the point has been reached. Thread-safe.
  [[nodiscard]] Vec3 pull(const SpeciesParams& species, std::uint8_t kind, const Vec3& position, const Vec3& velocity,
                          std::uint32_t& way) const;

 private:
  struct Aim {
    GoalKind kind = GoalKind::point;
    int species = -1;  ///< Index of the species. -1 means all species.
    double weight = 1, radius_m = 0;
    bool loop = true, known = false;  ///< `known` means that the position of the goal's body is known.
    std::vector<Vec3> points;
    std::string body;
    Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();
    double keep_m = 0;
  };
  std::vector<Aim> aims_;
  std::vector<std::string> wanted_;
};

}  // namespace vw
