// The particles of a fluid, in the order of their identities, which is the order of birth and does not change by
// removals. A row therefore means the same particle to pictures, grabs and journals from step to step. The solver sorts
// by position for itself (fluid_solver.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/base/state.h"
#include "sim/system/fluid/fluid_params.h"
#include "sim/system/system.h"

namespace vw {

struct FluidRows {
  Elements elements;
  std::vector<std::uint8_t> phase;
  std::vector<std::uint8_t> nozzle;  ///< 1 + number of the inflow that still leads the particle, or 0.
  std::vector<float> born;           ///< Time of birth [s].
  std::vector<float> kappa;          ///< p / density^2 that starts the next velocity solve [Pa].
  /// Mean over the last hundredths of a second [Pa], because the pressure of a single substep fluctuates.
  std::vector<float> pressure;
  double peak =
      0;  ///< Highest pressure over density of the last hundredths of a second (pressure_step_limit.h) [m^2/s^2].
  std::vector<float> density;  ///< Relative density in the last substep. Not part of the state.
  Float4s spin, viscous;       ///< State that forces carry on (forces.h); empty while no force needs it.
  std::uint32_t next_id = 0;

  [[nodiscard]] std::size_t size() const { return elements.size(); }
  /// Removes the marked rows; the order of the others is kept.
  void remove(std::span<const std::uint8_t> marked);
  struct Birth {
    Vec3 position, velocity;
    double mass_kg = 0, radius_m = 0;
    std::uint8_t phase = 0, nozzle = 0;
    float born = 0;
  };
  void add(const Birth& birth);
  void reserve(std::size_t count);
  void visit_state(StateVisitor& visit);
  /// Describes an inconsistency in arrays read from a file; empty if there is none.
  [[nodiscard]] std::string problem(std::size_t phases, std::size_t inflows) const;

 private:
  template <class F>
  void each(F f);
};

}  // namespace vw
