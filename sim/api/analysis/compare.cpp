#include "sim/api/analysis/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sim/base/data/node_change.h"
#include "sim/scene/scene.h"
#include "sim/world/recording/common_rows.h"
#include "sim/world/world.h"

namespace vw::api {
namespace {

/// Returns the command as JSON. A large command, such as one that adds a body with its lattice, is replaced by its
/// size.
std::string short_json(const Command& command) {
  constexpr std::size_t most = 20000;
  std::string text = to_json(command);
  return text.size() <= most ? text : fmt::format("{{\"omitted\":\"a command of {} bytes\"}}", text.size());
}

/// One of the two runs during the comparison, with its clock and the entries of the journal that are not yet applied.
class SteppedSide {
 public:
  SteppedSide(ComparedRun& given, const char* letter)
      : given_(given), letter_(letter), base_s_(given.run.time_s()), dt_s_(given.run.dt_s()) {
    last_tick_ = given.journal_end_tick;
    if (given.journal && !given.journal->empty()) last_tick_ = std::max(last_tick_, given.journal->back().tick);
  }

  [[nodiscard]] Run& run() const { return given_.run; }
  [[nodiscard]] const char* letter() const { return letter_; }
  [[nodiscard]] bool has_journal() const { return given_.journal.has_value(); }
  /// Returns the number of steps that the comparison has taken.
  [[nodiscard]] std::uint64_t tick() const { return tick_; }
  /// Returns the time at the start plus the time of the steps taken [s]. Resets do not set it back, and rounding errors
  /// do not accumulate.
  [[nodiscard]] double clock_s() const { return base_s_ + static_cast<double>(tick_ - base_tick_) * dt_s_; }
  [[nodiscard]] bool journal_ended() const { return has_journal() && tick_ >= last_tick_; }
  [[nodiscard]] bool ran_past_journal() const { return has_journal() && tick_ > last_tick_; }
  /// Returns the time at which the journal ends if the step length stays the same [s].
  [[nodiscard]] double journal_end_s() const {
    return clock_s() + static_cast<double>(last_tick_ - std::min(last_tick_, tick_)) * given_.run.dt_s();
  }

  /// Applies the entries of the journal up to the present tick. Returns an error sentence if a command is invalid.
  std::string apply_due(std::vector<std::string>& notes) {
    if (!has_journal()) return {};
    for (; next_ < given_.journal->size() && (*given_.journal)[next_].tick <= tick_; ++next_) {
      const JournalEntry& entry = (*given_.journal)[next_];
      if (entry.kind != JournalEntry::Kind::command) {
        check_hash(entry, notes);
        continue;
      }
      if (auto good = given_.run.apply(entry.command); !good)
        return fmt::format("{}: step {}: the command in the journal cannot be applied to its scene: {}", letter_, tick_,
                           good.error().message());
      ++commands_;
      if (recent_.size() < RunComparison::max_listed) recent_.push_back(short_json(entry.command));
    }
    return {};
  }
  /// Applies the commands that are due and takes one step. Returns an error sentence on failure.
  std::string advance(std::vector<std::string>& notes) {
    if (std::string problem = apply_due(notes); !problem.empty()) return problem;
    if (const double dt = given_.run.dt_s(); dt != dt_s_) base_s_ = clock_s(), base_tick_ = tick_, dt_s_ = dt;
    if (!given_.run.step()) return fmt::format("{} failed a health check: {}", letter_, given_.run.failure());
    ++tick_;
    return {};
  }

  /// Returns the commands since the last call of forget_commands(), as JSON.
  [[nodiscard]] const std::vector<std::string>& recent_commands() const { return recent_; }
  void forget_commands() { recent_.clear(); }
  [[nodiscard]] std::uint64_t command_count() const { return commands_; }

 private:
  void check_hash(const JournalEntry& entry, std::vector<std::string>& notes) {
    if (!given_.checks_hashes || was_wrong_ || given_.run.hash() == entry.hash) return;
    was_wrong_ = true;
    notes.push_back(fmt::format("{} differs from its journal: at step {}, the hash of the state is not the hash in {}.",
                                letter_, tick_, given_.name));
  }

  ComparedRun& given_;
  const char* letter_;
  std::uint64_t tick_ = 0, base_tick_ = 0, last_tick_ = 0;
  double base_s_, dt_s_;
  std::size_t next_ = 0;
  std::uint64_t commands_ = 0;
  bool was_wrong_ = false;
  std::vector<std::string> recent_;
};

// ---- Structure ------------------------------------------------------------------------------------------------------

std::string shortened(std::string text) {
  constexpr std::size_t most = 400;
  if (text.size() <= most) return text;
  return text.substr(0, most) + fmt::format("... ({} characters)", text.size());
}

/// Returns whether the node or parameter at this path has no effect on the state, such as view, plots and title.
bool is_outside_state(const std::string& path) {
  const std::string slot = slot_and_name(path).first;
  return slot == "view" || slot == "plot" || path.find('.') == std::string::npos;
}

std::optional<std::string> kind_at(const Node& scene, const std::string& path) {
  const Node* node = find_node(scene, path);
  return node == nullptr ? std::nullopt : std::optional(node->schema->kind);
}

std::optional<std::string> value_at(Node& scene, const std::string& path) {
  const auto found = find_parameter(scene, path);
  return found ? std::optional(shortened(to_text(found->value()))) : std::nullopt;
}

void compare_scenes(const Run& a, const Run& b, RunComparison& out) {
  Node scene_a = a.scene(), scene_b = b.scene();
  const ChangeNodes changes = difference_between(scene_a, scene_b);
  const auto add = [&](SceneDifference one) {
    ++out.scene_differences;
    if (out.scene.size() < RunComparison::max_listed) out.scene.push_back(std::move(one));
  };
  std::vector<std::string> seen;  // a replaced node is both removed and added
  for (const ChangeNodes::Change& change : changes.changes) {
    std::string path = change.parent + (change.parent.empty() ? "" : ".") + change.node.slot;
    if (!change.node.name.empty()) path += '.' + change.node.name;
    if (slot_and_name(path).first == "view" || slot_and_name(path).first == "plot") continue;
    if (std::ranges::find(seen, path) != seen.end()) continue;
    seen.push_back(path);
    add({path, kind_at(scene_a, path), kind_at(scene_b, path)});
  }
  for (const SetParameter& value : changes.values)
    if (!is_outside_state(value.path)) add({value.path, value_at(scene_a, value.path), value_at(scene_b, value.path)});
}

/// Returns the names of the systems that both runs have and that are of the same kind.
std::vector<std::string> common_systems(Run& a, Run& b) {
  std::vector<std::string> names;
  for (const std::string& name : a.systems())
    if (const System* other = b.world().find_system(name))
      if (&a.world().find_system(name)->schema() == &other->schema()) names.push_back(name);
  return names;
}

/// Adds notes on systems that are missing or differ in kind. If `compares_sizes` is set, both runs must be at the same
/// time, and different numbers of elements are noted too.
void note_structure(Run& a, Run& b, bool compares_sizes, std::vector<std::string>& notes) {
  const auto note_missing = [&notes](Run& run, Run& other, const char* letter) {
    for (const std::string& name : run.systems())
      if (other.world().find_system(name) == nullptr)
        notes.push_back(fmt::format("System \"{}\" exists only in {}.", name, letter));
  };
  note_missing(a, b, "A");
  note_missing(b, a, "B");
  for (const std::string& name : a.systems()) {
    const System *x = a.world().find_system(name), *y = b.world().find_system(name);
    if (y == nullptr) continue;
    if (&x->schema() != &y->schema())
      notes.push_back(
          fmt::format("System \"{}\" is a {} in A and a {} in B.", name, x->schema().kind, y->schema().kind));
    else if (compares_sizes && x->elements().size() != y->elements().size())
      notes.push_back(fmt::format("System \"{}\" has {} elements in A and {} in B.", name, x->elements().size(),
                                  y->elements().size()));
  }
}

// ---- Growth ---------------------------------------------------------------------------------------------------------

struct Distances {
  std::size_t matched = 0;
  double rms_m = 0, largest_m = 0;
  std::optional<std::uint32_t> element;
};

/// Returns the distances between the positions of each element in A and B. They are summed in the order of the rows.
Distances distances_between(const Elements& a, const Elements& b) {
  Distances out;
  double sum = 0, largest_squared = 0;
  each_common_row(a.id, a.size(), b.id, b.size(), [&](std::size_t i, std::size_t k) {
    const double squared = (b.position[k] - a.position[i]).squaredNorm();
    ++out.matched;
    sum += squared;
    if (!(squared > largest_squared)) return;
    largest_squared = squared;
    out.element = a.id.empty() ? static_cast<std::uint32_t>(i) : a.id[i];
  });
  if (out.matched > 0) out.rms_m = std::sqrt(sum / static_cast<double>(out.matched));
  out.largest_m = std::sqrt(largest_squared);
  return out;
}

/// Returns the nodes of the scene that describe the rows of an array, in the order of the rows.
std::vector<const Node*> nodes_of_rows(const Node& scene, const StateDifference& difference) {
  if (difference.part == "system") {
    const Node* system = scene.find("system", difference.name);
    if (system == nullptr) return {};
    return system->all(difference.rows == state_element ? "body" : difference.rows);
  }
  const bool is_collider = difference.rows == "carried collider";
  if (!is_collider && difference.rows != "sensor") return {};
  std::vector<const Node*> nodes = scene.all(is_collider ? "collider" : "sensor");
  if (is_collider)
    std::erase_if(nodes, [](const Node* node) { return std::get<std::string>(node->value("carried_by")).empty(); });
  std::ranges::sort(nodes, {}, [](const Node* node) { return node->name; });
  return nodes;
}

/// Returns the name of the body, joint, emitter, collider or sensor that the differing row describes. The name is empty
/// if there is none, or if one node has several rows (copies).
std::string name_of_row(const Run& run, const StateDifference& difference) {
  if (difference.kind != StateDifference::Kind::value || !difference.row) return {};
  const auto nodes = nodes_of_rows(run.scene(), difference);
  return nodes.size() == difference.rows_a ? nodes[*difference.row]->name : std::string();
}

/// Returns the unit of an array of a system, or an empty text if the unit is unknown.
std::string unit_of(const Run& run, const StateDifference& difference) {
  if (difference.part != "system" || difference.kind != StateDifference::Kind::value) return {};
  const auto infos = run.arrays(difference.name);
  if (!infos) return {};
  const auto found = std::ranges::find(*infos, difference.array, &ArrayInfo::name);
  return found == infos->end() ? std::string() : found->unit;
}

// ---- Comparison -----------------------------------------------------------------------------------------------------

class Comparer {
 public:
  Comparer(ComparedRun& a, ComparedRun& b, const CompareOptions& options)
      : given_a_(a), given_b_(b), options_(options), a_(a, "A"), b_(b, "B") {}

  RunComparison compare() {
    begin();
    std::string failure = step_to_end();
    if (failure.empty() && out_.end == CompareEnd::reached) failure = apply_last_commands();
    if (failure.empty() && out_.compared == 0 && out_.end == CompareEnd::reached)
      failure =
          fmt::format("A and B have no common time: A is at {:g} s and B is at {:g} s", a_.clock_s(), b_.clock_s());
    if (!failure.empty()) out_.end = CompareEnd::failed, out_.failure = std::move(failure);
    finish();
    return std::move(out_);
  }

 private:
  [[nodiscard]] double tolerance_s() const { return 1e-6 * std::min(a_.run().dt_s(), b_.run().dt_s()); }
  [[nodiscard]] bool is_common_time() const { return std::abs(a_.clock_s() - b_.clock_s()) <= tolerance_s(); }

  void begin() {
    const auto side = [](const ComparedRun& given) {
      ComparedSide facts;
      facts.name = given.name;
      facts.has_journal = given.journal.has_value();
      facts.dt_s = given.run.dt_s();
      facts.start_step = given.run.step_count();
      facts.start_s = given.run.time_s();
      return facts;
    };
    out_.a = side(given_a_), out_.b = side(given_b_);
    out_.a.start_hash = a_.run().hash(), out_.b.start_hash = b_.run().hash();
    compare_scenes(a_.run(), b_.run(), out_);
    note_structure(a_.run(), b_.run(), is_common_time(), out_.notes);
    if (!is_common_time())
      out_.notes.push_back(fmt::format(
          "A starts at step {} ({:g} s) and B at step {} ({:g} s). {} is stepped alone until the times agree.",
          out_.a.start_step, out_.a.start_s, out_.b.start_step, out_.b.start_s,
          out_.a.start_s < out_.b.start_s ? "A" : "B"));
    if (options_.until_s)
      end_s_ = *options_.until_s;
    else if (!a_.has_journal() && !b_.has_journal())
      end_s_ = std::max(out_.a.start_s, out_.b.start_s);
    for (const std::string& system : common_systems(a_.run(), b_.run())) out_.largest.push_back({.system = system});
    if (is_common_time()) compare_now();
  }

  /// Returns whether the side has reached the end of the comparison.
  [[nodiscard]] bool is_at_end(const SteppedSide& side) const {
    if (end_s_) return !(side.clock_s() + 0.5 * side.run().dt_s() < *end_s_);
    return side.journal_ended();
  }

  /// Steps the side with the earlier time, or both sides at a common time, until the end. Returns an error sentence if
  /// a side fails.
  std::string step_to_end() {
    while (out_.end == CompareEnd::reached) {
      const bool is_common = is_common_time();
      const bool steps_a = is_common || a_.clock_s() < b_.clock_s(), steps_b = is_common || !steps_a;
      if ((steps_a && is_at_end(a_)) || (steps_b && is_at_end(b_))) return {};
      // Both sides take their step before a failure of one side ends the comparison, so that failures of both are
      // reported.
      std::string failure = steps_a ? a_.advance(out_.notes) : std::string();
      const std::string other = steps_b ? b_.advance(out_.notes) : std::string();
      if (!failure.empty() && !other.empty()) failure += "; ";
      failure += other;
      if (!failure.empty()) return failure;
      note_step_lengths();
      if (is_common_time()) compare_now();
      if (options_.after_step && !options_.after_step(std::min(a_.clock_s(), b_.clock_s())) &&
          out_.end == CompareEnd::reached)
        out_.end = CompareEnd::interrupted;
    }
    return {};
  }

  /// Applies the commands at the end of a journal, which no step follows, and then compares the states once more.
  std::string apply_last_commands() {
    if (!is_common_time() || !(a_.journal_ended() || b_.journal_ended())) return {};
    const std::uint64_t before = a_.command_count() + b_.command_count();
    for (SteppedSide* side : {&a_, &b_})
      if (std::string problem = side->apply_due(out_.notes); !problem.empty()) return problem;
    if (a_.command_count() + b_.command_count() > before) compare_now(false);
    return {};
  }

  void note_step_lengths() {
    const double dt_a = a_.run().dt_s(), dt_b = b_.run().dt_s();
    if (steps_differ_ || dt_a == dt_b) return;
    steps_differ_ = true;
    out_.notes.push_back(fmt::format(
        "The steps are {:g} s long in A and {:g} s in B. The runs are compared at common times only, and the "
        "numbers of steps are not compared.",
        dt_a, dt_b));
  }

  void compare_now(bool is_new_time = true) {
    note_step_lengths();
    if (is_new_time) ++out_.compared;
    if (!out_.first) find_first();
    if (out_.first) follow_growth();
    a_.forget_commands(), b_.forget_commands();
  }

  void find_first() {
    if (a_.run().hash() != b_.run().hash()) {
      a_.run().world().save_state(state_a_);
      b_.run().world().save_state(state_b_);
      static constexpr std::string_view counts[] = {"world.step", "world.base_step", "world.base_time"};
      auto found = state_differences(state_a_, state_b_, std::span(counts, steps_differ_ ? 3 : 0));
      state_a_ = {}, state_b_ = {};
      if (!found.empty()) return set_first(std::move(found));
    }
    last_equal_s_ = a_.clock_s();
  }

  void set_first(std::vector<StateDifference> found) {
    FirstDifference& first = out_.first.emplace();
    first.time_s = a_.clock_s();
    first.step_a = a_.run().step_count(), first.step_b = b_.run().step_count();
    first.tick_a = a_.tick(), first.tick_b = b_.tick();
    first.last_equal_s = last_equal_s_;
    first.differing_arrays = found.size();
    found.resize(std::min(found.size(), RunComparison::max_listed));
    for (StateDifference& one : found) {
      first.units.push_back(unit_of(a_.run(), one));
      one.row_name = name_of_row(a_.run(), one);
    }
    first.arrays = std::move(found);
    first.commands_a = a_.recent_commands(), first.commands_b = b_.recent_commands();
    if (options_.first_only) out_.end = CompareEnd::first_difference;
    plan_samples();
  }

  /// Chooses the times of the samples: evenly spaced from the first difference to the expected end.
  void plan_samples() {
    double end = end_s_.value_or(std::numeric_limits<double>::infinity());
    if (!end_s_)
      for (const SteppedSide* side : {&a_, &b_})
        if (side->has_journal()) end = std::min(end, side->journal_end_s());
    const std::size_t intervals = std::max<std::size_t>(options_.most_samples, 3) - 2;
    interval_s_ = std::max(0.0, end - a_.clock_s()) / static_cast<double>(intervals);
  }

  /// Updates the largest distances, and adds a sample if one is due.
  void follow_growth() {
    for (LargestDistance& largest : out_.largest) {
      const System *x = a_.run().world().find_system(largest.system), *y = b_.run().world().find_system(largest.system);
      if (x == nullptr || y == nullptr) continue;  // removed by a command
      const Distances found = distances_between(x->elements(), y->elements());
      if (!(found.largest_m > largest.distance_m)) continue;
      largest = {largest.system,        found.largest_m,       a_.clock_s(),
                 a_.run().step_count(), b_.run().step_count(), found.element};
    }
    const double since = a_.clock_s() - out_.first->time_s + tolerance_s();
    // Space for one row is kept for the end of the comparison.
    if (since < static_cast<double>(out_.growth.size()) * interval_s_ ||
        out_.growth.size() + 1 >= std::max<std::size_t>(options_.most_samples, 2))
      return;
    add_sample();
  }

  /// Adds a sample, or replaces the last sample if no step was taken after it.
  void add_sample() {
    const std::pair ticks(a_.tick(), b_.tick());
    if (sampled_at_ == ticks) out_.growth.pop_back();
    sampled_at_ = ticks;
    GrowthRow row{a_.clock_s(), a_.run().step_count(), b_.run().step_count(), {}};
    for (const std::string& name : common_systems(a_.run(), b_.run())) {
      const Elements& x = a_.run().world().find_system(name)->elements();
      const Elements& y = b_.run().world().find_system(name)->elements();
      const Distances found = distances_between(x, y);
      const Diagnostics p = *a_.run().diagnostics(name), q = *b_.run().diagnostics(name);
      SystemGrowth one;
      one.system = name;
      one.matched = found.matched, one.only_in_a = x.size() - found.matched, one.only_in_b = y.size() - found.matched;
      one.rms_distance_m = found.rms_m, one.largest_distance_m = found.largest_m, one.element = found.element;
      one.kinetic_j = q.kinetic - p.kinetic, one.potential_j = q.potential - p.potential;
      one.elastic_j = q.elastic - p.elastic;
      one.center_of_mass_m = q.center_of_mass - p.center_of_mass;
      row.systems.push_back(std::move(one));
    }
    out_.growth.push_back(std::move(row));
  }

  void finish() {
    if (out_.first && is_common_time() && sampled_at_ != std::pair(a_.tick(), b_.tick())) add_sample();
    const auto end = [](const SteppedSide& side, ComparedSide& facts) {
      facts.end_step = side.run().step_count();
      facts.end_s = side.run().time_s();
      facts.ticks = side.tick();
      facts.end_hash = side.run().hash();
    };
    end(a_, out_.a), end(b_, out_.b);
    for (const auto* side : {&a_, &b_})
      if (side->ran_past_journal())
        out_.notes.push_back(fmt::format("{} ran on without commands after the end of its journal.", side->letter()));
  }

  ComparedRun &given_a_, &given_b_;
  const CompareOptions& options_;
  SteppedSide a_, b_;
  RunComparison out_;
  std::optional<double> end_s_;  ///< given end time [s]; if empty, the shorter journal determines the end
  std::optional<double> last_equal_s_;
  bool steps_differ_ = false;
  StateBlock state_a_, state_b_;
  double interval_s_ = 0;                                              ///< time between two samples [s]
  std::optional<std::pair<std::uint64_t, std::uint64_t>> sampled_at_;  ///< ticks of the last sample
};

}  // namespace

RunComparison compare_runs(ComparedRun& a, ComparedRun& b, const CompareOptions& options) {
  return Comparer(a, b, options).compare();
}

}  // namespace vw::api
