// Splats, that is, particles that are blended into the picture: flat discs, balls of figures with transparent elements,
// and puffs of smoke. Splats are sorted from back to front. All renderers use the same data. This file contains CPU
// data only, no GL objects.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/air/air_sheets.h"
#include "render/labels/figure.h"
#include "render/scene/collider_drawing.h"

namespace vw {

/// One splat in the layout that shaders/splat.vert reads (std430).
struct Splat {
  glm::vec4 place;          ///< position [m]; w: radius [m]
  std::uint32_t color = 0;  ///< sRGB bytes; the highest byte is the fraction of sunlight that reaches the splat
  float opacity = 1;
  std::uint32_t kind = 0;  ///< bit mask: 1 selected, 2 puff
  std::uint32_t id = 0;
};

/// Whether the elements of the figure are blended as splats. Otherwise they are drawn as opaque balls with depth
/// writes.
[[nodiscard]] bool is_blended(const Figure& figure, ParticleStyle style);

/// Sort key for occlusion. For flat discs, the key is the depth along the view direction. For balls, it is the squared
/// length of the tangent from the eye e to the ball with centre c and radius r, |c - e|^2 - r^2. This key (power
/// distance; F. Aurenhammer, "Power diagrams", 1987) gives the correct order for all radii if the balls do not
/// intersect.
[[nodiscard]] inline float hiding_key(ParticleStyle style, float view_depth, float distance2, float radius) {
  return style == ParticleStyle::discs ? view_depth : distance2 - radius * radius;
}
/// Maps the bits of a float such that the unsigned order of the results is the numerical order of the floats.
[[nodiscard]] inline std::uint32_t ordered_bits(float x) {
  const auto bits = __builtin_bit_cast(std::uint32_t, x);
  return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}

/// Buffers of order_from_large(), which are reused between calls.
struct RadixScratch {
  std::vector<std::uint32_t> keys, places, other_keys, other_places;
};
/// Sorts `keys` stably from large to small by a radix sort with 11 bits per pass. `order` receives the indices of the
/// keys in sorted order.
void order_from_large(std::span<const std::uint32_t> keys, RadixScratch& scratch, std::vector<std::uint32_t>& order);

/// Transparent planes, that is, all planes except the ground. Splats behind such a plane are drawn before the plane.
class SeeThroughPlanes {
 public:
  /// Collects the planes whose front faces the eye. If the view hides colliders, no plane is collected.
  void collect(const Snapshot& snapshot, const ViewParams& view, const glm::vec3& eye);
  [[nodiscard]] bool any() const { return !planes_.empty(); }
  /// Whether the point is behind one of the planes.
  [[nodiscard]] bool hides(const glm::vec3& p) const {
    for (const glm::vec4& plane : planes_)
      if (glm::dot(glm::vec3(plane), p) < plane.w) return true;
    return false;
  }

 private:
  std::vector<glm::vec4> planes_;  ///< xyz: unit normal n; w: dot(n, p) for points p of the plane
};

/// Drawing order of splats. Splats of rank 0 lie behind a transparent plane. The other ranks are the layers into which
/// the slice planes of fields divide space (AirSheets::layers()), the farthest layer first. Within a rank, splats are
/// sorted from far to near.
class SplatRanks {
 public:
  SplatRanks(const SeeThroughPlanes& planes, const AirSheets& air) : planes_(planes), air_(air) {}
  [[nodiscard]] std::size_t count() const { return 1 + air_.layers(); }
  /// Sort key. Splats with larger keys are drawn earlier. `hiding`: value of hiding_key(). If `is_spray` is set, the
  /// splat does not get rank 0, because fluids are drawn after rank 0 and would cover the spray.
  [[nodiscard]] std::uint32_t key(float hiding, const glm::vec3& place, bool is_spray = false) const {
    const std::uint32_t depth = ordered_bits(hiding) >> 1U;
    if (!is_spray && planes_.any() && planes_.hides(place)) return depth | top_bit;
    if (air_.bits() == 0) return depth;
    return depth >> air_.bits() | static_cast<std::uint32_t>(air_.layers() - 1 - air_.layer_of(place))
                                      << (31 - air_.bits());
  }
  /// Rank of the splats with this sort key.
  [[nodiscard]] std::size_t rank_of(std::uint32_t key) const {
    return (key & top_bit) != 0 ? 0 : air_.layers() - (air_.bits() == 0 ? 0 : key >> (31 - air_.bits()));
  }

 private:
  static constexpr std::uint32_t top_bit = 0x80000000U;
  const SeeThroughPlanes& planes_;
  const AirSheets& air_;
};

class SplatList {
 public:
  /// Collects the splats of all blended figures and sorts them. Splats behind the eye are left out.
  void gather(const std::vector<Figure>& figures, std::size_t count, const ViewParams& view, const Selection& selection,
              const Camera& camera, const SplatRanks& ranks);
  [[nodiscard]] std::span<const Splat> all() const { return sorted_; }
  /// The splats of a rank are the range [begin_of(rank), end_of(rank)) of all().
  [[nodiscard]] std::size_t begin_of(std::size_t rank) const { return rank == 0 ? 0 : ends_[rank - 1]; }
  [[nodiscard]] std::size_t end_of(std::size_t rank) const { return ends_[rank]; }

 private:
  void add(const Figure& figure, const ViewParams& view, std::int64_t selected, const Camera& camera,
           const SplatRanks& ranks);
  void break_ties();

  std::vector<Splat> splats_, sorted_;
  std::vector<std::uint32_t> keys_, order_;
  RadixScratch scratch_;
  std::vector<std::size_t> ends_{0, 0};
};

}  // namespace vw
