// Goals of members: points, paths, bodies. Input: members at the start of the substep. Output: an acceleration for each
// row, and the progress along the path.
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
  /// Bodies that enabled goals name, see FlockSystem::wanted_marks.
  [[nodiscard]] std::span<const std::string> wanted() const { return wanted_; }
  /// Sets the positions of these bodies for the substep: from the interactions' marks, else from a collider of that
  /// name.
  void begin(std::span<const Collider> colliders, const Surroundings& around);
  /// Sum of the pulls [m/s^2] on a member by all enabled goals of its species `kind`, with the goals' weights, before
  /// the species' weight `goal`. `way`: index of the current point on the first path of the species; it advances when
  /// the point is reached. Thread-safe.
  [[nodiscard]] Vec3 pull(const SpeciesParams& species, std::uint8_t kind, const Vec3& position, const Vec3& velocity,
                          std::uint32_t& way) const;

 private:
  struct Aim {
    GoalKind kind = GoalKind::point;
    int species = -1;  ///< -1: all.
    double weight = 1, radius_m = 0;
    bool loop = true, known = false;  ///< known: the goal's body exists.
    std::vector<Vec3> points;
    std::string body;
    Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();
    double keep_m = 0;
  };
  std::vector<Aim> aims_;
  std::vector<std::string> wanted_;
};

}  // namespace vw
