// Scalar channels are computed in parallel per particle. Code that all point systems share is in point_elements.h.
#include "sim/system/fluid/measures/fluid_picture.h"

#include <algorithm>
#include <cmath>

#include "sim/base/parallel/parallel.h"
#include "sim/system/point_elements.h"

namespace vw {
namespace {

constexpr std::size_t picture_grain = 4096;
/// Limit of plausible speeds [m/s]. It is low enough to detect an instability before numbers overflow.
constexpr double absurd_mps = 1e5;

// Indices in the order of fluid_channels().
enum FluidChannel : std::size_t {
  channel_speed = 0,
  channel_pressure,
  channel_density,
  channel_vorticity,
  channel_phase,
  channel_age,
  channel_instant_pressure
};

}  // namespace

std::optional<HealthIssue> fluid_health(const Elements& elements) {
  const auto bad = first_unsound(elements, absurd_mps);
  if (!bad) return std::nullopt;
  const auto element = static_cast<std::int64_t>(*bad);
  if (!elements.position[*bad].allFinite())
    return HealthIssue{"position is not finite", element, "the cause is likely an infinite force"};
  return HealthIssue{"speed is above 1e5 m/s or not finite", element,
                     "the cause is likely an extreme force, speed or parameter"};
}

std::span<const ChannelInfo> fluid_channels() {
  static const std::vector<ChannelInfo> all{{"speed", "m/s"},          {"pressure", "Pa"}, {"density", "kg/m^3"},
                                            {"vorticity", "1/s"},      {"phase", ""},      {"age", "s"},
                                            {"instant_pressure", "Pa"}};
  return all;
}

double pressure_of(const FluidRows& rows, std::size_t i) { return static_cast<double>(rows.pressure[i]); }

void fluid_channel(const FluidView& view, std::size_t index, std::vector<float>& out) {
  const FluidRows& rows = view.rows;
  out.assign(rows.size(), 0);
  if (index == channel_vorticity) {
    std::vector<Vec3f> curls;
    fluid_vector(view, curls);
    std::ranges::transform(curls, out.begin(), [](const Vec3f& curl) { return curl.norm(); });
    return;
  }
  if (index == channel_instant_pressure) {
    if (view.solver != nullptr && !out.empty()) view.solver->pressures(out);
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
  parallel_for(rows.size(), picture_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) out[i] = static_cast<float>(value(i));
  });
}

std::span<const ChannelInfo> fluid_vectors() {
  static const std::vector<ChannelInfo> all{{"vorticity", "1/s"}};
  return all;
}

void fluid_vector(const FluidView& view, std::vector<Vec3f>& out) {
  out.assign(view.rows.size(), Vec3f::Zero());
  if (view.solver != nullptr && !out.empty()) view.solver->vorticities(out);
}

void fluid_spheres(const FluidRows& rows, std::span<const FluidPhase> phases, SystemSnapshot& out) {
  const Elements& e = rows.elements;
  const std::size_t n = e.size();
  out.use_look<FluidLook>().spacing_m = n > 0 ? static_cast<float>(2 * e.radius[0]) : 0;
  show_points(e, out);
  out.material.assign(rows.phase.begin(), rows.phase.end());
  // Births and removals both increase the revision, so equal revisions always mean the same particles.
  out.revision = 2 * std::uint64_t{rows.next_id} - n;
  out.tint.clear();
  out.palette.resize(phases.size());
  out.palette_names.resize(phases.size());
  for (std::size_t p = 0; p < phases.size(); ++p) {
    out.palette[p] = phases[p].color.cast<float>();
    out.palette_names[p] = phases[p].name;
  }
}

}  // namespace vw
