// Moments inside pictures and videos: the bytes of api::pack_moment(), from which the program opens the state that a
// picture shows (docs/session-format.md). The code in this folder does not interpret these bytes.
//
// A PNG file stores the bytes as an iTXt chunk with the keyword "Voxwake moment". An MP4 file stores them as a box of
// type `uuid` at the outermost level, which players skip. A folder of numbered pictures stores them as a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"

namespace vw {

/// Name of the file with the moment of a folder of numbered pictures.
inline constexpr const char* moment_of_pictures = "voxwake.moment";
/// Size of the signature and header of a PNG file. A text chunk may be inserted after these bytes.
inline constexpr std::size_t png_header_bytes = 33;

/// Returns the complete chunk of a PNG file, with its length and checksum. `moment` is in the format of zlib.
[[nodiscard]] std::string png_moment_chunk(std::string_view moment);
/// Returns the complete box of an MP4 file.
[[nodiscard]] std::string mp4_moment_box(std::string_view moment);

/// Moments found in a file.
struct EmbeddedMoments {
  /// Newest first. A video contains the moment that was written at the start of the recording and, if the recording
  /// ended normally, the moment that was written at its end.
  std::vector<std::string> newest_first;
  /// Index of the picture in its video, from 0. Set only if the moment belongs to a folder of numbered pictures.
  std::optional<std::uint64_t> frame;
};

/// Returns whether the name ends in .png or .mp4, ignoring case.
[[nodiscard]] bool is_picture_name(const std::string& path);
/// Finds the moments in a PNG or MP4 file. Only the parts that contain moments are read. An error says that the file is
/// neither a PNG nor an MP4 file, that it has no moment, or that its moment is damaged.
[[nodiscard]] Result<EmbeddedMoments> find_moments(const std::string& path);

}  // namespace vw
