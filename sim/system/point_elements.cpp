#include "sim/system/point_elements.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

constexpr std::size_t element_grain = 4096;

/// Array on the stack with one value for each chunk of rows. The rows are divided into at most 64 consecutive chunks.
template <class T>
class Parts {
 public:
  explicit Parts(std::size_t count)
      : grain_(std::max(element_grain, (count + most - 1) / most)), used_(chunk_count(count, grain_)) {}
  [[nodiscard]] std::size_t grain_size() const { return grain_; }
  T& operator[](std::size_t chunk) { return part_[chunk]; }
  [[nodiscard]] const T* begin() const { return part_.data(); }
  [[nodiscard]] const T* end() const { return part_.data() + used_; }

 private:
  static constexpr std::size_t most = 64;
  std::size_t grain_, used_;
  std::array<T, most> part_{};
};

Diagnostics sums_of(const Elements& elements, const Vec3& gravity, Range range) {
  Diagnostics d;
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

void add(const Diagnostics& part, Diagnostics& sum) {
  sum.mass += part.mass;
  sum.kinetic += part.kinetic;
  sum.potential += part.potential;
  sum.momentum += part.momentum;
  sum.angular_momentum += part.angular_momentum;
  sum.center_of_mass += part.center_of_mass;
}

}  // namespace

Diagnostics point_sums(const Elements& elements, const Vec3& gravity) {
  Parts<Diagnostics> parts(elements.size());
  parallel_for(elements.size(), parts.grain_size(),
               [&](Range range, std::size_t chunk) { parts[chunk] = sums_of(elements, gravity, range); });
  Diagnostics sum;
  for (const Diagnostics& part : parts) add(part, sum);
  sum.count = elements.size();
  if (sum.mass > 0) sum.center_of_mass /= sum.mass;
  return sum;
}

std::optional<std::size_t> first_unsound(const Elements& elements, double fastest_mps) {
  const auto sound = [&](std::size_t i) {
    return elements.position[i].allFinite() && elements.velocity[i].squaredNorm() <= fastest_mps * fastest_mps;
  };
  Parts<std::optional<std::size_t>> first(elements.size());
  parallel_for(elements.size(), first.grain_size(), [&](Range range, std::size_t chunk) {
    for (std::size_t i = range.begin; i < range.end && !first[chunk]; ++i)
      if (!sound(i)) first[chunk] = i;
  });
  const auto* const found = std::find_if(first.begin(), first.end(), [](const auto& i) { return i.has_value(); });
  return found == first.end() ? std::nullopt : *found;
}

bool all_positive(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x) && x > 0; });
}

bool identities_ascend(const std::vector<std::uint32_t>& id, std::uint32_t next_id) {
  const auto falls = [](std::uint32_t a, std::uint32_t b) { return a >= b; };
  return std::adjacent_find(id.begin(), id.end(), falls) == id.end() && (id.empty() || id.back() < next_id);
}

void show_points(const Elements& elements, SystemSnapshot& out) {
  const std::size_t n = elements.size();
  out.position.resize(n);
  out.velocity.resize(n);
  out.size.resize(n);
  out.id.resize(n);
  parallel_for(n, element_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      out.position[i] = elements.position[i].cast<float>();
      out.velocity[i] = elements.velocity[i].cast<float>();
      out.size[i] = static_cast<float>(elements.radius[i]);
      out.id[i] = elements.id[i];
    }
  });
  out.orientation.clear();
}

void visit_points(Elements& elements, StateVisitor& visit) {
  visit("position", elements.position, state_motion);
  visit("velocity", elements.velocity, state_motion);
  visit("mass", elements.mass, state_positive);
  visit("radius", elements.radius, state_positive);
  visit("id", elements.id);
}

}  // namespace vw
