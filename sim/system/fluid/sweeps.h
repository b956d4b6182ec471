// The sums over pairs that SPH solvers are made of: one walk over the lists each, vectors inside, chunks over threads, the same bits at any thread
// count. Densities are relative to the rest density (a sum of volumes: Solenthaler & Pajarola 2008), so fluids of any densities share one formula.
#pragma once

#include <span>

#include "sim/system/fluid/pair_lists.h"
#include "sim/system/fluid/sph_kernel.h"

namespace vw {

/// What every sweep reads. Arrays of fluid have a row for each of the lists' targets, one that is nowhere, and those of images.
struct SweepInput {
  const PairLists* lists = nullptr;
  SphKernel kernel = SphKernel::wendland;
  double reach_m = 1;              ///< support radius H
  double volume_m3 = 1;            ///< V, of each fluid row at rest
  double factor = 1;               ///< lattice_factor()
  const Float4* rows = nullptr;    ///< places about the local origin [m]; w as each sweep says
  const Float4* motion = nullptr;  ///< velocities [m/s] or accelerations [m/s^2], where asked for
  const Float4* walls = nullptr;   ///< places; w: volume / V
  const Float4* wall_motion = nullptr;
};

/// Per row of fluid.
struct DensityRow {
  float density = 0;     ///< V (sum W_ij + sum_b (V_b / V) W_ib)
  float answer = 0;      ///< what a kappa of 1 Pa in this row takes from its own rate of density in a second [1/(Pa s^2)], not negative
  float neighbours = 0;  ///< weighted count V_near / V: of fluid and of walls
};

/// rows.w: 1 / rest density [m^3/kg].
void density_sweep(const SweepInput& in, std::span<DensityRow> out);

/// Rate of relative density V (sum (u_i - u_j) . grad W + sum_b (V_b / V) (u_i - u_b) . grad W) of the motion u (Bender & Koschier 2015, eq. 9).
void rate_sweep(const SweepInput& in, std::span<float> out);

/// What pressures act on.
struct Pushed {
  std::span<const float> inverse_density;  ///< 1 / rho_i of each row [m^3/kg]
  std::span<const Float4> before;          ///< velocities without them
  float dt = 0;
};

/// Velocities before - dt (V / rho_i) (sum (k_i + k_j) grad W + sum_b 2 (V_b / V) k_i grad W), k = p / density^2 in rows.w [Pa]; walls mirror the
/// pressure. xyz of out; w is left.
void push_sweep(const SweepInput& in, const Pushed& pushed, std::span<Float4> out);

/// Name of the instruction set that the sweeps run with here.
[[nodiscard]] const char* sweep_instruction_set();

}  // namespace vw
