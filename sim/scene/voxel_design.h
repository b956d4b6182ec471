// A design of the voxel world as its file says it: axes z up, fractions of the workspace, damping in the source's meaning. Importers fill it;
// design_to_scene is the one place where it is turned into our axes and units.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/math.h"
#include "sim/scene/scene.h"
#include "sim/system/voxel/lattice.h"

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
  StressModel model = StressModel::linear;
  double yield_pa = 0, plastic_pa = 0;        ///< bilinear
  NumberList strains, stresses_pa;            ///< data, without the pair (0, 0)
  double failure_pa = 0, failure_strain = 0;  ///< 0: never
  bool held = false;                          ///< its voxels stand still (voxcraft's Fixed)
  /// Damping ratios of its own in the source's meaning; otherwise the design's.
  std::optional<double> bond_zeta, contact_zeta, slow_zeta;
};

/// Bits of DesignRegion::held, as DofFixed has them: x 1, y 2, z 4, then the rotations about them.
inline constexpr unsigned held_translations = 7, held_everything = 63;

struct DesignRegion {
  RegionShape shape = RegionShape::box;
  Vec3 min{0, 0, 0}, max{1, 1, 1};                ///< of a box, in fractions of the workspace
  Vec3 center{0.5, 0.5, 0.5}, axis{0, 0, 1};      ///< of a sphere, or a cylinder's first end and the way to its second, in such fractions
  double radius = 0.5;                            ///< of a sphere or cylinder, in fractions of the workspace's longest edge
  unsigned held = 0;                              ///< bits of the freedoms that it holds
  Vec3 force{0, 0, 0}, torque{0, 0, 0};           ///< [N], [N m], shared over the voxels touched
  Vec3 displacement{0, 0, 0}, rotation{0, 0, 0};  ///< [m], [rad] of what is held
};
inline constexpr std::size_t most_design_regions = 1000;

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
  bool self_collision = false;
  bool from_voxcraft = false;  ///< known before its file is read: it is a .vxd

  // What holds where a file has no Environment.
  bool gravity_on = true, floor_on = true, temperature_on = true;
  double gravity = -9.81;
  std::optional<double> fluid_drag;  ///< evosoro's AggregateDragCoefficient c = rho C_d / 2 [kg/m^3], where its fluid is on
  bool temperature_varies = false;
  double temperature_amplitude = 0;
  double temperature_period_s = 0.1;
  double stop_after_s = 0;      ///< 0: the file names no time to stop at
  double stop_after_steps = 0;  ///< of its own program; 0: none

  std::vector<std::string> unsupported;  ///< physics in the file that is not there yet, as short phrases
  [[nodiscard]] std::size_t cells() const { return nx * ny * nz; }
};

/// Names the phrase once.
void add_unsupported(VoxelDesign& design, std::string phrase);

/// Regions that hold (or push) just the cells marked: boxes that may also cover empty cells. Appends to `design`, each box a copy of `like` with the
/// force and torque of one voxel times its number; false, and nothing appended, where it would take more regions than a design may have.
[[nodiscard]] bool add_regions_of_cells(const std::vector<std::uint8_t>& marked, const DesignRegion& like, VoxelDesign& design);

/// Where the source displaces at once, which here would start a shock: ten times what sound takes through the body, so that it moves quietly.
[[nodiscard]] double ramp_seconds(const VoxelDesign& design);
/// The source's floor has no friction of its own: a voxel slides by its own coefficients. Pairs here combine by the geometric mean, so a floor with
/// the coefficients that all voxels have gives exactly those. Where they differ the floor has 1 and each material the square of its own.
struct FloorFriction {
  double mu_static = 1, mu_dynamic = 1;
  bool squares = false;
};
inline constexpr double most_floor_friction = 10;  ///< beyond it nothing slides anyway
[[nodiscard]] FloorFriction floor_friction(const VoxelDesign& design);
/// What a scene's description says of a file's end, and back: 0 where it says nothing.
[[nodiscard]] std::string stop_note(const VoxelDesign& design);
void read_stop_note(std::string_view description, VoxelDesign& design);

/// The design as a scene: z up to y up by (x, y, z) -> (x, z, -y), a rotation, so nothing is mirrored.
[[nodiscard]] Node design_to_scene(const VoxelDesign& design, const std::string& body_name);

/// The design with its warning; with `strict` an error where something is not supported. `file` names the body and stands in the messages.
[[nodiscard]] Result<LoadedScene> finish_design(VoxelDesign design, const std::string& file, const LoadOptions& options);

/// The one warning about a design, empty when everything in it is supported.
[[nodiscard]] std::string unsupported_warning(const VoxelDesign& design, const std::string& file);

/// The way back: a voxel body of a scene as a design in the file's axes and meaning. What a file cannot say goes to design.unsupported.
[[nodiscard]] Result<VoxelDesign> scene_to_design(const Node& scene, const Node& body);

/// A design as VoxCAD's VXA 1.1 with a VXC 0.94.
[[nodiscard]] std::string design_to_vxa(const VoxelDesign& design);

}  // namespace vw
