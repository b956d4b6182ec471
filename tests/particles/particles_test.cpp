// The particle system: emitters, drag, capacity, state, and bitwise identical results at any thread count.
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "sim/system/particles/particles.h"
#include "tests/support/checked.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using test::record_case;

/// A system built from settings, with the fields, the colliders and the context that a step needs.
struct Bench {
  Schema scene_schema{"scene",
                      "",
                      {},
                      {{.name = "world", .many = false, .kinds = {&world_schema()}, .doc = ""},
                       {.name = "system", .kinds = {&particles_schema()}, .doc = ""}}};
  Node scene = make_node(scene_schema);
  std::unique_ptr<System> system;
  FieldSet fields;
  std::vector<Collider> colliders;
  StepContext context;

  static const Schema& world_schema() {
    static const Schema schema{
        "world", "", {{.name = "seed", .type = ParamType::integer, .default_value = Value(std::int64_t{3})}}, {}};
    return schema;
  }

  Bench(const std::vector<std::pair<std::string, Value>>& values, const char* emitter = nullptr,
        const std::vector<std::pair<std::string, Value>>& emitter_values = {}) {
    Node& node = add_child(scene, "system", "particles", "dust");
    for (const auto& [key, value] : values) EXPECT_TRUE(set_parameter(node, key, value)) << key;
    if (emitter != nullptr) {
      Node& source = add_child(node, "emitter", emitter, "source");
      for (const auto& [key, value] : emitter_values) EXPECT_TRUE(set_parameter(source, key, value)) << key;
    }
    system = test::checked(create_particles(*scene.find("system", "dust"), scene));
    context.fields = &fields;
    context.dt = 1.0 / 120;
  }
  void step(int times = 1) {
    for (int i = 0; i < times; ++i) {
      context.colliders = colliders;
      system->begin_step(context);
      system->substep(context, context.time, context.dt);
      system->end_step(context);
      context.time += context.dt;
      ++context.step;
    }
  }
  std::uint64_t hash() {
    StateHasher hasher;
    system->visit_state(hasher);
    return hasher.digest();
  }
};

TEST(Particles, AnEmitterKeepsItsRateAndAges) {
  Bench bench({}, "point", {{"rate", Value(1000.0)}, {"lifetime", Value(0.5)}, {"speed", Value(1.0)}});
  bench.step(240);
  // At a rate of 1,000/s and a lifetime of half a second, 500 particles live at any time. Births and deaths are rounded
  // to steps of 1/120 s, so the tolerance is 10.
  EXPECT_NEAR(static_cast<double>(bench.system->elements().size()), 500, 10);
  std::set<std::uint32_t> ids(bench.system->elements().id.begin(), bench.system->elements().id.end());
  EXPECT_EQ(ids.size(), bench.system->elements().size());
}

TEST(Particles, ARepulsionWithoutGainLimitsNoSubstep) {
  const auto has_limit = [](double gain) {
    Bench bench({{"repulsion", Value(std::string("spring"))}, {"repulsion_gain", Value(gain)}}, "point");
    bench.step(2);
    std::vector<Total> totals;
    bench.system->totals(totals);
    for (const Total& total : totals) EXPECT_TRUE(std::isfinite(total.value)) << total.name;
    return std::any_of(totals.begin(), totals.end(),
                       [](const Total& total) { return total.name == "repulsion_stable_dt"; });
  };
  EXPECT_TRUE(has_limit(100));
  EXPECT_FALSE(has_limit(0));
}

TEST(Particles, ABurstIsThereBeforeTheFirstStep) {
  Bench bench({}, "box",
              {{"burst", Value(std::int64_t{200})},
               {"rate", Value(0.0)},
               {"size", Value(Vec3(1, 2, 3))},
               {"speed", Value(0.0)}});
  ASSERT_EQ(bench.system->elements().size(), 200U);
  for (const Vec3& x : bench.system->elements().position)
    EXPECT_TRUE(((x - Vec3(0, 0.5, 0)).cwiseAbs().array() <= Vec3(0.5, 1, 1.5).array()).all());
  bench.step(3);
  EXPECT_EQ(bench.system->elements().size(), 200U);
}

TEST(Particles, ADiscEmitsAcrossItsDirectionWithinItsCone) {
  const Vec3 axis = Vec3(1, 2, -1).normalized();
  Bench bench({{"gravity_scale", Value(0.0)}}, "disc",
              {{"burst", Value(std::int64_t{2000})},
               {"rate", Value(0.0)},
               {"direction", Value(Vec3(1, 2, -1))},
               {"radius", Value(0.2)},
               {"spread", Value(0.3)},
               {"speed", Value(2.0)}});
  const Elements& e = bench.system->elements();
  double mean_cos = 0;
  for (std::size_t i = 0; i < e.size(); ++i) {
    const Vec3 offset = e.position[i] - Vec3(0, 0.5, 0);
    ASSERT_NEAR(offset.dot(axis), 0, 1e-12);
    ASSERT_LE(offset.norm(), 0.2 + 1e-12);
    ASSERT_NEAR(e.velocity[i].norm(), 2, 1e-12);
    const double c = e.velocity[i].dot(axis) / 2;
    ASSERT_GE(c, std::cos(0.3) - 1e-12);
    mean_cos += c / static_cast<double>(e.size());
  }
  // Mean cosine of directions that are uniform in solid angle within a cone of 0.3 rad.
  EXPECT_NEAR(mean_cos, (1 + std::cos(0.3)) / 2, 5e-3 * (1 - std::cos(0.3)) * 10);
}

TEST(Particles, FallAsGravitySays) {
  Bench bench({}, "point",
              {{"burst", Value(std::int64_t{1})},
               {"rate", Value(0.0)},
               {"speed", Value(0.0)},
               {"position", Value(Vec3(0, 50, 0))},
               {"lifetime", Value(0.0)}});
  bench.step(120);
  // The exact result of symplectic Euler after n steps is y = y_0 - g dt^2 n (n + 1) / 2.
  const double expected = 50 - 9.81 / (120.0 * 120.0) * 120 * 121 / 2;
  record_case("particles", "free fall of 1 s by symplectic Euler, height [m]", bench.system->elements().position[0].y(),
              expected, 1e-10);
  EXPECT_NEAR(bench.system->elements().position[0].y(), expected, 1e-9);
}

TEST(Particles, DragTowardTheWindIsExponential) {
  Bench bench({{"drag_time", Value(0.4)}}, "point",
              {{"burst", Value(std::int64_t{1})},
               {"rate", Value(0.0)},
               {"speed", Value(3.0)},
               {"direction", Value(Vec3(0, 0, 1))},
               {"position", Value(Vec3(0, 50, 0))},
               {"lifetime", Value(0.0)}});
  for (const auto& kind : field_kinds())
    if (kind.schema->kind == "uniform") {
      Node wind = make_node(*kind.schema, "wind");
      ASSERT_TRUE(set_parameter(wind, "velocity", Value(Vec3(2, 0, 0))));
      bench.fields.add("wind", std::move(*kind.create(wind, 1)));
    }
  bench.step(120);
  const Vec3 limit = Vec3(2, 0, 0) + 0.4 * Vec3(0, -9.81, 0);
  const Vec3 expected = limit + (Vec3(0, 0, 3) - limit) * std::exp(-1 / 0.4);
  const double error = (bench.system->elements().velocity[0] - expected).norm();
  record_case("particles", "drag to a wind with gravity after 2.5 tau, |velocity error| [m/s]", error, 0, 1e-12);
  EXPECT_LT(error, 1e-12);
}

TEST(Particles, AnImpulseActsOnceAndExactly) {
  Bench bench(
      {{"mass", Value(0.25)}, {"gravity_scale", Value(0.0)}}, "point",
      {{"burst", Value(std::int64_t{1})}, {"rate", Value(0.0)}, {"speed", Value(0.0)}, {"lifetime", Value(0.0)}});
  bench.system->elements().room_for_impulses().impulse[0] = Vec3(1, 2, 3);
  bench.step(5);
  EXPECT_EQ(bench.system->elements().velocity[0], Vec3(4, 8, 12));
  EXPECT_TRUE(bench.system->elements().impulse.empty());
}

TEST(Particles, CapacityIsKeptAndRoomIsUsedAgain) {
  Bench bench({{"capacity", Value(std::int64_t{50})}}, "point",
              {{"rate", Value(1e5)}, {"lifetime", Value(0.1)}, {"lifetime_jitter", Value(0.5)}});
  std::uint32_t newest = 0;
  for (int i = 0; i < 100; ++i) {
    bench.step();
    ASSERT_LE(bench.system->elements().size(), 50U);
    if (!bench.system->elements().id.empty()) newest = bench.system->elements().id.back();
  }
  EXPECT_GT(newest, 200U);
}

TEST(Particles, FarAwayOnesAreRemoved) {
  Bench bench({{"keep_within", Value(2.0)}}, "point",
              {{"rate", Value(100.0)}, {"speed", Value(100.0)}, {"lifetime", Value(0.0)}});
  bench.step(120);
  for (const Vec3& x : bench.system->elements().position) EXPECT_LT(x.norm(), 4);
}

TEST(Particles, SameBitsAtAnyThreadCountAndAfterRestoring) {
  const auto run = [](int threads, bool restore) {
    set_thread_count(threads);
    Bench bench({{"drag_time", Value(0.3)}}, "box",
                {{"burst", Value(std::int64_t{6000})},
                 {"rate", Value(5000.0)},
                 {"spread", Value(1.0)},
                 {"lifetime", Value(0.3)}});
    Node turbulence = make_node(*field_kinds()[0].schema, "wind");
    bench.fields.add("wind", std::move(*field_kinds()[0].create(turbulence, 1)));
    bench.colliders.resize(1);
    bench.step(20);
    if (restore) {
      StateBlock block;
      StateWriter writer(block);
      bench.system->visit_state(writer);
      const double time = bench.context.time;
      bench.step(7);
      StateReader reader(block);
      bench.system->visit_state(reader);
      EXPECT_EQ(reader.error(), "");
      bench.system->state_restored();
      bench.context.time = time;
    }
    bench.step(10);
    return bench.hash();
  };
  const auto alone = run(1, false);
  for (const int threads : {2, 3, 8}) EXPECT_EQ(run(threads, false), alone) << threads;
  EXPECT_EQ(run(2, true), alone);
  set_thread_count(0);
}

TEST(Particles, AnEmitterWithoutDirectionSaysSo) {
  Bench bench({});
  Node& source = add_child(bench.scene.children.back(), "emitter", "point", "jet");
  source.line = 12;
  ASSERT_TRUE(set_parameter(source, "direction", Value(Vec3(0, 0, 0))));
  const auto made = create_particles(*bench.scene.find("system", "dust"), bench.scene);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message(), "system.dust.emitter.jet.direction = [0, 0, 0]: must not be zero");
  EXPECT_EQ(made.error().line, 12);
}

TEST(Particles, AnEmittersMeshThatIsNoneIsSaidOnTheScenesLine) {
  Bench bench({});
  Node& source = add_child(bench.scene.children.back(), "emitter", "mesh", "jug");
  source.line = 12;
  ASSERT_TRUE(set_parameter(source, "source", Value(std::string("/nowhere/jug.obj"))));
  const auto made = create_particles(*bench.scene.find("system", "dust"), bench.scene);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message(),
            "system.dust.emitter.jug.source: /nowhere/jug.obj: cannot be opened: No such file or directory");
  EXPECT_EQ(made.error().file, "");
  EXPECT_EQ(made.error().line, 12);
}

TEST(Particles, HealthNamesTheOneThatIsNotFinite) {
  Bench bench({}, "point", {{"burst", Value(std::int64_t{5})}, {"lifetime", Value(0.0)}});
  EXPECT_FALSE(bench.system->check_health());
  bench.system->elements().velocity[3].x() = std::nan("");
  const auto issue = bench.system->check_health();
  ASSERT_TRUE(issue);
  EXPECT_EQ(issue->element, 3);
}

}  // namespace
}  // namespace vw
