// The particles of a fluid, in the order of their ids. This is the order of birth, and removals keep this order.
// Between removals, a row therefore always refers to the same particle, on which pictures, mouse grabs and journals
// rely. The solver works on copies that are sorted by position (fluid_solver.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/base/data/state.h"
#include "sim/system/fluid/fluid_params.h"
#include "sim/system/system.h"

namespace vw {

struct FluidRows {
  Elements elements;
  std::vector<std::uint8_t> phase;
  /// Number, counted from 1, of the inflow that prescribes the particle's velocity. 0 if there is none.
  std::vector<std::uint8_t> nozzle;
  std::vector<float> born;   ///< Time of birth [s].
  std::vector<float> kappa;  ///< p / density^2 [Pa], the initial guess of the next velocity solve.
  /// Pressure [Pa], averaged over the last hundredths of a second because the pressure of a single substep fluctuates.
  std::vector<float> pressure;
  /// Largest ratio of pressure to density during the last hundredths of a second (pressure_step_limit.h) [m^2/s^2].
  double peak = 0;
  std::vector<float> density;  ///< Relative density in the last substep. Not part of the state.
  /// State that forces carry from one substep to the next (forces.h). Empty if no force needs it.
  Float4s spin, viscous;
  std::uint32_t next_id = 0;

  [[nodiscard]] std::size_t size() const { return elements.size(); }
  /// Removes the marked rows and keeps the order of the remaining rows.
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
  /// Describes an inconsistency in arrays read from a file. Returns an empty string if there is none.
  [[nodiscard]] std::string problem(std::size_t phases, std::size_t inflows) const;

 private:
  template <class F>
  void each(F f);
};

}  // namespace vw
