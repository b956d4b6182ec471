// Finds out before a long run whether its results can be written at all.
#pragma once

#include <string>
#include <vector>

#include "sim/base/error.h"

namespace vw::cli {

/// An error when a file of these names cannot be made (its folder is missing or closed, or it is a folder itself), when two of them are the same
/// file, or when one is the file `input`. Empty and "-" are fine.
[[nodiscard]] Result<void> check_outputs(const std::vector<std::string>& paths, const std::string& input);

}  // namespace vw::cli
