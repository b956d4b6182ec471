// Source of the formats: Apple, "TrueType Reference Manual", chapter "The TrueType font file".
#include "app/capture/font_subset.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace vw {
namespace {

/// Reads big-endian numbers from a part of a file. Numbers beyond the end of the part are 0.
struct BigEndianBytes {
  std::string_view bytes;
  [[nodiscard]] unsigned byte(std::size_t at) const {
    return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
  }
  [[nodiscard]] unsigned u16(std::size_t at) const { return byte(at) << 8U | byte(at + 1); }
  [[nodiscard]] std::uint32_t u32(std::size_t at) const { return u16(at) << 16U | u16(at + 2); }
};

void put16(std::string& out, unsigned v) {
  out += static_cast<char>(v >> 8U & 0xFFU);
  out += static_cast<char>(v & 0xFFU);
}
void put32(std::string& out, std::uint32_t v) {
  put16(out, v >> 16U);
  put16(out, v & 0xFFFFU);
}

std::optional<BigEndianBytes> table_of(const std::string& file, std::string_view tag) {
  const BigEndianBytes all{file};
  const std::size_t count = all.u16(4);
  for (std::size_t t = 0; t < count; ++t) {
    const std::size_t row = 12 + 16 * t;
    if (row + 16 > file.size() || file.compare(row, 4, tag) != 0) continue;
    const std::size_t from = all.u32(row + 8), length = all.u32(row + 12);
    if (from > file.size() || length > file.size() - from) return {};
    return BigEndianBytes{std::string_view(file).substr(from, length)};
  }
  return {};
}

/// Outlines of the glyphs of a font. Arguments of the functions are glyph numbers.
struct GlyphOutlines {
  BigEndianBytes glyf, loca;
  bool is_long;
  int count;
  [[nodiscard]] std::string_view of(int glyph) const {
    const auto at = [&](int i) -> std::size_t {
      const auto k = static_cast<std::size_t>(i);
      return is_long ? loca.u32(4 * k) : 2 * static_cast<std::size_t>(loca.u16(2 * k));
    };
    if (glyph < 0 || glyph >= count) return {};
    const std::size_t from = at(glyph), end = at(glyph + 1);
    return from < end && end <= glyf.bytes.size() ? glyf.bytes.substr(from, end - from) : std::string_view();
  }
};

/// Returns the numbers of the glyphs of which a composite glyph consists.
std::vector<int> components_of(std::string_view outline) {
  std::vector<int> found;
  const BigEndianBytes glyph{outline};
  if (outline.size() < 10 || glyph.u16(0) < 0x8000)
    return found;  // composite glyphs have a negative number of contours
  constexpr unsigned words = 1, scale = 8, more = 32, two_scales = 64, matrix = 128;
  for (std::size_t at = 10; at + 4 <= outline.size();) {
    const unsigned flags = glyph.u16(at);
    found.push_back(static_cast<int>(glyph.u16(at + 2)));
    at += 4 + ((flags & words) != 0 ? 4U : 2U);
    at += (flags & scale) != 0 ? 2U : (flags & two_scales) != 0 ? 4U : (flags & matrix) != 0 ? 8U : 0U;
    if ((flags & more) == 0) break;
  }
  return found;
}

std::uint32_t table_checksum(std::string_view bytes) {
  const BigEndianBytes all{bytes};
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 4) sum += all.u32(i);
  return sum;
}

}  // namespace

Result<std::string> font_subset(const std::string& file, std::set<int> glyphs) {
  const auto head = table_of(file, "head"), maxp = table_of(file, "maxp"), loca = table_of(file, "loca"),
             glyf = table_of(file, "glyf");
  if (!head || head->bytes.size() < 54 || !maxp || maxp->bytes.size() < 6 || !loca || !glyf)
    return fail("the font has no TrueType outlines, so it cannot be embedded");
  const GlyphOutlines outlines{*glyf, *loca, head->u16(50) != 0, static_cast<int>(maxp->u16(4))};
  glyphs.insert(0);  // glyph 0 stands for missing characters
  for (std::vector<int> open(glyphs.begin(), glyphs.end()); !open.empty();) {
    const int glyph = open.back();
    open.pop_back();
    for (const int part : components_of(outlines.of(glyph)))
      if (glyphs.insert(part).second) open.push_back(part);
  }
  std::string new_glyf, new_loca, new_head(head->bytes);
  for (int glyph = 0; glyph <= outlines.count; ++glyph) {
    put32(new_loca, static_cast<std::uint32_t>(new_glyf.size()));
    if (!glyphs.contains(glyph)) continue;
    new_glyf += outlines.of(glyph);
    new_glyf.resize((new_glyf.size() + 3) / 4 * 4, '\0');
  }
  new_head[50] = 0;
  new_head[51] = 1;  // the offsets in the table `loca` have 32 bits
  std::vector<std::pair<std::string, std::string>> tables;
  for (const char* tag : {"cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "prep"}) {
    const std::string name = tag;
    if (name == "glyf")
      tables.emplace_back(name, new_glyf);
    else if (name == "loca")
      tables.emplace_back(name, new_loca);
    else if (name == "head")
      tables.emplace_back(name, new_head);
    else if (const auto table = table_of(file, name))
      tables.emplace_back(name, std::string(table->bytes));
  }
  std::string out("\0\1\0\0", 4);
  const auto count = static_cast<unsigned>(tables.size());
  put16(out, count);
  const unsigned search_range = 16 * std::bit_floor(count);  // for a binary search of the tables
  put16(out, search_range);
  put16(out, static_cast<unsigned>(std::bit_width(count)) - 1);
  put16(out, 16 * count - search_range);
  auto at = static_cast<std::uint32_t>(12 + 16 * tables.size());
  for (const auto& [tag, bytes] : tables) {
    out += tag;
    put32(out, table_checksum(bytes));
    put32(out, at);
    put32(out, static_cast<std::uint32_t>(bytes.size()));
    at += static_cast<std::uint32_t>((bytes.size() + 3) / 4 * 4);
  }
  for (const auto& [tag, bytes] : tables) {
    out += bytes;
    out.resize((out.size() + 3) / 4 * 4, '\0');
  }
  return out;
}

std::string font_family(const std::string& file) {
  const auto names = table_of(file, "name");
  if (!names) return {};
  constexpr unsigned windows = 3, family = 1;
  const std::size_t count = names->u16(2), texts = names->u16(4);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = 6 + 12 * i;
    if (names->u16(row) != windows || names->u16(row + 6) != family) continue;
    std::string out;
    const std::size_t from = texts + names->u16(row + 10), length = names->u16(row + 8);
    for (std::size_t k = 0; k + 1 < length; k += 2)
      if (const unsigned letter = names->u16(from + k); letter >= 32 && letter < 127) out += static_cast<char>(letter);
    if (!out.empty()) return out;
  }
  return {};
}

}  // namespace vw
