// The mean wind's boundary layer and travelling gusts.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/field/flow_measure.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using test::air_at;
using test::expect_case;
using test::field_node;
using test::made_field;

Node layer(const char* profile) {
  Node node = field_node("uniform");
  node.set("velocity", Vec3(6, 0, 8));
  node.set("profile", std::string(profile));
  node.set("reference_height", 10.0);
  node.set("roughness", 0.05);
  node.set("exponent", 0.2);
  node.set("ground", 1.5);
  return node;
}

TEST(MeanWindValidation, TheBoundaryLayerIsALogarithmOrAPowerOfTheHeight) {
  const auto log = made_field(layer("log")), power = made_field(layer("power"));
  double worst_log = 0, worst_power = 0;
  for (const double h : {0.051, 0.1, 0.7, 2.0, 10.0, 35.0, 500.0}) {
    const Vec3 at(17, 1.5 + h, -3);
    worst_log = std::max(worst_log, std::abs(air_at(*log, at).norm() - 10 * std::log(h / 0.05) / std::log(200.0)));
    worst_power = std::max(worst_power, std::abs(air_at(*power, at).norm() - 10 * std::pow(h / 10, 0.2)));
    EXPECT_LT(air_at(*log, at).cross(Vec3(6, 0, 8)).norm(), 1e-9);
  }
  expect_case("field", "mean wind: log law of the wall, worst of 0.05 to 500 m", worst_log, 0, 1e-10, "m/s");
  expect_case("field", "mean wind: power law, likewise", worst_power, 0, 1e-10, "m/s");
  EXPECT_LT((air_at(*log, Vec3(0, 11.5, 0)) - Vec3(6, 0, 8)).norm(), 1e-12);
}

TEST(MeanWind, NothingBlowsAtTheGroundAndBelow) {
  for (const char* profile : {"log", "power"}) {
    const auto field = made_field(layer(profile));
    for (const double y : {1.5, 1.49, 0.0, -1e6}) EXPECT_EQ(air_at(*field, Vec3(3, y, 4)), Vec3(0, 0, 0)) << profile;
  }
  EXPECT_EQ(air_at(*made_field(layer("log")), Vec3(3, 1.549, 4)), Vec3(0, 0, 0));  // below the roughness height
}

TEST(MeanWind, HeightIsMeasuredAlongUpAndNoAirGoesThroughTheGround) {
  Node node = layer("power");
  node.set("up", Vec3(0.6, 0.8, 0));
  node.set("velocity", Vec3(0, 10, 0));
  const auto field = made_field(node);
  const Vec3 up(0.6, 0.8, 0), along = Vec3(0, 10, 0) - 8 * up;
  EXPECT_LT((air_at(*field, (1.5 + 10) * up + 30 * Vec3(-0.8, 0.6, 2)) - along).norm(), 1e-12);
  EXPECT_EQ(air_at(*field, 1.4 * up), Vec3(0, 0, 0));
}

TEST(MeanWind, ALayerHasNoDivergenceAndTheVorticityOfItsShear) {
  for (const char* profile : {"log", "power"}) {
    Node node = layer(profile);
    node.set("gust", 0.5);
    const auto field = made_field(node);
    for (const double h : {0.2, 3.0, 60.0}) {
      const Vec3 x(4, 1.5 + h, 9);
      EXPECT_LT(std::abs(test::divergence_at(*field, x, 1e-5, 0.4)), 1e-9);
      Vec3 w = Vec3::Zero(), by_differences = Vec3::Zero();
      const FieldMoment moment{0.4, nullptr};
      field->add_vorticity(std::span(&x, 1), moment, std::span(&w, 1));
      field->Field::add_vorticity(std::span(&x, 1), moment, std::span(&by_differences, 1));
      const Vec3 slope = (air_at(*field, x + Vec3(0, 1e-5, 0), 0.4) - air_at(*field, x - Vec3(0, 1e-5, 0), 0.4)) / 2e-5;
      EXPECT_LT((w - Vec3::UnitY().cross(slope)).norm(), 1e-6 * w.norm());
      EXPECT_LT((w - by_differences).norm(), 0.05 * w.norm());
    }
  }
}

TEST(MeanWind, AReferenceBelowTheRoughnessIsRefused) {
  Node node = layer("log");
  node.set("reference_height", 0.05);
  for (const FieldKind& row : field_kinds())
    if (row.schema == node.schema) {
      const auto made = row.create(node, 1);
      ASSERT_FALSE(made);
      EXPECT_NE(made.error().message().find("reference_height = 0.05 m: must be greater than roughness"),
                std::string::npos)
          << made.error().message();
    }
}

// ---- Gusts ----

Node gust_node() {
  Node node = field_node("gust");
  node.set("velocity", Vec3(0, 3, 4));
  node.set("travel", Vec3(2, 0, 0));
  node.set("position", Vec3(10, 0, 0));
  node.set("rise", 4.0);
  node.set("hold", 2.0);
  node.set("start", 5.0);
  return node;
}

TEST(GustValidation, OneGustIsOneMinusACosineThatTravels) {
  const auto gust = made_field(gust_node());
  double worst = 0;
  for (double t = 0; t < 20; t += 0.37)
    for (double x = -10; x < 30; x += 1.3) {
      const double s = 2 * (t - 5) - (x - 10);  // distance behind the front of the gust [m]
      double share = 0;
      if (s > 0 && s < 4) share = 0.5 * (1 - std::cos(pi * s / 4));
      if (s >= 4 && s <= 6) share = 1;
      if (s > 6 && s < 10) share = 0.5 * (1 - std::cos(pi * (10 - s) / 4));
      worst = std::max(worst, (air_at(*gust, Vec3(x, 3, -7), t) - share * Vec3(0, 3, 4)).norm());
    }
  expect_case("field", "gust: difference from one minus a cosine", worst, 0, 1e-12, "m/s");
  EXPECT_EQ(air_at(*gust, Vec3(10, 0, 0), 5), Vec3(0, 0, 0));
  EXPECT_LT((air_at(*gust, Vec3(10, 0, 0), 7.5) - Vec3(0, 3, 4)).norm(), 1e-12);
}

TEST(Gust, ItIsAsWideAsAskedAndFallsOffSmoothly) {
  Node node = gust_node();
  node.set("width", 6.0);
  const auto gust = made_field(node);
  EXPECT_LT((air_at(*gust, Vec3(10, 0, 0), 7.5) - Vec3(0, 3, 4)).norm(), 1e-12);
  EXPECT_NEAR(air_at(*gust, Vec3(10, 1.5, 0), 7.5).norm(), 2.5, 1e-12);
  EXPECT_NEAR(air_at(*gust, Vec3(10, 0, 2.999), 7.5).norm(), 0, 1e-5);
  EXPECT_EQ(air_at(*gust, Vec3(10, 2.5, 2.5), 7.5), Vec3(0, 0, 0));
}

TEST(GustValidation, RandomOnesComeAsAPoissonProcess) {
  Node node = gust_node();
  node.set("times", std::string("random"));
  node.set("rate", 2.0);
  node.set("rise", 1e-3);
  node.set("hold", 2e-3);  // A gust is 0.004 m long and travels at 2 m/s. It lasts 0.002 s, so gusts rarely overlap.
  const auto gusts = made_field(node);
  const double step = 1e-4;
  std::vector<Vec3> here(1, Vec3(10, 0, 0));
  std::vector<int> count(1500, 0);
  bool on = false;
  for (int k = 0; k < 1500; ++k)
    for (int i = 0; i < 10000; i += 5) {
      Vec3 u = Vec3::Zero();
      gusts->add_velocity(here, {k + i * step, nullptr}, std::span(&u, 1));
      const bool now = u.norm() > 0;
      if (now && !on) ++count[static_cast<std::size_t>(k)];
      on = now;
    }
  double mean = 0, variance = 0;
  for (const int n : count) mean += n / 1500.0;
  for (const int n : count) variance += (n - mean) * (n - mean) / 1499.0;
  // The standard error of the mean is sqrt(2 / 1500) = 0.037, and that of the variance is 2 sqrt(2 / 1500) = 0.073.
  // Overlapping gusts count once, which is an error of 0.4 %.
  expect_case("field", "random gusts: mean number in a second", mean, 2, 0.06);
  expect_case("field", "random gusts: variance of that number", variance, 2, 0.15);
}

TEST(Gust, RandomOnesDependOnSeedAndTimeAlone) {
  Node node = gust_node(), other = node;
  node.set("times", std::string("random"));
  node.set("rate", 1.0);
  node.set("width", 8.0);
  node.set("scatter", 5.0);
  other = node;
  other.set("seed", std::int64_t{2});
  const auto one = made_field(node), again = made_field(node), differs = made_field(other);
  int differing = 0, blown = 0;
  for (int i = 0; i < 500; ++i) {
    const Vec3 x = 10 * random_direction({1, 5}, static_cast<std::uint64_t>(i));
    const double t = 0.37 * i - 60;  // The times begin before 0, because the random process has no start.
    const Vec3 late = air_at(*again, x, t);
    EXPECT_EQ(air_at(*one, x, t), late);
    differing += air_at(*differs, x, t) == late ? 0 : 1;
    blown += late.norm() > 0 ? 1 : 0;
  }
  EXPECT_GT(blown, 80);
  EXPECT_GT(differing, 80);
  EXPECT_TRUE(test::finite_everywhere(*one, Vec3::Zero(), Vec3::UnitX(), 1));
}

TEST(Gust, AFrontThatStandsStillIsRefused) {
  Node node = gust_node();
  node.set("travel", Vec3(0, 0, 0));
  for (const FieldKind& row : field_kinds())
    if (row.schema == node.schema) {
      EXPECT_FALSE(row.create(node, 1));
    }
}

}  // namespace
}  // namespace vw
