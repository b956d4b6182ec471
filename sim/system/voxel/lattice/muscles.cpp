#include "sim/system/voxel/lattice/muscles.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/elementary/elementary.h"
#include "sim/system/former_name.h"
#include "sim/system/voxel/lattice/region_shape.h"

namespace vw {
namespace {

std::size_t cell_index(const VoxelLattice& lattice, const std::array<int, 3>& cell) {
  const auto nx = static_cast<std::size_t>(lattice.nx), nz = static_cast<std::size_t>(lattice.nz);
  return static_cast<std::size_t>(cell[0]) +
         nx * (static_cast<std::size_t>(cell[2]) + nz * static_cast<std::size_t>(cell[1]));
}

/// Fills the voxels and weights of a muscle.
void resolve_muscle(const VoxelLattice& lattice, VoxelMuscle& muscle) {
  VoxelRegion region;
  const VoxelMuscleParams& p = muscle.params;
  region.shape = p.shape, region.min = p.min, region.max = p.max;
  region.center = p.center, region.axis = p.axis, region.radius = p.radius;
  // A palette may name the same material several times.
  std::vector<std::uint8_t> selected;  // for each material of the lattice: 1 if the muscle may contain its voxels
  for (const std::string& name : lattice.material_name)
    selected.push_back(p.material.empty() || name == p.material ? 1 : 0);
  for (const std::size_t v : voxels_in(lattice, region)) {
    if (selected[lattice.material[v]] == 0) continue;
    const double weight = p.cells.empty() ? 1 : p.cells[cell_index(lattice, lattice.cell[v])];
    if (weight == 0) continue;
    muscle.voxel.push_back(static_cast<std::uint32_t>(v));
    muscle.weight.push_back(weight);
  }
}

}  // namespace

const ParamTable<VoxelMuscleParams>& voxel_muscle_params() {
  using T = VoxelMuscleParams;
  static const ParamTable<T> table{
      Param<T>{.member = &T::strain,
               .key = "strain",
               .unit = Unit::ratio,
               .range = {-0.8, 2},
               .live = Live::yes,
               .doc = "Strain that the voxels of the muscle have without load, which is the change of their edge "
                      "length divided by their edge length at rest. Negative values contract the muscle. Actuators "
                      "usually set this parameter."},
      Param<T>{.member = &T::response_s,
               .key = "response",
               .label = "Response time",
               .unit = Unit::second,
               .range = {0, 1e3},
               .live = Live::yes,
               .doc = "Time constant with which the muscle follows changes of `strain`. After this time, 63 % of a "
                      "sudden change is reached. 0 means that the muscle follows within one step."},
      Param<T>{.member = &T::shape,
               .key = "shape",
               .live = Live::yes,
               .choices = {"box", "cylinder", "sphere"},
               .doc = "Shape that contains the voxels of the muscle. box: the box from `min` to `max`. cylinder: the "
                      "cylinder that `center`, `axis` and `radius` describe. sphere: the sphere that `center` and "
                      "`radius` describe."},
      Param<T>{.member = &T::min,
               .key = "min",
               .label = "Lower corner",
               .unit = Unit::ratio,
               .range = {-1, 2},
               .live = Live::yes,
               .doc = "Lower corner of the box, as fractions of the edge lengths of the lattice, which extends from 0 "
                      "to 1 along each axis."},
      Param<T>{.member = &T::max,
               .key = "max",
               .label = "Upper corner",
               .unit = Unit::ratio,
               .range = {-1, 2},
               .live = Live::yes,
               .doc = "Upper corner of the box, as fractions of the edge lengths of the lattice, which extends from 0 "
                      "to 1 along each axis."},
      Param<T>{.member = &T::center,
               .key = "center",
               .unit = Unit::ratio,
               .range = {-10, 10},
               .live = Live::yes,
               .doc = "Centre of a sphere, or centre of the first end of a cylinder, as fractions of the edge lengths "
                      "of the lattice."},
      Param<T>{.member = &T::axis,
               .key = "axis",
               .unit = Unit::ratio,
               .range = {-10, 10},
               .live = Live::yes,
               .doc = "Vector from the first to the second end of a cylinder, as fractions of the edge lengths of the "
                      "lattice."},
      Param<T>{.member = &T::radius,
               .key = "radius",
               .unit = Unit::ratio,
               .range = {0, 10},
               .live = Live::yes,
               .doc = "Radius of a sphere or cylinder, as a fraction of the longest edge of the lattice."},
      Param<T>{.member = &T::material,
               .key = "material",
               .live = Live::yes,
               .refers_to = "material",
               .doc = "Name of the material of the voxels that belong to the muscle. Empty means that voxels of all "
                      "materials belong to it."},
      Param<T>{.member = &T::cells,
               .key = "cells",
               .label = "Weights of the cells",
               .range = {-10, 10},
               .live = Live::yes,
               .doc = "Factor by which `strain` is multiplied in each cell of the lattice, in the same order as "
                      "`phase` of the body. Cells with the factor 0 do not belong to the muscle. Empty means 1 in all "
                      "cells of the shape."},
  };
  return table;
}

const Schema& voxel_muscle_schema() {
  static const Schema schema{
      "muscle", "A group of voxels that contracts and expands.", voxel_muscle_params().specs(), {}};
  return schema;
}

Result<std::vector<VoxelMuscle>> read_muscles(const Node& body, const VoxelLattice& lattice) {
  std::vector<VoxelMuscle> all;
  const std::size_t cells = static_cast<std::size_t>(lattice.nx) * static_cast<std::size_t>(lattice.ny) *
                            static_cast<std::size_t>(lattice.nz);
  for (const Node* node : body.all("muscle")) {
    VoxelMuscle muscle{node->name, voxel_muscle_params().read(node->values), {}, {}};
    const std::string key = fmt::format("system.{}.muscle.{}.", body.name, node->name);
    const VoxelMuscleParams& p = muscle.params;
    if (!p.cells.empty() && p.cells.size() != cells)
      return wrong_value(
          node->line, key + "cells", fmt::format("{} numbers", p.cells.size()),
          fmt::format("must be empty or have one number for each cell of the lattice, {} in all", cells));
    if (p.shape == RegionShape::box && (p.min.array() > p.max.array()).any())
      return wrong_value(node->line, key + "min", to_text(Value(p.min)), "must not be above max along any axis");
    if (!p.material.empty() && std::ranges::find(lattice.material_name, p.material) == lattice.material_name.end())
      return wrong_value(node->line, key + "material", "\"" + p.material + "\"", "must name a material of the body",
                         nearest_word(p.material, lattice.material_name));
    resolve_muscle(lattice, muscle);
    all.push_back(std::move(muscle));
  }
  return all;
}

void BodyMuscles::set(std::vector<VoxelMuscle> muscles, std::size_t voxels) {
  std::vector<double> strain(muscles.size(), 0.0);
  for (std::size_t i = 0; i < muscles.size(); ++i)
    for (std::size_t k = 0; k < muscles_.size(); ++k)
      if (muscles_[k].name == muscles[i].name) strain[i] = strain_[k];
  muscles_ = std::move(muscles);
  strain_ = std::move(strain);
  next_ = strain_;
  first_.assign(muscles_.empty() ? 0 : voxels + 1, 0);
  for (const VoxelMuscle& muscle : muscles_)
    for (const std::uint32_t v : muscle.voxel) ++first_[v + 1];
  for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
  muscle_.resize(first_.empty() ? 0 : first_.back());
  weight_.resize(muscle_.size());
  std::vector<std::uint32_t> at(first_.begin(), first_.end());
  for (std::size_t i = 0; i < muscles_.size(); ++i)
    for (std::size_t row = 0; row < muscles_[i].voxel.size(); ++row) {
      const std::uint32_t entry = at[muscles_[i].voxel[row]]++;
      muscle_[entry] = static_cast<std::uint32_t>(i);
      weight_[entry] = muscles_[i].weight[row];
    }
}

bool BodyMuscles::set_target(std::string_view muscle, double strain) {
  const auto found = std::ranges::find(muscles_, muscle, &VoxelMuscle::name);
  if (found == muscles_.end()) return false;
  found->params.strain = strain;
  return true;
}

void BodyMuscles::begin_step(double time, double dt) {
  begin_s_ = time;
  length_s_ = dt;
  for (std::size_t i = 0; i < muscles_.size(); ++i) {
    const VoxelMuscleParams& p = muscles_[i].params;
    const double share = p.response_s > 0 ? -elementary::expm1(-dt / p.response_s) : 1;
    next_[i] = share == 1 ? p.strain : strain_[i] + share * (p.strain - strain_[i]);
  }
}

void BodyMuscles::end_step() { strain_ = next_; }

double BodyMuscles::share_at(double t) const {
  return length_s_ > 0 ? std::clamp((t - begin_s_) / length_s_, 0.0, 1.0) : 0;
}

double BodyMuscles::strain_of(std::size_t voxel, double share) const {
  double strain = 0;
  if (muscles_.empty()) return strain;
  for (std::uint32_t entry = first_[voxel]; entry < first_[voxel + 1]; ++entry) {
    const std::uint32_t i = muscle_[entry];
    strain += weight_[entry] * (strain_[i] + share * (next_[i] - strain_[i]));
  }
  return strain;
}

double BodyMuscles::largest_growth() const {
  double largest = 0;
  for (std::size_t v = 0; v + 1 < first_.size(); ++v) largest = std::max({largest, strain_of(v, 0), strain_of(v, 1)});
  return largest;
}

void BodyMuscles::visit_state(StateVisitor& visit) {
  visit.rows("muscle");
  if (!muscles_.empty()) visit("muscle_strain", strain_, {-100, 100});
}

void BodyMuscles::state_restored() {
  next_ = strain_;
  length_s_ = 0;
}

void BodyMuscles::continue_from(const BodyMuscles& former, const std::map<std::string, std::string>& former_names) {
  strain_.assign(muscles_.size(), 0.0);
  for (std::size_t i = 0; i < muscles_.size(); ++i) {
    const std::string& name = former_name(former_names, "muscle", muscles_[i].name);
    for (std::size_t k = 0; k < former.muscles_.size(); ++k)
      if (former.muscles_[k].name == name) strain_[i] = former.strain_[k];
  }
  state_restored();
}

void BodyMuscles::return_to_kept_state() {
  strain_ = kept_;
  state_restored();
}

}  // namespace vw
