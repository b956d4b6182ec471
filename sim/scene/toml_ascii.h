// A TOML text for toml++ 3.3, which asks of most characters whether they are white space: for U+00A1 to U+0499 and others that is undefined
// behaviour. It gets texts of ASCII characters only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/base/error.h"

namespace vw {

/// A string of a TOML text with its quotes. One that is not closed ends with its line, or with the text if it has three quotes.
struct TomlString {
  std::size_t end = 0;     ///< offset behind it
  std::size_t quotes = 1;  ///< at its start: 1 or 3
  bool is_closed = false;
};
/// The string whose first quote stands at `at`.
[[nodiscard]] TomlString toml_string_at(std::string_view text, std::size_t at);

/// A TOML text of the same meaning and the same lines in ASCII characters: others become escapes in strings and "?" in comments. Elsewhere TOML
/// allows none: an error names `file`, the line and the first of them. `text` must be UTF-8.
[[nodiscard]] Result<std::string> toml_in_ascii(std::string_view text, const std::string& file);

}  // namespace vw
