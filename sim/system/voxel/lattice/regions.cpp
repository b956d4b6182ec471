// Resolves regions to voxels and applies the constraints of constrained voxels.
#include "sim/system/voxel/lattice/regions.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/collision/pose.h"
#include "sim/system/voxel/lattice/region_shape.h"

namespace vw {
namespace {

const std::vector<std::string>& freedom_names() {
  static const std::vector<std::string> names{"x", "y", "z", "rx", "ry", "rz"};  // in the order of HeldVoxel::freedoms
  return names;
}

/// Returns the degrees of freedom that a region constrains, as bits. read_regions() has rejected unknown names.
std::uint8_t held_freedoms(const VoxelRegion& region) {
  if (!region.fixed) return 0;
  if (region.freedoms.empty()) return all_freedoms;
  unsigned bits = 0;
  const auto& names = freedom_names();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::find(region.freedoms.begin(), region.freedoms.end(), names[i]) != region.freedoms.end()) bits |= 1U << i;
  return static_cast<std::uint8_t>(bits);
}

/// Adds a region's constraints to the voxel's constraints from earlier regions.
void hold(const VoxelRegion& region, std::uint8_t freedoms, HeldVoxel& voxel) {
  bool moved = false;
  for (int i = 0; i < 3; ++i) {
    if ((freedoms >> i & 1) != 0)
      voxel.displacement[i] = region.displacement[i], moved = moved || region.displacement[i] != 0;
    if ((freedoms >> (i + 3) & 1) != 0)
      voxel.rotation[i] = region.rotation[i], moved = moved || region.rotation[i] != 0;
  }
  voxel.freedoms = static_cast<std::uint8_t>(voxel.freedoms | freedoms);
  if (moved) voxel.ramp_s = region.ramp_s;
}

void share_out(const Vec3& total, const std::vector<std::size_t>& voxels, std::size_t count, std::vector<Vec3>& out) {
  if (total.isZero(0) || voxels.empty()) return;
  if (out.empty()) out.assign(count, Vec3::Zero());
  for (const std::size_t v : voxels) out[v] += total / static_cast<double>(voxels.size());
}

/// Returns `free` with the components in `held_axes` (bits) replaced by the components of `held`.
Vec3 mix(unsigned held_axes, const Vec3& held, const Vec3& free) {
  return {(held_axes & 1U) != 0 ? held.x() : free.x(), (held_axes & 2U) != 0 ? held.y() : free.y(),
          (held_axes & 4U) != 0 ? held.z() : free.z()};
}

}  // namespace

RampState ramp_at(double t, double ramp_s) {
  if (t >= ramp_s || ramp_s <= 0) return {1, 0};
  const double u = std::max(t, 0.0) / ramp_s;
  return {u * u * (3 - 2 * u), 6 * u * (1 - u) / ramp_s};
}

Result<std::vector<VoxelRegion>> read_regions(const Node& body) {
  std::vector<VoxelRegion> regions;
  for (const Node* node : body.all("region")) {
    VoxelRegion region = voxel_region_params().read(node->values);
    for (const std::string& name : region.freedoms) {
      const auto& known = freedom_names();
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      return wrong_value(node->line, fmt::format("system.{}.region.{}.freedoms", body.name, node->name),
                         '"' + name + '"', "must be one of x, y, z, rx, ry, rz", nearest_word(name, known));
    }
    if (region.shape == RegionShape::box && (region.min.array() > region.max.array()).any())
      return wrong_value(node->line, fmt::format("system.{}.region.{}.min", body.name, node->name),
                         to_text(Value(region.min)), "must not be above max along any axis");
    regions.push_back(std::move(region));
  }
  return regions;
}

ResolvedRegions resolve_regions(const VoxelLattice& lattice, const std::vector<VoxelRegion>& regions) {
  const std::size_t n = lattice.cell.size();
  ResolvedRegions out;
  std::vector<HeldVoxel> all(n);
  for (const VoxelRegion& region : regions) {
    const std::vector<std::size_t> voxels = voxels_in(lattice, region);
    if (const std::uint8_t freedoms = held_freedoms(region); freedoms != 0)
      for (const std::size_t v : voxels) hold(region, freedoms, all[v]);
    share_out(region.force, voxels, n, out.force);
    share_out(region.torque, voxels, n, out.torque);
  }
  out.fixed.assign(n, 0);
  for (std::size_t v = 0; v < n; ++v) {
    if (all[v].freedoms == 0) continue;
    all[v].voxel = static_cast<std::uint32_t>(v);
    if (all[v].freedoms == all_freedoms && !all[v].moves())
      out.fixed[v] = 1;
    else
      out.held.push_back(all[v]);
  }
  return out;
}

void apply_held(const HeldVoxel& held, double t_next, double dt, const Vec3& rest_position,
                const Quat& rest_orientation, Vec3& x, Quat& q, Vec3& v, Vec3& w) {
  const RampState now = ramp_at(t_next, held.ramp_s);
  const unsigned moved = held.freedoms & all_translations, turned = (held.freedoms & all_rotations) >> 3U;
  x = mix(moved, rest_position + now.share * held.displacement, x);
  v = mix(moved, now.rate * held.displacement, v);
  if (turned == 0) return;
  const Vec3 drifted = w;
  w = mix(turned, now.rate * held.rotation, w);
  if (turned == 7) {
    q = rotation_of(now.share * held.rotation) * rest_orientation;
    return;
  }
  // In the first substep, which begins at time 0, the rotation starts from 0 even if ramp_s is 0. The test allows for
  // rounding errors of up to half a substep.
  const double before = t_next - dt < 0.5 * dt ? 0 : ramp_at(t_next - dt, held.ramp_s).share;
  const Vec3 turn = mix(turned, (now.share - before) * held.rotation, drifted * dt);
  q = (rotation_of(turn) * rotation_of(-drifted * dt) * q).normalized();
}

}  // namespace vw
