// Walls that have fluid on both sides and are thinner than the particle spacing: boxes, sheets, flat cylinders and thin
// meshes. Each side has its own wall samples, which lie behind the face of that side (walls_sampling.h). The fluid on
// one side interacts neither with the samples nor with the fluid of the other side, so both sides press on the wall but
// not on each other. The test is the visibility criterion of Belytschko, Lu & Gu 1994, "Element-free Galerkin methods".
// Input: colliders and guests (coupled bodies, guest.h) at the start of the substep. Output: neighbour lists without
// the pairs that such a wall separates.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/system/fluid/bodies/guest.h"
#include "sim/system/fluid/rows/sph_workspace.h"
#include "sim/system/fluid/walls/walls.h"

namespace vw {

class ThinWalls {
 public:
  /// Finds the colliders and guests that are thin walls. Both arrays must stay valid until the next call of part()
  /// returns.
  void assign(std::span<const Collider> colliders, std::span<const Guest> guests, double spacing_m);
  [[nodiscard]] bool empty() const { return plates_.empty() && sheets_.empty(); }
  /// Removes from space.lists the pairs that thin walls separate. `owners`: owner of each sample in space.walls.
  void part(SphWorkspace& space, std::span<const Walls::Owner> owners);

 private:
  /// A thin box.
  struct Plate {
    Mat3 to_local = Mat3::Identity();
    Vec3 position = Vec3::Zero();
    /// Half extents, along the box's axes, of the part of the midplane that separates pairs.
    Vec3 half = Vec3::Zero();
    int across = 0;      ///< Axis along which the box is thin.
    Walls::Owner owner;  ///< Owner of the wall's samples. For a guest, the sample number is not used.
    Box3 around;         ///< Region in which fluid particles can have samples of this wall in their lists.
    [[nodiscard]] Vec3 local(const Vec3& place) const { return to_local * (place - position); }
  };
  /// A thin wall of any other shape.
  struct Sheet {
    const Collider* solid = nullptr;
    Walls::Owner owner;  ///< Owner of the wall's samples. For a guest, the sample number is not used.
    Box3 around;         ///< Region in which fluid particles can have samples of this wall in their lists.
  };
  /// Position of a particle or sample relative to a sheet.
  struct Side {
    std::uint32_t index = 0;
    Vec3 place = Vec3::Zero();  ///< Position [m].
    double distance_m = 0;      ///< Signed distance to the surface of the sheet, negative inside [m].
    /// Unit normal of the sheet's surface: outward for a solid, toward `place` for a sheet without volume.
    Vec3 normal = Vec3::Zero();
  };
  /// Particles and samples near one sheet, sorted by index.
  struct Sides {
    const Sheet* sheet = nullptr;
    std::vector<Side> rows, walls;
    [[nodiscard]] static const Side* find(const std::vector<Side>& sides, std::uint32_t index);
  };
  /// Scratch of one chunk. The masks `near` and `walls` have one byte per list entry and one bit per particle of the
  /// cluster. A bit is set if the entry is to be removed from the particle's list.
  struct Scratch {
    std::vector<Cluster> clusters;
    std::vector<const Plate*> plates, of_cluster;
    std::vector<Sides> sides;
    std::vector<std::uint8_t> near, walls;
  };
  void add(const Collider& solid, const Walls::Owner& owner, double spacing_m);
  [[nodiscard]] bool is_sheet(const Collider& solid, double spacing_m);
  void find_sides(const SphWorkspace& space, std::span<const Walls::Owner> owners, const PairChunk& chunk,
                  Scratch& scratch) const;
  void part_chunk(const SphWorkspace& space, std::span<const Walls::Owner> owners, PairChunk& chunk,
                  Scratch& scratch) const;
  [[nodiscard]] static bool is_parted(const Collider& sheet, const Side& from, const Side& to);
  [[nodiscard]] static bool part_by_sheets(const SphWorkspace& space, const PairChunk& chunk, const Cluster& cluster,
                                           Scratch& scratch);
  [[nodiscard]] static bool part_by_plates(const SphWorkspace& space, std::span<const Walls::Owner> owners,
                                           const PairChunk& chunk, const Cluster& cluster, Scratch& scratch);
  static void add_cluster(const SphWorkspace& space, const Cluster& of, std::uint32_t first, std::uint32_t rows,
                          PairChunk& chunk, Scratch& scratch);

  /// Cache of is_sheet() for meshes, where the test is expensive.
  struct Known {
    std::shared_ptr<const Geometry> geometry;
    bool is_thin = false;
  };
  double reach_m_ = 0, known_spacing_m_ = 0;
  std::vector<Known> known_;
  std::vector<Plate> plates_;
  std::vector<Sheet> sheets_;
  std::vector<Scratch> scratch_;
};

}  // namespace vw
