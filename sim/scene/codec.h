// Encodings that VoxCAD uses for a layer of voxels. Every decoder limits the size of its output.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace vw {

/// Returns whether a character is white space, which is allowed anywhere in encoded text.
[[nodiscard]] inline bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// Decodes Base64 with or without padding. White space is ignored. Returns nullopt if the text contains any other
/// character that is not part of the Base64 alphabet.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

/// Encodes bytes as Base64 with padding and without line breaks.
[[nodiscard]] std::string encode_base64(std::string_view bytes);
/// Compresses bytes to a zlib stream. Returns an empty text if there is not enough memory.
[[nodiscard]] std::string deflate_zlib(std::string_view bytes);

/// Decompresses a zlib stream. Returns nullopt if the stream is damaged, is truncated or decompresses to more than
/// `limit` bytes.
[[nodiscard]] std::optional<std::string> inflate_zlib(std::string_view bytes, std::size_t limit);

/// Decompresses Qt's qCompress format, which consists of a big-endian length of four bytes and a zlib stream. Returns
/// nullopt in the same cases as inflate_zlib().
[[nodiscard]] std::optional<std::string> inflate_qt(std::string_view bytes, std::size_t limit);

}  // namespace vw
