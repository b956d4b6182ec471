// Periodic images. Axes are processed one after the other. For each axis, the images of the previous axes are copied as
// well, which covers edges and corners.
#include "sim/system/fluid/rows/images.h"

namespace vw {

void Images::repeat_along(int axis, const FluidDomain& domain, double reach, std::span<const Vec3> positions) {
  const double low = domain.box.min()[axis], high = domain.box.max()[axis], length = domain.length(axis);
  const auto repeat = [&](std::uint32_t row, const Vec3& x) {
    for (const double shift : {length, -length}) {
      const double at = x[axis] + shift;
      if (!(at > low - reach && at < high + reach)) continue;
      images_.push_back({row, x});
      images_.back().position[axis] = at;
    }
  };
  const std::size_t before = images_.size();
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (positions[i][axis] < low + reach || positions[i][axis] > high - reach)
      repeat(static_cast<std::uint32_t>(i), positions[i]);
  for (std::size_t k = 0; k < before; ++k) {
    const Image image = images_[k];
    repeat(image.row, image.position);
  }
}

void Images::place(const FluidDomain& domain, std::span<const Vec3> positions, SphWorkspace& space) {
  images_.clear();
  for (int axis = 0; axis < 3; ++axis)
    if (domain.periodic[static_cast<std::size_t>(axis)]) repeat_along(axis, domain, space.scale.reach_m(), positions);
  const std::size_t count = images_.size(), first = space.size() + 1;
  sort_.keys.resize(count);
  for (std::size_t k = 0; k < count; ++k) sort_.keys[k] = place_key(space.frame, images_[k].position);
  sort_.sort();
  space.rows.resize(first + count);
  space.motion.resize(first + count);
  space.image_of.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    const Image& image = images_[sort_.order[k]];
    const Vec3f at = (image.position - space.origin).cast<float>();
    space.rows[first + k] = {at.x(), at.y(), at.z(), space.rows[image.row].w};
    space.motion[first + k] = space.motion[image.row];
    space.image_of[k] = image.row;
  }
  table_.build(sort_.keys);
}

}  // namespace vw
