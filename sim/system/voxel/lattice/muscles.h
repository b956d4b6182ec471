// Actuation by muscles: groups of voxels whose rest size follows a prescribed strain. Within a world step, the strain
// of a muscle changes linearly and reaches its new value at the end of the step.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/data/state.h"
#include "sim/system/voxel/lattice/lattice.h"

namespace vw {

/// Parameters of a muscle. Its voxels are the voxels that the shape touches (region_shape.h), limited to one material
/// if `material` is not empty, and weighted by `cells` if `cells` is not empty.
struct VoxelMuscleParams {
  double strain = 0;      ///< change of the rest length of the voxels with weight 1, relative to the rest length
  double response_s = 0;  ///< time constant with which the muscle follows `strain` [s]
  RegionShape shape = RegionShape::box;
  Vec3 min{0, 0, 0};
  Vec3 max{1, 1, 1};
  Vec3 center{0.5, 0.5, 0.5};
  Vec3 axis{0, 1, 0};
  double radius = 0.5;
  std::string material;
  NumberList cells;  ///< weight of each cell of the lattice, in the order of VoxelBodyParams::phase
};
[[nodiscard]] const ParamTable<VoxelMuscleParams>& voxel_muscle_params();
[[nodiscard]] const Schema& voxel_muscle_schema();

/// A muscle and the weights of its voxels.
struct VoxelMuscle {
  std::string name;
  VoxelMuscleParams params;
  std::vector<std::uint32_t> voxel;  ///< indices of the voxels, in ascending order
  std::vector<double> weight;        ///< weight of each of `voxel`, not 0
};
/// Reads the muscles of a body's node. An error names line and key.
[[nodiscard]] Result<std::vector<VoxelMuscle>> read_muscles(const Node& body, const VoxelLattice& lattice);

/// The muscles of one body and their present strains.
class BodyMuscles {
 public:
  /// Replaces the muscles. A muscle with the same name as a former muscle keeps its strain. `voxels` is the number of
  /// voxels of the body.
  void set(std::vector<VoxelMuscle> muscles, std::size_t voxels);
  [[nodiscard]] bool empty() const { return muscles_.empty(); }
  [[nodiscard]] std::span<const VoxelMuscle> all() const { return muscles_; }

  /// Sets the strain that the muscle follows. Returns false if there is no muscle of this name.
  bool set_target(std::string_view muscle, double strain);
  /// Prepares the world step from `time` to `time` + `dt` [s].
  void begin_step(double time, double dt);
  void end_step();

  /// Returns the fraction of the step that has passed at the time t [s], for strain_of().
  [[nodiscard]] double share_at(double t) const;
  /// Returns the strain that the muscles prescribe for a voxel. `share` is the result of share_at().
  [[nodiscard]] double strain_of(std::size_t voxel, double share) const;
  /// Returns the largest strain that the muscles prescribe for any voxel at the start or at the end of this step, at
  /// least 0.
  [[nodiscard]] double largest_growth() const;

  void visit_state(StateVisitor& visit);
  [[nodiscard]] bool has_sound_state() const { return strain_.size() == muscles_.size(); }
  /// Call after the state was restored. Ends a step in progress.
  void state_restored();
  /// Takes over the strains of the muscles of a former body. `former_names` maps "muscle.NAME" of a renamed muscle to
  /// its former name. An empty former name means that the muscle is new.
  void continue_from(const BodyMuscles& former, const std::map<std::string, std::string>& former_names);
  void keep_state() { kept_ = strain_; }
  void return_to_kept_state();

 private:
  std::vector<VoxelMuscle> muscles_;
  /// The muscles of voxel v are the entries first_[v] to first_[v + 1] - 1 of muscle_ and weight_.
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> muscle_;
  std::vector<double> weight_;
  std::vector<double> strain_;  ///< state: strain of each muscle at the last step boundary
  std::vector<double> next_;    ///< strain of each muscle at the end of the step in progress
  std::vector<double> kept_;
  /// Start and length of the last step [s]. The length is 0 before the first step and after state_restored().
  double begin_s_ = 0, length_s_ = 0;
};

}  // namespace vw
