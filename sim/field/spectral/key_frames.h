// Spectral field at fixed times (key frames), computed ahead of need. Between two key frames, the field is interpolated
// from the four nearest frames. The interpolation is done once per step on the grid, and only in planes that are read.
// A frame is a pure function of its index: the thread and time of its computation do not change its bits.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "sim/field/spectral/grid_sampler.h"
#include "sim/field/spectral/spectral_modes.h"

namespace vw {

/// Key frames of one set of modes. Any thread may use them. Fields with equal modes share existing frames, so that an
/// edit elsewhere in the scene does not recompute them.
class KeyFrames {
 public:
  using Frame = std::shared_ptr<const NodeGrid>;

  [[nodiscard]] static std::shared_ptr<KeyFrames> of(std::shared_ptr<const SpectralModes> modes);
  explicit KeyFrames(std::shared_ptr<const SpectralModes> modes);
  ~KeyFrames();
  KeyFrames(const KeyFrames&) = delete;
  KeyFrames& operator=(const KeyFrames&) = delete;

  /// Time between key frames [s]. In this time, the phases of the smallest eddies turn by at most `turn_a_frame` (root
  /// mean square). A time of 0 means that the field does not change and frame 0 is the only frame.
  [[nodiscard]] double interval_s() const { return interval_s_; }
  /// Largest root mean square rotation of the phases of the smallest eddies between two key frames [rad]. If a is this
  /// rotation, interpolation halfway between frames retains the fraction (9 exp(-a^2 / 8) - exp(-9 a^2 / 8)) / 8 of the
  /// correlation. This is 99.6 % for the smallest eddies, and 99.97 % for eddies twice as large.
  static constexpr double turn_a_frame = 0.5;

  /// Returns the frame `index`. A frame that is not in the cache is computed. If another thread already computes it,
  /// the call waits for that thread.
  [[nodiscard]] Frame at(std::int64_t index);
  /// Starts to compute the frame on a separate thread, if parallel loops have more than one thread.
  void ahead(std::int64_t index);
  /// Correlation of the field with the same field `lag_s` [s] later: exp(-s^2 k^2 t^2 / 2) averaged over the spectrum,
  /// where s is the spread, k the wave number and t the lag.
  [[nodiscard]] double correlation(double lag_s) const;

  [[nodiscard]] const SpectralModes& modes() const { return *modes_; }
  /// Number of cached frames: four around the present time, one computed ahead, and the most recent older frame.
  static constexpr std::size_t most_frames = 6;

 private:
  struct Entry {
    std::int64_t index = 0;
    Frame frame;             ///< Null while the frame is being computed.
    std::uint64_t used = 0;  ///< Counter value at the last use.
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
  std::vector<std::int64_t>
      wanted_;  ///< Index of the frame requested from the worker, or empty if there is no request.
  bool over_ = false;
  std::thread worker_;
};

/// Field between key frames: Catmull-Rom interpolation in time (Catmull & Rom 1974), scaled so that the variance equals
/// the variance of a frame. A plane is interpolated when it is first needed.
class BlendedFrames final : public NodePlanes {
 public:
  explicit BlendedFrames(std::shared_ptr<KeyFrames> frames);

  /// Sets the time [s]. One thread must call set_time() while no other thread evaluates the field.
  void set_time(double time);
  [[nodiscard]] const NodeGrid& nodes() const { return whole_ ? *from_[0] : blended_; }
  /// Source of planes, or null if the nodes belong to a single frame.
  [[nodiscard]] const NodePlanes* planes() const { return whole_ ? nullptr : this; }
  void require(std::span<const std::uint64_t> place) const override;
  [[nodiscard]] const KeyFrames& frames() const { return *frames_; }

 private:
  enum State : std::uint8_t { old, in_work, ready };
  void make_ready(std::size_t plane) const;

  std::shared_ptr<KeyFrames> frames_;
  std::array<double, 4> correlation_{};  ///< Correlation of frames that are 0 .. 3 intervals apart.
  std::array<KeyFrames::Frame, 4> from_;
  std::array<float, 4> weight_{};
  bool whole_ = true;  ///< Whether the field equals the frame from_[0].
  NodeGrid blended_;
  mutable std::vector<std::atomic<State>> state_;
  mutable std::atomic<std::size_t> ready_count_ = 0;
};

}  // namespace vw
