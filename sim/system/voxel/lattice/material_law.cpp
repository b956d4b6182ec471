// Plastic flow by return mapping to the yield stress, bond by bond.
#include "sim/system/voxel/lattice/material_law.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace vw {
namespace {

std::vector<std::pair<double, double>> yield_curve(const VoxelMaterial& m) {
  if (m.model == StressModel::bilinear) {
    const double e = m.youngs_modulus, p = std::min(m.plastic_modulus, 0.999999 * e);
    // Slope of stress over plastic strain for which the slope of stress over total strain is p, the plastic modulus.
    const double hardening = e * p / (e - p);
    constexpr double far = 1e3;
    return {{0, m.yield_stress}, {far, m.yield_stress + far * hardening}};
  }
  std::vector<std::pair<double, double>> curve;
  if (m.model != StressModel::data || m.strain_data.empty()) return curve;
  const double e = elastic_modulus(m);
  for (std::size_t i = 0; i < m.strain_data.size() && i < m.stress_data.size(); ++i) {
    const double plastic = m.strain_data[i] - m.stress_data[i] / e;
    curve.emplace_back(curve.empty() ? 0 : std::max(plastic, curve.back().first), m.stress_data[i]);
  }
  return curve;
}

/// Largest plastic shortening of a bond, as a fraction of the sum of the half edges of its voxels. At this limit the
/// bond no longer flows but is elastic.
constexpr double most_crushed = 0.9;

double least(double a, double b) {
  const double inf = std::numeric_limits<double>::infinity();
  return std::min(a > 0 ? a : inf, b > 0 ? b : inf);
}

/// Returns the stress relief of one of a voxel's bonds by plastic flow in the voxel's other bonds, per unit of plastic
/// strain [Pa]. All bonds of the voxel are assumed to have the same plastic strain.
double shared_stiffness(const LawInput& in, std::size_t voxel) {
  int others = -1;
  for (const std::int32_t bond : in.topology->bond_at[voxel]) others += bond >= 0 ? 1 : 0;
  return others * in.constants->volume_stiffness[voxel] / (in.constants->edge_m * in.constants->edge_m);
}

}  // namespace

double BondLaw::flow(double stress, double done, double stiffness) const {
  if (yield.empty()) return 0;
  double excess = std::abs(stress);
  double flowed = 0;
  for (std::size_t i = 0; i < yield.size(); ++i) {
    const bool last = i + 1 == yield.size();
    if (!last && done >= yield[i + 1].first) continue;
    const double run = last ? 0 : yield[i + 1].first - yield[i].first;
    const double hardening = run > 0 ? (yield[i + 1].second - yield[i].second) / run : 0;
    const double limit = yield[i].second + hardening * (done - yield[i].first);
    if (excess <= limit) return flowed;
    // Solves stress - stiffness d = limit + hardening d for the plastic strain increment d.
    const double step = (excess - limit) / std::max(stiffness + hardening, 1e-300);
    if (last || done + step <= yield[i + 1].first) return flowed + step;
    const double part = yield[i + 1].first - done;
    flowed += part;
    excess -= stiffness * part;
    done = yield[i + 1].first;
  }
  return flowed;
}

BondLaw make_bond_law(const VoxelMaterial& a, const VoxelMaterial& b, bool same) {
  BondLaw law;
  const auto curve_a = yield_curve(a), curve_b = yield_curve(b);
  const bool first = curve_b.empty() || (!curve_a.empty() && curve_a.front().second <= curve_b.front().second);
  law.yield = first ? curve_a : curve_b;
  // Only the half of the bond in the weaker material flows. The plastic strain of the whole bond is therefore half of
  // the plastic strain in that material.
  if (!same)
    for (auto& point : law.yield) point.first *= 0.5;
  law.failure_stress = least(a.failure_stress, b.failure_stress);
  law.failure_strain = least(a.failure_strain, b.failure_strain);
  return law;
}

LatticeLaws make_laws(const VoxelLattice& lattice, const LatticeTopology& topology) {
  LatticeLaws out;
  std::map<std::pair<std::uint16_t, std::uint16_t>, std::uint32_t> known;
  for (std::size_t i = 0; i < topology.bonds.size(); ++i) {
    const auto a = static_cast<std::size_t>(topology.bonds[i].a), b = static_cast<std::size_t>(topology.bonds[i].b);
    const std::pair key{std::min(lattice.material[a], lattice.material[b]),
                        std::max(lattice.material[a], lattice.material[b])};
    const auto [row, fresh] = known.try_emplace(key, static_cast<std::uint32_t>(out.laws.size()));
    if (fresh)
      out.laws.push_back(
          make_bond_law(lattice.materials[key.first], lattice.materials[key.second], key.first == key.second));
    if (!out.laws[row->second].matters()) continue;
    const std::size_t axis = i < topology.axis_bonds[0].end ? 0 : i < topology.axis_bonds[1].end ? 1 : 2;
    out.rows.push_back(
        {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(axis * topology.voxel_count() + a), row->second});
  }
  return out;
}

double apply_laws(const LatticeLaws& laws, const LawInput& in, BondMemory& memory, std::vector<std::uint32_t>& broken,
                  Range range) {
  double largest = 0;
  const double edge = in.constants->edge_m, area = edge * edge;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const LatticeLaws::Row& row = laws.rows[i];
    if (!memory.broken.empty() && memory.broken[row.bond] != 0) continue;
    const BondLaw& law = laws.laws[row.law];
    const BondConstants& k = in.constants->bonds[in.constants->bond_constants_of[row.bond]];
    const Bond& ends = in.topology->bonds[row.bond];
    const auto a = static_cast<std::size_t>(ends.a), b = static_cast<std::size_t>(ends.b);
    double stress = k.axial * in.strain[row.slot] * edge / area;
    double stiffness = k.axial / edge;  // increase of stress per unit of strain, with all other bonds unchanged
    if (!in.tension.empty()) {
      stress += (in.tension[a] + in.tension[b]) / area;
      stiffness += (in.constants->volume_stiffness[a] + in.constants->volume_stiffness[b]) / area;
    }
    const double alone = law.flow(stress, memory.flowed[row.slot], stiffness);
    // If several bonds of a voxel flow at once, the flow in each bond also relieves the stress in the other bonds. The
    // increment of each bond is therefore reduced. Without this reduction the stresses would overshoot and oscillate.
    double flow = alone;
    if (alone > 0 && !in.tension.empty())
      flow = law.flow(stress, memory.flowed[row.slot], stiffness + shared_stiffness(in, a) + shared_stiffness(in, b));
    const double shortest = -most_crushed * (in.half_edge[a] + in.half_edge[b]);
    if (stress < 0) flow = -std::min(flow, std::max(0.0, (memory.slack[row.slot] - shortest) / edge));
    memory.slack[row.slot] = std::max(memory.slack[row.slot] + flow * edge, shortest);
    memory.flowed[row.slot] += std::abs(flow);
    largest = std::max(largest, std::abs(flow));
    // Stress after this bond alone has flowed. In compression only the sign is correct, which suffices for tensile
    // failure.
    const double held = stress - stiffness * alone;
    const double strain = in.strain[row.slot] + memory.slack[row.slot] / edge - flow;
    if (held > law.failure_stress || strain > law.failure_strain) broken.push_back(row.bond);
  }
  return largest;
}

}  // namespace vw
