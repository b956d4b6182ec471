// Plates thinner than particles are apart, with fluid on both sides: each side sees a wall of its own that goes on behind its face
// (walls_sampling.h), and neither the other side's wall nor its fluid (the visibility criterion of Belytschko, Lu & Gu 1994, "Element-free Galerkin
// methods"). So both press on the plate, not on each other. In: obstacles and guests as they are when the substep begins. Out: pair lists without the
// pairs that a plate parts.
#pragma once

#include <span>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/system/fluid/guest.h"
#include "sim/system/fluid/sph_workspace.h"
#include "sim/system/fluid/walls.h"

namespace vw {

class ThinWalls {
 public:
  /// Finds which obstacles and guests are thin plates.
  void assign(std::span<const Collider> colliders, std::span<const Guest> guests, double spacing_m);
  [[nodiscard]] bool empty() const { return plates_.empty(); }
  /// Takes the pairs that plates part out of space.lists. `owners` of the rows of space.walls.
  void part(SphWorkspace& space, std::span<const Walls::Owner> owners);

 private:
  struct Plate {
    Mat3 to_local = Mat3::Identity();
    Vec3 position = Vec3::Zero();
    Vec3 half = Vec3::Zero();  ///< of its middle plane, as far as it parts
    int across = 0;            ///< its thin axis
    Walls::Owner owner;        ///< of its samples; of a guest's any
    Box3 around;               ///< where rows may be that have neighbours beyond it
    [[nodiscard]] Vec3 local(const Vec3& place) const { return to_local * (place - position); }
  };
  /// Of one chunk. Masks have a bit for each row of a cluster, of each entry of its lists: set where the two are parted.
  struct Scratch {
    std::vector<Cluster> clusters;
    std::vector<const Plate*> plates, of_cluster;
    std::vector<std::uint8_t> near, walls;
  };
  void add(const Collider& solid, const Walls::Owner& owner, double spacing_m);
  void part_chunk(const SphWorkspace& space, std::span<const Walls::Owner> owners, PairChunk& chunk, Scratch& scratch) const;
  [[nodiscard]] static bool find_parted(const SphWorkspace& space, std::span<const Walls::Owner> owners, const PairChunk& chunk,
                                        const Cluster& cluster, Scratch& scratch);
  static void add_cluster(const SphWorkspace& space, const Cluster& of, std::uint32_t first, std::uint32_t rows, PairChunk& chunk, Scratch& scratch);

  double reach_m_ = 0;
  std::vector<Plate> plates_;
  std::vector<Scratch> scratch_;
};

}  // namespace vw
