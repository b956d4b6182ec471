#include "sim/system/fluid/forces/surface_wind.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/base/elementary/elementary.h"
#include "sim/base/parallel/parallel.h"
#include "sim/field/drag/face_drag.h"
#include "sim/field/drag/sphere_drag.h"
#include "sim/system/fluid/forces/forces_sweeps.h"
#include "sim/system/fluid/rows/row_images.h"

namespace vw {
namespace {

constexpr std::size_t wind_grain = 1024;
/// Thresholds of |concentration gradient| times the spacing. The top layer has values of 0.5 and more, at rest and in
/// splashes. Interior particles have less than 0.15.
constexpr double no_surface = 0.15, sure_surface = 0.35;
/// Limit of (density - own) / (1 - own) at which a particle no longer counts as isolated, where `own` is the relative
/// density of a particle without neighbours (own_density()). With Wendland's kernel `own` is 0.40, and a neighbour at
/// one spacing adds 0.076 to the density, so two such neighbours exceed the limit.
constexpr double lone_within = 0.2;
/// Sums of weight() over lattices of spacing H / 2, with the support radius H. `plane_weight` is the sum over a plane.
/// `before_wall` is the sum over the fluid in front of a wall, for a sample half a spacing behind the surface. This
/// fluid fills the half space that begins one spacing away from the sample.
constexpr double plane_weight = 1.86259;
constexpr float before_wall = 0.3F;

double ramp(double x, double from, double to) {
  const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

/// Returns Wendland's kernel, normalised to 1 at q = 0.
float weight(float q) {
  const float t = std::max(0.0F, 1 - q), square = t * t;
  return square * square * (1 + 4 * q);
}

/// Returns the relative density of a particle without neighbours.
double own_density(const SphWorkspace& space) {
  return lattice_factor(space.scale.kernel) * kernel_shape(space.scale.kernel, 0) / 8;
}

/// Submerged fractions of the faces of the blocks of a guest (coupled body, guest.h). The fraction of a face is the
/// mean over the samples in the layer next to the face. The fraction of a sample follows from the fluid in front of the
/// face.
class WetFaces {
 public:
  WetFaces(const Guest& guest, const SphScale& scale)
      : inverse_reach_(1 / scale.reach_m()), behind_(0.5 * scale.spacing_m) {
    near_.resize(guest.place.size());
    for (std::size_t b = 0; b < guest.blocks.size(); ++b) {
      const GuestBlock& block = guest.blocks[b];
      turn_.emplace_back(block.orientation.conjugate().toRotationMatrix());
      radius_.push_back(half_edge(block));
      const std::size_t end = b + 1 < guest.blocks.size() ? guest.blocks[b + 1].sample : near_.size();
      for (std::size_t s = block.sample; s < end; ++s) {
        Near& near = near_[s];
        near.at = turn_[b] * (guest.place[s] - block.center);
        if (!(near.at.cwiseAbs().maxCoeff() < radius_[b])) continue;  // The sample belongs to a voxel behind the block.
        near.block = static_cast<std::uint32_t>(b);
        const double cell = elementary::cbrt(static_cast<double>(guest.share[s])) * scale.spacing_m;
        for (int face = 0; face < 6; ++face)
          if ((block.open_faces >> face & 1) != 0 && radius_[b] - along(near.at, face) < 0.75 * cell)
            near.faces = static_cast<std::uint8_t>(near.faces | 1U << face);
      }
    }
  }
  void add(std::size_t sample, const Vec3& to_row) {
    Near& near = near_[sample];
    if (near.faces == 0) return;
    const double radius = radius_[near.block];
    const Vec3 row = near.at + turn_[near.block] * to_row;
    for (int face = 0; face < 6; ++face) {
      if ((near.faces >> face & 1) == 0 || !(along(row, face) > radius)) continue;
      Vec3 way = row - near.at;  // The vector starts half a spacing behind the face.
      way[face / 2] = along(row, face) - (radius - behind_);
      near.wet[static_cast<std::size_t>(face)] += weight(static_cast<float>(inverse_reach_ * way.norm())) / before_wall;
    }
  }
  void tell(Guest& guest) const {
    std::vector<std::array<float, 6>> count(guest.blocks.size(), std::array<float, 6>{});
    for (GuestBlock& block : guest.blocks) block.wet = {};
    for (const Near& near : near_)
      for (std::size_t face = 0; face < 6; ++face) {
        if ((near.faces >> face & 1) == 0) continue;
        guest.blocks[near.block].wet[face] += std::min(near.wet[face], 1.0F);
        count[near.block][face] += 1;
      }
    for (std::size_t b = 0; b < count.size(); ++b)
      for (std::size_t face = 0; face < 6; ++face)
        if (count[b][face] > 0) guest.blocks[b].wet[face] /= count[b][face];
  }

 private:
  struct Near {
    std::uint32_t block = 0;
    std::uint8_t faces = 0;  ///< Bit mask of the faces next to the sample.
    Vec3 at = Vec3::Zero();  ///< Position in the block's frame.
    std::array<float, 6> wet{};
  };
  static double along(const Vec3& at, int face) { return face % 2 == 0 ? -at[face / 2] : at[face / 2]; }
  /// Returns half the edge length of the block, measured at an open face, since the block extends into its neighbours
  /// at closed faces.
  static double half_edge(const GuestBlock& block) {
    for (int face = 0; face < 6; ++face)
      if ((block.open_faces >> face & 1) != 0) return along(face % 2 == 0 ? block.low : block.high, face);
    return 0;
  }

  double inverse_reach_, behind_;
  std::vector<Near> near_;  ///< One entry per sample.
  std::vector<Mat3> turn_;  ///< One entry per block.
  std::vector<double> radius_;
};

float distance(const Float4& a, const Float4& b) {
  const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return std::sqrt(x * x + y * y + z * z);
}

}  // namespace

/// Smooths the normals: replaces each normal by the weighted sum of the normals around it. find_areas() normalises the
/// sums.
void FluidSurface::even_normals(const SphWorkspace& space) {
  even_.resize(normal_.size());
  even_[space.size()] = {};  // Padding row.
  vector_mean_sweep(space.input(), normal_.data(), std::span(even_).first(space.size()));
  copy_to_images(space, even_);
  normal_.swap(even_);
}

/// For each surface particle, sums weight() over the surface particles around it and writes the sum to even_.x.
/// Distances are measured between points on the surface, half a spacing outward from the particles.
void FluidSurface::find_areas(const SphWorkspace& space) {
  const auto out = static_cast<float>(0.5 * space.scale.spacing_m);
  on_surface_.resize(normal_.size());
  parallel_for(normal_.size(), wind_grain, [&](Range range, std::size_t) {
    for (std::size_t k = range.begin; k < range.end; ++k) {
      Float4& n = normal_[k];
      const Float4& at = space.rows[k];
      if (const float length = std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z); length > 0)
        n.x /= length, n.y /= length, n.z /= length;
      on_surface_[k] = {at.x - out * n.x, at.y - out * n.y, at.z - out * n.z, n.w};
    }
  });
  SweepInput input = space.input();
  input.rows = on_surface_.data();
  weight_sweep(input, std::span(even_).first(space.size()));
}

const std::vector<SurfaceRow>& FluidSurface::find(const SphWorkspace& space) {
  const std::size_t n = space.size();
  rows_.clear();
  if (space.fully_periodic_full) return rows_;
  const double d = space.scale.spacing_m, own = own_density(space);
  const auto lone = [&](std::size_t k) {
    return std::clamp(1 - (static_cast<double>(space.density[k].density) - own) / (lone_within * (1 - own)), 0.0, 1.0);
  };
  normal_.assign(space.rows.size(), Float4{});
  concentration_sweep(space.input(), std::span(normal_).first(n));
  parallel_for(n, wind_grain, [&](Range range, std::size_t) {
    for (std::size_t k = range.begin; k < range.end; ++k)
      normal_[k].w = static_cast<float>((1 - lone(k)) * ramp(d * xyz(normal_[k]).norm(), no_surface, sure_surface));
  });
  copy_to_images(space, normal_);
  even_normals(space);
  even_normals(space);
  find_areas(space);
  found_.resize(chunk_count(n, wind_grain));
  parallel_for(n, wind_grain, [&](Range range, std::size_t chunk) {
    found_[chunk].clear();
    for (std::size_t k = range.begin; k < range.end; ++k) {
      const SurfaceRow row{static_cast<std::uint32_t>(k), -xyz(normal_[k]),
                           normal_[k].w > 0 ? static_cast<double>(normal_[k].w / even_[k].x) * plane_weight * d * d : 0,
                           lone(k)};
      if (row.area > 0 || row.lone > 0) found_[chunk].push_back(row);
    }
  });
  for (const auto& part : found_) rows_.insert(rows_.end(), part.begin(), part.end());
  return rows_;
}

void SurfaceWind::find_wet(const SphWorkspace& space, const AirAbove& air, std::span<const Walls::Owner> owners,
                           std::span<Guest> guests) {
  if (guests.empty() || air.fields == nullptr || !air.fields->is_felt()) return;
  std::vector<std::optional<WetFaces>> faces(guests.size());
  for (std::size_t g = 0; g < guests.size(); ++g) {
    // In later parts of a split substep `wet` is not empty, and the faces keep the fractions of the first part.
    if (!guests[g].blocks.empty() && guests[g].wet.empty()) faces[g].emplace(guests[g], space.scale);
    guests[g].wet.assign(guests[g].place.size(), 0);
  }
  const auto inverse_reach = static_cast<float>(1 / space.scale.reach_m());
  for (const PairChunk& chunk : space.lists.chunks())
    for (const Cluster& cluster : chunk.clusters)
      for (std::uint32_t k = cluster.wall_begin; k < cluster.wall_end; ++k) {
        const std::uint32_t wall = chunk.walls[k];
        if (wall >= owners.size() || owners[wall].guest < 0) continue;
        const auto g = static_cast<std::size_t>(owners[wall].guest);
        float& wet = guests[g].wet[owners[wall].sample];
        for (std::uint32_t row = cluster.row; row < cluster.row + cluster.rows; ++row) {
          wet += weight(inverse_reach * distance(space.rows[row], space.walls.rows[wall])) / before_wall;
          if (faces[g]) faces[g]->add(owners[wall].sample, xyz(space.rows[row]) - xyz(space.walls.rows[wall]));
        }
      }
  for (std::size_t g = 0; g < guests.size(); ++g) {
    for (float& wet : guests[g].wet) wet = std::min(wet, 1.0F);
    if (faces[g]) faces[g]->tell(guests[g]);
  }
}

Vec3 SurfaceWind::push(SphWorkspace& space, const AirAbove& air, const SurfaceWindParams& params, double dt) {
  if (air.fields == nullptr || !params.wind || !air.fields->is_felt()) return Vec3::Zero();
  const std::vector<SurfaceRow>& rows = surface_.find(space);
  place_.resize(rows.size()), wind_.resize(rows.size()), given_.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) place_[i] = space.origin + xyz(space.rows[rows[i].row]);
  air.fields->velocity(place_, air.time, wind_);
  const FaceDrag drag{params.wind_drag, params.wind_friction, air.fields->density_or(params.air_density)};
  const Medium medium = air.fields->medium_or({.density = params.air_density});
  const double volume = space.scale.volume_m3(), ball = elementary::cbrt(3 * volume / (4 * pi));
  const double radius = params.spray_size_m > 0 ? std::min(0.5 * params.spray_size_m, ball) : ball;
  parallel_for(rows.size(), wind_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const SurfaceRow& row = rows[i];
      Float4& v = space.motion[row.row];
      const double density = 1 / static_cast<double>(space.inverse_density[row.row]), mass = density * volume;
      const Vec3 u = wind_[i] - xyz(v);
      Vec3 change = dt / mass * face_force(drag, u, row.normal, row.area);
      if (const double most = u.norm(); change.squaredNorm() > most * most) change *= most / change.norm();
      if (row.lone > 0) {
        const double drop = 4.0 / 3 * pi * radius * radius * radius * density;
        const double share =
            dt * row.lone * sphere_drag_rate({medium.density, medium.viscosity}, radius, drop, u.norm());
        // The drag is implicit, so drops never become faster than the wind.
        change += share / (1 + share) * (u - change);
      }
      v.x += static_cast<float>(change.x()), v.y += static_cast<float>(change.y()),
          v.z += static_cast<float>(change.z());
      given_[i] = mass * change;
    }
  });
  copy_to_images(space, space.motion);
  Vec3 sum = Vec3::Zero();
  for (const Vec3& impulse : given_) sum += impulse;
  return sum;
}

const ParamTable<SurfaceWindParams>& surface_wind_params() {
  using W = SurfaceWindParams;
  static const ParamTable<W> table{
      Param<W>{.member = &W::wind,
               .key = "wind",
               .label = "Affected by wind",
               .live = Live::yes,
               .doc = "Whether wind acts on the free surface of the fluid and on spray."},
      Param<W>{.member = &W::wind_friction,
               .key = "wind_friction",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Coefficient of the friction between wind and fluid surface. If the wind blows over the surface "
                      "at the relative speed u, the shear stress is wind_friction * air_density * u^2 / 2. The default "
                      "0.0024 holds for the sea, if u is the wind speed at a height of 10 m."},
      Param<W>{.member = &W::wind_drag,
               .key = "wind_drag",
               .unit = Unit::ratio,
               .range = {0, 10},
               .live = Live::yes,
               .doc = "Pressure coefficient of the sides of waves that face the wind. If the wind blows against such a "
                      "side at the speed u_n along its normal, the pressure is wind_drag * air_density * u_n^2 / 2."},
      Param<W>{.member = &W::spray_size_m,
               .key = "spray_size",
               .unit = Unit::meter,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Diameter of the drops of spray. A particle of the fluid without neighbours moves in the wind "
                      "like such drops. Smaller drops follow the wind sooner. Drops are at most as large as the "
                      "particle. 0 means one drop with the volume of the particle."},
      Param<W>{.member = &W::air_density,
               .key = "air_density",
               .unit = Unit::kilogram_per_m3,
               .range = {0, 1e4},
               .live = Live::yes,
               .doc = "Density of the air, for the forces of wind. If the world has a medium, `world.medium_density` "
                      "replaces this value."},
  };
  return table;
}

}  // namespace vw
