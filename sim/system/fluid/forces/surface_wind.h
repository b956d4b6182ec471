// Wind forces on a fluid: friction along its free surface, pressure on the sides of waves, and drag on spray. Input: a
// workspace with neighbour lists and densities, and the world's fields. Output: velocities in space.motion (periodic
// images included). The forces are applied once per substep, between gravity and the pressure solves.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/data/parameter.h"
#include "sim/field/field.h"
#include "sim/system/fluid/bodies/guest.h"
#include "sim/system/fluid/rows/sph_workspace.h"
#include "sim/system/fluid/walls/walls.h"

namespace vw {

/// Settings of a fluid. FluidParams derives from this struct and includes surface_wind_params() in its parameter table.
struct SurfaceWindParams {
  bool wind = true;
  /// Friction coefficient. The default gives the stress 1.2e-3 rho u^2, with the air density rho and the wind u 10 m
  /// above the sea (Large & Pond 1981).
  double wind_friction = 0.0024;
  double wind_drag = 1;
  double spray_size_m = 0;
  double air_density = 1.2;
};
[[nodiscard]] const ParamTable<SurfaceWindParams>& surface_wind_params();

/// The air above a fluid in a substep.
struct AirAbove {
  const FieldSet* fields = nullptr;  ///< Fields of the world. Null if there is no wind.
  double time = 0;                   ///< Time at which fields are sampled [s].
};

/// A particle of the free surface or of spray.
struct SurfaceRow {
  std::uint32_t row = 0;
  Vec3 normal = Vec3::Zero();  ///< Outward unit normal of the surface around the particle.
  double area = 0;             ///< Area of the free surface that the particle represents [m^2].
  double lone = 0;             ///< Degree of isolation: 1 without neighbours, 0 with two neighbours at one spacing.
};

/// Finds the particles of the free surface and of spray, in the order of the workspace. A particle's area is the
/// inverse of the number density of surface particles around it, measured on the surface half a spacing further out.
/// This accounts for compressed layers, which have more particles per area than the lattice. Keeps scratch memory
/// between calls. The result of find() is valid until the next call.
class FluidSurface {
 public:
  [[nodiscard]] const std::vector<SurfaceRow>& find(const SphWorkspace& space);

 private:
  void even_normals(const SphWorkspace& space);
  void find_areas(const SphWorkspace& space);

  /// `normal_`: normals that point into the fluid. w: degree to which the particle belongs to the surface, 0 to 1.
  /// `even_`: scratch of even_normals(), then the result of find_areas() in x.
  Float4s normal_, even_;
  Float4s on_surface_;  ///< Positions on the surface, half a spacing outward [m]. w: as in normal_.
  std::vector<std::vector<SurfaceRow>> found_;  ///< One list per chunk of particles.
  std::vector<SurfaceRow> rows_;
};

class SurfaceWind {
 public:
  /// Applies the wind over dt. Returns the impulse on the fluid [N s].
  Vec3 push(SphWorkspace& space, const AirAbove& air, const SurfaceWindParams& params, double dt);
  /// If there is wind, computes the submerged fractions of guests (coupled bodies, guest.h): Guest::wet and
  /// GuestBlock::wet.
  static void find_wet(const SphWorkspace& space, const AirAbove& air, std::span<const Walls::Owner> owners,
                       std::span<Guest> guests);

 private:
  FluidSurface surface_;
  std::vector<Vec3> place_, wind_, given_;
};

}  // namespace vw
