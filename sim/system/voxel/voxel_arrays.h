// State of a voxel body as the kernels see it: one aligned and padded array per component (structure of arrays). It is
// loaded from the shared Elements at the start of a run of substeps and stored back at its end; during the run only
// these arrays are current.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/page_memory.h"
#include "sim/system/system.h"

namespace vw {

/// Doubles, 64-byte aligned, with `padding` readable rows beyond the end.
class PaddedArray {
 public:
  static constexpr std::size_t padding = 16;
  /// `column` staggers arrays that are read together, so that they do not collide in the cache: give each a different
  /// number. 0: not staggered.
  void assign(std::size_t count, double value, std::size_t column = 0);
  /// Uses external memory: `count` + padding doubles from `data` on, 64-byte aligned, which must outlive this array.
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
  /// Exchanges the values with those of `elements`.
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
  PageMemory memory_;  ///< of all arrays
};

/// Loads on few of a body's voxels in one substep: wind, contact between voxels, the regions' forces. Groups of voxels
/// without loads are skipped.
class SparseLoads {
 public:
  static constexpr std::size_t group = 16;  ///< voxels that share a mark
  void resize(std::size_t voxels);
  [[nodiscard]] std::size_t size() const { return force_[0].size(); }
  /// Zeroes the groups that have loads.
  void clear();
  /// Two threads must not add to one group at the same time.
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
