// Conversions of text.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>

namespace vw {

/// Returns the text with its ASCII capital letters replaced by small letters.
[[nodiscard]] inline std::string lowercase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Returns the text with its underscores replaced by spaces: "net_force" becomes "net force".
[[nodiscard]] inline std::string spaced(std::string text) {
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

}  // namespace vw
