// Recording of a voxcraft run (.history): text with frames of surface voxels without identities. It is read once,
// completely and with checks, into flat arrays in our axes (y up); after that every query is a function of time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/math.h"

namespace vw {

/// Memory limits: file and arrays together stay below a gigabyte.
inline constexpr std::uint64_t max_recording_bytes = std::uint64_t{512} << 20;
inline constexpr std::size_t max_recorded_voxels = std::size_t{1} << 23;  ///< Sum over all frames.
inline constexpr std::size_t max_recorded_frames = std::size_t{1} << 20;

struct Recording {
  struct Frame {
    double time_s = 0;
    std::size_t begin = 0, end = 0;  ///< Rows of the arrays below.
    /// Incremented if the rows are other voxels than those of the frame before. Frames of different segments cannot be
    /// interpolated.
    std::uint32_t segment = 0;
  };
  std::vector<Frame> frames;  ///< At least one, with ascending times.
  // Arrays with one row per voxel of a frame.
  std::vector<Vec3f> position;  ///< Centre of the voxel [m].
  std::vector<Quatf> orientation;
  std::vector<float> edge;             ///< Mean of its three extents [m].
  std::vector<std::uint8_t> material;  ///< Index into palette.

  std::vector<Vec3f> palette;  ///< Linear RGB.
  std::vector<std::string> palette_names;
  double voxel_size_m = 0;  ///< At rest; 0: not specified by the file.
  bool cut_off = false;     ///< The file ends within a frame, which is left out.

  [[nodiscard]] double duration_s() const { return frames.back().time_s - frames.front().time_s; }
  [[nodiscard]] std::uint32_t segments() const { return frames.back().segment + 1; }
};

/// Errors name file, line and the faulty text.
[[nodiscard]] Result<Recording> parse_recording(std::string_view text, const std::string& file);
[[nodiscard]] Result<Recording> read_recording(const std::string& path);

}  // namespace vw
