// Each phase of a fluid becomes one mesh. Particles do not touch solids, so the mesh would end half a spacing before a
// solid. Light would be totally reflected at this gap. The mesh is therefore extended into the solids, and cavities
// around immersed bodies are filled.
#include "render/film/film_water.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "render/scene/cut_caps.h"
#include "render/vectors/vectors.h"
#include "sim/base/parallel/parallel.h"
#include "sim/surface/fluid_surface.h"
#include "sim/surface/mesh_refinement.h"

namespace vw::film {
namespace {

constexpr float water_ior = 1.333F;
constexpr int water_priority = 1;
constexpr std::size_t water_vertices_a_chunk = 2048;
/// Largest distance at which the mesh counts as touching a solid, and depth by which the mesh is extended into a solid
/// that it touches, in particle spacings.
constexpr float contact_reach = 0.9F, contact_overlap = 0.04F;
/// Distance of the fluid from transparent planes, in particle spacings. In the plane itself, rounding errors would
/// decide whether a ray hits the fluid or the pane first.
constexpr float wall_gap = 0.01F;
/// Fluids with more colours than this have one mesh with the mean colour.
constexpr std::size_t most_phases = 4;

struct Contact {
  bool touches = false;
  bool is_wall = false;  ///< whether the vertex becomes part of a wall's plane
  glm::vec3 move{0};     ///< displacement [m]
};

/// Weight with which a vertex is moved onto a solid, as a function of the cosine of the angle between the normal of the
/// vertex and the direction into the solid. The weight is zero at rims of the surface, which do not face the solid and
/// keep their shape.
float contact_weight(float cosine) { return smooth_step(0.2F, 0.6F, cosine); }
constexpr float full_contact = 0.999F;

/// A plane at which a fluid ends, with two coordinate axes in the plane. Lines of constant v are horizontal, so that
/// fill_section() makes thin faces near the water line only.
struct ClippingWall {
  glm::vec4 plane;
  glm::vec3 n, u, v;
  explicit ClippingWall(const glm::vec4& wall)
      : plane(wall),
        n(wall),
        u(glm::normalize(glm::cross(n, std::abs(n.y) < 0.9F ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0)))),
        v(glm::cross(n, u)) {}
  [[nodiscard]] float height(const glm::vec3& p) const { return glm::dot(n, p) + plane.w; }
  [[nodiscard]] glm::vec2 project(const glm::vec3& p) const {
    return {glm::dot(u, p + plane.w * n), glm::dot(v, p + plane.w * n)};
  }
  [[nodiscard]] glm::vec3 point(const glm::vec2& p) const { return p.x * u + p.y * v - plane.w * n; }
};

/// Finds the solid or wall in front of a vertex.
class ContactFinder {
 public:
  ContactFinder(const FilmScene& scene, const FilmRays& rays, const FluidWalls& walls, float spacing_m)
      : scene_(scene), rays_(rays), walls_(walls), spacing_m_(spacing_m) {
    for (const FilmPart& part : scene.parts) {
      const bool is_members = !part.from_eye.empty(), is_smoke = part.material.surface == FilmSurface::puff;
      solid_.push_back(!is_members && !is_smoke);
    }
    // At the ground, the mesh extends below the plane, because the ground hides its bottom. Other planes are
    // transparent, or seen from behind and not drawn. Faces of boxes are walls into which the mesh extends.
    for (std::size_t k = 0; k < walls.count; ++k) {
      overlaps_[k] = walls.is_solid_face[k];
      for (const FilmPlane& plane : scene.planes) {
        if (glm::dot(plane.normal, glm::vec3(walls.planes[k])) < 0.999F ||
            std::abs(plane.level + walls.planes[k].w) > 1e-3F * spacing_m)
          continue;
        hiding_[k] = overlaps_[k] = plane.drawing.is_ground;
        break;
      }
    }
  }
  /// Transparent planes at which the fluid ends.
  [[nodiscard]] std::vector<ClippingWall> clipping_walls() const {
    std::vector<ClippingWall> out;
    for (std::size_t k = 0; k < walls_.count; ++k)
      if (!overlaps_[k]) out.emplace_back(walls_.planes[k] - glm::vec4(0, 0, 0, wall_gap * spacing_m_));
    return out;
  }
  [[nodiscard]] Contact at(const glm::vec3& place, const glm::vec3& normal) const {
    Contact contact;
    glm::vec3 here = place;
    for (std::size_t k = 0; k < walls_.count; ++k) {
      if (!overlaps_[k]) continue;  // clip_at_walls() ends the mesh there
      const glm::vec3 n(walls_.planes[k]);
      const float height = glm::dot(n, here) + walls_.planes[k].w, overlap = contact_overlap;
      const float weight = height < 0 ? 1 : contact_weight(-glm::dot(n, normal));
      if (height > contact_reach * spacing_m_ || !(weight > 0)) continue;
      here -= weight * (height + overlap * spacing_m_) * n;
      contact.touches = true;
      contact.is_wall |= !hiding_[k] && weight > full_contact;
    }
    contact.move = here - place;
    // If a wall is the face of a box, the wall has already moved the vertex. touch_solids() must not move it again.
    if (!contact.is_wall) touch_solids(place, normal, contact);
    return contact;
  }

 private:
  /// Moves the vertex into at most three solids that it faces. The first one is the nearest solid in the direction of
  /// the vertex normal. Each further one is the nearest solid in a direction parallel to the surfaces already found, as
  /// in a corner.
  void touch_solids(const glm::vec3& place, const glm::vec3& normal, Contact& contact) const {
    glm::vec3 way = normal, side;
    for (int solids = 0; solids < 3 && touch_solid(place, normal, way, contact, side); ++solids) {
      way -= glm::dot(way, side) * side;
      if (glm::dot(way, way) < 0.1F) return;
      way = glm::normalize(way);
    }
  }
  /// Moves the vertex into the nearest solid in the direction `way`. Returns false if there is none. `side` receives
  /// the normal of the solid.
  bool touch_solid(const glm::vec3& place, const glm::vec3& normal, const glm::vec3& way, Contact& contact,
                   glm::vec3& side) const {
    const float back = 0.5F * spacing_m_, reach = back + contact_reach * spacing_m_;
    const glm::vec3 from = place - back * normal;
    FilmHit hit;
    float start = 0;
    constexpr int most_skips = 8;
    for (int skips = 0; skips < most_skips && rays_.nearest(from, way, start, reach, hit); ++skips) {
      start = hit.distance * (1 + 1e-5F) + 1e-7F;
      const FilmPart& part = scene_.parts[hit.part];
      const bool is_ball = part.shape == FilmShape::spheres, is_grain = is_ball && part.sphere[hit.item].w < spacing_m_;
      const glm::vec3 on_solid = from + hit.distance * way;
      side = unit_or(is_ball ? on_solid - glm::vec3(part.sphere[hit.item]) : facing(part, hit), -way);
      const float weight = glm::dot(side, way) < 0 ? contact_weight(-glm::dot(side, normal)) : 0;
      if (!solid_[hit.part] || is_grain || !(weight > 0)) continue;
      const float height = glm::dot(place - on_solid, side) + contact_overlap * spacing_m_;
      const bool is_glass = part.material.surface == FilmSurface::dielectric;
      contact.touches = true;
      contact.is_wall |= is_glass && weight > full_contact;
      if (is_glass || height > 0) contact.move -= weight * height * side;
      return true;
    }
    return false;
  }
  /// Outward normal at a hit, not of unit length.
  static glm::vec3 facing(const FilmPart& part, const FilmHit& hit) {
    const auto across = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      return glm::cross(part.position[b] - part.position[a], part.position[c] - part.position[a]);
    };
    if (part.shape == FilmShape::triangles) {
      const auto& t = part.triangle[hit.item];
      return across(t[0], t[1], t[2]);
    }
    const auto& q = part.quad[hit.item];
    return across(q[0], q[1], q[3]);
  }
  const FilmScene& scene_;
  const FilmRays& rays_;
  const FluidWalls& walls_;
  float spacing_m_;
  std::vector<bool> solid_;
  std::array<bool, FluidWalls::most> hiding_{}, overlaps_{};
};

/// Numbers the connected parts (shells) of a mesh. Returns the number of each vertex's shell. `count` receives the
/// number of shells.
std::vector<std::uint32_t> shells_of(const FluidMesh& mesh, std::size_t& count) {
  std::vector<std::uint32_t> root(mesh.position.size());
  std::iota(root.begin(), root.end(), 0U);
  const auto find = [&root](std::uint32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const auto& t : mesh.triangle)
    for (std::size_t k = 1; k < 3; ++k) {
      const std::uint32_t a = find(t[0]), b = find(t[k]);
      root[std::max(a, b)] = std::min(a, b);
    }
  count = 0;
  std::vector<std::uint32_t> number(root.size());
  for (std::uint32_t i = 0; i < root.size(); ++i)
    number[i] = find(i) == i ? static_cast<std::uint32_t>(count++) : number[find(i)];
  return number;
}

/// Returns for each shell whether it is a cavity that must be filled. Cavities have a negative volume. They are filled
/// if they are very small, or if more than half of their vertices touch a solid.
std::vector<bool> filled_cavities(const FluidMesh& mesh, const std::vector<std::uint32_t>& shell, std::size_t count,
                                  const std::vector<Contact>& contacts, double spacing_m) {
  std::vector<double> volume(count, 0);
  std::vector<std::size_t> vertices(count, 0), touching(count, 0);
  for (const auto& t : mesh.triangle)
    volume[shell[t[0]]] += mesh.position[t[0]].dot(mesh.position[t[1]].cross(mesh.position[t[2]])) / 6;
  for (std::size_t i = 0; i < shell.size(); ++i) {
    ++vertices[shell[i]];
    touching[shell[i]] += contacts[i].touches ? 1U : 0U;
  }
  std::vector<bool> filled(count);
  const double small = 8 * spacing_m * spacing_m * spacing_m;
  for (std::size_t s = 0; s < count; ++s)
    filled[s] = volume[s] < 0 && (-volume[s] < small || 2 * touching[s] > vertices[s]);
  return filled;
}

/// Builds the part from the mesh and its contacts, without the shells that `dropped` marks. Triangles in the plane of a
/// wall are flat and have their own vertices.
FilmPart part_of_mesh(const FluidMesh& mesh, const std::vector<Contact>& contacts, const std::vector<bool>& dropped,
                      const std::vector<std::uint32_t>& shell) {
  FilmPart part;
  part.position.reserve(mesh.position.size());
  for (std::size_t i = 0; i < mesh.position.size(); ++i)
    part.position.push_back(to_glm(Vec3f(mesh.position[i].cast<float>())) + contacts[i].move);
  std::vector<glm::vec3> sum(part.position.size(), glm::vec3(0));
  std::vector<bool> is_near(part.position.size(), false);
  const auto on_wall = [&](const auto& t) {
    return contacts[t[0]].is_wall && contacts[t[1]].is_wall && contacts[t[2]].is_wall;
  };
  std::vector<std::array<std::uint32_t, 3>> flat;
  for (const auto& t : mesh.triangle) {
    if (dropped[shell[t[0]]]) continue;
    if (on_wall(t)) {
      flat.push_back(t);
      continue;
    }
    part.triangle.push_back(t);
    const bool moved = contacts[t[0]].touches || contacts[t[1]].touches || contacts[t[2]].touches;
    const glm::vec3 area =
        glm::cross(part.position[t[1]] - part.position[t[0]], part.position[t[2]] - part.position[t[0]]);
    for (const std::uint32_t v : t) {
      sum[v] += area;
      if (moved) is_near[v] = true;
    }
  }
  for (std::size_t i = 0; i < part.position.size(); ++i)
    part.normal.push_back(is_near[i] ? unit_or(sum[i], to_glm(mesh.normal[i])) : to_glm(mesh.normal[i]));
  for (const auto& t : flat) {
    const glm::vec3 normal = unit_or(
        glm::cross(part.position[t[1]] - part.position[t[0]], part.position[t[2]] - part.position[t[0]]), {0, 1, 0});
    const auto first = static_cast<std::uint32_t>(part.position.size());
    for (const std::uint32_t v : t) {
      part.position.push_back(part.position[v]);
      part.normal.push_back(normal);
    }
    part.triangle.push_back({first, first + 1, first + 2});
  }
  return part;
}

/// Removes the part of a mesh behind a wall. Returns the open edges in the wall.
std::vector<SectionSegment> clip_mesh(const ClippingWall& wall, FilmPart& part) {
  std::vector<float> height(part.position.size());
  for (std::size_t i = 0; i < height.size(); ++i) height[i] = wall.height(part.position[i]);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> cuts;
  const auto cut = [&](std::uint32_t a, std::uint32_t b) {
    // Both triangles at the edge have the same point.
    const std::uint32_t low = std::min(a, b), high = std::max(a, b);
    const auto [entry, is_new] = cuts.try_emplace({low, high}, static_cast<std::uint32_t>(part.position.size()));
    if (is_new) {
      const float share = height[low] / (height[low] - height[high]);
      const glm::vec3 at = glm::mix(part.position[low], part.position[high], share);
      part.position.push_back(at - wall.height(at) * wall.n);
      part.normal.push_back(
          unit_or(glm::mix(part.normal[low], part.normal[high], share), part.normal[height[low] < 0 ? high : low]));
    }
    return entry->second;
  };
  std::vector<std::array<std::uint32_t, 3>> kept;
  std::vector<SectionSegment> section;
  for (const auto& t : part.triangle) {
    std::array<std::uint32_t, 4> polygon{};
    std::array<std::uint32_t, 2> ends{};
    std::size_t count = 0, crossings = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3];
      if (height[a] >= 0) polygon[count++] = a;
      if ((height[a] >= 0) != (height[b] >= 0)) polygon[count++] = ends[crossings++] = cut(a, b);
    }
    for (std::size_t k = 2; k < count; ++k) kept.push_back({polygon[0], polygon[k - 1], polygon[k]});
    if (crossings == 2) section.push_back({wall.project(part.position[ends[0]]), wall.project(part.position[ends[1]])});
  }
  part.triangle = std::move(kept);
  return section;
}

/// Removes the part of a section in `wall` that is behind another wall, and closes the section by edges along that
/// wall.
void clip_section(const ClippingWall& wall, const ClippingWall& other, std::vector<SectionSegment>& section) {
  const glm::vec2 normal(glm::dot(other.n, wall.u), glm::dot(other.n, wall.v)), along(-normal.y, normal.x);
  if (glm::dot(normal, normal) < 1e-4F) return;  // parallel
  std::vector<SectionSegment> kept;
  std::vector<glm::vec2> ends;
  for (SectionSegment s : section) {
    const float a = other.height(wall.point(s.a)), b = other.height(wall.point(s.b));
    if (a < 0 && b < 0) continue;
    if ((a >= 0) != (b >= 0)) {
      const glm::vec2 at = glm::mix(s.a, s.b, a / (a - b));
      (a < 0 ? s.a : s.b) = at;
      ends.push_back(at);
    }
    kept.push_back(s);
  }
  std::ranges::sort(ends, {}, [&](const glm::vec2& p) { return glm::dot(along, p); });
  for (std::size_t i = 0; i + 1 < ends.size(); i += 2) kept.push_back({ends[i], ends[i + 1]});
  section = std::move(kept);
}

/// Ends a closed mesh at walls, and closes it there by faces with exact normals. Moving the vertices onto the planes
/// instead would fold the mesh and cause visible facets.
void clip_at_walls(const std::vector<ClippingWall>& walls, FilmPart& part) {
  std::vector<std::vector<SectionSegment>> sections;
  for (const ClippingWall& wall : walls) {
    FilmPart whole;
    whole.position = part.position;
    whole.normal = part.normal;
    whole.triangle = part.triangle;
    sections.push_back(clip_mesh(wall, whole));
  }
  for (const ClippingWall& wall : walls) (void)clip_mesh(wall, part);
  for (std::size_t k = 0; k < walls.size(); ++k) {
    for (std::size_t other = 0; other < walls.size(); ++other)
      if (other != k) clip_section(walls[k], walls[other], sections[k]);
    for (const Trapezoid& face : fill_section(sections[k])) {
      const auto first = static_cast<std::uint32_t>(part.position.size());
      for (const glm::vec2& corner : face) {
        part.position.push_back(walls[k].point(corner));
        part.normal.push_back(-walls[k].n);
      }
      // The corners are counter-clockwise about n. The order is reversed, because the outward normal is -n.
      part.triangle.push_back({first, first + 2, first + 1});
      part.triangle.push_back({first, first + 3, first + 2});
    }
  }
}

/// Colours of an opaque fluid: the colour of the nearest particle of each vertex.
void color_by_particles(const std::vector<Vec3>& places, const std::vector<std::uint32_t>& colors, float spacing_m,
                        FilmPart& part) {
  using Cell = std::array<int, 3>;
  std::map<Cell, std::vector<std::uint32_t>> cells;
  const float edge = 1.5F * spacing_m;
  const auto cell_of = [edge](const glm::vec3& p) {
    // Drops that are too far away for an integer are in the outermost cells.
    const auto index = [edge](float x) { return static_cast<int>(std::clamp(std::floor(x / edge), -1e9F, 1e9F)); };
    return Cell{index(p.x), index(p.y), index(p.z)};
  };
  const auto place_of = [&](std::size_t i) { return to_glm(Vec3f(places[i].cast<float>())); };
  for (std::size_t i = 0; i < places.size(); ++i) cells[cell_of(place_of(i))].push_back(static_cast<std::uint32_t>(i));
  part.color.resize(part.position.size());
  parallel_for(part.position.size(), water_vertices_a_chunk, [&](Range range, std::size_t) {
    for (std::size_t v = range.begin; v < range.end; ++v) {
      const Cell middle = cell_of(part.position[v]);
      float best = std::numeric_limits<float>::max();
      for (int k = 0; k < 27; ++k) {
        const auto found = cells.find({middle[0] + k % 3 - 1, middle[1] + k / 3 % 3 - 1, middle[2] + k / 9 - 1});
        if (found == cells.end()) continue;
        for (const std::uint32_t i : found->second) {
          const glm::vec3 way = place_of(i) - part.position[v];
          if (glm::dot(way, way) < best) best = glm::dot(way, way), part.color[v] = linear_of(colors[i]);
        }
      }
    }
  });
}

struct Phase {
  std::vector<Vec3> places;
  std::vector<std::uint32_t> colors;
};

/// Divides the particles of a fluid into phases by colour. A fluid with more than `most_phases` colours, or with the
/// colours of a channel, is one phase.
std::vector<Phase> phases_of(const Figure& figure, bool is_channel) {
  std::map<std::uint32_t, std::size_t> number;
  std::vector<Phase> phases;
  const auto collect = [&](bool divides) {
    for (std::size_t i = 0; i < figure.places.size(); ++i) {
      if (figure.places[i].w < 0 || !is_finite(figure.places[i])) continue;
      const std::uint32_t color = figure.colors[i] & 0x00FFFFFFU;
      const std::size_t to = number.emplace(divides ? color : 0, number.size()).first->second;
      if (to >= phases.size()) phases.emplace_back();
      if (phases.size() > most_phases) return;
      phases[to].places.push_back(to_eigen(glm::vec3(figure.places[i])));
      phases[to].colors.push_back(color);
    }
  };
  collect(!is_channel);
  if (phases.size() <= most_phases) return phases;
  phases.clear();
  number.clear();
  collect(false);
  return phases;
}

/// Positions of the particles of a phase and of their mirror images behind walls and below floors. With the images, the
/// surface extends straight into the walls. There, its vertices are moved into the wall or the mesh is clipped.
std::vector<Vec3> with_images(const Phase& phase, bool is_only, const FluidCloud& cloud, float spacing_m) {
  std::vector<glm::vec3> places;
  for (const Vec3& place : phase.places) places.push_back(to_glm(Vec3f(place.cast<float>())));
  for (std::size_t i = 0; i < cloud.places().size() && cloud.places()[i].w < 0; ++i)
    if (is_only || (cloud.colors()[i] & 0x00FFFFFFU) == phase.colors[0]) places.emplace_back(cloud.places()[i]);
  cloud.walls().add_images_below_floors(spacing_m, places);
  std::vector<Vec3> out;
  for (const glm::vec3& place : places) out.push_back(to_eigen(place));
  return out;
}

glm::vec3 mean_color(const std::vector<std::uint32_t>& colors) {
  glm::dvec3 sum(0);
  for (const std::uint32_t color : colors) sum += glm::dvec3(linear_of(color));
  return glm::vec3(sum / static_cast<double>(std::max<std::size_t>(colors.size(), 1)));
}

}  // namespace

Result<void> add_fluids(const FrameData& set, const ViewParams& view, const FilmRays& rays, FilmScene& scene) {
  // The automatic clarity is meant for pictures in which light crosses the fluid once. In the path tracer, light
  // crosses the fluid twice, so the automatic value is increased.
  const float clarity_m = std::max((view.fluid_clarity_m > 0 ? 1.0F : 2.5F) * set.fluid.clarity_m(), 1e-6F);
  std::vector<FilmPart> made;
  for (std::size_t f = 0; f < set.count; ++f) {
    const Figure& figure = set.figures[f];
    if (figure.shape != FigureShape::surface || !(figure.spacing_m > 0)) continue;
    const ContactFinder finder(scene, rays, set.fluid.walls(), figure.spacing_m);
    const std::vector<Phase> phases = phases_of(figure, set.fluid.is_channel());
    for (const Phase& phase : phases) {
      auto mesh = fluid_surface(with_images(phase, phases.size() == 1, set.fluid, figure.spacing_m), {},
                                {.spacing_m = static_cast<double>(figure.spacing_m)});
      if (!mesh) return Unexpected(mesh.error());
      refine_bends(*mesh);
      std::vector<Contact> contacts(mesh->position.size());
      parallel_for(contacts.size(), water_vertices_a_chunk, [&](Range range, std::size_t) {
        for (std::size_t i = range.begin; i < range.end; ++i)
          contacts[i] = finder.at(to_glm(Vec3f(mesh->position[i].cast<float>())), to_glm(mesh->normal[i]));
      });
      std::size_t count = 0;
      const auto shell = shells_of(*mesh, count);
      FilmPart part =
          part_of_mesh(*mesh, contacts,
                       filled_cavities(*mesh, shell, count, contacts, static_cast<double>(figure.spacing_m)), shell);
      clip_at_walls(finder.clipping_walls(), part);
      if (part.triangle.empty()) continue;
      const bool is_glowing = is_hidden(view.glow, figure.name);
      if (set.fluid.is_channel() || is_glowing) {
        part.material = {.roughness = 0.3F};
        if (is_glowing) part.material.glow = static_cast<float>(view.glow_strength);
        color_by_particles(phase.places, phase.colors, figure.spacing_m, part);
      } else {
        // White light has the colour of the fluid after a path of the length `clarity_m`.
        const glm::vec3 color = glm::clamp(mean_color(phase.colors), 1e-3F, 1.0F);
        part.material.surface = FilmSurface::dielectric;
        part.material.medium = {water_ior, -glm::log(color) / clarity_m, water_priority};
        part.color = {color};
      }
      made.push_back(std::move(part));
    }
  }
  for (FilmPart& part : made) scene.parts.push_back(std::move(part));
  return {};
}

}  // namespace vw::film
