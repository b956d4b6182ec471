// Option --continue: if the same command is given again after an interrupt, the numbered pictures that exist already
// are not drawn again.
#pragma once

#include <filesystem>
#include <string>

#include "sim/base/error.h"

namespace vw::cli {

/// Name of a file in a folder of numbered pictures. The file identifies the command that writes the pictures.
inline constexpr const char* series_file = "voxwake.pictures";

/// Begins a series of pictures in a folder, which is created if necessary, or continues it if `continues` is true.
/// `description` contains all settings on which the pictures depend. Continuing pictures with another or an unknown
/// description is an error that names the folder. Returns the time at which the series was begun. Pictures in the
/// folder with an older file time were written by an earlier command and must be drawn again.
[[nodiscard]] Result<std::filesystem::file_time_type> begin_series(const std::string& folder,
                                                                   const std::string& description, bool continues);

}  // namespace vw::cli
