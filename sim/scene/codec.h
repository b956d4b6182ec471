// The encodings in which VoxCAD packs a layer of voxels. Every function bounds what it may produce.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace vw {

/// Base64 with or without padding, white space ignored; nullopt at any other character.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

/// Base64 with padding, in one line.
[[nodiscard]] std::string encode_base64(std::string_view bytes);
/// As a zlib stream.
[[nodiscard]] std::string deflate_zlib(std::string_view bytes);

/// A zlib stream of at most `limit` bytes once inflated; nullopt when it is damaged, truncated or longer.
[[nodiscard]] std::optional<std::string> inflate_zlib(std::string_view bytes, std::size_t limit);

/// Qt's qCompress: four bytes of big-endian length, then zlib.
[[nodiscard]] std::optional<std::string> inflate_qt(std::string_view bytes, std::size_t limit);

}  // namespace vw
