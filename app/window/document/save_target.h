// Check of the target path when saving a scene.
#pragma once

#include <string>

#include "app/window/document/document.h"
#include "sim/base/error.h"

namespace vw {

/// Returns an error if saving the document to `path` would overwrite a file that the scene reads, such as a design,
/// mesh, height map or recording. The function also recognises such a file through a link or under another name. The
/// .toml file of the scene may be overwritten.
[[nodiscard]] Result<void> check_save_target(const Document& document, const std::string& path);

}  // namespace vw
