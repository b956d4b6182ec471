// Sums in fixed parts, so that no bit depends on threads; rows copied in parallel.
#include "sim/system/fluid/fluid_picture.h"

#include <algorithm>
#include <cmath>

#include "sim/base/parallel.h"

namespace vw {
namespace {

constexpr std::size_t grain = 4096;
/// Faster than anything here, slow enough to be caught before it overflows [m/s].
constexpr double absurd_mps = 1e5;

struct Sums : Diagnostics {
  Sums& operator+=(const Sums& part) {
    mass += part.mass;
    kinetic += part.kinetic;
    potential += part.potential;
    momentum += part.momentum;
    angular_momentum += part.angular_momentum;
    center_of_mass += part.center_of_mass;
    return *this;
  }
};

Sums sums_of(const Elements& elements, const Vec3& gravity, Range range) {
  Sums d;
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

// In the order of fluid_channels().
enum FluidChannel : std::size_t { channel_speed = 0, channel_pressure, channel_density, channel_vorticity, channel_phase, channel_age };

}  // namespace

Diagnostics fluid_sums(const Elements& elements, const Vec3& gravity) {
  Diagnostics sum =
      ordered_sum(elements.size(), std::max(grain, elements.size() / 64 + 1), Sums{}, [&](Range range) { return sums_of(elements, gravity, range); });
  sum.count = elements.size();
  if (sum.mass > 0) sum.center_of_mass /= sum.mass;
  return sum;
}

std::optional<HealthIssue> fluid_health(const Elements& elements) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (!elements.position[i].allFinite())
      return HealthIssue{"position is not finite", static_cast<std::int64_t>(i), "an infinite force acted on it"};
    if (!(elements.velocity[i].squaredNorm() <= absurd_mps * absurd_mps))
      return HealthIssue{"speed is over 1e5 m/s or not finite", static_cast<std::int64_t>(i), "a force, a speed or a parameter is extreme"};
  }
  return std::nullopt;
}

std::span<const ChannelInfo> fluid_channels() {
  static const std::vector<ChannelInfo> all{{"speed", "m/s"},     {"pressure", "Pa"}, {"density", "kg/m^3"},
                                            {"vorticity", "1/s"}, {"phase", ""},      {"age", "s"}};
  return all;
}

double pressure_of(const FluidRows& rows, std::size_t i) { return static_cast<double>(rows.pressure[i]); }

void fluid_channel(const FluidView& view, std::size_t index, std::vector<float>& out) {
  const FluidRows& rows = view.rows;
  out.assign(rows.size(), 0);
  if (index == channel_vorticity) {
    if (view.solver != nullptr) view.solver->vorticities(out);
    return;
  }
  const auto value = [&](std::size_t i) -> double {
    switch (index) {
      case channel_speed: return rows.elements.velocity[i].norm();
      case channel_pressure: return pressure_of(rows, i);
      case channel_density: return static_cast<double>(rows.density[i]) * view.phases[rows.phase[i]].density_kgpm3;
      case channel_phase: return rows.phase[i];
      default: return std::max(0.0, view.time - static_cast<double>(rows.born[i]));
    }
  };
  parallel_for(rows.size(), grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) out[i] = static_cast<float>(value(i));
  });
}

void fluid_spheres(const FluidRows& rows, std::span<const FluidPhase> phases, SystemSnapshot& out) {
  const Elements& e = rows.elements;
  const std::size_t n = e.size();
  out.look = Look::fluid;
  out.spacing_m = n > 0 ? static_cast<float>(2 * e.radius[0]) : 0;
  out.position.resize(n);
  out.velocity.resize(n);
  out.size.resize(n);
  out.id.resize(n);
  out.material.resize(n);
  parallel_for(n, grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      out.position[i] = e.position[i].cast<float>();
      out.velocity[i] = e.velocity[i].cast<float>();
      out.size[i] = static_cast<float>(e.radius[i]);
      out.id[i] = e.id[i];
      out.material[i] = rows.phase[i];
    }
  });
  // Births and deaths both raise it: the same rows never stand for others under one revision.
  out.revision = 2 * std::uint64_t{rows.next_id} - n;
  out.orientation.clear();
  out.tint.clear();
  out.palette.resize(phases.size());
  out.palette_names.resize(phases.size());
  for (std::size_t p = 0; p < phases.size(); ++p) {
    out.palette[p] = phases[p].color.cast<float>();
    out.palette_names[p] = phases[p].name;
  }
  out.skin.reset();
}

}  // namespace vw
