#include "app/window/gizmo/body_moves.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace vw {
namespace {

using Moves = std::vector<BodyMoves::Move>;

/// Whether the shown moment follows a move. A move at a past moment begins a branch, whose number is higher than that
/// of the former branch. A later branch can begin only after a seek or a reset, which change the epoch.
bool precedes(const BodyMoves::Move& move, const Snapshot& shown) {
  const bool is_in_branch =
      move.place.branch == shown.place.branch || (move.place.is_past && move.place.branch < shown.place.branch);
  return move.epoch == shown.epoch && is_in_branch && move.place.elapsed_s <= shown.place.elapsed_s;
}

const BodyMoves::Move* last_of(const Moves& moves, std::size_t edits, const Snapshot& shown) {
  for (const BodyMoves::Move& move : moves | std::views::reverse)
    if (precedes(move, shown)) return move.edits == edits ? &move : nullptr;
  return nullptr;
}

/// Removes the moves after the shown moment from `from`. Then moves the last entry of `from` to `to`.
void take_last(Moves& from, Moves& to, const Snapshot& shown) {
  while (!from.empty() && !precedes(from.back(), shown)) from.pop_back();
  if (from.empty()) return;
  to.push_back(std::move(from.back()));
  from.pop_back();
}

}  // namespace

void BodyMoves::add(Move move) {
  undone_.clear();
  done_.push_back(std::move(move));
}

void BodyMoves::clear() {
  done_.clear();
  undone_.clear();
}

const BodyMoves::Move* BodyMoves::to_undo(std::size_t edits, const Snapshot& shown) const {
  return last_of(done_, edits, shown);
}

const BodyMoves::Move* BodyMoves::to_redo(std::size_t edits, const Snapshot& shown) const {
  return last_of(undone_, edits, shown);
}

void BodyMoves::undo(const Snapshot& shown) { take_last(done_, undone_, shown); }
void BodyMoves::redo(const Snapshot& shown) { take_last(undone_, done_, shown); }

}  // namespace vw
