// Conversions of text.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

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

/// Returns whether the byte belongs to a character of UTF-8 text, but is not its first byte.
[[nodiscard]] constexpr bool is_inside_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// Returns the longest beginning of UTF-8 text that has at most `most` bytes and does not split a character.
[[nodiscard]] constexpr std::string_view beginning_of(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && is_inside_character(text[most])) --most;
  return text.substr(0, most);
}

/// Returns the longest end of UTF-8 text that has at most `most` bytes and does not split a character.
[[nodiscard]] constexpr std::string_view end_of(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  text.remove_prefix(text.size() - most);
  while (!text.empty() && is_inside_character(text.front())) text.remove_prefix(1);
  return text;
}

}  // namespace vw
