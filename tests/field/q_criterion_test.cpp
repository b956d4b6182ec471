// Q criterion of fields, compared with flows in which it is known.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "sim/field/field.h"
#include "tests/support/field_node.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using test::expect_case;
using test::field_node;
using test::made_field;

class QTestFlow final : public Field {
 public:
  using Flow = std::function<Vec3(const Vec3& place)>;
  explicit QTestFlow(Flow flow) : flow_(std::move(flow)) {}
  void add_velocity(std::span<const Vec3> position, const FieldMoment&, std::span<Vec3> velocity) const override {
    for (std::size_t i = 0; i < position.size(); ++i) velocity[i] += flow_(position[i]);
  }
  [[nodiscard]] double length_m() const override { return 1; }

 private:
  Flow flow_;
};

double q_at(const FieldSet& fields, const Vec3& place, std::string_view name = {}) {
  double q = 0;
  fields.sample(FieldQuantity::q_criterion, name, std::span(&place, 1), 0, std::span(&q, 1));
  return q;
}

double q_of_flow(QTestFlow::Flow flow, const Vec3& place) {
  FieldSet fields;
  fields.add("flow", std::make_unique<QTestFlow>(std::move(flow)));
  return q_at(fields, place);
}

FieldSet q_vortex(const char* profile) {
  Node node = field_node("vortex");
  node.set("profile", std::string(profile));
  node.set("circulation", 3.0);
  node.set("core", 0.2);
  node.set("direction", Vec3(0, 0, 1));
  FieldSet fields;
  fields.add("vortex", made_field(node));
  return fields;
}

/// Returns the radius at which the Q criterion of a vortex about the z axis changes its sign.
double q_radius(const FieldSet& fields) {
  double low = 0.05, high = 0.5;
  for (int i = 0; i < 60; ++i) {
    const double r = 0.5 * (low + high);
    (q_at(fields, Vec3(0.6 * r, 0.8 * r, 0.3)) > 0 ? low : high) = r;
  }
  return low;
}

TEST(QCriterionValidation, OfAirInRotationShearAndStrain) {
  const Vec3 place(0.3, -0.2, 0.7), spin(1, -2, 2);
  // Central differences are exact in linear flows. Rounding errors are 1e-16 / 0.01 relative to the gradient.
  expect_case("field", "Q criterion: rigid rotation at 3 rad/s",
              q_of_flow([&](const Vec3& x) -> Vec3 { return spin.cross(x); }, place), 9, 1e-9, "1/s^2");
  expect_case("field", "Q criterion: plane shear of 5 1/s",
              q_of_flow([](const Vec3& x) { return Vec3(5 * x.y(), 0, 0); }, place), 0, 1e-9, "1/s^2");
  expect_case("field", "Q criterion: plane strain of 2 1/s",
              q_of_flow([](const Vec3& x) { return Vec3(2 * x.x(), -2 * x.y(), 0); }, place), -4, 1e-9, "1/s^2");
}

TEST(QCriterionValidation, OfVorticesChangesItsSignAtTheRadiusOfTheFastestFlow) {
  // In a plane circular flow u(r), Q = (u / r) du/dr. In a Lamb-Oseen vortex, u is largest at 1.12091 c. The central
  // differences over 0.02 c have a relative error of about (0.01 c)^2 / c^2 = 1e-4.
  expect_case("field", "Q criterion: radius of its zero in a Lamb-Oseen vortex, relative to the core",
              q_radius(q_vortex("lamb_oseen")) / 0.2, 1.12091, 1e-3);
  // In a Rankine vortex, Q jumps from the square of the angular velocity to its negative at the core's radius. The
  // central differences locate this jump with an error of at most 0.01 c.
  const FieldSet rankine = q_vortex("rankine");
  expect_case("field", "Q criterion: radius of its jump in a Rankine vortex, relative to the core",
              q_radius(rankine) / 0.2, 1, 0.01);
  const double rate = 3 / (2 * pi * 0.04);
  expect_case("field", "Q criterion: inside a Rankine vortex, relative to the square of the angular velocity",
              q_at(rankine, Vec3(0.05, 0.1, 0)) / (rate * rate), 1, 1e-6);
}

TEST(QCriterion, IsThatOfTheWholeVelocity) {
  FieldSet fields;
  fields.add("spin", std::make_unique<QTestFlow>([](const Vec3& x) -> Vec3 { return Vec3(0, 0, 2).cross(x); }));
  fields.add("strain", std::make_unique<QTestFlow>([](const Vec3& x) { return Vec3(x.x(), -x.y(), 0); }));
  EXPECT_NEAR(q_at(fields, Vec3(0.1, 0.2, 0.3)), 3, 1e-9);
  EXPECT_NEAR(q_at(fields, Vec3(0.1, 0.2, 0.3), "spin"), 4, 1e-9);
  EXPECT_NEAR(q_at(fields, Vec3(0.1, 0.2, 0.3), "strain"), -1, 1e-9);
  EXPECT_TRUE(fields.has(FieldQuantity::q_criterion));
  EXPECT_EQ(q_at(FieldSet(), Vec3::Zero()), 0);
}

}  // namespace
}  // namespace vw
