// Local wind sources compared with theory: conserved fluxes, zero divergence, profiles, pressures, and decay at the
// range.
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
using test::over_disc;
using test::relative_divergence;

constexpr auto anywhere = [](const Vec3&) { return true; };

// ---- Jet ----

Node jet_node() {
  Node node = field_node("jet");
  node.set("speed", 12.0);
  node.set("diameter", 0.1);
  return node;
}

TEST(JetValidation, MomentumIsTheNozzlesAtAnyDistance) {
  const auto jet = made_field(jet_node());
  const double nozzle = pi * 0.05 * 0.05 * 144;
  double worst = 0;
  for (const double x : {1e-4, 0.01, 0.1, 0.3, 0.5, 0.6, 0.8, 1.2, 3.0, 20.0})
    worst = std::max(worst, std::abs(over_disc(*jet, Vec3(x, 0, 0), Vec3::UnitX(), 0.1 + x,
                                               [](const Vec3& u) { return u.x() * u.x(); }) /
                                         nozzle -
                                     1));
  // The rings of the integral resolve the edge of the core near the nozzle to some 1e-4 of the area.
  expect_case("field", "jet: momentum flux against the nozzle's, worst from 0.001 to 200 diameters", worst, 0, 1e-3);
}

TEST(JetValidation, ItsCoreIsAtFullSpeedAndBeyondItSlowsDownAndWidensInProportion) {
  const auto jet = made_field(jet_node());
  const auto axis = [&](double x) { return air_at(*jet, Vec3(x, 0, 0)).x(); };
  EXPECT_NEAR(axis(1e-6), 12, 1e-6);
  EXPECT_NEAR(axis(0.25), 12, 0.02);  // The theory is (1 + 0.425^8)^(-1/8) of the full speed, which is 0.01 % less.
  EXPECT_NEAR(air_at(*jet, Vec3(0.001, 0.045, 0)).x(), 12, 0.01);
  EXPECT_LT(air_at(*jet, Vec3(0.001, 0.055, 0)).x(), 0.01);
  const double core = 0.1 * std::sqrt(std::log(2.0) / 2) / 0.1;
  expect_case("field", "jet: speed on the axis at 30 diameters", axis(3), 12 * core / 3, 1e-6, "m/s");
  double low = 0, high = 3;
  for (int i = 0; i < 60; ++i)
    (air_at(*jet, Vec3(3, 0.5 * (low + high), 0)).x() > 0.5 * axis(3) ? low : high) = 0.5 * (low + high);
  expect_case("field", "jet: half-width over the distance at 30 diameters", low / 3, 0.1, 1e-6);
}

TEST(JetValidation, NoAirIsMadeBeyondTheNozzle) {
  const auto jet = made_field(jet_node());
  const auto ahead = [](const Vec3& x) { return x.x() > 0.01; };
  expect_case("field", "jet: sum |div u| / sum |grad u| by differences",
              relative_divergence(*jet, Vec3(0.3, 0, 0), 0.4, 1e-6, 3000, ahead), 0, 1e-6);
  expect_case("field", "jet: the same far away", relative_divergence(*jet, Vec3(4, 0, 0), 2, 1e-5, 3000, ahead), 0,
              1e-6);
}

TEST(Jet, ItDrawsInAirFromItsSidesAndNoneFromBehind) {
  const auto jet = made_field(jet_node());
  for (const double x : {0.005, 0.05, 0.2, 0.5, 0.7, 1.0, 2.0, 8.0})
    EXPECT_LT(air_at(*jet, Vec3(x, 0.2 + x, 0)).y(), 0) << x;
  // Far away the volume flux, relative to that of the nozzle, is 0.34 x / diameter at the distance x (Ricou & Spalding
  // 1961: 0.32 x / diameter).
  const auto flux = [&](double x) {
    return over_disc(*jet, Vec3(x, 0, 0), Vec3::UnitX(), x, [](const Vec3& u) { return u.x(); });
  };
  EXPECT_NEAR(flux(3) / (pi * 0.0025 * 12), std::sqrt(2 / std::log(2.0)) * 0.1 * 30 * 2, 0.02);
  EXPECT_EQ(air_at(*jet, Vec3(-0.01, 0, 0)), Vec3(0, 0, 0));
}

// ---- Fan ----

Node fan_node() {
  Node node = field_node("fan");
  node.set("speed", 4.0);
  node.set("radius", 0.3);
  node.set("swirl", 0.5);
  return node;
}

TEST(FanValidation, WhatItDrawsInBehindComesOutInFront) {
  const auto fan = made_field(fan_node());
  const double flow = pi * 0.09 * 4;
  const auto flux = [&](double x, double radius) {
    return over_disc(*fan, Vec3(x, 0, 0), Vec3::UnitX(), radius, [](const Vec3& u) { return u.x(); });
  };
  expect_case("field", "fan: volume flux through its disc", flux(0, 0.3), flow, 1e-4, "m^3/s");
  EXPECT_NEAR(flux(-1e-9, 0.3), flux(1e-9, 0.3), 1e-6 * flow);
  // Far behind the fan, air arrives from all directions. At the distance r the speed is Q / (2 pi r^2), where Q is the
  // volume flux through the fan.
  const Vec3 far = 50 * Vec3(-0.6, 0.8, 0);
  expect_case("field", "fan: inflow far behind against a point sink", air_at(*fan, far).dot(-far.normalized()),
              flow / (2 * pi * 2500), 1e-4, "m/s");
  // The flux through a plane close behind the fan equals that through the fan's disc.
  expect_case("field", "fan: volume flux through a plane a tenth of a radius behind", flux(-0.03, 60), flow, 1e-3,
              "m^3/s");
}

TEST(FanValidation, NoAirIsMadeAnywhere) {
  const auto fan = made_field(fan_node());
  const auto off_the_rim = [](const Vec3& x) {
    return std::hypot(x.y(), x.z()) < 0.29 || std::hypot(x.y(), x.z()) > 0.31 || std::abs(x.x()) > 0.6;
  };
  expect_case("field", "fan: sum |div u| / sum |grad u| by differences",
              relative_divergence(*fan, Vec3(0, 0, 0), 1, 1e-6, 4000, off_the_rim), 0, 1e-6);
  expect_case("field", "fan: the same far away", relative_divergence(*fan, Vec3(2, 0, 0), 6, 1e-5, 4000, anywhere), 0,
              1e-5);
}

TEST(FanValidation, ItsJetKeepsMomentumAndMomentOfMomentum) {
  const auto fan = made_field(fan_node());
  const auto momentum = [&](double x) {
    return over_disc(*fan, Vec3(x, 0, 0), Vec3::UnitX(), x, [](const Vec3& u) { return u.x() * u.x(); });
  };
  // The theory is the wake of an actuator disc of radius R with the velocity profile 3 speed sqrt(1 - (r / R)^2).
  expect_case("field", "fan: momentum flux at 50 radii", momentum(15), 4.5 * pi * 0.09 * 16, 1e-4);
  expect_case("field", "fan: momentum flux at 100 radii", momentum(30), 4.5 * pi * 0.09 * 16, 1e-4);
  const auto spin = [&](double x) {
    double sum = 0;
    for (int i = 0; i < 4000; ++i) {
      const double r = x * (i + 0.5) / 4000;
      const Vec3 u = air_at(*fan, Vec3(x, r, 0));
      sum += u.x() * u.z() * r * r;
    }
    return sum * x;
  };
  EXPECT_NEAR(spin(15), spin(30), 1e-3 * spin(15));
}

TEST(Fan, ItIsContinuousAcrossItsDiscAndTurnsOnlyWhatIsInFront) {
  const auto fan = made_field(fan_node());
  for (std::uint64_t i = 0; i < 300; ++i) {
    const Vec3 at(0, 0.6 * random_uniform({1, 1}, i), 0.6 * random_uniform({1, 2}, i));
    EXPECT_LT((air_at(*fan, at + Vec3(1e-7, 0, 0)) - air_at(*fan, at - Vec3(1e-7, 0, 0))).norm(), 1e-3)
        << at.transpose();
  }
  EXPECT_EQ(air_at(*fan, Vec3(-0.1, 0.2, 0)).z(), 0);
  // The swirl is right-handed about x. At +y the air flows towards +z with 0.5 r / R of the axial speed, where 0.5 is
  // the swirl, r the distance from the axis and R the fan's radius.
  const Vec3 front = air_at(*fan, Vec3(0.06, 0.15, 0));
  EXPECT_NEAR(front.z() / (3 * 4 * std::sqrt(0.75)), 0.5 * 0.5, 0.02);
  for (const double x : {-2.0, -0.5, -0.1}) {
    EXPECT_GT(air_at(*fan, Vec3(x, 0, 0)).x(), 0);
    EXPECT_LT(air_at(*fan, Vec3(x, 0.4, 0)).y(), 0);
  }
  EXPECT_NEAR(air_at(*fan, Vec3(0, 0, 0)).x(), 6, 1e-9);
}

// ---- Vortex ----

Node vortex_node(const char* profile) {
  Node node = field_node("vortex");
  node.set("profile", std::string(profile));
  node.set("circulation", 3.0);
  node.set("core", 0.2);
  node.set("direction", Vec3(0, 0, 1));
  return node;
}

double pressure_at(const Field& field, const Vec3& x, double time = 0) {
  double p = 0;
  field.add_pressure(std::span(&x, 1), {time, nullptr}, std::span(&p, 1));
  return p;
}

TEST(VortexValidation, SwirlAndPressureAreThoseOfTheBooks) {
  const auto rankine = made_field(vortex_node("rankine")), lamb = made_field(vortex_node("lamb_oseen"));
  const double gamma = 3 / (2 * pi);
  EXPECT_NEAR(air_at(*rankine, Vec3(0.1, 0, 5)).y(), gamma / 0.04 * 0.1, 1e-12);
  EXPECT_NEAR(air_at(*rankine, Vec3(0, 0.5, 5)).x(), -gamma / 0.5, 1e-12);
  EXPECT_NEAR(air_at(*lamb, Vec3(0.3, 0, 0)).y(), gamma / 0.3 * (1 - std::exp(-2.25)), 1e-12);
  EXPECT_NEAR(pressure_at(*rankine, Vec3(0, 0, 1)), -gamma * gamma / 0.04, 1e-9);
  EXPECT_NEAR(pressure_at(*rankine, Vec3(0.5, 0, 1)), -0.5 * gamma * gamma / 0.25, 1e-12);
  expect_case("field", "Lamb-Oseen vortex: p / rho in its middle", pressure_at(*lamb, Vec3::Zero()),
              -gamma * gamma * std::log(2.0) / 0.04, 1e-9, "m^2/s^2");
  double worst = 0;
  for (const auto* field : {rankine.get(), lamb.get()})
    for (double r = 0.013; r < 1; r += 0.0317) {
      const double h = 1e-5,
                   slope = (pressure_at(*field, Vec3(r + h, 0, 0)) - pressure_at(*field, Vec3(r - h, 0, 0))) / (2 * h);
      const double u = air_at(*field, Vec3(r, 0, 0)).y();
      worst = std::max(worst, std::abs(slope / (u * u / r) - 1));
    }
  expect_case("field", "vortices: radial balance p' = u^2 / r (worst, relative)", worst, 0, 1e-6);
}

TEST(VortexValidation, ALambOseenVortexWidensByViscosity) {
  Node node = vortex_node("lamb_oseen");
  node.set("viscosity", 0.01);
  const auto field = made_field(node);
  // The tangential velocity u(r, t) satisfies du / dt = nu (u'' + u' / r - u / r^2) with the viscosity nu.
  const auto swirl = [&](double r, double t) { return air_at(*field, Vec3(r, 0, 0), t).y(); };
  double worst = 0;
  const double h = 1e-3;
  for (double r = 0.05; r < 0.8; r += 0.05) {
    const double rate = (swirl(r, 1 + h) - swirl(r, 1 - h)) / (2 * h);
    const double diffusion = (swirl(r + h, 1) - 2 * swirl(r, 1) + swirl(r - h, 1)) / (h * h) +
                             (swirl(r + h, 1) - swirl(r - h, 1)) / (2 * h * r) - swirl(r, 1) / (r * r);
    worst = std::max(worst, std::abs(rate - 0.01 * diffusion));
  }
  expect_case("field", "Lamb-Oseen vortex: residual of the Navier-Stokes equation", worst, 0, 2e-4, "m/s^2");
}

TEST(VortexValidation, BurgersVortexSolvesTheNavierStokesEquations) {
  Node node = vortex_node("burgers");
  node.set("stretch", 2.0);
  const auto field = made_field(node);
  const double nu = 2.0 * 0.04 / 4, h = 1e-3;  // The Burgers vortex has core^2 = 4 nu / stretch.
  double worst = 0, largest = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Vec3 x = 0.5 * random_direction({4, 4}, i) * random_uniform({4, 5}, i);
    const Vec3 u = air_at(*field, x);
    Vec3 residual = Vec3::Zero();  // u . grad u + grad p - nu laplace u, with the pressure p over density
    for (int a = 0; a < 3; ++a) {
      const Vec3 e = h * Vec3::Unit(a), more = air_at(*field, x + e), less = air_at(*field, x - e);
      residual += u[a] * (more - less) / (2 * h) - nu * (more - 2 * u + less) / (h * h);
      residual[a] += (pressure_at(*field, x + e) - pressure_at(*field, x - e)) / (2 * h);
      largest = std::max(largest, (u[a] * (more - less) / (2 * h)).norm());
    }
    worst = std::max(worst, residual.norm());
  }
  expect_case("field", "Burgers vortex: residual of the Navier-Stokes equations over the largest acceleration",
              worst / largest, 0, 1e-4);
  expect_case("field", "Burgers vortex: sum |div u| / sum |grad u| by differences",
              relative_divergence(*field, Vec3::Zero(), 1, 1e-5, 2000, anywhere), 0, 1e-7);
}

TEST(VortexValidation, AWhirlwindDrawsInAirBelowAndLosesNone) {
  Node node = vortex_node("lamb_oseen");
  node.set("direction", Vec3(0, 1, 0));
  node.set("updraft", 5.0);
  node.set("height", 3.0);
  const auto field = made_field(node);
  EXPECT_FALSE(field->has_pressure());
  expect_case("field", "whirlwind: sum |div u| / sum |grad u| by differences",
              relative_divergence(*field, Vec3(0, 1.5, 0), 2, 1e-5, 3000, anywhere), 0, 1e-6);
  EXPECT_NEAR(air_at(*field, Vec3(0, 1.5, 0)).y(), 5, 1e-9);
  EXPECT_LT(air_at(*field, Vec3(0.4, 0.5, 0)).x(), -0.05);
  EXPECT_GT(air_at(*field, Vec3(0.4, 2.5, 0)).x(), 0.05);
  EXPECT_EQ(air_at(*field, Vec3(0, -0.1, 0)).y(), 0);
  // The rotation is right-handed about +y. At +x the air flows towards -z.
  EXPECT_LT(air_at(*field, Vec3(0.2, 1.5, 0)).z(), -1);
}

TEST(Vortex, VorticityIsTwiceTheTurningInTheCoreAndNoneOutside) {
  const auto rankine = made_field(vortex_node("rankine"));
  for (const auto& [r, expected] : {std::pair{0.1, 3 / (pi * 0.04)}, {0.6, 0.0}}) {
    const Vec3 x(r, 0, 0);
    Vec3 w = Vec3::Zero();
    rankine->add_vorticity(std::span(&x, 1), {0, nullptr}, std::span(&w, 1));
    EXPECT_NEAR(w.z(), expected, 1e-3);
  }
}

// ---- Updraft ----

Node updraft_node() {
  Node node = field_node("updraft");
  node.set("speed", 3.0);
  node.set("radius", 0.5);
  return node;
}

TEST(UpdraftValidation, ItsFluxOfBuoyancyIsKeptAndItWidens) {
  const auto plume = made_field(updraft_node());
  const auto w = [&](double z, double r) { return air_at(*plume, Vec3(r, z, 0)).y(); };
  const auto width = [](double z) { return 0.5 + 0.12 * z; };
  for (const double z : {1.5, 5.0, 40.0}) {
    EXPECT_NEAR(w(z, width(z)), w(z, 0) / std::exp(1.0), 1e-9);
    EXPECT_NEAR(std::pow(w(z, 0), 3) * width(z), 27 * 0.5, 1e-9);
  }
  // The volume flux Q grows with the height z as dQ / dz = 2 pi alpha b w, where b is the width, w the speed on the
  // axis and alpha = 5 / 6 of the spread (Morton, Taylor & Turner 1956).
  const auto flux = [&](double z) {
    return over_disc(*plume, Vec3(0, z, 0), Vec3::UnitY(), 8 * width(z), [](const Vec3& u) { return u.y(); });
  };
  const double entrained = (flux(10.5) - flux(9.5)) / (2 * pi * width(10) * w(10, 0));
  expect_case("field", "updraft: air that it draws in, coefficient of entrainment", entrained, 0.12 * 5 / 6, 1e-3);
}

TEST(UpdraftValidation, NoAirIsMadeAnywhereAndNoneGoesThroughTheGround) {
  Node node = updraft_node();
  node.set("height", 9.0);
  const auto plume = made_field(node);
  expect_case("field", "updraft: sum |div u| / sum |grad u| by differences",
              relative_divergence(*plume, Vec3(0, 4, 0), 6, 1e-5, 4000, anywhere), 0, 1e-6);
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Vec3 ground(4 * random_uniform({1, 3}, i), 0, 4 * random_uniform({1, 4}, i));
    EXPECT_LT(air_at(*plume, ground + Vec3(0, 1e-6, 0)).norm(), 1e-9);
    EXPECT_EQ(air_at(*plume, ground - Vec3(0, 1e-6, 0)), Vec3(0, 0, 0));
    EXPECT_LT(air_at(*plume, ground + Vec3(0, 9 - 1e-6, 0)).norm(), 1e-9);
  }
  EXPECT_LT(air_at(*plume, Vec3(1, 0.5, 0)).x(), -0.05);  // air flows in at the foot
  EXPECT_GT(air_at(*plume, Vec3(2, 7.5, 0)).x(), 0.05);   // air flows out at the top
}

// ---- All sources ----

const std::vector<std::string> kinds{"fan", "jet", "updraft", "vortex"};

TEST(SourceOfWind, EndsAtItsRangeSmoothlyAndLosesNoAir) {
  double worst = 0;
  for (const std::string& kind : kinds) {
    Node node = field_node(kind);
    if (kind == "vortex") node.set("updraft", 1.0);
    const auto endless = made_field(node);
    node.set("range", 4.0);
    const auto field = made_field(node);
    const auto within = [](const Vec3& x) { return x.norm() > 1 && x.norm() < 3.99; };
    if (kind != "jet")
      worst = std::max(worst, relative_divergence(*field, Vec3::Zero(), 4, 1e-5, 2000, within));
    else
      worst = std::max(worst, relative_divergence(*field, Vec3::Zero(), 4, 1e-5, 2000,
                                                  [&](const Vec3& x) { return within(x) && x.x() > 0.01; }));
    for (std::uint64_t i = 0; i < 300; ++i) {
      const Vec3 way = random_direction({3, 7}, i);
      EXPECT_EQ(air_at(*field, 4.0001 * way), Vec3(0, 0, 0)) << kind;
      EXPECT_LT(air_at(*field, 3.999 * way).norm(), 1e-4) << kind;
      EXPECT_EQ(air_at(*field, 1.99 * way), air_at(*endless, 1.99 * way)) << kind;
    }
  }
  test::expect_case("field", "sources that end at a range: sum |div u| / sum |grad u|", worst, 0, 1e-5);
}

TEST(SourceOfWind, IsFiniteEverywhereWhateverItsSize) {
  for (const std::string& kind : kinds)
    for (const double range : {0.0, 1.0}) {
      Node node = field_node(kind);
      node.set("range", range);
      const Vec3 axis = kind == "fan" || kind == "jet" ? Vec3::UnitX() : Vec3::UnitY();
      EXPECT_TRUE(test::finite_everywhere(*made_field(node), Vec3::Zero(), axis, 0.1)) << kind;
      const char* size = kind == "jet" ? "diameter" : kind == "vortex" ? "core" : "radius";
      for (const double tiny : {0.0, 1e-12}) {
        node.set(size, tiny);
        EXPECT_TRUE(air_at(*made_field(node), Vec3::Zero()).allFinite()) << kind;
        EXPECT_TRUE(air_at(*made_field(node), Vec3(0.3, 0.3, 0.3)).allFinite()) << kind;
      }
    }
}

TEST(SourceOfWind, WithoutADirectionIsRefused) {
  for (const FieldKind& row : field_kinds()) {
    if (std::find(kinds.begin(), kinds.end(), row.schema->kind) == kinds.end()) continue;
    Node node = make_node(*row.schema, "one");
    node.set("direction", Vec3(0, 0, 0));
    const auto made = row.create(node, 1);
    ASSERT_FALSE(made) << row.schema->kind;
    EXPECT_EQ(made.error().expected, "must not be zero");
  }
}

TEST(SourceOfWind, IsANumberHoweverThin) {
  for (const std::string& kind : kinds)
    for (const double width : {0.0, 1e-300, 1e-160, 1e-30, 1e-9, 1e-6}) {
      Node node = field_node(kind);
      node.set(kind == "vortex" ? "core" : kind == "jet" ? "diameter" : "radius", width);
      const auto made = made_field(node);
      for (const Vec3& x : {Vec3(0, 0, 0), Vec3(1e-300, 0, 0), Vec3(1e-9, 1e-9, 0), Vec3(0.1, 0.2, 0.3)}) {
        Vec3 vorticity = Vec3::Zero();
        made->add_vorticity({&x, 1}, {}, {&vorticity, 1});
        EXPECT_TRUE(air_at(*made, x).allFinite()) << kind << " " << width << " at " << x.transpose();
        EXPECT_TRUE(vorticity.allFinite()) << kind << " " << width << " at " << x.transpose();
      }
    }
}

TEST(SourceOfWind, MovesOnWithItsTravel) {
  for (const std::string& kind : kinds) {
    Node node = field_node(kind);
    const auto still = made_field(node);
    node.set("travel", Vec3(2, -1, 0.5));
    const auto moving = made_field(node);
    EXPECT_FALSE(moving->has_pressure());
    for (std::uint64_t i = 0; i < 50; ++i) {
      const Vec3 x = random_direction({5, 6}, i);
      EXPECT_EQ(air_at(*moving, x, 0), air_at(*still, x, 0)) << kind;
      EXPECT_LT((air_at(*moving, x + 4 * Vec3(2, -1, 0.5), 4) - air_at(*still, x, 4)).norm(),
                1e-9 * (1 + air_at(*still, x, 4).norm()))
          << kind;
    }
  }
}

TEST(SourceOfWind, TurnsWithItsDirection) {
  const Quat turn(Eigen::AngleAxisd(1.1, Vec3(1, 2, -0.5).normalized()));
  for (const std::string& kind : kinds) {
    Node node = field_node(kind), turned = node;
    if (kind == "vortex") node.set("updraft", 2.0), turned.set("updraft", 2.0);
    const Vec3 axis = kind == "fan" || kind == "jet" ? Vec3::UnitX() : Vec3::UnitY(), middle(0.3, -2, 1);
    turned.set("direction", Vec3(0.7 * (turn * axis)));  // The direction need not be a unit vector.
    turned.set("position", middle);
    const auto one = made_field(node), other = made_field(turned);
    for (std::uint64_t i = 0; i < 100; ++i) {
      const Vec3 x = random_direction({5, 5}, i);
      EXPECT_LT((air_at(*other, middle + turn * x) - turn * air_at(*one, x)).norm(),
                1e-9 * (1 + air_at(*one, x).norm()))
          << kind;
    }
  }
}

}  // namespace
}  // namespace vw
