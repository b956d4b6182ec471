// The particles of a fluid: rows in the order of their identities, which is that of their births, whatever dies; so rows mean the same to pictures,
// grabs and journals from step to step. The solver sorts by place for itself (fluid_solver.h).
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
  std::vector<std::uint8_t> nozzle;  ///< 1 + the inflow that still leads it out; 0: free
  std::vector<float> born;           ///< when [s]
  std::vector<float> kappa;          ///< where the next density solve begins [Pa]
  std::vector<float> pressure;       ///< mean of the last hundredths of a second [Pa]: one substep's flickers
  double peak = 0;                   ///< highest pressure over density [m^2/s^2] of the last hundredths of a second (deep_step.h)
  std::vector<float> density;        ///< relative, as of the last substep. No state.
  Float4s spin, viscous;             ///< what forces go on with (forces.h); empty while nothing needs them
  std::uint32_t next_id = 0;

  [[nodiscard]] std::size_t size() const { return elements.size(); }
  /// Removes the marked rows; others keep their order.
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
  /// What is wrong with arrays from a file, or empty.
  [[nodiscard]] std::string problem(std::size_t phases, std::size_t inflows) const;

 private:
  template <class F>
  void each(F f);
};

}  // namespace vw
