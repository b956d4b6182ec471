// Colliders as samples (Akinci et al. 2012): points half a spacing behind the surface, each with the volume that makes a lattice of fluid that
// touches the wall as dense as one that goes on behind it. So fluid rests at half a spacing from a wall, and a box floats as deep as it should.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/system/fluid/guest.h"
#include "sim/system/fluid/sph_workspace.h"

namespace vw {

/// Samples in the shape's own frame.
struct SurfaceSamples {
  std::vector<Vec3> place;
  std::vector<float> share;  ///< volume / V
};

class SampleScale;
class BoxCells;
/// A part of a wall that is wide, by its number along each axis.
using WallTile = std::array<std::int32_t, 3>;

/// Covers a shape's surface at the given spacing, deterministic. What is flat is covered on a lattice, what is curved evenly. Solid shapes have two
/// layers. Of a wall that is thinner than the spacing as a whole each face has two layers (thin_axis(), thin_wall()); thin parts of other shapes have
/// one layer on the surface of either side, with shares to match. A plane is covered where `needed` (in its frame) reaches.
[[nodiscard]] SurfaceSamples sample_wall(const Shape& shape, bool two_sided, double spacing_m, SphKernel kernel, const Box3& needed);

/// How many samples a collider's surface takes about, where fluid may come to; 0 for planes and solid boxes, which are covered where fluid is.
[[nodiscard]] double samples_of_wall(const Collider& collider, double spacing_m, const Box3& needed);
/// Whether a collider's surface, where fluid may come to, would take more samples than memory should. Planes and solid boxes never do: they are
/// covered where fluid is.
[[nodiscard]] bool takes_too_many_samples(const Collider& collider, double spacing_m, const Box3& needed);

/// The walls of a fluid: samples of colliders, made once for each shape, and of guests, where they are now. Where still solids overlap, what lies in
/// several of them counts once in all. A function of the colliders, the scale, the region and where fluid is: nothing is remembered that changes rows
/// near fluid.
class Walls {
 public:
  struct Owner {
    std::int32_t guest = -1;   ///< or -1 for a collider's sample
    std::uint32_t sample = 0;  ///< of the guest; of a collider: the collider's number
  };

  /// Makes samples for shapes that are new; keeps those of known ones. Costs nothing where nothing is new. `needed`: where fluid may come to [m];
  /// what depends on it are planes and large boxes, unless followed, and shapes of millions of samples.
  void configure(std::span<const Collider> colliders, const SphScale& scale, const Box3& needed);
  /// Where fluid is now: planes, which have no end, and large boxes are covered there only. Cheap; to be called before place(). Where it never is
  /// they are covered in `needed`, as far as that is not very wide. Rows that no fluid can feel come and go.
  void follow(const BrickTable& fluid, const CellFrame& frame);
  /// Places and sorts everything as of now, about `origin`. Guests' samples follow those of colliders; still colliders cost nothing after the first
  /// time.
  void place(std::span<const Collider> colliders, std::span<const Guest> guests, const CellFrame& frame, const Vec3& origin, WallRows& out);
  /// Of each sorted row: whose it is.
  [[nodiscard]] std::span<const Owner> owners() const { return owners_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  /// Samples of one collider, in its frame.
  struct Cover {
    Shape shape;
    bool two_sided = false;
    bool partial = false;  ///< only where the region that was needed then reaches
    std::shared_ptr<const SurfaceSamples> samples;
    std::shared_ptr<const BoxCells> cells;  ///< of a large box
    std::vector<WallTile> tiles;            ///< of a followed plane or large box, ascending: it has no other samples than theirs
    [[nodiscard]] bool is_wide() const { return cells != nullptr || std::holds_alternative<PlaneShape>(shape); }
  };
  /// Samples where they are in the world.
  struct Placed {
    std::vector<Vec3> place, velocity;  ///< no velocities: still
    std::vector<float> share;
    std::vector<Owner> owner;
    KeySort sort;
    void clear();
    void add(const Cover& cover, const Collider& collider, const SampleScale& scale, std::uint32_t number);
    void sort_by_place(const CellFrame& frame);
  };
  /// Samples that stand still, by place: no more is kept of them than goes into the rows, and where nothing moves it is given to these.
  struct Still {
    Float4s rows;
    std::vector<Owner> owner;
    std::vector<std::uint64_t> keys;
    void take(const Placed& placed, const Vec3& origin);
    void give(WallRows& out, std::vector<Owner>& owners);
  };
  [[nodiscard]] static bool fits(const Cover& cover, const Collider& collider);
  void cover(const Collider& collider, Cover& out);
  void extend(const Collider& collider, Cover& wide);
  void gather_still(std::span<const Collider> colliders, const CellFrame& frame, const Vec3& origin);
  void gather_moving(std::span<const Collider> colliders, std::span<const Guest> guests);
  void share_overlaps(std::span<const Collider> colliders, Placed& still) const;
  [[nodiscard]] bool still_changed(std::span<const Collider> colliders) const;
  void merge(WallRows& out);

  SphScale scale_;
  Box3 needed_;
  std::vector<Cover> covers_;
  std::vector<Vec3> fluid_middles_;  ///< of the bricks that have fluid
  double fluid_half_m_ = 0;          ///< of their edges
  bool followed_ = false;

  Still still_;
  Placed moving_;
  std::vector<Collider> still_poses_;  ///< as they were when still_ was gathered
  bool stale_ = true;                  ///< covers have changed since
  CellFrame frame_;
  Vec3 origin_ = Vec3::Zero();
  const WallRows* filled_ = nullptr;  ///< has been given still_ alone, about origin_
  std::vector<Owner> owners_;
  std::vector<std::uint64_t> keys_;  ///< of all rows, where some move
};

}  // namespace vw
