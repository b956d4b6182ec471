// Past moments of a live run, on the simulation thread: seeking, the scene of a moment, and the timeline.
#include <algorithm>

#include "sim/api/live_run_impl.h"

namespace vw::api {
namespace {

/// Wall time between two snapshots on the way to another moment [s], which show how far the run has come.
constexpr double seek_publish_interval_s = 0.1;
/// Wall time of recomputed steps between two looks at the requests [s].
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
  if (!history.is_seeking()) tell_scene();
}

void LiveRun::Impl::go_to(const RunMoment& target) {
  if (auto good = history.seek(target); !good) {
    tell(good.error().message());
    return arrive();
  }
  failure_reported = false;
  seek_steps = std::max<std::uint64_t>(1, history.remaining_steps());
  // The picture of the nearest keyframe is shown while the exact moment is computed.
  if (history.remaining_steps() > 1) publish(false);
}

void LiveRun::Impl::continue_seek() {
  const auto begun = Clock::now();
  const auto seconds_since_begin = [&] { return std::chrono::duration<double>(Clock::now() - begun).count(); };
  do {
    if (!history.continue_seek()) return arrive();
  } while (seconds_since_begin() < seek_slice_s);
  if (std::chrono::duration<double>(Clock::now() - last_publish).count() >= seek_publish_interval_s) publish(false);
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
  const std::lock_guard lock(mutex);
  told_scene = scene_of_moment();
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

void LiveRun::Impl::scene_was_changed(const Command& command) {
  if (!changes_scene(command)) return;
  const std::lock_guard lock(mutex);
  known_scene = history.tree().scene_stamp(history.now());
  if (!told_scene) return;
  // The drawing thread has not taken the scene yet, because it had already submitted this command.
  told_scene = scene_of_moment();
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
