// Declarations of fills and construction of their lattices.
#include "sim/system/fluid/flows/fill.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "sim/base/cell_grid.h"
#include "sim/base/data/node_kind.h"
#include "sim/base/elementary/elementary.h"
#include "sim/base/parallel/parallel.h"
#include "sim/collision/mesh/triangle_mesh.h"
#include "sim/collision/pose.h"
#include "sim/collision/shape/mass_properties.h"
#include "sim/collision/shape/shape_params.h"

namespace vw {
namespace {

struct FillParams : ShapeParams {
  std::string phase;
  Vec3 position{0, 0, 0};
  Vec3 rotation{0, 0, 0};
  Vec3 velocity{0, 0, 0};
};

using Params = ParamTable<FillParams>;

Params common_params() {
  using P = FillParams;
  return {
      Param<P>{.member = &P::phase,
               .key = "phase",
               .refers_to = "phase",
               .doc = "Name of the phase (liquid) that fills the shape. Empty means the first phase of the fluid."},
      Param<P>{.member = &P::position,
               .key = "position",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .doc = "Centre of the shape. For a mesh, this is the position of the origin of the mesh."},
      Param<P>{.member = &P::rotation,
               .key = "rotation",
               .unit = Unit::radian,
               .range = {-100, 100},
               .doc = "Orientation of the shape as a rotation vector, which is the rotation axis times the angle."},
      Param<P>{.member = &P::velocity,
               .key = "velocity",
               .unit = Unit::meter_per_second,
               .range = {-1e3, 1e3},
               .doc = "Initial velocity of the fluid in the shape."},
  };
}

struct Kind : NodeKind<FillParams> {
  Kind(ShapeKind which, const char* name, const char* doc)
      : NodeKind<FillParams>(name, doc, Params{shape_params(which, Live::no), common_params()}), shape(which) {}
  ShapeKind shape;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{{ShapeKind::box, "box", "A box full of fluid."},
                                     {ShapeKind::capsule, "capsule", "A capsule along y that is full of fluid."},
                                     {ShapeKind::cylinder, "cylinder", "A cylinder along y that is full of fluid."},
                                     {ShapeKind::mesh, "mesh", "A closed mesh full of fluid."},
                                     {ShapeKind::sphere, "sphere", "A ball of fluid."}};
  return all;
}

Result<SourcedShape> shape_of(const Node& self, ShapeKind kind, const FillParams& p) {
  if (kind == ShapeKind::mesh && p.source.empty())
    return wrong_value(self.line, "source", "\"\"", "must name a mesh file");
  auto made = make_shape(kind, p);
  if (made) return made;
  // The error names the line of the scene. The message of the mesh reader, which is appended, names the mesh file.
  return wrong_value(self.line, "source", '"' + p.source.substr(0, 160) + '"',
                     "must be a readable mesh (.obj, .stl, .ply, .gltf, .glb): " + made.error().message());
}

/// The lattice of a box may be stretched or compressed by this fraction along an axis. A lattice that is stretched by
/// 5 % along one axis and compressed along another at the same volume has a relative density of at most 1.001.
constexpr double most_stretch = 0.05;
/// Accepted relative difference between the volume of a box and the volume of the box's lattice of whole layers. The
/// spacing compensates for the difference (fitted_spacing()).
constexpr double most_volume_error = 0.005;
/// Largest relative change of the spacing by fitted_spacing().
constexpr double most_fit = 0.02;

using Counts = std::array<std::int64_t, 3>;  ///< Number of sites along x, y, z.

/// A lattice in the shape's own frame.
struct Lattice {
  Vec3 first = Vec3::Zero();
  Vec3 pitch = Vec3::Zero();  ///< Distance between sites along each axis [m].
  Counts count{};
  std::int64_t top_sites = -1;  ///< Number of sites in the layer of highest y, or -1 if that layer is full.
  double top_y = 0;             ///< Height of the layer of highest y if it is not full [m].
};

/// Returns the numbers of sites along a box's edges with which whole layers fill the box from face to face, and with
/// which the volume per site is nearest to the cubed spacing. Returns nullopt if these volumes differ by more than the
/// fraction `most_error`, or if an edge of a site's cell differs from the spacing by more than most_stretch.
std::optional<Counts> whole_layers(const Vec3& length, double spacing, double most_error) {
  std::optional<Counts> best;
  double least = most_error;
  for (int choice = 0; choice < 8; ++choice) {
    Counts counts{};
    double volume = 1;
    bool is_even = true;
    for (std::size_t a = 0; a < 3; ++a) {
      const double edges = length[static_cast<Eigen::Index>(a)] / spacing, down = std::floor(edges * (1 + 1e-9) + 1e-6);
      const double count = std::max(1.0, (choice >> a & 1) == 0 ? down : std::ceil(edges * (1 - 1e-9) - 1e-6));
      counts[a] = static_cast<std::int64_t>(count);
      volume *= count / edges;
      is_even = is_even && std::abs(edges / count - 1) <= most_stretch;
    }
    if (!is_even || std::abs(volume - 1) > least) continue;
    least = std::abs(volume - 1) * (1 - 1e-6);  // Prefers the first of equally good choices.
    best = counts;
  }
  return best;
}

/// Returns the lattice of a box: whole layers if they fit. Otherwise the sites span the box in x and z, so that no gap
/// is left between the fluid and walls around the box. In y, the layers have the spacing that the volume requires, and
/// the top layer has only as many sites as the box's volume needs. A box thinner than 0.95 spacings has no sites.
Lattice box_lattice(const Vec3& half, double spacing) {
  Lattice lattice;
  const Vec3 length = 2 * half;
  if (const auto counts = whole_layers(length, spacing, most_volume_error)) {
    lattice.count = *counts;
    for (int a = 0; a < 3; ++a) {
      const auto count = static_cast<double>(lattice.count[static_cast<std::size_t>(a)]);
      const double stretch = length[a] / count / spacing - 1;
      lattice.pitch[a] = std::abs(stretch) > 1e-9 ? length[a] / count : spacing;
      lattice.first[a] = a == 1 ? -half[a] + 0.5 * lattice.pitch[a] : -0.5 * (count - 1) * lattice.pitch[a];
    }
    return lattice;
  }
  if (length.minCoeff() < (1 - most_stretch) * spacing) return lattice;
  double usual = spacing;
  for (const int a : {0, 2}) {
    const double count = std::max(1.0, std::round(length[a] / usual));
    lattice.count[static_cast<std::size_t>(a)] = static_cast<std::int64_t>(count);
    lattice.pitch[a] = length[a] / count;
    lattice.first[a] = -0.5 * (count - 1) * lattice.pitch[a];
    usual *= spacing / lattice.pitch[a];
  }
  const double layers = length.y() / usual, whole = std::floor(layers), part = layers - whole;
  lattice.pitch.y() = usual;
  lattice.first.y() = -half.y() + 0.5 * usual;
  lattice.count[1] = static_cast<std::int64_t>(whole);
  const auto top_sites =
      static_cast<std::int64_t>(std::llround(part * static_cast<double>(lattice.count[0] * lattice.count[2])));
  if (top_sites > 0) {
    ++lattice.count[1];
    lattice.top_sites = top_sites;
    lattice.top_y = -half.y() + (whole + 0.5 * part) * usual;
  }
  return lattice;
}

/// Thins out the last layer evenly: keeps the sites with the lowest values of an additive recurrence with the
/// generalised golden ratio of the plane (Roberts 2018, "The unreasonable effectiveness of quasirandom sequences").
void thin_top(const Lattice& lattice, const Fill& fill, std::vector<Vec3>& sites) {
  const auto per_layer = static_cast<std::size_t>(lattice.count[0] * lattice.count[2]);
  const auto keep = static_cast<std::size_t>(lattice.top_sites);
  constexpr double a1 = 0.7548776662466927, a2 = 0.5698402909980532;
  std::vector<std::pair<double, std::size_t>> rank(per_layer);
  for (std::size_t k = 0; k < per_layer; ++k) {
    const auto x = static_cast<double>(k % static_cast<std::size_t>(lattice.count[0])),
               z = std::floor(static_cast<double>(k) / static_cast<double>(lattice.count[0]));
    const double value = a1 * x + a2 * z;
    rank[k] = {value - std::floor(value), k};
  }
  std::sort(rank.begin(), rank.end());
  rank.resize(std::min(keep, per_layer));
  std::sort(rank.begin(), rank.end(), [](const auto& one, const auto& other) { return one.second < other.second; });
  const std::size_t first = sites.size() - per_layer;
  const double usual_y = lattice.first.y() + static_cast<double>(lattice.count[1] - 1) * lattice.pitch.y();
  const Vec3 lower = fill.orientation * Vec3(0, lattice.top_y - usual_y, 0);
  for (std::size_t k = 0; k < rank.size(); ++k) sites[first + k] = sites[first + rank[k].second] + lower;
  sites.resize(first + rank.size());
}

Lattice lattice_over(const Box3& box, double spacing) {
  constexpr double countable = 1e15;  // Upper limit of a count, because a mesh may have any scale.
  Lattice lattice;
  lattice.pitch.setConstant(spacing);
  for (int a = 0; a < 3; ++a) {
    const double fits = std::clamp(std::ceil(box.sizes()[a] / spacing - 1e-6), 0.0, countable);
    lattice.count[static_cast<std::size_t>(a)] = static_cast<std::int64_t>(fits);
    lattice.first[a] = box.center()[a] - 0.5 * (fits - 1) * spacing;
  }
  return lattice;
}

/// Half-open range of lattice sites along x, y, z.
struct SiteBlock {
  std::array<std::int64_t, 3> low{}, high{};
  [[nodiscard]] std::int64_t length(std::size_t axis) const { return high[axis] - low[axis]; }
  [[nodiscard]] bool empty() const { return length(0) <= 0 || length(1) <= 0 || length(2) <= 0; }
};

/// Finds the sites inside a shape by recursive bisection. If the centre of a block is farther from the surface than
/// from the block's corners, one query decides the whole block. Thus a vast shape, or a mesh that fills little of its
/// bounding box, is not tested site by site.
class SiteSearch {
 public:
  SiteSearch(const Fill& fill, const Lattice& lattice, double spacing, std::size_t most)
      : fill_(fill), lattice_(lattice), spacing_(spacing), most_(most) {}

  /// Returns the sites layer by layer, and row by row in each layer. Returns at most one site more than the limit.
  [[nodiscard]] std::vector<Vec3> run() {
    layers({{0, 0, 0}, lattice_.count}, std::holds_alternative<BoxShape>(fill_.shape));
    return std::move(sites_);
  }

 private:
  enum class Side { outside, inside, both };

  [[nodiscard]] Vec3 site(const std::array<std::int64_t, 3>& at) const {
    const Vec3 steps(static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2]));
    return lattice_.first + lattice_.pitch.cwiseProduct(steps);
  }
  [[nodiscard]] bool full() const { return sites_.size() + layer_.size() > most_; }

  [[nodiscard]] Side side_of(const SiteBlock& block) const {
    const Vec3 low = site(block.low), high = site({block.high[0] - 1, block.high[1] - 1, block.high[2] - 1});
    const double corner = 0.5 * (high - low).norm(), rounding = corner > 0 ? 1e-9 * (corner + spacing_) : 0;
    const double distance = query(fill_.shape, 0.5 * (low + high), corner + spacing_).distance;
    return distance >= corner + rounding ? Side::outside : distance < -corner - rounding ? Side::inside : Side::both;
  }

  template <class Next>
  static void halve(const SiteBlock& block, std::size_t axis, const Next& next) {
    SiteBlock first = block, second = block;
    first.high[axis] = second.low[axis] = block.low[axis] + block.length(axis) / 2;
    next(first);
    next(second);
  }

  void layers(const SiteBlock& block, bool is_inside) {
    if (block.empty() || full()) return;
    const Side side = is_inside ? Side::inside : side_of(block);
    if (side == Side::outside) return;
    if (block.length(1) > 1) return halve(block, 1, [&](const SiteBlock& half) { layers(half, side == Side::inside); });
    one_layer(block, side);
    std::sort(layer_.begin(), layer_.end());
    for (const auto& [z, x] : layer_) sites_.push_back(fill_.position + fill_.orientation * site({x, block.low[1], z}));
    layer_.clear();
  }

  void one_layer(const SiteBlock& block, Side side) {
    if (side == Side::outside || full()) return;
    if (side == Side::inside) {
      for (std::int64_t z = block.low[2]; z < block.high[2] && !full(); ++z)
        for (std::int64_t x = block.low[0]; x < block.high[0] && !full(); ++x) layer_.emplace_back(z, x);
      return;
    }
    const std::size_t axis = block.length(2) > block.length(0) ? 2 : 0;
    if (block.length(axis) > 1) halve(block, axis, [&](const SiteBlock& half) { one_layer(half, side_of(half)); });
  }

  const Fill& fill_;
  const Lattice& lattice_;
  double spacing_;
  std::size_t most_;
  std::vector<Vec3> sites_;
  std::vector<std::pair<std::int64_t, std::int64_t>> layer_;  ///< z and x of the sites found in the current layer.
};

/// Whether the shape is a mesh without an inside.
bool is_sheet(const Shape& shape) {
  const auto* data = std::get_if<std::shared_ptr<const Geometry>>(&shape);
  const auto* mesh = data != nullptr ? dynamic_cast<const TriangleMesh*>(data->get()) : nullptr;
  return mesh != nullptr && mesh->report().inside == MeshInside::nowhere;
}

/// Returns a flag for each site: 1 if the site is clear of obstacles and of existing particles.
std::vector<std::uint8_t> free_sites(const std::vector<Vec3>& sites, double spacing,
                                     std::span<const Collider> colliders, const FluidRows& rows) {
  // A site is free if it lies at least `to_wall` (almost 0) outside all obstacles. The sites inside the shape of the
  // fill are selected in a similar way, so the number of particles matches the free volume. relax_fills() then resolves
  // overlaps. A site must also be at least `to_other` away from existing particles. Beside another lattice, this leaves
  // a gap that is, on average, slightly wider than half a spacing.
  const double to_wall = 0.02 * spacing, to_other = 0.7 * spacing;
  CellGrid others;
  others.build(rows.elements.position, to_other);
  std::vector<std::uint8_t> is_free(sites.size(), 1);
  parallel_for(sites.size(), 1024, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      bool clear = std::none_of(colliders.begin(), colliders.end(),
                                [&](const Collider& c) { return comes_within(c, sites[i], to_wall); });
      if (rows.size() > 0 && clear)
        others.near(sites[i], [&](std::uint32_t k) {
          clear = clear && (rows.elements.position[k] - sites[i]).norm() >= to_other;
        });
      is_free[i] = clear ? 1 : 0;
    }
  });
  return is_free;
}

/// Adds particles at the free sites. Returns the number of the other sites.
std::size_t place_at(const std::vector<Vec3>& sites, FluidRows::Birth birth, double spacing,
                     std::span<const Collider> colliders, FluidRows& rows) {
  const std::vector<std::uint8_t> is_free = free_sites(sites, spacing, colliders, rows);
  rows.reserve(rows.size() + sites.size());
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (is_free[i] == 0) {
      ++left_out;
      continue;
    }
    birth.position = sites[i];
    rows.add(birth);
  }
  return left_out;
}

}  // namespace

const std::vector<const Schema*>& fill_schemas() {
  static const std::vector<const Schema*> schemas = schemas_of(kinds());
  return schemas;
}

Result<Fill> make_fill(const Node& self, std::span<const FluidPhase> phases) {
  const Kind& kind = kind_of(kinds(), self);
  const FillParams p = kind.read(self);
  auto made = shape_of(self, kind.shape, p);
  if (!made) return Unexpected(made.error());
  const auto phase = find_phase(phases, self, p.phase);
  if (!phase) return Unexpected(phase.error());
  return Fill{std::move(made->shape), p.position, rotation_of(p.rotation), p.velocity, *phase};
}

std::vector<Vec3> fill_sites(const Fill& fill, double spacing_m, std::size_t most) {
  if (is_sheet(fill.shape)) return {};  // A sheet contains no sites. The search would test every site near its surface.
  if (const auto* box = std::get_if<BoxShape>(&fill.shape)) {
    const Lattice lattice = box_lattice(box->half_extent_m, spacing_m);
    std::vector<Vec3> sites = SiteSearch(fill, lattice, spacing_m, most).run();
    if (lattice.top_sites >= 0 && sites.size() <= most) thin_top(lattice, fill, sites);
    return sites;
  }
  // Tries lattices with slightly different pitches and takes one whose number of sites times the cubed pitch is close
  // to the volume of the shape.
  constexpr double near_enough = 0.01, change = 0.005;
  constexpr int most_tries = 9;
  const double volume = fill_volume(fill);
  std::vector<Vec3> best;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_tries && least > near_enough; ++k) {
    const double pitch = spacing_m * (1 + change * ((k + 1) / 2) * (k % 2 == 0 ? 1 : -1));
    std::vector<Vec3> sites = SiteSearch(fill, lattice_over(bounds(fill.shape), pitch), spacing_m, most).run();
    const double error =
        volume > 0 ? std::abs(static_cast<double>(sites.size()) * pitch * pitch * pitch / volume - 1) : 0;
    if (error < least) least = error, best = std::move(sites);
    if (best.empty() || best.size() > most) break;
  }
  return best;
}

double fill_volume(const Fill& fill) { return mass_properties(fill.shape).volume_m3; }

double fitted_spacing(std::span<const Fill> fills, double spacing_m) {
  const BoxShape* largest = nullptr;
  double most = 0;
  for (const Fill& fill : fills)
    if (const auto* box = std::get_if<BoxShape>(&fill.shape); box != nullptr && box->half_extent_m.prod() > most)
      largest = box, most = box->half_extent_m.prod();
  if (largest == nullptr) return spacing_m;
  const Vec3 length = 2 * largest->half_extent_m;
  const auto counts = whole_layers(length, spacing_m, 3 * most_fit);
  if (!counts) return spacing_m;
  double sites = 1;
  for (const std::int64_t count : *counts) sites *= static_cast<double>(count);
  const double fitted = elementary::cbrt(length.prod() / sites);
  return std::abs(fitted / spacing_m - 1) > 1e-9 ? fitted : spacing_m;
}

void FillBalance::add(double volume_m3, std::size_t sites, std::size_t left_out) {
  if (volume_m3 > 0 && sites > 0)
    all_.push_back({volume_m3, static_cast<double>(sites - left_out), static_cast<double>(sites)});
}

double FillBalance::fitted(double spacing_m) const {
  constexpr double most_change = 0.05;
  double asked = 0, placed = 0;
  for (const One& one : all_) asked += one.volume_m3 * one.placed / one.sites, placed += one.placed;
  if (!(placed > 0)) return spacing_m;
  const double fitted = elementary::cbrt(asked / placed), change = std::abs(fitted / spacing_m - 1);
  return change > 1e-9 && change <= most_change ? fitted : spacing_m;
}

double FillBalance::error(double spacing_m) const {
  double worst = 0;
  for (const One& one : all_) {
    const double error = one.sites * spacing_m * spacing_m * spacing_m / one.volume_m3 - 1;
    if (std::abs(error) > std::abs(worst) && std::abs(error) > 1e-9) worst = error;
  }
  return worst;
}

std::size_t place_fill(const Fill& fill, std::vector<Vec3> sites, const FluidDomain& domain, double spacing_m,
                       std::span<const FluidPhase> phases, std::span<const Collider> colliders, FluidRows& rows) {
  FluidRows::Birth birth;
  birth.velocity = fill.velocity;
  birth.mass_kg = phases[fill.phase].density_kgpm3 * spacing_m * spacing_m * spacing_m;
  birth.radius_m = 0.5 * spacing_m;
  birth.phase = fill.phase;
  const auto first_beyond =
      std::stable_partition(sites.begin(), sites.end(), [&](const Vec3& site) { return domain.wrapped(site) == site; });
  std::vector<Vec3> beyond(first_beyond, sites.end());
  sites.erase(first_beyond, sites.end());
  std::size_t left_out = place_at(sites, birth, spacing_m, colliders, rows);
  if (beyond.empty()) return left_out;
  for (Vec3& site : beyond) site = domain.wrapped(site);
  return left_out + place_at(beyond, birth, spacing_m, colliders, rows);
}

}  // namespace vw
