// Closed mesh around a fluid: the time of a whole call for a block, a thin sheet, and spray.
#include "sim/surface/fluid_surface.h"

#include <cmath>

#include "bench/measure.h"
#include "sim/base/random.h"

namespace vw::bench {
namespace {

constexpr double meshed_spacing_m = 0.02;

/// Returns the positions of about `count` particles: a disordered block or a sheet of one layer. Spray has only a tenth
/// as many particles, in a box of ten times their volume, because it has by far the largest surface.
std::vector<Vec3> particles_to_mesh(const std::string& arrangement, std::size_t count) {
  std::vector<Vec3> all;
  const auto n = static_cast<double>(count);
  const auto random = [&](std::uint64_t axis) { return random_uniform({7, 5}, all.size(), axis); };
  if (arrangement == "spray") {
    const double edge_m = meshed_spacing_m * std::cbrt(n);
    while (10 * all.size() < count) all.emplace_back(edge_m * Vec3(random(0), random(1), random(2)));
    return all;
  }
  const bool is_sheet = arrangement == "sheet";
  const auto across = std::lround(is_sheet ? std::sqrt(n) : std::cbrt(n));
  for (long k = 0; k < across; ++k)
    for (long j = 0; j < (is_sheet ? 1 : across); ++j)
      for (long i = 0; i < across; ++i)
        all.emplace_back(meshed_spacing_m *
                         (Vec3(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)) +
                          0.2 * Vec3(random(0), random(1), random(2))));
  return all;
}

}  // namespace

Result<Outcome> fluid_surface(const Arguments& arguments) {
  const auto count = static_cast<std::size_t>(arguments.whole("particles"));
  const std::int64_t milliseconds = std::max<std::int64_t>(1, arguments.whole("milliseconds") / 3);
  const FluidMeshOptions options{.spacing_m = meshed_spacing_m, .cell = arguments.real("cell")};
  Outcome outcome;
  for (const char* arrangement : {"block", "sheet", "spray"}) {
    const std::vector<Vec3> particles = particles_to_mesh(arrangement, count);
    auto mesh = vw::fluid_surface(particles, {}, options);
    if (!mesh) return Unexpected(mesh.error());
    const double rate = measure(milliseconds, [&] {
                          mesh = vw::fluid_surface(particles, {}, options);
                          return static_cast<double>(particles.size());
                        }).median_rate();
    outcome.rows.push_back({{{"particles", arrangement}},
                            {{"milliseconds", 1e3 * static_cast<double>(particles.size()) / rate},
                             {"particles_per_s", rate},
                             {"triangles", static_cast<double>(mesh->triangle.size())},
                             {"volume_error", mesh->volume_m3 / mesh->particle_volume_m3 - 1}}});
  }
  outcome.columns = {"milliseconds", "particles_per_s", "triangles", "volume_error"};
  outcome.rates = {{"particles_per_s", outcome.rows[0].value("particles_per_s")},
                   {"sheet_particles_per_s", outcome.rows[1].value("particles_per_s")}};
  outcome.figures = {{"particles", static_cast<double>(count)}};
  return outcome;
}

}  // namespace vw::bench
