// A film of a run: rounded snapshots of past moments. While the exact state of a moment is computed, the film provides
// an approximate picture of it at once. Positions have 16 bits and velocities 8 bits per component, relative to the
// range of values in the frame.
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

/// The film may be used by only one thread. After the first frame, add() allocates no memory as long as frames do not
/// become larger and the parts of the world stay the same.
class Film {
 public:
  /// Keeps frames of at most `limit_bytes` in total. To stay below the limit, frames far from the newest frame are
  /// thinned out. A frame that alone exceeds the limit is not kept.
  explicit Film(std::uint64_t limit_bytes) : pages_(limit_bytes) {}

  /// Returns whether a frame is needed at this time [s] since the start of the session, because the branch has no frame
  /// within 1/30 s.
  [[nodiscard]] bool is_due(std::uint32_t branch, double elapsed_s) const;
  /// Adds a frame of the moment Snapshot::place. `branch` is the branch that contains the moment. Fields, forces of
  /// rules and requested vectors are not kept.
  void add(const Snapshot& snapshot, std::uint32_t branch);
  /// Returns the time of the branch's frame nearest to `elapsed_s`, both since the start of the session [s].
  [[nodiscard]] std::optional<double> nearest(std::uint32_t branch, double elapsed_s) const;
  /// Fills `out` with the branch's frame that is nearest to `elapsed_s`, and gives it a unique epoch. Returns false if
  /// the branch has no frame.
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
    /// Snapshot without the arrays that are stored at `place`. Successive frames share it while it stays the same.
    std::shared_ptr<const Snapshot> cast;
  };
  struct Candidate {
    double urgency = 0;
    std::uint32_t frame = 0;
  };
  /// Indices of the nearest remaining frames before and after one frame. They are used while frames are removed.
  struct Neighbours {
    std::uint32_t before = 0, after = 0;
    bool is_removed = false;
  };
  /// Returns the index of the first frame of a branch whose time is not before `elapsed_s`.
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
