// What can be said about a voxel body, its materials and regions: names, units, ranges and one line of documentation each.
#include "sim/system/voxel/lattice.h"

namespace vw {

const ParamTable<VoxelMaterial>& voxel_material_params() {
  using T = VoxelMaterial;
  static const ParamTable<T> table{
      {&T::youngs_modulus, "youngs_modulus", Unit::pascal, 1e6, {1, 1e13}, Scale::log, Live::yes, "Stiffness in tension: stress over strain."},
      {&T::density, "density", Unit::kilogram_per_m3, 1000, {1e-3, 1e8}, Scale::log, Live::yes, "Mass per volume."},
      {&T::poissons_ratio, "poissons_ratio", Unit::ratio, 0, {0, 0.49}, Scale::linear, Live::yes, "Contraction across over extension along."},
      {&T::cte, "cte", Unit::per_kelvin, 0, {-1, 1}, Scale::linear, Live::yes, "Thermal expansion: strain per kelvin of the body's temperature."},
      {&T::bond_damping,
       "bond_damping",
       Unit::ratio,
       0.1,
       {0, 10},
       Scale::linear,
       Live::yes,
       "Damping ratio of the bonds; 1 is critical for a free pair. Never damps rigid motion."},
      {&T::global_damping,
       "global_damping",
       Unit::ratio,
       0,
       {0, 10},
       Scale::linear,
       Live::yes,
       "Damping ratio of every motion against the world, for settling; 0 is off."},
      {&T::contact_damping, "contact_damping", Unit::ratio, 1, {0, 1}, Scale::linear, Live::yes, "Damping ratio of the normal motion in contact."},
      {&T::mu_static,
       "mu_static",
       Unit::ratio,
       1,
       {0, 100},
       Scale::linear,
       Live::yes,
       "Static friction; combined with the obstacle's by geometric mean."},
      {&T::mu_dynamic,
       "mu_dynamic",
       Unit::ratio,
       0.5,
       {0, 100},
       Scale::linear,
       Live::yes,
       "Dynamic friction; combined with the obstacle's by geometric mean."},
      {&T::restitution, "restitution", Unit::ratio, 0, {0, 1}, Scale::linear, Live::yes, "Bounciness that particles meet."},
      {&T::color, "color", Unit::none, Vec3(0.8, 0.8, 0.8), {0, 1}, Live::yes, "Linear RGB.", ParamType::color},
  };
  return table;
}

const Schema& voxel_material_schema() {
  static const Schema schema{"voxel_material", "An elastic material of voxel bodies.", voxel_material_params().specs(), {}};
  return schema;
}

const ParamTable<VoxelBodyParams>& voxel_body_params() {
  using T = VoxelBodyParams;
  static const ParamTable<T> table{
      {&T::source, "source", "", Live::no,
       "VoxCAD design (.vxa, .vxc) that gives the lattice and its materials, relative to the scene; empty: what follows."},
      {&T::shape, "shape", LatticeShape::box, {"layers", "box"}, Live::no, "Where the voxels come from: `layers` of codes, or a full `box`."},
      {&T::size, "size", Unit::count, Vec3(4, 4, 4), {1, 100000}, Live::no, "Cells along x, y, z (whole numbers)."},
      {&T::voxel_size_m, "voxel_size", Unit::meter, 0.01, {1e-9, 1e3}, Scale::log, Live::no, "Edge of a voxel."},
      {&T::material, "material", "", Live::no, "Name of a box's material; empty: the scene's first."},
      {&T::palette, "palette", Live::no, "Names of the materials that the codes 1, 2, ... of `layers` stand for."},
      {&T::layers, "layers", Live::no,
       "One text a layer, bottom first: size.z rows of size.x codes, `110/101`; 0 or . is empty, 1-9, A-Z, a-z; or decimal codes separated by "
       "spaces."},
      {&T::phase, "phase", Unit::cycle, {-1e9, 1e9}, Live::no, "Phase of the temperature a cell (x fastest, then z, then y), or empty: 0."},
      {&T::temperature_amplitude_scale,
       "temperature_amplitude_scale",
       Unit::ratio,
       {-1e9, 1e9},
       Live::no,
       "Factor on the temperature's amplitude a cell, in the order of `phase`, or empty: 1."},
      {&T::youngs_modulus_per_cell,
       "youngs_modulus_per_cell",
       Unit::pascal,
       {0, 1e13},
       Live::no,
       "Stiffness a cell, in the order of `phase`; 0: the material's. Or empty."},
      {&T::position, "position", Unit::meter, Vec3(0, 0, 0), {-1e6, 1e6}, Live::no, "Lower corner of the lattice, before its rotation."},
      {&T::rotation, "rotation", Unit::radian, Vec3(0, 0, 0), {-1e3, 1e3}, Live::no, "Rotation vector about the lattice's centre."},
      {&T::velocity, "velocity", Unit::meter_per_second, Vec3(0, 0, 0), {-1e6, 1e6}, Live::no, "Velocity of the centre at the start."},
      {&T::angular_velocity,
       "angular_velocity",
       Unit::radian_per_second,
       Vec3(0, 0, 0),
       {-1e6, 1e6},
       Live::no,
       "Spin about the centre of mass at the start."},
      {&T::wave,
       "temperature_wave",
       TemperatureWave::none,
       {"none", "constant", "sine", "square"},
       Live::yes,
       "Course of the temperature above the base at which the lattice has its size: A, A sin 2 pi (t / period + phase), or its sign times A."},
      {&T::temperature_amplitude, "temperature_amplitude", Unit::kelvin, 0, {-1e6, 1e6}, Scale::linear, Live::yes, "Amplitude A of the temperature."},
      {&T::temperature_period_s, "temperature_period", Unit::second, 1, {1e-6, 1e6}, Scale::log, Live::yes, "Period of the temperature."},
      {&T::safety, "safety", Unit::ratio, 0.9, {0.001, 1}, Scale::linear, Live::yes, "Fraction of the stable substep that is used."},
      {&T::wind, "wind", true, Live::yes, "Exposed faces feel the wind."},
      {&T::wind_drag,
       "wind_drag",
       Unit::ratio,
       1,
       {0, 100},
       Scale::linear,
       Live::yes,
       "Pressure drag coefficient of a face that the wind blows against."},
      {&T::wind_friction,
       "wind_friction",
       Unit::ratio,
       0.01,
       {0, 10},
       Scale::linear,
       Live::yes,
       "Skin friction coefficient of a face that the wind blows along."},
      {&T::air_density, "air_density", Unit::kilogram_per_m3, 1.2, {0, 1e4}, Scale::linear, Live::yes, "Density of the air."},
  };
  return table;
}

const ParamTable<VoxelRegion>& voxel_region_params() {
  using T = VoxelRegion;
  static const ParamTable<T> table{
      {&T::min, "min", Unit::ratio, Vec3(0, 0, 0), {-1, 2}, Live::yes, "Lower corner, in fractions of the lattice's extent."},
      {&T::max, "max", Unit::ratio, Vec3(1, 1, 1), {-1, 2}, Live::yes, "Upper corner, in fractions of the lattice's extent."},
      {&T::fixed, "fixed", true, Live::yes, "Holds position and orientation of the voxels touched."},
      {&T::force, "force", Unit::newton, Vec3(0, 0, 0), {-1e12, 1e12}, Live::yes, "Constant force, shared evenly over the voxels touched."},
  };
  return table;
}

const Schema& voxel_body_schema() {
  static const Schema region{"region", "A condition on the voxels that a box of the lattice touches.", voxel_region_params().specs(), {}};
  static const Schema schema{"voxel_body",
                             "A soft body of cubic voxels joined by elastic beams (Hiller & Lipson 2014).",
                             voxel_body_params().specs(),
                             {{"region", true, {&region}, "Voxels that are held or pushed."}}};
  return schema;
}

}  // namespace vw
