#include "render/software/facets.h"

#include <bit>
#include <cmath>

#include "render/scene/collider_drawing.h"
#include "render/scene/convex_polygon.h"
#include "render/software/light.h"
#include "render/vectors/vectors.h"

namespace vw::soft {
namespace {

/// Whether the front of the triangle faces the eye. The view axes (right, up, forward) are left-handed, so the normal
/// of a front face points along the line of sight.
bool faces_eye(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c) {
  return glm::dot(glm::cross(b - a, c - a), a) > 0;
}

/// Clips and projects triangles given in view axes. Each triangle yields zero or more facets.
class Cutter {
 public:
  Cutter(const Projector& projector, const CutPlanes& cut) : projector_(projector), opens_(cut.count) {
    for (std::size_t k = 0; k < opens_; ++k) {
      const glm::vec3 n(cut.plane[k]);
      open_[k] = {glm::dot(n, projector.right), glm::dot(n, projector.up), glm::dot(n, projector.forward),
                  glm::dot(n, projector.eye) + cut.plane[k].w};
    }
    // The clip planes lie several picture widths outside the picture. The edge functions are exact for coordinates
    // between these planes.
    const auto beyond = [](float middle, float focal) { return std::max(8 * middle / focal, 1.0F); };
    left_ = glm::normalize(glm::vec3(1, 0, beyond(projector.middle_x, projector.focal_px)));
    top_ = glm::normalize(glm::vec3(0, 1, beyond(projector.middle_y, projector.focal_px)));
  }
  void add(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c, Facet facet, std::vector<Facet>& out) const {
    if (!std::isfinite(a.x + a.y + a.z + b.x + b.y + b.z + c.x + c.y + c.z)) return;
    ConvexPolygon polygon{{a, b, c}, 3};
    const float near = projector_.near_m;
    if (a.z < near && b.z < near && c.z < near) return;
    if (std::min({a.z, b.z, c.z}) < near) clip(polygon, {0, 0, 1}, -near);
    for (std::size_t k = 0; k < opens_; ++k) clip(polygon, glm::vec3(open_[k]), open_[k].w);
    for (const glm::vec3& plane : {left_, glm::vec3(-left_.x, 0, left_.z), top_, glm::vec3(0, -top_.y, top_.z)}) {
      bool beyond = false;
      for (std::size_t k = 0; k < polygon.count; ++k) beyond |= glm::dot(plane, polygon.corner[k]) < 0;
      if (beyond) clip(polygon, plane, 0);
    }
    if (polygon.count < 3) return;
    const auto at = [&](std::size_t k) {
      const glm::vec3 p = projector_.to_picture(polygon.corner[k]);
      return glm::vec3(std::round(p.x * 256) / 256, std::round(p.y * 256) / 256, p.z);
    };
    const glm::vec3 first = at(0);
    glm::vec3 before = at(1);
    for (std::size_t k = 2; k < polygon.count; ++k) {
      const glm::vec3 next = at(k);
      facet.corner = {first, before, next};
      if (!misses(facet)) out.push_back(facet);
      before = next;
    }
  }

 private:
  /// Whether the facet lies outside the picture or has no area.
  [[nodiscard]] bool misses(const Facet& facet) const {
    const auto& c = facet.corner;
    if (std::max({c[0].x, c[1].x, c[2].x}) < 0 || std::max({c[0].y, c[1].y, c[2].y}) < 0) return true;
    if (std::min({c[0].x, c[1].x, c[2].x}) >= static_cast<float>(projector_.width)) return true;
    if (std::min({c[0].y, c[1].y, c[2].y}) >= static_cast<float>(projector_.height)) return true;
    const glm::vec2 u = glm::vec2(c[1]) - glm::vec2(c[0]), v = glm::vec2(c[2]) - glm::vec2(c[0]);
    return u.x * v.y == u.y * v.x;
  }
  const Projector& projector_;
  glm::vec3 left_{0}, top_{0};
  std::array<glm::vec4, CutPlanes::most> open_{};  ///< xyz: normals in view axes; w: signed distances of the eye
  std::size_t opens_;
};

}  // namespace

template <class Add>
void Facets::append(std::size_t count, const Add& add) {
  constexpr std::size_t grain = 2048;
  const std::size_t chunks = chunk_count(count, grain);
  if (rows_.size() < chunks) rows_.resize(chunks);
  parallel_for(count, grain, [&](Range part, std::size_t chunk) {
    rows_[chunk].clear();
    for (std::size_t i = part.begin; i < part.end; ++i) add(i, rows_[chunk]);
  });
  for (std::size_t chunk = 0; chunk < chunks; ++chunk)
    facets_.insert(facets_.end(), rows_[chunk].begin(), rows_[chunk].end());
}

void Facets::add_skin(const Figure& figure, const Projector& projector, const CutPlanes& cut) {
  const Cutter cutter(projector, cut);
  const auto object = static_cast<std::uint32_t>(objects.size() - 1);
  append(figure.skin->quads.size(), [&](std::size_t i, std::vector<Facet>& out) {
    const VoxelSkin::Quad& quad = figure.skin->quads[i];
    std::array<glm::vec3, 4> at{};
    for (std::size_t c = 0; c < 4; ++c)
      at[c] = projector.to_view(glm::vec3(figure.corners[static_cast<std::size_t>(quad.vertex[c])].place));
    const auto item = static_cast<std::uint32_t>(2 * i);
    cutter.add(at[0], at[1], at[2], {{}, object, item}, out);
    cutter.add(at[0], at[2], at[3], {{}, object, item + 1}, out);
  });
}

void Facets::add_members(const Projector& projector) {
  const Cutter cutter(projector, {});  // cuts do not clip members: each is drawn completely or not at all
  const auto object = static_cast<std::uint32_t>(objects.size() - 1);
  append(members.triangle.size(), [&](std::size_t i, std::vector<Facet>& out) {
    const auto at = [&](std::size_t k) { return projector.to_view(members.place[members.triangle[i][k]]); };
    const glm::vec3 a = at(0), b = at(1), c = at(2);
    if (faces_eye(a, b, c)) cutter.add(a, b, c, {{}, object, static_cast<std::uint32_t>(i)}, out);
  });
}

void Facets::add_solid(const ColliderSnapshot& collider, const Projector& projector, const CutPlanes& cut) {
  const SurfaceMesh& mesh = *surface_of(collider);
  const Cutter cutter(projector, cut);
  const auto object = static_cast<std::uint32_t>(objects.size() - 1);
  const glm::mat4 place = objects.back().place;
  const bool hides = hides_its_back(collider);
  append(mesh.triangle.size(), [&](std::size_t i, std::vector<Facet>& out) {
    const auto at = [&](std::size_t k) {
      return projector.to_view(glm::vec3(place * glm::vec4(to_glm(mesh.position[mesh.triangle[i][k]]), 1)));
    };
    const glm::vec3 a = at(0), b = at(1), c = at(2);
    if (hides && !faces_eye(a, b, c)) return;
    cutter.add(a, b, c, {{}, object, static_cast<std::uint32_t>(i)}, out);
  });
}

/// Adds arrows with the geometry of shaders/arrow.vert: a flat shaft and head that face the eye, one half lighter than
/// the other.
void Facets::add_arrows(const std::vector<Arrow>& arrows, const Projector& projector) {
  const Cutter cutter(projector, {});
  const auto object = static_cast<std::uint32_t>(objects.size() - 1);
  arrow_colors.resize(2 * arrows.size());
  arrow_through.resize(2 * arrows.size());
  append(arrows.size(), [&](std::size_t i, std::vector<Facet>& out) {
    const glm::vec3 tail(arrows[i].tail), shift(arrows[i].shift), to_eye = projector.eye - tail;
    const float size = glm::length(shift), pixel = glm::length(to_eye) / projector.focal_px;
    const glm::vec3 along = size > 0 ? shift / size : glm::vec3(0, 1, 0);
    glm::vec3 side = glm::cross(along, to_eye);
    const float s = glm::length(side);
    side = s > 1e-12F ? side / s : projector.right;
    const bool bold = arrows[i].shift.w > 0 || arrows[i].shift.w <= -1;
    const bool slender = size < 64 * pixel;
    const float thick =
        (slender ? std::clamp(size * 0.06F, 0.8F * pixel, 1.6F * pixel) : 1.1F * pixel) * (bold ? 1.7F : 1.0F);
    const float head = std::min(size * 0.6F, std::clamp(size * 0.28F, 7 * pixel, 12 * pixel)),
                wide = head * (bold ? 0.45F : 0.36F) + 0.4F * pixel;
    const glm::vec3 tint = unpack_linear(std::bit_cast<std::uint32_t>(arrows[i].tail.w));
    const auto at = [&](float forth, float across) { return projector.to_view(tail + along * forth + side * across); };
    for (const float half : {-1.0F, 1.0F}) {
      const auto item = static_cast<std::uint32_t>(2 * i + (half > 0 ? 1 : 0));
      arrow_through[item] = arrows[i].shift.w;
      arrow_colors[item] = shoulder(tint * (half > 0 ? 1.3F : 0.72F));
      const Facet facet{{}, object, item};
      const glm::vec3 back = at(0, 0), back_side = at(0, half * thick), neck = at(size - head, 0), tip = at(size, 0);
      cutter.add(back, back_side, slender ? tip : neck, facet, out);
      if (!slender) cutter.add(neck, back_side, at(size - head, half * thick), facet, out);
      cutter.add(neck, at(size - head, half * wide), tip, facet, out);
    }
  });
}

void Facets::gather(const FrameData& set, const Selection& selection, const Projector& projector) {
  objects.clear();
  facets_.clear();
  for (std::size_t f = 0; f < set.count; ++f) {
    const Figure& figure = set.figures[f];
    if (figure.shape != FigureShape::skin) continue;
    objects.push_back(
        {SurfaceObject::Kind::skin, f, selection.system == figure.name ? selection.element : -1, glm::mat4(1)});
    add_skin(figure, projector, set.cut);
  }
  add_solids(set, projector, false);
  set.members.expand(set.figures, projector.eye, 1 / projector.focal_px, members);
  objects.push_back({SurfaceObject::Kind::members, 0, -1, glm::mat4(1)});
  add_members(projector);
  first_arrow_ = static_cast<std::uint32_t>(facets_.size());
  objects.push_back({SurfaceObject::Kind::arrow, 0, -1, glm::mat4(1)});
  add_arrows(set.arrows, projector);
  bin(projector);
}

void Facets::gather_glass(const FrameData& set, const Projector& projector) {
  objects.clear();
  facets_.clear();
  add_solids(set, projector, true);
  first_arrow_ = static_cast<std::uint32_t>(facets_.size());
  bin(projector);
}

void Facets::add_solids(const FrameData& set, const Projector& projector, bool glass) {
  for (std::size_t i = 0; i < set.solids.size(); ++i) {
    const ColliderSnapshot& solid = set.solids[i];
    if (surface_of(solid) == nullptr || is_glass(solid) != glass) continue;
    objects.push_back({SurfaceObject::Kind::solid, i, -1, matrix_of(solid)});
    add_solid(solid, projector, set.cut);
  }
}

void Facets::bin(const Projector& projector) {
  const int across = (projector.width + tile_px - 1) / tile_px, down = (projector.height + tile_px - 1) / tile_px;
  bins_.fill(
      across, down, facets_.size(),
      [&](std::size_t i) {
        const auto& c = facets_[i].corner;
        // If x is NaN because rounding has left a corner in the plane of the eye, std::max() returns 0.
        const auto tile_of = [](float x, int count) {
          return static_cast<int>(std::min(std::max(0.0F, x), static_cast<float>(count * tile_px - 1))) / tile_px;
        };
        return TileRange{
            tile_of(std::min({c[0].x, c[1].x, c[2].x}), across), tile_of(std::min({c[0].y, c[1].y, c[2].y}), down),
            tile_of(std::max({c[0].x, c[1].x, c[2].x}), across), tile_of(std::max({c[0].y, c[1].y, c[2].y}), down)};
      },
      number_of);
}

void draw_visible(const Facets& facets, std::span<const std::uint32_t> ids, Tile& tile) {
  for (const std::uint32_t id : ids)
    each_covered(facets.at(id), tile, [&](int x, int y, const Covered& covered) {
      for (int s = 0; s < samples; ++s) {
        const std::size_t at = Tile::sample(x, y, s);
        if ((covered.mask >> static_cast<unsigned>(s) & 1U) == 0 ||
            !(covered.q[static_cast<std::size_t>(s)] > tile.sample_q[at]))
          continue;
        tile.sample_q[at] = covered.q[static_cast<std::size_t>(s)];
        tile.sample_id[at] = id;
      }
    });
}

}  // namespace vw::soft
