#include "render/software/air_overlay.h"

#include <algorithm>
#include <cmath>

#include "render/software/light.h"
#include "render/software/splat_kernel.h"

namespace vw::soft {
namespace {

/// Lines are drawn nearer to the eye by this fraction of the distance from the eye. A line on a surface thus lies in
/// front of all parts of the surface within the pixel.
constexpr float band_lift = 2e-3F;

struct PixelRange {
  int x0 = 0, y0 = 0, x1 = -1, y1 = -1;
};

/// Returns the pixels of the tile that lie within a rectangle of the picture.
PixelRange pixels_in(const glm::vec2& low, const glm::vec2& high, const Tile& tile) {
  const auto at = [](float x, int from, int count) {
    return static_cast<int>(std::clamp(std::floor(x) - static_cast<float>(from), -1.0F, static_cast<float>(count)));
  };
  return {std::max(at(low.x, tile.x0, tile.width), 0), std::max(at(low.y, tile.y0, tile.height), 0),
          std::min(at(high.x, tile.x0, tile.width), tile.width - 1),
          std::min(at(high.y, tile.y0, tile.height), tile.height - 1)};
}

void blend_at(Tile& tile, int x, int y, float q, const glm::vec3& color, float alpha) {
  if (tile.is_edge(x, y)) return blend_edge(tile.edge_at(x, y), q, color, alpha);
  const std::size_t cell = Tile::cell(x, y);
  if (!(q > tile.q[cell])) return;
  tile.red[cell] += alpha * (color.r - tile.red[cell]);
  tile.green[cell] += alpha * (color.g - tile.green[cell]);
  tile.blue[cell] += alpha * (color.b - tile.blue[cell]);
}

}  // namespace

void AirOverlay::project(const AirDrawing& air, const Projector& projector, float opacity) {
  air_ = &air;
  projector_ = projector;
  opacity_ = opacity;
  project_pieces();
  const auto bands = air.lines().bands();
  stretches_.resize(bands.size());
  ranges_.assign(bands.size(), {});
  const auto tile_of = [](float x, int pixels) {
    return static_cast<int>(std::clamp(x, 0.0F, static_cast<float>(pixels - 1))) / tile_px;
  };
  parallel_for(bands.size(), 4096, [&](Range part, std::size_t) {
    for (std::size_t i = part.begin; i < part.end; ++i) {
      Stretch& s = stretches_[i];
      if (!project_end(bands[i].from, bands[i].side_from, bands[i].color_from, s.from)) continue;
      if (!project_end(bands[i].to, bands[i].side_to, bands[i].color_to, s.to)) continue;
      const float reach = std::max(s.from.half, s.to.half) + 1.5F;
      const glm::vec2 low = glm::min(s.from.at, s.to.at) - reach, high = glm::max(s.from.at, s.to.at) + reach;
      if (!(high.x >= 0 && high.y >= 0 && low.x < static_cast<float>(projector_.width) &&
            low.y < static_cast<float>(projector_.height)))
        continue;
      ranges_[i] = {tile_of(low.x, projector_.width), tile_of(low.y, projector_.height),
                    tile_of(high.x, projector_.width), tile_of(high.y, projector_.height)};
    }
  });
  bins_.fill((projector.width + tile_px - 1) / tile_px, (projector.height + tile_px - 1) / tile_px, bands.size(),
             [&](std::size_t i) { return ranges_[i]; }, number_of);
}

bool AirOverlay::project_end(const glm::vec4& place, const glm::vec3& side, std::uint32_t color, End& end) const {
  const glm::vec3 view = projector_.to_view(glm::vec3(place));
  if (!(view.z > projector_.near_m) || !std::isfinite(view.x + view.y)) return false;
  const glm::vec3 p = projector_.to_picture(view);
  const glm::vec2 rim =
      glm::vec2(projector_.to_picture(projector_.to_view(glm::vec3(place) + side * (view.z / projector_.focal_px)))) -
      glm::vec2(p);
  const float length = glm::length(rim);
  end = {glm::vec2(p), length > 1e-6F ? rim / length : glm::vec2(0, 1), p.z,
         place.w,      static_cast<float>(color >> 24U) / 255,          unpack_linear(color)};
  return true;
}

/// Computes the bounding boxes of the pieces in the picture. If a piece extends behind the eye, its box is the whole
/// picture.
void AirOverlay::project_pieces() {
  boxes_.clear();
  for (const AirPiece& piece : air_->sheets().pieces()) {
    PictureBox box{glm::vec2(1e9F), glm::vec2(-1e9F)};
    for (std::size_t k = 0; k < piece.corners; ++k) {
      const glm::vec3 view = projector_.to_view(air_->sheets().sheets()[piece.sheet].point(piece.corner[k]));
      const glm::vec2 at = view.z > projector_.near_m ? glm::vec2(projector_.to_picture(view)) : glm::vec2(1e9F);
      box.low = view.z > projector_.near_m ? glm::min(box.low, at) : glm::vec2(-1e9F);
      box.high = glm::max(box.high, at);
    }
    boxes_.push_back(box);
  }
}

glm::vec3 AirOverlay::map_color(float t) const {
  const auto& colors = air_->sheet_colors();
  const float at = std::clamp(t, 0.0F, 1.0F) * static_cast<float>(colors.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(at), colors.size() - 2);
  return glm::mix(colors[i], colors[i + 1], at - static_cast<float>(i));
}

void AirOverlay::draw_sheets(std::size_t layer, Tile& tile) const {
  const auto pieces = air_->sheets().pieces();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].layer != layer) continue;
    const PictureBox& box = boxes_[i];
    if (box.high.x < static_cast<float>(tile.x0) || box.high.y < static_cast<float>(tile.y0)) continue;
    if (box.low.x > static_cast<float>(tile.x0 + tile.width) || box.low.y > static_cast<float>(tile.y0 + tile.height))
      continue;
    draw_piece(pieces[i], tile);
  }
}

/// Intersects the rays through all samples of each pixel with the plane of the sheet. The fraction of samples inside
/// the piece is the coverage. The mean position of these samples determines the colour.
void AirOverlay::draw_piece(const AirPiece& piece, Tile& tile) const {
  const AirSheet& sheet = air_->sheets().sheets()[piece.sheet];
  const float away = sheet.level - glm::dot(sheet.normal, projector_.eye);
  if (!(std::abs(away) > 0)) return;
  const glm::vec3 at_q = projector_.plane_q(sheet.normal, sheet.level);
  const float uu = glm::dot(sheet.u, sheet.u), uv = glm::dot(sheet.u, sheet.v), vv = glm::dot(sheet.v, sheet.v),
              det = uu * vv - uv * uv;
  const CutPlanes& cut = air_->cut();
  const auto place_of = [&](float x, float y, float q, glm::vec2& on, bool& inside) {
    const glm::vec3 p = projector_.eye + projector_.ray(x, y) / q, off = p - sheet.corner;
    const float du = glm::dot(off, sheet.u), dv = glm::dot(off, sheet.v);
    on = glm::vec2(vv * du - uv * dv, uu * dv - uv * du) / det;
    inside = on.x >= 0 && on.x <= 1 && on.y >= 0 && on.y <= 1 && air_->sheets().is_in(piece, p) &&
             !(cut.is_open() && cut.hides(p));
  };
  const PictureBox& box = boxes_[static_cast<std::size_t>(&piece - air_->sheets().pieces().data())];
  const PixelRange range = pixels_in(box.low, box.high, tile);
  for (int y = range.y0; y <= range.y1; ++y)
    for (int x = range.x0; x <= range.x1; ++x) {
      glm::vec2 sum(0);
      float nearest = 0;  // largest q of the samples inside the piece
      int covered = 0;
      for (const glm::vec2& sample : sample_at) {
        const float px = static_cast<float>(tile.x0 + x) + sample.x, py = static_cast<float>(tile.y0 + y) + sample.y;
        const float q = at_q.x + at_q.y * px + at_q.z * py;
        if (!(q > 0) || q * projector_.near_m > 1) continue;
        nearest = std::max(nearest, q);
        glm::vec2 on(0);
        bool inside = false;
        place_of(px, py, q, on, inside);
        if (inside) sum += on, ++covered;
      }
      if (covered == 0) continue;
      const auto count = static_cast<float>(covered);
      const glm::vec2 texel = sheet.at(sum / count);
      if (!(texel.y > 0)) continue;
      blend_at(tile, x, y, nearest * (1 + sheet_lift / projector_.distance_factor), map_color(texel.x / texel.y),
               opacity_ * texel.y * count / samples);
    }
}

void AirOverlay::draw_lines(std::size_t layer, std::size_t tile_index, Tile& tile) const {
  const std::size_t first = air_->lines().layer_begin(layer), end = air_->lines().layer_end(layer);
  const auto all = bins_.in(tile_index);
  for (auto i = std::lower_bound(all.begin(), all.end(), first); i != all.end() && *i < end; ++i)
    draw_stretch(stretches_[*i], tile);
}

/// Draws one segment of a line, between its borders with the adjacent segments. Coverage and colour depend on the
/// distance from the centre line as in shaders/band.frag.
void AirOverlay::draw_stretch(const Stretch& stretch, Tile& tile) const {
  const End &a = stretch.from, &b = stretch.to;
  const glm::vec2 along = b.at - a.at;
  const float length2 = glm::dot(along, along);
  if (!(length2 > 1e-8F)) return;
  const float reach = std::max(a.half, b.half) + 1.5F;
  const PixelRange range = pixels_in(glm::min(a.at, b.at) - reach, glm::max(a.at, b.at) + reach, tile);
  const auto past = [&](const End& end, const glm::vec2& p) {
    const glm::vec2 forth(end.rim.y, -end.rim.x);
    return glm::dot(p - end.at, forth) * (glm::dot(forth, along) < 0 ? -1.0F : 1.0F) >= 0;
  };
  const glm::vec2 across = glm::vec2(-along.y, along.x) / std::sqrt(length2);
  for (int y = range.y0; y <= range.y1; ++y)
    for (int x = range.x0; x <= range.x1; ++x) {
      const glm::vec2 p(static_cast<float>(tile.x0 + x) + 0.5F, static_cast<float>(tile.y0 + y) + 0.5F);
      if (!past(a, p) || past(b, p)) continue;
      const float t = std::clamp(glm::dot(p - a.at, along) / length2, 0.0F, 1.0F),
                  d = std::abs(glm::dot(p - a.at, across));
      const float half = a.half + t * (b.half - a.half);
      const float cover = std::clamp(half + 0.5F - d, 0.0F, 1.0F),
                  core = std::clamp(half - band_rim_px + 0.5F - d, 0.0F, 1.0F);
      const float alpha = glm::mix(a.opacity, b.opacity, t) * cover * glm::mix(band_rim_opacity, 1.0F, core);
      if (!(alpha > 0)) continue;
      blend_at(tile, x, y, (a.q + t * (b.q - a.q)) * (1 + band_lift / projector_.distance_factor),
               glm::mix(a.color, b.color, t) * glm::mix(band_rim_light, 1.0F, core), alpha);
    }
}

}  // namespace vw::soft
