// Iso-surfaces of the air, compared with winds in which they are cylinders and planes.
#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "tests/world/formula_wind.h"

namespace vw {
namespace {

using testing::HasSubstr;
using namespace formula_wind;

constexpr double lamb_core = 0.25;

/// Returns a Lamb-Oseen vortex about the y axis with the angular velocity 1 rad/s on the axis.
FieldSet lamb_vortex() {
  return wind(
      [](const Vec3& p, double) -> Vec3 {
        const double r2 = std::max(p.x() * p.x() + p.z() * p.z(), 1e-12) / (lamb_core * lamb_core);
        return Vec3(0, (1 - std::exp(-r2)) / r2, 0).cross(p);
      },
      lamb_core);
}

FieldViewParams surfaces_of(const std::string& quantity, NumberList levels) {
  FieldViewParams look = look_at_cube();
  look.surface_of = quantity;
  look.surface_at = std::move(levels);
  return look;
}

TEST(AirSurfaces, OfTheSpeedOfARotationAreCylinders) {
  // The wind turns about the z axis at 1 rad/s, so a speed of r m/s lies at the radius r.
  const FieldSet fields = whirl();
  const FieldPicture picture = field_picture_of(fields, surfaces_of("speed", {0.7, 0.4}));
  EXPECT_EQ(picture.note, "");
  EXPECT_EQ(picture.surfaces.quantity, "speed");
  EXPECT_EQ(picture.surfaces.unit, "m/s");
  ASSERT_EQ(picture.surfaces.surface.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    const FlowSurface& surface = picture.surfaces.surface[k];
    EXPECT_EQ(surface.level, k == 0 ? 0.4 : 0.7) << "from low to high values";
    EXPECT_TRUE(surface.value.empty());
    ASSERT_GT(surface.mesh->triangle.size(), 1000U);
    // The speed is interpolated linearly in cells of 2 / 47 m, which errs by at most cell^2 / (8 r) < 6e-4 m.
    for (const Vec3f& p : surface.mesh->position)
      EXPECT_NEAR(std::hypot(p.x(), p.y()), static_cast<float>(surface.level), 1e-3F);
  }
}

TEST(AirSurfaces, OfTheQCriterionEncloseTheCoreOfAVortex) {
  FieldViewParams look = surfaces_of("q_criterion", {0});
  look.box_size = Vec3(1, 0.4, 1);
  const FieldPicture picture = field_picture_of(lamb_vortex(), look);
  ASSERT_EQ(picture.surfaces.surface.size(), 1U);
  EXPECT_EQ(picture.surfaces.unit, "1/s^2");
  double most = 0;
  for (const Vec3f& p : picture.surfaces.surface[0].mesh->position)
    most = std::max(most, std::abs(static_cast<double>(std::hypot(p.x(), p.z())) / (1.12091 * lamb_core) - 1));
  EXPECT_LT(most, 5e-3) << "the core has 12 cells of the grid";
}

TEST(AirSurfaces, AreColouredByTheValuesOfAnotherQuantity) {
  FieldViewParams look = surfaces_of("velocity_x", {0.5});
  look.surface_color = "velocity_y";
  const FieldPicture picture = field_picture_of(whirl(), look);
  EXPECT_EQ(picture.surfaces.color, "velocity_y");
  EXPECT_EQ(picture.surfaces.color_unit, "m/s");
  EXPECT_TRUE(picture.surfaces.color_is_signed);
  ASSERT_EQ(picture.surfaces.surface.size(), 1U);
  const FlowSurface& surface = picture.surfaces.surface[0];
  ASSERT_EQ(surface.value.size(), surface.mesh->position.size());
  for (std::size_t i = 0; i < surface.value.size(); ++i) {
    EXPECT_NEAR(surface.mesh->position[i].y(), -0.5F, 1e-5F);
    EXPECT_NEAR(surface.value[i], surface.mesh->position[i].x(), 1e-6F);
  }
}

TEST(AirSurfaces, TheAutomaticValueStaysUntilTheRequestChanges) {
  const FieldSet gusts = wind([](const Vec3& x, double t) -> Vec3 { return (1 + t) * Vec3(-x.y(), x.x(), 0); });
  FieldVisualizer show;
  show.ask(surfaces_of("velocity_x", {}));
  Snapshot snapshot;
  show.write(gusts, nullptr, 0, true, snapshot);
  ASSERT_EQ(snapshot.field.surfaces.surface.size(), 1U);
  EXPECT_NEAR(snapshot.field.surfaces.surface[0].level, 0, 1e-6) << "from -1 to 1 m/s";
  show.ask(surfaces_of("q_criterion", {}));
  show.write(gusts, nullptr, 0, true, snapshot);
  EXPECT_TRUE(snapshot.field.surfaces.surface.empty()) << "Q is 1 everywhere";
  show.ask(surfaces_of("speed", {}));
  show.write(gusts, nullptr, 0, true, snapshot);
  ASSERT_EQ(snapshot.field.surfaces.surface.size(), 1U);
  const double level = snapshot.field.surfaces.surface[0].level;
  show.write(gusts, nullptr, 0.5, true, snapshot);
  EXPECT_EQ(snapshot.field.surfaces.surface[0].level, level);
  show.restart();
  show.write(gusts, nullptr, 0.5, true, snapshot);
  EXPECT_NEAR(snapshot.field.surfaces.surface[0].level, 1.5 * level, 1e-6);
}

TEST(AirSurfaces, EndInsideObstacles) {
  const Ball ball(Vec3(0, 0.5, 0), 0.4);
  const FieldPicture picture = field_picture_of(whirl(), surfaces_of("speed", {0.5}), &ball);
  ASSERT_EQ(picture.surfaces.surface.size(), 1U);
  // Inside an obstacle, grid nodes at a depth of 1.75 cells or more have no value.
  constexpr float cell = 2.0F / 47;
  float nearest = 1;
  for (const Vec3f& p : picture.surfaces.surface[0].mesh->position)
    nearest = std::min(nearest, (p - Vec3f(0, 0.5F, 0)).norm());
  EXPECT_GT(nearest, 0.4F - 3 * cell);
  EXPECT_LT(nearest, 0.4F - 0.5F * cell);
}

TEST(AirSurfaces, SayWhyThereAreNone) {
  EXPECT_THAT(field_picture_of(whirl(), surfaces_of("pressure", {0})).note, HasSubstr("quantity pressure"));
  EXPECT_THAT(field_picture_of(whirl(), surfaces_of("nonsense", {0})).note, HasSubstr("not an air quantity"));
  FieldViewParams look = surfaces_of("speed", {0.5});
  look.surface_color = "value";
  const FieldPicture picture = field_picture_of(whirl(), look);
  EXPECT_THAT(picture.note, HasSubstr("quantity value"));
  EXPECT_EQ(picture.surfaces.surface.size(), 1U) << "the surface has one colour";
  EXPECT_EQ(picture.surfaces.color, "");
  EXPECT_TRUE(field_picture_of(whirl(), surfaces_of("speed", {50})).surfaces.surface.empty());
  EXPECT_TRUE(field_picture_of(FieldSet(), surfaces_of("speed", {1})).surfaces.surface.empty());
}

TEST(AirSurfaces, AreTheSameBitsOnAnyNumberOfThreads) {
  const FieldViewParams look = surfaces_of("q_criterion", {0, 0.2});
  set_thread_count(1);
  const FieldPicture one = field_picture_of(lamb_vortex(), look);
  set_thread_count(3);
  const FieldPicture three = field_picture_of(lamb_vortex(), look);
  set_thread_count(0);
  ASSERT_EQ(one.surfaces.surface.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_TRUE(one.surfaces.surface[k].mesh->position == three.surfaces.surface[k].mesh->position);
    EXPECT_TRUE(one.surfaces.surface[k].mesh->triangle == three.surfaces.surface[k].mesh->triangle);
  }
}

}  // namespace
}  // namespace vw
