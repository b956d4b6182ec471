// The scene as the window edits it: a tree of checked values with undo, redo and "modified since saved". What is shown in the panels is this
// tree; the running world follows it through commands made from the assignments that every change returns. Drawing thread only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/scene_edit.h"
#include "sim/base/node.h"

namespace vw {

class Document {
 public:
  explicit Document(Node root, std::string path = {});

  [[nodiscard]] const Node& root() const { return root_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Null when there is no such parameter.
  [[nodiscard]] const Value* value(std::string_view path) const;
  /// The value that the scene had when it was opened.
  [[nodiscard]] const Value* opened_value(std::string_view path) const;
  /// Counts every change of the tree, so that readers know when to read again.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }

  /// Checks and assigns; edits of one gesture (the frames of a slider's drag) on the same parameters become one undo step. Nothing changes
  /// on error. Returns the assignments in their checked form, for the world.
  Result<std::vector<Assignment>> edit(std::string_view path, const Value& value);
  Result<std::vector<Assignment>> edit_all(const std::vector<Assignment>& assignments);
  /// Nodes that come and go, and values that change with them, as one undo step; error: a name is taken, a node is not there. The world has to be
  /// made anew, unless all are of plots.
  Result<void> change(std::vector<Graft> grafts, const std::vector<Assignment>& assignments = {});
  /// Counts how often nodes of the world came or went, undo and redo included.
  [[nodiscard]] std::uint64_t structure() const { return structure_; }
  /// The next edit starts a new undo step.
  void end_gesture();

  [[nodiscard]] bool can_undo() const { return position_ > 0; }
  [[nodiscard]] bool can_redo() const { return position_ < steps_.size(); }
  /// "system.creature.material" of the step that undo would take back, or empty.
  [[nodiscard]] std::string undo_name() const;
  [[nodiscard]] std::string redo_name() const;
  std::vector<Assignment> undo();
  std::vector<Assignment> redo();

  /// Assigns without an undo step and without counting as a modification (the camera, just before saving).
  void set_silently(std::string_view path, const Value& value);
  /// True when edits since the last save would be lost. How the scene is looked at (the view's parameters) is saved too, but nobody is asked.
  [[nodiscard]] bool modified() const;
  void mark_saved(std::string path);

 private:
  struct Change {
    std::string path;
    Value before, after;
  };
  /// Undone and redone together: changes of values, and nodes that came or went before them.
  struct Step {
    std::vector<Change> changes;
    std::vector<Graft> grafts = {};
  };

  [[nodiscard]] bool merges(const Step& step) const;
  [[nodiscard]] std::string name_of(const Step& step) const;
  [[nodiscard]] std::uint64_t of_world(const Step& step) const;
  void push(Step step);
  void drop_idle_step();

  Node root_, opened_;
  std::string path_;
  std::vector<Step> steps_;
  std::size_t position_ = 0;           ///< steps before it are in force
  std::ptrdiff_t saved_position_ = 0;  ///< -1: the saved state can no longer be reached
  bool gesture_open_ = false;
  std::uint64_t revision_ = 0, structure_ = 0;
};

}  // namespace vw
