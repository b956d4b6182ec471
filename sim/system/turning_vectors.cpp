#include "sim/system/turning_vectors.h"

#include "sim/base/parallel/parallel.h"

namespace vw {

std::span<const ChannelInfo> turning_vectors() {
  static const std::vector<ChannelInfo> both{{"angular_velocity", "rad/s"}, {"vorticity", "1/s"}};
  return both;
}

void turning_vector(const Elements& elements, std::size_t index, std::vector<Vec3f>& out) {
  constexpr std::size_t rows_a_chunk = 16384;
  const double factor = index == 0 ? 1 : 2;
  out.resize(elements.size());
  parallel_for(out.size(), rows_a_chunk, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i)
      out[i] = (factor * elements.angular_velocity[i]).cast<float>();
  });
}

}  // namespace vw
