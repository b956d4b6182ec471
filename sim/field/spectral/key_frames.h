// A spectral field at fixed times (key frames), which are computed before they are needed. Between key frames, the
// field is interpolated from the four nearest key frames. The interpolation is performed once per step on the grid, and
// only in planes that are read. A frame depends only on its index; neither the thread nor the time of its computation
// changes its bits.
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

/// The key frames of one set of modes. Any thread may use them. Fields with equal modes share their frames, so an edit
/// elsewhere in the scene does not cause them to be computed again.
class KeyFrames {
 public:
  using Frame = std::shared_ptr<const NodeGrid>;

  [[nodiscard]] static std::shared_ptr<KeyFrames> of(std::shared_ptr<const SpectralModes> modes);
  explicit KeyFrames(std::shared_ptr<const SpectralModes> modes);
  ~KeyFrames();
  KeyFrames(const KeyFrames&) = delete;
  KeyFrames& operator=(const KeyFrames&) = delete;

  /// Returns the time between key frames [s]. In this time, the phases of the smallest eddies turn by at most
  /// `turn_a_frame` (root mean square). 0 means that the field does not change, and frame 0 is the only frame.
  [[nodiscard]] double interval_s() const { return interval_s_; }
  /// Largest angle by which the phases of the smallest eddies turn between two key frames (root mean square) [rad]. For
  /// an angle a, interpolation halfway between frames retains the fraction (9 exp(-a^2 / 8) - exp(-9 a^2 / 8)) / 8 of
  /// the correlation: 99.6 % for the smallest eddies, and 99.97 % for eddies twice as large.
  static constexpr double turn_a_frame = 0.5;

  /// Returns the frame `index`, and computes it if it is not in the cache. If another thread is computing it, waits for
  /// that thread.
  [[nodiscard]] Frame at(std::int64_t index);
  /// Starts the computation of a frame on a separate thread, if parallel loops may use more than one thread.
  void ahead(std::int64_t index);
  /// Returns the correlation of the field with itself after the time `lag_s` [s]: the average over the spectrum of
  /// exp(-s^2 k^2 t^2 / 2) (s: spread, k: wave number, t: lag).
  [[nodiscard]] double correlation(double lag_s) const;

  [[nodiscard]] const SpectralModes& modes() const { return *modes_; }
  /// Number of cached frames: four around the present time, one computed ahead, and the latest earlier frame.
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
  /// Index of the frame requested from the worker, or empty if there is no request.
  std::vector<std::int64_t> wanted_;
  bool over_ = false;
  std::thread worker_;
};

/// The field between key frames, by Catmull-Rom interpolation in time (Catmull & Rom 1974). It is scaled so that its
/// variance equals that of a frame. A plane is interpolated only on demand.
class BlendedFrames final : public NodePlanes {
 public:
  explicit BlendedFrames(std::shared_ptr<KeyFrames> frames);

  /// Sets the time [s]. Must not be called while another thread evaluates the field.
  void set_time(double time);
  [[nodiscard]] const NodeGrid& nodes() const { return whole_ ? *from_[0] : blended_; }
  /// Returns the source of the planes, or null if the field equals a single frame.
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
