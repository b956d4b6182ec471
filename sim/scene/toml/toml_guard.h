// Checks a TOML text before it is parsed. The parser recurses and allocates several hundred bytes for every value. A
// malicious text of a few megabytes could therefore overflow the stack or exhaust memory. Such a text is rejected with
// an error.
#pragma once

#include <string>
#include <string_view>

#include "sim/base/error.h"

namespace vw {

inline constexpr std::size_t max_scene_bytes = std::size_t{64} << 20;
inline constexpr int max_toml_depth = 32;      ///< nesting depth of brackets
inline constexpr int max_toml_key_parts = 32;  ///< components of a dotted key a.b.c...
/// Largest number of values, where a table or a key counts as several values. A value takes about 80 bytes in the tree
/// of the parser.
inline constexpr std::size_t max_toml_values = 5'000'000;

/// Checks size, UTF-8, NUL bytes, nesting depth, length of dotted keys and number of values.
[[nodiscard]] Result<void> guard_toml(std::string_view text, const std::string& file);

}  // namespace vw
