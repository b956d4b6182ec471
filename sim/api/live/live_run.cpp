// The functions of LiveRun that the drawing thread calls.
#include "sim/api/live/live_run.h"

#include <algorithm>
#include <optional>

#include "sim/api/live/live_run_impl.h"

namespace vw::api {
namespace {

/// Returns the permanent id of the element on which a command acts, whose row is that of the snapshot. Returns nothing
/// if the command acts on no element, or if elements of the system never change rows. The row of SetPose may belong to
/// a body that a command before this one adds.
std::optional<std::uint32_t> shown_identity(const Command& command, const Snapshot& shown) {
  std::optional<std::uint32_t> identity;
  const auto look_up = [&](const std::string& name, std::int64_t element) {
    const auto system = std::ranges::find(shown.systems, name, &SystemSnapshot::name);
    const auto row = static_cast<std::size_t>(element);
    if (element >= 0 && system != shown.systems.end() && row < system->id.size()) identity = system->id[row];
  };
  std::visit(
      [&]([[maybe_unused]] const auto& what) {
        if constexpr (
            requires { what.element; } && !requires { what.rotation; })
          look_up(what.system, what.element);
      },
      command);
  return identity;
}

}  // namespace

LiveRun::LiveRun(Run run, Start start, HistoryLimits limits)
    : impl_(std::make_unique<Impl>(exchange_, std::move(*run.session_), start, std::move(limits))) {}
LiveRun::LiveRun(OpenedSession session, Start start, HistoryLimits limits)
    : impl_(std::make_unique<Impl>(exchange_, std::move(*session.run.session_), start, std::move(limits),
                                   std::move(*session.history))) {}
LiveRun::~LiveRun() = default;

void LiveRun::set_paused(bool paused) { impl_->post(Impl::SetPaused{paused}); }
void LiveRun::single_step(int steps) { impl_->post(Impl::SingleStep{steps}); }
void LiveRun::hold_after(double elapsed_s) { impl_->hold_s = elapsed_s; }
void LiveRun::set_speed(double factor) { submit(SetParameter{"world.speed", factor}); }
void LiveRun::submit(Command command) {
  if (std::holds_alternative<Settle>(command)) impl_->stop_settling = false;
  const std::optional<std::uint32_t> identity = shown_identity(command, newest());
  impl_->post(Impl::Submitted{std::move(command), identity});
}
void LiveRun::change(ChangeNodes command, std::function<void(Result<void>)> done) {
  impl_->post(Impl::Change{std::move(command), [done = std::move(done)](Result<ChangeOutcome> outcome) {
                             if (done) done(outcome ? Result<void>() : Unexpected(outcome.error()));
                           }});
}
void LiveRun::change_or_restart(ChangeNodes command, std::function<void(Result<ChangeOutcome>)> done) {
  impl_->post(Impl::Change{std::move(command), std::move(done), true});
}
void LiveRun::subscribe(SnapshotRequest wanted) { impl_->post(Impl::Subscribe{std::move(wanted)}); }
void LiveRun::set_sink(std::shared_ptr<SnapshotSink> sink) { impl_->post(Impl::SetSink{std::move(sink)}); }
void LiveRun::set_watcher(std::shared_ptr<SnapshotSink> watcher) { impl_->post(Impl::SetWatcher{std::move(watcher)}); }
void LiveRun::save_checkpoint(std::string path, std::function<void(Result<void>)> done) {
  impl_->post(Impl::SaveCheckpoint{std::move(path), std::move(done)});
}
void LiveRun::save_journal(std::string path, std::function<void(Result<void>)> done) {
  impl_->post(Impl::SaveJournal{std::move(path), std::move(done)});
}
void LiveRun::save_session(std::string path, std::uint64_t limit_bytes, std::function<void(Result<void>)> done) {
  impl_->post(Impl::SaveSession{std::move(path), limit_bytes, std::move(done)});
}
void LiveRun::set_display(std::string display) { impl_->post(Impl::SetDisplay{std::move(display)}); }
std::shared_ptr<const Checkpoint> LiveRun::start() const { return impl_->start_state; }

void LiveRun::journal(std::function<void(Journal)> done) { impl_->post(Impl::ReadJournal{std::move(done)}); }
void LiveRun::branch_journal(std::uint32_t branch, std::function<void(Journal)> done) {
  impl_->post(Impl::ReadJournal{std::move(done), branch});
}

void LiveRun::share_branch(std::uint32_t branch, std::function<void(SharedBranch)> done) {
  impl_->post(
      Impl::ReadJournal{[done, impl = impl_.get(), branch](Journal journal) {
                          done({std::move(journal), std::make_shared<RestoredHistory>(impl->history.share(branch))});
                        },
                        branch});
}

void LiveRun::seek(std::uint32_t branch, std::uint64_t tick) { impl_->post(Impl::Seek{branch, tick}); }
void LiveRun::seek_time(std::uint32_t branch, double elapsed_s) { impl_->post(Impl::SeekTime{branch, elapsed_s}); }
void LiveRun::step_back(int steps) { impl_->post(Impl::StepBack{steps}); }
void LiveRun::stop_seeking() { impl_->post(Impl::StopSeeking{}); }
void LiveRun::rename_branch(std::uint32_t branch, std::string name) {
  impl_->post(Impl::EditHistory{
      [branch, name = std::move(name)](RunHistory& history) { return history.rename(branch, name); }});
}
void LiveRun::promote_branch(std::uint32_t branch) {
  impl_->post(Impl::EditHistory{[branch](RunHistory& history) { return history.promote(branch); }});
}
void LiveRun::remove_branch(std::uint32_t branch) {
  impl_->post(Impl::EditHistory{[branch](RunHistory& history) { return history.remove(branch); }});
}
void LiveRun::add_bookmark(std::string name) {
  impl_->post(Impl::EditHistory{[name = std::move(name)](RunHistory& history) {
    return history.add_bookmark({history.now().tick, name});
  }});
}
void LiveRun::remove_bookmark(std::uint32_t branch, std::uint64_t tick) {
  impl_->post(Impl::EditHistory{[branch, tick](RunHistory& history) { return history.remove_bookmark(branch, tick); }});
}

std::shared_ptr<const Timeline> LiveRun::timeline() {
  bool is_first = false;
  std::shared_ptr<const Timeline> newest;
  {
    const std::lock_guard lock(impl_->mutex);
    is_first = !std::exchange(impl_->timeline_wanted, true);
    newest = impl_->timeline;
  }
  if (is_first) impl_->wake.notify_one();
  return newest;
}

std::optional<SceneOfMoment> LiveRun::take_scene() {
  const std::lock_guard lock(impl_->mutex);
  if (impl_->told_commands != impl_->submitted) return {};
  return std::exchange(impl_->told_scene, std::nullopt);
}

SettleProgress LiveRun::settle_progress() const {
  return {impl_->settle_share, impl_->settle_residual, impl_->settle_iterations};
}
void LiveRun::stop_settling() { impl_->stop_settling = true; }

std::optional<Result<Equilibrium>> LiveRun::take_settled() {
  const std::lock_guard lock(impl_->mutex);
  return std::exchange(impl_->settled, std::nullopt);
}

std::vector<std::string> LiveRun::take_messages() {
  const std::lock_guard lock(impl_->mutex);
  return std::exchange(impl_->messages, {});
}

std::vector<std::string> LiveRun::take_warnings() {
  std::vector<std::string> taken;
  if (warnings_.is_new_slow(newest().slow)) taken.push_back(newest().slow);
  for (const SystemSnapshot& system : newest().systems)
    for (std::string& warning : warnings_.note(system.name, system.totals)) taken.push_back(std::move(warning));
  return taken;
}

}  // namespace vw::api
