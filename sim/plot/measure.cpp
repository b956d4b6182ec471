#include "sim/plot/measure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace vw {
namespace {

Vec3 center_velocity(const SystemSnapshot& system) {
  return system.mass_kg > 0 ? Vec3(system.momentum / system.mass_kg) : Vec3::Zero();
}

double radius_of(const SystemSnapshot& system, std::size_t row) {
  if (row >= system.size.size()) return 0;
  const auto size = static_cast<double>(system.size[row]);
  return system.look_kind() == LookKind::voxels ? 0.5 * size : size;  // the size of a voxel is the length of its edge
}

}  // namespace

std::uint32_t identity(const SystemSnapshot& system, std::size_t row) {
  return row < system.id.size() ? system.id[row] : static_cast<std::uint32_t>(row);
}

std::optional<std::size_t> row_of(const SystemSnapshot& system, std::uint32_t wanted) {
  if (system.id.empty()) return wanted < system.position.size() ? std::optional<std::size_t>(wanted) : std::nullopt;
  auto at = std::lower_bound(system.id.begin(), system.id.end(), wanted);
  // Rows of fluids are sorted by position, not by id, so the binary search may fail although the element exists.
  if (at == system.id.end() || *at != wanted) at = std::find(system.id.begin(), system.id.end(), wanted);
  if (at == system.id.end()) return std::nullopt;
  return static_cast<std::size_t>(at - system.id.begin());
}

void Beginning::take(const SystemSnapshot& system) {
  taken = true;
  const std::size_t n = system.position.size();
  id.resize(n);
  x.resize(n);
  v.resize(n);
  center = system.center_of_mass;
  center_velocity = vw::center_velocity(system);
  std::vector<std::size_t> rows(n);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const auto earlier = [&](std::size_t a, std::size_t b) { return identity(system, a) < identity(system, b); };
  if (!std::is_sorted(rows.begin(), rows.end(), earlier)) std::sort(rows.begin(), rows.end(), earlier);
  for (std::size_t i = 0; i < n; ++i) {
    id[i] = identity(system, rows[i]);
    x[i] = n == 1 ? center : Vec3(system.position[rows[i]].cast<double>());
    v[i] = n == 1 ? center_velocity : Vec3(system.velocity[rows[i]].cast<double>());
  }
}

ElementState element_state(const SystemSnapshot& system, const Beginning& beginning, std::size_t row) {
  const auto at = std::lower_bound(beginning.id.begin(), beginning.id.end(), identity(system, row));
  const bool was_there = at != beginning.id.end() && *at == identity(system, row);
  const auto first = static_cast<std::size_t>(at - beginning.id.begin());
  ElementState state;
  const bool alone = system.position.size() == 1;
  state.x = alone ? system.center_of_mass : Vec3(system.position[row].cast<double>());
  state.v = alone ? center_velocity(system) : Vec3(system.velocity[row].cast<double>());
  state.x0 = was_there ? beginning.x[first] : Vec3::Constant(no_value).eval();
  state.v0 = was_there ? beginning.v[first] : Vec3::Constant(no_value).eval();
  state.radius = radius_of(system, row);
  state.row = row;
  return state;
}

ElementState center_state(const SystemSnapshot& system, const Beginning& beginning) {
  ElementState state;
  state.x = system.center_of_mass;
  state.v = center_velocity(system);
  state.x0 = beginning.center;
  state.v0 = beginning.center_velocity;
  state.radius = radius_of(system, 0);
  return state;
}

void place_as_seen(const Collider& still, const Snapshot& snapshot, Collider& placed) {
  placed.position = still.position;
  placed.orientation = still.orientation;
  for (const ColliderSnapshot& seen : snapshot.colliders) {
    if (seen.name != still.name) continue;
    // If the pose did not change, compared in single precision, the declared pose in double precision is kept.
    // Otherwise, the pose of the snapshot is used.
    if (seen.position != still.position.cast<float>()) placed.position = seen.position.cast<double>();
    if (seen.orientation.coeffs() != still.orientation.cast<float>().coeffs())
      placed.orientation = seen.orientation.cast<double>().normalized();
    return;
  }
}

double gap_to(const Collider& placed, const ElementState& element) {
  return query(placed, element.x).distance - element.radius;
}

bool is_of_whole_system(Quantity quantity) {
  switch (quantity) {
    case Quantity::count:
    case Quantity::mass:
    case Quantity::kinetic_energy:
    case Quantity::potential_energy:
    case Quantity::elastic_energy:
    case Quantity::energy:
    case Quantity::momentum_x:
    case Quantity::momentum_y:
    case Quantity::momentum_z:
    case Quantity::total: return true;
    default: return false;
  }
}

double whole_quantity(const SystemSnapshot& system, Quantity quantity, const std::string& total) {
  switch (quantity) {
    case Quantity::count: return static_cast<double>(system.position.size());
    case Quantity::mass: return system.mass_kg;
    case Quantity::kinetic_energy: return system.kinetic_j;
    case Quantity::potential_energy: return system.potential_j;
    case Quantity::elastic_energy: return system.elastic_j;
    case Quantity::energy: return system.kinetic_j + system.potential_j + system.elastic_j;
    case Quantity::momentum_x: return system.momentum.x();
    case Quantity::momentum_y: return system.momentum.y();
    case Quantity::momentum_z: return system.momentum.z();
    case Quantity::total:
      for (const Total& one : system.totals)
        if (one.name == total) return one.value;
      return no_value;
    default: return no_value;
  }
}

double joint_quantity(const SystemSnapshot& system, Quantity quantity, const std::string& joint) {
  for (const JointMark& mark : joints_of(system)) {
    if (mark.name != joint) continue;
    switch (quantity) {
      case Quantity::joint_force: return mark.force_n;
      case Quantity::joint_torque: return mark.torque_nm;
      case Quantity::joint_speed: return mark.speed;
      default: return mark.reading;
    }
  }
  return no_value;
}

double element_quantity(const ElementState& element, Quantity quantity, const Vec3& gravity) {
  const double g = gravity.norm();
  const double height = g > 0 ? -gravity.dot(element.x) / g : element.x.y();
  switch (quantity) {
    case Quantity::position_x: return element.x.x();
    case Quantity::position_y: return element.x.y();
    case Quantity::position_z: return element.x.z();
    case Quantity::velocity_x: return element.v.x();
    case Quantity::velocity_y: return element.v.y();
    case Quantity::velocity_z: return element.v.z();
    case Quantity::speed: return element.v.norm();
    case Quantity::height: return height;
    case Quantity::energy_height: return g > 0 ? height + element.v.squaredNorm() / (2 * g) : no_value;
    case Quantity::distance: return (element.x - element.x0).norm();
    default: return no_value;
  }
}

std::optional<Vec3> rule_force(const Snapshot& snapshot, const std::string& node, const SystemSnapshot& system,
                               std::size_t row) {
  const auto which = static_cast<std::size_t>(&system - snapshot.systems.data());
  std::optional<Vec3> sum;
  // A node may create several rules, and both sides of a rule may be the same system. The forces of all these rules and
  // sides are added.
  for (const RuleSnapshot& rule : snapshot.rules)
    for (const auto& [side, forces] : {std::pair{rule.a, &rule.force_a}, {rule.b, &rule.force_b}})
      if (rule.node == node && side == which && row < forces->size())
        sum = Vec3(sum.value_or(Vec3::Zero()) + (*forces)[row].cast<double>());
  return sum;
}

std::optional<Vec3> element_vector(const SystemSnapshot& system, const ElementState& element,
                                   const std::string& vector) {
  if (vector == "velocity") return element.v;
  for (const VectorChannel& channel : system.vectors)
    if (channel.name == vector && element.row < channel.values.size())
      return channel.values[element.row].cast<double>();
  return std::nullopt;
}

double part_of(const std::optional<Vec3>& vector, Quantity quantity) {
  if (!vector) return no_value;
  if (quantity == Quantity::vector_length) return vector->norm();
  return (*vector)[static_cast<Eigen::Index>(quantity) - static_cast<Eigen::Index>(Quantity::vector_x)];
}

void Reduction::add(double value) {
  if (std::isnan(value)) return;
  min_ = count_ == 0 ? value : std::min(min_, value);
  max_ = count_ == 0 ? value : std::max(max_, value);
  sum_ += value;
  square_ += value * value;
  ++count_;
}

double Reduction::result() const {
  if (count_ == 0) return no_value;
  const auto n = static_cast<double>(count_);
  switch (over_) {
    case Over::min: return min_;
    case Over::max: return max_;
    case Over::sum: return sum_;
    case Over::rms: return std::sqrt(square_ / n);
    case Over::center:
    case Over::mean: return sum_ / n;
  }
  return no_value;
}

}  // namespace vw
