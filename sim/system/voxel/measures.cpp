// Sums run in index order on one thread: once a world step, cheap beside the substeps.
#include "sim/system/voxel/measures.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace vw {
namespace {

const BondConstants& constants_of(const BodyView& body, std::size_t bond) { return body.bonds.constants[body.bonds.constants_of[bond]]; }

double kinetic_of(const BodyView& body, std::size_t v) {
  const Elements& e = *body.elements;
  return 0.5 * e.mass[v] * e.velocity[v].squaredNorm() + 0.5 * body.constants->of(v).inertia * e.angular_velocity[v].squaredNorm();
}

/// S_v: the sum of a voxel's bond strains; empty without a Poisson effect.
std::vector<double> strain_sums(const BodyView& body) {
  if (body.constants->volume_stiffness.empty()) return {};
  std::vector<double> sum(body.elements->size(), 0.0);
  for (std::size_t i = 0; i < body.bonds.bonds.size(); ++i) {
    const double strain = bond_deformation(body.bonds, body.voxels, i).elongation / body.constants->edge_m;
    sum[static_cast<std::size_t>(body.bonds.bonds[i].a)] += strain;
    sum[static_cast<std::size_t>(body.bonds.bonds[i].b)] += strain;
  }
  return sum;
}

/// 1/2 s^3 beta_v S_v^2
double volumetric_energy(const BodyView& body, double strain_sum, std::size_t v) {
  return 0.5 * body.constants->edge_m * body.constants->volume_stiffness[v] * strain_sum * strain_sum;
}

/// Calls visit(bond, voxel a, voxel b, deformation) for every bond in order.
template <class Visit>
void for_each_bond(const BodyView& body, Visit visit) {
  for (std::size_t i = 0; i < body.bonds.bonds.size(); ++i) {
    const Bond& bond = body.bonds.bonds[i];
    visit(i, static_cast<std::size_t>(bond.a), static_cast<std::size_t>(bond.b), bond_deformation(body.bonds, body.voxels, i));
  }
}

void keep_larger(float& kept, double value) { kept = std::max(kept, static_cast<float>(value)); }

std::optional<HealthIssue> find_not_finite(const Elements& e) {
  for (std::size_t v = 0; v < e.size(); ++v) {
    const char* what = nullptr;
    if (!e.position[v].allFinite())
      what = "position is not finite";
    else if (!e.velocity[v].allFinite())
      what = "velocity is not finite";
    else if (!e.orientation[v].coeffs().allFinite())
      what = "orientation is not finite";
    else if (!e.angular_velocity[v].allFinite())
      what = "angular velocity is not finite";
    if (what != nullptr) return HealthIssue{what, static_cast<std::int64_t>(v), ""};
  }
  return std::nullopt;
}

std::optional<HealthIssue> find_overstretched(const BodyView& body) {
  constexpr double limit = 20;  // no rubber stretches so far, and the linear bond has long stopped to mean anything
  for (const Bond& bond : body.bonds.bonds) {
    const auto a = static_cast<std::size_t>(bond.a), b = static_cast<std::size_t>(bond.b);
    const double rest = body.voxels.half_edge[a] + body.voxels.half_edge[b];
    const double length = (body.voxels.position[b] - body.voxels.position[a]).norm();
    if (length > limit * rest)
      return HealthIssue{fmt::format("its bond to voxel {} is stretched {:.3g}-fold", b, length / rest), static_cast<std::int64_t>(a), ""};
  }
  return std::nullopt;
}

/// Energy that no honest load gives within one step: a million times what was there, and faster on average than ten times the speed of sound in
/// the stiffest material (a body that starts from rest has no energy to compare with).
double explosion_limit(const BodyView& body, double kinetic_before) {
  double sound_squared = 0, mass = 0;
  for (const VoxelClass& c : body.constants->classes)
    sound_squared = std::max(sound_squared, c.youngs * body.constants->edge_m * body.constants->edge_m * body.constants->edge_m / c.mass);
  for (const double m : body.elements->mass) mass += m;
  return 1e6 * kinetic_before + 50 * mass * sound_squared;
}

}  // namespace

double elastic_energy(const BodyView& body) {
  double sum = 0;
  for_each_bond(body, [&](std::size_t i, std::size_t, std::size_t, const BondDeformation& shape) { sum += shape.energy(constants_of(body, i)); });
  const std::vector<double> strains = strain_sums(body);
  for (std::size_t v = 0; v < strains.size(); ++v) sum += volumetric_energy(body, strains[v], v);
  return sum;
}

double kinetic_energy(const BodyView& body) {
  double sum = 0;
  for (std::size_t v = 0; v < body.elements->size(); ++v) sum += kinetic_of(body, v);
  return sum;
}

Diagnostics measure(const BodyView& body, const Vec3& gravity) {
  const Elements& e = *body.elements;
  Diagnostics out;
  out.count = e.size();
  Vec3 first_moment = Vec3::Zero();
  for (std::size_t v = 0; v < e.size(); ++v) {
    const Vec3 momentum = e.mass[v] * e.velocity[v];
    out.mass += e.mass[v];
    out.momentum += momentum;
    out.angular_momentum += e.position[v].cross(momentum) + body.constants->of(v).inertia * e.angular_velocity[v];
    first_moment += e.mass[v] * e.position[v];
  }
  out.kinetic = kinetic_energy(body);
  out.elastic = elastic_energy(body);
  out.potential = -first_moment.dot(gravity);
  out.center_of_mass = first_moment / out.mass;
  return out;
}

void voxel_strain(const BodyView& body, std::vector<float>& out) {
  out.assign(body.elements->size(), 0.0F);
  for_each_bond(body, [&](std::size_t, std::size_t a, std::size_t b, const BondDeformation& shape) {
    const double strain = std::abs(shape.elongation) / body.constants->edge_m;
    keep_larger(out[a], strain);
    keep_larger(out[b], strain);
  });
}

void voxel_stress(const BodyView& body, std::vector<float>& out) {
  out.assign(body.elements->size(), 0.0F);
  const std::vector<double> strains = strain_sums(body);
  const double area = body.constants->edge_m * body.constants->edge_m;
  for_each_bond(body, [&](std::size_t i, std::size_t a, std::size_t b, const BondDeformation& shape) {
    double force = constants_of(body, i).axial * shape.elongation;
    if (!strains.empty()) force += body.constants->volume_stiffness[a] * strains[a] + body.constants->volume_stiffness[b] * strains[b];
    keep_larger(out[a], std::abs(force) / area);
    keep_larger(out[b], std::abs(force) / area);
  });
}

void voxel_elastic_energy(const BodyView& body, std::vector<float>& out) {
  std::vector<double> sum(body.elements->size(), 0.0);
  for_each_bond(body, [&](std::size_t i, std::size_t a, std::size_t b, const BondDeformation& shape) {
    const double half = 0.5 * shape.energy(constants_of(body, i));
    sum[a] += half;
    sum[b] += half;
  });
  const std::vector<double> strains = strain_sums(body);
  for (std::size_t v = 0; v < strains.size(); ++v) sum[v] += volumetric_energy(body, strains[v], v);
  out.assign(sum.begin(), sum.end());
}

void voxel_kinetic_energy(const BodyView& body, std::vector<float>& out) {
  out.resize(body.elements->size());
  for (std::size_t v = 0; v < out.size(); ++v) out[v] = static_cast<float>(kinetic_of(body, v));
}

std::optional<HealthIssue> find_issue(const BodyView& body, double kinetic_before) {
  if (auto issue = find_not_finite(*body.elements)) return issue;
  if (auto issue = find_overstretched(body)) return issue;
  const double now = kinetic_energy(body);
  if (now > explosion_limit(body, kinetic_before))
    return HealthIssue{fmt::format("kinetic energy exploded from {:.3g} J to {:.3g} J in one step", kinetic_before, now), -1, ""};
  return std::nullopt;
}

}  // namespace vw
