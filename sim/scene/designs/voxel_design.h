// A voxel design in the conventions of VoxCAD files: z up, positions as fractions of the workspace, and the damping
// convention of the source. Importers fill a VoxelDesign; design_to_scene() converts it to y up and SI units. The
// "source" is the program that wrote the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/math.h"
#include "sim/scene/scene.h"
#include "sim/system/voxel/lattice/lattice.h"

namespace vw {

struct DesignMaterial {
  std::string name;
  Vec3 display_rgb{0.5, 0.5, 0.5};  ///< display colour, sRGB components in [0, 1]
  double youngs_pa = 1e6;
  double density = 1000;
  double poissons_ratio = 0;
  double cte = 0;
  double phase_rad = 0;  ///< phase of the material's temperature actuation [rad]
  double mu_static = 0;
  double mu_dynamic = 0;
  StressModel model = StressModel::linear;
  double yield_pa = 0, plastic_pa = 0;        ///< bilinear model: yield stress and plastic modulus
  NumberList strains, stresses_pa;            ///< stress-strain data, without the pair (0, 0)
  double failure_pa = 0, failure_strain = 0;  ///< stress or strain at which a bond fails; 0 means no failure
  bool held = false;                          ///< whether voxels of the material are fixed in space (voxcraft's Fixed)
  /// Damping ratios of the material in the source's convention. If they are absent, the damping ratios of the design
  /// apply.
  std::optional<double> bond_zeta, contact_zeta, slow_zeta;
};

/// Masks for DesignRegion::held. The bits are those of the file's DofFixed: 1, 2, 4 for displacements along x, y, z,
/// and 8, 16, 32 for rotations about x, y, z.
inline constexpr unsigned held_translations = 7, held_everything = 63;

struct DesignRegion {
  RegionShape shape = RegionShape::box;
  Vec3 min{0, 0, 0}, max{1, 1, 1};  ///< corners of a box, as fractions of the workspace
  /// `center` is the centre of a sphere, or an end of a cylinder's axis. `axis` is the vector from this end of the axis
  /// to the other end. Both are fractions of the workspace.
  Vec3 center{0.5, 0.5, 0.5}, axis{0, 0, 1};
  double radius = 0.5;  ///< radius of a sphere or cylinder, as a fraction of the workspace's longest edge
  unsigned held = 0;    ///< bits of the degrees of freedom that are fixed
  Vec3 force{0, 0, 0}, torque{0, 0, 0};           ///< [N], [N m], distributed over the voxels in the region
  Vec3 displacement{0, 0, 0}, rotation{0, 0, 0};  ///< prescribed motion of fixed degrees of freedom [m], [rad]
};
inline constexpr std::size_t most_design_regions = 1000;

struct VoxelDesign {
  std::string title;
  double edge_m = 0.001;
  std::size_t nx = 0, ny = 0, nz = 0;
  /// Index of the material of each cell + 1, or 0 if the cell is empty. x varies fastest, then y, then z.
  std::vector<std::uint16_t> code;
  std::vector<double> phase_cycles;  ///< phase of each cell, in the order of `code`; may be empty
  std::vector<double> stiffness_pa;  ///< Young's modulus of each cell, in the order of `code`; may be empty
  std::vector<DesignMaterial> materials;
  std::vector<DesignRegion> regions;

  // Damping ratios in the source's convention. The defaults apply to a file without a Damping element: critically
  // damped bonds and ground contacts, no global damping.
  double bond_zeta = 1, contact_zeta = 1, slow_zeta = 0;
  bool volume_effects = false;  ///< if false, Poisson's ratio is taken as 0
  bool self_collision = false;
  bool from_voxcraft = false;  ///< whether the file is a .vxd; set before the file is read

  // The following defaults apply to a file without an Environment element.
  bool gravity_on = true, floor_on = true, temperature_on = true;
  double gravity = -9.81;
  /// evosoro's AggregateDragCoefficient c = rho C_d / 2 [kg/m^3], where rho is the fluid's density and C_d is the drag
  /// coefficient. It is absent if there is no fluid.
  std::optional<double> fluid_drag;
  bool temperature_varies = false;
  double temperature_amplitude = 0;
  double temperature_period_s = 0.1;
  double stop_after_s = 0;      ///< time at which the source stops [s]; 0 if the file specifies none
  double stop_after_steps = 0;  ///< number of steps after which the source stops; 0 if the file specifies none

  std::vector<std::string> unsupported;  ///< physics in the file that is not supported, as short phrases
  [[nodiscard]] std::size_t cells() const { return nx * ny * nz; }
};

/// Adds the phrase to design.unsupported unless it is already listed. A design lists at most 40 phrases.
void add_unsupported(VoxelDesign& design, std::string phrase);

/// Appends box regions that together contain all marked voxels and no other voxels. They may contain empty cells. Each
/// box is a copy of `like`. The force and torque in `like` are those on one voxel; they are multiplied by the number of
/// voxels in the box. If the design would exceed its limit of regions, appends nothing and returns false.
[[nodiscard]] bool add_regions_of_cells(const std::vector<std::uint8_t>& marked, const DesignRegion& like,
                                        VoxelDesign& design);

/// Returns the duration [s] over which prescribed displacements are applied. The source applies them instantaneously,
/// which would cause a shock here. The duration is ten times the travel time of sound through the body, so that the
/// motion is quasi-static, but at least 1 ms and at most 1 s.
[[nodiscard]] double ramp_seconds(const VoxelDesign& design);
/// Friction of the floor that reproduces the friction of the source. In the source, the floor has no friction of its
/// own, and the coefficients of a voxel determine its sliding. In this program, a contact has the geometric mean of the
/// two coefficients. If all voxels have the same coefficients, the floor gets these coefficients. Otherwise, the
/// coefficients of the floor are 1, and each material gets the squares of its own coefficients (`squares`).
struct FloorFriction {
  double mu_static = 1, mu_dynamic = 1;
  bool squares = false;
};
/// Limit of coefficients of floor friction. Beyond this limit, larger coefficients make no difference.
inline constexpr double most_floor_friction = 10;
[[nodiscard]] FloorFriction floor_friction(const VoxelDesign& design);
/// stop_note() returns a sentence about the file's stop condition for the scene's description, or an empty text if the
/// file has no stop condition. read_stop_note() finds this sentence in a description and sets the stop condition of the
/// design. If the description does not contain the sentence, the design is unchanged.
[[nodiscard]] std::string stop_note(const VoxelDesign& design);
void read_stop_note(std::string_view description, VoxelDesign& design);

/// Converts the design to a scene. The change of axes from z up to y up is the rotation (x, y, z) -> (x, z, -y), so
/// nothing is mirrored.
[[nodiscard]] Node design_to_scene(const VoxelDesign& design, const std::string& body_name);

/// Converts the design to a scene, with a warning about unsupported physics. If options.strict is set, unsupported
/// physics is an error. `file` determines the name of the body and appears in messages.
[[nodiscard]] Result<LoadedScene> finish_design(VoxelDesign design, const std::string& file,
                                                const LoadOptions& options);

/// Returns the warning that lists the unsupported physics of a design, or an empty text if there is none.
[[nodiscard]] std::string unsupported_warning(const VoxelDesign& design, const std::string& file);

/// Converts a voxel body of a scene back to a design in the axes and conventions of the file. Features that a file
/// cannot represent are listed in design.unsupported.
[[nodiscard]] Result<VoxelDesign> scene_to_design(const Node& scene, const Node& body);

/// Writes a design in VoxCAD's format: VXA 1.1 that contains VXC 0.94.
[[nodiscard]] std::string design_to_vxa(const VoxelDesign& design);
/// Writes the voxel size, the materials and the cells of a design as a voxcraft robot. They replace the corresponding
/// elements of the base.vxa beside it.
[[nodiscard]] std::string design_to_vxd(const VoxelDesign& design);

/// Returns a material for a file that specifies no properties: the defaults of DesignMaterial and the friction of a
/// default VoxelMaterial.
[[nodiscard]] DesignMaterial default_design_material(std::string name);

/// Parses a MagicaVoxel file (.vox). The lattice is the smallest box that contains the visible voxels. Each colour in
/// use becomes a material `color_N`, where N is the position of the colour in the palette.
[[nodiscard]] Result<VoxelDesign> parse_vox(std::string_view bytes, const std::string& file);
/// Writes the cells and display colours of a design as a MagicaVoxel file. A material `color_N` gets the colour index
/// N. A design with more than 255 materials is an error.
[[nodiscard]] Result<std::string> design_to_vox(const VoxelDesign& design);

/// Parses a .binvox file. The lattice is the smallest box that contains the filled cells. A file of version 1 has one
/// material. A file of version 2 has one material `value_N` for each value N.
[[nodiscard]] Result<VoxelDesign> parse_binvox(std::string_view bytes, const std::string& file);
/// Writes the filled cells of a design as a .binvox file, version 1. The lattice is extended to a cube. A design with
/// more than 1024 cells along an edge is an error.
[[nodiscard]] Result<std::string> design_to_binvox(const VoxelDesign& design);

}  // namespace vw
