#include "sim/interaction/fluid/fluid_voxels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "sim/base/cell_grid.h"
#include "sim/base/inertia.h"
#include "sim/collision/pose.h"

namespace vw {
namespace {

const ParamTable<FluidBodyParams>& fluid_voxels_params() {
  static const auto table = fluid_body_table("the voxels");
  return table;
}

/// Largest depth of the samples below the surface, in spacings. Fluid particles rest half a spacing outside the
/// surface, and their kernels extend to about this depth.
constexpr double deepest_spacings = 1.75;

/// Returns for each voxel the number of voxels between it and the surface, limited to `most`. The number is 0 for a
/// voxel at the surface.
std::vector<int> layers_of(const LatticeTopology& topology, std::span<const std::uint8_t> open_faces, int most) {
  std::vector<int> layer(topology.voxel_count(), most);
  std::vector<std::uint32_t> now, next;
  for (std::size_t v = 0; v < layer.size(); ++v)
    if (open_faces.empty() || open_faces[v] != 0) layer[v] = 0, now.push_back(static_cast<std::uint32_t>(v));
  for (int depth = 1; depth < most && !now.empty(); ++depth, now.swap(next)) {
    next.clear();
    for (const std::uint32_t v : now)
      for (int face = 0; face < face_count; ++face) {
        const std::int32_t neighbour = topology.neighbour(v, face);
        if (neighbour < 0 || layer[static_cast<std::size_t>(neighbour)] <= depth) continue;
        layer[static_cast<std::size_t>(neighbour)] = depth;
        next.push_back(static_cast<std::uint32_t>(neighbour));
      }
  }
  return layer;
}

/// Mass properties of a piece (a connected part of the body), treated as rigid, and the pending impulses of its voxels.
struct Whole {
  double mass = 0;
  Vec3 center = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
  /// Pending impulse [N s] and angular impulse about the centre [N m s].
  Vec3 pending = Vec3::Zero(), pending_turn = Vec3::Zero();
};

Whole whole_of(const Elements& e, std::span<const std::uint32_t> voxels, std::span<const Vec3> center) {
  Whole all;
  for (const std::uint32_t v : voxels) {
    all.mass += e.mass[v];
    all.center += e.mass[v] * center[v];
  }
  all.center /= all.mass;
  const bool waits = e.impulse.size() == e.size();
  for (const std::uint32_t v : voxels) {
    const Vec3 arm = center[v] - all.center;
    all.inertia += e.mass[v] * point_inertia(arm) + cube_inertia(e.mass[v], e.radius[v]) * Mat3::Identity();
    if (!waits) continue;
    all.pending += e.impulse[v];
    all.pending_turn += arm.cross(e.impulse[v]) + e.angular_impulse[v];
  }
  return all;
}

/// Returns the total area of the open faces [m^2]. An empty list means that all faces are open.
double open_area(std::span<const std::uint8_t> open_faces, std::size_t voxels, double edge_m) {
  std::size_t faces = open_faces.empty() ? face_count * voxels : 0;
  for (const std::uint8_t open : open_faces) faces += static_cast<std::size_t>(std::popcount(open));
  return static_cast<double>(faces) * edge_m * edge_m;
}

}  // namespace

const Schema& fluid_voxels_schema() {
  static const Schema schema{"fluid_voxel_body",
                             "Pressure and friction act between fluids and voxel bodies.",
                             fluid_voxels_params().specs(),
                             {},
                             "Fluids and voxel bodies"};
  return schema;
}

FluidVoxels::FluidVoxels(const Node& self) : FluidBodyRule(fluid_voxels_params(), self) {}

/// Adds the cells of a voxel that lie within `reach_m` of the surface. In the direction of a closed face, the distance
/// to the surface follows from the layer number of the neighbour behind that face.
void FluidVoxels::add_cells(const VoxelBody& body, std::size_t voxel, std::span<const int> layer, double reach_m) {
  const std::uint8_t open = open_of(voxel);
  const double edge = body.lattice().edge_m;
  const auto depth = [&](const Vec3& offset) {
    double nearest = std::numeric_limits<double>::infinity();
    for (int face = 0; face < face_count; ++face) {
      const double to_face = 0.5 * edge * (1 - face_normal(face).dot(offset));
      const std::int32_t neighbour = body.topology().neighbour(voxel, face);
      const bool shut = (open >> face & 1) == 0 && neighbour >= 0;
      nearest = std::min(nearest, to_face + (shut ? edge * layer[static_cast<std::size_t>(neighbour)] : 0.0));
    }
    return nearest;
  };
  for (int x = 0; x < cuts_; ++x)
    for (int y = 0; y < cuts_; ++y)
      for (int z = 0; z < cuts_; ++z) {
        const Vec3 offset = (2 * Vec3(x, y, z) + Vec3::Ones()) / cuts_ - Vec3::Ones();
        if (depth(offset) <= reach_m)
          samples_[pieces_.of(voxel)].push_back({static_cast<std::uint32_t>(voxel), offset});
      }
}

void FluidVoxels::find_held(const VoxelBody& body) {
  held_ = body.regions().fixed;
  for (const HeldVoxel& row : body.regions().held)
    if ((row.freedoms & all_translations) == all_translations) held_[row.voxel] = 1;
}

void FluidVoxels::sample(const VoxelBody& body, double spacing_m) {
  const Elements& e = body.elements();
  find_held(body);
  if (spacing_m == spacing_m_ && open_faces_ == e.open_faces && held_ == held_before_) return;
  held_before_ = held_;
  spacing_m_ = spacing_m;
  open_faces_ = e.open_faces;
  const double edge = body.lattice().edge_m, reach = deepest_spacings * spacing_m;
  cuts_ = std::max(1, static_cast<int>(std::ceil(edge / spacing_m - 0.2)));
  pieces_.update(body.topology(), held_);
  samples_.assign(pieces_.count(), {});
  voxels_.assign(pieces_.count(), {});
  held_voxels_.assign(pieces_.count(), {});
  issue_.reset();
  const bool coverable = can_cover(open_area(open_faces_, e.size(), edge), spacing_m, "voxel body");
  // A body has far fewer layers than the largest value, which keeps the ratio in the range of integers.
  constexpr double most_layers = 1e6;
  const int most = static_cast<int>(std::min(std::ceil(reach / edge), most_layers)) + 1;
  const std::vector<int> layer = layers_of(body.topology(), open_faces_, most);
  for (std::size_t v = 0; v < e.size(); ++v) {
    voxels_[pieces_.of(v)].push_back(static_cast<std::uint32_t>(v));
    if (held_[v] != 0) held_voxels_[pieces_.of(v)].push_back(static_cast<std::uint32_t>(v));
    if (coverable && layer[v] < most) add_cells(body, v, layer, reach);
  }
  added_volume_.resize(pieces_.count());
  for (std::size_t piece = 0; piece < added_volume_.size(); ++piece) added_volume_[piece] = added_volume(body, piece);
}

/// Returns the volume of water [m^3] that moves with the slowest deformation of a piece. A thin strip of width b that
/// moves across its faces drags along the water of a cylinder of diameter b (Newman 1977, "Marine hydrodynamics"). This
/// volume is pi b / 8 per unit of the area of both faces. For a piece, b is the second largest extent of the piece, and
/// the area is the total area of its open faces. For compact pieces the result is too large, which is safe.
double FluidVoxels::added_volume(const VoxelBody& body, std::size_t piece) const {
  const double edge = body.lattice().edge_m;
  Box3 box;
  std::size_t faces = 0;
  for (const std::uint32_t v : voxels_[piece]) {
    box.extend(body.rest_position(v));
    faces += static_cast<std::size_t>(std::popcount(open_of(v)));
  }
  Vec3 size = box.sizes() + Vec3::Constant(edge);
  std::sort(size.begin(), size.end());
  return std::numbers::pi / 8 * size[1] * static_cast<double>(faces) * edge * edge;
}

void FluidVoxels::start(System& a, System& b, const PairContext& context) {
  FluidBodyRule::start(a, b, context);
  // The settling of the fluid has called bring() at time 0, and the first substep of the fluid calls it again at time
  // 0. The filter must ignore the first of these calls.
  filter_.forget();
}

std::function<bool(const Vec3&)> FluidVoxels::inside(const System& body, double margin,
                                                     std::span<const std::uint8_t> rows) const {
  const Elements& e = body.elements();
  double reach = 0;
  for (const double radius : e.radius) reach = std::max(reach, std::sqrt(3.0) * (radius + margin));
  auto grid = std::make_shared<CellGrid>();
  grid->build(e.position, reach);
  return [&e, margin, grid, rows](const Vec3& point) {
    bool found = false;
    grid->near(point, [&](std::uint32_t v) {
      if (!rows.empty() && rows[v] == 0) return;
      const Vec3 apart = e.orientation[v].conjugate() * (point - e.position[v]);
      found = found || apart.cwiseAbs().maxCoeff() < e.radius[v] + margin;
    });
    return found;
  };
}

void FluidVoxels::bring(FluidSystem& fluid, System& body, const PairContext& context) {
  const auto& voxels = static_cast<const VoxelBody&>(body);
  sample(voxels, fluid.spacing());
  const Elements& e = voxels.elements();
  center_.resize(e.size());
  for (std::size_t v = 0; v < e.size(); ++v) center_[v] = e.position[v] + context.age_b * e.velocity[v];
  pieces_in_fluid_.clear();
  for (std::size_t piece = 0; piece < samples_.size(); ++piece) {
    double mass = 0;
    for (const std::uint32_t v : voxels_[piece]) mass += e.mass[v];
    const double added = fluid.highest_rest_density() * added_volume_[piece];
    pieces_in_fluid_.push_back({voxels_[piece], held_voxels_[piece], gain_for(added / mass)});
  }
  filter_.follow(e, center_, pieces_in_fluid_, context.step_a);
  for (std::size_t piece = 0; piece < samples_.size(); ++piece) add_guest(fluid, voxels, piece, context);
}

void FluidVoxels::apply(System& a, System& b, const PairContext& context) {
  FluidBodyRule::apply(a, b, context);
  for (std::size_t piece = 0; piece < wet_.size(); ++piece)
    if (wet_[piece] > 0) filter_.damp(b.elements(), pieces_in_fluid_[piece], wet_[piece] * context.dt / context.step_a);
}

/// Returns the solid block that represents a voxel in the fluid. At a face with a bonded neighbour, the block is longer
/// by a quarter of an edge, so that no gap opens when the body bends.
GuestBlock FluidVoxels::block_of(const VoxelBody& body, std::uint32_t voxel) const {
  const Elements& e = body.elements();
  GuestBlock block;
  block.center = center_[voxel];
  block.orientation = e.orientation[voxel];
  block.velocity = e.velocity[voxel];
  block.spin = e.angular_velocity[voxel];
  block.open_faces = open_of(voxel);
  if (held_[voxel] == 0) block.mass_kg = e.mass[voxel];
  block.low.setConstant(-e.radius[voxel]);
  block.high.setConstant(e.radius[voxel]);
  for (int face = 0; face < face_count; ++face) {
    const std::int32_t neighbour = body.topology().neighbour(voxel, face);
    if ((block.open_faces >> face & 1) != 0 || neighbour < 0) continue;
    const double apart = (center_[static_cast<std::size_t>(neighbour)] - center_[voxel]).norm();
    (face % 2 == 0 ? block.low : block.high)[face / 2] =
        (face % 2 == 0 ? -1 : 1) * (0.5 * apart + 0.5 * e.radius[voxel]);
  }
  return block;
}

/// Adds a piece (a connected part of the body) as one guest. Its samples move with the voxels, at velocities
/// filtered by DeformationFilter. Within one pressure solve, the piece responds as a rigid body.
void FluidVoxels::add_guest(FluidSystem& fluid, const VoxelBody& body, std::size_t piece, const PairContext& context) {
  const Elements& e = body.elements();
  Guest& guest = fluid.add_guest();
  guest.friction = params_.friction;
  guest.adhesion = params_.adhesion;
  Vec3 gained = Vec3::Zero(), spun = Vec3::Zero();
  const Whole whole = whole_of(e, voxels_[piece], center_);
  guest.center = whole.center;
  if (pieces_.is_free(piece)) {
    guest.mass_kg = whole.mass;
    guest.inverse_inertia = whole.inertia.inverse();
    gained = whole.pending / whole.mass + (context.age_b + context.step_a) * context.gravity;
    spun = guest.inverse_inertia * whole.pending_turn;
  }
  for (std::size_t s = 0; s < samples_[piece].size(); ++s) {
    const Sample& sample = samples_[piece][s];
    const std::uint32_t v = sample.voxel;
    if ((s == 0 || samples_[piece][s - 1].voxel != v) && open_of(v) != 0) {
      GuestBlock& block = guest.blocks.emplace_back(block_of(body, v));
      block.sample = static_cast<std::uint32_t>(s);
      block.velocity += gained + spun.cross(block.center - whole.center);
      block.spin += spun;
    }
    const Vec3 arm = filter_.orientation()[v] * (e.radius[v] * sample.offset), place = filter_.center()[v] + arm;
    const double edge = 2 * e.radius[v] / (cuts_ * spacing_m_);
    guest.place.push_back(place);
    guest.velocity.push_back(filter_.velocity()[v] + filter_.spin()[v].cross(arm) + gained +
                             spun.cross(place - whole.center));
    guest.share.push_back(static_cast<float>(edge * edge * edge));
    guest.part.push_back(v);
    guest.part_mass_kg.push_back(held_[v] == 0 ? e.mass[v] : std::numeric_limits<double>::infinity());
  }
  guest.impulse.assign(guest.place.size(), Vec3::Zero());
  guests_.push_back(&guest);
}

void FluidVoxels::collect(System& body) {
  const auto& radius = body.elements().radius;
  wet_.assign(samples_.size(), 0);
  for (std::size_t piece = 0; piece < guests_.size(); ++piece) {
    for (const GuestBlock& block : guests_[piece]->blocks) {
      const std::uint32_t voxel = samples_[piece][block.sample].voxel;
      given_.add_turn(voxel, block.turn);
      static_cast<VoxelBody&>(body).note_wet(voxel, block.wet);
    }
    for (std::size_t s = 0; s < samples_[piece].size(); ++s) {
      const Sample& sample = samples_[piece][s];
      // The fluid has moved the guest's samples on, but the centre is that at the start of the substep.
      const Vec3 offset = filter_.orientation()[sample.voxel] * (radius[sample.voxel] * sample.offset);
      const Vec3 arm = filter_.center()[sample.voxel] + offset - center_[sample.voxel];
      const Vec3 impulse = guests_[piece]->impulse[s];
      if (!impulse.isZero(0)) wet_[piece] += 1 / static_cast<double>(samples_[piece].size());
      given_.add(sample.voxel, impulse);
      given_.add_turn(sample.voxel, arm.cross(impulse));
    }
  }
}

}  // namespace vw
