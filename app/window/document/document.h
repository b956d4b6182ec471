// The scene as edited in the window: a tree of checked values with undo, redo and a "modified since saved" state. The
// panels show this tree. The running world follows it through commands made from the assignments that every change
// returns. Drawing thread only.
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
  /// Null if there is no such parameter.
  [[nodiscard]] const Value* value(std::string_view path) const;
  /// Value at the time when the scene was opened.
  [[nodiscard]] const Value* opened_value(std::string_view path) const;
  /// Counts all changes of the tree, so that readers know when to read it again.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }

  /// Checks and assigns values. Edits of the same parameters within one gesture (such as the frames of a slider's drag)
  /// are merged into one undo step. On error, nothing changes. Returns the checked assignments for the world.
  Result<std::vector<Assignment>> edit(std::string_view path, const Value& value);
  Result<std::vector<Assignment>> edit_all(const std::vector<Assignment>& assignments);
  /// Adds and removes nodes and assigns values as one undo step. It is an error if a name is taken or a node does not
  /// exist. The world must then be rebuilt, unless all nodes are plots.
  Result<void> change(std::vector<NodeChange> node_changes, const std::vector<Assignment>& assignments = {});
  /// Counts how often nodes of the world were added or removed, including undo and redo.
  [[nodiscard]] std::uint64_t structure() const { return structure_; }
  /// Makes the next edit start a new undo step.
  void end_gesture();

  [[nodiscard]] bool can_undo() const { return position_ > 0; }
  [[nodiscard]] bool can_redo() const { return position_ < steps_.size(); }
  /// Path of the parameter or node that undo would change, such as "system.creature.material"; empty if there is
  /// nothing to undo.
  [[nodiscard]] std::string undo_name() const;
  [[nodiscard]] std::string redo_name() const;
  std::vector<Assignment> undo();
  std::vector<Assignment> redo();

  /// Assigns without an undo step and without marking the scene as modified (for the camera, just before saving).
  void set_silently(std::string_view path, const Value& value);
  /// True if edits since the last save would be lost. Changes of the view's parameters and of the playback speed are
  /// saved too but do not count as modifications.
  [[nodiscard]] bool modified() const;
  void mark_saved(std::string path);

 private:
  struct Change {
    std::string path;
    Value before, after;
  };
  /// Changes that are undone and redone together. Nodes are added or removed before the values change.
  struct Step {
    std::vector<Change> changes;
    std::vector<NodeChange> node_changes = {};
  };

  [[nodiscard]] bool merges(const Step& step) const;
  [[nodiscard]] std::string name_of(const Step& step) const;
  [[nodiscard]] std::uint64_t of_world(const Step& step) const;
  void push(Step step);
  void drop_idle_step();

  Node root_, opened_;
  std::string path_;
  std::vector<Step> steps_;
  std::size_t position_ = 0;  ///< number of steps in force
  /// Value of position_ at the last save; -1: the saved state can no longer be reached
  std::ptrdiff_t saved_position_ = 0;
  bool gesture_open_ = false;
  std::uint64_t revision_ = 0, structure_ = 0;
};

}  // namespace vw
