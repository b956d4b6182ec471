// Synthetic snapshots of flocks.
#pragma once

#include "render/scene/members.h"
#include "sim/snapshot/member_shapes.h"
#include "stage_set.h"

namespace vw {

/// Returns a flock of one member. The nose points along +x, the back along +y.
inline SystemSnapshot lone_member(const SpeciesLook& look, float half_m, const Vec3f& place) {
  SystemSnapshot s;
  s.name = "school";
  s.kind = "flock";
  s.position = {place};
  s.velocity = {Vec3f(1, 0, 0)};
  s.orientation = {Quatf::Identity()};
  s.size = {half_m};
  s.id = {7};
  s.material = {0};
  s.palette = {Vec3f(0.75F, 0.10F, 0.05F)};
  s.palette_names = {"herring"};
  s.look = MemberLook{.species = {look}, .beat = {0}};
  return s;
}

/// Returns a flock of two species. The positions in a cube of half width `box_m` about `center` and the orientations
/// are irregular.
inline SystemSnapshot school(std::size_t count, const SpeciesLook& first, const SpeciesLook& second, float half_m,
                             float box_m, const Vec3f& center) {
  SystemSnapshot s = lone_member(first, half_m, center);
  s.position.clear(), s.velocity.clear(), s.orientation.clear(), s.size.clear(), s.id.clear(), s.material.clear();
  s.palette = {Vec3f(0.16F, 0.32F, 0.55F), Vec3f(0.70F, 0.25F, 0.07F)};
  s.palette_names = {"herring", "gull"};
  MemberLook& members = s.use_look<MemberLook>();
  members.beat.clear();
  members.species = {first, second};
  const auto wave = [](std::size_t a) { return std::sin(12.9898F * static_cast<float>(a % 9973)); };
  for (std::size_t i = 0; i < count; ++i) {
    s.position.push_back(center + box_m * Vec3f(wave(i), wave(3 * i + 1), wave(7 * i + 2)));
    s.orientation.emplace_back(Eigen::AngleAxisf(0.5F + 1.5F * wave(5 * i), Vec3f::UnitY()) *
                               Eigen::AngleAxisf(0.4F * wave(11 * i), Vec3f::UnitX()));
    s.velocity.push_back(s.orientation.back() * Vec3f(0.3F + 0.1F * wave(i), 0, 0));
    s.size.push_back(half_m);
    s.id.push_back(static_cast<std::uint32_t>(i));
    s.material.push_back(static_cast<std::uint8_t>(i % 3 == 0 ? 1 : 0));
    members.beat.push_back(3 * wave(13 * i));
  }
  return s;
}

inline Figure placed(const SystemSnapshot& system) {
  Figure figure;
  place_figure(nullptr, system, 1, figure);
  figure.colors.assign(system.position.size(), 0xFF808080U);
  return figure;
}

}  // namespace vw
