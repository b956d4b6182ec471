// Sums in fixed parts, so that no bit depends on threads and nothing is allocated; rows copied in parallel.
#include "sim/system/particles/particle_picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/parallel.h"
#include "sim/system/particles/particle_watch.h"

namespace vw {
namespace {

constexpr std::size_t grain = 4096;

/// One value of each of at most 64 parts of the rows, in order, on the stack.
template <class T>
class Parts {
 public:
  explicit Parts(std::size_t count) : grain_(std::max(grain, (count + most - 1) / most)), used_(chunk_count(count, grain_)) {}
  [[nodiscard]] std::size_t grain_size() const { return grain_; }
  T& operator[](std::size_t chunk) { return part_[chunk]; }
  [[nodiscard]] const T* begin() const { return part_.data(); }
  [[nodiscard]] const T* end() const { return part_.data() + used_; }

 private:
  static constexpr std::size_t most = 64;
  std::size_t grain_, used_;
  std::array<T, most> part_{};
};

Diagnostics sums_of(const Elements& elements, const Vec3& gravity, Range range) {
  Diagnostics d;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const double m = elements.mass[i];
    const Vec3 &x = elements.position[i], &v = elements.velocity[i];
    d.mass += m;
    d.kinetic += 0.5 * m * v.squaredNorm();
    d.potential -= m * gravity.dot(x);
    d.momentum += m * v;
    d.angular_momentum += m * x.cross(v);
    d.center_of_mass += m * x;
  }
  return d;
}

void add(const Diagnostics& part, Diagnostics& sum) {
  sum.mass += part.mass;
  sum.kinetic += part.kinetic;
  sum.potential += part.potential;
  sum.momentum += part.momentum;
  sum.angular_momentum += part.angular_momentum;
  sum.center_of_mass += part.center_of_mass;
}

bool is_sane(const Elements& elements, std::size_t i) {
  return elements.position[i].allFinite() && elements.velocity[i].squaredNorm() <= ParticleWatch::absurd_mps * ParticleWatch::absurd_mps;
}

HealthIssue describe(const Elements& elements, std::size_t i) {
  if (!elements.position[i].allFinite()) return {"position is not finite", static_cast<std::int64_t>(i), "an infinite force or wind acted on it"};
  return {"speed is over 1e6 m/s or not finite", static_cast<std::int64_t>(i), "a rule's stiffness is too large for this mass and step"};
}

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

// In the order of particle_channels().
enum ParticleChannel : std::size_t { channel_speed = 0, channel_age, channel_kinetic, channel_contact, channel_radius, channel_mass };

}  // namespace

Diagnostics particle_sums(const Elements& elements, const Vec3& gravity) {
  Parts<Diagnostics> parts(elements.size());
  parallel_for(elements.size(), parts.grain_size(), [&](Range range, std::size_t chunk) { parts[chunk] = sums_of(elements, gravity, range); });
  Diagnostics sum;
  for (const Diagnostics& part : parts) add(part, sum);
  sum.count = elements.size();
  if (sum.mass > 0) sum.center_of_mass /= sum.mass;
  return sum;
}

std::optional<HealthIssue> particle_health(const Elements& elements) {
  Parts<std::int64_t> first(elements.size());
  parallel_for(elements.size(), first.grain_size(), [&](Range range, std::size_t chunk) {
    first[chunk] = -1;
    for (std::size_t i = range.begin; i < range.end && first[chunk] < 0; ++i)
      if (!is_sane(elements, i)) first[chunk] = static_cast<std::int64_t>(i);
  });
  const auto* const found = std::find_if(first.begin(), first.end(), [](std::int64_t i) { return i >= 0; });
  if (found == first.end()) return std::nullopt;
  return describe(elements, static_cast<std::size_t>(*found));
}

std::span<const ChannelInfo> particle_channels() {
  static const std::vector<ChannelInfo> all{{"speed", "m/s"}, {"age", "s"},    {"kinetic_energy", "J"},
                                            {"contact", ""},  {"radius", "m"}, {"mass", "kg"}};
  return all;
}

void particle_channel(const Population& population, std::span<const std::uint8_t> touched, std::size_t index, std::vector<float>& out) {
  const Elements& e = population.rows.elements;
  out.resize(e.size());
  const auto value = [&](std::size_t i) -> double {
    switch (index) {
      case channel_speed: return e.velocity[i].norm();
      case channel_age: return std::max(0.0, population.age(i));
      case channel_kinetic: return 0.5 * e.mass[i] * e.velocity[i].squaredNorm();
      case channel_contact: return (touched.size() == e.size() && touched[i] != 0) || (e.met.size() == e.size() && e.met[i] != 0) ? 1 : 0;
      case channel_radius: return e.radius[i];
      default: return e.mass[i];
    }
  };
  parallel_for(e.size(), grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) out[i] = static_cast<float>(value(i));
  });
}

void particle_spheres(const Population& population, const Vec3& color, SystemSnapshot& out) {
  const Elements& e = population.rows.elements;
  const std::size_t n = e.size();
  out.look = Look::spheres;
  out.position.resize(n);
  out.velocity.resize(n);
  out.size.resize(n);
  out.id.resize(n);
  out.material.assign(n, 0);
  out.tint.resize(population.has_tints() ? n : 0);
  parallel_for(n, grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      out.position[i] = e.position[i].cast<float>();
      out.velocity[i] = e.velocity[i].cast<float>();
      out.size[i] = static_cast<float>(e.radius[i]);
      out.id[i] = e.id[i];
    }
    if (out.tint.empty()) return;
    for (std::size_t i = range.begin; i < range.end; ++i) out.tint[i] = tint_of(population, i, color);
  });
  out.orientation.clear();
  out.palette.assign(1, color.cast<float>());
  out.skin.reset();
}

}  // namespace vw
