// What a snapshot says about the elements of one system, in the terms of plots. Flows in: a system's snapshot and the colliders; flows out: one
// number a curve. A system of one element is read in double (its centre of mass), so that plots of it are not rounded to float.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/plot/plot.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

/// One element, or all of them as one at their centre of mass.
struct ElementState {
  Vec3 x = Vec3::Zero(), v = Vec3::Zero();
  Vec3 x0 = Vec3::Zero(), v0 = Vec3::Zero();  ///< when the plot began
  double radius = 0;
  std::size_t row = 0;
};

/// Where a system's elements were when the plot began, by identity.
struct Beginning {
  std::vector<std::uint32_t> id;  ///< ascending
  std::vector<Vec3> x, v;
  Vec3 center = Vec3::Zero(), center_velocity = Vec3::Zero();
  bool taken = false;
  void take(const SystemSnapshot& system);
};

[[nodiscard]] std::uint32_t identity(const SystemSnapshot& system, std::size_t row);
/// Row of an element, or none when it does not live.
[[nodiscard]] std::optional<std::size_t> row_of(const SystemSnapshot& system, std::uint32_t identity);
/// The beginning of an element that was not there when the plot began is no number.
[[nodiscard]] ElementState element_state(const SystemSnapshot& system, const Beginning& beginning, std::size_t row);
[[nodiscard]] ElementState center_state(const SystemSnapshot& system, const Beginning& beginning);

/// Puts a collider where this snapshot shows it; `still` is where the scene puts it.
void place_as_seen(const Collider& still, const Snapshot& snapshot, Collider& placed);
/// Distance of an element's surface from a collider [m].
[[nodiscard]] double gap_to(const Collider& placed, const ElementState& element);

[[nodiscard]] bool is_of_whole_system(Quantity quantity);
/// Quantities of a whole system; NaN where there is none of that name.
[[nodiscard]] double whole_quantity(const SystemSnapshot& system, Quantity quantity, const std::string& total);
/// Quantities of a joint; NaN where there is none of that name.
[[nodiscard]] double joint_quantity(const SystemSnapshot& system, Quantity quantity, const std::string& joint);
/// Quantities of one element that need nothing but its state; `gravity` is the world's.
[[nodiscard]] double element_quantity(const ElementState& element, Quantity quantity, const Vec3& gravity);

/// What the rules of a node give an element [N], mean over a step; nothing where the snapshot does not tell it. `system` is the snapshot's own.
[[nodiscard]] std::optional<Vec3> rule_force(const Snapshot& snapshot, const std::string& node, const SystemSnapshot& system, std::size_t row);
/// A vector of an element by its name; nothing where the snapshot does not tell it.
[[nodiscard]] std::optional<Vec3> element_vector(const SystemSnapshot& system, const ElementState& element, const std::string& vector);
/// One of the quantities vector_x and on.
[[nodiscard]] double part_of(const std::optional<Vec3>& vector, Quantity quantity);

/// Sums up the values of several elements. No values: NaN.
class Reduction {
 public:
  explicit Reduction(Over over) : over_(over) {}
  /// What is no number counts as not there.
  void add(double value);
  [[nodiscard]] double result() const;

 private:
  Over over_;
  double sum_ = 0, square_ = 0, min_ = 0, max_ = 0;
  std::size_t count_ = 0;
};

}  // namespace vw
