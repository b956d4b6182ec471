// A spectral field at fixed times, made ahead of need: what is between two times is a blend of the four about it, once a step on the grid and only
// where somebody asks. Frames are pure functions of their number: who makes them, and when, changes no bit.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "sim/field/grid_sampler.h"
#include "sim/field/spectral_modes.h"

namespace vw {

/// The frames of one set of modes. From several threads at once; equal ones that are alive are shared, so that an edit of something else makes none
/// anew.
class KeyFrames {
 public:
  using Frame = std::shared_ptr<const NodeGrid>;

  [[nodiscard]] static std::shared_ptr<KeyFrames> of(std::shared_ptr<const SpectralModes> modes);
  explicit KeyFrames(std::shared_ptr<const SpectralModes> modes);
  ~KeyFrames();
  KeyFrames(const KeyFrames&) = delete;
  KeyFrames& operator=(const KeyFrames&) = delete;

  /// Time from a frame to the next [s]: eddies of the smallest scale turn by `turn_a_frame` at most (root of the mean square); 0: nothing changes,
  /// frame 0 is all there is.
  [[nodiscard]] double interval_s() const { return interval_s_; }
  /// Of the smallest eddies' correlation a blend halfway between frames keeps 99.6 %, of that of eddies twice as large 99.97 %: (9 exp(-a^2 / 8) -
  /// exp(-9 a^2 / 8)) / 8.
  static constexpr double turn_a_frame = 0.5;

  /// Frame `index`: kept, waited for, or made.
  [[nodiscard]] Frame at(std::int64_t index);
  /// Begins to make it, on a thread of its own where loops have more than one.
  void ahead(std::int64_t index);
  /// Correlation of the field with itself `lag_s` later: exp(-s^2 k^2 t^2 / 2), over its spectrum.
  [[nodiscard]] double correlation(double lag_s) const;

  [[nodiscard]] const SpectralModes& modes() const { return *modes_; }
  /// Frames that are kept: four about the present, one ahead, one left over.
  static constexpr std::size_t most_frames = 6;

 private:
  struct Entry {
    std::int64_t index = 0;
    Frame frame;             ///< null: in the making
    std::uint64_t used = 0;  ///< when somebody last asked
  };
  [[nodiscard]] Frame make(std::int64_t index) const;
  void make_room();
  void work();

  std::shared_ptr<const SpectralModes> modes_;
  double interval_s_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Entry> entries_;
  std::uint64_t clock_ = 0;
  std::vector<std::int64_t> wanted_;  ///< by the worker
  bool over_ = false;
  std::thread worker_;
};

/// A field between its frames: by Catmull & Rom (1974) in time, scaled so that its variance is that of a frame. Planes are blended when they are
/// first asked for.
class BlendedFrames final : public NodePlanes {
 public:
  explicit BlendedFrames(std::shared_ptr<KeyFrames> frames);

  /// One thread, and nobody asks meanwhile.
  void set_time(double time);
  [[nodiscard]] const NodeGrid& nodes() const { return whole_ ? *from_[0] : blended_; }
  /// Null where the nodes are a frame's.
  [[nodiscard]] const NodePlanes* planes() const { return whole_ ? nullptr : this; }
  void require(std::span<const std::uint64_t> place) const override;
  [[nodiscard]] const KeyFrames& frames() const { return *frames_; }

 private:
  enum State : std::uint8_t { old, in_work, ready };
  void make_ready(std::size_t plane) const;

  std::shared_ptr<KeyFrames> frames_;
  std::array<double, 4> correlation_{};  ///< 0 .. 3 frames apart
  std::array<KeyFrames::Frame, 4> from_;
  std::array<float, 4> weight_{};
  bool whole_ = true;  ///< the field is frame from_[0]
  NodeGrid blended_;
  mutable std::vector<std::atomic<State>> state_;
  mutable std::atomic<std::size_t> ready_count_ = 0;
};

}  // namespace vw
