// Initial fluid: shapes filled with a lattice of particles at rest density.
#pragma once

#include <memory>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/system/fluid/rows/domain.h"
#include "sim/system/fluid/rows/fluid_rows.h"

namespace vw {

struct Fill {
  Shape shape;
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();
  std::uint8_t phase = 0;
};

/// Schemas of slot `fill`, ordered by name.
[[nodiscard]] const std::vector<const Schema*>& fill_schemas();
/// Reads a fill. If a parameter is wrong, the key of the error is the name of that parameter.
[[nodiscard]] Result<Fill> make_fill(const Node& self, std::span<const FluidPhase> phases);

/// Returns particle positions [m] on a lattice inside the fill, layer by layer along the y axis of the shape. The
/// number of positions matches the volume of the fill. In a box the lattice extends from face to face, and the top
/// layer has fewer particles if whole layers do not give the volume. In other shapes the lattice points inside the
/// shape are taken. Up to nine lattices, whose spacings differ from `spacing_m` by up to 2 %, are tried until the error
/// of the volume is at most 1 %. At most `most` + 1 positions are returned. A result of `most` + 1 positions means that
/// the fill has more than `most` positions.
[[nodiscard]] std::vector<Vec3> fill_sites(const Fill& fill, double spacing_m, std::size_t most);

/// Returns the volume of a fill [m^3].
[[nodiscard]] double fill_volume(const Fill& fill);
/// Returns the spacing [m] nearest to `spacing_m`, within 2 %, at which whole layers fill the largest box exactly.
/// Returns the given spacing if there is none.
[[nodiscard]] double fitted_spacing(std::span<const Fill> fills, double spacing_m);

/// Compares the volumes of the fills with the number of particles placed in them.
class FillBalance {
 public:
  /// Adds a fill of the given volume with `sites` lattice sites, of which `left_out` stayed empty.
  void add(double volume_m3, std::size_t sites, std::size_t left_out);
  /// Returns the spacing at which the total volume of the placed particles equals the volume of the fills without their
  /// empty sites. Returns the given spacing if the change would exceed 5 %.
  [[nodiscard]] double fitted(double spacing_m) const;
  /// Returns the relative error of the volume at the given spacing: volume of the particles of a fill over the volume
  /// of the fill, minus 1. Empty sites count as particles. Returns the error of largest magnitude among the fills.
  [[nodiscard]] double error(double spacing_m) const;

 private:
  struct One {
    double volume_m3 = 0, placed = 0, sites = 0;
  };
  std::vector<One> all_;
};

/// Adds the particles of a fill. Particles beyond a periodic side of the domain are added last, at the opposite side.
/// Omits particles whose centre lies in an obstacle or too near to an existing particle. Returns the number of omitted
/// particles.
[[nodiscard]] std::size_t place_fill(const Fill& fill, std::vector<Vec3> sites, const FluidDomain& domain,
                                     double spacing_m, std::span<const FluidPhase> phases,
                                     std::span<const Collider> colliders, FluidRows& rows);

}  // namespace vw
