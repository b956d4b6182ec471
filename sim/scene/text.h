// Small tools on untrusted text: UTF-8, line numbers, phrases that fit into one sentence.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vw {

/// Length of the well-formed UTF-8 sequence at `at` (1-4), or 0 when the bytes there are none (overlong forms and surrogates included).
[[nodiscard]] std::size_t utf8_length(std::string_view text, std::size_t at);
[[nodiscard]] bool is_utf8(std::string_view text);
/// ISO-8859-1 bytes as UTF-8.
[[nodiscard]] std::string latin1_to_utf8(std::string_view bytes);
/// The text with every malformed byte replaced by U+FFFD.
[[nodiscard]] std::string repaired_utf8(std::string_view text);

/// 1-based line of an offset.
[[nodiscard]] int line_of(std::string_view text, std::size_t offset);

/// For quoting inside a sentence: control bytes become spaces, malformed bytes '?', and what is longer than `longest` bytes ends in "...".
[[nodiscard]] std::string one_line(std::string_view text, std::size_t longest = 160);

/// True when `name` may name a node: [A-Za-z0-9_-]+.
[[nodiscard]] bool is_node_name(std::string_view name);
/// Any text as such a name: other characters become '_', '+' becomes "plus"; empty becomes `otherwise`.
[[nodiscard]] std::string as_node_name(std::string_view text, std::string_view otherwise);

}  // namespace vw
