// Growth of kinetic energy that nothing explains: what a step too long, a stiffness too large or a fault of the program looks like before numbers
// stop being finite. In: motion before and after a step, and what may have given energy in between. Costs next to nothing while energies grow slowly.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/world/health.h"
#include "sim/world/parts.h"

namespace vw {

class EnergyWatch {
 public:
  /// After commands: parameters may have changed.
  void forget() { before_.clear(); }
  /// Before a step: energies that it may set free, and who is there. `scene` is the tree in force.
  void begin_step(const WorldParts& parts, const Node& scene, const StepContext& context);
  /// After it. `before` and `after` are rows of all systems.
  [[nodiscard]] std::optional<HealthIssue> look(const WorldParts& parts, std::size_t system, std::span<const MotionSum::Row> before,
                                                const MotionSum::Row& after, const StepContext& context, const SystemTiming& timing) const;

 private:
  struct Before {
    double stored_j = 0;        ///< elastic and spin energy that the system may set free in the step
    std::int64_t last_id = -1;  ///< whoever has a higher one is born in the step
    bool is_rigid = false;
    bool is_driven = false;  ///< motors or a recording move it: anything goes
  };
  [[nodiscard]] double explained_j(const WorldParts& parts, std::size_t system, std::span<const MotionSum::Row> before, double mass,
                                   const StepContext& context) const;
  std::vector<Before> before_;
  double rules_j_ = 0;
};

}  // namespace vw
