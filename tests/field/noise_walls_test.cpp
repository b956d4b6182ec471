// Turbulent wind near obstacles: no flow through surfaces, zero divergence, and no change far away.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "tests/field/flow_measure.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

/// A ball above a floor. The nearer of the two surfaces determines the distance.
class BallAndFloor final : public Obstacles {
 public:
  static constexpr double radius = 0.5;
  Vec3 center{0, 0.9, 0};
  bool floor = true;
  [[nodiscard]] bool empty() const override { return false; }
  void nearest(std::span<const Vec3> position, double, double reach_m, std::span<NearSurface> out) const override {
    for (std::size_t i = 0; i < position.size(); ++i) {
      const Vec3 from = position[i] - center;
      const double ball = from.norm() - radius, ground = floor ? position[i].y() : 1e9;
      out[i] = ball < ground ? NearSurface{ball, from.normalized(), Vec3::Zero()}
                             : NearSurface{ground, Vec3::UnitY(), Vec3::Zero()};
      if (out[i].distance_m > reach_m) out[i] = {reach_m, Vec3::UnitX(), Vec3::Zero()};
    }
  }
};

Node walled_wind(const char* f = "identity") {
  Node node = test::field_node("turbulence");
  node.set("mean", Vec3(0, 0, 0));
  node.set("strength", 1.0);
  node.set("length", 0.4);
  node.set("obstacle_distance", 0.3);
  node.set("f", std::string(f));
  return node;
}

Vec3 wind_at(const Field& field, const Vec3& x, const Obstacles* obstacles, double time = 0.4) {
  Vec3 u = Vec3::Zero();
  field.add_velocity(std::span(&x, 1), {time, obstacles}, std::span(&u, 1));
  return u;
}

/// Returns a random point on the floor or the ball, and the outward normal at that point.
std::pair<Vec3, Vec3> on_surface(std::uint64_t i, const BallAndFloor& among) {
  if (i % 2 == 0) return {Vec3(4 * random_uniform({4, 1}, i) - 2, 0, 4 * random_uniform({4, 2}, i) - 2), Vec3::UnitY()};
  const Vec3 n = random_direction({4, 3}, i);
  return {among.center + BallAndFloor::radius * n, n};
}

TEST(WindAmongObstaclesValidation, NoneFlowsIntoASurface) {
  const BallAndFloor among;
  for (const char* f : {"identity", "absolute", "ridge"}) {
    const auto field = test::made_field(walled_wind(f));
    double through = 0, along = 0;
    for (std::uint64_t i = 0; i < 2000; ++i) {
      const auto [x, n] = on_surface(i, among);
      const Vec3 u = wind_at(*field, x + 1e-7 * n, &among);
      through = std::max(through, std::abs(u.dot(n)));
      along += u.norm() / 2000;
    }
    // The points are 1e-7 m from the surface, where the normal flow is 1e-6 of the speed, plus rounding in float.
    test::expect_case("field",
                      std::string("curl noise among obstacles, f = ") + f +
                          ": flow through surfaces (worst of 2,000, strength 1 m/s)",
                      through, 0, 1e-4, "m/s");
    EXPECT_GT(along, 0.5) << "it slides along them";
  }
}

TEST(WindAmongObstaclesValidation, NoAirIsMadeOrLost) {
  BallAndFloor among;
  // With the ball alone, the distance of the nearest surface is smooth everywhere outside the ball.
  among.floor = false;
  const auto field = test::made_field(walled_wind());
  double divergence = 0, gradient = 0;
  const double h = 2e-3;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Vec3 x =
        among.center + (BallAndFloor::radius + 0.01 + 0.35 * random_uniform({6, 1}, i)) * random_direction({6, 2}, i);
    double sum = 0;
    for (int a = 0; a < 3; ++a) {
      const Vec3 slope =
          (wind_at(*field, x + h * Vec3::Unit(a), &among) - wind_at(*field, x - h * Vec3::Unit(a), &among)) / (2 * h);
      sum += slope[a];
      gradient += slope.norm();
    }
    divergence += std::abs(sum);
  }
  // The central differences extend over 2 % of the smallest eddy and have an error of about 0.1 %.
  test::expect_case("field",
                    "curl noise among obstacles: sum |div u| / sum |grad u| by differences within reach of a ball",
                    divergence / gradient, 0, 3e-3);
}

TEST(WindAmongObstacles, NoAirIsMadeWhereTheNearestSurfaceChangesFromOneToAnother) {
  // The net outflow of a small cube halfway between ball and floor is compared with the sum of the absolute flows
  // through the faces. The faces are integrated by the midpoint rule.
  const BallAndFloor among;
  const auto field = test::made_field(walled_wind());
  double out = 0, through = 0;
  for (std::uint64_t c = 0; c < 12; ++c) {
    const double turn = 0.5 * static_cast<double>(c), side = 0.04;
    const Vec3 middle(0.1 * std::cos(turn), 0.2, 0.1 * std::sin(turn));
    constexpr int n = 48;
    double flux = 0;
    for (int a = 0; a < 3; ++a)
      for (const int end : {-1, 1})
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) {
            Vec3 x = middle + 0.5 * side * end * Vec3::Unit(a);
            x[(a + 1) % 3] += side * ((i + 0.5) / n - 0.5);
            x[(a + 2) % 3] += side * ((j + 0.5) / n - 0.5);
            const double part = end * wind_at(*field, x, &among)[a] / (n * n);
            flux += part;
            through += std::abs(part);
          }
    out += std::abs(flux);
  }
  // The flow has a kink where the nearest surface changes. On faces that contain the kink, the midpoint rule with n
  // points along an edge has a relative error of about 1 / n.
  EXPECT_LT(out, 3e-3 * through);
}

TEST(WindAmongObstacles, BeyondTheirReachNothingIsChangedAndWithinThemNothingBlows) {
  const BallAndFloor among;
  const auto field = test::made_field(walled_wind());
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Vec3 far = Vec3(0, 3, 0) + random_direction({7, 1}, i);
    EXPECT_EQ(wind_at(*field, far, &among), wind_at(*field, far, nullptr));
    EXPECT_EQ(wind_at(*field, among.center + 0.49 * random_uniform({7, 2}, i) * random_direction({7, 3}, i), &among),
              Vec3(Vec3::Zero()));
    EXPECT_EQ(wind_at(*field, Vec3(2, -0.3, 0), &among), Vec3(Vec3::Zero()));
  }
  Node through = walled_wind();
  through.set("obstacle_distance", 0.0);
  const auto free = test::made_field(through);
  EXPECT_EQ(wind_at(*free, Vec3(1, 0.01, 0), &among), wind_at(*free, Vec3(1, 0.01, 0), nullptr));
  EXPECT_NE(wind_at(*free, Vec3(1, 0.01, 0), &among), wind_at(*field, Vec3(1, 0.01, 0), &among));
}

TEST(WindAmongObstacles, DoesNotRaceInAThinLayer) {
  const BallAndFloor among;
  Node thin = walled_wind(), thick = walled_wind();
  thin.set("obstacle_distance", 1e-12);
  thick.set("obstacle_distance", 0.04);
  const auto field = test::made_field(thin), tenth = test::made_field(thick);
  double square = 0;
  const int places = 500;
  for (std::uint64_t i = 0; i < places; ++i) {
    const auto [x, n] = on_surface(i, among);
    const Vec3 u = wind_at(*field, x + 1e-4 * n, &among);
    square += u.squaredNorm() / (3 * places);
    EXPECT_EQ(u, wind_at(*tenth, x + 1e-4 * n, &among));
  }
  EXPECT_LT(std::sqrt(square), 10) << "times its strength";
}

TEST(WindAmongObstacles, AFieldSetHandsThemOn) {
  const BallAndFloor among;
  FieldSet fields;
  fields.add("wind", test::made_field(walled_wind()));
  fields.set_obstacles(&among);
  const Vec3 x(1, 0.01, 0.3);
  EXPECT_EQ(test::air_at(fields, x, 0.4), wind_at(*fields.find("wind"), x, &among));
}

}  // namespace
}  // namespace vw
