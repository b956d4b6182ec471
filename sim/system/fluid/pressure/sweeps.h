// Pair sums of the SPH solvers. Each sweep passes once over the neighbour lists, with SIMD inside a chunk and threads
// over chunks. The results have the same bits at any number of threads. Densities are relative to rest density (sums of
// volumes, Solenthaler & Pajarola 2008), so fluids of different rest densities share one formula.
#pragma once

#include <span>

#include "sim/system/fluid/neighbors/pair_lists.h"
#include "sim/system/fluid/rows/sph_kernel.h"

namespace vw {

/// Input of every sweep. Fluid arrays hold one row for each fluid particle, in the order of the neighbour lists, then
/// one padding row (see `padding_coordinate`), then the periodic images.
struct SweepInput {
  const PairLists* lists = nullptr;
  SphKernel kernel = SphKernel::wendland;
  double reach_m = 1;              ///< Support radius H [m].
  double volume_m3 = 1;            ///< Volume V of each fluid particle at rest [m^3].
  double factor = 1;               ///< Value of lattice_factor() for the kernel.
  const Float4* rows = nullptr;    ///< Positions relative to the local origin [m]. Each sweep defines the meaning of w.
  const Float4* motion = nullptr;  ///< Velocities [m/s], if the sweep uses them. Some sweeps also use w.
  const Float4* walls = nullptr;  ///< Positions of wall samples relative to the local origin [m]. w: sample volume / V.
  const Float4* wall_motion = nullptr;
};

/// Result of density_sweep() for one fluid particle i. Sums run over the fluid neighbours j and over the wall samples
/// b, which have the volumes V_b.
struct DensityRow {
  float density = 0;  ///< Relative density: V (sum_j W_ij + sum_b (V_b / V) W_ib).
  /// Diagonal entry of the pressure matrix [1/(Pa s^2)]: decrease of the particle's own density rate per second for a
  /// kappa (p / density^2) of 1 Pa in this particle. Not negative.
  float answer = 0;
  float wall_density = 0;  ///< Part of the density that the walls contribute. Above 0 if a wall is near.
  /// Virial: -V / 3 times the sum of (x_i - x_j) . grad W over j and b, where each b has the weight V_b / V. It is 1 if
  /// the neighbours form a continuum.
  float virial = 0;
  /// Returns the pressure [Pa] of a particle with this kappa, computed by the virial theorem as force times distance
  /// per volume.
  [[nodiscard]] double pressure(float kappa) const {
    return static_cast<double>(kappa) * static_cast<double>(density) * static_cast<double>(virial);
  }
};

/// Callback that a sweep calls with the range of particles and the number of each finished chunk. The sweep calls it on
/// the thread that computed the chunk, while the chunk's data are still in cache, so sums over its particles are cheap
/// there. The object stores a reference to the callable, so the callable must outlive the sweep.
class ChunkEnd {
 public:
  ChunkEnd() = default;
  template <class F>
  explicit ChunkEnd(const F& f)
      : object_(&f), call_([](const void* object, Range rows, std::size_t chunk) {
          (*static_cast<const F*>(object))(rows, chunk);
        }) {}
  void operator()(Range rows, std::size_t chunk) const {
    if (call_ != nullptr) call_(object_, rows, chunk);
  }

 private:
  const void* object_ = nullptr;
  void (*call_)(const void*, Range, std::size_t) = nullptr;
};

/// Computes the densities and derived quantities of all fluid particles. Input: rows.w = 1 / rest density [m^3/kg].
void density_sweep(const SweepInput& in, std::span<DensityRow> out, ChunkEnd end = {});

/// Computes the rate of the relative density [1/s] for the velocities u in `motion`: V (sum (u_i - u_j) . grad W +
/// sum_b 2 (V_b / V) (u_i - u_b) . grad W) (Bender & Koschier 2015, eq. 9). V and V_b are the volumes of a particle and
/// of the wall sample b, and W is the kernel. The factor 2 appears because a wall mirrors the pressure and the approach
/// velocity of the fluid in front of the wall. With this factor the sum is the transpose of push_sweep(), and a
/// pressure solve is a projection.
void rate_sweep(const SweepInput& in, std::span<float> out, ChunkEnd end = {});

/// Input of push_sweep() in addition to the neighbour lists.
struct Pushed {
  std::span<const float> inverse_density;  ///< 1 / rho_i of each particle, with the rest density rho_i [m^3/kg].
  std::span<const Float4> before;          ///< Velocities without the pressures [m/s].
  float dt = 0;
};

/// Computes the velocities after pressure forces: before - dt (V / rho_i) (sum (k_i + k_j) grad W + sum_b 2 (V_b / V)
/// k_i grad W), where k = p / density^2 is in rows.w [Pa]. For V, V_b and W see rate_sweep(). rho_i is the rest
/// density. Walls mirror the pressure. Writes xyz of `out`. w is unchanged.
void push_sweep(const SweepInput& in, const Pushed& pushed, std::span<Float4> out, ChunkEnd end = {});

/// Name of the instruction set that the sweeps use on this machine.
[[nodiscard]] const char* sph_instruction_set();

}  // namespace vw
