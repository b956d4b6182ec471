// Option --continue: the same command, given again after an interrupt, keeps the numbered pictures that it has written.
#pragma once

#include <filesystem>
#include <string>

#include "sim/base/error.h"

namespace vw::cli {

/// Name of a file in a folder of numbered pictures. The file identifies the command that writes the pictures.
inline constexpr const char* series_file = "voxwake.pictures";

/// Begins or continues the pictures of a folder, which is created if necessary. `description` holds everything on which
/// the pictures depend. If `continues` is true and the folder holds pictures of another description, or of an unknown
/// one, the result is an error that names the folder. Returns the time at which the pictures of this description were
/// begun. Pictures in the folder with an older file time belong to another command and must be drawn again.
[[nodiscard]] Result<std::filesystem::file_time_type> begin_series(const std::string& folder,
                                                                   const std::string& description, bool continues);

}  // namespace vw::cli
