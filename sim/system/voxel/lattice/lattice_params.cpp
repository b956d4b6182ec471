// Parameter tables of voxel bodies, voxel materials and regions. Each parameter has a name, unit, range and tooltip.
#include "sim/system/voxel/lattice/lattice.h"
#include "sim/system/voxel/lattice/muscles.h"

namespace vw {

const ParamTable<VoxelMaterial>& voxel_material_params() {
  using T = VoxelMaterial;
  static const ParamTable<T> table{
      Param<T>{.member = &T::youngs_modulus,
               .key = "youngs_modulus",
               .label = "Young's modulus",
               .unit = Unit::pascal,
               .range = {1, 1e13},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Young's modulus of the material, which is the ratio of stress to strain in tension."},
      Param<T>{.member = &T::density,
               .key = "density",
               .unit = Unit::kilogram_per_m3,
               .range = {1e-3, 1e8},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Density of the material."},
      Param<T>{.member = &T::poissons_ratio,
               .key = "poissons_ratio",
               .label = "Poisson's ratio",
               .unit = Unit::ratio,
               .range = {0, 0.49},
               .live = Live::yes,
               .doc = "Poisson's ratio, which is the ratio of the transverse contraction to the extension. Bodies that "
                      "are two to four voxels thick are too stiff in bending, by 2 to 5 % at 0.35 and by 4 to 8 % at "
                      "0.45 (docs/guide/voxel-bodies.md)."},
      Param<T>{.member = &T::cte,
               .key = "cte",
               .label = "Thermal expansion",
               .unit = Unit::per_kelvin,
               .range = {-1, 1},
               .live = Live::yes,
               .doc = "Coefficient of thermal expansion, which is the strain per kelvin. A material with a "
                      "negative coefficient contracts when it is heated."},
      Param<T>{.member = &T::bond_damping,
               .key = "bond_damping",
               .unit = Unit::ratio,
               .range = {0, 10},
               .live = Live::yes,
               .doc = "Damping ratio of the bonds between voxels. The value 1 is critical for two free voxels. Damping "
                      "of bonds slows only deformation, not motion of the whole body."},
      Param<T>{.member = &T::global_damping,
               .key = "global_damping",
               .label = "Global damping",
               .unit = Unit::ratio,
               .range = {0, 10},
               .live = Live::yes,
               .doc = "Damping of all motion relative to the world. The value is the damping ratio of a single voxel "
                      "that vibrates on one bond. Slower vibrations and the motion of the whole body have much higher "
                      "damping ratios. 0 means no damping."},
      Param<T>{
          .member = &T::contact_damping,
          .key = "contact_damping",
          .unit = Unit::ratio,
          .range = {0, 1},
          .live = Live::yes,
          .doc =
              "Damping ratio of a contact along its normal. At 0, contacts lose no energy. The value 1 is critical."},
      Param<T>{.member = &T::mu_static,
               .key = "mu_static",
               .label = "Static friction",
               .unit = Unit::ratio,
               .range = {0, 100},
               .live = Live::yes,
               .doc = "Coefficient of static friction. A contact uses the geometric mean of this value and the value "
                      "of the other surface."},
      Param<T>{.member = &T::mu_dynamic,
               .key = "mu_dynamic",
               .label = "Sliding friction",
               .unit = Unit::ratio,
               .range = {0, 100},
               .live = Live::yes,
               .doc = "Coefficient of dynamic friction. A contact uses the geometric mean of this value and the value "
                      "of the other surface."},
      Param<T>{.member = &T::restitution,
               .key = "restitution",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Coefficient of restitution of contacts with particles, which is the fraction of the normal "
                      "speed that remains after a bounce."},
      Param<T>{.member = &T::color,
               .key = "color",
               .label = "Colour",
               .range = {0, 1},
               .live = Live::yes,
               .color = true,
               .doc = "Colour in pictures, as linear red, green and blue from 0 to 1."},
      Param<T>{.member = &T::model,
               .key = "model",
               .live = Live::yes,
               .choices = {"linear", "bilinear", "data"},
               .doc = "Relation between the stress and the strain of a bond. linear: the stress is proportional to the "
                      "strain. bilinear: the material yields at `yield_stress`, beyond which deformation is permanent. "
                      "data: the stress follows from the table in `strain_data` and `stress_data`."},
      Param<T>{.member = &T::yield_stress,
               .key = "yield_stress",
               .unit = Unit::pascal,
               .range = {0, 1e13},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Stress at which the material yields, if model = \"bilinear\". It must then be above 0."},
      Param<T>{.member = &T::plastic_modulus,
               .key = "plastic_modulus",
               .unit = Unit::pascal,
               .range = {0, 1e13},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Slope of stress over strain beyond the yield stress, if model = \"bilinear\". It must be below "
                      "`youngs_modulus`. At 0, the stress does not rise beyond the yield stress."},
      Param<T>{.member = &T::strain_data,
               .key = "strain_data",
               .unit = Unit::ratio,
               .range = {0, 100},
               .live = Live::yes,
               .doc = "Strains of the table of stress and strain, if model = \"data\". The strains must increase, and "
                      "the first must be above 0."},
      Param<T>{.member = &T::stress_data,
               .key = "stress_data",
               .unit = Unit::pascal,
               .range = {0, 1e13},
               .live = Live::yes,
               .doc = "Stress at each strain of `strain_data`, if model = \"data\". The first pair determines the "
                      "elastic modulus."},
      Param<T>{.member = &T::failure_stress,
               .key = "failure_stress",
               .unit = Unit::pascal,
               .range = {0, 1e13},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Tensile stress at which a bond between two voxels breaks. 0 means no limit."},
      Param<T>{.member = &T::failure_strain,
               .key = "failure_strain",
               .unit = Unit::ratio,
               .range = {0, 100},
               .live = Live::yes,
               .doc = "Tensile strain at which a bond between two voxels breaks. 0 means no limit."},
  };
  return table;
}

const Schema& voxel_material_schema() {
  static const Schema schema{
      "voxel_material", "An elastic material of voxel bodies.", voxel_material_params().specs(), {}};
  return schema;
}

const ParamTable<VoxelBodyParams>& voxel_body_params() {
  using T = VoxelBodyParams;
  static const ParamTable<T> table{
      Param<T>{.member = &T::source,
               .key = "source",
               .doc = "Path of a design or a mesh, relative to the scene file. A design (.vxa, .vxc, .vxd, .vxl.json, "
                      ".vox, .binvox, .npz, .json) provides the lattice and its materials. A mesh (.obj, .stl, .ply, "
                      ".gltf, .glb) is filled with voxels, which stay at the place of the mesh if `position` is zero. "
                      "Empty means the lattice of `shape`."},
      Param<T>{.member = &T::source_scale,
               .key = "source_scale",
               .unit = Unit::ratio,
               .range = {1e-9, 1e9},
               .scale = Scale::log,
               .doc = "Length of one unit of the mesh file in metres."},
      Param<T>{.member = &T::shape,
               .key = "shape",
               .choices = {"layers", "box", "ellipsoid", "cylinder"},
               .doc = "Cells of the lattice that contain voxels. layers: the cells that `layers` lists. box: all "
                      "cells. ellipsoid: the cells whose centres lie in the ellipsoid that fills the lattice. "
                      "cylinder: the cells whose centres lie in the upright cylinder that fills the lattice."},
      Param<T>{.member = &T::size,
               .key = "size",
               .unit = Unit::count,
               .range = {1, 100000},
               .doc = "Number of cells of the lattice along x, y and z. The values must be whole numbers."},
      Param<T>{.member = &T::voxel_size_m,
               .key = "voxel_size",
               .unit = Unit::meter,
               .range = {1e-9, 1e3},
               .scale = Scale::log,
               .doc = "Edge length of a voxel."},
      Param<T>{.member = &T::material,
               .key = "material",
               .refers_to = "material",
               .doc = "Name of the material of all voxels, unless shape = \"layers\". Empty means the first material "
                      "of the scene."},
      Param<T>{.member = &T::palette,
               .key = "palette",
               .refers_to = "material",
               .doc = "Names of the materials for the codes in `layers`, used only if shape = \"layers\". Code 1 means "
                      "the first material, code 2 the second, and so on."},
      Param<T>{
          .member = &T::layers,
          .key = "layers",
          .label = "Cell materials",
          .doc = "Materials of the cells, used only if shape = \"layers\". The list has one text for each layer of the "
                 "lattice, bottom layer first. A text has size.z rows of size.x codes, separated by /, such as "
                 "`110/101`. The codes 0 and . are empty cells. 1-9, A-Z and a-z are the codes 1 to 61. A text may "
                 "instead contain decimal codes separated by spaces."},
      Param<T>{.member = &T::phase,
               .key = "phase",
               .unit = Unit::cycle,
               .range = {-1e9, 1e9},
               .doc = "Phase of the temperature wave in each cell of the lattice. In the list, x varies fastest, then "
                      "z, then y. Empty means 0 in all cells."},
      Param<T>{.member = &T::temperature_amplitude_scale,
               .key = "temperature_amplitude_scale",
               .label = "Amplitude per voxel",
               .unit = Unit::ratio,
               .range = {-1e9, 1e9},
               .doc = "Factor by which `temperature_amplitude` is multiplied in each cell of the lattice, in the same "
                      "order as `phase`. Empty means 1 in all cells."},
      Param<T>{.member = &T::youngs_modulus_per_cell,
               .key = "youngs_modulus_per_cell",
               .label = "Stiffness per voxel",
               .unit = Unit::pascal,
               .range = {0, 1e13},
               .doc = "Young's modulus of each cell of the lattice, in the same order as `phase`. A cell with the "
                      "value 0 has the modulus of its material. Empty means the modulus of the material in all cells."},
      Param<T>{.member = &T::position,
               .key = "position",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .doc = "Position of the lower corner of the lattice before the body is rotated by `rotation`."},
      Param<T>{.member = &T::rotation,
               .key = "rotation",
               .unit = Unit::radian,
               .range = {-1e3, 1e3},
               .doc = "Initial orientation as a rotation vector, which is the rotation axis times the angle. The "
                      "lattice is rotated about its centre."},
      Param<T>{.member = &T::velocity,
               .key = "velocity",
               .unit = Unit::meter_per_second,
               .range = {-1e6, 1e6},
               .doc = "Initial velocity of the centre of mass."},
      Param<T>{.member = &T::angular_velocity,
               .key = "angular_velocity",
               .unit = Unit::radian_per_second,
               .range = {-1e6, 1e6},
               .doc = "Initial angular velocity about the centre of mass."},
      Param<T>{
          .member = &T::wave,
          .key = "temperature_wave",
          .live = Live::yes,
          .choices = {"none", "constant", "sine", "square"},
          .doc = "Temperature of the body as a function of the time t, with the amplitude A = temperature_amplitude. "
                 "At the temperature 0, the body has its rest size. none: always 0. constant: A. sine: A * sin(2 pi (t "
                 "/ temperature_period + phase)). square: A times the sign of the sine wave."},
      Param<T>{.member = &T::temperature_amplitude,
               .key = "temperature_amplitude",
               .unit = Unit::kelvin,
               .range = {-1e6, 1e6},
               .live = Live::yes,
               .doc = "Amplitude of the temperature, relative to the temperature at which the body has its rest size."},
      Param<T>{.member = &T::temperature_period_s,
               .key = "temperature_period",
               .unit = Unit::second,
               .range = {1e-6, 1e6},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Period of the temperature wave, if temperature_wave is sine or square."},
      Param<T>{.member = &T::safety,
               .key = "safety",
               .label = "Substep safety",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Length of a substep as a fraction of the longest stable one, for the explicit integrator. 0 "
                      "means automatic, which is 0.9 for materials with damping and 0.3 for others. Example: an "
                      "undamped slender bar is released at a strain of 8 %. At 0.3, its energy stays within 2 %. At "
                      "0.45, it falls by 3 %, and at 0.9, it grows by 15 %."},
      Param<T>{.member = &T::wind,
               .key = "wind",
               .label = "Affected by wind",
               .live = Live::yes,
               .doc = "Whether wind acts on the outer faces of the body."},
      Param<T>{.member = &T::wind_drag,
               .key = "wind_drag",
               .unit = Unit::ratio,
               .range = {0, 100},
               .live = Live::yes,
               .doc = "Pressure coefficient of faces that the wind blows against. If the wind blows at the speed u_n "
                      "along the normal, the pressure is wind_drag * air_density * u_n^2 / 2."},
      Param<T>{.member = &T::wind_friction,
               .key = "wind_friction",
               .unit = Unit::ratio,
               .range = {0, 10},
               .live = Live::yes,
               .doc = "Friction coefficient of faces along which the wind blows. At the tangential speed u_t, the "
                      "shear stress is wind_friction * air_density * u_t^2 / 2."},
      Param<T>{.member = &T::wind_shielding,
               .key = "wind_shielding",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Fraction of the wind that is blocked for parts of the body that lie behind other parts of the "
                      "body. 0 means no shelter."},
      Param<T>{
          .member = &T::wind_suction,
          .key = "wind_suction",
          .unit = Unit::ratio,
          .range = {0, 10},
          .live = Live::yes,
          .doc =
              "Suction coefficient of faces that face away from the wind or are sheltered from it. If the wind has "
              "the speed u_n along the normal, the suction wind_suction * air_density * u_n^2 / 2 pulls such a face "
              "outwards. With 0.3 and a `wind_drag` of 0.75, the pressure on a cube has the measured drag coefficient "
              "of 1.05. 0 means no suction."},
      Param<T>{.member = &T::wind_lift,
               .key = "wind_lift",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Dependence of the wind pressure on the angle of attack. At 0, the pressure is proportional to "
                      "the square of the sine of that angle, as on thick bodies. At 1, the pressure is proportional to "
                      "the sine at small angles, which gives lift to leaves, flags and sails."},
      Param<T>{.member = &T::air_density,
               .key = "air_density",
               .unit = Unit::kilogram_per_m3,
               .range = {0, 1e4},
               .live = Live::yes,
               .doc = "Density of the air, for the forces of wind. If the world has a medium, `world.medium_density` "
                      "replaces this value."},
      Param<T>{.member = &T::self_contact,
               .key = "self_contact",
               .live = Live::yes,
               .doc = "Whether voxels of the body collide with each other, unless a bond joins them. A body that "
                      "consists of several pieces always collides with itself."},
      Param<T>{.member = &T::integrator,
               .key = "integrator",
               .live = Live::yes,
               .choices = {"explicit", "implicit"},
               .doc = "Method of time integration. explicit: symplectic Euler with short substeps, as stability "
                      "requires. implicit: backward Euler with long substeps, so that stiff bodies run in real time. "
                      "This method adds numerical damping."},
      Param<T>{.member = &T::implicit_step_s,
               .key = "implicit_step",
               .unit = Unit::second,
               .range = {1e-6, 1},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Longest substep, if integrator = \"implicit\". Shorter substeps add less numerical damping."},
      Param<T>{.member = &T::implicit_tolerance,
               .key = "implicit_tolerance",
               .unit = Unit::ratio,
               .range = {1e-12, 0.1},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Tolerance of the implicit integrator: unbalanced force that may remain in a substep, relative "
                      "to the load. Smaller values need more iterations."},
      Param<T>{.member = &T::implicit_iterations,
               .key = "implicit_iterations",
               .unit = Unit::count,
               .range = {1, 100000},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Largest number of iterations of the linear solver of the implicit integrator, for each of its "
                      "Newton iterations."},
      Param<T>{
          .member = &T::precision,
          .key = "precision",
          .live = Live::yes,
          .choices = {"mixed", "double"},
          .doc = "Precision of the computation of bond forces. mixed: the deformation of a bond is computed in double "
                 "precision, and its force in single precision. double: double precision throughout, which is slower."},
  };
  return table;
}

const ParamTable<VoxelRegion>& voxel_region_params() {
  using T = VoxelRegion;
  static const ParamTable<T> table{
      Param<T>{.member = &T::min,
               .key = "min",
               .label = "Lower corner",
               .unit = Unit::ratio,
               .range = {-1, 2},
               .live = Live::yes,
               .doc = "Lower corner of the region if shape = \"box\", as fractions of the edge lengths of the lattice, "
                      "which extends from 0 to 1 along each axis."},
      Param<T>{.member = &T::max,
               .key = "max",
               .label = "Upper corner",
               .unit = Unit::ratio,
               .range = {-1, 2},
               .live = Live::yes,
               .doc = "Upper corner of the region if shape = \"box\", as fractions of the edge lengths of the lattice, "
                      "which extends from 0 to 1 along each axis."},
      Param<T>{.member = &T::fixed,
               .key = "fixed",
               .live = Live::yes,
               .doc = "Whether the voxels of the region are held in the degrees of freedom that `freedoms` lists."},
      Param<T>{.member = &T::force,
               .key = "force",
               .unit = Unit::newton,
               .range = {-1e12, 1e12},
               .live = Live::yes,
               .doc = "Constant force on the region, distributed evenly over its voxels."},
      Param<T>{.member = &T::torque,
               .key = "torque",
               .unit = Unit::newton_meter,
               .range = {-1e12, 1e12},
               .live = Live::yes,
               .doc = "Constant torque on the region, distributed evenly over its voxels."},
      Param<T>{
          .member = &T::shape,
          .key = "shape",
          .live = Live::yes,
          .choices = {"box", "cylinder", "sphere"},
          .doc = "Shape of the region. box: the box from `min` to `max`, with all voxels that it overlaps. cylinder: a "
                 "cylinder that `center`, `axis` and `radius` describe, with the voxels whose centres lie inside. "
                 "sphere: a sphere that `center` and `radius` describe, with the voxels whose centres lie inside."},
      Param<T>{.member = &T::center,
               .key = "center",
               .unit = Unit::ratio,
               .range = {-10, 10},
               .live = Live::yes,
               .doc = "Centre of a spherical region, or centre of the first end of a cylindrical region, as fractions "
                      "of the edge lengths of the lattice, which extends from 0 to 1 along each axis."},
      Param<T>{.member = &T::axis,
               .key = "axis",
               .unit = Unit::ratio,
               .range = {-10, 10},
               .live = Live::yes,
               .doc = "Vector from the first to the second end of a cylindrical region, as fractions of the edge "
                      "lengths of the lattice."},
      Param<T>{.member = &T::radius,
               .key = "radius",
               .unit = Unit::ratio,
               .range = {0, 10},
               .live = Live::yes,
               .doc = "Radius of a spherical or cylindrical region, as a fraction of the longest edge of the lattice."},
      Param<T>{.member = &T::freedoms,
               .key = "freedoms",
               .live = Live::yes,
               .doc = "Degrees of freedom that are held if `fixed` is on: displacements x, y and z, and rotations rx, "
                      "ry and rz. Empty means all six."},
      Param<T>{.member = &T::displacement,
               .key = "displacement",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .live = Live::yes,
               .doc = "Displacement that is forced on the held voxels of the region. It grows from 0 to this value "
                      "over the time `ramp`."},
      Param<T>{.member = &T::rotation,
               .key = "rotation",
               .unit = Unit::radian,
               .range = {-1e3, 1e3},
               .live = Live::yes,
               .doc = "Rotation, as a rotation vector, that is forced on each held voxel of the region about the "
                      "centre of the voxel. It grows from 0 to this value over the time `ramp`."},
      Param<T>{.member = &T::ramp_s,
               .key = "ramp",
               .unit = Unit::second,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Time from the start over which the forced displacement and rotation grow to their full values. "
                      "0 means at once."},
  };
  return table;
}

const Schema& voxel_body_schema() {
  static const Schema region{
      "region", "A part of the lattice whose voxels are held, loaded or moved.", voxel_region_params().specs(), {}};
  static const Schema schema{"voxel_body",
                             "A deformable body of cubic voxels, which elastic beams join (Hiller & Lipson 2014).",
                             voxel_body_params().specs(),
                             {{.name = "region",
                               .kinds = {&region},
                               .doc = "Regions of the lattice whose voxels are held, loaded or moved.",
                               .is_live = true},
                              {.name = "muscle",
                               .kinds = {&voxel_muscle_schema()},
                               .doc = "Groups of voxels that contract and expand.",
                               .is_live = true}}};
  return schema;
}

}  // namespace vw
