// Reader of PLY files (Stanford polygon format), as text or as binary data of either byte order. It reads the
// coordinates x, y, z of the vertices and the corners of the faces.
#include <array>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "sim/collision/mesh/files/mesh_formats.h"
#include "sim/collision/mesh/files/text_scan.h"

namespace vw {
namespace {

// In memory, a vertex or a corner takes several times the bytes that it may take in a binary file.
constexpr std::uint64_t most_vertices = 3 * max_triangles;
// A polygon of n corners has n + 1 entries and gives n - 2 triangles, so a triangle has at most 4 entries.
constexpr auto most_face_entries = static_cast<double>(4 * max_triangles);

enum class Number { i8, u8, i16, u16, i32, u32, f32, f64 };

std::optional<Number> number_named(std::string_view word) {
  static constexpr auto names = std::to_array<std::pair<std::string_view, Number>>({{"char", Number::i8},
                                                                                    {"uchar", Number::u8},
                                                                                    {"short", Number::i16},
                                                                                    {"ushort", Number::u16},
                                                                                    {"int", Number::i32},
                                                                                    {"uint", Number::u32},
                                                                                    {"float", Number::f32},
                                                                                    {"double", Number::f64},
                                                                                    {"int8", Number::i8},
                                                                                    {"uint8", Number::u8},
                                                                                    {"int16", Number::i16},
                                                                                    {"uint16", Number::u16},
                                                                                    {"int32", Number::i32},
                                                                                    {"uint32", Number::u32},
                                                                                    {"float32", Number::f32},
                                                                                    {"float64", Number::f64}});
  for (const auto& [name, number] : names)
    if (name == word) return number;
  return std::nullopt;
}

std::size_t bytes_of(Number number) {
  static constexpr auto bytes = std::to_array<std::size_t>({1, 1, 2, 2, 4, 4, 4, 8});
  return bytes[static_cast<std::size_t>(number)];
}

struct Property {
  std::string_view name;
  Number number = Number::f32;
  std::optional<Number> count;  ///< Type of the length of a list. It is empty if the property is not a list.
};

struct Element {
  std::string_view name;
  std::uint64_t count = 0;
  std::vector<Property> properties;
  /// Returns a lower bound of the size of one row of this element in the file [bytes]. In text, each number takes at
  /// least a digit and a separator.
  [[nodiscard]] std::uint64_t least_bytes(bool text) const {
    std::uint64_t sum = 0;
    for (const Property& p : properties) sum += text ? 2 : bytes_of(p.count ? *p.count : p.number);
    return sum;
  }
};

enum class Encoding { text, little, big };

class PlyReader {
 public:
  PlyReader(std::string_view bytes, const std::string& path) : scan_(bytes), path_(path) {}

  Result<TriangleList> run() {
    if (const auto fine = header(); !fine) return Unexpected(fine.error());
    body_ = scan_.rest();
    for (const Element& element : elements_) {
      const std::uint64_t row = element.least_bytes(encoding_ == Encoding::text);
      if (row == 0) continue;  // Rows without properties take no bytes.
      if (element.name == "face" && element.count > max_triangles) return too_many_triangles(path_, element.count);
      // The separator after the last number of a text file may be missing, hence the + 1.
      if (element.count > (body_.size() + 1) / row)
        return wrong_file(path_, fmt::format("the header declares {} rows of \"{}\" with at least {} bytes each, but "
                                             "only {} bytes of the file remain",
                                             element.count, element.name, row, body_.size()));
      if (element.name == "vertex" && element.count > most_vertices)
        return wrong_file(path_, fmt::format("has {} vertices; the limit is {}", element.count, most_vertices));
      if (const auto fine = rows(element); !fine) return Unexpected(fine.error());
    }
    return cut_faces();
  }

 private:
  Result<TriangleList> cut_faces() {
    for (std::size_t at = 0; at < faces_.size(); at += faces_[at] + 1) {
      const auto first = faces_.begin() + static_cast<std::ptrdiff_t>(at) + 1;
      face_.assign(first, first + faces_[at]);
      for (const std::uint32_t corner : face_)
        if (corner >= list_.position.size())
          return wrong_file(path_, fmt::format("a face refers to vertex {}, but the number of vertices is {}", corner,
                                               list_.position.size()));
      if (!add_polygon(list_, face_)) return too_many_triangles(path_, list_.triangle.size() + face_.size() - 2);
    }
    return std::move(list_);
  }

  Unexpected bad(std::string what) const { return wrong_file(path_, scan_.line(), std::move(what)); }

  Result<void> header() {
    auto line = scan_.next_line();
    if (!line || *line != "ply") return bad("is not a PLY file: the first line must be \"ply\"");
    bool has_format = false;
    while ((line = scan_.next_line())) {
      std::string_view rest = *line;
      const std::string_view key = take_word(rest);
      Result<void> fine;
      if (key == "end_header") return has_format ? Result<void>{} : bad("the header has no format");
      if (key == "format") fine = format(rest), has_format = true;
      if (key == "element") fine = element(rest);
      if (key == "property") fine = property(rest);
      if (!fine) return fine;
    }
    return bad("ends within the header");
  }

  Result<void> format(std::string_view rest) {
    const std::string_view word = take_word(rest);
    if (word == "ascii")
      encoding_ = Encoding::text;
    else if (word == "binary_little_endian")
      encoding_ = Encoding::little;
    else if (word == "binary_big_endian")
      encoding_ = Encoding::big;
    else
      return bad(fmt::format("format \"{}\": must be ascii, binary_little_endian or binary_big_endian", word));
    return {};
  }

  Result<void> element(std::string_view rest) {
    const std::string_view name = take_word(rest), word = take_word(rest);
    const auto count = whole_number<std::uint64_t>(word);
    constexpr std::uint64_t most = 1ULL << 40U;
    if (!count || *count > most)
      return bad(fmt::format("element \"{}\" has \"{}\" rows: must be a whole number from 0 to {}", name, word, most));
    elements_.push_back({name, *count, {}});
    return {};
  }

  Result<void> property(std::string_view rest) {
    if (elements_.empty()) return bad("a property comes before the first element");
    std::string_view type = take_word(rest);
    Property property;
    if (type == "list") {
      const std::string_view count = take_word(rest);
      property.count = number_named(count);
      if (!property.count || *property.count >= Number::f32)
        return bad(fmt::format("the length of a list has the type \"{}\": must be an integer type", count));
      type = take_word(rest);
    }
    const auto number = number_named(type);
    if (!number) return bad(fmt::format("a property has the type \"{}\", which is not a type of PLY", type));
    property.number = *number;
    property.name = take_word(rest);
    elements_.back().properties.push_back(property);
    return {};
  }

  /// Returns the next number in the body of the file. Returns nullopt if none is left, or if the next word of a text
  /// file is not a finite number.
  std::optional<double> next(Number number) {
    if (encoding_ == Encoding::text) return finite_number(take_word(body_, " \t\v\f\r\n"));
    const std::size_t size = bytes_of(number);
    if (body_.size() < size) return std::nullopt;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const auto byte = static_cast<std::uint64_t>(static_cast<unsigned char>(body_[i]));
      bits |= byte << (8 * (encoding_ == Encoding::little ? i : size - 1 - i));
    }
    body_.remove_prefix(size);
    double value = 0;
    switch (number) {
      case Number::i8: value = static_cast<std::int8_t>(bits); break;
      case Number::u8: value = static_cast<std::uint8_t>(bits); break;
      case Number::i16: value = static_cast<std::int16_t>(bits); break;
      case Number::u16: value = static_cast<std::uint16_t>(bits); break;
      case Number::i32: value = static_cast<std::int32_t>(bits); break;
      case Number::u32: value = static_cast<std::uint32_t>(bits); break;
      case Number::f32: value = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))); break;
      case Number::f64: value = std::bit_cast<double>(bits); break;
    }
    return value;
  }

  Result<void> rows(const Element& element) {
    const bool vertices = element.name == "vertex", faces = element.name == "face";
    for (std::uint64_t row = 0; row < element.count; ++row) {
      Vec3 at = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
      for (const Property& property : element.properties) {
        if (property.count) {
          if (const auto fine = list(element, row, property,
                                     faces && (property.name == "vertex_indices" || property.name == "vertex_index"));
              !fine)
            return fine;
          continue;
        }
        const auto value = next(property.number);
        if (!value)
          return wrong_file(path_,
                            fmt::format("row {} of \"{}\" has no number for \"{}\"", row, element.name, property.name));
        if (property.name.size() == 1 && property.name[0] >= 'x' && property.name[0] <= 'z')
          at[property.name[0] - 'x'] = *value;
      }
      if (!vertices) continue;
      if (!at.allFinite())
        return wrong_file(path_, fmt::format("vertex {} is at ({}, {}, {}): coordinates must be finite", row, at.x(),
                                             at.y(), at.z()));
      list_.position.push_back(at);
    }
    return {};
  }

  Result<void> list(const Element& element, std::uint64_t row, const Property& property, bool corners) {
    const auto length = next(*property.count);
    const double most = static_cast<double>(body_.size()) /
                        static_cast<double>(encoding_ == Encoding::text ? 1 : bytes_of(property.number));
    if (!length || *length < 0 || *length > most || *length != std::floor(*length))
      return wrong_file(
          path_,
          fmt::format(
              "row {} of \"{}\" has a list \"{}\" whose length is missing, invalid or longer than the rest of the file",
              row, element.name, property.name));
    if (corners) {
      if (static_cast<double>(faces_.size()) + *length > most_face_entries)
        return too_many_triangles(path_, max_triangles + 1);
      faces_.push_back(static_cast<std::uint32_t>(*length));
    }
    for (double i = 0; i < *length; ++i) {
      const auto value = next(property.number);
      if (!value)
        return wrong_file(
            path_, fmt::format("row {} of \"{}\" ends within its list \"{}\"", row, element.name, property.name));
      if (!corners) continue;
      if (!(*value >= 0 && *value < 4294967295.0 && *value == std::floor(*value)))
        return wrong_file(path_, fmt::format("face {} refers to vertex {}: must be a whole number from 0 to 4294967294",
                                             row, *value));
      faces_.push_back(static_cast<std::uint32_t>(*value));
    }
    return {};
  }

  TextScan scan_;
  const std::string& path_;
  Encoding encoding_ = Encoding::text;
  std::vector<Element> elements_;
  std::string_view body_;
  TriangleList list_;
  /// `faces_` contains, for each face, the number of its corners followed by their indices. A file may list faces
  /// before vertices, so faces are processed only at the end. `face_` contains the corners of the face being processed.
  std::vector<std::uint32_t> faces_, face_;
};

}  // namespace

Result<TriangleList> read_ply(std::string_view bytes, const std::string& path) { return PlyReader(bytes, path).run(); }

}  // namespace vw
