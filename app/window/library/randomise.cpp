#include "app/window/library/randomise.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sim/base/elementary/elementary.h"
#include "sim/base/random.h"

namespace vw {
namespace {

/// Interval from which a random value is chosen.
struct Draw {
  double low = 0, high = 0;
  bool is_log = false;
};

Draw draw_of(const ParamSpec& spec, double present, const RandomiseSettings& settings) {
  const auto [min, max] = spec.bounds;
  Draw draw{present, present, spec.scale == Scale::log && present > 0 && min > 0};
  if (settings.range == RandomRange::percent) {
    const double p = std::max(settings.percent, 0.0) / 100;
    const double reach = p * std::abs(present);
    draw = draw.is_log ? Draw{present / (1 + p), present * (1 + p), true} : Draw{present - reach, present + reach};
  } else {
    const double f = std::clamp(settings.fraction, 0.0, 1.0);
    if (draw.is_log) {
      const double reach = elementary::pow(max / min, f);
      draw = {present / reach, present * reach, true};
    } else {
      // Both bounds are multiplied separately, because max - min may overflow.
      const double reach = f * max - f * min;
      draw = {present - reach, present + reach};
    }
  }
  draw.low = std::clamp(draw.low, min, max);
  draw.high = std::clamp(draw.high, min, max);
  return draw;
}

/// Value at the fraction `u` of the interval.
double drawn_value(const Draw& draw, double u) {
  if (draw.is_log) return draw.low * elementary::pow(draw.high / draw.low, u);
  return draw.low * (1 - u) + draw.high * u;
}

double random_value(const ParamSpec& spec, double present, const RandomiseSettings& settings, std::uint64_t component) {
  const RandomKey key{settings.seed, stream_id(spec.name)};
  const double value = drawn_value(draw_of(spec, present, settings), random_uniform(key, component));
  return std::clamp(value, spec.bounds.min, spec.bounds.max);
}

Value random_integer(const ParamSpec& spec, std::int64_t present, const RandomiseSettings& settings) {
  const double value = std::round(random_value(spec, static_cast<double>(present), settings, 0));
  // Bounds may have fractions, so they are rounded inwards. The limit 2^62 is exact and far from overflow.
  constexpr double largest = 4611686018427387904.0;
  const double low = std::ceil(std::max(spec.bounds.min, -largest)),
               high = std::floor(std::min(spec.bounds.max, largest));
  return Value(low <= high ? static_cast<std::int64_t>(std::clamp(value, low, high)) : present);
}

Value random_for(const ParamSpec& spec, const Value& present, const RandomiseSettings& settings) {
  if (const auto* integer = std::get_if<std::int64_t>(&present)) return random_integer(spec, *integer, settings);
  if (const auto* real = std::get_if<double>(&present)) return Value(random_value(spec, *real, settings, 0));
  Vec3 vector = std::get<Vec3>(present);
  for (Eigen::Index i = 0; i < 3; ++i)
    vector[i] = random_value(spec, vector[i], settings, static_cast<std::uint64_t>(i));
  return Value(vector);
}

}  // namespace

std::vector<const ParamSpec*> randomisable_params(const Schema& schema) {
  std::vector<const ParamSpec*> params;
  for (const ParamSpec& spec : schema.params)
    if (spec.type == ParamType::real || spec.type == ParamType::integer || spec.type == ParamType::vec3)
      params.push_back(&spec);
  return params;
}

bool has_finite_bounds(const ParamSpec& spec) {
  // A missing bound is stored as the largest finite number.
  constexpr double unlimited = 1e300;
  return spec.bounds.min > -unlimited && spec.bounds.max < unlimited;
}

std::vector<Assignment> randomised(const Node& centre, const std::string& path, const RandomiseSettings& settings) {
  std::vector<Assignment> assignments;
  for (const ParamSpec* spec : randomisable_params(*centre.schema)) {
    if (std::ranges::find(settings.params, spec->name) == settings.params.end()) continue;
    if (settings.range == RandomRange::bounds && !has_finite_bounds(*spec)) continue;
    assignments.push_back({path + "." + spec->name, random_for(*spec, centre.value(spec->name), settings)});
  }
  return assignments;
}

}  // namespace vw
