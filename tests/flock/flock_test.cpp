// A flock in a world: motion, drift with the medium, hunting, and rejected settings.
#include <gmock/gmock.h>

#include <numeric>

#include "sim/base/parallel/parallel.h"
#include "sim/base/random.h"
#include "sim/system/flock/steering/wander.h"
#include "sim/world/recording/recorder.h"
#include "tests/flock/flock_worlds.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

using ::testing::HasSubstr;

TEST(Flock, OfNobodyOneOrTwoMembersLives) {
  for (const std::int64_t count : {0, 1, 2}) {
    const auto world = world_of(scene_of(count, Vec3(0.5, 0.5, 0.5)));
    ASSERT_NE(world, nullptr);
    run(*world, 2);
    EXPECT_EQ(flock_of(*world).rows().size(), static_cast<std::size_t>(count));
    EXPECT_EQ(total(*world, "members"), static_cast<double>(count));
    for (const Vec3& v : flock_of(*world).elements().velocity) EXPECT_LE(v.norm(), 3 + 1e-9);
  }
}

TEST(Flock, AllAtOnePointComeApart) {
  const auto world = world_of(scene_of(200, Vec3(0, 0, 0), 0.0));
  ASSERT_NE(world, nullptr);
  run(*world, 4);
  std::vector<float> nearest;
  world->system(0).channel(3, nearest);
  ASSERT_EQ(nearest.size(), 200U);
  EXPECT_GT(*std::min_element(nearest.begin(), nearest.end()), 0.02F);
}

/// Returns the positions and velocities of all members after `seconds`.
std::vector<Vec3> ways_of(Node scene, double seconds) {
  const auto world = world_of(std::move(scene));
  run(*world, seconds);
  std::vector<Vec3> out = world->system(0).elements().position;
  const auto& v = world->system(0).elements().velocity;
  out.insert(out.end(), v.begin(), v.end());
  return out;
}

Node busy_scene() {
  Node scene = scene_of(1500, Vec3(4, 3, 4));
  add_child(flock_node(scene), "species", "species", "hawk");
  set(scene, of_flock + "species.hawk.hunts", TextList{"bird"});
  set(scene, of_flock + "species.hawk.eats", true);
  set(scene, of_flock + "species.hawk.max_speed", 5.0);
  set(scene, of_flock + "species.hawk.cruise_speed", 3.0);
  add_child(flock_node(scene), "swarm", "ball", "hawks");
  set(scene, of_flock + "swarm.hawks.species", std::string("hawk"));
  set(scene, of_flock + "swarm.hawks.count", std::int64_t{5});
  set(scene, of_flock + "swarm.hawks.position", Vec3(3, 1, 0));
  set(scene, of_flock + "home_size", Vec3(8, 4, 8));
  set(scene, of_bird + "medium", std::string("air"));
  add_child(flock_node(scene), "goal", "point", "light");
  add_child(scene, "collider", "sphere", "ball");
  add_child(scene, "field", "turbulence", "wind");
  return scene;
}

TEST(Flock, IsTheSameBitsAtAnyNumberOfThreads) {
  set_thread_count(1);
  const std::vector<Vec3> one = ways_of(busy_scene(), 1);
  for (const int threads : {2, 3, 8}) {
    set_thread_count(threads);
    EXPECT_TRUE(ways_of(busy_scene(), 1) == one) << threads << " threads";
  }
  set_thread_count(0);
}

TEST(Flock, GoesOnFromASavedStateAsIfNothingHadBeen) {
  const auto world = world_of(busy_scene());
  run(*world, 0.5);
  StateBlock saved;
  world->save_state(saved);
  run(*world, 0.5);
  const std::uint64_t hash = world->hash();
  const auto other = world_of(busy_scene());
  ASSERT_TRUE(other->load_state(saved));
  run(*other, 0.5);
  EXPECT_EQ(other->hash(), hash);
}

TEST(Flock, KeepsToItsLimitsAndBudgetInEveryStep) {
  Node scene = busy_scene();
  set(scene, of_bird + "medium", std::string("none"));
  const auto world = world_of(std::move(scene));
  const FlockSystem& flock = flock_of(*world);
  std::vector<Vec3> before = flock.rows().heading;
  std::vector<std::uint32_t> ids = flock.elements().id;
  std::vector<Vec3f> steering;
  double turned = 0, over = 0, steep = 0;
  int compared = 0;
  run(*world, 2, [&] {
    const FlockRows& rows = flock.rows();
    flock.vector_channel(10, steering);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const SpeciesParams& species = flock.plan().species[rows.species[i]];
      over = std::max({over, rows.speed[i] - species.max_speed_mps, species.min_speed_mps - rows.speed[i],
                       static_cast<double>(steering[i].norm()) - species.max_acceleration_mps2 * (1 + 1e-6)});
      if (world->time() > 1)
        steep = std::max(steep, std::asin(std::abs(rows.heading[i].y())) - species.climb_deg * pi / 180);
      if (ids != rows.elements.id) continue;
      turned = std::max(turned, std::acos(std::clamp(rows.heading[i].dot(before[i]), -1.0, 1.0)) -
                                    species.turn_rate_radps * world->dt());
      ++compared;
    }
    before = rows.heading;
    ids = rows.elements.id;
  });
  EXPECT_LE(over, 1e-6);
  EXPECT_LE(turned, 1e-7);
  EXPECT_LE(steep, 1e-7);  // members that were born with a steeper heading have returned to the limit
  EXPECT_GT(compared, 100000);
}

TEST(Flock, FarFromTheOriginFliesTheSameWay) {
  // Without goals or obstacles, a flock at a distance of a thousand kilometres must move like a flock at the origin,
  // because float positions are relative to the centre of the flock.
  const auto spread = [](const Vec3& at) {
    Node scene = scene_of(200, Vec3(2, 2, 2));
    set(scene, of_flock + "swarm.all.position", at);
    const auto world = world_of(std::move(scene));
    run(*world, 1);
    const auto& x = world->system(0).elements().position;
    Vec3 middle = Vec3::Zero();
    for (const Vec3& one : x) middle += (one - at) / static_cast<double>(x.size());
    return middle;
  };
  const Vec3 here = spread(Vec3(0, 0, 0)), there = spread(Vec3(1e6, 1e6, -1e6));
  EXPECT_NEAR((here - there).norm(), 0, 1e-3);
  EXPECT_GT(here.norm(), 0.01);
}

TEST(FlockCarryValidation, ABirdInUniformWindDriftsWithItAndAGustCarriesItInItsTime) {
  Node scene = scene_of(1, Vec3(0, 0, 0), 0.0);
  only(scene, {});
  set(scene, of_bird + "medium", std::string("air"));
  set(scene, of_bird + "carry", 0.5);
  add_child(scene, "field", "uniform", "wind");
  const auto path = std::string("field.wind.");
  set(scene, path + "velocity", Vec3(0, 0, 4));
  const auto world = world_of(std::move(scene));
  const auto& v = world->system(0).elements().velocity;
  // A bird starts at rest relative to the ground in a crosswind. The expected velocity is v_z = 4 (1 - exp(-t /
  // carry)), where `carry` is the time constant.
  run(*world, 0.5);
  expect_case("flock", "a bird taken along by a wind of 4 m/s that begins: velocity after the carrying time", v[0].z(),
              4 * (1 - std::exp(-1.0)), 1e-9, "m/s");
  run(*world, 20);
  expect_case("flock", "a bird across a uniform wind: velocity over ground along it", v[0].z(), 4, 1e-9, "m/s");
  expect_case("flock", "a bird across a uniform wind: velocity over ground along its heading", v[0].x(), 1.5, 1e-9,
              "m/s");
}

/// Returns whether the graph of neighbours within `reach` is connected.
bool is_connected(const std::vector<Vec3>& x, double reach) {
  std::vector<std::size_t> front{0};
  std::vector<std::uint8_t> found(x.size(), 0);
  found[0] = 1;
  std::size_t count = 1;
  while (!front.empty()) {
    const std::size_t i = front.back();
    front.pop_back();
    for (std::size_t j = 0; j < x.size(); ++j)
      if (found[j] == 0 && (x[j] - x[i]).norm() < reach) found[j] = 1, ++count, front.push_back(j);
  }
  return count == x.size();
}

TEST(FlockPolarisation, MembersAsTheyAreByDefaultAgreeBeforeTheySplit) {
  for (const auto& [count, side] : {std::pair(200, 2.5), std::pair(300, 3.0)})
    for (const std::int64_t seed : {1, 2, 3}) {
      Node scene = scene_of(count, Vec3::Constant(side));
      only(scene, {"separation", "alignment", "cohesion"});
      set(scene, "world.seed", seed);
      const auto world = world_of(std::move(scene));
      run(*world, 10);
      EXPECT_GT(total(*world, "polarisation"), 0.95) << count << " members, seed " << seed;
    }
}

TEST(FlockPolarisationValidation, RandomHeadingsBecomeOne) {
  // A flock of 500 members with a view of 2 m starts in a box of 4.8 m, with default weights but without wander and
  // goals. With a view of 1 m, initially connected flocks split: neighbours align in half a second, and the groups fly
  // apart.
  double least = 1, latest = 0;
  for (std::int64_t seed = 1; seed <= 5; ++seed) {
    Node scene = scene_of(500, Vec3(4.8, 4.8, 4.8));
    only(scene, {"separation", "alignment", "cohesion"});
    set(scene, of_bird + "reach", 2.0);
    set(scene, "world.seed", seed);
    const auto world = world_of(std::move(scene));
    EXPECT_TRUE(is_connected(world->system(0).elements().position, 2));
    EXPECT_LT(total(*world, "polarisation"), 0.2);
    double reached = -1;
    run(*world, 10, [&] {
      if (reached < 0 && total(*world, "polarisation") > 0.95) reached = world->time();
    });
    EXPECT_GT(reached, 0) << "seed " << seed;
    latest = std::max(latest, reached);
    least = std::min(least, total(*world, "polarisation"));
  }
  EXPECT_GT(least, 0.95);
  expect_case("flock",
              "time until 500 with random headings have a polarisation of 0.95, longest of five seeds (4 s at most)",
              latest, 0, 4, "s");
  expect_case("flock", "polarisation of 500 from random headings after 10 s, least of five seeds (must exceed 0.95)",
              least, 1, 0.05);
}

TEST(FlockHunting, AHunterCatchesItsPreyAndItIsGone) {
  Node scene = scene_of(1, Vec3(0, 0, 0), 0.0);
  only(scene, {"flight"});
  set(scene, of_bird + "max_speed", 2.0);
  add_child(flock_node(scene), "species", "species", "hawk");
  const std::string hawk = of_flock + "species.hawk.";
  only(scene, {"hunt"}, hawk);
  set(scene, hawk + "hunts", TextList{"bird"});
  set(scene, hawk + "eats", true);
  set(scene, hawk + "max_speed", 6.0);
  set(scene, hawk + "hunt_reach", 10.0);
  add_child(flock_node(scene), "swarm", "point", "hawks");
  set(scene, of_flock + "swarm.hawks.species", std::string("hawk"));
  set(scene, of_flock + "swarm.hawks.count", std::int64_t{1});
  set(scene, of_flock + "swarm.hawks.position", Vec3(-4, 1, 2));
  const auto world = world_of(std::move(scene));
  ASSERT_EQ(total(*world, "members"), 2);
  run(*world, 10);
  EXPECT_EQ(total(*world, "members"), 1);
  EXPECT_EQ(total(*world, "eaten"), 1);
  EXPECT_EQ(flock_of(*world).rows().species[0], 1);
}

/// Returns the number of birds, out of 80, that the given number of hawks eat in 12 s.
double eaten_by(std::int64_t hawks) {
  Node scene = scene_of(80, Vec3(4, 3, 4));
  set(scene, of_flock + "home_size", Vec3(8, 4, 8));
  add_child(flock_node(scene), "species", "species", "hawk");
  const std::string hawk = of_flock + "species.hawk.";
  set(scene, hawk + "hunts", TextList{"bird"});
  set(scene, hawk + "eats", true);
  set(scene, hawk + "length", 0.6);
  set(scene, hawk + "max_speed", 6.0);
  set(scene, hawk + "cruise_speed", 3.0);
  set(scene, hawk + "max_acceleration", 20.0);
  set(scene, hawk + "hunt_reach", 10.0);
  set(scene, hawk + "reach", 10.0);
  add_child(flock_node(scene), "swarm", "ball", "hawks");
  set(scene, of_flock + "swarm.hawks.species", std::string("hawk"));
  set(scene, of_flock + "swarm.hawks.count", hawks);
  set(scene, of_flock + "swarm.hawks.position", Vec3(3, 1, 0));
  const auto world = world_of(std::move(scene));
  run(*world, 12);
  return total(*world, "eaten");
}

TEST(FlockHunting, SeveralHuntersEatMoreThanOne) {
  const double one = eaten_by(1), three = eaten_by(3);
  EXPECT_GT(one, 2);
  EXPECT_GT(three, 1.5 * one);
}

TEST(FlockHunting, PreyFleesFromAHunterItSees) {
  Node scene = scene_of(1, Vec3(0, 0, 0), 0.0);
  only(scene, {"flight"});
  add_child(flock_node(scene), "species", "species", "hawk");
  const std::string hawk = of_flock + "species.hawk.";
  only(scene, {}, hawk);
  set(scene, hawk + "hunts", TextList{"bird"});
  add_child(flock_node(scene), "swarm", "point", "hawks");
  set(scene, of_flock + "swarm.hawks.species", std::string("hawk"));
  set(scene, of_flock + "swarm.hawks.count", std::int64_t{1});
  set(scene, of_flock + "swarm.hawks.position", Vec3(1.5, 1, 0));
  set(scene, of_flock + "swarm.hawks.heading", Vec3(-1, 0, 0));
  set(scene, of_flock + "swarm.hawks.spread", 0.0);
  const auto world = world_of(std::move(scene));
  double nearest = 1e9;
  run(*world, 3, [&] {
    const auto& x = world->system(0).elements().position;
    nearest = std::min(nearest, (x[0] - x[1]).norm());
  });
  EXPECT_GT(nearest, 0.3);  // if both flew towards each other, the distance would reach 0
}

TEST(FlockWander, IsSmoothFairAndEachItsOwn) {
  FlockPlan plan;
  plan.species.resize(2);
  plan.species[1].wander_hz = 2;
  FlockRows rows;
  constexpr std::uint32_t n = 4000;
  for (std::uint32_t i = 0; i < n; ++i) {
    rows.elements.position.push_back(Vec3::Zero());
    rows.elements.id.push_back(i);
    rows.species.push_back(static_cast<std::uint8_t>(i < n / 2 ? 0 : 1));
  }
  std::vector<Vec3f> now, soon, later;
  Vec3 mean = Vec3::Zero();
  double square = 0, moved = 0, own = 0, lasting = 0, together = 0;
  int samples = 0;
  for (double t = 0.3; t < 100; t += 1.37) {
    wander(plan, rows, t, now);
    wander(plan, rows, t + 0.01, soon);
    wander(plan, rows, t + 4, later);
    for (std::uint32_t i = 0; i < n / 2; ++i) {
      const Vec3 w = now[i].cast<double>();
      mean += w;
      square += w.squaredNorm();
      moved = std::max(moved, static_cast<double>((soon[i] - now[i]).norm()));
      lasting += w.dot(later[i].cast<double>());
      own += w.dot(now[(i + 1) % n].cast<double>());
      together += w.dot(now[i + n / 2].cast<double>());
      ++samples;
    }
  }
  EXPECT_NEAR(mean.norm() / samples, 0, 0.02);
  EXPECT_NEAR(square / samples, 1, 0.1);
  EXPECT_LT(moved, 0.1);                    // in 0.01 s, the noise moves by 0.005 cell widths
  EXPECT_NEAR(lasting / samples, 0, 0.05);  // in 4 s, the noise moves by two cells, so the values must be uncorrelated
  EXPECT_NEAR(own / samples, 0, 0.05);      // the values of two members must be uncorrelated
  EXPECT_NEAR(together / samples, 0, 0.05);
}

std::string error_of(Node scene) {
  const auto world = World::create(std::move(scene));
  return world ? "" : world.error().message();
}

TEST(Flock, RefusesWhatCannotBeInOneSentence) {
  EXPECT_THAT(error_of(flock_scene()), HasSubstr("system.birds.species = none: must have at least one species"));
  Node slow = scene_of(3, Vec3(1, 1, 1));
  set(slow, of_bird + "min_speed", 4.0);
  EXPECT_THAT(error_of(slow), HasSubstr("system.birds.species.bird.min_speed = 4"));
  Node cruise = scene_of(3, Vec3(1, 1, 1));
  set(cruise, of_bird + "cruise_speed", 9.0);
  EXPECT_THAT(error_of(cruise), HasSubstr("must lie between min_speed = 0.5 m/s and max_speed = 3"));
  Node prey = scene_of(3, Vec3(1, 1, 1));
  set(prey, of_bird + "hunts", TextList{"brid"});
  EXPECT_THAT(error_of(prey), HasSubstr("bird"));
  EXPECT_THAT(error_of(prey), HasSubstr("must name a species of this flock"));
  Node path = scene_of(3, Vec3(1, 1, 1));
  add_child(flock_node(path), "goal", "path", "way");
  set(path, of_flock + "goal.way.points", NumberList{1, 2, 3, 4});
  EXPECT_THAT(error_of(path), HasSubstr("system.birds.goal.way.points = 4 numbers: must have three numbers per point"));
  Node nan = scene_of(3, Vec3(1, 1, 1));
  EXPECT_FALSE(set_parameter(nan, of_bird + "reach", std::nan("")));
  EXPECT_FALSE(set_parameter(nan, of_bird + "max_acceleration", std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(set_parameter(nan, of_flock + "home_center", Vec3(0, std::nan(""), 0)));
}

TEST(Flock, SaysWhoWentWrong) {
  const auto world = world_of(scene_of(20, Vec3(1, 1, 1)));
  run(*world, 0.1);
  world->system(0).elements().velocity[7] = Vec3(std::nan(""), 0, 0);
  EXPECT_FALSE(world->step());
  EXPECT_THAT(world->health().sentence(), HasSubstr("member 7 of species bird"));
}

TEST(Flock, HasNoEarForAHostileState) {
  const auto world = world_of(scene_of(20, Vec3(1, 1, 1)));
  run(*world, 0.1);
  StateBlock good;
  world->save_state(good);
  int refused = 0;
  for (std::size_t k = 0; k < good.entries.size(); ++k) {
    if (good.entries[k].name.find("system.birds.") != 0 || good.entries[k].size < 8) continue;
    StateBlock bad = good;
    const double nan = std::nan("");
    std::memcpy(bad.bytes.data() + bad.entries[k].offset, &nan, sizeof nan);
    const auto other = world_of(scene_of(20, Vec3(1, 1, 1)));
    if (!other->load_state(bad)) {
      ++refused;
      continue;
    }
    other->step();  // the step may fail with an error message, but must not crash
  }
  EXPECT_GE(refused, 5);
}

TEST(Flock, ShowsHeadingsBanksAndMotives) {
  const auto world = world_of(busy_scene());
  run(*world, 0.5);
  Snapshot picture;
  world->subscribe({.channels = {"neighbours", "bank", "species"}});
  world->write_snapshot(picture);
  const SystemSnapshot& flock = picture.systems[0];
  const FlockRows& rows = flock_of(*world).rows();
  EXPECT_EQ(flock.look_kind(), LookKind::members);
  ASSERT_EQ(flock.orientation.size(), rows.size());
  ASSERT_EQ(flock.look_as<MemberLook>()->beat.size(), rows.size());
  EXPECT_EQ(flock.palette_names, (std::vector<std::string>{"bird", "hawk"}));
  double worst = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    worst = std::max(
        worst, static_cast<double>((flock.orientation[i] * Vec3f(1, 0, 0) - rows.heading[i].cast<float>()).norm()));
  EXPECT_LT(worst, 1e-5);
  ASSERT_EQ(flock.channels.size(), 3U);
  EXPECT_GT(std::accumulate(flock.channels[0].values.begin(), flock.channels[0].values.end(), 0.0F), 1000);
  std::vector<Vec3f> separation;
  world->system(0).vector_channel(2, separation);
  EXPECT_TRUE(std::any_of(separation.begin(), separation.end(), [](const Vec3f& v) { return v.norm() > 0.1F; }));
}

}  // namespace
}  // namespace vw::test
