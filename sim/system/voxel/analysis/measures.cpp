// Sums are computed over fixed chunks, and the chunk sums are added in index order. Results are therefore bitwise
// independent of the number of threads. Summation allocates no memory.
#include "sim/system/voxel/analysis/measures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/parallel/parallel.h"
#include "sim/system/voxel/explicit/load_sums.h"

namespace vw {
namespace {

/// Returns the sum of partial(range) over chunks of [0, count). The chunks depend only on `count`.
template <class T, class F>
T chunked_sum(std::size_t count, F partial) {
  constexpr std::size_t most_chunks = 64, least_grain = 1024;
  const std::size_t grain = std::max(least_grain, (count + most_chunks - 1) / most_chunks);
  std::array<T, most_chunks> rows{};
  parallel_for(count, grain, [&](Range range, std::size_t chunk) { rows[chunk] = partial(range); });
  T total{};
  for (std::size_t chunk = 0; chunk * grain < count; ++chunk) total += rows[chunk];
  return total;
}

/// Returns the volumetric energy 1/2 s^3 beta_v S_v^2 of voxel v under the Poisson effect [J], with the voxel edge s.
/// `strain_sum` is S_v, the sum of the strains of the voxel's bonds. The constant `volume_stiffness` of the voxel is
/// s^2 beta_v.
double volumetric_energy(const BodyView& body, double strain_sum, std::size_t v) {
  return 0.5 * body.constants->edge_m * body.constants->volume_stiffness[v] * strain_sum * strain_sum;
}

/// Returns the elastic energy of a voxel [J]: the volumetric energy of the voxel, `upper` times the energies of the
/// bonds in positive directions, and `lower` times the energies of the bonds in negative directions.
double energy_of(const BodyView& body, std::size_t v, double lower, double upper) {
  double energy = 0, elongations = 0;
  const bool poisson = !body.constants->volume_stiffness.empty();
  for (std::size_t face = 0; face < face_count; ++face) {
    const double part = face % 2 == 0 ? lower : upper;
    const std::int32_t at = body.topology->bond_at[v][face];
    if (at < 0 || (part == 0 && !poisson)) continue;
    const auto bond = static_cast<std::size_t>(at);
    const BondDeformation shape = bond_deformation(body.bonds, body.voxels, bond);
    energy += part * shape.energy(body.bonds.constants_at(bond));
    elongations += shape.elongation;
  }
  return poisson ? energy + volumetric_energy(body, elongations / body.constants->edge_m, v) : energy;
}

struct Motion {
  double mass = 0;
  Vec3 momentum = Vec3::Zero(), angular_momentum = Vec3::Zero(), first_moment = Vec3::Zero();
  Motion& operator+=(const Motion& other) {
    mass += other.mass;
    momentum += other.momentum;
    angular_momentum += other.angular_momentum;
    first_moment += other.first_moment;
    return *this;
  }
};

Motion motion_of(const BodyView& body, Range range) {
  const Elements& e = *body.elements;
  Motion out;
  for (std::size_t v = range.begin; v < range.end; ++v) {
    const Vec3 momentum = e.mass[v] * e.velocity[v];
    out.mass += e.mass[v];
    out.momentum += momentum;
    out.angular_momentum += e.position[v].cross(momentum) + body.constants->of(v).inertia * e.angular_velocity[v];
    out.first_moment += e.mass[v] * e.position[v];
  }
  return out;
}

std::size_t axis_of(const BodyView& body, std::size_t bond) {
  return bond < body.bonds.axis_bonds[0].end ? 0 : bond < body.bonds.axis_bonds[1].end ? 1 : 2;
}

/// True if the bond is broken. A broken bond keeps its row in `bonds`, but `bond_at` no longer contains its index.
bool is_broken(const BodyView& body, std::size_t bond) {
  return body.topology->bond_at[static_cast<std::size_t>(body.bonds.bonds[bond].a)][2 * axis_of(body, bond) + 1] < 0;
}

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
  constexpr double limit = 20;  // stretch ratio that no rubber reaches and at which a linear bond is meaningless
  for (std::size_t i = 0; i < body.bonds.bonds.size(); ++i) {
    if (is_broken(body, i)) continue;
    const auto a = static_cast<std::size_t>(body.bonds.bonds[i].a), b = static_cast<std::size_t>(body.bonds.bonds[i].b);
    const double rest = body.voxels.half_edge[a] + body.voxels.half_edge[b];
    const double length = (body.voxels.position[b] - body.voxels.position[a]).norm();
    if (!(length <= limit * rest))
      return HealthIssue{
          fmt::format("the bond to voxel {} is stretched to {:.3g} times its rest length", b, length / rest),
          static_cast<std::int64_t>(a), ""};
  }
  return std::nullopt;
}

/// Returns a kinetic energy [J] that the body cannot reach within one step unless the integration is unstable. The
/// value is a million times the energy before the step, plus the energy of the whole mass at ten times the largest
/// speed of sound. The second term is needed for a body that starts from rest.
double explosion_limit(const BodyView& body, double kinetic_before) {
  double sound_squared = 0, mass = 0;
  for (const VoxelClass& c : body.constants->classes)
    sound_squared = std::max(
        sound_squared, c.youngs * body.constants->edge_m * body.constants->edge_m * body.constants->edge_m / c.mass);
  for (const double m : body.elements->mass) mass += m;
  return 1e6 * kinetic_before + 50 * mass * sound_squared;
}

}  // namespace

double elastic_energy(const BodyView& body) {
  return chunked_sum<double>(body.elements->size(), [&](Range range) {
    double sum = 0;
    // Counts each bond once, at its voxel a.
    for (std::size_t v = range.begin; v < range.end; ++v) sum += energy_of(body, v, 0, 1);
    return sum;
  });
}

double elastic_energy(const BodyView& body, std::size_t voxel) { return energy_of(body, voxel, 0.5, 0.5); }

double kinetic_energy(const BodyView& body) {
  return chunked_sum<double>(body.elements->size(), [&](Range range) {
    double sum = 0;
    for (std::size_t v = range.begin; v < range.end; ++v) sum += kinetic_energy(body, v);
    return sum;
  });
}

double kinetic_energy(const BodyView& body, std::size_t voxel) {
  const Elements& e = *body.elements;
  return 0.5 * e.mass[voxel] * e.velocity[voxel].squaredNorm() +
         0.5 * body.constants->of(voxel).inertia * e.angular_velocity[voxel].squaredNorm();
}

Diagnostics measure(const BodyView& body, const Vec3& gravity) {
  const Motion motion = chunked_sum<Motion>(body.elements->size(), [&](Range range) { return motion_of(body, range); });
  Diagnostics out;
  out.count = body.elements->size();
  out.mass = motion.mass;
  out.momentum = motion.momentum;
  out.angular_momentum = motion.angular_momentum;
  out.kinetic = kinetic_energy(body);
  out.elastic = elastic_energy(body);
  out.potential = -motion.first_moment.dot(gravity);
  out.center_of_mass = motion.first_moment / motion.mass;
  return out;
}

double kinetic_energy_at_positions(const BodyView& body, const HalfStep& half, LatticeLoads& loads) {
  loads.evaluate(*body.topology, *body.constants, body.voxels, false, body.bonds.slack);
  const Elements& e = *body.elements;
  const ResolvedRegions& regions = *half.regions;
  const auto is_held = [&](std::size_t v) {
    const auto row = std::lower_bound(regions.held.begin(), regions.held.end(), v,
                                      [](const HeldVoxel& held, std::size_t w) { return held.voxel < w; });
    return regions.fixed[v] != 0 || (row != regions.held.end() && row->voxel == v);
  };
  return chunked_sum<double>(e.size(), [&](Range range) {
    double sum = 0;
    for (std::size_t v = range.begin; v < range.end; ++v) {
      if (is_held(v) || half.touching[v] != 0) {
        sum += kinetic_energy(body, v);
        continue;
      }
      Vec3 force = loads.force()[v] + e.mass[v] * half.gravity, moment = loads.moment()[v];
      if (!regions.force.empty()) force += regions.force[v];
      if (!regions.torque.empty()) moment += regions.torque[v];
      const double inertia = body.constants->of(v).inertia;
      const Vec3 velocity = e.velocity[v] + 0.5 * half.dt / e.mass[v] * force;
      const Vec3 spin = e.angular_velocity[v] + 0.5 * half.dt / inertia * moment;
      sum += 0.5 * e.mass[v] * velocity.squaredNorm() + 0.5 * inertia * spin.squaredNorm();
    }
    return sum;
  });
}

double plastic_strain(const BodyView& body, std::size_t voxel) {
  double largest = 0;
  for (std::size_t face = 0; face < face_count; ++face) {
    const std::int32_t bond = body.topology->bond_at[voxel][face];
    if (bond < 0) continue;
    const std::int32_t a = body.bonds.bonds[static_cast<std::size_t>(bond)].a;
    largest = std::max(largest, std::abs(body.bonds.slack_of(face / 2, body.elements->size(), a)));
  }
  return largest / body.constants->edge_m;
}

BondTotals& BondTotals::operator+=(const BondTotals& other) {
  broken += other.broken;
  yielded += other.yielded;
  largest_strain = std::max(largest_strain, other.largest_strain);
  largest_stress = std::max(largest_stress, other.largest_stress);
  return *this;
}

BondTotals bond_totals(const BodyView& body, BondScratch& scratch) {
  constexpr std::size_t grain = 1024;
  const double edge = body.constants->edge_m;
  const std::size_t bonds = body.bonds.bonds.size(), n = body.elements->size();
  const std::vector<double>& beta = body.constants->volume_stiffness;
  std::vector<double>&strain = scratch.strain, &tension = scratch.tension;
  strain.resize(bonds);
  tension.resize(beta.size());
  parallel_for(bonds, grain,
               [&](Range range, std::size_t) { bond_strains(body.bonds, body.voxels, edge, strain, range); });
  if (!beta.empty())
    parallel_for(n, grain,
                 [&](Range range, std::size_t) { sum_volume_tension(*body.topology, strain, beta, tension, range); });
  return chunked_sum<BondTotals>(bonds, [&](Range range) {
    BondTotals out;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (is_broken(body, i)) {
        ++out.broken;
        continue;
      }
      const Bond& bond = body.bonds.bonds[i];
      const double slack = body.bonds.slack_of(axis_of(body, i), n, bond.a);
      double force = body.bonds.constants_at(i).axial * strain[i] * edge;
      if (!tension.empty())
        force += tension[static_cast<std::size_t>(bond.a)] + tension[static_cast<std::size_t>(bond.b)];
      if (slack != 0) ++out.yielded;
      out.largest_strain = std::max(out.largest_strain, std::abs(strain[i] + slack / edge));
      out.largest_stress = std::max(out.largest_stress, std::abs(force) / (edge * edge));
    }
    return out;
  });
}

double largest_stretch_ratio(const BodyView& body) {
  struct Longest {
    double squared = 0;
    Longest& operator+=(const Longest& other) {
      squared = std::max(squared, other.squared);
      return *this;
    }
  };
  const LatticeTopology& topology = *body.topology;
  const std::vector<Vec3>& x = body.elements->position;
  const Longest longest = chunked_sum<Longest>(x.size(), [&](Range range) {
    Longest out;
    for (std::size_t v = range.begin; v < range.end; ++v)
      for (std::size_t face = 1; face < face_count; face += 2) {
        const std::int32_t bond = topology.bond_at[v][face];
        if (bond < 0) continue;
        const auto b = static_cast<std::size_t>(topology.bonds[static_cast<std::size_t>(bond)].b);
        out.squared = std::max(out.squared, (x[b] - x[v]).squaredNorm());
      }
    return out;
  });
  return std::max(1.0, std::sqrt(longest.squared) / body.constants->edge_m);
}

std::optional<HealthIssue> find_issue(const BodyView& body, double kinetic_before) {
  if (auto issue = find_not_finite(*body.elements)) return issue;
  if (auto issue = find_overstretched(body)) return issue;
  const double now = kinetic_energy(body);
  if (now > explosion_limit(body, kinetic_before))
    return HealthIssue{fmt::format("kinetic energy grew from {:.3g} J to {:.3g} J in one step", kinetic_before, now),
                       -1, ""};
  return std::nullopt;
}

}  // namespace vw
