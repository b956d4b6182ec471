// Streaklines and ribbons of the air, compared with winds in which they are known.
#include <cmath>

#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "tests/world/formula_wind.h"

namespace vw {
namespace {

using namespace formula_wind;

/// Returns a uniform wind of 1 m/s whose direction rotates at 4 rad/s.
FieldSet rotating_breeze() {
  return wind([](const Vec3&, double t) { return Vec3(std::cos(4 * t), std::sin(4 * t), 0); });
}

FieldViewParams streaks(std::int64_t count, double seconds) {
  FieldViewParams look = look_at_cube();
  look.streaklines = count;
  look.streakline_s = seconds;
  return look;
}

TEST(Streaklines, JoinTheMarkersInTheOrderOfTheirRelease) {
  // The marker that leaves the seed s at the time u is at s + (sin 4t - sin 4u, cos 4u - cos 4t) / 4 at the time t.
  FieldVisualizer show;
  FieldViewParams look = streaks(3, 0.7);
  look.rake_from = Vec3(-0.3, 0, -0.5);
  look.rake_to = Vec3(0.3, 0, 0.5);
  show.ask(look);
  Snapshot snapshot;
  const double time = 1.9;
  for (int i = 0; i <= 19; ++i) show.write(rotating_breeze(), nullptr, 0.1 * i, true, snapshot);
  const FieldLines& lines = snapshot.field.streaklines;
  ASSERT_EQ(lines.start.size(), 4U);
  for (std::size_t l = 0; l < 3; ++l) {
    const Vec3 seed(-0.3 + 0.3 * static_cast<double>(l), 0, -0.5 + 0.5 * static_cast<double>(l));
    const std::size_t first = lines.start[l], end = lines.start[l + 1];
    ASSERT_GT(end - first, 40U);
    EXPECT_LT((lines.point[end - 1].cast<double>() - seed).norm(), 1e-6) << "the line ends at its seed";
    double before = -1;
    for (std::size_t i = first; i < end; ++i) {
      const Vec3 off = 4 * (lines.point[i].cast<double>() - seed);
      const double sine = std::sin(4 * time) - off.x(), cosine = std::cos(4 * time) + off.y();
      EXPECT_NEAR(std::hypot(sine, cosine), 1, 1e-5) << "a circle with a radius of 1/4 m";
      EXPECT_NEAR(off.z(), 0, 1e-6);
      // Time of the release, at most a quarter of a turn before the present.
      double age = time - std::atan2(sine, cosine) / 4;
      age -= std::floor(age / (pi / 2)) * (pi / 2);
      if (i + 1 < end) {
        EXPECT_LT(age, 0.7 + 0.02);
        if (i > first) {
          EXPECT_LT(age, before) << "from old to new";
        }
      }
      before = age;
    }
    const Vec3 oldest = 4 * (lines.point[first].cast<double>() - seed);
    const double released = std::atan2(std::sin(4 * time) - oldest.x(), std::cos(4 * time) + oldest.y());
    EXPECT_NEAR(std::remainder(released - 4 * (time - 0.7), 2 * pi), 0, 0.06) << "to within one release";
    for (std::size_t i = first; i < end; ++i) EXPECT_NEAR(lines.speed[i], 1, 1e-6F);
  }
}

TEST(Streaklines, InASteadyWindAreStreamlines) {
  FieldViewParams look = streaks(1, 1);
  look.rake_from = Vec3(0.5, 0, 0), look.rake_to = Vec3(0.5, 0, 1e-9);
  const FieldPicture picture = field_picture_of(whirl(), look, nullptr, 3);
  ASSERT_EQ(picture.streaklines.start.size(), 2U);
  for (const Vec3f& p : picture.streaklines.point) EXPECT_NEAR(std::hypot(p.x(), p.y()), 0.5F, 1e-5F);
  const Vec3f oldest = picture.streaklines.point.front();
  EXPECT_NEAR(std::atan2(oldest.y(), oldest.x()), 1, 0.02) << "it turned for a second at 1 rad/s";
}

TEST(Streaklines, DoNotDependOnWhenPicturesAreMade) {
  FieldVisualizer often, rarely;
  often.ask(streaks(30, 0.5));
  rarely.ask(streaks(30, 0.5));
  Snapshot a, b;
  const FieldSet fields = rotating_breeze();
  for (int i = 0; i <= 300; ++i) often.write(fields, nullptr, 0.003 * i, true, a);
  rarely.write(fields, nullptr, 0, true, b);
  rarely.write(fields, nullptr, 0.9, true, b);
  EXPECT_GT(a.field.streaklines.point.size(), 500U);
  EXPECT_EQ(a.field.streaklines.start, b.field.streaklines.start);
  EXPECT_TRUE(a.field.streaklines.point == b.field.streaklines.point);
}

TEST(Streaklines, EndAtObstaclesAndAtTheBox) {
  const Ball ball(Vec3(0.2, 0, 0), 0.3);
  const FieldPicture picture = field_picture_of(breeze({1, 0, 0}), streaks(60, 4), &ball, 5);
  EXPECT_GT(picture.streaklines.start.size(), 30U);
  for (const Vec3f& p : picture.streaklines.point) {
    EXPECT_LE(p.cwiseAbs().maxCoeff(), 1.0001F);
    EXPECT_GE((p - Vec3f(0.2F, 0, 0)).norm(), 0.2999F);
  }
}

TEST(Streaklines, BadWindsAndManySeedsAreHarmless) {
  const FieldSet bad = breeze(Vec3::Constant(std::numeric_limits<double>::quiet_NaN()));
  for (const Vec3f& p : field_picture_of(bad, streaks(10, 1), nullptr, 5).streaklines.point) EXPECT_TRUE(p.allFinite());
  FieldViewParams look = streaks(5000, 1e4);
  look.rake_from = Vec3(5, 5, 5), look.rake_to = Vec3(6, 6, 6);
  EXPECT_TRUE(field_picture_of(whirl(), look, nullptr, 1).streaklines.point.empty()) << "the rake is outside the box";
  look.rake_from = look.rake_to = Vec3::Zero();
  look.streakline_s = 0.05;
  EXPECT_LE(field_picture_of(whirl(), look, nullptr, 1).streaklines.point.size(), 210'000U);
}

TEST(Ribbons, TurnWithTheAirAboutTheirLine) {
  // The wind is a screw motion of 1 m/s along x and 3 rad/s about x. Over the distance s on the axis, the air turns by
  // 3 s.
  const FieldSet screw = wind([](const Vec3& p, double) -> Vec3 { return Vec3(1, 0, 0) + Vec3(3, 0, 0).cross(p); });
  FieldViewParams look = look_at_cube();
  look.streamlines = 1;
  look.ribbons = true;
  look.rake_from = Vec3(0, 0, 0), look.rake_to = Vec3(1e-9, 0, 0);
  const FieldLines axis = field_picture_of(screw, look).streamlines;
  ASSERT_EQ(axis.across.size(), axis.point.size());
  ASSERT_GT(axis.point.size(), 10U);
  double turned = 0;
  for (std::size_t i = 0; i + 1 < axis.point.size(); ++i) {
    EXPECT_NEAR(axis.across[i].norm(), 1, 1e-5F);
    EXPECT_NEAR(axis.across[i].x(), 0, 1e-5F) << "perpendicular to the line";
    turned += static_cast<double>(
        std::atan2(axis.across[i].cross(axis.across[i + 1]).x(), axis.across[i].dot(axis.across[i + 1])));
  }
  const double length = static_cast<double>(axis.point.back().x() - axis.point.front().x());
  EXPECT_NEAR(length, 2, 1e-3);
  EXPECT_NEAR(turned, 3 * length, 0.01 * 3 * length);
  // In a uniform wind, a ribbon does not turn.
  const FieldLines plain = field_picture_of(breeze({1, 0.2, 0}), look).streamlines;
  ASSERT_GT(plain.across.size(), 2U);
  EXPECT_LT((plain.across.front() - plain.across.back()).norm(), 1e-5F);
  look.ribbons = false;
  EXPECT_TRUE(field_picture_of(screw, look).streamlines.across.empty());
}

TEST(Rake, StreamlinesBeginOnIt) {
  FieldViewParams look = look_at_cube();
  look.streamlines = 5;
  look.rake_from = Vec3(0, -0.8, 0), look.rake_to = Vec3(0, 0.8, 0);
  const FieldLines lines = field_picture_of(breeze({1, 0, 0}), look).streamlines;
  ASSERT_EQ(lines.start.size(), 6U);
  for (std::size_t l = 0; l < 5; ++l)
    EXPECT_NEAR(lines.point[lines.start[l]].y(), -0.8F + 0.4F * static_cast<float>(l), 1e-5F);
}

}  // namespace
}  // namespace vw
