#include "sim/surface/fluid_surface.h"

#include <cmath>

#include <fmt/format.h>

#include "sim/base/parallel/parallel.h"
#include "sim/surface/fluid_bodies.h"
#include "sim/surface/level_field.h"
#include "sim/surface/mesh_fairing.h"
#include "sim/surface/node_blocks.h"
#include "sim/surface/polygonise.h"

namespace vw {
namespace {

/// Particles with usable positions and volumes. The mesh is made from these particles.
struct UsableParticles {
  std::vector<Vec3> position;
  std::vector<double> volume_m3, share;  ///< `share` is volume / spacing^3.
};

/// At this distance from the origin [cells], adjacent doubles still differ by only about 1e-4 cells.
constexpr double most_cells_away = 1e12;

UsableParticles usable_particles(std::span<const Vec3> position, std::span<const double> volume_m3,
                                 const FluidMeshOptions& options) {
  const double rest_m3 = options.spacing_m * options.spacing_m * options.spacing_m;
  const double most_m = most_cells_away * options.cell * options.spacing_m;
  UsableParticles usable;
  usable.position.reserve(position.size());
  for (std::size_t i = 0; i < position.size(); ++i) {
    const double volume = volume_m3.empty() ? rest_m3 : volume_m3[i];
    const bool near = position[i].allFinite() && position[i].cwiseAbs().maxCoeff() <= most_m;
    if (!near || !(volume > 0) || !std::isfinite(volume / rest_m3)) continue;
    usable.position.push_back(position[i]);
    usable.volume_m3.push_back(volume);
    usable.share.push_back(volume / rest_m3);
  }
  return usable;
}

Result<void> check_options(std::span<const Vec3> position, std::span<const double> volume_m3,
                           const FluidMeshOptions& options) {
  if (!std::isfinite(options.spacing_m) || !(options.spacing_m >= 1e-30 && options.spacing_m <= 1e30))
    return fail(fmt::format("spacing of the fluid surface = {} m: expected a positive value", options.spacing_m));
  if (!(options.cell >= 0.3 && options.cell <= 0.7))
    return fail(fmt::format("cell of the fluid surface = {}: expected a value in [0.3, 0.7]", options.cell));
  if (options.smoothing < 0 || options.smoothing > 20)
    return fail(fmt::format("smoothing of the fluid surface = {}: expected a value in [0, 20]", options.smoothing));
  if (!volume_m3.empty() && volume_m3.size() != position.size())
    return fail(fmt::format("{} volumes for {} particles: expected one for each", volume_m3.size(), position.size()));
  if (position.size() >= NodeBlocks::none)
    return fail(fmt::format("{} particles: too many for a mesh", position.size()));
  return {};
}

}  // namespace

Result<FluidMesh> fluid_surface(std::span<const Vec3> position, std::span<const double> volume_m3,
                                const FluidMeshOptions& options) {
  if (auto valid = check_options(position, volume_m3, options); !valid) return Unexpected(valid.error());
  const UsableParticles particles = usable_particles(position, volume_m3, options);
  FluidMesh out;
  out.skipped = position.size() - particles.position.size();
  if (particles.position.empty()) return out;

  const double spacing_m = options.spacing_m, cell_m = options.cell * spacing_m;
  const auto blocks =
      NodeBlocks::make(particles.position, surface_kernel_reach * spacing_m, cell_m, options.most_nodes);
  if (!blocks) return Unexpected(blocks.error());
  const std::vector<float> level = level_field(*blocks, particles.position, particles.share, spacing_m);
  const FluidBodies bodies(*blocks, level);
  BodyMesh mesh = polygonise(*blocks, level, bodies);
  const VertexFans fans(mesh);
  smooth_mesh(mesh, fans, options.smoothing, 0.5 * spacing_m);
  const int search = static_cast<int>(std::ceil(surface_kernel_reach / options.cell));
  const std::vector<double> target =
      bodies.particle_volumes(*blocks, level, particles.position, particles.volume_m3, search);
  out.off_volume = offset_to_volumes(mesh, fans, target, 0.5 * spacing_m);

  out.bodies = bodies.size();
  for (const double volume : body_volumes(mesh, bodies.size())) out.volume_m3 += volume;
  for (const double volume : target) out.particle_volume_m3 += volume;
  std::vector<Vec3> normal;
  find_normals(mesh, fans, normal);
  out.normal.resize(normal.size());
  for (std::size_t v = 0; v < normal.size(); ++v) out.normal[v] = normal[v].cast<float>();
  out.position = std::move(mesh.position);
  out.triangle = std::move(mesh.triangle);
  return out;
}

std::string FluidMesh::sentence() const {
  std::string text;
  if (skipped > 0)
    text = fmt::format("particles left out of the fluid surface, because their position or volume is unusable: {}",
                       skipped);
  if (off_volume > 0)
    text += fmt::format(
        "{}bodies of fluid whose mesh misses the volume of their particles, because particles are too close: {}",
        text.empty() ? "" : "; ", off_volume);
  return text;
}

SurfaceMesh to_surface_mesh(const FluidMesh& mesh) {
  SurfaceMesh out;
  out.position.reserve(mesh.position.size());
  for (const Vec3& p : mesh.position) out.position.push_back(p.cast<float>());
  out.normal = mesh.normal;
  out.triangle = mesh.triangle;
  return out;
}

}  // namespace vw
