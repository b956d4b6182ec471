#include "app/window/voxel_edit/cells/cell_files.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/scene/file_kind.h"
#include "sim/scene/scene.h"

namespace vw {

Result<FileCells> read_cells(const std::string& path) {
  if (const FileKind kind = file_kind(path); !holds_a_body(kind) || kind == FileKind::mesh)
    return wrong_file(path, fmt::format("its name must end in one of {}", fmt::join(design_endings(), " ")));
  // The floor of the file is not taken over, so the materials keep their friction.
  auto scene = load_scene(path, {.own_floor = false});
  if (!scene) return Unexpected(scene.error());
  const auto systems = scene->root.all("system");
  const auto body =
      std::ranges::find_if(systems, [](const Node* system) { return system->schema->kind == "voxel_body"; });
  if (body == systems.end()) return wrong_file(path, "contains no voxel body");
  auto opened = open_voxel_body(**body, scene->root);
  if (!opened) return Unexpected(opened.error());
  FileCells cells{
      std::move(opened->grid), std::get<double>((*body)->value("voxel_size")), {}, std::move(scene->warnings)};
  cells.grid.set_has_paint(PaintLayer::muscle, false);
  for (const std::string& name : cells.grid.palette())
    if (const Node* material = scene->root.find("material", name)) cells.materials.push_back(*material);
  return cells;
}

std::string adopt_materials(const FileCells& cells, const Node& scene, OpenedVoxelBody& opened) {
  std::vector<std::string> kept;
  for (const Node& material : cells.materials) {
    const Node* known = find_material(opened, scene, material.name);
    if (known == nullptr) opened.materials.push_back(material);
    if (known != nullptr && !same_node(*known, material)) kept.push_back(material.name);
  }
  return kept.empty() ? std::string()
                      : fmt::format("These materials keep the values of the scene, not those of the file: {}",
                                    fmt::join(kept, ", "));
}

}  // namespace vw
