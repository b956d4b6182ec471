// Reads voxcraft's robots (.vxd). A robot is an XML file whose elements replace elements of a base.vxa, which several
// robots share. The result is read in the same way as any other design.
#include <fmt/format.h>

#include <array>

#include "sim/scene/designs/vxa_parts.h"
#include "sim/scene/toml/text.h"

namespace vw {
namespace {

constexpr int deepest = 100;              // largest nesting depth; it is limited because the removal of nodes is
                                          // recursive
constexpr std::size_t most_parts = 1000;  // largest number of elements that a robot may replace
constexpr std::size_t longest_path = 16;  // largest number of components of a dotted path

/// Rejects a tree that is nested so deeply that the recursive removal of nodes could overflow the stack. This function
/// is not recursive.
void check_depth(XmlReader& xml) {
  int depth = 0;
  for (pugi::xml_node node = xml.root(); node;) {
    if (depth > deepest)
      return xml.refuse(
          node, fmt::format("has more than {} levels of nested elements; the file is not a voxcraft file", deepest));
    if (node.first_child()) {
      node = node.first_child();
      ++depth;
      continue;
    }
    while (node && !node.next_sibling()) {
      node = node.parent();
      --depth;
    }
    if (node) node = node.next_sibling();
    if (depth <= 0) return;
  }
}

/// Splits "VXA.VXC.Structure" into its components. Returns an empty list if the text is not a path below VXA.
std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  while (parts.size() <= longest_path) {
    const auto dot = path.find('.');
    parts.emplace_back(path.substr(0, dot));
    if (!is_node_name(parts.back())) return {};
    if (dot == std::string_view::npos) break;
    path.remove_prefix(dot + 1);
  }
  return parts.size() < 2 || parts.size() > longest_path || parts.front() != "VXA" ? std::vector<std::string>{} : parts;
}

/// Copies `part` to `path` in the base. An element that already exists there is removed, and missing elements of the
/// path are created.
void put_part(pugi::xml_node base, pugi::xml_node part, const std::vector<std::string>& path) {
  pugi::xml_node parent = base;
  for (std::size_t i = 1; i + 1 < path.size(); ++i) {
    const pugi::xml_node next = parent.child(path[i].c_str());
    parent = next ? next : parent.append_child(path[i].c_str());
  }
  const pugi::xml_node old = parent.child(path.back().c_str());
  pugi::xml_node fresh = old ? parent.insert_copy_after(part, old) : parent.append_copy(part);
  if (old) parent.remove_child(old);
  fresh.set_name(path.back().c_str());
  fresh.remove_attribute("replace");
}

void merge(XmlReader& robot, XmlReader& base, VoxelDesign& design) {
  if (std::string_view(base.root().name()) != "VXA")
    return base.refuse(base.root(), "", fmt::format("<{}>", one_line(base.root().name(), 40)),
                       "must be <VXA>, because the file is the base of a .vxd file");
  std::size_t count = 0;
  for (const pugi::xml_node part : robot.root().children()) {
    if (part.type() != pugi::node_element) continue;
    const pugi::xml_attribute where = part.attribute("replace");
    if (!where) {
      add_unsupported(design, fmt::format("<{}> without a replace attribute", one_line(part.name(), 40)));
      continue;
    }
    const std::vector<std::string> path = parts_of(where.value());
    if (path.empty())
      return robot.refuse(part, "replace", fmt::format("\"{}\"", one_line(where.value(), 50)),
                          "must be a path below VXA, such as VXA.VXC.Structure");
    if (++count > most_parts)
      return robot.refuse(part, "VXD", "", fmt::format("may replace at most {} parts", most_parts));
    put_part(base.root(), part, path);
  }
}

}  // namespace

Result<LoadedScene> read_vxd(const NamedText& robot, const NamedText& base, const LoadOptions& options) {
  XmlReader changes(robot.bytes, robot.file), whole(base.bytes, base.file);
  if (!changes.error() && std::string_view(changes.root().name()) != "VXD")
    changes.refuse(changes.root(), "", fmt::format("<{}>", one_line(changes.root().name(), 40)),
                   "must be <VXD>; the file is not a voxcraft robot");
  if (!changes.error()) check_depth(changes);
  if (!changes.error() && !whole.error()) check_depth(whole);
  VoxelDesign design;
  design.from_voxcraft = true;
  if (!changes.error() && !whole.error()) merge(changes, whole, design);
  if (changes.error()) return fail(*changes.error());
  whole.take_in_nodes_of(robot.file);
  return read_xml_design(whole, std::move(design), robot.file, options);
}

}  // namespace vw
