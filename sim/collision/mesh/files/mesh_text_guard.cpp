// Validates OBJ and STL files before assimp reads them. The guard removes or rejects all content that would make assimp
// open other files, use unbounded memory, or silently skip data.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "sim/collision/mesh/files/mesh_assimp.h"
#include "sim/collision/mesh/files/mesh_formats.h"
#include "sim/collision/mesh/files/text_scan.h"

namespace vw {
namespace {

constexpr std::size_t header_bytes = 84, record_bytes = 50;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // UTF-8 byte order mark.

std::uint32_t little_u32(const char* at) {
  std::array<unsigned char, 4> b{};
  std::memcpy(b.data(), at, 4);
  return b[0] | static_cast<std::uint32_t>(b[1]) << 8U | static_cast<std::uint32_t>(b[2]) << 16U |
         static_cast<std::uint32_t>(b[3]) << 24U;
}

/// Copies the three coordinates of a vertex, each as the shortest decimal text of its float value. (assimp rejects
/// numbers that begin with a decimal point, and misreads numbers of thirty digits.)
Result<void> copy_coordinates(std::string_view rest, std::string& kept, const std::string& path, int line) {
  for (int k = 0; k < 3; ++k) {
    const std::string_view word = take_word(rest);
    const auto value = finite_number(word);
    if (!value || std::abs(*value) > std::numeric_limits<float>::max())
      return wrong_file(
          path, line,
          fmt::format("coordinate {} of a vertex is \"{}\": must be a finite number in single precision", k + 1, word));
    fmt::format_to(std::back_inserter(kept), " {}", static_cast<float>(*value));
  }
  kept += '\n';
  return {};
}

/// Guard for OBJ files, which passes only vertices and faces to assimp. assimp checks the range of the vertex indices,
/// but skips lines that have too few valid indices. This class therefore checks that all of them are integers.
class ObjGuard {
 public:
  ObjGuard(std::string_view bytes, const std::string& path)
      : scan_(bytes.substr(bytes.starts_with(byte_order_mark) ? 3 : 0)), path_(path) {}

  Result<MeshInput> run() {
    while (auto line = scan_.next_line()) {
      std::string joined;
      std::string_view rest = *line;
      // The path of a folder in a comment may end with a backslash. A comment does not continue on the next line.
      const bool is_comment = rest.substr(std::min(rest.size(), rest.find_first_not_of(" \t"))).starts_with('#');
      if (rest.ends_with('\\') && !is_comment) rest = joined = with_next_lines(rest);
      const std::string_view key = take_word(rest);
      Result<void> fine;
      if (key == "v") fine = vertex(rest);
      if (key == "f") fine = face(rest);
      if (!fine) return Unexpected(fine.error());
      if (triangles_ > max_triangles) return too_many_triangles(path_, triangles_);
    }
    return MeshInput("Wavefront Object Importer", "mesh.obj", std::move(kept_), triangles_);
  }

 private:
  /// While a line ends with a backslash, joins it with the next line.
  std::string with_next_lines(std::string_view line) {
    std::string joined(line);
    while (joined.ends_with('\\')) {
      joined.back() = ' ';
      if (const auto next = scan_.next_line()) joined += *next;
    }
    return joined;
  }

  Result<void> vertex(std::string_view rest) {
    kept_ += 'v';
    return copy_coordinates(rest, kept_, path_, scan_.line());
  }

  Result<void> face(std::string_view rest) {
    kept_ += 'f';
    std::uint64_t corners = 0;
    for (std::string_view word = take_word(rest); !word.empty() && word[0] != '#'; word = take_word(rest), ++corners) {
      // The parts after a slash are texture and normal indices.
      const std::string_view index = word.substr(0, word.find('/'));
      if (whole_number<std::int32_t>(index).value_or(0) == 0)
        return wrong_file(path_, scan_.line(),
                          fmt::format("a face refers to vertex \"{}\": must be a whole number other than 0", word));
      (kept_ += ' ') += index;
    }
    kept_ += '\n';
    if (corners < 3)
      return wrong_file(path_, scan_.line(), fmt::format("a face has {} corners: must have at least 3", corners));
    triangles_ += corners - 2;
    return {};
  }

  TextScan scan_;
  const std::string& path_;
  std::string kept_;
  std::uint64_t triangles_ = 0;
};

Result<MeshInput> guard_binary_stl(std::string_view bytes, const std::string& path) {
  const std::uint64_t count = little_u32(bytes.data() + 80), size = header_bytes + record_bytes * count;
  if (count > max_triangles) return too_many_triangles(path, count);
  if (bytes.size() < size)
    return wrong_file(path, fmt::format("the header declares {} triangles in {} bytes, but the file has {} bytes",
                                        count, size, bytes.size()));
  // assimp recognises a binary STL file only by its size, so trailing data must be removed.
  return MeshInput("Stereolithography (STL) Importer", "mesh.stl", std::string(bytes.substr(0, size)), count);
}

/// Checks a text STL file. Passes only facets and vertices to assimp, as a single solid.
Result<MeshInput> guard_text_stl(std::string_view bytes, const std::string& path) {
  std::string kept = "solid mesh\n";
  TextScan scan(bytes);
  std::uint64_t corners = 0, triangles = 0;
  bool ended = false;
  while (const auto line = scan.next_line()) {
    std::string_view rest = *line;
    const std::string_view key = take_word(rest);
    if (key == "endsolid") ended = true;
    if (key == "endloop") {
      if (corners != 3)
        return wrong_file(path, scan.line(), fmt::format("a facet has {} corners: must have 3", corners));
      if (++triangles > max_triangles) return too_many_triangles(path, triangles);
      corners = 0;
    }
    if (key != "vertex") continue;
    if (++corners > 3) return wrong_file(path, scan.line(), "a facet has more than 3 corners");
    kept += corners == 1 ? "facet normal 0 0 0\nvertex" : "vertex";
    if (const auto fine = copy_coordinates(rest, kept, path, scan.line()); !fine) return Unexpected(fine.error());
  }
  if (!ended || corners != 0)
    return wrong_file(path, scan.line(), "is truncated: expected complete facets and \"endsolid\"");
  kept += "endsolid mesh\n";
  return MeshInput("Stereolithography (STL) Importer", "mesh.stl", std::move(kept), triangles);
}

/// Selects the guard for text or binary STL. Text files begin with "solid", but so do the headers of some binary files.
/// A file whose size equals the size that a binary header states is binary.
Result<MeshInput> guard_stl(std::string_view bytes, const std::string& path) {
  const bool binary_size =
      bytes.size() >= header_bytes &&
      bytes.size() == header_bytes + record_bytes * static_cast<std::uint64_t>(little_u32(bytes.data() + 80));
  if (!binary_size && bytes.substr(std::min(bytes.size(), bytes.find_first_not_of(" \t\r\n"))).starts_with("solid"))
    return guard_text_stl(bytes, path);
  if (bytes.size() < header_bytes)
    return wrong_file(
        path, fmt::format("is not an STL file: it neither begins with \"solid\" nor has a binary header of {} bytes",
                          header_bytes));
  return guard_binary_stl(bytes, path);
}

Result<TriangleList> import_guarded(const Result<MeshInput>& input, const std::string& path) {
  if (!input) return Unexpected(input.error());
  return input->triangles == 0 ? TriangleList{} : import_mesh(*input, path);
}

}  // namespace

Result<TriangleList> read_obj(std::string_view bytes, const std::string& path) {
  return import_guarded(ObjGuard(bytes, path).run(), path);
}
Result<TriangleList> read_stl(std::string_view bytes, const std::string& path) {
  return import_guarded(guard_stl(bytes, path), path);
}

}  // namespace vw
