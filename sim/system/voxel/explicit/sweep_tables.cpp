// Prepares the data of the sweep: columns of constants, and scratch memory for sums.
#include "sim/system/voxel/explicit/sweep.h"

namespace vw {

void prepare_scratch(const SweepPlan& plan, bool full, std::vector<SlabScratch>& scratch) {
  scratch.assign(plan.slabs.size(), {});
  for (std::size_t i = 0; i < plan.slabs.size(); ++i) {
    const SweepSlab& slab = plan.slabs[i];
    const std::size_t rows = slab.end - slab.begin;
    for (std::size_t axis = 1; axis < 3; ++axis) {
      const std::size_t ring = plan.window[axis] + PaddedArray::padding;
      for (std::size_t k = 0; k < 6; ++k) {
        if (full)
          scratch[i].waiting_full[axis][k].assign(ring, 0.0, 13 + 6 * axis + k);
        else
          scratch[i].waiting[axis][k].assign(ring + PaddedArray::padding, 0.0F);
      }
    }
    const std::size_t last = slab.in.empty() ? 0 : slab.last_in + 1 - slab.begin;
    for (auto& column : scratch[i].incoming) column.assign(last == 0 ? 0 : (last + 15) / 16 * 16, 0.0);
    scratch[i].strain_sum.assign(rows, 0.0);
    scratch[i].cross.assign(6 * plan.lanes * slab.out.size(), 0.0);
    const std::size_t origin = slab.first_out / plan.lanes * plan.lanes;
    for (PaddedArray& column : scratch[i].own) column.assign(slab.end > origin ? slab.end - origin : 0, 0.0);
  }
}

SweepTables make_sweep_tables(const LatticeConstants& constants) {
  SweepTables tables;
  const auto add = [&](const BondConstants& k) {
    const std::array<double, SweepTables::bond_rows> row{k.lateral,
                                                         k.axial - k.lateral,
                                                         k.bend,
                                                         k.twist - k.bend,
                                                         k.lateral_damping,
                                                         k.axial_damping - k.lateral_damping,
                                                         k.bend_damping,
                                                         k.twist_damping - k.bend_damping};
    for (std::size_t i = 0; i < row.size(); ++i) {
      tables.bond[i].push_back(static_cast<float>(row[i]));
      tables.bond_full[i].push_back(row[i]);
    }
  };
  for (const BondConstants& k : constants.bonds) add(k);
  if (constants.bonds.empty()) add({});
  for (const VoxelClass& c : constants.classes) {
    tables.mass.push_back(c.mass);
    tables.inverse_mass.push_back(1 / c.mass);
    tables.inverse_inertia.push_back(1 / c.inertia);
    tables.drag.push_back(c.drag);
    tables.spin_drag.push_back(c.spin_drag);
    tables.contact_stiffness.push_back(c.contact_stiffness);
    tables.contact_damping.push_back(c.contact_damping);
  }
  return tables;
}

}  // namespace vw
