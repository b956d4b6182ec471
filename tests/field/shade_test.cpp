// Shielding of faces by other faces upwind of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/base/parallel/parallel.h"
#include "sim/field/drag/shade.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

constexpr double edge = 0.01;

/// Adds the outer faces of a block of cubes with the edge length `edge`. The block extends from the corner `low` to the
/// corner `high`, both in edge lengths, and is rotated by `turn` about the origin.
void add_block(const Vec3& low, const Vec3& high, const Quat& turn, std::vector<ShadeFace>& faces) {
  for (int axis = 0; axis < 3; ++axis)
    for (int side = -1; side <= 1; side += 2) {
      const int a = (axis + 1) % 3, b = (axis + 2) % 3;
      const Vec3 n = side * Vec3::Unit(axis), u = 0.5 * edge * Vec3::Unit(a), v = n.cross(u);
      for (double i = low[a]; i < high[a]; ++i)
        for (double j = low[b]; j < high[b]; ++j) {
          Vec3 at;
          at[axis] = side > 0 ? high[axis] : low[axis];
          at[a] = i + 0.5, at[b] = j + 0.5;
          faces.push_back({turn * (edge * at), turn * u, turn * v});
        }
    }
}

std::vector<FaceShade> shade_of(const std::vector<ShadeFace>& faces, const Vec3& along) {
  Shade shade;
  std::vector<FaceShade> out(faces.size());
  shade.evaluate(faces, along, edge / 3, edge, out);
  return out;
}

/// Returns the drag coefficient, relative to `area`, of faces in a wind of 1 m/s.
double drag_of(const std::vector<ShadeFace>& faces, const std::vector<FaceShade>& shade, const Vec3& along,
               const FaceDrag& drag, double area) {
  Vec3 force = Vec3::Zero();
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const Vec3 normal = faces[i].half_u.cross(faces[i].half_v);
    force += face_force(drag, along, normal.normalized(), 4 * normal.norm(), shade[i]);
  }
  return force.dot(along) / (0.5 * drag.air_density * area);
}

const FaceDrag pressure_alone{1, 0, 1.2, 0};

TEST(Shade, ConvexBodyShadesNoFaceTowardsTheWind) {
  for (int k = 0; k < 20; ++k) {
    const Quat turn(Eigen::AngleAxisd(0.37 * k, Vec3(1, 2 + k, 3).normalized()));
    std::vector<ShadeFace> faces;
    add_block(Vec3::Zero(), Vec3(6, 4, 5), turn, faces);
    const Vec3 along = Vec3::UnitX();
    const auto shade = shade_of(faces, along);
    for (std::size_t i = 0; i < faces.size(); ++i) {
      const double facing = -faces[i].half_u.cross(faces[i].half_v).normalized().dot(along);
      EXPECT_NEAR(facing > 0.2 ? shade[i].struck : 1, 1, 1e-9) << "turn " << k << ", face " << i;
    }
  }
}

TEST(Shade, PlateBehindAnotherStandsInItsLee) {
  // If the wind blows along the line of the two plates, the second plate is fully shielded. At an angle, the part of
  // the plate that lies outside the shadow is exposed.
  for (const double degrees : {0.0, 1.0, 5.0, 10.0, 20.0, 30.0}) {
    const double angle = degrees * pi / 180;
    const Quat turn(Eigen::AngleAxisd(angle, Vec3::UnitY()));
    std::vector<ShadeFace> one, two;
    add_block(Vec3::Zero(), Vec3(1, 10, 10), turn, one);
    two = one;
    add_block(Vec3(5, 0, 0), Vec3(6, 10, 10), turn, two);
    const Vec3 along = Vec3::UnitX();
    const double area = 100 * edge * edge;
    const auto seen = [&](const std::vector<ShadeFace>& faces, const std::vector<FaceShade>& shade) {
      double sum = 0;
      for (std::size_t i = 0; i < faces.size(); ++i) {
        const Vec3 normal = faces[i].half_u.cross(faces[i].half_v);
        if ((turn.conjugate() * normal).normalized().x() < -0.5) sum += 4 * normal.norm() * shade[i].struck;
      }
      return sum / area;
    };
    const double rear = seen(two, shade_of(two, along)) - seen(one, shade_of(one, along));
    // The rear edge of the upwind plate casts the border of the shadow. It is 4 edge lengths in front of the second
    // plate.
    EXPECT_NEAR(rear, 0.4 * std::tan(angle), 0.005) << degrees;
    if (degrees == 10)
      record_case("field", "share of a plate 4 edges behind another that the wind reaches, 10 deg askew", rear,
                  0.4 * std::tan(angle), 0.02);
  }
}

/// Returns the area of the projection of all faces along x, counted by rays a sixth of an edge length apart.
double silhouette_of(const std::vector<ShadeFace>& faces) {
  constexpr double apart = edge / 6;
  const auto covers = [](const ShadeFace& face, double y, double z) {
    const double a = y - face.center.y(), b = z - face.center.z();
    const double det = face.half_u.y() * face.half_v.z() - face.half_u.z() * face.half_v.y();
    return std::abs(a * face.half_v.z() - b * face.half_v.y()) <= std::abs(det) &&
           std::abs(b * face.half_u.y() - a * face.half_u.z()) <= std::abs(det);
  };
  Vec3 low = faces[0].center, high = low;
  for (const ShadeFace& face : faces) low = low.cwiseMin(face.center), high = high.cwiseMax(face.center);
  double hits = 0;
  for (double y = low.y() - edge; y < high.y() + edge; y += apart)
    for (double z = low.z() - edge; z < high.z() + edge; z += apart)
      hits +=
          std::any_of(faces.begin(), faces.end(), [&](const ShadeFace& face) { return covers(face, y, z); }) ? 1 : 0;
  return hits * apart * apart;
}

TEST(Shade, WhatTheWindReachesIsTheSilhouette) {
  // The exposed areas of all windward faces add up to the area of the silhouette, no matter which faces cover each
  // other. The faces are those of two blocks and a beam, in 12 orientations. The error is a quarter of a cell along the
  // borders of covered faces.
  double sum = 0, worst = 0;
  constexpr int turns = 12;
  for (int k = 0; k < turns; ++k) {
    std::vector<ShadeFace> faces;
    const Quat turn(Eigen::AngleAxisd(0.7 + 1.3 * k, Vec3(1, std::sin(k), std::cos(2.0 * k)).normalized()));
    add_block(Vec3(0, 0, 0), Vec3(3, 10, 10), turn, faces);
    add_block(Vec3(7, 4, 0), Vec3(10, 14, 12), turn, faces);
    add_block(Vec3(12, 0, 4), Vec3(15, 20, 7), turn, faces);
    const auto shade = shade_of(faces, Vec3::UnitX());
    double open = 0;
    for (std::size_t i = 0; i < faces.size(); ++i)
      open += std::max(0.0, -4 * faces[i].half_u.cross(faces[i].half_v).x()) * shade[i].struck;
    const double error = open / silhouette_of(faces) - 1;
    sum += error, worst = std::max(worst, std::abs(error));
  }
  record_case("field", "area of a body that the wind reaches over its silhouette, mean of 12 turns", 1 + sum / turns, 1,
              0.005);
  EXPECT_LT(worst, 0.01);
  EXPECT_LT(std::abs(sum / turns), 0.005);
}

TEST(Shade, SharesChangeSmoothlyAsABodyTurns) {
  double last = 0, largest = 0;
  const Vec3 along = Vec3::UnitX();
  for (int i = 0; i <= 1500; ++i) {
    std::vector<ShadeFace> faces;
    const Quat turn(Eigen::AngleAxisd(1e-3 * i, Vec3(0.2, 0.4, 1).normalized()));
    add_block(Vec3(0, 0, 0), Vec3(1, 8, 8), turn, faces);
    add_block(Vec3(4, 2, 0), Vec3(5, 10, 8), turn, faces);
    const double drag = drag_of(faces, shade_of(faces, along), along, pressure_alone, 64 * edge * edge);
    if (i > 0) largest = std::max(largest, std::abs(drag - last));
    last = drag;
  }
  // The drag coefficient is about 1. If one of the 64 large faces were sheltered at once instead of gradually, the drag
  // would jump by 1 / 64.
  EXPECT_LT(largest, 0.005);
}

TEST(Shade, SidesBesideASlotAreOutOfTheWind) {
  // Two blocks form a slot of two edge lengths along the wind. A third block stands in front of the slot. Friction
  // vanishes in the slot but not on the outer sides.
  std::vector<ShadeFace> faces;
  add_block(Vec3(4, 0, 0), Vec3(8, 4, 3), Quat::Identity(), faces);
  const std::size_t second = faces.size();
  add_block(Vec3(4, 0, 5), Vec3(8, 4, 8), Quat::Identity(), faces);
  const std::size_t third = faces.size();
  add_block(Vec3(0, 0, 0), Vec3(2, 4, 8), Quat::Identity(), faces);
  const auto shade = shade_of(faces, Vec3::UnitX());
  for (std::size_t i = 0; i < third; ++i) {
    const Vec3 normal = faces[i].half_u.cross(faces[i].half_v).normalized();
    if (std::abs(normal.z()) < 0.5) continue;
    const bool in_slot = (i < second) == (normal.z() > 0);
    EXPECT_NEAR(shade[i].rubbed, in_slot ? 0 : 1, 1e-9) << i;
  }
}

TEST(Shade, PlateEdgeOnIsRubbedOnBothSides) {
  std::vector<ShadeFace> faces;
  add_block(Vec3::Zero(), Vec3(12, 12, 1), Quat::Identity(), faces);
  const FaceDrag friction{0, 0.01, 1.2, 0};
  const Vec3 along = Vec3::UnitX();
  // The two large faces and two of the narrow sides lie along the wind.
  EXPECT_NEAR(drag_of(faces, shade_of(faces, along), along, friction, 144 * edge * edge), 0.01 * (2 + 2.0 / 12), 1e-12);
}

TEST(Shade, SuctionPullsOnceBehindWhatStandsInLine) {
  // The drag coefficients 0.75 of the front and 0.3 of the base add up to 1.05, that of a cube (Hoerner 1965). A second
  // cube close behind has the base pressure on both sides and hence no drag.
  const FaceDrag drag{0.75, 0, 1.2, 0.3};
  const Vec3 along = Vec3::UnitX();
  std::vector<ShadeFace> faces;
  add_block(Vec3::Zero(), Vec3(4, 4, 4), Quat::Identity(), faces);
  expect_case("field", "pressure drag of a cube with wind_drag 0.75, wind_suction 0.3",
              drag_of(faces, shade_of(faces, along), along, drag, 16e-4), 1.05, 1e-9);
  add_block(Vec3(6, 0, 0), Vec3(10, 4, 4), Quat::Identity(), faces);
  expect_case("field", "the same of two such cubes in line", drag_of(faces, shade_of(faces, along), along, drag, 16e-4),
              1.05, 1e-9);
}

TEST(Shade, SameBitsAtAnyNumberOfThreads) {
  std::vector<ShadeFace> faces;
  const Quat turn(Eigen::AngleAxisd(0.8, Vec3(1, 2, 3).normalized()));
  add_block(Vec3::Zero(), Vec3(3, 30, 30), turn, faces);
  add_block(Vec3(9, 5, 5), Vec3(12, 60, 20), turn, faces);
  const int before = thread_count();
  set_thread_count(1);
  const auto first = shade_of(faces, Vec3(0.6, 0.8, 0));
  for (const int threads : {2, 3, 8}) {
    set_thread_count(threads);
    const auto again = shade_of(faces, Vec3(0.6, 0.8, 0));
    std::size_t differ = 0;
    for (std::size_t i = 0; i < faces.size(); ++i)
      differ += again[i].struck != first[i].struck || again[i].rubbed != first[i].rubbed;
    EXPECT_EQ(differ, 0U) << threads;
  }
  set_thread_count(before);
}

TEST(Shade, WhatIsNotFiniteOrEmptyShadesNothing) {
  EXPECT_TRUE(shade_of({}, Vec3::UnitX()).empty());
  std::vector<ShadeFace> faces;
  add_block(Vec3::Zero(), Vec3(2, 2, 2), Quat::Identity(), faces);
  faces[3].center.y() = std::nan("");
  for (const FaceShade& shade : shade_of(faces, Vec3::UnitX())) EXPECT_EQ(shade.struck, 1);
  faces.assign(1, {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()});
  EXPECT_EQ(shade_of(faces, Vec3::UnitX())[0].rubbed, 1);
  // The faces are so far apart that millions of cells of the usual size would be needed. Fewer and larger cells are
  // used, and the exposed fractions remain within [0, 1].
  faces.clear();
  add_block(Vec3::Zero(), Vec3(2, 2, 2), Quat::Identity(), faces);
  add_block(Vec3(0, 1e6, 1e6), Vec3(2, 1e6 + 2, 1e6 + 2), Quat::Identity(), faces);
  for (const FaceShade& shade : shade_of(faces, Vec3::UnitX()))
    EXPECT_TRUE(shade.struck >= 0 && shade.struck <= 1) << shade.struck;
  // The same holds if the faces are far apart along a single axis of the grid.
  faces.clear();
  add_block(Vec3::Zero(), Vec3(2, 2, 2), Quat::Identity(), faces);
  add_block(Vec3(0, 1e12, 0), Vec3(2, 1e12 + 2, 2), Quat::Identity(), faces);
  for (const FaceShade& shade : shade_of(faces, Vec3::UnitX()))
    EXPECT_TRUE(shade.struck >= 0 && shade.struck <= 1) << shade.struck;
}

}  // namespace
}  // namespace vw::test
