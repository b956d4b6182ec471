// Makes the C++ library read narrow texts as UTF-8 when it converts them to wide texts. With gcc 12,
// std::filesystem::path converts a narrow text with the C library's function mbrtowc(), which does not support UTF-8 on
// Windows. The linker redirects the calls of mbrtowc() to this file (--wrap=mbrtowc, sim/CMakeLists.txt).
#include <cstdint>
#include <cwchar>

namespace {

constexpr auto invalid = static_cast<std::size_t>(-1), incomplete = static_cast<std::size_t>(-2);

/// Returns the number of bytes of the character that begins with this byte. Returns 0 if no character begins with it.
unsigned utf8_length(unsigned char first) {
  if (first < 0x80U) return 1;
  if (first >= 0xC2U && first < 0xE0U) return 2;
  if (first >= 0xE0U && first < 0xF0U) return 3;
  return first >= 0xF0U && first < 0xF5U ? 4 : 0;
}

bool continues_character(unsigned char byte) { return (byte & 0xC0U) == 0x80U; }

}  // namespace

/// Replacement of mbrtowc() with the same contract, except that an incomplete character does not change `state`, so
/// that the next call needs all bytes of the character. A character beyond U+FFFF yields two units of UTF-16: its first
/// three bytes yield the high surrogate, its last byte yields the low surrogate. Between the two, `state` contains the
/// first 15 bits of the character.
extern "C" std::size_t __wrap_mbrtowc(wchar_t* out, const char* text, std::size_t size, std::mbstate_t* state) {
  static thread_local std::mbstate_t own_state = 0;
  if (state == nullptr) state = &own_state;
  if (text == nullptr) {
    *state = 0;
    return 0;
  }
  if (size == 0) return incomplete;
  const auto byte = [&](unsigned i) { return static_cast<unsigned char>(text[i]); };
  const auto put = [&](std::uint32_t unit) {
    if (out != nullptr) *out = static_cast<wchar_t>(unit);
  };
  if (*state != 0) {
    const auto bits = static_cast<std::uint32_t>(*state);
    *state = 0;
    if (!continues_character(byte(0))) return invalid;
    put(0xDC00U | (bits & 0xFU) << 6U | (byte(0) & 0x3FU));
    return 1;
  }
  const unsigned length = utf8_length(byte(0));
  if (length == 0) return invalid;
  if (length == 1) {
    put(byte(0));
    return byte(0) == 0 ? 0 : 1;
  }
  if (size < length) return incomplete;
  std::uint32_t code = byte(0) & (0x7FU >> length);
  for (unsigned i = 1; i < length; ++i) {
    if (!continues_character(byte(i))) return invalid;
    code = code << 6U | (byte(i) & 0x3FU);
  }
  const bool too_long = length == 3 ? code < 0x800U : length == 4 && code < 0x10000U;
  if (too_long || code > 0x10FFFFU || (code >= 0xD800U && code < 0xE000U)) return invalid;
  if (length < 4) {
    put(code);
    return length;
  }
  *state = static_cast<std::mbstate_t>(code >> 6U);
  put(0xD800U | (code - 0x10000U) >> 10U);
  return 3;
}
