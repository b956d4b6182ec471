#include "render/film/film_reflection.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vw::film {
namespace {

constexpr float pi_1 = 3.14159265F;
constexpr float coat_f0 = 0.04F;  ///< reflectance at normal incidence for an index of refraction of 1.5

/// Approximation of the Fresnel reflectance by C. Schlick, 1994.
float schlick(float cosine) {
  const float m = std::clamp(1 - cosine, 0.0F, 1.0F), m2 = m * m;
  return coat_f0 + (1 - coat_f0) * m2 * m2 * m;
}

/// Auxiliary function Lambda of the Smith shadowing term of GGX.
float smith_lambda(const glm::vec3& w, float alpha) {
  const float c2 = w.z * w.z, t2 = std::max(1 - c2, 0.0F) / std::max(c2, 1e-12F);
  return 0.5F * (std::sqrt(1 + alpha * alpha * t2) - 1);
}
/// GGX distribution of microfacet normals.
float ggx(const glm::vec3& m, float alpha) {
  const float c2 = m.z * m.z, a2 = alpha * alpha, d = c2 * (a2 - 1) + 1;
  return m.z > 0 ? a2 / (pi_1 * d * d) : 0;
}

/// Normal of a visible microfacet (E. Heitz, "Sampling the GGX distribution of visible normals", JCGT 2018).
glm::vec3 visible_normal(const glm::vec3& out, float alpha, const glm::vec2& at) {
  const glm::vec3 v = glm::normalize(glm::vec3(alpha * out.x, alpha * out.y, out.z));
  const float length2 = v.x * v.x + v.y * v.y;
  const glm::vec3 t1 = length2 > 0 ? glm::vec3(-v.y, v.x, 0) / std::sqrt(length2) : glm::vec3(1, 0, 0),
                  t2 = glm::cross(v, t1);
  const float r = std::sqrt(at.x), phi = 2 * pi_1 * at.y, p1 = r * std::cos(phi), s = 0.5F * (1 + v.z);
  const float p2 = (1 - s) * std::sqrt(std::max(1 - p1 * p1, 0.0F)) + s * r * std::sin(phi);
  const glm::vec3 n = p1 * t1 + p2 * t2 + std::sqrt(std::max(1 - p1 * p1 - p2 * p2, 0.0F)) * v;
  return glm::normalize(glm::vec3(alpha * n.x, alpha * n.y, std::max(n.z, 1e-6F)));
}

float coat_value(const glm::vec3& out, const glm::vec3& in, float alpha) {
  const glm::vec3 m = glm::normalize(out + in);
  const float shadow = 1 / (1 + smith_lambda(out, alpha) + smith_lambda(in, alpha));
  // The result includes the cosine of `in`, which cancels the factor in.z of the denominator.
  return schlick(glm::dot(out, m)) * ggx(m, alpha) * shadow / (4 * out.z);
}
float coat_density(const glm::vec3& out, const glm::vec3& in, float alpha) {
  const glm::vec3 m = glm::normalize(out + in);
  return ggx(m, alpha) / ((1 + smith_lambda(out, alpha)) * 4 * out.z);
}

/// Table of the coat's albedo by roughness (rows) and by the cosine of the outgoing direction (columns), and the
/// cosine-weighted mean of each row.
struct CoatTable {
  static constexpr int rows = 16, columns = 32;
  std::array<std::array<float, columns + 1>, rows + 1> albedo{};
  std::array<float, rows + 1> mean{};

  CoatTable() {
    constexpr int samples = 256;
    for (int row = 0; row <= rows; ++row) {
      const float alpha = alpha_of(static_cast<float>(row) / rows);
      for (int column = 0; column <= columns; ++column) {
        const float c = std::max(static_cast<float>(column) / columns, 1e-3F);
        const glm::vec3 out(std::sqrt(1 - c * c), 0, c);
        double sum = 0;
        for (int i = 0; i < samples; ++i) {
          // Points of an additive sequence with the plastic number (M. Roberts, 2018).
          const auto k = static_cast<double>(i + 1);
          const glm::vec2 at(std::fmod(0.5 + 0.7548776662466927 * k, 1.0),
                             std::fmod(0.5 + 0.5698402909980532 * k, 1.0));
          const glm::vec3 m = visible_normal(out, alpha, at), in = 2 * glm::dot(out, m) * m - out;
          if (in.z > 0)
            sum += static_cast<double>(schlick(glm::dot(out, m)) * (1 + smith_lambda(out, alpha)) /
                                       (1 + smith_lambda(out, alpha) + smith_lambda(in, alpha)));
        }
        albedo[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] = static_cast<float>(sum / samples);
      }
      mean[static_cast<std::size_t>(row)] = mean_of(albedo[static_cast<std::size_t>(row)]);
    }
  }
  static float alpha_of(float roughness) { return std::max(roughness * roughness, 1e-3F); }
  /// Exact integral of 2 c E(c) over c in [0, 1] for an albedo E that is linear between the columns.
  static float mean_of(const std::array<float, columns + 1>& e) {
    double sum = 0;
    for (std::size_t k = 0; k < columns; ++k) {
      const double a = static_cast<double>(k) / columns, h = 1.0 / columns, e0 = static_cast<double>(e[k]),
                   e1 = static_cast<double>(e[k + 1]);
      sum += 2 * h * (a * (e0 + e1) / 2 + h * (e0 / 6 + e1 / 3));
    }
    return static_cast<float>(sum);
  }
  [[nodiscard]] float at(float row, float cosine) const {
    const float c = std::clamp(cosine, 0.0F, 1.0F) * columns;
    const auto i = std::min(static_cast<std::size_t>(c), static_cast<std::size_t>(columns - 1)),
               r = std::min(static_cast<std::size_t>(row), static_cast<std::size_t>(rows - 1));
    const float u = c - static_cast<float>(i), v = row - static_cast<float>(r);
    return glm::mix(glm::mix(albedo[r][i], albedo[r][i + 1], u), glm::mix(albedo[r + 1][i], albedo[r + 1][i + 1], u),
                    v);
  }
};
const CoatTable& coat_table() {
  static const CoatTable table;
  return table;
}

}  // namespace

float fresnel(float cosine, float ratio) {
  const float sine2 = (1 - cosine * cosine) / (ratio * ratio);
  if (sine2 >= 1) return 1;
  const float behind = std::sqrt(1 - sine2);
  const float along = (ratio * cosine - behind) / (ratio * cosine + behind),
              across = (cosine - ratio * behind) / (cosine + ratio * behind);
  return 0.5F * (along * along + across * across);
}

CoatedSurface::CoatedSurface(const glm::vec3& base, float roughness, bool coated)
    : base_(base), alpha_(CoatTable::alpha_of(roughness)), coated_(coated) {
  if (!coated) return;
  const CoatTable& table = coat_table();
  row_ = std::clamp(roughness, 0.0F, 1.0F) * CoatTable::rows;
  const auto r = std::min(static_cast<std::size_t>(row_), static_cast<std::size_t>(CoatTable::rows - 1));
  mean_albedo_ = glm::mix(table.mean[r], table.mean[r + 1], row_ - static_cast<float>(r));
}

/// Probability with which sample() chooses the coat.
float CoatedSurface::coat_share(float cosine) const {
  if (!coated_) return 0;
  const float coat = coat_table().at(row_, cosine), base = std::max({base_.r, base_.g, base_.b}) * (1 - coat);
  return std::clamp(coat / (coat + base), 0.1F, 1.0F);
}

glm::vec3 CoatedSurface::value(const glm::vec3& out, const glm::vec3& in) const {
  if (!(in.z > 0) || !(out.z > 0)) return glm::vec3(0);
  if (!coated_) return base_ * (in.z / pi_1);
  const CoatTable& table = coat_table();
  const float through = (1 - table.at(row_, out.z)) * (1 - table.at(row_, in.z)) / (1 - mean_albedo_);
  return base_ * (through * in.z / pi_1) + coat_value(out, in, alpha_);
}

float CoatedSurface::density(const glm::vec3& out, const glm::vec3& in) const {
  if (!(in.z > 0) || !(out.z > 0)) return 0;
  const float share = coat_share(out.z);
  return (1 - share) * in.z / pi_1 + (share > 0 ? share * coat_density(out, in, alpha_) : 0);
}

glm::vec3 CoatedSurface::sample(const glm::vec3& out, const glm::vec2& lobe, const glm::vec2& at) const {
  if (lobe.x >= coat_share(out.z)) return cosine_direction(at);
  const glm::vec3 m = visible_normal(out, alpha_, at);
  return 2 * glm::dot(out, m) * m - out;
}

glm::vec3 cosine_direction(const glm::vec2& at) {
  const float r = std::sqrt(at.x), phi = 2 * pi_1 * at.y;
  return {r * std::cos(phi), r * std::sin(phi), std::sqrt(std::max(1 - at.x, 0.0F))};
}

glm::vec3 cone_direction(const glm::vec2& at, float cap) {
  const float down = at.x * cap, sine = std::sqrt(std::max(down * (2 - down), 0.0F)), phi = 2 * pi_1 * at.y;
  return {sine * std::cos(phi), sine * std::sin(phi), 1 - down};
}

LocalFrame::LocalFrame(const glm::vec3& normal) : x(0), y(0), z(normal) {
  const float sign = std::copysign(1.0F, z.z), a = -1 / (sign + z.z), b = z.x * z.y * a;
  x = {1 + sign * z.x * z.x * a, sign * b, -sign * z.x};
  y = {b, sign + z.y * z.y * a, -z.y};
}

}  // namespace vw::film
