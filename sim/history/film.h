// A film of a run: what pictures of past moments need, in a small form. It shows a picture at once while the exact
// state of a moment is computed. Places have 16 bits, velocities 8 bits a component, relative to the range in the
// frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/history/film_pages.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

/// Use on one thread. After the first frame, add() allocates no memory as long as frames do not get larger and the
/// parts of the world stay the same.
class Film {
 public:
  /// Keeps frames of at most `limit_bytes`. If there are more, frames far from the last one become rarer. A frame that
  /// is larger than the limit is not kept.
  explicit Film(std::uint64_t limit_bytes) : pages_(limit_bytes) {}

  /// Whether a frame of a branch at a time since the start of the session [s] is wanted: there is none within 1/30 s.
  [[nodiscard]] bool is_due(std::uint32_t branch, double elapsed_s) const;
  /// Adds a frame. Snapshot::place says when it is; `branch` is the branch that owns the moment. Fields, forces of
  /// rules and requested vectors are not kept.
  void add(const Snapshot& snapshot, std::uint32_t branch);
  /// Time since the start of the session [s] of the frame of a branch that is nearest to a time.
  [[nodiscard]] std::optional<double> nearest(std::uint32_t branch, double elapsed_s) const;
  /// Fills `out` with the frame of a branch that is nearest to a time. Its epoch is that of no other snapshot. Returns
  /// false if the branch has no frame.
  bool show(std::uint32_t branch, double elapsed_s, Snapshot& out);
  /// Removes the frames of branches that have been removed.
  void keep_only(const std::function<bool(std::uint32_t branch)>& is_kept);
  [[nodiscard]] std::uint64_t bytes() const { return pages_.used_bytes(); }
  [[nodiscard]] std::size_t size() const { return frames_.size(); }

 private:
  struct Frame {
    std::uint32_t branch = 0;
    double elapsed_s = 0;
    FilmPages::Place place;
    /// Snapshot without the arrays that `place` holds. Frames share it as long as it does not change.
    std::shared_ptr<const Snapshot> cast;
  };
  struct Candidate {
    double urgency = 0;
    std::uint32_t frame = 0;
  };
  /// Neighbours of a frame in its branch while frames are being removed, as indices.
  struct Neighbours {
    std::uint32_t before = 0, after = 0;
    bool is_removed = false;
  };
  /// First frame from which on a branch is at or after a time.
  [[nodiscard]] std::size_t place_of(std::uint32_t branch, double elapsed_s) const;
  [[nodiscard]] const Frame* find(std::uint32_t branch, double elapsed_s) const;
  [[nodiscard]] bool is_at_edge(std::size_t frame) const;
  [[nodiscard]] double urgency_of(std::size_t frame, double present_s) const;
  void thin(std::uint64_t wanted_bytes, double present_s);
  bool remove_rarest(std::uint64_t wanted_bytes, double present_s);
  void erase_removed();

  FilmPages pages_;
  std::vector<Frame> frames_;  ///< by branch and time
  std::shared_ptr<const Snapshot> cast_;
  std::uint64_t shown_ = 0;
  // Scratch memory, which is kept so that add() does not allocate.
  std::vector<std::byte> packed_;
  std::vector<Candidate> candidates_;
  std::vector<Neighbours> neighbours_;
};

}  // namespace vw
