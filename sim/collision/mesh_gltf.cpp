// glTF 2.0, text or binary: the triangles of all meshes where the nodes of the scene put them. Materials, skins and animations are passed over.
#include <array>
#include <bit>
#include <charconv>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/file.h"
#include "sim/collision/mesh_formats.h"

namespace vw {
namespace {

using Json = nlohmann::json;
using Place = Eigen::Affine3d;

std::uint64_t little(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < size; ++i) bits |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return bits;
}

/// The member, or null where it is missing or `object` is none.
const Json& member(const Json& object, const char* key) {
  static const Json none;
  if (!object.is_object()) return none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}
const Json& entry(const Json& array, std::uint64_t index) {
  static const Json none;
  return array.is_array() && index < array.size() ? array[index] : none;
}
/// A whole number that is not negative; `missing` where there is nothing, nothing where there is something else.
std::optional<std::uint64_t> count_in(const Json& object, const char* key, std::optional<std::uint64_t> missing = std::nullopt) {
  const Json& value = member(object, key);
  if (value.is_null()) return missing;
  if (!value.is_number_unsigned()) return std::nullopt;
  return value.get<std::uint64_t>();
}
/// As many numbers as asked; nothing where there are not just so many.
std::optional<std::vector<double>> numbers_in(const Json& object, const char* key, std::size_t count) {
  const Json& value = member(object, key);
  if (!value.is_array() || value.size() != count) return std::nullopt;
  std::vector<double> numbers;
  for (const Json& one : value) {
    if (!one.is_number()) return std::nullopt;
    numbers.push_back(one.get<double>());
  }
  return numbers;
}

std::optional<std::string> from_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    int value = -1;
    if (c >= 'A' && c <= 'Z') value = c - 'A';
    if (c >= 'a' && c <= 'z') value = c - 'a' + 26;
    if (c >= '0' && c <= '9') value = c - '0' + 52;
    if (c == '+' || c == '-') value = 62;
    if (c == '/' || c == '_') value = 63;
    if (value < 0) return std::nullopt;
    bits = (bits << 6U | static_cast<std::uint32_t>(value)) & 0xffffffU;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes += static_cast<char>(bits >> static_cast<unsigned>(held) & 0xffU);
    }
  }
  return bytes;
}

std::optional<std::string> without_percents(std::string_view uri) {
  std::string text;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      text += uri[i];
      continue;
    }
    if (i + 2 >= uri.size()) return std::nullopt;
    int value = 0;
    const auto [end, code] = std::from_chars(uri.data() + i + 1, uri.data() + i + 3, value, 16);
    if (code != std::errc{} || end != uri.data() + i + 3 || value == 0) return std::nullopt;
    text += static_cast<char>(value);
    i += 2;
  }
  return text;
}

/// A run of numbers in a buffer, checked to lie within it.
struct Accessor {
  std::string_view bytes;  ///< from its first number on
  std::uint64_t count = 0, stride = 0, component = 0;
};

class GltfReader {
 public:
  GltfReader(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  Result<TriangleList> run() {
    if (const auto fine = open(); !fine) return Unexpected(fine.error());
    if (const auto fine = check_extensions(); !fine) return Unexpected(fine.error());
    if (const auto fine = walk(); !fine) return Unexpected(fine.error());
    return std::move(list_);
  }

 private:
  [[nodiscard]] Unexpected bad(std::string what) const { return mesh_error(path_, 0, std::move(what)); }

  /// Takes a binary file apart: 12 bytes of header, a chunk of JSON, perhaps one of data.
  Result<void> open() {
    std::string_view text = bytes_;
    if (bytes_.starts_with("glTF")) {
      if (bytes_.size() < 20) return bad("ends within its header");
      if (little(bytes_, 4, 4) != 2) return bad(fmt::format("is glTF of version {}: must be 2", little(bytes_, 4, 4)));
      const std::uint64_t length = little(bytes_, 12, 4);
      if (bytes_.substr(16, 4) != "JSON" || length > bytes_.size() - 20) return bad("its first chunk is not JSON, or longer than the file");
      text = bytes_.substr(20, length);
      const std::size_t next = 20 + ((length + 3) & ~std::uint64_t{3});
      if (next + 8 <= bytes_.size() && bytes_.substr(next + 4, 3) == "BIN") {
        const std::uint64_t size = little(bytes_, next, 4);
        if (size > bytes_.size() - next - 8)
          return bad(fmt::format("its data chunk tells {} bytes; {} are left of the file", size, bytes_.size() - next - 8));
        chunk_ = bytes_.substr(next + 8, size);
      }
    }
    json_ = Json::parse(text.begin(), text.end(), nullptr, false);
    if (json_.is_discarded() || !json_.is_object()) return bad("is no glTF: its JSON cannot be parsed");
    if (!member(json_, "asset").is_object()) return bad("is no glTF: \"asset\" is missing");
    const Json& version = member(member(json_, "asset"), "version");
    if (!version.is_string() || !version.get_ref<const std::string&>().starts_with("2.")) return bad("asset.version must be \"2.0\"");
    const Json& buffers = member(json_, "buffers");
    buffer_.resize(buffers.is_array() ? buffers.size() : 0);
    return {};
  }

  Result<void> check_extensions() const {
    for (const Json& name : member(json_, "extensionsRequired"))
      if (name.is_string() && (name == "KHR_draco_mesh_compression" || name == "EXT_meshopt_compression" || name == "KHR_mesh_quantization"))
        return bad(fmt::format("needs the extension {}, which is not read: export it without compression", name.get_ref<const std::string&>()));
    return {};
  }

  /// The bytes of a buffer, read once. Files beside it are plain files, and all of them together within the limit.
  Result<std::string_view> buffer(std::uint64_t index) {
    const Json& described = entry(member(json_, "buffers"), index);
    const auto length = count_in(described, "byteLength");
    if (!length) return bad(fmt::format("buffer {} is missing or has no byteLength", index));
    std::string_view bytes = chunk_;
    const Json& uri = member(described, "uri");
    if (uri.is_string()) {
      if (!buffer_[index].loaded) {
        auto loaded = load(uri.get_ref<const std::string&>(), index);
        if (!loaded) return Unexpected(loaded.error());
        buffer_[index] = {true, std::move(*loaded)};
        buffer_bytes_ += buffer_[index].bytes.size();
        if (buffer_bytes_ > max_mesh_bytes) return bad(fmt::format("its buffers have more than {} bytes", max_mesh_bytes));
      }
      bytes = buffer_[index].bytes;
    } else if (index != 0 || chunk_.empty()) {
      return bad(fmt::format("buffer {} has neither a uri nor a data chunk", index));
    }
    if (*length > bytes.size()) return bad(fmt::format("buffer {} tells {} bytes; there are {}", index, *length, bytes.size()));
    return bytes.substr(0, *length);
  }

  Result<std::string> load(const std::string& uri, std::uint64_t index) const {
    if (uri.starts_with("data:")) {
      const std::size_t comma = uri.find(";base64,");
      auto bytes = comma == std::string::npos ? std::nullopt : from_base64(std::string_view(uri).substr(comma + 8));
      if (!bytes) return bad(fmt::format("buffer {} is a data uri that is not base64", index));
      return std::move(*bytes);
    }
    const auto name = without_percents(uri);
    if (!name || name->empty() || name->find("://") != std::string::npos || std::filesystem::path(*name).is_absolute())
      return bad(fmt::format("buffer {} is at \"{}\": must be a file beside it", index, uri));
    auto bytes = read_file((std::filesystem::path(path_).parent_path() / *name).string(), max_mesh_bytes);
    if (!bytes) return bad(fmt::format("buffer {}: {}", index, bytes.error().message()));
    return bytes;
  }

  Result<Accessor> accessor(const Json& value, const char* type, std::uint64_t components, const char* what) {
    const std::uint64_t index = value.is_number_unsigned() ? value.get<std::uint64_t>() : ~std::uint64_t{0};
    const Json& described = entry(member(json_, "accessors"), index);
    if (!described.is_object()) return bad(fmt::format("{}: there is no such accessor", what));
    if (!member(described, "sparse").is_null()) return bad(fmt::format("{}: sparse accessors are not read", what));
    const auto view_index = count_in(described, "bufferView"), count = count_in(described, "count"), component = count_in(described, "componentType"),
               offset = count_in(described, "byteOffset", 0);
    if (member(described, "type") != type || !view_index || !count || !component || !offset)
      return bad(fmt::format("{}: accessor {} must be {} with bufferView, count and componentType", what, index, type));
    const std::uint64_t size = *component == 5121 ? 1 : *component == 5123 ? 2 : *component == 5125 || *component == 5126 ? 4 : 0;
    if (size == 0) return bad(fmt::format("{}: component type {} is not read", what, *component));
    const Json& view = entry(member(json_, "bufferViews"), *view_index);
    const auto buffer_index = count_in(view, "buffer"), view_offset = count_in(view, "byteOffset", 0), view_length = count_in(view, "byteLength"),
               stride = count_in(view, "byteStride", size * components);
    if (!buffer_index || !view_offset || !view_length || !stride || *stride < size * components || *stride > 4096)
      return bad(fmt::format("{}: buffer view {} is missing or makes no sense", what, *view_index));
    const auto bytes = buffer(*buffer_index);
    if (!bytes) return Unexpected(bytes.error());
    if (*view_offset > bytes->size() || *view_length > bytes->size() - *view_offset)
      return bad(fmt::format("{}: buffer view {} reaches beyond its buffer of {} bytes", what, *view_index, bytes->size()));
    std::string_view run = bytes->substr(*view_offset, *view_length);
    if (*count > max_mesh_bytes || *offset > run.size() || (*count > 0 && (*count - 1) * *stride + size * components > run.size() - *offset))
      return bad(fmt::format("{}: accessor {} tells {} entries, more than its buffer view of {} bytes holds", what, index, *count, run.size()));
    return Accessor{run.substr(*offset), *count, *stride, *component};
  }

  /// Adds a primitive's triangles as they stand at `place`.
  Result<void> add_primitive(const Json& primitive, const Place& place) {
    const auto mode = count_in(primitive, "mode", 4);
    if (!mode || *mode > 6) return bad("a primitive's mode must be 0 to 6");
    if (*mode < 4) return {};  // points and lines have no surface
    const auto position = accessor(member(member(primitive, "attributes"), "POSITION"), "VEC3", 3, "POSITION");
    if (!position) return Unexpected(position.error());
    if (position->component != 5126) return bad("POSITION: must be of floats");
    const std::size_t first = list_.position.size();
    if (first + position->count > 3 * max_triangles) return bad(fmt::format("has more than {} vertices", 3 * max_triangles));
    for (std::uint64_t i = 0; i < position->count; ++i) {
      Vec3 at;
      for (int k = 0; k < 3; ++k)
        at[k] = static_cast<double>(
            std::bit_cast<float>(static_cast<std::uint32_t>(little(position->bytes, i * position->stride + 4 * static_cast<std::size_t>(k), 4))));
      at = place * at;
      if (!at.allFinite()) return bad(fmt::format("vertex {} is at ({}, {}, {}): must be finite", i, at.x(), at.y(), at.z()));
      list_.position.push_back(at);
    }
    return add_triangles(primitive, *mode, first, position->count, place.linear().determinant() < 0);
  }

  Result<void> add_triangles(const Json& primitive, std::uint64_t mode, std::size_t first, std::uint64_t vertices, bool mirrored) {
    Accessor index{{}, vertices, 0, 0};
    const Json& indices = member(primitive, "indices");
    if (!indices.is_null()) {
      const auto found = accessor(indices, "SCALAR", 1, "indices");
      if (!found) return Unexpected(found.error());
      if (found->component == 5126) return bad("indices: must be whole numbers");
      index = *found;
    }
    const std::uint64_t size = index.component == 5121 ? 1 : index.component == 5123 ? 2 : 4;
    const auto corner = [&](std::uint64_t i) { return index.component == 0 ? i : little(index.bytes, i * index.stride, size); };
    const std::uint64_t count = mode == 4 ? index.count / 3 : index.count < 3 ? 0 : index.count - 2;
    if (list_.triangle.size() + count > max_triangles) return too_many_triangles(path_, list_.triangle.size() + count);
    for (std::uint64_t i = 0; i < count; ++i) {
      std::array<std::uint64_t, 3> at{corner(3 * i), corner(3 * i + 1), corner(3 * i + 2)};
      list_.triangle.push_back({0, 0, 0});
      if (mode == 5) at = {corner(i), corner(i + 1 + i % 2), corner(i + 2 - i % 2)};
      if (mode == 6) at = {corner(0), corner(i + 1), corner(i + 2)};
      if (mirrored) std::swap(at[1], at[2]);
      for (std::size_t k = 0; k < 3; ++k) {
        if (at[k] >= vertices) return bad(fmt::format("triangle {} of a primitive names vertex {}; there are {}", i, at[k], vertices));
        list_.triangle.back()[k] = static_cast<std::uint32_t>(first + at[k]);
      }
    }
    return {};
  }

  Result<Place> place_of(const Json& node, std::uint64_t index) const {
    Place place = Place::Identity();
    const auto wrong = [&](const char* key, std::size_t count) { return bad(fmt::format("{} of node {} must be {} numbers", key, index, count)); };
    if (!member(node, "matrix").is_null()) {
      const auto m = numbers_in(node, "matrix", 16);
      if (!m) return wrong("matrix", 16);
      for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 3; ++row) place.matrix()(row, column) = (*m)[static_cast<std::size_t>(4 * column + row)];
      return place;
    }
    if (!member(node, "translation").is_null()) {
      const auto t = numbers_in(node, "translation", 3);
      if (!t) return wrong("translation", 3);
      place.translate(Vec3(t->data()));
    }
    if (!member(node, "rotation").is_null()) {
      const auto q = numbers_in(node, "rotation", 4);
      if (!q) return wrong("rotation", 4);
      place.rotate(Quat((*q)[3], (*q)[0], (*q)[1], (*q)[2]).normalized());
    }
    if (!member(node, "scale").is_null()) {
      const auto s = numbers_in(node, "scale", 3);
      if (!s) return wrong("scale", 3);
      place.scale(Vec3(s->data()));
    }
    return place;
  }

  /// From the scene's roots down. A node is visited once: a second time would be a circle, or a tree that grows without bound.
  Result<void> walk() {
    const Json& nodes = member(json_, "nodes");
    const auto scene = count_in(json_, "scene", 0);
    if (!scene) return bad("\"scene\" must be a whole number");
    const Json& roots = member(entry(member(json_, "scenes"), *scene), "nodes");
    if (!nodes.is_array() || !roots.is_array()) return bad("has no scene with nodes");
    std::vector<bool> seen(nodes.size(), false);
    struct Visit {
      const Json* index;
      Place parent;
    };
    std::vector<Visit> open;
    for (const Json& root : roots) open.push_back({&root, Place::Identity()});
    while (!open.empty()) {
      const Visit visit = open.back();
      open.pop_back();
      const std::uint64_t index = visit.index->is_number_unsigned() ? visit.index->get<std::uint64_t>() : nodes.size();
      if (index >= nodes.size() || !nodes[index].is_object())
        return bad(fmt::format("a node or scene names node {}; there are {}", visit.index->dump(-1, ' ', false, Json::error_handler_t::replace),
                               nodes.size()));
      if (seen[index]) return bad(fmt::format("node {} has more than one parent, or is its own", index));
      seen[index] = true;
      const auto own = place_of(nodes[index], index);
      if (!own) return Unexpected(own.error());
      const Place place = visit.parent * *own;
      if (const auto fine = add_mesh(nodes[index], place); !fine) return fine;
      for (const Json& child : member(nodes[index], "children")) open.push_back({&child, place});
    }
    return {};
  }

  Result<void> add_mesh(const Json& node, const Place& place) {
    if (member(node, "mesh").is_null()) return {};
    const auto index = count_in(node, "mesh");
    const Json& mesh = index ? entry(member(json_, "meshes"), *index) : entry(json_, 0);
    if (!mesh.is_object()) return bad("a node names a mesh that is not there");
    const Json& primitives = member(mesh, "primitives");
    if (!primitives.is_array()) return bad("a mesh has no primitives");
    primitives_ += primitives.size();
    if (primitives_ > max_triangles) return bad(fmt::format("its nodes show more than {} primitives", max_triangles));
    for (const Json& primitive : primitives)
      if (const auto fine = add_primitive(primitive, place); !fine) return fine;
    return {};
  }

  struct Buffer {
    bool loaded = false;
    std::string bytes;
  };
  std::string_view bytes_, chunk_;
  const std::string& path_;
  Json json_;
  std::vector<Buffer> buffer_;
  std::uint64_t buffer_bytes_ = 0, primitives_ = 0;
  TriangleList list_;
};

}  // namespace

Result<TriangleList> read_gltf(std::string_view bytes, const std::string& path) { return GltfReader(bytes, path).run(); }

}  // namespace vw
