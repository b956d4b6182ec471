// The contact schemes on triangle meshes and curved ground. The results for planes must also hold on these surfaces,
// including across edges.
#include <cmath>

#include <gtest/gtest.h>

#include "sim/collision/mesh/mesh_builders.h"
#include "sim/collision/shape/distance_grid.h"
#include "sim/collision/shape/heightfield.h"
#include "tests/collision/scheme_ride.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

Collider slope_of(const std::shared_ptr<const Geometry>& mesh, double angle) {
  Collider c;
  c.shape = mesh;
  c.orientation = Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ()));
  return c;
}

TEST(SchemesOnMeshes, SlidingOverTheEdgesOfASlopeIsCoulombs) {
  const double expected = 0.5 * g * (std::sin(pi / 6) - 0.3 * std::cos(pi / 6));  // distance [m] of the slide in 1 s
  // The slope is either an open sheet of 5 cm triangles or the top of a closed block.
  const std::shared_ptr<const Geometry> sheet = geometry_of(sheet_mesh(1.5, 60)),
                                        block = geometry_of(box_mesh(Vec3(3, 0.5, 3)));
  for (const Scheme scheme : {Scheme::collision_then_contact, Scheme::exact})
    for (const Detection detection : {Detection::interference, Detection::swept})
      for (const bool open : {false, true}) {
        ExactStep ride(scheme);
        ride.params.detection = detection;
        ride.surface = exactly(0.5, 0.3);
        ride.colliders = {slope_of(open ? sheet : block, pi / 6)};
        if (!open) ride.colliders[0].position = ride.colliders[0].orientation * Vec3(0, -0.5, 0);
        // The particle starts slightly above the sheet, because the side is undefined exactly on the sheet.
        Particle p{Vec3(0.01, 0.01 * std::tan(pi / 6) + 1e-8, 0.013), Vec3::Zero()};
        const Vec3 from = p.x;
        ride.steps(p, 60);
        const double measured = (p.x - from).norm();
        EXPECT_NEAR(measured, expected, (scheme == Scheme::exact ? 0.001 : 0.018) * expected)
            << name_of(scheme) << " " << static_cast<int>(detection) << " " << open;
        const Vec3 local = ride.colliders[0].orientation.conjugate() * (p.x - ride.colliders[0].position);
        EXPECT_NEAR(local.y(), open ? 0 : 0.5, 1e-6);
      }
}

TEST(SchemesOnMeshes, NothingCreepsOrHoversOnTriangles) {
  const std::shared_ptr<const Geometry> sheet = geometry_of(sheet_mesh(1.5, 60));
  for (const Scheme scheme : {Scheme::collision_then_contact, Scheme::exact})
    for (const Detection detection : {Detection::interference, Detection::swept})
      for (const double radius : {0.0, 0.02}) {
        ExactStep ride(scheme);
        ride.params.detection = detection;
        ride.surface = exactly(0.5, 0.8);
        ride.colliders = {slope_of(sheet, pi / 6)};
        Particle p{ride.colliders[0].orientation * Vec3(0.1, radius, 0.1), Vec3::Zero(), radius};
        const Vec3 from = p.x;
        ride.steps(p, 120);
        EXPECT_LT((p.x - from).norm(), 1e-6) << name_of(scheme) << " " << static_cast<int>(detection) << " " << radius;
        EXPECT_LT(p.v.norm(), 1e-6) << name_of(scheme) << " " << static_cast<int>(detection) << " " << radius;
      }
}

TEST(SchemesOnMeshes, ExactBouncesOnTrianglesReachHTimesESquared) {
  ExactStep ride(Scheme::exact);
  ride.surface = exactly(0.8, 0);
  ride.colliders = {slope_of(geometry_of(sheet_mesh(2, 20)), 0)};
  Particle p{Vec3(0.03, 1, 0.02), Vec3::Zero()};
  double worst = 0;
  int n = 0;
  double height = 1;
  for (int i = 0; i < 120; ++i) {
    const bool touched = ride.step(p).touched;
    const double now = p.x.y() + p.v.y() * p.v.y() / (2 * g);
    if (touched) height *= 0.64, ++n;
    worst = std::max(worst, std::abs(now / height - 1));
  }
  EXPECT_GE(n, 3);
  expect_case("collision", "exact: bounces on triangles, e = 0.8, 2 s, worst relative error of the height", worst, 0,
              1e-3);
}

TEST(SchemesOnMeshes, ABallComesToRestAtTheBottomOfABowl) {
  // The bowl is a heightfield, a distance grid, or a ball seen from inside.
  HeightGrid grid;
  grid.columns = grid.rows = 41;
  for (std::size_t i = 0; i < grid.rows; ++i)
    for (std::size_t k = 0; k < grid.columns; ++k)
      grid.height_m.push_back(
          0.6 * (std::pow(static_cast<double>(i) / 40 - 0.5, 2) + std::pow(static_cast<double>(k) / 40 - 0.5, 2)));
  const Shape field = *make_heightfield(grid), distances = *make_distance_grid(field, 0.02);
  for (const Shape& shape : {field, distances})
    for (const Scheme scheme : {Scheme::collision_then_contact, Scheme::exact}) {
      ExactStep ride(scheme);
      ride.surface = exactly(0.3, 0.05);
      ride.colliders[0].shape = shape;
      Particle p{Vec3(0.2, 0.3, -0.1), Vec3::Zero(), 0.03};
      double energy = g * p.x.y();
      for (int i = 0; i < 600; ++i) {
        ride.step(p);
        const double now = g * p.x.y() + 0.5 * p.v.squaredNorm();
        // In symplectic Euler, the energy oscillates by g v dt / 2. It must not grow beyond that.
        ASSERT_LT(now, energy + 0.02) << name_of(scheme) << " " << i;
        energy = std::max(energy - 1e-4, now);
        ASSERT_GT(query(ride.colliders[0], p.x).distance, 0.03 - 1e-4) << name_of(scheme) << " " << i;
      }
      // Friction holds the ball where the slope is below 0.05. This region has a radius of 0.05 / 1.2 m about the
      // middle. One cell of tolerance is added.
      EXPECT_LT(std::hypot(p.x.x(), p.x.z()), 0.05 / 1.2 + 0.025) << name_of(scheme);
      EXPECT_LT(p.v.norm(), 0.05) << name_of(scheme);
    }
}

}  // namespace
}  // namespace vw::test
