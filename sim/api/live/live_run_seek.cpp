// Functions of a live run for past moments, on the simulation thread: seeking, the scene of a moment, the timeline.
#include <algorithm>
#include <cmath>

#include "sim/api/live/live_run_impl.h"

namespace vw::api {
namespace {

/// Wall time [s] between two published snapshots during a seek. The snapshots show its progress.
constexpr double seek_publish_interval_s = 0.1;
/// Largest difference between the time of a film frame and the target of a seek for which the frame is shown [s].
constexpr double film_reach_s = 0.25;
/// Wall time [s] spent on recomputed steps during a seek before new requests are handled.
constexpr double seek_slice_s = 0.004;

}  // namespace

void LiveRun::Impl::handle(SeekTime& request) {
  const bool is_known = history.tree().has(request.branch);  // for an unknown branch, go_to() reports the error
  go_to({request.branch, is_known ? history.tree().tick_at(request.branch, request.elapsed_s) : 0, any_command});
}

void LiveRun::Impl::handle(StepBack& request) {
  const RunMoment& from = history.now();
  const std::uint64_t tick = history.is_seeking() ? from.tick + history.remaining_steps() : from.tick;
  const auto steps = static_cast<std::uint64_t>(std::max(0, request.steps));
  go_to({from.branch, tick - std::min(tick, steps), any_command});
}

void LiveRun::Impl::handle(StopSeeking&) {
  if (!history.is_seeking()) return;
  history.stop_seeking();
  arrive();
}

void LiveRun::Impl::handle(EditHistory& request) {
  if (auto good = request.edit(history); !good) tell(good.error().message());
  film.keep_only([this](BranchNumber branch) { return history.tree().has(branch); });
  if (!history.is_seeking()) return tell_scene();
  // The branch of the present moment was removed, and the run goes to the moment at which the branch began. The target
  // of the last seek may lie in the removed branch.
  shows_film = false;
  seek_target = history.now();
  seek_steps = std::max<std::uint64_t>(1, history.remaining_steps());
  failure_reported = false;
}

bool LiveRun::Impl::publish_film() {
  const BranchTree& tree = history.tree();
  const std::uint64_t tick = std::clamp(seek_target.tick, tree.start().tick, tree.end(seek_target.branch).tick);
  const double elapsed_s = tree.elapsed_s(seek_target.branch, tick);
  const BranchNumber owner = tree.owner(seek_target.branch, tick);
  const auto time_s = film.nearest(owner, elapsed_s);
  if (!time_s || std::abs(*time_s - elapsed_s) > film_reach_s) return false;
  Snapshot& snapshot = exchange.back();
  if (!film.show(owner, elapsed_s, snapshot)) return false;
  snapshot.sequence = ++sequence;
  snapshot.paused = paused;
  snapshot.asked_speed = world.params().speed;
  snapshot.place.branch = seek_target.branch;
  snapshot.place.is_past = true;
  snapshot.place.is_seeking = true;
  snapshot.place.seek_remaining =
      history.is_seeking() ? static_cast<double>(history.remaining_steps()) / static_cast<double>(seek_steps) : 1;
  exchange.publish();
  last_publish = Clock::now();
  return true;
}

void LiveRun::Impl::go_to(const RunMoment& target) {
  seek_target = target;
  shows_film = history.tree().has(target.branch) && publish_film();
  if (auto good = history.seek(target); !good) {
    tell(good.error().message());
    return arrive();
  }
  failure_reported = false;
  seek_steps = std::max<std::uint64_t>(1, history.remaining_steps());
  // If the film has no frame of this moment, the state of the nearest keyframe is shown while the exact state is
  // computed.
  if (!shows_film && history.remaining_steps() > 1) publish(false);
}

void LiveRun::Impl::continue_seek() {
  const auto begun = Clock::now();
  const auto seconds_since_begin = [&] { return std::chrono::duration<double>(Clock::now() - begun).count(); };
  do {
    if (!history.continue_seek()) return arrive();
  } while (seconds_since_begin() < seek_slice_s);
  if (std::chrono::duration<double>(Clock::now() - last_publish).count() < seek_publish_interval_s) return;
  if (!shows_film || !publish_film()) publish(false);
}

void LiveRun::Impl::arrive() {
  take_history_messages();
  tell_scene();
  pacer.clear();
  meter.clear();
  last_advance = Clock::now();
  publish();
}

void LiveRun::Impl::take_history_messages() {
  for (std::string& message : history.take_messages()) tell(std::move(message));
}

void LiveRun::Impl::tell_scene() {
  const BranchTree::CommandStamp stamp = history.tree().scene_stamp(history.now());
  if (stamp == known_scene) return;
  known_scene = stamp;
  SceneOfMoment moment = scene_of_moment();  // without the lock, because the copies of a large scene take long
  const std::lock_guard lock(mutex);
  told_scene = std::move(moment);
  told_commands = applied;
}

SceneOfMoment LiveRun::Impl::scene_of_moment() const {
  SceneOfMoment moment{world.scene(), {}};
  Node scene = moment.scene;
  for (const SetParameter& old : world.in_force())
    if (const auto ref = find_parameter(scene, old.path); ref && ref->spec->live == Live::no)
      moment.waiting.push_back(old.path);
  return moment;
}

void LiveRun::Impl::command_was_handled(const Command& command, bool is_accepted) {
  const bool is_changed = is_accepted && changes_scene(command);
  if (is_changed) known_scene = history.tree().scene_stamp(history.now());
  {
    const std::lock_guard lock(mutex);
    if (!told_scene) return;
  }
  // The drawing thread takes the stored scene only if all commands that it has submitted were handled before. The scene
  // must therefore include this command, and the command must be counted even if it has no effect on the scene. Until
  // it is counted, the drawing thread does not take the stored scene.
  std::optional<SceneOfMoment> changed;
  if (is_changed) changed = scene_of_moment();
  const std::lock_guard lock(mutex);
  if (changed) told_scene = std::move(changed);
  told_commands = applied;
}

void LiveRun::Impl::update_timeline() {
  if (!timeline_is_old || std::chrono::duration<double>(Clock::now() - last_timeline).count() < timeline_interval_s)
    return;
  {
    const std::lock_guard lock(mutex);
    if (!timeline_wanted) return;
    timeline_wanted = false;
  }
  auto made = std::make_shared<const Timeline>(timeline_builder.build(history));
  timeline_is_old = false;
  last_timeline = Clock::now();
  const std::lock_guard lock(mutex);
  timeline = std::move(made);
}

}  // namespace vw::api
