// Even sampling of any shape with a signed distance function. Lattice points near an offset surface are projected onto
// this surface and thinned to a minimum distance. Then the points repel each other along the surface. See
// walls_sampling.h.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <span>

#include "sim/base/parallel/parallel.h"
#include "sim/collision/mesh/triangle_mesh.h"
#include "sim/collision/shape/hollow.h"
#include "sim/collision/shape/mass_properties.h"
#include "sim/system/fluid/walls/walls_sampling.h"

namespace vw {
namespace {

using Cell = std::array<std::int32_t, 3>;

// The following lengths are in spacings.
constexpr double nearest = 0.8;  ///< Minimum distance between samples of one surface before the repulsion.
/// Minimum distance for samples that fill gaps after the first pass of repulsion. It is above 0.707, the distance from
/// the middle of a lattice cell to its corners.
constexpr double nearest_later = 0.715;
constexpr double nearest_across = 0.5;  ///< Minimum distance to samples on the opposite side of a wall.
constexpr double sure = 0.65;           ///< A candidate this near to a sample is rejected without a closer query.
constexpr double spread_radius = 3;     ///< Radius of the neighbourhood that determines a sample's area.
constexpr double most_area = 1.3;       ///< Upper limit of a sample's area in squared spacings.
constexpr double bare = 1.25;           ///< A surface point farther than this from all samples is on a thin part.
constexpr int rounds = 16;              ///< Number of repulsion rounds.
constexpr double repulsion_reach = 1.5;
constexpr double repulsion_step = 0.4;
constexpr double longest_move = 0.2;
constexpr double at_rest = 0.02;  ///< Dimensionless repulsion below which a sample is not moved.
constexpr std::size_t sample_grain = 256;

struct Candidate {
  Vec3 place = Vec3::Zero();
  Vec3 normal = Vec3::Zero();
  bool valid = false;
};

/// Returns child cell number k (0 to 7) of a cell that is halved along each axis.
Cell eighth(const Cell& cell, int k) {
  return {2 * cell[0] + (k & 1), 2 * cell[1] + (k >> 1 & 1), 2 * cell[2] + (k >> 2 & 1)};
}

/// A cell that the surface may pass through, and the query result at its centre.
struct Near {
  Cell cell{};
  SurfaceQuery found;
};

/// Hash grid of points that supports queries while points are added.
class Bins {
 public:
  Bins(double cell_m, std::size_t expected) : cell_(cell_m), head_(std::bit_ceil(2 * expected + 64), no_point) {}
  void add(const Vec3& p) {
    std::uint32_t& head = head_[slot(cell_of(p))];
    next_.push_back(head);
    head = static_cast<std::uint32_t>(next_.size() - 1);
    place_.push_back(p);
  }
  /// Calls visit(index) for the points in the 27 cells around p until visit() returns false. Includes all points within
  /// one cell width, and some beyond.
  template <class Visit>
  void around(const Vec3& p, const Visit& visit) const {
    const Cell at = cell_of(p);
    for (std::int32_t z = -1; z <= 1; ++z)
      for (std::int32_t y = -1; y <= 1; ++y)
        for (std::int32_t x = -1; x <= 1; ++x) {
          const Cell cell{at[0] + x, at[1] + y, at[2] + z};
          for (std::uint32_t i = head_[slot(cell)]; i != no_point; i = next_[i])
            if (cell_of(place_[i]) == cell && !visit(i)) return;
        }
  }
  [[nodiscard]] bool any_within(const Vec3& p, double distance) const {
    bool found = false;
    around(p, [&](std::uint32_t i) { return !(found = (place_[i] - p).squaredNorm() < distance * distance); });
    return found;
  }

 private:
  static constexpr std::uint32_t no_point = 0xffffffffU;
  [[nodiscard]] Cell cell_of(const Vec3& p) const {
    constexpr double farthest = 2e9;  // Numbers of cells and of their neighbours must fit into 32 bits.
    Cell cell{};
    for (int a = 0; a < 3; ++a)
      cell[static_cast<std::size_t>(a)] =
          static_cast<std::int32_t>(std::clamp(std::floor(p[a] / cell_), -farthest, farthest));
    return cell;
  }
  [[nodiscard]] std::size_t slot(const Cell& cell) const {
    const auto part = [&](std::size_t a, std::uint64_t by) {
      return static_cast<std::uint64_t>(static_cast<std::uint32_t>(cell[a])) * by;
    };
    const std::uint64_t mixed =
        part(0, 0x9e3779b97f4a7c15U) ^ part(1, 0xc2b2ae3d27d4eb4fU) ^ part(2, 0x165667b19e3779f9U);
    return static_cast<std::size_t>(mixed ^ mixed >> 29U) & (head_.size() - 1);
  }
  double cell_;
  std::vector<std::uint32_t> head_, next_;
  std::vector<Vec3> place_;
};

/// The shape, and the lattice of cells that candidates come from. Cells are one spacing wide and begin at a corner of
/// the shape's bounding box, so samples of an axis-parallel face lie on the lattice of a fill that begins in the same
/// corner.
class Ground {
 public:
  Ground(const Shape& shape, bool two_sided, double spacing, const Box3& region)
      : shape_(shape), two_sided_(two_sided), spacing_(spacing), corner_(bounds(shape).min()), region_(region) {}

  [[nodiscard]] double spacing() const { return spacing_; }
  [[nodiscard]] SurfaceQuery ask(const Vec3& point, double reach) const {
    SurfaceQuery found = query(shape_, point, reach);
    if (two_sided_ && found.distance < 0) found = {-found.distance, -found.normal};
    return found;
  }
  [[nodiscard]] Vec3 middle(const Cell& cell, double width) const {
    return corner_ + width * Vec3(cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5);
  }
  /// Projects a point onto the offset surface at `depth`. The result is invalid if there is no such surface nearby.
  [[nodiscard]] Candidate set_on(const Vec3& point, double depth) const {
    Candidate at{point, Vec3::Zero(), false};
    for (int pass = 0; pass < 3; ++pass) {
      const SurfaceQuery found = ask(at.place, 2.5 * spacing_);
      at.normal = found.normal;
      const double off = found.distance + depth;
      at.valid = std::abs(off) < 0.02 * spacing_;
      if (at.valid && pass > 0) break;
      if (std::abs(off) > 2 * spacing_) break;
      at.place -= off * found.normal;
    }
    at.valid = at.valid && region_.contains(at.place);
    return at;
  }
  /// Projects a point that is already close to the offset surface onto this surface, with a single query.
  [[nodiscard]] Candidate slide(const Vec3& point, double depth) const {
    const SurfaceQuery found = ask(point, 2 * spacing_);
    const double off = found.distance + depth;
    const Vec3 at = point - off * found.normal;
    return {at, found.normal, std::abs(off) < 0.1 * spacing_ && region_.contains(at)};
  }
  /// Returns the cells, one spacing wide, that the offset surface at `depth` may pass through, in the order in which an
  /// octree visits them.
  [[nodiscard]] std::vector<Near> cells_at(double depth) const;

 private:
  const Shape& shape_;
  bool two_sided_;
  double spacing_;
  Vec3 corner_;
  Box3 region_;
};

std::vector<Near> Ground::cells_at(double depth) const {
  const double widest = (region_.max() - corner_).cwiseAbs().maxCoeff() + spacing_;
  int level = 0;
  while (std::ldexp(spacing_, level) < widest && level < 30) ++level;  // Coordinates of cells must fit into 32 bits.
  // The search starts on both sides of the corner, since a surface at depth 0 may lie just outside the bounding box.
  std::vector<Near> cells, kept;
  for (int k = 0; k < 8; ++k) cells.push_back({{-(k & 1), -(k >> 1 & 1), -(k >> 2 & 1)}, {}});
  std::vector<char> near;
  for (;; --level) {
    const double width = std::ldexp(spacing_, level), half_diagonal = 0.87 * width;
    near.assign(cells.size(), 0);
    parallel_for(cells.size(), sample_grain, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i) {
        const Vec3 at = middle(cells[i].cell, width);
        if (region_.squaredExteriorDistance(at) > half_diagonal * half_diagonal) continue;
        cells[i].found = ask(at, half_diagonal + depth + spacing_);
        near[i] = std::abs(cells[i].found.distance + depth) <= half_diagonal ? 1 : 0;
      }
    });
    kept.clear();
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (near[i] != 0) kept.push_back(cells[i]);
    if (level == 0) return kept;
    cells.clear();
    for (const Near& one : kept)
      for (int k = 0; k < 8; ++k) cells.push_back({eighth(one.cell, k), {}});
  }
}

/// Samples of one surface during selection.
struct SampleLayer {
  explicit SampleLayer(const Ground& ground, std::size_t cells) : spacing(ground.spacing()), bins(spacing, cells) {}
  double spacing;
  Bins bins;
  std::vector<Vec3> place, normal;
  double least_apart = nearest;
  double across = nearest_across;  ///< Minimum distance to samples of the opposite side.

  void offer(const Candidate& candidate) {
    if (!candidate.valid) return;
    bool free = true;
    bins.around(candidate.place, [&](std::uint32_t i) {
      const double least = spacing * (normal[i].dot(candidate.normal) > -0.5 ? least_apart : across);
      return free = (place[i] - candidate.place).squaredNorm() >= least * least * (1 - 1e-9);
    });
    if (!free) return;
    bins.add(candidate.place);
    place.push_back(candidate.place);
    normal.push_back(candidate.normal);
  }
};

/// Computes make(i) for all i in parallel and offers the valid candidates in order. All candidates are computed before
/// the first is offered. Only valid candidates are kept in memory.
template <class Make>
void offer_all(std::size_t count, SampleLayer& layer, const Make& make) {
  constexpr std::size_t block = 64 * sample_grain;
  std::vector<Candidate> candidates(std::min(count, block)), valid;
  for (std::size_t first = 0; first < count; first += block) {
    const std::size_t here = std::min(block, count - first);
    parallel_for(here, sample_grain, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i) candidates[i] = make(first + i);
    });
    std::copy_if(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(here), std::back_inserter(valid),
                 [](const Candidate& one) { return one.valid; });
  }
  for (const Candidate& candidate : valid) layer.offer(candidate);
}

/// Offers candidates from the child cells where there is a gap between samples.
void fill_gaps(const Ground& ground, double depth, SampleLayer& layer, std::span<const Near> cells) {
  const double d = ground.spacing();
  offer_all(8 * cells.size(), layer, [&](std::size_t i) {
    const Near& near = cells[i / 8];
    const Vec3 at = ground.middle(eighth(near.cell, static_cast<int>(i % 8)), 0.5 * d),
               off = at - ground.middle(near.cell, d);
    // The first test uses the query at the centre of the whole cell, which is approximate for a child cell. Most
    // candidates need no closer query.
    const double estimate = near.found.distance + near.found.normal.dot(off) + depth;
    if (std::abs(estimate) > 0.6 * d || layer.bins.any_within(at - estimate * near.found.normal, sure * d))
      return Candidate{};
    return ground.set_on(at, depth);
  });
}

void cover_level(const Ground& ground, double depth, SampleLayer& layer, std::span<const Near> cells) {
  offer_all(cells.size(), layer,
            [&](std::size_t i) { return ground.set_on(ground.middle(cells[i].cell, ground.spacing()), depth); });
  fill_gaps(ground, depth, layer, cells);
}

/// Whether a sample is part of a lattice, that is, whether two neighbours at one spacing lie in perpendicular
/// directions. `near`: offsets of the neighbours at one spacing.
bool in_lattice(const std::vector<Vec3>& near, double spacing) {
  for (std::size_t a = 0; a < near.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (std::abs(near[a].dot(near[b])) < 1e-6 * spacing * spacing) return true;
  return false;
}

/// Evens out the samples: samples outside lattices repel each other along the surface.
void move_apart(const Ground& ground, double depth, int times, SampleLayer& layer) {
  const double d = ground.spacing(), reach = repulsion_reach * d;
  std::vector<Candidate> moved(layer.place.size());
  for (int round = 0; round < times; ++round) {
    Bins bins(reach, layer.place.size());
    for (const Vec3& p : layer.place) bins.add(p);
    parallel_for(moved.size(), sample_grain, [&](Range range, std::size_t) {
      std::vector<Vec3> regular;
      for (std::size_t i = range.begin; i < range.end; ++i) {
        const Vec3 at = layer.place[i], normal = layer.normal[i];
        Vec3 push = Vec3::Zero();
        regular.clear();
        bins.around(at, [&](std::uint32_t k) {
          const Vec3 apart = at - layer.place[k];
          const double r = apart.norm();
          if (k == i || r >= reach || r <= 0 || layer.normal[k].dot(normal) < -0.5) return true;
          if (std::abs(r - d) < 1e-6 * d) regular.push_back(apart);
          const double near = 1 - r / reach;
          push += near * near / r * apart;
          return true;
        });
        moved[i] = {at, normal, true};
        if (in_lattice(regular, d)) continue;
        push -= push.dot(normal) * normal;
        const double strength = push.norm();
        if (strength < at_rest) continue;
        const Candidate there = ground.slide(at + std::min(repulsion_step, longest_move / strength) * d * push, depth);
        if (there.valid && there.normal.dot(normal) > 0) moved[i] = there;
      }
    });
    for (std::size_t i = 0; i < moved.size(); ++i) {
      layer.place[i] = moved[i].place;
      layer.normal[i] = moved[i].normal;
    }
  }
  layer.bins = Bins(d, layer.place.size());
  for (const Vec3& p : layer.place) layer.bins.add(p);
}

/// Applies two passes of repulsion. Between the passes, gaps that are wide enough receive another sample.
void even_out(const Ground& ground, double depth, std::span<const Near> cells, SampleLayer& layer) {
  move_apart(ground, depth, rounds / 2, layer);
  layer.least_apart = nearest_later;
  fill_gaps(ground, depth, layer, cells);
  move_apart(ground, depth, rounds / 2, layer);
}

double spread_weight(double squared_spacings) {
  const double q = std::sqrt(squared_spacings) / spread_radius;
  return kernel_shape(SphKernel::wendland, q);
}

double lattice_spread() {
  double sum = 0;
  for (int x = -3; x <= 3; ++x)
    for (int y = -3; y <= 3; ++y) sum += spread_weight(x * x + y * y);
  return sum;
}

/// Returns the area of each sample in squared spacings, from the density of samples around it. The area is 1 in a
/// lattice (after Akinci et al. 2012, eq. 4, with a larger radius, so that the sample's own term is small). Samples on
/// the opposite side of a thin wall do not count.
std::vector<float> area_shares(const SampleLayer& layer) {
  const double d = layer.spacing, whole = lattice_spread();
  Bins wide(spread_radius * d, layer.place.size());
  for (const Vec3& p : layer.place) wide.add(p);
  std::vector<float> share(layer.place.size());
  parallel_for(share.size(), sample_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      double sum = 0;
      wide.around(layer.place[i], [&](std::uint32_t k) {
        if (layer.normal[k].dot(layer.normal[i]) > -0.5)
          sum += spread_weight((layer.place[k] - layer.place[i]).squaredNorm() / (d * d));
        return true;
      });
      share[i] = static_cast<float>(std::min(most_area, whole / sum));
    }
  });
  return share;
}

/// Returns the relative volumes of samples on the surface of a thin part. Fluid that touches the part has only these
/// samples and the samples of the opposite side within its support radius. The volumes are chosen so that the fluid is
/// as dense as in front of a thick wall.
std::vector<float> skin_shares(const SampleLayer& layer, const SampleScale& scale) {
  const double d = layer.spacing;
  const std::vector<float> area = area_shares(layer);
  Bins wide(2 * d, layer.place.size());
  for (const Vec3& p : layer.place) wide.add(p);
  std::vector<float> share(area.size());
  parallel_for(share.size(), sample_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const Vec3 touching = layer.place[i] + 0.5 * d * layer.normal[i];
      double sum = 0;
      wide.around(touching, [&](std::uint32_t k) {
        sum += static_cast<double>(area[k]) * scale.weight((layer.place[k] - touching).norm());
        return true;
      });
      // The factor is limited to the value of a flat sheet, because samples at edges have fewer samples within reach.
      share[i] = area[i] * static_cast<float>(std::min(scale.thin_share(0), scale.wall_weight() / sum));
    }
  });
  return share;
}

/// Curvature of the offset surface at a sample.
struct Bend {
  double mean = 0;   ///< Mean curvature: mean of the principal curvatures, positive where the solid is convex [1/m].
  double gauss = 0;  ///< Gaussian curvature: product of the principal curvatures [1/m^2].
};

/// Returns the curvature at a sample, estimated from the normals around the sample. The result is zero at an edge,
/// where normals jump, and where the solid is concave (inside a round tank). Without the correction of
/// centre_on_parts(), the fluid in a round tank has its true height. With the correction it would be too low by up to
/// 0.6 % of its depth.
Bend bend_at(const Ground& ground, const Vec3& place, const Vec3& normal) {
  constexpr double probe = 0.5;  // distance of the probes from the sample [spacings]
  // Smallest cosine of the angle between the normals at the two probes for which the surface counts as smooth.
  constexpr double sharp = 0.25;
  const double step = probe * ground.spacing(), reach = 2.5 * ground.spacing();
  const Vec3 first = normal.unitOrthogonal(), second = normal.cross(first);
  Eigen::Matrix2d turn;
  for (int k = 0; k < 2; ++k) {
    const Vec3 along = step * (k == 0 ? first : second);
    const Vec3 ahead = ground.ask(place + along, reach).normal, behind = ground.ask(place - along, reach).normal;
    const double cosine = ahead.dot(behind);
    if (cosine < sharp) return {};
    // The root corrects the central difference so that it is exact on a sphere.
    const Vec3 rate = (ahead - behind) / (2 * step * std::sqrt(0.5 * (1 + cosine)));
    turn.col(k) = Eigen::Vector2d(first.dot(rate), second.dot(rate));
  }
  return turn.trace() > 0 ? Bend{0.5 * turn.trace(), turn.determinant()} : Bend{};
}

/// Corrects the relative volumes and positions of samples for curvature. A sample stands for the part of the solid
/// within half a spacing above and below it. On a curved surface that part has the volume A d (1 + K d^2 / 12) over the
/// area A of its middle surface, where d is the spacing. The centre of mass of the part lies H d^2 / 6 above the middle
/// surface. H and K are the mean and the Gaussian curvature of the middle surface (integrals of the area of parallel
/// surfaces, A (1 + 2 H u + K u^2)). Without the correction, fluid comes 0.07 spacings too near to a sphere with a
/// diameter of four spacings, and the buoyancy of the sphere is too small by 11 %.
void centre_on_parts(const Ground& ground, SampleLayer& layer, std::vector<float>& share) {
  constexpr double most_shift = 0.25;  // largest correction of a sample's position [spacings]
  const double d = ground.spacing();
  parallel_for(layer.place.size(), sample_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const Bend bend = bend_at(ground, layer.place[i], layer.normal[i]);
      share[i] *= static_cast<float>(std::clamp(1 + bend.gauss * d * d / 12, 0.5, 1.5));
      layer.place[i] += std::clamp(bend.mean * d / 6, -most_shift, most_shift) * d * layer.normal[i];
    }
  });
}

void append(const SampleLayer& layer, const std::vector<float>& share, SurfaceSamples& out) {
  out.place.insert(out.place.end(), layer.place.begin(), layer.place.end());
  out.share.insert(out.share.end(), share.begin(), share.end());
}

}  // namespace

std::optional<double> thin_wall(const Shape& shape, bool two_sided, double spacing_m) {
  constexpr double rounding = 1e-6;
  // Largest difference between the mean thickness and the thickness of the thinnest parts [spacings].
  constexpr double most_uneven = 0.1;
  if (two_sided) return 0.0;
  if (const auto* disc = std::get_if<CylinderShape>(&shape)) {
    const double thick = 2 * disc->half_length_m;
    return thick < spacing_m * (1 - rounding) && 2 * disc->radius_m >= spacing_m ? std::optional(thick) : std::nullopt;
  }
  const auto* data = std::get_if<std::shared_ptr<const Geometry>>(&shape);
  const auto* mesh = data != nullptr ? dynamic_cast<const TriangleMesh*>(data->get()) : nullptr;
  if (mesh == nullptr) return std::nullopt;
  if (mesh->report().inside == MeshInside::nowhere) return 0.0;
  const double thin = mesh->thickness();
  if (mesh->report().inside != MeshInside::by_side || thin <= 0 || thin >= spacing_m * (1 - rounding))
    return std::nullopt;
  // This is the mean thickness of a plate whose rim is a small part of its surface.
  const double mean = 2 * mass_properties(shape).volume_m3 / mesh->area();
  return std::abs(mean - thin) < most_uneven * spacing_m ? std::optional(thin) : std::nullopt;
}

SurfaceSamples cover_evenly(const Shape& shape, bool two_sided, const SampleScale& scale, const Box3& needed) {
  const double d = scale.spacing();
  SurfaceSamples out;
  const std::optional<double> thin = thin_wall(shape, two_sided, d);
  Box3 all = skin_bounds(shape, 2 * d);
  if (thin) all = Box3(all.min() - Vec3::Constant(2 * d), all.max() + Vec3::Constant(2 * d));
  const Box3 region(all.min().cwiseMax(needed.min() - Vec3::Constant(3 * d)) - Vec3::Constant(1e-6 * d),
                    all.max().cwiseMin(needed.max() + Vec3::Constant(3 * d)) + Vec3::Constant(1e-6 * d));
  if (region.isEmpty()) return out;
  const Ground ground(shape, two_sided, d, region);
  SampleLayer first(ground, 0);
  for (int k = 0; k < 2; ++k) {
    const double depth = thin ? *thin - (k + 0.5) * d : (k + 0.5) * d;
    const std::vector<Near> cells = ground.cells_at(depth);
    SampleLayer layer(ground, cells.size());
    if (thin) layer.across = 0;
    cover_level(ground, depth, layer, cells);
    even_out(ground, depth, cells, layer);
    std::vector<float> share = area_shares(layer);
    if (k == 0) first = layer;
    if (!thin) centre_on_parts(ground, layer, share);
    append(layer, share, out);
  }
  if (thin) return out;
  const std::vector<Near> cells = ground.cells_at(0);
  SampleLayer skin(ground, cells.size());
  skin.across = 0;
  const auto is_bare = [&](Candidate candidate) {
    candidate.valid = candidate.valid && !first.bins.any_within(candidate.place, bare * d);
    return candidate;
  };
  offer_all(cells.size(), skin,
            [&](std::size_t i) { return is_bare(ground.set_on(ground.middle(cells[i].cell, d), 0)); });
  if (!skin.place.empty()) {
    SampleLayer whole(ground, cells.size());
    whole.across = 0;
    cover_level(ground, 0, whole, cells);
    if (first.place.empty()) even_out(ground, 0, cells, whole);
    skin = SampleLayer(ground, cells.size());
    skin.across = 0;
    for (std::size_t i = 0; i < whole.place.size(); ++i) skin.offer(is_bare({whole.place[i], whole.normal[i], true}));
  }
  append(skin, skin_shares(skin, scale), out);
  return out;
}

}  // namespace vw
