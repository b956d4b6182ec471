// Finds out before a long run whether its results can be written at all.
#pragma once

#include <string>

#include "sim/base/error.h"

namespace vw::cli {

/// An error when no file of that name can be made: its folder is missing or closed, or it is a folder itself. Empty and "-" are fine.
[[nodiscard]] Result<void> check_output(const std::string& path);

}  // namespace vw::cli
