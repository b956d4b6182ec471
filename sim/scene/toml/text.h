// Helpers for text that may be malicious: UTF-8, line numbers, and shortening of quoted text in messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vw {

/// Returns the length (1 to 4) of the UTF-8 sequence at offset `at`, or 0 if the sequence is malformed, overlong or a
/// surrogate.
[[nodiscard]] std::size_t utf8_length(std::string_view text, std::size_t at);
[[nodiscard]] bool is_utf8(std::string_view text);
/// Converts ISO-8859-1 to UTF-8.
[[nodiscard]] std::string latin1_to_utf8(std::string_view bytes);
/// Replaces every malformed byte by U+FFFD.
[[nodiscard]] std::string repaired_utf8(std::string_view text);

/// Returns the 1-based number of the line that contains the byte at `offset`.
[[nodiscard]] int line_of(std::string_view text, std::size_t offset);

/// Prepares text for quoting in a message: control bytes become spaces, malformed bytes become '?', and text longer
/// than `longest` bytes is cut and ends in "...".
[[nodiscard]] std::string one_line(std::string_view text, std::size_t longest = 160);

/// Returns whether `name` is a valid node name: [A-Za-z0-9_-]+.
[[nodiscard]] bool is_node_name(std::string_view name);
/// Converts text to a node name. '+' becomes "plus". A sequence of characters outside ASCII becomes one '_', as does
/// any other invalid character. Text without an ASCII letter or digit becomes `otherwise`. Only the first 48 bytes of
/// the text are used.
[[nodiscard]] std::string as_node_name(std::string_view text, std::string_view otherwise);

}  // namespace vw
