#include "render/fluid/fluid_cloud.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "render/fluid/solid_surfaces.h"
#include "render/vectors/vectors.h"
#include "sim/base/parallel/parallel.h"
#include "sim/surface/fluid_surface.h"
#include "sim/surface/mesh_refinement.h"

namespace vw {
namespace {

constexpr std::size_t cloud_elements_a_chunk = 4096;
/// Size factor for the ball of a particle in the edge between two walls. The particle is 0.7 spacings away from the
/// edge. The ball must cover the edge up to the midpoint between this particle and the next particle, which is half a
/// spacing along the edge.
constexpr float edge_share = 1.25F;
// Cell edge in units of the particle spacing. A cell inside the fluid then holds about three particles and is never
// empty.
constexpr float cell_share = 1.5F;
/// Distance from a wall up to which particles have mirror images, in units of the particle spacing. The smoothing of
/// the surface has a range of two spacings. A particle farther from the wall than `image_touching_share` has an image
/// only if there is fluid between the particle and the wall.
constexpr float image_share = 3, image_touching_share = 1;
/// The same distance for solids, whose images are used for the mesh only. Images in a corner of a solid keep a distance
/// of `image_gap_share` from each other and of `image_clearance_share` from other sides of the solid.
constexpr float solid_image_share = 2.2F, image_gap_share = 0.6F, image_clearance_share = 0.6F;
/// Size factor for the ball of an isolated drop. The mesh omits isolated drops, because they are no larger than its
/// cells.
constexpr float drop_share = 0.65F;
/// Maximum number of walls at which a particle is mirrored. A particle that is mirrored at n walls has 2^n - 1 images.
constexpr std::size_t most_mirrors = 3;
/// Minimum amount of foam, from 0 to 255, at which a particle has spray.
constexpr std::uint8_t least_spray = 25;
/// Largest coordinate of a cell in a sparse grid. Particles farther away are in the outermost cells. The coordinates of
/// a cell, and of the cells next to it, fit into 21 bits each.
constexpr int farthest_cell = (1 << 20) - 2;

bool is_drawn(const glm::vec4& place) { return place.w >= 0 && std::isfinite(place.x + place.y + place.z + place.w); }

/// Number of a cell in a sparse grid.
std::uint64_t cell_key(const glm::ivec3& cell) {
  const auto part = [](int x) { return static_cast<std::uint64_t>(x + farthest_cell + 2); };
  return part(cell.x) | part(cell.y) << 21U | part(cell.z) << 42U;
}

/// Limits coordinates in units of cells to those of a sparse grid.
glm::vec3 limited(const glm::vec3& at) {
  constexpr auto most = static_cast<float>(farthest_cell);
  return glm::clamp(at, -most, most);
}

/// Median of each coordinate of the particles that are drawn.
glm::vec3 median_of(const std::vector<glm::vec4>& places) {
  glm::vec3 median(0);
  std::vector<float> values;
  for (int axis = 0; axis < 3; ++axis) {
    values.clear();
    for (const glm::vec4& place : places)
      if (is_drawn(place)) values.push_back(place[axis]);
    if (values.empty()) continue;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    median[axis] = *middle;
  }
  return median;
}

}  // namespace

/// Coordinates of the cell that contains `p`.
glm::ivec3 FluidCloud::Cells::of(const glm::vec3& p) const {
  const glm::vec3 at = (p - corner) / edge_m;
  return is_sparse ? glm::ivec3(glm::floor(limited(at))) : glm::clamp(glm::ivec3(at), glm::ivec3(0), count - 1);
}

/// Contents of a cell. Cells outside the grid are empty.
glm::vec4 FluidCloud::Cells::sum_at(const glm::ivec3& c) const {
  if (is_sparse) {
    const auto found = sparse.find(cell_key(c));
    return found == sparse.end() ? glm::vec4(0) : found->second;
  }
  if (glm::any(glm::lessThan(c, glm::ivec3(0))) || glm::any(glm::greaterThanEqual(c, count))) return glm::vec4(0);
  return sums[at(c)];
}

/// Interpolates the contents of the cells trilinearly between the cell centres.
glm::vec4 FluidCloud::Cells::around(const glm::vec3& p) const {
  const glm::vec3 off = (p - corner) / edge_m, at = (is_sparse ? limited(off) : off) - 0.5F, base = glm::floor(at),
                  part = at - base;
  glm::vec4 sum(0);
  for (int k = 0; k < 8; ++k) {
    const glm::ivec3 side(k & 1, k >> 1 & 1, k >> 2 & 1);
    const glm::vec3 w = glm::mix(1.0F - part, part, glm::vec3(side));
    sum += w.x * w.y * w.z * sum_at(glm::ivec3(base) + side);
  }
  return sum;
}

/// Whether all six cells adjacent to the cell of `p` contain fluid. Particles in such a cell are never visible.
bool FluidCloud::Cells::is_inside(const glm::vec3& p) const {
  const glm::ivec3 cell = of(p);
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {-1, 1}) {
      glm::ivec3 next = cell;
      next[axis] += side;
      if (sum_at(next).w <= 0) return false;
    }
  return true;
}

/// Whether the particle at `p` is the only one in its cell and in the 26 cells around it.
bool FluidCloud::Cells::is_alone(const glm::vec3& p) const {
  const glm::ivec3 cell = of(p);
  float sum = 0;
  for (int k = 0; k < 27; ++k) sum += sum_at(cell + glm::ivec3(k % 3, k / 3 % 3, k / 9) - 1).w;
  return sum < 1.5F;
}

void FluidCloud::fill_cells(const Figure& figure) {
  glm::vec3 low(std::numeric_limits<float>::max()), high(std::numeric_limits<float>::lowest());
  for (const glm::vec4& place : figure.places)
    if (is_drawn(place)) low = glm::min(low, glm::vec3(place)), high = glm::max(high, glm::vec3(place));
  low_ = glm::min(low_, low);
  high_ = glm::max(high_, high);
  // Store only cells with particles if drops are so far from the fluid that the number of cells would exceed a small
  // multiple of the number of particles.
  const auto most = 4 * static_cast<double>(figure.places.size()) + 4096;
  cells_.edge_m = cell_share * figure.spacing_m;
  const glm::vec3 size = glm::max(high - low, 0.0F);
  const glm::dvec3 cells = glm::dvec3(size) / static_cast<double>(cells_.edge_m) + 1.0;
  cells_.is_sparse = !(cells.x * cells.y * cells.z <= most);
  cells_.corner = cells_.is_sparse ? median_of(figure.places) : low;
  cells_.count = cells_.is_sparse ? glm::ivec3(1) : glm::ivec3(size / cells_.edge_m) + 1;
  cells_.full = std::pow(cells_.edge_m / figure.spacing_m, 3.0F);
  cells_.sums.assign(cells_.at(cells_.count - 1) + 1, glm::vec4(0));
  cells_.sparse.clear();
  for (std::size_t i = 0; i < figure.places.size(); ++i) {
    if (!is_drawn(figure.places[i])) continue;
    const glm::ivec3 cell = cells_.of(glm::vec3(figure.places[i]));
    glm::vec4& sum =
        cells_.is_sparse ? cells_.sparse.try_emplace(cell_key(cell), 0.0F).first->second : cells_.sums[cells_.at(cell)];
    sum += glm::vec4(figure.velocity[i], 1);
  }
}

/// Amount of foam at a particle. Foam forms at particles with few neighbours whose velocity differs from the velocity
/// of the particle (trapped air and wave crests, after M. Ihmsen et al., "Unified spray, foam and air bubbles for
/// particle-based fluids", 2012). It also forms at fast isolated drops. Speeds are relative to sqrt(g d), where g is
/// gravity and d the particle spacing.
std::uint32_t FluidCloud::foam_of(const Figure& figure, std::size_t i, const glm::vec4& around) const {
  constexpr float gravity = 9.81F;
  const float missing = std::clamp(1 - around.w / cells_.full, 0.0F, 1.0F),
              scale = std::sqrt(gravity * figure.spacing_m);
  const glm::vec3 mean = glm::vec3(around) / std::max(around.w, 1e-6F);
  const float stir = glm::length(figure.velocity[i] - mean) / scale, speed = glm::length(figure.velocity[i]) / scale;
  const float breaking = smooth_step(0.25F, 0.6F, missing) * smooth_step(0.5F, 2.0F, stir);
  const float spray = 0.7F * smooth_step(0.75F, 0.92F, missing) * smooth_step(2.0F, 6.0F, speed);
  const float foam = std::max(breaking, spray);
  return foam > 0 ? static_cast<std::uint32_t>(std::min(foam, 1.0F) * 255 + 0.5F)
                  : 0;  // the result is 0 if a value is NaN
}

/// Adds the mirror images of a particle at nearby walls and at the edges and corners of these walls. Floors need no
/// images, because the surface below a floor is not visible.
void FluidCloud::add_images(const glm::vec4& place, std::uint32_t color, float spacing_m) {
  const glm::vec3 at(place);
  std::array<glm::vec4, most_mirrors> mirrors{};
  std::size_t count = 0;
  for (std::size_t k = 0; k < walls_.count && count < most_mirrors; ++k) {
    const glm::vec4& wall = walls_.planes[k];
    const glm::vec3 normal(wall);
    const float height = glm::dot(normal, at) + wall.w;
    if (normal.y > 0.7F || !(height > 0) || height > image_share * spacing_m) continue;
    if (height > image_touching_share * spacing_m &&
        cells_.around(at - (height - 0.75F * spacing_m) * normal).w < 0.25F * cells_.full)
      continue;
    mirrors[count++] = wall;
  }
  for (unsigned mask = 1; mask < 1U << count; ++mask) {
    glm::vec3 image = at;
    for (std::size_t k = 0; k < count; ++k)
      if ((mask >> k & 1U) != 0)
        image -= 2 * (glm::dot(glm::vec3(mirrors[k]), image) + mirrors[k].w) * glm::vec3(mirrors[k]);
    places_.emplace_back(image, -place.w);
    colors_.push_back(color);
  }
}

namespace {

/// Returns the images of the places inside solids. An image that is too close to a preceding image is left out.
std::vector<glm::vec3> images_in_solids(const SolidSurfaces& solids, const std::vector<glm::vec3>& places,
                                        const FluidWalls& walls, float spacing_m) {
  std::vector<std::optional<glm::vec3>> image(places.size());
  parallel_for(places.size(), cloud_elements_a_chunk, [&](Range part, std::size_t) {
    for (std::size_t i = part.begin; i < part.end; ++i) image[i] = solids.image_of(places[i]);
  });
  using Cell = std::array<int, 3>;
  const float gap = image_gap_share * spacing_m;
  std::map<Cell, std::vector<glm::vec3>> cells;
  const auto is_close = [&](const glm::vec3& at, const glm::ivec3& middle) {
    for (int k = 0; k < 27; ++k) {
      const auto found = cells.find({middle.x + k % 3 - 1, middle.y + k / 3 % 3 - 1, middle.z + k / 9 - 1});
      if (found == cells.end()) continue;
      for (const glm::vec3& other : found->second)
        if (glm::distance(other, at) < gap) return true;
    }
    return false;
  };
  std::vector<glm::vec3> out;
  for (const auto& at : image) {
    // Skip places behind a wall, which may be a face of the solid. add_images() has already added the images behind
    // walls.
    if (!at || walls.touched_by(*at, 0) > 0) continue;
    const glm::ivec3 cell(glm::clamp(glm::floor(*at / gap), -1e9F, 1e9F));
    if (is_close(*at, cell)) continue;
    cells[{cell.x, cell.y, cell.z}].push_back(*at);
    out.push_back(*at);
  }
  return out;
}

}  // namespace

/// Adds the surface of the figure's particles and of their mirror images: the images in places_ from `first_image` on,
/// and the images in solids and below floors. The surface thus extends into walls and solids without a rounded edge. If
/// there are too many particles for a mesh, no mesh is added.
void FluidCloud::add_surface(const Figure& figure, std::size_t first_image, std::span<const Figure> figures,
                             std::span<const ColliderSnapshot> solids) {
  std::vector<glm::vec3> places;
  places.reserve(figure.places.size() + places_.size() - first_image);
  for (std::size_t i = 0; i < figure.places.size(); ++i)
    if (is_drawn(figure.places[i]) && (inside_[i] != 0 || share_[i] > drop_share))
      places.emplace_back(figure.places[i]);
  for (std::size_t i = first_image; i < places_.size(); ++i)
    if (-places_[i].w > drop_share * figure.spacing_m) places.emplace_back(places_[i]);
  const float reach_m = solid_image_share * figure.spacing_m;
  const SolidSurfaces surfaces(figures, solids, {low_, high_}, reach_m, image_clearance_share * figure.spacing_m);
  if (!surfaces.empty()) {
    const std::vector<glm::vec3> inside = images_in_solids(surfaces, places, walls_, figure.spacing_m);
    places.insert(places.end(), inside.begin(), inside.end());
  }
  walls_.add_images_below_floors(figure.spacing_m, places);
  std::vector<Vec3> at;
  at.reserve(places.size());
  for (const glm::vec3& place : places)
    at.emplace_back(static_cast<double>(place.x), static_cast<double>(place.y), static_cast<double>(place.z));
  auto mesh = fluid_surface(at, {}, {.spacing_m = static_cast<double>(figure.spacing_m)});
  if (!mesh) return;
  refine_bends(*mesh);
  const auto first = static_cast<std::uint32_t>(surface_.position.size());
  const SurfaceMesh one = to_surface_mesh(*mesh);
  surface_.position.insert(surface_.position.end(), one.position.begin(), one.position.end());
  surface_.normal.insert(surface_.normal.end(), one.normal.begin(), one.normal.end());
  for (const auto& triangle : one.triangle)
    surface_.triangle.push_back({triangle[0] + first, triangle[1] + first, triangle[2] + first});
}

void FluidCloud::add(const Figure& figure, bool foam, FluidDetail detail) {
  const std::size_t n = figure.places.size();
  fill_cells(figure);
  inside_.resize(n);
  foam_.resize(n);
  share_.resize(n);
  parallel_for(n, cloud_elements_a_chunk, [&](Range part, std::size_t) {
    for (std::size_t i = part.begin; i < part.end; ++i) {
      if (!is_drawn(figure.places[i])) continue;
      inside_[i] = cells_.is_inside(glm::vec3(figure.places[i])) ? 1 : 0;
      foam_[i] = 0;
      share_[i] = 1;
      if (inside_[i] != 0) continue;
      const glm::vec4 around = cells_.around(glm::vec3(figure.places[i]));
      if (foam) foam_[i] = static_cast<std::uint8_t>(foam_of(figure, i, around));
      // An isolated drop has the size of its particle. Balls of particles with neighbours are larger to close the gaps.
      share_[i] = cells_.is_alone(glm::vec3(figure.places[i]))
                      ? drop_share
                      : glm::mix(1.0F, drop_share, smooth_step(0.7F, 0.95F, 1 - around.w / cells_.full));
      if (walls_.touched_by(glm::vec3(figure.places[i]), figure.spacing_m) > 1)
        share_[i] = std::max(share_[i], edge_share);
    }
  });
  for (std::size_t i = 0; i < n; ++i) {
    if (!is_drawn(figure.places[i])) continue;
    const glm::vec4 place(glm::vec3(figure.places[i]), share_[i] * figure.spacing_m);
    const std::uint32_t color = (figure.colors[i] & 0x00FFFFFFU) | static_cast<std::uint32_t>(foam_[i]) << 24U;
    (inside_[i] != 0 ? inner_places_ : shell_places_).push_back(place);
    (inside_[i] != 0 ? inner_colors_ : shell_colors_).push_back(color);
    if (detail != FluidDetail::particles && inside_[i] == 0) add_images(place, color, figure.spacing_m);
    if (inside_[i] == 0 && foam_[i] >= least_spray)
      spray_.push_back({glm::vec3(place), figure.spacing_m, static_cast<float>(foam_[i]) / 255, figure.id[i]});
  }
}

/// Sets around_eye_ if the eye is in this fluid. The eye must be inside all walls, and at least 7 particles must be
/// within 1.5 spacings of the eye. A point deep inside a fluid has twice as many particles in this range. A point at
/// the surface has 6.
void FluidCloud::detect_eye_inside(const Figure& figure, const glm::vec3& eye) {
  const float reach = 1.5F * figure.spacing_m;
  if (!glm::all(glm::greaterThan(eye, low_ - reach)) || !glm::all(glm::lessThan(eye, high_ + reach)) ||
      walls_.touched_by(eye, 0) > 0)
    return;
  constexpr int enough = 7;
  int near = 0;
  float nearest = std::numeric_limits<float>::max();
  std::uint32_t color = 0;
  for (std::size_t i = 0; i < figure.places.size(); ++i) {
    const glm::vec3 away = glm::vec3(figure.places[i]) - eye;
    if (!is_drawn(figure.places[i]) || !(glm::dot(away, away) < reach * reach)) continue;
    ++near;
    if (glm::dot(away, away) < nearest) nearest = glm::dot(away, away), color = figure.colors[i];
  }
  if (near >= enough) around_eye_ = color;
}

void FluidCloud::build(const std::vector<Figure>& figures, std::size_t count, const ViewParams& view, bool is_channel,
                       std::span<const ColliderSnapshot> colliders, const glm::vec3& eye, FluidDetail detail,
                       std::span<const ColliderSnapshot> solids) {
  places_.clear();
  colors_.clear();
  shell_places_.clear();
  spray_.clear();
  shell_colors_.clear();
  inner_places_.clear();
  inner_colors_.clear();
  surface_ = {};
  spacing_m_ = 0;
  is_channel_ = is_channel;
  low_ = glm::vec3(std::numeric_limits<float>::max());
  high_ = glm::vec3(std::numeric_limits<float>::lowest());
  around_eye_.reset();
  // If caps close the cut of a fluid that shows a channel, the cut planes need not bound the surface.
  walls_.find({figures.data(), count}, colliders, is_channel && view.cut_caps ? CutPlanes{} : cut_of(view));
  for (std::size_t f = 0; f < count; ++f) {
    if (figures[f].shape != FigureShape::surface || figures[f].places.empty() || !(figures[f].spacing_m > 0)) continue;
    const std::size_t first_image = places_.size();
    add(figures[f], view.foam, detail);
    if (detail == FluidDetail::surface) add_surface(figures[f], first_image, {figures.data(), count}, solids);
    if (!is_channel) detect_eye_inside(figures[f], eye);
    spacing_m_ = std::max(spacing_m_, figures[f].spacing_m);
  }
  places_.insert(places_.end(), shell_places_.begin(), shell_places_.end());
  colors_.insert(colors_.end(), shell_colors_.begin(), shell_colors_.end());
  shell_ = places_.size();
  places_.insert(places_.end(), inner_places_.begin(), inner_places_.end());
  colors_.insert(colors_.end(), inner_colors_.begin(), inner_colors_.end());
  // The default of the clarity is a third of the side of a cube with the volume of the bounding box. The far wall of a
  // tank then remains visible.
  const glm::vec3 size = glm::max(high_ - low_, glm::vec3(spacing_m_));
  clarity_m_ =
      view.fluid_clarity_m > 0 ? static_cast<float>(view.fluid_clarity_m) : 0.33F * std::cbrt(size.x * size.y * size.z);
}

}  // namespace vw
