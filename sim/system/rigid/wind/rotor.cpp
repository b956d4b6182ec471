#include "sim/system/rigid/wind/rotor.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/rotation.h"

namespace vw {
namespace {

/// Largest rotation in one step of the splitting [rad]. The energy oscillates with an amplitude proportional to the
/// square of this angle.
constexpr double round_rad = 0.02;
// Largest number of steps of the splitting, which bounds the cost. Above a few thousand revolutions per second, this
// limit makes the rotation in each step larger than `round_rad` and thus reduces the accuracy.
constexpr double most_rounds = 4096;

}  // namespace

Inertia Inertia::of(const Mat3& tensor) {
  // If the tensor is diagonal, the axes of the body's frame are used, because computed eigenvectors would have rounding
  // errors.
  if (tensor.isDiagonal(1e-12)) return {tensor.diagonal(), Mat3::Identity()};
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(tensor);
  Inertia inertia{solver.eigenvalues(), solver.eigenvectors()};
  if (inertia.axes.determinant() < 0) inertia.axes.col(2) *= -1;
  return inertia;
}

Mat3 Inertia::tensor(const Quat& orientation) const {
  const Mat3 turned = orientation.toRotationMatrix() * axes;
  return turned * moments.asDiagonal() * turned.transpose();
}

Mat3 Inertia::inverse(const Quat& orientation) const {
  const Mat3 turned = orientation.toRotationMatrix() * axes;
  return turned * moments.cwiseInverse().asDiagonal() * turned.transpose();
}

/// Uses the splitting method of Dullweber, Leimkuhler & McLachlan 1997, "Symplectic splitting methods for rigid body
/// molecular dynamics". The energy is the sum of three terms L_k^2 / (2 I_k), with angular momentum L_k and moment of
/// inertia I_k about principal axis k. Under each term alone, the body rotates uniformly about axis k. The symmetric
/// composition of these rotations is symplectic, and every rotation conserves the angular momentum in world axes.
void turn_freely(const Inertia& inertia, Quat& orientation, Vec3& angular_velocity, double dt) {
  const Quat axes(inertia.axes);
  const Quat start = orientation * axes;  // Orientation of the principal axes.
  Vec3 momentum = inertia.moments.cwiseProduct(start.conjugate() * angular_velocity);
  const Vec3 in_world = start * momentum;
  Quat turned = start;
  const double fastest = momentum.norm() / inertia.moments.minCoeff();
  // The health check reports an angular velocity that is not a number. One step suffices until then.
  const double least_rounds = std::ceil(fastest * dt / round_rad);
  const double rounds = least_rounds > 1 ? std::min(least_rounds, most_rounds) : 1;
  const double h = dt / rounds;
  constexpr auto parts = std::to_array<std::pair<int, double>>({{2, 0.5}, {1, 0.5}, {0, 1.0}, {1, 0.5}, {2, 0.5}});
  for (int i = 0; i < static_cast<int>(rounds); ++i)
    for (const auto& [axis, share] : parts) {
      const Quat turn = rotation_about(Vec3::Unit(axis), share * h * momentum[axis] / inertia.moments[axis]);
      turned = turned * turn;
      momentum = turn.conjugate() * momentum;
    }
  turned.normalize();
  orientation = (turned * axes.conjugate()).normalized();
  angular_velocity = turned * ((turned.conjugate() * in_world).cwiseQuotient(inertia.moments));
}

}  // namespace vw
