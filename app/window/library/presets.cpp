#include "app/window/library/presets.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/window/document/scene_edit.h"
#include "sim/base/files/file.h"
#include "sim/scene/scene.h"
#include "sim/scene/toml/text.h"

namespace vw {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t max_preset_bytes = std::uint64_t{16} << 20;  // a voxel body may have a large lattice
constexpr std::size_t max_presets = 10'000;                          ///< maximum number of presets of one kind
constexpr std::size_t max_preset_name = 60;                          ///< [bytes]

/// Schema of a file with a node of the given schema. The schema of the file must outlive the nodes read with it.
Schema preset_file_schema(const Schema& schema) {
  return {.kind = "preset",
          .doc = "A preset.",
          .params = {{.name = "preset",
                      .type = ParamType::text,
                      .default_value = Value(std::string()),
                      .doc = "Kind of the node."}},
          .slots = {{.name = "node", .many = false, .kinds = {&schema}, .doc = "The node."}}};
}

/// Kind in a line `preset = "KIND"`, or an empty text. The kind is read before the node, because reading a node of
/// another kind gives a less helpful error.
std::string stated_kind(std::string_view text) {
  constexpr std::string_view key = "preset";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.starts_with('[')) return {};
    const std::size_t first = line.find('"'), last = line.rfind('"');
    if (line.starts_with(key) && first != std::string_view::npos && last > first)
      return std::string(line.substr(first + 1, last - first - 1));
  }
  return {};
}

/// Whether the value of a reference names only nodes and parameters that the scene has.
bool names_known_nodes(const Node& scene, const std::string& path, const ParamSpec& spec, const Value& value) {
  const auto* list = std::get_if<TextList>(&value);
  if (spec.refers_to == "parameter") {
    Node& root = const_cast<Node&>(scene);  // NOLINT: read only
    return list == nullptr || std::ranges::all_of(*list, [&](const std::string& target) {
             return find_component(root, target).has_value();
           });
  }
  const std::vector<std::string> known = names_for(scene, path);
  if (const auto* text = std::get_if<std::string>(&value)) return known.empty() || contains(known, *text);
  return list == nullptr || std::ranges::all_of(*list, [&](const std::string& name) { return contains(known, name); });
}

void add_preset_values(PresetUse& use, const Node& scene, const std::string& path, const Node& from) {
  const Node& to = *find_node(scene, path);
  for (std::size_t i = 0; i < from.values.size(); ++i) {
    const ParamSpec& spec = from.schema->params[i];
    const std::string at = path + "." + spec.name;
    if (same_value(to.values[i], from.values[i])) continue;
    if (!spec.refers_to.empty() && !names_known_nodes(scene, at, spec, from.values[i])) {
      use.notes.push_back(fmt::format("{} = {} was not applied, because the scene has no such node.", spec.label,
                                      one_line(to_text(from.values[i]), 60)));
      continue;
    }
    use.assignments.push_back({at, from.values[i]});
  }
  std::vector<std::string> left_out;
  for (const Node& child : from.children) {
    const Slot& slot = from.schema->slots[child.slot];
    const Node* same = slot.many ? nullptr : to.only(slot.name);
    if (same != nullptr && same->schema == child.schema)
      add_preset_values(use, scene, child_path(to, path, *same), child);
    else if (slot.many)
      left_out.push_back(slot.name + " " + child.name);
  }
  if (left_out.empty()) return;
  constexpr std::size_t listed = 3;
  const std::size_t more = left_out.size() - std::min(left_out.size(), listed);
  left_out.resize(left_out.size() - more);
  use.notes.push_back(
      fmt::format("The child nodes of the preset were not added, because the node already exists: {}{}.",
                  fmt::join(left_out, ", "), more == 0 ? std::string() : fmt::format(" and {} more", more)));
}

}  // namespace

std::string kind_key(const Node& scene, std::string_view path) {
  const auto line = nodes_down_to(scene, path);
  if (line.empty()) return {};
  const std::string& kind = line.back()->schema->kind;
  if (line.size() == 1) return kind;
  const std::string& slot = line[line.size() - 2]->schema->slots[line.back()->slot].name;
  return slot == kind ? kind : slot + "-" + kind;
}

Result<Preset> read_preset(std::string_view text, const std::string& file, const std::string& kind,
                           const Schema& schema) {
  const std::string stated = stated_kind(text);
  if (!stated.empty() && stated != kind)
    return wrong_file(file, fmt::format("is a preset of {}; expected a preset of {}", one_line(stated, 60), kind));
  const Schema file_schema = preset_file_schema(schema);
  auto root = read_toml_node(text, file, file_schema);
  if (!root) return Unexpected(root.error());
  if (std::get<std::string>(root->value("preset")) != kind)
    return wrong_file(file, fmt::format("does not name its kind; expected the line preset = \"{}\"", kind));
  return Preset{.name = fs::path(file).stem().string(), .file = file, .node = std::move(*root->only("node"))};
}

PresetList read_presets(const std::string& folder, const std::string& kind, const Schema& schema) {
  PresetList list;
  if (folder.empty() || kind.empty()) return list;
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator entry(fs::path(folder) / kind, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().extension() == ".toml" && files.size() < max_presets) files.push_back(entry->path().string());
  std::ranges::sort(files);
  for (const std::string& file : files) {
    const auto text = read_file(file, max_preset_bytes);
    auto preset = text ? read_preset(*text, file, kind, schema) : Result<Preset>(Unexpected(text.error()));
    if (preset)
      list.presets.push_back(std::move(*preset));
    else
      list.errors.push_back(preset.error());
  }
  return list;
}

std::string preset_name_error(std::string_view name) {
  const auto is_valid = [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || c == ' ' || c == '_' || c == '-');
  };
  if (name.find_first_not_of(' ') == std::string_view::npos) return "Enter a name.";
  if (name.size() > max_preset_name) return fmt::format("A name has at most {} characters.", max_preset_name);
  if (!std::ranges::all_of(name, is_valid)) return "A name consists of letters, digits, spaces, _ and -.";
  return {};
}

Result<std::string> save_preset(const std::string& folder, const std::string& kind, const std::string& name,
                                const Node& node) {
  if (folder.empty()) return fail("the preset cannot be saved: neither $XDG_CONFIG_HOME nor $HOME is set");
  if (const std::string mistake = preset_name_error(name); !mistake.empty()) return fail(mistake);
  const Schema file_schema = preset_file_schema(*node.schema);
  Node root = make_node(file_schema);
  root.set("preset", Value(kind));
  Node& child = *root.only("node");
  child = node;
  child.slot = 0;
  child.name.clear();
  const fs::path file = fs::path(folder) / kind / (name + ".toml");
  std::error_code ignored;  // write_file_atomic() reports a folder that does not exist
  fs::create_directories(file.parent_path(), ignored);
  if (auto good = write_file_atomic(file.string(), write_toml_node(root)); !good) return Unexpected(good.error());
  return file.string();
}

Result<void> remove_preset(const Preset& preset) {
  std::error_code error;
  if (!fs::remove(preset.file, error))
    return wrong_file(preset.file, "cannot be deleted" + (error ? ": " + error.message() : std::string()));
  return {};
}

PresetUse apply_preset(const Node& scene, const std::string& path, const Preset& preset) {
  PresetUse use;
  const Node* node = find_node(scene, path);
  if (node != nullptr && node->schema == preset.node.schema) add_preset_values(use, scene, path, preset.node);
  return use;
}

NodeChange node_from_preset(const Node& scene, const std::string& path, const Preset& preset) {
  const auto line = nodes_down_to(scene, path);
  const Node& parent = *line[line.size() - 2];
  NodeChange change{.parent = path_of_parent(path), .node = preset.node};
  change.node.slot = line.back()->slot;
  const std::string& slot = parent.schema->slots[change.node.slot].name;
  const std::string stem = as_node_name(preset.name, preset.node.schema->kind);
  change.node.name = stem;
  for (int k = 2; parent.find(slot, change.node.name) != nullptr; ++k)
    change.node.name = stem + "-" + std::to_string(k);
  return change;
}

}  // namespace vw
