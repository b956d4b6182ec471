// Recording of a voxcraft run (.history): text with frames of surface voxels without identities. The file is read once,
// completely and with checks, into flat arrays with y up.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/math.h"

namespace vw {

/// Memory limits. File and arrays together stay below a gigabyte.
inline constexpr std::uint64_t max_recording_bytes = std::uint64_t{512} << 20;
inline constexpr std::size_t max_recorded_voxels = std::size_t{1} << 23;  ///< Limit for the sum over all frames.
inline constexpr std::size_t max_recorded_frames = std::size_t{1} << 20;

struct Recording {
  struct Frame {
    double time_s = 0;
    std::size_t begin = 0, end = 0;  ///< Rows of the frame in `position`, `orientation`, `edge` and `material`.
    /// Number of the frame's segment, a sequence of frames that contain the same voxels. Frames of different segments
    /// cannot be interpolated.
    std::uint32_t segment = 0;
  };
  std::vector<Frame> frames;  ///< At least one frame. Times are ascending.
  // Arrays with one row per voxel of a frame.
  std::vector<Vec3f> position;  ///< Centre of the voxel [m].
  std::vector<Quatf> orientation;
  std::vector<float> edge;             ///< Mean of the voxel's three extents [m].
  std::vector<std::uint8_t> material;  ///< Index into `palette`.

  std::vector<Vec3f> palette;  ///< Colours in linear RGB.
  std::vector<std::string> palette_names;
  double voxel_size_m = 0;  ///< Voxel size at rest [m]. 0 if the file does not specify it.
  bool cut_off = false;     ///< True if the file ends within a frame. That frame is left out.

  [[nodiscard]] double duration_s() const { return frames.back().time_s - frames.front().time_s; }
  [[nodiscard]] std::uint32_t segments() const { return frames.back().segment + 1; }
};

/// Reads a recording. Errors name file, line and the faulty text.
[[nodiscard]] Result<Recording> parse_recording(std::string_view text, const std::string& file);
[[nodiscard]] Result<Recording> read_recording(const std::string& path);

}  // namespace vw
