// Validates glTF 2.0 before assimp reads it. The guard opens the container, checks every size and index in the JSON
// that affects memory use or the traversal, and loads external buffers. assimp gets only the data that describe
// triangles, without textures, animations, skins or extensions.
#include <charconv>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/files/file.h"
#include "sim/collision/mesh/files/mesh_assimp.h"
#include "sim/collision/mesh/files/mesh_formats.h"

namespace vw {
namespace {

using Json = nlohmann::json;

constexpr int most_json_levels = 32;  // assimp's JSON parser recurses once per nesting level.
// Largest number of brackets, commas and colons outside strings. The parsed JSON takes about 50 bytes for each.
constexpr std::size_t most_json_marks = 20'000'000;
constexpr std::size_t most_node_levels = 1000;  // assimp recurses once per level of nodes.
// Largest number of nodes and largest number of primitives. assimp uses more than a kilobyte for each of them.
constexpr std::size_t most_parts = 100'000;
// Largest number of vertices of all meshes together, where a mesh counts once for each node that places it.
constexpr std::uint64_t most_placed_vertices = 5 * max_triangles;

std::uint64_t little_u32_at(std::string_view bytes, std::size_t at) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < 4; ++i)
    bits |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return bits;
}

/// Returns the member `key` of an object, or null if the member is missing or `object` is not an object.
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
/// Returns the value of the member `key`, which must be a non-negative integer. Returns `missing` if there is no such
/// member, and nullopt if its value is not a non-negative integer.
std::optional<std::uint64_t> count_in(const Json& object, const char* key,
                                      std::optional<std::uint64_t> missing = std::nullopt) {
  const Json& value = member(object, key);
  if (value.is_null()) return missing;
  if (!value.is_number_unsigned()) return std::nullopt;
  return value.get<std::uint64_t>();
}
/// Returns a copy of an object with only the named members.
Json only(const Json& object, std::initializer_list<const char*> keys) {
  Json kept = Json::object();
  for (const char* key : keys)
    if (const Json& value = member(object, key); !value.is_null()) kept[key] = value;
  return kept;
}
bool is_numbers(const Json& value, std::size_t count) {
  return value.is_array() && value.size() == count &&
         std::all_of(value.begin(), value.end(), [](const Json& one) { return one.is_number(); });
}

/// Returns why the JSON must not be parsed, or an empty text. Counts brackets, commas and colons outside strings.
std::string excess_of(std::string_view json) {
  int levels = 0;
  std::size_t marks = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') in_string = !in_string;
    if (in_string && c == '\\') ++i;  // An escaped quote does not end a string.
    if (in_string) continue;
    if ((c == '{' || c == '[') && ++levels > most_json_levels)
      return fmt::format("the JSON is nested deeper than {} levels", most_json_levels);
    if (c == '}' || c == ']') --levels;
    if (c == '{' || c == '[' || c == ',' || c == ':') ++marks;
  }
  if (marks > most_json_marks)
    return fmt::format("the JSON has more than {} brackets, commas and colons", most_json_marks);
  return {};
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

class GltfGuard {
 public:
  GltfGuard(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  Result<MeshInput> run() {
    if (const auto fine = open(); !fine) return Unexpected(fine.error());
    if (const auto fine = check_extensions(); !fine) return Unexpected(fine.error());
    if (const auto fine = take_buffers(); !fine) return Unexpected(fine.error());
    for (const Json& view : member(json_, "bufferViews"))
      kept_["bufferViews"].push_back(only(view, {"buffer", "byteOffset", "byteLength", "byteStride"}));
    for (const Json& accessor : member(json_, "accessors"))
      kept_["accessors"].push_back(only(accessor, {"bufferView", "byteOffset", "componentType", "count", "type"}));
    if (const auto fine = take_meshes(); !fine) return Unexpected(fine.error());
    if (const auto fine = walk(); !fine) return Unexpected(fine.error());
    input_.files.emplace(input_.main_file, kept_.dump());
    return std::move(input_);
  }

 private:
  struct MeshSize {
    std::uint64_t triangles = 0, vertices = 0;
  };

  [[nodiscard]] Unexpected bad(std::string what) const { return wrong_file(path_, std::move(what)); }

  /// Splits a binary file into its 12-byte header, a JSON chunk and an optional binary chunk. A text file consists of
  /// JSON only.
  Result<void> open() {
    std::string_view text = bytes_;
    if (bytes_.starts_with("glTF")) {
      if (bytes_.size() < 20) return bad("ends within the header");
      if (little_u32_at(bytes_, 4) != 2)
        return bad(fmt::format("has glTF version {}: must have version 2", little_u32_at(bytes_, 4)));
      const std::uint64_t length = little_u32_at(bytes_, 12);
      if (bytes_.substr(16, 4) != "JSON" || length > bytes_.size() - 20)
        return bad("the first chunk is not JSON or is longer than the file");
      text = bytes_.substr(20, length);
      const std::size_t next = 20 + ((length + 3) & ~std::uint64_t{3});
      if (next + 8 <= bytes_.size() && bytes_.substr(next + 4, 3) == "BIN") {
        const std::uint64_t size = little_u32_at(bytes_, next);
        if (size > bytes_.size() - next - 8)
          return bad(fmt::format("the data chunk declares {} bytes, but only {} bytes of the file remain", size,
                                 bytes_.size() - next - 8));
        chunk_ = bytes_.substr(next + 8, size);
      }
    }
    if (std::string excess = excess_of(text); !excess.empty()) return bad(std::move(excess));
    json_ = Json::parse(text.begin(), text.end(), nullptr, false);
    if (json_.is_discarded() || !json_.is_object()) return bad("is not glTF: the JSON cannot be parsed");
    if (!member(json_, "asset").is_object()) return bad("is not glTF: \"asset\" is missing");
    const Json& version = member(member(json_, "asset"), "version");
    if (!version.is_string() || !version.get_ref<const std::string&>().starts_with("2."))
      return bad("asset.version must begin with \"2.\"");
    kept_["asset"]["version"] = "2.0";
    return {};
  }

  Result<void> check_extensions() const {
    for (const Json& name : member(json_, "extensionsRequired"))
      if (name.is_string() && (name == "KHR_draco_mesh_compression" || name == "EXT_meshopt_compression" ||
                               name == "KHR_mesh_quantization"))
        return bad(fmt::format("needs the extension {}, which is not supported; export the mesh without compression",
                               name.get_ref<const std::string&>()));
    return {};
  }

  /// Prepares the buffers. Data URIs stay in the JSON, and assimp compares their length with byteLength. The binary
  /// chunk and external files become entries of MeshInput::files under generated names.
  Result<void> take_buffers() {
    std::uint64_t total = chunk_.size();
    for (const Json& described : member(json_, "buffers")) {
      const std::size_t index = buffer_bytes_.size();
      const auto length = count_in(described, "byteLength");
      if (!length || *length == 0) return bad(fmt::format("buffer {} has no byteLength above 0", index));
      buffer_bytes_.push_back(*length);
      Json kept = {{"byteLength", *length}};
      const Json& uri = member(described, "uri");
      if (uri.is_string() && uri.get_ref<const std::string&>().starts_with("data:")) {
        kept["uri"] = uri;
      } else {
        auto bytes = uri.is_string() ? beside(uri.get_ref<const std::string&>(), index) : chunk(index);
        if (!bytes) return Unexpected(bytes.error());
        total += bytes->size();
        if (total > max_mesh_bytes) return bad(fmt::format("the buffers have more than {} bytes", max_mesh_bytes));
        if (*length > bytes->size())
          return bad(fmt::format("buffer {} declares {} bytes, but has {}", index, *length, bytes->size()));
        bytes->resize(*length);
        const std::string name = fmt::format("buffer-{}", index);
        kept["uri"] = name;
        input_.files.emplace(name, std::move(*bytes));
      }
      kept_["buffers"].push_back(std::move(kept));
    }
    return {};
  }

  Result<std::string> chunk(std::size_t index) const {
    if (index != 0 || chunk_.empty()) return bad(fmt::format("buffer {} has neither a uri nor a data chunk", index));
    return std::string(chunk_);
  }

  Result<std::string> beside(const std::string& uri, std::size_t index) const {
    const auto name = without_percents(uri);
    const std::filesystem::path file = name.value_or("");
    if (file.empty() || name->find("://") != std::string::npos || file.has_root_path() ||
        std::find(file.begin(), file.end(), "..") != file.end())
      return bad(fmt::format("buffer {} has the uri \"{}\": must be a file in the folder of the mesh", index, uri));
    auto bytes = read_file((std::filesystem::path(path_).parent_path() / file).string(), max_mesh_bytes);
    if (!bytes) return bad(fmt::format("buffer {}: {}", index, bytes.error().message()));
    return bytes;
  }

  /// Checks that all entries of an accessor lie within their buffer, and returns their number. The entries must be
  /// positions if `points`, otherwise indices. `what` names the accessor in errors.
  Result<std::uint64_t> accessor(const Json& value, bool points, const char* what) const {
    const std::uint64_t index = value.is_number_unsigned() ? value.get<std::uint64_t>() : ~std::uint64_t{0};
    const Json& described = entry(member(json_, "accessors"), index);
    if (!described.is_object()) return bad(fmt::format("{}: the accessor is missing", what));
    if (!member(described, "sparse").is_null()) return bad(fmt::format("{}: sparse accessors are not supported", what));
    const auto view_index = count_in(described, "bufferView"), count = count_in(described, "count"),
               component = count_in(described, "componentType"), offset = count_in(described, "byteOffset", 0);
    if (member(described, "type") != (points ? "VEC3" : "SCALAR") || !view_index || !count || !component || !offset)
      return bad(fmt::format("{}: accessor {} must be {} with bufferView, count and componentType", what, index,
                             points ? "VEC3" : "SCALAR"));
    const std::uint64_t bytes = *component == 5121                         ? 1
                                : *component == 5123                       ? 2
                                : *component == 5125 || *component == 5126 ? 4
                                                                           : 0;
    if (bytes == 0 || points != (*component == 5126))
      return bad(fmt::format("{}: component type {}: must be {}", what, *component,
                             points ? "float (5126)" : "an unsigned integer type (5121, 5123, 5125)"));
    const std::uint64_t size = points ? 3 * bytes : bytes;
    const Json& view = entry(member(json_, "bufferViews"), *view_index);
    const auto buffer = count_in(view, "buffer"), view_offset = count_in(view, "byteOffset", 0),
               view_length = count_in(view, "byteLength"), stride = count_in(view, "byteStride", size);
    if (!buffer || *buffer >= buffer_bytes_.size() || !view_offset || !view_length || !stride || *stride < size ||
        *stride > 4096)
      return bad(fmt::format("{}: buffer view {} is missing or invalid", what, *view_index));
    if (*view_offset > buffer_bytes_[*buffer] || *view_length > buffer_bytes_[*buffer] - *view_offset)
      return bad(fmt::format("{}: buffer view {} extends beyond its buffer of {} bytes", what, *view_index,
                             buffer_bytes_[*buffer]));
    if (*count > max_mesh_bytes || *offset > *view_length ||
        (*count > 0 && (*count - 1) * *stride + size > *view_length - *offset))
      return bad(fmt::format("{}: accessor {} declares {} entries, which do not fit into its buffer view of {} bytes",
                             what, index, *count, *view_length));
    return *count;
  }

  /// Adds a primitive to a mesh, unless it consists of points or lines, and updates the counts.
  Result<void> take_primitive(const Json& primitive, Json& mesh, MeshSize& size) {
    const auto mode = count_in(primitive, "mode", 4);
    if (!mode || *mode > 6) return bad("the mode of a primitive must be 0 to 6");
    if (*mode < 4) return {};  // Points and lines have no surface.
    const Json& position = member(member(primitive, "attributes"), "POSITION");
    const auto vertices = accessor(position, true, "POSITION");
    if (!vertices) return Unexpected(vertices.error());
    std::uint64_t corners = *vertices;
    const Json& indices = member(primitive, "indices");
    if (!indices.is_null()) {
      const auto found = accessor(indices, false, "indices");
      if (!found) return Unexpected(found.error());
      corners = *found;
    }
    const std::uint64_t count = *mode == 4 ? corners / 3 : corners < 3 ? 0 : corners - 2;
    if (count == 0 || *vertices == 0) return {};
    if (++primitives_ > most_parts) return bad(fmt::format("has more than {} primitives", most_parts));
    vertices_ += *vertices;
    size.vertices += *vertices;
    size.triangles += count;
    corners_ += corners;
    if (vertices_ > 3 * max_triangles) return bad(fmt::format("has more than {} vertices", 3 * max_triangles));
    if (corners_ > 3 * max_triangles) return too_many_triangles(path_, max_triangles + 1);
    Json kept = {{"mode", *mode}, {"attributes", {{"POSITION", position}}}};
    if (!indices.is_null()) kept["indices"] = indices;
    mesh["primitives"].push_back(std::move(kept));
    return {};
  }

  Result<void> take_meshes() {
    for (const Json& mesh : member(json_, "meshes")) {
      Json kept = {{"primitives", Json::array()}};
      MeshSize size;
      const Json& primitives = member(mesh, "primitives");
      if (!primitives.is_array()) return bad("a mesh has no primitives");
      for (const Json& primitive : primitives)
        if (auto fine = take_primitive(primitive, kept, size); !fine) return fine;
      mesh_sizes_.push_back(size);
      kept_["meshes"].push_back(std::move(kept));
    }
    return {};
  }

  Result<Json> node_of(const Json& node, std::uint64_t index) {
    const std::pair<const char*, std::size_t> places[] = {
        {"matrix", 16}, {"translation", 3}, {"rotation", 4}, {"scale", 3}};
    for (const auto& [key, count] : places)
      if (const Json& value = member(node, key); !value.is_null() && !is_numbers(value, count))
        return bad(fmt::format("{} of node {} must be {} numbers", key, index, count));
    Json kept = only(node, {"matrix", "translation", "rotation", "scale", "children"});
    if (member(node, "mesh").is_null()) return kept;
    const auto mesh = count_in(node, "mesh");
    if (!mesh || *mesh >= mesh_sizes_.size()) return bad("a node refers to a missing mesh");
    const MeshSize& size = mesh_sizes_[*mesh];
    input_.triangles += size.triangles;
    if (input_.triangles > max_triangles) return too_many_triangles(path_, input_.triangles);
    placed_vertices_ += size.vertices;  // Each node gets its own copy of the vertices of its mesh.
    if (placed_vertices_ > most_placed_vertices)
      return bad(fmt::format("the meshes of its nodes have more than {} vertices", most_placed_vertices));
    if (size.triangles > 0) kept["mesh"] = *mesh;
    return kept;
  }

  /// Visits the nodes of the scene from its roots down. A node that is reached twice is an error, because the graph may
  /// then have a cycle, or the traversal may grow exponentially.
  Result<void> walk() {
    const Json& nodes = member(json_, "nodes");
    const auto scene = count_in(json_, "scene", 0);
    if (!scene) return bad("\"scene\" must be a whole number");
    const Json& roots = member(entry(member(json_, "scenes"), *scene), "nodes");
    if (!nodes.is_array() || !roots.is_array()) return bad("has no scene with nodes");
    if (nodes.size() > most_parts) return bad(fmt::format("has {} nodes; the limit is {}", nodes.size(), most_parts));
    kept_["scene"] = 0;
    kept_["scenes"] = Json::array({{{"nodes", roots}}});
    Json kept(nodes.size(), Json::object());
    std::vector<bool> seen(nodes.size(), false);
    struct Visit {
      const Json* index;
      std::size_t level;
    };
    std::vector<Visit> open;
    for (const Json& root : roots) open.push_back({&root, 1});
    while (!open.empty()) {
      const Visit visit = open.back();
      open.pop_back();
      const std::uint64_t index = visit.index->is_number_unsigned() ? visit.index->get<std::uint64_t>() : nodes.size();
      if (index < nodes.size() && !nodes[index].is_object())
        return bad(fmt::format("node {} is not a JSON object", index));
      if (index >= nodes.size())
        return bad(fmt::format("a node or scene refers to node {}, but the number of nodes is {}",
                               visit.index->dump(-1, ' ', false, Json::error_handler_t::replace), nodes.size()));
      if (seen[index]) return bad(fmt::format("node {} has more than one parent or is its own ancestor", index));
      if (visit.level > most_node_levels)
        return bad(fmt::format("the nodes are nested deeper than {} levels", most_node_levels));
      seen[index] = true;
      auto node = node_of(nodes[index], index);
      if (!node) return Unexpected(node.error());
      kept[index] = std::move(*node);
      for (const Json& child : member(nodes[index], "children")) open.push_back({&child, visit.level + 1});
    }
    kept_["nodes"] = std::move(kept);
    return {};
  }

  std::string_view bytes_, chunk_;
  const std::string& path_;
  Json json_, kept_ = Json::object();
  std::vector<std::uint64_t> buffer_bytes_;  ///< Size of each buffer.
  std::vector<MeshSize> mesh_sizes_;
  std::uint64_t vertices_ = 0, corners_ = 0, primitives_ = 0, placed_vertices_ = 0;
  MeshInput input_{"glTF2 Importer", "mesh.gltf"};
};

}  // namespace

Result<TriangleList> read_gltf(std::string_view bytes, const std::string& path) {
  const auto input = GltfGuard(bytes, path).run();
  if (!input) return Unexpected(input.error());
  return input->triangles == 0 ? TriangleList{} : import_mesh(*input, path);
}

}  // namespace vw
