// Fluids with voxel bodies in them, two-way: pressure, viscosity and buoyancy act on the voxels at the surface, bend the body and are answered by it.
#pragma once

#include <span>

#include "sim/interaction/fluid_body.h"
#include "sim/system/voxel/pieces.h"
#include "sim/system/voxel/voxel_body.h"

namespace vw {

class FluidVoxels final : public FluidBodyRule {
 public:
  explicit FluidVoxels(const Node& self);

 private:
  /// A cell of the volume near the surface; a voxel is cut into cells no larger than about the fluid's spacing.
  struct Sample {
    std::uint32_t voxel = 0;
    Vec3 offset = Vec3::Zero();  ///< from the voxel's centre, in half edges
  };
  [[nodiscard]] std::function<bool(const Vec3&)> inside(const System& body, double margin) const override;
  void bring(FluidSystem& fluid, System& body, const PairContext& context) override;
  void collect(System& body) override;
  void find_held(const VoxelBody& body);
  void sample(const VoxelBody& body, double spacing_m);
  void add_cells(const VoxelBody& body, std::size_t voxel, std::span<const int> layer, double reach_m);
  void add_guest(FluidSystem& fluid, const VoxelBody& body, std::size_t piece, const PairContext& context);
  [[nodiscard]] GuestBlock block_of(const VoxelBody& body, std::uint32_t voxel) const;
  [[nodiscard]] std::uint8_t open_of(std::size_t voxel) const { return open_faces_.empty() ? 0x3f : open_faces_[voxel]; }

  // Caches of the structure: follow from the body as it is.
  std::vector<std::uint8_t> open_faces_;
  std::vector<std::uint8_t> held_, held_before_;  ///< 1: goes where it is told to, whatever the fluid says
  double spacing_m_ = 0;
  int cuts_ = 1;  ///< cells along a voxel's edge
  Pieces pieces_;
  std::vector<std::vector<Sample>> samples_;        ///< of each piece
  std::vector<std::vector<std::uint32_t>> voxels_;  ///< of each piece
  std::vector<Vec3> center_;                        ///< of each voxel at the fluid's substep's start
};

[[nodiscard]] const Schema& fluid_voxels_schema();

}  // namespace vw
