// Synthetic snapshots of air: a rising vortex, as values on planes, as arrows and as lines, and a column of smoke.
#pragma once

#include <cmath>
#include <random>

#include "stage_set.h"

namespace vw {

/// Returns the velocity of air that rotates about the axis x = z = 0 and rises near the axis [m/s].
inline Vec3f swirl(const Vec3f& p) {
  const float r2 = p.x() * p.x() + p.z() * p.z(), core = 0.02F, turn = 0.25F / (r2 + core);
  return {-turn * p.z(), 0.5F * std::exp(-r2 / core), turn * p.x()};
}

inline float value_of(const std::string& quantity, const Vec3f& p) {
  const Vec3f u = swirl(p);
  return quantity == "velocity_x" ? u.x() : u.norm();
}

/// Returns a square slice of n x n samples. `axis_u` and `axis_v` are the world axes of the sides. `side` is the length
/// of a side [m].
inline FieldSlice slice_of(const std::string& quantity, const Vec3f& center, int axis_u, int axis_v, float side,
                           int n) {
  FieldSlice slice;
  slice.nu = slice.nv = n;
  const float step = side / static_cast<float>(n - 1);
  slice.u_step = step * Vec3f::Unit(axis_u);
  slice.v_step = step * Vec3f::Unit(axis_v);
  slice.origin = center - 0.5F * side * (Vec3f::Unit(axis_u) + Vec3f::Unit(axis_v));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      slice.value.push_back(value_of(
          quantity, slice.origin + static_cast<float>(i) * slice.u_step + static_cast<float>(j) * slice.v_step));
  return slice;
}

struct AirWanted {
  bool planes = true, glyphs = false;
  int lines = 0;
  std::string quantity = "speed";
};

inline FieldPicture swirl_picture(const AirWanted& wanted) {
  FieldPicture air;
  const Vec3f middle(0, 0.3F, 0);
  air.quantity = wanted.quantity;
  air.unit = "m/s";
  air.is_signed = wanted.quantity != "speed";
  air.box_min = middle - Vec3f::Constant(0.3F);
  air.box_max = middle + Vec3f::Constant(0.3F);
  if (wanted.planes)
    air.slices = {slice_of(wanted.quantity, middle, 1, 2, 0.6F, 48), slice_of(wanted.quantity, middle, 2, 0, 0.6F, 48),
                  slice_of(wanted.quantity, middle, 0, 1, 0.6F, 48)};
  constexpr int side = 12;
  const float step = 0.6F / side;
  for (int j = 0; wanted.glyphs && j < side; ++j)
    for (int i = 0; i < side; ++i)
      for (int k = 0; k < (wanted.planes ? 1 : side); ++k) {
        const float z = wanted.planes ? 0 : -0.3F + (static_cast<float>(k) + 0.5F) * step;
        const Vec3f p(-0.3F + (static_cast<float>(i) + 0.5F) * step, (static_cast<float>(j) + 0.5F) * step, z);
        air.glyph_place.push_back(p);
        air.glyph_value.push_back(swirl(p));
      }
  std::mt19937 random(7);
  std::uniform_real_distribution<float> anywhere(-0.28F, 0.28F);
  for (int l = 0; l < wanted.lines; ++l) {
    Vec3f p(anywhere(random), 0.05F + 0.2F * (anywhere(random) + 0.28F), anywhere(random));
    air.streamlines.start.push_back(static_cast<std::uint32_t>(air.streamlines.point.size()));
    for (int k = 0; k < 120; ++k) {
      air.streamlines.point.push_back(p);
      air.streamlines.speed.push_back(swirl(p).norm());
      const Vec3f mid = p + 0.004F * swirl(p).normalized();
      p += 0.008F * swirl(mid).normalized();
    }
  }
  if (wanted.lines > 0) air.streamlines.start.push_back(static_cast<std::uint32_t>(air.streamlines.point.size()));
  return air;
}

/// Returns a column of smoke puffs that rises from the ground, widens with height, and is bent by the wind.
inline SystemSnapshot smoke_column(int puffs) {
  SystemSnapshot s;
  s.name = "smoke";
  s.kind = "particles";
  s.use_look<SphereLook>().soft = true;
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  for (int i = 0; i < puffs; ++i) {
    const float age = (static_cast<float>(i) + 0.5F) / static_cast<float>(puffs), wide = 0.01F + 0.07F * age;
    s.position.emplace_back(-0.1F + 0.3F * age * age + wide * normal(random),
                            0.02F + 0.55F * age + 0.4F * wide * normal(random), wide * normal(random));
    s.velocity.emplace_back(0, 0.5F, 0);
    s.size.push_back(0.015F + 0.07F * age);
    s.id.push_back(static_cast<std::uint32_t>(i));
    s.material.push_back(0);
    s.tint.emplace_back(0.75F, 0.74F, 0.72F, 0.55F * (1 - age) + 0.02F);
  }
  s.palette = {Vec3f(0.75F, 0.74F, 0.72F)};
  s.palette_names = {"smoke"};
  return s;
}

}  // namespace vw
