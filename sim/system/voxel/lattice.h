// The rest shape of a voxel body as scene data: what `[[system]] kind = "voxel_body"` declares, and its materials.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/node.h"

namespace vw {

/// How a bond's axial stress follows its strain.
enum class StressModel {
  linear,    ///< sigma = E eps
  bilinear,  ///< E up to the yield stress, then the plastic modulus; unloading along E leaves a permanent set (tension and compression)
  data       ///< a table of strain and stress, odd in the strain, plastic beyond its first point: unloading along E
};

/// One material: slot `material` of a scene.
struct VoxelMaterial {
  double youngs_modulus = 1e6;
  double density = 1000;
  double poissons_ratio = 0;
  double cte = 0;
  double bond_damping = 0.1;  ///< zeta of a free pair, SPEC 1
  double global_damping = 0;
  double contact_damping = 1;
  double mu_static = 1;
  double mu_dynamic = 0.5;
  double restitution = 0;     ///< seen by particles
  Vec3 color{0.8, 0.8, 0.8};  ///< linear RGB
  StressModel model = StressModel::linear;
  double yield_stress = 0;     ///< [Pa], bilinear
  double plastic_modulus = 0;  ///< [Pa], bilinear: slope of stress over strain beyond yield
  NumberList strain_data;      ///< data: ascending, > 0
  NumberList stress_data;      ///< data: [Pa], one a strain; the first pair gives E
  double failure_stress = 0;   ///< [Pa] of tension at which a bond breaks; 0: never
  double failure_strain = 0;   ///< elongation at which a bond breaks; 0: never
};
[[nodiscard]] const ParamTable<VoxelMaterial>& voxel_material_params();
[[nodiscard]] const Schema& voxel_material_schema();
/// What the ranges of single values cannot say: a bilinear material yields below its stiffness, a table ascends. Errors name material and key.
[[nodiscard]] Result<void> check_material(const Node& material);

enum class LatticeShape { layers, box, ellipsoid, cylinder };  ///< where the voxels come from (after sources are resolved)
enum class TemperatureWave { none, constant, sine, square };
enum class Integrator { explicit_symplectic, implicit_euler };
enum class Precision { mixed, full };  ///< of the bonds' arithmetic; the state is double in both

/// Parameters of a voxel body, in declaration order of its schema.
struct VoxelBodyParams {
  std::string source;       ///< "creature.vxa", "bunny.stl", or empty
  double source_scale = 1;  ///< metres for a unit of a mesh
  LatticeShape shape = LatticeShape::box;
  Vec3 size{4, 4, 4};  ///< voxels along x, y, z (whole numbers)
  double voxel_size_m = 0.01;
  std::string material;  ///< of a box: a material's name; empty = the first
  TextList palette;      ///< of layers: material names of the codes 1, 2, ...
  /// size.y texts (bottom first), each size.z rows (z ascending) of size.x codes (x ascending): `110/101/...`. Rows may be separated by `/` or a
  /// line break. One character a code: `.` or `0` empty, 1-9, A-Z = 10-35, a-z = 36-61; where a text holds a space or a comma, decimal codes
  /// separated by those.
  TextList layers;
  NumberList phase;                        ///< cycles, per cell (x fastest, then z, then y) or empty
  NumberList temperature_amplitude_scale;  ///< per cell factor on the amplitude, or empty (1)
  NumberList youngs_modulus_per_cell;      ///< Pa per cell (0 = the material's), or empty
  Vec3 position{0, 0, 0};                  ///< of the lattice's lower corner [m] (before rotation)
  Vec3 rotation{0, 0, 0};                  ///< rotation vector about the lattice's centre [rad]
  Vec3 velocity{0, 0, 0};
  Vec3 angular_velocity{0, 0, 0};
  TemperatureWave wave = TemperatureWave::none;
  double temperature_amplitude = 0;  ///< [K]
  double temperature_period_s = 1;
  double safety = 0;            ///< share of the stable substep; 0: chosen by whether anything damps
  bool wind = true;             ///< exposed faces feel the fields
  double wind_drag = 1;         ///< pressure drag coefficient of a face across the wind
  double wind_friction = 0.01;  ///< skin friction coefficient of a face along the wind
  double wind_shielding = 1;    ///< share of the shelter that parts of the body give each other
  double wind_suction = 0;      ///< pressure coefficient that is missing on faces turned away or hidden
  double wind_lift = 0;         ///< share by which faces are pressed as thin plates are
  double air_density = 1.2;
  bool self_contact = false;  ///< voxels of this body that are not joined push each other away; bodies in pieces always do
  Integrator integrator = Integrator::explicit_symplectic;
  double implicit_step_s = 1.0 / 240;      ///< longest substep of the implicit integrator
  double implicit_tolerance = 1e-4;        ///< of the residual, relative to the load
  std::int64_t implicit_iterations = 100;  ///< most iterations of the linear solver in a Newton step
  Precision precision = Precision::mixed;
};
[[nodiscard]] const ParamTable<VoxelBodyParams>& voxel_body_params();

enum class RegionShape { box, cylinder, sphere };

/// Boundary condition on the voxels that a shape touches: child slot `region` of a voxel body.
struct VoxelRegion {
  Vec3 min{0, 0, 0};  ///< of a box: fractions of the lattice's extent
  Vec3 max{1, 1, 1};
  bool fixed = true;     ///< holds the freedoms named below
  Vec3 force{0, 0, 0};   ///< [N], shared over the voxels touched
  Vec3 torque{0, 0, 0};  ///< [N m], shared over the voxels touched
  RegionShape shape = RegionShape::box;
  Vec3 center{0.5, 0.5, 0.5};  ///< of a sphere, or of a cylinder's first end: fractions of the lattice's extent
  Vec3 axis{0, 1, 0};          ///< of a cylinder, from its first end to its second: fractions of the lattice's extent
  double radius = 0.5;         ///< of a sphere or cylinder: fraction of the lattice's longest edge
  TextList freedoms;           ///< of x, y, z, rx, ry, rz: those that `fixed` holds; empty: all six
  Vec3 displacement{0, 0, 0};  ///< [m] by which the held translations are moved, from the start over `ramp_s`
  Vec3 rotation{0, 0, 0};      ///< [rad] by which the held rotations are turned, each voxel about its own centre
  double ramp_s = 1;           ///< [s] in which displacement and rotation grow from 0 (smoothly: 3 t^2 - 2 t^3); 0: at once
};
[[nodiscard]] const ParamTable<VoxelRegion>& voxel_region_params();
[[nodiscard]] const Schema& voxel_body_schema();

/// A lattice ready to build: one row a filled voxel.
struct VoxelLattice {
  int nx = 0, ny = 0, nz = 0;
  double edge_m = 0.01;
  std::vector<std::array<int, 3>> cell;  ///< of each voxel, ascending (y, z, x)
  std::vector<std::uint16_t> material;   ///< index into materials
  // Empty where no cell has a value of its own.
  std::vector<double> phase;            ///< cycles
  std::vector<double> amplitude_scale;  ///< of the temperature
  std::vector<double> youngs_override;  ///< Pa, 0 = the material's
  std::vector<std::string> material_name;
  std::vector<VoxelMaterial> materials;
  [[nodiscard]] double phase_of(std::size_t voxel) const { return phase.empty() ? 0 : phase[voxel]; }
  [[nodiscard]] double amplitude_scale_of(std::size_t voxel) const { return amplitude_scale.empty() ? 1 : amplitude_scale[voxel]; }
  [[nodiscard]] double youngs_override_of(std::size_t voxel) const { return youngs_override.empty() ? 0 : youngs_override[voxel]; }
};
/// Largest number of cells of one body: a limit of memory (about 1 kB a voxel), so that a mistyped size is an error and not a crash.
inline constexpr std::size_t max_lattice_cells = std::size_t{1} << 22;

/// Decodes a body's node; errors name the key ("layers: layer 2, row 3 has 4 codes, expected 5"). An empty lattice is an error.
[[nodiscard]] Result<VoxelLattice> make_lattice(const Node& body, const Node& scene);

}  // namespace vw
