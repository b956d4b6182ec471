// STL, binary and text. Its normals are not read: the order of corners says as much.
#include <array>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "sim/collision/mesh_formats.h"
#include "sim/collision/text_scan.h"

namespace vw {
namespace {

constexpr std::size_t header_bytes = 84, record_bytes = 50;

std::uint32_t little_u32(const char* at) {
  std::array<unsigned char, 4> b{};
  std::memcpy(b.data(), at, 4);
  return b[0] | static_cast<std::uint32_t>(b[1]) << 8U | static_cast<std::uint32_t>(b[2]) << 16U | static_cast<std::uint32_t>(b[3]) << 24U;
}

Result<TriangleList> read_binary(std::string_view bytes, const std::string& path) {
  const std::uint64_t count = little_u32(bytes.data() + 80);
  if (count > max_triangles) return too_many_triangles(path, count);
  if (bytes.size() < header_bytes + record_bytes * count)
    return mesh_error(
        path, 0,
        fmt::format("its header tells {} triangles, which take {} bytes; the file has {}", count, header_bytes + record_bytes * count, bytes.size()));
  TriangleList list;
  list.position.reserve(3 * count);
  list.triangle.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const char* record = bytes.data() + header_bytes + record_bytes * i;
    for (std::size_t corner = 0; corner < 3; ++corner) {
      Vec3 at;
      for (int k = 0; k < 3; ++k)
        at[k] = static_cast<double>(std::bit_cast<float>(little_u32(record + 12 + 12 * corner + 4 * static_cast<std::size_t>(k))));
      if (!at.allFinite()) return mesh_error(path, 0, fmt::format("triangle {} has a coordinate that is not finite", i));
      list.position.push_back(at);
    }
    list.triangle.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return list;
}

/// `facet ... outer loop, vertex x y z (three times), endloop, endfacet`, and again.
Result<TriangleList> read_text(std::string_view bytes, const std::string& path) {
  TriangleList list;
  TextScan scan(bytes);
  std::size_t corners = 0;
  bool ended = false;
  while (const auto line = scan.next_line()) {
    std::string_view rest = *line;
    const std::string_view key = take_word(rest);
    if (key == "endsolid") ended = true;
    if (key == "endloop") {
      if (corners != 3) return mesh_error(path, scan.line(), fmt::format("a facet has {} corners: must have 3", corners));
      const auto n = static_cast<std::uint32_t>(list.position.size());
      list.triangle.push_back({n - 3, n - 2, n - 1});
      if (list.triangle.size() > max_triangles) return too_many_triangles(path, list.triangle.size());
      corners = 0;
    }
    if (key != "vertex") continue;
    if (++corners > 3) return mesh_error(path, scan.line(), "a facet has more than 3 corners");
    Vec3 at;
    for (int k = 0; k < 3; ++k) {
      const std::string_view word = take_word(rest);
      const auto value = finite_number(word);
      if (!value) return mesh_error(path, scan.line(), fmt::format("coordinate {} of a vertex is \"{}\": must be a finite number", k + 1, word));
      at[k] = *value;
    }
    list.position.push_back(at);
  }
  if (!ended || corners != 0) return mesh_error(path, scan.line(), "ends before \"endsolid\": the file is cut off");
  return list;
}

}  // namespace

/// Text begins with "solid", but so do some binary headers: a size that is exactly what a binary header tells decides.
Result<TriangleList> read_stl(std::string_view bytes, const std::string& path) {
  const bool binary_size =
      bytes.size() >= header_bytes && bytes.size() == header_bytes + record_bytes * static_cast<std::uint64_t>(little_u32(bytes.data() + 80));
  if (!binary_size && bytes.substr(std::min(bytes.size(), bytes.find_first_not_of(" \t\r\n"))).starts_with("solid")) return read_text(bytes, path);
  if (bytes.size() < header_bytes)
    return mesh_error(path, 0, fmt::format("is no STL: neither text that begins with \"solid\" nor {} bytes of a binary header", header_bytes));
  return read_binary(bytes, path);
}

}  // namespace vw
