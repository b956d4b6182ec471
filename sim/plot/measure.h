// Measures elements of one system in a snapshot for plots. In: a system's snapshot and the colliders. Out: one number
// for each curve. If a system has only one element, its centre of mass is measured instead of the element. The snapshot
// holds the centre of mass in double precision, so the plots of such a system are not rounded to single precision.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/plot/plot.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

/// State of one element, or of a whole system at its centre of mass.
struct ElementState {
  Vec3 x = Vec3::Zero(), v = Vec3::Zero();
  Vec3 x0 = Vec3::Zero(), v0 = Vec3::Zero();  ///< position and velocity at the beginning of the plot
  double radius = 0;
  std::size_t row = 0;
};

/// Positions and velocities of a system's elements at the beginning of the plot, by id.
struct Beginning {
  std::vector<std::uint32_t> id;  ///< ascending
  std::vector<Vec3> x, v;
  Vec3 center = Vec3::Zero(), center_velocity = Vec3::Zero();
  bool taken = false;
  void take(const SystemSnapshot& system);
};

[[nodiscard]] std::uint32_t identity(const SystemSnapshot& system, std::size_t row);
/// Row of the element with that id, or none if it does not exist.
[[nodiscard]] std::optional<std::size_t> row_of(const SystemSnapshot& system, std::uint32_t identity);
/// State of one element. If the element did not exist at the beginning of the plot, x0 and v0 are NaN.
[[nodiscard]] ElementState element_state(const SystemSnapshot& system, const Beginning& beginning, std::size_t row);
[[nodiscard]] ElementState center_state(const SystemSnapshot& system, const Beginning& beginning);

/// Sets `placed` to the collider's pose in the snapshot. `still` is the collider in the pose that the scene declares.
void place_as_seen(const Collider& still, const Snapshot& snapshot, Collider& placed);
/// Distance between an element's surface and a collider [m].
[[nodiscard]] double gap_to(const Collider& placed, const ElementState& element);

[[nodiscard]] bool is_of_whole_system(Quantity quantity);
/// Value of a quantity of a whole system. `total` is the name of the total that Quantity::total measures. The result is
/// NaN if the system has no total of that name.
[[nodiscard]] double whole_quantity(const SystemSnapshot& system, Quantity quantity, const std::string& total);
/// Value of a quantity of the joint named `joint`, or NaN if the system has no such joint.
[[nodiscard]] double joint_quantity(const SystemSnapshot& system, Quantity quantity, const std::string& joint);
/// Value of a quantity that depends only on an element's state and the world's gravity.
[[nodiscard]] double element_quantity(const ElementState& element, Quantity quantity, const Vec3& gravity);

/// Total force on an element [N] by all rules of a node, averaged over a step. None if the snapshot does not hold the
/// forces. `system` must be an element of snapshot.systems.
[[nodiscard]] std::optional<Vec3> rule_force(const Snapshot& snapshot, const std::string& node,
                                             const SystemSnapshot& system, std::size_t row);
/// The element's vector that is named `vector`. None if the snapshot does not hold it.
[[nodiscard]] std::optional<Vec3> element_vector(const SystemSnapshot& system, const ElementState& element,
                                                 const std::string& vector);
/// The component or length of `vector` that `quantity` (vector_x to vector_length) selects. NaN if there is no vector.
[[nodiscard]] double part_of(const std::optional<Vec3>& vector, Quantity quantity);

/// Combines the values of several elements. Without values the result is NaN.
class Reduction {
 public:
  explicit Reduction(Over over) : over_(over) {}
  /// Adds a value. NaNs are ignored.
  void add(double value);
  [[nodiscard]] double result() const;

 private:
  Over over_;
  double sum_ = 0, square_ = 0, min_ = 0, max_ = 0;
  std::size_t count_ = 0;
};

}  // namespace vw
