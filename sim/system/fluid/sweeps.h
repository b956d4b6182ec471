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
  float neighbours = 0;  ///< the walls' part of the density: above 0 where a wall is near
  float virial = 0;      ///< -V/3 (sum + sum_b (V_b / V)) (x_i - x_j) . grad W: 1 if the neighbours were a continuum
  /// Pressure [Pa] of a row with kappa: virial theorem, force times distance per volume.
  [[nodiscard]] double pressure(float kappa) const { return static_cast<double>(kappa) * static_cast<double>(density) * static_cast<double>(virial); }
};

/// What is called with a chunk's rows and number as soon as a sweep is done with them, by the same thread, while they are still near: sums and steps
/// of single rows cost little there. A reference; what it refers to must outlive the sweep.
class ChunkEnd {
 public:
  ChunkEnd() = default;
  template <class F>
  explicit ChunkEnd(const F& f)
      : object_(&f), call_([](const void* object, Range rows, std::size_t chunk) { (*static_cast<const F*>(object))(rows, chunk); }) {}
  void operator()(Range rows, std::size_t chunk) const {
    if (call_ != nullptr) call_(object_, rows, chunk);
  }

 private:
  const void* object_ = nullptr;
  void (*call_)(const void*, Range, std::size_t) = nullptr;
};

/// rows.w: 1 / rest density [m^3/kg].
void density_sweep(const SweepInput& in, std::span<DensityRow> out, ChunkEnd end = {});

/// Rate of relative density V (sum (u_i - u_j) . grad W + sum_b 2 (V_b / V) (u_i - u_b) . grad W) of the motion u (Bender & Koschier 2015, eq. 9). A
/// wall mirrors the fluid in front of it, its pressure and its approach: hence the 2, which makes this the transpose of push_sweep(), and a solve a
/// projection.
void rate_sweep(const SweepInput& in, std::span<float> out, ChunkEnd end = {});

/// What pressures act on.
struct Pushed {
  std::span<const float> inverse_density;  ///< 1 / rho_i of each row [m^3/kg]
  std::span<const Float4> before;          ///< velocities without them
  float dt = 0;
};

/// Velocities before - dt (V / rho_i) (sum (k_i + k_j) grad W + sum_b 2 (V_b / V) k_i grad W), k = p / density^2 in rows.w [Pa]; walls mirror the
/// pressure. xyz of out; w is left.
void push_sweep(const SweepInput& in, const Pushed& pushed, std::span<Float4> out, ChunkEnd end = {});

/// Name of the instruction set that the sweeps run with here.
[[nodiscard]] const char* sph_instruction_set();

}  // namespace vw
