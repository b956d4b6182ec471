// Converts TOML to ASCII for the parser toml++ 3.3. The parser's test for white space has undefined behaviour for many
// characters, such as U+00A1 to U+0499. It must therefore receive only ASCII text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/base/error.h"

namespace vw {

/// A string literal of a TOML text, including its quotes. An unclosed literal ends at the end of its line or, if it
/// begins with three quotes, at the end of the text.
struct TomlString {
  std::size_t end = 0;     ///< offset after the literal
  std::size_t quotes = 1;  ///< number of opening quotes: 1 or 3
  bool is_closed = false;
};
/// Returns the string literal whose first quote is at offset `at`.
[[nodiscard]] TomlString toml_string_at(std::string_view text, std::size_t at);

/// Returns an ASCII text with the same meaning and the same line numbers as `text`, which must be UTF-8. Non-ASCII
/// characters become escapes in strings, and "?" in comments. TOML does not allow them elsewhere. If there are any,
/// returns an error that names `file`, the line and the character.
[[nodiscard]] Result<std::string> toml_in_ascii(std::string_view text, const std::string& file);

}  // namespace vw
