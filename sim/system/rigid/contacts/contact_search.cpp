#include "sim/system/rigid/contacts/contact_search.h"

#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

constexpr std::size_t bodies_a_part = 32;

Vec3 velocity_at(const RigidScene& scene, std::size_t body, const Vec3& point) {
  const Elements& rows = *scene.rows;
  return rows.velocity[body] + rows.angular_velocity[body].cross(point - rows.position[body]);
}

}  // namespace

void ContactSearch::prepare(std::span<const RigidBody> bodies) {
  feelers_.clear(), edges_.clear(), corners_.clear(), shape_of_.clear();
  first_feeler_.assign(1, 0);
  first_edge_.assign(1, 0);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (i == 0 || bodies[i].node != bodies[i - 1].node) {
      corners_.push_back(add_feelers(bodies[i].shape, feelers_));
      first_feeler_.push_back(feelers_.size());
      add_edges(bodies[i].shape, edges_);
      first_edge_.push_back(edges_.size());
    }
    shape_of_.push_back(static_cast<std::uint32_t>(corners_.size() - 1));
  }
  pairs_.prepare(bodies);
}

Party ContactSearch::party(const RigidScene& scene, std::size_t body) const {
  const RigidBody& self = scene.bodies[body];
  const Vec3& x = scene.rows->position[body];
  Party party;
  party.shape = &self.shape;
  party.pose = self.shape_at(x, scene.rows->orientation[body]);
  party.middle = x;
  party.reach_m = self.reach_m;
  const std::size_t k = shape_of_[body];
  party.feelers = std::span(feelers_).subspan(first_feeler_[k], first_feeler_[k + 1] - first_feeler_[k]);
  party.corners = corners_[k];
  party.edges = std::span(edges_).subspan(first_edge_[k], first_edge_[k + 1] - first_edge_[k]);
  return party;
}

/// Collects the feelers and edges of the obstacles. The search uses them to find contacts of bodies with corners and
/// edges of obstacles. Meshes are left out because they have too many corners, and two-sided sheets because they have
/// no inside.
void ContactSearch::take_obstacles(const RigidScene& scene) {
  obstacle_feelers_.clear(), obstacle_edges_.clear(), obstacles_.clear();
  std::vector<std::size_t> feelers, edges;
  for (const Collider& collider : scene.colliders) {
    feelers.push_back(obstacle_feelers_.size()), edges.push_back(obstacle_edges_.size());
    if (collider.two_sided || std::holds_alternative<std::shared_ptr<const Geometry>>(collider.shape)) continue;
    add_feelers(collider.shape, obstacle_feelers_);
    add_edges(collider.shape, obstacle_edges_);
  }
  feelers.push_back(obstacle_feelers_.size()), edges.push_back(obstacle_edges_.size());
  for (std::size_t c = 0; c < scene.colliders.size(); ++c) {
    const Collider& collider = scene.colliders[c];
    Party party;
    party.shape = &collider.shape, party.obstacle = &collider;
    party.pose = {collider.position, collider.orientation};
    party.middle = collider.position;
    party.feelers = std::span(obstacle_feelers_).subspan(feelers[c], feelers[c + 1] - feelers[c]);
    party.edges = std::span(obstacle_edges_).subspan(edges[c], edges[c + 1] - edges[c]);
    obstacles_.push_back(party);
  }
}

void ContactSearch::find(const RigidScene& scene, const ContactMemory& memory, const RigidJoints& joints,
                         std::vector<RigidContact>& out) {
  pairs_.build(scene);
  take_obstacles(scene);
  parts_.resize(chunk_count(scene.bodies.size(), bodies_a_part));
  parallel_for(scene.bodies.size(), bodies_a_part, [&](Range range, std::size_t chunk) {
    Part& part = parts_[chunk];
    part.found.clear();
    for (std::size_t i = range.begin; i < range.end; ++i) {
      meet_bodies(scene, memory, joints, i, part);
      if (!scene.sleeps(i)) meet_obstacles(scene, memory, i, part);
    }
  });
  out.clear();
  for (const Part& part : parts_) out.insert(out.end(), part.found.begin(), part.found.end());
}

void ContactSearch::meet_bodies(const RigidScene& scene, const ContactMemory& memory, const RigidJoints& joints,
                                std::size_t body, Part& part) const {
  pairs_.partners(scene, body, part.partners);
  if (part.partners.empty()) return;
  const Party self = party(scene, body);
  for (const std::uint32_t other : part.partners) {
    const double margin = pairs_.box(body).margin + pairs_.box(other).margin;
    const double reach = scene.bodies[body].reach_m + scene.bodies[other].reach_m + margin;
    if ((scene.rows->position[body] - scene.rows->position[other]).squaredNorm() > reach * reach ||
        !joints.may_touch(body, other))
      continue;
    part.touches.clear();
    const Party met = party(scene, other);
    find_touches(self, met, margin, part.scratch, part.touches);
    std::erase_if(part.touches, [&](const Touch& touch) {
      return !closes(self, met, touch,
                     scene.dt * (velocity_at(scene, body, touch.point) - velocity_at(scene, other, touch.point)));
    });
    if (part.touches.empty()) continue;
    const std::size_t first = part.found.size();
    for (const Touch& touch : part.touches) {
      RigidContact c;
      c.a = body, c.b = c.other = other;
      c.point = touch.point, c.normal = touch.normal, c.gap = touch.gap;
      c.place = scene.rows->orientation[body].conjugate() * (c.point - self.middle);
      c.pair = combine(scene.bodies[body].surface, scene.bodies[other].surface);
      part.found.push_back(c);
    }
    memory.recall(std::span(part.found).subspan(first), scene);
  }
}

void ContactSearch::meet_obstacles(const RigidScene& scene, const ContactMemory& memory, std::size_t body,
                                   Part& part) const {
  const RigidBody& self = scene.bodies[body];
  const Vec3& x = scene.rows->position[body];
  Party own;
  for (std::size_t k = 0; k < scene.colliders.size(); ++k) {
    const Collider& collider = scene.colliders[k];
    const double speed = collider.velocity_at(x).norm() + collider.angular_velocity.norm() * self.reach_m;
    const double margin = pairs_.box(body).margin + scene.dt * speed;
    if (!comes_within(collider, x, self.reach_m + margin)) continue;
    if (own.shape == nullptr) own = party(scene, body);
    part.touches.clear();
    find_touches(own, obstacles_[k], margin, part.scratch, part.touches);
    std::erase_if(part.touches, [&](const Touch& touch) {
      return !closes(own, obstacles_[k], touch,
                     scene.dt * (velocity_at(scene, body, touch.point) - collider.velocity_at(touch.point)));
    });
    if (part.touches.empty()) continue;
    const std::size_t first = part.found.size();
    for (const Touch& touch : part.touches) {
      RigidContact c;
      c.a = body, c.other = first_obstacle + static_cast<std::uint32_t>(k);
      // Moves the contact point from the middle of the gap to the surface of the body.
      c.point = touch.point + 0.5 * touch.gap * touch.normal;
      c.normal = touch.normal, c.gap = touch.gap;
      c.place = scene.rows->orientation[body].conjugate() * (c.point - x);
      c.surface_velocity = collider.velocity_at(c.point);
      c.pair = combine(self.surface, collider.surface);
      part.found.push_back(c);
    }
    memory.recall(std::span(part.found).subspan(first), scene);
  }
}

}  // namespace vw
