// Everything that is drawn as triangles, projected: skins, obstacles, arrows. Clipped at the near plane and well outside of the picture.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "render/frame_set.h"
#include "render/software/bins.h"
#include "render/software/projector.h"
#include "render/software/tile.h"

namespace vw::soft {

/// What a facet belongs to.
struct SurfaceObject {
  enum class Kind : std::uint8_t { skin, solid, arrow, members } kind = Kind::skin;
  std::size_t index = 0;       ///< of the figure or the solid
  std::int64_t selected = -1;  ///< element of a skin
  glm::mat4 place{1};          ///< of a solid
};

struct Facet {
  std::array<glm::vec3, 3> corner;  ///< pixels, snapped to 1/256, and q
  std::uint32_t object = 0;
  std::uint32_t item = 0;  ///< skin: 2 * quad + half; solid, members: triangle; arrow: colour in `arrow_colors`
};

class Facets {
 public:
  std::vector<SurfaceObject> objects;
  std::vector<glm::vec3> arrow_colors;  ///< as they go into the picture
  std::vector<float> arrow_through;     ///< see Arrow; by the same index
  MemberSurface members;

  /// All that hides what is behind it, and arrows.
  void gather(const FrameSet& set, const Selection& selection, const Projector& projector);
  /// Solids that are seen through.
  void gather_glass(const FrameSet& set, const Projector& projector);
  [[nodiscard]] const Facet& at(std::uint32_t id) const { return facets_[id]; }
  [[nodiscard]] bool overfull() const { return bins_.overfull(); }
  [[nodiscard]] std::span<const std::uint32_t> in(std::size_t tile) const { return bins_.in(tile); }
  /// Arrows come last: facets from this one on are theirs.
  [[nodiscard]] std::uint32_t first_arrow() const { return first_arrow_; }

 private:
  void add_skin(const Figure& figure, const Projector& projector, const CutPlane& cut);
  void add_solid(const ColliderSnapshot& collider, const Projector& projector, const CutPlane& cut);
  void add_members(const Projector& projector);
  void add_solids(const FrameSet& set, const Projector& projector, bool glass);
  void bin(const Projector& projector);
  void add_arrows(const std::vector<Arrow>& arrows, const Projector& projector);
  /// Runs add(i, out) for i in [0, count) in chunks and appends what they make in order.
  template <class Add>
  void append(std::size_t count, const Add& add);

  std::vector<Facet> facets_;
  std::vector<std::vector<Facet>> rows_;
  std::uint32_t first_arrow_ = 0;
  Bins<std::uint32_t> bins_;
};

/// Into the tile's samples: the nearest facet of each. Facets from `first_id` to `end_id` only.
void draw_visible(const Facets& facets, std::span<const std::uint32_t> ids, Tile& tile);
/// Which of the samples of pixel (x, y) of the tile the facet covers, and its q there.
struct Covered {
  unsigned mask = 0;
  std::array<float, samples> q{};
};
/// Calls visit(x, y, covered) for every pixel of the tile in which the facet covers a sample.
template <class Visit>
void each_covered(const Facet& facet, const Tile& tile, const Visit& visit);

}  // namespace vw::soft

#include "render/software/facets-inl.h"
