#include "app/window/document/document.h"

#include <algorithm>

#include "sim/api/run.h"

namespace vw {
namespace {

const Value* value_in(const Node& root, std::string_view path) {
  // find_parameter() returns a writable reference. This function only reads the value.
  const auto found = find_parameter(const_cast<Node&>(root), path);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  return found ? &found->value() : nullptr;
}

bool is_empty(const ChangeNodes& difference) { return difference.changes.empty() && difference.values.empty(); }

}  // namespace

Document::Document(Node root, std::string path) : root_(std::move(root)), opened_(root_), path_(std::move(path)) {}

const Value* Document::value(std::string_view path) const { return value_in(root_, path); }
const Value* Document::opened_value(std::string_view path) const { return value_in(opened_, path); }

Result<std::vector<Assignment>> Document::edit(std::string_view path, const Value& value) {
  return edit_all({Assignment{std::string(path), value}});
}

Result<std::vector<Assignment>> Document::edit_all(const std::vector<Assignment>& assignments) {
  Step step;
  std::vector<Assignment> checked;
  for (const Assignment& wanted : assignments) {
    auto ref = find_parameter(root_, wanted.path);
    if (!ref) return tl::unexpected(ref.error());
    auto value = check_value(*ref->spec, wanted.value);
    if (!value) {
      Error error = value.error();
      error.key = wanted.path;
      return tl::unexpected(std::move(error));
    }
    if (same_value(ref->value(), *value)) continue;
    step.changes.push_back({wanted.path, ref->value(), *value});
    checked.push_back({wanted.path, std::move(*value)});
  }
  if (step.changes.empty()) return checked;
  for (const Change& change : step.changes) (void)set_parameter(root_, change.path, change.after);
  ++revision_;
  if (merges(step)) {
    for (Change& change : step.changes) {
      auto& merged = steps_[position_ - 1].changes;
      const auto same = std::ranges::find(merged, change.path, &Change::path);
      if (same == merged.end())
        merged.push_back(std::move(change));
      else
        same->after = change.after;
    }
    return checked;
  }
  push(std::move(step));
  gesture_open_ = true;
  return checked;
}

void Document::push(Step step) {
  if (saved_position_ > static_cast<std::ptrdiff_t>(position_)) saved_position_ = -1;
  steps_.resize(position_);
  steps_.push_back(std::move(step));
  ++position_;
}

Result<void> Document::change(std::vector<NodeChange> node_changes, const std::vector<Assignment>& assignments) {
  end_gesture();
  if (node_changes.empty()) return {};
  Node root = root_;
  Step step;
  for (NodeChange& node_change : node_changes)
    if (auto good = apply(root, node_change); !good) return good;
  for (const Assignment& assignment : assignments) {
    auto ref = find_parameter(root, assignment.path);
    if (!ref) return tl::unexpected(ref.error());
    step.changes.push_back({assignment.path, ref->value(), assignment.value});
    if (auto good = set_parameter(root, assignment.path, assignment.value); !good) return good;
  }
  root_ = std::move(root);
  step.node_changes = std::move(node_changes);
  push(std::move(step));
  structure_ += of_world(steps_.back());
  clear_notes();
  for (const NodeChange& node_change : steps_.back().node_changes) note(node_change);
  ++revision_;
  return {};
}

bool Document::adopt(const Node& scene) {
  end_gesture();
  const auto is_kept = [this](const Node& node) {
    const std::string& slot = root_.schema->slots[node.slot].name;
    return slot == "view" || slot == "plot";
  };
  Node wanted = scene;
  std::erase_if(wanted.children, is_kept);
  for (const Node& child : root_.children)
    if (is_kept(child)) wanted.children.push_back(child);
  std::ranges::stable_sort(wanted.children, {}, &Node::slot);
  if (is_empty(difference_between(root_, wanted))) return false;
  // Successive adoptions are merged into one step, so that moving along the timeline does not fill the undo list.
  const bool continues = position_ > 0 && position_ == steps_.size() && steps_.back().is_adopted &&
                         saved_position_ != static_cast<std::ptrdiff_t>(position_);
  Node root = root_;
  if (continues) revert(root, steps_.back());
  const ChangeNodes difference = difference_between(root, wanted);
  Step step{.is_adopted = true};
  for (const ChangeNodes::Change& plain : difference.changes) {
    NodeChange change{.kind = plain.kind, .parent = plain.parent, .new_name = plain.new_name};
    const Node& parent = *find_node(root, plain.parent);
    if (plain.kind == NodeChange::Kind::add) {
      auto made = node_from(*parent.schema, plain.node);
      if (!made) return false;
      change.node = std::move(*made);
    } else {
      const Node* node = parent.find(plain.node.slot, plain.node.name);
      if (node == nullptr) return false;
      change.node = *node;
    }
    if (plain.at) change.at = static_cast<std::size_t>(*plain.at);
    if (!apply(root, change)) return false;
    step.node_changes.push_back(std::move(change));
  }
  for (const SetParameter& value : difference.values) {
    const auto ref = find_parameter(root, value.path);
    if (!ref) return false;
    step.changes.push_back({value.path, ref->value(), value.value});
    if (!set_parameter(root, value.path, value.value)) return false;
  }
  root_ = std::move(root);
  if (continues) steps_.resize(--position_);
  if (!is_empty(difference)) push(std::move(step));
  clear_notes();
  ++revision_;
  return true;
}

void Document::revert(Node& root, const Step& step) {
  for (auto change = step.changes.rbegin(); change != step.changes.rend(); ++change)
    (void)set_parameter(root, change->path, change->before);
  for (auto node_change = step.node_changes.rbegin(); node_change != step.node_changes.rend(); ++node_change) {
    NodeChange back = reverse_of(*node_change);
    (void)apply(root, back);
  }
}

void Document::clear_notes() {
  renamings_.clear();
  removed_.clear();
  replacements_.clear();
}

void Document::note(const NodeChange& node_change) {
  if (node_change.kind == NodeChange::Kind::rename) return renamings_.push_back(node_change);
  if (!node_change.parent.empty()) return;
  const std::string path = path_of(root_, node_change);
  if (node_change.kind == NodeChange::Kind::remove) return removed_.push_back(node_change);
  const auto was = std::ranges::find_if(removed_, [&](const NodeChange& one) {
    return one.node.slot == node_change.node.slot && one.node.name == node_change.node.name;
  });
  const bool is_reordered =
      was != removed_.end() && same_node(was->node, node_change.node) && was->at != node_change.at;
  if (was != removed_.end() && !is_reordered) replacements_.push_back(path);
}

/// Returns 1 if the step adds, removes or renames nodes other than plots, else 0. Plots are not part of the world.
std::uint64_t Document::of_world(const Step& step) const {
  return std::ranges::any_of(
             step.node_changes,
             [&](const NodeChange& node_change) { return !path_of(root_, node_change).starts_with("plot."); })
             ? 1
             : 0;
}

bool Document::merges(const Step& step) const {
  if (!gesture_open_ || position_ == 0 || position_ != steps_.size()) return false;
  const auto& last = steps_[position_ - 1].changes;
  return std::ranges::any_of(step.changes, [&](const Change& change) {
    return std::ranges::find(last, change.path, &Change::path) != last.end();
  });
}

void Document::end_gesture() {
  if (!gesture_open_) return;
  gesture_open_ = false;
  drop_idle_step();
}

/// Removes the last step if the values before and after the step are equal. A drag that returns to the initial value
/// leaves such a step.
void Document::drop_idle_step() {
  if (position_ == 0 || position_ != steps_.size()) return;
  const Step& last = steps_.back();
  if (!last.node_changes.empty() ||
      !std::ranges::all_of(last.changes, [](const Change& c) { return same_value(c.before, c.after); }))
    return;
  steps_.pop_back();
  --position_;
}

std::string Document::name_of(const Step& step) const {
  return step.node_changes.empty() ? step.changes.front().path : path_of(root_, step.node_changes.front());
}

std::string_view Document::verb_of(const Step& step) {
  if (step.is_adopted) return "change of moment, ";
  if (step.node_changes.empty()) return {};
  const NodeChange& first = step.node_changes.front();
  // An edit of voxels and a change of the order of nodes remove a node and add it again.
  const bool is_replaced = std::ranges::any_of(step.node_changes, [&](const NodeChange& other) {
    return other.kind == NodeChange::Kind::add && other.parent == first.parent && other.node.slot == first.node.slot &&
           other.node.name == first.node.name;
  });
  if (first.kind == NodeChange::Kind::remove && is_replaced) return {};
  switch (first.kind) {
    case NodeChange::Kind::add: return "add ";
    case NodeChange::Kind::remove: return "remove ";
    case NodeChange::Kind::rename: return "rename ";
  }
  return {};
}

std::string_view Document::undo_verb() const { return can_undo() ? verb_of(steps_[position_ - 1]) : ""; }
std::string_view Document::redo_verb() const { return can_redo() ? verb_of(steps_[position_]) : ""; }

std::string Document::undo_name() const { return can_undo() ? name_of(steps_[position_ - 1]) : std::string(); }
std::string Document::redo_name() const { return can_redo() ? name_of(steps_[position_]) : std::string(); }

std::vector<Assignment> Document::undo() {
  end_gesture();
  clear_notes();
  if (!can_undo()) return {};
  const Step& step = steps_[--position_];
  std::vector<Assignment> assignments;
  for (auto change = step.changes.rbegin(); change != step.changes.rend(); ++change) {
    (void)set_parameter(root_, change->path, change->before);
    assignments.push_back({change->path, change->before});
  }
  for (auto node_change = step.node_changes.rbegin(); node_change != step.node_changes.rend(); ++node_change) {
    NodeChange back = reverse_of(*node_change);
    (void)apply(root_, back);
    note(back);
  }
  structure_ += of_world(step);
  ++revision_;
  return assignments;
}

std::vector<Assignment> Document::redo() {
  end_gesture();
  clear_notes();
  if (!can_redo()) return {};
  Step& step = steps_[position_++];
  for (NodeChange& node_change : step.node_changes) {
    (void)apply(root_, node_change);
    note(node_change);
  }
  structure_ += of_world(step);
  std::vector<Assignment> assignments;
  for (const Change& change : step.changes) {
    (void)set_parameter(root_, change.path, change.after);
    assignments.push_back({change.path, change.after});
  }
  ++revision_;
  return assignments;
}

void Document::set_silently(std::string_view path, const Value& value) {
  if (set_parameter(root_, path, value)) ++revision_;
}

bool Document::modified() const {
  if (saved_position_ < 0) return true;
  const auto saved = static_cast<std::size_t>(saved_position_);
  const std::size_t first = std::min(saved, position_), last = std::max(saved, position_);
  // The view's parameters, except stored cameras, and the playback speed do not count as edits of the scene.
  const auto of_view = [](const Change& change) {
    return (change.path.starts_with("view.") && !change.path.starts_with("view.camera_")) ||
           change.path == "world.speed";
  };
  return std::any_of(
      steps_.begin() + static_cast<std::ptrdiff_t>(first), steps_.begin() + static_cast<std::ptrdiff_t>(last),
      [&](const Step& step) { return !step.node_changes.empty() || !std::ranges::all_of(step.changes, of_view); });
}

void Document::mark_saved(std::string path) {
  end_gesture();
  path_ = std::move(path);
  saved_position_ = static_cast<std::ptrdiff_t>(position_);
}

void Document::mark_unsaved() {
  end_gesture();
  saved_position_ = -1;
}

}  // namespace vw
