#include "app/window/voxel_edit/edit_changes.h"

#include <algorithm>

#include "app/window/document/scene_edit.h"
#include "app/window/voxel_edit/painted_muscles.h"

namespace vw {
namespace {

std::vector<NodeChange> material_additions(const VoxelGrid& grid, const OpenedVoxelBody& opened, const Node& scene) {
  std::vector<NodeChange> additions;
  const auto slot = std::ranges::find(scene.schema->slots, "material", &Slot::name);
  for (const std::string& name : missing_materials(grid, scene)) {
    NodeChange addition = fresh_child(scene, {}, "material", *slot->kinds.front());
    addition.node.name = name;
    const std::size_t number = scene.all("material").size() + additions.size();
    if (number > 0) addition.node.set("color", Value(material_color(number)));
    if (const Node* known = find_material(opened, scene, name)) addition.node = *known;
    additions.push_back(std::move(addition));
  }
  return additions;
}

/// Gives `body` the new muscles of an edit. First sets the weights of the new muscles of earlier edits to 0 in all
/// cells. The length of their lists must match the lattice, whose size may have changed.
void set_new_muscles(const std::vector<Node>& muscles, const OpenedVoxelBody& opened, std::size_t cells, Node& body) {
  for (Node& child : body.children) {
    const bool is_muscle = body.schema->slots[child.slot].name == "muscle";
    if (!is_muscle || opened.body.find("muscle", child.name) != nullptr) continue;
    if (!std::get<NumberList>(child.value("cells")).empty()) child.set("cells", Value(NumberList(cells, 0.0)));
  }
  for (const Node& muscle : muscles) {
    Node* there = find_node(body, "muscle." + muscle.name);
    if (there == nullptr) there = &add_child(body, "muscle", "muscle", muscle.name);
    there->set("cells", muscle.value("cells"));
  }
}

}  // namespace

Result<std::vector<NodeChange>> changes_of_edit(const VoxelGrid& grid, const OpenedVoxelBody& opened, const Node& scene,
                                                const std::string& path) {
  if (find_node(scene, path) == nullptr) return fail(path + ": the scene has no such voxel body");
  const auto values = voxel_body_assignments(grid, opened, path);
  if (!values) return Unexpected(values.error());
  Node edited = scene;
  for (const Assignment& one : *values) {
    // A region or muscle of the opened body may have been removed from the scene, for example during a trial.
    if (find_node(edited, one.path.substr(0, one.path.rfind('.'))) == nullptr) continue;
    if (const auto good = set_parameter(edited, one.path, one.value); !good) return Unexpected(good.error());
  }
  Node& body = *find_node(edited, path);
  const std::vector<Node> muscles = new_muscles(grid, opened);
  set_new_muscles(muscles, opened, grid.cell_count(), body);
  std::vector<NodeChange> changes = material_additions(grid, opened, scene);
  // The body is removed and added again in one step, so that the world restarts it and nothing else.
  changes.push_back(removal_of(scene, path));
  const auto place = static_cast<std::size_t>(find_node(scene, path) - scene.children.data());
  changes.push_back({.node = body, .at = place + changes.size() - 1});
  auto number = static_cast<int>(opened.body.all("muscle").size());
  for (const Node& muscle : muscles) {
    ++number;  // muscles of an earlier edit count too, so that successive muscles are in antiphase
    if (find_node(scene, path + ".muscle." + muscle.name) == nullptr)
      changes.push_back(wave_for_muscle(scene, path, muscle.name, number));
  }
  return changes;
}

Result<Node> edited_scene(const VoxelGrid& grid, const OpenedVoxelBody& opened, const Node& scene,
                          const std::string& path) {
  auto changes = changes_of_edit(grid, opened, scene, path);
  if (!changes) return Unexpected(changes.error());
  Node edited = scene;
  for (NodeChange& change : *changes)
    if (auto good = apply(edited, change); !good) return Unexpected(good.error());
  return edited;
}

}  // namespace vw
