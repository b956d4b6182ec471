#include "render/air/air_sheets.h"

#include <algorithm>
#include <cmath>

#include "render/vectors/vectors.h"
#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

/// Whether the slice has at least two samples in each direction, one value per sample, and a finite rectangle of
/// non-zero area.
bool is_sound(const FieldSlice& slice) {
  const auto nu = static_cast<std::size_t>(std::max(slice.nu, 0)), nv = static_cast<std::size_t>(std::max(slice.nv, 0));
  return nu > 1 && nv > 1 && slice.value.size() == nu * nv && slice.origin.allFinite() &&
         slice.u_step.cross(slice.v_step).norm() > 0;
}

bool same_place(const FieldSlice& a, const FieldSlice& b) {
  return a.nu == b.nu && a.nv == b.nv && a.origin == b.origin && a.u_step == b.u_step && a.v_step == b.v_step &&
         a.value.size() == b.value.size();
}

/// Interpolates between b and c at the fraction t. If all four samples have values, a Catmull & Rom (1974) cubic is
/// used, otherwise linear interpolation.
glm::vec2 between(const glm::vec2& a, const glm::vec2& b, const glm::vec2& c, const glm::vec2& d, float t) {
  if (std::min({a.y, b.y, c.y, d.y}) < 1) return glm::mix(b, c, t);
  return b + 0.5F * t * (c - a + t * (2.0F * a - 5.0F * b + 4.0F * c - d + t * (3.0F * (b - c) + d - a)));
}

/// Number of subdivisions of a sample interval, large enough to make the bilinear interpolation between refined samples
/// invisible.
int fineness(int samples) { return std::clamp(384 / std::max(samples, 1), 1, 4); }

}  // namespace

glm::vec2 AirSheet::at(const glm::vec2& place) const {
  const float x = std::clamp(place.x, 0.0F, 1.0F) * static_cast<float>(nu - 1),
              y = std::clamp(place.y, 0.0F, 1.0F) * static_cast<float>(nv - 1);
  const int i = std::min(static_cast<int>(x), nu - 2), j = std::min(static_cast<int>(y), nv - 2);
  const glm::vec2* row =
      &texel[static_cast<std::size_t>(j) * static_cast<std::size_t>(nu) + static_cast<std::size_t>(i)];
  const float s = x - static_cast<float>(i), t = y - static_cast<float>(j);
  return glm::mix(glm::mix(row[0], row[1], s), glm::mix(row[nu], row[nu + 1], s), t);
}

void AirSheets::build(const FieldPicture* previous, const FieldPicture& newest, float blend, const ValueRange& range,
                      const glm::vec3& eye, const CutPlanes& cut) {
  count_ = 0;
  pieces_.clear();
  for (std::size_t i = 0; i < newest.slices.size() && count_ < most; ++i) {
    const FieldSlice& slice = newest.slices[i];
    const bool follows = previous != nullptr && previous->quantity == newest.quantity && i < previous->slices.size() &&
                         same_place(previous->slices[i], slice);
    if (is_sound(slice)) add_sheet(follows ? &previous->slices[i] : nullptr, slice, blend, range, eye);
  }
  for (std::size_t k = 0; k < count_; ++k) add_pieces(k, cut);
  std::stable_sort(pieces_.begin(), pieces_.end(),
                   [](const AirPiece& a, const AirPiece& b) { return a.layer < b.layer; });
}

void AirSheets::add_sheet(const FieldSlice* previous, const FieldSlice& slice, float blend, const ValueRange& range,
                          const glm::vec3& eye) {
  if (count_ == sheets_.size()) sheets_.emplace_back();
  AirSheet& sheet = sheets_[count_++];
  sheet.corner = to_glm(slice.origin);
  sheet.u = static_cast<float>(slice.nu - 1) * to_glm(slice.u_step);
  sheet.v = static_cast<float>(slice.nv - 1) * to_glm(slice.v_step);
  sheet.normal = glm::normalize(glm::cross(sheet.u, sheet.v));
  if (glm::dot(sheet.normal, eye - sheet.corner) < 0) sheet.normal = -sheet.normal;
  sheet.level = glm::dot(sheet.normal, sheet.corner);
  fill(previous, slice, blend, range, sheet);
}

/// Replaces each missing value next to a valid value by the mean of the adjacent valid values. Missing values lie
/// within obstacles, and the colours must extend to the surface of the obstacle.
void AirSheets::close_rims(std::size_t nu, std::size_t nv) {
  if (std::ranges::all_of(coarse_, [](const glm::vec2& texel) { return texel.y > 0; })) return;
  wide_ = coarse_;
  for (std::size_t j = 0; j < nv; ++j)
    for (std::size_t i = 0; i < nu; ++i) {
      if (wide_[j * nu + i].y > 0) continue;
      glm::vec2 sum(0);
      for (std::size_t y = j > 0 ? j - 1 : 0; y <= std::min(j + 1, nv - 1); ++y)
        for (std::size_t x = i > 0 ? i - 1 : 0; x <= std::min(i + 1, nu - 1); ++x) sum += wide_[y * nu + x];
      if (sum.y > 0) coarse_[j * nu + i] = sum / sum.y;
    }
}

/// Fills the texels of the sheet: refines the samples along rows first, then along columns.
void AirSheets::fill(const FieldSlice* previous, const FieldSlice& slice, float blend, const ValueRange& range,
                     AirSheet& sheet) {
  const int fine = fineness(std::max(slice.nu, slice.nv));
  sheet.nu = fine * (slice.nu - 1) + 1;
  sheet.nv = fine * (slice.nv - 1) + 1;
  const auto nu = static_cast<std::size_t>(slice.nu), nv = static_cast<std::size_t>(slice.nv),
             wide = static_cast<std::size_t>(sheet.nu);
  coarse_.resize(nu * nv);
  const float scale = 1 / std::max(range.max - range.min, 1e-30F);
  for (std::size_t i = 0; i < coarse_.size(); ++i) {
    float value = slice.value[i];
    if (previous != nullptr && std::isfinite(previous->value[i]))
      value = previous->value[i] + blend * (value - previous->value[i]);
    const float t = (value - range.min) * scale;
    coarse_[i] = std::isfinite(t) ? glm::vec2(std::clamp(t, -8.0F, 8.0F), 1) : glm::vec2(0);
  }
  close_rims(nu, nv);
  const auto refine = [fine](std::size_t count, const auto& from, const auto& to) {
    const auto last = static_cast<int>(count) - 1;
    for (int i = 0; i < last; ++i)
      for (int k = 0; k < fine; ++k)
        to(static_cast<std::size_t>(fine * i + k)) =
            between(from(static_cast<std::size_t>(std::max(i - 1, 0))), from(static_cast<std::size_t>(i)),
                    from(static_cast<std::size_t>(i + 1)), from(static_cast<std::size_t>(std::min(i + 2, last))),
                    static_cast<float>(k) / static_cast<float>(fine));
    to(static_cast<std::size_t>(fine * last)) = from(static_cast<std::size_t>(last));
  };
  wide_.resize(wide * nv);
  parallel_for(nv, 8, [&](Range rows, std::size_t) {
    for (std::size_t j = rows.begin; j < rows.end; ++j)
      refine(
          nu, [&](std::size_t i) { return coarse_[j * nu + i]; },
          [&](std::size_t i) -> glm::vec2& { return wide_[j * wide + i]; });
  });
  sheet.texel.resize(wide * static_cast<std::size_t>(sheet.nv));
  parallel_for(wide, 32, [&](Range columns, std::size_t) {
    for (std::size_t i = columns.begin; i < columns.end; ++i)
      refine(
          nv, [&](std::size_t j) { return wide_[j * wide + i]; },
          [&](std::size_t j) -> glm::vec2& { return sheet.texel[j * wide + i]; });
  });
}

namespace {

/// Clips the piece to the half plane height(place) >= 0. Intersections are computed independently of the direction of
/// the edge, so that two pieces that share an edge get identical corners.
template <class Height>
void keep(AirPiece& piece, const Height& height) {
  AirPiece out = piece;
  out.corners = 0;
  for (std::size_t k = 0; k < piece.corners && out.corners + 2 <= AirPiece::most_corners; ++k) {
    const glm::vec2 &a = piece.corner[k], &b = piece.corner[(k + 1) % piece.corners];
    const float ha = height(a), hb = height(b);
    if (ha >= 0) out.corner[out.corners++] = a;
    if ((ha >= 0) == (hb >= 0)) continue;
    const bool is_low = a.x < b.x || (a.x == b.x && a.y < b.y);
    out.corner[out.corners++] = is_low ? a + ha / (ha - hb) * (b - a) : b + hb / (hb - ha) * (a - b);
  }
  piece = out;
}

}  // namespace

void AirSheets::add_pieces(std::size_t which, const CutPlanes& cut) {
  const AirSheet& sheet = sheets_[which];
  for (std::size_t sides = 0; sides < std::size_t{1} << which; ++sides) {
    AirPiece piece;
    piece.sheet = which;
    piece.layer = (2 * sides + 1) << (count_ - which - 1);
    piece.corners = 4;
    piece.corner[0] = {0, 0}, piece.corner[1] = {1, 0}, piece.corner[2] = {1, 1}, piece.corner[3] = {0, 1};
    for (std::size_t k = 0; k < which; ++k) {
      const float side = (sides >> (which - k - 1) & 1U) != 0 ? 1.0F : -1.0F;
      keep(piece, [&](const glm::vec2& at) {
        return side * (glm::dot(sheets_[k].normal, sheet.point(at)) - sheets_[k].level);
      });
    }
    for (const glm::vec4& plane : cut.planes())
      keep(piece, [&](const glm::vec2& at) { return glm::dot(glm::vec3(plane), sheet.point(at)) + plane.w; });
    if (piece.corners > 2) pieces_.push_back(piece);
  }
}

std::size_t AirSheets::layer_of(const glm::vec3& p) const {
  std::size_t layer = 0;
  for (std::size_t k = 0; k < count_; ++k) layer = 2 * layer + (before(k, p) ? 1 : 0);
  return layer;
}

std::size_t AirSheets::layer_on(std::size_t sheet, const glm::vec3& p) const {
  std::size_t layer = 0;
  for (std::size_t k = 0; k < count_; ++k) layer = 2 * layer + (k == sheet || before(k, p) ? 1 : 0);
  return layer;
}

bool AirSheets::is_in(const AirPiece& piece, const glm::vec3& p) const {
  for (std::size_t k = 0; k < piece.sheet; ++k)
    if (before(k, p) != ((piece.layer >> (count_ - k - 1) & 1U) != 0)) return false;
  return true;
}

}  // namespace vw
