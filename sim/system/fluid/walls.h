// Colliders as samples (Akinci et al. 2012): points half a spacing behind the surface, each with the volume that makes a lattice of fluid that
// touches the wall as dense as one that goes on behind it. So fluid rests at half a spacing from a wall, and a box floats as deep as it should.
#pragma once

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

/// Covers a shape's surface at the given spacing, deterministic. What is flat is covered on a lattice, what is curved evenly. Two-sided sheets and
/// walls thinner than the spacing have their samples on the surface. A plane is covered where `needed` (in its frame) reaches. Solid shapes have two
/// layers.
[[nodiscard]] SurfaceSamples sample_wall(const Shape& shape, bool two_sided, double spacing_m, SphKernel kernel, const Box3& needed);

/// The walls of a fluid: samples of colliders, made once for each shape, and of guests, where they are now.
class Walls {
 public:
  /// Makes samples for shapes that are new; keeps those of known ones. `needed`: where fluid may come to [m].
  void configure(std::span<const Collider> colliders, const SphScale& scale, const Box3& needed);
  /// Places and sorts everything as of now, about `origin`. Guests' samples follow those of colliders; still colliders cost nothing after the first
  /// time.
  void place(std::span<const Collider> colliders, std::span<const Guest> guests, const CellFrame& frame, const Vec3& origin, WallRows& out);
  /// Of each sorted row: the guest and its sample, or -1 for a collider's.
  struct Owner {
    std::int32_t guest = -1;
    std::uint32_t sample = 0;  ///< of a collider: the collider's number
  };
  [[nodiscard]] std::span<const Owner> owners() const { return owners_; }

 private:
  struct Sampled {
    Shape shape;
    bool two_sided = false;
    std::shared_ptr<const SurfaceSamples> samples;
  };
  std::vector<Sampled> sampled_;
  std::vector<Owner> owners_;
};

}  // namespace vw
