// The class Tree of the extension module, which gives access to the nodes of a scene by their paths. Also returns the
// declarations of all kinds of nodes.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "python/module/binding.h"
#include "sim/base/data/layer_text.h"
#include "sim/base/data/node_change.h"
#include "sim/scene/node_names.h"
#include "sim/scene/scene.h"
#include "sim/scene/toml/text.h"

namespace vw::python {
namespace {

using SharedTree = std::shared_ptr<Tree>;

Node& node_at(Tree& tree, const std::string& path) {
  Node* node = find_node(tree.root, path);
  if (node == nullptr) throw PythonError{fail(tree.name + ": there is no node \"" + path + "\"").value()};
  return *node;
}

const Slot& slot_of(const Node& node, const std::string& name) {
  std::vector<std::string> known;
  for (const Slot& slot : node.schema->slots) {
    if (slot.name == name) return slot;
    known.push_back(slot.name);
  }
  throw PythonError{
      wrong_value(0, "slot", "\"" + name + "\"", "must name a slot of " + node.schema->kind, nearest_word(name, known))
          .value()};
}

const Schema& kind_of(const Slot& slot, const std::string& kind) {
  if (kind.empty() && slot.kinds.size() == 1) return *slot.kinds.front();
  std::vector<std::string> known;
  for (const Schema* schema : slot.kinds) {
    if (schema->kind == kind) return *schema;
    known.push_back(schema->kind);
  }
  throw PythonError{wrong_value(0, slot.name + ".kind", "\"" + kind + "\"",
                                fmt::format("must be one of {}", fmt::join(known, ", ")), nearest_word(kind, known))
                        .value()};
}

/// Adds a node with default values and returns its path. An empty name is replaced by an unused name.
std::string add_node(Tree& tree, const std::string& parent_path, const std::string& slot_name, const std::string& kind,
                     std::string name) {
  Node& parent = node_at(tree, parent_path);
  const Slot& slot = slot_of(parent, slot_name);
  const Schema& schema = kind_of(slot, kind);
  if (slot.many && name.empty()) name = free_name(schema.kind, names_of(parent, slot_name));
  if (slot.many && !is_node_name(name))
    throw PythonError{
        wrong_value(0, slot_name, "\"" + name + "\"", "must be a name of letters, digits, underscores and hyphens")
            .value()};
  const auto index = static_cast<std::size_t>(&slot - parent.schema->slots.data());
  NodeChange change{.kind = NodeChange::Kind::add, .parent = parent_path, .node = make_node(schema, name, index)};
  check(apply(tree.root, change));
  return path_of(tree.root, change);
}

void change_node(Tree& tree, NodeChange::Kind kind, const std::string& path, const std::string& new_name) {
  const Node& node = node_at(tree, path);
  const auto chain = nodes_down_to(tree.root, path);
  if (chain.size() < 2) throw PythonError{fail(tree.name + ": the scene itself cannot be removed or renamed").value()};
  const Node& parent = *chain[chain.size() - 2];
  // Path of a child: path of the parent, a dot, the slot, and, if the slot may hold several nodes, a dot and the name.
  const Slot& slot = parent.schema->slots[node.slot];
  const std::size_t own = slot.name.size() + (node.name.empty() ? 0 : 1 + node.name.size());
  const std::string parent_path = path.size() > own ? path.substr(0, path.size() - own - 1) : std::string();
  NodeChange change{.kind = kind, .parent = parent_path, .node = {}, .at = {}, .new_name = new_name};
  change.node.slot = node.slot;
  change.node.name = node.name;
  check(apply(tree.root, change));
}

/// Returns the declared range of the parameter, or of the vector with the component, at `path`.
std::pair<double, double> bounds_of(Tree& tree, const std::string& path) {
  auto found = find_parameter(tree.root, path);
  if (!found) {
    const auto vector = find_parameter(tree.root, path.substr(0, path.rfind('.')));
    if (vector && vector->spec->type == ParamType::vec3) found = vector;
  }
  const Bounds& bounds = checked(std::move(found)).spec->bounds;
  return {bounds.min, bounds.max};
}

void set_value(Tree& tree, const std::string& path, const py::object& value) {
  const ParamRef found = checked(find_parameter(tree.root, path));
  check(set_parameter(tree.root, path, to_value(value, *found.spec, path)));
}

std::vector<std::string> child_names(Tree& tree, const std::string& path, const std::string& slot) {
  std::vector<std::string> names;
  const Node& node = node_at(tree, path);
  (void)slot_of(node, slot);
  for (const Node* child : node.all(slot)) names.push_back(child->name);
  return names;
}

SharedTree open_tree(Result<api::OpenedScene> opened) {
  api::OpenedScene scene = checked(std::move(opened));
  return std::make_shared<Tree>(std::move(scene.root), std::move(scene.name));
}

// ---- Voxels ----

LatticeSize lattice_size(const std::array<std::size_t, 3>& size) {
  for (const std::size_t cells : size)
    if (cells == 0 || cells > max_lattice_cells)
      throw PythonError{fail(fmt::format("voxels of the shape ({}, {}, {}): expected at least one and at most {} cells",
                                         size[0], size[1], size[2], max_lattice_cells))
                            .value()};
  if (size[0] * size[1] > max_lattice_cells || size[0] * size[1] * size[2] > max_lattice_cells)
    throw PythonError{fail(fmt::format("voxels of the shape ({}, {}, {}): expected at most {} cells", size[0], size[1],
                                       size[2], max_lattice_cells))
                          .value()};
  return size;
}

/// Converts codes with the indices [x, y, z] to the texts of the parameter `layers`.
TextList layers_of(const py::array_t<std::uint16_t, py::array::c_style | py::array::forcecast>& codes) {
  if (codes.ndim() != 3)
    throw PythonError{
        fail(fmt::format("the array of voxels has {} dimensions: expected three (x, y and z)", codes.ndim())).value()};
  const LatticeSize size =
      lattice_size({static_cast<std::size_t>(codes.shape(0)), static_cast<std::size_t>(codes.shape(1)),
                    static_cast<std::size_t>(codes.shape(2))});
  const auto at = codes.unchecked<3>();
  std::vector<std::uint16_t> row;
  row.reserve(static_cast<std::size_t>(codes.size()));
  for (py::ssize_t y = 0; y < codes.shape(1); ++y)
    for (py::ssize_t z = 0; z < codes.shape(2); ++z)
      for (py::ssize_t x = 0; x < codes.shape(0); ++x) row.push_back(at(x, y, z));
  return encode_layers(row, size);
}

py::array_t<std::uint16_t> codes_of(const TextList& layers, const std::array<std::size_t, 3>& cells) {
  const LatticeSize size = lattice_size(cells);
  const auto codes = checked(decode_layers(layers, size));
  py::array_t<std::uint16_t> out({size[0], size[1], size[2]});
  auto at = out.mutable_unchecked<3>();
  auto code = codes.begin();
  for (py::ssize_t y = 0; y < out.shape(1); ++y)
    for (py::ssize_t z = 0; z < out.shape(2); ++z)
      for (py::ssize_t x = 0; x < out.shape(0); ++x) at(x, y, z) = *code++;
  return out;
}

// ---- Declarations ----

const char* type_word(ParamType type) {
  switch (type) {
    case ParamType::boolean: return "bool";
    case ParamType::integer: return "int";
    case ParamType::real: return "float";
    case ParamType::vec3: return "vec3";
    case ParamType::color: return "color";
    case ParamType::choice: return "choice";
    case ParamType::text: return "text";
    case ParamType::number_list: return "numbers";
    case ParamType::text_list: return "texts";
  }
  return "";
}

py::dict declaration_of(const ParamSpec& spec) {
  return py::dict(py::arg("name") = spec.name, py::arg("type") = type_word(spec.type),
                  py::arg("unit") = std::string(unit_symbol(spec.unit)), py::arg("doc") = spec.doc,
                  py::arg("default") = to_python(spec.default_value), py::arg("choices") = spec.choices,
                  py::arg("min") = spec.bounds.min, py::arg("max") = spec.bounds.max,
                  py::arg("live") = spec.live == Live::yes);
}

/// A schema and the first slot in which it was found.
struct Declared {
  const Schema* schema = nullptr;
  std::string slot;
};

void list_schemas(const Schema& schema, const std::string& slot, std::vector<Declared>& all) {
  if (std::ranges::find(all, &schema, &Declared::schema) != all.end()) return;
  all.push_back({&schema, slot});
  for (const Slot& below : schema.slots)
    for (const Schema* kind : below.kinds) list_schemas(*kind, below.name, all);
}

/// Returns the key of each schema: the kind, or, if several schemas have this kind, SLOT_KIND.
std::map<const Schema*, std::string> schema_keys(const std::vector<Declared>& all) {
  std::map<std::string, int> uses;
  for (const Declared& one : all) ++uses[one.schema->kind];
  std::map<const Schema*, std::string> keys;
  for (const auto& [schema, slot] : all)
    keys.emplace(schema, uses[schema->kind] > 1 ? slot + "_" + schema->kind : schema->kind);
  return keys;
}

/// Returns all declarations. The first entry is the scene itself.
py::list schemas() {
  std::vector<Declared> all;
  const Node scene = api::new_scene();
  list_schemas(*scene.schema, "scene", all);
  const auto keys = schema_keys(all);
  py::list out;
  for (const auto& [schema, slot_name] : all) {
    py::list params, slots;
    for (const ParamSpec& spec : schema->params) params.append(declaration_of(spec));
    for (const Slot& slot : schema->slots) {
      py::list kinds;
      for (const Schema* kind : slot.kinds) kinds.append(py::make_tuple(kind->kind, keys.at(kind)));
      slots.append(py::dict(py::arg("name") = slot.name, py::arg("many") = slot.many, py::arg("doc") = slot.doc,
                            py::arg("kinds") = kinds));
    }
    out.append(py::dict(py::arg("key") = keys.at(schema), py::arg("kind") = schema->kind,
                        py::arg("label") = label_of(*schema), py::arg("doc") = schema->doc, py::arg("params") = params,
                        py::arg("slots") = slots));
  }
  return out;
}

/// Returns the kinds of the nodes from the scene to the node at `path`, as pairs of slot and kind.
py::list kinds_down_to(Tree& tree, const std::string& path) {
  (void)node_at(tree, path);
  py::list out;
  const Node* parent = nullptr;
  for (const Node* node : nodes_down_to(tree.root, path)) {
    out.append(
        py::make_tuple(parent == nullptr ? std::string() : parent->schema->slots[node->slot].name, node->schema->kind));
    parent = node;
  }
  return out;
}

}  // namespace

void bind_scene(py::module_& module) {
  py::class_<Tree, SharedTree>(module, "Tree")
      .def(py::init([] {
        return Tree{api::new_scene(), "scene"};
      }))
      .def_static("open", [](const std::string& scene) { return open_tree(api::open_scene(scene)); })
      .def_static("from_text",
                  [](const std::string& text, const std::string& name, const std::string& folder) {
                    return open_tree(api::open_scene_text(text, name, folder));
                  })
      .def_readwrite("name", &Tree::name)
      .def("copy", [](const Tree& tree) { return std::make_shared<Tree>(tree); })
      .def("equals", [](const Tree& a, const Tree& b) { return same_node(a.root, b.root); })
      .def("has", [](Tree& tree, const std::string& path) { return find_node(tree.root, path) != nullptr; })
      .def("kinds_down_to", &kinds_down_to)
      .def("node_name", [](Tree& tree, const std::string& path) { return node_at(tree, path).name; })
      .def("children", &child_names)
      .def("get", [](Tree& tree,
                     const std::string& path) { return to_python(checked(find_parameter(tree.root, path)).value()); })
      .def("set", &set_value)
      .def("bounds", &bounds_of)
      .def("assign",
           [](Tree& tree, const std::string& text) { (void)checked(api::apply_assignments(tree.root, {text})); })
      .def("add", &add_node)
      .def("remove", [](Tree& tree, const std::string& path) { change_node(tree, NodeChange::Kind::remove, path, {}); })
      .def("rename", [](Tree& tree, const std::string& path,
                        const std::string& name) { change_node(tree, NodeChange::Kind::rename, path, name); })
      .def("to_toml", [](const Tree& tree) { return write_scene_toml(tree.root); })
      .def("save", [](const Tree& tree, const std::string& path) { check(save_scene(tree.root, path)); });
  module.def("schemas", &schemas);
  module.def("layers_of", &layers_of);
  module.def("codes_of", &codes_of);
}

}  // namespace vw::python
