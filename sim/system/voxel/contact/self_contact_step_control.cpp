// The margin of the watch list is the distance that the fastest voxel may move in the step, plus an allowance.
#include "sim/system/voxel/contact/self_contact_step_control.h"

#include <algorithm>
#include <cmath>

namespace vw {
namespace {

/// Largest margin in voxel edges. Beyond this value, the cost of a longer list exceeds the gain of longer steps.
constexpr double widest_step_margin = 1.5;
constexpr double unforeseen = 0.1;  ///< allowance for elastic displacements of a voxel, in voxel edges
/// Allowance for the acceleration of a voxel relative to the other voxels [m/s^2], about twice gravity.
constexpr double pull = 20;
/// Depth, in voxel edges, that a pair of voxels may reach in the step if contact forces are ignored.
constexpr double deepest = 0.25;

Vec3 mean_of(std::span<const Vec3> rows, std::span<const double> mass) {
  Vec3 sum = Vec3::Zero();
  double total = 0;
  for (std::size_t v = 0; v < rows.size(); ++v) sum += mass[v] * rows[v], total += mass[v];
  return total > 0 ? Vec3(sum / total) : Vec3(Vec3::Zero());
}

double widest_of(std::span<const double> half_edge) {
  double widest = 0;
  for (const double h : half_edge) widest = std::max(widest, h);
  return widest;
}

}  // namespace

double SelfContactStepControl::look(const LatticeTopology& topology, const Elements& elements, double edge_m, double dt,
                                    double least) {
  const Vec3 common = mean_of(elements.velocity, elements.mass);
  double squared = 0;
  for (const Vec3& v : elements.velocity)
    // The comparison is negated so that a NaN velocity makes `squared` NaN.
    if (const double own = (v - common).squaredNorm(); !(own <= squared)) squared = own;
  const double speed = std::sqrt(squared), furthest = (widest_step_margin - unforeseen) * edge_m;
  const auto displacement = [&](double h) { return (speed + pull * h) * h; };
  widest_ = widest_of(elements.radius);
  const bool foreseeable = displacement(least) <= 2 * furthest;
  double h = foreseeable ? dt : 0;
  while (displacement(h) > furthest && h > least) h *= 0.5;
  margin_ = std::min(displacement(h) + unforeseen * edge_m, 2 * widest_step_margin * edge_m);
  state_.load(elements);
  contact_.rebuild_within(topology, state_, elements.radius, margin_);
  return foreseeable ? longest_until_meeting(elements, edge_m, h, least) : 0;
}

/// Returns the longest step, at most `dt`, in which no approaching pair exceeds the depth `deepest`. The result is at
/// least `least`, unless `dt` is shorter than `least`.
double SelfContactStepControl::longest_until_meeting(const Elements& elements, double edge_m, double dt,
                                                     double least) const {
  double h = dt;
  for (const auto& [a, b] : contact_.pairs()) {
    const Vec3 r = elements.position[b] - elements.position[a];
    const double distance = r.norm();
    if (!(distance > 0)) continue;
    const double approach = -r.dot(elements.velocity[b] - elements.velocity[a]) / distance;
    const double gap = std::max(0.0, distance - elements.radius[a] - elements.radius[b]);
    if (approach * h > gap + deepest * edge_m) h = (gap + deepest * edge_m) / approach;
  }
  return std::max(h, std::min(dt, least));
}

void SelfContactStepControl::keep(const Elements& elements, std::span<const ContactState> contacts) {
  start_.position = elements.position;
  start_.velocity = elements.velocity;
  start_.orientation = elements.orientation;
  start_.angular_velocity = elements.angular_velocity;
  start_.impulse = elements.impulse;
  start_.angular_impulse = elements.angular_impulse;
  contacts_.assign(contacts.begin(), contacts.end());
}

bool SelfContactStepControl::saw_all(const Elements& elements) const {
  const Vec3 common = mean_of(elements.position, elements.mass) - mean_of(start_.position, elements.mass);
  const double allowed = margin_ - std::max(0.0, widest_of(elements.radius) - widest_);
  if (!(allowed > 0)) return false;
  for (std::size_t v = 0; v < elements.size(); ++v)
    if (!((elements.position[v] - start_.position[v] - common).squaredNorm() <= allowed * allowed)) return false;
  return true;
}

void SelfContactStepControl::give_back(Elements& elements, std::span<ContactState> contacts) const {
  elements.position = start_.position;
  elements.velocity = start_.velocity;
  elements.orientation = start_.orientation;
  elements.angular_velocity = start_.angular_velocity;
  elements.impulse = start_.impulse;
  elements.angular_impulse = start_.angular_impulse;
  std::copy(contacts_.begin(), contacts_.end(), contacts.begin());
}

}  // namespace vw
