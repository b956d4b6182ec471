// Emitters: counts by rate, positions and velocities by counter-based draws.
#include "sim/system/particles/emitter.h"

#include <algorithm>
#include <cmath>

namespace vw {
namespace {

std::vector<Param<EmitterParams>> common_params() {
  using P = EmitterParams;
  return {
      {&P::enabled, "enabled", true, Live::yes, "Whether it emits."},
      {&P::position, "position", Unit::meter, Vec3(0, 0.5, 0), {-1e6, 1e6}, Live::yes, "Its centre."},
      {&P::direction,
       "direction",
       Unit::none,
       Vec3(0, 1, 0),
       {-1e3, 1e3},
       Live::yes,
       "Mean direction of flight (any length but zero); the axis of a disc."},
      {&P::rate, "rate", Unit::per_second, 100.0, {0, 1e8}, Scale::log, Live::yes, "Particles a second."},
      {&P::burst, "burst", Unit::count, std::int64_t{0}, {0, 2e6}, Scale::linear, Live::no, "Particles emitted at once when it starts."},
      {&P::start_s, "start", Unit::second, 0.0, {0, 1e6}, Scale::linear, Live::yes, "When it starts."},
      {&P::duration_s, "duration", Unit::second, 0.0, {0, 1e6}, Scale::linear, Live::yes, "How long it emits; 0 = for ever."},
      {&P::speed, "speed", Unit::meter_per_second, 1.0, {0, 1e3}, Scale::linear, Live::yes, "Speed at birth."},
      {&P::speed_jitter, "speed_jitter", Unit::ratio, 0.0, {0, 1}, Scale::linear, Live::yes, "Uniform relative spread of the speed, plus and minus."},
      {&P::spread,
       "spread",
       Unit::radian,
       0.0,
       {0, pi},
       Scale::linear,
       Live::yes,
       "Half angle of the cone of directions, filled uniformly; pi = all directions."},
      {&P::lifetime_s, "lifetime", Unit::second, 5.0, {0, 1e6}, Scale::linear, Live::yes, "Age at which a particle is removed; 0 = never."},
      {&P::lifetime_jitter,
       "lifetime_jitter",
       Unit::ratio,
       0.0,
       {0, 1},
       Scale::linear,
       Live::yes,
       "Uniform relative spread of the lifetime, plus and minus."},
  };
}

std::vector<Param<EmitterParams>> params_of(EmitterShape shape) {
  auto params = common_params();
  using P = EmitterParams;
  if (shape == EmitterShape::disc)
    params.push_back({&P::radius_m, "radius", Unit::meter, 0.05, {0, 1e4}, Scale::linear, Live::yes, "Radius of the disc."});
  if (shape == EmitterShape::box)
    params.push_back({&P::size_m, "size", Unit::meter, Vec3(0.1, 0.1, 0.1), {0, 1e4}, Live::yes, "Edge lengths of the box."});
  return params;
}

struct Kind {
  EmitterShape shape;
  std::vector<Param<EmitterParams>> params;
  Schema schema;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = [] {
    std::vector<Kind> k;
    const auto add = [&](EmitterShape shape, const char* name, const char* doc) {
      Kind kind{shape, params_of(shape), {name, doc, {}, {}}};
      for (const auto& p : kind.params) kind.schema.params.push_back(p.spec());
      k.push_back(std::move(kind));
    };
    add(EmitterShape::box, "box", "Emits from anywhere in a box.");
    add(EmitterShape::disc, "disc", "Emits from anywhere on a disc across its direction.");
    add(EmitterShape::point, "point", "Emits from a point.");
    return k;
  }();
  return all;
}

/// Two unit vectors across n (Duff et al. 2017, "Building an orthonormal basis, revisited").
std::pair<Vec3, Vec3> across(const Vec3& n) {
  const double sign = std::copysign(1.0, n.z());
  const double a = -1 / (sign + n.z()), b = n.x() * n.y() * a;
  return {Vec3(1 + sign * n.x() * n.x() * a, sign * b, -sign * n.x()), Vec3(b, sign + n.y() * n.y() * a, -n.y())};
}

// Lanes of an emitter's random stream, one a use.
enum Lane : std::uint64_t { lane_cone = 0, lane_turn, lane_speed, lane_life, lane_x, lane_y, lane_z };

Vec3 draw_direction(const Emitter& emitter, const Vec3& axis, std::uint64_t index) {
  // Uniform in solid angle: cos uniform in [cos spread, 1].
  const double c = 1 - random_uniform(emitter.key, index, lane_cone) * (1 - std::cos(emitter.params.spread));
  const double s = std::sqrt(std::max(0.0, 1 - c * c)), turn = 2 * pi * random_uniform(emitter.key, index, lane_turn);
  const auto [u, v] = across(axis);
  return c * axis + s * (std::cos(turn) * u + std::sin(turn) * v);
}

Vec3 draw_position(const Emitter& emitter, const Vec3& axis, std::uint64_t index) {
  const auto uniform = [&](Lane lane) { return random_uniform(emitter.key, index, lane); };
  const EmitterParams& p = emitter.params;
  switch (emitter.shape) {
    case EmitterShape::point: return p.position;
    case EmitterShape::disc: {
      const double r = p.radius_m * std::sqrt(uniform(lane_x)), turn = 2 * pi * uniform(lane_y);
      const auto [u, v] = across(axis);
      return p.position + r * (std::cos(turn) * u + std::sin(turn) * v);
    }
    case EmitterShape::box: return p.position + p.size_m.cwiseProduct(Vec3(uniform(lane_x) - 0.5, uniform(lane_y) - 0.5, uniform(lane_z) - 0.5));
  }
  return p.position;
}

double jittered(double value, double jitter, double uniform) { return value * (1 + jitter * (2 * uniform - 1)); }

}  // namespace

const std::vector<const Schema*>& emitter_schemas() {
  static const std::vector<const Schema*> schemas = [] {
    std::vector<const Schema*> all;
    for (const Kind& kind : kinds()) all.push_back(&kind.schema);
    return all;
  }();
  return schemas;
}

Emitter make_emitter(const Node& self, RandomKey key) {
  Emitter emitter;
  emitter.key = key;
  for (const Kind& kind : kinds()) {
    if (&kind.schema != self.schema) continue;
    emitter.shape = kind.shape;
    for (std::size_t i = 0; i < kind.params.size(); ++i) kind.params[i].set(emitter.params, self.values[i]);
  }
  return emitter;
}

std::uint64_t particles_due(const Emitter& emitter, double time, double dt, EmitterState& state) {
  const EmitterParams& p = emitter.params;
  if (!p.enabled || time + dt <= p.start_s) return 0;
  std::uint64_t due = 0;
  if (state.burst_done == 0) {
    state.burst_done = 1;
    due += static_cast<std::uint64_t>(p.burst);
  }
  const double from = std::max(time, p.start_s);
  const double until = p.duration_s > 0 ? std::min(time + dt, p.start_s + p.duration_s) : time + dt;
  if (until > from) state.carry += p.rate * (until - from);
  const double whole = std::floor(state.carry);
  state.carry -= whole;
  return due + static_cast<std::uint64_t>(whole);
}

Birth birth(const Emitter& emitter, std::uint64_t index) {
  const EmitterParams& p = emitter.params;
  const double length = p.direction.norm();
  const Vec3 axis = length > 0 ? Vec3(p.direction / length) : Vec3(0, 1, 0);
  const double speed = jittered(p.speed, p.speed_jitter, random_uniform(emitter.key, index, lane_speed));
  const double lifetime = jittered(p.lifetime_s, p.lifetime_jitter, random_uniform(emitter.key, index, lane_life));
  return {draw_position(emitter, axis, index), speed * draw_direction(emitter, axis, index), lifetime};
}

}  // namespace vw
