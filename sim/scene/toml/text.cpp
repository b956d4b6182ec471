// Helpers for untrusted text.
#include "sim/scene/toml/text.h"

#include <algorithm>

namespace vw {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
}
bool is_tail(unsigned byte) { return (byte & 0xC0U) == 0x80U; }

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const unsigned a = byte_at(text, at), b = byte_at(text, at + 1);
  if (a < 0x80) return 1;
  if (a >= 0xC2 && a <= 0xDF) return is_tail(b) ? 2 : 0;
  if (a >= 0xE0 && a <= 0xEF) {
    if ((a == 0xE0 && b < 0xA0) || (a == 0xED && b > 0x9F)) return 0;  // overlong form; surrogate
    return is_tail(b) && is_tail(byte_at(text, at + 2)) ? 3 : 0;
  }
  if (a >= 0xF0 && a <= 0xF4) {
    if ((a == 0xF0 && b < 0x90) || (a == 0xF4 && b > 0x8F)) return 0;  // overlong form; beyond U+10FFFF
    return is_tail(b) && is_tail(byte_at(text, at + 2)) && is_tail(byte_at(text, at + 3)) ? 4 : 0;
  }
  return 0;
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

std::string latin1_to_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80)
      out += c;
    else
      (out += static_cast<char>(0xC0 | (byte >> 6))) += static_cast<char>(0x80 | (byte & 0x3F));
  }
  return out;
}

std::string repaired_utf8(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0)
      out += "\xEF\xBF\xBD";
    else
      out += text.substr(i, length);
    i += std::max<std::size_t>(length, 1);
  }
  return out;
}

int line_of(std::string_view text, std::size_t offset) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
  return 1 + static_cast<int>(std::count(text.begin(), end, '\n'));
}

std::string one_line(std::string_view text, std::size_t longest) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (out.size() + std::max<std::size_t>(length, 1) > longest) return out + "...";
    if (length == 0)
      out += '?';
    else if (length == 1 && (static_cast<unsigned char>(text[i]) < 0x20 || text[i] == 0x7f))
      out += ' ';
    else
      out += text.substr(i, length);
    i += std::max<std::size_t>(length, 1);
  }
  return out;
}

bool is_node_name(std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), allowed);
}

std::string as_node_name(std::string_view text, std::string_view otherwise) {
  constexpr std::size_t longest = 48;
  std::string name;
  bool was_foreign = false;  // whether the last byte belongs to a character outside ASCII
  for (const char c : text.substr(0, longest)) {
    const bool is_foreign = static_cast<unsigned char>(c) > 0x7F;
    if (c == '+')
      name += "plus";
    else if (!is_foreign || !was_foreign)
      name += is_node_name(std::string_view(&c, 1)) ? c : '_';
    was_foreign = is_foreign;
  }
  return name.find_first_not_of("_-") == std::string::npos ? std::string(otherwise) : name;
}

}  // namespace vw
