// Particles in air: spheres with drag by Reynolds number, tracers, and puffs of smoke.
#include <cmath>

#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "sim/field/drag/sphere_drag.h"
#include "sim/system/particles/particles.h"
#include "tests/support/checked.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using test::expect_case;

/// A velocity field that is given by a function.
class Air final : public Field {
 public:
  explicit Air(std::function<Vec3(const Vec3&, double)> u) : u_(std::move(u)) {}
  void add_velocity(std::span<const Vec3> position, const FieldMoment& moment,
                    std::span<Vec3> velocity) const override {
    for (std::size_t i = 0; i < position.size(); ++i) velocity[i] += u_(position[i], moment.time);
  }

 private:
  std::function<Vec3(const Vec3&, double)> u_;
};

using Settings = std::vector<std::pair<std::string, Value>>;

/// Particles of one emitter in air of the given velocity.
struct CloudInAir {
  Schema world_schema{
      "world", "", {{.name = "seed", .type = ParamType::integer, .default_value = Value(std::int64_t{3})}}, {}};
  Schema scene_schema{"scene",
                      "",
                      {},
                      {{.name = "world", .many = false, .kinds = {&world_schema}, .doc = ""},
                       {.name = "system", .kinds = {&particles_schema()}, .doc = ""}}};
  Node scene = make_node(scene_schema);
  std::unique_ptr<System> system;
  FieldSet fields;
  std::vector<Collider> colliders;
  StepContext context;

  CloudInAir(const Settings& settings, const char* emitter, const Settings& of_emitter,
             std::function<Vec3(const Vec3&, double)> air) {
    Node& node = add_child(scene, "system", "particles", "dust");
    for (const auto& [key, value] : settings) EXPECT_TRUE(set_parameter(node, key, value)) << key;
    Node& source = add_child(node, "emitter", emitter, "source");
    for (const auto& [key, value] : of_emitter) EXPECT_TRUE(set_parameter(source, key, value)) << key;
    system = test::checked(create_particles(*scene.find("system", "dust"), scene));
    fields.add("air", std::make_unique<Air>(std::move(air)));
    context.fields = &fields;
  }
  void run(double seconds, double dt = 1.0 / 120) {
    context.dt = dt;
    for (const double end = context.time + seconds - 0.5 * dt; context.time < end; ++context.step) {
      context.colliders = colliders;
      system->begin_step(context);
      system->substep(context, context.time, dt);
      system->end_step(context);
      context.time += dt;
    }
  }
  [[nodiscard]] const Elements& elements() const { return system->elements(); }
  std::uint64_t hash() {
    StateHasher hasher;
    system->visit_state(hasher);
    return hasher.digest();
  }
};

Vec3 still(const Vec3&, double) { return Vec3::Zero(); }

/// Returns one particle that starts at rest, high above the ground.
Settings one(double radius, double density) {
  return {{"burst", Value(std::int64_t{1})},    {"rate", Value(0.0)},     {"speed", Value(0.0)},
          {"position", Value(Vec3(0, 900, 0))}, {"lifetime", Value(0.0)}, {"particle_radius", Value(radius)},
          {"particle_density", Value(density)}};
}
const Settings sphere{{"drag", Value(std::string("sphere"))}};

TEST(ParticleWind, TheDragThatPicturesShowHoldsTheWeightAtTerminalSpeedAndIsNoneWithoutDrag) {
  CloudInAir drop(sphere, "point", one(1e-4, 1000), still);
  drop.run(3);
  ASSERT_EQ(drop.system->vector_channels().size(), 1U);
  EXPECT_EQ(drop.system->vector_channels()[0].name + " " + drop.system->vector_channels()[0].unit, "drag N");
  std::vector<Vec3f> drag;
  drop.system->vector_channel(0, drag);
  ASSERT_EQ(drag.size(), 1U);
  const double weight = drop.elements().mass[0] * 9.81;
  EXPECT_NEAR(static_cast<double>(drag[0].y()) / weight, 1, 1e-3);
  CloudInAir blown({{"drag_time", Value(0.5)}}, "point", one(1e-3, 1000),
                   [](const Vec3&, double) { return Vec3(8, 0, 0); });
  blown.run(1.0 / 120);
  blown.system->vector_channel(0, drag);
  const double mass = blown.elements().mass[0], u = 8 - blown.elements().velocity[0].x();
  EXPECT_NEAR(static_cast<double>(drag[0].x()), mass * u / 0.5, 1e-4 * mass * u);
  CloudInAir free({}, "point", one(1e-3, 1000), still);
  free.run(0.1);
  free.system->vector_channel(0, drag);
  EXPECT_EQ(drag[0], Vec3f::Zero());
}

TEST(ParticleWind, BallsFallAtTheirTerminalSpeed) {
  const double g = 9.81, rho = 1.2, mu = 1.8e-5;
  // A cloud droplet falls at the Stokes speed 2 rho r^2 g / 9 mu (mu: viscosity of air). At a Reynolds number of 0.016,
  // the drag is 0.9 % larger.
  CloudInAir droplet(sphere, "point", one(1e-5, 1000), still);
  droplet.run(0.2);
  const double stokes = 2 * 1000 * 1e-10 * g / (9 * mu);
  expect_case("particles", "terminal speed of a droplet of 10 um", -droplet.elements().velocity[0].y(), stokes, 0.01,
              "m/s");
  // Cases: raindrop, hailstone and iron ball. The expected speed is the speed at which the drag, computed by the
  // formula below, balances the weight.
  struct Case {
    const char* name;
    double radius, density, seconds;
  };
  for (const Case& c : {Case{"raindrop of 1 mm", 0.5e-3, 1000, 3}, Case{"hailstone of 2 cm", 0.01, 917, 15},
                        Case{"2 cm ball of iron", 0.01, 7870, 40}}) {
    Settings high = one(c.radius, c.density);
    high[3].second = Value(Vec3(0, 5000, 0));
    Settings far = sphere;
    far.emplace_back("keep_within", Value(1e5));
    CloudInAir ball(far, "point", high, still);
    ball.run(c.seconds);
    double low = 0, most = 1000;
    for (int i = 0; i < 100; ++i) {
      const double v = 0.5 * (low + most), re = 2 * rho * c.radius * v / mu;
      const double drag = 24 / re * (1 + 0.15 * std::pow(re, 0.687)) + 0.42 / (1 + 42500 * std::pow(re, -1.16));
      (3.0 / 8 * drag * rho * v * v / c.radius < c.density * g ? low : most) = v;
    }
    expect_case("particles", std::string("terminal speed of a ") + c.name, -ball.elements().velocity[0].y(), low, 1e-3,
                "m/s");
  }
}

TEST(ParticleWind, FallBySquareLawIsOfSecondOrder) {
  // Above a Reynolds number of 3e5 (2.25 m/s for a radius of 1 m), the drag coefficient is constant, so v = v_t tanh(g
  // t / v_t) with the terminal speed v_t. The ball is in an upward wind of half the terminal speed.
  const double radius = 1, density = 20, mass = density * 4 / 3 * pi,
               v_t = terminal_speed(DragMedium{}, radius, mass * 9.81);
  double error[2] = {};
  for (int k = 0; k < 2; ++k) {
    CloudInAir ball(sphere, "point", one(radius, density), [&](const Vec3&, double) { return Vec3(0, 0.5 * v_t, 0); });
    ball.run(1, k == 0 ? 0.02 : 0.01);
    const double fallen = std::atanh(0.5) + 9.81 / v_t;
    error[k] = std::abs(-ball.elements().velocity[0].y() + 0.5 * v_t - v_t * std::tanh(fallen));
  }
  test::record_case("particles", "fall of a large ball by the square law after 1 s, speed error at dt = 10 ms [m/s]",
                    error[1], 0, 1e-3);
  EXPECT_LT(error[1], 1e-3);
  EXPECT_GT(error[0] / error[1], 3);
}

TEST(ParticleWind, FineDustGoesWithTheWind) {
  // A grain of radius r = 1 um follows the air after its relaxation time 2 rho r^2 / 9 mu = 12 us. Afterwards its
  // velocity differs from that of the air only by the settling speed.
  Settings fine = one(1e-6, 1000);
  CloudInAir dust(sphere, "point", fine, [](const Vec3&, double) { return Vec3(3, 0, -1); });
  dust.run(0.1);
  const double settling = 2 * 1000 * 1e-12 * 9.81 / (9 * 1.8e-5);
  EXPECT_LT((dust.elements().velocity[0] - Vec3(3, -settling, -1)).norm(), 1e-6);
}

TEST(ParticleWind, LinearDragIsAsItWas) {
  // If the drag time is given, the density of the air must have no effect.
  CloudInAir plain({{"drag_time", Value(0.3)}}, "point", one(0.01, 100), still);
  CloudInAir other({{"drag_time", Value(0.3)}, {"air_density", Value(50.0)}}, "point", one(0.01, 100), still);
  plain.run(0.5), other.run(0.5);
  EXPECT_EQ(plain.elements().velocity[0], other.elements().velocity[0]);
  EXPECT_NEAR(plain.elements().velocity[0].y(), -0.3 * 9.81 * (1 - std::exp(-0.5 / 0.3)), 1e-12);
}

/// Returns the velocity [m/s] of a steady vortex of 2 rad/s about y with an upward flow.
Vec3 swirl(const Vec3& x, double) { return Vec3(2 * x.z(), 0.1, -2 * x.x()); }

TEST(ParticleWind, TracerGoesExactlyWithTheAir) {
  Settings where = one(0.001, 1);
  where[3].second = Value(Vec3(0.5, 0, 0));
  CloudInAir tracer({{"drag", Value(std::string("follow"))}}, "point", where, swirl);
  tracer.run(2 * pi, 2 * pi / 720);  // two revolutions
  const Vec3& x = tracer.elements().position[0];
  // The midpoint rule increases the radius by a relative amount of (w h)^4 / 8 in each step (w: angular velocity, h:
  // step). The total is 4.2 um.
  expect_case("particles", "tracer in a vortex, radius after two rounds by the midpoint rule", std::hypot(x.x(), x.z()),
              0.5, 1e-5, "m");
  EXPECT_LT((x - Vec3(0.5, 0.2 * pi, 0)).norm(), 5e-4);
  EXPECT_LT((tracer.elements().velocity[0] - swirl(x, 0)).norm(), 0.02);
}

TEST(ParticleWind, TracersAreWeightless) {
  CloudInAir tracer({{"drag", Value(std::string("follow"))}}, "point", one(1e-3, 1000), still);
  CloudInAir grain({}, "point", one(1e-3, 1000), still);
  for (CloudInAir* cloud : {&tracer, &grain}) cloud->run(0.1);
  ASSERT_EQ(tracer.elements().size(), 1U);
  EXPECT_EQ(tracer.system->diagnostics(tracer.context).potential, 0);
  EXPECT_GT(grain.system->diagnostics(grain.context).potential, 0);
}

TEST(ParticleWind, TracersStayOutOfObstaclesAndStopWithTheAir) {
  // Wind blows into the ground, and tracers come to rest on the ground. When the wind stops, the tracers must stay in
  // place.
  Collider ground;
  ground.name = "ground";
  ground.shape = PlaneShape{};
  Settings cloud = one(0.01, 1);
  cloud[0].second = Value(std::int64_t{200});
  cloud[3].second = Value(Vec3(0, 0.5, 0));
  cloud.emplace_back("size", Value(Vec3(0.4, 0.4, 0.4)));
  CloudInAir tracers({{"drag", Value(std::string("follow"))}}, "box", cloud,
                     [](const Vec3&, double t) { return t < 2 ? Vec3(0.3, -1, 0) : Vec3::Zero().eval(); });
  tracers.colliders.push_back(ground);
  tracers.run(2);
  for (const Vec3& x : tracers.elements().position) EXPECT_NEAR(x.y(), 0.01, 1e-3);
  tracers.run(0.1);
  for (const Vec3& v : tracers.elements().velocity) EXPECT_EQ(v, Vec3::Zero());
}

TEST(ParticleWind, SameBitsAtAnyNumberOfThreads) {
  const auto hash = [&](const char* drag, int threads) {
    set_thread_count(threads);
    Settings many{{"rate", Value(40000.0)},
                  {"spread", Value(1.0)},
                  {"particle_radius_jitter", Value(0.9)},
                  {"particle_density", Value(500.0)}};
    CloudInAir cloud({{"drag", Value(std::string(drag))}, {"radius", Value(1e-3)}}, "point", many, swirl);
    Collider ground;
    ground.name = "ground";
    ground.shape = PlaneShape{};
    cloud.colliders.push_back(ground);
    cloud.run(0.5);
    return cloud.hash();
  };
  const int before = thread_count();
  for (const char* drag : {"sphere", "follow"}) {
    const std::uint64_t alone = hash(drag, 1);
    EXPECT_EQ(hash(drag, 2), alone) << drag;
    EXPECT_EQ(hash(drag, 3), alone) << drag;
  }
  set_thread_count(before);
}

TEST(ParticleWind, PuffsGrowInThePictureAndTouchAsTheyWere) {
  Settings puff = one(0.02, 1);
  puff[4].second = Value(1.0);
  puff.emplace_back("size_middle", Value(3.0));
  puff.emplace_back("size_death", Value(9.0));
  puff.emplace_back("opacity_birth", Value(0.5));
  puff.emplace_back("opacity_death", Value(0.0));
  for (const bool soft : {false, true}) {
    CloudInAir smoke({{"soft", Value(soft)}, {"drag", Value(std::string("follow"))}}, "point", puff, still);
    smoke.run(0.75);
    SystemSnapshot picture;
    smoke.system->snapshot(picture);
    EXPECT_EQ(picture.use_look<SphereLook>().soft, soft);
    EXPECT_NEAR(picture.size[0], 0.12F, 1e-6F);
    EXPECT_NEAR(picture.tint[0].w(), 0.5F, 0.26F);
    EXPECT_NEAR(smoke.elements().radius[0], soft ? 0.02 : 0.12, 1e-9);
  }
}

}  // namespace
}  // namespace vw
