// Swept balls against triangle meshes. The tests compare the first contact with marching in small steps. They also
// cover thin sheets at any speed, flat edges that must not be hit, and corners.
#include "tests/collision/mesh_test_support.h"

namespace {

using namespace vw;
using namespace vw::test;

/// Compares the sweep with marching on the exact distance, for random paths that start without contact.
void expect_sweeps(const TriangleList& list, std::uint64_t ways, double radius) {
  const auto mesh = mesh_of(list);
  ASSERT_NE(mesh, nullptr);
  const Box3 box = widened(mesh->bounds(), 0.5);
  const auto distance_at = [&](const Vec3& p) {
    return std::abs(mesh->query(p, std::numeric_limits<double>::infinity()).distance);
  };
  std::size_t hits = 0;
  double worst = 0, worst_normal = 0;
  for (std::uint64_t i = 0; i < ways; ++i) {
    const Vec3 from = point_in(box, 2 * i), to = point_in(box, 2 * i + 1);
    if (distance_at(from) <= radius + 1e-6) continue;
    const double expected = marched_share(from, to, radius, distance_at);
    const auto found = mesh->sweep(from, to, radius);
    if (expected > 1 + 1e-6) {
      EXPECT_FALSE(found) << "way " << i << " share " << found->share;
      continue;
    }
    if (!found) {
      // A sweep may miss only a grazing contact, for which the marching distance is below the radius by less than the
      // marching tolerance.
      EXPECT_GT(marched_share(from, to, radius - 2e-9, distance_at), 1)
          << "way " << i << " should be hit at " << expected;
      continue;
    }
    ++hits;
    const Vec3 touch = from + found->share * (to - from);
    worst = std::max(worst, std::abs(distance_at(touch) - radius));
    // Marching stops up to 1e-9 m early. On a grazing path, this corresponds to a longer distance along the path.
    EXPECT_NEAR(found->share, expected, 1e-4);
    EXPECT_LE(found->normal.dot(to - from), 0);
    if (radius > 0)
      worst_normal = std::max(worst_normal, std::abs(plain_distance(list, touch - radius * found->normal)));
  }
  EXPECT_GT(hits, ways / 20);
  EXPECT_LT(worst, 1e-12);         // rounding error of positions
  EXPECT_LT(worst_normal, 1e-11);  // the contact point of the ball along the normal lies on the surface
}

TEST(MeshSweep, FirstTouchIsWhereMarchingFindsIt) {
  expect_sweeps(rock(3, 0.5), 2'000, 0.03);
  expect_sweeps(box_mesh({0.4, 0.3, 0.2}), 1'000, 0.05);
  expect_sweeps(torus_mesh(0.4, 0.1, 30, 12), 1'000, 0.02);
}

TEST(MeshSweep, ABallLargerThanTheTrianglesAndAPointWithoutSizeTouchWhereTheyShould) {
  expect_sweeps(rock(3, 0.3), 500, 0.4);
  expect_sweeps(rock(3, 0.5), 1'000, 0);
}

TEST(MeshSweep, ScatteredHairsAreMetAsTheyAre) { expect_sweeps(scattered_triangles(300), 500, 0.01); }

TEST(MeshSweep, AThinSheetIsNeverMissedHoweverFast) {
  const auto sheet = mesh_of(sheet_mesh(1, 8));
  ASSERT_EQ(sheet->report().inside, MeshInside::nowhere);
  for (std::uint64_t i = 0; i < 5'000; ++i) {
    // The paths cross the sheet from above and below at up to 10 km per step. Some paths cross inner edges and corners.
    const double speed = std::pow(10.0, -1 + 5 * uniform(i, 0));
    const Vec3 at = i % 3 == 0   ? Vec3(-1 + 0.25 * (1.0 + static_cast<double>(i % 7)), 0,
                                        -1 + 0.25 * (1.0 + static_cast<double>(i / 7 % 7)))
                    : i % 3 == 1 ? Vec3(-1 + 0.25 * (1.0 + static_cast<double>(i % 7)), 0, 1.8 * uniform(i, 4) - 0.9)
                                 : Vec3(1.8 * uniform(i, 1) - 0.9, 0, 1.8 * uniform(i, 2) - 0.9);
    Vec3 along = random_direction({5, 6}, i);
    if (std::abs(along.y()) < 0.1) along.y() = std::copysign(0.1, along.y());
    const double radius = i % 2 == 0 ? 0 : 0.001;
    const auto hit = sheet->sweep(at - speed * along, at + speed * along, radius);
    ASSERT_TRUE(hit) << i;
    EXPECT_NEAR(hit->share, 0.5 - 0.5 * radius / (std::abs(along.y()) * speed), 1e-9);
    EXPECT_NEAR(hit->normal.y(), along.y() > 0 ? -1 : 1, 1e-6);
  }
}

TEST(MeshSweep, TouchingAndLeavingIsNoHitAndGoingDeeperIsOneAtOnce) {
  const auto ball_on = mesh_of(box_mesh({0.5, 0.5, 0.5}));
  const Vec3 at(0.1, 0.55, 0.2);
  EXPECT_FALSE(ball_on->sweep(at, at + Vec3(0.1, 0.3, 0), 0.05));
  EXPECT_FALSE(ball_on->sweep(at, at + Vec3(0.1, 0, 0), 0.05));
  const auto hit = ball_on->sweep(at, at - Vec3(0, 0.01, 0), 0.05);
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->share, 0, 1e-12);
  EXPECT_NEAR(hit->normal.y(), 1, 1e-12);
  EXPECT_FALSE(ball_on->sweep(at, at, 0.05));
}

TEST(MeshSweep, ABallThatRollsOverFlatTrianglesMeetsNoneOfTheirEdges) {
  const auto sheet = mesh_of(sheet_mesh(1, 40));
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    // The ball penetrates the sheet by up to a tenth of its radius and moves across several cells.
    const double radius = 0.02, sunk = i % 4 == 0 ? 0 : std::pow(10.0, -2.0 - 10 * uniform(i, 3)) * radius * 10;
    const Vec3 from(1.2 * uniform(i, 0) - 0.6, radius - sunk, 1.2 * uniform(i, 1) - 0.6);
    const double turn = 2 * pi * uniform(i, 2);
    EXPECT_FALSE(sheet->sweep(from, from + 0.3 * Vec3(std::cos(turn), 0, std::sin(turn)), radius)) << i;
    EXPECT_FALSE(sheet->sweep(from, from + 0.3 * Vec3(std::cos(turn), 0.001, std::sin(turn)), radius)) << i;
  }
}

TEST(MeshSweep, ABallThatIsPressedInStillMeetsTheWallAhead) {
  // The mesh consists of a floor at y = 0 and a wall at x = 0.5. A ball that penetrates the floor by a tenth of its
  // radius moves towards the wall.
  TriangleList list = sheet_mesh(1, 1);
  list.position = {{-1, 0, -1}, {0.5, 0, -1}, {-1, 0, 1}, {0.5, 0, 1}, {0.5, 1, -1}, {0.5, 1, 1}};
  list.triangle = {{0, 2, 3}, {0, 3, 1}, {1, 3, 5}, {1, 5, 4}};
  const auto step = mesh_of(list);
  const auto hit = step->sweep({0, 0.09, 0.1}, {1, 0.09, 0.1}, 0.1);
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->share, 0.4, 1e-9);
  EXPECT_NEAR(hit->normal.x(), -1, 1e-9);
}

TEST(MeshSweep, ABowlOfManyFacetsHoldsABallThatSlidesUpItsWall) {
  // The ball penetrates slightly and moves fast along the tangent. Each facet ahead is inclined against the motion by a
  // few degrees.
  const auto bowl = mesh_of(sphere_mesh(0.5, 4));
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Vec3 down = random_direction({8, 9}, i), side = down.unitOrthogonal();
    const double radius = 0.02;
    const Vec3 from = (0.5 - radius + 1e-4 * uniform(i, 1)) * down;
    const auto hit = bowl->sweep(from, from + 0.5 * side, radius);
    ASSERT_TRUE(hit) << i;
    EXPECT_LT(hit->normal.dot(side), 0);
    const Vec3 touch = from + hit->share * 0.5 * side;
    // Facets lie up to 1.2 mm inside the sphere. Without a hit, the ball would end at a distance of 0.7 from the
    // centre.
    EXPECT_LT(touch.norm(), 0.5 - radius + 0.004) << i;
  }
}

TEST(MeshSweep, AWayFarAwayAndALongOneAreExactToo) {
  const auto mesh = mesh_of(sphere_mesh(0.5, 3));
  for (std::uint64_t i = 0; i < 300; ++i) {
    const Vec3 far = 1000 * random_direction({3, 4}, i);
    const auto hit = mesh->sweep(far, Vec3::Zero(), 0.1);
    ASSERT_TRUE(hit);
    EXPECT_NEAR(plain_distance(mesh->triangles(), (1 - hit->share) * far), 0.1, 1e-9);
    EXPECT_FALSE(mesh->sweep(far, far + 2000 * far.unitOrthogonal(), 0.1));
  }
}

}  // namespace
