// Projected triangles of all meshes: skins, colliders, bodies, members, arrows. Triangles are clipped by the near
// plane, by planes far outside the picture and, for skins and solids, by the cut planes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "render/scene/frame_data.h"
#include "render/software/bins.h"
#include "render/software/projector.h"
#include "render/software/tile.h"

namespace vw::soft {

/// Object to which facets belong.
struct SurfaceObject {
  enum class Kind : std::uint8_t { skin, solid, arrow, members } kind = Kind::skin;
  std::size_t index = 0;       ///< index of the figure or of the solid (collider or body)
  std::int64_t selected = -1;  ///< selected element of a skin
  glm::mat4 place{1};          ///< world matrix of a solid
};

struct Facet {
  std::array<glm::vec3, 3> corner;  ///< x, y: position [px], rounded to 1/256; z: q = 1 / depth
  std::uint32_t object = 0;
  /// Index within the object: 2 * quad + half (skin), triangle (solid, members), or index into `arrow_colors` (arrow).
  std::uint32_t item = 0;
};

class Facets {
 public:
  std::vector<SurfaceObject> objects;
  std::vector<glm::vec3> arrow_colors;  ///< displayed colours, linear
  std::vector<float> arrow_through;     ///< Arrow::shift.w of each arrow, indexed like `arrow_colors`
  MemberSurface members;

  /// Collects all opaque objects and the arrows.
  void gather(const FrameData& set, const Selection& selection, const Projector& projector);
  /// Collects transparent solids.
  void gather_glass(const FrameData& set, const Projector& projector);
  [[nodiscard]] const Facet& at(std::uint32_t id) const { return facets_[id]; }
  [[nodiscard]] bool overfull() const { return bins_.overfull(); }
  [[nodiscard]] std::span<const std::uint32_t> in(std::size_t tile) const { return bins_.in(tile); }
  /// Index of the first facet that belongs to an arrow. The facets of arrows are at the end.
  [[nodiscard]] std::uint32_t first_arrow() const { return first_arrow_; }

 private:
  void add_skin(const Figure& figure, const Projector& projector, const CutPlanes& cut);
  void add_solid(const ColliderSnapshot& collider, const Projector& projector, const CutPlanes& cut);
  void add_members(const Projector& projector);
  void add_solids(const FrameData& set, const Projector& projector, bool glass);
  void bin(const Projector& projector);
  void add_arrows(const std::vector<Arrow>& arrows, const Projector& projector);
  /// Calls add(i, out) for each i in [0, count) in parallel chunks and appends the results in the order of i.
  template <class Add>
  void append(std::size_t count, const Add& add);

  std::vector<Facet> facets_;
  std::vector<std::vector<Facet>> rows_;
  std::uint32_t first_arrow_ = 0;
  Bins<std::uint32_t> bins_;
};

/// Draws facets into the samples of the tile. Each sample shows the facet that is nearest to the eye.
void draw_visible(const Facets& facets, std::span<const std::uint32_t> ids, Tile& tile);
/// Samples of a pixel that a facet covers (bit mask), and q of the facet at each sample.
struct Covered {
  unsigned mask = 0;
  std::array<float, samples> q{};
};
/// Calls visit(x, y, covered) for every pixel of the tile in which the facet covers a sample.
template <class Visit>
void each_covered(const Facet& facet, const Tile& tile, const Visit& visit);

}  // namespace vw::soft

#include "render/software/facets-inl.h"
