#include "render/scene/silhouette.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "render/scene/members.h"
#include "render/vectors/vectors.h"

namespace vw {
namespace {

/// Returns for each vertex the index of the first vertex at the same position.
std::vector<std::uint32_t> join_vertices(std::span<const glm::vec3> position) {
  std::map<std::tuple<float, float, float>, std::uint32_t> first;
  std::vector<std::uint32_t> joined(position.size());
  for (std::uint32_t i = 0; i < position.size(); ++i)
    joined[i] = first.try_emplace({position[i].x, position[i].y, position[i].z}, i).first->second;
  return joined;
}

/// Appends the outline of a sphere: the circle in which the tangent cone with its apex at the eye touches the sphere.
void add_sphere(const glm::vec3& middle, float radius, const glm::vec3& eye, std::vector<glm::vec3>& points) {
  constexpr int parts = 64;
  const glm::vec3 to_eye = eye - middle;
  const float distance = glm::length(to_eye);
  if (!(radius > 0) || !(distance > radius)) return;
  const glm::vec3 axis = to_eye / distance;
  const float share = radius / distance;
  add_circle(middle + radius * share * axis, axis, radius * std::sqrt(1 - share * share), parts, points);
}

glm::vec3 corner_of_box(const glm::vec3& half, std::uint32_t corner) {
  return {(corner & 1U) != 0 ? half.x : -half.x, (corner & 2U) != 0 ? half.y : -half.y,
          (corner & 4U) != 0 ? half.z : -half.z};
}

}  // namespace

void add_circle(const glm::vec3& middle, const glm::vec3& axis, float radius, int parts,
                std::vector<glm::vec3>& points) {
  const glm::vec3 u = glm::normalize(
                      glm::cross(axis, std::abs(axis.y) < 0.9F ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0))),
                  v = glm::cross(axis, u);
  const auto at = [&](int k) {
    const float angle = 2 * static_cast<float>(pi) * static_cast<float>(k) / static_cast<float>(parts);
    return middle + radius * (std::cos(angle) * u + std::sin(angle) * v);
  };
  for (int k = 0; k < parts; ++k) points.push_back(at(k)), points.push_back(at(k + 1));
}

EdgeFaces::EdgeFaces(std::span<const glm::vec3> position, std::vector<Face> faces) : faces_(std::move(faces)) {
  const std::vector<std::uint32_t> joined = join_vertices(position);
  std::unordered_map<std::uint64_t, std::uint32_t> edge_of;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sides;  // pairs of edge and face
  for (std::uint32_t f = 0; f < faces_.size(); ++f)
    for (std::size_t k = 0; k < 4; ++k) {
      const std::uint32_t a = joined[faces_[f][k]], b = joined[faces_[f][(k + 1) % 4]];
      if (a == b) continue;
      const std::uint64_t key = std::uint64_t{std::min(a, b)} << 32U | std::max(a, b);
      const auto [found, is_new] = edge_of.try_emplace(key, static_cast<std::uint32_t>(edges_.size()));
      if (is_new) edges_.push_back({a, b});
      sides.emplace_back(found->second, f);
    }
  for (const auto& [edge, face] : sides) ++edges_[edge].count;
  std::uint32_t next = 0;
  for (Edge& edge : edges_) edge.first = std::exchange(next, next + edge.count), edge.count = 0;
  edge_faces_.resize(next);
  for (const auto& [edge, face] : sides) edge_faces_[edges_[edge].first + edges_[edge].count++] = face;
}

void EdgeFaces::add_outline(std::span<const glm::vec3> position, const glm::vec3& eye,
                            std::vector<glm::vec3>& points) const {
  towards_eye_.resize(faces_.size());
  for (std::size_t f = 0; f < faces_.size(); ++f) {
    const auto& [a, b, c, d] = faces_[f];
    // The cross product of the diagonals is normal to a quad, and also to a triangle whose last vertex is repeated.
    const glm::vec3 normal = glm::cross(position[c] - position[a], position[d] - position[b]);
    towards_eye_[f] = glm::dot(normal, eye - position[a]) > 0 ? 1 : 0;
  }
  for (const Edge& edge : edges_) {
    std::uint32_t towards = 0;
    for (std::uint32_t k = 0; k < edge.count; ++k) towards += towards_eye_[edge_faces_[edge.first + k]];
    if (edge.count > 1 && (towards == 0 || towards == edge.count)) continue;
    points.push_back(position[edge.a]), points.push_back(position[edge.b]);
  }
}

template <class Make>
const EdgeFaces& Silhouette::edges_of(const std::shared_ptr<const void>& surface, const Make& make) {
  constexpr std::size_t capacity = 64;
  std::erase_if(cached_, [](const Cached& one) { return one.surface.expired(); });
  const auto found = std::ranges::find_if(cached_, [&](const Cached& one) { return one.surface.lock() == surface; });
  if (found != cached_.end()) return found->edges;
  if (cached_.size() == capacity) cached_.erase(cached_.begin());
  return cached_.emplace_back(Cached{surface, make()}).edges;
}

template <class Place>
void Silhouette::add_mesh(const std::shared_ptr<const SurfaceMesh>& mesh, const Place& place, const glm::vec3& eye,
                          std::vector<glm::vec3>& points) {
  const EdgeFaces& edges = edges_of(mesh, [&] {
    position_.clear();
    for (const Vec3f& p : mesh->position) position_.push_back(to_glm(p));
    std::vector<EdgeFaces::Face> faces;
    for (const auto& t : mesh->triangle) faces.push_back({t[0], t[1], t[2], t[2]});
    return EdgeFaces(position_, std::move(faces));
  });
  position_.clear();
  for (const Vec3f& p : mesh->position) position_.push_back(place(to_glm(p)));
  edges.add_outline(position_, eye, points);
}

/// Appends the outline of a skin at the current positions of its vertices. Vertices are identified by index, so
/// vertices at equal positions are not merged.
void Silhouette::add_skin(const Figure& figure, const glm::vec3& eye, std::vector<glm::vec3>& points) {
  const std::shared_ptr<const VoxelSkin>& skin = figure.skin;
  if (skin == nullptr || figure.corners.size() != skin->vertices.size()) return;
  const EdgeFaces& edges = edges_of(skin, [&] {
    position_.clear();
    for (std::size_t i = 0; i < skin->vertices.size(); ++i) position_.emplace_back(static_cast<float>(i), 0, 0);
    std::vector<EdgeFaces::Face> faces;
    for (const VoxelSkin::Quad& quad : skin->quads) {
      EdgeFaces::Face& face = faces.emplace_back();
      std::ranges::transform(quad.vertex, face.begin(), [](std::int32_t v) { return static_cast<std::uint32_t>(v); });
    }
    return EdgeFaces(position_, std::move(faces));
  });
  position_.clear();
  for (const SkinCorner& corner : figure.corners) position_.emplace_back(corner.place);
  edges.add_outline(position_, eye, points);
}

void Silhouette::add_element(const Figure& figure, std::size_t element, const std::shared_ptr<const SurfaceMesh>& mesh,
                             const glm::vec3& eye, std::vector<glm::vec3>& points) {
  if (element >= figure.places.size() || figure.places[element].w < 0) return;
  const glm::vec3 middle(figure.places[element]);
  const float size = figure.places[element].w;
  switch (figure.shape) {
    case FigureShape::skin: return add_skin(figure, eye, points);
    case FigureShape::balls: return add_sphere(middle, size, eye, points);
    case FigureShape::bodies:
      if (mesh != nullptr)
        add_mesh(
            mesh, [&](const glm::vec3& p) { return middle + turned(figure.turns[element], p); }, eye, points);
      return;
    case FigureShape::members: {
      const std::size_t species = figure.species[element];
      if (species >= figure.member_look.size() || figure.member_look[species].mesh == nullptr) return;
      const SpeciesLook& look = figure.member_look[species];
      const auto place = [&](const glm::vec3& p) {
        return middle +
               size * turned(figure.turns[element], bent(look.motion, figure.beat[element], p, {0, 1, 0}).place);
      };
      return add_mesh(look.mesh, place, eye, points);
    }
    case FigureShape::surface:
    case FigureShape::hidden: return;
  }
}

void Silhouette::add_collider(const ColliderSnapshot& collider, const glm::vec3& eye, std::vector<glm::vec3>& points) {
  const glm::vec3 middle = to_glm(collider.position);
  const glm::vec4 turn = to_glm(collider.orientation);
  const auto place = [&](const glm::vec3& p) { return middle + turned(turn, p); };
  if (collider.kind == ColliderSnapshot::Kind::sphere) return add_sphere(middle, collider.half_extent.x(), eye, points);
  if (collider.kind == ColliderSnapshot::Kind::mesh && collider.mesh != nullptr)
    return add_mesh(collider.mesh, place, eye, points);
  if (collider.kind != ColliderSnapshot::Kind::box) return;
  position_.clear();
  for (std::uint32_t k = 0; k < 8; ++k) position_.push_back(corner_of_box(to_glm(collider.half_extent), k));
  const EdgeFaces box(position_, {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}});
  for (glm::vec3& p : position_) p = place(p);
  box.add_outline(position_, eye, points);
}

}  // namespace vw
