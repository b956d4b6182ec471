// Kernel sums over the particles near a point.
#include "sim/system/fluid/measures/fluid_probe.h"

#include <algorithm>
#include <limits>

#include "sim/system/fluid/measures/fluid_picture.h"

namespace vw {
namespace {

/// Calls visit(row, weight) for particles within the support radius. In filled space the weights sum to one.
template <class F>
void near(const FluidRows& rows, const FluidParams& params, const Vec3& point, F visit) {
  const double reach = 2 * params.spacing_m;
  const double scale = lattice_factor(params.kernel) / 8;  // The particle volume is 1/8 of the cubed support radius.
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double squared = (rows.elements.position[i] - point).squaredNorm();
    if (squared < reach * reach) visit(i, scale * kernel_shape(params.kernel, std::sqrt(squared) / reach));
  }
}

}  // namespace

FluidSystem::Sample sample_fluid(const FluidRows& rows, const FluidParams& params, const Vec3& point) {
  FluidSystem::Sample sample;
  near(rows, params, point, [&](std::size_t i, double weight) {
    sample.share += weight;
    sample.pressure_pa += weight * pressure_of(rows, i);
    sample.velocity += weight * rows.elements.velocity[i];
  });
  if (sample.share > 0) {
    sample.pressure_pa /= sample.share;
    sample.velocity /= sample.share;
  }
  return sample;
}

double rest_density_at(const FluidRows& rows, const FluidParams& params, std::span<const FluidPhase> phases,
                       const Vec3& point) {
  double share = 0, density = 0;
  near(rows, params, point, [&](std::size_t i, double weight) {
    share += weight;
    density += weight * phases[rows.phase[i]].density_kgpm3;
  });
  return share > 0 ? density / share : phases[0].density_kgpm3;
}

double surface_height_of(const FluidRows& rows, const FluidParams& params, double x, double z) {
  const double d = params.spacing_m;
  std::vector<double> heights;
  for (const Vec3& at : rows.elements.position)
    if (const double dx = at.x() - x, dz = at.z() - z; dx * dx + dz * dz < d * d) heights.push_back(at.y());
  if (heights.empty()) return -std::numeric_limits<double>::infinity();
  std::sort(heights.begin(), heights.end());
  double top = heights.front();
  for (const double height : heights) {
    if (height - top > 1.75 * d) break;
    top = height;
  }
  return top + 0.5 * d;
}

}  // namespace vw
