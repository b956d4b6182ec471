#include "sim/interaction/contact/implicit_side.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vw {

void ImplicitSide::ask(VoxelBody& body) {
  pressed.clear();
  give.resize(pushes.size());
  for (std::size_t v = 0; v < pushes.size(); ++v) {
    if (pushes[v] != 0) pressed.push_back(static_cast<std::uint32_t>(v));
    // Voxels that are not marked in `pushes` get the compliance of a single, unattached voxel.
    give[v] = step * step / body.elements().mass[v];
  }
  body.contact_compliance(pressed, step, given);
  for (std::size_t k = 0; k < pressed.size(); ++k) give[pressed[k]] = given[k];
}

Extent extent_of(const Elements& e) {
  Extent out;
  out.lightest = std::numeric_limits<double>::infinity();
  for (std::size_t v = 0; v < e.size(); ++v) {
    out.box.extend(e.position[v]);
    out.momentum += e.mass[v] * e.velocity[v];
    out.mass += e.mass[v];
    out.lightest = std::min(out.lightest, e.mass[v]);
    out.widest = std::max(out.widest, e.radius[v]);
  }
  const double length = e.size() > 0 ? out.box.sizes().norm() / (2 * out.widest) : 0;
  out.mass_ratio = std::max(1.0, 0.25 * length * length / std::max(1.0, static_cast<double>(e.size())));
  return out;
}

double fastest_of(const Elements& e, const Vec3& against) {
  double squared = 0;
  for (const Vec3& v : e.velocity) squared = std::max(squared, (v - against).squaredNorm());
  return std::sqrt(squared);
}

double implicit_contact_dt(double edge_m, double mass_ratio, double speed_mps) {
  const double share = implicit_share / mass_ratio;
  const double rests = std::sqrt(0.03 * edge_m * share / implicit_pull);
  return speed_mps > 0 ? std::min(rests, 0.05 * edge_m * std::sqrt(share) / speed_mps) : rests;
}

}  // namespace vw
