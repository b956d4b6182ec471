#include "app/window/guide/check_show.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace vw {
namespace {

/// Facts on which the findings depend, rounded so that the text changes only if a finding may change.
std::string rounded_facts(const RunningFacts& facts) {
  const auto rounded = [](double value) {
    return value > 0 ? static_cast<int>(std::round(3 * std::log2(value))) : -999;
  };
  std::string text = facts.step_wall_s > 0 ? fmt::format("{}", rounded(facts.dt_s / facts.step_wall_s) / 2) : "";
  for (const SystemRunFacts& system : facts.systems)
    text += fmt::format(" {} {} {}", system.name, rounded(system.substeps),
                        rounded(system.fastest_mps * system.substep_dt_s) / 3);
  return text;
}

}  // namespace

CheckShow::CheckShow() : slot_(std::make_shared<Slot>()) {}

void CheckShow::clear() {
  slot_ = std::make_shared<Slot>();  // a running check of the previous scene writes to its own slot
  running_ = false;
  checked_.reset();
  checked_world_.clear();
  started_s_ = -1e9;
  facts_ = {};
  sequence_ = epoch_ = 0;
  findings_.clear();
}

bool CheckShow::is_busy(std::uint64_t revision) const { return running_ || checked_ != revision; }

/// Stores the facts of a new snapshot. The wall time of a step varies, so a moving average is stored.
void CheckShow::note(const Snapshot& snapshot) {
  if (snapshot.sequence == sequence_) return;
  constexpr double weight = 0.1;
  const double before_s = facts_.step_wall_s;
  sequence_ = snapshot.sequence;
  facts_ = run_facts(snapshot);
  if (before_s > 0 && snapshot.epoch == epoch_)
    facts_.step_wall_s = before_s + weight * (facts_.step_wall_s - before_s);
  epoch_ = snapshot.epoch;
}

bool CheckShow::update(const Node& scene, std::uint64_t revision, const Snapshot* snapshot, double wall_s) {
  if (snapshot != nullptr) note(*snapshot);
  std::optional<std::vector<SceneFinding>> found;
  if (running_) {
    const std::lock_guard lock(slot_->mutex);
    found = std::exchange(slot_->found, std::nullopt);
  }
  if (found) {
    findings_ = std::move(*found);
    running_ = false;
  }
  std::string world = snapshot == nullptr ? std::string() : rounded_facts(facts_);
  const bool is_edited = checked_ != revision, has_run = world != checked_world_;
  const double waits_s = is_edited ? after_edit_s : after_steps_s;
  if (running_ || !(is_edited || has_run) || wall_s - started_s_ < waits_s) return found.has_value();
  running_ = true;
  checked_ = revision;
  checked_world_ = std::move(world);
  started_s_ = wall_s;
  worker_.run(
      [slot = slot_, tree = std::make_shared<const Node>(scene), facts = facts_, has_world = snapshot != nullptr] {
        auto findings = slot->checks.look(*tree, has_world ? &facts : nullptr);
        const std::lock_guard lock(slot->mutex);
        slot->found = std::move(findings);
      });
  return found.has_value();
}

}  // namespace vw
