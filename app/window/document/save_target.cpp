#include "app/window/document/save_target.h"

#include <filesystem>
#include <vector>

#include "sim/scene/file_kind.h"
#include "sim/scene/scene_files.h"

namespace vw {

Result<void> check_save_target(const Document& document, const std::string& path) {
  const std::string& own = document.path();
  std::vector<std::string> inputs = files_named(document.root(), std::filesystem::path(own).parent_path().string());
  if (!own.empty()) {
    const auto of_file = files_of_scene(own);
    inputs.insert(inputs.end(), of_file.begin() + (file_kind(own) == FileKind::scene ? 1 : 0), of_file.end());
  }
  for (const std::string& input : inputs)
    if (is_same_file(path, input))
      return wrong_file(path, "is read by this scene and would be overwritten: choose another name");
  return {};
}

}  // namespace vw
