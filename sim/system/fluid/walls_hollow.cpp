// The walls of a room: a box that is a hole in a solid, as the lattice of the fluid in it going on behind its faces, edges and corners. See
// walls_sampling.h.
#include <cmath>

#include "sim/system/fluid/walls_sampling.h"

namespace vw {
namespace {

constexpr int layers = 2;

/// Cells along an edge of the room and beyond its ends, counted from its middle.
struct RoomCells {
  std::vector<double> middle, share;  ///< share: width / spacing
  [[nodiscard]] bool is_wall(std::size_t k) const { return k < layers || k + layers >= middle.size(); }
};

RoomCells divide_room(double length, double spacing) {
  const double count = std::max(1.0, std::round(length / spacing)), width = length / count;
  RoomCells cells;
  const auto add = [&](double middle, double wide) {
    cells.middle.push_back(middle - 0.5 * length);
    cells.share.push_back(wide / spacing);
  };
  for (int k = layers; k > 0; --k) add((0.5 - k) * spacing, spacing);
  for (double k = 0; k < count; ++k) add((k + 0.5) * width, width);
  for (int k = 0; k < layers; ++k) add(length + (k + 0.5) * spacing, spacing);
  return cells;
}

}  // namespace

SurfaceSamples cover_room(const Vec3& half_extent_m, const SampleScale& scale, const Box3& needed) {
  SurfaceSamples samples;
  if (needed.isEmpty()) return samples;
  const double reach = 2 * scale.spacing();
  const Box3 region(needed.min() - Vec3::Constant(reach), needed.max() + Vec3::Constant(reach));
  const RoomCells x = divide_room(2 * half_extent_m.x(), scale.spacing()), y = divide_room(2 * half_extent_m.y(), scale.spacing()),
                  z = divide_room(2 * half_extent_m.z(), scale.spacing());
  for (std::size_t k = 0; k < z.middle.size(); ++k) {
    if (z.middle[k] < region.min().z() || z.middle[k] > region.max().z()) continue;
    for (std::size_t j = 0; j < y.middle.size(); ++j) {
      if (y.middle[j] < region.min().y() || y.middle[j] > region.max().y()) continue;
      const bool wall = z.is_wall(k) || y.is_wall(j);
      for (std::size_t i = 0; i < x.middle.size(); ++i) {
        if (!wall && i == layers) i = x.middle.size() - layers;  // on to the cells at the far end
        if (x.middle[i] < region.min().x() || x.middle[i] > region.max().x()) continue;
        samples.place.emplace_back(x.middle[i], y.middle[j], z.middle[k]);
        samples.share.push_back(static_cast<float>(x.share[i] * y.share[j] * z.share[k]));
      }
    }
  }
  return samples;
}

}  // namespace vw
