// A design of the voxel world as its file says it: axes z up, fractions of the workspace, damping in the source's meaning. Importers fill it;
// design_to_scene is the one place where it is turned into our axes and units.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/math.h"
#include "sim/scene/scene.h"

namespace vw {

struct DesignMaterial {
  std::string name;
  Vec3 display_rgb{0.5, 0.5, 0.5};  ///< as shown on a screen (sRGB), 0..1
  double youngs_pa = 1e6;
  double density = 1000;
  double poissons_ratio = 0;
  double cte = 0;
  double phase_rad = 0;  ///< of its temperature
  double mu_static = 0;
  double mu_dynamic = 0;
};

struct DesignRegion {
  Vec3 min{0, 0, 0}, max{1, 1, 1};  ///< fractions of the workspace
  bool fixed = false;
  Vec3 force{0, 0, 0};  ///< [N], shared over the voxels touched
};

struct VoxelDesign {
  std::string title;
  double edge_m = 0.001;
  std::size_t nx = 0, ny = 0, nz = 0;
  std::vector<std::uint16_t> code;   ///< 0 empty, else 1 + index into materials; x fastest, then y, then z
  std::vector<double> phase_cycles;  ///< per cell in the same order, or empty
  std::vector<double> stiffness_pa;  ///< per cell, or empty
  std::vector<DesignMaterial> materials;
  std::vector<DesignRegion> regions;

  // Damping ratios as the source means them. Without a Damping element: bonds critical, ground critical, no global damping.
  double bond_zeta = 1, contact_zeta = 1, slow_zeta = 0;
  bool volume_effects = false;  ///< off: Poisson's ratio counts as 0

  // What holds where a file has no Environment.
  bool gravity_on = true, floor_on = true, temperature_on = true;
  double gravity = -9.81;
  bool temperature_varies = false;
  double temperature_amplitude = 0;
  double temperature_period_s = 0.1;
  double stop_after_s = 0;  ///< 0: the file names no time to stop at

  std::vector<std::string> unsupported;  ///< physics in the file that is not there yet, as short phrases
  std::vector<std::string> notes;        ///< sentences for the scene's description
  [[nodiscard]] std::size_t cells() const { return nx * ny * nz; }
};

/// Names the phrase once.
void add_unsupported(VoxelDesign& design, std::string phrase);

/// The design as a scene: z up to y up by (x, y, z) -> (x, z, -y), a rotation, so nothing is mirrored.
[[nodiscard]] Node design_to_scene(const VoxelDesign& design, const std::string& body_name);

/// The one warning about a design, empty when everything in it is supported.
[[nodiscard]] std::string unsupported_warning(const VoxelDesign& design, const std::string& file);

}  // namespace vw
