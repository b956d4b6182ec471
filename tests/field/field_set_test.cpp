// Sets of fields: contributions add up in any order, each field is limited to its region, and fields can be switched.
#include <cmath>

#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "tests/field/flow_measure.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using test::air_at;
using test::field_node;
using test::made_field;

Node wind(const Vec3& velocity) {
  Node node = field_node("uniform");
  node.set("velocity", velocity);
  return node;
}

Node bounded(const char* region, const Vec3& size, double edge) {
  Node node = wind(Vec3(8, 0, 0));
  node.set("region", std::string(region));
  node.set("region_center", Vec3(1, 2, 3));
  node.set("region_size", size);
  node.set("region_edge", edge);
  return node;
}

Vec3 of_set(const Node& node, const Vec3& x) {
  FieldSet set;
  set.add("one", made_field(node));
  return air_at(set, x);
}

TEST(Region, ABoxEndsAtItsBorderAndFadesInwards) {
  const Node box = bounded("box", Vec3(4, 2, 6), 0.5);
  const Vec3 middle(1, 2, 3);
  EXPECT_EQ(of_set(box, middle), Vec3(8, 0, 0));
  EXPECT_EQ(of_set(box, middle + Vec3(1.5, 0, 0)), Vec3(8, 0, 0));
  // These points are in the middle of the edge zone, where the factor of the wind is 1/2.
  EXPECT_NEAR(of_set(box, middle + Vec3(1.75, 0, 0)).x(), 4, 1e-12);
  EXPECT_NEAR(of_set(box, middle + Vec3(0, -0.75, 0)).x(), 4, 1e-12);
  EXPECT_EQ(of_set(box, middle + Vec3(2, 0, 0)).x(), 0);
  EXPECT_EQ(of_set(box, middle + Vec3(0, 0, 3.01)).x(), 0);
  // The factor by which the wind is multiplied has zero slope and curvature at the border.
  EXPECT_LT(of_set(box, middle + Vec3(2 - 1e-3, 0, 0)).x(), 1e-5);
}

TEST(Region, ABallAndACylinderLikewise) {
  const Vec3 middle(1, 2, 3);
  const Node ball = bounded("sphere", Vec3(4, 1, 1), 1), tube = bounded("cylinder", Vec3(4, 6, 1), 1),
             hard = bounded("sphere", Vec3(4, 1, 1), 0);
  for (std::uint64_t i = 0; i < 50; ++i) {
    const Vec3 way = random_direction({2, 2}, i);
    EXPECT_NEAR(of_set(ball, middle + 1.5 * way).x(), 4, 1e-9);
    EXPECT_EQ(of_set(ball, middle + 2.001 * way).x(), 0);
    EXPECT_EQ(of_set(hard, middle + 1.999 * way).x(), 8);
    EXPECT_EQ(of_set(hard, middle + 2.001 * way).x(), 0);
    const Vec3 flat = Vec3(way.x(), 0, way.z()).normalized();
    EXPECT_NEAR(of_set(tube, middle + 1.5 * flat + Vec3(0, 1, 0)).x(), 4, 1e-9);
    EXPECT_NEAR(of_set(tube, middle + 0.3 * flat + Vec3(0, -2.5, 0)).x(), 4, 1e-9);
    EXPECT_EQ(of_set(tube, middle + 0.3 * flat + Vec3(0, 3.1, 0)).x(), 0);
  }
}

TEST(Region, FadingHasVorticityOfItsOwn) {
  FieldSet set;
  set.add("ball", made_field(bounded("sphere", Vec3(4, 1, 1), 1)));
  constexpr double h = 1e-4;
  for (std::uint64_t i = 0; i < 50; ++i) {
    const Vec3 x = Vec3(1, 2, 3) + (1.05 + 0.9 * random_uniform({2, 3}, i)) * random_direction({2, 4}, i);
    const auto slope = [&](int axis, int component) {
      return (air_at(set, x + h * Vec3::Unit(axis))[component] - air_at(set, x - h * Vec3::Unit(axis))[component]) /
             (2 * h);
    };
    const Vec3 curl(slope(1, 2) - slope(2, 1), slope(2, 0) - slope(0, 2), slope(0, 1) - slope(1, 0));
    Vec3 told = Vec3::Zero();
    set.sample(FieldQuantity::vorticity, {}, std::span(&x, 1), 0, std::span(&told, 1));
    EXPECT_LT((told - curl).norm(), 1e-3 * (1 + curl.norm())) << x.transpose();  // The largest vorticity is 15 rad/s.
  }
}

TEST(Region, EveryKindOfFieldKeepsToIt) {
  for (const FieldKind& kind : field_kinds()) {
    Node node = make_node(*kind.schema, "one");
    node.set("region", std::string("sphere"));
    node.set("region_size", Vec3(2, 2, 2));
    FieldSet set;
    set.add("one", made_field(node));
    for (std::uint64_t i = 0; i < 30; ++i)
      EXPECT_EQ(air_at(set, (1.01 + static_cast<double>(i)) * random_direction({9, 1}, i), 0.4), Vec3(0, 0, 0))
          << kind.schema->kind;
  }
}

TEST(FieldSet, FieldsAddUpInAnyOrder) {
  std::vector<Node> nodes;
  for (const FieldKind& kind : field_kinds()) nodes.push_back(make_node(*kind.schema, kind.schema->kind));
  FieldSet forth, back;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    forth.add(nodes[i].name, made_field(nodes[i]));
    back.add(nodes[nodes.size() - 1 - i].name, made_field(nodes[nodes.size() - 1 - i]));
  }
  EXPECT_EQ(forth.names(), back.names());
  std::vector<Vec3> x;
  for (std::uint64_t i = 0; i < 1000; ++i) x.push_back(3 * random_direction({6, 1}, i) * random_uniform({6, 2}, i));
  std::vector<Vec3> all(x.size()), again(x.size()), one(x.size()), sum(x.size(), Vec3::Zero());
  forth.velocity(x, 0.7, all);
  back.velocity(x, 0.7, again);
  EXPECT_EQ(all, again);
  for (const std::string& name : forth.names()) {
    forth.sample(FieldQuantity::velocity, name, x, 0.7, one);
    for (std::size_t i = 0; i < x.size(); ++i) sum[i] += one[i];
  }
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, (sum[i] - all[i]).norm() / (1 + all[i].norm()));
  EXPECT_LT(worst, 1e-13);
  for (const int threads : {1, 2, 3}) {
    set_thread_count(threads);
    forth.velocity(x, 0.7, again);
    EXPECT_EQ(again, all) << threads;
  }
  set_thread_count(0);
}

TEST(FieldSet, WhatIsNotEnabledIsNotThereAndANewOneTakesItsPlace) {
  FieldSet set;
  EXPECT_TRUE(set.empty());
  Node off = wind(Vec3(3, 0, 0));
  off.set("enabled", false);
  set.add("a", made_field(off));
  EXPECT_TRUE(set.empty());
  EXPECT_EQ(air_at(set, Vec3::Zero()), Vec3(0, 0, 0));
  set.add("b", made_field(wind(Vec3(0, 1, 0))));
  EXPECT_FALSE(set.empty());
  set.add("a", made_field(wind(Vec3(3, 0, 0))));
  EXPECT_EQ(set.names(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(air_at(set, Vec3::Zero()), Vec3(3, 1, 0));
}

TEST(FieldSet, SaysWhatMayBeAskedOfIt) {
  FieldSet set;
  EXPECT_FALSE(set.has(FieldQuantity::velocity));
  set.add("wind", made_field(wind(Vec3(1, 0, 0))));
  set.add("whirl", made_field(field_node("vortex")));
  EXPECT_TRUE(set.has(FieldQuantity::velocity, "wind"));
  EXPECT_TRUE(set.has(FieldQuantity::vorticity, "whirl"));
  EXPECT_FALSE(set.has(FieldQuantity::pressure, "wind"));
  EXPECT_TRUE(set.has(FieldQuantity::pressure, "whirl"));
  EXPECT_TRUE(set.has(FieldQuantity::pressure));
  EXPECT_FALSE(set.has(FieldQuantity::velocity, "nobody"));
  EXPECT_FALSE(set.has(FieldQuantity::value));
  EXPECT_EQ(set.find("nobody"), nullptr);
  EXPECT_DOUBLE_EQ(set.length_m(), set.find("whirl")->length_m());
  // The pressure of the set is the sum over the fields that define a pressure.
  const std::vector<Vec3> x{Vec3::Zero()};
  std::vector<double> p{7};
  set.sample(FieldQuantity::pressure, {}, x, 0, p);
  const double gamma = 1 / (2 * pi);
  EXPECT_NEAR(p[0], -gamma * gamma * std::log(2.0) / 0.01, 1e-9);
}

TEST(FieldSet, VorticityOfTheSumIsTheSumOfTheirs) {
  FieldSet set;
  Node layer = wind(Vec3(10, 0, 0));
  layer.set("profile", std::string("power"));
  set.add("layer", made_field(layer));
  set.add("whirl", made_field(field_node("vortex")));
  const std::vector<Vec3> x{Vec3(0.05, 2, 0.03)};
  std::vector<Vec3> w(1);
  set.sample(FieldQuantity::vorticity, {}, x, 0, w);
  const double h = 1e-5;
  Vec3 expected = Vec3::Zero();
  for (int a = 0; a < 3; ++a)
    expected +=
        Vec3::Unit(a).cross((air_at(set, x[0] + h * Vec3::Unit(a)) - air_at(set, x[0] - h * Vec3::Unit(a))) / (2 * h));
  EXPECT_LT((w[0] - expected).norm(), 1e-3 * expected.norm());
}

}  // namespace
}  // namespace vw
