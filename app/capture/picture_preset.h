// Presets of the view for pictures in a paper, a talk or a poster.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/base/data/value.h"

namespace vw {

struct PicturePreset {
  const char* name;
  const char* label;  ///< name in the window
  const char* doc;
  int width, height;  ///< suggested size of pictures [px]; 0 means that the preset does not change the size
  /// View parameters, named without the prefix "view.", and their values.
  std::vector<std::pair<std::string, Value>> values;
};
[[nodiscard]] std::span<const PicturePreset> picture_presets();

}  // namespace vw
