// The parameters that all kinds of solids and regions share: their ranges, and the shapes that follow from them.
#include "sim/collision/shape/shape_params.h"

#include <gtest/gtest.h>

namespace vw {
namespace {

TEST(ShapeParams, SolidsHavePositiveDimensionsAndRegionsMayBeFlat) {
  for (const ShapeKind kind : {ShapeKind::box, ShapeKind::cylinder, ShapeKind::sphere}) {
    for (const ParamSpec& spec : shape_params(kind, Live::no).specs()) {
      EXPECT_EQ(spec.bounds.min, solid_range_m.min) << spec.name;
      EXPECT_EQ(spec.bounds.max, solid_range_m.max) << spec.name;
      EXPECT_EQ(spec.live, Live::no) << spec.name;
    }
    for (const ParamSpec& spec : shape_params(kind, Live::yes, Smallest::zero).specs()) {
      EXPECT_EQ(spec.bounds.min, 0) << spec.name;
      EXPECT_EQ(spec.bounds.max, solid_range_m.max) << spec.name;
      EXPECT_EQ(spec.live, Live::yes) << spec.name;
    }
  }
}

TEST(ShapeParams, ACapsuleWithoutLengthIsASphere) {
  ShapeParams params;
  params.radius_m = 0.3;
  params.length_m = shape_params(ShapeKind::capsule, Live::no).specs()[1].bounds.min;
  const auto capsule = make_shape(ShapeKind::capsule, params), sphere = make_shape(ShapeKind::sphere, params);
  ASSERT_TRUE(capsule && sphere);
  EXPECT_EQ(area(capsule->shape), area(sphere->shape));
  for (const Vec3& point : {Vec3(0, 0.5, 0), Vec3(0.1, -0.2, 0.05), Vec3(1, 2, 3)}) {
    EXPECT_EQ(query(capsule->shape, point).distance, query(sphere->shape, point).distance);
    EXPECT_EQ(query(capsule->shape, point).normal, query(sphere->shape, point).normal);
  }
}

TEST(ShapeParams, MakesTheShapeOfEachKind) {
  ShapeParams params;
  params.size_m = Vec3(1, 2, 4);
  params.radius_m = 0.5;
  params.length_m = 3;
  EXPECT_EQ(bounds(make_shape(ShapeKind::box, params)->shape).sizes(), Vec3(1, 2, 4));
  EXPECT_EQ(bounds(make_shape(ShapeKind::sphere, params)->shape).sizes(), Vec3(1, 1, 1));
  EXPECT_EQ(bounds(make_shape(ShapeKind::cylinder, params)->shape).sizes(), Vec3(1, 3, 1));
  EXPECT_EQ(bounds(make_shape(ShapeKind::capsule, params)->shape).sizes(), Vec3(1, 4, 1));
  params.source = "/nowhere/jug.obj";
  const auto missing = make_shape(ShapeKind::mesh, params);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message(), "/nowhere/jug.obj: cannot be opened: No such file or directory");
  ShapeParams other = params;
  EXPECT_TRUE(describe_same_shape(params, other));
  other.scale = 2;
  EXPECT_FALSE(describe_same_shape(params, other));
}

}  // namespace
}  // namespace vw
