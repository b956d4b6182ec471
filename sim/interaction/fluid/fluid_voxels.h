// Two-way coupling of fluids and voxel bodies. Pressure, viscosity and buoyancy act on the voxels at the surface and
// deform the body. The opposite impulses act on the fluid.
#pragma once

#include <span>

#include "sim/interaction/fluid/deformation_filter.h"
#include "sim/interaction/fluid/fluid_body.h"
#include "sim/system/voxel/lattice/pieces.h"
#include "sim/system/voxel/voxel_body.h"

namespace vw {

class FluidVoxels final : public FluidBodyRule {
 public:
  explicit FluidVoxels(const Node& self);

  void start(System& a, System& b, const PairContext& context) override;
  void apply(System& a, System& b, const PairContext& context) override;
  void visit_state(StateVisitor& visit) override {
    filter_.visit_state(visit);
    if (!params_.enabled) forget();  // The state may have been saved while the rule was enabled.
  }

 private:
  /// One of the cells into which a voxel near the surface is divided. The edge of a cell does not exceed about the
  /// spacing of the fluid.
  struct Sample {
    std::uint32_t voxel = 0;
    Vec3 offset = Vec3::Zero();  ///< Centre of the cell relative to the voxel's centre, in half edges.
  };
  [[nodiscard]] std::function<bool(const Vec3&)> inside(const System& body, double margin,
                                                        std::span<const std::uint8_t> rows) const override;
  void bring(FluidSystem& fluid, System& body, const PairContext& context) override;
  void collect(System& body) override;
  void forget() override { filter_.forget(); }
  void find_held(const VoxelBody& body);
  void sample(const VoxelBody& body, double spacing_m);
  void add_cells(const VoxelBody& body, std::size_t voxel, std::span<const int> layer, double reach_m);
  [[nodiscard]] double added_volume(const VoxelBody& body, std::size_t piece) const;
  void add_guest(FluidSystem& fluid, const VoxelBody& body, std::size_t piece, const PairContext& context);
  [[nodiscard]] GuestBlock block_of(const VoxelBody& body, std::uint32_t voxel) const;
  [[nodiscard]] std::uint8_t open_of(std::size_t voxel) const {
    return open_faces_.empty() ? 0x3f : open_faces_[voxel];
  }

  // The members from here to `added_volume_` are caches that depend on the structure of the body, not on its motion.
  std::vector<std::uint8_t> open_faces_;
  /// `held_` is 1 for a voxel with prescribed motion, which the fluid cannot move. `held_before_` is the value of
  /// `held_` when the body was last sampled.
  std::vector<std::uint8_t> held_, held_before_;
  double spacing_m_ = 0;
  int cuts_ = 1;  ///< Number of cells along the edge of a voxel.
  Pieces pieces_;
  std::vector<std::vector<Sample>> samples_;                      ///< Samples of each piece (pieces.h).
  std::vector<std::vector<std::uint32_t>> voxels_, held_voxels_;  ///< Voxels, and held voxels, of each piece.
  std::vector<double> added_volume_;                              ///< Result of added_volume() for each piece.
  std::vector<Vec3> center_;  ///< Centre of each voxel at the start of the fluid's substep [m].
  DeformationFilter filter_;
  std::vector<DeformingPiece> pieces_in_fluid_;  ///< All pieces, in the form that filter_ requires.
  /// Fraction of each piece's samples on which the fluid exerted a force in its present substep.
  std::vector<double> wet_;
};

[[nodiscard]] const Schema& fluid_voxels_schema();

}  // namespace vw
