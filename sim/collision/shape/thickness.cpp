// Thickness of shapes. For primitives, it follows from the dimensions. For other geometry, it is measured with rays.
#include "sim/collision/shape/thickness.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vw {
namespace {

constexpr std::size_t samples = 512;
constexpr std::size_t left_out = samples / 20;

/// Returns element `i` of a sequence that fills [0, 1) evenly without random numbers. Each element is the fractional
/// part of the previous element plus `ratio`. even_sample() computes two of its three draws with the ratios of the R2
/// sequence (Roberts 2018).
double additive(std::size_t i, double ratio) {
  const double at = 0.5 + ratio * static_cast<double>(i);
  return at - std::floor(at);
}

/// Returns the distance from a surface point straight inwards to the opposite surface, but at most `most`, because no
/// shape is thicker than its bounding box.
double way_through(const Geometry& geometry, const SurfacePoint& on, double size, double most) {
  const double skin = 1e-6 * size;
  const Vec3 from = on.position - skin * on.normal;
  if (!(geometry.query(from, 2 * skin).distance < 0)) return 0;
  const auto hit = geometry.sweep(from, from - most * on.normal, 0);
  return hit ? std::min(most, skin + most * hit->share) : most;
}

double thickness_of(const PlaneShape&) { return std::numeric_limits<double>::infinity(); }
double thickness_of(const SphereShape& sphere) { return 2 * sphere.radius_m; }
double thickness_of(const BoxShape& box) { return 2 * box.half_extent_m.minCoeff(); }
double thickness_of(const CapsuleShape& c) { return 2 * c.radius_m; }
double thickness_of(const CylinderShape& c) { return 2 * std::min(c.radius_m, c.half_length_m); }
double thickness_of(const std::shared_ptr<const Geometry>& geometry) { return geometry->thickness(); }

}  // namespace

SurfacePoint even_sample(const Geometry& geometry, std::size_t i, std::size_t count) {
  const double along = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
  return geometry.sample({along, additive(i, 0.7548776662466927), additive(i, 0.5698402909980532)});
}

double measure_thickness(const Geometry& geometry) {
  const Vec3 box = geometry.bounds().sizes();
  std::array<double, samples> way{};
  for (std::size_t i = 0; i < samples; ++i)
    way[i] = way_through(geometry, even_sample(geometry, i, samples), box.norm(), box.minCoeff());
  std::nth_element(way.begin(), way.begin() + left_out, way.end());
  return way[left_out];
}

double thickness(const Shape& shape) {
  return std::visit([](const auto& one) { return thickness_of(one); }, shape);
}

}  // namespace vw
