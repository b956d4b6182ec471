// Channels and tints, computed row by row in parallel. Code that all point elements share is in point_elements.h.
#include "sim/system/particles/particle_picture.h"

#include <algorithm>
#include <cmath>

#include "sim/base/parallel/parallel.h"
#include "sim/system/particles/particle_watch.h"
#include "sim/system/point_elements.h"

namespace vw {
namespace {

constexpr std::size_t picture_grain = 4096;

Vec4f tint_of(const Population& population, std::size_t i, const Vec3& system_color) {
  const EmitterParams& p = population.emitters()[population.rows.emitter[i]].params;
  const double share = population.life_share_of(i);
  Vec3 color = system_color;
  if (p.color_from == ColorFrom::emitter) color = p.color_birth;
  if (p.color_from == ColorFrom::life) color = p.color().at(share, p.middle_at);
  Vec4f tint;
  tint << color.cast<float>(), static_cast<float>(p.opacity().at(share, p.middle_at));
  return tint;
}

// Channels in the order of particle_channels().
enum ParticleChannel : std::size_t {
  channel_speed = 0,
  channel_age,
  channel_kinetic,
  channel_contact,
  channel_radius,
  channel_mass
};

}  // namespace

std::optional<HealthIssue> particle_health(const Elements& elements) {
  const auto bad = first_unsound(elements, ParticleWatch::absurd_mps);
  if (!bad) return std::nullopt;
  const auto element = static_cast<std::int64_t>(*bad);
  if (!elements.position[*bad].allFinite())
    return HealthIssue{"position is not finite", element, "the cause is likely an infinite force or wind"};
  return HealthIssue{
      "speed is above 1e6 m/s or not finite", element,
      "the cause is likely an extreme force or speed, or a rule that is too stiff for this mass and step"};
}

std::span<const ChannelInfo> particle_channels() {
  static const std::vector<ChannelInfo> all{{"speed", "m/s"}, {"age", "s"},    {"kinetic_energy", "J"},
                                            {"contact", ""},  {"radius", "m"}, {"mass", "kg"}};
  return all;
}

void particle_channel(const Population& population, std::span<const std::uint8_t> touched, std::size_t index,
                      std::vector<float>& out) {
  const Elements& e = population.rows.elements;
  out.resize(e.size());
  const auto value = [&](std::size_t i) -> double {
    switch (index) {
      case channel_speed: return e.velocity[i].norm();
      case channel_age: return std::max(0.0, population.age(i));
      case channel_kinetic: {
        const double spin = e.angular_velocity.empty() ? 0 : e.radius[i] * e.angular_velocity[i].norm();
        return e.mass[i] * (0.5 * e.velocity[i].squaredNorm() + 0.2 * spin * spin);
      }
      case channel_contact:
        return (touched.size() == e.size() && touched[i] != 0) || (e.met.size() == e.size() && e.met[i] != 0) ? 1 : 0;
      case channel_radius: return e.radius[i];
      default: return e.mass[i];
    }
  };
  parallel_for(e.size(), picture_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) out[i] = static_cast<float>(value(i));
  });
}

void particle_spheres(const Population& population, const Vec3& color, SystemSnapshot& out) {
  const Elements& e = population.rows.elements;
  const std::size_t n = e.size();
  const bool soft = out.use_look<SphereLook>().soft = population.soft();
  show_points(e, out);
  parallel_for(soft ? n : 0, picture_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) out.size[i] = static_cast<float>(population.seen_radius(i));
  });
  out.material.assign(n, 0);
  out.tint.resize(population.has_tints() ? n : 0);
  parallel_for(out.tint.size(), picture_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) out.tint[i] = tint_of(population, i, color);
  });
  out.palette.assign(1, color.cast<float>());
}

}  // namespace vw
