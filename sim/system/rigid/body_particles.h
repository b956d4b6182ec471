// The particles that fill rigid bodies (particle_fill.h), for rules that meet bodies so and for pictures. Made once, read by any thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/system/rigid/rigid_body.h"

namespace vw {

class BodyParticles {
 public:
  BodyParticles(std::span<const RigidBody> bodies, double diameter_m);

  [[nodiscard]] double diameter_m() const { return diameter_m_; }
  /// Where the particles of a body are, from its centre of mass in its own frame [m]. None where it cannot be filled: see problem().
  [[nodiscard]] const std::vector<Vec3>& of(std::size_t row) const { return fills_[row]->places; }
  /// The same in single precision.
  [[nodiscard]] std::shared_ptr<const std::vector<Vec3f>> picture(std::size_t row) const { return {fills_[row], &fills_[row]->picture}; }
  /// One sentence on the first body that cannot be filled; empty when all are.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  struct Fill {
    std::vector<Vec3> places;
    std::vector<Vec3f> picture;
  };
  [[nodiscard]] std::shared_ptr<const Fill> fill(const RigidBody& body);

  double diameter_m_;
  std::vector<std::shared_ptr<const Fill>> fills_;  ///< by row; bodies of the same shape share one
  std::string problem_;
};

}  // namespace vw
