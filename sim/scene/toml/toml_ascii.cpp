#include "sim/scene/toml/toml_ascii.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/scene/toml/text.h"

namespace vw {
namespace {

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return is_ascii(c); });
}

/// Returns the TOML escape of a character given as UTF-8 bytes.
std::string escape_of(std::string_view character) {
  constexpr unsigned lead_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07}, tail_bits = 0x3f, bits_of_tail = 6;
  std::uint32_t code = static_cast<unsigned char>(character[0]) & lead_bits[character.size()];
  for (const char tail : character.substr(1))
    code = code << bits_of_tail | (static_cast<unsigned char>(tail) & tail_bits);
  return code > 0xffff ? fmt::format("\\U{:08X}", code) : fmt::format("\\u{:04X}", code);
}

/// Appends a string that contains non-ASCII characters, with escapes. Strings in single quotes cannot contain escapes,
/// so the string is written in double quotes.
void append_string(std::string_view text, const TomlString& string, std::string& out) {
  const bool is_literal = text[0] == '\'';
  const std::size_t last = text.size() - (string.is_closed ? string.quotes : 0);
  out.append(string.quotes, '"');
  for (std::size_t i = string.quotes; i < last;) {
    const char c = text[i];
    const std::size_t length = is_ascii(c) ? 1 : utf8_length(text, i);
    if (!is_ascii(c))
      out += escape_of(text.substr(i, length));
    else if (is_literal && (c == '\\' || c == '"'))
      out += {'\\', c};
    else
      out += c;
    i += length;
    if (is_literal || c != '\\' || i == last) continue;
    // An escaped character is copied with its backslash. A non-ASCII character after a backslash is not a valid escape.
    // It is replaced by "?", which the parser rejects.
    const std::size_t escaped = is_ascii(text[i]) ? 1 : utf8_length(text, i);
    out += is_ascii(text[i]) ? text[i] : '?';
    i += escaped;
  }
  if (string.is_closed) out.append(string.quotes, '"');
}

}  // namespace

TomlString toml_string_at(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string three(3, quote);
  TomlString string;
  string.quotes = text.substr(at, 3) == three ? 3 : 1;
  std::size_t i = at + string.quotes;
  while (i < text.size()) {
    if (text[i] == '\\' && quote == '"') {
      i += 2;
    } else if (string.quotes == 1 && (text[i] == '\n' || text[i] == quote)) {
      string.is_closed = text[i] == quote;
      string.end = i + (string.is_closed ? 1 : 0);
      return string;
    } else if (string.quotes == 3 && text.substr(i, 3) == three) {
      i += 3;
      // The content of the string may end with one or two quotes, directly before the three closing quotes.
      for (int inner = 0; inner < 2 && i < text.size() && text[i] == quote; ++inner) ++i;
      string.is_closed = true;
      string.end = i;
      return string;
    } else {
      ++i;
    }
  }
  string.end = text.size();
  return string;
}

Result<std::string> toml_in_ascii(std::string_view text, const std::string& file) {
  if (is_ascii(text)) return std::string(text);
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      const TomlString string = toml_string_at(text, at);
      const std::string_view whole = text.substr(at, string.end - at);
      if (is_ascii(whole))
        out += whole;
      else
        append_string(whole, string, out);
      at = string.end;
    } else if (c == '#') {
      for (; at < text.size() && text[at] != '\n'; at += is_ascii(text[at]) ? 1 : utf8_length(text, at))
        out += is_ascii(text[at]) ? text[at] : '?';
    } else if (is_ascii(c)) {
      out += c;
      ++at;
    } else {
      return wrong_file(file, line_of(text, at),
                        fmt::format("\"{}\" is allowed only in a string in quotes or in a comment",
                                    text.substr(at, utf8_length(text, at))));
    }
  }
  return out;
}

}  // namespace vw
