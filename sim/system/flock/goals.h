// What members make for: points, paths, bodies. In: members at the substep's start. Out: an acceleration a row; how far each is along its path.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/system/flock/flock_params.h"
#include "sim/system/flock/flock_rows.h"
#include "sim/system/flock/surroundings.h"

namespace vw {

class Goals {
 public:
  void configure(const FlockPlan& plan);
  /// Bodies that enabled goals name: FlockSystem::wanted_marks.
  [[nodiscard]] std::span<const std::string> wanted() const { return wanted_; }
  /// Where those bodies are in this substep: what rules brought, else a collider of that name.
  void begin(std::span<const Collider> colliders, const Surroundings& around);
  /// The pull of all enabled goals of its species on a member [m/s^2], by the goals' weights, before the species' weight `goal`. `way` is the point
  /// of the first path of its species that it makes for, and goes on to the next when it is there. Thread-safe.
  [[nodiscard]] Vec3 pull(const SpeciesParams& species, std::uint8_t kind, const Vec3& position, const Vec3& velocity, std::uint32_t& way) const;

 private:
  struct Aim {
    GoalKind kind = GoalKind::point;
    int species = -1;  ///< -1: all
    double weight = 1, radius_m = 0;
    bool loop = true, known = false;  ///< known: its body is there
    std::vector<Vec3> points;
    std::string body;
    Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();
    double keep_m = 0;
  };
  std::vector<Aim> aims_;
  std::vector<std::string> wanted_;
};

}  // namespace vw
