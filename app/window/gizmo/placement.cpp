#include "app/window/gizmo/placement.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/window/document/scene_edit.h"
#include "app/window/gizmo/ground.h"

namespace vw {
namespace {

const Slot& slot_of(const Schema& schema, std::string_view name) {
  return *std::ranges::find(schema.slots, name, &Slot::name);
}

const Schema& kind_of(const Schema& schema, std::string_view slot, std::string_view kind) {
  return **std::ranges::find(slot_of(schema, slot).kinds, kind, &Schema::kind);
}

/// Path of the first system of a kind. If the scene has no such system, `changes` adds it.
struct Owner {
  std::string path;
  std::vector<NodeChange> changes;
};
Owner system_for(const Node& root, std::string_view kind) {
  for (const Node* system : root.all("system"))
    if (system->schema->kind == kind) return {"system." + system->name, {}};
  NodeChange addition = fresh_child(root, {}, "system", kind_of(*root.schema, "system", kind));
  const std::string path = "system." + addition.node.name;
  return {path, {std::move(addition)}};
}

class List {
 public:
  explicit List(const Node& root) : root_(root) {}

  void add(const std::string& group, std::string_view slot, std::string_view kind) {
    const Schema& schema = kind_of(*root_.schema, slot, kind);
    NodeChange addition = fresh_child(root_, {}, slot, schema);
    const std::string path = std::string(slot) + "." + addition.node.name;
    all_.push_back({group, label_of(schema), schema.doc, {std::move(addition)}, path});
  }
  void add_child_of(const std::string& group, const Owner& owner, std::string_view slot, std::string_view kind) {
    const Node* existing = find_node(root_, owner.path);
    const Node& parent = existing != nullptr ? *existing : owner.changes.front().node;
    const Schema& schema = kind_of(*parent.schema, slot, kind);
    std::vector<NodeChange> changes = owner.changes;
    changes.push_back({.parent = owner.path, .node = fresh_node(parent, slot, schema)});
    const std::string path = owner.path + "." + std::string(slot) + "." + changes.back().node.name;
    all_.push_back({group, label_of(schema), schema.doc, std::move(changes), path});
  }
  [[nodiscard]] std::vector<Placeable> take() { return std::move(all_); }

 private:
  const Node& root_;
  std::vector<Placeable> all_;
};

}  // namespace

std::vector<Placeable> placeable_objects(const Node& root) {
  List list(root);
  const Owner rigid = system_for(root, "rigid"), particles = system_for(root, "particles");
  for (const char* kind : {"box", "sphere", "cylinder", "capsule"})
    list.add_child_of("Rigid body", rigid, "body", kind);
  list.add("Voxel body", "system", "voxel_body");
  for (const char* kind : {"box", "sphere", "cylinder", "capsule"}) list.add("Obstacle", "collider", kind);
  for (const char* kind : {"point", "disc", "box", "sphere"}) list.add_child_of("Emitter", particles, "emitter", kind);
  for (const char* kind : {"fan", "jet", "vortex", "updraft"}) list.add("Wind", "field", kind);
  const auto systems = root.all("system");
  const auto fluid = std::ranges::find_if(systems, [](const Node* node) { return node->schema->kind == "fluid"; });
  if (fluid == systems.end()) return list.take();
  const Owner water{"system." + (*fluid)->name, {}};
  for (const char* kind : {"box", "sphere", "cylinder"}) list.add_child_of("Fill of fluid", water, "fill", kind);
  for (const char* kind : {"disc", "box"}) list.add_child_of("Inflow", water, "inflow", kind);
  for (const char* kind : {"box", "sphere"}) list.add_child_of("Drain", water, "drain", kind);
  return list.take();
}

std::vector<NodeChange> placed_at(const Node& root, const Placeable& object, const Vec3& point, double width) {
  std::vector<NodeChange> changes = object.changes;
  Node scene = root;
  for (NodeChange change : changes) (void)apply(scene, change);
  const auto adapt = [&](const PoseChange& change) {
    for (const Assignment& one : assignments_of(posed_parts(scene, object.path).front(), change))
      (void)set_parameter(scene, one.path, one.value);
  };
  if (posed_parts(scene, object.path).empty()) return changes;
  const double now = posed_parts(scene, object.path).front().extent.maxCoeff();
  if (now > 0 && width > 0) adapt({.factors = Vec3::Constant(width / now)});
  const PosedPart part = posed_parts(scene, object.path).front();
  const double below = part.at.y() - lowest_height(part);
  adapt({.translation = point + Vec3(0, below, 0) - part.at});
  changes.back().node = *find_node(scene, object.path);
  return changes;
}

double round_length(double length) {
  if (!(length > 0) || !std::isfinite(length)) return 1;
  const double power = std::pow(10, std::floor(std::log10(length)));
  double best = power;
  for (const double mantissa : {2.0, 5.0, 10.0})
    if (std::abs(std::log(mantissa * power / length)) < std::abs(std::log(best / length))) best = mantissa * power;
  return best;
}

}  // namespace vw
