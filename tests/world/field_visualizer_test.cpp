// Pictures of the air in snapshots, compared with winds whose streamlines and pathlines are known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "sim/base/parallel/parallel.h"
#include "sim/snapshot/extent.h"
#include "sim/world/air/field_visualizer.h"
#include "tests/world/formula_wind.h"
#include "tests/world/mock_world.h"

namespace vw {
namespace {

using testing::HasSubstr;
using namespace formula_wind;

/// A scalar field whose value is the height y. It adds no wind.
class Height final : public Field {
 public:
  void add_velocity(std::span<const Vec3>, const FieldMoment&, std::span<Vec3>) const override {}
  [[nodiscard]] bool has_value() const override { return true; }
  void add_value(std::span<const Vec3> position, const FieldMoment&, std::span<double> value) const override {
    for (std::size_t i = 0; i < position.size(); ++i) value[i] += position[i].y();
  }
};

double length_of(const FieldLines& lines, std::size_t line) {
  double length = 0;
  for (std::size_t i = lines.start[line]; i + 1 < lines.start[line + 1]; ++i)
    length += static_cast<double>((lines.point[i + 1] - lines.point[i]).norm());
  return length;
}

TEST(FieldVisualizer, PlanesHoldTheirQuantityWhereTheySayThatTheyAre) {
  const FieldSet fields = wind([](const Vec3& x, double t) { return Vec3(3 * x.y() + t, 0, -4); }, 1);
  FieldViewParams look = look_at_cube();
  look.plane_x = look.plane_z = true;
  look.planes_at = Vec3(0.25, 0, -0.5);
  look.samples = 5;
  struct Case {
    std::string quantity, unit;
    bool is_signed;
    double (*truth)(const Vec3&);
  };
  const std::vector<Case> cases{{"speed", "m/s", false, [](const Vec3& x) { return std::hypot(3 * x.y() + 2, 4.0); }},
                                {"velocity_x", "m/s", true, [](const Vec3& x) { return 3 * x.y() + 2; }},
                                {"velocity_z", "m/s", true, [](const Vec3&) { return -4.0; }},
                                {"vorticity", "1/s", false, [](const Vec3&) { return 3.0; }},
                                {"vorticity_z", "1/s", true, [](const Vec3&) { return -3.0; }}};
  for (const Case& one : cases) {
    look.quantity = one.quantity;
    const FieldPicture picture = field_picture_of(fields, look, nullptr, 2);
    EXPECT_EQ(picture.note, "") << one.quantity;
    EXPECT_EQ(picture.quantity, one.quantity);
    EXPECT_EQ(picture.unit, one.unit);
    EXPECT_EQ(picture.is_signed, one.is_signed);
    ASSERT_EQ(picture.slices.size(), 2U);
    EXPECT_EQ(picture.slices[0].origin, Vec3f(0.25F, -1, -1));
    EXPECT_EQ(picture.slices[1].origin, Vec3f(-1, -1, -0.5F));
    for (const FieldSlice& slice : picture.slices) {
      ASSERT_EQ(slice.nu, 5);
      ASSERT_EQ(slice.value.size(), 25U);
      for (int i = 0; i < 25; ++i) {
        const Vec3f place =
            slice.origin + static_cast<float>(i % 5) * slice.u_step + static_cast<float>(i / 5) * slice.v_step;
        EXPECT_NEAR(static_cast<double>(slice.value[static_cast<std::size_t>(i)]), one.truth(place.cast<double>()),
                    1e-5)
            << one.quantity;
      }
      const Vec3f last = slice.origin + 4 * slice.u_step + 4 * slice.v_step;
      EXPECT_EQ(last.y(), 1) << "planes reach the border";
    }
  }
}

TEST(FieldVisualizer, WhatCannotBeShownIsSaidInANote) {
  FieldSet fields = breeze({1, 0, 0});
  FieldViewParams look = look_at_cube();
  look.plane_y = true;
  look.quantity = "pressure";
  EXPECT_EQ(field_picture_of(fields, look).note, "no field of this scene has the quantity pressure");
  EXPECT_TRUE(field_picture_of(fields, look).slices.empty());
  look.quantity = "sped";
  EXPECT_THAT(field_picture_of(fields, look).note, HasSubstr("\"sped\" is not an air quantity"));
  look.quantity = "value";
  EXPECT_EQ(field_picture_of(fields, look).note, "no field of this scene has the quantity value");
  fields.add("height", std::make_unique<Height>());
  const FieldPicture value = field_picture_of(fields, look);
  EXPECT_EQ(value.note, "");
  ASSERT_EQ(value.slices.size(), 1U);
  EXPECT_EQ(value.slices[0].value[0], 0) << "the plane across y lies at 0";
  look.field = "gale";
  EXPECT_EQ(field_picture_of(fields, look).note, "the scene has no field \"gale\"");
  EXPECT_EQ(field_picture_of(FieldSet{}, look).note, "the scene has no field");
  look.plane_y = false;
  look.field = {};
  EXPECT_EQ(field_picture_of(FieldSet{}, look).note, "") << "nothing was asked for";
}

TEST(FieldVisualizer, PlanesHaveHolesWhereObstaclesAreAndArrowsStandBesideThem) {
  const FieldSet fields = breeze({1, 0, 0});
  const Ball ball(Vec3::Zero(), 0.5);
  FieldViewParams look = look_at_cube();
  look.plane_z = look.glyphs = true;
  look.samples = 41;
  look.glyph_count = 20;
  const FieldPicture picture = field_picture_of(fields, look, &ball);
  std::size_t holes = 0;
  for (const float value : picture.slices[0].value) holes += std::isnan(value) ? 1U : 0U;
  // The hole has the area 0.25 pi m^2 in a plane of 4 m^2, which 41^2 points sample.
  EXPECT_NEAR(static_cast<double>(holes) / (40.0 * 40.0), pi * 0.25 / 4, 0.02);
  EXPECT_LT(picture.glyph_place.size(), 400U);
  EXPECT_GT(picture.glyph_place.size(), 300U);
  ASSERT_EQ(picture.glyph_place.size(), picture.glyph_value.size());
  for (const Vec3f& place : picture.glyph_place) {
    EXPECT_GE(place.norm(), 0.5F);
    EXPECT_EQ(place.z(), 0);
  }
}

TEST(FieldVisualizer, ArrowsFillTheBoxWhereThereIsNoPlaneAndAreNeverTooMany) {
  FieldViewParams look = look_at_cube();
  look.glyphs = true;
  look.glyph_count = 10;
  EXPECT_EQ(field_picture_of(breeze({1, 2, 3}), look).glyph_place.size(), 1000U);
  EXPECT_EQ(field_picture_of(breeze({1, 2, 3}), look).glyph_value[7], Vec3f(1, 2, 3));
  look.glyph_count = 200;
  const std::size_t many = field_picture_of(breeze({1, 2, 3}), look).glyph_place.size();
  EXPECT_GT(many, 50'000U);
  EXPECT_LE(many, 100'000U);
}

TEST(FieldVisualizer, GlyphsMayShowTheAccelerationOfTheAirThatPasses) {
  FieldViewParams look = look_at_cube();
  look.glyphs = true;
  look.glyph_count = 6;
  look.glyph_of = "acceleration";
  // In air that rotates once in 2 pi s, the acceleration points to the axis. In a growing breeze, the acceleration is
  // the rate of growth. In a wind that weakens along its path, the air decelerates.
  const FieldPicture turning = field_picture_of(whirl(), look);
  EXPECT_EQ(turning.glyph_of, "acceleration");
  EXPECT_EQ(turning.glyph_unit, "m/s^2");
  ASSERT_EQ(turning.glyph_place.size(), 216U);
  for (std::size_t i = 0; i < turning.glyph_place.size(); ++i) {
    const Vec3f& x = turning.glyph_place[i];
    EXPECT_LT((turning.glyph_value[i] - Vec3f(-x.x(), -x.y(), 0)).norm(), 1e-4F);
  }
  const FieldPicture growing =
      field_picture_of(wind([](const Vec3&, double t) { return Vec3(0, 3 * t * t, 0); }), look, nullptr, 2);
  EXPECT_LT((growing.glyph_value[5] - Vec3f(0, 12, 0)).norm(), 1e-4F);
  const FieldPicture thinning =
      field_picture_of(wind([](const Vec3& x, double) { return Vec3(10 - 2 * x.x(), 0, 0); }), look);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(thinning.glyph_value[i].x(), -2 * (10 - 2 * thinning.glyph_place[i].x()), 1e-2F);
  const FieldPicture calm = field_picture_of(breeze(Vec3::Zero()), look);
  for (const Vec3f& a : calm.glyph_value) EXPECT_EQ(a, Vec3f::Zero());
}

TEST(FieldVisualizer, GlyphsMayShowTheVorticity) {
  FieldViewParams look = look_at_cube();
  look.glyphs = true;
  look.glyph_count = 4;
  look.glyph_of = "vorticity";
  const FieldPicture picture = field_picture_of(whirl(), look);
  EXPECT_EQ(picture.glyph_unit, "1/s");
  ASSERT_EQ(picture.glyph_value.size(), 64U);
  for (const Vec3f& w : picture.glyph_value) EXPECT_LT((w - Vec3f(0, 0, 2)).norm(), 1e-4F);
  look.glyph_of = "nonsense";
  EXPECT_EQ(field_picture_of(whirl(), look).glyph_of, "velocity");
}

TEST(FieldVisualizer, TheBoxHoldsTheSceneWithRoomAndIsSteadyWhileItMoves) {
  const FieldSet fields = breeze({1, 0, 0});
  FieldVisualizer show;
  FieldViewParams look;
  look.plane_z = true;
  show.ask(look);
  Snapshot scene;
  scene.systems.resize(1);
  scene.systems[0].position = {Vec3f(0, 0, 0), Vec3f(4, 1, 0)};
  scene.systems[0].size = {0, 0};
  show.write(fields, nullptr, 0, true, scene);
  const Vec3f first_min = scene.field.box_min, first_max = scene.field.box_max;
  EXPECT_TRUE(first_min.isApprox(Vec3f(-1, -1.5F, -2))) << first_min.transpose();
  EXPECT_TRUE(first_max.isApprox(Vec3f(5, 2.5F, 2))) << first_max.transpose();
  scene.systems[0].position[1] = Vec3f(4.9F, 2, 0.5F);
  show.write(fields, nullptr, 1, true, scene);
  EXPECT_EQ(scene.field.box_max, first_max);
  scene.systems[0].position[1] = Vec3f(9, 2, 0.5F);
  show.write(fields, nullptr, 2, true, scene);
  EXPECT_GT(scene.field.box_max.x(), 9);
  scene.systems[0].position[1] = Vec3f(0.1F, 0, 0);
  show.write(fields, nullptr, 3, true, scene);
  EXPECT_LT(scene.field.box_max.x(), 1) << "a scene that has become much smaller is looked at from nearer";
}

TEST(FieldVisualizer, WithoutAnythingElseTheBoxIsTheFieldsRegion) {
  FieldSet fields;
  auto field = std::make_unique<FormulaWind>([](const Vec3&, double) { return Vec3(1, 0, 0); });
  FieldParams where;
  where.region = FieldExtent::box;
  where.region_center = Vec3(10, 0, 0);
  where.region_size = Vec3(2, 2, 2);
  field->limit_to(where);
  fields.add("box", std::move(field));
  FieldViewParams look;
  look.plane_x = true;
  const FieldPicture picture = field_picture_of(fields, look);
  EXPECT_TRUE((0.5F * (picture.box_min + picture.box_max)).isApprox(Vec3f(10, 0, 0)));
  EXPECT_GE(picture.box_max.x(), 11);
  EXPECT_LE(picture.box_max.x(), 12);
}

TEST(FieldVisualizer, APictureIsRepeatedUntilItIsAskedForAfresh) {
  const FieldSet fields = wind([](const Vec3&, double t) { return Vec3(t, 0, 0); });
  FieldVisualizer show;
  FieldViewParams look = look_at_cube();
  look.plane_x = true;
  show.ask(look);
  Snapshot scene;
  const auto shown = [&](double time, bool fresh) {
    show.write(fields, nullptr, time, fresh, scene);
    return scene.field.slices[0].value[0];
  };
  EXPECT_EQ(shown(1, false), 1) << "the first is always made";
  EXPECT_EQ(shown(2, false), 1);
  EXPECT_EQ(shown(2, true), 2);
  show.forget();
  EXPECT_EQ(shown(3, false), 2);
  look.samples = 10;
  show.ask(look);
  EXPECT_EQ(shown(4, false), 4) << "another look";
  show.restart();
  EXPECT_EQ(shown(0, false), 0) << "another time";
}

// ---- Streamlines ----

TEST(Streamlines, OfAnEvenWindGoStraightFromBorderToBorder) {
  const FieldSet fields = breeze({2, 0, 0});
  FieldLines lines;
  Streamlines().trace({fields, "", nullptr, cube}, 0, 50, 10, lines);
  ASSERT_EQ(lines.start.size(), 51U);
  for (std::size_t i = 0; i < 50; ++i) {
    const Vec3f first = lines.point[lines.start[i]], last = lines.point[lines.start[i + 1] - 1];
    EXPECT_NEAR(first.x(), -1, 1e-6) << "upstream first";
    EXPECT_NEAR(last.x(), 1, 1e-6);
    EXPECT_EQ(first.y(), last.y());
    EXPECT_EQ(lines.speed[lines.start[i]], 2);
  }
}

TEST(Streamlines, OfATurningWindAreCircles) {
  const FieldSet fields = whirl();
  FieldLines lines;
  Streamlines().trace({fields, "", nullptr, cube}, 0, 40, 6, lines);
  double worst = 0;
  for (std::size_t line = 0; line + 1 < lines.start.size(); ++line) {
    const double radius = std::hypot(lines.point[lines.start[line]].x(), lines.point[lines.start[line]].y());
    for (std::size_t i = lines.start[line]; i < lines.start[line + 1]; ++i) {
      // The tolerance is needed for the last point of a line that leaves the box. This point lies on a chord whose
      // length is a fiftieth of the box's side.
      EXPECT_NEAR(lines.speed[i], std::hypot(lines.point[i].x(), lines.point[i].y()), 3e-4);
      worst = std::max(worst, std::abs(std::hypot(lines.point[i].x(), lines.point[i].y()) - radius));
    }
  }
  EXPECT_GT(lines.start.size(), 30U);
  EXPECT_LT(worst, 2e-3) << "of a radius of up to 1, after a way of 6";
}

TEST(Streamlines, AreAsLongAsWasAskedFor) {
  const FieldSet fields = whirl();
  FieldLines lines;
  Streamlines().trace({fields, "", nullptr, cube}, 0, 60, 1.5, lines);
  std::size_t whole = 0;
  for (std::size_t i = 0; i + 1 < lines.start.size(); ++i) {
    EXPECT_LT(length_of(lines, i), 1.501);
    whole += length_of(lines, i) > 1.49 ? 1U : 0U;
  }
  EXPECT_GT(whole, 30U) << "the others leave the box";
}

TEST(Streamlines, EndAtObstaclesAndDoNotBeginInThem) {
  const FieldSet fields = breeze({0, 0, 1});
  const Ball ball(Vec3::Zero(), 0.6);
  FieldLines lines;
  Streamlines().trace({fields, "", &ball, cube}, 0, 200, 10, lines);
  std::size_t stopped = 0;
  for (std::size_t line = 0; line + 1 < lines.start.size(); ++line)
    for (const std::size_t i : {std::size_t{lines.start[line]}, std::size_t{lines.start[line + 1]} - 1}) {
      EXPECT_GT(lines.point[i].norm(), 0.6F - 1e-3F);
      stopped += lines.point[i].norm() < 0.6F + 1e-3F ? 1U : 0U;
    }
  EXPECT_GT(stopped, 20U);
}

TEST(Streamlines, StillAirAndNumbersThatAreNoneHaveNone) {
  FieldLines lines;
  for (const Vec3& u : {Vec3(0, 0, 0), Vec3(std::numeric_limits<double>::quiet_NaN(), 0, 0),
                        Vec3(0, std::numeric_limits<double>::infinity(), 0)}) {
    const FieldSet fields = breeze(u);
    Streamlines().trace({fields, "", nullptr, cube}, 0, 10, 10, lines);
    EXPECT_EQ(lines.start.size(), 1U);
    EXPECT_TRUE(lines.point.empty());
  }
}

TEST(Streamlines, EndWhereTheAirComesToRest) {
  // The wind is -1 m/s along x for x > 0 and zero elsewhere. The lines approach x = 0 and end at this plane.
  const FieldSet fields = wind([](const Vec3& x, double) { return Vec3(x.x() > 0 ? -1 : 0, 0, 0); });
  FieldLines lines;
  Streamlines().trace({fields, "", nullptr, cube}, 0, 40, 10, lines);
  ASSERT_GT(lines.start.size(), 10U);
  for (std::size_t i = 0; i + 1 < lines.start.size(); ++i)
    EXPECT_NEAR(lines.point[lines.start[i + 1] - 1].x(), 0, 0.05F);
}

TEST(Streamlines, WorkIsBoundedWhateverIsAskedFor) {
  const FieldSet fields = wind(
      [](const Vec3& x, double) { return Vec3(std::sin(900 * x.y()), std::sin(700 * x.z()), std::cos(800 * x.x())); },
      1e-3);
  FieldLines lines;
  Streamlines().trace({fields, "", nullptr, cube}, 0, 5000, 1e6, lines);
  EXPECT_LE(lines.point.size(), 420'000U);
  EXPECT_GT(lines.point.size(), 5000U);
  for (const Vec3f& point : lines.point) EXPECT_LE(point.cwiseAbs().maxCoeff(), 1.0001F);
}

TEST(Streamlines, AreTheSameBitsOnAnyNumberOfThreads) {
  const FieldSet fields = wind(
      [](const Vec3& x, double) { return Vec3(std::sin(9 * x.y()), std::sin(7 * x.z()), std::cos(8 * x.x())); }, 0.3);
  const Ball ball(Vec3(0.2, 0, 0), 0.3);
  FieldLines one, three;
  set_thread_count(1);
  Streamlines().trace({fields, "", &ball, cube}, 0, 700, 5, one);
  set_thread_count(3);
  Streamlines().trace({fields, "", &ball, cube}, 0, 700, 5, three);
  set_thread_count(0);
  EXPECT_EQ(one.start, three.start);
  EXPECT_TRUE(one.point == three.point);
  EXPECT_TRUE(one.speed == three.speed);
}

// ---- Pathlines ----

/// Returns a uniform wind of 1 m/s whose direction rotates at 4 rad/s. Particles move on circles of radius 1/4 m.
FieldSet turning_wind() {
  return wind([](const Vec3&, double t) { return Vec3(std::cos(4 * t), std::sin(4 * t), 0); });
}

TEST(Pathlines, AreTheWaysOfWhatTheAirCarries) {
  const FieldSet fields = turning_wind();
  Pathlines paths;
  FieldLines lines;
  const double time = 1.7, seconds = 0.6;
  for (int i = 0; i <= 17; ++i) paths.trace({fields, "", nullptr, cube}, 0.1 * i, 100, seconds, lines);
  ASSERT_EQ(lines.start.size(), 101U);
  std::size_t compared = 0;
  for (std::size_t line = 0; line < 100; ++line) {
    if (lines.start[line + 1] - lines.start[line] < 2) continue;
    const Vec3f head = lines.point[lines.start[line + 1] - 1], tail = lines.point[lines.start[line]];
    const auto moved = [](double t) { return Vec3(std::sin(4 * t) / 4, -std::cos(4 * t) / 4, 0); };
    // A complete pathline begins at the time `time` - `seconds`.
    const Vec3 way = moved(time) - moved(time - seconds);
    if (length_of(lines, line) < 0.99 * seconds || head.cwiseAbs().maxCoeff() > 0.99F) continue;
    EXPECT_LT(((head - tail).cast<double>() - way).norm(), 1e-3);
    ++compared;
  }
  EXPECT_GT(compared, 20U);
}

TEST(Pathlines, DoNotDependOnWhenPicturesAreMade) {
  const FieldSet fields = turning_wind();
  Pathlines often, rarely;
  FieldLines a, b;
  for (int i = 0; i <= 300; ++i) often.trace({fields, "", nullptr, cube}, 0.003 * i, 40, 0.8, a);
  rarely.trace({fields, "", nullptr, cube}, 0, 40, 0.8, b);
  rarely.trace({fields, "", nullptr, cube}, 0.9, 40, 0.8, b);
  EXPECT_GT(a.point.size(), 200U);
  EXPECT_EQ(a.start, b.start);
  EXPECT_TRUE(a.point == b.point);
}

TEST(Pathlines, BeginInThePastWhereThereIsOne) {
  const FieldSet fields = turning_wind();
  Pathlines paths;
  FieldLines lines;
  paths.trace({fields, "", nullptr, cube}, 5, 40, 0.5, lines);
  double longest = 0;
  for (std::size_t i = 0; i < 40; ++i) longest = std::max(longest, length_of(lines, i));
  EXPECT_NEAR(longest, 0.5, 1e-3) << "a single picture shows whole ways";
  paths.trace({fields, "", nullptr, cube}, 0, 40, 0.5, lines);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(length_of(lines, i), 0) << "back at the start";
}

TEST(Pathlines, MarkersThatLeaveAreBornAnewInTheBox) {
  const FieldSet fields = breeze({1, 0.1, 0});
  const Ball ball(Vec3::Zero(), 0.4);
  Pathlines paths;
  FieldLines lines;
  for (int i = 0; i <= 200; ++i) {
    paths.trace({fields, "", &ball, cube}, 0.1 * i, 80, 0.7, lines);
    for (const Vec3f& point : lines.point) {
      EXPECT_LE(point.cwiseAbs().maxCoeff(), 1.0001F);
      EXPECT_GT(point.norm(), 0.399F);
    }
  }
  std::size_t moving = 0;
  for (std::size_t i = 0; i < 80; ++i) {
    moving += length_of(lines, i) > 0.05 ? 1U : 0U;
    EXPECT_LT(length_of(lines, i), 0.72);
  }
  EXPECT_GT(moving, 50U);
}

TEST(Pathlines, WorkIsBoundedWhateverIsAskedFor) {
  const FieldSet fields = wind(
      [](const Vec3& x, double) -> Vec3 {
        return 100 * Vec3(std::sin(900 * x.y()), std::sin(700 * x.z()), std::cos(800 * x.x()));
      },
      1e-3);
  Pathlines paths;
  FieldLines lines;
  paths.trace({fields, "", nullptr, cube}, 1e6, 5000, 1e4, lines);
  EXPECT_LE(lines.point.size(), 420'000U);
  const FieldSet bad = breeze(Vec3::Constant(std::numeric_limits<double>::quiet_NaN()));
  paths.trace({bad, "", nullptr, cube}, 1e6 + 1, 5000, 1e4, lines);
  for (const Vec3f& point : lines.point) ASSERT_TRUE(point.allFinite());
}

// ---- In a world ----

Node windy_balls() {
  Node scene = mock::empty_scene();
  mock::add_balls(scene, "slow", "balls");
  add_child(scene, "field", "uniform", "wind").set("velocity", Vec3(3, 0, 0));
  return scene;
}

FieldViewParams everything_shown() {
  FieldViewParams look;
  look.plane_x = look.plane_y = look.glyphs = true;
  look.streamlines = look.pathlines = look.streaklines = 20;
  look.ribbons = true;
  look.surface_of = "velocity_x";
  look.surface_at = {1};
  return look;
}

TEST(FieldVisualizer, ChangesNoBitOfTheState) {
  const auto plain = mock::make_world(windy_balls()), watched = mock::make_world(windy_balls());
  watched->subscribe({.air = everything_shown()});
  Snapshot picture;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(plain->step());
    ASSERT_TRUE(watched->step());
    watched->write_snapshot(picture);
  }
  EXPECT_EQ(plain->hash(), watched->hash());
  EXPECT_EQ(picture.field.slices.size(), 2U);
  EXPECT_GT(picture.field.streamlines.start.size(), 10U);
  EXPECT_EQ(picture.field.pathlines.start.size(), 21U);
  plain->write_snapshot(picture);
  EXPECT_TRUE(picture.field.slices.empty()) << "nobody asked";
}

TEST(FieldVisualizer, EditsAreSeenAtOnceEvenWhileTheWorldStands) {
  const auto world = mock::make_world(windy_balls());
  world->subscribe({.air = everything_shown()});
  Snapshot picture;
  world->write_snapshot(picture);
  EXPECT_EQ(picture.field.slices[0].value[0], 3);
  ASSERT_TRUE(world->apply(SetParameter{"field.wind.velocity", Vec3(0, 5, 0)}));
  world->write_snapshot(picture);
  EXPECT_EQ(picture.field.slices[0].value[0], 5);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(world->step());
  world->write_snapshot(picture);
  ASSERT_TRUE(world->apply(Reset{}));
  world->write_snapshot(picture);
  EXPECT_EQ(picture.field.slices[0].value[0], 5);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(length_of(picture.field.pathlines, i), 0);
}

TEST(SceneExtent, IsTheBoxAboutElementsAndCollidersThatHaveAnEnd) {
  Snapshot scene;
  EXPECT_TRUE(extent_of(scene).isEmpty());
  scene.colliders.resize(1);
  EXPECT_TRUE(extent_of(scene).isEmpty()) << "a plane";
  scene.systems.resize(2);
  scene.systems[0].use_look<VoxelLook>();
  scene.systems[0].position = {Vec3f(1, 0, 0), Vec3f(std::numeric_limits<float>::quiet_NaN(), 0, 0)};
  scene.systems[0].size = {0.5F, 0.5F};
  scene.systems[1].position = {Vec3f(0, 2, 0)};
  scene.systems[1].size = {0.5F};
  EXPECT_EQ(extent_of(scene).min(), Vec3f(-0.5F, -0.25F, -0.5F));
  EXPECT_EQ(extent_of(scene).max(), Vec3f(1.25F, 2.5F, 0.5F));
  scene.colliders[0].kind = ColliderSnapshot::Kind::box;
  scene.colliders[0].position = Vec3f(0, 0, 9);
  scene.colliders[0].half_extent = Vec3f(1, 2, 3);
  EXPECT_EQ(extent_of(scene).max(), Vec3f(1.25F, 2.5F, 12));
}

}  // namespace
}  // namespace vw
