// Computes how many particles an emitter must emit in a step by its rate and its bursts. Positions, velocities and
// properties of the particles are drawn from counter-based random numbers.
#include "sim/system/particles/emitter.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sim/base/elementary/elementary.h"
#include "sim/collision/pose.h"

namespace vw {
namespace {

/// Returns two unit vectors that are perpendicular to the unit vector n and to each other (Duff et al. 2017, "Building
/// an orthonormal basis, revisited").
std::pair<Vec3, Vec3> across(const Vec3& n) {
  const double sign = std::copysign(1.0, n.z());
  const double a = -1 / (sign + n.z()), b = n.x() * n.y() * a;
  return {Vec3(1 + sign * n.x() * n.x() * a, sign * b, -sign * n.x()), Vec3(b, sign + n.y() * n.y() * a, -n.y())};
}

// Lanes of an emitter's random stream. A lane is the last argument of random_uniform(), and each lane serves one
// purpose. Rejection sampling inside a shape uses the lanes from `lane_inside` on.
enum Lane : std::uint64_t {
  lane_cone = 0,
  lane_turn,
  lane_speed,
  lane_life,
  lane_x,
  lane_y,
  lane_z,
  lane_mass,
  lane_radius,
  lane_drag,
  lane_inside = 16
};

double jittered(double value, double jitter, double uniform) { return value * (1 + jitter * (2 * uniform - 1)); }

/// Returns a value with random jitter. If `jitter` is 0, no random number is drawn.
double draw(const Emitter& emitter, std::uint64_t index, Lane lane, double value, double jitter) {
  return jitter > 0 ? jittered(value, jitter, random_uniform(emitter.key, index, lane)) : value;
}

Draw3 draw3(const Emitter& emitter, std::uint64_t index, std::uint64_t first_lane) {
  return {random_uniform(emitter.key, index, first_lane), random_uniform(emitter.key, index, first_lane + 1),
          random_uniform(emitter.key, index, first_lane + 2)};
}

Vec3 draw_direction(const Emitter& emitter, const Vec3& axis, std::uint64_t index) {
  if (emitter.params.spread == 0) return axis;
  // The direction is uniform in solid angle if its cosine is uniform in [cos spread, 1].
  const double c = 1 - random_uniform(emitter.key, index, lane_cone) * (1 - elementary::cos(emitter.params.spread));
  const double s = std::sqrt(std::max(0.0, 1 - c * c)), turn = 2 * pi * random_uniform(emitter.key, index, lane_turn);
  const auto [u, v] = across(axis);
  return c * axis + s * (elementary::cos(turn) * u + elementary::sin(turn) * v);
}

Vec3 on_disc(const Emitter& emitter, const Vec3& axis, std::uint64_t index) {
  const double r = emitter.params.radius_m * std::sqrt(random_uniform(emitter.key, index, lane_x));
  const double turn = 2 * pi * random_uniform(emitter.key, index, lane_y);
  const auto [u, v] = across(axis);
  return r * (elementary::cos(turn) * u + elementary::sin(turn) * v);
}

std::optional<Vec3> draw_inside(const Emitter& emitter, std::uint64_t index) {
  return sample_inside(emitter.shape,
                       [&](std::uint64_t attempt) { return draw3(emitter, index, lane_inside + 3 * attempt); });
}

/// Returns a point inside the shape, in the shape's frame. If the shape has no interior, such as an open mesh, the
/// point lies on the surface.
Vec3 inside(const Emitter& emitter, std::uint64_t index) {
  if (emitter.sites != nullptr) return (*emitter.sites)[index % emitter.sites->size()];
  if (const auto* box = std::get_if<BoxShape>(&emitter.shape)) {
    const Draw3 at = draw3(emitter, index, lane_x);
    return 2 * box->half_extent_m.cwiseProduct(Vec3(at.u - 0.5, at.v - 0.5, at.w - 0.5));
  }
  const auto found = emitter.hollow ? std::nullopt : draw_inside(emitter, index);
  return found ? *found : sample_surface(emitter.shape, draw3(emitter, index, lane_x)).position;
}

Vec3 unit_direction(const EmitterParams& params) {
  const double length = params.direction.norm();
  return length > 0 ? Vec3(params.direction / length) : Vec3(0, 1, 0);
}

Result<Shape> shape_of(const Node& self, const Emitter& emitter, const Emitter* before) {
  const EmitterParams& p = emitter.params;
  const auto kind = shape_kind(emitter.kind);
  if (!kind) return Shape(PlaneShape{});
  if (kind == ShapeKind::mesh) {
    if (before != nullptr && before->kind == EmitterKind::mesh && before->params.source == p.source &&
        before->params.scale == p.scale)
      return before->shape;
    if (p.source.empty()) return wrong_value(self.line, "source", "\"\"", "must name a mesh file");
  }
  auto made = make_shape(*kind, p);
  if (made) return std::move(made->shape);
  Error error;  // Line and key refer to the scene, and the message of the mesh reader names the file.
  error.line = self.line;
  error.key = "source";
  error.what = made.error().message();
  return fail(std::move(error));
}

using Sites = std::shared_ptr<const std::vector<Vec3>>;

/// Returns the points of a cubic lattice that lie at least half a spacing inside the shape, sorted by height. The
/// lattice is centred in the shape's bounding box.
Result<Sites> lattice_sites(const Node& self, const Emitter& emitter) {
  constexpr double most = 4e6;
  const double spacing = emitter.params.spacing_m;
  const Box3 box = bounds(emitter.shape);
  Eigen::Array3d count;
  for (Eigen::Index a = 0; a < 3; ++a) count[a] = std::floor(box.sizes()[a] / spacing * (1 + 1e-9));
  const auto bad = [&](std::string expected) {
    return wrong_value(self.line, "spacing", fmt::format("{:g} m", spacing), std::move(expected));
  };
  if (!(count.prod() <= most))
    return bad(
        "is too small for the emitter: at most 4,000,000 particles may fit into it; raise spacing or make the emitter "
        "smaller");
  const char* const too_large =
      "is too large for the emitter: no particle fits into it; lower spacing or make the emitter larger";
  // A flat shape has no sites, although the number of rows within its other sides may be arbitrarily large.
  if (!(count.minCoeff() >= 1)) return bad(too_large);
  auto sites = std::make_shared<std::vector<Vec3>>();
  const Vec3 first = box.center() - 0.5 * spacing * (count - 1).matrix();
  for (double y = 0; y < count[1]; ++y)
    for (double z = 0; z < count[2]; ++z)
      for (double x = 0; x < count[0]; ++x) {
        const Vec3 at = first + spacing * Vec3(x, y, z);
        if (query(emitter.shape, at).distance <= -0.5 * spacing * (1 - 1e-6)) sites->push_back(at);
      }
  if (sites->empty()) return bad(too_large);
  return Sites(std::move(sites));
}

/// Returns whether two emitters have the same lattice sites.
bool same_places(const EmitterParams& a, const EmitterParams& b) {
  return a.spacing_m == b.spacing_m && describe_same_shape(a, b);
}

bool has_shape(EmitterKind kind) { return shape_kind(kind).has_value(); }

/// Returns the number of bursts due in [start, until]. Bursts are due at start, start + period, ... before emission
/// ends.
std::uint64_t bursts_until(const EmitterParams& p, double until) {
  constexpr double shortest_s = 1e-6, most = 1e12, rounding_s = 1e-9;
  const double since = until - p.start_s + rounding_s;
  if (since < 0) return 0;
  if (p.burst_period_s <= 0) return 1;
  const double period = std::max(p.burst_period_s, shortest_s), begun = std::floor(since / period) + 1;
  const double all = p.duration_s > 0 ? std::ceil((p.duration_s - rounding_s) / period) : most;
  return static_cast<std::uint64_t>(std::clamp(begun, 0.0, std::clamp(all, 1.0, most)));
}

}  // namespace

Result<Emitter> make_emitter(const Node& self, std::uint64_t seed, std::string_view stream, const Emitter* before) {
  Emitter emitter;
  emitter.kind = emitter_kind(self);
  emitter.params = emitter_params(self);
  const EmitterParams& p = emitter.params;
  emitter.key = p.seed == 0 ? RandomKey{seed, stream_id(stream)}
                            : RandomKey{static_cast<std::uint64_t>(p.seed), stream_id("emitter")};
  emitter.orientation = rotation_of(p.rotation);
  const bool along_normal = has_shape(emitter.kind) && p.from == EmitFrom::surface;
  if (p.direction.norm() == 0 && !along_normal)
    return wrong_value(self.line, "direction", "[0, 0, 0]", "must not be zero");
  auto shape = shape_of(self, emitter, before);
  if (!shape) return Unexpected(shape.error());
  emitter.shape = std::move(*shape);
  const bool from_inside = has_shape(emitter.kind) && p.from == EmitFrom::volume;
  if (from_inside && p.spacing_m > 0) {
    if (before != nullptr && before->kind == emitter.kind && before->sites != nullptr &&
        same_places(p, before->params)) {
      emitter.sites = before->sites;
    } else {
      auto sites = lattice_sites(self, emitter);
      if (!sites) return Unexpected(sites.error());
      emitter.sites = std::move(*sites);
    }
    return emitter;
  }
  // If a thousand random points all miss the interior, the shape counts as hollow. Without this flag, every birth would
  // draw a thousand points without success.
  emitter.hollow = from_inside && emitter.kind != EmitterKind::box && !draw_inside(emitter, 0);
  return emitter;
}

Due particles_due(const Emitter& emitter, double time, double dt, EmitterState& state) {
  const EmitterParams& p = emitter.params;
  // The number of bursts that are due at `time` is compared with the number in `state`. If the two numbers differ by
  // more than one, the parameters have changed, and the number that is due at `time` is used. Without the comparison,
  // rounding of the time or a change of period or start could repeat a burst or emit many bursts at once.
  const std::uint64_t before = bursts_until(p, time), bursts = bursts_until(p, time + dt);
  const bool in_step = state.bursts_done <= before + 1 && before <= state.bursts_done + 1;
  const bool single = p.burst_period_s <= 0;
  const std::uint64_t done = in_step || single ? state.bursts_done : before;
  const std::uint64_t missed = bursts > done ? bursts - done : 0;
  Due due;
  if (!p.enabled) {
    // Periodic bursts that fall into a time when the emitter is disabled are lost. A single burst waits until the
    // emitter is enabled.
    if (!single) state.bursts_done = std::max(done, bursts);
    return due;
  }
  state.bursts_done = std::max(done, bursts);
  if (p.burst > 0) {
    due.first_burst = done;
    due.bursts = missed;
  }
  const double from = std::max(time, p.start_s);
  const double until = p.duration_s > 0 ? std::min(time + dt, p.start_s + p.duration_s) : time + dt;
  if (!(until > from) || !(p.rate > 0)) return due;
  constexpr double rounding = 1e-9;  // Rounding margin, as a fraction of a particle.
  due.first = from - time + (1 - state.carry) / p.rate;
  due.apart = 1 / p.rate;
  state.carry += p.rate * (until - from);
  const double whole = std::floor(state.carry + rounding);
  state.carry = std::max(0.0, state.carry - whole);
  due.steady = static_cast<std::uint64_t>(whole);
  return due;
}

double burst_time(const Emitter& emitter, std::uint64_t burst) {
  return emitter.params.start_s + static_cast<double>(burst) * std::max(0.0, emitter.params.burst_period_s);
}

Birth birth(const Emitter& emitter, std::uint64_t index, double radius_m) {
  const EmitterParams& p = emitter.params;
  Vec3 axis = unit_direction(p);
  Birth born;
  born.position = p.position;
  if (emitter.kind == EmitterKind::disc) {
    born.position += on_disc(emitter, axis, index);
  } else if (has_shape(emitter.kind) && p.from == EmitFrom::volume) {
    born.position += emitter.orientation * inside(emitter, index);
  } else if (has_shape(emitter.kind)) {
    const SurfacePoint at = sample_surface(emitter.shape, draw3(emitter, index, lane_x));
    axis = emitter.orientation * at.normal;
    born.position += emitter.orientation * at.position + radius_m * axis;
    born.from_surface = true;
  }
  born.velocity = draw(emitter, index, lane_speed, p.speed, p.speed_jitter) * draw_direction(emitter, axis, index);
  born.lifetime = draw(emitter, index, lane_life, p.lifetime_s, p.lifetime_jitter);
  // Jitter must not reduce a limited lifetime to 0, because 0 means unlimited.
  if (p.lifetime_s > 0) born.lifetime = std::max(born.lifetime, std::numeric_limits<double>::min());
  return born;
}

Traits traits(const Emitter& emitter, std::uint64_t index, const Traits& of_system) {
  const EmitterParams& p = emitter.params;
  Traits own;
  own.radius_m = draw(emitter, index, lane_radius, p.particle_radius_m > 0 ? p.particle_radius_m : of_system.radius_m,
                      p.particle_radius_jitter);
  own.mass_kg = p.mass_kg > 0 ? p.mass_kg : of_system.mass_kg;
  if (p.density_kgpm3 > 0) own.mass_kg = p.density_kgpm3 * 4 / 3 * pi * own.radius_m * own.radius_m * own.radius_m;
  own.mass_kg = draw(emitter, index, lane_mass, own.mass_kg, p.mass_jitter);
  own.drag_time_s =
      draw(emitter, index, lane_drag, p.drag_time_s >= 0 ? p.drag_time_s : of_system.drag_time_s, p.drag_jitter);
  return own;
}

double lightest_kg(const Emitter& emitter, const Traits& of_system) {
  const EmitterParams& p = emitter.params;
  double mass = p.mass_kg > 0 ? p.mass_kg : of_system.mass_kg;
  if (p.density_kgpm3 > 0) {
    const double radius =
        (p.particle_radius_m > 0 ? p.particle_radius_m : of_system.radius_m) * (1 - p.particle_radius_jitter);
    mass = p.density_kgpm3 * 4 / 3 * pi * radius * radius * radius;
  }
  return mass * (1 - p.mass_jitter);
}

}  // namespace vw
