// Rotations by angles compared with those of Eigen, and eigenvalues with those of an iterative solver.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include "sim/base/random.h"
#include "sim/base/rotation.h"

namespace vw {
namespace {

Quat random_rotation(std::uint64_t i) {
  return Quat(Eigen::AngleAxisd(3 * random_uniform({5, 0}, i), random_direction({5, 1}, i)));
}

TEST(Rotation, EqualsThatOfEigenToRounding) {
  // The results differ by a few rounding errors of numbers up to 1, because Eigen calls the functions of the C library.
  constexpr double tolerance = 1e-15;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Vec3 axis = random_direction({6, 0}, i);
    const double angle = 20 * random_uniform({6, 1}, i) - 10, share = random_uniform({6, 2}, i);
    const Quat a = random_rotation(2 * i), b = random_rotation(2 * i + 1);
    EXPECT_LE((rotation_about(axis, angle).coeffs() - Quat(Eigen::AngleAxisd(angle, axis)).coeffs()).norm(), tolerance);
    EXPECT_LE((slerp(a, b, share).coeffs() - a.slerp(share, b).coeffs()).norm(), 4 * tolerance);
    EXPECT_NEAR(angle_between(a, b), a.angularDistance(b), 4 * tolerance);
  }
}

TEST(Rotation, RotationBetweenTurnsOneDirectionIntoTheOther) {
  const std::vector<Vec3> directions = {Vec3(1, 0, 0),     Vec3(0, -2, 0), Vec3(0.3, 0.4, -5),
                                        Vec3(-1, 1e-9, 0), Vec3(-1, 0, 0), Vec3(1e-30, 2e-30, 3e-30)};
  for (const Vec3& from : directions)
    for (const Vec3& to : directions) {
      const Quat q = rotation_between(from, to);
      EXPECT_NEAR(q.norm(), 1, 1e-15);
      EXPECT_LE((q * from.normalized() - to.normalized()).norm(), 3e-12)
          << from.transpose() << " to " << to.transpose();
      // The rotation is the shortest one: its angle is the angle between the directions.
      EXPECT_NEAR(angle_between(q, Quat::Identity()),
                  std::atan2(from.normalized().cross(to.normalized()).norm(), from.normalized().dot(to.normalized())),
                  1e-7);
    }
}

TEST(Rotation, SlerpOfEqualAndOppositeQuaternionsIsTheSameRotation) {
  const Quat a = random_rotation(1), opposite(-a.coeffs());
  EXPECT_LE(angle_between(slerp(a, a, 0.3), a), 1e-15);
  EXPECT_LE(angle_between(slerp(a, opposite, 0.3), a), 1e-15);
}

TEST(Rotation, EigenvaluesOfASymmetricMatrixEqualThoseOfTheIterativeSolver) {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    // Every eighth matrix has two equal eigenvalues. Rounding errors then make the computed eigenvalues differ by the
    // square root of a rounding error, about 1e-8.
    const bool twice = i % 8 == 0;
    Vec3 values(random_uniform({7, 0}, i) - 0.5, random_uniform({7, 1}, i) - 0.5, random_uniform({7, 2}, i) - 0.5);
    if (twice) values.y() = values.x();
    values *= std::pow(10.0, 600 * random_uniform({7, 3}, i) - 300);
    const Mat3 axes = random_rotation(i).toRotationMatrix(), matrix = axes * values.asDiagonal() * axes.transpose();
    const Vec3 expected = Eigen::SelfAdjointEigenSolver<Mat3>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
    const double size = expected.cwiseAbs().maxCoeff();
    EXPECT_LE((symmetric_eigenvalues(matrix) - expected).cwiseAbs().maxCoeff(), (twice ? 1e-7 : 1e-11) * size) << i;
  }
  EXPECT_EQ(symmetric_eigenvalues(Mat3::Zero()), Vec3(0, 0, 0));
  EXPECT_EQ(symmetric_eigenvalues(2 * Mat3::Identity()), Vec3(2, 2, 2));
}

}  // namespace
}  // namespace vw
