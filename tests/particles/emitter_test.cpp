// Emitters: positions, velocities, numbers and birth times of particles, compared with the specified distributions.
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>

#include <gtest/gtest.h>

#include "sim/system/particles/emitter.h"
#include "tests/support/scratch.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using test::expect_case;

constexpr std::uint64_t drawn = 20000;

using Settings = std::vector<std::pair<std::string, Value>>;

Node emitter_node(std::string_view kind, const Settings& settings) {
  for (const Schema* schema : emitter_schemas()) {
    if (schema->kind != kind) continue;
    Node node = make_node(*schema, "source");
    for (const auto& [key, value] : settings) EXPECT_TRUE(set_parameter(node, key, value)) << key;
    return node;
  }
  ADD_FAILURE() << kind;
  return {};
}

Emitter make(std::string_view kind, const Settings& settings, std::uint64_t seed = 7,
             std::string_view stream = "sand.source") {
  auto made = make_emitter(emitter_node(kind, settings), seed, stream, nullptr);
  EXPECT_TRUE(made) << (made ? "" : made.error().message());
  return made ? std::move(*made) : Emitter{};
}

/// Returns the deviation of the histogram of a value from a uniform distribution on [0, 1): (chi^2 - d) / sqrt(2 d)
/// with d = 15 degrees of freedom. This measure is approximately standard normal. A value below 0 or above 1 is a
/// failure.
double unevenness(const std::function<double(std::uint64_t)>& value) {
  constexpr std::size_t bins = 16;
  std::array<double, bins> count{};
  for (std::uint64_t i = 0; i < drawn; ++i) {
    const double u = value(i);
    EXPECT_GE(u, -1e-9);
    EXPECT_LE(u, 1 + 1e-9);
    ++count[static_cast<std::size_t>(std::clamp(u * bins, 0.0, bins - 1.0))];
  }
  const double expected = static_cast<double>(drawn) / bins;
  double chi = 0;
  for (const double c : count) chi += (c - expected) * (c - expected) / expected;
  return (chi - (bins - 1)) / std::sqrt(2.0 * (bins - 1));
}

/// Expects that unevenness() is at most 5 (five standard deviations) for each value. The seeds are fixed, so the result
/// is deterministic.
void expect_uniform(const std::string& what, const std::vector<std::function<double(std::uint64_t)>>& values) {
  double worst = -10;
  for (const auto& value : values) worst = std::max(worst, unevenness(value));
  expect_case("particles", "emitter, " + what + ": largest (chi^2 - d) / sqrt(2 d), over 0", std::max(0.0, worst), 0,
              5);
}

double angle_share(double y, double x) { return std::atan2(y, x) / (2 * pi) + 0.5; }

// Positions are relative to the centre of the emitter. Every test displaces and rotates the emitter.
const Vec3 centre(0.3, -0.2, 0.5);
const Vec3 emitter_turn(0.4, -0.7, 0.2);
const Quat emitter_rotation(Eigen::AngleAxisd(emitter_turn.norm(), emitter_turn.normalized()));

Vec3 local(const Emitter& e, std::uint64_t i, double radius = 0) {
  return emitter_rotation.conjugate() * (birth(e, i, radius).position - centre);
}

Settings placed(Settings more) {
  more.emplace_back("position", Value(centre));
  return more;
}
Settings turned_too(Settings more) {
  more.emplace_back("rotation", Value(emitter_turn));
  return placed(std::move(more));
}

TEST(Emitter, APointIsAPoint) {
  const Emitter e = make("point", placed({}));
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_EQ(birth(e, i, 0.1).position, centre);
}

TEST(Emitter, ADiscIsFilledEvenly) {
  const Vec3 axis = Vec3(1, 2, -1).normalized(), u = axis.unitOrthogonal(), v = axis.cross(u);
  const Emitter e = make("disc", placed({{"direction", Value(Vec3(1, 2, -1))}, {"radius", Value(0.2)}}));
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_NEAR((birth(e, i, 0.1).position - centre).dot(axis), 0, 1e-12);
  const auto at = [&](std::uint64_t i) { return Vec3(birth(e, i, 0.1).position - centre); };
  expect_uniform("disc", {[&](std::uint64_t i) { return at(i).squaredNorm() / 0.04; },
                          [&](std::uint64_t i) { return angle_share(at(i).dot(u), at(i).dot(v)); }});
}

TEST(Emitter, ABoxIsFilledEvenlyAndCoveredEvenly) {
  const Vec3 size(0.1, 0.2, 0.4);
  const Emitter full = make("box", turned_too({{"size", Value(size)}}));
  std::vector<std::function<double(std::uint64_t)>> axes;
  for (Eigen::Index a = 0; a < 3; ++a)
    axes.emplace_back([&full, &size, a](std::uint64_t i) { return local(full, i)[a] / size[a] + 0.5; });
  expect_uniform("box, volume", axes);

  const Emitter skin = make("box", turned_too({{"size", Value(size)}, {"from", Value(std::string("surface"))}}));
  std::array<double, 3> on{};
  for (std::uint64_t i = 0; i < drawn; ++i) {
    const Vec3 beyond = local(skin, i).cwiseAbs() - 0.5 * size;
    Eigen::Index axis = 0;
    EXPECT_NEAR(beyond.maxCoeff(&axis), 0, 1e-12);
    ++on[static_cast<std::size_t>(axis)];
  }
  const std::array<double, 3> area{0.2 * 0.4, 0.1 * 0.4, 0.1 * 0.2};
  for (std::size_t a = 0; a < 3; ++a) {
    const double share = area[a] / (area[0] + area[1] + area[2]);
    EXPECT_NEAR(on[a] / drawn, share, 5 * std::sqrt(share * (1 - share) / drawn)) << a;
  }
}

TEST(Emitter, ASphereIsFilledEvenlyAndCoveredEvenly) {
  const Emitter full = make("sphere", turned_too({{"radius", Value(0.3)}}));
  expect_uniform("sphere, volume",
                 {[&](std::uint64_t i) { return std::pow(local(full, i).norm() / 0.3, 3); },
                  [&](std::uint64_t i) { return 0.5 + 0.5 * local(full, i).normalized().y(); },
                  [&](std::uint64_t i) { return angle_share(local(full, i).x(), local(full, i).z()); }});
  const Emitter skin = make("sphere", turned_too({{"radius", Value(0.3)}, {"from", Value(std::string("surface"))}}));
  // The surface of each particle just touches the surface of the sphere.
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_NEAR(local(skin, i, 0.01).norm(), 0.31, 1e-12);
  expect_uniform("sphere, surface",
                 {[&](std::uint64_t i) { return 0.5 + 0.5 * local(skin, i).normalized().y(); },
                  [&](std::uint64_t i) { return angle_share(local(skin, i).x(), local(skin, i).z()); }});
}

TEST(Emitter, ACylinderIsFilledEvenlyAndCoveredEvenly) {
  const Emitter full = make("cylinder", turned_too({{"radius", Value(0.2)}, {"length", Value(0.5)}}));
  expect_uniform(
      "cylinder, volume",
      {[&](std::uint64_t i) { return local(full, i).y() / 0.5 + 0.5; },
       [&](std::uint64_t i) { return (std::pow(local(full, i).x(), 2) + std::pow(local(full, i).z(), 2)) / 0.04; },
       [&](std::uint64_t i) { return angle_share(local(full, i).x(), local(full, i).z()); }});
  const Emitter skin =
      make("cylinder",
           turned_too({{"radius", Value(0.2)}, {"length", Value(0.5)}, {"from", Value(std::string("surface"))}}));
  double on_wall = 0;
  for (std::uint64_t i = 0; i < drawn; ++i)
    on_wall += std::hypot(local(skin, i).x(), local(skin, i).z()) > 0.2 - 1e-9 ? 1 : 0;
  const double share = 0.5 / (0.5 + 0.2);  // the area of the side is 2 pi r l; the area of both ends is 2 pi r^2
  EXPECT_NEAR(on_wall / drawn, share, 5 * std::sqrt(share * (1 - share) / drawn));
}

TEST(Emitter, ACapsuleIsFilledEvenly) {
  const double r = 0.2, l = 0.5;
  const Emitter full = make("capsule", turned_too({{"radius", Value(r)}, {"length", Value(l)}}));
  // Fraction of the volume below height y, computed with the volume of a cap, pi h^2 (3 r - h) / 3 (h: height of the
  // cap).
  const double whole = pi * r * r * l + 4.0 / 3 * pi * r * r * r;
  const auto cap = [&](double h) { return pi * h * h * (3 * r - h) / 3; };
  const auto below = [&](double y) {
    const double from_bottom = y + 0.5 * l + r;
    if (from_bottom < r) return cap(from_bottom);
    if (from_bottom < r + l) return cap(r) + pi * r * r * (from_bottom - r);
    return whole - cap(2 * r + l - from_bottom);
  };
  expect_uniform("capsule, volume",
                 {[&](std::uint64_t i) { return below(local(full, i).y()) / whole; },
                  [&](std::uint64_t i) { return angle_share(local(full, i).x(), local(full, i).z()); }});
}

TEST(Emitter, AMeshIsCoveredEvenlyAndFilledEvenly) {
  // The mesh is a closed wedge with right triangles as ends at x = 0 and x = 1.
  const test::Scratch scratch;
  const std::string path = scratch.write("wedge.obj",
                                         "v 0 0 0\nv 0 1 0\nv 0 0 1\nv 1 0 0\nv 1 1 0\nv 1 0 1\n"
                                         "f 1 3 2\nf 4 5 6\nf 1 2 5\nf 1 5 4\nf 1 4 6\nf 1 6 3\nf 2 3 6\nf 2 6 5\n");
  const Settings file{{"source", Value(path)}, {"scale", Value(0.5)}};
  const Emitter skin = make("mesh", turned_too(file));
  double on_slope = 0;
  for (std::uint64_t i = 0; i < drawn; ++i) {
    const Vec3 x = local(skin, i) / 0.5;
    on_slope += std::abs(x.y() + x.z() - 1) < 1e-5 ? 1 : 0;
    const double nearest =
        std::min({std::abs(x.x()), std::abs(x.x() - 1), std::abs(x.y()), std::abs(x.z()), std::abs(x.y() + x.z() - 1)});
    ASSERT_LT(nearest, 1e-5);
  }
  // Areas in units of the square of an edge: the two triangular ends together have 1, the two square sides 1 each, and
  // the slope sqrt(2).
  const double share = std::sqrt(2.0) / (1 + 1 + 1 + std::sqrt(2.0));
  EXPECT_NEAR(on_slope / drawn, share, 5 * std::sqrt(share * (1 - share) / drawn));

  Settings inside = file;
  inside.emplace_back("from", Value(std::string("volume")));
  const Emitter full = make("mesh", turned_too(inside));
  expect_uniform("mesh, volume", {[&](std::uint64_t i) { return local(full, i).x() / 0.5; },
                                  [&](std::uint64_t i) { return 1 - std::pow(1 - local(full, i).y() / 0.5, 2); }});

  // The file is read once. An edit of another parameter during the run must not need the file.
  std::remove(path.c_str());
  EXPECT_TRUE(make_emitter(emitter_node("mesh", file), 7, "sand.source", &skin));
  const auto missing = make_emitter(emitter_node("mesh", file), 7, "sand.source", nullptr);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message().find("wedge.obj"), std::string::npos) << missing.error().message();
  const auto nameless = make_emitter(emitter_node("mesh", {}), 7, "sand.source", nullptr);
  ASSERT_FALSE(nameless);
  EXPECT_EQ(nameless.error().message(), "source = \"\": must name a mesh file");
}

TEST(Emitter, WithASpacingParticlesAreBornApart) {
  const Emitter box = make("box", turned_too({{"size", Value(Vec3(0.1, 0.2, 0.3))}, {"spacing", Value(0.05)}}));
  ASSERT_NE(box.sites, nullptr);
  EXPECT_EQ(box.sites->size(), 2U * 4 * 6);
  const Emitter ball = make("sphere", turned_too({{"radius", Value(0.3)}, {"spacing", Value(0.05)}}));
  for (std::uint64_t i = 0; i < ball.sites->size(); ++i) {
    EXPECT_LE(local(ball, i).norm(), 0.275 + 1e-6);  // a grain with a radius of half a spacing lies completely inside
    for (std::uint64_t j = 0; j < i; ++j) ASSERT_GE((local(ball, i) - local(ball, j)).norm(), 0.05 - 1e-9);
    EXPECT_GE(local(ball, i).y(), local(ball, i > 0 ? i - 1 : 0).y() - 1e-9);  // sites are ordered from the bottom up
  }
  // The lattice fills the ball up to half a spacing below the surface. The tolerance is one layer.
  EXPECT_NEAR(static_cast<double>(ball.sites->size()), 4.0 / 3 * pi * std::pow(0.275, 3) / std::pow(0.05, 3), 80);
  EXPECT_EQ(local(ball, 0), local(ball, ball.sites->size()));

  const auto message = [](const Settings& settings) {
    const auto made = make_emitter(emitter_node("box", settings), 7, "sand.source", nullptr);
    return made ? std::string() : made.error().message();
  };
  EXPECT_EQ(
      message({{"spacing", Value(1e-5)}}),
      "spacing = 1e-05 m: is too small for the emitter: at most 4,000,000 particles may fit into it; raise spacing or "
      "make the emitter smaller");
  EXPECT_EQ(
      message({{"spacing", Value(0.2)}}),
      "spacing = 0.2 m: is too large for the emitter: no particle fits into it; lower spacing or make the emitter "
      "larger");
  EXPECT_NE(message({{"size", Value(Vec3(0.1, 0.1, 0))}, {"spacing", Value(1e-12)}}).find("no particle fits into it"),
            std::string::npos)
      << "a flat box must not take time in proportion to 1 / spacing";
}

TEST(Emitter, FlightsFillTheirCone) {
  const Vec3 axis = Vec3(1, 2, -1).normalized(), u = axis.unitOrthogonal(), v = axis.cross(u);
  const Emitter e = make("point", {{"direction", Value(Vec3(1, 2, -1))},
                                   {"spread", Value(0.6)},
                                   {"speed", Value(2.0)},
                                   {"speed_jitter", Value(0.25)}});
  const auto way = [&](std::uint64_t i) { return birth(e, i, 0).velocity; };
  expect_uniform("flights", {[&](std::uint64_t i) { return (1 - way(i).normalized().dot(axis)) / (1 - std::cos(0.6)); },
                             [&](std::uint64_t i) { return angle_share(way(i).dot(u), way(i).dot(v)); },
                             [&](std::uint64_t i) { return (way(i).norm() - 1.5) / 1.0; }});
}

TEST(Emitter, FromASurfaceParticlesFlyAlongItsNormal) {
  const Emitter e =
      make("sphere", turned_too({{"from", Value(std::string("surface"))}, {"direction", Value(Vec3(0, 0, 0))}}));
  for (std::uint64_t i = 0; i < 100; ++i) {
    const Birth born = birth(e, i, 0.01);
    EXPECT_NEAR((born.velocity - (born.position - centre).normalized()).norm(), 0, 1e-12);
  }
}

TEST(Emitter, LivesAndTraitsSpreadAsTheirJitterSays) {
  const Emitter e = make("point", {{"lifetime", Value(2.0)},
                                   {"lifetime_jitter", Value(0.5)},
                                   {"particle_mass", Value(1e-3)},
                                   {"particle_mass_jitter", Value(0.2)},
                                   {"particle_radius", Value(0.01)},
                                   {"particle_radius_jitter", Value(0.4)},
                                   {"particle_drag_time", Value(0.5)},
                                   {"particle_drag_jitter", Value(0.1)}});
  expect_uniform("lifetime, mass, radius, drag",
                 {[&](std::uint64_t i) { return (birth(e, i, 0).lifetime - 1) / 2; },
                  [&](std::uint64_t i) { return (traits(e, i, {}).mass_kg - 8e-4) / 4e-4; },
                  [&](std::uint64_t i) { return (traits(e, i, {}).radius_m - 6e-3) / 8e-3; },
                  [&](std::uint64_t i) { return (traits(e, i, {}).drag_time_s - 0.45) / 0.1; }});
  for (std::uint64_t i = 0; i < 1000; ++i) EXPECT_GE(traits(e, i, {}).mass_kg, lightest_kg(e, {}) * (1 - 1e-12));
}

TEST(Emitter, WhatItDoesNotSayTheSystemSays) {
  const Traits system{3e-3, 0.02, 0.7};
  const Traits own = traits(make("point", {}), 5, system);
  EXPECT_EQ(own.mass_kg, 3e-3);
  EXPECT_EQ(own.radius_m, 0.02);
  EXPECT_EQ(own.drag_time_s, 0.7);
  const Traits dense = traits(make("point", {{"particle_density", Value(1000.0)}}), 5, system);
  EXPECT_NEAR(dense.mass_kg, 1000 * 4.0 / 3 * pi * 8e-6, 1e-15);
  EXPECT_EQ(traits(make("point", {{"particle_drag_time", Value(0.0)}}), 5, system).drag_time_s, 0);
}

TEST(Emitter, ItsOwnSeedTakesThePlaceOfTheWorlds) {
  const Settings scattered{{"spread", Value(1.0)}};
  const auto first = [](const Emitter& e) { return birth(e, 0, 0).velocity; };
  EXPECT_EQ(first(make("point", scattered, 1, "a")), first(make("point", scattered, 1, "a")));
  EXPECT_NE(first(make("point", scattered, 1, "a")), first(make("point", scattered, 2, "a")));
  EXPECT_NE(first(make("point", scattered, 1, "a")), first(make("point", scattered, 1, "b")));
  Settings seeded = scattered;
  seeded.emplace_back("seed", Value(std::int64_t{9}));
  EXPECT_EQ(first(make("point", seeded, 1, "a")), first(make("point", seeded, 2, "b")));
  EXPECT_NE(first(make("point", seeded, 1, "a")), first(make("point", scattered, 1, "a")));
}

/// Returns the number of particles that are due in one step.
std::uint64_t count_due(const Emitter& e, double time, double dt, EmitterState& state) {
  const Due due = particles_due(e, time, dt, state);
  return due.bursts * static_cast<std::uint64_t>(e.params.burst) + due.steady;
}

std::uint64_t due_until(const Emitter& e, double time, double dt, EmitterState& state) {
  std::uint64_t due = 0;
  for (int i = 0; static_cast<double>(i) * dt < time - 1e-9; ++i)
    due += count_due(e, static_cast<double>(i) * dt, dt, state);
  return due;
}

TEST(Emitter, RateStartAndDurationCountExactly) {
  EmitterState state;
  const Emitter e = make("point", {{"rate", Value(1234.5)}, {"start", Value(0.111)}, {"duration", Value(0.777)}});
  // The rate is 1,234.5 per second for 0.777 s. The fractional particle is not born.
  EXPECT_EQ(due_until(e, 2, 1.0 / 120, state), static_cast<std::uint64_t>(1234.5 * 0.777));
}

TEST(Emitter, BurstsComeAgainWithTheirPeriod) {
  const Settings settings{{"rate", Value(0.0)},
                          {"burst", Value(std::int64_t{10})},
                          {"burst_period", Value(0.25)},
                          {"start", Value(0.1)},
                          {"duration", Value(0.8)}};
  EmitterState state;
  // Bursts are due at 0.1, 0.35, 0.6 and 0.85 s.
  EXPECT_EQ(due_until(make("point", settings), 0.5, 0.01, state), 20U);
  state = {};
  EXPECT_EQ(due_until(make("point", settings), 3, 0.01, state), 40U);
  // Bursts that were missed while the emitter was off are not repeated later.
  Settings off = settings;
  off.emplace_back("enabled", Value(false));
  state = {};
  EXPECT_EQ(due_until(make("point", off), 0.5, 0.01, state), 0U);
  EXPECT_EQ(count_due(make("point", settings), 0.5, 0.01, state), 0U);
  EXPECT_EQ(count_due(make("point", settings), 0.6, 0.01, state), 10U);
}

TEST(Emitter, AnEditOfThePeriodFiresNoBurstsOfThePast) {
  const auto period = [](double s) {
    return make("point", {{"rate", Value(0.0)}, {"burst", Value(std::int64_t{10})}, {"burst_period", Value(s)}});
  };
  EmitterState state;
  EXPECT_EQ(due_until(period(1), 9.985, 0.01, state), 100U);
  // From this step on, the burst period is 0.01 s.
  EXPECT_EQ(count_due(period(0.01), 10.005, 0.01, state), 10U);
  // The period then becomes a hundred times as long. The next burst is due at 11 s, independent of the number of
  // earlier bursts.
  EXPECT_EQ(count_due(period(1), 10.5, 0.01, state), 0U);
  EXPECT_EQ(count_due(period(1), 10.995, 0.01, state), 10U);
}

TEST(Emitter, BurstsAreWholeAtTheirTime) {
  EmitterState state;
  const Emitter e =
      make("point", {{"rate", Value(0.0)}, {"burst", Value(std::int64_t{3})}, {"burst_period", Value(0.25)}});
  state.bursts_done = 1;  // the burst at the start is already done
  const Due due = particles_due(e, 0.2, 0.1, state);
  EXPECT_EQ(due.bursts, 1U);
  EXPECT_DOUBLE_EQ(burst_time(e, due.first_burst), 0.25);
}

TEST(Emitter, ARateIsEvenInTimeWhateverTheStep) {
  const Emitter e = make("point", {{"rate", Value(137.3)}, {"start", Value(0.111)}, {"duration", Value(1.37)}});
  EmitterState state;
  constexpr double dt = 1.0 / 60;
  std::uint64_t k = 0;
  for (int i = 0; i < 120; ++i) {
    const Due due = particles_due(e, i * dt, dt, state);
    for (std::uint64_t j = 0; j < due.steady; ++j)
      EXPECT_NEAR(i * dt + due.first + static_cast<double>(j) * due.apart, 0.111 + static_cast<double>(++k) / 137.3,
                  1e-9);
  }
  EXPECT_EQ(k, static_cast<std::uint64_t>(137.3 * 1.37));
}

TEST(Emitter, ABurstAtAStepsEndIsThereAtItsTime) {
  const Emitter e = make("point", {{"rate", Value(0.0)}, {"burst", Value(std::int64_t{10})}, {"start", Value(0.1)}});
  EmitterState state;
  constexpr double dt = 1.0 / 60;
  EXPECT_EQ(due_until(e, 5 * dt, dt, state), 0U);
  EXPECT_EQ(count_due(e, 5 * dt, dt, state), 10U);
  EXPECT_EQ(count_due(e, 6 * dt, dt, state), 0U);
}

TEST(Emitter, ExtremeSettingsStayCountable) {
  EmitterState state;
  const Emitter e =
      make("point", {{"rate", Value(1e8)}, {"burst", Value(std::int64_t{4000000})}, {"burst_period", Value(1e-300)}});
  EXPECT_GT(count_due(e, 1e6, 1, state), 0U);
  for (const char* kind : {"box", "sphere", "capsule", "cylinder"})
    for (const char* from : {"volume", "surface"}) {
      Settings flat{{"from", Value(std::string(from))}};
      if (std::string(kind) == "box")
        flat.emplace_back("size", Value(Vec3(0, 0, 0)));
      else
        flat.emplace_back("radius", Value(0.0));
      const Birth born = birth(make(kind, flat), 3, 0.01);
      EXPECT_TRUE(born.position.allFinite() && born.velocity.allFinite()) << kind << " " << from;
    }
}

TEST(LifeCurve, PassesThroughItsThreeStops) {
  const Stops<double> size{1, 3, 0};
  EXPECT_EQ(size.at(0, 0.25), 1);
  EXPECT_EQ(size.at(0.25, 0.25), 3);
  EXPECT_EQ(size.at(1, 0.25), 0);
  EXPECT_DOUBLE_EQ(size.at(0.125, 0.25), 2);
  EXPECT_DOUBLE_EQ(size.at(0.625, 0.25), 1.5);
  EXPECT_EQ(life_share(3, 0), 0);   // infinite lifetime: appearance at birth
  EXPECT_EQ(life_share(-1, 2), 0);  // the particle is not born yet
  EXPECT_EQ(life_share(5, 2), 1);
}

}  // namespace
}  // namespace vw
