// What a scene may be saved onto.
#pragma once

#include <string>

#include "app/window/document.h"
#include "sim/base/error.h"

namespace vw {

/// An error if saving the document to `path` would overwrite a file that the scene reads (a design, mesh, height map or recording, by whatever name
/// or link). The scene's own .toml may be saved onto.
[[nodiscard]] Result<void> check_save_target(const Document& document, const std::string& path);

}  // namespace vw
