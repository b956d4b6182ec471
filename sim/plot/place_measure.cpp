#include "sim/plot/place_measure.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

namespace vw {
namespace {

/// Returns the rest spacing [m] of a fluid's particles. For other systems, returns twice the `size` of the first
/// element.
double spacing_of(const SystemSnapshot& system) {
  if (const float spacing_m = spacing_of_fluid(system); spacing_m > 0) return static_cast<double>(spacing_m);
  return system.size.empty() ? 0 : 2 * static_cast<double>(system.size.front());
}

/// Returns the shortest displacement that differs from `way` [m] by whole periods of the system's domain.
Vec3 shortest_way(const SystemSnapshot& system, Vec3 way) {
  for (int a = 0; a < 3; ++a)
    if (const auto period = static_cast<double>(system.period[a]); period > 0)
      way[a] -= period * std::round(way[a] / period);
  return way;
}

Vec3 upwards(const Vec3& gravity) { return gravity.norm() > 0 ? Vec3(-gravity.normalized()) : Vec3::UnitY(); }

const Channel* find_channel(const SystemSnapshot& system, const std::string& name) {
  for (const Channel& channel : system.channels)
    if (channel.name == name && channel.values.size() == system.position.size()) return &channel;
  return nullptr;
}

/// Accumulates a weighted least-squares fit of a + b x, where x is the position relative to the point of evaluation, in
/// units of the kernel's reach.
struct Fit {
  Eigen::Matrix4d left = Eigen::Matrix4d::Zero();
  Eigen::Vector4d right = Eigen::Vector4d::Zero();
  void add(const Vec3& x, double value, double weight) {
    const Eigen::Vector4d row(1, x.x(), x.y(), x.z());
    left += weight * row * row.transpose();
    right += weight * value * row;
  }
  [[nodiscard]] double at_origin() const {
    if (!(left(0, 0) > 0)) return no_value;
    // If the positions lie nearly in a plane, the slope perpendicular to it is undetermined, and the weighted mean is
    // used instead.
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> parts(left);
    if (parts.eigenvalues().minCoeff() < 1e-3 * left(0, 0)) return right(0) / left(0, 0);
    return left.ldlt().solve(right)(0);
  }
};

}  // namespace

bool is_of_place(Quantity quantity) {
  return quantity == Quantity::at_point || quantity == Quantity::surface_height || quantity == Quantity::flow_rate;
}

double channel_at(const SystemSnapshot& system, const std::string& name, const Vec3& point) {
  const Channel* channel = find_channel(system, name);
  const double reach = 2 * spacing_of(system);
  if (channel == nullptr || !(reach > 0)) return no_value;
  Fit fit;
  for (std::size_t i = 0; i < system.position.size(); ++i) {
    const Vec3 x = shortest_way(system, system.position[i].cast<double>() - point) / reach;
    const double inside = 1 - x.squaredNorm();
    if (inside > 0) fit.add(x, static_cast<double>(channel->values[i]), inside * inside * inside);
  }
  return fit.at_origin();
}

double surface_height_at(const SystemSnapshot& system, const Vec3& point, const Vec3& gravity,
                         std::vector<double>& heights) {
  const double d = spacing_of(system);
  const Vec3 up = upwards(gravity);
  // `near` is the radius of the vertical column of particles that are considered. `joined` is the largest gap between
  // vertical neighbours of connected fluid. Both are multiples of the particle spacing.
  constexpr double near = 1.0, joined = 1.75;
  heights.clear();
  for (const Vec3f& place : system.position) {
    const Vec3 x = place.cast<double>(), way = shortest_way(system, x - point);
    if ((way - up * up.dot(way)).squaredNorm() < near * near * d * d) heights.push_back(up.dot(x));
  }
  if (heights.empty()) return no_value;
  std::sort(heights.begin(), heights.end());
  double top = heights.front();
  for (const double height : heights) {
    if (height - top > joined * d) break;
    top = height;
  }
  return top + 0.5 * d;
}

double flow_through(const SystemSnapshot& system, const Gate& gate, const Vec3& gravity) {
  const double d = spacing_of(system), length = gate.normal.norm();
  if (!(d > 0) || !(length > 0)) return no_value;
  const Vec3 n = gate.normal / length, up = upwards(gravity);
  Vec3 level = up.cross(n);
  if (level.norm() < 1e-6) level = n.cross(std::abs(n.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitZ());
  level.normalize();
  const Vec3 across = n.cross(level);
  // Sum of V v_n W over the particles in a slab about the rectangle, where V is the volume of a particle, v_n is its
  // normal velocity, s is its distance from the rectangle's plane, and d is the particle spacing. The tent function W =
  // (1 - |s| / (2 d)) / (2 d) makes the result continuous when particles enter the slab.
  const double half = 2 * d, volume = d * d * d;
  double sum = 0;
  for (std::size_t i = 0; i < system.position.size() && i < system.velocity.size(); ++i) {
    const Vec3 from = shortest_way(system, system.position[i].cast<double>() - gate.center);
    const double away = std::abs(n.dot(from));
    if (away >= half || std::abs(level.dot(from)) > 0.5 * gate.width_m ||
        std::abs(across.dot(from)) > 0.5 * gate.height_m)
      continue;
    sum += volume * n.dot(system.velocity[i].cast<double>()) * (1 - away / half) / half;
  }
  return sum;
}

double place_quantity(const SystemSnapshot& system, const CurveParams& params, const Vec3& gravity,
                      std::vector<double>& scratch) {
  switch (params.quantity) {
    case Quantity::at_point: return channel_at(system, params.channel, params.point);
    case Quantity::surface_height: return surface_height_at(system, params.point, gravity, scratch);
    case Quantity::flow_rate:
      return flow_through(system, {params.point, params.direction, params.width_m, params.height_m}, gravity);
    default: return no_value;
  }
}

}  // namespace vw
