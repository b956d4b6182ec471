// Small pictures of past moments for the timeline: which moments have a picture, and the cell of an atlas that contains
// it. This file does not use the GUI.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/snapshot/timeline.h"

namespace vw {

class MomentPictures {
 public:
  static constexpr int width_px = 160, height_px = 90;  ///< size of a picture
  static constexpr std::size_t columns = 16, rows = 12, capacity = columns * rows;

  /// Returns the cell into which the picture of a moment is to be drawn. `branch` may be any branch whose path contains
  /// the moment. Returns no value if there is a picture nearby or the timeline does not contain the branch yet. If all
  /// cells are in use, pictures are removed so that a cell becomes free.
  [[nodiscard]] std::optional<std::size_t> take_cell(const Timeline& timeline, std::uint32_t branch, double elapsed_s);
  struct Found {
    std::size_t cell = 0;
    double elapsed_s = 0;  ///< moment of the picture, since the start of the session [s]
  };
  /// Returns the picture that is nearest to a time on the path of a branch, or no value if the path has no picture.
  [[nodiscard]] std::optional<Found> nearest(const Timeline& timeline, std::uint32_t branch, double elapsed_s) const;
  /// Removes the pictures of branches that the timeline no longer contains.
  void keep_only(const Timeline& timeline);
  void clear() { *this = {}; }
  [[nodiscard]] std::size_t size() const { return pictures_.size(); }
  /// Shortest simulated time between two pictures of a branch [s].
  [[nodiscard]] double interval_s() const { return interval_s_; }

 private:
  struct Picture {
    std::uint32_t branch = 0;  ///< branch that owns the moment
    double elapsed_s = 0;
    std::size_t cell = 0;
  };
  void thin();
  std::vector<Picture> pictures_;  ///< sorted by branch, then by time
  double interval_s_ = 0.5;
};

}  // namespace vw
