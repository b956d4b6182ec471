// Surface of a particle fluid as a closed triangle mesh, for pictures and exported files. The input is an array of
// positions. The output is a mesh that encloses the volume of the particles. The functions may be called from any
// thread. The result is bitwise equal for any number of threads.
//
// Method (docs/design/surface.md): (1) a smoothed volume fraction on sparse blocks of grid nodes, (2) an iso-level that
// depends on the local shape of the fluid (full, sheet, filament or drop), (3) marching cubes with a manifold table,
// (4) smoothing without shrinkage, (5) an offset along the normals that gives each connected body the volume of its
// particles.
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
  /// Distance of adjacent particles at rest [m]. It determines the radius of the kernel. It also determines the volume
  /// of a particle if no volumes are given.
  double spacing_m = 0;
  double cell = 0.5;  ///< Edge of a grid cell divided by the spacing, in [0.3, 0.7].
  /// Number of smoothing passes, in [0, 20]. Each pass reduces surface waves shorter than about two spacings, but
  /// preserves the radius of drops, jets and sheets.
  int smoothing = 6;
  /// Largest number of grid nodes. The computation needs about 8 bytes per node in addition to the mesh.
  std::size_t most_nodes = std::size_t{1} << 27;
};

struct FluidMesh {
  std::vector<Vec3> position;                          ///< Positions of the vertices [m].
  std::vector<Vec3f> normal;                           ///< Outward unit normal of each vertex.
  std::vector<std::array<std::uint32_t, 3>> triangle;  ///< Indices of vertices, counter-clockwise seen from outside.
  std::size_t bodies = 0;                              ///< Number of connected bodies of fluid.
  double volume_m3 = 0;                                ///< Volume that the mesh encloses [m^3].
  double particle_volume_m3 = 0;                       ///< Total volume of the particles in the mesh [m^3].
  /// Number of particles that were left out. A particle is left out if its position is not finite or is farther than
  /// 1e12 cells from the origin, or if its volume is not positive.
  std::size_t skipped = 0;
  /// Number of bodies whose mesh does not have the volume of the particles, because the offset would exceed half a
  /// spacing. This occurs if many particles are at nearly the same position.
  std::size_t off_volume = 0;

  /// Returns a sentence for the user about left-out particles and bodies of wrong volume. Returns an empty text if
  /// there are no such particles or bodies.
  [[nodiscard]] std::string sentence() const;
};

/// Makes the surface of the particles. `volume_m3` contains the volume of each particle [m^3]. If it is empty, each
/// particle has the volume spacing^3. Returns an error of one sentence if options are invalid, if arrays have different
/// lengths, or if the grid would need more than `most_nodes` nodes. Without particles, the mesh is empty.
[[nodiscard]] Result<FluidMesh> fluid_surface(std::span<const Vec3> position, std::span<const double> volume_m3,
                                              const FluidMeshOptions& options);

/// Converts the mesh to single precision, for the renderer.
[[nodiscard]] SurfaceMesh to_surface_mesh(const FluidMesh& mesh);

}  // namespace vw
