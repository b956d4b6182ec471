// Free rotation of rigid bodies, and mass properties of shapes.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/collision/mesh/mesh_builders.h"
#include "sim/collision/mesh/triangle_mesh.h"
#include "sim/collision/pose.h"
#include "sim/collision/shape/mass_properties.h"
#include "sim/system/rigid/wind/rotor.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

double energy(const Inertia& inertia, const Quat& q, const Vec3& w) { return 0.5 * w.dot(inertia.tensor(q) * w); }

TEST(Rotor, TumblingKeepsAngularMomentumAndEnergyForTenSeconds) {
  // Rotation about the intermediate axis is unstable. The body flips repeatedly (Dzhanibekov effect).
  const Inertia inertia = Inertia::of(Vec3(1, 2, 3).asDiagonal());
  Quat q = rotation_of(Vec3(0.3, -0.2, 0.5));
  Vec3 w = q * Vec3(0.01, 10, 0.01);
  const Vec3 momentum = inertia.tensor(q) * w;
  const double start = energy(inertia, q, w);
  double worst = 0, worst_momentum = 0, most_flip = 1;
  for (int i = 0; i < 2400; ++i) {
    turn_freely(inertia, q, w, 1.0 / 240);
    worst = std::max(worst, std::abs(energy(inertia, q, w) / start - 1));
    worst_momentum = std::max(worst_momentum, (inertia.tensor(q) * w - momentum).norm() / momentum.norm());
    most_flip = std::min(most_flip, (q.conjugate() * w).y() / 10);
  }
  EXPECT_LT(most_flip, -0.9);  // the body flipped
  test::record_case("rigid", "free tumbling, 10 s: largest change of energy", worst, 0, 1e-3);
  test::record_case("rigid", "free tumbling, 10 s: largest change of angular momentum", worst_momentum, 0, 1e-9);
  EXPECT_LT(worst, 1e-3);
  EXPECT_LT(worst_momentum, 1e-9);
}

TEST(Rotor, SymmetricTopPrecessesAtTheRateOfTheTheory) {
  // For principal moments (A, A, C), the axis precesses about the angular momentum L at the rate L / A.
  const Inertia inertia = Inertia::of(Vec3(2, 2, 3).asDiagonal());
  Quat q = Quat::Identity();
  Vec3 w(1, 0, 4);
  const Vec3 momentum = inertia.tensor(q) * w;
  const Vec3 axis = momentum.normalized(), start = Vec3::UnitZ() - axis * axis.z();
  const double rate = momentum.norm() / 2, time = 1.5;
  for (int i = 0; i < 360; ++i) turn_freely(inertia, q, w, time / 360);
  const Vec3 now = q * Vec3::UnitZ(), across = now - axis * axis.dot(now);
  double angle = std::atan2(axis.dot(start.cross(across)), start.dot(across));
  const double expected = rate * time;
  angle += 2 * pi * std::round((expected - angle) / (2 * pi));
  test::expect_case("rigid", "precession of a symmetric top in 1.5 s", angle, expected, 1e-4, "rad");
}

TEST(Rotor, AxesOfATiltedTensorAreFound) {
  const Mat3 turn = rotation_of(Vec3(0.4, 1.1, -0.3)).toRotationMatrix();
  const Mat3 tensor = turn * Vec3(1, 2, 4).asDiagonal() * turn.transpose();
  const Inertia inertia = Inertia::of(tensor);
  EXPECT_LT((inertia.tensor(Quat::Identity()) - tensor).norm(), 1e-12);
  EXPECT_LT((inertia.inverse(Quat::Identity()) * tensor - Mat3::Identity()).norm(), 1e-12);
  EXPECT_NEAR(inertia.axes.determinant(), 1, 1e-12);
}

/// Returns volume, centre and inertia, computed from the lattice points inside the shape.
MassProperties counted(const Shape& shape, double cell) {
  const Box3 box = bounds(shape);
  MassProperties all;
  Mat3 second = Mat3::Zero();
  for (double x = box.min().x() + cell / 2; x < box.max().x(); x += cell)
    for (double y = box.min().y() + cell / 2; y < box.max().y(); y += cell)
      for (double z = box.min().z() + cell / 2; z < box.max().z(); z += cell) {
        const Vec3 p(x, y, z);
        if (query(shape, p).distance >= 0) continue;
        const double v = cell * cell * cell;
        all.volume_m3 += v, all.center += v * p, second += v * p * p.transpose();
      }
  all.center /= all.volume_m3;
  second -= all.volume_m3 * all.center * all.center.transpose();
  all.inertia = second.trace() * Mat3::Identity() - second;
  return all;
}

TEST(MassProperties, OfEveryShapeAreWhatALatticeOfPointsCounts) {
  const std::vector<Shape> shapes{BoxShape{{0.5, 0.3, 0.2}}, SphereShape{0.4}, CylinderShape{0.3, 0.5},
                                  CapsuleShape{0.25, 0.4}};
  for (const Shape& shape : shapes) {
    const MassProperties exact = mass_properties(shape), told = counted(shape, 0.02);
    // Cells at the surface count completely or not at all. This causes an error of about one per cent of the volume.
    EXPECT_NEAR(exact.volume_m3, told.volume_m3, 0.015 * exact.volume_m3) << shape.index();
    EXPECT_LT((exact.inertia - told.inertia).norm(), 0.02 * exact.inertia.norm()) << shape.index();
  }
}

TEST(MassProperties, OfABoxOfTrianglesAnywhereAreThoseOfTheBox) {
  const Vec3 half(0.5, 0.3, 0.2), at(3, -2, 5);
  TriangleList list;
  for (int corner = 0; corner < 8; ++corner)
    list.position.push_back(at +
                            half.cwiseProduct(Vec3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1)));
  list.triangle = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                   {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
  const auto mesh = TriangleMesh::make(list);
  ASSERT_TRUE(mesh) << mesh.error().message();
  const MassProperties told = mass_properties(Shape(std::shared_ptr<const Geometry>(*mesh))),
                       box = mass_properties(BoxShape{half});
  EXPECT_NEAR(told.volume_m3, box.volume_m3, 1e-12);
  EXPECT_LT((told.center - at).norm(), 1e-12);
  EXPECT_LT((told.inertia - box.inertia).norm(), 1e-12);
}

}  // namespace
}  // namespace vw
