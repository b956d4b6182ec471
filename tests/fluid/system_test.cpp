// The fluid as a system of the world: saved state, threads, periodic sides, coupled bodies (guests), and error
// messages.
#include <cmath>
#include <sstream>

#include "sim/base/parallel/parallel.h"
#include "sim/base/random.h"
#include "sim/world/session.h"
#include "tests/fluid/fluid_world.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

using namespace test;

/// Returns a small flood that uses every part of the state: an inflow, a drain, two phases, and viscosity with a warm
/// start.
std::string lively_text() {
  return water_text(
             "",
             "[[system.phase]]\nname = \"water\"\nviscosity = 0.05\n[[system.phase]]\nname = \"oil\"\ndensity = 700\n" +
                 fill_text("box", "block", "position = [0.1, 0.1, 0.1]\nsize = [0.2, 0.2, 0.2]") +
                 fill_text("box", "slick", "position = [0.1, 0.24, 0.1]\nsize = [0.2, 0.08, 0.2]\nphase = \"oil\"") +
                 "[[system.inflow]]\nkind = \"disc\"\nname = \"tap\"\nposition = [0.3, 0.4, 0.1]\n"
                 "[[system.drain]]\nkind = \"box\"\nname = \"hole\"\nposition = [0.38, 0, 0.1]\nsize = [0.04, 0.08, "
                 "0.04]\n") +
         tank_text({0.4, 0, 0.2});
}

TEST(FluidSystem, HasTheSameBitsAtAnyThreadCount) {
  std::uint64_t expected = 0;
  for (const int threads : {1, 2, 3, 8}) {
    set_thread_count(threads);
    const auto world = world_from(lively_text());
    run_until(*world, 0.1);
    if (threads == 1) expected = world->hash();
    EXPECT_EQ(world->hash(), expected) << threads;
  }
  set_thread_count(0);
}

TEST(FluidSystem, GoesOnBitForBitFromAStateThatWasSaved) {
  const auto first = world_from(lively_text());
  run_until(*first, 0.05);
  StateBlock saved;
  first->save_state(saved);
  run_until(*first, 0.12);
  const auto second = world_from(lively_text());
  ASSERT_TRUE(second->load_state(saved));
  run_until(*second, 0.12);
  EXPECT_EQ(first->hash(), second->hash());
  // The restored result is the same even if the world has advanced in between. Scratch data has no influence on the
  // result.
  ASSERT_TRUE(first->load_state(saved));
  run_until(*first, 0.12);
  EXPECT_EQ(first->hash(), second->hash());
}

TEST(FluidSystem, RowsKeepTheOrderOfIdentitiesWhateverComesAndGoes) {
  const auto world = world_from(lively_text());
  run_until(*world, 0.3);
  EXPECT_GT(total_of(*world, "came_in"), 50);
  EXPECT_GT(total_of(*world, "drained"), 0);
  const Elements& e = water_of(*world).elements();
  for (std::size_t i = 1; i < e.size(); ++i) EXPECT_LT(e.id[i - 1], e.id[i]);
  Snapshot snapshot;
  world->subscribe({.channels = {"speed", "pressure", "density", "vorticity", "phase", "age"}});
  world->write_snapshot(snapshot);
  const SystemSnapshot& picture = snapshot.systems[0];
  ASSERT_EQ(picture.channels.size(), 6U);
  for (const Channel& channel : picture.channels) EXPECT_EQ(channel.values.size(), e.size()) << channel.name;
  EXPECT_EQ(picture.id.size(), e.size());
  EXPECT_EQ(picture.palette.size(), 2U);
  EXPECT_FLOAT_EQ(picture.channels[0].values[7], static_cast<float>(e.velocity[7].norm()));
}

TEST(FluidSystem, VorticityIsAVectorOfEachParticleWhoseLengthIsTheChannel) {
  const auto world = world_from(lively_text());
  world->subscribe({.channels = {"vorticity"}, .vectors = {"vorticity"}});
  Snapshot snapshot;
  world->write_snapshot(snapshot);
  ASSERT_EQ(snapshot.systems[0].vectors.size(), 1U);
  for (const Vec3f& curl : snapshot.systems[0].vectors[0].values)
    EXPECT_EQ(curl, Vec3f::Zero()) << "not known before the first substep";
  run_until(*world, 0.1);
  world->write_snapshot(snapshot);
  const SystemSnapshot& water = snapshot.systems[0];
  ASSERT_EQ(water.vectors.size(), 1U);
  ASSERT_EQ(water.vectors[0].values.size(), water.position.size());
  float most = 0;
  for (std::size_t i = 0; i < water.position.size(); ++i) {
    EXPECT_FLOAT_EQ(water.vectors[0].values[i].norm(), water.channels[0].values[i]);
    most = std::max(most, water.channels[0].values[i]);
  }
  EXPECT_GT(most, 1) << "it is stirred";
}

TEST(FluidSystem, ThePictureOfItsFlowChangesNoBitOfTheState) {
  const auto plain = world_from(lively_text()), watched = world_from(lively_text());
  FluidViewParams look;
  look.fluid_streamlines = 20;
  look.fluid_streaklines = 5;
  look.fluid_surface_of = "pressure";
  look.fluid_surface_color = "speed";
  watched->subscribe({.fluids = look});
  Snapshot picture;
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(plain->step());
    ASSERT_TRUE(watched->step());
    watched->write_snapshot(picture, i % 4 == 3);
  }
  EXPECT_EQ(plain->hash(), watched->hash());
  ASSERT_EQ(picture.fluids.size(), 1U);
  EXPECT_FALSE(picture.fluids[0].streamlines.point.empty());
  EXPECT_FALSE(picture.fluids[0].streaklines.point.empty());
  ASSERT_EQ(picture.fluids[0].surfaces.surface.size(), 1U);
  EXPECT_EQ(picture.fluids[0].surfaces.unit, "Pa");
  EXPECT_EQ(picture.systems[0].channels.size(), 2U) << "the channels that the surface needs";
  watched->subscribe({});
  watched->write_snapshot(picture);
  EXPECT_TRUE(picture.fluids.empty());
}

TEST(FluidSystem, HostileStatesAreRefused) {
  const auto world = world_from(lively_text());
  run_until(*world, 0.02);
  const std::uint64_t hash = world->hash();
  StateBlock good;
  world->save_state(good);
  const auto spoiled = [&](const std::string& name, const std::function<void(std::byte*, std::size_t)>& spoil) {
    StateBlock bad = good;
    for (const auto& entry : bad.entries)
      if (entry.name == "system.water." + name) spoil(bad.bytes.data() + entry.offset, entry.size);
    const auto loaded = world->load_state(bad);
    EXPECT_EQ(world->hash(), hash) << name;
    return loaded ? std::string("accepted") : loaded.error().message();
  };
  const auto put = [](auto value, std::size_t at = 0) {
    return [value, at](std::byte* bytes, std::size_t size) {
      ASSERT_LE((at + 1) * sizeof value, size);
      std::memcpy(bytes + at * sizeof value, &value, sizeof value);
    };
  };
  const double nan = std::nan("");
  EXPECT_NE(spoiled("phase", put(std::uint8_t{9})).find("a particle's phase does not exist"), std::string::npos);
  EXPECT_NE(spoiled("nozzle", put(std::uint8_t{9})).find("a particle's inflow does not exist"), std::string::npos);
  EXPECT_NE(spoiled("mass", put(-1.0, 3)).find("mass\" holds a value at row"), std::string::npos);
  EXPECT_NE(spoiled("position", put(nan, 4)).find("not finite"), std::string::npos);
  EXPECT_NE(spoiled("velocity", put(nan, 4)).find("not finite"), std::string::npos);
  EXPECT_NE(spoiled("pressure", put(-3.0F)).find("pressure\" holds a value at row"), std::string::npos);
  EXPECT_NE(spoiled("kappa", put(-3.0F)).find("kappa\" holds a value at row"), std::string::npos);
  EXPECT_NE(spoiled("id", put(std::uint32_t{77}, 2)).find("ids are not in ascending order"), std::string::npos);
  EXPECT_NE(spoiled("next_id", put(std::uint32_t{5})).find("ids are not in ascending order"), std::string::npos);
  EXPECT_NE(spoiled("travelled", put(nan)).find("travelled\" holds a value at row"), std::string::npos);
}

TEST(FluidSystem, AJournalReplaysWithEditsGrabsAndPushes) {
  const std::string text = lively_text();
  auto scene = read_scene_toml(text, "pool.toml");
  ASSERT_TRUE(scene);
  add_default_interactions(scene->root);
  const test::Scratch scratch;
  const std::string path = scratch.path("fluid.journal");
  auto session = Session::create(scene->root, write_scene_toml(scene->root), path);
  ASSERT_TRUE(session) << session.error().message();
  for (int step = 0; step < 30; ++step) {
    if (step == 5) {
      ASSERT_TRUE(session->apply(SetParameter{"system.water.phase.water.density", Value(900.0)}));
    }
    if (step == 8) {
      ASSERT_TRUE(session->apply(Grab{"water", 40, Vec3(0.2, 0.5, 0.1), 5}));
    }
    if (step == 12) {
      ASSERT_TRUE(session->apply(Push{"water", 400, Vec3(0, 0.2, 0), 0.05}));
    }
    if (step == 20) {
      ASSERT_TRUE(session->apply(Release{}));
    }
    ASSERT_TRUE(session->step()) << session->world().health().sentence();
  }
  ASSERT_TRUE(session->finish());
  const auto journal = read_journal(path);
  ASSERT_TRUE(journal) << journal.error().message();
  const auto again = world_from(text);
  const auto outcome = replay(*again, *journal);
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(again->hash(), session->world().hash());
}

TEST(FluidSystem, ImpulsesAreTakenUpOnceAndExactly) {
  const auto world = world_from(water_text("gravity_scale = 0", fill_text("box", "block", "size = [0.2, 0.2, 0.2]")));
  ASSERT_TRUE(world->apply(Push{"water", 500, Vec3(0.03, 0, -0.01), 0}));
  run_until(*world, 0.05);
  // Each substep rounds velocities to single precision. The random error of the momentum is 1e-7 of sum m |v|.
  EXPECT_LT((world->diagnostics(0).momentum - Vec3(0.03, 0, -0.01)).norm(), 1e-7);
}

/// A block that drifts across a periodic side must move like a block that drifts through free space.
TEST(FluidSystem, PeriodicSidesAreNoPlace) {
  // The spacing and the box sides are binary fractions, so positions beyond a side wrap without rounding.
  const std::string block = fill_text("box", "block", "size = [0.25, 0.25, 0.25]\nvelocity = [2, 1, 0.5]");
  const std::string spun = "gravity_scale = 0\nspacing = 0.03125\ncentral_pull = 0\n";
  const auto free_one = world_from(water_text(spun, block)),
             periodic = world_from(water_text(spun + "periodic = \"xyz\"\ndomain_size = [1, 1, 1]", block));
  for (const auto* world : {&free_one, &periodic})
    ASSERT_TRUE((*world)->apply(Push{"water", 100, Vec3(3, -2, 1), 0.1}));
  run_until(*free_one, 0.4);
  run_until(*periodic, 0.4);
  const Elements &a = water_of(*free_one).elements(), &b = water_of(*periodic).elements();
  ASSERT_EQ(a.size(), b.size());
  double apart = 0, moved = 0;
  std::size_t crossed = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    Vec3 way = a.position[i] - b.position[i];
    crossed += way.norm() > 0.5 ? 1 : 0;
    way -= way.array().round().matrix();
    apart = std::max(apart, way.norm());
    moved = std::max(moved, (a.velocity[i] - Vec3(2, 1, 0.5)).norm());
  }
  EXPECT_GT(crossed, a.size() / 2);
  EXPECT_GT(moved, 0.5);  // the block bursts during the drift, so particles interact
  // The motion of the splash amplifies single-precision rounding and the pressure residual of 1e-3. The tolerance is
  // far below the spacing of 0.03 m.
  EXPECT_LT(apart, 0.004);
}

TEST(FluidSystem, ImagesMakeALatticeThatFillsAPeriodicBoxUniform) {
  for (const char* axes : {"x", "yz", "xyz"}) {
    const auto world = world_from(
        water_text(std::string("gravity_scale = 0\nperiodic = \"") + axes + "\"\ndomain_size = [0.2, 0.2, 0.2]",
                   fill_text("box", "block", "size = [0.2, 0.2, 0.2]")));
    const Elements& e = water_of(*world).elements();
    const auto density = channel_of(*world, "density");
    const std::string periodic = axes;
    for (std::size_t i = 0; i < e.size(); ++i) {
      bool inner = true;
      for (int a = 0; a < 3; ++a)
        if (periodic.find("xyz"[a]) == std::string::npos) inner = inner && std::abs(e.position[i][a]) < 0.06;
      if (inner) {
        EXPECT_NEAR(density[i], 1000, 0.1) << axes << " " << e.position[i].transpose();
      }
    }
  }
}

TEST(FluidSystem, TooManyParticlesOnOnePlaceStopWithASentence) {
  const auto world =
      world_from(water_text("gravity_scale = 0", fill_text("box", "block", "size = [0.36, 0.36, 0.36]")));
  StateBlock state;
  world->save_state(state);
  for (const auto& entry : state.entries)
    if (entry.name == "system.water.position")
      for (std::size_t i = 0; i < entry.size / sizeof(Vec3); ++i) {
        const Vec3 here(1e-6 * static_cast<double>(i), 0, 0);
        std::memcpy(state.bytes.data() + entry.offset + i * sizeof(Vec3), here.data(), sizeof(Vec3));
      }
  ASSERT_TRUE(world->load_state(state));
  EXPECT_FALSE(world->step());
  EXPECT_NE(world->health().sentence().find(
                "too many particles are at one position; fills, inflows or obstacles press particles together"),
            std::string::npos)
      << world->health().sentence();
}

/// Every particle has a duplicate at almost the same position, as if two fills had been merged by hand. Pressures must
/// separate the pairs without an explosion.
TEST(FluidSystem, DoubledParticlesRecover) {
  const auto world =
      world_from(water_text("", fill_text("box", "block", "position = [0.2, 0.1, 0.1]\nsize = [0.2, 0.2, 0.2]")) +
                 tank_text({0.6, 0, 0.2}));
  StateBlock state;
  world->save_state(state);
  for (const auto& entry : state.entries)
    if (entry.name == "system.water.position")
      for (std::size_t i = 0; i + 1 < entry.size / sizeof(Vec3); i += 2) {
        Vec3 here;
        std::memcpy(here.data(), state.bytes.data() + entry.offset + i * sizeof(Vec3), sizeof(Vec3));
        here.x() += 1e-5;
        std::memcpy(state.bytes.data() + entry.offset + (i + 1) * sizeof(Vec3), here.data(), sizeof(Vec3));
      }
  ASSERT_TRUE(world->load_state(state));
  double fastest = 0;
  while (world->time() < 0.5) {
    ASSERT_TRUE(world->step()) << world->health().sentence();
    for (const Vec3& v : water_of(*world).elements().velocity) fastest = std::max(fastest, v.norm());
  }
  EXPECT_LT(fastest, 6);  // speed after a fall from a height of two metres
  EXPECT_EQ(water_of(*world).elements().size(), 1000U);
  const auto density = channel_of(*world, "density");
  EXPECT_LT(*std::max_element(density.begin(), density.end()), 1300);
}

TEST(FluidSystem, WeaklyCompressibleWaterFallsAndComesToRestToo) {
  const auto world =
      world_from(water_text("method = \"wcsph\"\nspacing = 0.025",
                            fill_text("box", "block", "position = [0.1, 0.15, 0.1]\nsize = [0.2, 0.3, 0.2]")) +
                 tank_text({0.4, 0, 0.2}));
  const double before = world->diagnostics(0).potential;
  run_until(*world, 0.5);
  const Diagnostics now = world->diagnostics(0);
  EXPECT_LT(now.potential, 0.8 * before);
  // A stiff equation of state stores at most 0.5 % of the energy.
  EXPECT_LT(now.potential + now.kinetic, 1.005 * before);
  const auto density = channel_of(*world, "density");
  EXPECT_LT(*std::max_element(density.begin(), density.end()), 1100);
}

TEST(FluidSystem, ASubstepIsSolvedOnceForWhomeverAsksFirst) {
  const auto world =
      world_from(water_text("", fill_text("box", "block", "position = [0, 0.1, 0]\nsize = [0.2, 0.2, 0.2]")));
  FluidSystem& water = water_of(*world);
  StepContext context;
  context.dt = 0.005;
  FieldSet fields;
  context.fields = &fields;
  water.begin_step(context);
  Guest& guest = water.add_guest();
  for (int x = -6; x < 6; ++x)
    for (int y = -2; y < 0; ++y)
      for (int z = -6; z < 6; ++z) guest.place.push_back(0.02 * Vec3(x + 0.5, y + 0.5, z + 0.5));
  guest.velocity.resize(guest.place.size(), Vec3::Zero());
  guest.share.resize(guest.place.size(), 1);
  water.solve(0, 0.005);
  const Vec3 after = water.elements().position[0];
  ASSERT_EQ(guest.impulse.size(), guest.place.size());
  Vec3 given = Vec3::Zero();
  for (const Vec3& one : guest.impulse) given += one;
  // The falling block pushes the guest below the block downward. The impulse of the whole weight would be 0.39 N s.
  EXPECT_LT(given.y(), -0.01);
  water.solve(0, 0.005);
  water.substep(context, 0, 0.005);
  EXPECT_EQ(water.elements().position[0], after);
}

TEST(FluidSystem, AnswersWhatRulesAskOfAPlace) {
  const auto world =
      world_from(water_text("", fill_text("box", "block", "position = [0.1, 0.2, 0.1]\nsize = [0.2, 0.4, 0.2]")) +
                 tank_text({0.2, 0, 0.2}));
  run_until(*world, 0.3);
  FluidSystem& water = water_of(*world);
  EXPECT_EQ(water.spacing(), 0.02);
  EXPECT_NEAR(water.surface_height(0.1, 0.1), 0.4, 0.01);  // tolerance: half a spacing
  EXPECT_EQ(water.surface_height(5, 5), -std::numeric_limits<double>::infinity());
  EXPECT_NEAR(water.density_at(Vec3(0.1, 0.2, 0.1)), 1000, 1e-9);
  const FluidSystem::Sample middle = water.sample(Vec3(0.1, 0.2, 0.1)), air = water.sample(Vec3(0.1, 0.6, 0.1));
  EXPECT_NEAR(middle.share, 1, 0.1);
  // `pressure_pa` is the mean pressure over 20 ms. The pressure that supports a column fluctuates between substeps and
  // over slightly longer times, so the tolerance is 25 %.
  EXPECT_NEAR(middle.pressure_pa, 1000 * 9.81 * 0.2, 0.25 * 1000 * 9.81 * 0.2);
  EXPECT_EQ(air.share, 0);
}

/// The adhesion of bodies is integrated explicitly, so it limits the substep by the formula for tension.
TEST(FluidSystem, AdhesionOfBodiesLimitsTheSubstep) {
  const auto world = world_from(water_text("", fill_text("box", "block", "size = [0.2, 0.2, 0.2]")));
  const FluidSystem& water = water_of(*world);
  EXPECT_EQ(water.longest_dt_of_guests(0), std::numeric_limits<double>::infinity());
  EXPECT_NEAR(water.longest_dt_of_guests(10), 0.25 * std::sqrt(1000 * 8e-6 / 10), 1e-9);
}

TEST(FluidSystem, TellsWhatEachObstacleBears) {
  const std::string block =
      "[[collider]]\nkind = \"box\"\nname = \"block\"\nposition = [0.1, 0.16, 0.12]\nsize = [0.08, 0.08, 0.08]\n";
  const std::string dry =
      "[[collider]]\nkind = \"sphere\"\nname = \"dry\"\nposition = [0.12, 0.8, 0.12]\nradius = 0.04\n";
  const auto world =
      world_from(water_text("", fill_text("box", "block", "position = [0.12, 0.16, 0.12]\nsize = [0.24, 0.32, 0.24]")) +
                 tank_text({0.24, 0, 0.24}) + block + dry);
  EXPECT_EQ(total_of(*world, "force_on_obstacles_y"), 0);  // the world has not made a step yet
  double force = 0, moment = 0;
  for (int step = 0; step < 120; ++step) {
    ASSERT_TRUE(world->step());
    EXPECT_EQ(total_of(*world, "force_on_obstacle_2_y"), 0);
    EXPECT_EQ(total_of(*world, "force_on_obstacles_y"), total_of(*world, "force_on_obstacle_1_y"));
    if (step < 40) continue;
    force += total_of(*world, "force_on_obstacle_1_y") / 80;
    moment += total_of(*world, "moment_on_obstacles_z") / 80;
  }
  // The expected force is the weight of the displaced water. The lever arm of the force about the origin is 0.1 m. The
  // collider is four spacings wide, so the error of its discretisation into samples is up to 10 %.
  const double weight = 1000 * 9.81 * 0.08 * 0.08 * 0.08;
  EXPECT_NEAR(force, weight, 0.1 * weight);
  EXPECT_NEAR(moment, 0.1 * weight, 0.02 * weight);
}

/// If a step needs more substeps than the limit, the error message names the cause. A change of the setting that the
/// message recommends resolves the problem.
TEST(FluidSystem, TooManySubstepsAreBlamedOnTheirCause) {
  const std::string drop = fill_text("box", "drop", "size = [0.1, 0.1, 0.1]\nvelocity = [0, -50, 0]");
  const auto fast = world_from(water_text("", drop));
  ASSERT_TRUE(fast->apply(SetParameter{"world.max_substeps", Value(std::int64_t{5})}));
  EXPECT_FALSE(fast->step());
  EXPECT_NE(
      fast->health().sentence().find(
          "the speed of a particle (50 m/s) at cfl = 0.4 limits substeps to 0.00016 s; raise world.max_substeps, or "
          "lower that speed, or raise cfl"),
      std::string::npos)
      << fast->health().sentence();
  ASSERT_TRUE(fast->apply(SetParameter{"world.max_substeps", Value(std::int64_t{50})}));
  EXPECT_TRUE(fast->step()) << fast->health().sentence();

  const std::string still = fill_text("box", "drop", "size = [0.1, 0.1, 0.1]");
  for (const auto& [settings, cause] :
       {std::pair{"max_dt = 1e-4", "max_dt limits"},
        std::pair{"method = \"wcsph\"", "the speed of sound, which follows from stiffness, limits"}}) {
    const auto world = world_from(water_text(settings, still));
    ASSERT_TRUE(world->apply(SetParameter{"world.max_substeps", Value(std::int64_t{5})}));
    EXPECT_FALSE(world->step());
    EXPECT_NE(world->health().sentence().find(cause), std::string::npos) << world->health().sentence();
  }
}

TEST(FluidSystem, AnotherDensityMakesTheLivingHeavier) {
  const auto world = world_from(
      water_text("", "[[system.phase]]\nname = \"w\"\n" + fill_text("box", "block", "size = [0.1, 0.1, 0.1]")));
  ASSERT_TRUE(world->apply(SetParameter{"system.water.phase.w.density", Value(500.0)}));
  EXPECT_NEAR(world->diagnostics(0).mass, 0.5, 1e-12);
}

}  // namespace
}  // namespace vw
