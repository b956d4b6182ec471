// Bond constants of Hiller & Lipson 2014 (section "Bond constants"), with two changes. Bond damping uses the reduced
// mass, so zeta = 1 is critical for a free pair. The Poisson effect adds a volumetric stiffness.
#include "sim/system/voxel/lattice/constants.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

namespace vw {
namespace {

VoxelClass make_class(const VoxelMaterial& material, double youngs, double edge_m) {
  VoxelClass c;
  const double nu = material.poissons_ratio;
  c.youngs = youngs;
  c.shear = youngs / (2 * (1 + nu));
  c.lame = youngs * nu / ((1 + nu) * (1 - 2 * nu));
  c.mass = material.density * edge_m * edge_m * edge_m;
  c.inertia = c.mass * edge_m * edge_m / 6;
  c.cte = material.cte;
  c.bond_damping = material.bond_damping;
  const double axial = youngs * edge_m;
  // Global damping acts like a damped bond between the voxel and the ground. The damping of translation follows from
  // the axial stiffness of this bond, and the damping of rotation from its bending stiffness.
  c.drag = 2 * material.global_damping * std::sqrt(c.mass * axial);
  c.spin_drag = 2 * material.global_damping * std::sqrt(c.inertia * axial * edge_m * edge_m / 12);
  c.contact_stiffness = axial;
  c.contact_damping = 2 * material.contact_damping * std::sqrt(c.mass * axial);
  c.surface = {material.restitution, material.mu_static, material.mu_dynamic};
  return c;
}

double in_series(double a, double b) { return a + b > 0 ? 2 * a * b / (a + b) : 0; }
double reduced(double a, double b) { return a * b / (a + b); }

void classify_voxels(const VoxelLattice& lattice, LatticeConstants& out) {
  // The key contains the bits of Young's modulus, so that the table does not depend on comparisons of doubles.
  std::map<std::pair<std::uint16_t, std::uint64_t>, std::uint32_t> rows;
  std::vector<std::uint32_t> class_of;
  class_of.reserve(lattice.cell.size());
  for (std::size_t v = 0; v < lattice.cell.size(); ++v) {
    const VoxelMaterial& material = lattice.materials[lattice.material[v]];
    const double youngs = lattice.youngs_override_of(v) > 0 ? lattice.youngs_override_of(v) : elastic_modulus(material);
    const auto [row, fresh] = rows.try_emplace({lattice.material[v], std::bit_cast<std::uint64_t>(youngs)},
                                               static_cast<std::uint32_t>(out.classes.size()));
    if (fresh) out.classes.push_back(make_class(material, youngs, lattice.edge_m));
    class_of.push_back(row->second);
  }
  out.class_of = RowOf(std::move(class_of));
}

void classify_bonds(const LatticeTopology& topology, LatticeConstants& out) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> rows;
  std::vector<std::uint32_t> constants_of;
  constants_of.reserve(topology.bonds.size());
  for (const Bond& bond : topology.bonds) {
    const std::uint32_t a = out.class_of[static_cast<std::size_t>(bond.a)],
                        b = out.class_of[static_cast<std::size_t>(bond.b)];
    const auto [row, fresh] = rows.try_emplace({a, b}, static_cast<std::uint32_t>(out.bonds.size()));
    if (fresh) out.bonds.push_back(make_bond_constants(out.classes[a], out.classes[b], out.edge_m));
    constants_of.push_back(row->second);
  }
  out.bond_constants_of = RowOf(std::move(constants_of));
}

/// Returns s^2 beta_v of each voxel, with beta_v = 1 / (4 / lambda + m_v / G), where m_v is 6 minus the voxel's number
/// of bonds. The value is 0 if lambda is 0.
std::vector<double> volume_stiffness(const LatticeTopology& topology, const LatticeConstants& constants) {
  std::vector<double> out(topology.voxel_count() + LatticeConstants::padding, 0.0);
  for (std::size_t v = 0; v < topology.voxel_count(); ++v) {
    const VoxelClass& c = constants.of(v);
    if (c.lame > 0)
      out[v] = constants.edge_m * constants.edge_m / (4 / c.lame + std::popcount(topology.exposed[v]) / c.shear);
  }
  return out;
}

}  // namespace

double elastic_modulus(const VoxelMaterial& material) {
  if (material.model != StressModel::data || material.strain_data.empty() || material.stress_data.empty())
    return material.youngs_modulus;
  return material.stress_data.front() / material.strain_data.front();
}

BondConstants make_bond_constants(const VoxelClass& a, const VoxelClass& b, double edge_m) {
  const double youngs = in_series(a.youngs, b.youngs), shear = in_series(a.shear, b.shear);
  const bool poisson = a.lame > 0 || b.lame > 0;
  const double s3 = edge_m * edge_m * edge_m;
  BondConstants k;
  // s is the voxel edge. With the cross-section A = s^2, the second moment of area I_b = s^4 / 12 and the length L = s,
  // both a1 = E A / L and b1 = 12 E I_b / L^3 equal E s. Under a Poisson effect both constants are 2 G s, and the
  // volumetric term adds the remaining stiffness.
  k.axial = (poisson ? 2 * shear : youngs) * edge_m;
  k.lateral = k.axial;
  k.twist = 0.1406 * shear * s3;  // a2 = G J / L, J = 0.1406 s^4
  k.bend = youngs * s3 / 12;      // b3 / 2 = E I_b / L
  const double zeta = 0.5 * (a.bond_damping + b.bond_damping);
  const double mu = reduced(a.mass, b.mass), inertia = reduced(a.inertia, b.inertia);
  k.axial_damping = 2 * zeta * std::sqrt(mu * k.axial);
  k.lateral_damping = 2 * zeta * std::sqrt(mu * k.lateral);
  k.twist_damping = 2 * zeta * std::sqrt(inertia * k.twist);
  k.bend_damping = 2 * zeta * std::sqrt(inertia * k.bend);
  return k;
}

void refresh_volume_stiffness(const LatticeTopology& topology, LatticeConstants& constants) {
  if (!constants.volume_stiffness.empty()) constants.volume_stiffness = volume_stiffness(topology, constants);
}

bool same_dynamics(const LatticeConstants& a, const LatticeConstants& b) {
  const auto row = [](const VoxelClass& c) {
    return std::array{
        c.youngs, c.shear, c.lame, c.mass, c.bond_damping, c.drag, c.spin_drag, c.contact_stiffness, c.contact_damping};
  };
  return a.edge_m == b.edge_m && a.class_of == b.class_of &&
         std::equal(a.classes.begin(), a.classes.end(), b.classes.begin(), b.classes.end(),
                    [&](const VoxelClass& left, const VoxelClass& right) { return row(left) == row(right); });
}

LatticeConstants make_constants(const VoxelLattice& lattice, const LatticeTopology& topology) {
  LatticeConstants out;
  out.edge_m = lattice.edge_m;
  classify_voxels(lattice, out);
  classify_bonds(topology, out);
  bool poisson = false;
  for (const VoxelClass& c : out.classes) {
    poisson = poisson || c.lame > 0;
    out.sizes_vary = out.sizes_vary || c.cte != 0;
    out.dragged = out.dragged || c.drag > 0;
  }
  for (const BondConstants& k : out.bonds) out.damped = out.damped || k.axial_damping > 0;
  if (poisson) out.volume_stiffness = volume_stiffness(topology, out);
  return out;
}

}  // namespace vw
