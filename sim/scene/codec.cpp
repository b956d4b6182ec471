// Implements Base64 and zlib with a limited output size.
#include "sim/scene/codec.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace vw {
namespace {

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return -1;
}

}  // namespace

std::optional<std::string> decode_base64(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 4 * 3 + 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (is_space(c)) continue;
    if (c == '=') break;  // padding: no data follow
    const int digit = base64_digit(c);
    if (digit < 0) return std::nullopt;
    bits = (bits << 6) | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out += static_cast<char>((bits >> count) & 0xFFU);
    }
  }
  return out;
}

std::string encode_base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t used = std::min<std::size_t>(bytes.size() - i, 3);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) bits = bits << 8 | (k < used ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += k <= used ? digits[bits >> (18 - 6 * k) & 63U] : '=';
  }
  return out;
}

std::string deflate_zlib(std::string_view bytes) {
  auto size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  const int status = compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                              static_cast<uLong>(bytes.size()));
  // The buffer has the size from compressBound(), so compression can fail only if memory is exhausted.
  out.resize(status == Z_OK ? size : 0);
  return out;
}

std::optional<std::string> inflate_zlib(std::string_view bytes, std::size_t limit) {
  if (bytes.size() > std::numeric_limits<uInt>::max()) return std::nullopt;
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return std::nullopt;
  std::string input(bytes);  // a copy, because zlib takes a pointer to non-const
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  std::string out;
  char buffer[4096];
  int status = Z_OK;
  while (status == Z_OK && out.size() <= limit) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof buffer;
    status = inflate(&stream, Z_NO_FLUSH);
    out.append(buffer, sizeof buffer - stream.avail_out);
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END || out.size() > limit) return std::nullopt;
  return out;
}

std::optional<std::string> inflate_qt(std::string_view bytes, std::size_t limit) {
  if (bytes.size() < 4) return std::nullopt;
  return inflate_zlib(bytes.substr(4), limit);
}

}  // namespace vw
