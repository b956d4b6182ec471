// Changes every parameter of the lab scenes while they run. Each edit goes through the simulation's queue as the
// window's edits do, followed by some steps. All positions and velocities must stay finite and bounded, or the world
// must stop with an error message.
#include "plot_scene.h"

#include <cmath>

#include "sim/api/live/live_run.h"
#include "sim/base/random.h"
#include "sim/plot/plot_recorder.h"
#include "tests/support/waiting.h"

namespace vw {
namespace {

/// A sequence of random numbers from a seed.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : seed_(seed) {}
  double share() { return random_uniform({seed_, 0}, count_++, 0); }
  std::size_t below(std::size_t n) {
    return std::min(n - 1, static_cast<std::size_t>(share() * static_cast<double>(n)));
  }

 private:
  std::uint64_t seed_;
  std::uint64_t count_ = 0;
};

/// Returns the FNV-1a hash of a name (http://www.isthe.com/chongo/tech/comp/fnv).
std::uint64_t random_key_of(const std::string& name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  return hash;
}

/// Returns a random value that a slider can reach: within the bounds of the parameter, and at most a thousand times
/// larger in magnitude than the current value.
Value drawn_value(const ParamSpec& spec, const Value& now, Draws& draws) {
  const auto number = [&](double value) {
    const double reach = 1000 * std::max(1e-3, std::abs(value));
    const double low = std::max(spec.bounds.min, -reach), high = std::min(spec.bounds.max, reach);
    if (spec.scale == Scale::log && low > 0) return low * std::pow(high / low, draws.share());
    return low + draws.share() * (high - low);
  };
  if (const auto* real = std::get_if<double>(&now)) return number(*real);
  if (const auto* whole = std::get_if<std::int64_t>(&now))
    return static_cast<std::int64_t>(std::lround(std::min(1000.0, number(static_cast<double>(*whole)))));
  if (const auto* truth = std::get_if<bool>(&now)) return !*truth;
  return spec.choices[draws.below(spec.choices.size())];
}

struct Knob {
  std::string path;
  const ParamSpec* spec;
};

/// Collects the parameters of a node that can be edited during the run: numbers, switches and choices.
void add_knobs(const Node& node, const std::string& path, std::vector<Knob>& knobs) {
  for (std::size_t i = 0; i < node.schema->params.size(); ++i) {
    const ParamSpec& spec = node.schema->params[i];
    const Value& value = node.values[i];
    const bool number = std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value) ||
                        std::holds_alternative<bool>(value);
    if (spec.live == Live::yes && (number || !spec.choices.empty())) knobs.push_back({path + "." + spec.name, &spec});
  }
}

std::vector<Knob> knobs_of(const Node& scene) {
  std::vector<Knob> knobs;
  for (const char* slot : {"system", "collider", "field", "interaction"})
    for (const Node* node : scene.all(slot)) {
      const std::string path = std::string(slot) + "." + node->name;
      add_knobs(*node, path, knobs);
      for (const Node* emitter : node->all("emitter")) add_knobs(*emitter, path + ".emitter." + emitter->name, knobs);
    }
  return knobs;
}

const Value& value_at(Node& scene, const std::string& path) { return find_parameter(scene, path)->value(); }

class Plots final : public api::SnapshotSink {
 public:
  explicit Plots(PlotSet plots) : recorder(std::move(plots)) {}
  void offer(const Snapshot& snapshot, const std::atomic<bool>&) override { recorder.take(snapshot); }
  PlotRecorder recorder;
};

/// Returns the description of the first fault in the snapshot that the health report does not mention. The description
/// is empty if there is no such fault.
std::string trouble(const Snapshot& snapshot) {
  if (snapshot.health.failed) return snapshot.health.sentence.size() > 20 ? "" : "stopped without a sentence";
  for (const SystemSnapshot& system : snapshot.systems)
    for (std::size_t i = 0; i < system.position.size(); ++i) {
      if (!system.position[i].allFinite() || !system.velocity[i].allFinite())
        return system.name + ": not finite, and nobody says so";
      // Only an instability can cause speeds above 1e4 m/s. Wind and emitters with drawn parameters reach 3 km/s.
      if (system.velocity[i].norm() > 1e4F) return system.name + ": above 10 km/s, but the health report is silent";
    }
  return {};
}

/// Waits until the simulation has published a snapshot of step `step` or later, or has stopped.
bool wait_for_step(api::LiveRun& simulation, std::uint64_t step) {
  return test::in_time([&] {
    (void)simulation.acquire();
    return simulation.newest().step >= step || simulation.newest().health.failed;
  });
}

/// Counts of a series of random edits.
struct EditCounts {
  int edits = 0, stops = 0;
};

/// Applies 30 random edits to a running scene, one every four steps. Returns at once if the scene is not of the wanted
/// size. Some edits of a large scene make a step take seconds, so large scenes are tested separately.
void turn_knobs(const PackagedScene& packaged, bool is_large, EditCounts& counts) {
  constexpr std::size_t most = 500;
  // The seed depends only on the name of the scene, so adding scenes does not change the edits of this one.
  Draws draws(random_key_of(packaged.name));
  auto opened = api::open_scene(packaged.path, {.strict = true});
  ASSERT_TRUE(opened) << opened.error().message();
  Node scene = opened->root;
  auto run = api::Run::create(std::move(*opened));
  ASSERT_TRUE(run) << run.error().message();
  Snapshot start;
  run->snapshot(start);
  std::size_t elements = 0;
  for (const SystemSnapshot& system : start.systems) elements += system.position.size();
  if ((elements > most) != is_large) return;
  auto plots = PlotSet::compile(scene);
  ASSERT_TRUE(plots);
  const auto knobs = knobs_of(scene);
  auto watch = std::make_shared<Plots>(std::move(*plots));
  api::LiveRun simulation(std::move(*run));
  simulation.set_watcher(watch);
  std::string done;
  for (int i = 0; i < 30; ++i, ++counts.edits) {
    const Knob& knob = knobs[draws.below(knobs.size())];
    const Value value = drawn_value(*knob.spec, value_at(scene, knob.path), draws);
    ASSERT_TRUE(set_parameter(scene, knob.path, value)) << knob.path;
    done += "\n" + knob.path + " = " + to_text(value);
    simulation.submit(SetParameter{knob.path, value});
    if (auto others = PlotSet::compile(scene)) watch->recorder.replace(std::move(*others));
    const std::uint64_t step = simulation.newest().step;  // the simulation is paused at this step
    simulation.single_step(4);
    ASSERT_TRUE(wait_for_step(simulation, step + 4)) << packaged.name << ": hangs after" << done;
    ASSERT_EQ(trouble(simulation.newest()), "") << packaged.name << ", after" << done;
    if (!simulation.newest().health.failed) continue;
    ++counts.stops;
    const std::uint64_t epoch = simulation.newest().epoch;
    simulation.submit(Reset{});
    ASSERT_TRUE(test::in_time([&] { return simulation.acquire() && simulation.newest().epoch != epoch; }))
        << packaged.name << ": no reset after" << done;
  }
}

EditCounts turn_knobs_of_lab(bool is_large) {
  EditCounts counts;
  for (const PackagedScene& packaged : packaged_scenes())
    if (packaged.group == "lab") turn_knobs(packaged, is_large, counts);
  ::testing::Test::RecordProperty("stops", counts.stops);
  return counts;
}

TEST(LabEdits, NoKnobTurnedWhileItRunsBreaksTheLabSilently) { EXPECT_GE(turn_knobs_of_lab(false).edits, 300); }

TEST(LabEditsValidation, NoKnobTurnedWhileItRunsBreaksLargeScenesSilently) {
  EXPECT_GE(turn_knobs_of_lab(true).edits, 150);
}

}  // namespace
}  // namespace vw
