// Primitive shapes. Distances are compared with render meshes and numerical gradients, sweeps with marching, and
// samplers with areas.
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "sim/collision/shape/shape_sweep.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using test::expect_case;

struct NamedShape {
  const char* name;
  Shape shape;
};

std::vector<NamedShape> solids() {
  return {{"sphere", SphereShape{0.4}},
          {"box", BoxShape{{0.3, 0.5, 0.2}}},
          {"capsule", CapsuleShape{0.2, 0.3}},
          {"cylinder", CylinderShape{0.3, 0.25}},
          {"thin box", BoxShape{{0.5, 0.001, 0.5}}},
          {"flat cylinder", CylinderShape{0.4, 1e-4}}};
}

std::vector<NamedShape> all_shapes() {
  auto shapes = solids();
  shapes.push_back({"plane", PlaneShape{}});
  return shapes;
}

/// Returns a uniformly random point in the cube of half edge `half`.
Vec3 shape_point(std::uint64_t stream, std::uint64_t i, double half = 1) {
  const RandomKey key{17, stream};
  return 2 * half *
         Vec3(random_uniform(key, i, 0) - 0.5, random_uniform(key, i, 1) - 0.5, random_uniform(key, i, 2) - 0.5);
}

/// Returns the distance from a point to a triangle by barycentric regions (Ericson, Real-Time Collision Detection,
/// 5.1.5).
double distance_to_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto to_edge = [&](const Vec3& u, const Vec3& v) {
    const double t = std::clamp((p - u).dot(v - u) / (v - u).squaredNorm(), 0.0, 1.0);
    return (p - u - t * (v - u)).norm();
  };
  const Vec3 n = (b - a).cross(c - a);
  const auto inside = [&](const Vec3& u, const Vec3& v) { return n.dot((v - u).cross(p - u)) >= 0; };
  if (inside(a, b) && inside(b, c) && inside(c, a)) return std::abs(n.normalized().dot(p - a));
  return std::min({to_edge(a, b), to_edge(b, c), to_edge(c, a)});
}

double distance_to_mesh(const Vec3& p, const SurfaceMesh& mesh) {
  double least = 1e300;
  const auto at = [&](std::uint32_t i) { return Vec3(mesh.position[i].cast<double>()); };
  for (const auto& t : mesh.triangle) least = std::min(least, distance_to_triangle(p, at(t[0]), at(t[1]), at(t[2])));
  return least;
}

TEST(Shape, DistancesAreThoseToTheirPictures) {
  // The middle of a chord of 1/240 of a circle lies (pi / 240)^2 / 2 = 8.6e-5 radii inside the circle. In addition,
  // render meshes store floats.
  constexpr double tolerance = 1e-4;
  for (const auto& [name, shape] : solids()) {
    const auto mesh = picture_of(shape, 240);
    double worst = 0;
    for (std::uint64_t i = 0; i < 60; ++i) {
      const Vec3 p = shape_point(1, i, 0.7);
      worst = std::max(worst, std::abs(std::abs(query(shape, p).distance) - distance_to_mesh(p, *mesh)));
    }
    expect_case("collision", std::string("distance to a ") + name + " against its picture of 240 corners", worst, 0,
                tolerance, "m");
  }
}

TEST(Shape, NormalsAreTheGradientsOfDistance) {
  for (const auto& [name, shape] : all_shapes())
    for (std::uint64_t i = 0; i < 2000; ++i) {
      const Vec3 p = shape_point(2, i, 0.8);
      const SurfaceQuery at = query(shape, p);
      ASSERT_NEAR(at.normal.norm(), 1, 1e-12);
      ASSERT_NEAR(query(shape, p - at.distance * at.normal).distance, 0, 1e-12) << name;
      constexpr double h = 1e-6;
      Vec3 gradient;
      for (int axis = 0; axis < 3; ++axis) {
        const Vec3 step = h * Vec3::Unit(axis);
        gradient[axis] = (query(shape, p + step).distance - query(shape, p - step).distance) / (2 * h);
      }
      if (gradient.norm() < 0.999) continue;  // within h of the medial axis, the gradient of the distance jumps
      ASSERT_LT((gradient - at.normal).norm(), 1e-4) << name << " " << p.transpose();
    }
}

/// Returns whether each edge of the mesh is traversed equally often in both directions.
bool is_closed(const SurfaceMesh& mesh) {
  std::map<std::array<float, 6>, int> balance;
  for (const auto& t : mesh.triangle)
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3f &a = mesh.position[t[k]], &b = mesh.position[t[(k + 1) % 3]];
      ++balance[{a.x(), a.y(), a.z(), b.x(), b.y(), b.z()}];
      --balance[{b.x(), b.y(), b.z(), a.x(), a.y(), a.z()}];
    }
  return std::all_of(balance.begin(), balance.end(), [](const auto& edge) { return edge.second == 0; });
}

TEST(Shape, PicturesAreClosedAndFaceOutward) {
  EXPECT_EQ(picture_of(PlaneShape{}), nullptr);
  for (const auto& [name, shape] : solids()) {
    const auto mesh = picture_of(shape, 48);
    ASSERT_EQ(mesh->position.size(), mesh->normal.size());
    EXPECT_TRUE(is_closed(*mesh)) << name;
    double covered = 0;
    for (const auto& t : mesh->triangle) {
      const Vec3 a = mesh->position[t[0]].cast<double>(), b = mesh->position[t[1]].cast<double>(),
                 c = mesh->position[t[2]].cast<double>();
      const Vec3 n = (b - a).cross(c - a);
      covered += 0.5 * n.norm();
      ASSERT_GT(n.norm(), 0) << name << " has a triangle without an area";
      for (const auto corner : t) ASSERT_GT(n.normalized().dot(mesh->normal[corner].cast<double>()), 0.9) << name;
    }
    // The area of an inscribed 48-gon is the area of the circle times 1 - (2 pi / 48)^2 / 6.
    EXPECT_NEAR(covered / area(shape), 1, 4e-3) << name;
    const Box3 box = bounds(shape);
    for (std::size_t i = 0; i < mesh->position.size(); ++i) {
      const Vec3 p = mesh->position[i].cast<double>();
      ASSERT_NEAR(query(shape, p).distance, 0, 1e-7) << name;
      ASSERT_LE((p - box.center()).cwiseAbs().cwiseQuotient(0.5 * box.sizes()).maxCoeff(), 1 + 1e-6) << name;
    }
  }
}

/// Returns the description of the first fault in the result of the sweep along one path, compared with marching. The
/// string is empty if there is no fault.
std::string fault_of_sweep(const Shape& shape, const Vec3& from, const Vec3& to, double radius, double tolerance) {
  const auto hit = sweep(shape, from, to, radius);
  const SurfaceQuery start = query(shape, from);
  const Vec3 along = to - from;
  if (start.distance <= radius) {
    const bool deeper = start.normal.dot(along) < 0;
    if (deeper != hit.has_value()) return "touching: a hit just where it goes deeper";
    return hit && hit->share != 0 ? "touching: the hit is at 0" : "";
  }
  constexpr int looks = 100;
  for (int k = 0; k <= looks; ++k) {
    const double share = static_cast<double>(k) / looks;
    if (hit && share >= hit->share) break;
    if (query(shape, from + share * along).distance < radius - tolerance) return "it passed the surface";
  }
  if (!hit) return "";
  const SurfaceQuery there = query(shape, from + hit->share * along);
  if (std::abs(there.distance - radius) > tolerance) return "the hit is not where the ball touches";
  if ((there.normal - hit->normal).norm() > 1e-6) return "the normal is not the surface's";
  return hit->normal.dot(along) <= 0 ? "" : "the normal points along the motion";
}

TEST(Shape, SweepsEndWhereMarchingFindsTheFirstTouch) {
  // Newton's method stops when the gap is of the order of the rounding error.
  constexpr double tolerance = 1e-14;
  for (const auto& [name, shape] : all_shapes()) {
    int hits = 0;
    for (std::uint64_t i = 0; i < 10000; ++i) {
      const Vec3 from = shape_point(3, i, 1.2), to = shape_point(4, i, 1.2);
      const double radius = i % 5 == 0 ? 0 : 0.1 * random_uniform({17, 5}, i, 0);
      const std::string fault = fault_of_sweep(shape, from, to, radius, tolerance);
      ASSERT_EQ(fault, "") << name << ", case " << i;
      hits += sweep(shape, from, to, radius) ? 1 : 0;
    }
    EXPECT_GT(hits, 1000) << name;
  }
}

TEST(Shape, SweptBallsRoundEdgesAndCorners) {
  const BoxShape box{{1, 1, 1}};
  constexpr double r = 0.5, a = 0.2;
  // The ball falls past the corner (1, 1, 1) with a horizontal offset of (a, a). At the contact, the distance between
  // the corner and the centre of the ball equals the radius.
  const auto corner = sweep(Shape(box), {1 + a, 3, 1 + a}, {1 + a, -3, 1 + a}, r);
  ASSERT_TRUE(corner);
  expect_case("collision", "a ball of 0.5 m falls on the corner of a box: height of its centre over it",
              3 - 6 * corner->share - 1, std::sqrt(r * r - 2 * a * a), 1e-14, "m");
  // The ball falls past an edge of the box. Further paths pass just outside an edge and a corner.
  const auto edge = sweep(Shape(box), {1 + a, 3, 0}, {1 + a, -3, 0}, r);
  ASSERT_TRUE(edge);
  EXPECT_NEAR(3 - 6 * edge->share - 1, std::sqrt(r * r - a * a), 1e-14);
  // A ball with an offset of 0.36 misses the corner, since 0.36 sqrt(2) > 0.5. A sweep of a point against a box that is
  // enlarged by the radius 0.5 would hit.
  EXPECT_FALSE(sweep(Shape(box), {1.36, 3, 1.36}, {1.36, -3, 1.36}, r));
  EXPECT_FALSE(sweep(Shape(CylinderShape{1, 1}), {1.4, 3, 0}, {1.4, 1.31, 0}, r));
  const auto rim = sweep(Shape(CylinderShape{1, 1}), {1.4, 3, 0}, {1.4, -3, 0}, r);
  ASSERT_TRUE(rim);
  EXPECT_NEAR(3 - 6 * rim->share - 1, 0.3, 1e-14);  // right triangle with sides 0.3, 0.4 and 0.5
}

TEST(Shape, SweepsSeeWallsThinnerThanTheWay) {
  const Shape wall = BoxShape{{1, 1e-6, 1}};
  int passed = 0;
  for (std::uint64_t i = 0; i < 100000; ++i) {
    Vec3 from = shape_point(6, i, 0.9), to = shape_point(7, i, 0.9);
    from.y() = 1 + 100 * random_uniform({17, 8}, i, 0);
    to.y() = -1 - 100 * random_uniform({17, 8}, i, 1);
    passed += sweep(wall, from, to, 0) ? 0 : 1;
    passed += sweep(wall, to, from, 0) ? 0 : 1;
  }
  expect_case("collision", "fast points through a wall of 2 um, swept, from both sides: passed of 200,000", passed, 0,
              0);
}

TEST(Shape, SheetsAreMetFromInsideAsWell) {
  for (const NamedShape& solid : solids()) {
    const Shape& shape = solid.shape;
    const char* name = solid.name;
    for (std::uint64_t i = 0; i < 10000; ++i) {
      const Vec3 from = shape_point(9, i, 0.6), to = shape_point(10, i, 0.6), along = to - from;
      const double radius = 0.05 * random_uniform({17, 11}, i, 0);
      const auto gap = [&](double share) { return std::abs(query(shape, from + share * along).distance) - radius; };
      const auto hit = sweep_sheet(shape, from, to, radius);
      if (gap(0) <= 0) continue;  // the ball is already in contact; the cases below cover this
      for (int k = 0; k <= 50 && (!hit || k < 50 * hit->share); ++k)
        ASSERT_GT(gap(k / 50.0), -1e-13) << name << ", case " << i;
      if (!hit) continue;
      ASSERT_NEAR(gap(hit->share), 0, 1e-12) << name << ", case " << i;
      ASSERT_LE(hit->normal.dot(along), 0);
    }
  }
  const Shape box = BoxShape{{1, 1, 1}};
  // The ball touches the upper wall of the box from inside and moves away from this wall, so there is no hit.
  EXPECT_FALSE(sweep_sheet(box, {0, 0.95, 0}, {0, 0, 0}, 0.1));
  const auto across = sweep_sheet(box, {0, 0.95, 0}, {0, -2, 0}, 0.1);
  ASSERT_TRUE(across);
  EXPECT_NEAR(0.95 - 2.95 * across->share, -0.9, 1e-14);
  EXPECT_EQ(across->normal, Vec3(0, 1, 0));
  const auto deeper = sweep_sheet(box, {0, 0.95, 0}, {0, 2, 0}, 0.1);
  ASSERT_TRUE(deeper);
  EXPECT_EQ(deeper->share, 0);
  EXPECT_EQ(deeper->normal, Vec3(0, -1, 0));
  // The box is thinner than the ball. In the middle of the path, the nearest wall changes.
  const auto thin = sweep_sheet(BoxShape{{1, 0.05, 1}}, {0, 0.04, 0}, {0, -0.04, 0}, 0.1);
  ASSERT_TRUE(thin);
  EXPECT_NEAR(thin->share, 0.5, 1e-12);
  EXPECT_EQ(thin->normal, Vec3(0, 1, 0));
}

Draw3 draw(std::uint64_t i) {
  return {random_uniform({23, 1}, i, 0), random_uniform({23, 1}, i, 1), random_uniform({23, 1}, i, 2)};
}

/// Returns the index of one of 8 equal sectors about the y axis. Combined with zones of equal height on a round wall,
/// or with rings between equally spaced squared radii on an end face, the sectors form bins of equal area.
std::size_t angle_bin(const Vec3& p) {
  return static_cast<std::size_t>(std::floor((std::atan2(p.z(), p.x()) / (2 * pi) + 0.5) * 7.999999));
}

double chi_square(const std::vector<double>& counts, double expected) {
  double sum = 0;
  for (const double count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

/// Returns the bound on chi^2. The chi^2 of uniform samples in k bins stays below it with a probability of 99.9999 %.
double chi_square_limit(std::size_t bins) {
  const double k = static_cast<double>(bins - 1), t = 2 / (9 * k);  // approximation of Wilson and Hilferty
  const double root = 1 - t + 4.75 * std::sqrt(t);
  return k * root * root * root;
}

TEST(Shape, SamplesAreUniformOverTheArea) {
  constexpr std::uint64_t samples = 64000;
  // Round shapes are divided into 8 zones of equal height and 8 sectors. Zones of a capsule have equal areas, as on a
  // sphere.
  for (const auto& [name, shape, half] :
       {std::tuple{"sphere", Shape(SphereShape{0.4}), 0.4}, {"capsule", Shape(CapsuleShape{0.2, 0.3}), 0.5}}) {
    std::vector<double> counts(64, 0);
    for (std::uint64_t i = 0; i < samples; ++i) {
      const SurfacePoint p = sample_surface(shape, draw(i));
      ASSERT_NEAR(query(shape, p.position).distance, 0, 1e-14) << name;
      ASSERT_LT((query(shape, p.position + 0.1 * p.normal).normal - p.normal).norm(), 1e-12) << name;
      const double zone = (p.position.y() / half + 1) * 3.999999;
      ++counts[8 * static_cast<std::size_t>(zone) + angle_bin(p.position)];
    }
    EXPECT_LT(chi_square(counts, samples / 64.0), chi_square_limit(64)) << name;
  }
  // The areas of the wall and the two ends of this cylinder have the ratio 2 : 1 : 1, since the half length is half the
  // radius.
  std::vector<double> counts(64, 0);
  for (std::uint64_t i = 0; i < samples; ++i) {
    const SurfacePoint p = sample_surface(CylinderShape{0.3, 0.15}, draw(i));
    const double r = std::hypot(p.position.x(), p.position.z()) / 0.3, y = p.position.y() / 0.15;
    const std::size_t ring = p.normal.y() == 0
                                 ? static_cast<std::size_t>((y + 1) * 1.999999)
                                 : (p.normal.y() > 0 ? 4U : 6U) + static_cast<std::size_t>(r * r * 1.999999);
    ++counts[8 * ring + angle_bin(p.position)];
  }
  EXPECT_LT(chi_square(counts, samples / 64.0), chi_square_limit(64)) << "cylinder";
}

TEST(Shape, SamplesOfABoxFallOnItsFacesByArea) {
  constexpr std::uint64_t samples = 60000;
  const BoxShape box{{0.1, 0.2, 0.4}};
  double sum = 0;
  std::size_t bins = 0;
  std::map<std::array<int, 5>, double> counts;  // key: axis, side, quarter of the face
  for (std::uint64_t i = 0; i < samples; ++i) {
    const SurfacePoint p = sample_surface(box, draw(i));
    ASSERT_NEAR(query(box, p.position).distance, 0, 1e-15);
    int axis = 0;
    p.normal.cwiseAbs().maxCoeff(&axis);
    ASSERT_EQ(p.position[axis], p.normal[axis] * box.half_extent_m[axis]);
    ++counts[{axis, p.normal[axis] > 0, p.position[(axis + 1) % 3] > 0, p.position[(axis + 2) % 3] > 0, 0}];
  }
  for (const auto& [bin, count] : counts) {
    const int a = (bin[0] + 1) % 3, b = (bin[0] + 2) % 3;
    const double expected = samples * box.half_extent_m[a] * box.half_extent_m[b] / area(box);
    sum += (count - expected) * (count - expected) / expected;
    ++bins;
  }
  EXPECT_EQ(bins, 24U);
  EXPECT_LT(sum, chi_square_limit(24));
}

TEST(Shape, PointsInsideFillTheVolume) {
  const CylinderShape cylinder{0.3, 0.5};
  double inner = 0;
  constexpr std::uint64_t samples = 20000;
  for (std::uint64_t i = 0; i < samples; ++i) {
    const auto p = sample_inside(cylinder, [&](std::uint64_t k) { return draw(1000 * i + k); });
    ASSERT_TRUE(p);
    ASSERT_LT(query(cylinder, *p).distance, 0);
    inner += std::hypot(p->x(), p->z()) < 0.15 ? 1 : 0;
  }
  EXPECT_NEAR(inner / samples, 0.25, 5 * std::sqrt(0.25 * 0.75 / samples));
  EXPECT_FALSE(sample_inside(PlaneShape{}, draw));
}

}  // namespace
}  // namespace vw
