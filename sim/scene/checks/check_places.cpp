// Checks of initial positions: bodies and emitters inside obstacles or below the ground.
#include <algorithm>
#include <optional>
#include <variant>

#include <fmt/format.h>

#include "sim/scene/checks/checked_scene.h"

namespace vw {
namespace {

/// Returns the obstacles that do not move and whose shape can be built. Obstacles that an element may carry and
/// two-sided surfaces are left out.
std::vector<Collider> obstacles_at_rest(const Node& scene, ShapeStore& shapes) {
  std::vector<Collider> all;
  for (const Node* node : scene.all("collider")) {
    if (!node->all("key").empty() || !checked_text(*node, "carried_by").empty()) continue;
    if (!checked_vector(*node, "velocity").isZero() || !checked_vector(*node, "angular_velocity").isZero()) continue;
    if (auto made = read_collider(*node, shapes); made && !made->collider.two_sided)
      all.push_back(std::move(made->collider));
  }
  shapes.forget_unused();
  return all;
}

/// Returns the radius of the sphere around an emitter's shape [m], or nullopt for a mesh.
std::optional<double> radius_of_emitter(const Node& emitter) {
  if (emitter.schema->kind == "mesh") return std::nullopt;
  if (has_parameter(emitter, "size")) return 0.5 * checked_vector(emitter, "size").norm();
  const double radius = has_parameter(emitter, "radius") ? checked_number(emitter, "radius") : 0;
  return radius + (has_parameter(emitter, "length") ? 0.5 * checked_number(emitter, "length") : 0);
}

struct PlacedWithin {
  const Collider* obstacle = nullptr;
  SurfaceQuery surface;
};
/// Returns the first obstacle that contains the ball with this centre and radius [m].
std::optional<PlacedWithin> obstacle_around(const std::vector<Collider>& obstacles, const Vec3& place, double radius) {
  for (const Collider& obstacle : obstacles)
    if (const SurfaceQuery surface = query(obstacle, place); surface.distance < -radius - 1e-9)
      return PlacedWithin{&obstacle, surface};
  return std::nullopt;
}

/// Adds a finding about the node at `path`. `reach` is the extent of the node along the obstacle's outward normal [m].
void add_place(const CheckRun& run, const PlacedWithin& within, const Node& node, const std::string& path,
               double reach) {
  constexpr double gap_m = 0.001;
  const Vec3 way = (reach + gap_m - within.surface.distance) * within.surface.normal;
  const Vec3 moved = checked_vector(node, "position") + way;
  const bool is_plane = std::holds_alternative<PlaneShape>(within.obstacle->shape);
  run.out.push_back(
      {.kind = CheckKind::placement,
       .sentence = fmt::format("\"{}\" starts {} \"{}\".", node.name,
                               is_plane ? "below the plane" : "inside the obstacle", within.obstacle->name),
       .path = path,
       .remedies = {{.label = fmt::format("Move it out of \"{}\"", within.obstacle->name),
                     .assignments = {{path + ".position", Value(moved)}}}}});
}

}  // namespace

// A body may be partly inside an obstacle on purpose, for example the root of a mast. It counts as inside only if its
// centre is inside. An emitter may surround an obstacle or lie on its surface. It counts as inside only if it is
// completely inside.
void check_places(const CheckRun& run, ShapeStore& shapes) {
  const std::vector<Collider> obstacles = obstacles_at_rest(run.parts.scene, shapes);
  if (obstacles.empty()) return;
  for (const CheckedBody& body : run.parts.bodies) {
    if (!body.has_place) continue;
    if (const auto within = obstacle_around(obstacles, body.center, 0))
      add_place(run, *within, *body.node, body.path, body.reach(within->surface.normal));
  }
  for (const Node* system : run.parts.scene.all("system"))
    for (const Node* emitter : system->all("emitter")) {
      const std::optional<double> radius = radius_of_emitter(*emitter);
      if (!radius || !std::get<bool>(emitter->value("enabled"))) continue;
      if (const auto within = obstacle_around(obstacles, checked_vector(*emitter, "position"), *radius))
        add_place(run, *within, *emitter, system_path(*system) + ".emitter." + emitter->name, *radius);
    }
}

}  // namespace vw
