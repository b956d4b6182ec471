#include "sim/base/data/layer_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace vw {
namespace {

Unexpected wrong_layers(std::string found, std::string expected) {
  Error error;
  error.key = "layers";
  error.found = std::move(found);
  error.expected = std::move(expected);
  return fail(std::move(error));
}

/// Returns the code that a character represents, or -1 if the character represents no code.
int code_of_character(char c) {
  if (c == '.') return 0;
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  if (c >= 'a' && c <= 'z') return c - 'a' + 36;
  return -1;
}

char character_of_code(std::uint16_t code) {
  constexpr std::string_view characters = ".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  return characters[code];
}

/// Removes a decimal number of at most 65535 from the beginning of a text and returns it. Returns -1 if the text does
/// not begin with such a number.
int take_decimal_code(std::string_view& text) {
  int code = 0;
  std::size_t digits = 0;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
    code = code * 10 + (text[digits] - '0');
    if (code > 65535) return -1;
  }
  text.remove_prefix(digits);
  return digits == 0 ? -1 : code;
}

/// Appends the codes of one row. Returns false if a character does not belong to a code, or if a decimal code exceeds
/// 65535.
bool append_row_codes(std::string_view row, bool is_decimal, std::vector<std::uint16_t>& codes) {
  while (!row.empty()) {
    const char c = row.front();
    if (c == ' ' || c == '\t' || c == '\r' || c == ',') {
      row.remove_prefix(1);
      continue;
    }
    int code = 0;
    if (is_decimal) {
      code = take_decimal_code(row);
    } else {
      code = code_of_character(c);
      row.remove_prefix(1);
    }
    if (code < 0) return false;
    codes.push_back(static_cast<std::uint16_t>(code));
  }
  return true;
}

/// Appends the codes of one layer. `layer` counts from 1 and is used in messages.
Result<void> append_layer_codes(std::string_view text, std::size_t layer, std::size_t nx, std::size_t nz,
                                std::vector<std::uint16_t>& codes) {
  while (!text.empty() && (text.back() == '/' || text.back() == '\n')) text.remove_suffix(1);
  while (!text.empty() && text.front() == '\n') text.remove_prefix(1);
  const bool is_decimal = text.find_first_of(" ,\t") != std::string_view::npos;
  const bool has_rows = text.find_first_of("/\n") != std::string_view::npos;
  if (text.size() > nx * nz * 7 + nz * 8)
    return wrong_layers(fmt::format("layer {} with {} characters", layer, text.size()),
                        fmt::format("must be {} rows of {} codes", nz, nx));
  const std::size_t expected = has_rows ? nx : nx * nz;
  std::size_t rows = 0;
  for (bool is_last = false; !is_last; ++rows) {
    const std::size_t end = has_rows ? text.find_first_of("/\n") : std::string_view::npos;
    is_last = end == std::string_view::npos;
    const std::size_t before = codes.size();
    if (!append_row_codes(text.substr(0, end), is_decimal, codes))
      return wrong_layers(
          fmt::format("layer {}, row {} with a text that is not a code", layer, rows + 1),
          is_decimal ? "must contain only whole numbers in [0, 65535]" : "must contain only 0-9, A-Z, a-z and .");
    if (codes.size() - before != expected)
      return wrong_layers(fmt::format("layer {}, row {} has {} codes", layer, rows + 1, codes.size() - before),
                          fmt::format("expected {}", expected));
    if (!is_last) text.remove_prefix(end + 1);
  }
  if (has_rows && rows != nz)
    return wrong_layers(fmt::format("layer {} has {} rows", layer, rows), fmt::format("expected {}", nz));
  return {};
}

}  // namespace

Result<std::vector<std::uint16_t>> decode_layers(const TextList& layers, const LatticeSize& size) {
  const auto& [nx, ny, nz] = size;
  if (layers.size() != ny) return wrong_layers(fmt::format("{} layers", layers.size()), fmt::format("expected {}", ny));
  std::vector<std::uint16_t> codes;
  codes.reserve(nx * ny * nz);
  for (std::size_t layer = 0; layer < ny; ++layer)
    if (auto done = append_layer_codes(layers[layer], layer + 1, nx, nz, codes); !done) return Unexpected(done.error());
  return codes;
}

TextList encode_layers(std::span<const std::uint16_t> codes, const LatticeSize& size) {
  const bool is_decimal = std::ranges::any_of(codes, [](std::uint16_t code) { return code > max_character_code; });
  TextList layers(size[1]);
  std::size_t at = 0;
  for (std::string& text : layers)
    for (std::size_t z = 0; z < size[2]; ++z) {
      if (z > 0) text += '/';
      for (std::size_t x = 0; x < size[0]; ++x, ++at) {
        if (is_decimal)
          text += std::to_string(codes[at]) + ' ';  // the space marks decimal codes even in a layer of one cell
        else
          text += character_of_code(codes[at]);
      }
    }
  return layers;
}

}  // namespace vw
