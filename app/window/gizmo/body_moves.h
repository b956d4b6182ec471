// Moves of running bodies by the gizmo, which undo and redo repeat. Such a move changes the world, but not the
// document, so the document has no undo step for it. This file does not use the GUI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/api/run.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

class BodyMoves {
 public:
  struct Move {
    std::string path;                    ///< path of the node of the first body
    std::vector<SetPose> before, after;  ///< poses of the bodies
    std::size_t edits = 0;               ///< number of undo steps of the document at the time of the move
    std::uint64_t epoch = 0;             ///< Snapshot::epoch at that time
    TimelinePlace place = {};            ///< place in the timeline at that time
  };

  /// Adds a move that has just been made. Moves that were taken back before can no longer be redone.
  void add(Move move);
  void clear();
  /// Returns the move that the next undo takes back, or null. A move can be taken back if the document has as many undo
  /// steps (`edits`) as at the time of the move, and if the shown moment follows the move in the same branch without a
  /// reset. Moves that do not precede the shown moment are ignored.
  [[nodiscard]] const Move* to_undo(std::size_t edits, const Snapshot& shown) const;
  /// Returns the move that the next redo makes again, or null, under the same conditions.
  [[nodiscard]] const Move* to_redo(std::size_t edits, const Snapshot& shown) const;
  /// Marks the move of to_undo() as taken back, or that of to_redo() as made, and forgets the ignored moves.
  void undo(const Snapshot& shown);
  void redo(const Snapshot& shown);

 private:
  std::vector<Move> done_, undone_;
};

}  // namespace vw
