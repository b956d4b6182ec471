// A film of a run: what pictures of past moments need, in a small form. It shows a picture at once while the exact
// state of a moment is computed. Places have 16 bits, velocities 8 bits a component, relative to the range in the
// frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "sim/snapshot/snapshot.h"

namespace vw {

/// Use on one thread.
class Film {
 public:
  /// Keeps frames of at most `limit_bytes`. If there are more, frames far from the last one become rarer.
  explicit Film(std::uint64_t limit_bytes) : limit_(limit_bytes) {}

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
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::size_t size() const;

 private:
  struct Frame {
    /// Snapshot without the arrays that `data` holds. Frames share it as long as it does not change.
    std::shared_ptr<const Snapshot> cast;
    std::vector<std::byte> data;
    [[nodiscard]] std::uint64_t bytes() const { return data.size() + sizeof(Frame); }
  };
  using Frames = std::map<double, Frame>;  // by time since the start of the session
  [[nodiscard]] const Frames::value_type* find(std::uint32_t branch, double elapsed_s) const;
  void thin();

  std::uint64_t limit_, bytes_ = 0, shown_ = 0;
  std::map<std::uint32_t, Frames> branches_;
  std::shared_ptr<const Snapshot> cast_;
  double last_s_ = 0;
};

}  // namespace vw
