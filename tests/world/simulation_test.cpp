// The simulation thread as the drawing thread uses it. Every wait ends when a condition is true, not after a fixed
// time. The time limit only turns a hang into a failure.
#include <condition_variable>
#include <filesystem>
#include <future>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/world/session.h"
#include "sim/world/simulation.h"
#include "sim/world/state/journal.h"
#include "sim/world/step/pacing.h"
#include "tests/support/scratch.h"
#include "tests/support/waiting.h"
#include "tests/world/mock_world.h"

namespace vw {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

Node simple_scene() {
  Node scene = mock::empty_scene();
  mock::add_balls(scene, "slow", "balls").set("velocity", Vec3(1, 0, 0));
  return scene;
}

std::unique_ptr<Simulation> start(bool paused, Node scene = simple_scene(), std::string journal = {}) {
  return std::make_unique<Simulation>(mock::make_world(std::move(scene)), "the scene",
                                      SimulationOptions{paused, std::move(journal)});
}

/// Acquires snapshots until one satisfies the condition.
template <class Condition>
testing::AssertionResult wait_for(Simulation& simulation, Condition condition) {
  if (test::in_time([&] { return simulation.acquire() && condition(simulation.newest()); }))
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << "never happened";
}

testing::AssertionResult wait_for_message(Simulation& simulation, const std::string& part) {
  const auto told = [&] {
    const auto messages = simulation.take_messages();
    return std::any_of(messages.begin(), messages.end(),
                       [&](const auto& message) { return message.find(part) != std::string::npos; });
  };
  if (test::in_time(told)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "no message with \"" << part << "\"";
}

Result<void> wait_for_result(const std::function<void(std::function<void(Result<void>)>)>& ask) {
  auto promise = std::make_shared<std::promise<Result<void>>>();
  auto future = promise->get_future();
  ask([promise](Result<void> result) { promise->set_value(std::move(result)); });
  if (future.wait_for(test::patience) != std::future_status::ready) return fail("no answer");
  return future.get();
}

TEST(Simulation, PublishesTheStartWhilePaused) {
  const auto simulation = start(true);
  ASSERT_TRUE(wait_for(*simulation, [](const Snapshot& s) { return s.sequence == 1; }));
  EXPECT_EQ(simulation->newest().step, 0U);
  EXPECT_TRUE(simulation->newest().paused);
  EXPECT_EQ(simulation->newest().systems.size(), 1U);
}

TEST(Simulation, SingleStepsExactlyAsOftenAsAsked) {
  const auto simulation = start(true);
  simulation->single_step();
  simulation->single_step(4);
  ASSERT_TRUE(wait_for(*simulation, [](const Snapshot& s) { return s.step == 5; }));
  simulation->submit(MoveGrab{Vec3(0, 0, 0)});  // Any request makes the simulation publish another snapshot.
  const auto sequence = simulation->newest().sequence;
  ASSERT_TRUE(wait_for(*simulation, [&](const Snapshot& s) { return s.sequence > sequence; }));
  EXPECT_EQ(simulation->newest().step, 5U);
}

TEST(Simulation, RunsPausesAndResets) {
  const auto simulation = start(false);
  ASSERT_TRUE(wait_for(*simulation, [](const Snapshot& s) { return s.step >= 5 && !s.paused; }));
  simulation->set_paused(true);
  ASSERT_TRUE(wait_for(*simulation, [](const Snapshot& s) { return s.paused; }));
  const auto epoch = simulation->newest().epoch;
  simulation->submit(Reset{});
  ASSERT_TRUE(wait_for(*simulation, [&](const Snapshot& s) { return s.epoch != epoch; }));
  EXPECT_EQ(simulation->newest().step, 0U);
  EXPECT_EQ(simulation->newest().time_s, 0.0);
  EXPECT_TRUE(simulation->newest().paused);
}

TEST(Simulation, ASpeedFactorIsACommandThatShows) {
  const auto simulation = start(true);
  simulation->set_speed(50);
  ASSERT_TRUE(wait_for(*simulation, [](const Snapshot& s) { return s.asked_speed == 50; }));
  simulation->set_speed(-1);
  EXPECT_TRUE(wait_for_message(*simulation, "world.speed"));
}

TEST(Simulation, SubscribedChannelsArriveAndBadCommandsAreReported) {
  const auto simulation = start(true);
  simulation->subscribe({.channels = {"speed"}});
  ASSERT_TRUE(wait_for(*simulation, [](const Snapshot& s) { return s.systems[0].channels.size() == 1; }));
  simulation->submit(SetParameter{"system.bals.gravity", true});
  EXPECT_TRUE(wait_for_message(*simulation, "did you mean \"balls\""));
}

TEST(Simulation, TheAirIsShownAsSubscribed) {
  Node scene = simple_scene();
  add_child(scene, "field", "uniform", "wind").set("velocity", Vec3(3, 0, 0));
  const auto simulation = start(false, scene);
  FieldViewParams look;
  look.plane_z = true;
  simulation->subscribe({.air = look});
  ASSERT_TRUE(wait_for(*simulation, [](const Snapshot& s) { return s.field.slices.size() == 1; }));
  EXPECT_EQ(simulation->newest().field.slices[0].value[0], 3);
  simulation->submit(SetParameter{"field.wind.velocity", Vec3(0, 0, 4)});
  EXPECT_TRUE(wait_for(
      *simulation, [](const Snapshot& s) { return s.field.slices.size() == 1 && s.field.slices[0].value[0] == 4; }));
  simulation->subscribe({});
  EXPECT_TRUE(wait_for(*simulation, [](const Snapshot& s) { return s.field.slices.empty(); }));
}

TEST(Simulation, AHealthFailurePausesWithOneSentence) {
  Node scene = simple_scene();
  ASSERT_TRUE(set_parameter(scene, "system.balls.break_time", 0.1));
  const auto simulation = start(false, scene);
  ASSERT_TRUE(wait_for(*simulation, [](const Snapshot& s) { return s.health.failed; }));
  EXPECT_TRUE(simulation->newest().paused);
  EXPECT_THAT(simulation->newest().health.sentence, HasSubstr("position is not finite"));
  EXPECT_TRUE(wait_for_message(*simulation, "position is not finite"));
  simulation->submit(Reset{});
  ASSERT_TRUE(wait_for(*simulation, [](const Snapshot& s) { return !s.health.failed; }));
}

/// Counts steps and blocks the simulation if requested.
class CountingSink final : public SnapshotSink {
 public:
  void offer(const Snapshot& snapshot, const std::atomic<bool>& stop_requested) override {
    std::unique_lock lock(mutex_);
    steps_.push_back(snapshot.step);
    while (full_ && !stop_requested) changed_.wait_for(lock, 1ms);
    changed_.notify_all();
  }
  void set_full(bool full) {
    const std::lock_guard lock(mutex_);
    full_ = full;
    changed_.notify_all();
  }
  std::vector<std::uint64_t> steps() {
    const std::lock_guard lock(mutex_);
    return steps_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::uint64_t> steps_;
  bool full_ = false;
};

TEST(Simulation, ASinkMissesNothingEvenWhenTheWorldRunsFarAhead) {
  const auto simulation = start(true);
  const auto sink = std::make_shared<CountingSink>();
  simulation->set_sink(sink);
  simulation->set_speed(1000);
  simulation->set_paused(false);
  ASSERT_TRUE(wait_for(*simulation, [](const Snapshot& s) { return s.step >= 500; }));
  simulation->set_paused(true);
  ASSERT_TRUE(wait_for(*simulation, [](const Snapshot& s) { return s.paused; }));
  const auto steps = sink->steps();
  for (std::size_t i = 0; i < steps.size(); ++i) ASSERT_EQ(steps[i], i);
}

TEST(Simulation, AFullSinkHoldsTheWorldBackAndItsRemovalFreesIt) {
  const auto simulation = start(true);
  const auto sink = std::make_shared<CountingSink>();
  sink->set_full(true);
  simulation->set_sink(sink);
  simulation->single_step(10);
  EXPECT_TRUE(test::in_time([&] { return !sink->steps().empty(); }));
  EXPECT_EQ(sink->steps().size(), 1U);
  simulation->set_sink(nullptr);
  ASSERT_TRUE(wait_for(*simulation, [](const Snapshot& s) { return s.step == 10; }));
  EXPECT_LE(sink->steps().size(), 2U);
}

TEST(Simulation, AWatcherBesideASinkMissesNothingEither) {
  const auto simulation = start(true);
  const auto sink = std::make_shared<CountingSink>(), watcher = std::make_shared<CountingSink>();
  simulation->set_watcher(watcher);
  simulation->set_speed(1000);
  simulation->set_paused(false);
  ASSERT_TRUE(wait_for(*simulation, [](const Snapshot& s) { return s.step >= 200; }));
  simulation->set_sink(sink);  // The sink receives snapshots from the world's current step.
  // The test waits for the sink, because the world may already have passed a given step.
  ASSERT_TRUE(test::in_time([&] { return sink->steps().size() >= 100; }));
  simulation->set_sink(nullptr);
  simulation->set_paused(true);
  ASSERT_TRUE(wait_for(*simulation, [](const Snapshot& s) { return s.paused; }));
  const auto watched = watcher->steps(), sunk = sink->steps();
  for (std::size_t i = 0; i < watched.size(); ++i) ASSERT_EQ(watched[i], i) << "the start, and every step once";
  ASSERT_FALSE(sunk.empty());
  for (std::size_t i = 0; i < sunk.size(); ++i) ASSERT_EQ(sunk[i], sunk.front() + i);
  simulation->set_watcher(nullptr);
  simulation->single_step(3);
  ASSERT_TRUE(wait_for(*simulation, [&](const Snapshot& s) { return s.paused && s.step >= watched.size() + 2; }));
  EXPECT_EQ(watcher->steps().size(), watched.size()) << "removed";
}

TEST(Simulation, EndsWhileASinkIsFull) {
  auto simulation = start(false);
  const auto sink = std::make_shared<CountingSink>();
  sink->set_full(true);
  simulation->set_sink(sink);
  simulation.reset();  // a fault would make this hang
  EXPECT_EQ(sink.use_count(), 1) << "the thread has ended and let go of its sink";
}

TEST(Simulation, SavedJournalAndCheckpointLeadToTheSameState) {
  const test::Scratch scratch;
  const std::string journal_path = scratch.path("saved.journal"), live_path = scratch.path("live.journal"),
                    checkpoint_path = scratch.path("end.vwstate");
  {
    const auto simulation = start(true, simple_scene(), live_path);
    simulation->submit(SetParameter{"system.balls.gravity", true});
    simulation->single_step(7);
    simulation->submit(Push{"balls", 1, Vec3(0, 3, 0), 0});
    ASSERT_TRUE(wait_for(*simulation, [](const Snapshot& s) { return s.step == 7; }));
    simulation->single_step(5);
    ASSERT_TRUE(wait_for(*simulation, [](const Snapshot& s) { return s.step == 12; }));
    ASSERT_TRUE(wait_for_result([&](auto done) { simulation->save_journal(journal_path, done); }));
    ASSERT_TRUE(wait_for_result([&](auto done) { simulation->save_checkpoint(checkpoint_path, done); }));
    EXPECT_FALSE(wait_for_result([&](auto done) { simulation->save_journal("/nowhere/at/all", done); }));
  }
  const auto world = mock::make_world(simple_scene());
  for (const auto& path : {journal_path, live_path}) {
    const auto journal = read_journal(path);
    ASSERT_TRUE(journal) << journal.error().message();
    EXPECT_TRUE(journal->complete);
    const auto fresh = mock::make_world(simple_scene());
    const auto outcome = replay(*fresh, *journal);
    ASSERT_TRUE(outcome) << outcome.error().message();
    EXPECT_EQ(outcome->steps, 12U);
    const auto resumed = resume_world(simple_scene(), *load_checkpoint(checkpoint_path), mock::registry());
    ASSERT_TRUE(resumed);
    EXPECT_EQ((*resumed)->hash(), fresh->hash());
  }
}

TEST(Simulation, AnUnwritableJournalIsAMessageAndTheSimulationRuns) {
  const auto simulation = start(true, simple_scene(), "/nowhere/at/all");
  EXPECT_TRUE(wait_for_message(*simulation, "/nowhere/at/all"));
  simulation->single_step();
  EXPECT_TRUE(wait_for(*simulation, [](const Snapshot& s) { return s.step == 1; }));
}

/// Blocks the next step of a mock world until the test calls release().
class HeldStep {
 public:
  HeldStep() {
    mock::set_substep_hook([this] {
      std::unique_lock lock(mutex_);
      inside_ = true;
      changed_.notify_all();
      changed_.wait(lock, [this] { return released_; });
    });
  }
  ~HeldStep() {
    release();
    mock::set_substep_hook({});
  }
  bool wait_until_inside() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, test::patience, [this] { return inside_; });
  }
  void release() {
    const std::lock_guard lock(mutex_);
    released_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool inside_ = false, released_ = false;
};

TEST(Simulation, NoCallOfTheDrawingThreadWaitsForAStep) {
  const auto simulation = start(true);
  ASSERT_TRUE(wait_for(*simulation, [](const Snapshot& s) { return s.sequence == 1; }));
  HeldStep step;
  simulation->single_step();
  ASSERT_TRUE(step.wait_until_inside());
  // The step cannot end before release() below. If a call waited for the step, not all of these calls would return.
  auto calls = std::async(std::launch::async, [&] {
    for (int i = 0; i < 1000; ++i) {
      simulation->set_paused(true);
      simulation->set_speed(2);
      simulation->submit(MoveGrab{Vec3(0, 0, 0)});
      simulation->subscribe({.channels = {"speed"}});
      simulation->set_sink(nullptr);
      simulation->single_step(0);
      simulation->save_journal("/nowhere/at/all", {});
      (void)simulation->acquire();
      (void)simulation->newest();
      (void)simulation->take_messages();
    }
  });
  const bool returned = calls.wait_for(test::patience) == std::future_status::ready;
  step.release();
  EXPECT_TRUE(returned);
  EXPECT_TRUE(wait_for(*simulation, [](const Snapshot& s) { return s.step == 1; }));
}

TEST(Simulation, TakesCommandsFromTheDrawingThreadWhileItRuns) {
  const auto simulation = start(false);
  simulation->set_speed(20);
  for (int i = 0; i < 300; ++i) {
    simulation->submit(SetParameter{"world.gravity", Vec3(0, -i, 0)});
    if (i % 10 == 0) simulation->submit(Grab{"balls", i % 3, Vec3(0, 1, 0), 10});
    if (i % 50 == 0) simulation->submit(Reset{});
    if (i % 7 == 0) simulation->subscribe(i % 2 == 0 ? SnapshotRequest{.channels = {"speed"}} : SnapshotRequest{});
    if (simulation->acquire()) {
      double sum = 0;
      for (const auto& system : simulation->newest().systems)
        for (const auto& p : system.position) sum += static_cast<double>(p.x());
      EXPECT_TRUE(std::isfinite(sum));
    }
  }
  EXPECT_TRUE(wait_for(*simulation, [](const Snapshot& s) { return s.step > 10; }));
  EXPECT_TRUE(simulation->take_messages().empty());
}

TEST(Pacer, OwesOneStepAStepLengthAndForgivesWhatIsTooMuch) {
  Pacer pacer;
  constexpr double dt = 0.01;
  pacer.advance(0.025, 1, dt);
  int steps = 0;
  for (; pacer.step_due(dt); ++steps) pacer.stepped(dt);
  EXPECT_EQ(steps, 2);
  EXPECT_NEAR(pacer.wait_s(1, dt), 0.005, 1e-12);
  EXPECT_NEAR(pacer.wait_s(2, dt), 0.0025, 1e-12);
  pacer.advance(100, 1, dt);  // a gap as after a debugger stop or the suspension of a laptop
  for (steps = 0; pacer.step_due(dt); ++steps) pacer.stepped(dt);
  EXPECT_LE(steps, 10);  // At most 0.1 s is caught up.
  pacer.clear();
  pacer.advance(1, 1, 5.0);  // a step longer than the limit of 0.1 s is still due
  pacer.advance(10, 1, 5.0);
  EXPECT_TRUE(pacer.step_due(5.0));
}

TEST(Pacer, TheRateIsThatOfTheLastSecond) {
  RateMeter meter;
  EXPECT_EQ(meter.rate(), 0);
  for (int i = 0; i <= 500; ++i) meter.sample(i * 0.01, i * 0.005);
  EXPECT_NEAR(meter.rate(), 0.5, 1e-6);
  for (int i = 1; i <= 150; ++i) meter.sample(5 + i * 0.01, 2.5 + i * 0.02);
  EXPECT_NEAR(meter.rate(), 2.0, 1e-6);  // 1.5 s later, the slow period no longer counts.
}

}  // namespace
}  // namespace vw
