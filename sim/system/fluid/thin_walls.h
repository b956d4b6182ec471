// Walls thinner than particles are apart, with fluid on both sides: boxes, sheets and thin meshes. Each side sees a wall of its own that goes on
// behind its face (walls_sampling.h), and neither the other side's wall nor its fluid (the visibility criterion of Belytschko, Lu & Gu 1994,
// "Element-free Galerkin methods"). So both press on the wall, not on each other. In: obstacles and guests as they are when the substep begins. Out:
// pair lists without the pairs that a wall parts.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/system/fluid/guest.h"
#include "sim/system/fluid/sph_workspace.h"
#include "sim/system/fluid/walls.h"

namespace vw {

class ThinWalls {
 public:
  /// Finds which obstacles and guests are thin walls. They must outlive the next call of part().
  void assign(std::span<const Collider> colliders, std::span<const Guest> guests, double spacing_m);
  [[nodiscard]] bool empty() const { return plates_.empty() && sheets_.empty(); }
  /// Takes the pairs that thin walls part out of space.lists. `owners` of the rows of space.walls.
  void part(SphWorkspace& space, std::span<const Walls::Owner> owners);

 private:
  struct Plate {
    Mat3 to_local = Mat3::Identity();
    Vec3 position = Vec3::Zero();
    Vec3 half = Vec3::Zero();  ///< of its middle plane, as far as it parts
    int across = 0;            ///< its thin axis
    Walls::Owner owner;        ///< of its samples; of a guest's any
    Box3 around;               ///< where rows may be that have samples of it in their lists
    [[nodiscard]] Vec3 local(const Vec3& place) const { return to_local * (place - position); }
  };
  /// A thin wall of any shape.
  struct Sheet {
    const Collider* solid = nullptr;
    Walls::Owner owner;  ///< of its samples; of a guest's any
    Box3 around;         ///< where rows may be that have samples of it in their lists
  };
  /// Where a row or a sample is beside a sheet.
  struct Side {
    std::uint32_t index = 0;
    Vec3 place = Vec3::Zero();   ///< [m]
    double distance_m = 0;       ///< to the sheet's surface, negative inside
    Vec3 normal = Vec3::Zero();  ///< of that surface, unit; outward of a solid, toward the row of a sheet
  };
  /// Rows and samples near one sheet, ascending by index.
  struct Sides {
    const Sheet* sheet = nullptr;
    std::vector<Side> rows, walls;
    [[nodiscard]] static const Side* find(const std::vector<Side>& sides, std::uint32_t index);
  };
  /// Of one chunk. Masks have a bit for each row of a cluster, of each entry of its lists: set where the two are parted.
  struct Scratch {
    std::vector<Cluster> clusters;
    std::vector<const Plate*> plates, of_cluster;
    std::vector<Sides> sides;
    std::vector<std::uint8_t> near, walls;
  };
  void add(const Collider& solid, const Walls::Owner& owner, double spacing_m);
  [[nodiscard]] bool is_sheet(const Collider& solid, double spacing_m);
  void find_sides(const SphWorkspace& space, std::span<const Walls::Owner> owners, const PairChunk& chunk, Scratch& scratch) const;
  void part_chunk(const SphWorkspace& space, std::span<const Walls::Owner> owners, PairChunk& chunk, Scratch& scratch) const;
  [[nodiscard]] static bool is_parted(const Collider& sheet, const Side& from, const Side& to);
  [[nodiscard]] static bool part_by_sheets(const SphWorkspace& space, const PairChunk& chunk, const Cluster& cluster, Scratch& scratch);
  [[nodiscard]] static bool part_by_plates(const SphWorkspace& space, std::span<const Walls::Owner> owners, const PairChunk& chunk,
                                           const Cluster& cluster, Scratch& scratch);
  static void add_cluster(const SphWorkspace& space, const Cluster& of, std::uint32_t first, std::uint32_t rows, PairChunk& chunk, Scratch& scratch);

  /// Whether a mesh is thin, which is costly to find.
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
