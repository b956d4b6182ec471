#include "sim/world/recording/recorder.h"

#include <algorithm>

namespace vw {
namespace {

/// Number of steps between hashes in a journal. It corresponds to about one hash per simulated second, so that a replay
/// can locate a divergence within a second.
constexpr std::uint64_t hash_interval = 128;

}  // namespace

Result<Recorder> Recorder::start(World& world, std::string scene_text, const std::string& journal_path, bool resumed) {
  Recorder recorder;
  recorder.journal_.build = build_description();
  recorder.journal_.scene_text = std::move(scene_text);
  recorder.journal_.resumed = resumed;
  if (!journal_path.empty()) {
    auto file = JournalWriter::open(journal_path, recorder.journal_.scene_text, resumed);
    if (!file) return Unexpected(file.error());
    recorder.file_ = std::move(*file);
  }
  recorder.add_hash(world);
  return recorder;
}

void Recorder::add_hash(World& world) {
  const std::uint64_t hash = world.hash();
  journal_.entries.push_back({tick_, JournalEntry::Kind::hash, {}, hash});
  if (file_) file_->hash(tick_, hash);
}

Result<void> Recorder::apply(World& world, const Command& command) {
  if (auto good = world.apply(command); !good) return good;
  record(command);
  return {};
}

void Recorder::record(const Command& command) {
  ++commands_;
  journal_.entries.push_back({tick_, JournalEntry::Kind::command, command, 0});
  if (file_) file_->command(tick_, command);
}

Result<void> Recorder::continue_from(std::vector<JournalEntry> entries, std::uint64_t tick, double simulated_s) {
  journal_.entries = std::move(entries);
  commands_ = static_cast<std::uint64_t>(
      std::ranges::count(journal_.entries, JournalEntry::Kind::command, &JournalEntry::kind));
  tick_ = tick;
  simulated_s_ = simulated_s;
  if (!file_) return {};
  const std::string path = file_->path();
  file_.reset();  // Windows does not replace a file that is open
  auto file = JournalWriter::begin(path, journal_);
  if (!file) return Unexpected(file.error());
  file_ = std::move(*file);
  return {};
}

bool Recorder::step(World& world) {
  const double dt = world.dt();
  if (!world.step()) return false;
  ++tick_;
  simulated_s_ += dt;
  if (tick_ % hash_interval == 0) add_hash(world);
  return true;
}

Result<void> Recorder::finish(World& world) {
  if (!file_) return {};
  auto good = file_->finish(tick_, world.hash());
  file_.reset();
  return good;
}

Result<void> Recorder::save(World& world, const std::string& path) const {
  Journal whole = journal_;
  whole.entries.push_back({tick_, JournalEntry::Kind::end, {}, world.hash()});
  whole.complete = true;
  return write_journal(whole, path);
}

}  // namespace vw
