#include "sim/interaction/fluid/pivot.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "sim/base/inertia.h"

namespace vw {

std::optional<Pivot> pivot_of(const BodyInertia& body, const BodyMotions& motions) {
  if (motions.cols() == 0) return Pivot{body.center, Mat3::Zero()};
  if (motions.cols() != 1 && motions.cols() != 3) return std::nullopt;
  // Find the arm from the pivot to the centre of mass: the velocity of the centre is spin x arm in every motion.
  Mat3 normal = Mat3::Zero();
  Vec3 right = Vec3::Zero();
  Mat3 spins = Mat3::Zero();
  double fastest = 0;
  for (Eigen::Index k = 0; k < motions.cols(); ++k) {
    const Vec3 velocity = motions.col(k).head<3>(), spin = motions.col(k).tail<3>();
    const Mat3 turn = cross_matrix(spin);
    normal += turn.transpose() * turn;
    right += turn.transpose() * velocity;
    spins += spin * spin.transpose();
    fastest = std::max(fastest, velocity.norm());
  }
  const Eigen::SelfAdjointEigenSolver<Mat3> rotations(spins);
  constexpr double least_share = 1e-6;
  const double largest = rotations.eigenvalues()[2];
  const auto rank = (rotations.eigenvalues().array() > least_share * largest).count();
  // The spin of a translation is zero up to rounding.
  const double length = std::sqrt(body.inertia.trace() / body.mass_kg);
  if (!(length * std::sqrt(largest) > least_share * fastest) || rank != motions.cols()) return std::nullopt;
  const Vec3 arm = normal.completeOrthogonalDecomposition().solve(right);
  for (Eigen::Index k = 0; k < motions.cols(); ++k) {
    const Vec3 velocity = motions.col(k).head<3>(), spin = motions.col(k).tail<3>();
    if ((spin.cross(arm) - velocity).norm() > least_share * (velocity.norm() + spin.norm() * arm.norm()))
      return std::nullopt;
  }
  const Mat3 inertia = body.inertia + body.mass_kg * point_inertia(arm);
  Pivot pivot{body.center - arm, inertia.inverse()};
  if (motions.cols() == 1) {
    const Vec3 axis = motions.col(0).tail<3>().normalized();
    pivot.inverse_inertia = axis * axis.transpose() / axis.dot(inertia * axis);
  }
  return pivot;
}

}  // namespace vw
