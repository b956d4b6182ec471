// Vector code of blend_discs(), blend_balls() and blend_puffs(). splat_plain.cpp contains the scalar versions.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "render/software/splat_kernel.cpp"
// The kernels use vectors with at most eight lanes. Vectors without a compile-time size are excluded, because they
// cannot be stored in arrays.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "render/scene/frame_data.h"
#include "render/software/light.h"
#include "render/software/splat_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace vw::soft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 8>;
using V = hn::Vec<Tag>;
constexpr int lanes = static_cast<int>(HWY_LANES(float) < 8 ? HWY_LANES(float) : 8);

HWY_INLINE V set(float x) { return hn::Set(Tag(), x); }

/// Pixels of the tile within the bounding box of a splat. The box is empty if x0 > x1 or y0 > y1.
struct Box {
  int x0, y0, x1, y1;
};
HWY_INLINE Box box_in(const glm::vec2& low, const glm::vec2& high, const Tile& tile) {
  const auto left = static_cast<float>(tile.x0), top = static_cast<float>(tile.y0);
  return {static_cast<int>(std::max(low.x - left, 0.0F)), static_cast<int>(std::max(low.y - top, 0.0F)),
          static_cast<int>(std::min(std::floor(high.x - left), static_cast<float>(tile.width - 1))),
          static_cast<int>(std::min(std::floor(high.y - top), static_cast<float>(tile.height - 1)))};
}

struct Color {
  V red, green, blue;
};

/// Blends the lanes that are edge pixels, one after the other.
HWY_NOINLINE void blend_edges(Tile& tile, unsigned bits, int x, int y, V q, const Color& color, V alpha) {
  alignas(64) float red[8], green[8], blue[8], a[8], depth[8];
  const Tag d;
  hn::Store(color.red, d, red);
  hn::Store(color.green, d, green);
  hn::Store(color.blue, d, blue);
  hn::Store(alpha, d, a);
  hn::Store(q, d, depth);
  for (int i = 0; i < lanes; ++i)
    if ((bits >> static_cast<unsigned>(i) & 1U) != 0 && a[i] > 0)
      blend_edge(tile.edge_at(x + i, y), depth[i], {red[i], green[i], blue[i]}, a[i]);
}

HWY_INLINE V over(V below, V color, V alpha) { return hn::Add(below, hn::Mul(alpha, hn::Sub(color, below))); }

template <bool Front>
HWY_INLINE void blend(Tile& tile, int x, int y, V q, const Color& color, V alpha) {
  const Tag d;
  const std::size_t at = Tile::cell(x, y);
  if (const unsigned bits =
          tile.edge_row[static_cast<std::size_t>(y)] >> static_cast<unsigned>(x) & ((1U << lanes) - 1U);
      bits != 0)
    blend_edges(tile, bits, x, y, q, color, alpha);
  const V seen = hn::IfThenElseZero(hn::Gt(q, hn::LoadU(d, &tile.q[at])), alpha);
  hn::StoreU(over(hn::LoadU(d, &tile.red[at]), color.red, seen), d, &tile.red[at]);
  hn::StoreU(over(hn::LoadU(d, &tile.green[at]), color.green, seen), d, &tile.green[at]);
  hn::StoreU(over(hn::LoadU(d, &tile.blue[at]), color.blue, seen), d, &tile.blue[at]);
  if constexpr (Front) {
    const V before = hn::LoadU(d, &tile.front[at]);
    hn::StoreU(hn::IfThenElse(hn::Ge(seen, set(0.5F)), hn::Max(before, q), before), d, &tile.front[at]);
  }
}

template <bool Front>
HWY_INLINE void discs(std::span<const ScreenDisc> splats, Tile& tile) {
  const Tag d;
  const V zero = hn::Zero(d), one = set(1), iota = hn::Iota(d, 0.5F);
  for (const ScreenDisc& disc : splats) {
    const Box box = box_in(glm::vec2(disc.x, disc.y) - (disc.radius + 0.5F),
                           glm::vec2(disc.x, disc.y) + (disc.radius + 0.5F), tile);
    const Color color{set(disc.color.r), set(disc.color.g), set(disc.color.b)};
    const V q = set(disc.q), reach = set(disc.radius + 0.5F), opacity = set(disc.opacity);
    const float left = static_cast<float>(tile.x0) - disc.x, top = static_cast<float>(tile.y0) + 0.5F - disc.y;
    for (int y = box.y0; y <= box.y1; ++y) {
      const float dy = static_cast<float>(y) + top;
      const V dy2 = set(dy * dy);
      for (int x = box.x0; x <= box.x1; x += lanes) {
        const V dx = hn::Add(iota, set(static_cast<float>(x) + left));
        const V cover = hn::Min(hn::Max(hn::Sub(reach, hn::Sqrt(hn::Add(hn::Mul(dx, dx), dy2))), zero), one);
        blend<Front>(tile, x, y, q, color, hn::Mul(cover, opacity));
      }
    }
  }
}

HWY_INLINE V clamp01(V x) { return hn::Min(hn::Max(x, hn::Zero(Tag())), set(1)); }

HWY_INLINE V dot3(V x, V y, V z, V a, V b, V c) {
  return hn::Add(hn::Add(hn::Mul(x, a), hn::Mul(y, b)), hn::Mul(z, c));
}

/// Shares of the light of a ball, with the formula of ball_pixel() in splat_plain.cpp.
struct Shares {
  V by_sun, by_sky, by_shine, by_rim, sky, marked;
};
HWY_INLINE V ball_channel(const Shares& s, float albedo, float sun, float sky, float bounce, float mark, bool marked) {
  const V ambient = hn::Add(set(bounce), hn::Mul(s.sky, set(sky - bounce)));
  const V c = hn::Add(hn::Mul(set(albedo), hn::Add(hn::Mul(set(sun), s.by_sun), hn::Mul(ambient, s.by_sky))),
                      hn::Add(hn::Mul(s.by_shine, set(sun)), hn::Mul(s.by_rim, set(sky))));
  return marked ? hn::Add(c, hn::Mul(s.marked, hn::Sub(set(mark * 1.6F), c))) : c;
}

/// Applies shoulder() to three channels with a single division. Each denominator lies between 0.14 and about 1e5, so
/// the product of the three neither underflows nor overflows.
HWY_INLINE Color shoulder3(const Color& c) {
  const V one = set(1), gain = set(tone_gain);
  const V r = hn::Mul(gain, c.red), g = hn::Mul(gain, c.green), b = hn::Mul(gain, c.blue);
  const auto below = [&](V x) HWY_ATTR {
    return hn::Add(hn::Mul(x, hn::Add(hn::Mul(set(2.43F), x), set(0.59F))), set(0.14F));
  };
  const V dr = below(r), dg = below(g), db = below(b), inverse = hn::Div(one, hn::Mul(hn::Mul(dr, dg), db));
  const auto part = [&](V x, V other, V another) HWY_ATTR {
    const V above = hn::Mul(x, hn::Add(hn::Mul(set(2.51F), x), set(0.03F)));
    return clamp01(hn::Mul(hn::Mul(above, hn::Mul(other, another)), inverse));
  };
  return {part(r, dg, db), part(g, dr, db), part(b, dr, dg)};
}

HWY_INLINE Shares ball_shares(const ScreenBall& ball, V ax, V ay, V r2, V r) {
  const V one = set(1);
  const V shrink = hn::IfThenElse(hn::Gt(r, one), hn::Div(one, hn::Max(r, one)), one);
  const V ox = hn::Mul(ax, shrink), oy = hn::Mul(ay, shrink);
  // Outside the disc, the point (ox, oy) is moved to the rim, where oz is zero.
  const V oz = hn::Sqrt(hn::Max(hn::Sub(one, r2), hn::Zero(Tag())));
  const auto along = [&](const glm::vec3& v) HWY_ATTR { return dot3(ox, oy, oz, set(v.x), set(v.y), set(v.z)); };
  const V diffuse = hn::Mul(clamp01(hn::Mul(hn::Add(along(ball.sun), set(0.22F)), set(1 / 1.22F))), set(ball.visible));
  const V height = along(ball.vertical), open = hn::Add(set(0.86F), hn::Mul(set(0.14F), height));
  V shine = clamp01(along(ball.half_way));
  for (int i = 0; i < 5; ++i) shine = hn::Mul(shine, shine);
  const V far = hn::Sub(one, oz), rim = hn::Mul(hn::Mul(far, far), far);
  Shares s;
  s.by_sun = hn::Mul(hn::Mul(diffuse, hn::Add(set(0.6F), hn::Mul(set(0.4F), open))), set(0.52F));
  s.by_sky = hn::Mul(open, set(0.62F));
  s.by_shine = hn::Mul(hn::Mul(set(0.8F * 0.19F), shine), diffuse);
  s.by_rim = hn::Mul(hn::Mul(set(0.8F * 0.22F), rim), open);
  s.sky = hn::Add(set(0.5F), hn::Mul(set(0.5F), height));
  s.marked = hn::IfThenElse(hn::Gt(r2, set(0.6F)), one, set(0.3F));
  return s;
}

template <bool Front>
HWY_INLINE void balls(const SplatFrame& frame, std::span<const ScreenBall> splats, Tile& tile) {
  const Tag d;
  const LightEnvironment& light = frame.light;
  const V zero = hn::Zero(d), one = set(1), iota = hn::Iota(d, 0.5F), per_px = set(1 / frame.focal_px);
  for (const ScreenBall& ball : splats) {
    const Box box = box_in(ball.low, ball.high, tile);
    const V opacity = set(ball.opacity), rim = set(ball.radius), q = set(ball.q);
    const bool marked = ball.marked > 0;
    for (int y = box.y0; y <= box.y1; ++y) {
      const float sight_y = (frame.middle_y - (static_cast<float>(tile.y0 + y) + 0.5F)) / frame.focal_px;
      const V a0 = set(sight_y * ball.a.y + ball.a.z), e0 = set(sight_y * ball.e.y + ball.e.z),
              f0 = set(sight_y * ball.f.y + ball.f.z);
      for (int x = box.x0; x <= box.x1; x += lanes) {
        const V sight_x =
            hn::Mul(hn::Sub(hn::Add(iota, set(static_cast<float>(tile.x0 + x))), set(frame.middle_x)), per_px);
        const V along = hn::Add(hn::Mul(sight_x, set(ball.a.x)), a0), inverse = hn::Div(one, along);
        const V ax = hn::Mul(hn::Add(hn::Mul(sight_x, set(ball.e.x)), e0), inverse),
                ay = hn::Mul(hn::Add(hn::Mul(sight_x, set(ball.f.x)), f0), inverse);
        const V r2 = hn::Add(hn::Mul(ax, ax), hn::Mul(ay, ay)), r = hn::Sqrt(r2);
        const V cover =
            hn::IfThenElseZero(hn::Gt(along, zero), clamp01(hn::Add(hn::Mul(hn::Sub(one, r), rim), set(0.5F))));
        if (hn::AllFalse(d, hn::Gt(cover, zero))) continue;
        const Shares s = ball_shares(ball, ax, ay, r2, r);
        const Color color{ball_channel(s, ball.color.r, light.sun_light.r, light.sky_light.r, light.bounce_light.r,
                                       mark_color.r, marked),
                          ball_channel(s, ball.color.g, light.sun_light.g, light.sky_light.g, light.bounce_light.g,
                                       mark_color.g, marked),
                          ball_channel(s, ball.color.b, light.sun_light.b, light.sky_light.b, light.bounce_light.b,
                                       mark_color.b, marked)};
        blend<Front>(tile, x, y, hn::Mul(along, q), shoulder3(color), hn::Mul(cover, opacity));
      }
    }
  }
}

template <bool Front>
HWY_INLINE void puffs(std::span<const ScreenPuff> splats, Tile& tile) {
  const Tag d;
  const V zero = hn::Zero(d), one = set(1), iota = hn::Iota(d, 0.5F);
  for (const ScreenPuff& puff : splats) {
    const Box box = box_in(glm::vec2(puff.x, puff.y) - puff.radius, glm::vec2(puff.x, puff.y) + puff.radius, tile);
    const V red = set(puff.color.r), green = set(puff.color.g), blue = set(puff.color.b), opacity = set(puff.opacity),
            q = set(puff.q);
    const float per_px = 1 / puff.radius;
    for (int y = box.y0; y <= box.y1; ++y) {
      const float dy = (static_cast<float>(tile.y0 + y) + 0.5F - puff.y) * per_px;
      const V dy2 = set(dy * dy), fade0 = set(dy * puff.fade.z + puff.fade.x), light0 = set(dy * puff.slope.y + 1);
      for (int x = box.x0; x <= box.x1; x += lanes) {
        const V dx = hn::Mul(hn::Sub(hn::Add(iota, set(static_cast<float>(tile.x0 + x))), set(puff.x)), set(per_px));
        const V there = hn::Max(hn::Sub(one, hn::Add(hn::Mul(dx, dx), dy2)), zero);
        if (hn::AllFalse(d, hn::Gt(there, zero))) continue;
        const V left = clamp01(hn::Add(hn::Mul(dx, set(puff.fade.y)), fade0));
        const V light = hn::Max(hn::Add(hn::Mul(dx, set(puff.slope.x)), light0), zero);
        const Color color{hn::Mul(light, red), hn::Mul(light, green), hn::Mul(light, blue)};
        blend<Front>(tile, x, y, q, color, hn::Mul(hn::Mul(hn::Mul(there, there), left), opacity));
      }
    }
  }
}

void discs_now(const SplatFrame& frame, std::span<const ScreenDisc> splats, Tile& tile) {
  frame.front ? discs<true>(splats, tile) : discs<false>(splats, tile);
}
void puffs_now(const SplatFrame& frame, std::span<const ScreenPuff> splats, Tile& tile) {
  frame.front ? puffs<true>(splats, tile) : puffs<false>(splats, tile);
}
void balls_now(const SplatFrame& frame, std::span<const ScreenBall> splats, Tile& tile) {
  frame.front ? balls<true>(frame, splats, tile) : balls<false>(frame, splats, tile);
}

}  // namespace HWY_NAMESPACE
}  // namespace vw::soft
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vw::soft {

HWY_EXPORT(discs_now);
HWY_EXPORT(balls_now);
HWY_EXPORT(puffs_now);

void blend_discs(const SplatFrame& frame, std::span<const ScreenDisc> splats, Tile& tile) {
  HWY_DYNAMIC_DISPATCH(discs_now)(frame, splats, tile);
}
void blend_balls(const SplatFrame& frame, std::span<const ScreenBall> splats, Tile& tile) {
  HWY_DYNAMIC_DISPATCH(balls_now)(frame, splats, tile);
}
void blend_puffs(const SplatFrame& frame, std::span<const ScreenPuff> splats, Tile& tile) {
  HWY_DYNAMIC_DISPATCH(puffs_now)(frame, splats, tile);
}

}  // namespace vw::soft
#endif
