// State of a voxel body for vector code: one aligned and padded array per component (structure of arrays). The state is
// loaded from Elements at the start of a run of substeps and stored back at the end of the run. During the run, only
// these arrays are up to date.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/parallel/page_memory.h"
#include "sim/system/system.h"

namespace vw {

/// 64-byte aligned array of doubles, with `padding` readable entries beyond the end.
class PaddedArray {
 public:
  static constexpr std::size_t padding = 16;
  /// Allocates `count` entries with the given value. Arrays that are read together should have different `column`
  /// numbers. Such arrays start at different offsets within a page and do not compete for the same cache lines. With
  /// column 0, the array is only aligned.
  void assign(std::size_t count, double value, std::size_t column = 0);
  /// Uses external memory of `count` + padding doubles, starting at `data`. The memory must be 64-byte aligned and
  /// outlive this array.
  void place(double* data, std::size_t count);
  [[nodiscard]] double* data() { return data_; }
  [[nodiscard]] const double* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  double& operator[](std::size_t i) { return data_[i]; }
  double operator[](std::size_t i) const { return data_[i]; }

 private:
  std::vector<double> storage_;
  double* data_ = nullptr;
  std::size_t size_ = 0;
};

struct VoxelArrays {
  VoxelArrays() = default;
  VoxelArrays(VoxelArrays&&) = default;
  VoxelArrays& operator=(VoxelArrays&&) = default;

  std::array<PaddedArray, 3> position;          ///< [m]
  std::array<PaddedArray, 3> velocity;          ///< [m/s]
  std::array<PaddedArray, 4> orientation;       ///< w, x, y, z
  std::array<PaddedArray, 3> angular_velocity;  ///< world frame [rad/s]

  void load(const Elements& elements);
  void store(Elements& elements) const;
  /// Exchanges the values with the values of `elements`.
  void exchange(Elements& elements);
  [[nodiscard]] std::size_t size() const { return position[0].size(); }
  [[nodiscard]] Vec3 position_of(std::size_t v) const { return {position[0][v], position[1][v], position[2][v]}; }
  [[nodiscard]] Vec3 velocity_of(std::size_t v) const { return {velocity[0][v], velocity[1][v], velocity[2][v]}; }
  [[nodiscard]] Vec3 angular_velocity_of(std::size_t v) const {
    return {angular_velocity[0][v], angular_velocity[1][v], angular_velocity[2][v]};
  }
  [[nodiscard]] Quat orientation_of(std::size_t v) const {
    return {orientation[0][v], orientation[1][v], orientation[2][v], orientation[3][v]};
  }

 private:
  void resize(std::size_t count);
  PageMemory memory_;  ///< memory of all arrays
};

/// External loads on some voxels of a body in one substep: pending impulses, wind, self-contact, and the regions'
/// forces and torques. Groups of voxels without loads are skipped.
class SparseLoads {
 public:
  static constexpr std::size_t group = 16;  ///< number of voxels in a group
  void resize(std::size_t voxels);
  [[nodiscard]] std::size_t size() const { return force_[0].size(); }
  /// Sets all loads to zero.
  void clear();
  // Two threads must not add loads to the same group at the same time.
  void add_force(std::size_t v, const Vec3& force) {
    mark_[v / group] = 1;
    for (std::size_t k = 0; k < 3; ++k) force_[k][v] += force[static_cast<Eigen::Index>(k)];
  }
  void add_moment(std::size_t v, const Vec3& moment) {
    mark_[v / group] = 1;
    for (std::size_t k = 0; k < 3; ++k) moment_[k][v] += moment[static_cast<Eigen::Index>(k)];
  }
  /// True if the group of voxel `v` may have loads.
  [[nodiscard]] bool any(std::size_t v) const { return mark_[v / group] != 0; }
  [[nodiscard]] Vec3 force_of(std::size_t v) const { return {force_[0][v], force_[1][v], force_[2][v]}; }
  [[nodiscard]] const std::array<PaddedArray, 3>& force() const { return force_; }
  [[nodiscard]] const std::array<PaddedArray, 3>& moment() const { return moment_; }

 private:
  std::array<PaddedArray, 3> force_, moment_;
  std::vector<std::uint8_t> mark_;
};

}  // namespace vw
