// Outlines of closed surfaces. An outline consists of the edges between a front face and a back face as seen from the
// eye. This file contains CPU data only, no GL objects.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "render/labels/figure.h"

namespace vw {

/// Adjacency of edges and faces of a surface of triangles or quads. Vertices at the same position are merged.
class EdgeFaces {
 public:
  /// Vertex indices. A triangle repeats its last vertex.
  using Face = std::array<std::uint32_t, 4>;
  EdgeFaces() = default;
  /// `position` determines which vertices coincide. `faces` are counter-clockwise as seen from outside.
  EdgeFaces(std::span<const glm::vec3> position, std::vector<Face> faces);
  /// Appends the outline as seen from `eye`, two points for each edge. `position` contains the current positions of all
  /// vertices, in the order of the constructor. An edge with only one face is always part of the outline.
  void add_outline(std::span<const glm::vec3> position, const glm::vec3& eye, std::vector<glm::vec3>& points) const;

 private:
  struct Edge {
    /// Vertices a and b, and the range of the adjacent faces in edge_faces_.
    std::uint32_t a = 0, b = 0, first = 0, count = 0;
  };
  std::vector<Face> faces_;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> edge_faces_;
  mutable std::vector<std::uint8_t> towards_eye_;  ///< scratch: 1 for each front face
};

/// Appends a circle about a unit axis, as `parts` segments.
void add_circle(const glm::vec3& middle, const glm::vec3& axis, float radius, int parts,
                std::vector<glm::vec3>& points);

/// Outlines of selectable objects. The edges of a limited number of surfaces are cached.
class Silhouette {
 public:
  /// Appends the outline of a skin as a whole, or the outline of one element of any other figure. `mesh` is the mesh of
  /// a rigid body, otherwise null. Hidden elements and elements without a surface have no outline.
  void add_element(const Figure& figure, std::size_t element, const std::shared_ptr<const SurfaceMesh>& mesh,
                   const glm::vec3& eye, std::vector<glm::vec3>& points);
  /// Appends the outline of a collider. Planes have no outline.
  void add_collider(const ColliderSnapshot& collider, const glm::vec3& eye, std::vector<glm::vec3>& points);

 private:
  void add_skin(const Figure& figure, const glm::vec3& eye, std::vector<glm::vec3>& points);
  /// `place` gives the current position of a vertex of the mesh.
  template <class Place>
  void add_mesh(const std::shared_ptr<const SurfaceMesh>& mesh, const Place& place, const glm::vec3& eye,
                std::vector<glm::vec3>& points);

  /// Returns the edges of a surface. `make` computes them if they are not cached.
  template <class Make>
  const EdgeFaces& edges_of(const std::shared_ptr<const void>& surface, const Make& make);

  struct Cached {
    std::weak_ptr<const void> surface;
    EdgeFaces edges;
  };
  std::vector<Cached> cached_;       ///< in the order of first use; if the cache is full, the first entry is removed
  std::vector<glm::vec3> position_;  ///< scratch
};

}  // namespace vw
