// The scene as edited in the window: a tree of checked values with undo, redo and a "modified since saved" state. The
// panels show this tree. edit(), undo() and redo() return assignments. The window sends these assignments to the
// running world as commands. Use only on the drawing thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/document/scene_edit.h"
#include "sim/base/data/node.h"

namespace vw {

class Document {
 public:
  explicit Document(Node root, std::string path = {});

  [[nodiscard]] const Node& root() const { return root_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Value of the parameter at a path. Null if there is no such parameter.
  [[nodiscard]] const Value* value(std::string_view path) const;
  /// Value of the parameter when the scene was opened. Null if there was no such parameter.
  [[nodiscard]] const Value* opened_value(std::string_view path) const;
  /// Number of changes of the tree so far. A different number means that the tree must be read again.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }

  /// Checks and assigns values. Returns the checked assignments for the world, without those that change nothing.
  /// Successive edits within a gesture, such as dragging a slider, are merged into one undo step if they share a
  /// parameter. If a value is invalid, nothing changes.
  Result<std::vector<Assignment>> edit(std::string_view path, const Value& value);
  Result<std::vector<Assignment>> edit_all(const std::vector<Assignment>& assignments);
  /// Adds, removes and renames nodes and assigns values as one undo step. Returns an error if a name is taken or a node
  /// does not exist. After success, structure() has changed if the world must receive the change.
  Result<void> change(std::vector<NodeChange> node_changes, const std::vector<Assignment>& assignments = {});
  /// Renamings of the last change(), undo() or redo(), in the order of their application.
  [[nodiscard]] const std::vector<NodeChange>& renamings() const { return renamings_; }
  /// Paths of the nodes at the top level that the last change(), undo() or redo() removed and added again under the
  /// same name. These nodes restart in the world. A node that was only moved in the order of nodes is not included.
  [[nodiscard]] const std::vector<std::string>& replacements() const { return replacements_; }
  /// Number of calls of change(), undo() and redo() that added, removed or renamed nodes of the world. Plots are not
  /// part of the world.
  [[nodiscard]] std::uint64_t structure() const { return structure_; }
  /// Makes the next edit start a new undo step.
  void end_gesture();

  [[nodiscard]] bool can_undo() const { return position_ > 0; }
  [[nodiscard]] bool can_redo() const { return position_ < steps_.size(); }
  /// Number of steps that undo() can take back.
  [[nodiscard]] std::size_t undo_depth() const { return position_; }
  /// Whether the last step is that of adopt(), so that the scene may lack edits that were made at later moments.
  [[nodiscard]] bool is_adopted() const { return can_undo() && steps_[position_ - 1].is_adopted; }
  /// Action of the step that undo() takes back or redo() repeats: "add ", "remove ", "rename ", "change of moment, ",
  /// or empty if the step changes values. The name of the changed part follows it (undo_name()).
  [[nodiscard]] std::string_view undo_verb() const;
  [[nodiscard]] std::string_view redo_verb() const;
  /// Path of the parameter or node that undo() would change, such as "system.creature.material". Empty if there is
  /// nothing to undo.
  [[nodiscard]] std::string undo_name() const;
  [[nodiscard]] std::string redo_name() const;
  std::vector<Assignment> undo();
  std::vector<Assignment> redo();

  /// Replaces the tree by `scene` as one undo step, except for the view and the plots. Call this function after the
  /// world has gone to another moment; the world needs no command. Successive calls are merged into one undo step.
  /// Returns whether anything changed.
  bool adopt(const Node& scene);

  /// Assigns a value without an undo step and without marking the scene as modified. The window stores the camera in
  /// this way just before saving.
  void set_silently(std::string_view path, const Value& value);
  /// True if the scene has unsaved edits. Changes of the view's parameters, except stored cameras, and of the playback
  /// speed are saved but do not count as edits.
  [[nodiscard]] bool modified() const;
  void mark_saved(std::string path);
  /// Makes modified() true until the scene is saved, also if all edits are undone. A scene restored after a crash is
  /// marked in this way.
  void mark_unsaved();

 private:
  struct Change {
    std::string path;
    Value before, after;
  };
  /// Changes that are undone and redone together. Nodes are added or removed before the values change.
  struct Step {
    std::vector<Change> changes = {};
    std::vector<NodeChange> node_changes = {};
    bool is_adopted = false;  ///< whether adopt() made the step
  };

  [[nodiscard]] static std::string_view verb_of(const Step& step);
  [[nodiscard]] bool merges(const Step& step) const;
  [[nodiscard]] std::string name_of(const Step& step) const;
  [[nodiscard]] std::uint64_t of_world(const Step& step) const;
  void push(Step step);
  static void revert(Node& root, const Step& step);
  /// Clears renamings() and replacements().
  void clear_notes();
  /// Records a renaming or a replacement for renamings() and replacements().
  void note(const NodeChange& node_change);
  void drop_idle_step();

  Node root_, opened_;
  std::string path_;
  std::vector<Step> steps_;
  std::size_t position_ = 0;  ///< number of steps that are applied (not undone)
  /// Value of position_ at the last save, or -1 if undo and redo cannot restore the saved state.
  std::ptrdiff_t saved_position_ = 0;
  bool gesture_open_ = false;
  std::vector<NodeChange> renamings_;
  std::vector<NodeChange> removed_;
  std::vector<std::string> replacements_;  ///< paths of nodes
  std::uint64_t revision_ = 0, structure_ = 0;
};

}  // namespace vw
