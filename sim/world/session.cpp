// Headless sessions and replays.
#include "sim/world/session.h"

#include <chrono>

#include <fmt/format.h>

#include "sim/base/parallel/parallel.h"

namespace vw {

Result<Session> Session::create(Node scene, std::string scene_text, const std::string& journal_path,
                                const Registry& registry) {
  auto world = World::create(std::move(scene), registry);
  if (!world) return Unexpected(world.error());
  auto recorder = Recorder::start(**world, std::move(scene_text), journal_path);
  if (!recorder) return Unexpected(recorder.error());
  return Session(std::move(*world), std::move(*recorder));
}

Result<Session> Session::resume(Node scene, const Checkpoint& checkpoint, const std::string& journal_path,
                                const Registry& registry) {
  auto world = resume_world(std::move(scene), checkpoint, registry);
  if (!world) return Unexpected(world.error());
  auto recorder = Recorder::start(**world, checkpoint.scene_text, journal_path, true);
  if (!recorder) return Unexpected(recorder.error());
  return Session(std::move(*world), std::move(*recorder));
}

Result<void> Session::apply(const Command& command) { return recorder_.apply(*world_, command); }

bool Session::step() {
  const auto start = std::chrono::steady_clock::now();
  const bool taken = recorder_.step(*world_);
  wall_s_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return taken;
}

Session::End Session::run(double until_s, const std::function<bool(Session&)>& after_step) {
  while (world_->time() + 0.5 * world_->dt() < until_s) {
    if (!step()) return End::failed;
    if (after_step && !after_step(*this)) return End::stopped;
  }
  return End::reached;
}

Result<void> Session::save_checkpoint(const std::string& path) {
  return vw::save_checkpoint(*world_, recorder_.scene_text(), path);
}

std::string Session::checkpoint_bytes() { return vw::checkpoint_bytes(*world_, recorder_.scene_text()); }

Result<void> Session::save_journal(const std::string& path) { return recorder_.save(*world_, path); }

Result<void> Session::finish() { return recorder_.finish(*world_); }

std::string Session::report(const std::string& scene_name) const {
  return report_json(*world_, {scene_name, thread_count(), recorder_.tick(), recorder_.simulated_s(), wall_s_});
}

namespace {

/// Executes one journal entry. The world or session must be at the entry's tick. Applies the command of the entry, or
/// compares the hash in the entry with the hash of `world`.
template <class Target>
Result<void> replay_entry(Target& target, World& world, const JournalEntry& entry, const std::string& build,
                          ReplayOutcome& outcome) {
  if (entry.kind == JournalEntry::Kind::command) {
    auto good = target.apply(entry.command);
    if (good) return {};
    return fail(fmt::format("step {}: the command in the journal cannot be applied to its scene: {}", entry.tick,
                            good.error().message()));
  }
  ++outcome.hashes_checked;
  const std::uint64_t hash = world.hash();
  if (hash == entry.hash) return {};
  std::string sentence =
      fmt::format("step {}: the result differs from the journal: the hash of the state is {}, but the journal has {}",
                  entry.tick, hash_text(hash), hash_text(entry.hash));
  if (build != build_description())
    sentence += fmt::format("; the journal was written by {}, this program is {}", build, build_description());
  return fail(std::move(sentence));
}

/// Replays a journal on `target`, which is the world or the session that owns it.
template <class Target>
Result<ReplayOutcome> replay_on(Target& target, World& world, const Journal& journal,
                                const std::function<void(Target&)>& after_step) {
  ReplayOutcome outcome;
  for (const JournalEntry& entry : journal.entries) {
    while (outcome.steps < entry.tick) {
      if (!target.step())
        return fail(fmt::format("the world stopped before the end of the journal: {}", world.health().sentence()));
      ++outcome.steps;
      if (after_step) after_step(target);
    }
    if (auto good = replay_entry(target, world, entry, journal.build, outcome); !good) return Unexpected(good.error());
  }
  return outcome;
}

}  // namespace

Result<ReplayOutcome> replay(World& world, const Journal& journal, const std::function<void(World&)>& after_step) {
  return replay_on(world, world, journal, after_step);
}

Result<ReplayOutcome> replay(Session& session, const Journal& journal,
                             const std::function<void(Session&)>& after_step) {
  return replay_on(session, session.world(), journal, after_step);
}

}  // namespace vw
