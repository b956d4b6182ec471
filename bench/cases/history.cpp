// History of a run. The benchmark measures the costs of recording, of saving and opening a session, and of moving to a
// past moment.
#include <algorithm>
#include <filesystem>
#include <thread>

#include "bench/measure.h"
#include "sim/api/live/live_run.h"
#include "sim/api/open_scene.h"
#include "sim/base/random.h"
#include "sim/base/system/folders.h"
#include "sim/history/run_history.h"
#include "sim/scene/scene.h"

namespace vw::bench {
namespace {

/// Names of packaged scenes, and "rain" for rain_scene().
const std::vector<std::string> history_scenes{"jelly-drop", "dam-break", "showcase", "lab-bounce", "rain"};

/// Largest size of the keyframes in a session file that the window saves [bytes].
constexpr std::uint64_t saved_keyframe_bytes = std::uint64_t{256} << 20U;

/// Folder for files of a benchmark, which is removed at the end.
struct TemporaryFolder {
  std::string path = create_temporary_folder("voxwake-bench");
  TemporaryFolder() = default;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
};

/// Returns a scene with 50,000 drops that fall to the ground and live for 2 s.
Node rain_scene() {
  Node scene = api::new_scene();
  Node& rain = add_child(scene, "system", "particles", "rain");
  Node& cloud = add_child(rain, "emitter", "box", "cloud");
  cloud.set("rate", 25'000.0);
  cloud.set("lifetime", 2.0);
  cloud.set("position", Vec3(0, 4, 0));
  cloud.set("size", Vec3(4, 0.1, 4));
  rain.set("capacity", std::int64_t{60'000});
  add_default_interactions(scene);
  return scene;
}

Result<Node> scene_of(std::size_t choice) {
  if (history_scenes[choice] == "rain") return rain_scene();
  auto opened = api::open_scene(history_scenes[choice]);
  if (!opened) return Unexpected(opened.error());
  return opened->root;
}

/// Returns an edit that changes gravity by a tiny amount, which depends on `number`, so that successive edits differ.
SetParameter edit_number(std::uint64_t number) {
  return {"world.gravity", Vec3(0, -9.81 - 1e-6 * static_cast<double>(number % 1000), 0)};
}

struct Recording {
  double steps_wall_s = 0, keyframes_wall_s = 0, save_s = 0;
  std::uint64_t ticks = 0;
  std::size_t keyframes = 0;
  std::vector<double> seeks_s;
};

std::uint64_t random_tick(std::uint64_t ticks, std::uint64_t seek) {
  return static_cast<std::uint64_t>(random_uniform({91, 5}, seek, 0) * static_cast<double>(ticks));
}

Result<double> timed_seek(RunHistory& history, std::uint64_t tick) {
  const auto start = Clock::now();
  if (auto good = history.seek({0, tick, 0}); !good) return Unexpected(good.error());
  while (history.continue_seek()) {
  }
  return seconds_since(start);
}

/// Runs for the argument simulated_s with edits at equal intervals, goes to random moments, and saves the session.
Result<Recording> record_session(const Node& scene, const Arguments& arguments, const HistoryLimits& limits,
                                 const std::string& path) {
  auto session = Session::create(scene, write_scene_toml(scene));
  if (!session) return Unexpected(session.error());
  RunHistory history(*session, limits);
  const double simulated_s = arguments.real("simulated_s");
  const auto edits = static_cast<std::uint64_t>(arguments.whole("edits"));
  Recording out;
  const auto start = Clock::now();
  for (std::uint64_t done = 0; history.elapsed_s() < simulated_s;) {
    if (static_cast<double>(done) * simulated_s < history.elapsed_s() * static_cast<double>(edits))
      if (auto good = history.apply(edit_number(++done)); !good) return Unexpected(good.error());
    if (!history.step()) return fail("the health check stopped the world");
  }
  out.steps_wall_s = seconds_since(start);
  out.keyframes_wall_s = history.keyframe_wall_s();
  out.ticks = history.now().tick;
  history.wait_until_packed();
  out.keyframes = history.keyframes().all().size();
  for (std::int64_t i = 0; i < arguments.whole("seeks"); ++i) {
    const auto wall_s = timed_seek(history, random_tick(out.ticks, static_cast<std::uint64_t>(i)));
    if (!wall_s) return Unexpected(wall_s.error());
    out.seeks_s.push_back(*wall_s);
  }
  history.wait_until_packed();
  const auto saving = Clock::now();
  if (auto good = history.saver(path, saved_keyframe_bytes)(); !good) return Unexpected(good.error());
  out.save_s = seconds_since(saving);
  return out;
}

/// Waits until a live run has arrived at a step. Returns the times from `start` to the first picture and arrival [s].
std::pair<double, double> time_of_arrival(api::LiveRun& run, std::uint64_t tick, Clock::time_point start) {
  double first_s = -1;
  while (true) {
    if (run.acquire()) {
      if (first_s < 0) first_s = seconds_since(start);
      const Snapshot& now = run.newest();
      if (!now.place.is_seeking && now.tick == tick) return {first_s, seconds_since(start)};
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

struct Opening {
  double open_s = 0;
  std::vector<double> pictures_s, seeks_s;
};

Result<Opening> open_saved(const std::string& path, const Recording& recording, const Arguments& arguments,
                           const HistoryLimits& limits) {
  Opening out;
  const auto start = Clock::now();
  auto session = api::open_session(path);
  if (!session) return Unexpected(session.error());
  const std::uint64_t present = session->history->present.tick;
  api::LiveRun run(std::move(*session), api::LiveRun::Start::paused, limits);
  out.open_s = time_of_arrival(run, present, start).second;
  for (std::int64_t i = 0; i < arguments.whole("seeks"); ++i) {
    const std::uint64_t tick = random_tick(recording.ticks, 1'000'000 + static_cast<std::uint64_t>(i));
    const auto begun = Clock::now();
    run.seek(0, tick);
    const auto [picture_s, exact_s] = time_of_arrival(run, tick, begun);
    out.pictures_s.push_back(picture_s);
    out.seeks_s.push_back(exact_s);
  }
  return out;
}

void add_times(Figures& figures, const std::string& name, std::vector<double> times_s) {
  if (times_s.empty()) return;
  std::ranges::sort(times_s);
  figures.emplace_back(name + "_median_ms", 1e3 * times_s[times_s.size() / 2]);
  figures.emplace_back(name + "_worst_ms", 1e3 * times_s.back());
}

}  // namespace

Result<Outcome> history_of_run(const Arguments& arguments) {
  const auto scene = scene_of(static_cast<std::size_t>(arguments.whole("scene")));
  if (!scene) return Unexpected(scene.error());
  const TemporaryFolder folder;
  const std::string path = (std::filesystem::path(folder.path) / "session.vwj").string();
  const auto bytes = [&](const char* name) { return static_cast<std::uint64_t>(arguments.whole(name)) << 20U; };
  const HistoryLimits limits{
      .memory_bytes = bytes("memory_mb"), .file_bytes = bytes("spill_mb"), .spill_folder = folder.path};
  const auto recording = record_session(*scene, arguments, limits, path);
  if (!recording) return Unexpected(recording.error());
  const auto opening = open_saved(path, *recording, arguments, limits);
  if (!opening) return Unexpected(opening.error());
  Outcome outcome;
  const auto ticks = static_cast<double>(recording->ticks);
  outcome.rates = {{"steps_per_s", ticks / recording->steps_wall_s},
                   {"simulated_s_per_s", arguments.real("simulated_s") / recording->steps_wall_s}};
  outcome.figures = {{"steps", ticks},
                     {"keyframes", static_cast<double>(recording->keyframes)},
                     {"keyframe_share", recording->keyframes_wall_s / recording->steps_wall_s},
                     {"session_mb", static_cast<double>(std::filesystem::file_size(path)) / (1U << 20U)},
                     {"save_s", recording->save_s},
                     {"open_s", opening->open_s}};
  add_times(outcome.figures, "seek", recording->seeks_s);
  add_times(outcome.figures, "opened_picture", opening->pictures_s);
  add_times(outcome.figures, "opened_seek", opening->seeks_s);
  return outcome;
}

}  // namespace vw::bench
