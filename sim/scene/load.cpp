// Opens a scene according to its extension, resolves the files to which its nodes refer, and completes it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "sim/base/files/file.h"
#include "sim/collision/collider.h"
#include "sim/control/actuator.h"
#include "sim/scene/file_kind.h"
#include "sim/scene/mesh_fill.h"
#include "sim/scene/node_names.h"
#include "sim/scene/scene.h"
#include "sim/scene/signal_table.h"
#include "sim/scene/toml/text.h"
#include "sim/scene/toml/toml_guard.h"
#include "sim/system/fluid/fluid.h"
#include "sim/system/fluid/fluid_params.h"
#include "sim/system/playback/playback.h"
#include "sim/system/voxel/lattice/lattice.h"
#include "sim/world/registry.h"

namespace vw {
namespace {

namespace fs = std::filesystem;

Unexpected in_file(Error error, const std::string& file) {
  if (error.file.empty()) error.file = file;
  return fail(std::move(error));
}

Unexpected bad_source(const Node& body, std::string expected) {
  return wrong_value(body.line, "system." + body.name + ".source",
                     "\"" + one_line(std::get<std::string>(body.value("source"))) + "\"", std::move(expected));
}

/// Returns the path of base.vxa in the folder of a robot. If there is no such file, returns the only file in this
/// folder whose name ends in base.vxa (such as "voxcraft_base.vxa"). Returns an empty text if there is no such file or
/// if there are several.
std::string base_beside(const std::string& robot) {
  const fs::path folder = fs::path(robot).has_parent_path() ? fs::path(robot).parent_path() : fs::path(".");
  std::error_code error;
  if (fs::path plain = folder / "base.vxa"; fs::exists(plain, error)) return plain.string();
  std::vector<std::string> found;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().filename().string().ends_with("base.vxa")) found.push_back(it->path().string());
  return found.size() == 1 ? found.front() : std::string();
}

Result<LoadedScene> load_robot(const std::string& path, const LoadOptions& options) {
  const std::string base = options.base.empty() ? base_beside(path) : options.base;
  if (base.empty()) {
    Error error;
    error.what = "needs a base.vxa in the same folder; select another base with --base FILE";
    return in_file(std::move(error), path);
  }
  auto robot_bytes = read_file(path, max_scene_bytes);
  if (!robot_bytes) return Unexpected(robot_bytes.error());
  auto base_bytes = read_file(base, max_scene_bytes);
  if (!base_bytes) return Unexpected(base_bytes.error());
  return read_vxd({path, std::move(*robot_bytes)}, {base, std::move(*base_bytes)}, options);
}

/// Loads the contents of one file according to its kind.
Result<LoadedScene> load_file(const std::string& path, const LoadOptions& options) {
  const FileKind kind = file_kind(path);
  if (kind == FileKind::robot) return load_robot(path, options);
  if (kind == FileKind::recording) return read_history(path);
  const auto bytes = read_file(path, max_scene_bytes);
  if (!bytes) return Unexpected(bytes.error());
  switch (kind) {
    case FileKind::scene: return read_scene_toml(*bytes, path);
    case FileKind::voxelyze: return read_vxl(*bytes, path, options);
    case FileKind::magicavoxel: return read_vox(*bytes, path, options);
    case FileKind::binvox: return read_binvox(*bytes, path, options);
    case FileKind::evogym: return read_evogym(*bytes, path, options);
    default: return read_vxa(*bytes, path, options);
  }
}

/// Appends the design's materials to the scene under unique names ("creature_Active"). Returns the names in the order
/// of the palette.
TextList append_materials(const Node& design, const std::string& body_name, Node& scene) {
  std::set<std::string> taken = names_of(scene, "material");
  TextList names;
  for (const Node* material : design.all("material")) {
    const std::string name = free_name(body_name + "_" + material->name, taken);
    taken.insert(name);
    names.push_back(name);
    Node& copy = add_child(scene, "material", material->schema->kind, name);
    copy.values = material->values;
  }
  return names;
}

void take(const Node& from, Node& to, std::string_view param) { to.set(param, from.value(param)); }

bool is_default(const Node& node, std::string_view param) {
  return same_value(node.value(param), make_node(*node.schema).value(param));
}

/// Copies the design's lattice to the body. Voxel size, self-contact and temperature are copied only if they have their
/// default values in the body of the scene.
void take_lattice(const Node& design, const TextList& palette, Node& body) {
  for (const char* param : {"shape", "size", "layers", "phase", "youngs_modulus_per_cell"}) take(design, body, param);
  body.set("palette", palette);
  if (is_default(body, "voxel_size")) take(design, body, "voxel_size");
  if (is_default(body, "self_contact")) take(design, body, "self_contact");
  if (is_default(body, "temperature_wave")) {
    take(design, body, "temperature_wave");
    if (is_default(body, "temperature_amplitude")) take(design, body, "temperature_amplitude");
    if (is_default(body, "temperature_period")) take(design, body, "temperature_period");
  }
  std::set<std::string> taken = names_of(body, "region");
  for (const Node* region : design.all("region")) {
    const std::string name = free_name(region->name, taken);
    taken.insert(name);
    Node& copy = add_child(body, "region", region->schema->kind, name);
    copy.values = region->values;
  }
  body.set("source", std::string());  // the tree now contains the lattice
}

Result<void> resolve_source(Node& scene, std::size_t index, const std::string& base_dir, const LoadOptions& options,
                            std::vector<std::string>& warnings) {
  const std::string source = std::get<std::string>(scene.children[index].value("source"));
  const Node& named = scene.children[index];
  if (!holds_a_body(file_kind(source)))
    return bad_source(named, fmt::format("must be a design ({}) or a mesh ({})", fmt::join(design_endings(), " "),
                                         fmt::join(mesh_endings(), " ")));
  const fs::path path = fs::path(source).is_absolute() ? fs::path(source) : fs::path(base_dir) / source;
  if (file_kind(source) == FileKind::mesh) {
    const std::string filled_body = named.name;  // filling may invalidate references to children
    if (auto filled = fill_from_mesh(scene, index, path.string(), warnings); !filled) return filled;
    return check_mesh_place(*scene.find("system", filled_body), source);
  }
  if (const auto there = read_file(path.string(), max_scene_bytes); !there)
    return bad_source(named, "must be a readable file: " + there.error().message());
  LoadOptions for_body = options;
  for_body.own_floor = false;  // materials then keep the friction coefficients of their file
  auto design = load_file(path.string(), for_body);
  if (!design) return Unexpected(design.error());
  warnings.insert(warnings.end(), design->warnings.begin(), design->warnings.end());
  const std::string name = named.name;
  const TextList palette = append_materials(design->root, name, scene);  // invalidates references to children
  for (Node& child : scene.children)
    if (child.schema == &voxel_body_schema() && child.name == name)
      take_lattice(*design->root.all("system").front(), palette, child);
  return {};
}

/// Makes the path of a playback's recording absolute, so that it stays valid if the scene is saved in another folder.
/// The recording itself is not copied into the tree.
Result<void> resolve_recording(Node& body, const std::string& base_dir) {
  const std::string source = std::get<std::string>(body.value("source"));
  if (source.empty() || file_kind(source) != FileKind::recording)
    return bad_source(body, "must be a recording (.history)");
  std::error_code ignored;
  const fs::path path =
      fs::path(source).is_absolute() ? fs::path(source) : fs::absolute(fs::path(base_dir) / source, ignored);
  body.set("source", path.lexically_normal().generic_string());
  return {};
}

/// Copies the file of a table actuator into the tree, which then does not refer to the file any more.
Result<void> resolve_table(Node& actuator, const std::string& base_dir) {
  const std::string source = std::get<std::string>(actuator.value("source"));
  if (source.empty()) return {};
  const fs::path path = fs::path(source).is_absolute() ? fs::path(source) : fs::path(base_dir) / source;
  const auto text = read_file(path.string(), max_scene_bytes);
  if (!text)
    return wrong_value(actuator.line, "actuator." + actuator.name + ".source", "\"" + one_line(source) + "\"",
                       "must be a readable file: " + text.error().message());
  auto table = read_signal_table(*text, path.string());
  if (!table) return Unexpected(table.error());
  for (const auto& [param, column] : {std::pair{"times", &table->times}, std::pair{"values", &table->values}})
    if (auto good = set_parameter(actuator, param, Value(std::move(*column))); !good)
      return wrong_value(actuator.line, "actuator." + actuator.name + "." + param, good.error().found,
                         good.error().expected + " in " + one_line(source));
  actuator.set("source", std::string());
  return {};
}

/// Makes the path of the shape file of a collider or of a child of a system absolute. An empty path is reported later,
/// when the object with the shape is built.
void resolve_shape(Node& node, const std::string& base_dir) {
  const auto& params = node.schema->params;
  if (std::none_of(params.begin(), params.end(), [](const ParamSpec& spec) { return spec.name == "source"; })) return;
  const fs::path source = std::get<std::string>(node.value("source"));
  std::error_code ignored;
  if (!source.empty() && !source.is_absolute())
    node.set("source", fs::absolute(fs::path(base_dir) / source, ignored).lexically_normal().generic_string());
}

/// Adds a phase node to every fluid that has none. The phase is water. With the node, density, viscosity and surface
/// tension can be edited as in other fluids.
void add_default_fluid_phase(Node& scene) {
  for (Node& child : scene.children)
    if (child.schema == &fluid_schema() && child.all("phase").empty())
      add_child(child, "phase", "phase", fluid_phases(child).front().name);
}

/// Completes a tree that contains exactly the content of the file `name`: reads the files to which the tree refers,
/// relative to `folder`, and adds default nodes.
Result<LoadedScene> complete(Result<LoadedScene> scene, const std::string& name, const std::string& folder,
                             const LoadOptions& options) {
  if (!scene) return scene;
  if (options.before_sources)
    if (auto edited = options.before_sources(scene->root); !edited) return Unexpected(edited.error());

  const auto warnings = resolve_sources(scene->root, folder, options);
  if (!warnings) return in_file(warnings.error(), name);
  scene->warnings.insert(scene->warnings.end(), warnings->begin(), warnings->end());
  add_default_interactions(scene->root);
  add_default_fluid_phase(scene->root);
  if (auto good = check_references(scene->root); !good) return in_file(good.error(), name);
  return scene;
}

bool is_collider(const Node& node) {
  const auto schemas = collider_schemas();
  return std::find(schemas.begin(), schemas.end(), node.schema) != schemas.end();
}

}  // namespace

Result<std::vector<std::string>> resolve_sources(Node& scene, const std::string& base_dir, const LoadOptions& options) {
  std::vector<std::string> warnings;
  for (Node& child : scene.children)
    if (child.schema == &playback_schema())
      if (auto good = resolve_recording(child, base_dir); !good) return Unexpected(good.error());
  for (Node& child : scene.children)
    if (child.schema == &table_actuator_schema())
      if (auto good = resolve_table(child, base_dir); !good) return Unexpected(good.error());
  for (Node& child : scene.children) {
    if (is_collider(child)) resolve_shape(child, base_dir);
    // Children of a system, such as emitters, fills and bodies, may have shapes too.
    for (Node& part : child.children) resolve_shape(part, base_dir);
  }
  const auto next = [&] {
    return static_cast<std::size_t>(std::find_if(scene.children.begin(), scene.children.end(),
                                                 [](const Node& child) {
                                                   return child.schema == &voxel_body_schema() &&
                                                          !std::get<std::string>(child.value("source")).empty();
                                                 }) -
                                    scene.children.begin());
  };
  for (std::size_t index = next(); index < scene.children.size(); index = next())
    if (auto good = resolve_source(scene, index, base_dir, options, warnings); !good) return Unexpected(good.error());
  return warnings;
}

Result<LoadedScene> load_scene(const std::string& path, const LoadOptions& options) {
  if (const FileKind kind = file_kind(path); kind == FileKind::unknown || kind == FileKind::mesh) {
    Error error;
    error.what = kind == FileKind::mesh
                     ? "a mesh is not a scene; add it to a scene with the command `voxwake import`"
                     : fmt::format("cannot be opened: its name must end in one of {}", fmt::join(scene_endings(), " "));
    return in_file(std::move(error), path);
  }
  return complete(load_file(path, options), path, fs::path(path).parent_path().string(), options);
}

Result<LoadedScene> load_scene_text(std::string_view text, const std::string& name, const std::string& folder,
                                    const LoadOptions& options) {
  return complete(read_scene_toml(text, name), name, folder, options);
}

}  // namespace vw
