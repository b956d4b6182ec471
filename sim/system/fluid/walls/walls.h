// Solid walls as boundary samples (Akinci et al. 2012). The first layer of samples lies half a spacing behind the
// surface. The volume of the samples is chosen for a fluid lattice that touches the wall. With this volume, the lattice
// is as dense as if it continued behind the wall. Fluid thus rests at half a spacing from a wall, and a floating box
// has the correct draft.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/system/fluid/bodies/guest.h"
#include "sim/system/fluid/rows/sph_workspace.h"

namespace vw {

/// Boundary samples in the shape's own frame.
struct SurfaceSamples {
  std::vector<Vec3> place;
  std::vector<float> share;  ///< Volume of each sample divided by the volume V of a particle.
};

class SampleScale;
class BoxCells;
/// Index of a tile along each axis. Tiles divide the samples of large planes and boxes.
using WallTile = std::array<std::int32_t, 3>;

/// Samples the surface of a shape at the given spacing. The result is deterministic. Flat faces are sampled on a
/// lattice, curved surfaces evenly. Solid shapes have two layers. A wall that is thinner than the spacing everywhere
/// has two layers for each face (thin_axis(), thin_wall()). Thin parts of other shapes have one layer on the surface of
/// each side. The volumes of the samples in this layer give fluid at the surface the same density as at a thick wall.
/// Only samples near `needed` (in the shape's frame) are made: within the support radius for planes and boxes, within
/// three spacings for other shapes.
[[nodiscard]] SurfaceSamples sample_wall(const Shape& shape, bool two_sided, double spacing_m, SphKernel kernel,
                                         const Box3& needed);

/// Returns whether a collider neither moves nor rotates.
[[nodiscard]] bool is_still(const Collider& collider);

/// Returns the approximate number of samples of a collider's surface. If the whole surface would take 2 million samples
/// or more, only the part in `needed`, the region that fluid may reach, is sampled and counted. Returns 0 for planes
/// and for solid or hollow boxes, because large ones are sampled near the fluid only.
[[nodiscard]] double samples_of_wall(const Collider& collider, double spacing_m, const Box3& needed);
/// Returns whether samples_of_wall() is 2 million or more.
[[nodiscard]] bool takes_too_many_samples(const Collider& collider, double spacing_m, const Box3& needed);

/// Returns whether Walls samples the collider only near fluid after follow() was called. This is true of planes and
/// large boxes.
[[nodiscard]] bool is_sampled_near_fluid(const Collider& collider, const SphScale& scale);

/// Part of a collider's surface whose samples are always made, also far from fluid.
struct WallPatch {
  std::size_t collider = 0;  ///< Index of the collider.
  Box3 region;               ///< Region in the collider's frame [m].
};

/// The boundary samples of a fluid. Samples of colliders are made once per shape. Samples of guests (coupled bodies,
/// guest.h) are placed at the current positions of the guests. Where static solids overlap, the volumes of samples are
/// reduced so that the overlap counts once. The samples near fluid depend only on the colliders, the scale, the region
/// and the fluid's position, not on earlier substeps.
class Walls {
 public:
  struct Owner {
    std::int32_t guest = -1;   ///< Number of the guest, or -1 for a sample of a collider.
    std::uint32_t sample = 0;  ///< Number of the sample in the guest, or number of the collider.
  };

  /// Samples new shapes and keeps the samples of known shapes. Costs little if no shape is new. `needed`: region that
  /// fluid may reach [m]. The region limits the samples of shapes that would otherwise have millions of samples. It
  /// also limits the samples of planes and large boxes if follow() has not been called.
  void configure(std::span<const Collider> colliders, const SphScale& scale, const Box3& needed);
  /// Sets the region that contains fluid now. From the first call on, planes and large boxes are sampled only near
  /// fluid. If follow() is never called, they are sampled in `needed`, up to a maximum width. The call is cheap. Call
  /// follow() before place(). Samples appear and disappear only where no fluid is within the support radius.
  void follow(const BrickTable& fluid, const CellFrame& frame);
  /// Sets the patches whose samples place() makes in addition to those near fluid.
  void keep(std::span<const WallPatch> patches) { patches_.assign(patches.begin(), patches.end()); }
  /// Computes the current positions of all samples relative to `origin` and sorts them by position. The samples of
  /// static colliders are computed again only if the static colliders, their tiles, `frame` or `origin` change, or if
  /// moving samples appear.
  void place(std::span<const Collider> colliders, std::span<const Guest> guests, const CellFrame& frame,
             const Vec3& origin, WallRows& out);
  /// Owner of each sample, in the sorted order of the last call of place().
  [[nodiscard]] std::span<const Owner> owners() const { return owners_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  /// Samples of one collider in its frame.
  struct Cover {
    Shape shape;
    bool two_sided = false;
    bool partial = false;  ///< True if only the region that was needed at the time was sampled.
    /// If `partial` is true, the sampled region in the collider's frame. The region is unlimited after the collider has
    /// moved.
    Box3 region;
    std::shared_ptr<const SurfaceSamples> samples;
    std::shared_ptr<const BoxCells> cells;  ///< Cells of a large box. Null for other shapes.
    /// Sorted tiles of a plane or large box that follows the fluid. If there are tiles, all samples come from them.
    std::vector<WallTile> tiles;
    [[nodiscard]] bool is_wide() const { return cells != nullptr || std::holds_alternative<PlaneShape>(shape); }
  };
  /// Samples in world coordinates.
  struct Placed {
    std::vector<Vec3> place, velocity;  ///< `velocity` is empty for static samples.
    std::vector<float> share;
    std::vector<Owner> owner;
    KeySort sort;
    void clear();
    void add(const Cover& cover, const Collider& collider, const SampleScale& scale, std::uint32_t number);
    void sort_by_place(const CellFrame& frame);
  };
  /// Sorted samples of static colliders. If nothing moves, these arrays are moved into the WallRows.
  struct Still {
    Float4s rows;
    std::vector<Owner> owner;
    std::vector<std::uint64_t> keys;
    void take(const Placed& placed, const Vec3& origin);
    void give(WallRows& out, std::vector<Owner>& owners);
  };
  [[nodiscard]] static bool fits(const Cover& cover, const Collider& collider);
  [[nodiscard]] bool reaches(const Cover& cover, const Collider& collider) const;
  void cover(const Collider& collider, Cover& out);
  void extend(std::size_t number, const Collider& collider, Cover& wide);
  void gather_still(std::span<const Collider> colliders, const CellFrame& frame, const Vec3& origin);
  void gather_moving(std::span<const Collider> colliders, std::span<const Guest> guests);
  void share_overlaps(std::span<const Collider> colliders, Placed& still) const;
  [[nodiscard]] bool still_changed(std::span<const Collider> colliders) const;
  void merge(WallRows& out);

  SphScale scale_;
  Box3 needed_;
  std::vector<Cover> covers_;
  std::vector<Vec3> fluid_middles_;  ///< Centres of the bricks that hold fluid [m].
  double fluid_half_m_ = 0;          ///< Half the edge of a brick [m].
  std::vector<WallPatch> patches_;
  bool followed_ = false;

  Still still_;
  Placed moving_;
  std::vector<Collider> still_poses_;  ///< Colliders at the time when still_ was gathered.
  bool stale_ = true;                  ///< True if covers have changed since still_ was gathered.
  CellFrame frame_;
  Vec3 origin_ = Vec3::Zero();
  /// The output to which the last call of place() moved the rows of `still_`, or null if that call also added moving
  /// rows. While nothing changes, place() leaves this output as it is.
  const WallRows* filled_ = nullptr;
  std::vector<Owner> owners_;
  std::vector<std::uint64_t> keys_;  ///< Keys of all rows. Used only if some rows move.
};

}  // namespace vw
