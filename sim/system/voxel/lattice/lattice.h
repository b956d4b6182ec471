// Parameters of voxel bodies (`[[system]] kind = "voxel_body"`), regions and voxel materials. make_lattice() decodes a
// scene's nodes into a VoxelLattice, the lattice of filled cells.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/data/layer_text.h"
#include "sim/base/data/node.h"

namespace vw {

/// Constitutive model: relation between the axial stress sigma and the axial strain eps of a bond.
enum class StressModel {
  linear,  ///< sigma = E eps
  /// The slope is E up to the yield stress and the plastic modulus beyond. Unloading follows the slope E and leaves a
  /// permanent set. The law is the same in tension and in compression.
  bilinear,
  /// A table gives stress over strain, and compression follows by odd symmetry. The slope to the first point of the
  /// table is E. Beyond the first point the material is plastic, and unloading follows the slope E.
  data
};

/// Parameters of one material (slot `material` of a scene).
struct VoxelMaterial {
  double youngs_modulus = 1e6;
  double density = 1000;
  double poissons_ratio = 0;
  double cte = 0;              ///< coefficient of thermal expansion [1/K]
  double bond_damping = 0.1;   ///< damping ratio zeta of a bond between two otherwise free voxels; 1 is critical
  double global_damping = 0;   ///< damping ratio of all motion relative to the world; brings bodies to rest
  double contact_damping = 1;  ///< damping ratio of the normal motion in contact
  double mu_static = 1;
  double mu_dynamic = 0.5;
  double restitution = 0;     ///< coefficient of restitution in contact with particles
  Vec3 color{0.8, 0.8, 0.8};  ///< linear RGB
  StressModel model = StressModel::linear;
  double yield_stress = 0;     ///< yield stress of a bilinear material [Pa]
  double plastic_modulus = 0;  ///< slope of stress over strain of a bilinear material beyond yield [Pa]
  NumberList strain_data;      ///< strains of the table of StressModel::data, ascending and above 0
  /// Stresses of the table of StressModel::data [Pa], one per strain. The ratio of the first stress and strain is E.
  NumberList stress_data;
  double failure_stress = 0;  ///< tensile stress at which a bond breaks [Pa]; 0 disables this criterion
  double failure_strain = 0;  ///< tensile strain at which a bond breaks; 0 disables this criterion
};
[[nodiscard]] const ParamTable<VoxelMaterial>& voxel_material_params();
[[nodiscard]] const Schema& voxel_material_schema();
/// Checks constraints between the values of a material. A bilinear material needs a yield stress above 0 and a plastic
/// modulus below Young's modulus. A data table needs ascending strains, as many stresses, and a first stress above 0.
/// Errors name the material and the key.
[[nodiscard]] Result<void> check_material(const Node& material);

/// Shape that determines which cells are filled. When a scene is loaded, a design or mesh named by
/// VoxelBodyParams::source is converted to the shape `layers`.
enum class LatticeShape { layers, box, ellipsoid, cylinder };
enum class TemperatureWave { none, constant, sine, square };
enum class Integrator { explicit_symplectic, implicit_euler };
enum class Precision { mixed, full };  ///< precision of the bond arithmetic; the state is always in double

/// Parameters of a voxel body, in the order of its schema.
struct VoxelBodyParams {
  std::string source;       ///< path of a design or mesh, such as "creature.vxa" or "bunny.stl"; may be empty
  double source_scale = 1;  ///< metres per length unit of a mesh
  LatticeShape shape = LatticeShape::box;
  Vec3 size{4, 4, 4};  ///< number of cells along x, y, z (whole numbers)
  double voxel_size_m = 0.01;
  /// Name of the material for all shapes but `layers`. If empty, the scene's first material is used.
  std::string material;
  TextList palette;  ///< names of the materials of the codes 1, 2, ... for the shape `layers`
  /// Material codes for the shape `layers`: size.y texts, one per layer, bottom first. Each text has size.z rows (z
  /// ascending) of size.x codes (x ascending), such as `110/101/...`. Rows are separated by `/` or a line break, or not
  /// at all. A code is one character: `.` or `0` is an empty cell, 1-9 are the codes 1 to 9, A-Z the codes 10 to 35,
  /// and a-z the codes 36 to 61. If a text contains a space, a tab or a comma, its codes are decimal numbers separated
  /// by these characters.
  TextList layers;
  /// Phase of the temperature in each cell [cycles]. x varies fastest, then z, then y. Empty means 0 in all cells.
  NumberList phase;
  NumberList temperature_amplitude_scale;  ///< factor on the temperature amplitude in each cell; empty means 1
  /// Young's modulus of each cell [Pa]. If a value is 0 or the list is empty, the modulus of the material is used.
  NumberList youngs_modulus_per_cell;
  Vec3 position{0, 0, 0};  ///< lower corner of the lattice before its rotation [m]
  Vec3 rotation{0, 0, 0};  ///< rotation vector about the lattice's centre [rad]
  Vec3 velocity{0, 0, 0};
  Vec3 angular_velocity{0, 0, 0};
  TemperatureWave wave = TemperatureWave::none;
  double temperature_amplitude = 0;  ///< amplitude of the temperature wave [K]
  double temperature_period_s = 1;
  /// Fraction of the stable substep that is used. 0 selects a value that depends on whether the bonds are damped.
  double safety = 0;
  bool wind = true;             ///< the fields exert wind forces on exposed faces
  double wind_drag = 1;         ///< drag coefficient of the pressure on a face normal to the wind
  double wind_friction = 0.01;  ///< skin friction coefficient of a face parallel to the wind
  double wind_shielding = 1;    ///< factor on the wind shelter by other parts of the body, 0 to 1
  double wind_suction = 0;      ///< suction coefficient of leeward and sheltered faces
  double wind_lift = 0;         ///< weight of the pressure law of thin plates: 0 thick body, 1 thin plate (face_drag.h)
  double air_density = 1.2;     ///< density of the air [kg/m^3], used if the world has no medium
  /// Enables contact between voxels of this body that no bond joins. A body in pieces always has this contact.
  bool self_contact = false;
  Integrator integrator = Integrator::explicit_symplectic;
  double implicit_step_s = 1.0 / 240;      ///< longest substep of the implicit integrator [s]
  double implicit_tolerance = 1e-4;        ///< tolerance of the residual, relative to the load
  std::int64_t implicit_iterations = 100;  ///< largest number of linear solver iterations per Newton iteration
  Precision precision = Precision::mixed;
};
[[nodiscard]] const ParamTable<VoxelBodyParams>& voxel_body_params();

enum class RegionShape { box, cylinder, sphere };

/// Boundary condition on the voxels that a shape touches (child slot `region` of a voxel body).
struct VoxelRegion {
  Vec3 min{0, 0, 0};     ///< lower corner of a box, as fractions of the lattice's extent
  Vec3 max{1, 1, 1};     ///< upper corner of a box, as fractions of the lattice's extent
  bool fixed = true;     ///< constrains the degrees of freedom listed in `freedoms`
  Vec3 force{0, 0, 0};   ///< total force [N], distributed evenly over the voxels touched
  Vec3 torque{0, 0, 0};  ///< total torque [N m], distributed evenly over the voxels touched
  RegionShape shape = RegionShape::box;
  /// Centre of a sphere, or centre of a cylinder's first end, as fractions of the lattice's extent.
  Vec3 center{0.5, 0.5, 0.5};
  /// Vector from a cylinder's first end to its second, as fractions of the lattice's extent.
  Vec3 axis{0, 1, 0};
  /// Radius of a sphere or cylinder, as a fraction of the lattice's longest edge.
  double radius = 0.5;
  /// Degrees of freedom that `fixed` constrains, a subset of x, y, z, rx, ry, rz. Empty means all six.
  TextList freedoms;
  /// Prescribed displacement of the constrained translations, reached after `ramp_s` [m].
  Vec3 displacement{0, 0, 0};
  /// Prescribed rotation about the constrained axes, reached after `ramp_s` [rad]. Each voxel turns about its own
  /// centre.
  Vec3 rotation{0, 0, 0};
  /// Time [s] in which displacement and rotation grow from 0 to their full values, by the factor 3 u^2 - 2 u^3 with u =
  /// t / ramp_s and the world time t. If ramp_s is 0, both have their full values from the start.
  double ramp_s = 1;
};
[[nodiscard]] const ParamTable<VoxelRegion>& voxel_region_params();
[[nodiscard]] const Schema& voxel_body_schema();

/// Decoded lattice of nx x ny x nz cells, with one row per filled cell (voxel).
struct VoxelLattice {
  int nx = 0, ny = 0, nz = 0;
  double edge_m = 0.01;
  std::vector<std::array<int, 3>> cell;  ///< x, y, z of each voxel's cell; rows ascend by (y, z, x)
  std::vector<std::uint16_t> material;   ///< index of each voxel's material in `materials`
  // Each of the next three arrays has one value per voxel, or is empty if the scene gives no values per cell.
  std::vector<double> phase;            ///< phase of the temperature [cycles]
  std::vector<double> amplitude_scale;  ///< factor on the temperature amplitude
  std::vector<double> youngs_override;  ///< Young's modulus [Pa]; 0 means the modulus of the voxel's material
  std::vector<std::string> material_name;
  std::vector<VoxelMaterial> materials;
  [[nodiscard]] double phase_of(std::size_t voxel) const { return phase.empty() ? 0 : phase[voxel]; }
  [[nodiscard]] double amplitude_scale_of(std::size_t voxel) const {
    return amplitude_scale.empty() ? 1 : amplitude_scale[voxel];
  }
  [[nodiscard]] double youngs_override_of(std::size_t voxel) const {
    return youngs_override.empty() ? 0 : youngs_override[voxel];
  }
};

/// Decodes the node of a voxel body. `scene` contains the materials. Errors name the key ("system.body.layers = layer
/// 2, row 3 has 4 codes: expected 5"). A lattice without a filled cell is an error.
[[nodiscard]] Result<VoxelLattice> make_lattice(const Node& body, const Node& scene);

}  // namespace vw
