// Particles that fill rigid bodies (particle_fill.h), for display and for interactions that treat bodies as sets of
// particles. The particles are created once, and any thread may read them.
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
  /// Returns the positions of the particles of a body in the body's frame, relative to its centre of mass [m]. The
  /// result is empty if the body cannot be filled. In this case, problem() gives the reason.
  [[nodiscard]] const std::vector<Vec3>& of(std::size_t row) const { return fills_[row]->places; }
  /// Returns the same positions as of() in single precision, for display.
  [[nodiscard]] std::shared_ptr<const std::vector<Vec3f>> picture(std::size_t row) const {
    return {fills_[row], &fills_[row]->picture};
  }
  /// Error message about the first body that cannot be filled. Empty if all bodies can be filled.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  struct Fill {
    std::vector<Vec3> places;
    std::vector<Vec3f> picture;
  };
  [[nodiscard]] std::shared_ptr<const Fill> fill(const RigidBody& body);

  double diameter_m_;
  std::vector<std::shared_ptr<const Fill>> fills_;  ///< Fill of each body. Bodies of the same shape share one fill.
  std::string problem_;
};

}  // namespace vw
