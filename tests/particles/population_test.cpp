// Births, deaths, ages and appearance of the particles of a system. A full system must not allocate memory, and it must
// be possible to roll back every step.
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "sim/system/particles/particles.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/checked.h"

namespace vw {
namespace {

using Settings = std::vector<std::pair<std::string, Value>>;

/// A particle system with one emitter above a plane.
struct Rig {
  Schema scene_schema{"scene", "", {}, {{.name = "system", .kinds = {&particles_schema()}, .doc = ""}}};
  Node scene = make_node(scene_schema);
  std::unique_ptr<System> system;
  FieldSet fields;
  std::vector<Collider> colliders{1};
  StepContext context;

  Rig(const Settings& values, const char* emitter, const Settings& emitter_values) {
    Node& node = add_child(scene, "system", "particles", "dust");
    for (const auto& [key, value] : values) EXPECT_TRUE(set_parameter(node, key, value)) << key;
    Node& source = add_child(node, "emitter", emitter, "source");
    for (const auto& [key, value] : emitter_values) EXPECT_TRUE(set_parameter(source, key, value)) << key;
    system = test::checked(create_particles(*scene.find("system", "dust"), scene));
    context.fields = &fields;
    colliders.front().name = "a_ground_with_a_name_that_is_no_short_string";
    context.colliders = colliders;
  }
  /// Makes the same calls as a step of a world.
  void step() {
    (void)system->keep_state();
    system->begin_step(context);
    system->substep(context, context.time, context.dt);
    system->end_step(context);
    context.time += context.dt;
    ++context.step;
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) step();
  }
  std::uint64_t hash() {
    StateHasher hasher;
    system->visit_state(hasher);
    return hasher.digest();
  }
  [[nodiscard]] std::vector<float> channel(std::string_view name) const {
    std::vector<float> values;
    const auto all = system->channels();
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].name == name) system->channel(i, values);
    return values;
  }
};

const Settings fountain{{"rate", Value(40000.0)},
                        {"lifetime", Value(0.2)},
                        {"lifetime_jitter", Value(0.5)},
                        {"spread", Value(1.0)},
                        {"speed", Value(3.0)},
                        {"speed_jitter", Value(0.5)},
                        {"particle_radius_jitter", Value(0.5)},
                        {"size_middle", Value(2.0)},
                        {"size_death", Value(0.0)},
                        {"color_from", Value(std::string("life"))}};

TEST(Population, BirthsCrossNoWall) {
  // A stream of 5 m/s hits a thin wall at a distance of 2.5 cm from the source. In steps of 1/60 s, most particles
  // would begin or end their first step beyond the wall.
  for (const bool sheet : {false, true})
    for (const char* emitter : {"point", "box"}) {
      Settings stream{{"rate", Value(6000.0)},
                      {"speed", Value(5.0)},
                      {"position", Value(Vec3(0, 1, 0))},
                      {"direction", Value(Vec3(1, 0, 0))}};
      if (std::string(emitter) == "box") {
        stream.emplace_back("from", Value(std::string("surface")));
        stream.emplace_back("size", Value(Vec3::Constant(0.01).eval()));
      }
      Rig rig({{"radius", Value(0.001)}, {"gravity_scale", Value(0.0)}, {"detection", Value(std::string("swept"))}},
              emitter, stream);
      rig.context.dt = 1.0 / 60;
      for (const double side : {-1.0, 1.0}) {
        Collider wall;
        wall.shape = BoxShape{Vec3(0.002, 2, 2)};
        wall.position = Vec3(0.025 * side, 1, 0);
        wall.two_sided = sheet;
        rig.colliders.push_back(wall);
      }
      rig.context.colliders = rig.colliders;
      rig.run(30);
      for (const Vec3& x : rig.system->elements().position)
        ASSERT_LT(std::abs(x.x()), 0.025) << emitter << (sheet ? " sheet" : " solid");
    }
}

TEST(Population, RecyclesWithoutAllocating) {
  Rig rig({{"capacity", Value(std::int64_t{6000})}, {"drag_time", Value(0.5)}, {"kill_on_contact", Value(true)}},
          "point", fountain);
  set_thread_count(1);  // the allocation counter counts only on this thread, so all loops must run on this thread
  rig.fields.add("wind", std::move(*field_kinds()[0].create(make_node(*field_kinds()[0].schema, "wind"), 1)));
  SystemSnapshot picture;
  std::vector<float> speed;
  std::vector<Total> totals;
  const auto step_and_look = [&] {
    rig.step();
    rig.system->snapshot(picture);
    rig.system->channel(0, speed);
    rig.system->totals(totals);
    (void)rig.system->diagnostics(rig.context);
    EXPECT_FALSE(rig.system->check_health());
  };
  for (int i = 0; i < 120; ++i) step_and_look();
  const double born = totals[0].value;
  allocations = 0;
  counting = true;
  for (int i = 0; i < 60; ++i) step_and_look();
  counting = false;
  EXPECT_EQ(allocations, 0U);
  EXPECT_GT(totals[0].value, born + 10000);  // many particles were born and died in between
  set_thread_count(0);
}

TEST(Population, DeathsKeepTheOrderOfBirth) {
  Rig rig({}, "point", fountain);
  for (int i = 0; i < 60; ++i) {
    rig.step();
    const auto& id = rig.system->elements().id;
    ASSERT_TRUE(std::is_sorted(id.begin(), id.end()));
    ASSERT_EQ(std::adjacent_find(id.begin(), id.end()), id.end());
  }
  EXPECT_GT(rig.system->elements().size(), 5000U);
}

TEST(Population, FromItsBirthOnAParticleFliesItsOwnParabola) {
  for (const char* emitter : {"point", "sphere"})
    for (const int substeps : {1, 3}) {
      Rig rig({{"integrator", Value(std::string("velocity_verlet"))}}, emitter,
              {{"rate", Value(333.0)},
               {"speed", Value(3.0)},
               {"lifetime", Value(0.0)},
               {"position", Value(Vec3(0, 5, 0))}});
      rig.context.dt = 1.0 / 30;
      if (std::string(emitter) == "sphere") {
        ASSERT_TRUE(set_parameter(rig.scene.children.front().children.front(), "from", Value(std::string("surface"))));
        ASSERT_TRUE(rig.system->configure(rig.scene.children.front(), rig.scene));
      }
      for (int i = 0; i < 6; ++i) {
        rig.system->begin_step(rig.context);
        const double part = rig.context.dt / substeps;
        for (int k = 0; k < substeps; ++k) rig.system->substep(rig.context, rig.context.time + k * part, part);
        rig.system->end_step(rig.context);
        rig.context.time += rig.context.dt;
      }
      // Rows are in order of birth. Particle k is born at the time (k + 1) / rate.
      const Elements& e = rig.system->elements();
      ASSERT_EQ(e.size(), 66U);
      for (std::size_t k = 0; k < e.size(); ++k) {
        const double age = 0.2 - static_cast<double>(k + 1) / 333;
        const Vec3 fall = -9.81 * age * Vec3::UnitY(), v0 = e.velocity[k] - fall;
        EXPECT_NEAR(v0.norm(), 3, 1e-9) << emitter << " " << k;
        const Vec3 from = e.position[k] - age * v0 - 0.5 * age * fall;
        if (std::string(emitter) == "point")
          EXPECT_LT((from - Vec3(0, 5, 0)).norm(), 1e-9) << k;
        else
          EXPECT_NEAR((from - Vec3(0, 5, 0)).norm(), 0.105, 1e-9) << k;
      }
    }
}

TEST(Population, LivesEndWhenTheyShould) {
  Rig rig({{"gravity_scale", Value(0.0)}}, "point",
          {{"rate", Value(6000.0)}, {"lifetime", Value(0.3)}, {"lifetime_jitter", Value(0.5)}});
  rig.run(120);
  // Births are uniform in time, so the fraction of particles older than a equals the fraction of lifetimes longer than
  // a. This fraction is 1 up to 0.15 s and 0 from 0.45 s on.
  const auto age = rig.channel("age");
  EXPECT_LT(*std::max_element(age.begin(), age.end()), 0.45F + 1e-4F);
  EXPECT_GE(*std::min_element(age.begin(), age.end()), 0);
  // The expected number is 6,000 per second times the mean lifetime of 0.3 s. The tolerance allows for deaths within
  // the step and for the scatter of 1,800 draws.
  EXPECT_NEAR(static_cast<double>(age.size()), 1800, 60);
}

TEST(Population, EveryStepCanBeTakenBack) {
  for (const double lifetime : {0.2, 0.0}) {  // with and without deaths
    Settings settings = fountain;
    settings[1].second = Value(lifetime);
    Rig rig({{"kill_on_contact", Value(lifetime == 0)}}, "point", settings);
    rig.run(50);
    for (int i = 0; i < 20; ++i) {
      rig.system->elements().room_for_impulses().impulse[3] = Vec3(0, 1e-5 * i, 0);
      const auto before = rig.hash();
      const StepContext at = rig.context;
      rig.step();
      EXPECT_NE(rig.hash(), before);
      rig.system->return_to_kept_state();
      rig.system->state_restored();
      rig.context = at;
      ASSERT_EQ(rig.hash(), before) << lifetime << " " << i;
      rig.step();
    }
  }
}

TEST(Population, SizeColourAndOpacityFollowTheAge) {
  Rig rig({{"gravity_scale", Value(0.0)}, {"radius", Value(0.02)}}, "point",
          {{"rate", Value(0.0)},
           {"burst", Value(std::int64_t{1})},
           {"speed", Value(0.0)},
           {"position", Value(Vec3(0, 5, 0))},
           {"lifetime", Value(1.0)},
           {"middle_at", Value(0.25)},
           {"size_birth", Value(0.5)},
           {"size_middle", Value(2.0)},
           {"size_death", Value(1.0)},
           {"color_from", Value(std::string("life"))},
           {"color_birth", Value(Vec3(1, 0, 0))},
           {"color_middle", Value(Vec3(0, 1, 0))},
           {"color_death", Value(Vec3(0, 0, 1))},
           {"opacity_birth", Value(0.0)},
           {"opacity_death", Value(0.5)}});
  SystemSnapshot picture;
  const auto expect = [&](double radius, const Vec4f& tint) {
    rig.system->snapshot(picture);
    ASSERT_EQ(picture.tint.size(), 1U);
    EXPECT_NEAR(picture.size[0], radius, 1e-6);
    EXPECT_NEAR(rig.system->elements().radius[0], radius, 1e-12);
    EXPECT_LT((picture.tint[0] - tint).norm(), 1e-5F) << picture.tint[0].transpose();
  };
  expect(0.01, Vec4f(1, 0, 0, 0));
  rig.run(15);  // an eighth of a second
  expect(0.025, Vec4f(0.5F, 0.5F, 0, 0.5F));
  rig.run(15);
  expect(0.04, Vec4f(0, 1, 0, 1));
  rig.run(45);  // half-way from the middle to the end of the life
  expect(0.03, Vec4f(0, 0.5F, 0.5F, 0.75F));
}

TEST(Population, NoTintsWhereNobodyAsksForThem) {
  Rig rig({}, "point", {{"rate", Value(1000.0)}});
  rig.run(10);
  SystemSnapshot picture;
  rig.system->snapshot(picture);
  EXPECT_TRUE(picture.tint.empty());
  ASSERT_EQ(picture.palette.size(), 1U);
}

TEST(Population, WhatTouchesIsRemovedWhereAskedTo) {
  Rig rig({{"kill_on_contact", Value(true)}}, "point",
          {{"rate", Value(0.0)},
           {"burst", Value(std::int64_t{5})},
           {"speed", Value(0.0)},
           {"position", Value(Vec3(0, 0.1, 0))},
           {"lifetime", Value(0.0)}});
  rig.run(10);
  EXPECT_EQ(rig.system->elements().size(), 5U);
  rig.run(20);  // the fall over 0.1 m takes 0.14 s
  EXPECT_EQ(rig.system->elements().size(), 0U);
}

TEST(Population, OwnDragIsFeltByEachEmittersParticles) {
  Rig rig({{"drag_time", Value(1.0)}, {"gravity_scale", Value(0.0)}}, "point",
          {{"rate", Value(0.0)},
           {"burst", Value(std::int64_t{50})},
           {"speed", Value(2.0)},
           {"lifetime", Value(0.0)},
           {"particle_drag_time", Value(0.1)},
           {"particle_drag_jitter", Value(0.5)}});
  rig.run(24);
  double slowest = 10, quickest = 0;
  for (const Vec3& v : rig.system->elements().velocity) {
    slowest = std::min(slowest, v.norm());
    quickest = std::max(quickest, v.norm());
  }
  // The expected speed is 2 exp(-0.2 / tau), with the drag time tau between 0.05 and 0.15 s.
  EXPECT_GT(slowest, 2 * std::exp(-0.2 / 0.05) * (1 - 1e-9));
  EXPECT_LT(quickest, 2 * std::exp(-0.2 / 0.15) * (1 + 1e-9));
  EXPECT_GT(quickest, 3 * slowest);
}

TEST(Population, FallsAtTheSpeedWhereDragBearsTheWeight) {
  Rig rig({{"drag_time", Value(0.2)}}, "point",
          {{"rate", Value(0.0)},
           {"burst", Value(std::int64_t{1})},
           {"speed", Value(0.0)},
           {"position", Value(Vec3(0, 100, 0))},
           {"lifetime", Value(0.0)}});
  rig.run(1200);  // 50 time constants
  // For linear drag, the terminal speed is exact for any length of the step.
  EXPECT_NEAR(rig.system->elements().velocity[0].y(), -9.81 * 0.2, 1e-12);
}

TEST(Population, LiveTraitsReachTheLiving) {
  Rig rig({}, "point", {{"rate", Value(1000.0)}, {"particle_radius_jitter", Value(0.5)}});
  rig.run(10);
  const auto before = rig.system->elements().radius;
  Node& node = rig.scene.children.front();
  ASSERT_TRUE(set_parameter(node, "radius", Value(0.01)));
  ASSERT_TRUE(rig.system->configure(node, rig.scene));
  const auto& after = rig.system->elements().radius;
  // Each particle keeps its own jitter factor.
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(after[i], 2 * before[i], 1e-15);
}

TEST(Population, AStreamFromASurfaceStartsOutsideOfIt) {
  Rig rig({{"gravity_scale", Value(0.0)}, {"keep_within", Value(1e6)}}, "sphere",
          {{"rate", Value(50000.0)},
           {"speed", Value(5.0)},
           {"radius", Value(0.2)},
           {"from", Value(std::string("surface"))},
           {"position", Value(Vec3(0, 3, 0))}});
  rig.system->begin_step(rig.context);
  const Elements& e = rig.system->elements();
  ASSERT_GT(e.size(), 100U);
  for (const Vec3& x : e.position) EXPECT_GE((x - Vec3(0, 3, 0)).norm(), 0.2 + 0.005 - 1e-12);
}

TEST(Population, HostileStatesAreRefused) {
  Rig rig({}, "point", {{"rate", Value(1000.0)}});
  rig.run(5);
  EXPECT_EQ(rig.system->state_problem(), "");
  rig.system->elements().radius[2] = -1;
  EXPECT_EQ(rig.system->state_problem(), "a particle's mass or radius is not positive");
  rig.system->elements().radius[2] = 0.01;
  std::swap(rig.system->elements().id[1], rig.system->elements().id[2]);
  EXPECT_EQ(rig.system->state_problem(), "the element ids are not in ascending order");
  std::swap(rig.system->elements().id[1], rig.system->elements().id[2]);
  EXPECT_EQ(rig.system->state_problem(), "");
  rig.system->elements().radius.pop_back();
  EXPECT_EQ(rig.system->state_problem(), "the arrays in the state differ in length");
}

/// Replaces one number in the state of the system by `value`.
template <class T>
void put_into_state(System& system, std::string_view name, T value) {
  StateBlock block;
  StateWriter writer(block);
  system.visit_state(writer);
  const auto entry =
      std::find_if(block.entries.begin(), block.entries.end(), [&](const auto& e) { return e.name == name; });
  ASSERT_NE(entry, block.entries.end());
  ASSERT_EQ(entry->size, sizeof(T));
  std::memcpy(&block.bytes[entry->offset], &value, sizeof(T));
  StateReader reader(block);
  system.visit_state(reader);
  system.state_restored();
}

TEST(Population, StopsWhereNoMoreCanBeToldApart) {
  Rig rig({}, "point", {{"rate", Value(1200.0)}, {"lifetime", Value(0.05)}});
  rig.run(10);
  put_into_state(*rig.system, "next_id", std::uint32_t{4294967295U - 25});
  for (int i = 0; i < 2; ++i) {  // ten particles are born in a step
    rig.step();
    EXPECT_FALSE(rig.system->check_health());
  }
  rig.step();
  const auto issue = rig.system->check_health();
  ASSERT_TRUE(issue);
  EXPECT_EQ(issue->what, "the emitters have used all 4,294,967,295 particle ids");
  const auto& id = rig.system->elements().id;
  EXPECT_EQ(id.back(), 4294967294U);
  EXPECT_TRUE(std::is_sorted(id.begin(), id.end()));
  EXPECT_EQ(rig.system->state_problem(), "");
  // If the emitter needs no more ids than remain, the system continues.
  Node& node = rig.scene.children.front();
  ASSERT_TRUE(set_parameter(node.children.front(), "rate", Value(0.0)));
  ASSERT_TRUE(rig.system->configure(node, rig.scene));
  rig.step();
  EXPECT_FALSE(rig.system->check_health());
}

TEST(Population, NobodyStaysOutOfReach) {
  // Speeds differ, so the particles outside the limit are not the oldest ones. The result must not depend on whether
  // the check for such particles uses its cached result.
  const Settings flight{{"rate", Value(6000.0)},
                        {"lifetime", Value(0.0)},
                        {"speed", Value(5.0)},
                        {"speed_jitter", Value(0.9)},
                        {"spread", Value(3.0)}};
  Rig one({{"keep_within", Value(1.0)}, {"gravity_scale", Value(0.0)}}, "point", flight);
  Rig other({{"keep_within", Value(1.0)}, {"gravity_scale", Value(0.0)}}, "point", flight);
  for (int i = 0; i < 60; ++i) {
    one.step();
    other.step();
    other.system->state_restored();  // discards the cached result of the check for particles outside keep_within
    // The fastest particle moves 9.5 / 120 in a step.
    for (const Vec3& x : one.system->elements().position) ASSERT_LE(x.norm(), 1 + 9.5 / 120);
  }
  EXPECT_EQ(one.hash(), other.hash());
  EXPECT_LT(one.system->elements().size(), 3000U);
}

TEST(Population, NoneAtAllOfWhatIsZero) {
  // Four cases: no rate and no burst, empty bursts with a period, a full capacity, and the shortest lifetimes that the
  // jitter can produce.
  for (const Settings& nothing :
       {Settings{{"rate", Value(0.0)}}, Settings{{"rate", Value(0.0)}, {"burst_period", Value(0.01)}}}) {
    Rig rig({}, "point", nothing);
    rig.run(30);
    EXPECT_EQ(rig.system->elements().size(), 0U);
    EXPECT_FALSE(rig.system->check_health());
    EXPECT_EQ(rig.system->diagnostics(rig.context).mass, 0);
  }
  Rig full({{"capacity", Value(std::int64_t{7})}}, "point",
           {{"rate", Value(1e6)}, {"burst", Value(std::int64_t{100})}, {"lifetime", Value(0.0)}});
  full.run(30);
  EXPECT_EQ(full.system->elements().size(), 7U);
  EXPECT_EQ(full.system->elements().id.back(), 6U);
  Rig brief({}, "point", {{"rate", Value(1e5)}, {"lifetime", Value(1e-9)}, {"lifetime_jitter", Value(1.0)}});
  brief.run(30);
  EXPECT_LT(brief.system->elements().size(), 1000U);  // at most the 833 particles that are born in one step are alive
}

}  // namespace
}  // namespace vw
