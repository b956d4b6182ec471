// What voxcraft records of a run (.history): frames of surface voxels without identities, as text. Read once, whole and checked, into flat arrays
// in our axes (y up); after that every question is a function of time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/math.h"

namespace vw {

/// Limits of memory: file and arrays together stay below a gigabyte.
inline constexpr std::uint64_t max_recording_bytes = std::uint64_t{512} << 20;
inline constexpr std::size_t max_recorded_voxels = std::size_t{1} << 23;  ///< of all frames together
inline constexpr std::size_t max_recorded_frames = std::size_t{1} << 20;

struct Recording {
  struct Frame {
    double time_s = 0;
    std::size_t begin = 0, end = 0;  ///< rows of the arrays below
    /// Counts up where the rows are other voxels than those of the frame before: nothing can be interpolated there.
    std::uint32_t segment = 0;
  };
  std::vector<Frame> frames;  ///< at least one, times ascending
  // One row a voxel of a frame.
  std::vector<Vec3f> position;  ///< middle of the voxel [m]
  std::vector<Quatf> orientation;
  std::vector<float> edge;             ///< mean of its three extents [m]
  std::vector<std::uint8_t> material;  ///< index into palette

  std::vector<Vec3f> palette;  ///< linear RGB
  std::vector<std::string> palette_names;
  double voxel_size_m = 0;  ///< at rest; 0: the file does not say
  bool cut_off = false;     ///< the file ends within a frame, which is left out

  [[nodiscard]] double duration_s() const { return frames.back().time_s - frames.front().time_s; }
  [[nodiscard]] std::uint32_t segments() const { return frames.back().segment + 1; }
};

/// Errors name file, line and what stands there.
[[nodiscard]] Result<Recording> parse_recording(std::string_view text, const std::string& file);
[[nodiscard]] Result<Recording> read_recording(const std::string& path);

}  // namespace vw
