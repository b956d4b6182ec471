// Thickness of shapes, and the warning about a particle that moves too fast for the thickness of a shape.
#include <cmath>
#include <limits>

#include "sim/collision/shape/distance_grid.h"
#include "sim/collision/shape/heightfield.h"
#include "sim/collision/shape/thickness.h"
#include "tests/collision/mesh_test_support.h"
#include "tests/collision/scheme_ride.h"

namespace vw::test {
namespace {

/// Returns a round tube along y, 20 cm wide with walls of 2 mm. The bounding box is a hundred times as thick as the
/// walls.
TriangleList tube() { return turned_mesh({{0.098, -0.5}, {0.1, -0.5}, {0.1, 0.5}, {0.098, 0.5}, {0.098, -0.5}}, 48); }

TEST(Thickness, OfAMeshIsThatOfItsWallsAndNotOfItsBox) {
  // The thickness is measured by rays along the normals. In this box, the rays hit the opposite wall at a right angle.
  EXPECT_NEAR(mesh_of(box_mesh(Vec3(0.001, 0.5, 0.4)))->thickness(), 0.002, 1e-9);
  // The middles of the 48 flat sides lie 0.2 % inside the circle.
  EXPECT_NEAR(mesh_of(tube())->thickness(), 0.002, 2e-5);
  // A ray from a facet of a ball misses the centre by at most half a facet.
  EXPECT_NEAR(mesh_of(sphere_mesh(0.3, 3))->thickness(), 0.6, 0.02);
  EXPECT_NEAR(mesh_of(torus_mesh(0.3, 0.1, 48, 24))->thickness(), 0.2, 0.01);
  Collider tilted;
  tilted.shape = mesh_of(box_mesh(Vec3(0.001, 0.5, 0.4)));
  // The result must be bitwise reproducible.
  EXPECT_EQ(thickness(tilted.shape), mesh_of(box_mesh(Vec3(0.001, 0.5, 0.4)))->thickness());
}

TEST(Thickness, OfASheetIsNone) {
  EXPECT_EQ(mesh_of(sheet_mesh(1, 8))->thickness(), 0);
  Collider sheet;
  sheet.shape = mesh_of(sheet_mesh(1, 8));
  const std::vector<Collider> all{sheet};
  // A sheet is always swept, so no particle is too fast for a sheet.
  EXPECT_EQ(Barriers(all, all, {}, Detection::interference).thinnest(), std::numeric_limits<double>::infinity());
}

TEST(Thickness, OfAGridIsThatOfItsShapeAndOfGroundItsDepth) {
  const auto grid = make_distance_grid(mesh_of(box_mesh(Vec3(0.02, 0.3, 0.3))), 0.01);
  ASSERT_TRUE(grid);
  EXPECT_NEAR((*grid)->thickness(), 0.04, 1e-9);
  HeightGrid heights;
  heights.columns = heights.rows = 9;
  heights.size_x_m = 2, heights.size_z_m = 1;
  heights.depth_m = 0.05;
  heights.height_m.assign(81, 0.3);
  const auto flat = make_heightfield(heights);
  ASSERT_TRUE(flat);
  EXPECT_NEAR((*flat)->thickness(), 0.05, 1e-9);
  heights.depth_m = 50;
  EXPECT_EQ((*make_heightfield(heights))->thickness(), 1);  // the thickness is at most the length of the heightfield
}

TEST(Thickness, OfPrimitivesIsThatOfTheirThinnestDirection) {
  EXPECT_EQ(thickness(PlaneShape{}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(thickness(SphereShape{0.2}), 0.4);
  EXPECT_EQ(thickness(BoxShape{{0.3, 0.1, 0.2}}), 0.2);
  EXPECT_EQ(thickness(CapsuleShape{0.1, 0.5}), 0.2);
  EXPECT_EQ(thickness(CylinderShape{0.3, 0.05}), 0.1);
}

/// Returns whether a step of 2 cm that ends one centimetre in front of a collider causes the warning.
bool warns(Shape shape, Detection detection) {
  ExactStep ride(Scheme::collision_then_contact);
  ride.params.detection = detection;
  ride.gravity.setZero();
  Collider c;
  c.shape = std::move(shape);
  ride.colliders = {c};
  Particle p{Vec3(bounds(c.shape).max().x() + 0.03, 0, 0), Vec3(-0.02 / ride.dt, 0, 0)};
  return ride.step(p).fast;
}

TEST(Thickness, AStepOfMoreThanHalfAWallWarns) {
  // With the bounding box of the tube, steps of up to 10 cm would be safe. With the walls, even steps of 2 mm are not
  // safe.
  EXPECT_TRUE(warns(mesh_of(tube()), Detection::interference));
  EXPECT_FALSE(warns(mesh_of(tube()), Detection::swept));
  EXPECT_FALSE(warns(mesh_of(sphere_mesh(0.3, 3)), Detection::interference));
  EXPECT_TRUE(warns(mesh_of(sphere_mesh(0.018, 3)), Detection::interference));
  EXPECT_FALSE(warns(mesh_of(sphere_mesh(0.022, 3)), Detection::interference));
  const auto grid = make_distance_grid(mesh_of(box_mesh(Vec3(0.3, 0.3, 0.015))), 0.01);
  ASSERT_TRUE(grid);
  EXPECT_TRUE(warns(*grid, Detection::interference));
}

}  // namespace
}  // namespace vw::test
