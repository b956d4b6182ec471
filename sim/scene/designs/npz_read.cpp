#include "sim/scene/designs/npz_read.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <zlib.h>

#include "sim/scene/toml/text.h"

namespace vw {
namespace {

constexpr std::size_t longest_npy_head = 10'000;
constexpr std::size_t max_npy_bytes = longest_npy_head + 8 * max_npz_cells;

/// One entry of the central directory.
struct ZipEntry {
  std::string name;
  unsigned method = 0;
  std::size_t packed = 0, size = 0, local = 0;
};

Unexpected wrong_npz(const std::string& file, const std::string& key, std::string found, std::string expected) {
  Error error;
  error.file = file;
  error.key = key;
  error.found = std::move(found);
  error.expected = std::move(expected);
  return fail(std::move(error));
}

/// Returns the unsigned integer in the `count` bytes at offset `at`, least significant byte first. The caller must
/// check the bounds.
std::uint64_t little(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return value;
}

/// Reads sizes and offset of an entry from a zip64 field if the 32-bit fields contain their largest value.
void read_zip64(std::string_view extra, ZipEntry& entry) {
  constexpr std::size_t full = 0xFFFFFFFFU;
  for (std::size_t at = 0; at + 4 <= extra.size();) {
    const std::size_t length = little(extra, at + 2, 2), end = at + 4 + length;
    if (end > extra.size()) return;
    if (little(extra, at, 2) == 1) {
      std::size_t from = at + 4;
      for (std::size_t* number : {&entry.size, &entry.packed, &entry.local}) {
        if (*number != full || from + 8 > end) continue;
        *number = little(extra, from, 8);
        from += 8;
      }
    }
    at = end;
  }
}

Result<std::vector<ZipEntry>> zip_entries(std::string_view bytes, const std::string& file) {
  constexpr std::size_t tail = 22, head = 46;
  const auto broken = [&](const char* what) { return wrong_npz(file, "archive", what, "must be a zip file of NumPy"); };
  if (!bytes.starts_with("PK")) return broken("no zip file");
  const std::size_t end = bytes.rfind("PK\x05\x06");
  if (end == std::string_view::npos || end + tail > bytes.size()) return broken("no directory");
  const std::size_t count = little(bytes, end + 10, 2);
  std::size_t at = little(bytes, end + 16, 4);
  if (count > max_npz_entries)
    return wrong_npz(file, "archive", fmt::format("{} entries", count),
                     fmt::format("may have at most {} entries", max_npz_entries));
  std::vector<ZipEntry> entries;
  for (std::size_t i = 0; i < count; ++i) {
    if (at > bytes.size() || bytes.size() - at < head || bytes.substr(at, 4) != "PK\x01\x02")
      return broken("an incomplete directory");
    const std::size_t name = little(bytes, at + 28, 2), extra = little(bytes, at + 30, 2),
                      comment = little(bytes, at + 32, 2);
    if (bytes.size() - at - head < name + extra + comment) return broken("an incomplete directory");
    ZipEntry entry{.name = std::string(bytes.substr(at + head, name)),
                   .method = static_cast<unsigned>(little(bytes, at + 10, 2)),
                   .packed = little(bytes, at + 20, 4),
                   .size = little(bytes, at + 24, 4),
                   .local = little(bytes, at + 42, 4)};
    read_zip64(bytes.substr(at + head + name, extra), entry);
    entries.push_back(std::move(entry));
    at += head + name + extra + comment;
  }
  return entries;
}

/// Inflates data to exactly `size` bytes. Returns nullopt if the data are damaged or have another length.
std::optional<std::string> inflated(std::string_view packed, std::size_t size) {
  std::string out(size, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return {};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int outcome = inflate(&stream, Z_FINISH);
  const std::size_t left = stream.avail_out;
  inflateEnd(&stream);
  if (outcome != Z_STREAM_END || left != 0) return {};
  return out;
}

Result<std::string> entry_bytes(std::string_view bytes, const std::string& file, const ZipEntry& entry) {
  constexpr std::size_t head = 30;
  const auto broken = [&](std::string found, const char* expected) {
    return wrong_npz(file, one_line(entry.name, 60), std::move(found), expected);
  };
  if (entry.size > max_npy_bytes || entry.packed > max_npy_bytes)
    return broken(fmt::format("{} bytes", std::max(entry.size, entry.packed)),
                  "is too large for the layout of a robot");
  if (entry.local > bytes.size() || bytes.size() - entry.local < head || bytes.substr(entry.local, 4) != "PK\x03\x04")
    return broken("no data", "must be an entry of the archive");
  const std::size_t from = entry.local + head + little(bytes, entry.local + 26, 2) + little(bytes, entry.local + 28, 2);
  if (from > bytes.size() || bytes.size() - from < entry.packed)
    return broken("incomplete data", "the archive must be complete");
  const std::string_view packed = bytes.substr(from, entry.packed);
  if (entry.method == 0) {
    if (entry.packed != entry.size) return broken("two different sizes", "an uncompressed entry must have equal sizes");
    return std::string(packed);
  }
  if (entry.method != Z_DEFLATED)
    return broken(fmt::format("compression method {}", entry.method), "must be stored or deflated");
  auto out = inflated(packed, entry.size);
  if (!out) return broken("damaged data", "must be deflated data of the stated size");
  return std::move(*out);
}

/// The header of an array.
struct NpyHead {
  char kind = 0;  ///< f, i, u or b
  std::size_t width = 0;
  bool columns_first = false;
  std::vector<std::size_t> shape;
  std::size_t data = 0;
};

/// Returns the text that follows `key` in the header, which is a Python literal.
std::string_view after(std::string_view literal, std::string_view key) {
  const std::size_t at = literal.find(key);
  if (at == std::string_view::npos) return {};
  const std::size_t colon = literal.find(':', at);
  return colon == std::string_view::npos ? std::string_view{} : literal.substr(colon + 1);
}

std::vector<std::size_t> shape_of(std::string_view text) {
  const std::size_t open = text.find('('), close = text.find(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  std::vector<std::size_t> shape;
  const char *at = text.data() + open + 1, *end = text.data() + close;
  while (at != end && shape.size() < 8) {
    std::size_t length = 0;
    const auto [next, bad] = std::from_chars(at, end, length);
    if (bad == std::errc{}) shape.push_back(length);
    at = bad == std::errc{} ? next : at + 1;
  }
  return shape;
}

std::optional<NpyHead> npy_head_of(std::string_view bytes) {
  if (bytes.size() < 12 || !bytes.starts_with("\x93NUMPY")) return {};
  const bool is_long = static_cast<unsigned char>(bytes[6]) >= 2;
  const std::size_t begin = is_long ? 12 : 10, length = little(bytes, 8, is_long ? 4 : 2);
  if (length > longest_npy_head || bytes.size() - begin < length) return {};
  const std::string_view literal = bytes.substr(begin, length);
  const std::string_view type = after(literal, "'descr'").substr(0, 12);
  const std::size_t quote = type.find('\'');
  if (quote == std::string_view::npos || type.size() < quote + 4) return {};
  const char order = type[quote + 1];
  if (order != '<' && order != '|' && order != '=') return {};
  NpyHead head;
  head.kind = type[quote + 2];
  head.width = static_cast<std::size_t>(type[quote + 3] - '0');
  head.columns_first = after(literal, "'fortran_order'").substr(0, 6).find("True") != std::string_view::npos;
  head.shape = shape_of(after(literal, "'shape'"));
  head.data = begin + length;
  const bool is_known =
      (head.kind == 'f' && (head.width == 4 || head.width == 8)) ||
      ((head.kind == 'i' || head.kind == 'u') && std::has_single_bit(head.width) && head.width <= 8) ||
      (head.kind == 'b' && head.width == 1);
  if (!is_known) return {};
  return head;
}

double npy_number(std::string_view bytes, const NpyHead& head, std::size_t index) {
  const std::uint64_t bits = little(bytes, head.data + index * head.width, head.width);
  if (head.kind == 'f') {
    if (head.width == 8) return std::bit_cast<double>(bits);
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  if (head.kind != 'i') return static_cast<double>(bits);
  const std::size_t unused = 64 - 8 * head.width;
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

Result<NumberTable> table_of(std::string_view bytes, const std::string& file, const std::string& name) {
  const auto head = npy_head_of(bytes);
  if (!head) return wrong_npz(file, name, "no array of numbers", "must be an array of real numbers (NEP 1)");
  if (head->shape.size() != 2)
    return wrong_npz(file, name, fmt::format("{} dimensions", head->shape.size()), "must have two");
  NumberTable table{.rows = head->shape[0], .columns = head->shape[1], .values = {}};
  if (table.rows > max_npz_cells || table.columns > max_npz_cells || table.rows * table.columns > max_npz_cells)
    return wrong_npz(file, name, fmt::format("{} x {} cells", table.rows, table.columns),
                     fmt::format("may have at most {} cells", max_npz_cells));
  const std::size_t count = table.rows * table.columns;
  if ((bytes.size() - head->data) / head->width < count)
    return wrong_npz(file, name, "too few numbers", "must have the numbers of its shape");
  table.values.reserve(count);
  for (std::size_t row = 0; row < table.rows; ++row)
    for (std::size_t column = 0; column < table.columns; ++column) {
      const std::size_t at = head->columns_first ? row + table.rows * column : column + table.columns * row;
      const double value = npy_number(bytes, *head, at);
      if (!(std::abs(value) <= 1000) || value != std::floor(value))
        return wrong_npz(file, name, fmt::format("{} in row {}, column {}", value, row + 1, column + 1),
                         "must be a whole number from -1000 to 1000");
      table.values.push_back(static_cast<int>(value));
    }
  return table;
}

std::string without_npy(const std::string& name) {
  return name.ends_with(".npy") ? name.substr(0, name.size() - 4) : name;
}

}  // namespace

Result<std::vector<std::string>> npz_names(std::string_view bytes, const std::string& file) {
  const auto entries = zip_entries(bytes, file);
  if (!entries) return Unexpected(entries.error());
  std::vector<std::string> names;
  for (const ZipEntry& entry : *entries) names.push_back(without_npy(entry.name));
  return names;
}

Result<NumberTable> read_npz_table(std::string_view bytes, const std::string& file, const std::string& name) {
  const auto entries = zip_entries(bytes, file);
  if (!entries) return Unexpected(entries.error());
  for (const ZipEntry& entry : *entries) {
    if (without_npy(entry.name) != name) continue;
    const auto data = entry_bytes(bytes, file, entry);
    if (!data) return Unexpected(data.error());
    return table_of(*data, file, name);
  }
  return wrong_npz(file, name, "no such array", "must be an array of the archive");
}

}  // namespace vw
