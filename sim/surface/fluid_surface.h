// The surface of a particle fluid as a closed triangle mesh, for pictures and exported files. The input is one array of
// positions; the output is a mesh whose volume is the volume of the particles. The functions may be called from any
// thread. The result has the same bits at any number of threads.
//
// Method (docs/design/surface.md): a smoothed volume fraction on sparse blocks of grid nodes, an iso-level that depends
// on the local shape of the fluid (full, sheet, filament or drop), marching cubes with a manifold table, smoothing of
// the mesh without shrinkage, and an offset of each connected body along its normals to the volume of its particles.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/math.h"
#include "sim/base/surface_mesh.h"

namespace vw {

struct FluidMeshOptions {
  /// Distance of adjacent particles at rest [m]. It sets the radius of the kernel, and the volume of a particle if the
  /// call states none.
  double spacing_m = 0;
  double cell = 0.5;  ///< edge length of the grid cells, as a fraction of the spacing, in [0.3, 0.7]
  /// Number of smoothing passes, in [0, 20]. Each pass removes waves on the surface that are shorter than about two
  /// spacings, and keeps the radius of drops, jets and sheets.
  int smoothing = 6;
  /// Largest number of grid nodes. The meshing needs about 8 bytes per node, besides the mesh.
  std::size_t most_nodes = std::size_t{1} << 27;
};

struct FluidMesh {
  std::vector<Vec3> position;                          ///< [m]
  std::vector<Vec3f> normal;                           ///< outward unit normal of each vertex
  std::vector<std::array<std::uint32_t, 3>> triangle;  ///< counter-clockwise seen from outside
  std::size_t bodies = 0;                              ///< number of connected bodies of fluid
  double volume_m3 = 0;                                ///< volume that the mesh encloses
  double particle_volume_m3 = 0;                       ///< sum of the volumes of the particles in the mesh
  /// Number of particles that were left out: their position is not finite or is farther than 1e12 cells from the
  /// origin, or their volume is not positive.
  std::size_t skipped = 0;
  /// Number of bodies whose offset reached its limit of half a spacing. Their volume differs from that of the
  /// particles. This occurs if many particles are at nearly the same position.
  std::size_t off_volume = 0;

  /// One sentence for the user on particles left out and on bodies without the right volume, or empty.
  [[nodiscard]] std::string sentence() const;
};

/// Returns the surface of the particles. `volume_m3` holds the volume of each particle [m^3], or is empty if each has
/// the volume spacing^3. Returns an error of one sentence for invalid options, for arrays of different lengths, and if
/// the grid would exceed `most_nodes`. Without particles the mesh is empty.
[[nodiscard]] Result<FluidMesh> fluid_surface(std::span<const Vec3> position, std::span<const double> volume_m3,
                                              const FluidMeshOptions& options);

/// Returns the mesh in single precision, for the renderer.
[[nodiscard]] SurfaceMesh to_surface_mesh(const FluidMesh& mesh);

}  // namespace vw
