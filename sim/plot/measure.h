// Measures elements of one system for plots. The inputs are the snapshot of the system and the colliders. The result is
// one number for each curve. If a system has only one element, its centre of mass is measured in place of the element.
// Snapshots contain the centre of mass in double precision, but elements in single precision, so the plots of such a
// system are more precise.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/plot/plot.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

/// State of one element, or of a system at its centre of mass.
struct ElementState {
  Vec3 x = Vec3::Zero(), v = Vec3::Zero();
  Vec3 x0 = Vec3::Zero(), v0 = Vec3::Zero();  ///< position and velocity at the beginning of the plot
  double radius = 0;
  std::size_t row = 0;
};

/// Positions and velocities of a system's elements at the beginning of the plot, in the order of `id`.
struct Beginning {
  std::vector<std::uint32_t> id;  ///< ascending
  std::vector<Vec3> x, v;
  Vec3 center = Vec3::Zero(), center_velocity = Vec3::Zero();
  bool taken = false;
  void take(const SystemSnapshot& system);
};

[[nodiscard]] std::uint32_t identity(const SystemSnapshot& system, std::size_t row);
/// Returns the row of the element with the permanent id `identity`, or nullopt if there is no such element.
[[nodiscard]] std::optional<std::size_t> row_of(const SystemSnapshot& system, std::uint32_t identity);
/// Returns the state of one element. If the element did not exist at the beginning of the plot, x0 and v0 are NaN.
[[nodiscard]] ElementState element_state(const SystemSnapshot& system, const Beginning& beginning, std::size_t row);
[[nodiscard]] ElementState center_state(const SystemSnapshot& system, const Beginning& beginning);

/// Sets `placed` to the collider in the pose that the snapshot contains. `still` is the collider in the pose that the
/// scene declares; this pose is used if the snapshot does not contain the collider.
void place_as_seen(const Collider& still, const Snapshot& snapshot, Collider& placed);
/// Returns the distance [m] between an element's surface and a collider, negative if they overlap.
[[nodiscard]] double gap_to(const Collider& placed, const ElementState& element);

[[nodiscard]] bool is_of_whole_system(Quantity quantity);
/// Returns the value of a quantity of an entire system. `total` is the name of the total that Quantity::total measures.
/// The result is NaN if the system has no total of that name.
[[nodiscard]] double whole_quantity(const SystemSnapshot& system, Quantity quantity, const std::string& total);
/// Returns the value of a quantity of the joint named `joint`, or NaN if the system has no such joint.
[[nodiscard]] double joint_quantity(const SystemSnapshot& system, Quantity quantity, const std::string& joint);
/// Returns the value of a quantity that depends only on an element's state and the world's gravity, or NaN for other
/// quantities.
[[nodiscard]] double element_quantity(const ElementState& element, Quantity quantity, const Vec3& gravity);

/// Returns the total force [N] on an element by all rules of the node `node`, averaged over a step. Returns nullopt if
/// the snapshot does not contain the forces. `system` must be an element of snapshot.systems.
[[nodiscard]] std::optional<Vec3> rule_force(const Snapshot& snapshot, const std::string& node,
                                             const SystemSnapshot& system, std::size_t row);
/// Returns the element's vector with the name `vector`, or nullopt if the snapshot does not contain this vector.
[[nodiscard]] std::optional<Vec3> element_vector(const SystemSnapshot& system, const ElementState& element,
                                                 const std::string& vector);
/// Returns the component or the length of `vector` that `quantity` (vector_x to vector_length) selects. The result is
/// NaN if `vector` is empty.
[[nodiscard]] double part_of(const std::optional<Vec3>& vector, Quantity quantity);

/// Combines the values of several elements into one. The result is NaN if no values were added.
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
